//! The growth of a search, measured from its last two bounds.
//!
//! Both quantities are functions of node counts, never of time, so decisions that depend on them repeat.

use crate::record::Iteration;

/// The factor by which the nodes of the last bound exceed those of the bound before, if there are two.
pub(super) fn per_bound(iterations: &[Iteration]) -> Option<f64> {
    let [.., before, last] = iterations else { return None };
    Some(last.generated as f64 / before.generated.max(1) as f64)
}

/// The factor by which each move multiplies the nodes, if there are two bounds to measure it.
pub(super) fn per_move(iterations: &[Iteration]) -> Option<f64> {
    let [.., before, last] = iterations else { return None };
    let moves = last.bound.checked_sub(before.bound).filter(|&moves| moves > 0)?;
    Some(per_bound(iterations)?.powf(f64::from(moves).recip()).max(1.0))
}

/// The number of nodes that the next iteration will probably generate, if there are two to judge by.
pub fn expected_nodes(iterations: &[Iteration]) -> Option<f64> {
    Some(iterations.last()?.generated as f64 * per_bound(iterations)?)
}
