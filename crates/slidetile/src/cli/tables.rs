//! `tile24 tables`: what tables there are and could be.

use std::iter;
use std::time::Instant;

use clap::{Args, Subcommand};
use puzzle_cli::units::format_bytes;
use puzzle_cli::{Exit, Failure, Session, tables};
use search_core::table::{Recipe, Store};
use serde::Serialize;

use super::instance::PuzzleArgs;
use crate::board::Board;
use crate::fsm;
use crate::solver::HeuristicSpec;
use crate::tables::LearnedAutomaton;

/// List, plan, build, verify and remove tables
///
/// A search builds the tables that it needs when they are not there; this is for doing it
/// beforehand, and for getting rid of them.
#[derive(Args, Clone, Debug)]
pub struct TablesArgs {
    #[command(subcommand)]
    command: TablesCommand,
}

#[derive(Subcommand, Clone, Debug)]
enum TablesCommand {
    /// List the tables that are there; only their headers are read
    List,
    /// Show the tables of a puzzle: their sizes and whether they are there
    Plan(PuzzleArgs),
    /// Build the tables of a puzzle that are not there
    Build(PuzzleArgs),
    /// Read tables to the last byte and compare every block with its checksum
    Verify {
        /// The tables [default: all]
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
    /// Remove tables
    Remove {
        /// The tables
        #[arg(value_name = "NAME", required_unless_present = "all")]
        names: Vec<String>,
        /// Remove all
        #[arg(long, conflicts_with = "names")]
        all: bool,
    },
}

pub(super) fn run(args: &TablesArgs, session: &Session) -> Result<Exit, Failure> {
    let store = super::store(session)?;
    match &args.command {
        TablesCommand::List => tables::list(super::NAME, &store, session),
        TablesCommand::Plan(puzzle) => plan(puzzle, &store, session),
        TablesCommand::Build(puzzle) => build(puzzle, &store, session),
        TablesCommand::Verify { names } => tables::verify(super::NAME, &store, names, session),
        TablesCommand::Remove { names, all } => tables::remove(super::NAME, &store, names, *all, session),
    }
}

/// One table that a search would use.
#[derive(Serialize)]
struct Row {
    name: String,
    bytes: u64,
    there: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

impl Row {
    fn line(&self) -> String {
        let size = format_bytes(self.bytes);
        let state = match self.seconds {
            Some(seconds) => format!("ready after {seconds:.1} s"),
            None if self.there => "there".to_owned(),
            None => "not there".to_owned(),
        };
        format!("{:<36} {size:>10}  {state}", self.name)
    }
}

/// The tables that a search of the puzzle would use.
fn recipes(args: &PuzzleArgs) -> Result<Vec<Box<dyn Recipe>>, Failure> {
    let board = args.size.unwrap_or_else(|| Board::new(5, 5).expect("a board"));
    let puzzle = args.on(board)?;
    let plan = HeuristicSpec::Patterns.plan(&puzzle).ok().flatten().unwrap_or_default();
    let automaton = LearnedAutomaton { board, depth: fsm::default_depth(board) };
    let patterns = plan.patterns.into_iter().map(|pattern| Box::new(pattern) as Box<dyn Recipe>);
    Ok(iter::once(Box::new(automaton) as Box<dyn Recipe>).chain(patterns).collect())
}

fn plan(args: &PuzzleArgs, store: &Store, session: &Session) -> Result<Exit, Failure> {
    let mut output = session.output();
    for recipe in recipes(args)? {
        let (name, bytes) = (recipe.name(), recipe.bytes());
        let row = Row { there: store.contains(&name), name, bytes, seconds: None };
        output.record(&row, |row| vec![row.line()])?;
    }
    Ok(Exit::Done)
}

fn build(args: &PuzzleArgs, store: &Store, session: &Session) -> Result<Exit, Failure> {
    let mut output = session.output();
    for recipe in recipes(args)? {
        let begun = Instant::now();
        let table = store.get(&*recipe, &session.run()).map_err(|error| super::table_failure(&error))?;
        let seconds = Some(begun.elapsed().as_secs_f64());
        let row = Row { name: recipe.name(), bytes: table.body.len() as u64, there: true, seconds };
        output.record(&row, |row| vec![row.line()])?;
    }
    Ok(Exit::Done)
}
