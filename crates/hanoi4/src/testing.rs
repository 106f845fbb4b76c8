//! Shared code of the unit tests.

use crate::model::{Move, Puzzle, State};
use search_core::Domain;

/// A sequence of random numbers that repeats exactly.
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0
    }

    /// A state of `discs` discs on four pegs.
    pub fn state(&mut self, discs: u32) -> State {
        State::from_code(self.number() >> (64 - 2 * discs))
    }
}

/// The state after moves, each of which is checked.
pub fn replayed(puzzle: &Puzzle, from: State, moves: &[Move]) -> State {
    moves.iter().fold(from, |state, step| {
        let op = puzzle.op(step.from, step.to);
        assert!(puzzle.applicable(&state).contains(op) && puzzle.move_of(state, op) == *step);
        puzzle.apply(&state, op)
    })
}
