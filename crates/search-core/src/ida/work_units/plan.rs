//! A bound that is cut into units, as data.
//!
//! A [`Plan`] binds its units to the instance, method, tables and version: a process with others refuses it by name. Whoever has
//! the outcomes of its units gets the next bound from [`Plan::next`]. All of this is a function of its arguments:
//! two processes that do it get the same.

use super::super::cut::{Cut, Outcome};
use super::super::distributed::{Choice, DistributedSearch, Settings, with};
use super::super::search_state::{Course, SearchState, TreePart};
use super::super::tree::{AnyTree, Manner, Subtrees, UnitError};
use super::super::{Config, growth};
use super::advance::Names;
use super::gathered::Gathered;
use crate::cast::to_u64;
use crate::domain::Op;
use crate::record::{Ending, Iteration, Report, TableUse};
use crate::run::Run;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

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
    /// The search up to this bound.
    pub state: SearchState,
    /// The most units.
    pub(super) units: usize,
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
    /// No cut yet.
    pub const fn new() -> LastCut {
        LastCut(Mutex::new(None))
    }

    /// Keeps the subtrees of a plan.
    pub(super) fn keep(&self, plan: &Plan, subtrees: Subtrees) {
        let kept = KeptCut { plan: plan.clone(), subtrees };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(kept));
    }

    /// The subtrees of a plan. Blocks while another thread cuts them.
    fn of(&self, plan: &Plan, tree: &dyn AnyTree) -> Result<Arc<KeptCut>, UnitError> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = last.as_ref().filter(|kept| kept.plan == *plan) {
            return Ok(Arc::clone(kept));
        }
        *last = None;
        let kept =
            Arc::new(KeptCut { plan: plan.clone(), subtrees: tree.cut_again(&plan.cut, Manner::default())? });
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
    /// The plan of the open tree of a state; `None` if it has none.
    pub(super) fn new(
        search: &dyn DistributedSearch,
        names: Names<'_>,
        units: usize,
        state: SearchState,
    ) -> Option<Plan> {
        let SearchState { tree, .. } = state;
        Some(Plan {
            version: names.version.to_owned(),
            instance: names.instance.to_owned(),
            settings: search.settings(),
            tables: search.tables().to_vec(),
            state: SearchState { tree: None, ..state },
            units: units.max(1),
            cut: tree?.cut,
        })
    }

    /// The bound.
    pub fn bound(&self) -> u32 {
        self.cut.bound
    }

    /// The number of the tree in its bound: 0 unless the goal is a union.
    pub fn tree(&self) -> usize {
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
    pub fn check(&self, search: &dyn DistributedSearch) -> Result<(), OtherPlan> {
        for (name, here) in search.settings() {
            let cut = self.setting(&name).unwrap_or("nothing").to_owned();
            if cut != here {
                return Err(OtherPlan::Setting { name, cut, here });
            }
        }
        let tables = search.tables();
        if let Some((cut, here)) = self.tables.iter().zip(tables).find(|(cut, here)| cut != here) {
            return Err(OtherPlan::Table { cut: cut.clone(), here: here.clone() });
        }
        match (self.tables.len(), tables.len()) {
            (cut, here) if cut == here => Ok(()),
            (cut, here) => Err(OtherPlan::Tables { cut, here }),
        }
    }

    /// Searches the subtrees of a unit; after the first solution, no later ones. Units of one plan that share `last` cut the
    /// tree once.
    ///
    /// # Errors
    /// [`UnitError`].
    pub fn search(
        &self,
        search: &dyn DistributedSearch,
        items: Range<usize>,
        last: &LastCut,
        run: &Run<'_>,
    ) -> Result<Outcome, UnitError> {
        let outcome = self.with(search, |tree| {
            let kept = last.of(self, tree)?;
            run.progress().begin(&format!("bound {}", self.bound()), to_u64(items.len()));
            let begun = |begun| run.progress().update(to_u64(begun));
            let (part, manner) = ((items.clone(), None), Manner::default());
            tree.search(self.bound(), &kept.subtrees, part, manner, &begun, run)
        })??;
        run.check()?;
        run.progress().end();
        // A solution ends the search before the last subtree begins, on more threads later; the unit is over.
        Ok(outcome.with_items(items))
    }

    /// Expected relative cost of each unit (dimensionless).
    ///
    /// # Errors
    /// [`UnitError`] if the iteration was cut with other parts of the heuristic.
    pub fn expected(
        &self,
        search: &dyn DistributedSearch,
        last: &LastCut,
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

    /// The outcomes of this plan, none of which is there yet.
    pub fn gathered(&self) -> Gathered {
        Gathered::new(self.cut.clone())
    }

    /// The continuation of the search, once the outcomes that decide it have been gathered.
    pub fn next(&self, gathered: &Gathered) -> Option<Next> {
        gathered.step()?;
        let mut course = Course::of(self.state.clone(), &Config::default());
        course.tree = Some(TreePart { cut: self.cut.clone(), outcome: gathered.outcome() });
        course.close_tree();
        if course.is_bound_done() {
            course.close_bound(false);
        }
        Some(match course.bounds.bound() {
            Some(_) => Next::Longer(Box::new(course.state())),
            None => {
                let Report { ending, iterations } = course.report(false);
                Next::Over { ending, iterations }
            }
        })
    }
}

/// The continuation of a search after a bound.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// The search is over. A solution that came from elsewhere is to be checked by [`Plan::is_solution`].
    Over {
        /// The result.
        ending: Ending<Vec<Op>>,
        /// The iterations.
        iterations: Vec<Iteration>,
    },
    /// It continues with a greater bound, or with another tree of the same bound.
    Longer(Box<SearchState>),
}
