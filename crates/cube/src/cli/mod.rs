//! The command line `cube-opt`: one file per subcommand, each of which parses, builds, calls and prints.

mod algorithm;
mod algs;
mod cheapest;
mod convert;
mod cube_writer;
mod fmc;
mod group;
mod heuristics;
mod improve;
mod insert;
mod link;
mod mask;
mod metric;
mod move_args;
mod notation;
mod perft;
mod recheck;
mod referee_check;
mod scramble;
mod search_args;
mod solve;
mod stickers;
mod table_names;
mod tables;
mod units;

use crate::recipes::recipe_of;
use clap::{Parser, Subcommand};
use puzzle_cli::checkpoints::CheckpointsCommand;
use puzzle_cli::share::UnitsCommand;
use puzzle_cli::{CommonArgs, Exit, Failure, Generate, Program, RecheckArgs, Session};

/// Provably shortest solutions of Rubik's cube
#[derive(Parser, Clone, Debug)]
#[command(name = "cube-opt", bin_name = "cube-opt", version = puzzle_cli::VERSION, after_help = Exit::HELP, max_term_width = 100)]
pub struct Args {
    #[command(flatten)]
    common: CommonArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Clone, Debug)]
enum Command {
    Solve(Box<solve::SolveArgs>),
    Insert(insert::InsertArgs),
    Algs(Box<algs::AlgsArgs>),
    Cheapest(cheapest::CheapestArgs),
    Improve(improve::ImproveCubes),
    Recheck(RecheckArgs),
    #[command(subcommand)]
    Tables(tables::TablesCommand),
    #[command(subcommand)]
    Checkpoints(CheckpointsCommand),
    Heuristics(heuristics::HeuristicsArgs),
    Scramble(scramble::ScrambleArgs),
    Convert(convert::ConvertArgs),
    Perft(perft::PerftArgs),
    Group(group::GroupArgs),
    #[command(subcommand, after_help = units::AFTER_HELP)]
    Units(UnitsCommand<units::CubeArgs>),
    #[command(flatten)]
    Generate(Generate),
}

/// The program's name.
const NAME: &str = "cube-opt";
/// The program's name and version, for run records and the headers of tables.
const VERSION: &str = concat!("cube-opt ", env!("CARGO_PKG_VERSION"));

impl Program for Args {
    fn common(&self) -> &CommonArgs {
        &self.common
    }

    fn run_in(self, session: &Session) -> Result<Exit, Failure> {
        match self.command {
            Command::Solve(args) => solve::run(&args, session),
            Command::Insert(args) => insert::run(&args, session),
            Command::Algs(args) => algs::run(&args, session),
            Command::Cheapest(args) => cheapest::run(&args, session),
            Command::Improve(args) => improve::run(&args, session),
            Command::Recheck(args) => recheck::run(&args, session),
            Command::Heuristics(args) => heuristics::run(&args, session),
            Command::Checkpoints(command) => command.run(session),
            Command::Tables(args) => {
                args.run(NAME, |_, name| Ok(recipe_of(name)), &session.store(VERSION), session)
            }
            Command::Scramble(args) => scramble::run(&args, session),
            Command::Convert(args) => convert::run(&args, session),
            Command::Perft(args) => perft::run(&args, session),
            Command::Group(args) => group::run(&args, session),
            Command::Units(command) => command.run::<units::Cubes>(session),
            Command::Generate(generate) => generate.run::<Args>(),
        }
    }
}
