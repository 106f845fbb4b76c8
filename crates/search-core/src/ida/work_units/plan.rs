//! A bound that is cut into units, as data.
//!
//! A [`Plan`] binds its units to the instance, method, tables and version: a process with others refuses it by name. Whoever has
//! the outcomes of its units gets the next bound from [`Plan::next`]. All of this is a function of its arguments:
//! two processes that do it get the same.

use super::super::Order;
use super::super::bounds::Bounds;
use super::super::cut::{Cut, Outcome};
use super::gathered::{Gathered, Step};
use super::state::SearchState;
use super::tree::{AnyTree, Subtrees, UnitError};
use crate::domain::{Lengths, Op};
use crate::record::{Ending, Iteration, Report, TableUse};
use crate::run::Run;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// What a solver chose for an iteration before it was cut.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The parts of the heuristic that are read, as the solver numbers them; none where there is no choice.
    pub parts: Vec<usize>,
    /// The nodes of the trials that chose them.
    pub trials: u64,
}

/// A solver and an instance, whose iterations can be cut into units.
pub trait DistributedSearch {
    /// What the search depends on besides the instance and the tables: names and values, such as `heuristic` and
    /// `korf96`.
    fn settings(&self) -> Settings;

    /// The tables that are read.
    fn tables(&self) -> &[TableUse];

    /// The heuristic's value of the start.
    fn value(&self) -> u32;

    /// The lengths that solutions can have.
    fn lengths(&self) -> Lengths;

    /// The order in which each bound searches the branches.
    fn order(&self) -> Order {
        Order::Deepest
    }

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
pub(super) fn with<T>(
    shared: &dyn DistributedSearch,
    choice: &Choice,
    act: impl FnOnce(&dyn AnyTree) -> T,
) -> Result<T, UnitError> {
    let (mut act, mut done) = (Some(act), None);
    shared.with_tree(choice, &mut |tree| done = act.take().map(|act| act(tree)));
    done.ok_or(UnitError::Heuristic)
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
    pub(super) units: usize,
    pub(super) choice: Choice,
    pub(super) cut: Cut,
}

/// The last tree that was cut here, so that the next unit of the same plan need not cut it again. Takes some tens of
/// megabytes at most.
#[derive(Default)]
pub struct LastCut(Mutex<Option<Arc<KeptCut>>>);

/// A plan and its subtrees.
struct KeptCut {
    plan: Plan,
    subtrees: Subtrees,
}

impl LastCut {
    /// Nothing yet.
    pub const fn new() -> LastCut {
        LastCut(Mutex::new(None))
    }

    /// Keeps what cutting a plan left.
    pub(super) fn keep(&self, plan: &Plan, subtrees: Subtrees) {
        let kept = KeptCut { plan: plan.clone(), subtrees };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(kept));
    }

    /// The subtrees of a plan. Whoever asks while another thread cuts them waits.
    fn of(&self, plan: &Plan, tree: &dyn AnyTree) -> Result<Arc<KeptCut>, UnitError> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = last.as_ref().filter(|kept| kept.plan == *plan) {
            return Ok(Arc::clone(kept));
        }
        *last = None;
        let kept = Arc::new(KeptCut { plan: plan.clone(), subtrees: tree.subtrees(&plan.cut)? });
        *last = Some(Arc::clone(&kept));
        Ok(kept)
    }
}

impl fmt::Debug for LastCut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LastCut")
    }
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
    pub fn check(&self, shared: &dyn DistributedSearch) -> Result<(), OtherPlan> {
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

    /// Searches the items of a unit; after the first solution, no later ones. Units of one plan that have `last` in common cut the tree once.
    ///
    /// # Errors
    /// [`UnitError`].
    pub fn search(
        &self,
        shared: &dyn DistributedSearch,
        items: Range<usize>,
        last: &LastCut,
        run: &Run<'_>,
    ) -> Result<Outcome, UnitError> {
        with(shared, &self.choice, |tree| {
            let kept = last.of(self, tree)?;
            tree.search(&self.cut, &kept.subtrees, items, run)
        })?
    }

    /// The work that is expected of each unit, in no unit.
    ///
    /// # Errors
    /// [`UnitError`] if the iteration was cut with other parts of the heuristic.
    pub fn expected(
        &self,
        shared: &dyn DistributedSearch,
        last: &LastCut,
        run: &Run<'_>,
    ) -> Result<Vec<f64>, UnitError> {
        let growth = match &self.iterations[..] {
            [.., before, last] if before.expanded > 0 && last.bound > before.bound => {
                let factor = last.expanded as f64 / before.expanded as f64;
                factor.powf(f64::from(last.bound - before.bound).recip()).max(1.0)
            }
            _ => shared.growth(),
        };
        with(shared, &self.choice, |tree| {
            let kept = last.of(self, tree)?;
            tree.expected(&kept.subtrees, &self.shares(), growth, run)
        })?
    }

    /// Whether these operators, which may come from a file, solve the instance.
    pub fn is_solution(&self, shared: &dyn DistributedSearch, ops: &[Op]) -> bool {
        with(shared, &self.choice, |tree| tree.is_solution(ops)).unwrap_or(false)
    }

    /// What has no outcome yet.
    pub fn gathered(&self) -> Gathered {
        Gathered::new(self.cut.clone())
    }

    /// What comes after the bound, once that is known.
    pub fn next(&self, gathered: &Gathered) -> Option<Next> {
        let (step, iteration) = (gathered.step()?, gathered.iteration());
        let mut bounds = Bounds::new(self.bound(), Lengths::ANY);
        bounds.resume(self.iterations.clone(), self.bound());
        let mut solutions = Vec::new();
        let excess = match step {
            Step::Solved(ops) => {
                bounds.found(self.bound());
                solutions.push(ops);
                None
            }
            Step::Longer(excess) => excess,
        };
        bounds.searched(iteration, excess.map(|excess| self.bound().saturating_add(excess)));
        let next = bounds.bound();
        let Report { ending, iterations } = bounds.report(solutions, false);
        Some(match next {
            None => Next::Over { ending, iterations },
            Some(bound) => Next::Longer(SearchState {
                iterations,
                bound,
                last: Some((self.bound(), self.choice.clone())),
                reach: gathered.reach(),
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
    Longer(SearchState),
}
