//! The best known solution of a search, shared with every method that looks for better ones.
//!
//! The idea: iterative deepening proves lower bounds; quicker methods find solutions, whose lengths are upper bounds.
//! All of them hold one [`Incumbent`]. As soon as the lower bound reaches the length of the incumbent, the incumbent is
//! a shortest solution, and the iteration that would find another one is not searched.
//!
//! Invariant: the length only falls, the lower bound only rises, and the length is that of the kept solution. An offer
//! may come from any thread at any time.
//!
//! Why no shortest solution is lost: the search ends early only if every shorter length has been excluded.
//!
//! Cost: one load for each check, a few thousand nodes apart.

use crate::domain::Op;
use crate::record::Best;
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The best known solution and the proved lower bound of one search. Clones share them.
///
/// ```
/// use search_core::Op;
/// use search_core::ida::Incumbent;
///
/// let incumbent = Incumbent::new();
/// assert!(incumbent.offer(&[Op::new(1); 5]) && !incumbent.offer(&[Op::new(0); 6]));
/// incumbent.raise(3);
/// assert_eq!((incumbent.lower_bound(), incumbent.upper_bound()), (3, Some(5)));
/// ```
#[derive(Clone, Default)]
pub struct Incumbent(Arc<Shared>);

/// Receives each better solution, and the lower bound at that time.
type Watch = dyn Fn(&Best<Vec<Op>>, u32) + Send + Sync;

#[derive(Default)]
struct Shared {
    lower: AtomicU32,
    best: Mutex<Option<Best<Vec<Op>>>>,
    /// The difference between `u32::MAX` and the length of the best solution; 0 if there is none.
    below: AtomicU32,
    watch: Option<Box<Watch>>,
}

impl Incumbent {
    /// No solution is known.
    pub fn new() -> Incumbent {
        Incumbent::default()
    }

    /// No solution is known. `watch` is called with each better solution and the lower bound proved by then, one call
    /// at a time.
    pub fn watched(watch: impl Fn(&Best<Vec<Op>>, u32) + Send + Sync + 'static) -> Incumbent {
        Incumbent(Arc::new(Shared { watch: Some(Box::new(watch)), ..Shared::default() }))
    }

    /// Keeps a solution if it is shorter than the best so far, and returns whether it is. The caller guarantees that
    /// the operators, each of unit cost, solve the instance.
    pub fn offer(&self, solution: &[Op]) -> bool {
        let Shared { lower, best, below, watch } = &*self.0;
        let mut best = best.lock().unwrap_or_else(PoisonError::into_inner);
        let length = solution.len() as u32;
        if best.as_ref().is_some_and(|best| best.length <= length) {
            return false;
        }
        let better = best.insert(Best { length, solution: solution.to_vec() });
        below.store(u32::MAX - length, Ordering::Relaxed);
        if let Some(watch) = watch {
            watch(better, lower.load(Ordering::Relaxed));
        }
        true
    }

    /// Raises the lower bound: no solution has fewer moves.
    pub fn raise(&self, lower_bound: u32) {
        self.0.lower.fetch_max(lower_bound, Ordering::Relaxed);
    }

    /// The best solution so far.
    pub fn best(&self) -> Option<Best<Vec<Op>>> {
        self.0.best.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The length of the best solution so far.
    pub fn upper_bound(&self) -> Option<u32> {
        let below = self.0.below.load(Ordering::Relaxed);
        (below > 0).then_some(u32::MAX - below)
    }

    /// The proved lower bound.
    pub fn lower_bound(&self) -> u32 {
        self.0.lower.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Incumbent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Incumbent({}..{:?})", self.lower_bound(), self.upper_bound())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ops(length: usize) -> Vec<Op> {
        vec![Op::new(2); length]
    }

    #[test]
    fn only_better_solutions_are_kept_and_reported() {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&seen);
        let incumbent =
            Incumbent::watched(move |best, lower| kept.lock().unwrap().push((best.length, lower)));
        assert_eq!((incumbent.upper_bound(), incumbent.best()), (None, None));
        let copy = incumbent.clone();
        assert!(copy.offer(&ops(9)) && !copy.offer(&ops(9)));
        copy.raise(4);
        copy.raise(3);
        assert!(incumbent.offer(&ops(7)) && !incumbent.offer(&ops(8)));
        assert_eq!(copy.best(), Some(Best { length: 7, solution: ops(7) }));
        assert_eq!((copy.upper_bound(), copy.lower_bound()), (Some(7), 4));
        assert_eq!(*seen.lock().unwrap(), [(9, 0), (7, 4)]);
    }
}
