//! The state of an iterative-deepening search, as data from which another process can continue.
//!
//! The idea: the subtrees of a tree are numbered in the order of the search, and threads take them in this order. At
//! intervals they begin no further one until all those begun are finished. Then exactly the first subtrees are
//! finished, and the state consists of the complete iterations, the tree's [`Partition`] and the [`Outcome`] so far.
//! Between two bounds there is no current tree, and the next bound begins from the same state.
//!
//! Invariant: a search that resumes splits the tree as the search that wrote the state did, and searches the remaining
//! subtrees. So its answer and the counts of its complete iterations are those of an uninterrupted search, on any
//! number of threads and in any number of processes.
//!
//! Cost: each time the state is saved, the threads wait for the last one to finish its subtree. So a search that saves
//! its state splits long iterations into more subtrees ([`enough`]).

use super::bounds::Bounds;
use super::branch_depths::BranchDepths;
use super::counts::{Counts, MOST_NODES, MOST_STEP};
use super::distributed::{Choice, TreeSearch};
use super::operators::Operators;
use super::partition::{MOST_SUBTREES, Outcome, Partition};
use super::stop::Leave;
use super::{Config, Incumbent, Order, Wanted};
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
    /// The interval at which the search saves its state. A search that is stopped saves its state if at least a sixth
    /// of the interval has passed since the last save.
    fn pause(&self) -> Duration;
    /// Saves the state in place of the last one.
    fn keep(&self, state: &SearchState);
}

/// The state of a search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchState {
    /// The complete iterations.
    pub iterations: Vec<Iteration>,
    /// The lower bound: every solution not yet found has at least this many moves. This is the current bound, if there
    /// is one.
    pub bound: u32,
    /// The solutions of the complete iterations, if longer ones are wanted too.
    pub(super) solutions: Vec<Operators>,
    /// The last bound that made a choice, and its choice.
    pub(super) last: Option<(u32, Choice)>,
    /// The depths that the last iteration reached in its branches.
    pub(super) depths: BranchDepths,
    /// The current bound.
    pub(super) part: Option<BoundProgress>,
    /// The current tree.
    pub(super) tree: Option<TreeProgress>,
    /// The best known solution, longer than those of the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) incumbent: Option<Operators>,
    /// The nodes of the last use of a quicker method, or 0.
    #[serde(default)]
    pub(super) looked: u64,
}

/// The finished trees of the current bound.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct BoundProgress {
    pub choice: Choice,
    /// The number of trees, and of finished trees.
    pub trees: usize,
    pub done: usize,
    /// Counts, solutions and seconds of the finished trees.
    counts: Counts,
    solutions: Vec<Operators>,
    seconds: f64,
    /// The greatest number of stages of any tree's heuristic.
    stages: usize,
}

/// The current tree: its partition, and the outcome of its first subtrees.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct TreeProgress {
    pub partition: Partition,
    pub outcome: Outcome,
}

impl TreeProgress {
    /// A tree of which no subtree has been searched; splitting it took `seconds`.
    pub(super) fn new(partition: Partition, seconds: f64) -> TreeProgress {
        let outcome = Outcome { bound: partition.bound, seconds, ..Outcome::default() };
        TreeProgress { partition, outcome }
    }
}

impl SearchState {
    /// The state before the first bound.
    pub fn begin(search: &(impl TreeSearch + ?Sized)) -> SearchState {
        SearchState::before(search.least(0))
    }

    /// The state of a search whose first bound is `bound`, before that bound.
    pub fn before(bound: u32) -> SearchState {
        SearchState { bound, ..SearchState::default() }
    }

    /// The current bound, or the next one.
    pub fn next_bound(&self, search: &(impl TreeSearch + ?Sized)) -> u32 {
        search.least(self.bound)
    }

    /// The state before the current bound began.
    #[must_use]
    pub(super) fn between_bounds(self) -> SearchState {
        SearchState { part: None, tree: None, ..self }
    }

    /// Whether a search whose first bound is `least` can have written this state: bounds rise by no more than a
    /// heuristic value, and no sum of counts overflows. (Some forged states pass this test.)
    pub(super) fn is_plausible(&self, least: u32) -> bool {
        let mut bounds = self.iterations.iter().map(|iteration| iteration.bound).chain([self.bound]);
        let first =
            bounds.next().is_some_and(|first| first.checked_sub(least).is_some_and(|by| by <= MOST_STEP));
        let all = self.iterations.iter().map(|iteration| iteration.bound);
        let rise = all.zip(bounds).all(|(one, next)| next > one && next - one <= MOST_STEP);
        let counts = self.iterations.iter().all(has_plausible_counts);
        let part = self.part.as_ref().is_none_or(|part| part.counts.is_plausible() && part.done < part.trees);
        let tree = self.tree.as_ref().is_none_or(|tree| {
            tree.partition.above.is_plausible() && tree.outcome.counts.is_plausible() && self.part.is_some()
        });
        first && rise && counts && part && tree && self.iterations.len() <= MOST_STEP as usize
    }

    /// The best known solution, if the search has an incumbent. If the state comes from a file, it may be wrong.
    pub fn incumbent(&self) -> Option<Vec<Op>> {
        self.incumbent.as_ref().map(Operators::to_ops)
    }

    /// The same state with a known solution. The caller guarantees that the operators solve the instance.
    #[must_use]
    pub fn with_incumbent(self, solution: &[Op]) -> SearchState {
        SearchState { incumbent: Some(solution.into()), ..self }
    }

    /// The solutions so far. If the state comes from a file, they may be wrong, and their operators may not be
    /// applicable.
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

/// A running search: the loop over its bounds, and the current bound.
pub(super) struct ActiveSearch {
    pub bounds: Bounds,
    pub part: Option<BoundProgress>,
    pub tree: Option<TreeProgress>,
    /// Of a search for one solution, that of each tree that was searched.
    pub solutions: Vec<Operators>,
    pub last: Option<(u32, Choice)>,
    pub depths: BranchDepths,
    /// The nodes of the last use of a quicker method, or 0.
    pub looked: u64,
    incumbent: Option<Incumbent>,
    wanted: Wanted,
    order: Order,
    any_solution: bool,
    /// Whether every iteration is completed.
    pub exhaustive: bool,
}

impl ActiveSearch {
    /// A search that continues from `state`.
    pub(super) fn of(state: SearchState, config: &Config) -> ActiveSearch {
        let SearchState { iterations, bound, solutions, last, depths, part, tree, incumbent: known, looked } =
            state;
        let incumbent = config.incumbent.clone().or_else(|| known.is_some().then(Incumbent::new));
        if let (Some(incumbent), Some(known)) = (&incumbent, &known) {
            incumbent.offer(&known.to_ops());
        }
        let config = &config.clone().incumbent(incumbent.clone());
        let mut bounds = Bounds::new(bound, Lengths::ANY).with_config(config).with_incumbent(config);
        bounds.resume(iterations, bound);
        solutions.iter().for_each(|path| bounds.found(path.to_ops().len() as u32));
        let Config { wanted, order, any_solution, .. } = *config;
        let exhaustive = wanted != Wanted::First || config.full_last_iteration;
        ActiveSearch {
            bounds,
            part,
            tree,
            solutions,
            last,
            depths,
            looked,
            incumbent,
            wanted,
            order,
            any_solution,
            exhaustive,
        }
    }

    /// The state of the search.
    pub(super) fn state(&self) -> SearchState {
        SearchState {
            iterations: self.bounds.iterations().to_vec(),
            bound: self.bounds.lower_bound(),
            solutions: self.solutions.clone(),
            last: self.last.clone(),
            depths: self.depths.clone(),
            part: self.part.clone(),
            tree: self.tree.clone(),
            incumbent: self
                .incumbent
                .as_ref()
                .and_then(Incumbent::best)
                .map(|best| (&best.solution[..]).into()),
            looked: self.looked,
        }
    }

    /// The number of nodes that all bounds have generated, the current one included.
    pub(super) fn generated(&self) -> u64 {
        let before = self.bounds.iterations().iter().map(|iteration| iteration.generated);
        let part = self.part.iter().map(|part| part.counts.generated);
        let tree = self.tree.iter();
        let tree = tree.map(|tree| tree.partition.above.generated + tree.outcome.counts.generated);
        before.chain(part).chain(tree).sum()
    }

    /// The length of the best known solution.
    pub(super) fn upper_bound(&self) -> Option<u32> {
        self.incumbent.as_ref().and_then(Incumbent::upper_bound)
    }

    /// The reason to leave subtrees of the current bound before they are finished.
    pub(super) fn leave(&self) -> Leave {
        if self.exhaustive {
            return Leave::Never;
        }
        match self.bounds.enough() {
            None if !self.any_solution => Leave::Earlier,
            enough => Leave::Any(enough.map(|(incumbent, length)| (incumbent.clone(), length))),
        }
    }

    /// Begins a bound.
    pub(super) fn begin_bound(&mut self, choice: Choice, trees: usize) {
        self.part = Some(BoundProgress { choice, trees, ..BoundProgress::default() });
    }

    /// Whether the branches in which the last bound went deepest come first. A union searches each of its trees in the
    /// order of the operators.
    pub(super) fn orders_branches(&self) -> bool {
        let is_one = self.part.as_ref().is_none_or(|part| part.trees == 1);
        self.order == Order::Deepest && !self.exhaustive && is_one
    }

    /// Skips a tree whose solutions have at least `least` moves, more than the bound.
    pub(super) fn skip_tree(&mut self, least: u32) {
        let Some(part) = &mut self.part else { return };
        part.done += 1;
        part.counts.least_excess = part.counts.least_excess.min(least - self.bounds.lower_bound());
    }

    /// Ends the current tree, finished or not.
    pub(super) fn close_tree(&mut self) {
        let (Some(part), Some(TreeProgress { partition, outcome })) = (&mut self.part, self.tree.take())
        else {
            return;
        };
        part.done += 1;
        part.counts.add(&partition.above);
        part.counts.add(&outcome.counts);
        let wanted = if self.wanted == Wanted::First { 1 } else { usize::MAX };
        part.solutions.extend(outcome.solutions.into_iter().take(wanted));
        if partition.is_solved {
            part.solutions.push(Operators::default());
        }
        part.seconds += outcome.seconds;
        part.stages = part.stages.max(partition.stages);
        if self.orders_branches() {
            self.depths = outcome.depths;
        }
    }

    /// Whether the current bound is finished.
    pub(super) fn is_bound_done(&self) -> bool {
        let is_done =
            |part: &BoundProgress| part.done == part.trees || !self.exhaustive && !part.solutions.is_empty();
        self.tree.is_none() && self.part.as_ref().is_some_and(is_done)
    }

    /// Ends the current bound and returns its record.
    pub(super) fn close_bound(&mut self, is_cancelled: bool) -> Option<Iteration> {
        let orders_branches = self.orders_branches();
        let BoundProgress { choice, counts, solutions, seconds, stages, .. } = self.part.take()?;
        let bound = self.bounds.lower_bound();
        let complete = !is_cancelled && (self.exhaustive || solutions.is_empty());
        if complete && orders_branches {
            self.depths = BranchDepths::merged([&self.depths].into_iter(), counts.generated);
        }
        let iteration = counts.iteration(bound, stages, seconds, complete);
        for path in solutions {
            let ops = path.to_ops();
            self.bounds.found(ops.len() as u32);
            if let Some(incumbent) = &self.incumbent {
                incumbent.offer(&ops);
            }
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

    /// The state before the cancelled bound.
    pub(super) fn into_complete(self) -> SearchState {
        let mut state = self.state().between_bounds();
        state.iterations.retain(|iteration| iteration.bound < state.bound);
        state
    }

    /// The report of the search.
    pub(super) fn report(self, is_cancelled: bool) -> Report<Vec<Op>> {
        let solutions = self.solutions.iter().map(Operators::to_ops).collect();
        self.bounds.report_ops(solutions, is_cancelled)
    }
}

/// In a long iteration, the number of nodes per subtree: about a tenth of a second of work.
const NODES_PER_SUBTREE: u64 = 1 << 20;

/// The number of subtrees at which splitting stops: at least `least` for the threads, more if many `nodes` are
/// expected.
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
    fn states_with_impossible_bounds_are_implausible() {
        assert!(state(&[], 12).is_plausible(12));
        assert!(state(&[12, 14, 15], 20).is_plausible(12));
        for (bounds, bound) in
            [(&[][..], 11), (&[], u32::MAX), (&[12], 12), (&[14, 13], 20), (&[12], 600), (&[11], 12)]
        {
            assert!(!state(bounds, bound).is_plausible(12), "{bounds:?}, {bound}");
        }
    }

    #[test]
    fn a_current_bound_without_an_unfinished_tree_is_implausible() {
        let with = |part, tree| SearchState { part, tree, ..state(&[12], 14) };
        let part = |done| Some(BoundProgress { trees: 2, done, ..BoundProgress::default() });
        let tree = Some(TreeProgress::default());
        assert!(with(part(1), None).is_plausible(12) && with(part(0), tree.clone()).is_plausible(12));
        assert!(!with(part(2), None).is_plausible(12) && !with(None, tree).is_plausible(12));
    }

    #[test]
    fn counts_whose_sum_overflows_are_implausible() {
        let mut one = state(&[12], 14);
        one.iterations[0].generated = u64::MAX;
        assert!(!one.is_plausible(12));
        let many = Counts { pruned_by_fsm: u64::MAX, ..Counts::default() };
        let far = Counts { least_excess: u32::MAX - 1, ..Counts::default() };
        for counts in [many, far] {
            let part = BoundProgress { trees: 1, ..BoundProgress::default() };
            let tree = |above, counts| TreeProgress {
                partition: Partition { above, ..Partition::default() },
                outcome: Outcome { counts, ..Outcome::default() },
            };
            let none = Counts::default();
            let parts = [
                (BoundProgress { counts, ..part.clone() }, tree(none, none)),
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
