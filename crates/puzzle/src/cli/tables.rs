//! `puzzle-opt tables`: the tables of a puzzle.

use clap::Args;
use puzzle_cli::tables::{Planned, Select};
use puzzle_cli::{Failure, Session, tables};
use search_core::table::{Entry, Recipe, Store};

use super::puzzle_args::{FreeArgs, PuzzleArgs, SelectionArgs};
use super::system_failure;
use crate::builtin;
use crate::database::Database;
use crate::solver::plan;
use crate::system::System;

/// The subcommands of `puzzle-opt tables`.
pub(super) type TablesCommand = tables::TablesCommand<TablesArgs, TablesArgs, OwnerArgs>;

/// The puzzle that tables are for.
#[derive(Args, Clone, Debug)]
pub(super) struct TablesArgs {
    #[command(flatten)]
    puzzle: PuzzleArgs,
    #[command(flatten)]
    free: FreeArgs,
}

impl Select for TablesArgs {
    /// The pattern databases that a search within the memory budget reads.
    fn select(&self, _: &Store, session: &Session) -> Result<Vec<Planned>, Failure> {
        let (_, selected) = self.puzzle.read_with(&self.free, session)?;
        let databases = plan(&selected.puzzle, &session.run());
        let databases = databases.map_err(|error| system_failure("puzzle for a search", &error))?;
        Ok(databases.into_iter().map(Planned::from).collect())
    }
}

/// The puzzle whose tables are proved.
#[derive(Args, Clone, Debug)]
pub(super) struct OwnerArgs {
    /// With --contents: the puzzle of the tables, if it is not built in or has other moves than by default
    #[arg(long, value_name = "PUZZLE", requires = "contents")]
    puzzle: Option<String>,
    #[command(flatten)]
    selection: SelectionArgs,
    #[command(flatten)]
    free: FreeArgs,
}

impl OwnerArgs {
    /// The recipe of the table of this name. The puzzle is the one that is named, or the built-in one of the table's header.
    pub(super) fn recipe_of(
        &self,
        name: &str,
        store: &Store,
        session: &Session,
    ) -> Result<Option<Box<dyn Recipe>>, Failure> {
        let entries = store.list().map_err(Failure::error)?;
        let header = |entry: Entry| entry.header.ok().filter(|_| entry.name == name);
        let Some(header) = entries.into_iter().find_map(header) else { return Ok(None) };
        let spec = &header.spec;
        let puzzle = self.puzzle.as_deref().or(builtin::get(&spec.puzzle).map(|_| &*spec.puzzle));
        let Some(puzzle) = puzzle else { return Ok(None) };
        let args = PuzzleArgs { puzzle: puzzle.to_owned(), selection: self.selection.clone() };
        let (_, selected) = args.read_with(&self.free, session)?;
        let run = session.run();
        let system = System::new(&selected.puzzle, &run);
        let system = system.map_err(|error| system_failure("puzzle for a search", &error))?;
        let found = Database::of_spec(selected.puzzle.name(), &system, spec, &run).map_err(Failure::error)?;
        let found = found.filter(|database| database.name() == name);
        Ok(found.map(|database| Box::new(database) as Box<dyn Recipe>))
    }
}
