//! `cargo xtask soak`: runs solvers for an hour.

use clap::Args;
use puzzle_cli::{CommonArgs, Exit, Failure, Session};
use repro::soak::soak;
use repro::trust::folder_of_programs;
use std::path::PathBuf;
use std::time::Duration;

/// Feed solvers with mixed batches for an hour: memory must not grow, every answer is replayed
///
/// Runs the programs in the folder of this one; `cargo build --release --workspace` builds them. A batch is a
/// thousand cubes and some hundred boards, bad lines among them. A second process builds and removes tables
/// meanwhile. Prints what was answered, and the memory over time.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  cargo xtask soak                                an hour
  cargo xtask soak --minutes 1 --threads 1        a minute, each solver on one thread

Exit code 1 if an answer is wrong or missing, or if memory grows.")]
pub struct SoakArgs {
    /// Duration in minutes
    #[arg(long, value_name = "N", default_value_t = 60)]
    minutes: u64,
    /// Seed of the instances
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Folder of the programs [default: the folder of this program]
    #[arg(long, value_name = "DIR")]
    programs: Option<PathBuf>,
    #[command(flatten)]
    common: CommonArgs,
}

/// Runs the task.
///
/// # Errors
/// The failure that ends it.
pub fn run(args: &SoakArgs) -> Result<Exit, Failure> {
    let session = Session::build(&args.common)?;
    let programs = folder_of_programs(args.programs.as_deref())?;
    let run = session.run();
    let soaked = soak(&programs, Duration::from_secs(60 * args.minutes), args.seed, &run)?;
    session.output().line(&soaked.to_string())?;
    if session.is_interrupted() {
        return Err(Failure::interrupted("interrupted: the time was not over"));
    }
    if soaked.broken.is_empty() {
        return Ok(Exit::Done);
    }
    Err(Failure::error(format_args!("a promise of docs/trust.md is broken {} times", soaked.broken.len())))
}
