//! The partition of a bound's tree into numbered subtrees, and the outcome of searching some of them.
//!
//! The idea: every process that splits the tree of a bound in the same way numbers the subtrees alike. So a piece of
//! work is a range of these numbers, and its result is an [`Outcome`]; both are plain data. One process searches the
//! ranges in order, and its checkpoint is the outcome so far; many processes each search ranges of their own.
//!
//! Invariant: the counts of the levels above the subtrees ([`Partition`]) plus those of all outcomes are the counts of
//! the iteration, whatever the partition.

use super::Wanted;
use super::branch_depths::{BranchDepths, Branches, Order};
use super::counts::Counts;
use super::expander::Expander;
use super::operators::Operators;
use super::split::{refine, search_subtrees, split};
use super::subtree::{Node, Subtree, SubtreeOf};
use crate::clock::Instant;
use crate::domain::Domain;
use crate::heuristic::Heuristic;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The maximum number of subtrees, which limits their memory.
pub(super) const MOST_SUBTREES: usize = 1 << 17;

/// If the largest subtrees come first, the first `n` units together get a share of the subtrees proportional to this
/// power of `n`.
const RISE: u32 = 3;

/// The partition of an iteration's tree into subtrees, in search order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Partition {
    /// The bound.
    pub bound: u32,
    /// The number of subtrees.
    pub subtrees: usize,
    /// The number of subtrees that splitting did not find to be single nodes.
    pub(in crate::ida) open: usize,
    /// The number of branches at which splitting stopped, and their order.
    pub(in crate::ida) branches: usize,
    pub(in crate::ida) order: Order,
    /// The number of subtrees at which splitting stopped.
    pub(in crate::ida) enough: usize,
    /// Counts of the levels above the subtrees.
    pub(in crate::ida) above: Counts,
    /// The heuristic's number of stages.
    pub(in crate::ida) stages: usize,
    /// Whether the bound is 0 and the start is a goal.
    pub(in crate::ida) is_solved: bool,
}

impl Partition {
    /// Divides the subtrees among at most `units` units, in search order; one unit suffices if at most one subtree is
    /// more than a single node. If the deepest branches come first, so do the largest subtrees, and mostly the
    /// solution. Then the first units get the fewest subtrees, so that many workers share them.
    ///
    /// # Panics
    /// If `units` is 0.
    pub(crate) fn shares(&self, units: usize) -> Vec<Range<usize>> {
        assert!(units > 0, "at least one unit");
        if units == 1 || self.open < 2 {
            return vec![Range { start: 0, end: self.subtrees }];
        }
        let units = units.min(self.subtrees).max(1);
        let power = if self.order.is_plain() { 1 } else { RISE };
        let bound = |unit: usize| {
            let [all, number, of] = [self.subtrees, unit, units].map(|number| number as u128);
            let end = (all * number.pow(power) / of.pow(power)) as usize;
            // Every unit has a subtree.
            end.max(unit).min(self.subtrees)
        };
        (0..units).map(|unit| bound(unit)..bound(unit + 1)).collect()
    }
}

/// The result of searching consecutive subtrees of an iteration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The bound.
    pub(in crate::ida) bound: u32,
    pub(in crate::ida) items: Range<usize>,
    /// Counts of the subtrees.
    pub(in crate::ida) counts: Counts,
    /// The solutions in search order; only the first if one is wanted.
    pub(in crate::ida) solutions: Vec<Operators>,
    /// The depths reached in the branches, for the next iteration.
    pub(in crate::ida) depths: BranchDepths,
    pub(in crate::ida) seconds: f64,
}

impl Outcome {
    /// Whether it contains a solution.
    pub fn is_solved(&self) -> bool {
        !self.solutions.is_empty()
    }

    /// Searches `subtrees`, numbered from `first`, as [`AnyTree::search`](super::tree::AnyTree::search) does.
    pub(in crate::ida) fn of<D: Domain, H: Heuristic<D>>(
        expander: &Expander<'_, D, H>,
        bound: u32,
        subtrees: &[SubtreeOf<D, H>],
        first: usize,
        branches: &Branches,
        until: Option<Instant>,
        begun: &(dyn Fn(usize) + Sync),
    ) -> Outcome {
        let start = Instant::now();
        let (mut result, end) = search_subtrees(expander, subtrees, until, begun);
        result.reached.iter_mut().for_each(|(subtree, _)| *subtree += first);
        let solutions = result.found.iter().map(|found| Operators::from(&found.path[..]));
        let most = if expander.wanted == Wanted::First { 1 } else { usize::MAX };
        let solutions: Vec<_> = solutions.take(most).collect();
        // A solution usually makes this the last iteration, so depths are not needed.
        let depths =
            if solutions.is_empty() { branches.part(&result.reached) } else { BranchDepths::default() };
        Outcome {
            bound,
            items: first..first + end,
            counts: result.counts,
            solutions,
            depths,
            seconds: start.elapsed().as_secs_f64(),
        }
    }

    /// Extends the outcome to all of `items`: after a solution, the remaining subtrees need no search.
    pub(in crate::ida) fn with_items(self, items: Range<usize>) -> Outcome {
        Outcome { items, ..self }
    }

    /// Appends the outcome of the subtrees that follow.
    pub(in crate::ida) fn extend(&mut self, next: Outcome) {
        self.items.end = next.items.end;
        self.counts.add(&next.counts);
        self.solutions.extend(next.solutions);
        self.depths = BranchDepths::merged([&self.depths, &next.depths].into_iter(), 0);
        self.seconds += next.seconds;
    }
}

/// A partition, with its subtrees.
pub(super) struct PartitionedTree<D: Domain, H: Heuristic<D>> {
    pub partition: Partition,
    pub subtrees: Vec<SubtreeOf<D, H>>,
    pub branches: Branches,
}

impl<D: Domain, H: Heuristic<D>> PartitionedTree<D, H> {
    /// Splits the tree below `start` into at least `enough` subtrees if it is large enough. If the search may end at
    /// its first solution, `depths` gives the order of the branches; an iteration that is always completed has a single
    /// branch.
    pub(super) fn new(
        expander: &Expander<'_, D, H>,
        start: &D::State,
        bound: u32,
        enough: usize,
        depths: Option<&BranchDepths>,
    ) -> PartitionedTree<D, H> {
        let (branches, mut above) = (depths.map_or(0, BranchDepths::enough), Counts::default());
        let subtrees = Self::branches(expander, start, bound, branches, &mut above);
        let order = depths.map_or_else(Order::default, |depths| {
            depths.order(subtrees.iter().map(|subtree| &subtree.path[..]))
        });
        let subtrees = order.apply(subtrees).expect("an order of these branches");
        let partition = Partition {
            bound,
            branches,
            order,
            enough: enough.min(MOST_SUBTREES),
            above,
            stages: expander.heuristic.stages(),
            is_solved: bound == 0 && expander.domain.is_goal(start),
            ..Partition::default()
        };
        Self::divide(expander, subtrees, partition)
    }

    /// Splits the tree as `partition` describes.
    ///
    /// # Errors
    /// The number of branches or subtrees found, if the tree is a different one.
    pub(super) fn again(
        expander: &Expander<'_, D, H>,
        start: &D::State,
        partition: &Partition,
    ) -> Result<PartitionedTree<D, H>, usize> {
        let (mut above, branches) = (Counts::default(), partition.branches.min(MOST_SUBTREES));
        let subtrees = Self::branches(expander, start, partition.bound, branches, &mut above);
        let found = subtrees.len();
        let subtrees = partition.order.apply(subtrees).ok_or(found)?;
        let enough = partition.enough.min(MOST_SUBTREES);
        let is_solved = partition.bound == 0 && expander.domain.is_goal(start);
        let stages = expander.heuristic.stages();
        let partitioned = Self::divide(
            expander,
            subtrees,
            Partition { above, enough, stages, is_solved, ..partition.clone() },
        );
        // The heuristic may have different stages if it prunes the same nodes.
        let comparable =
            Partition { above: partition.above, stages: partition.stages, ..partitioned.partition.clone() };
        let is_same =
            comparable == *partition && partitioned.partition.above.are_of_the_same_nodes(&partition.above);
        if is_same { Ok(partitioned) } else { Err(partitioned.subtrees.len()) }
    }

    /// Splits the tree into branches, in the order of the operators.
    fn branches(
        expander: &Expander<'_, D, H>,
        start: &D::State,
        bound: u32,
        enough: usize,
        counts: &mut Counts,
    ) -> Vec<SubtreeOf<D, H>> {
        if bound == 0 {
            // The start is not expanded, so longer solutions are possible.
            counts.least_excess = 1;
            return Vec::new();
        }
        // No wanted solution continues from a goal.
        if expander.passes_goal(start) {
            return Vec::new();
        }
        let carry = expander.heuristic.carry(expander.domain, start);
        let node = Node { state: start.clone(), carry, fsm: expander.automaton.start() };
        split(expander, vec![Subtree::new(node, Vec::new(), bound)], enough, counts)
    }

    /// Splits branches, already in order, into subtrees.
    fn divide(
        expander: &Expander<'_, D, H>,
        subtrees: Vec<SubtreeOf<D, H>>,
        mut partition: Partition,
    ) -> PartitionedTree<D, H> {
        let paths: Vec<_> = subtrees.iter().map(|subtree| subtree.path.clone()).collect();
        let subtrees = if partition.order.is_plain() {
            subtrees
        } else {
            refine(expander, subtrees, &mut partition.above)
        };
        let subtrees = split(expander, subtrees, partition.enough, &mut partition.above);
        partition.subtrees = subtrees.len();
        partition.open = subtrees.iter().filter(|subtree| !subtree.is_leaf).count();
        PartitionedTree { branches: Branches::new(&paths, &subtrees), partition, subtrees }
    }
}
