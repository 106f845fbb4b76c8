//! `tile24 units`: one search on many machines, through files in a shared directory.

use clap::Args;
use puzzle_cli::share::{self, Problem, Program};
use puzzle_cli::{Failure, Session};
use search_core::ida::work_units::{DistributedSearch, Plan};
use search_core::record::Method;
use search_core::{Op, Solution};

use super::instance::PuzzleArgs;
use super::method::{self, MethodArgs};
use crate::ask::Ask;
use crate::solution::Notation;
use crate::solver::Solver;

/// An example for the help.
pub const AFTER_HELP: &str = "\
Example, with a job array of Slurm:
  tile24 units split --units 64 board \"14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\"
  while tile24 units merge board; [ $? = 4 ]; do
    sbatch --wait --array=0-63 --wrap 'tile24 units run board --unit $SLURM_ARRAY_TASK_ID'
  done";

/// The board of a search, and its method.
#[derive(Args, Clone, Debug)]
pub struct BoardArgs {
    /// The tiles left to right, top to bottom, 0 the blank, separated by spaces or commas
    #[arg(value_name = "TILES")]
    tiles: String,
    #[command(flatten)]
    method: MethodArgs,
    #[command(flatten)]
    puzzle: PuzzleArgs,
}

/// Boards.
pub struct Boards;

impl Program for Boards {
    const NAME: &'static str = super::NAME;
    const VERSION: &'static str = super::VERSION;
    type Args = BoardArgs;
    type Problem = BoardProblem;

    fn open(args: &BoardArgs, session: &Session) -> Result<(String, BoardProblem), Failure> {
        Ok((args.tiles.clone(), BoardProblem::load(&args.tiles, &args.puzzle, &args.method, session)?))
    }

    fn reopen(plan: &Plan, session: &Session) -> Result<BoardProblem, Failure> {
        let setting = |name| plan.setting(name).ok_or_else(share::damaged);
        let size = setting("size")?.parse().map_err(|_| share::damaged())?;
        let metric = plan.setting("metric").map(str::parse).transpose().map_err(|_| share::damaged())?;
        let puzzle = PuzzleArgs { size: Some(size), goal: Some(setting("goal")?.to_owned()), metric };
        let method = MethodArgs {
            heuristic: Some(setting("heuristic")?.parse().map_err(|_| share::damaged())?),
            fsm: Some(setting("fsm")?.parse().map_err(|_| share::damaged())?),
            order: Some(setting("order")?.parse().map_err(|_| share::damaged())?),
        };
        BoardProblem::load(&plan.instance, &puzzle, &method, session)
    }
}

/// A board and its solver.
pub struct BoardProblem {
    solver: Solver,
    ask: Ask,
}

impl BoardProblem {
    fn load(
        text: &str,
        puzzle: &PuzzleArgs,
        method: &MethodArgs,
        session: &Session,
    ) -> Result<BoardProblem, Failure> {
        let (puzzle, tiles) = puzzle.read(text)?;
        let solver = method.load(puzzle, &session.store(super::VERSION), session)?;
        Ok(BoardProblem { solver, ask: Ask::new(tiles).order(method.order) })
    }
}

impl Problem for BoardProblem {
    fn shared(&self) -> Box<dyn DistributedSearch + '_> {
        self.solver.shared(&self.ask).expect("the board was checked when it was read")
    }

    fn solution(&self, ops: &[Op]) -> Result<Solution, Failure> {
        let checked = Notation::default().checked(self.solver.puzzle(), &self.ask.tiles, ops);
        checked.map_err(|rejected| super::rejection(&rejected))
    }

    fn method(&self, session: &Session) -> Method {
        method::of(
            self.solver.puzzle().metric(),
            self.solver.heuristic().name(),
            self.solver.tables(),
            session,
        )
    }
}
