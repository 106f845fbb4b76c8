//! Shared code of the unit tests.

use crate::model::{Move, Puzzle, State};
use search_core::Domain;
use search_core::testing::Random;

/// A random state of `discs` discs on four pegs.
pub fn random_state(random: &mut Random, discs: u32) -> State {
    State::from_code(random.bits() >> (64 - 2 * discs))
}

/// The state after moves, each of which is checked.
pub fn replayed(puzzle: &Puzzle, from: State, moves: &[Move]) -> State {
    moves.iter().fold(from, |state, step| {
        let op = puzzle.op(step.from, step.to);
        assert!(puzzle.applicable(&state).contains(op) && puzzle.move_of(state, op) == *step);
        puzzle.apply(&state, op)
    })
}
