//! The outcomes of an iteration, put together.

use super::super::counts::Counts;
use super::super::cut::{Cut, Outcome};
use crate::domain::Op;
use crate::record::Iteration;
use std::ops::Range;

/// The outcomes of an iteration, as far as they are there.
#[derive(Clone, Debug)]
pub struct Gathered {
    cut: Cut,
    /// In the order of their items, none of which is in two.
    outcomes: Vec<Outcome>,
}

/// How an iteration ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// With a solution, as the outcome says: whoever got that from elsewhere must check that each operator applies.
    Solved(Vec<Op>),
    /// Without one: every solution is longer than the bound by at least this; `None` when there is none.
    Longer(Option<u32>),
}

impl Gathered {
    /// Nothing yet.
    pub fn new(cut: Cut) -> Gathered {
        Gathered { cut, outcomes: Vec::new() }
    }

    /// Adds the outcome of a unit. Returns whether it belongs to the iteration: one of another bound or of
    /// items that are partly there already does not.
    pub fn add(&mut self, outcome: Outcome) -> bool {
        let Range { start, end } = outcome.items;
        let is_ours = outcome.bound == self.cut.bound && start < end && end <= self.cut.subtrees;
        if !is_ours || !outcome.counts.is_plausible() {
            return false;
        }
        let at = self.outcomes.partition_point(|other| other.items.start < start);
        let next = self.outcomes.get(at);
        if next.is_some_and(|next| next.items == outcome.items) {
            return true;
        }
        let before = at.checked_sub(1).map_or(0, |before| self.outcomes[before].items.end);
        let is_free = before <= start && next.is_none_or(|next| end <= next.items.start);
        if is_free {
            self.outcomes.insert(at, outcome);
        }
        is_free
    }

    /// How the iteration ended, once that is known: with a solution before which nothing is missing, or when all
    /// items are there.
    pub fn step(&self) -> Option<Step> {
        if self.cut.is_solved {
            return Some(Step::Solved(Vec::new()));
        }
        let mut reached = 0;
        for outcome in &self.outcomes {
            if outcome.items.start != reached {
                return None;
            }
            if let Some(solution) = outcome.solutions.first() {
                return Some(Step::Solved(solution.to_ops()));
            }
            reached = outcome.items.end;
        }
        let excess = self.counts().least_excess;
        (reached == self.cut.subtrees).then_some(Step::Longer((excess != u32::MAX).then_some(excess)))
    }

    /// The record of the iteration, as far as it is there. Seconds are the sum over the units.
    pub fn iteration(&self) -> Iteration {
        let seconds = self.outcomes.iter().map(|outcome| outcome.seconds).sum();
        let complete = matches!(self.step(), Some(Step::Longer(_)));
        self.counts().iteration(self.cut.bound, self.cut.stages, seconds, complete)
    }

    /// Counts of the subtrees and of the levels above them.
    fn counts(&self) -> Counts {
        let mut counts = self.cut.above;
        self.outcomes.iter().for_each(|outcome| counts.add(&outcome.counts));
        counts
    }

    /// All outcomes as one, with the first solution that is there.
    pub(super) fn outcome(&self) -> Outcome {
        let mut all = Outcome { bound: self.cut.bound, ..Outcome::default() };
        self.outcomes.iter().for_each(|outcome| all.extend(outcome.clone()));
        all
    }
}
