//! A bound divided into units, as data.
//!
//! A [`Plan`] binds its units to the instance, method, tables and version; a process with different ones rejects it,
//! naming the mismatch. [`Plan::next`] derives the next bound from the outcomes of the units. All functions here are
//! deterministic: two processes get the same results.

use super::super::Config;
use super::super::distributed::{Choice, DistributedSearch, Settings, with};
use super::super::growth;
use super::super::partition::{Outcome, Partition};
use super::super::search_state::{ActiveSearch, SearchState, TreeProgress};
use super::super::stop::Leave;
use super::super::tree::{AnyTree, SearchMode, Subtrees, UnitError};
use super::outcomes::Outcomes;
use crate::cast::to_u64;
use crate::domain::Op;
use crate::record::{Ending, Iteration, Report, TableUse};
use crate::run::Run;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// The parts of a plan that the solver does not provide.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The program and its version.
    pub version: &'a str,
    /// The instance.
    pub instance: &'a str,
}

/// A bound divided into units, with everything that a process needs to search one.
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
    /// The search up to this bound.
    pub state: SearchState,
    /// The maximum number of units.
    pub(super) units: usize,
    /// Whether a solution of any unit ends the bound; otherwise the first one in order is the answer.
    #[serde(default)]
    pub(super) any_solution: bool,
    pub(super) partition: Partition,
}

/// The last partitioned tree of this process, so that the next unit of the same plan need not split it again. Takes at
/// most some tens of megabytes.
#[derive(Default)]
pub struct LastPartition(Mutex<Option<Arc<KeptPartition>>>);

/// A plan and its subtrees.
struct KeptPartition {
    plan: Plan,
    subtrees: Subtrees,
}

impl LastPartition {
    /// No tree yet.
    pub const fn new() -> LastPartition {
        LastPartition(Mutex::new(None))
    }

    /// Keeps the subtrees of a plan.
    pub(super) fn keep(&self, plan: &Plan, subtrees: Subtrees) {
        let kept = KeptPartition { plan: plan.clone(), subtrees };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(kept));
    }

    /// The subtrees of a plan. Blocks while another thread creates them.
    fn of(&self, plan: &Plan, tree: &dyn AnyTree) -> Result<Arc<KeptPartition>, UnitError> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = last.as_ref().filter(|kept| kept.plan == *plan) {
            return Ok(Arc::clone(kept));
        }
        *last = None;
        let kept = Arc::new(KeptPartition {
            plan: plan.clone(),
            subtrees: tree.partition_again(&plan.partition, SearchMode::default())?,
        });
        *last = Some(Arc::clone(&kept));
        Ok(kept)
    }
}

impl fmt::Debug for LastPartition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LastPartition")
    }
}

/// A plan that belongs to another search.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanMismatch {
    /// Another program or version.
    #[error("the units were created by {planned}; this is {here}")]
    Version {
        /// The version in the plan.
        planned: String,
        /// The version of this process.
        here: String,
    },
    /// Another value of a setting.
    #[error("the units were created with {name} {planned}, not {here}")]
    Setting {
        /// The name of the setting.
        name: String,
        /// The value in the plan.
        planned: String,
        /// The value in this process.
        here: String,
    },
    /// Another table.
    #[error("the units were created with table {}, checksum {}, not with {}, {}", planned.name, planned.checksum, here.name, here.checksum)]
    Table {
        /// The table in the plan.
        planned: TableUse,
        /// The table of this process.
        here: TableUse,
    },
    /// Another number of tables.
    #[error("the units were created with {planned} tables, not with {here}")]
    Tables {
        /// The number in the plan.
        planned: usize,
        /// The number in this process.
        here: usize,
    },
}

impl Plan {
    /// The plan of the open tree of a state; `None` if it has none.
    pub(super) fn new(
        search: &dyn DistributedSearch,
        names: Names<'_>,
        units: usize,
        state: SearchState,
    ) -> Option<Plan> {
        let any_solution = state.config(search.order()).any_solution;
        let SearchState { tree, .. } = state;
        Some(Plan {
            version: names.version.to_owned(),
            instance: names.instance.to_owned(),
            settings: search.settings(),
            tables: search.tables().to_vec(),
            state: SearchState { tree: None, ..state },
            units: units.max(1),
            any_solution,
            partition: tree?.partition,
        })
    }

    /// The bound.
    pub fn bound(&self) -> u32 {
        self.partition.bound
    }

    /// The index of the tree in its bound: 0 unless the goal is a union.
    pub(crate) fn tree(&self) -> usize {
        self.state.part.as_ref().map_or(0, |part| part.done)
    }

    /// Calls `act` with the tree.
    fn with<T>(
        &self,
        search: &dyn DistributedSearch,
        act: impl FnOnce(&dyn AnyTree) -> T,
    ) -> Result<T, UnitError> {
        let choice = self.state.part.as_ref().map_or_else(Choice::default, |part| part.choice.clone());
        with(search, &choice, self.tree(), act)
    }

    /// Upper limit on the number of units of a bound.
    pub fn most_units(&self) -> usize {
        self.units.max(1)
    }

    /// The items of each unit.
    pub fn shares(&self) -> Vec<Range<usize>> {
        self.partition.shares(self.most_units())
    }

    /// The value of a setting.
    pub fn setting(&self, name: &str) -> Option<&str> {
        self.settings.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Rejects another version of the program.
    ///
    /// # Errors
    /// [`PlanMismatch::Version`].
    pub fn check_version(&self, here: &str) -> Result<(), PlanMismatch> {
        match self.version == here {
            true => Ok(()),
            false => Err(PlanMismatch::Version { planned: self.version.clone(), here: here.to_owned() }),
        }
    }

    /// Rejects a solver that searches another tree than that of the plan.
    ///
    /// # Errors
    /// [`PlanMismatch`].
    pub fn check(&self, search: &dyn DistributedSearch) -> Result<(), PlanMismatch> {
        for (name, here) in search.settings() {
            let planned = self.setting(&name).unwrap_or("nothing").to_owned();
            if planned != here {
                return Err(PlanMismatch::Setting { name, planned, here });
            }
        }
        let tables = search.tables();
        if let Some((planned, here)) = self.tables.iter().zip(tables).find(|(planned, here)| planned != here)
        {
            return Err(PlanMismatch::Table { planned: planned.clone(), here: here.clone() });
        }
        match (self.tables.len(), tables.len()) {
            (planned, here) if planned == here => Ok(()),
            (planned, here) => Err(PlanMismatch::Tables { planned, here }),
        }
    }

    /// Searches the subtrees of a unit; after the first solution, no later ones, and if any will do, no others. Units of one plan that share `last` cut the
    /// tree once.
    ///
    /// # Errors
    /// [`UnitError`].
    pub fn search(
        &self,
        search: &dyn DistributedSearch,
        items: Range<usize>,
        last: &LastPartition,
        run: &Run<'_>,
    ) -> Result<Outcome, UnitError> {
        let outcome = self.with(search, |tree| {
            let kept = last.of(self, tree)?;
            run.progress().begin(&format!("bound {}", self.bound()), to_u64(items.len()));
            let begun = |begun| run.progress().update(to_u64(begun));
            let leave = if self.any_solution { Leave::Any(None) } else { Leave::Earlier };
            let (part, mode) = ((items.clone(), None), SearchMode { leave, ..SearchMode::default() });
            tree.search(self.bound(), &kept.subtrees, part, mode, &begun, run)
        })??;
        run.check()?;
        run.progress().end();
        // A solution may end the search before the last subtree begins; the unit is finished all the same.
        Ok(outcome.with_items(items))
    }

    /// Expected relative cost of each unit (dimensionless).
    ///
    /// # Errors
    /// [`UnitError`] if the plan uses other parts of the heuristic.
    pub fn expected(
        &self,
        search: &dyn DistributedSearch,
        last: &LastPartition,
        run: &Run<'_>,
    ) -> Result<Vec<f64>, UnitError> {
        let growth = growth::per_move(&self.state.iterations).unwrap_or_else(|| search.growth_per_move());
        self.with(search, |tree| {
            let kept = last.of(self, tree)?;
            tree.expected(&kept.subtrees, &self.shares(), growth, run)
        })?
    }

    /// Whether these operators, which may come from a file, solve the instance.
    pub fn is_solution(&self, search: &dyn DistributedSearch, ops: &[Op]) -> bool {
        self.with(search, |tree| tree.is_solution(ops)).unwrap_or(false)
    }

    /// An empty collection for the outcomes of this plan.
    pub fn outcomes(&self) -> Outcomes {
        Outcomes::new(self.partition.clone()).any_solution(self.any_solution)
    }

    /// The continuation of the search, once the outcomes that decide it have been gathered.
    pub fn next(&self, outcomes: &Outcomes) -> Option<Next> {
        outcomes.step()?;
        let mut active =
            ActiveSearch::of(self.state.clone(), &Config::default().any_solution(self.any_solution));
        active.tree = Some(TreeProgress { partition: self.partition.clone(), outcome: outcomes.outcome() });
        active.close_tree();
        if active.is_bound_done() {
            active.close_bound(false);
        }
        Some(match active.bounds.bound() {
            Some(_) => Next::Longer(Box::new(active.state())),
            None => {
                let Report { ending, iterations } = active.report(false);
                Next::Over { ending, iterations }
            }
        })
    }
}

/// The continuation of a search after a bound.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// The search is over. If outcomes came from files, check the solution by [`Plan::is_solution`].
    Over {
        /// The result.
        ending: Ending<Vec<Op>>,
        /// The iterations.
        iterations: Vec<Iteration>,
    },
    /// It continues with a greater bound, or with another tree of the same bound.
    Longer(Box<SearchState>),
}
