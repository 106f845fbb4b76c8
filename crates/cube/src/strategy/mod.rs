//! Everything that is decided for the user: which heuristic, which table first, when to change the heuristic, when none.
//!
//! A [`Solver`] is built from a [`SolverSetup`] (moves, goals, a heuristic or none, the algorithm), answers an [`Ask`] (a cube
//! and what is wanted), and returns moves with the heuristics and tables that proved them. Command lines, Python, the
//! page and the cluster call it and get the same answers, with the same tables, for the same nodes.
//!
//! The idea: each way to search is a `Strategy`, chosen once, when the solver is loaded. Nothing outside this module
//! asks which one it is.
//!
//! | file | contents |
//! | --- | --- |
//! | `setup` | the settings of a solver; the choice of the strategy |
//! | `ask` | the question to one search, with moves that are fixed at the ends |
//! | `choice` | the heuristic that is used where none is named |
//! | `whole` | face turns to the solved cube: a small table first, the fallback heuristic |
//! | `stages` | the search that begins with a small table and continues with a large one |
//! | `fallback` | the heuristic for symmetric cubes |
//! | `open` | face turns, all or some of them, to goals that leave something open |
//! | `chosen` | sets of moves, slices included |
//! | `fiat_shamir` | the search without tables |
//! | `upper` | solutions by the two-phase search, as upper bounds |
//! | [`improve`] | shorter solutions from long ones |
//! | `lazy` | tables that are loaded when a search needs them |

mod ask;
mod choice;
mod chosen;
mod fallback;
mod fiat_shamir;
pub mod improve;
mod lazy;
mod open;
mod setup;
mod stages;
mod upper;
mod whole;

pub use ask::{Ask, Ends};
pub use choice::strongest;
pub use setup::Algorithm;
pub use setup::{SolverError, SolverSetup};
#[cfg(test)]
pub(crate) use stages::in_two_stages;

use crate::cube::Cube;
use crate::heuristics::HeuristicSpec;
use crate::heuristics::engine::SharedSearch;
use crate::mask::Goals;
use crate::metric::Metric;
use crate::moves::{Group, MoveSet};
use crate::notation::Orientation;
use crate::notation::scramble::Move;
use crate::two_phase::TwoPhase;
use lazy::Means;
use search_core::clock::Instant;
use search_core::ida::work_units::DistributedSearch;
use search_core::record::{Answer, Used};
use search_core::table::{Store, TableError, Tables};
use search_core::{Op, Report, Run};
use std::fmt;
use std::sync::Arc;

/// The report of a search, and the heuristics and tables that it used.
type Found<S> = (Report<S>, Used);

/// One way to search. Its tables may be loaded when a search needs them; `Means` is where they come from.
trait Strategy: Send + Sync {
    /// The heuristics and tables that the next search may use.
    fn planned(&self) -> Used;

    /// The rule that prunes duplicate strings of moves.
    fn pruning(&self) -> &'static str;

    /// Refuses what this search cannot answer.
    fn check(&self, _: &Ask) -> Result<(), SolverError> {
        Ok(())
    }

    /// Loads the tables that every search of this cube needs.
    fn prepare(&self, _: &Ask, _: &Means<'_>) -> Result<(), TableError> {
        Ok(())
    }

    /// Searches for solutions: moves for the cube as it is held.
    fn search(&self, ask: &Ask, means: &Means<'_>) -> Result<Found<Vec<Move>>, TableError>;

    /// The lower bound of the strongest heuristic.
    fn value(&self, cube: &Cube, means: &Means<'_>) -> Result<u8, TableError>;

    /// The search for good solutions, if it serves the moves and goals and there is enough memory.
    fn two_phase(&self, means: &Means<'_>) -> Option<&TwoPhase> {
        let _ = means;
        None
    }

    /// The search of one cube, as it is held, for processes that share nothing but files; `None` if it cannot be shared.
    fn shared<'s>(&'s self, ask: &Ask, means: &Means<'_>) -> Result<Option<SharedSearch<'s>>, TableError> {
        let _ = (ask, means);
        Ok(None)
    }

    /// The solution of operators from a shared search, which may come from a file; `None` if they are not one.
    fn solution(&self, held: Orientation, ops: &[Op]) -> Option<Vec<Move>> {
        let _ = (held, ops);
        None
    }
}

/// An optimal solver: finds solutions that are proved to be shortest.
pub struct Solver {
    setup: SolverSetup,
    moves: MoveSet,
    tables: Arc<dyn Tables>,
    strategy: Box<dyn Strategy>,
}

impl Solver {
    /// The solver for half turns that the command line uses when no option is given: with the strongest heuristic for
    /// the memory of `run` and the tables of `store`. Tables that it lacks are built, if that takes less than a minute.
    ///
    /// # Errors
    /// [`SolverError::Table`] of the first table that is not available.
    pub fn best(store: &Store, run: &Run<'_>) -> Result<Solver, SolverError> {
        SolverSetup::new().load(store.clone(), run)
    }

    /// The metric.
    pub fn metric(&self) -> Metric {
        self.moves.metric()
    }

    /// The moves that solutions consist of.
    pub fn moves(&self) -> &MoveSet {
        &self.moves
    }

    /// The number of positions that the moves solve.
    pub fn positions(&self) -> u128 {
        Group::new(self.moves.clone()).positions()
    }

    /// The goals.
    pub fn goals(&self) -> &Goals {
        &self.setup.goals
    }

    /// The heuristic for goals that leave nothing open, if one was named.
    pub fn heuristic(&self) -> Option<&HeuristicSpec> {
        self.setup.heuristic.as_ref()
    }

    /// The algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.setup.algorithm
    }

    /// The rule that prunes duplicate strings of moves.
    pub fn pruning(&self) -> &'static str {
        self.strategy.pruning()
    }

    /// The heuristics and tables that the next search may use.
    pub fn planned(&self) -> Used {
        self.strategy.planned()
    }

    /// Loads the tables that the search of this cube needs in any case, before its time begins. Returns the heuristics and
    /// tables that it may use.
    ///
    /// # Errors
    /// [`SolverError::Table`].
    pub fn prepare(&self, ask: &Ask, run: &Run<'_>) -> Result<Used, SolverError> {
        self.strategy.prepare(ask, &self.means(run))?;
        Ok(self.strategy.planned())
    }

    /// Searches for shortest solutions: moves that lead from the cube to a goal, named for someone who holds it as
    /// asked. [`Exhausted`](search_core::Ending::Exhausted) means that the moves do not solve the cube.
    ///
    /// # Errors
    /// [`SolverError::Table`] of a table that the search needs, [`SolverError::Unsupported`] for wishes that do not
    /// go together, and [`SolverError::NotSolved`].
    pub fn solve(&self, ask: &Ask, run: &Run<'_>) -> Result<Answer<Vec<Move>>, SolverError> {
        self.setup.check(ask)?;
        self.strategy.check(ask)?;
        let begun = Instant::now();
        let (mut report, used) = self.strategy.search(ask, &self.means(run))?;
        if let Some(seed) = ask.random {
            report.ending = report.ending.at_random(seed);
        }
        Ok(Answer::new(report, used, begun.elapsed().as_secs_f64()))
    }

    /// The lower bound that the strongest heuristic gives for a cube, in moves, even where they have costs.
    ///
    /// # Errors
    /// [`SolverError::Table`].
    pub fn value(&self, cube: &Cube, run: &Run<'_>) -> Result<u8, SolverError> {
        Ok(self.strategy.value(cube, &self.means(run))?)
    }

    /// The search for one solution as units, for processes that share nothing but files or messages. It uses the strongest
    /// heuristic alone.
    ///
    /// # Errors
    /// [`SolverError::Table`], and [`SolverError::Unsupported`] if this search cannot be shared.
    pub fn shared(
        &self,
        ask: &Ask,
        run: &Run<'_>,
    ) -> Result<Box<dyn DistributedSearch + Sync + '_>, SolverError> {
        let shared = self.strategy.shared(ask, &self.means(run))?;
        let none = "only a search for the solved cube with a heuristic can be shared";
        Ok(Box::new(shared.ok_or(SolverError::Unsupported(none))?))
    }

    /// The solution of operators from a shared search, which may come from a file; `None` if they are not one.
    pub fn solution(&self, ask: &Ask, ops: &[Op]) -> Option<Vec<Move>> {
        self.strategy.solution(ask.held, ops)
    }

    fn means<'a>(&'a self, run: &'a Run<'a>) -> Means<'a> {
        Means {
            tables: &*self.tables,
            run,
            names_progress: self.setup.names_progress,
            instructions: self.setup.instructions,
        }
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("setup", &self.setup).field("planned", &self.planned()).finish()
    }
}
