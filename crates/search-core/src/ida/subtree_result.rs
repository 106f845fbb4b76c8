//! What searching a subtree, or many, brings back.

use super::counts::Counts;
use crate::domain::Op;

/// The counts and the solutions of one thread, or of all.
#[derive(Default)]
pub(super) struct SubtreeResult {
    pub counts: Counts,
    pub found: Vec<Found>,
    /// Subtrees that were left, and the fewest moves left with which a node was expanded in each.
    pub reached: Vec<(usize, u32)>,
}

/// A solution and the number of the subtree that holds it.
pub(super) struct Found {
    pub subtree: usize,
    pub path: Vec<Op>,
}

impl SubtreeResult {
    /// Adds what another thread brought back, with the solutions in the order of the search.
    pub fn add(&mut self, other: SubtreeResult) {
        self.counts.add(&other.counts);
        self.found.extend(other.found);
        // Stable: within one subtree the order of the search stays.
        self.found.sort_by_key(|found| found.subtree);
        self.reached.extend(other.reached);
    }
}
