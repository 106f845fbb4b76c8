//! The result of searching one or more subtrees.

use super::counts::Counts;
use crate::domain::Op;

/// The counts and solutions of one thread, or of all threads.
#[derive(Default)]
pub(super) struct SubtreeResult {
    pub counts: Counts,
    pub found: Vec<Found>,
    /// The subtrees searched, each with the fewest moves left at any node expanded in it.
    pub reached: Vec<(usize, u32)>,
}

/// A solution and the number of the subtree that holds it.
pub(super) struct Found {
    pub subtree: usize,
    pub path: Vec<Op>,
}

impl SubtreeResult {
    /// Adds the result of another thread and sorts the solutions in search order.
    pub(super) fn add(&mut self, other: SubtreeResult) {
        self.counts.add(&other.counts);
        self.found.extend(other.found);
        // The sort is stable, so solutions within one subtree keep their order.
        self.found.sort_by_key(|found| found.subtree);
        self.reached.extend(other.reached);
    }
}
