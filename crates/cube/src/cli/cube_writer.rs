//! Cubes in any notation; as moves, shortest ones are searched for.

use super::search_args::SearchArgs;
use super::{chosen, referee_check};
use crate::cube::Cube;
use crate::moves::{Permutation, SetSolver};
use crate::notation::{Format, facelets, reid, scramble};
use crate::solver::Solver;
use puzzle_cli::{Failure, Session};
use search_core::ida::Config;
use std::cell::OnceCell;

/// Writes cubes; loads the solver for the first that is to be written as moves.
pub(super) struct CubeWriter<'a> {
    args: &'a SearchArgs,
    session: &'a Session,
    loaded: OnceCell<Loaded>,
}

/// The solver of the metric.
enum Loaded {
    /// Face turns.
    Faces(Box<Solver>),
    /// Face and slice turns.
    Slices(Box<SetSolver>),
}

impl<'a> CubeWriter<'a> {
    pub(super) fn new(args: &'a SearchArgs, session: &'a Session) -> CubeWriter<'a> {
        CubeWriter { args, session, loaded: OnceCell::new() }
    }

    /// The text of a cube.
    pub(super) fn write(&self, cube: &Cube, format: Format) -> Result<String, Failure> {
        match format {
            Format::Facelets => Ok(facelets::format(cube)),
            Format::Reid => Ok(reid::format(cube)),
            Format::Moves => self.moves_to(cube),
        }
    }

    fn load(&self) -> Result<Loaded, Failure> {
        Ok(match chosen::slices(self.args, self.session)? {
            Some(solver) => Loaded::Slices(Box::new(solver)),
            None => Loaded::Faces(Box::new(self.args.load(self.session)?)),
        })
    }

    /// A shortest sequence of moves from the solved cube to `cube`, replayed by the referee.
    fn moves_to(&self, cube: &Cube) -> Result<String, Failure> {
        let loaded = match self.loaded.get() {
            Some(loaded) => loaded,
            None => {
                let loaded = self.load()?;
                self.loaded.get_or_init(|| loaded)
            }
        };
        // What solves the inverse leads from the solved cube to this one.
        let (inverse, config, run) = (cube.inverse(), Config::default(), self.session.run());
        let found = match loaded {
            Loaded::Faces(solver) => {
                let solved = solver.solve(&inverse, &config, &run).ending;
                let moves = solved.solutions().first().map(|turns| scramble::format(turns.iter().copied()));
                moves.map(|moves| referee_check::check_scramble(cube, &moves).map(|()| moves))
            }
            Loaded::Slices(solver) => {
                let solved = solver.solve(&inverse, &config, &run).ending;
                solved.solutions().first().map(|solution| {
                    let moves = scramble::format_moves(solution.iter().copied());
                    let element = Permutation::of_cube(cube);
                    referee_check::check_string(&element, &moves, solution.len()).map(|()| moves)
                })
            }
        };
        found.unwrap_or_else(|| {
            Err(Failure::interrupted("interrupted before the cube was solved")
                .with_remedy("run the same command again"))
        })
    }
}
