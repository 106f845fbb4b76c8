//! The iterations of one cube as units, for processes that share nothing but files or messages.
//!
//! See [`search_core::ida::work_units`] for the invariant. The branches that symmetries of the cube leave follow from
//! the cube, so a shared search does what [`FaceSolver::solve`] does.

use super::FaceSolver;
use crate::cube::Cube;
use crate::metric::Metric;
use search_core::Lengths;
use search_core::ida::work_units::{DistributedSearch, Settings};
use search_core::ida::{AnyTree, Choice, TreeSearch};
use search_core::record::TableUse;

/// The factor by which each move multiplies the work, before it is measured (Korf 1997, Table 1).
const GROWTH_PER_MOVE: f64 = 13.3;

/// A search for the shortest solution of one cube.
pub struct SharedCube<'a> {
    /// The solver, for the solved cube as the only goal.
    pub solver: &'a FaceSolver,
    /// The cube.
    pub cube: Cube,
}

impl DistributedSearch for SharedCube<'_> {
    fn settings(&self) -> Settings {
        let (metric, heuristic) = (self.solver.metric().name(), self.solver.heuristic().to_string());
        [("metric", metric.to_owned()), ("heuristic", heuristic)]
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

impl TreeSearch for SharedCube<'_> {
    fn least(&self, bound: u32) -> u32 {
        let lengths = match self.solver.metric() {
            Metric::Qtm => Lengths::parity(self.cube.is_odd()),
            Metric::Htm | Metric::Stm => Lengths::ANY,
        };
        lengths.at_least(bound.max(self.solver.value(&self.cube).into()))
    }

    fn with_tree(&self, choice: &Choice, _: usize, act: &mut dyn FnMut(&dyn AnyTree)) -> bool {
        let solver = self.solver;
        let root_moves = solver.images(&self.cube).root_moves(solver.metric, solver.engine.rules());
        let is_ours = choice.parts.is_empty();
        if is_ours {
            solver.engine.with_tree(&self.cube, &root_moves, act);
        }
        is_ours
    }
}
