//! The state of a search by iterative deepening, as data: what another process needs to continue it.
//!
//! The idea: the subtrees of a tree are numbered in the order of the search, and threads take them in this order. At
//! intervals they take no further one until all that were begun are finished. Then exactly the first subtrees are
//! done, and the state is the complete iterations, the cut of the tree ([`Cut`]) and the [`Outcome`] so far. Between
//! two bounds there is no tree at work, and the same state is what the next bound begins with.
//!
//! Invariant: a search that continues cuts the tree as the search that wrote the state did, and searches the subtrees
//! that are not done. So its answer, and the counts of its complete iterations, are those of a search that was never
//! stopped, on any number of threads, in any number of processes.
//!
//! Cost: at each saving threads wait for the one that finishes last. So a search that saves its state
//! cuts long iterations into more subtrees ([`enough`]).

use super::bounds::Bounds;
use super::branch_depths::BranchDepths;
use super::counts::{Counts, MOST_NODES, MOST_STEP};
use super::cut::{Cut, MOST_SUBTREES, Outcome};
use super::distributed::{Choice, TreeSearch};
use super::operators::Operators;
use super::{Config, Order, Wanted};
use crate::domain::{Lengths, Op};
use crate::record::{Iteration, Report};
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::time::Duration;

/// The place where a search saves its state.
pub trait Checkpoints: Debug + Send + Sync {
    /// Returns the state that an earlier run of the same search saved: the same start, heuristic, automaton
    /// and configuration, by the same version of the program.
    fn resume(&self) -> Option<SearchState>;
    /// The interval at which the search saves its state. A search that is stopped saves it if it has worked for a
    /// sixth of the interval since the last time.
    fn pause(&self) -> Duration;
    /// Saves the state in place of the last one.
    fn keep(&self, state: &SearchState);
}

/// The state of a search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchState {
    /// The complete iterations.
    pub iterations: Vec<Iteration>,
    /// Every solution that is not known has at least this many moves; the bound at work, if there is one.
    pub bound: u32,
    /// The solutions of the complete iterations, if longer ones are wanted too.
    pub(super) solutions: Vec<Operators>,
    /// The bound that chose what it read, and its choice.
    pub(super) last: Option<(u32, Choice)>,
    /// How deep the last iteration entered its branches.
    pub(super) depths: BranchDepths,
    /// The bound at work.
    pub(super) part: Option<Part>,
    /// The tree at work.
    pub(super) tree: Option<TreePart>,
}

/// A bound at work: its finished trees.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Part {
    pub choice: Choice,
    /// The number of trees, and of those that are finished.
    pub trees: usize,
    pub done: usize,
    /// Counts, solutions and seconds of the finished trees.
    counts: Counts,
    solutions: Vec<Operators>,
    seconds: f64,
    /// The greatest number of stages of a heuristic.
    stages: usize,
}

/// A tree at work: how it was cut, and the outcome of its first subtrees.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct TreePart {
    pub cut: Cut,
    pub outcome: Outcome,
}

impl TreePart {
    /// A tree of which nothing is searched yet; cutting it took `seconds`.
    pub fn new(cut: Cut, seconds: f64) -> TreePart {
        let outcome = Outcome { bound: cut.bound, seconds, ..Outcome::default() };
        TreePart { cut, outcome }
    }
}

impl SearchState {
    /// The state before the first bound.
    pub fn begin(search: &(impl TreeSearch + ?Sized)) -> SearchState {
        SearchState::before(search.least(0))
    }

    /// The state of a search before its first bound, which is `bound`.
    pub fn before(bound: u32) -> SearchState {
        SearchState { bound, ..SearchState::default() }
    }

    /// The next bound, or the one at work.
    pub fn next_bound(&self, search: &(impl TreeSearch + ?Sized)) -> u32 {
        search.least(self.bound)
    }

    /// The same state before the bound at work began.
    #[must_use]
    pub(super) fn between_bounds(self) -> SearchState {
        SearchState { part: None, tree: None, ..self }
    }

    /// Whether a search whose first bound is `least` can have written this: each bound exceeds the one
    /// before by no more than a heuristic can, and no sum of counts overflows. (Some forged states pass too.)
    pub(super) fn is_plausible(&self, least: u32) -> bool {
        let mut bounds = self.iterations.iter().map(|iteration| iteration.bound).chain([self.bound]);
        let first =
            bounds.next().is_some_and(|first| first.checked_sub(least).is_some_and(|by| by <= MOST_STEP));
        let all = self.iterations.iter().map(|iteration| iteration.bound);
        let rise = all.zip(bounds).all(|(one, next)| next > one && next - one <= MOST_STEP);
        let counts = self.iterations.iter().all(has_plausible_counts);
        let part = self.part.as_ref().is_none_or(|part| part.counts.is_plausible() && part.done < part.trees);
        let tree = self.tree.as_ref().is_none_or(|tree| {
            tree.cut.above.is_plausible() && tree.outcome.counts.is_plausible() && self.part.is_some()
        });
        first && rise && counts && part && tree && self.iterations.len() <= MOST_STEP as usize
    }

    /// The solutions so far. Those of a state from elsewhere may not be solutions: their operators may not even apply.
    pub fn solutions(&self) -> impl Iterator<Item = Vec<Op>> {
        let part = self.part.iter().flat_map(|part| &part.solutions);
        let tree = self.tree.iter().flat_map(|tree| &tree.outcome.solutions);
        self.solutions.iter().chain(part).chain(tree).map(Operators::to_ops)
    }
}

fn has_plausible_counts(iteration: &Iteration) -> bool {
    let Iteration { generated, expanded, pruned_by_heuristic, pruned_by_fsm, .. } = *iteration;
    [generated, expanded, pruned_by_heuristic, pruned_by_fsm].iter().all(|&count| count <= MOST_NODES)
}

/// A search between its states: the loop over its bounds, and the bound at work.
pub(super) struct Course {
    pub bounds: Bounds,
    pub part: Option<Part>,
    pub tree: Option<TreePart>,
    solutions: Vec<Operators>,
    pub last: Option<(u32, Choice)>,
    pub depths: BranchDepths,
    wanted: Wanted,
    order: Order,
    /// Every iteration is searched to its end.
    pub exhaustive: bool,
}

impl Course {
    /// Continues from a state.
    pub fn of(state: SearchState, config: &Config) -> Course {
        let SearchState { iterations, bound, solutions, last, depths, part, tree } = state;
        let mut bounds = Bounds::new(bound, Lengths::ANY).with_config(config);
        bounds.resume(iterations, bound);
        solutions.iter().for_each(|path| bounds.found(path.to_ops().len() as u32));
        let (wanted, order) = (config.wanted, config.order);
        let exhaustive = wanted != Wanted::First || config.full_last_iteration;
        Course { bounds, part, tree, solutions, last, depths, wanted, order, exhaustive }
    }

    /// The state of the search.
    pub fn state(&self) -> SearchState {
        SearchState {
            iterations: self.bounds.iterations().to_vec(),
            bound: self.bounds.lower_bound(),
            solutions: self.solutions.clone(),
            last: self.last.clone(),
            depths: self.depths.clone(),
            part: self.part.clone(),
            tree: self.tree.clone(),
        }
    }

    /// Begins a bound.
    pub fn begin_bound(&mut self, choice: Choice, trees: usize) {
        self.part = Some(Part { choice, trees, ..Part::default() });
    }

    /// Whether the branches that the last bound entered most deeply come first. A union searches each of its trees in
    /// the order of the operators.
    pub fn orders_branches(&self) -> bool {
        let is_one = self.part.as_ref().is_none_or(|part| part.trees == 1);
        self.order == Order::Deepest && !self.exhaustive && is_one
    }

    /// Skips a tree whose solutions have at least `least` moves, more than the bound.
    pub fn skip_tree(&mut self, least: u32) {
        let Some(part) = &mut self.part else { return };
        part.done += 1;
        part.counts.least_excess = part.counts.least_excess.min(least - self.bounds.lower_bound());
    }

    /// Ends the tree at work: it is finished, or the search leaves it.
    pub fn close_tree(&mut self) {
        let (Some(part), Some(TreePart { cut, outcome })) = (&mut self.part, self.tree.take()) else {
            return;
        };
        part.done += 1;
        part.counts.add(&cut.above);
        part.counts.add(&outcome.counts);
        part.solutions.extend(outcome.solutions);
        if cut.is_solved {
            part.solutions.push(Operators::default());
        }
        part.seconds += outcome.seconds;
        part.stages = part.stages.max(cut.stages);
        if self.orders_branches() {
            self.depths = outcome.depths;
        }
    }

    /// Whether the bound at work is finished.
    pub fn is_bound_done(&self) -> bool {
        let is_done = |part: &Part| part.done == part.trees || !self.exhaustive && !part.solutions.is_empty();
        self.tree.is_none() && self.part.as_ref().is_some_and(is_done)
    }

    /// Ends the bound at work, and returns its record.
    pub fn close_bound(&mut self, is_cancelled: bool) -> Option<Iteration> {
        let orders_branches = self.orders_branches();
        let Part { choice, counts, solutions, seconds, stages, .. } = self.part.take()?;
        let bound = self.bounds.lower_bound();
        let complete = !is_cancelled && (self.exhaustive || solutions.is_empty());
        if complete && orders_branches {
            self.depths = BranchDepths::merged([&self.depths].into_iter(), counts.generated);
        }
        let iteration = counts.iteration(bound, stages, seconds, complete);
        let wanted = if self.wanted == Wanted::First { 1 } else { usize::MAX };
        for path in solutions.into_iter().take(wanted) {
            self.bounds.found(path.to_ops().len() as u32);
            self.solutions.push(path);
        }
        if is_cancelled {
            self.bounds.cancelled(iteration.clone());
        } else {
            self.last = Some((bound, choice));
            let excess = counts.least_excess;
            let next = (excess != u32::MAX).then(|| bound.saturating_add(excess));
            self.bounds.searched(iteration.clone(), next);
        }
        Some(iteration)
    }

    /// The state before the bound that was cancelled.
    pub fn into_complete(self) -> SearchState {
        let mut state = self.state().between_bounds();
        state.iterations.retain(|iteration| iteration.bound < state.bound);
        state
    }

    /// How the search ended.
    pub fn report(self, is_cancelled: bool) -> Report<Vec<Op>> {
        let solutions = self.solutions.iter().map(Operators::to_ops).collect();
        self.bounds.report(solutions, is_cancelled)
    }
}

/// About a tenth of a second of work: a long iteration has one subtree for this many nodes.
const NODES_PER_SUBTREE: u64 = 1 << 20;

/// The number of subtrees at which splitting stops, where the threads need `least` and `nodes` nodes are expected.
pub(super) fn enough(least: usize, nodes: f64) -> usize {
    least.max(((nodes / NODES_PER_SUBTREE as f64) as usize).min(MOST_SUBTREES))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(bounds: &[u32], bound: u32) -> SearchState {
        let iteration = |&bound: &u32| Iteration { bound, ..Iteration::default() };
        SearchState { iterations: bounds.iter().map(iteration).collect(), bound, ..SearchState::default() }
    }

    #[test]
    fn bounds_rise_from_the_least_in_steps_that_a_heuristic_can_take() {
        assert!(state(&[], 12).is_plausible(12));
        assert!(state(&[12, 14, 15], 20).is_plausible(12));
        for (bounds, bound) in
            [(&[][..], 11), (&[], u32::MAX), (&[12], 12), (&[14, 13], 20), (&[12], 600), (&[11], 12)]
        {
            assert!(!state(bounds, bound).is_plausible(12), "{bounds:?}, {bound}");
        }
    }

    #[test]
    fn some_tree_of_a_bound_at_work_is_not_finished() {
        let with = |part, tree| SearchState { part, tree, ..state(&[12], 14) };
        let part = |done| Some(Part { trees: 2, done, ..Part::default() });
        let tree = Some(TreePart::default());
        assert!(with(part(1), None).is_plausible(12) && with(part(0), tree.clone()).is_plausible(12));
        assert!(!with(part(2), None).is_plausible(12) && !with(None, tree).is_plausible(12));
    }

    #[test]
    fn no_sum_of_counts_overflows() {
        let mut one = state(&[12], 14);
        one.iterations[0].generated = u64::MAX;
        assert!(!one.is_plausible(12));
        let many = Counts { pruned_by_fsm: u64::MAX, ..Counts::default() };
        let far = Counts { least_excess: u32::MAX - 1, ..Counts::default() };
        for counts in [many, far] {
            let part = Part { trees: 1, ..Part::default() };
            let tree = |above, counts| TreePart {
                cut: Cut { above, ..Cut::default() },
                outcome: Outcome { counts, ..Outcome::default() },
            };
            let none = Counts::default();
            let parts = [
                (Part { counts, ..part.clone() }, tree(none, none)),
                (part.clone(), tree(counts, none)),
                (part, tree(none, counts)),
            ];
            for (part, tree) in parts {
                assert!(
                    !SearchState { part: Some(part), tree: Some(tree), ..state(&[12], 14) }.is_plausible(12)
                );
            }
        }
    }
}
