//! A search between two bounds, as data, and how a process goes on from there.

use super::super::reach::Reach;
use super::near::NearMisses;
use super::plan::{Choice, LastCut, Next, Plan, Shared, with};
use super::tree::{Cut, UnitError};
use crate::domain::Op;
use crate::record::{Ending, Iteration};
use crate::run::Run;
use serde::{Deserialize, Serialize};

/// A search between two bounds: what it has done, and what the next bound begins with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// The bounds before.
    pub iterations: Vec<Iteration>,
    /// As [`at_least`](Standing::at_least).
    pub(super) bound: u32,
    pub(super) last: Option<(u32, Choice)>,
    pub(super) keep_at: u32,
    pub(super) near: Vec<NearMisses>,
    pub(super) reach: Reach,
}

/// What a plan says of a search besides what the solver knows.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The program and its version.
    pub version: &'a str,
    /// The instance.
    pub instance: &'a str,
}

/// How a bound is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Division {
    /// The most units.
    pub units: usize,
    /// Subtrees for each: more differ less in size, fewer are cut sooner.
    pub grain: usize,
}

/// How far a process has got by itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Advance {
    /// To a bound that is cut into units, with its pieces of near misses.
    Units(Box<Plan>, Vec<NearMisses>),
    /// To the end.
    Over(Ending<Vec<Op>>, Vec<Iteration>),
    /// To a bound in which it was cancelled.
    Cancelled(Standing),
}

impl Standing {
    /// Before the first bound.
    pub fn begin(shared: &dyn Shared) -> Standing {
        let (iterations, bound) = (Vec::new(), shared.value());
        Standing { iterations, bound, last: None, keep_at: 0, near: Vec::new(), reach: Reach::default() }
    }

    /// Every solution has at least so many moves.
    pub fn at_least(&self) -> u32 {
        self.bound
    }

    /// The next bound.
    pub fn bound(&self, shared: &dyn Shared) -> u32 {
        shared.lengths().at_least(self.bound)
    }

    /// Cuts the next bound. Returns the plan and its pieces of near misses; what is searched with `last` need not cut it
    /// again.
    ///
    /// # Errors
    /// [`UnitError`] if this is the standing of another solver, or the work was cancelled.
    pub fn cut(
        &self,
        shared: &dyn Shared,
        names: Names<'_>,
        Division { units, grain }: Division,
        last: &LastCut,
        run: &Run<'_>,
    ) -> Result<(Plan, Vec<NearMisses>), UnitError> {
        let before = self.last.as_ref().map(|(bound, choice)| (*bound, choice));
        let (units, choice) = (units.max(1), shared.choose(&self.iterations, before, run));
        let near = NearMisses::regroup(&self.near, Cut::most_pieces(units));
        let enough = units.saturating_mul(grain);
        let (cut, subtrees) = with(shared, &choice, |tree| {
            let kept = (self.keep_at, near.len());
            tree.cut(self.bound(shared), enough, kept, &self.reach, run)
        })?;
        run.check()?;
        let plan = Plan {
            version: names.version.to_owned(),
            instance: names.instance.to_owned(),
            settings: shared.settings(),
            tables: shared.tables().to_vec(),
            iterations: self.iterations.clone(),
            units,
            choice,
            cut,
        };
        last.keep(&plan, subtrees);
        Ok((plan, near))
    }

    /// Searches bounds here as long as `division` says one unit, or cutting leaves one; cuts the next bound.
    /// None greater than `most` is searched.
    ///
    /// # Errors
    /// [`UnitError`] if this is the standing of another solver.
    pub fn advance(
        self,
        shared: &dyn Shared,
        names: Names<'_>,
        most: Option<u32>,
        division: &mut dyn FnMut(&[Iteration]) -> Division,
        run: &Run<'_>,
    ) -> Result<Advance, UnitError> {
        let (mut standing, last) = (self, LastCut::new());
        loop {
            let bound = standing.bound(shared);
            if most.is_some_and(|most| bound > most) {
                let ending = Ending::Bounded { lower_bound: bound };
                return Ok(Advance::Over(ending, standing.iterations));
            }
            let division = division(&standing.iterations);
            let (plan, near) = match standing.cut(shared, names, division, &last, run) {
                Err(UnitError::Cancelled(_)) => return Ok(Advance::Cancelled(standing)),
                cut => cut?,
            };
            let (shares, mut gathered) = (plan.shares(), plan.gathered());
            if shares.len() > 1 && gathered.step().is_none() {
                return Ok(Advance::Units(Box::new(plan), near));
            }
            if gathered.step().is_none() {
                match plan.search(shared, shares[0].clone(), &near, &last, run) {
                    Err(UnitError::Cancelled(_)) => return Ok(Advance::Cancelled(standing)),
                    outcome => gathered.add(outcome?),
                };
            }
            match plan.next(&gathered) {
                Some(Next::Longer(next)) => standing = next,
                Some(Next::Over { ending, iterations }) => return Ok(Advance::Over(ending, iterations)),
                None => return Err(UnitError::Range(plan.cut.items())),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::gathered::Gathered;
    use super::super::plan::OtherPlan;
    use super::super::testing::{Pancakes, whole};
    use super::*;
    use crate::record::TableUse;

    const NAMES: Names<'static> = Names { version: "test 1", instance: "cakes" };

    /// Bound after bound, however a bound is cut, whatever the threads, the order of outcomes and how often they
    /// come: the answer and the iterations are those of one search, with near misses and without.
    #[test]
    fn units_are_the_whole_search() {
        let mut retried = 0;
        for (number, near) in (0..5).flat_map(|number| [(number, false), (number, true)]) {
            let cakes = Pancakes::random(number, near);
            let (expected, iterations) = whole(&cakes);
            for (units, grain, threads, locally) in
                [(1, 512, 1, 9), (5, 7, 2, 3), (40, 3, 1, 0), (9, 100, 3, 4)]
            {
                let run = Run::new().with_threads(threads);
                let mut standing = Standing::begin(&cakes);
                let (ending, found) = loop {
                    let mut division = |done: &[Iteration]| Division {
                        units: if done.len() < locally { 1 } else { units },
                        grain,
                    };
                    let (plan, near) =
                        match standing.advance(&cakes, NAMES, None, &mut division, &run).unwrap() {
                            Advance::Units(plan, near) => (*plan, near),
                            Advance::Over(ending, iterations) => break (ending, iterations),
                            Advance::Cancelled(_) => panic!("not cancelled"),
                        };
                    retried += near.len();
                    match plan.next(&searched(&cakes, &plan, &near, &run)).unwrap() {
                        Next::Longer(next) => standing = next,
                        Next::Over { ending, iterations } => break (ending, iterations),
                    }
                };
                assert_eq!(ending, expected);
                assert_eq!(complete(&found), complete(&iterations), "{number} {near} {units}");
            }
        }
        assert!(retried > 20, "{retried} pieces of near misses");
    }

    /// The outcomes of all units, the last first and the first twice, as they are after a journey.
    fn searched(cakes: &Pancakes, plan: &Plan, near: &[NearMisses], run: &Run<'_>) -> Gathered {
        let plan: Plan = serde_json::from_str(&serde_json::to_string(plan).unwrap()).unwrap();
        plan.check(cakes).unwrap();
        let (mut gathered, shares, last) = (plan.gathered(), plan.shares(), LastCut::new());
        assert_eq!(plan.expected(cakes, &last, run).unwrap().len(), shares.len());
        for (number, items) in shares.iter().enumerate().rev().chain([(0, &shares[0])]) {
            if items.is_empty() {
                continue;
            }
            let pieces = near.get(items.start..items.end.min(near.len())).unwrap_or(&[]);
            let outcome = plan.search(cakes, items.clone(), pieces, &last, run).unwrap();
            let text = serde_json::to_string(&outcome).unwrap();
            assert!(gathered.add(serde_json::from_str(&text).unwrap()), "unit {number}");
        }
        gathered
    }

    fn complete(iterations: &[Iteration]) -> Vec<Iteration> {
        let complete = iterations.iter().filter(|iteration| iteration.complete);
        complete.map(|iteration| Iteration { seconds: 0.0, ..iteration.clone() }).collect()
    }

    #[test]
    fn a_plan_of_another_search_is_refused_by_name() {
        let (cakes, run) = (Pancakes::random(1, true), Run::new());
        let mut many = |_: &[Iteration]| Division { units: 3, grain: 4 };
        let cut = Standing::begin(&cakes).advance(&cakes, NAMES, None, &mut many, &run).unwrap();
        let Advance::Units(plan, _) = cut else { panic!("units") };
        let plan = *plan;
        assert_eq!(plan.check(&cakes), Ok(()));
        let other = Pancakes { name: "butter", ..Pancakes::random(1, true) };
        let refused = plan.check(&other).unwrap_err().to_string();
        assert_eq!(refused, "the units were cut with heuristic gap, not butter");
        let other =
            Plan { tables: vec![TableUse { name: "a".into(), checksum: "b".into() }], ..plan.clone() };
        assert_eq!(other.check(&cakes), Err(OtherPlan::Tables { cut: 1, here: 0 }));
        assert!(plan.check_version("test 1").is_ok());
        let refused = plan.check_version("test 2").unwrap_err().to_string();
        assert_eq!(refused, "the units are of test 1, this is test 2");
        let other = Pancakes::random(2, true);
        let refused = plan.search(&other, 0..1, &[], &LastCut::new(), &run).unwrap_err();
        assert!(matches!(refused, UnitError::Other { .. }), "{refused}");
    }

    #[test]
    fn near_misses_that_are_missing_or_of_another_search_are_refused() {
        let (cakes, run) = (Pancakes::random(3, true), Run::new());
        let one = |_: &[Iteration]| Division { units: 1, grain: 64 };
        let mut standing = Standing::begin(&cakes);
        // To the first bound that begins with near misses.
        let (plan, near) = loop {
            let (plan, near) = standing.cut(&cakes, NAMES, one(&[]), &LastCut::new(), &run).unwrap();
            if !near.is_empty() {
                break (plan, near);
            }
            let Some(Next::Longer(next)) = plan.next(&searched(&cakes, &plan, &near, &run)) else {
                panic!("not solved before")
            };
            standing = next;
        };
        let items = plan.shares()[0].clone();
        assert_eq!(plan.search(&cakes, items.clone(), &[], &LastCut::new(), &run), Err(UnitError::Near));
        let text = serde_json::to_string(&near[0]).unwrap();
        let strings = text.split("\"strings\":\"").nth(1).unwrap();
        // A flip that changes nothing is none.
        let damaged = text.replace(strings, &strings.replace('2', "0"));
        let damaged: NearMisses = serde_json::from_str(&damaged).unwrap();
        assert_eq!(plan.search(&cakes, items, &[damaged], &LastCut::new(), &run), Err(UnitError::Near));
    }

    #[test]
    fn a_start_that_is_a_goal_and_bounds_that_are_too_great_need_no_unit() {
        let run = Run::new();
        let mut many = |_: &[Iteration]| Division { units: 9, grain: 9 };
        let solved = Pancakes::solved();
        let over = Standing::begin(&solved).advance(&solved, NAMES, None, &mut many, &run).unwrap();
        let Advance::Over(ending, iterations) = over else { panic!("over") };
        assert_eq!((ending, iterations.len()), (Ending::solved(0, Vec::new()), 1));
        let cakes = Pancakes::random(1, true);
        let least = Standing::begin(&cakes).bound(&cakes);
        let over = Standing::begin(&cakes).advance(&cakes, NAMES, Some(least - 1), &mut many, &run).unwrap();
        assert_eq!(over, Advance::Over(Ending::Bounded { lower_bound: least }, Vec::new()));
        run.cancel().cancel();
        let standing = Standing::begin(&cakes);
        let cancelled = standing.clone().advance(&cakes, NAMES, None, &mut many, &run).unwrap();
        assert_eq!(cancelled, Advance::Cancelled(standing));
    }
}
