//! A search between two bounds, as data, and how a process goes on from there.

use super::super::Order;
use super::super::branch_depths::BranchDepths;
use super::plan::{Choice, DistributedSearch, LastCut, Next, Plan, with};
use super::tree::UnitError;
use crate::domain::Op;
use crate::record::{Ending, Iteration};
use crate::run::Run;
use serde::{Deserialize, Serialize};

/// A search between two bounds: what it has done, and what the next bound begins with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchState {
    /// The bounds before.
    pub iterations: Vec<Iteration>,
    /// As [`at_least`](SearchState::at_least).
    pub(super) bound: u32,
    pub(super) last: Option<(u32, Choice)>,
    pub(super) reach: BranchDepths,
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
pub struct SplitPolicy {
    /// The most units.
    pub units: usize,
    /// Subtrees for each: more differ less in size, fewer are cut sooner.
    pub grain: usize,
}

/// How far a process has got by itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Advance {
    /// To a bound that is cut into units.
    Units(Box<Plan>),
    /// To the end.
    Over(Ending<Vec<Op>>, Vec<Iteration>),
    /// To a bound in which it was cancelled.
    Cancelled(SearchState),
}

impl SearchState {
    /// Before the first bound.
    pub fn begin(shared: &dyn DistributedSearch) -> SearchState {
        let (iterations, bound) = (Vec::new(), shared.value());
        SearchState { iterations, bound, last: None, reach: BranchDepths::default() }
    }

    /// Every solution has at least so many moves.
    pub fn at_least(&self) -> u32 {
        self.bound
    }

    /// The next bound.
    pub fn bound(&self, shared: &dyn DistributedSearch) -> u32 {
        shared.lengths().at_least(self.bound)
    }

    /// Cuts the next bound. What is searched with `last` need not cut it again.
    ///
    /// # Errors
    /// [`UnitError`] if this is the standing of another solver, or the work was cancelled.
    pub fn cut(
        &self,
        shared: &dyn DistributedSearch,
        names: Names<'_>,
        SplitPolicy { units, grain }: SplitPolicy,
        last: &LastCut,
        run: &Run<'_>,
    ) -> Result<Plan, UnitError> {
        let before = self.last.as_ref().map(|(bound, choice)| (*bound, choice));
        let (units, choice) = (units.max(1), shared.choose(&self.iterations, before, run));
        let enough = units.saturating_mul(grain);
        let none = BranchDepths::default();
        let reach = if shared.order() == Order::Deepest { &self.reach } else { &none };
        let (cut, subtrees) = with(shared, &choice, |tree| tree.cut(self.bound(shared), enough, reach, run))?;
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
        Ok(plan)
    }

    /// Searches bounds here as long as `division` says one unit, or cutting leaves one; cuts the next bound.
    /// None greater than `most` is searched.
    ///
    /// # Errors
    /// [`UnitError`] if this is the standing of another solver.
    pub fn advance(
        self,
        shared: &dyn DistributedSearch,
        names: Names<'_>,
        most: Option<u32>,
        division: &mut dyn FnMut(&[Iteration]) -> SplitPolicy,
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
            let plan = match standing.cut(shared, names, division, &last, run) {
                Err(UnitError::Cancelled(_)) => return Ok(Advance::Cancelled(standing)),
                cut => cut?,
            };
            let (shares, mut gathered) = (plan.shares(), plan.gathered());
            if shares.len() > 1 && gathered.step().is_none() {
                return Ok(Advance::Units(Box::new(plan)));
            }
            if gathered.step().is_none() {
                match plan.search(shared, shares[0].clone(), &last, run) {
                    Err(UnitError::Cancelled(_)) => return Ok(Advance::Cancelled(standing)),
                    outcome => gathered.add(outcome?),
                };
            }
            match plan.next(&gathered) {
                Some(Next::Longer(next)) => standing = next,
                Some(Next::Over { ending, iterations }) => return Ok(Advance::Over(ending, iterations)),
                None => return Err(UnitError::Range(plan.cut.subtrees)),
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
    /// come: the answer and the iterations are those of one search.
    #[test]
    fn units_are_the_whole_search() {
        for number in 0..10 {
            let cakes = Pancakes::random(number);
            let (expected, iterations) = whole(&cakes);
            for (units, grain, threads, locally) in
                [(1, 512, 1, 9), (5, 7, 2, 3), (40, 3, 1, 0), (9, 100, 3, 4)]
            {
                let run = Run::new().with_threads(threads);
                let mut standing = SearchState::begin(&cakes);
                let (ending, found) = loop {
                    let mut division = |done: &[Iteration]| SplitPolicy {
                        units: if done.len() < locally { 1 } else { units },
                        grain,
                    };
                    let plan = match standing.advance(&cakes, NAMES, None, &mut division, &run).unwrap() {
                        Advance::Units(plan) => *plan,
                        Advance::Over(ending, iterations) => break (ending, iterations),
                        Advance::Cancelled(_) => panic!("not cancelled"),
                    };
                    match plan.next(&searched(&cakes, &plan, &run)).unwrap() {
                        Next::Longer(next) => standing = next,
                        Next::Over { ending, iterations } => break (ending, iterations),
                    }
                };
                assert_eq!(ending, expected);
                assert_eq!(complete(&found), complete(&iterations), "{number} {units}");
            }
        }
    }

    /// The outcomes of all units, the last first and the first twice, as they are after a journey.
    fn searched(cakes: &Pancakes, plan: &Plan, run: &Run<'_>) -> Gathered {
        let plan: Plan = serde_json::from_str(&serde_json::to_string(plan).unwrap()).unwrap();
        plan.check(cakes).unwrap();
        let (mut gathered, shares, last) = (plan.gathered(), plan.shares(), LastCut::new());
        assert_eq!(plan.expected(cakes, &last, run).unwrap().len(), shares.len());
        for (number, items) in shares.iter().enumerate().rev().chain([(0, &shares[0])]) {
            if items.is_empty() {
                continue;
            }
            let outcome = plan.search(cakes, items.clone(), &last, run).unwrap();
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
        let (cakes, run) = (Pancakes::random(1), Run::new());
        let mut many = |_: &[Iteration]| SplitPolicy { units: 3, grain: 4 };
        let cut = SearchState::begin(&cakes).advance(&cakes, NAMES, None, &mut many, &run).unwrap();
        let Advance::Units(plan) = cut else { panic!("units") };
        let plan = *plan;
        assert_eq!(plan.check(&cakes), Ok(()));
        let other = Pancakes { name: "butter", ..Pancakes::random(1) };
        let refused = plan.check(&other).unwrap_err().to_string();
        assert_eq!(refused, "the units were cut with heuristic gap, not butter");
        let other =
            Plan { tables: vec![TableUse { name: "a".into(), checksum: "b".into() }], ..plan.clone() };
        assert_eq!(other.check(&cakes), Err(OtherPlan::Tables { cut: 1, here: 0 }));
        assert!(plan.check_version("test 1").is_ok());
        let refused = plan.check_version("test 2").unwrap_err().to_string();
        assert_eq!(refused, "the units are of test 1, this is test 2");
        let other = Pancakes::random(2);
        let refused = plan.search(&other, 0..1, &LastCut::new(), &run).unwrap_err();
        assert!(matches!(refused, UnitError::Other { .. }), "{refused}");
    }

    #[test]
    fn a_start_that_is_a_goal_and_bounds_that_are_too_great_need_no_unit() {
        let run = Run::new();
        let mut many = |_: &[Iteration]| SplitPolicy { units: 9, grain: 9 };
        let solved = Pancakes::solved();
        let over = SearchState::begin(&solved).advance(&solved, NAMES, None, &mut many, &run).unwrap();
        let Advance::Over(ending, iterations) = over else { panic!("over") };
        assert_eq!((ending, iterations.len()), (Ending::solved(0, Vec::new()), 1));
        let cakes = Pancakes::random(1);
        let least = SearchState::begin(&cakes).bound(&cakes);
        let over =
            SearchState::begin(&cakes).advance(&cakes, NAMES, Some(least - 1), &mut many, &run).unwrap();
        assert_eq!(over, Advance::Over(Ending::Bounded { lower_bound: least }, Vec::new()));
        run.cancel().cancel();
        let standing = SearchState::begin(&cakes);
        let cancelled = standing.clone().advance(&cakes, NAMES, None, &mut many, &run).unwrap();
        assert_eq!(cancelled, Advance::Cancelled(standing));
    }
}
