//! `tile24 tables`: what tables there are and could be.

use std::time::Instant;

use clap::{Args, Subcommand};
use puzzle_cli::units::format_bytes;
use puzzle_cli::{Exit, Failure, Session, tables};
use search_core::table::Store;
use serde::Serialize;

use super::instance::PuzzleArgs;
use crate::puzzle::Puzzle;
use crate::solver::{Choice, Pruning};
use crate::tables::{automaton_bytes, automaton_name, pattern_name};

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

/// The puzzle that was typed (5x5 unless a size was), and the depth of its automaton.
fn chosen(args: &PuzzleArgs) -> Result<(Puzzle, Option<usize>), Failure> {
    let board = args.size.unwrap_or_else(|| crate::board::Board::new(5, 5).expect("a board"));
    let depth = match Pruning::default_for(board) {
        Pruning::Learned(depth) => Some(depth),
        _ => None,
    };
    Ok((args.on(board)?, depth))
}

fn plan(args: &PuzzleArgs, store: &Store, session: &Session) -> Result<Exit, Failure> {
    let (puzzle, depth) = chosen(args)?;
    let plan = Choice::Patterns.plan(&puzzle).ok().flatten().unwrap_or_default();
    let board = puzzle.board();
    let automaton = depth.map(|depth| (automaton_name(board, depth), automaton_bytes(board)));
    let patterns = plan.patterns.iter().map(|p| (pattern_name(p), p.entries().div_ceil(2) as u64));
    let mut output = session.output();
    for (name, bytes) in automaton.into_iter().chain(patterns) {
        let row = Row { there: store.contains(&name), name, bytes, seconds: None };
        output.record(&row, |row| vec![row.line()])?;
    }
    Ok(Exit::Done)
}

fn build(args: &PuzzleArgs, store: &Store, session: &Session) -> Result<Exit, Failure> {
    let (puzzle, depth) = chosen(args)?;
    let plan = Choice::Patterns.plan(&puzzle).ok().flatten().unwrap_or_default();
    let run = session.run();
    let mut output = session.output();
    let mut tell = |name: String, bytes: u64, begun: Instant| {
        let row = Row { name, bytes, there: true, seconds: Some(begun.elapsed().as_secs_f64()) };
        output.record(&row, |row| vec![row.line()])
    };
    if let Some(depth) = depth {
        let begun = Instant::now();
        let (automaton, used) = crate::tables::automaton(puzzle.board(), depth, store, &run)
            .map_err(|error| super::load_failure(&error))?;
        tell(used.name, 4 * automaton.table().len() as u64, begun)?;
    }
    for pattern in &plan.patterns {
        let begun = Instant::now();
        let (table, used) =
            crate::tables::pattern(pattern, store, &run).map_err(|error| super::load_failure(&error))?;
        tell(used.name, table.as_bytes().len() as u64, begun)?;
    }
    Ok(Exit::Done)
}
