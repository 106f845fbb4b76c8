//! The command line `tile24`: one file per subcommand; each parses, builds, calls and prints.

mod export;
mod fsm;
mod heuristic;
mod improve;
mod instance;
mod method;
mod plan;
mod random;
mod recheck;
mod solve;
mod tables;
mod units;

use crate::tables::recipe_of;
use clap::{Parser, Subcommand};
use puzzle_cli::checkpoints::CheckpointsCommand;
use puzzle_cli::share::UnitsCommand;
use puzzle_cli::{CommonArgs, Exit, Failure, Generate, Program, RecheckArgs, Session};
use search_core::table::TableError;

use crate::metric::Metric;
use crate::solution::Rejected;
use crate::solver::SolverError;

/// Provably shortest solutions of sliding-tile puzzles from 2x2 to 10x10
#[derive(Parser, Clone, Debug)]
#[command(name = "tile24", bin_name = "tile24", version = puzzle_cli::VERSION, after_help = Exit::HELP, max_term_width = 100)]
pub struct Args {
    #[command(flatten)]
    common: CommonArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Clone, Debug)]
enum Command {
    Solve(solve::SolveArgs),
    Improve(improve::ImproveBoards),
    Recheck(RecheckArgs),
    Random(random::RandomArgs),
    Heuristic(heuristic::HeuristicArgs),
    Export(export::ExportBoard),
    Fsm(fsm::FsmArgs),
    #[command(subcommand)]
    Tables(tables::TablesCommand),
    #[command(subcommand)]
    Checkpoints(CheckpointsCommand),
    #[command(subcommand, after_help = units::AFTER_HELP)]
    Units(UnitsCommand<units::BoardArgs>),
    #[command(flatten)]
    Generate(Generate),
}

/// The program's name.
const NAME: &str = "tile24";
/// The program's name and version, for run records and the headers of tables.
const VERSION: &str = concat!("tile24 ", env!("CARGO_PKG_VERSION"));

/// The failure for a table that is not available.
fn table_failure(error: &TableError) -> Failure {
    puzzle_cli::tables::failure(NAME, error)
}

/// The failure for a solver that is not available.
fn solver_failure(error: &SolverError) -> Failure {
    match error {
        SolverError::Table(error) => table_failure(error),
        SolverError::NoPatterns | SolverError::TooLarge | SolverError::NoTables => {
            Failure::usage(error).with_remedy("choose another --heuristic, such as lc")
        }
        SolverError::Metric { metric: Metric::Single, .. } => {
            Failure::usage(error).with_remedy("give --metric multi, or choose another --heuristic")
        }
        SolverError::Metric { metric: Metric::Multi, .. } => {
            Failure::usage(error).with_remedy("give --heuristic pdb or --heuristic lines")
        }
        SolverError::NoMultiPatterns => Failure::usage(error).with_remedy("give --heuristic lines"),
        SolverError::MultiTooLarge => Failure::usage(error).with_remedy("leave out --metric multi"),
        SolverError::NoStrings | SolverError::MultiStrings => {
            Failure::usage(error).with_remedy("give --fsm inverse")
        }
    }
}

/// The failure for a solution that the referee rejects.
fn rejection(rejected: &Rejected) -> Failure {
    Failure::error(rejected).with_remedy("this is a bug; please report it with the instance")
}

impl Program for Args {
    fn common(&self) -> &CommonArgs {
        &self.common
    }

    fn run_in(self, session: &Session) -> Result<Exit, Failure> {
        match self.command {
            Command::Solve(args) => solve::run(&args, session),
            Command::Improve(args) => improve::run(&args, session),
            Command::Recheck(args) => recheck::run(&args, session),
            Command::Random(args) => random::run(&args, session),
            Command::Heuristic(args) => heuristic::run(&args, session),
            Command::Export(args) => export::run(&args, session),
            Command::Fsm(args) => fsm::run(&args, session),
            Command::Checkpoints(command) => command.run(session),
            Command::Tables(args) => {
                args.run(NAME, |_, name| Ok(recipe_of(name)), &session.store(VERSION), session)
            }
            Command::Units(command) => command.run::<units::Boards>(session),
            Command::Generate(generate) => generate.run::<Args>(),
        }
    }
}
