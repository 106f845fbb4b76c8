//! What searching a subtree, or many, brings back.

use super::counts::Counts;
use super::near::Kept;
use crate::domain::Op;

/// The counts, the solutions and the near misses of one thread, or of all.
pub(super) struct Harvest<C> {
    pub counts: Counts,
    pub found: Vec<Found>,
    pub kept: Kept<C>,
}

/// A solution and the number of the subtree that holds it.
pub(super) struct Found {
    pub task: usize,
    pub path: Vec<Op>,
}

impl<C> Default for Harvest<C> {
    fn default() -> Self {
        Harvest { counts: Counts::default(), found: Vec::new(), kept: Kept::default() }
    }
}

impl<C> Harvest<C> {
    /// The harvest of bound 0, where nothing is expanded: there may be longer solutions.
    pub fn at_start(is_goal: bool) -> Self {
        let found = if is_goal { vec![Found { task: 0, path: Vec::new() }] } else { Vec::new() };
        Harvest { counts: Counts { least_excess: 1, ..Counts::default() }, found, ..Harvest::default() }
    }

    /// Adds what another thread brought back, with the solutions in the order of the search.
    pub fn add(&mut self, other: Harvest<C>) {
        self.counts.add(&other.counts);
        self.found.extend(other.found);
        // Stable: within one subtree the order of the search stays.
        self.found.sort_by_key(|found| found.task);
        self.kept.append(other.kept);
    }
}
