//! The command line `hanoi4`: one file per subcommand; each parses, builds, calls and prints.

mod bfs;
mod corner_args;
mod ends_args;
mod export;
mod graph;
mod improve;
mod layer_args;
mod notation_args;
mod plan;
mod radius;
mod solve;
mod tables;
mod verify;

use crate::error::SearchError;
use crate::model::{BadInput, Move, Puzzle, State, format_moves, to_u32};
use crate::strategy::AskError;
use clap::{Parser, Subcommand};
use puzzle_cli::format::{format_bytes, format_count, whole_mebibytes};
use puzzle_cli::resume::quoted;
use puzzle_cli::{CommonArgs, Exit, Failure, Generate, Program, Session, Subject};
use referee::hanoi::{Towers, check};
use search_core::Solution;
use search_core::record::{Method, Used};
use search_core::storage::{StorageError, WorkDirError};
use search_core::table::TableError;
use serde::Serialize;
use std::ffi::{OsStr, OsString};

/// Four-peg Towers of Hanoi: shortest solutions, complete searches, proofs
#[derive(Parser, Clone, Debug)]
#[command(name = "hanoi4", bin_name = "hanoi4", version = puzzle_cli::VERSION, after_help = Exit::HELP, max_term_width = 100)]
pub struct Args {
    #[command(flatten)]
    common: CommonArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Clone, Debug)]
enum Command {
    Bfs(bfs::BfsArgs),
    Radius(radius::RadiusArgs),
    Verify(verify::VerifyArgs),
    Plan(plan::PlanArgs),
    Solve(solve::SolveArgs),
    Graph(graph::GraphArgs),
    Improve(improve::ImprovePaths),
    Export(export::ExportTowers),
    #[command(visible_alias = "pdb")]
    Tables(tables::TablesArgs),
    #[command(flatten)]
    Generate(Generate),
}

/// The program's name.
const NAME: &str = "hanoi4";
/// The program's name and version, for run records and the headers of tables.
const VERSION: &str = concat!("hanoi4 ", env!("CARGO_PKG_VERSION"));

impl Program for Args {
    fn common(&self) -> &CommonArgs {
        &self.common
    }

    fn run_in(self, session: &Session) -> Result<Exit, Failure> {
        match self.command {
            Command::Bfs(args) => bfs::run(&args, session),
            Command::Radius(args) => radius::run(&args, session),
            Command::Verify(args) => verify::run(&args, session),
            Command::Plan(args) => plan::run(&args, session),
            Command::Solve(args) => solve::run(&args, session),
            Command::Graph(args) => graph::run(&args, session),
            Command::Improve(args) => improve::run(&args, session),
            Command::Export(args) => export::run(&args, session),
            Command::Tables(args) => tables::run(&args, session),
            Command::Generate(generate) => generate.run::<Args>(),
        }
    }
}

/// The method of a search, for run records.
fn method(used: Used, session: &Session) -> Method {
    Method {
        metric: "moves".to_owned(),
        heuristic: used.heuristic,
        tables: used.tables,
        threads: session.run().threads(),
        seed: None,
        version: VERSION.to_owned(),
    }
}

/// The ends of a path, as written in a certificate.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename = "hanoi")]
struct Ends {
    pegs: u32,
    start: String,
    goal: String,
}

/// The part of a certificate that is not in the record; `search` is the meaning of its bounds.
fn subject(puzzle: &Puzzle, from: State, to: State, search: &'static str) -> Subject<Ends> {
    let ends = Ends { pegs: puzzle.pegs(), start: puzzle.format(from), goal: puzzle.format(to) };
    Subject { puzzle: ends, search, automaton: "none".to_owned(), all: None }
}

/// The solution to print, after the referee has replayed it.
fn checked(puzzle: &Puzzle, from: State, to: State, moves: &[Move]) -> Result<Solution, Failure> {
    let solution = Solution { length: to_u32(moves.len()), moves: format_moves(moves) };
    let towers = |state| Towers::parse(puzzle.pegs() as usize, &puzzle.format(state));
    towers(from)
        .and_then(|from| check(&from, &towers(to)?, &solution.moves, u64::from(solution.length)))
        .map_err(|refusal| {
            Failure::error(format_args!("the referee rejects the solution: {refusal}"))
                .with_remedy("this is a bug; please report it with the instance")
        })?;
    Ok(solution)
}

/// The failure for an invalid puzzle or state.
fn malformed(error: &BadInput) -> Failure {
    Failure::malformed("invalid puzzle or state").with_faults(&error.faults)
}

/// The failure for a table that is not available.
fn table_failure(error: &TableError) -> Failure {
    puzzle_cli::tables::failure(NAME, error)
}

/// The failure for a question without an answer.
fn ask_failure(error: AskError) -> Failure {
    let short = |what: &str, bytes: u64, remedy: String| {
        Failure::usage(format!("this search needs about {} of {what}", format_bytes(bytes)))
            .with_remedy(remedy)
    };
    match error {
        AskError::Malformed(message) => Failure::malformed(message),
        AskError::Unsuitable(message) => {
            Failure::usage(message).with_remedy("omit --method, or the option that does not fit it")
        }
        AskError::TooLong(length) => {
            let message = format!("a shortest path has {} moves, too many to print", format_count(length));
            Failure::usage(message).with_remedy("use at most 24 discs on three pegs")
        }
        AskError::Memory(u64::MAX) => Failure::usage("this search needs more memory than any machine has")
            .with_remedy("give fewer discs"),
        AskError::Memory(bytes) => {
            short("memory", bytes, format!("give --memory {}", whole_mebibytes(bytes)))
        }
        AskError::Layers(bytes) => {
            let memory = whole_mebibytes(bytes);
            short("memory", bytes, format!("give --work-dir DIR to spill to disk, or --memory {memory}"))
        }
        AskError::Disk(bytes) => short("disk", bytes, format!("give --disk {}", whole_mebibytes(bytes))),
        AskError::Table(error) => table_failure(&error),
        AskError::Search(error) => search_failure(error, None),
        AskError::Stopped(error) => Failure::error(error),
    }
}

/// The failure for a search that stopped; `remedy` is how to resume it, where this is possible.
fn search_failure(error: SearchError, remedy: Option<String>) -> Failure {
    let stopped = |failure: Failure| match remedy {
        Some(remedy) => failure.with_remedy(remedy),
        None => failure,
    };
    match error {
        SearchError::Cancelled(_) => stopped(Failure::interrupted("interrupted")),
        SearchError::Storage(error) if error.is_full() => stopped(Failure::interrupted(error)),
        SearchError::Overflow => Failure::error(error).with_remedy("omit --paths, or give fewer discs"),
        SearchError::Discs(_) => Failure::malformed(error),
        SearchError::Storage(StorageError::WorkDir(
            error @ (WorkDirError::Foreign(_) | WorkDirError::Other { .. }),
        )) => Failure::usage(error),
        SearchError::Storage(error @ StorageError::WorkDir(WorkDirError::Damaged(_))) => {
            Failure::error(error).with_remedy("remove the directory to start over, or name another one")
        }
        SearchError::Beyond(_) => Failure::usage(error).with_remedy("give a greater --max-depth, or none"),
        error => Failure::error(error),
    }
}

/// The command line of this process without `--fresh`, and with `disk` as the value of `--disk`.
fn resume_command(disk: Option<&str>) -> String {
    let mut words = puzzle_cli::argv::words().split_off(1);
    let is_disk = |word: &OsString| word.to_str().is_some_and(|word| word.starts_with("--disk"));
    if let (Some(disk), Some(at)) = (disk, words.iter().position(is_disk)) {
        match words[at] == OsStr::new("--disk") {
            false => words[at] = format!("--disk={disk}").into(),
            true => words[at + 1] = disk.into(),
        }
    }
    words.retain(|word| word != OsStr::new("--fresh"));
    format!("{NAME} {}", words.iter().map(quoted).collect::<Vec<_>>().join(" "))
}
