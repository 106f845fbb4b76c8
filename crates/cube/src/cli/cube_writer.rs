//! Writes cubes in any notation; if that is moves, it searches for a shortest sequence.

use super::referee_check;
use super::search_args::{SearchArgs, failure};
use crate::cube::Cube;
use crate::notation::{Format, facelets, reid, scramble};
use crate::strategy::{Ask, Solver};
use puzzle_cli::{Failure, Session};
use std::cell::OnceCell;

/// Writes cubes; loads the solver for the first cube that is written as moves.
pub(super) struct CubeWriter<'a> {
    args: &'a SearchArgs,
    session: &'a Session,
    solver: OnceCell<Solver>,
}

impl<'a> CubeWriter<'a> {
    pub(super) fn new(args: &'a SearchArgs, session: &'a Session) -> CubeWriter<'a> {
        CubeWriter { args, session, solver: OnceCell::new() }
    }

    /// The text of a cube.
    pub(super) fn write(&self, cube: &Cube, format: Format) -> Result<String, Failure> {
        match format {
            Format::Facelets => Ok(facelets::format(cube)),
            Format::Reid => Ok(reid::format(cube)),
            Format::Moves => self.moves_to(cube),
        }
    }

    /// A shortest sequence of moves from the solved cube to `cube`, replayed by the referee.
    fn moves_to(&self, cube: &Cube) -> Result<String, Failure> {
        let solver = match self.solver.get() {
            Some(solver) => solver,
            None => {
                let solver = self.args.load(self.session)?;
                self.solver.get_or_init(|| solver)
            }
        };
        // The moves that solve the inverse lead from the solved cube to this one.
        let answer = solver.solve(&Ask::new(cube.inverse()), &self.session.run()).map_err(failure)?;
        let Some(solution) = answer.best() else {
            return Err(Failure::interrupted("interrupted before the cube was solved")
                .with_remedy("run the same command again"));
        };
        let moves = scramble::format_moves(solution.iter().copied());
        referee_check::check_scramble(cube, &moves, solution.len())?;
        Ok(moves)
    }
}
