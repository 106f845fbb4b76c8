//! The iterations of one cube under a set of moves as units, for processes that share nothing but files or messages.
//!
//! See [`search_core::ida::work_units`] for the invariant. A shared search does what [`SetSolver::solve`] does.

use super::permutation::Permutation;
use super::solver::SetSolver;
use crate::cube::Cube;
use crate::notation::scramble::Move;
use search_core::Op;
use search_core::ida::work_units::{DistributedSearch, Settings};
use search_core::ida::{AnyTree, Choice, TreeSearch};
use search_core::record::TableUse;

/// The factor by which each move multiplies the work, before it is measured: about the branching factor of all slice turns.
const GROWTH_PER_MOVE: f64 = 17.6;

/// A search for the shortest solution of one cube with a set of moves.
pub struct SharedSet<'a> {
    solver: &'a SetSolver,
    cube: Cube,
    element: Permutation,
}

impl<'a> SharedSet<'a> {
    /// The search for the solution of `cube` as it is held; none if the moves do not solve it.
    pub fn new(solver: &'a SetSolver, cube: &Cube) -> Option<SharedSet<'a>> {
        solver.group().element(cube).map(|element| SharedSet { solver, cube: *cube, element })
    }
}

impl SetSolver {
    /// The moves of a solution, from operators of a tree, which may come from a file: nothing if one is none.
    pub fn solution(&self, ops: &[Op]) -> Option<Vec<Move>> {
        let ops = self.engine.in_order(ops)?;
        Some(self.group.set().spell(ops.iter().map(|op| op.index())))
    }
}

impl DistributedSearch for SharedSet<'_> {
    fn settings(&self) -> Settings {
        let set = self.solver.group().set();
        let (metric, moves) = (set.metric().name(), set.to_string());
        [("metric", metric.to_owned()), ("moves", moves), ("heuristic", self.solver.bound().to_owned())]
            .map(|(name, value)| (name.to_owned(), value))
            .to_vec()
    }

    fn tables(&self) -> &[TableUse] {
        self.solver.tables()
    }

    fn growth_per_move(&self) -> f64 {
        GROWTH_PER_MOVE
    }
}

impl TreeSearch for SharedSet<'_> {
    fn least(&self, bound: u32) -> u32 {
        let engine = &self.solver.engine;
        let value = engine.value(&self.cube, &self.element);
        engine.lengths(&self.cube, &self.element).at_least(bound.max(value.into()))
    }

    fn with_tree(&self, choice: &Choice, _: usize, act: &mut dyn FnMut(&dyn AnyTree)) -> bool {
        let is_ours = choice.parts.is_empty();
        if is_ours {
            let root_moves = self.solver.root_moves(&self.solver.leaving(&self.element));
            self.solver.engine.with_tree(&self.cube, &self.element, &root_moves, act);
        }
        is_ours
    }
}
