//! The sequence of bounds as data: a bound that is cut into units, and what comes between two bounds.
//!
//! A [`Plan`] binds its units to the instance, method, tables and version: a process with others refuses it by name. Whoever has
//! the outcomes of its units gets the next bound from [`Plan::next`]. All of this is a function of its arguments:
//! two processes that do it get the same.

use super::gathered::{Gathered, Step};
use super::near::NearMisses;
use super::tree::{AnyTree, Cut, Outcome, UnitError};
use crate::domain::{Lengths, Op};
use crate::record::{Ending, Iteration, TableUse};
use crate::run::Run;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What a solver chose for an iteration before it was cut.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The parts of the heuristic that are read, as the solver numbers them; none where there is no choice.
    pub parts: Vec<usize>,
    /// The nodes of the trials that chose them.
    pub trials: u64,
}

/// A solver and an instance, whose iterations can be cut into units.
pub trait Shared {
    /// What the search depends on besides the instance and the tables: names and values, such as `heuristic` and
    /// `korf96`.
    fn settings(&self) -> Settings;

    /// The tables that are read.
    fn tables(&self) -> &[TableUse];

    /// The heuristic's value of the start.
    fn value(&self) -> u32;

    /// The lengths that solutions can have.
    fn lengths(&self) -> Lengths;

    /// What a further move multiplies the work by, before it is measured.
    fn growth(&self) -> f64;

    /// Chooses what an iteration after `iterations` reads. `last` is what an earlier iteration read, and its bound: what
    /// that chose is not chosen again without need.
    fn choose(&self, iterations: &[Iteration], last: Option<(u32, &Choice)>, run: &Run<'_>) -> Choice {
        let _ = (iterations, last, run);
        Choice::default()
    }

    /// Calls `act` with the tree of an iteration. Returns whether it did: what was chosen must be some of the
    /// solver's parts.
    fn with_tree(&self, choice: &Choice, act: &mut dyn FnMut(&dyn AnyTree)) -> bool;
}

/// Names and values.
pub type Settings = Vec<(String, String)>;

/// The tree does something; an error if the choice is not of this solver.
fn with<T>(
    shared: &dyn Shared,
    choice: &Choice,
    act: impl FnOnce(&dyn AnyTree) -> T,
) -> Result<T, UnitError> {
    let (mut act, mut done) = (Some(act), None);
    shared.with_tree(choice, &mut |tree| done = act.take().map(|act| act(tree)));
    done.ok_or(UnitError::Other { expected: choice.parts.len(), found: 0 })
}

/// A bound that is cut into units, with all that a process needs to search one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The program and its version.
    pub version: String,
    /// The instance, as it was typed.
    pub instance: String,
    /// The solver's settings.
    pub settings: Settings,
    /// The tables that it reads.
    pub tables: Vec<TableUse>,
    /// The bounds before.
    pub iterations: Vec<Iteration>,
    /// The most units.
    units: usize,
    choice: Choice,
    cut: Cut,
}

/// A plan is of another search.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OtherPlan {
    /// Of another program or version.
    #[error("the units are of {cut}, this is {here}")]
    Version {
        /// What the plan says.
        cut: String,
        /// What this process has.
        here: String,
    },
    /// Of other settings.
    #[error("the units were cut with {name} {cut}, not {here}")]
    Setting {
        /// What differs.
        name: String,
        /// What the plan says.
        cut: String,
        /// What this process has.
        here: String,
    },
    /// Of another table.
    #[error("the units were cut with table {}, checksum {}, not with {}, {}", cut.name, cut.checksum, here.name, here.checksum)]
    Table {
        /// What the plan says.
        cut: TableUse,
        /// What this process has.
        here: TableUse,
    },
    /// Of another number of tables.
    #[error("the units were cut with {cut} tables, not with {here}")]
    Tables {
        /// What the plan says.
        cut: usize,
        /// What this process has.
        here: usize,
    },
}

impl Plan {
    /// The bound.
    pub fn bound(&self) -> u32 {
        self.cut.bound
    }

    /// The number of pieces of near misses. Each is the first unit, the second, and so on; a single unit has one.
    pub fn pieces(&self) -> usize {
        self.cut.pieces
    }

    /// How many units bounds are cut into at most.
    pub fn most_units(&self) -> usize {
        self.units.max(1)
    }

    /// The items of each unit.
    pub fn shares(&self) -> Vec<Range<usize>> {
        self.cut.shares(self.most_units())
    }

    /// The value of a setting.
    pub fn setting(&self, name: &str) -> Option<&str> {
        self.settings.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Refuses another version.
    ///
    /// # Errors
    /// [`OtherPlan::Version`].
    pub fn check_version(&self, here: &str) -> Result<(), OtherPlan> {
        match self.version == here {
            true => Ok(()),
            false => Err(OtherPlan::Version { cut: self.version.clone(), here: here.to_owned() }),
        }
    }

    /// Refuses a solver that searches another tree than the one that was cut.
    ///
    /// # Errors
    /// [`OtherPlan`].
    pub fn check(&self, shared: &dyn Shared) -> Result<(), OtherPlan> {
        for (name, here) in shared.settings() {
            let cut = self.setting(&name).unwrap_or("nothing").to_owned();
            if cut != here {
                return Err(OtherPlan::Setting { name, cut, here });
            }
        }
        let tables = shared.tables();
        if let Some((cut, here)) = self.tables.iter().zip(tables).find(|(cut, here)| cut != here) {
            return Err(OtherPlan::Table { cut: cut.clone(), here: here.clone() });
        }
        match (self.tables.len(), tables.len()) {
            (cut, here) if cut == here => Ok(()),
            (cut, here) => Err(OtherPlan::Tables { cut, here }),
        }
    }

    /// Searches the items of a unit; after the first solution, no later ones. `near` are the pieces of near misses
    /// among them.
    ///
    /// # Errors
    /// [`UnitError`].
    pub fn search(
        &self,
        shared: &dyn Shared,
        items: Range<usize>,
        near: &[NearMisses],
        run: &Run<'_>,
    ) -> Result<Outcome, UnitError> {
        with(shared, &self.choice, |tree| tree.search(&self.cut, items, near, run))?
    }

    /// The work that is expected of each unit, in no unit.
    ///
    /// # Errors
    /// [`UnitError`] if the iteration was cut with other parts of the heuristic.
    pub fn expected(&self, shared: &dyn Shared, run: &Run<'_>) -> Result<Vec<f64>, UnitError> {
        let growth = match &self.iterations[..] {
            [.., before, last] if before.expanded > 0 && last.bound > before.bound => {
                let factor = last.expanded as f64 / before.expanded as f64;
                factor.powf(f64::from(last.bound - before.bound).recip()).max(1.0)
            }
            _ => shared.growth(),
        };
        with(shared, &self.choice, |tree| tree.expected(&self.cut, &self.shares(), growth, run))
    }

    /// Whether these operators, which may come from a file, solve the instance.
    pub fn is_solution(&self, shared: &dyn Shared, ops: &[Op]) -> bool {
        with(shared, &self.choice, |tree| tree.is_solution(ops)).unwrap_or(false)
    }

    /// What has no outcome yet.
    pub fn gathered(&self) -> Gathered {
        Gathered::new(self.cut.clone())
    }

    /// What comes after the bound, once that is known.
    pub fn next(&self, gathered: &Gathered) -> Option<Next> {
        let step = gathered.step()?;
        let last = self.iterations.last();
        let mut iterations = self.iterations.clone();
        iterations.push(gathered.iteration());
        Some(match step {
            Step::Solved(ops) => Next::Over { ending: Ending::solved(self.bound(), ops), iterations },
            Step::Longer(None) => Next::Over { ending: Ending::Exhausted, iterations },
            Step::Longer(Some(excess)) => Next::Longer(Standing {
                iterations,
                bound: self.bound().saturating_add(excess),
                last: Some((self.bound(), self.choice.clone())),
                keep_at: gathered.keep_at(last),
                near: gathered.near(),
            }),
        })
    }
}

/// What comes after a bound.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// The search is over. A solution that came from elsewhere is to be checked by [`Plan::is_solution`].
    Over {
        /// How it ended.
        ending: Ending<Vec<Op>>,
        /// The bounds.
        iterations: Vec<Iteration>,
    },
    /// A greater bound.
    Longer(Standing),
}

/// A search between two bounds: what it has done, and what the next bound begins with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// The bounds before.
    pub iterations: Vec<Iteration>,
    /// As [`at_least`](Standing::at_least).
    bound: u32,
    last: Option<(u32, Choice)>,
    keep_at: u32,
    near: Vec<NearMisses>,
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
        Standing { iterations, bound, last: None, keep_at: 0, near: Vec::new() }
    }

    /// Every solution has at least so many moves.
    pub fn at_least(&self) -> u32 {
        self.bound
    }

    /// The next bound.
    pub fn bound(&self, shared: &dyn Shared) -> u32 {
        shared.lengths().at_least(self.bound)
    }

    /// Cuts the next bound. Returns the plan and its pieces of near misses.
    ///
    /// # Errors
    /// [`UnitError`] if this is the standing of another solver, or the work was cancelled.
    pub fn cut(
        &self,
        shared: &dyn Shared,
        names: Names<'_>,
        Division { units, grain }: Division,
        run: &Run<'_>,
    ) -> Result<(Plan, Vec<NearMisses>), UnitError> {
        let last = self.last.as_ref().map(|(bound, choice)| (*bound, choice));
        let (units, choice) = (units.max(1), shared.choose(&self.iterations, last, run));
        let near = NearMisses::regroup(&self.near, Cut::most_pieces(units));
        let enough = units.saturating_mul(grain);
        let cut = with(shared, &choice, |tree| {
            tree.cut(self.bound(shared), enough, self.keep_at, near.len(), run)
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
        let mut standing = self;
        loop {
            let bound = standing.bound(shared);
            if most.is_some_and(|most| bound > most) {
                let ending = Ending::Bounded { lower_bound: bound };
                return Ok(Advance::Over(ending, standing.iterations));
            }
            let division = division(&standing.iterations);
            let (plan, near) = match standing.cut(shared, names, division, run) {
                Err(UnitError::Cancelled(_)) => return Ok(Advance::Cancelled(standing)),
                cut => cut?,
            };
            let (shares, mut gathered) = (plan.shares(), plan.gathered());
            if shares.len() > 1 && gathered.step().is_none() {
                return Ok(Advance::Units(Box::new(plan), near));
            }
            if gathered.step().is_none() {
                match plan.search(shared, shares[0].clone(), &near, run) {
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
    use super::super::testing::{Pancakes, whole};
    use super::*;

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
        let (mut gathered, shares) = (plan.gathered(), plan.shares());
        assert_eq!(plan.expected(cakes, run).unwrap().len(), shares.len());
        for (number, items) in shares.iter().enumerate().rev().chain([(0, &shares[0])]) {
            if items.is_empty() {
                continue;
            }
            let pieces = near.get(items.start..items.end.min(near.len())).unwrap_or(&[]);
            let outcome = plan.search(cakes, items.clone(), pieces, run).unwrap();
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
        let refused = plan.search(&other, 0..1, &[], &run).unwrap_err();
        assert!(matches!(refused, UnitError::Other { .. }), "{refused}");
    }

    #[test]
    fn near_misses_that_are_missing_or_of_another_search_are_refused() {
        let (cakes, run) = (Pancakes::random(3, true), Run::new());
        let one = |_: &[Iteration]| Division { units: 1, grain: 64 };
        let mut standing = Standing::begin(&cakes);
        // To the first bound that begins with near misses.
        let (plan, near) = loop {
            let (plan, near) = standing.cut(&cakes, NAMES, one(&[]), &run).unwrap();
            if !near.is_empty() {
                break (plan, near);
            }
            let Some(Next::Longer(next)) = plan.next(&searched(&cakes, &plan, &near, &run)) else {
                panic!("not solved before")
            };
            standing = next;
        };
        let items = plan.shares()[0].clone();
        assert_eq!(plan.search(&cakes, items.clone(), &[], &run), Err(UnitError::Near));
        let text = serde_json::to_string(&near[0]).unwrap();
        let strings = text.split("\"strings\":\"").nth(1).unwrap();
        // A flip that changes nothing is none.
        let damaged = text.replace(strings, &strings.replace('2', "0"));
        let damaged: NearMisses = serde_json::from_str(&damaged).unwrap();
        assert_eq!(plan.search(&cakes, items, &[damaged], &run), Err(UnitError::Near));
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
