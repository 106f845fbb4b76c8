//! Checkpoints: what a search has done so far, so that another process can continue it.
//!
//! The idea: the subtrees of an iteration are numbered in the order of the search, and threads take them
//! in this order. Now and then they take no further one until all that were begun are finished. Then
//! exactly the first so many subtrees are done, and a checkpoint is the complete iterations, this number
//! and what those subtrees brought back.
//!
//! Invariant: a search that continues from a checkpoint splits the tree as the search that wrote it did, and
//! searches the subtrees that are not done. So its answer, and the counts of its complete iterations, are
//! those of a search that was never stopped, on any number of threads.
//!
//! Cost: at each checkpoint threads wait for the one that finishes last. So a search that keeps checkpoints
//! cuts long iterations into more subtrees ([`enough`]).

use super::counts::{MOST_NODES, MOST_STEP};
use super::cut::{Cut, MOST_SUBTREES, Outcome};
use super::operators::Operators;
use crate::record::Iteration;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::time::Duration;

/// Where a search keeps its checkpoint.
pub trait Checkpoints: Debug + Send + Sync {
    /// The checkpoint that an earlier run of the same search left: the same start, heuristic, automaton
    /// and configuration, by the same version of the program.
    fn resume(&self) -> Option<Checkpoint>;
    /// How long to search between two checkpoints.
    fn pause(&self) -> Duration;
    /// How long a search must have worked since its last checkpoint to keep one when it is stopped.
    fn worth(&self) -> Duration {
        self.pause() / 6
    }
    /// Keeps a checkpoint in place of the last one.
    fn keep(&self, checkpoint: &Checkpoint);
}

/// What a search has done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The complete iterations.
    pub iterations: Vec<Iteration>,
    /// The solutions that they found, if longer ones are wanted too.
    pub solutions: Vec<Operators>,
    /// The bound of the next iteration.
    pub bound: u32,
    /// What is done of it.
    pub part: Part,
    /// Where each bound takes several searches: what those have done that are over. The part is of the next one.
    pub earlier: Option<Earlier>,
}

impl Checkpoint {
    /// Whether a search whose first bound is `least` can have written this: each bound is greater than the one
    /// before by no more than a heuristic can say, and no sum of counts overflows. (What only a forger
    /// would write passes too.)
    pub fn is_plausible(&self, least: u32) -> bool {
        let mut bounds = self.iterations.iter().map(|iteration| iteration.bound).chain([self.bound]);
        let first =
            bounds.next().is_some_and(|first| first.checked_sub(least).is_some_and(|by| by <= MOST_STEP));
        let all = self.iterations.iter().map(|iteration| iteration.bound);
        let rise = all.zip(bounds).all(|(one, next)| next > one && next - one <= MOST_STEP);
        let counts = self.iterations.iter().all(has_plausible_counts);
        let earlier = self.earlier.as_ref().is_none_or(|earlier| {
            let next = earlier.next.is_none_or(|next| next > self.bound && next - self.bound <= MOST_STEP);
            next && earlier.iteration.bound == self.bound && has_plausible_counts(&earlier.iteration)
        });
        let part = self.part.cut.above.is_plausible() && self.part.outcome.counts.is_plausible();
        first && rise && counts && earlier && part && self.iterations.len() <= MOST_STEP as usize
    }
}

fn has_plausible_counts(iteration: &Iteration) -> bool {
    let Iteration { generated, expanded, pruned_by_heuristic, pruned_by_fsm, .. } = *iteration;
    [generated, expanded, pruned_by_heuristic, pruned_by_fsm].iter().all(|&count| count <= MOST_NODES)
}

/// What is done of a bound that takes several searches, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Earlier {
    /// The number of searches that are over.
    pub done: usize,
    /// Their counts together.
    pub iteration: Iteration,
    /// The next bound, as far as they know; none if none of them needs one.
    pub next: Option<u32>,
}

/// What is done of an iteration: its first subtrees.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Part {
    pub(super) cut: Cut,
    pub(super) outcome: Outcome,
}

/// The number of subtrees of a long iteration per so many nodes: about a tenth of a second of work each.
const NODES_PER_SUBTREE: u64 = 1 << 20;
/// The number of subtrees at which splitting stops, where `least` are enough for the threads and so many nodes
/// are expected.
pub(super) fn enough(least: usize, nodes: f64) -> usize {
    least.max(((nodes / NODES_PER_SUBTREE as f64) as usize).min(MOST_SUBTREES))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ida::counts::Counts;

    fn checkpoint(bounds: &[u32], bound: u32) -> Checkpoint {
        let iteration = |&bound: &u32| Iteration { bound, ..Iteration::default() };
        Checkpoint { iterations: bounds.iter().map(iteration).collect(), bound, ..Checkpoint::default() }
    }

    #[test]
    fn bounds_rise_from_the_least_in_steps_that_a_heuristic_can_say() {
        assert!(checkpoint(&[], 12).is_plausible(12));
        assert!(checkpoint(&[12, 14, 15], 20).is_plausible(12));
        for (bounds, bound) in
            [(&[][..], 11), (&[], u32::MAX), (&[12], 12), (&[14, 13], 20), (&[12], 600), (&[11], 12)]
        {
            assert!(!checkpoint(bounds, bound).is_plausible(12), "{bounds:?}, {bound}");
        }
    }

    #[test]
    fn earlier_searches_are_of_the_bound_and_ask_for_a_greater_one() {
        let is_plausible = |of: u32, next| {
            let earlier =
                Earlier { done: 1, iteration: Iteration { bound: of, ..Iteration::default() }, next };
            Checkpoint { earlier: Some(earlier), ..checkpoint(&[12], 14) }.is_plausible(12)
        };
        assert!(is_plausible(14, None) && is_plausible(14, Some(15)));
        assert!(
            !is_plausible(13, None)
                && !is_plausible(14, Some(14))
                && !is_plausible(14, Some(14 + MOST_STEP + 1))
        );
    }

    #[test]
    fn no_sum_of_counts_overflows() {
        let mut one = checkpoint(&[12], 14);
        one.iterations[0].generated = u64::MAX;
        assert!(!one.is_plausible(12));
        let mut other = checkpoint(&[12], 14);
        other.part.outcome.counts.pruned_by_fsm = u64::MAX;
        assert!(!other.is_plausible(12));
        other.part.outcome.counts = Counts { least_excess: u32::MAX - 1, ..Counts::default() };
        assert!(!other.is_plausible(12));
        let iteration = Iteration { bound: 14, generated: u64::MAX, ..Iteration::default() };
        let third = Checkpoint {
            earlier: Some(Earlier { iteration, ..Earlier::default() }),
            ..checkpoint(&[12], 14)
        };
        assert!(!third.is_plausible(12));
    }
}
