//! Trees of searches with what they own: the space, the lower bound and the start.

use std::hash::Hash;

use search_core::ida::{AnyTree, Incumbent, RootMoves, Tree};
use search_core::{Automaton, Domain, Op, Run};

use super::upper::{Position, Summed};

/// A tree with its space and its bound.
pub(super) trait OwnedTree {
    /// Calls `act` with the tree.
    fn with(&self, act: &mut dyn FnMut(&dyn AnyTree));

    /// Offers `incumbent` the solution of a beam of about this many nodes, if the tree's heuristic leads one to the goal.
    fn improve(&self, _nodes: u64, _incumbent: &Incumbent, _run: &Run<'_>) {}

    /// Offers `incumbent` a solution, and a shorter one if parts of it can be replaced by shortest paths.
    fn shorten(&self, _solution: &[Op], _incumbent: &Incumbent, _run: &Run<'_>) {}
}

/// A tree of positions with the lookups of pattern databases.
pub(super) struct BoundTree<'a, D: Domain, B> {
    pub(super) space: D,
    pub(super) bound: B,
    pub(super) automaton: &'a Automaton,
    pub(super) start: D::State,
    /// Whether each move has an inverse that is a move, and equal positions have equal states.
    pub(super) is_undone: bool,
}

impl<D: Domain<State: Eq + Hash>, B: Summed<D>> BoundTree<'_, D, B> {
    fn position(&self) -> Position<'_, D, B> {
        let BoundTree { space, bound, start, is_undone, .. } = self;
        Position { space, bound, start, is_undone: *is_undone }
    }
}

impl<D: Domain<State: Eq + Hash>, B: Summed<D>> OwnedTree for BoundTree<'_, D, B> {
    fn with(&self, act: &mut dyn FnMut(&dyn AnyTree)) {
        act(&Tree {
            domain: &self.space,
            heuristic: &self.bound,
            automaton: self.automaton,
            start: &self.start,
            root_moves: RootMoves::none(),
        });
    }

    fn improve(&self, nodes: u64, incumbent: &Incumbent, run: &Run<'_>) {
        self.position().improve(nodes, incumbent, run);
    }

    fn shorten(&self, solution: &[Op], incumbent: &Incumbent, run: &Run<'_>) {
        self.position().shorten(solution, incumbent, run);
    }
}
