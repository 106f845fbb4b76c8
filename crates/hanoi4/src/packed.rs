//! The puzzle as a domain of the library's frontier search: three or four pegs, without symmetry.

use crate::model::{Puzzle, State};
use search_core::Op;
use search_core::frontier::PackedDomain;

/// The greatest number of discs whose packed states leave space for the operators' bits: 26 on four
/// pegs.
pub fn max_discs(pegs: u32) -> u32 {
    (64 - pegs * (pegs - 1)) / 2
}

impl PackedDomain for Puzzle {
    fn key_bits(&self) -> u32 {
        2 * self.discs()
    }
    fn pack(&self, state: &State) -> u64 {
        state.code()
    }
    fn unpack(&self, key: u64) -> State {
        State::from_code(key)
    }
    fn inverse(&self, op: Op) -> Op {
        self.inverse(op)
    }
}
