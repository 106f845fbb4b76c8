//! The arguments that choose a solver: heuristic and automaton.

use clap::Args;
use puzzle_cli::{Failure, Session};
use search_core::record::Method;
use search_core::table::Store;

use crate::board::Board;
use crate::puzzle::Puzzle;
use crate::solver::{HeuristicSpec, Pruning, Solver};

/// How to search.
#[derive(Args, Clone, Debug)]
pub struct MethodArgs {
    #[arg(long, value_name = "NAME", help = heuristic_help())]
    pub heuristic: Option<HeuristicSpec>,
    /// Pruning of duplicate operator strings: off, inverse or the length of the longest learned strings
    /// [default: 12 on boards of at most 12 cells, else 14]
    #[arg(long, value_name = "off|inverse|DEPTH")]
    pub fsm: Option<Pruning>,
}

fn heuristic_help() -> String {
    format!(
        "The heuristic: {} [default: pdb if its tables fit --memory and the board has at most 32 cells, else korf96]",
        HeuristicSpec::names()
    )
}

impl MethodArgs {
    /// The automaton for a board.
    pub fn pruning(&self, board: Board) -> Pruning {
        self.fsm.unwrap_or_else(|| Pruning::default_for(board))
    }

    /// The solver, with its tables.
    ///
    /// # Errors
    /// The failure for a table that is not available.
    pub fn load(&self, puzzle: Puzzle, store: &Store, session: &Session) -> Result<Solver, Failure> {
        let run = &session.run();
        let heuristic = self.heuristic.unwrap_or_else(|| HeuristicSpec::best_for(&puzzle, store, run));
        let pruning = self.pruning(puzzle.board());
        Solver::load(puzzle, heuristic, pruning, store, run).map_err(|error| super::solver_failure(&error))
    }
}

/// How a solver searches, for the record.
pub fn of(solver: &Solver, session: &Session) -> Method {
    Method {
        metric: "moves".to_owned(),
        heuristic: solver.heuristic().to_string(),
        tables: solver.tables().to_vec(),
        threads: session.run().threads(),
        seed: None,
        version: super::VERSION.to_owned(),
    }
}
