//! `cargo xtask trust`: the long tests of what docs/trust.md promises, on the programs themselves.
//!
//! | file | contents |
//! | --- | --- |
//! | `kills` | work that is killed at random moments and started again ends as if it had never been disturbed |
//! | `mutations` | changed tables, checkpoints, inputs and certificates neither crash a program nor change an answer |
//! | `certificates` | a changed certificate is never confirmed, unless what it claims is true |
//! | `changes` | the ways in which files and texts are changed |
//! | `child` | a program that runs, with a limit on its time |
//!
//! The everyday tests run the same code with smaller numbers. All of it follows from a seed, except the
//! moments of the kills, which also depend on the machine's speed.

mod certificates;
mod changes;
mod child;
mod kills;
mod mutations;

pub(crate) use child::{end_within, program, start};
pub use kills::kill_all;
pub use mutations::mutate_all;

use clap::Args;
use puzzle_cli::{CommonArgs, Exit, Failure, Session};
use std::env;
use std::path::{Path, PathBuf};

/// Try to break what docs/trust.md promises: kill long work, change tables, checkpoints, inputs, certificates
///
/// Runs the programs in the folder of this one; `cargo build --release --workspace` builds them. Prints what
/// was tried and how it ended.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  cargo xtask trust                               500 kills and 100,000 changes: half an hour
  cargo xtask trust --kills 50 --mutations 0      only kills

Exit code 1 if a promise is broken.")]
pub struct TrustArgs {
    /// Number of times to kill running work
    #[arg(long, value_name = "N", default_value_t = 500)]
    kills: usize,
    /// Number of changes to tables, checkpoints, inputs and certificates
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    mutations: usize,
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
/// What ends it.
pub fn run(args: &TrustArgs) -> Result<Exit, Failure> {
    let session = Session::build(&args.common)?;
    let programs = folder_of_programs(args.programs.as_deref())?;
    let run = session.run();
    let mut output = session.output();
    let (mut tried, mut broken) = (0, 0);
    let chosen = (programs.as_path(), args.only.as_str());
    for (count, is_kills) in [(args.kills, true), (args.mutations, false)] {
        if count == 0 {
            continue;
        }
        let outcomes = match is_kills {
            true => kill_all(chosen, count, args.seed, &run)?,
            false => mutate_all(chosen, count, args.seed, &run)?,
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
        return Err(Failure::usage("nothing to try")
            .with_remedy("see docs/trust.md for what --only can name, and give --kills or --mutations"));
    }
    if broken > 0 {
        return Err(Failure::error(format_args!("a promise of docs/trust.md is broken {broken} times")));
    }
    Ok(Exit::Done)
}

/// The folder that was asked for, or that of the program that runs.
pub(crate) fn folder_of_programs(asked: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(programs) = asked {
        return Ok(programs.to_owned());
    }
    let this = env::current_exe().map_err(|error| Failure::error(format_args!("the programs: {error}")))?;
    Ok(this.parent().map(PathBuf::from).unwrap_or_default())
}

/// What was tried, and how it ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was tried.
    pub title: String,
    /// How often each ending was seen, as `12 killed`.
    pub endings: Vec<(usize, String)>,
    /// The broken promises, each with what repeats it.
    pub broken: Vec<String>,
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let endings: Vec<String> =
            self.endings.iter().map(|(count, what)| format!("{count} {what}")).collect();
        write!(f, "{}: {}", self.title, endings.join(", "))?;
        self.broken.iter().try_for_each(|broken| write!(f, "\n  broken: {broken}"))
    }
}
