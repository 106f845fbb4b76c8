//! Searches in the order of their expected nodes, within a budget of time.
//!
//! The order depends on node counts alone, so it is the same in each run; only the budget depends on the clock.
//!
//! ```
//! use search_core::queue::{Cost, Queue};
//!
//! let cost = |seconds| Cost { nodes: 1e7 * seconds, seconds };
//! let mut queue = Queue::new([("long", cost(50.0)), ("short", cost(2.0)), ("longer", cost(70.0))]);
//! assert_eq!(queue.next_within(60.0), Some("short"));
//! assert_eq!(queue.next_within(58.0), Some("long"));
//! assert_eq!(queue.next_within(10.0), None);
//! assert_eq!(queue.waiting().collect::<Vec<_>>(), [&("longer", cost(70.0))]);
//! ```

use std::collections::VecDeque;

/// The expected cost of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// The number of nodes that it expands.
    pub nodes: f64,
    /// The time that it takes.
    pub seconds: f64,
}

/// Pieces of work with their expected costs, those with the fewest nodes first.
#[derive(Clone, Debug, PartialEq)]
pub struct Queue<T>(VecDeque<(T, Cost)>);

impl<T> Queue<T> {
    /// The queue of some pieces of work. Pieces with equally many nodes stay in their order.
    pub fn new(work: impl IntoIterator<Item = (T, Cost)>) -> Queue<T> {
        let mut work: Vec<(T, Cost)> = work.into_iter().collect();
        work.sort_by(|(_, a), (_, b)| a.nodes.total_cmp(&b.nodes));
        Queue(work.into())
    }

    /// Removes and returns the first piece, if it is expected to end within `left` seconds. All others are expected to
    /// expand at least as many nodes.
    pub fn next_within(&mut self, left: f64) -> Option<T> {
        self.0.pop_front_if(|(_, cost)| cost.seconds <= left).map(|(piece, _)| piece)
    }

    /// The pieces that were not removed, those with the fewest nodes first.
    pub fn waiting(&self) -> impl Iterator<Item = &(T, Cost)> {
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
    fn pieces_come_in_the_order_of_their_nodes_while_the_budget_lasts() {
        let cost = |nodes, seconds| Cost { nodes, seconds };
        let work =
            [('a', cost(30.0, 2.0)), ('b', cost(10.0, 3.0)), ('c', cost(40.0, 4.0)), ('d', cost(10.0, 1.0))];
        let mut queue = Queue::new(work);
        let taken: Vec<_> = std::iter::from_fn(|| queue.next_within(3.0)).collect();
        assert_eq!(taken, ['b', 'd', 'a']);
        assert!(!queue.is_empty());
        assert_eq!(queue.next_within(f64::INFINITY), Some('c'));
        assert!(queue.is_empty() && queue.waiting().next().is_none());
    }
}
