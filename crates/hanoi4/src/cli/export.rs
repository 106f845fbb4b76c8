//! `hanoi4 export`: two states as a planning task.

use super::ends_args::EndsArgs;
use crate::planning;
use clap::Args;
use puzzle_cli::{Exit, ExportArgs, Failure, Session};

/// Write the way between two states as a planning task, in PDDL or SAS+
///
/// Shortest plans are shortest solutions.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example:\n  hanoi4 export --discs 5 --out tasks")]
pub struct ExportTowers {
    #[command(flatten)]
    ends: EndsArgs,
    #[command(flatten)]
    export: ExportArgs,
}

pub(super) fn run(args: &ExportTowers, session: &Session) -> Result<Exit, Failure> {
    let (puzzle, from, to) = args.ends.read()?;
    args.export.run(&planning::task(&puzzle, from, to), session)
}
