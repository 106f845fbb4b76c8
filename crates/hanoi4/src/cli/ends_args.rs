//! The arguments that describe two states of a puzzle.

use super::notation_args::NotationArgs;
use crate::model::{BadInput, Puzzle, State};
use clap::Args;
use puzzle_cli::Failure;

/// A puzzle and two of its states.
#[derive(Args, Clone, Debug)]
pub struct EndsArgs {
    /// The number of discs [default: those of the states]
    #[arg(long, value_name = "N", required_unless_present_any = ["from", "to"])]
    discs: Option<u32>,
    /// The number of pegs, 3 or 4
    #[arg(long, value_name = "N", default_value_t = 4)]
    pegs: u32,
    /// Start state: the peg of each disc, as in 0021, or the discs of each peg, as in "[[4, 3], [1], [2], []]" or
    /// "4 3 | 1 | 2 |" [default: all on peg 0]
    #[arg(long, value_name = "STATE")]
    from: Option<String>,
    /// Goal state [default: all on the last peg]
    #[arg(long, value_name = "STATE")]
    to: Option<String>,
    #[command(flatten)]
    notation: NotationArgs,
}

impl EndsArgs {
    /// The puzzle and the two states.
    ///
    /// # Errors
    /// Exit code 3 with every fault.
    pub fn read(&self) -> Result<(Puzzle, State, State), Failure> {
        let read = |text: &Option<String>| match text {
            Some(text) => self.notation.read(text, self.pegs, self.discs).map(Some),
            None => Ok(None),
        };
        let (from, to) = match (read(&self.from), read(&self.to)) {
            (Ok(from), Ok(to)) => (from, to),
            (from, to) => {
                return Err(self
                    .notation
                    .failure(&BadInput::all([from.err(), to.err()].into_iter().flatten())));
            }
        };
        let puzzle = match (from.or(to), self.discs) {
            (Some((puzzle, _)), _) => puzzle,
            (None, discs) => {
                Puzzle::new(discs.unwrap_or_default(), self.pegs).map_err(|error| super::malformed(&error))?
            }
        };
        if let Some((other, _)) = to.filter(|(other, _)| *other != puzzle) {
            let fault = format!("the start has {} discs, the goal {}", puzzle.discs(), other.discs());
            return Err(super::malformed(&BadInput { faults: vec![fault] }));
        }
        let state = |end: Option<(Puzzle, State)>, peg| {
            end.map_or(State::all_on(peg, puzzle.discs()), |(_, state)| state)
        };
        Ok((puzzle, state(from, 0), state(to, puzzle.pegs() - 1)))
    }
}
