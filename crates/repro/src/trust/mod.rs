//! The long tests of what docs/trust.md promises, on the programs themselves.
//!
//! | file | contents |
//! | --- | --- |
//! | `kills` | work that is killed at random moments and started again gives the same answer |
//! | `stops` | programs end soon after their time limit and after Ctrl-C |
//! | `mutations` | changed tables, checkpoints, inputs and certificates neither crash a program nor change an answer |
//! | `forgeries` | tables with changed entries and fitting checksums mislead no search |
//! | `consistent` | tables in which neighbours still differ by at most one are refused unless they hold the distances |
//! | `forged` | the file of a forged table |
//! | `certificates` | a changed certificate is never confirmed, unless its claim is true |
//! | `changes` | the ways in which files and texts are changed |
//! | `child` | a program that runs, with a limit on its time |
//!
//! The everyday tests run the same code with smaller numbers. Everything is determined by a seed, except for the
//! moments of the kills, which also depend on the machine's speed.

mod certificates;
mod changes;
mod child;
mod consistent;
mod forged;
mod forgeries;
mod kills;
mod mutations;
mod stops;

pub(crate) use child::{end_within, program, start};
pub use forgeries::forge_all;
pub use kills::kill_all;
pub use mutations::mutate_all;
pub use stops::stop_all;

use puzzle_cli::Failure;
use std::env;
use std::path::{Path, PathBuf};

/// The requested folder, or that of the running program.
///
/// # Errors
/// If the system does not name the running program.
pub fn folder_of_programs(asked: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(programs) = asked {
        return Ok(programs.to_owned());
    }
    let this = env::current_exe().map_err(|error| Failure::error(format_args!("the programs: {error}")))?;
    Ok(this.parent().map(PathBuf::from).unwrap_or_default())
}

/// The endings of one kind of test.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The title of the test.
    pub title: String,
    /// The frequency of each ending, as `12 killed`.
    pub endings: Vec<(usize, String)>,
    /// The faults, each with the input that reproduces it.
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
