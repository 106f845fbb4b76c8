//! The options of searches by the times of corners.

use super::layer_args::LayerArgs;
use crate::model::{Puzzle, State};
use crate::picture;
use crate::strategy::CountAsk;
use clap::{Args, value_parser};
use puzzle_cli::Failure;
use search_core::storage::DataFile;
use std::path::PathBuf;

/// The options of a search by corners.
#[derive(Args, Clone, Debug)]
pub struct CornerArgs {
    /// Search every state instead of one per orbit under permutations of pegs 1 to 3
    #[arg(long)]
    no_symmetry: bool,
    /// The number of small discs of a search by corners, 7 to 14 [default: the fastest that the memory allows]
    #[arg(long, value_name = "K", value_parser = value_parser!(u32).range(7..=14))]
    small: Option<u32>,
    /// Write the states at the greatest depth to this file, one per line, largest disc first; with the
    /// ending .svg draw them, one for each orbit (searches by corners)
    #[arg(long, value_name = "FILE")]
    pub farthest: Option<PathBuf>,
    #[command(flatten)]
    pub layers: LayerArgs,
}

impl CornerArgs {
    /// The question for a puzzle.
    pub fn ask(&self, puzzle: &Puzzle) -> CountAsk {
        CountAsk {
            symmetry: !self.no_symmetry,
            small: self.small,
            work: self.layers.work(),
            program: super::VERSION.to_owned(),
            ..CountAsk::new(puzzle.discs(), puzzle.pegs())
        }
    }

    /// Creates the file of the farthest states, if one is named: before the search, so that an unusable path is
    /// reported at once.
    pub fn create(&self) -> Result<Option<DataFile>, Failure> {
        self.farthest.as_ref().map(|path| DataFile::create(path)).transpose().map_err(Failure::error)
    }

    /// Writes the farthest states to their file.
    pub fn write(&self, file: Option<DataFile>, puzzle: &Puzzle, farthest: &[State]) -> Result<(), Failure> {
        let Some((path, file)) = self.farthest.as_ref().zip(file) else { return Ok(()) };
        let is_drawn = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
        let text = match is_drawn {
            true => picture::svg(puzzle.discs(), farthest),
            false => farthest.iter().map(|&state| puzzle.format(state) + "\n").collect(),
        };
        file.write_at(text.as_bytes(), 0).and_then(|()| file.sync()).map_err(Failure::error)
    }
}
