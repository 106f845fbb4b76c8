//! Collecting the outcomes of an iteration.

use super::super::counts::Counts;
use super::super::partition::{Outcome, Partition};
use crate::domain::Op;
use crate::record::Iteration;
use std::ops::Range;

/// The outcomes of an iteration that have arrived.
#[derive(Clone, Debug)]
pub struct Outcomes {
    partition: Partition,
    /// Whether a solution of any unit ends the iteration, so that those of earlier units need not arrive.
    any_solution: bool,
    /// In the order of their items, which are disjoint.
    outcomes: Vec<Outcome>,
}

/// How an iteration ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// With this solution. If the outcome comes from a file, check that each operator is applicable.
    Solved(Vec<Op>),
    /// Without one: every solution is longer than the bound by at least this; `None` when there is none.
    Longer(Option<u32>),
}

impl Outcomes {
    /// Creates a collection without outcomes.
    pub fn new(partition: Partition) -> Outcomes {
        Outcomes { partition, any_solution: false, outcomes: Vec::new() }
    }

    /// The same collection, where a solution of any unit ends the iteration.
    pub(super) fn any_solution(self, any_solution: bool) -> Outcomes {
        Outcomes { any_solution, ..self }
    }

    /// Adds the outcome of a unit. Returns `false`, and ignores it, if it has another bound, is implausible, or
    /// overlaps outcomes already collected.
    pub fn add(&mut self, outcome: Outcome) -> bool {
        let Range { start, end } = outcome.items;
        let is_ours = outcome.bound == self.partition.bound && start < end && end <= self.partition.subtrees;
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

    /// How the iteration ended, once known: with a solution if all earlier items are present or any solution will do, or
    /// without one if all items are present.
    pub fn step(&self) -> Option<Step> {
        if self.partition.is_solved {
            return Some(Step::Solved(Vec::new()));
        }
        let any = self.outcomes.iter().find_map(|outcome| outcome.solutions.first());
        if let Some(solution) = any.filter(|_| self.any_solution) {
            return Some(Step::Solved(solution.to_ops()));
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
        (reached == self.partition.subtrees).then_some(Step::Longer((excess != u32::MAX).then_some(excess)))
    }

    /// The record of the iteration so far. Seconds are the sum over the units.
    pub fn iteration(&self) -> Iteration {
        let seconds = self.outcomes.iter().map(|outcome| outcome.seconds).sum();
        let complete = matches!(self.step(), Some(Step::Longer(_)));
        self.counts().iteration(self.partition.bound, self.partition.stages, seconds, complete)
    }

    /// Counts of the subtrees and of the levels above them.
    fn counts(&self) -> Counts {
        let mut counts = self.partition.above;
        self.outcomes.iter().for_each(|outcome| counts.add(&outcome.counts));
        counts
    }

    /// Merges all outcomes, with the first solution present.
    pub(super) fn outcome(&self) -> Outcome {
        let mut all = Outcome { bound: self.partition.bound, ..Outcome::default() };
        self.outcomes.iter().for_each(|outcome| all.extend(outcome.clone()));
        all
    }
}
