//! `hanoi4 improve`: shorter paths from long ones.

use super::notation_args::NotationArgs;
use super::{Args as Program, checked};
use crate::improve::{self, Shorter};
use crate::model::{Move, Puzzle, State, to_u32};
use clap::Args;
use puzzle_cli::{Exit, Failure, ImproveArgs, Improver, Session, Shortened};
use referee::Refusal;
use referee::hanoi::{Towers, parse_moves};
use search_core::Run;
use search_core::improve::Improve;
use search_core::record::{Method, Used};

/// The number of pegs.
const PEGS: u32 = 4;

/// Shorten paths
///
/// One line per path: `N..M` and the moves, where M is the number of moves and no path between the same two states has
/// fewer than N; M alone if it is proved shortest. Every part of as many moves as --window says is replaced by a
/// shortest one. A line has the first state, a semicolon, and the moves; the state that they lead to is the goal.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  hanoi4 improve \"0000; 1:0>1 1:1>2 1:2>3\"          1 1:0>3
  hanoi4 improve --window 100 - < paths.txt          the paths of a file, one per line")]
pub struct ImprovePaths {
    #[command(flatten)]
    notation: NotationArgs,
    #[command(flatten)]
    improve: ImproveArgs,
}

/// Runs the subcommand.
///
/// # Errors
/// The failure that ends it.
pub fn run(args: &ImprovePaths, session: &Session) -> Result<Exit, Failure> {
    args.improve.run::<Program>(&Paths { notation: args.notation, session }, session)
}

struct Paths<'a> {
    notation: NotationArgs,
    session: &'a Session,
}

impl Improver for Paths<'_> {
    fn window(&self) -> usize {
        improve::WINDOW
    }

    fn method(&self) -> Method {
        super::method(Used::one("windows", &[]), self.session)
    }

    fn improve(
        &self,
        puzzle: Option<&str>,
        moves: &str,
        settings: &Improve,
        run: &Run<'_>,
    ) -> Result<Shortened, Failure> {
        let state = puzzle.ok_or_else(|| {
            Failure::malformed("no state is given")
                .with_remedy("write the first state, a semicolon, then the moves")
        })?;
        let (puzzle, from) =
            self.notation.read(state, PEGS, None).map_err(|error| self.notation.failure(&error))?;
        let (moves, to) =
            read_moves(&puzzle, from, moves).map_err(|refusal| Failure::malformed(refusal.to_string()))?;
        let Shorter { moves: shorter, lower_bound, is_complete } =
            improve::shorter(&puzzle, (from, to), &moves, settings, run);
        let solution = checked(&puzzle, from, to, &shorter)?;
        Ok(Shortened { given: to_u32(moves.len()), solution, lower_bound, is_complete })
    }
}

/// The moves of a text that are made from `from`, and the state that they lead to.
fn read_moves(puzzle: &Puzzle, from: State, text: &str) -> Result<(Vec<Move>, State), Refusal> {
    let steps = parse_moves(text)?;
    Towers::parse(PEGS as usize, &puzzle.format(from))?.after_all(&steps)?;
    Ok(improve::followed(puzzle, from, steps.iter().map(|step| (step.from, step.to))))
}
