//! Work in the order of its expected time, within a budget.
//!
//! ```
//! use search_core::queue::Queue;
//!
//! let mut queue = Queue::new([("long", 50.0), ("short", 2.0), ("longer", 70.0)]);
//! assert_eq!(queue.next_within(60.0), Some("short"));
//! assert_eq!(queue.next_within(58.0), Some("long"));
//! assert_eq!(queue.next_within(10.0), None);
//! assert_eq!(queue.waiting().collect::<Vec<_>>(), [&("longer", 70.0)]);
//! ```

use std::collections::VecDeque;

/// Pieces of work with the seconds that each is expected to take, the shortest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Queue<T>(VecDeque<(T, f64)>);

impl<T> Queue<T> {
    /// The queue of some pieces of work. Pieces with equal times stay in their order.
    pub fn new(work: impl IntoIterator<Item = (T, f64)>) -> Queue<T> {
        let mut work: Vec<(T, f64)> = work.into_iter().collect();
        work.sort_by(|(_, a), (_, b)| a.total_cmp(b));
        Queue(work.into())
    }

    /// Removes and returns the shortest piece, if it is expected to end within `left` seconds. All others are expected
    /// to take at least as long.
    pub fn next_within(&mut self, left: f64) -> Option<T> {
        self.0.pop_front_if(|(_, seconds)| *seconds <= left).map(|(piece, _)| piece)
    }

    /// The pieces that were not removed, the shortest first.
    pub fn waiting(&self) -> impl Iterator<Item = &(T, f64)> {
        self.0.iter()
    }

    /// Whether every piece was removed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_in_the_order_of_their_times_while_the_budget_lasts() {
        let mut queue = Queue::new([('a', 3.0), ('b', 1.0), ('c', f64::INFINITY), ('d', 1.0)]);
        let taken: Vec<_> = std::iter::from_fn(|| queue.next_within(3.0)).collect();
        assert_eq!(taken, ['b', 'd', 'a']);
        assert!(!queue.is_empty());
        assert_eq!(queue.next_within(f64::INFINITY), Some('c'));
        assert!(queue.is_empty() && queue.waiting().next().is_none());
    }
}
