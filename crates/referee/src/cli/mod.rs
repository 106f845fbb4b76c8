//! The command line `referee`.

mod check;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// The text of `--version` after the program's name: the version, the commit if it is known, and the target.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("BUILD_OF"), ")");

/// The meaning of the exit codes.
const EXIT_CODES: &str = "\
Exit codes:
  0  no claim is refuted: each is verified or taken on trust
  1  input/output error
  2  usage
  3  a certificate is malformed
  4  a claim is refuted
All certificates are checked; the code is the worst met, in the order 0, 3, 4, 1.";

/// Checks answers of puzzle solvers, independently of the solvers
#[derive(Parser, Clone, Debug)]
#[command(name = "referee", bin_name = "referee", version = VERSION, after_help = EXIT_CODES, max_term_width = 100)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Clone, Debug)]
enum Command {
    Check(check::CheckArgs),
}

/// The outcome of the program, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Exit {
    Stands,
    Malformed,
    Refuted,
    Error,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Stands => 0,
            Exit::Error => 1,
            Exit::Malformed => 3,
            Exit::Refuted => 4,
        })
    }
}

/// Runs the program.
pub fn main() -> ExitCode {
    match Args::try_parse() {
        Ok(Args { command: Command::Check(args) }) => check::run(&args).into(),
        Err(error) => {
            let is_control = |arg: std::ffi::OsString| arg.to_string_lossy().contains(char::is_control);
            if error.use_stderr() && std::env::args_os().any(is_control) {
                check::complain_of_arguments(&error.render().to_string());
            } else {
                // A closed pipe is not an error.
                let _ = error.print();
            }
            ExitCode::from(if error.use_stderr() { 2 } else { 0 })
        }
    }
}
