//! Cutting a bound into subtrees, and the outcome of searching some of them.
//!
//! The idea: every process that cuts the tree of a bound in the same way numbers the same subtrees. So a piece of work is
//! a range of these numbers, and what it found is an [`Outcome`]; both are plain data. Threads search ranges one after
//! the other, and a checkpoint is the outcome so far; many processes search ranges of their own.
//!
//! Invariant: the counts of the levels above the subtrees ([`Cut`]) and those of the outcomes of all subtrees are together
//! those of the iteration, however it was cut.

use super::Wanted;
use super::branch_depths::{BranchDepths, Branches, Order};
use super::counts::Counts;
use super::operators::Operators;
use super::pass::Pass;
use super::split::{refine, search_subtrees, split};
use super::subtree::{Node, Subtree, SubtreeOf};
use crate::clock::Instant;
use crate::domain::Domain;
use crate::heuristic::Heuristic;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The maximum number of subtrees, which limits the memory that they take.
pub(super) const MOST_SUBTREES: usize = 1 << 17;

/// Where the largest subtrees come first, the first units together have a share of the subtrees that rises with this
/// power of their number.
const RISE: u32 = 3;

/// An iteration that is cut into subtrees, in the order of the search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cut {
    /// The bound.
    pub bound: u32,
    /// The number of subtrees.
    pub subtrees: usize,
    /// The number of those that are not single nodes, as far as cutting has found.
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
    /// Whether the start is a goal, and the bound 0.
    pub(in crate::ida) is_solved: bool,
}

impl Cut {
    /// The subtrees, shared out to `units` units or fewer, in the order of the search; to one where at most one of them is
    /// more than a single node. Where the deepest branches come first, so do the largest subtrees, and mostly the
    /// solution: there the first units have the fewest subtrees, so that many workers begin with them.
    ///
    /// # Panics
    /// If `units` is 0.
    pub fn shares(&self, units: usize) -> Vec<Range<usize>> {
        assert!(units > 0, "at least one unit");
        if units == 1 || self.open < 2 {
            return vec![Range { start: 0, end: self.subtrees }];
        }
        let units = units.min(self.subtrees).max(1);
        let power = if self.order.is_plain() { 1 } else { RISE };
        let bound = |unit: usize| {
            let [all, number, of] = [self.subtrees, unit, units].map(|number| number as u128);
            let end = (all * number.pow(power) / of.pow(power)) as usize;
            // No unit is empty.
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
    /// The solutions in the order of the search; only the first, if one is enough.
    pub(in crate::ida) solutions: Vec<Operators>,
    /// How deep it went into its branches, for the next iteration.
    pub(in crate::ida) depths: BranchDepths,
    pub(in crate::ida) seconds: f64,
}

impl Outcome {
    /// Whether it holds a solution.
    pub fn is_solved(&self) -> bool {
        !self.solutions.is_empty()
    }

    /// Searches `subtrees`, the first of which has the number `first`, as [`AnyTree::search`](super::tree::AnyTree::search)
    /// does.
    pub(in crate::ida) fn of<D: Domain, H: Heuristic<D>>(
        pass: &Pass<'_, D, H>,
        bound: u32,
        subtrees: &[SubtreeOf<D, H>],
        first: usize,
        branches: &Branches,
        until: Option<Instant>,
        begun: &(dyn Fn(usize) + Sync),
    ) -> Outcome {
        let start = Instant::now();
        let (mut result, end) = search_subtrees(pass, subtrees, until, begun);
        result.reached.iter_mut().for_each(|(subtree, _)| *subtree += first);
        let solutions = result.found.iter().map(|found| Operators::from(&found.path[..]));
        let most = if pass.wanted == Wanted::First { 1 } else { usize::MAX };
        let solutions: Vec<_> = solutions.take(most).collect();
        // After a solution there is mostly no next iteration.
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

    /// The same for all of `items`, where no later subtree counts after a solution.
    pub(in crate::ida) fn with_items(self, items: Range<usize>) -> Outcome {
        Outcome { items, ..self }
    }

    /// Adds the outcome of the subtrees that come next.
    pub(in crate::ida) fn extend(&mut self, next: Outcome) {
        self.items.end = next.items.end;
        self.counts.add(&next.counts);
        self.solutions.extend(next.solutions);
        self.depths = BranchDepths::merged([&self.depths, &next.depths].into_iter(), 0);
        self.seconds += next.seconds;
    }
}

/// An iteration that is cut, with its subtrees.
pub(super) struct Cutting<D: Domain, H: Heuristic<D>> {
    pub cut: Cut,
    pub subtrees: Vec<SubtreeOf<D, H>>,
    pub branches: Branches,
}

impl<D: Domain, H: Heuristic<D>> Cutting<D, H> {
    /// Cuts the tree below `start` into at least `enough` subtrees, if it is so large. Where the search may end at its first
    /// solution, `depths` gives the order of the branches; an iteration that is searched to its end has one branch.
    pub fn new(
        pass: &Pass<'_, D, H>,
        start: &D::State,
        bound: u32,
        enough: usize,
        depths: Option<&BranchDepths>,
    ) -> Cutting<D, H> {
        let (branches, mut above) = (depths.map_or(0, BranchDepths::enough), Counts::default());
        let subtrees = Self::branches(pass, start, bound, branches, &mut above);
        let order = depths.map_or_else(Order::default, |depths| {
            depths.order(subtrees.iter().map(|subtree| &subtree.path[..]))
        });
        let subtrees = order.apply(subtrees).expect("an order of these branches");
        let cut = Cut {
            bound,
            branches,
            order,
            enough: enough.min(MOST_SUBTREES),
            above,
            stages: pass.heuristic.stages(),
            is_solved: bound == 0 && pass.domain.is_goal(start),
            ..Cut::default()
        };
        Self::divide(pass, subtrees, cut)
    }

    /// Cuts the tree as it was cut before.
    ///
    /// # Errors
    /// The number of branches or subtrees, if the tree is another one.
    pub fn again(pass: &Pass<'_, D, H>, start: &D::State, cut: &Cut) -> Result<Cutting<D, H>, usize> {
        let (mut above, branches) = (Counts::default(), cut.branches.min(MOST_SUBTREES));
        let subtrees = Self::branches(pass, start, cut.bound, branches, &mut above);
        let found = subtrees.len();
        let subtrees = cut.order.apply(subtrees).ok_or(found)?;
        let enough = cut.enough.min(MOST_SUBTREES);
        let is_solved = cut.bound == 0 && pass.domain.is_goal(start);
        let stages = pass.heuristic.stages();
        let cutting = Self::divide(pass, subtrees, Cut { above, enough, stages, is_solved, ..cut.clone() });
        // The heuristic may have other stages, as long as it cuts the same nodes.
        let comparable = Cut { above: cut.above, stages: cut.stages, ..cutting.cut.clone() };
        let is_same = comparable == *cut && cutting.cut.above.are_of_the_same_nodes(&cut.above);
        if is_same { Ok(cutting) } else { Err(cutting.subtrees.len()) }
    }

    /// The branches of the tree, in the order of the operators.
    fn branches(
        pass: &Pass<'_, D, H>,
        start: &D::State,
        bound: u32,
        enough: usize,
        counts: &mut Counts,
    ) -> Vec<SubtreeOf<D, H>> {
        if bound == 0 {
            // Nothing is expanded: there may be longer solutions.
            counts.least_excess = 1;
            return Vec::new();
        }
        // No wanted solution continues from a goal.
        if pass.passes_goal(start) {
            return Vec::new();
        }
        let carry = pass.heuristic.carry(pass.domain, start);
        let node = Node { state: start.clone(), carry, fsm: pass.automaton.start() };
        split(pass, vec![Subtree::new(node, Vec::new(), bound)], enough, counts)
    }

    /// Cuts branches, which are in order, into subtrees.
    fn divide(pass: &Pass<'_, D, H>, subtrees: Vec<SubtreeOf<D, H>>, mut cut: Cut) -> Cutting<D, H> {
        let paths: Vec<_> = subtrees.iter().map(|subtree| subtree.path.clone()).collect();
        let subtrees = if cut.order.is_plain() { subtrees } else { refine(pass, subtrees, &mut cut.above) };
        let subtrees = split(pass, subtrees, cut.enough, &mut cut.above);
        cut.subtrees = subtrees.len();
        cut.open = subtrees.iter().filter(|subtree| !subtree.is_leaf).count();
        Cutting { branches: Branches::new(&paths, &subtrees), cut, subtrees }
    }
}
