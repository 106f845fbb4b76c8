//! `tile24 export`: a board as a planning task.

use super::instance::PuzzleArgs;
use crate::planning;
use clap::Args;
use puzzle_cli::{Exit, ExportArgs, Failure, Session};

/// Write a board as a planning task, in PDDL or SAS+
///
/// Shortest plans are shortest solutions.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example:\n  tile24 export \"8 7 6 5 4 3 2 1 0\" --out tasks")]
pub struct ExportBoard {
    /// The board
    #[arg(value_name = "TILES")]
    tiles: String,
    #[command(flatten)]
    puzzle: PuzzleArgs,
    #[command(flatten)]
    export: ExportArgs,
}

pub(super) fn run(args: &ExportBoard, session: &Session) -> Result<Exit, Failure> {
    let (puzzle, tiles) = args.puzzle.read(&args.tiles)?;
    args.export.run(&planning::task(&puzzle, &tiles), session)
}
