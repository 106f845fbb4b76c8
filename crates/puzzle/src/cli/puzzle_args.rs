//! The arguments that choose a puzzle, the moves that count and the rotations that are free.

use std::fs;

use clap::Args;
use puzzle_cli::{Failure, Session};

use super::malformed;
use crate::builtin;
use crate::definition::{Definition, Metric, Selected, Selection, split_names};
use crate::formats::{self, MOST_BYTES};

/// A puzzle, its counted moves and its free rotations.
#[derive(Args, Clone, Debug)]
pub struct PuzzleArgs {
    /// A built-in puzzle (see `puzzle-opt list`), or a file that defines one: KPuzzle JSON, .tws or .def of
    /// twsearch and ksolve, or generators as in GAP
    #[arg(value_name = "PUZZLE")]
    pub puzzle: String,
    #[command(flatten)]
    pub selection: SelectionArgs,
}

/// The choice of moves.
#[derive(Args, Clone, Debug)]
pub struct SelectionArgs {
    /// The moves that count, such as "U R F" [default: those of the definition]
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// Which powers of a move count as one move
    #[arg(long, value_enum, default_value_t)]
    pub metric: Metric,
    /// The rotations of the whole puzzle that are free, such as "x y" or "" for none [default: those of the
    /// definition]
    #[arg(long, value_name = "ROTATIONS")]
    pub rotations: Option<String>,
}

impl PuzzleArgs {
    /// Reads the definition and selects the moves.
    ///
    /// # Errors
    /// The failure for a file that cannot be read, or exit code 3 with all faults.
    pub fn read(&self, session: &Session) -> Result<(Definition, Selected), Failure> {
        let definition = definition(&self.puzzle)?;
        let selected = definition
            .select(&self.selection.selection())
            .map_err(|faults| malformed("choice of moves", &faults))?;
        for remark in definition.remarks.iter().chain(&selected.remarks) {
            session.remark(remark);
        }
        Ok((definition, selected))
    }
}

impl SelectionArgs {
    pub(super) fn selection(&self) -> Selection {
        Selection {
            moves: self.moves.as_deref().map(split_names),
            metric: self.metric,
            rotations: self.rotations.as_deref().map(split_names),
        }
    }
}

/// The definition of a built-in puzzle, or of a file.
///
/// # Errors
/// A file that cannot be read, or exit code 3 with all faults.
pub(super) fn definition(puzzle: &str) -> Result<Definition, Failure> {
    if let Some(built) = builtin::get(puzzle) {
        return built.map_err(|faults| malformed("puzzle", &faults));
    }
    let refused = |error: std::io::Error| {
        Failure::malformed(format_args!("{puzzle}: {error}"))
            .with_remedy("name a file that defines a puzzle, or a built-in puzzle of `puzzle-opt list`")
    };
    let size = fs::metadata(puzzle).map_err(refused)?.len();
    if size > MOST_BYTES as u64 {
        return Err(Failure::malformed(format_args!("{puzzle} has {size} bytes, above {MOST_BYTES}")));
    }
    let bytes = fs::read(puzzle).map_err(refused)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::malformed(format_args!("{puzzle} is no text in UTF-8")))?;
    formats::read(&text).map_err(|faults| malformed(&format!("definition {puzzle}"), &faults))
}
