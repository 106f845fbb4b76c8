//! One search as units for many processes: the same trees as a search in one process, with what they depend on.

use search_core::Run;
use search_core::ida::work_units::{DistributedSearch, Settings};
use search_core::ida::{AnyTree, Choice, Order, TreeSearch};
use search_core::record::TableUse;

use crate::ask::Ask;
use crate::solver::{OwnedTree, Solver, Trees};

/// The search for a shortest solution of one pattern, as units.
///
/// See [`search_core::ida::work_units`] for the invariant.
pub struct SharedSearch<'a> {
    trees: [Box<dyn OwnedTree + 'a>; 1],
    settings: Settings,
    tables: &'a [TableUse],
    order: Order,
    moves: usize,
}

impl Solver {
    /// The search for what is asked as units; `None` if no moves solve the pattern. `settings` are what the solver and the
    /// instance were read from.
    pub fn shared(&self, ask: &Ask, settings: Settings, run: &Run<'_>) -> Option<SharedSearch<'_>> {
        Some(SharedSearch {
            trees: [self.tree(&ask.start, run)?],
            settings,
            tables: self.tables(),
            order: ask.config.order,
            moves: self.system().moves(),
        })
    }
}

impl TreeSearch for SharedSearch<'_> {
    fn least(&self, bound: u32) -> u32 {
        Trees(&self.trees).least(bound)
    }

    fn with_tree(&self, choice: &Choice, tree: usize, act: &mut dyn FnMut(&dyn AnyTree)) -> bool {
        choice.parts.is_empty() && Trees(&self.trees).with_tree(choice, tree, act)
    }
}

impl DistributedSearch for SharedSearch<'_> {
    fn settings(&self) -> Settings {
        self.settings.clone()
    }

    fn tables(&self) -> &[TableUse] {
        self.tables
    }

    fn order(&self) -> Order {
        self.order
    }

    /// A lower estimate of the branching factor, until the growth is measured.
    fn growth_per_move(&self) -> f64 {
        (self.moves as f64 / 2.0).max(1.5)
    }
}
