//! The common part of the command lines of all solvers.
//!
//! | module | contents |
//! | --- | --- |
//! | [`args`] | the arguments: [`CommonArgs`] (threads, memory, tables, …) and [`Limits`] |
//! | [`argv`] | the words of the command line, for commands that resume |
//! | [`session`] | the [`Session`] that is built from the common arguments |
//! | [`exit`] | the exit codes, ordered so that a batch returns the worst |
//! | [`failure`] | an error with its exit code, every fault found, and the remedy |
//! | [`mod@column`] | `--column`: instances in a column of CSV or TSV |
//! | [`instance`] | an instance as it was given |
//! | [`batch`] | instances from arguments or standard input, each answered as it arrives |
//! | [`by_cost`] | instances in the order of their forecasts, within a budget of time |
//! | [`cases`] | cases with names, and the table of their solutions |
//! | [`checkpoints`] | the file from which a stopped search continues |
//! | [`sealed`] | small files that are read whole or not at all |
//! | [`certificate`] | `--certificate`: data with which a third party can check an answer |
//! | [`recheck`] | the command `recheck`: proves the lower bound of a certificate with other tables |
//! | [`improve`] | the command `improve`: shorter solutions from long ones |
//! | [`export`] | the command `export`: an instance as a planning task |
//! | [`output`] | text, JSON or CSV lines on standard output, flushed one by one |
//! | [`answer`] | the answer of a solver: a record, its exit code, why an instance is not solved |
//! | [`bars`] | progress bars for [`search_core::Progress`], only on a terminal |
//! | [`interrupt`] | Ctrl-C and SIGTERM set a [`search_core::Cancel`]; a second one exits at once |
//! | [`tables`] | the command `tables`; the failure for a table that is not available |
//! | [`share`] | the command `units`: a search that many processes share |
//! | [`resume`] | the command that resumes an interrupted batch |
//! | [`generate`] | the subcommands `completions SHELL` and `man` |
//! | [`tables_dir`] | where table files lie |
//! | `testing` | checks that the tests of all programs share: commands stop, lines of JSON fit their schema |
//! | [`mod@format`] | sizes, counts and durations: reading and printing |
//!
//! # A whole program
//!
//! ```no_run
//! use clap::{Parser, Subcommand};
//! use puzzle_cli::{CommonArgs, Exit, Failure, Generate, Limits, Session};
//!
//! /// Solves puzzles.
//! #[derive(Parser)]
//! #[command(version)]
//! struct Args {
//!     #[command(flatten)]
//!     common: CommonArgs,
//!     #[command(subcommand)]
//!     command: Command,
//! }
//!
//! #[derive(Subcommand)]
//! enum Command {
//!     /// Solve instances.
//!     Solve {
//!         #[command(flatten)]
//!         limits: Limits,
//!         instances: Vec<String>,
//!     },
//!     #[command(flatten)]
//!     Generate(Generate),
//! }
//!
//! fn run(args: Args) -> Result<Exit, Failure> {
//!     let session = Session::build(&args.common)?;
//!     match args.command {
//!         Command::Generate(generate) => generate.run::<Args>(),
//!         Command::Solve { limits, instances } => {
//!             session.batch::<Args>(&instances, |instance, output| {
//!                 let run = limits.run(&session.run());
//!                 // … parse instance.text, search with &run …
//!                 let _ = run;
//!                 output.line(&instance.text)?;
//!                 Ok(Exit::Done)
//!             })
//!         }
//!     }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     puzzle_cli::main(run)
//! }
//! ```

mod allocator;
pub mod answer;
pub mod args;
pub mod argv;
pub mod bars;
pub mod batch;
pub mod by_cost;
pub mod cases;
pub mod certificate;
pub mod checkpoints;
pub mod column;
pub mod exit;
pub mod export;
pub mod failure;
pub mod format;
pub mod generate;
pub mod improve;
pub mod instance;
pub mod interrupt;
mod line;
mod lines;
pub mod memory;
mod named;
pub mod output;
pub mod recheck;
pub mod resume;
pub mod sealed;
pub mod session;
pub mod share;
mod stderr;
pub mod tables;
pub mod tables_dir;
#[doc(hidden)]
pub mod testing;
mod trace;

pub use args::{BoundArgs, CommonArgs, InputArgs, Limits, Print, PrintArgs, RandomArgs, RecordArgs};
pub use bars::Bars;
pub use batch::refuse_parts;
pub use certificate::{CertificateArgs, Certificates, Subject};
pub use checkpoints::CheckpointArgs;
pub use exit::Exit;
pub use export::ExportArgs;
pub use failure::Failure;
pub use generate::Generate;
pub use improve::{ImproveArgs, Improver, Shortened};
pub use instance::{Instance, Origin};
pub use named::Named;
pub use output::{Format, Output};
pub use recheck::RecheckArgs;
pub use session::Session;

/// The text of `--version` after the program's name: the version, the commit if it is known, and the target.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("BUILD_OF"), ")");

use clap::Parser;
use std::ffi::OsString;
use std::process::ExitCode;

/// The arguments of a program, and how their command is run.
pub trait Program: Parser {
    /// The options that all programs have.
    fn common(&self) -> &CommonArgs;

    /// Runs the command that was typed, with these settings.
    ///
    /// # Errors
    /// A failure that ends the program. A failure of one instance is reported and counts in the exit code.
    fn run_in(self, session: &Session) -> Result<Exit, Failure>;

    /// Runs the command that was typed, with the settings that its options give.
    ///
    /// # Errors
    /// As [`Program::run_in`]; also if the options are inconsistent.
    fn run(self) -> Result<Exit, Failure> {
        let session = Session::build(self.common())?;
        self.run_in(&session)
    }
}

/// Parses the command line, runs the program and turns its result into the exit code. Errors
/// are written to standard error; help and version go to standard output with code 0.
pub fn main<A: Parser>(run: impl FnOnce(A) -> Result<Exit, Failure>) -> ExitCode {
    parse_and_run(argv::words(), run).into()
}

/// As [`main`], for a host that runs the program within its own process: `words` is the command line, the program's name
/// first. The process handles signals as the program does from then on, so the host ends with the returned code.
pub fn main_within<A: Parser>(words: Vec<OsString>, run: impl FnOnce(A) -> Result<Exit, Failure>) -> Exit {
    argv::set(words.clone());
    parse_and_run(words, run)
}

fn parse_and_run<A: Parser>(words: Vec<OsString>, run: impl FnOnce(A) -> Result<Exit, Failure>) -> Exit {
    let args = match A::try_parse_from(&words) {
        Ok(args) => args,
        Err(error) => {
            let is_control = |word: &OsString| word.to_string_lossy().contains(char::is_control);
            if error.use_stderr() && words.iter().any(is_control) {
                stderr::line(error.render().to_string().trim_end());
            } else {
                // If the reader has closed the pipe, nothing can be done.
                let _ = error.print();
            }
            return if error.use_stderr() { Exit::Usage } else { Exit::Done };
        }
    };
    run(args).unwrap_or_else(|failure| {
        failure.report();
        failure.exit
    })
}
