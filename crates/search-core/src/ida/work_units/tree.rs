//! Cutting an iteration, and searching a unit of it, without the types of the tree.

use super::super::branch_depths::{BranchDepths, Branches};
use super::super::cut::{Cut, Cutting, Outcome};
use super::super::pass::Pass;
use super::super::stop::Stop;
use super::super::subtree::{Node, Subtree};
use super::super::{RootMoves, Wanted};
use crate::automaton::{Automaton, StateId};
use crate::cast::to_u64;
use crate::domain::{Domain, Op};
use crate::heuristic::Heuristic;
use crate::progress::Cancelled;
use crate::run::Run;
use std::any::Any;
use std::ops::Range;

/// The subtrees of a share whose heuristic value is computed, which takes long where it is a sum of many tables.
const VALUED: usize = 8;

/// What is searched: the same for all units of an iteration.
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
        /// What the cut says.
        expected: usize,
        /// What this process finds.
        found: usize,
    },
    /// The solver has another heuristic, or other parts of it, than the one that cut the bound.
    #[error("the bound was cut with parts of a heuristic that this solver does not have")]
    Heuristic,
    /// The unit's items are not among those of the cut.
    #[error("there are only {0} pieces of work")]
    Range(usize),
    /// The search was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// A [`Tree`] of any domain and heuristic.
pub trait AnyTree {
    /// Whether these operators, which may come from a file, lead to a goal.
    fn is_solution(&self, ops: &[Op]) -> bool;

    /// Cuts the iteration with `bound` into at least `enough` subtrees, if it has this number. The depths of the
    /// branches in the previous iteration, `reach`, determine their order. Also returns the subtrees.
    fn cut(&self, bound: u32, enough: usize, reach: &BranchDepths, run: &Run<'_>) -> (Cut, Subtrees);

    /// Cuts the iteration as described by `cut`, for [`search`](AnyTree::search) and [`expected`](AnyTree::expected).
    ///
    /// # Errors
    /// [`UnitError::Other`].
    fn subtrees(&self, cut: &Cut) -> Result<Subtrees, UnitError>;

    /// Searches some subtrees on all threads; after the first solution, no later ones.
    ///
    /// # Errors
    /// [`UnitError`].
    fn search(
        &self,
        cut: &Cut,
        subtrees: &Subtrees,
        items: Range<usize>,
        run: &Run<'_>,
    ) -> Result<Outcome, UnitError>;

    /// The work that is expected of each share, in no unit: a subtree is taken to grow by `growth` for each move by
    /// which its heuristic value is below the moves left. Some subtrees stand for all of a share. It decides
    /// which units are begun first, and nothing else.
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

/// The same, for states and carries of one kind.
struct Roots<S, C> {
    roots: Vec<Root<S, C>>,
    branches: Branches,
}

/// The root of a subtree, without the types of the tree: those have references to tables.
struct Root<S, C> {
    state: S,
    carry: C,
    fsm: StateId,
    path: Vec<Op>,
    remaining: u32,
}

impl<S: 'static, C: 'static> Roots<S, C> {
    fn of(subtrees: &Subtrees) -> Result<&Roots<S, C>, UnitError> {
        subtrees.0.downcast_ref().ok_or(UnitError::Heuristic)
    }
}

impl<S: Clone, C: Clone> Root<S, C> {
    fn of<D: Domain<State = S>, H: Heuristic<D, Carry = C>>(subtree: Subtree<D, H>) -> Root<S, C> {
        let Subtree { node: Node { state, carry, fsm }, path, remaining, .. } = subtree;
        Root { state, carry, fsm, path, remaining }
    }

    fn subtree<D: Domain<State = S>, H: Heuristic<D, Carry = C>>(&self) -> Subtree<D, H> {
        let node = Node { state: self.state.clone(), carry: self.carry.clone(), fsm: self.fsm };
        Subtree::new(node, self.path.clone(), self.remaining)
    }
}

impl<D: Domain, H: Heuristic<D>> AnyTree for Tree<'_, D, H> {
    fn is_solution(&self, ops: &[Op]) -> bool {
        let run = Run::new().with_threads(1);
        let end = self.pass(&run).follow(self.start, self.automaton.start(), ops);
        end.is_some_and(|(state, _)| self.domain.is_goal(&state))
    }

    fn cut(&self, bound: u32, enough: usize, reach: &BranchDepths, run: &Run<'_>) -> (Cut, Subtrees) {
        let cutting = Cutting::new(&self.pass(run), self.start, bound, enough, Some(reach));
        (cutting.cut.clone(), Self::erased(cutting))
    }

    fn subtrees(&self, cut: &Cut) -> Result<Subtrees, UnitError> {
        let other = |found| UnitError::Other { expected: cut.subtrees, found };
        let run = Run::new().with_threads(1);
        Cutting::again(&self.pass(&run), self.start, cut).map(Self::erased).map_err(other)
    }

    fn search(
        &self,
        cut: &Cut,
        subtrees: &Subtrees,
        items: Range<usize>,
        run: &Run<'_>,
    ) -> Result<Outcome, UnitError> {
        let Roots { roots, branches } = Roots::<D::State, H::Carry>::of(subtrees)?;
        let unit =
            roots.get(items.clone()).filter(|unit| !unit.is_empty()).ok_or(UnitError::Range(cut.subtrees))?;
        let unit: Vec<Subtree<D, H>> = unit.iter().map(Root::subtree).collect();
        run.progress().begin(&format!("bound {}", cut.bound), to_u64(unit.len()));
        let begin = |done| run.progress().update(to_u64(done));
        let outcome =
            Outcome::of(&self.pass(run), cut.bound, &unit, items.start, branches, (0, None), &begin);
        run.check()?;
        run.progress().end();
        // A solution ends the search before the last subtree begins, on more threads later; the unit is over.
        Ok(Outcome { items, ..outcome })
    }

    fn expected(
        &self,
        subtrees: &Subtrees,
        shares: &[Range<usize>],
        growth: f64,
        run: &Run<'_>,
    ) -> Result<Vec<f64>, UnitError> {
        let Roots { roots, .. } = Roots::<D::State, H::Carry>::of(subtrees)?;
        let slack = |root: &Root<D::State, H::Carry>| {
            let value = self.heuristic.value(self.domain, &root.state);
            f64::from(root.remaining) - f64::from(value)
        };
        let sum = |roots: &[Root<D::State, H::Carry>]| {
            let every = roots.len().div_ceil(VALUED).max(1);
            let some = roots.iter().step_by(every).map(|root| growth.powf(slack(root)));
            let (count, sum) = some.fold((0.0, 0.0), |(count, sum), work| (count + 1.0, sum + work));
            if roots.is_empty() { 0.0 } else { sum / count * roots.len() as f64 }
        };
        Ok(run.map(shares, |share| roots.get(share.clone()).map_or(0.0, sum)))
    }
}

impl<D: Domain, H: Heuristic<D>> Tree<'_, D, H> {
    fn erased(Cutting { subtrees, branches, .. }: Cutting<D, H>) -> Subtrees {
        Subtrees(Box::new(Roots { roots: subtrees.into_iter().map(Root::of).collect(), branches }))
    }

    fn pass<'p>(&'p self, run: &'p Run<'p>) -> Pass<'p, D, H> {
        Pass {
            domain: self.domain,
            heuristic: self.heuristic,
            automaton: self.automaton,
            wanted: Wanted::First,
            root_moves: self.root_moves,
            kernel: self.heuristic.kernel(),
            stop: Stop::new(false),
            run,
        }
    }
}
