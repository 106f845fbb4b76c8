//! `puzzle-opt tables`: the tables of a puzzle.

use clap::Args;
use puzzle_cli::tables::{Planned, Select};
use puzzle_cli::{Failure, Session, tables};
use search_core::table::{Recipe, Store};

use super::puzzle_args::PuzzleArgs;
use super::system_failure;
use crate::solver::plan;

/// The subcommands of `puzzle-opt tables`.
pub(super) type TablesCommand = tables::TablesCommand<TablesArgs, TablesArgs>;

/// The puzzle that tables are for.
#[derive(Args, Clone, Debug)]
pub(super) struct TablesArgs {
    #[command(flatten)]
    puzzle: PuzzleArgs,
}

impl Select for TablesArgs {
    /// The pattern databases that a search within the memory budget reads.
    fn select(&self, _: &Store, session: &Session) -> Result<Vec<Planned>, Failure> {
        let (_, selected) = self.puzzle.read(session)?;
        let databases = plan(&selected.puzzle, &session.run());
        let databases = databases.map_err(|error| system_failure("puzzle for a search", &error))?;
        Ok(databases.into_iter().map(Planned::from).collect())
    }
}

/// No recipe follows from the name of a table alone, since the puzzle is not in it.
pub(super) fn recipe_of(_: &str) -> Option<Box<dyn Recipe>> {
    None
}
