//! The tree below a start, behind an interface that hides its types.

use super::branch_depths::{BranchDepths, Branches};
use super::expander::Expander;
use super::partition::{Outcome, Partition, PartitionedTree};
use super::stop::{Leave, Stop};
use super::subtree::Subtree;
use super::{Kernel, RootMoves, Wanted};
use crate::automaton::Automaton;
use crate::clock::Instant;
use crate::domain::{Domain, Op, OpSet};
use crate::heuristic::Heuristic;
use crate::progress::Cancelled;
use crate::run::Run;
use std::any::Any;
use std::ops::Range;

/// The number of subtrees per unit whose heuristic value is computed; a sum of many tables takes long.
const VALUED: usize = 8;

/// A tree to search: the same for all units of an iteration.
#[derive(Debug)]
pub struct Tree<'a, D: Domain, H: Heuristic<D>> {
    /// The domain.
    pub domain: &'a D,
    /// The heuristic.
    pub heuristic: &'a H,
    /// The operator strings that are allowed.
    pub automaton: &'a Automaton,
    /// The state to solve.
    pub start: &'a D::State,
    /// See [`Config::root_moves`](crate::ida::Config::root_moves).
    pub root_moves: &'a RootMoves,
}

/// The reason why a unit cannot be searched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// The tree has a different number of subtrees, because the instance, heuristic, table or automaton differs.
    #[error("the tree has {found} subtrees instead of {expected}: it is not the tree of the plan")]
    Other {
        /// The number in the partition.
        expected: usize,
        /// The number that this process finds.
        found: usize,
    },
    /// The partition was made with parts of a heuristic that this solver does not have.
    #[error("the units were created with parts of a heuristic that this solver does not have")]
    Heuristic,
    /// The unit's subtrees are not in the partition.
    #[error("unit out of range ({0} subtrees exist)")]
    Range(usize),
    /// There is no further bound.
    #[error("the search is over")]
    Over,
    /// The search was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Settings for searching subtrees.
#[derive(Clone, Debug, Default)]
pub struct SearchMode {
    pub(super) wanted: Wanted,
    /// The reason to leave subtrees before they are finished.
    pub(super) leave: Leave,
    /// The kernel; by default that of the heuristic.
    pub(super) kernel: Option<Kernel>,
    /// The number of nodes after which threads begin no further subtree.
    pub(super) nodes: Option<u64>,
}

/// A [`Tree`] of any domain and heuristic.
pub trait AnyTree {
    /// Whether these operators, which may come from a file, lead to a goal by a string that the automaton allows.
    fn is_solution(&self, ops: &[Op]) -> bool;

    /// Whether these operators, which may come from a file, lead to a goal, whether or not the automaton allows them.
    fn leads_to_goal(&self, ops: &[Op]) -> bool;

    /// The least possible length of a solution that is at least `bound`.
    fn least(&self, bound: u32) -> u32;

    /// Splits the iteration with `bound` into at least `enough` subtrees if it is large enough. The `depths` of the
    /// previous iteration determine the order of the branches; without them the tree is one branch.
    fn partition(
        &self,
        bound: u32,
        enough: usize,
        depths: Option<&BranchDepths>,
        mode: SearchMode,
        run: &Run<'_>,
    ) -> (Partition, Subtrees);

    /// Splits the iteration as `partition` describes.
    ///
    /// # Errors
    /// [`UnitError::Other`].
    fn partition_again(&self, partition: &Partition, mode: SearchMode) -> Result<Subtrees, UnitError>;

    /// Searches the subtrees of a range on all threads. After the given time, or the nodes of the mode, it begins no
    /// further subtree, except for the first one. After a solution it begins no later one, unless the mode leaves no subtree unfinished. `begun` is called with
    /// the number of subtrees begun.
    ///
    /// Unless the search was cancelled, or a solution or the incumbent ended it, the subtrees of the outcome are finished.
    ///
    /// # Errors
    /// [`UnitError::Heuristic`] and [`UnitError::Range`].
    fn search(
        &self,
        bound: u32,
        subtrees: &Subtrees,
        part: (Range<usize>, Option<Instant>),
        mode: SearchMode,
        begun: &(dyn Fn(usize) + Sync),
        run: &Run<'_>,
    ) -> Result<Outcome, UnitError>;

    /// Expected relative cost of each share (dimensionless): a subtree is assumed to grow by `growth` for each move by
    /// which its heuristic value is below the moves left. A sample of the subtrees represents each unit. The cost only
    /// decides which units begin first.
    ///
    /// # Errors
    /// [`UnitError::Heuristic`].
    fn expected(
        &self,
        subtrees: &Subtrees,
        shares: &[Range<usize>],
        growth: f64,
        run: &Run<'_>,
    ) -> Result<Vec<f64>, UnitError>;
}

/// The subtrees of an iteration, in search order, usable by the tree that created them.
pub struct Subtrees(Box<dyn Any + Send + Sync>);

/// The subtrees of a tree whose states and carries have these types.
struct TypedSubtrees<S, C> {
    subtrees: Vec<Subtree<S, C>>,
    branches: Branches,
}

impl<S: 'static, C: 'static> TypedSubtrees<S, C> {
    fn of(subtrees: &Subtrees) -> Result<&TypedSubtrees<S, C>, UnitError> {
        subtrees.0.downcast_ref().ok_or(UnitError::Heuristic)
    }
}

impl<D: Domain, H: Heuristic<D>> AnyTree for Tree<'_, D, H> {
    fn is_solution(&self, ops: &[Op]) -> bool {
        let run = Run::new().with_threads(1);
        let end = self.expander(SearchMode::default(), &run).follow(self.start, self.automaton.start(), ops);
        end.is_some_and(|(state, _)| self.domain.is_goal(&state))
    }

    fn leads_to_goal(&self, ops: &[Op]) -> bool {
        let ops_of_domain = OpSet::first(self.domain.op_count());
        let end = ops.iter().try_fold(self.start.clone(), |state, &op| {
            let applicable = self.domain.applicable(&state).and(ops_of_domain);
            applicable.contains(op).then(|| self.domain.apply(&state, op))
        });
        end.is_some_and(|state| self.domain.is_goal(&state))
    }

    fn least(&self, bound: u32) -> u32 {
        let value = self.heuristic.value(self.domain, self.start);
        self.domain.lengths(self.start).at_least(bound.max(value.into()))
    }

    fn partition(
        &self,
        bound: u32,
        enough: usize,
        depths: Option<&BranchDepths>,
        mode: SearchMode,
        run: &Run<'_>,
    ) -> (Partition, Subtrees) {
        let PartitionedTree { partition, subtrees, branches } =
            PartitionedTree::new(&self.expander(mode, run), self.start, bound, enough, depths);
        (partition, Subtrees(Box::new(TypedSubtrees { subtrees, branches })))
    }

    fn partition_again(&self, partition: &Partition, mode: SearchMode) -> Result<Subtrees, UnitError> {
        let run = Run::new().with_threads(1);
        let again = PartitionedTree::again(&self.expander(mode, &run), self.start, partition);
        let PartitionedTree { subtrees, branches, .. } =
            again.map_err(|found| UnitError::Other { expected: partition.subtrees, found })?;
        Ok(Subtrees(Box::new(TypedSubtrees { subtrees, branches })))
    }

    fn search(
        &self,
        bound: u32,
        subtrees: &Subtrees,
        (items, until): (Range<usize>, Option<Instant>),
        mode: SearchMode,
        begun: &(dyn Fn(usize) + Sync),
        run: &Run<'_>,
    ) -> Result<Outcome, UnitError> {
        let all = TypedSubtrees::<D::State, H::Carry>::of(subtrees)?;
        let some = all.subtrees.get(items.clone()).filter(|some| !some.is_empty());
        let some = some.ok_or(UnitError::Range(all.subtrees.len()))?;
        let expander = self.expander(mode, run);
        Ok(Outcome::of(&expander, bound, some, items.start, &all.branches, until, begun))
    }

    fn expected(
        &self,
        subtrees: &Subtrees,
        shares: &[Range<usize>],
        growth: f64,
        run: &Run<'_>,
    ) -> Result<Vec<f64>, UnitError> {
        let all = &TypedSubtrees::<D::State, H::Carry>::of(subtrees)?.subtrees;
        let slack = |subtree: &Subtree<D::State, H::Carry>| {
            let value = self.heuristic.value(self.domain, &subtree.node.state);
            f64::from(subtree.remaining) - f64::from(value)
        };
        let sum = |share: &[Subtree<D::State, H::Carry>]| {
            let every = share.len().div_ceil(VALUED).max(1);
            let some = share.iter().step_by(every).map(|subtree| growth.powf(slack(subtree)));
            let (count, sum) = some.fold((0.0, 0.0), |(count, sum), work| (count + 1.0, sum + work));
            if share.is_empty() { 0.0 } else { sum / count * share.len() as f64 }
        };
        Ok(run.map(shares, |share| all.get(share.clone()).map_or(0.0, sum)))
    }
}

impl<D: Domain, H: Heuristic<D>> Tree<'_, D, H> {
    fn expander<'p>(&'p self, mode: SearchMode, run: &'p Run<'p>) -> Expander<'p, D, H> {
        Expander {
            domain: self.domain,
            heuristic: self.heuristic,
            automaton: self.automaton,
            wanted: mode.wanted,
            root_moves: self.root_moves,
            kernel: mode.kernel.unwrap_or_else(|| self.heuristic.kernel()),
            stop: Stop::new(mode.leave).pausing(mode.nodes),
            run,
        }
    }
}
