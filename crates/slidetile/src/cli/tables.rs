//! `tile24 tables`: the tables of a puzzle.

use puzzle_cli::tables::{Planned, Select};
use puzzle_cli::{Failure, Session, tables};
use search_core::table::Store;

use super::instance::PuzzleArgs;
use crate::board::Board;
use crate::fsm;
use crate::solver::HeuristicSpec;
use crate::tables::LearnedAutomaton;

/// The arguments of `tile24 tables`: a puzzle, 5x5 unless a size is given.
pub(super) type TablesCommand = tables::TablesCommand<PuzzleArgs, PuzzleArgs>;

impl Select for PuzzleArgs {
    /// The automaton and the pattern databases of the puzzle.
    fn select(&self, _: &Store, _: &Session) -> Result<Vec<Planned>, Failure> {
        let board = self.size.unwrap_or_else(|| Board::new(5, 5).expect("a board"));
        let plan = HeuristicSpec::Patterns.plan(&self.on(board)?).unwrap_or_default();
        let mut tables = vec![LearnedAutomaton { board, depth: fsm::default_depth(board) }.into()];
        tables.extend(plan.patterns.into_iter().map(Planned::from));
        Ok(tables)
    }
}
