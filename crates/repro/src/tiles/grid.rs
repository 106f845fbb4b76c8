//! The paper's teaching example: a token on an unbounded grid, four moves.
//!
//! The effect of a string is where it ends, and every string is legal everywhere. From strings of two
//! moves the learner infers that undoing a move, and two moves in the other order, are duplicates.

use search_core::automaton::Model;
use search_core::{Automaton, Op};

/// The strings of moves on the grid: left, right, up, down.
pub struct Grid;

/// Where a string ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    right: i32,
    down: i32,
}

impl Model for Grid {
    type Walk = Place;

    fn op_count(&self) -> usize {
        4
    }

    fn start(&self) -> Place {
        Place { right: 0, down: 0 }
    }

    fn extend(&self, at: &Place, op: Op) -> Option<Place> {
        let (right, down) = [(-1, 0), (1, 0), (0, -1), (0, 1)][op.index()];
        Some(Place { right: at.right + right, down: at.down + down })
    }

    fn effect_hash(&self, at: &Place) -> u64 {
        (u64::from(at.right as u32) << 32 | u64::from(at.down as u32)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn same_effect(&self, a: &Place, b: &Place) -> bool {
        a == b
    }

    fn legal_wherever(&self, _: &Place, _: &Place) -> bool {
        true
    }
}

/// The number of points at exactly `depth` moves.
pub fn points(depth: u128) -> u128 {
    if depth == 0 { 1 } else { 4 * depth }
}

/// The automaton that only forbids undoing the last move.
pub fn inverses() -> Automaton {
    Automaton::from_rule(4, 5, |state, op| {
        let undoes = state > 0 && (op.index() ^ 1) == state - 1;
        (!undoes).then_some(op.index() + 1)
    })
}
