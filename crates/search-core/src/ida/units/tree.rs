//! Cutting an iteration, and searching a unit of it.

use super::super::checkpoint::{MOST_SUBTREES, Operators};
use super::super::counts::Counts;
use super::super::harvest::Harvest;
use super::super::node::{Node, Task};
use super::super::pass::Pass;
use super::super::reach::{Branches, Order, Reach};
use super::super::split::{refine, split, sweep};
use super::super::stop::Stop;
use super::super::{Openings, Wanted};
use crate::automaton::{Automaton, StateId};
use crate::cast::to_u64;
use crate::clock::Instant;
use crate::domain::{Domain, Op};
use crate::heuristic::Heuristic;
use crate::progress::Cancelled;
use crate::run::Run;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::ops::Range;

/// The subtrees of a share whose heuristic value is computed, which takes long where it is a sum of many tables.
const VALUED: usize = 8;
/// Where the largest subtrees come first, the first units together have a share of the subtrees that rises with this
/// power of their number.
const RISE: u32 = 3;

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
    /// As in [`Config`](crate::ida::Config::openings).
    pub openings: &'a Openings,
}

/// An iteration that is cut into subtrees, in the order of the search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cut {
    /// The bound.
    pub bound: u32,
    /// The number of subtrees.
    pub subtrees: usize,
    /// The number of those that are not single nodes, as far as cutting has found.
    pub(super) open: usize,
    /// The number of branches at which splitting stopped, and their order.
    pub(super) branches: usize,
    pub(super) order: Order,
    /// The number of subtrees at which splitting stopped.
    pub(super) enough: usize,
    /// Counts of the levels above the subtrees.
    pub(super) above: Counts,
    /// The heuristic's number of stages.
    pub(super) stages: usize,
    /// Whether the start is a goal, and the bound 0.
    pub(super) is_solved: bool,
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

/// What the search of consecutive items brought back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The bound.
    pub(super) bound: u32,
    pub(super) items: Range<usize>,
    /// Counts of the subtrees.
    pub(super) counts: Counts,
    /// The first solution.
    pub(super) solution: Option<Operators>,
    /// How deep it went into its branches, for the next iteration.
    pub(super) reach: Reach,
    pub(super) seconds: f64,
}

impl Outcome {
    /// Whether it holds a solution.
    pub fn is_solved(&self) -> bool {
        self.solution.is_some()
    }
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

    /// Cuts the iteration with `bound` into at least `enough` subtrees, if it is so large. The `reach` of the iteration
    /// before gives the order of the branches. Returns the subtrees too.
    fn cut(&self, bound: u32, enough: usize, reach: &Reach, run: &Run<'_>) -> (Cut, Subtrees);

    /// Cuts the iteration as `cut` says: what [`search`](AnyTree::search) and [`expected`](AnyTree::expected) need.
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
struct Cutting<S, C> {
    roots: Vec<Root<S, C>>,
    /// As in [`Cut`].
    open: usize,
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

impl<S: 'static, C: 'static> Cutting<S, C> {
    fn of(subtrees: &Subtrees) -> Result<&Cutting<S, C>, UnitError> {
        subtrees.0.downcast_ref().ok_or(UnitError::Heuristic)
    }
}

impl<S: Clone, C: Clone> Root<S, C> {
    fn of<D: Domain<State = S>, H: Heuristic<D, Carry = C>>(task: Task<D, H>) -> Root<S, C> {
        let Task { node: Node { state, carry, fsm }, path, remaining, .. } = task;
        Root { state, carry, fsm, path, remaining }
    }

    fn task<D: Domain<State = S>, H: Heuristic<D, Carry = C>>(&self) -> Task<D, H> {
        let node = Node { state: self.state.clone(), carry: self.carry.clone(), fsm: self.fsm };
        Task::new(node, self.path.clone(), self.remaining)
    }
}

impl<D: Domain, H: Heuristic<D>> AnyTree for Tree<'_, D, H> {
    fn is_solution(&self, ops: &[Op]) -> bool {
        let run = Run::new().with_threads(1);
        let end = self.pass(&run).follow(self.start, self.automaton.start(), ops);
        end.is_some_and(|(state, _)| self.domain.is_goal(&state))
    }

    fn cut(&self, bound: u32, enough: usize, reach: &Reach, run: &Run<'_>) -> (Cut, Subtrees) {
        let pass = self.pass(run);
        let branches = reach.enough();
        let enough = enough.min(MOST_SUBTREES);
        let (tasks, mut above) = self.split(bound, branches, &pass);
        let order = reach.order(tasks.iter().map(|task| &task.path[..]));
        let tasks = order.apply(tasks).expect("an order of these branches");
        let cutting = Self::divide(&pass, tasks, &order, enough, &mut above);
        let cut = Cut {
            bound,
            subtrees: cutting.roots.len(),
            open: cutting.open,
            branches,
            order,
            enough,
            above,
            stages: self.heuristic.stages(),
            is_solved: bound == 0 && self.domain.is_goal(self.start),
        };
        (cut, Subtrees(Box::new(cutting)))
    }

    fn subtrees(&self, cut: &Cut) -> Result<Subtrees, UnitError> {
        let other = |found| UnitError::Other { expected: cut.subtrees, found };
        let run = Run::new().with_threads(1);
        let pass = self.pass(&run);
        let (branches, mut above) = self.split(cut.bound, cut.branches.min(MOST_SUBTREES), &pass);
        let found = branches.len();
        let branches = cut.order.apply(branches).ok_or_else(|| other(found))?;
        let cutting = Self::divide(&pass, branches, &cut.order, cut.enough.min(MOST_SUBTREES), &mut above);
        let found = cutting.roots.len();
        if found != cut.subtrees || above != cut.above {
            return Err(other(found));
        }
        Ok(Subtrees(Box::new(cutting)))
    }

    fn search(
        &self,
        cut: &Cut,
        subtrees: &Subtrees,
        items: Range<usize>,
        run: &Run<'_>,
    ) -> Result<Outcome, UnitError> {
        let (pass, begun) = (self.pass(run), Instant::now());
        let Cutting { roots, branches, .. } = Cutting::<D::State, H::Carry>::of(subtrees)?;
        let unit =
            roots.get(items.clone()).filter(|unit| !unit.is_empty()).ok_or(UnitError::Range(cut.subtrees))?;
        let unit: Vec<Task<D, H>> = unit.iter().map(Root::task).collect();
        run.progress().begin(&format!("bound {}", cut.bound), to_u64(unit.len()));
        let mut harvest = sweep(&pass, &unit, 0, None, &|done| run.progress().update(to_u64(done))).0;
        run.check()?;
        run.progress().end();
        let solution = harvest.found.first().map(|found| Operators::from(&found.path[..]));
        harvest.reached.iter_mut().for_each(|(task, _)| *task += items.start);
        Ok(Outcome {
            bound: cut.bound,
            items,
            counts: harvest.counts,
            // After a solution there is no next iteration.
            reach: if solution.is_some() { Reach::default() } else { branches.part(&harvest.reached) },
            solution,
            seconds: begun.elapsed().as_secs_f64(),
        })
    }

    fn expected(
        &self,
        subtrees: &Subtrees,
        shares: &[Range<usize>],
        growth: f64,
        run: &Run<'_>,
    ) -> Result<Vec<f64>, UnitError> {
        let Cutting { roots, .. } = Cutting::<D::State, H::Carry>::of(subtrees)?;
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
    fn root(&self, bound: u32) -> Task<D, H> {
        let carry = self.heuristic.carry(self.domain, self.start);
        let node = Node { state: self.start.clone(), carry, fsm: self.automaton.start() };
        Task::new(node, Vec::new(), bound)
    }

    fn split(&self, bound: u32, enough: usize, pass: &Pass<'_, D, H>) -> (Vec<Task<D, H>>, Counts) {
        if bound == 0 {
            // Nothing is expanded: there may be longer solutions.
            return (Vec::new(), Harvest::at_start(false).counts);
        }
        let mut counts = Counts::default();
        let tasks = split(pass, vec![self.root(bound)], enough, &mut counts);
        (tasks, counts)
    }

    /// Cuts branches, which are in order, into at least `enough` subtrees.
    fn divide(
        pass: &Pass<'_, D, H>,
        branches: Vec<Task<D, H>>,
        order: &Order,
        enough: usize,
        counts: &mut Counts,
    ) -> Cutting<D::State, H::Carry> {
        let paths: Vec<_> = branches.iter().map(|task| task.path.clone()).collect();
        let tasks = if order.is_plain() { branches } else { refine(pass, branches, counts) };
        let tasks = split(pass, tasks, enough, counts);
        let branches = Branches::new(&paths, &tasks);
        let open = tasks.iter().filter(|task| !task.is_leaf).count();
        Cutting { roots: tasks.into_iter().map(Root::of).collect(), open, branches }
    }

    fn pass<'p>(&'p self, run: &'p Run<'p>) -> Pass<'p, D, H> {
        Pass {
            domain: self.domain,
            heuristic: self.heuristic,
            automaton: self.automaton,
            wanted: Wanted::First,
            openings: self.openings,
            kernel: self.heuristic.kernel(),
            stop: Stop::new(false),
            run,
        }
    }
}
