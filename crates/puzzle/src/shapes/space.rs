//! The space of a search through shapes.

use std::sync::Arc;

use search_core::domain::Lengths;
use search_core::{Domain, Op, OpSet};

use super::{MOST_COMPONENTS, Shapes};
use crate::near::{Hashed, bound_of};

/// A position, or a class of positions that differ by free moves: the number of its row, and of the arrangement of each component;
/// 0 for components that do not exist.
pub type State = [u16; MOST_COMPONENTS + 1];

/// The positions of a puzzle with rules, or their classes.
#[derive(Clone, Debug)]
pub struct ShapeSpace(pub Arc<Shapes>);

impl Domain for ShapeSpace {
    type State = State;

    fn op_count(&self) -> usize {
        self.0.steps().ops()
    }

    #[inline(always)]
    fn applicable(&self, state: &State) -> OpSet {
        self.0.steps().legal(state)
    }

    #[inline(always)]
    fn apply(&self, state: &State, op: Op) -> State {
        self.0.steps().after(state, op)
    }

    #[inline(always)]
    fn is_goal(&self, state: &State) -> bool {
        // Goals are in the solved row.
        state[0] == 0 && self.0.steps().goals().contains(state)
    }

    fn lengths(&self, state: &State) -> Lengths {
        self.0.steps().lengths(state)
    }
}

/// The number of a state.
#[inline(always)]
fn packed(state: &State) -> u64 {
    state.iter().fold(0, |word, &number| word << 16 | u64::from(number))
}

impl Hashed for ShapeSpace {
    fn root(&self) -> State {
        self.0.steps().goals()[0]
    }

    /// The hash of the class: states of one class have one hash, the output of SplitMix64 at the least of their numbers.
    fn hash(&self, state: &State) -> u64 {
        let images = self.0.steps().images(state);
        let least = images.fold(packed(state), |least, image| least.min(packed(&image)));
        let mut bits = least.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ bits >> 31
    }

    fn child_hash(&self, state: &State, _: u64, op: Op) -> u64 {
        self.hash(&self.apply(state, op))
    }
}

bound_of!(ShapeSpace, State);
