//! The arguments that describe instances: size, goal and tiles.

use clap::{Args, CommandFactory};
use puzzle_cli::batch::{Group, Grouping};
use puzzle_cli::{Exit, Failure, Instance, Named, Output, Session, refuse_parts};

use super::solver_failure;
use crate::board::Board;
use crate::fault::{Fault, Faults};
use crate::metric::Metric;
use crate::multi;
use crate::notation::{self, Line};
use crate::puzzle::Puzzle;
use crate::solver::SolverError;
use crate::tiles::Tiles;

/// The puzzle that instances belong to.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Puzzle")]
pub struct PuzzleArgs {
    /// Rows and columns, such as 4x5 [default: the square board with that many tiles; 5x5 for `tables`;
    /// required by `random` and `heuristic --sample`]
    #[arg(long, value_name = "ROWSxCOLS")]
    pub size: Option<Board>,
    /// Goal: blank-first, blank-last, spiral (1 2 3 8 0 4 7 6 5) or a list of tiles [default: blank-first]
    #[arg(long, value_name = "GOAL", hide_possible_values = true,
        value_parser = Named::<String>::of(["blank-first", "blank-last", "spiral"]))]
    pub goal: Option<String>,
    /// The metric: single counts each tile that slides as one move, multi any number of tiles of a row or column at once,
    /// on boards of up to 5x5 [default: single]
    #[arg(long, value_name = "single|multi", hide_possible_values = true,
        value_parser = Named::<Metric>::of(Metric::ALL.map(Metric::name)))]
    pub metric: Option<Metric>,
}

impl PuzzleArgs {
    /// The puzzle on `board`.
    ///
    /// # Errors
    /// Exit code 3 with every fault of the goal.
    pub fn on(&self, board: Board) -> Result<Puzzle, Failure> {
        let goal = self.goal.as_deref().unwrap_or("blank-first");
        let puzzle = Puzzle::with_goal(board, goal).map_err(|faults| malformed("--goal", &faults))?;
        match self.metric.unwrap_or_default() {
            Metric::Multi if !multi::fits(board) => Err(solver_failure(&SolverError::MultiTooLarge)),
            metric => Ok(puzzle.with_metric(metric)),
        }
    }

    /// Refuses a metric other than that of single moves, for which a command does not work.
    ///
    /// # Errors
    /// Exit code 2.
    pub fn refuse_multi(&self, command: &str) -> Result<(), Failure> {
        match self.metric.unwrap_or_default() {
            Metric::Single => Ok(()),
            Metric::Multi => Err(Failure::usage(format_args!("`{command}` is for the metric single"))
                .with_remedy("leave out --metric multi")),
        }
    }

    /// Says what the goal is if none was named and the board looks as if it was meant for the other usual one. Returns
    /// whether it did.
    pub fn hint(&self, puzzle: &Puzzle, tiles: &Tiles, session: &Session) -> bool {
        let last = Tiles::blank_last(puzzle.board());
        let is_due = self.goal.is_none() && puzzle.is_probably_for(&last, tiles);
        if is_due {
            session.remark(
                "the goal has the blank first (0 1 2 …); for the goal with the blank last (1 2 … 0), give --goal \
                 blank-last",
            );
        }
        is_due
    }

    /// The puzzle and the tiles of one instance, which can reach its goal.
    ///
    /// # Errors
    /// Exit code 3 with every fault.
    pub fn read(&self, text: &str) -> Result<(Puzzle, Tiles), Failure> {
        let (board, tiles) = Tiles::parse(text, self.size).map_err(|faults| malformed("tiles", &faults))?;
        let puzzle = self.on(board)?;
        let tiles = puzzle.check(tiles).map_err(|faults| malformed("tiles", &faults))?;
        Ok((puzzle, tiles))
    }

    /// Answers a batch of boards, each of which may be on several lines of standard input.
    ///
    /// # Errors
    /// As [`Session::batch_of_lines`], and if each argument is a single number.
    pub fn batch<A: CommandFactory>(
        &self,
        arguments: &[String],
        session: &Session,
        answer: impl FnMut(&Instance, &mut Output) -> Result<Exit, Failure>,
    ) -> Result<Exit, Failure> {
        self.grouped(arguments, |grouping| session.batch_of_lines::<A>(arguments, grouping, answer))
    }

    /// Calls `answer` with the rule by which lines of standard input form boards.
    ///
    /// # Errors
    /// If each argument is a single number.
    pub fn grouped(
        &self,
        arguments: &[String],
        answer: impl FnOnce(&Grouping<'_>) -> Result<Exit, Failure>,
    ) -> Result<Exit, Failure> {
        let is_row = |text: &str| {
            notation::word_count(text) == arguments.len() && Tiles::parse(text, self.size).is_err()
        };
        let is_part = |text: &str| text.parse::<u32>().is_ok() || is_row(text);
        refuse_parts(arguments, is_part, "a single number or row, and each argument is one board")?;
        let group = |text: &str| match notation::line(text, self.size) {
            Line::Whole => Ok(None),
            Line::First { lines, words } => Ok(Some(Group { lines, words })),
            Line::Ambiguous => {
                Err(Failure::malformed("ambiguous: a 2x2 board or the first row of a 4x4 board")
                    .with_remedy("choose with --size 2x2 or --size 4x4"))
            }
        };
        answer(&Grouping { group: &group, words: &notation::word_count })
    }

    /// The size given with `--size`.
    ///
    /// # Errors
    /// Exit code 2 when it is not given.
    pub fn board(&self) -> Result<Board, Failure> {
        self.size.ok_or_else(|| {
            Failure::usage("no size of the board is given").with_remedy("give --size ROWSxCOLS")
        })
    }
}

pub(super) fn malformed(what: &str, faults: &Faults) -> Failure {
    let message = match faults.0.as_slice() {
        [Fault::Parity { .. }] => what.to_owned(),
        _ => format!("{what}: invalid tile list"),
    };
    let failure = Failure::new(Exit::Malformed, message).with_faults(&faults.0);
    match faults.0.first() {
        Some(Fault::NotANumber(_)) => {
            failure.with_remedy("write the tiles row by row, separated by spaces, with 0 for the blank")
        }
        Some(Fault::NoSquare(_)) => failure.with_remedy("--size ROWSxCOLS"),
        Some(Fault::Parity { .. }) | None => failure,
        _ => failure.with_remedy("a board has each of its tiles once, and one blank"),
    }
}
