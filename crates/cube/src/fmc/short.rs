//! Short solutions, in some ten milliseconds: not shortest ones, but such as a hand can turn.
//!
//! The idea: a first search leads into the subgroup ⟨U, D, R2, L2, F2, B2⟩, a second one, by its moves alone, to the solved
//! cube. Each finds a shortest sequence for its part, of at most 12 and 18 moves; together they have 23 on average. (Thistlethwaite
//! 1981, Kociemba 1992, without their search for a better pair.)

use super::{joined, turns_of};
use crate::cube::{Cube, Face, Turn};
use crate::mask::Named;
use crate::metric::Metric;
use crate::moves::MoveSet;
use crate::strategy::{Ask, Solver, SolverError, SolverSetup};
use search_core::Run;
use search_core::table::Tables;

/// Finds short solutions.
pub struct ShortSolver {
    /// Leads into the subgroup.
    into: Solver,
    /// Solves the cubes of the subgroup.
    within: Solver,
}

impl ShortSolver {
    /// The solver, with tables of about 150 MB.
    ///
    /// # Errors
    /// [`SolverError::Table`] of the first table that is not available.
    pub fn load(tables: impl Tables + Clone + 'static, run: &Run<'_>) -> Result<ShortSolver, SolverError> {
        let moves = MoveSet::parse("U D R2 L2 F2 B2", None).expect("a set of moves");
        let goals = Named::Dr.goals(Face::D);
        let setup = || SolverSetup::new().naming_progress();
        let into = setup().goals(goals).load(tables.clone(), run)?;
        Ok(ShortSolver { into, within: setup().moves(moves).load(tables, run)? })
    }

    /// Turns that solve a cube; `None` if the run was cancelled.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn solve(&self, cube: &Cube, run: &Run<'_>) -> Result<Option<Vec<Turn>>, SolverError> {
        let (mut turns, mut reached) = (Vec::new(), *cube);
        for solver in [&self.into, &self.within] {
            let answer = solver.solve(&Ask::new(reached), run)?;
            let Some(moves) = answer.best() else { return Ok(None) };
            let more = turns_of(moves);
            reached = reached.apply_all(more.iter().copied());
            turns.extend(more);
        }
        Ok(Some(joined(Metric::Htm, &turns)))
    }
}
