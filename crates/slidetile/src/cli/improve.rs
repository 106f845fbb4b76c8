//! `tile24 improve`: shorter solutions from long ones.

use std::sync::{Arc, Mutex};

use clap::Args;
use puzzle_cli::{Exit, Failure, ImproveArgs, Improver, Session, Shortened};
use search_core::Run;
use search_core::improve::Improve;
use search_core::record::Method;
use search_core::table::Store;

use super::Args as Program;
use super::instance::{PuzzleArgs, malformed};
use super::method;
use super::{rejection, solver_failure};
use crate::improve::{self, Shorter};
use crate::metric::Metric;
use crate::puzzle::Puzzle;
use crate::solution::{NoSolution, Notation};
use crate::solver::Solver;
use crate::strategy::SolverSetup;

/// Shorten solutions
///
/// One line per solution: `N..M` and the moves, where M is the number of moves and no solution has fewer than N; M alone
/// if it is proved shortest. Every part of as many moves as --window says is replaced by a shortest one. The moves
/// are read as directions of the blank (LURD) or as the numbers of the tiles that move.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  tile24 improve \"1 2 0 3 4 5 6 7 8; LRLL\"          2 LL
  tile24 improve --anew --size 5x5 - < solved.txt    the solutions of a file, one per line")]
pub struct ImproveBoards {
    /// Also solve each board anew, and print the shorter solution
    #[arg(long)]
    anew: bool,
    /// The notation of moves; with `positions`, the given moves are cells too
    #[arg(long, value_enum, default_value_t)]
    notation: Notation,
    #[command(flatten)]
    improve: ImproveArgs,
    #[command(flatten)]
    puzzle: PuzzleArgs,
}

pub(super) fn run(args: &ImproveBoards, session: &Session) -> Result<Exit, Failure> {
    args.puzzle.refuse_multi("improve")?;
    let store = session.store(super::VERSION);
    args.improve.run::<Program>(&Boards { args, session, store, solver: Mutex::default() }, session)
}

struct Boards<'a> {
    args: &'a ImproveBoards,
    session: &'a Session,
    store: Store,
    /// The solver of the last board's size, if boards are solved anew.
    solver: Mutex<Option<Arc<Solver>>>,
}

impl Boards<'_> {
    /// The solver of a puzzle. While one thread loads it, the others wait.
    fn solver(&self, puzzle: &Puzzle) -> Result<Arc<Solver>, Failure> {
        let mut loaded = self.solver.lock().expect("no thread panicked");
        match loaded.as_ref().filter(|solver| solver.puzzle().board() == puzzle.board()) {
            Some(solver) => Ok(Arc::clone(solver)),
            None => {
                let setup = SolverSetup::default();
                let solver = Solver::load(puzzle.clone(), setup, &self.store, &self.session.run())
                    .map_err(|error| solver_failure(&error))?;
                Ok(Arc::clone(loaded.insert(Arc::new(solver))))
            }
        }
    }
}

impl Improver for Boards<'_> {
    fn window(&self) -> usize {
        improve::WINDOW
    }

    fn method(&self) -> Method {
        method::of(Metric::Single, "windows", &[], self.session)
    }

    fn improve(
        &self,
        puzzle: Option<&str>,
        moves: &str,
        settings: &Improve,
        run: &Run<'_>,
    ) -> Result<Shortened, Failure> {
        let board = puzzle.ok_or_else(|| {
            Failure::malformed("no board is given")
                .with_remedy("write the tiles, a semicolon, then the moves")
        })?;
        let (puzzle, tiles) = self.args.puzzle.read(board)?;
        let ops = self.args.notation.read(&puzzle, &tiles, moves).map_err(|fault| {
            let failure = Failure::malformed(&fault);
            match fault {
                NoSolution::Unsolved => failure.with_remedy("is another --goal meant?"),
                _ => failure,
            }
        })?;
        let solver = if self.args.anew { Some(self.solver(&puzzle)?) } else { None };
        let found = improve::shorter(&puzzle, &tiles, &ops, settings, solver.as_deref(), run);
        let Shorter { ops: shorter, lower_bound, is_complete } =
            found.map_err(|faults| malformed("tiles", &faults))?;
        let solution = self.args.notation.checked(&puzzle, &tiles, &shorter);
        let solution = solution.map_err(|rejected| rejection(&rejected))?;
        Ok(Shortened { given: ops.len() as u32, solution, lower_bound, is_complete })
    }
}
