//! `cargo xtask sanitize`: Miri over the unit tests of unsafe code, ThreadSanitizer over threads that share
//! memory and files.
//!
//! Both need a nightly compiler, so `.ci/run` does not run them. docs/trust.md lists their findings.

use clap::Args;
use puzzle_cli::{CommonArgs, Exit, Failure, Session};
use std::fmt;
use std::path::Path;
use std::process::Command;

/// Run Miri and ThreadSanitizer over the tests of unsafe code and of threads
///
/// Needs a nightly compiler: rustup toolchain install nightly --component miri,rust-src
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  cargo xtask sanitize                            both: about half an hour on two cores
  cargo xtask sanitize --miri                     undefined behaviour, by an interpreter
  cargo xtask sanitize --races                    data races, by an instrumented build
  cargo xtask sanitize --list                     only print the commands

Exit code 1 if a test fails or something is found.")]
pub struct SanitizeArgs {
    /// Only Miri
    #[arg(long, conflicts_with = "races")]
    miri: bool,
    /// Only ThreadSanitizer
    #[arg(long)]
    races: bool,
    /// Only print the commands
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    common: CommonArgs,
}

/// A command of cargo, with the variables that it needs.
struct Step {
    variables: Vec<(&'static str, &'static str)>,
    arguments: String,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.variables {
            write!(f, "{name}={} ", puzzle_cli::resume::quoted(value))?;
        }
        write!(f, "cargo {}", self.arguments)
    }
}

/// No isolation, because rayon asks for the number of cores. Leaks are ignored, because threads still wait for work
/// when the tests end. Crossbeam, which rayon uses, needs tree borrows and casts of integers to pointers.
const MIRI: (&str, &str) = (
    "MIRIFLAGS",
    "-Zmiri-disable-isolation -Zmiri-ignore-leaks -Zmiri-tree-borrows -Zmiri-permissive-provenance",
);
/// Threads waiting for work spin, which is slow in an interpreter.
const ONE: (&str, &str) = ("RAYON_NUM_THREADS", "1");
/// The number of random cases per property.
const FEW: (&str, &str) = ("PROPTEST_CASES", "4");
/// With these features, the code compiled for wider instructions is also interpreted.
const WIDE: (&str, &str) = ("RUSTFLAGS", "-C target-feature=+avx2,+bmi1,+bmi2,+popcnt");
const THREAD: (&str, &str) = ("RUSTFLAGS", "-Zsanitizer=thread");

fn miri() -> Vec<Step> {
    let step = |variables: &[(&'static str, &'static str)], tests: &str| Step {
        variables: [&[MIRI, ONE, FEW], variables].concat(),
        arguments: format!("+nightly miri test --target-dir target/miri {tests}"),
    };
    let modules = "zero_bytes:: pdb::fill::cells::";
    vec![
        step(&[], &format!("-p search-core --lib -- {modules}")),
        step(&[WIDE], "-p search-core --lib -- zero_bytes::"),
        step(&[WIDE], "-p cube-opt --no-default-features --lib -- lanes::"),
    ]
}

fn races() -> Vec<Step> {
    // Splitting, checkpoints, fills, the store and its lock, progress, cancellation.
    const TESTS: [&str; 3] = [
        "-p search-core --lib --test it -- --skip tables_damage::",
        "-p puzzle-cli --lib",
        "-p hanoi4 --no-default-features --lib",
    ];
    let step = |tests: &str| Step {
        variables: vec![THREAD],
        arguments: format!(
            "+nightly test -Zbuild-std --target x86_64-unknown-linux-gnu --target-dir target/tsan {tests}"
        ),
    };
    TESTS.into_iter().map(step).collect()
}

/// Runs the task.
///
/// # Errors
/// The failure that ends it.
pub fn run(args: &SanitizeArgs) -> Result<Exit, Failure> {
    let session = Session::build(&args.common)?;
    let steps = match (args.miri, args.races) {
        (true, _) => miri(),
        (_, true) => races(),
        _ => miri().into_iter().chain(races()).collect(),
    };
    let mut output = session.output();
    let mut failed = Vec::new();
    for step in &steps {
        output.line(&step.to_string())?;
        if args.list {
            continue;
        }
        let mut command = Command::new("cargo");
        command.args(step.arguments.split(' ')).envs(step.variables.iter().copied());
        // The toolchain that runs this program is not the requested one.
        command.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO");
        command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
        let status = command.status().map_err(|error| Failure::error(format_args!("cargo: {error}")))?;
        if session.is_interrupted() {
            return Err(Failure::interrupted("interrupted: not all was run"));
        }
        if !status.success() {
            failed.push(format!("{step}: {status}"));
        }
    }
    if failed.is_empty() {
        return Ok(Exit::Done);
    }
    Err(Failure::error("a test fails, or something is found; its output is above").with_faults(failed))
}
