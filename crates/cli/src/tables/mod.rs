//! The command `tables`, the same in every program: list, plan, build, verify and remove tables.
//!
//! | file | subcommands |
//! | --- | --- |
//! | `files` | `list`, `verify` and `remove`, which know nothing of any puzzle |
//! | `recipes` | `plan` and `build`, for the recipes that a program's arguments select |

mod files;
mod recipes;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::format::{format_bytes, whole_mebibytes};
use crate::session::Session;
use crate::tables_dir::VARIABLE;
use clap::{Args, Subcommand};
use search_core::storage::IoError;
use search_core::table::{FileError, Recipe, Store, TableError};
use std::fmt::Display;
use std::io::ErrorKind::{NotFound, PermissionDenied};

pub use files::{RecipeOf, verify};
pub use recipes::{Planned, Select, build, plan};

// The arguments `P` select tables to plan, `B` tables to build; `V` are more arguments for proofs of tables.
/// List, plan, build, verify and remove tables
///
/// A search builds the tables that it needs if they do not exist. This command builds them
/// beforehand, and removes them.
#[derive(Subcommand, Clone, Debug)]
pub enum TablesCommand<P: Args, B: Args, V: Args = NoMore> {
    /// List the tables in the store
    List,
    /// Show the memory and build time of each table, and whether it exists
    Plan(P),
    /// Build tables that do not exist
    Build(B),
    /// Read tables completely and compare every block with its checksum
    Verify {
        /// Names of tables [default: all]
        #[arg(value_name = "NAME")]
        names: Vec<String>,
        /// Also prove the entries: by comparing neighbours, by building the table again or, where that takes long,
        /// for a random sample; the output says which
        #[arg(long)]
        contents: bool,
        /// More arguments that a proof needs.
        #[command(flatten)]
        more: V,
    },
    /// Remove tables
    Remove {
        /// Names of tables
        #[arg(value_name = "NAME", required_unless_present = "all")]
        names: Vec<String>,
        /// Remove all tables
        #[arg(long, conflicts_with = "names")]
        all: bool,
    },
}

/// No further arguments.
#[derive(Args, Clone, Copy, Debug)]
pub struct NoMore {}

impl<P: Args + Select, B: Args + Select, V: Args> TablesCommand<P, B, V> {
    /// Runs the subcommand. `program` is the binary's name; `recipe_of` gives the recipe of one of its tables by name.
    ///
    /// # Errors
    /// The failure that ends it.
    pub fn run(
        &self,
        program: &str,
        recipe_of: impl Fn(&V, &str) -> Result<Option<Box<dyn Recipe>>, Failure>,
        store: &Store,
        session: &Session,
    ) -> Result<Exit, Failure> {
        if store.dirs().is_empty() {
            let what = "no directory for tables: there is no cache directory, as HOME is not set";
            return Err(Failure { exit: Exit::Usage, ..no_directory(what) });
        }
        match self {
            TablesCommand::List => files::list(program, store, session),
            TablesCommand::Plan(args) => args.plan(store, session),
            TablesCommand::Build(args) => build(program, &args.select(store, session)?, store, session),
            TablesCommand::Verify { names, contents, more } => {
                let recipe_of = |name: &str| recipe_of(more, name);
                let recipes: Option<RecipeOf<'_>> = if *contents { Some(&recipe_of) } else { None };
                verify(program, recipes, store, names, session)
            }
            TablesCommand::Remove { names, all } => files::remove(program, store, names, *all, session),
        }
    }
}

/// The failure for a table that is not available, with its exit code and remedy. `program` is the
/// binary's name.
pub fn failure(program: &str, error: &TableError) -> Failure {
    let name = &error.name;
    match &error.problem {
        FileError::Format(_) => Failure::table(error).with_remedy(format_args!(
            "remove it with `{program} tables remove {name}`; it is rebuilt when next needed"
        )),
        FileError::Cancelled(_) => {
            Failure::interrupted(format_args!("interrupted while building or reading table {name}"))
                .with_remedy("run the same command again; a long build resumes where it stopped")
        }
        FileError::NoSpace { .. } => {
            Failure::error(error).with_remedy("free disk space, or name another directory with --tables DIR")
        }
        FileError::OverBudget { table, others, budget } => over_budget(name, *table, *others, *budget),
        FileError::Memory(_) => Failure::error(error).with_remedy("choose a smaller table"),
        FileError::Busy => {
            Failure::error(error).with_remedy("run the command again when that process has finished")
        }
        FileError::Unproved => Failure::table(error).with_remedy(
            "build your own in a directory of yours that you name first with --tables; or, if you trust whoever wrote \
             it, add --trust all",
        ),
        FileError::BadName => Failure::usage(error),
        FileError::NoDirectory => no_directory(error),
        FileError::Io(io) if matches!(io.error.kind(), NotFound | PermissionDenied) => of_io(io),
        FileError::Io(_) | FileError::Build(_) => Failure::error(error),
    }
}

/// The failure for a file or directory of tables that the system refuses.
fn of_io(error: &IoError) -> Failure {
    let failure = Failure::error(error);
    match error.error.kind() {
        NotFound => failure.with_remedy(
            "the directory of tables was removed meanwhile; run the command again, or name another one with \
             --tables DIR",
        ),
        PermissionDenied => failure.with_remedy(
            "ask the owner of the file for read access, or name a directory that you can write first with --tables DIR",
        ),
        _ => failure,
    }
}

/// The failure where no directory can keep a table.
fn no_directory(what: impl Display) -> Failure {
    let remedy = format!("name one with --tables DIR or ${VARIABLE}");
    Failure::error(what).with_remedy(remedy)
}

fn over_budget(name: &str, table: u64, others: u64, budget: u64) -> Failure {
    let beside = match others {
        0 => String::new(),
        others => format!(" on top of {} for other tables", format_bytes(others)),
    };
    let (takes, budget, enough) =
        (format_bytes(table), format_bytes(budget), whole_mebibytes(table.saturating_add(others)));
    Failure::error(format_args!("table {name} takes {takes} of memory{beside}; the budget is {budget}"))
        .with_remedy(format_args!("give --memory {enough} if the machine has it, or choose a smaller table"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::table::FormatError;
    use std::io;
    use std::path::Path;

    #[test]
    fn every_kind_of_error_has_its_code_and_remedy() {
        let of =
            |problem: FileError| failure("cube-opt", &problem.of("corners", Path::new("/t/corners.table")));
        let damaged = of(FormatError::NotATable.into());
        assert_eq!(damaged.exit, Exit::Table);
        assert_eq!(
            damaged.remedy.as_deref(),
            Some("remove it with `cube-opt tables remove corners`; it is rebuilt when next needed")
        );
        assert_eq!(of(FormatError::Version { expected: 2, got: 1 }.into()).exit, Exit::Table);
        assert_eq!(of(search_core::Cancelled.into()).exit, Exit::Interrupted);
        assert_eq!(of(FileError::NoSpace { needed: 5, available: Some(1) }).exit, Exit::Error);
        assert_eq!(of(FileError::BadName).exit, Exit::Usage);
        let io = |kind: io::ErrorKind| of(IoError { path: "/t".into(), error: kind.into() }.into());
        let removed = io(io::ErrorKind::NotFound);
        assert_eq!(removed.exit, Exit::Error);
        assert!(removed.remedy.unwrap().contains("was removed meanwhile"));
        assert_eq!(io(io::ErrorKind::PermissionDenied).exit, Exit::Error);
        assert!(of(FileError::Busy).remedy.is_some());
    }
}
