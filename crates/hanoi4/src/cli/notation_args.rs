//! The arguments for the notation of states.

use crate::model::{BadInput, Puzzle, State};
use crate::notation::Notation;
use clap::{Args, ValueEnum, value_parser};
use puzzle_cli::Failure;

/// The notation of states.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "States")]
pub struct NotationArgs {
    /// Number of the first peg in states, 0 or 1; answers count pegs from 0
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = value_parser!(u8).range(0..=1))]
    first_peg: u8,
    /// Order of the discs in states and on each peg; answers begin with the largest
    #[arg(long, value_enum, default_value_t)]
    disc_order: DiscOrder,
}

/// The order of the discs in states.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
enum DiscOrder {
    #[default]
    LargestFirst,
    SmallestFirst,
}

impl NotationArgs {
    /// Reads a state, of a number of discs if it is given.
    pub fn read(&self, text: &str, pegs: u32, discs: Option<u32>) -> Result<(Puzzle, State), BadInput> {
        let smallest_first = self.disc_order == DiscOrder::SmallestFirst;
        Notation { smallest_first, pegs_from_1: self.first_peg == 1 }.read(text, pegs, discs)
    }

    /// The failure for a state that cannot be read.
    pub fn failure(&self, error: &BadInput) -> Failure {
        Failure::malformed("invalid state").with_faults(&error.faults).with_remedy(
            "states begin with the largest disc and count pegs from 0; --disc-order smallest-first and --first-peg 1 \
             read others, --pegs 3 those of three pegs",
        )
    }
}
