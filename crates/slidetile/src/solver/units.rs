//! The iterations of one board as units, for processes that share nothing but files or messages.
//!
//! See [`search_core::ida::work_units`] for the invariant. With pattern databases, the partitions of an
//! iteration follow from the counts of those before it, so they are the ones that a single process chooses.

use search_core::ida::work_units::{AnyTree, Choice, DistributedSearch, Settings, Tree};
use search_core::ida::{Order, RootMoves};
use search_core::record::{Iteration, TableUse};
use search_core::{Domain, Heuristic, Lengths, Run};

use super::sums::Sums;
use super::{AnyHeuristic, Solver, Visit};
use crate::ask::Ask;
use crate::fault::Faults;
use crate::puzzle::Puzzle;
use crate::tiles::Tiles;

/// The expected growth of the work with each move, before it is measured.
const GROWTH: f64 = 2.8;

/// A search for the shortest solution of one board.
struct SharedBoard<'a> {
    solver: &'a Solver,
    tiles: Tiles,
    order: Order,
}

impl Solver {
    /// The search for one shortest solution as units, for processes that share nothing but files or messages. It takes
    /// the board and the order of the branches from `ask`.
    ///
    /// # Errors
    /// [`Fault::Parity`](crate::Fault::Parity) if the board cannot reach the goal.
    pub fn shared(&self, ask: &Ask) -> Result<Box<dyn DistributedSearch + Sync + '_>, Faults> {
        Ok(Box::new(SharedBoard {
            solver: self,
            tiles: self.puzzle.check(ask.tiles)?,
            order: self.order(ask),
        }))
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
        settings.map(|(name, value)| (name.to_owned(), value)).to_vec()
    }

    fn tables(&self) -> &[TableUse] {
        self.solver.tables()
    }

    fn value(&self) -> u32 {
        self.solver.value(&self.tiles).into()
    }

    fn lengths(&self) -> Lengths {
        self.solver.puzzle.lengths(&self.tiles)
    }

    fn order(&self) -> Order {
        self.order
    }

    fn growth(&self) -> f64 {
        GROWTH
    }

    fn choose(&self, iterations: &[Iteration], last: Option<(u32, &Choice)>, run: &Run<'_>) -> Choice {
        let AnyHeuristic::Additive(tables) = &self.solver.heuristic else { return Choice::default() };
        let sums = Sums::new(self.solver, tables, &self.tiles);
        let (trials, last) = (sums.trials(), last.filter(|(_, last)| sums.fit(&last.parts)));
        let since = last.map_or(0, |(bound, _)| iterations.partition_point(|before| before.bound < bound));
        let choice = last.map_or_else(|| trials.untried(), |(_, last)| last.clone());
        trials.after(choice, &iterations[since..], run)
    }

    fn with_tree(&self, choice: &Choice, act: &mut dyn FnMut(&dyn AnyTree)) -> bool {
        let visit = WithTree { solver: self.solver, act };
        match &self.solver.heuristic {
            AnyHeuristic::Additive(tables) => {
                let sums = Sums::new(self.solver, tables, &self.tiles);
                sums.fit(&choice.parts).then(|| sums.with(&choice.parts, visit)).is_some()
            }
            _ => choice.parts.is_empty().then(|| self.solver.with(&self.tiles, &[], visit)).is_some(),
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

    fn with<H: Heuristic<Puzzle>>(self, heuristic: &H, start: &Tiles) {
        let Solver { puzzle: domain, automaton, .. } = self.solver;
        let root_moves = RootMoves::none();
        (self.act)(&Tree { domain, heuristic, automaton, start, root_moves });
    }
}
