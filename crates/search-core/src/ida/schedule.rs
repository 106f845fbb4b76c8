//! When a quicker method looks for solutions beside a search.
//!
//! The idea: a method such as a beam search finds better solutions the more nodes it generates. It is tried with sizes that
//! grow by a constant factor. The search that proves the optimum pauses for each size as soon as it has generated a
//! given multiple of it, also in the middle of a bound, so all sizes together take a small part of the time. If a
//! solution is wanted soon, the first size comes before the search or soon after its beginning.
//!
//! Invariant: the sizes are fixed, and they follow from counts of nodes, never from time. So a method that depends on
//! its size alone finds the same solutions in each run. Threads finish the subtrees that they have begun before the
//! search pauses, so the counts of complete iterations stay the same.

/// The factor between two sizes.
const LARGER: u64 = 4;
/// The least size, unless a schedule has another one.
const LEAST: u64 = 1 << 16;

/// The sizes of a quicker method, and the nodes of the search after which they come.
///
/// ```
/// use search_core::ida::Schedule;
///
/// let schedule = Schedule::share(10).least(100);
/// assert_eq!((schedule.due(999, 0), schedule.due(1000, 0)), (None, Some(100)));
/// // The next size is 400.
/// assert_eq!((schedule.due(3999, 100), schedule.due(4000, 100)), (None, Some(400)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    share: u64,
    least: u64,
    early: Option<Early>,
    first: Option<First>,
}

/// Another share for small sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Early {
    share: u64,
    most: u64,
}

/// A first size that does not wait for its share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct First {
    size: u64,
    after: u64,
}

impl Schedule {
    /// The method generates one node for every `share` nodes of the search.
    pub fn share(share: u64) -> Schedule {
        Schedule { share, least: LEAST, early: None, first: None }
    }

    /// Sets the least size.
    #[must_use]
    pub fn least(self, least: u64) -> Schedule {
        Schedule { least: least.max(1), ..self }
    }

    /// Sets another share for sizes of at most `most` nodes.
    #[must_use]
    pub fn early(self, share: u64, most: u64) -> Schedule {
        Schedule { early: Some(Early { share, most }), ..self }
    }

    /// Begins with `size` nodes, when the search has generated `after` nodes.
    #[must_use]
    pub fn first(self, size: u64, after: u64) -> Schedule {
        Schedule { first: Some(First { size: size.max(1), after }), ..self }
    }

    /// The size that is due after `nodes` nodes of the search, the largest one if several are. `last` is the size that
    /// came last, or 0.
    pub fn due(&self, nodes: u64, last: u64) -> Option<u64> {
        let sizes = std::iter::successors(Some(self.next(last)), |&size| Some(self.next(size)));
        sizes.take_while(|&size| self.after(size) <= nodes).last()
    }

    /// The nodes of the search after which the size that follows `last` is due.
    pub(super) fn wait(&self, last: u64) -> u64 {
        self.after(self.next(last))
    }

    /// The size after `last`.
    pub(super) fn next(&self, last: u64) -> u64 {
        match (last, self.first) {
            (0, Some(First { size, .. })) => size,
            _ => last.saturating_mul(LARGER).max(self.least),
        }
    }

    /// The nodes of the search after which a size is due.
    fn after(&self, size: u64) -> u64 {
        if let Some(first) = self.first.filter(|first| size <= first.size) {
            return first.after;
        }
        let early = self.early.filter(|early| size <= early.most).map(|early| early.share);
        // No search generates `u64::MAX` nodes, so a size that saturates is never due.
        size.saturating_mul(early.unwrap_or(self.share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_grow_with_the_search() {
        let schedule = Schedule::share(48);
        assert_eq!(schedule.wait(0), 48 * LEAST);
        assert_eq!(schedule.due(48 * LEAST - 1, 0), None);
        assert_eq!(schedule.due(48 * LEAST, 0), Some(LEAST));
        // Of several sizes the largest one.
        assert_eq!(schedule.due(1_000_000_000, 0), Some(LEAST << 8));
        assert_eq!(schedule.due(1_000_000_000, LEAST << 8), None);
        assert_eq!(schedule.due(u64::MAX - 1, 0), schedule.due(u64::MAX - 1, LEAST));
    }

    #[test]
    fn a_first_size_and_a_greater_share_come_earlier() {
        let schedule = Schedule::share(48).early(2, 1 << 24).first(1 << 20, 1000);
        assert_eq!((schedule.due(999, 0), schedule.due(1000, 0)), (None, Some(1 << 20)));
        assert_eq!(
            (schedule.wait(0), schedule.wait(1 << 20), schedule.wait(1 << 24)),
            (1000, 1 << 23, 48 << 26)
        );
        let now = Schedule::share(16).first(1 << 20, 0);
        assert_eq!((now.due(0, 0), now.due(0, 1 << 20)), (Some(1 << 20), None));
    }
}
