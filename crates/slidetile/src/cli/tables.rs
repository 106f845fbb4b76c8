//! `tile24 tables`: the tables of a puzzle.

use clap::Args;
use puzzle_cli::tables::{Planned, Select};
use puzzle_cli::{Failure, Session, tables};
use search_core::table::Store;

use super::instance::PuzzleArgs;
use super::plan::PlanArgs;
use crate::board::Board;
use crate::fsm;
use crate::heuristic::HeuristicSpec;
use crate::metric::Metric;
use crate::multi;
use crate::puzzle::Puzzle;
use crate::tables::LearnedAutomaton;

/// The subcommands of `tile24 tables`: for a puzzle, by default 5x5, and a heuristic.
pub(super) type TablesCommand = tables::TablesCommand<PlanArgs, TablesArgs>;

/// The puzzle and the heuristic that tables are for.
#[derive(Args, Clone, Debug)]
pub(super) struct TablesArgs {
    #[command(flatten)]
    pub puzzle: PuzzleArgs,
    /// The heuristic that reads the tables: pdb (up to 1 GiB of them), or pdb-max (as many as the memory
    /// holds)
    #[arg(long, value_name = "NAME", default_value_t = HeuristicSpec::Patterns)]
    pub heuristic: HeuristicSpec,
}

impl TablesArgs {
    /// The puzzle.
    ///
    /// # Errors
    /// Exit code 3 with every fault of the goal.
    pub fn puzzle(&self) -> Result<Puzzle, Failure> {
        self.puzzle.on(self.puzzle.size.unwrap_or_else(|| Board::new(5, 5).expect("a board")))
    }
}

impl Select for TablesArgs {
    /// The automaton and the pattern databases of the puzzle.
    fn select(&self, _: &Store, session: &Session) -> Result<Vec<Planned>, Failure> {
        let puzzle = self.puzzle()?;
        if puzzle.metric() == Metric::Multi {
            return Ok(multi::patterns(&puzzle).into_iter().map(Planned::from).collect());
        }
        if puzzle.board().is_large() {
            return Ok(Vec::new());
        }
        let (board, patterns) = (puzzle.board(), self.heuristic.patterns(&puzzle, session.run().memory()));
        let mut tables = vec![LearnedAutomaton { board, depth: fsm::default_depth(board) }.into()];
        tables.extend(patterns.into_iter().map(Planned::from));
        Ok(tables)
    }
}
