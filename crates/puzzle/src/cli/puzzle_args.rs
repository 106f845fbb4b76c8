//! The arguments that choose a puzzle, the moves that count and the rotations that are free.

use std::fs;

use clap::{Args, ValueEnum};
use puzzle_cli::{Failure, Session};

use super::malformed;
use crate::builtin;
use crate::definition::{Definition, Metric, Selected, Selection};
use crate::formats::{self, MOST_BYTES};

/// A puzzle, its counted moves and its free rotations.
#[derive(Args, Clone, Debug)]
pub struct PuzzleArgs {
    /// The name of a built-in puzzle, or the file that defines one: KPuzzle JSON, .tws or .def of twsearch
    /// and ksolve, or generators as in GAP
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
    pub metric: MetricArg,
    /// The rotations of the whole puzzle that are free, such as "x y" or "" for none [default: those of the
    /// definition]
    #[arg(long, value_name = "ROTATIONS")]
    pub rotations: Option<String>,
}

/// Which powers of a move count as one move.
#[derive(ValueEnum, Clone, Copy, Debug, Default)]
pub enum MetricArg {
    /// All of them: U, U2, U'
    #[default]
    Powers,
    /// The move and its inverse
    Inverses,
    /// The move alone
    Generators,
}

impl PuzzleArgs {
    /// Reads the definition and selects the moves.
    ///
    /// # Errors
    /// The failure for a file that cannot be read, or exit code 3 with all faults.
    pub fn read(&self, session: &Session) -> Result<(Definition, Selected), Failure> {
        let definition = match builtin::get(&self.puzzle) {
            Some(built) => built.map_err(|faults| malformed(&format!("puzzle {}", self.puzzle), &faults))?,
            None => read_file(&self.puzzle)?,
        };
        let selected = definition
            .select(&self.selection.selection())
            .map_err(|faults| malformed("choice of moves", &faults))?;
        for remark in definition.remarks.iter().chain(&selected.remarks) {
            session.remark(remark);
        }
        Ok((definition, selected))
    }
}

/// Reads the definition in a file.
fn read_file(path: &str) -> Result<Definition, Failure> {
    let refused = |error: std::io::Error| {
        Failure::malformed(format_args!("{path}: {error}"))
            .with_remedy("name a built-in puzzle, or a file that defines one")
    };
    let size = fs::metadata(path).map_err(refused)?.len();
    if size > MOST_BYTES as u64 {
        return Err(Failure::malformed(format_args!("{path} has {size} bytes, above {MOST_BYTES}")));
    }
    let bytes = fs::read(path).map_err(refused)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::malformed(format_args!("{path} is no text in UTF-8")))?;
    formats::read(&text).map_err(|faults| malformed(&format!("definition {path}"), &faults))
}

impl SelectionArgs {
    fn selection(&self) -> Selection {
        let names = |text: &String| {
            let words = text.split([',', ' ']).filter(|word| !word.is_empty());
            words.map(str::to_owned).collect()
        };
        Selection {
            moves: self.moves.as_ref().map(names),
            metric: match self.metric {
                MetricArg::Powers => Metric::Powers,
                MetricArg::Inverses => Metric::Inverses,
                MetricArg::Generators => Metric::Generators,
            },
            rotations: self.rotations.as_ref().map(names),
        }
    }
}
