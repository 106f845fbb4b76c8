//! The iterations of one board as units, for processes that share nothing but files or messages.
//!
//! See [`search_core::ida::work_units`] for the invariant. With pattern databases, the partitions of an
//! iteration follow from the counts of those before it, so they are the ones that a single process chooses.

use std::hash::Hash;

use search_core::ida::work_units::{DistributedSearch, Settings};
use search_core::ida::{AnyTree, Choice, Incumbent, Look, Order, RootMoves, Schedule, Tree, TreeSearch};
use search_core::record::{Iteration, TableUse};
use search_core::{Domain, Run};

use super::sums::Sums;
use super::upper::beams;
use super::{Solver, Visit};
use crate::ask::Ask;
use crate::fault::Faults;
use crate::heuristic::Ranked;
use crate::metric::Metric;
use crate::strategy::trials::GROWTH_PER_BOUND;
use crate::tiles::Tiles;

/// A search for the shortest solution of one board.
pub(super) struct SharedBoard<'a> {
    pub solver: &'a Solver,
    pub tiles: Tiles,
    order: Order,
    /// The number of partitions; `None` lets trials choose them.
    partitions: Option<usize>,
    /// With pattern databases, their sums.
    sums: Option<Sums<'a>>,
}

impl<'a> SharedBoard<'a> {
    /// The search of the board of `ask`.
    ///
    /// # Errors
    /// As [`Solver::shared`].
    pub fn new(solver: &'a Solver, ask: &Ask) -> Result<SharedBoard<'a>, Faults> {
        let tiles = solver.puzzle.check(ask.tiles)?;
        let sums = Sums::of(solver, &tiles);
        Ok(SharedBoard { solver, tiles, order: solver.order(ask), partitions: ask.partitions, sums })
    }
}

impl Solver {
    /// The search for one shortest solution as units, for processes that share nothing but files or messages. It takes
    /// the board and the order of the branches from `ask`.
    ///
    /// # Errors
    /// [`Fault::Parity`](crate::Fault::Parity) if the board cannot reach the goal.
    pub fn shared(&self, ask: &Ask) -> Result<Box<dyn DistributedSearch + Sync + '_>, Faults> {
        Ok(Box::new(SharedBoard::new(self, ask)?))
    }
}

impl DistributedSearch for SharedBoard<'_> {
    fn settings(&self) -> Settings {
        let (solver, board) = (self.solver, self.solver.puzzle.board());
        let settings = [
            ("size", board.to_string()),
            ("goal", solver.puzzle.goal().text(board)),
            ("heuristic", solver.heuristic().to_string()),
            ("fsm", solver.pruning.to_string()),
            ("order", self.order.to_string()),
        ];
        let metric = solver.puzzle.metric();
        let metric = (metric != Metric::Single).then(|| ("metric", metric.to_string()));
        let partitions = self.partitions.map(|count| ("partitions", count.to_string()));
        settings
            .into_iter()
            .chain(metric)
            .chain(partitions)
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }

    fn tables(&self) -> &[TableUse] {
        self.solver.tables()
    }

    fn order(&self) -> Order {
        self.order
    }

    fn growth_per_move(&self) -> f64 {
        (GROWTH_PER_BOUND as f64).powf(f64::from(self.solver.lengths(&self.tiles).modulus).recip())
    }
}

impl TreeSearch for SharedBoard<'_> {
    fn least(&self, bound: u32) -> u32 {
        let lengths = self.solver.lengths(&self.tiles);
        lengths.at_least(bound.max(self.solver.lower_bound(&self.tiles)))
    }

    fn choose(&self, iterations: &[Iteration], last: Option<(u32, &Choice)>, run: &Run<'_>) -> Choice {
        let sums = self.sums.as_ref();
        sums.map_or_else(Choice::default, |sums| sums.choose(self.partitions, iterations, last, run))
    }

    fn schedule(&self, is_eager: bool) -> Option<Schedule> {
        Some(beams(&self.solver.puzzle, is_eager))
    }

    fn improve(&self, look: Look, incumbent: &Incumbent, run: &Run<'_>) {
        let partitions = self.sums.as_ref().map_or_else(Vec::new, Sums::for_beam);
        self.find_upper(&partitions, look, incumbent, run);
    }

    fn with_tree(&self, choice: &Choice, _: usize, act: &mut dyn FnMut(&dyn AnyTree)) -> bool {
        let visit = WithTree { solver: self.solver, act };
        match &self.sums {
            Some(sums) => sums.fit(&choice.parts).then(|| sums.with(&choice.parts, visit)).is_some(),
            None => choice.parts.is_empty().then(|| self.solver.with(&self.tiles, &[], visit)).is_some(),
        }
    }
}

/// Passes the tree of an iteration to `act`.
struct WithTree<'a, 'b> {
    solver: &'a Solver,
    act: &'b mut dyn FnMut(&dyn AnyTree),
}

impl Visit for WithTree<'_, '_> {
    type Answer = ();

    fn with<D, H>(self, domain: &D, heuristic: &H, start: &D::State)
    where
        D: Domain<State: Hash>,
        H: Ranked<D>,
    {
        let automaton = &self.solver.automaton;
        let root_moves = RootMoves::none();
        (self.act)(&Tree { domain, heuristic, automaton, start, root_moves });
    }
}
