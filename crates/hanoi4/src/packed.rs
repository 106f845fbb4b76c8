//! The puzzle as a domain of the library's frontier search: three or four pegs, without symmetry.

use crate::model::{Puzzle, State};
use search_core::frontier::PackedDomain;
use search_core::{Domain, Op};

/// The greatest number of discs whose packed states leave space for the operators' bits: 26 on four
/// pegs.
pub fn max_discs(pegs: u32) -> u32 {
    (64 - pegs * (pegs - 1)) / 2
}

/// A puzzle with an arbitrary goal.
#[derive(Clone, Copy, Debug)]
pub struct Instance {
    /// The size of the puzzle.
    pub puzzle: Puzzle,
    /// The goal state.
    pub goal: State,
}

impl Domain for Instance {
    type State = State;
    fn op_count(&self) -> usize {
        self.puzzle.op_count()
    }
    fn applicable(&self, state: &State) -> search_core::OpSet {
        self.puzzle.applicable(state)
    }
    fn apply(&self, state: &State, op: Op) -> State {
        self.puzzle.apply(state, op)
    }
    fn is_goal(&self, state: &State) -> bool {
        *state == self.goal
    }
}

impl PackedDomain for Instance {
    fn key_bits(&self) -> u32 {
        2 * self.puzzle.discs()
    }
    fn pack(&self, state: &State) -> u64 {
        state.code()
    }
    fn unpack(&self, key: u64) -> State {
        State::from_code(key)
    }
    fn inverse(&self, op: Op) -> Op {
        self.puzzle.inverse(op)
    }
}
