//! The decisions that are made for the user: heuristic, automaton, order of the branches, and partitions of pattern
//! databases.
//!
//! None of them changes an answer: every heuristic is a lower bound, and every automaton keeps a shortest solution.

pub(crate) mod trials;

use search_core::Run;
use search_core::ida::Order;
use search_core::table::Tables;

use crate::board::Board;
use crate::fsm::{self, Pruning};
use crate::heuristic::HeuristicSpec;
use crate::puzzle::Puzzle;

/// The heuristic and the automaton of a solver. Whatever is not given is chosen for the puzzle and the memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolverSetup {
    heuristic: Option<HeuristicSpec>,
    pruning: Option<Pruning>,
}

impl SolverSetup {
    /// Sets the heuristic.
    #[must_use]
    pub fn heuristic(self, heuristic: impl Into<Option<HeuristicSpec>>) -> SolverSetup {
        SolverSetup { heuristic: heuristic.into(), ..self }
    }

    /// Sets the automaton.
    #[must_use]
    pub fn pruning(self, pruning: impl Into<Option<Pruning>>) -> SolverSetup {
        SolverSetup { pruning: pruning.into(), ..self }
    }

    /// Chooses the heuristic and the automaton for a puzzle.
    pub fn decide(self, puzzle: &Puzzle, tables: &impl Tables, run: &Run<'_>) -> (HeuristicSpec, Pruning) {
        let heuristic = self.heuristic.unwrap_or_else(|| default_heuristic(puzzle, tables, run));
        (heuristic, self.pruning.unwrap_or_else(|| default_pruning(puzzle.board())))
    }
}

impl From<HeuristicSpec> for SolverSetup {
    fn from(heuristic: HeuristicSpec) -> SolverSetup {
        SolverSetup::default().heuristic(heuristic)
    }
}

/// The heuristic that solves a puzzle soonest: pattern databases, which are built within a minute, if the board has
/// any and they fit the memory of `run`; otherwise that of the paper.
pub fn default_heuristic(puzzle: &Puzzle, tables: &impl Tables, run: &Run<'_>) -> HeuristicSpec {
    let patterns = HeuristicSpec::Patterns.patterns(puzzle, run.memory());
    let are_read = !patterns.is_empty() && tables.fit(&patterns, run);
    if are_read { HeuristicSpec::Patterns } else { HeuristicSpec::Korf96 }
}

/// The order of the branches: that of the operators for the papers' heuristics, so that their searches are the
/// papers'; the deepest branches first for pattern databases, because this is faster.
pub(crate) fn default_order(heuristic: HeuristicSpec) -> Order {
    match heuristic {
        HeuristicSpec::Patterns | HeuristicSpec::AllPatterns => Order::Deepest,
        _ => Order::Operators,
    }
}

/// The automaton that searches a board fastest.
pub fn default_pruning(board: Board) -> Pruning {
    Pruning::Learned(fsm::default_depth(board))
}
