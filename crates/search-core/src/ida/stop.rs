//! Decides when a thread may leave a subtree.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of nodes that a thread expands between cancellation checks.
pub(super) const NODES_PER_CHECK: u32 = 1 << 12;

/// The state shared by the threads that decides when one may leave a subtree.
pub(super) struct Stop {
    /// Whether every subtree is searched completely.
    exhaustive: bool,
    /// The earliest subtree that holds a solution; later ones need not be searched.
    earliest: AtomicUsize,
}

impl Stop {
    pub(super) fn new(exhaustive: bool) -> Stop {
        Stop { exhaustive, earliest: AtomicUsize::new(usize::MAX) }
    }

    /// Whether the search of the subtree `subtree` may stop.
    #[inline(always)]
    pub(super) fn skips(&self, subtree: usize) -> bool {
        !self.exhaustive && self.earliest.load(Ordering::Relaxed) < subtree
    }

    /// Reports a solution in subtree `subtree`; later subtrees are skipped from now on.
    pub(super) fn found(&self, subtree: usize) {
        self.earliest.fetch_min(subtree, Ordering::Relaxed);
    }

    /// Whether a search may leave a subtree at its first solution.
    #[inline(always)]
    pub(super) fn first_is_enough(&self) -> bool {
        !self.exhaustive
    }
}
