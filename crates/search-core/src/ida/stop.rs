//! Decides when a thread may leave a subtree.

use super::incumbent::Incumbent;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The number of nodes that a thread expands between cancellation checks.
pub(super) const NODES_PER_CHECK: u32 = 1 << 12;

/// The reason to leave subtrees before they are finished.
#[derive(Clone, Debug, Default)]
pub(super) enum Leave {
    /// A solution in an earlier subtree.
    #[default]
    Earlier,
    /// A solution in any subtree, or an incumbent of at most this length.
    Any(Option<(Incumbent, u32)>),
    /// None: every subtree is searched completely.
    Never,
}

/// The state shared by the threads that decides when one may leave a subtree.
pub(super) struct Stop {
    /// Whether every subtree is searched completely.
    exhaustive: bool,
    /// Whether a solution ends the search of earlier subtrees too.
    ends_all: bool,
    /// An incumbent of at most this length ends the search.
    enough: Option<(Incumbent, u32)>,
    /// The number of the first subtree that need not be searched.
    end: AtomicUsize,
    /// The nodes that the threads have reported.
    generated: AtomicU64,
    /// The number of nodes after which no further subtree begins.
    most: u64,
}

impl Stop {
    pub(super) fn new(leave: Leave) -> Stop {
        let exhaustive = matches!(leave, Leave::Never);
        let (ends_all, enough) = match leave {
            Leave::Any(enough) => (true, enough),
            Leave::Earlier | Leave::Never => (false, None),
        };
        let end = AtomicUsize::new(usize::MAX);
        Stop { exhaustive, ends_all, enough, end, generated: AtomicU64::new(0), most: u64::MAX }
    }

    /// Begins no further subtree after this many nodes.
    pub(super) fn pausing(self, nodes: Option<u64>) -> Stop {
        Stop { most: nodes.unwrap_or(u64::MAX), ..self }
    }

    /// Reports that a thread has generated `more` nodes.
    pub(super) fn generated(&self, more: u64) {
        self.generated.fetch_add(more, Ordering::Relaxed);
    }

    /// Whether no further subtree begins, because enough nodes are generated.
    pub(super) fn pauses(&self) -> bool {
        self.generated.load(Ordering::Relaxed) >= self.most
    }

    /// The number of the first subtree that need not be searched; the greatest number if all are searched completely.
    pub(super) fn end(&self) -> usize {
        if self.exhaustive { usize::MAX } else { self.end.load(Ordering::Relaxed) }
    }

    /// Whether the search of the subtree `subtree` may stop.
    #[inline(always)]
    pub(super) fn skips(&self, subtree: usize) -> bool {
        !self.exhaustive && self.end.load(Ordering::Relaxed) <= subtree
    }

    /// Reports a solution in subtree `subtree`; later subtrees are skipped from now on, or all.
    pub(super) fn found(&self, subtree: usize) {
        let end = if self.ends_all { 0 } else { subtree + 1 };
        self.end.fetch_min(end, Ordering::Relaxed);
    }

    /// Checks whether the incumbent ends the search; then all subtrees are skipped.
    #[cold]
    pub(super) fn check_incumbent(&self) {
        if let Some((incumbent, length)) = &self.enough
            && incumbent.upper_bound().is_some_and(|upper| upper <= *length)
        {
            self.end.store(0, Ordering::Relaxed);
        }
    }

    /// Whether a search may leave a subtree at its first solution.
    #[inline(always)]
    pub(super) fn first_is_enough(&self) -> bool {
        !self.exhaustive
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Op;

    fn skipped(stop: &Stop) -> Vec<usize> {
        (0..9).filter(|&subtree| stop.skips(subtree)).collect()
    }

    #[test]
    fn a_solution_ends_later_subtrees_or_all_or_none() {
        for (leave, expected) in [(Leave::Earlier, 5..9), (Leave::Any(None), 0..9), (Leave::Never, 9..9)] {
            let stop = Stop::new(leave);
            stop.check_incumbent();
            assert!(skipped(&stop).is_empty());
            stop.found(4);
            assert_eq!(skipped(&stop), expected.collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_incumbent_that_is_short_enough_ends_all_subtrees() {
        let incumbent = Incumbent::new();
        let stop = Stop::new(Leave::Any(Some((incumbent.clone(), 7))));
        for (length, expected) in [(8, 0..0), (7, 0..9)] {
            incumbent.offer(&vec![Op::new(0); length]);
            stop.check_incumbent();
            assert_eq!(skipped(&stop), expected.collect::<Vec<_>>());
        }
    }

    #[test]
    fn enough_nodes_pause_the_search() {
        let stop = Stop::new(Leave::Earlier).pausing(Some(100));
        for (more, pauses) in [(60, false), (39, false), (1, true)] {
            stop.generated(more);
            assert_eq!((stop.pauses(), skipped(&stop)), (pauses, Vec::new()));
        }
    }
}
