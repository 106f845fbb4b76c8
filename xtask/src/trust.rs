//! `cargo xtask trust`: tries to break what docs/trust.md promises.

use clap::Args;
use puzzle_cli::{CommonArgs, Exit, Failure, Session};
use repro::trust::{folder_of_programs, forge_all, kill_all, mutate_all, stop_all};
use std::path::PathBuf;

/// Try to break what docs/trust.md promises: kill long work, change tables, checkpoints, inputs, certificates, forge tables, stop work
///
/// Runs the programs in the folder of this one; `cargo build --release --workspace` builds them. Prints each
/// test and its endings.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  cargo xtask trust                      all tests: an hour
  cargo xtask trust --kills 50 --mutations 0 --forgeries 0 --stops 0    only kills

Exit code 1 if a promise is broken.")]
pub struct TrustArgs {
    /// Number of times to kill running work
    #[arg(long, value_name = "N", default_value_t = 500)]
    kills: usize,
    /// Number of changes to tables, checkpoints, inputs and certificates
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    mutations: usize,
    /// Number of tables to forge
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    forgeries: usize,
    /// Number of times to stop running work by a time limit and by an interrupt
    #[arg(long, value_name = "N", default_value_t = 280)]
    stops: usize,
    /// Run only the tests with this text in their title, such as `repro-paper` or `certificate`
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    only: String,
    /// Seed of the changes, and of the pauses between kills
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
pub fn run(args: &TrustArgs) -> Result<Exit, Failure> {
    let session = Session::build(&args.common)?;
    let programs = folder_of_programs(args.programs.as_deref())?;
    let run = session.run();
    let mut output = session.output();
    let (mut tried, mut broken) = (0, 0);
    let chosen = (programs.as_path(), args.only.as_str());
    for (test, count) in [args.kills, args.mutations, args.forgeries, args.stops].into_iter().enumerate() {
        if count == 0 {
            continue;
        }
        let outcomes = match test {
            0 => kill_all(chosen, count, args.seed, &run)?,
            1 => mutate_all(chosen, count, args.seed, &run)?,
            2 => forge_all(&args.only, count, args.seed, &run)?,
            _ => stop_all(chosen, count, args.seed, &run)?,
        };
        for outcome in outcomes {
            output.line(&outcome.to_string())?;
            tried += 1;
            broken += outcome.broken.len();
        }
        if session.is_interrupted() {
            return Err(Failure::interrupted("interrupted: not all was tried"));
        }
    }
    if tried == 0 {
        return Err(Failure::usage("no test selected").with_remedy(
            "see docs/trust.md for what --only can name, and give --kills, --mutations, --forgeries or --stops",
        ));
    }
    if broken > 0 {
        return Err(Failure::error(format_args!("a promise of docs/trust.md is broken {broken} times")));
    }
    Ok(Exit::Done)
}
