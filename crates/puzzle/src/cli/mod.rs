//! The command line `puzzle-opt`: one file per subcommand; each parses, builds, calls and prints.

mod algs;
mod convert;
mod count;
mod export;
mod goal_args;
mod group;
mod improve;
mod list;
mod puzzle_args;
mod random;
mod solve;
mod stickers;
mod tables;
mod units;

use clap::{Parser, Subcommand};
use puzzle_cli::checkpoints::CheckpointsCommand;
use puzzle_cli::share::UnitsCommand;
use puzzle_cli::{CommonArgs, Exit, Failure, Generate, Program, Session};

use crate::fault::Faults;
use crate::solution::Rejected;
use crate::solver::SolverError;
use crate::system::SystemError;

/// Provably shortest solutions and counts of any permutation puzzle
#[derive(Parser, Clone, Debug)]
#[command(name = "puzzle-opt", bin_name = "puzzle-opt", version = puzzle_cli::VERSION, after_help = Exit::HELP, max_term_width = 100)]
pub struct Args {
    #[command(flatten)]
    common: CommonArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Clone, Debug)]
enum Command {
    Solve(solve::SolveArgs),
    #[command(subcommand, after_help = units::AFTER_HELP)]
    Units(UnitsCommand<units::StateArgs>),
    Count(count::CountArgs),
    Group(group::GroupArgs),
    Random(random::RandomArgs),
    Algs(algs::AlgsArgs),
    Improve(improve::ImproveAny),
    Convert(convert::ConvertArgs),
    Export(export::ExportState),
    /// List the built-in puzzles
    List,
    #[command(subcommand)]
    Tables(tables::TablesCommand),
    #[command(subcommand)]
    Checkpoints(CheckpointsCommand),
    #[command(flatten)]
    Generate(Generate),
}

/// The program's name.
const NAME: &str = "puzzle-opt";
/// The program's name and version, for run records and the headers of tables.
const VERSION: &str = concat!("puzzle-opt ", env!("CARGO_PKG_VERSION"));

/// The failure for faults of an input.
fn malformed(what: &str, faults: &Faults) -> Failure {
    Failure::malformed(format_args!("invalid {what}")).with_faults(&faults.0)
}

/// The failure for a puzzle that is not available as coordinates.
fn system_failure(what: &str, error: &SystemError) -> Failure {
    match error {
        SystemError::Faults(faults) => malformed(what, faults),
        SystemError::Cancelled(_) => Failure::interrupted(error),
    }
}

/// The failure for a solver that is not available.
fn solver_failure(error: &SolverError) -> Failure {
    match error {
        SolverError::Table(error) => puzzle_cli::tables::failure(NAME, error),
        SolverError::Faults(faults) => malformed("puzzle for a search", faults),
        SolverError::Cancelled(_) => Failure::interrupted(error),
        SolverError::Memory { .. } => Failure::error(error),
        SolverError::Rejected(error) => rejected(error),
    }
}

/// The failure for a solution that its replay rejects.
fn rejected(rejected: &Rejected) -> Failure {
    Failure::error(rejected).with_remedy("this is a bug; please report it with the instance")
}

impl Program for Args {
    fn common(&self) -> &CommonArgs {
        &self.common
    }

    fn run_in(self, session: &Session) -> Result<Exit, Failure> {
        match self.command {
            Command::Solve(args) => solve::run(&args, session),
            Command::Units(command) => command.run::<units::States>(session),
            Command::Count(args) => count::run(&args, session),
            Command::Group(args) => group::run(&args, session),
            Command::Random(args) => random::run(&args, session),
            Command::Algs(args) => algs::run(&args, session),
            Command::Improve(args) => improve::run(&args, session),
            Command::Convert(args) => convert::run(&args, session),
            Command::Export(args) => export::run(&args, session),
            Command::List => list::run(session),
            Command::Checkpoints(command) => command.run(session),
            Command::Tables(args) => {
                let store = session.store(VERSION);
                args.run(NAME, |more, name| more.recipe_of(name, &store, session), &store, session)
            }
            Command::Generate(generate) => generate.run::<Args>(),
        }
    }
}
