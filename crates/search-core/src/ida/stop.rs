//! When a thread may leave a subtree.

use std::sync::atomic::{AtomicUsize, Ordering};

/// How many nodes a thread expands between two looks at the clock.
pub(super) const NODES_PER_CHECK: u32 = 1 << 12;

/// Decides when a thread may leave a subtree.
pub(super) struct Stop {
    /// Every subtree is searched to its end.
    exhaustive: bool,
    /// The earliest subtree that holds a solution; later ones need not be searched.
    earliest: AtomicUsize,
}

impl Stop {
    pub fn new(exhaustive: bool) -> Stop {
        Stop { exhaustive, earliest: AtomicUsize::new(usize::MAX) }
    }

    /// Whether the search of the subtree `subtree` may stop.
    #[inline(always)]
    pub fn skips(&self, subtree: usize) -> bool {
        !self.exhaustive && self.earliest.load(Ordering::Relaxed) < subtree
    }

    /// A solution lies in subtree `subtree`: later ones are skipped from now on.
    pub fn found(&self, subtree: usize) {
        self.earliest.fetch_min(subtree, Ordering::Relaxed);
    }

    /// Whether a search may leave a subtree at its first solution.
    #[inline(always)]
    pub fn first_is_enough(&self) -> bool {
        !self.exhaustive
    }
}
