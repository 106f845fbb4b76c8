//! Walks of the discs, and the referee's stacks.

use crate::input::Input;
use hanoi4::model::{Puzzle, State};
use referee::hanoi::{Move, Towers};
use search_core::Domain;
use search_core::frontier::PackedDomain;

/// Walks from the first peg: at each step both models allow the same moves, and make the one that the
/// byte names alike.
pub fn check(input: &mut Input<'_>) {
    let (discs, pegs) = (1 + input.below(31) as u32, 3 + input.below(2) as u32);
    let puzzle = Puzzle::new(discs, pegs).expect("numbers in range");
    let mut state = State::START;
    let mut theirs = Towers::parse(pegs as usize, &puzzle.format(state)).expect("a state");
    for byte in input {
        let (from, to) = (u32::from(byte >> 4) % pegs, u32::from(byte & 15) % pegs);
        let step = Move { disc: None, from: from as usize, to: to as usize };
        let legal = from != to && puzzle.applicable(&state).contains(puzzle.op(from, to));
        assert_eq!(theirs.play(step).is_ok(), legal, "{from} to {to} in {}", puzzle.format(state));
        if !legal {
            continue;
        }
        let op = puzzle.op(from, to);
        let next = puzzle.apply(&state, op);
        assert_eq!(puzzle.apply(&next, Puzzle::inverse(&puzzle, op)), state, "undone");
        state = next;
        assert_eq!(theirs.to_string(), puzzle.format(state), "the referee's towers");
        assert_eq!(puzzle.unpack(puzzle.pack(&state)), state, "unpacked");
    }
}
