//! `puzzle-opt export`: a state as a planning task.

use clap::Args;
use puzzle_cli::{Exit, ExportArgs, Failure, Session};

use super::malformed;
use super::puzzle_args::PuzzleArgs;
use crate::{planning, states};

/// Write a state as a planning task, in PDDL or SAS+
///
/// Plans of least cost are shortest solutions. The goal is the solved state; free moves and rotations are actions without cost.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example:\n  puzzle-opt export 2x2x2 \"R U R' F2\" --language sas --out tasks")]
pub struct ExportState {
    #[command(flatten)]
    puzzle: PuzzleArgs,
    /// The state: moves from the solved state, a KPuzzle pattern, or a permutation
    #[arg(value_name = "STATE")]
    state: String,
    /// The form of the state [default: detected]
    #[arg(long, value_enum, value_name = "FORM")]
    from: Option<states::Form>,
    #[command(flatten)]
    export: ExportArgs,
}

pub(super) fn run(args: &ExportState, session: &Session) -> Result<Exit, Failure> {
    let (definition, selected) = args.puzzle.read(session)?;
    let state = states::read(&args.state, &definition, args.from);
    let state =
        state.and_then(|state| selected.state(&state)).map_err(|faults| malformed("state", &faults))?;
    let task = planning::task(&selected.puzzle, &state);
    args.export.run(&task.map_err(|faults| malformed("puzzle for a planner", &faults))?, session)
}
