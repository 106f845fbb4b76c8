//! The iterations of one cube under a set of moves as units, for processes that share nothing but files or messages.
//!
//! See [`search_core::ida::work_units`] for the invariant. A shared search does what [`SetSolver::solve`] does.

use super::permutation::Permutation;
use super::solver::SetSolver;
use crate::cube::Cube;
use crate::notation::scramble::Move;
use search_core::ida::work_units::{AnyTree, Choice, DistributedSearch, Settings};
use search_core::record::TableUse;
use search_core::{Lengths, Op};

/// What a further move multiplies the work by, before it is measured: about the branching factor of all slice turns.
const GROWTH: f64 = 17.6;

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

    fn value(&self) -> u32 {
        self.solver.engine.value(&self.cube, &self.element).into()
    }

    fn lengths(&self) -> Lengths {
        self.solver.engine.lengths(&self.cube, &self.element)
    }

    fn growth(&self) -> f64 {
        GROWTH
    }

    fn with_tree(&self, choice: &Choice, act: &mut dyn FnMut(&dyn AnyTree)) -> bool {
        let is_ours = choice.parts.is_empty();
        if is_ours {
            let root_moves = self.solver.root_moves(&self.solver.leaving(&self.element));
            self.solver.engine.with_tree(&self.cube, &self.element, &root_moves, act);
        }
        is_ours
    }
}
