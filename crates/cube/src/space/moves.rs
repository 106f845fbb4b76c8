//! The moves of a domain of cubes.

use crate::cube::Turn;
use crate::metric::Metric;
use std::fmt::Debug;

/// The moves of a [`CubeSpace`](super::CubeSpace), numbered from 0.
pub trait Moves: Clone + Debug + Send + Sync + 'static {
    /// The number of moves, at most 32.
    fn count(&self) -> usize;

    /// Whether each of them is an odd permutation of the corners.
    fn are_odd(&self) -> bool;
}

/// The face turns of a metric.
#[derive(Clone, Debug)]
pub struct FaceTurns {
    pub(super) metric: Metric,
    /// The turn of each operator.
    pub(super) turn_of: [Turn; 2 * Turn::COUNT],
}

impl Moves for FaceTurns {
    #[inline(always)]
    fn count(&self) -> usize {
        self.metric.turns().len()
    }

    fn are_odd(&self) -> bool {
        self.metric == Metric::Qtm
    }
}

/// Moves that are given by what they do.
#[derive(Clone, Debug)]
pub(crate) struct AnyMoves {
    pub(super) count: usize,
    pub(super) are_odd: bool,
}

impl Moves for AnyMoves {
    #[inline(always)]
    fn count(&self) -> usize {
        self.count
    }

    fn are_odd(&self) -> bool {
        self.are_odd
    }
}
