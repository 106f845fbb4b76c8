//! One search as units for many processes: the same trees as a search in one process, with what they depend on.

use search_core::ida::work_units::{DistributedSearch, Settings};
use search_core::ida::{AnyTree, Choice, Order, TreeSearch};
use search_core::record::TableUse;

use super::tree::OwnedTree;

/// The search for a shortest solution of one pattern, as units.
///
/// See [`search_core::ida::work_units`] for the invariant.
pub struct SharedSearch<'a> {
    pub(super) trees: Vec<Box<dyn OwnedTree + 'a>>,
    pub(super) settings: Settings,
    pub(super) tables: Vec<TableUse>,
    pub(super) order: Order,
    pub(super) moves: usize,
}

impl TreeSearch for SharedSearch<'_> {
    fn least(&self, bound: u32) -> u32 {
        least(&self.trees, bound)
    }

    fn trees(&self) -> usize {
        self.trees.len()
    }

    fn with_tree(&self, choice: &Choice, tree: usize, act: &mut dyn FnMut(&dyn AnyTree)) -> bool {
        let tree = self.trees.get(tree).filter(|_| choice.parts.is_empty());
        tree.map(|tree| tree.with(act)).is_some()
    }
}

/// The least possible length of a solution in any of the trees that is at least `bound`.
pub(super) fn least(trees: &[Box<dyn OwnedTree + '_>], bound: u32) -> u32 {
    let mut least = u32::MAX;
    for tree in trees {
        tree.with(&mut |tree| least = least.min(tree.least(bound)));
    }
    if trees.is_empty() { bound } else { least }
}

impl DistributedSearch for SharedSearch<'_> {
    fn settings(&self) -> Settings {
        self.settings.clone()
    }

    fn tables(&self) -> &[TableUse] {
        &self.tables
    }

    fn order(&self) -> Order {
        self.order
    }

    /// A lower estimate of the branching factor, until the growth is measured.
    fn growth_per_move(&self) -> f64 {
        (self.moves as f64 / 2.0).max(1.5)
    }
}
