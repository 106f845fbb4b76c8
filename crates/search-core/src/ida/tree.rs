//! The tree below a start, cut and searched without its types.

use super::branch_depths::{BranchDepths, Branches};
use super::cut::{Cut, Cutting, Outcome};
use super::pass::Pass;
use super::stop::Stop;
use super::subtree::Subtree;
use super::{Kernel, RootMoves, Wanted};
use crate::automaton::Automaton;
use crate::clock::Instant;
use crate::domain::{Domain, Op};
use crate::heuristic::Heuristic;
use crate::progress::Cancelled;
use crate::run::Run;
use std::any::Any;
use std::ops::Range;

/// The number of subtrees of a share whose heuristic value is computed: a sum of many tables takes long.
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
    /// As in [`Config`](crate::ida::Config::root_moves).
    pub root_moves: &'a RootMoves,
}

/// A unit cannot be searched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// The tree has another number of subtrees: another instance, heuristic, table or automaton.
    #[error("the tree has {found} subtrees instead of {expected}: it is not the one that was cut")]
    Other {
        /// The number according to the cut.
        expected: usize,
        /// The number that this process finds.
        found: usize,
    },
    /// The solver has another heuristic, or other parts of it, than the one that cut the bound.
    #[error("the bound was cut with parts of a heuristic that this solver does not have")]
    Heuristic,
    /// The unit's subtrees are not among those of the cut.
    #[error("unit out of range ({0} subtrees exist)")]
    Range(usize),
    /// There is no further bound to cut.
    #[error("the search is over")]
    Over,
    /// The search was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// How subtrees are searched.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    pub(super) wanted: Wanted,
    /// Every subtree is searched to its end.
    pub(super) exhaustive: bool,
    /// The kernel, if not that of the heuristic.
    pub(super) kernel: Option<Kernel>,
}

/// A [`Tree`] of any domain and heuristic.
pub trait AnyTree {
    /// Whether these operators, which may come from a file, lead to a goal.
    fn is_solution(&self, ops: &[Op]) -> bool;

    /// The least length of at least `bound` that a solution can have.
    fn least(&self, bound: u32) -> u32;

    /// Cuts the iteration with `bound` into at least `enough` subtrees, if it is so large. The `depths` of the iteration
    /// before give the order of the branches; without them the tree is one branch.
    fn cut(
        &self,
        bound: u32,
        enough: usize,
        depths: Option<&BranchDepths>,
        manner: Manner,
        run: &Run<'_>,
    ) -> (Cut, Subtrees);

    /// Cuts the iteration as it was cut before.
    ///
    /// # Errors
    /// [`UnitError::Other`].
    fn cut_again(&self, cut: &Cut, manner: Manner) -> Result<Subtrees, UnitError>;

    /// Searches some subtrees on all threads, and begins none after `until` but the first; after the first solution, no
    /// later ones, unless the manner is exhaustive. `begun` is called with the number of those that were begun.
    ///
    /// If the search was not cancelled and no solution ended it, the subtrees of the outcome are finished.
    ///
    /// # Errors
    /// [`UnitError::Heuristic`] and [`UnitError::Range`].
    fn search(
        &self,
        bound: u32,
        subtrees: &Subtrees,
        part: (Range<usize>, Option<Instant>),
        manner: Manner,
        begun: &(dyn Fn(usize) + Sync),
        run: &Run<'_>,
    ) -> Result<Outcome, UnitError>;

    /// Expected relative cost of each share (dimensionless): a subtree is assumed to grow by `growth` for each move by
    /// which its heuristic value is below the moves left. A sample of the subtrees stands for the share. The cost decides
    /// only which units begin first.
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

/// The subtrees of an iteration, in the order of the search, for the tree that cut it.
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
        let end = self.pass(Manner::default(), &run).follow(self.start, self.automaton.start(), ops);
        end.is_some_and(|(state, _)| self.domain.is_goal(&state))
    }

    fn least(&self, bound: u32) -> u32 {
        let value = self.heuristic.value(self.domain, self.start);
        self.domain.lengths(self.start).at_least(bound.max(value.into()))
    }

    fn cut(
        &self,
        bound: u32,
        enough: usize,
        depths: Option<&BranchDepths>,
        manner: Manner,
        run: &Run<'_>,
    ) -> (Cut, Subtrees) {
        let Cutting { cut, subtrees, branches } =
            Cutting::new(&self.pass(manner, run), self.start, bound, enough, depths);
        (cut, Subtrees(Box::new(TypedSubtrees { subtrees, branches })))
    }

    fn cut_again(&self, cut: &Cut, manner: Manner) -> Result<Subtrees, UnitError> {
        let run = Run::new().with_threads(1);
        let again = Cutting::again(&self.pass(manner, &run), self.start, cut);
        let Cutting { subtrees, branches, .. } =
            again.map_err(|found| UnitError::Other { expected: cut.subtrees, found })?;
        Ok(Subtrees(Box::new(TypedSubtrees { subtrees, branches })))
    }

    fn search(
        &self,
        bound: u32,
        subtrees: &Subtrees,
        (items, until): (Range<usize>, Option<Instant>),
        manner: Manner,
        begun: &(dyn Fn(usize) + Sync),
        run: &Run<'_>,
    ) -> Result<Outcome, UnitError> {
        let all = TypedSubtrees::<D::State, H::Carry>::of(subtrees)?;
        let some = all.subtrees.get(items.clone()).filter(|some| !some.is_empty());
        let some = some.ok_or(UnitError::Range(all.subtrees.len()))?;
        let pass = self.pass(manner, run);
        Ok(Outcome::of(&pass, bound, some, items.start, &all.branches, until, begun))
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
    fn pass<'p>(&'p self, manner: Manner, run: &'p Run<'p>) -> Pass<'p, D, H> {
        Pass {
            domain: self.domain,
            heuristic: self.heuristic,
            automaton: self.automaton,
            wanted: manner.wanted,
            root_moves: self.root_moves,
            kernel: manner.kernel.unwrap_or_else(|| self.heuristic.kernel()),
            stop: Stop::new(manner.exhaustive),
            run,
        }
    }
}
