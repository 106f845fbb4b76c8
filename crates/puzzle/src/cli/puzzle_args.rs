//! The arguments that choose a puzzle, the moves that count and the rotations that are free.

use std::fs;
use std::path::Path;

use clap::Args;
use puzzle_cli::{Failure, Session};

use super::malformed;
use crate::builtin;
use crate::definition::{Definition, Metric, Selected, Selection, split_names};
use crate::formats::{self, MOST_BYTES, santa};

/// A puzzle, its counted moves and its free rotations.
#[derive(Args, Clone, Debug)]
pub struct PuzzleArgs {
    /// A built-in puzzle (see `puzzle-opt list`), or a file that defines one: KPuzzle JSON, .tws or .def of
    /// twsearch and ksolve, generators as in GAP, or FILE:ROW for a row of puzzle_info.csv or puzzles.csv of Santa
    /// 2023
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

/// The moves that cost nothing.
#[derive(Args, Clone, Debug, Default)]
pub struct FreeArgs {
    /// Moves that cost nothing, and so do their powers, such as "U D" to count the twists of square-1; positions that
    /// differ by them are one
    #[arg(long, value_name = "MOVES")]
    pub(super) free: Option<String>,
}

impl PuzzleArgs {
    /// Reads the definition and selects the moves.
    ///
    /// # Errors
    /// The failure for a file that cannot be read, or exit code 3 with all faults.
    pub fn read(&self, session: &Session) -> Result<(Definition, Selected), Failure> {
        self.read_with(&FreeArgs::default(), session)
    }

    /// Reads the definition and selects the moves, of which some cost nothing.
    ///
    /// # Errors
    /// The failure for a file that cannot be read, or exit code 3 with all faults.
    pub(super) fn read_with(
        &self,
        free: &FreeArgs,
        session: &Session,
    ) -> Result<(Definition, Selected), Failure> {
        let definition = definition(&self.puzzle)?;
        let free = free.free.as_deref().map(split_names).unwrap_or_default();
        let selected = definition
            .select(&Selection { free, ..self.selection.selection() })
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
            ..Selection::default()
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
    // A row of a file is named after a colon.
    let parted =
        puzzle.rsplit_once(':').filter(|(path, _)| !Path::new(puzzle).exists() && Path::new(path).is_file());
    let (path, row) = parted.map_or((puzzle, None), |(path, row)| (path, Some(row)));
    let text = text(path)?;
    let definition = if santa::is_puzzles(&text) {
        let info = self::text(&Path::new(path).with_file_name("puzzle_info.csv").to_string_lossy())?;
        santa::parse_puzzle(&text, row, &info)
    } else if row.is_some() {
        match santa::is_info(&text) {
            true => santa::parse_info(&text, row),
            false => Err("only rows of puzzle_info.csv and puzzles.csv can be named after a colon"
                .to_owned()
                .into()),
        }
    } else {
        formats::read(&text)
    };
    definition.map_err(|faults| malformed(&format!("definition {path}"), &faults))
}

/// The text of a file.
fn text(path: &str) -> Result<String, Failure> {
    let refused = |error: std::io::Error| {
        Failure::malformed(format_args!("{path}: {error}"))
            .with_remedy("name a file that defines a puzzle, or a built-in puzzle of `puzzle-opt list`")
    };
    let size = fs::metadata(path).map_err(refused)?.len();
    if size > MOST_BYTES as u64 {
        return Err(Failure::malformed(format_args!("{path} has {size} bytes, above {MOST_BYTES}")));
    }
    let bytes = fs::read(path).map_err(refused)?;
    String::from_utf8(bytes).map_err(|_| Failure::malformed(format_args!("{path} is no text in UTF-8")))
}
