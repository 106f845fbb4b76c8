//! Pruners: they remove the states that a heuristic rules out, or none.

use crate::bitmap::shape::Word256;
use crate::model::State;

/// A lower bound on the number of moves left, which keeps a search within a threshold.
pub trait Pruner: Sync {
    /// Whether any state of the block with this configuration of the large discs may be kept at `depth`.
    fn admits(&self, large: State, depth: u32) -> bool;

    /// Removes from `bits`, the block's states at `depth`, those that no path within the threshold
    /// passes through. Returns whether it may have removed any.
    fn prune(&self, large: State, depth: u32, bits: &mut [Word256]) -> bool;
}

/// A pruner that keeps every state.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPruning;

impl Pruner for NoPruning {
    fn admits(&self, _: State, _: u32) -> bool {
        true
    }
    fn prune(&self, _: State, _: u32, _: &mut [Word256]) -> bool {
        false
    }
}
