//! The decisions that are made for the user: heuristic, automaton, order of the branches, and partitions of pattern
//! databases.
//!
//! None of them changes an answer: every heuristic is a lower bound, and every automaton keeps a shortest solution.

pub(crate) mod trials;

use search_core::Run;
use search_core::ida::Order;
use search_core::table::{Recipe, Tables};

use crate::board::Board;
use crate::fsm::{self, Pruning};
use crate::heuristic::HeuristicSpec;
use crate::metric::Metric;
use crate::multi::{self, MultiPattern};
use crate::pdb::Plan;
use crate::puzzle::Puzzle;
use crate::tables::LearnedAutomaton;

/// The shortest strings of an automaton that is used in place of the default one.
const SHALLOWEST: usize = 8;

/// The heuristic and the automaton of a solver. Whatever is not given is chosen for the puzzle and the memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolverSetup {
    heuristic: Option<HeuristicSpec>,
    pruning: Option<Pruning>,
    avoided: Vec<String>,
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

    /// Without the tables of these names: the heuristic and the automaton that are not given are others.
    #[must_use]
    pub fn avoiding(self, tables: impl IntoIterator<Item = String>) -> SolverSetup {
        SolverSetup { avoided: tables.into_iter().collect(), ..self }
    }

    /// Chooses the heuristic and the automaton for a puzzle.
    pub fn decide(&self, puzzle: &Puzzle, tables: &impl Tables, run: &Run<'_>) -> (HeuristicSpec, Pruning) {
        if puzzle.metric() == Metric::Multi {
            return self.decide_multi(puzzle, tables, run);
        }
        let heuristic = self.heuristic.unwrap_or_else(|| {
            let plan = self.plan(HeuristicSpec::Patterns, puzzle, run);
            let are_read = plan.is_some_and(|plan| tables.fit(&plan.patterns, run));
            match are_read {
                true => HeuristicSpec::Patterns,
                false if puzzle.board().is_large() => HeuristicSpec::Conflicts,
                false => HeuristicSpec::Korf96,
            }
        });
        (heuristic, self.pruning.unwrap_or_else(|| self.other_pruning(puzzle.board())))
    }

    /// As [`decide`](SolverSetup::decide), where several tiles move as one.
    fn decide_multi(&self, puzzle: &Puzzle, tables: &impl Tables, run: &Run<'_>) -> (HeuristicSpec, Pruning) {
        let patterns = multi::patterns(puzzle);
        let is_avoided = |pattern: &MultiPattern| self.avoided.contains(&pattern.name());
        let are_read = !patterns.is_empty() && !patterns.iter().any(is_avoided) && tables.fit(&patterns, run);
        let default = if are_read { HeuristicSpec::Patterns } else { HeuristicSpec::Lines };
        (self.heuristic.unwrap_or(default), self.pruning.unwrap_or(Pruning::Inverse))
    }

    /// The pattern databases of a heuristic.
    pub(crate) fn plan(&self, spec: HeuristicSpec, puzzle: &Puzzle, run: &Run<'_>) -> Option<Plan> {
        spec.plan_avoiding(puzzle, run.memory(), &self.avoided)
    }

    /// The automaton that searches a board fastest, of those whose tables are not avoided.
    fn other_pruning(&self, board: Board) -> Pruning {
        if board.is_large() {
            return Pruning::Inverse;
        }
        let is_avoided =
            |depth: &usize| self.avoided.contains(&LearnedAutomaton { board, depth: *depth }.name());
        let mut depths = (SHALLOWEST..=fsm::default_depth(board)).rev().step_by(2);
        depths.find(|depth| !is_avoided(depth)).map_or(Pruning::Inverse, Pruning::Learned)
    }
}

impl From<HeuristicSpec> for SolverSetup {
    fn from(heuristic: HeuristicSpec) -> SolverSetup {
        SolverSetup::default().heuristic(heuristic)
    }
}

/// The heuristic that solves a puzzle soonest: pattern databases, which are built within a minute, if the board has
/// any and they fit the memory of `run`; otherwise that of the paper, or its part without tables on boards larger than
/// 6x6.
pub fn default_heuristic(puzzle: &Puzzle, tables: &impl Tables, run: &Run<'_>) -> HeuristicSpec {
    SolverSetup::default().decide(puzzle, tables, run).0
}

/// The order of the branches: that of the operators for the papers' heuristics, so that their searches are the
/// papers'; the deepest branches first for pattern databases, because this is faster, and on boards larger than those of
/// the papers.
pub(crate) fn default_order(heuristic: HeuristicSpec, board: Board) -> Order {
    match heuristic {
        HeuristicSpec::Patterns | HeuristicSpec::AllPatterns | HeuristicSpec::Lines => Order::Deepest,
        _ if is_beyond_papers(board) => Order::Deepest,
        _ => Order::Operators,
    }
}

/// Whether a board is larger than those of the papers, and has no pattern databases.
pub(crate) fn is_beyond_papers(board: Board) -> bool {
    board.cells() > 32 || board.is_large()
}

/// The automaton that searches a board of at most 6x6 fastest.
pub fn default_pruning(board: Board) -> Pruning {
    Pruning::Learned(fsm::default_depth(board))
}
