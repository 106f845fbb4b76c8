//! Decides when a thread may leave a subtree.

use super::incumbent::Incumbent;
use std::sync::atomic::{AtomicUsize, Ordering};

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
}

impl Stop {
    pub(super) fn new(leave: Leave) -> Stop {
        let exhaustive = matches!(leave, Leave::Never);
        let (ends_all, enough) = match leave {
            Leave::Any(enough) => (true, enough),
            Leave::Earlier | Leave::Never => (false, None),
        };
        Stop { exhaustive, ends_all, enough, end: AtomicUsize::new(usize::MAX) }
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
}
