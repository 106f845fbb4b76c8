//! Shortest moves that lead to a cube, for notations that have no other way to write it.

use super::referee_check;
use super::search_args::SearchArgs;
use crate::cube::Cube;
use crate::notation::scramble;
use crate::solver::Solver;
use puzzle_cli::{Failure, Session};
use search_core::ida::Config;
use std::cell::OnceCell;

/// Finds moves from the solved cube to others; loads the solver when the first is asked for.
pub(super) struct MovesTo<'a> {
    args: &'a SearchArgs,
    session: &'a Session,
    solver: OnceCell<Solver>,
}

impl<'a> MovesTo<'a> {
    pub(super) fn new(args: &'a SearchArgs, session: &'a Session) -> MovesTo<'a> {
        MovesTo { args, session, solver: OnceCell::new() }
    }

    /// A shortest sequence of moves from the solved cube to `cube`, replayed by the referee.
    pub(super) fn find(&self, cube: &Cube) -> Result<String, Failure> {
        let solver = match self.solver.get() {
            Some(solver) => solver,
            None => {
                let loaded = self.args.load(self.session)?;
                self.solver.get_or_init(|| loaded)
            }
        };
        // What solves the inverse leads from the solved cube to this one.
        let solved = solver.solve(&cube.inverse(), &Config::default(), &self.session.run());
        let Some(turns) = solved.ending.solutions().first() else {
            return Err(Failure::interrupted("interrupted before the cube was solved")
                .with_remedy("run the same command again"));
        };
        let moves = scramble::format(turns.iter().copied());
        referee_check::check_scramble(cube, &moves)?;
        Ok(moves)
    }
}
