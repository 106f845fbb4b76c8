//! What searching a subtree, or many, brings back.

use super::counts::Counts;
use super::near::Kept;
use crate::domain::Op;

/// The counts, the solutions and the near misses of one thread, or of all.
pub(super) struct Harvest<C> {
    pub counts: Counts,
    pub found: Vec<Found>,
    pub kept: Kept<C>,
    /// Subtrees that were left, and the fewest moves left with which a node was expanded in each.
    pub reached: Vec<(usize, u32)>,
}

/// A solution and the number of the subtree that holds it.
pub(super) struct Found {
    pub task: usize,
    pub path: Vec<Op>,
}

impl<C> Default for Harvest<C> {
    fn default() -> Self {
        let (counts, kept) = (Counts::default(), Kept::default());
        Harvest { counts, found: Vec::new(), kept, reached: Vec::new() }
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
        self.reached.extend(other.reached);
    }
}
