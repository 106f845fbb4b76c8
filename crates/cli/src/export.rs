//! The command `export` of all programs: an instance as a planning task, in the files that planners read.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::sealed;
use crate::session::Session;
use clap::{Args, ValueEnum, ValueHint};
use search_core::planning::Task;
use serde::Serialize;
use std::fs;
use std::path::PathBuf;

/// The greatest number of facts in the effects of a task in PDDL: files of about a hundred megabytes.
const MOST_FACTS: u64 = 5_000_000;

/// A language of planners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// PDDL: the files domain.pddl and problem.pddl
    Pddl,
    /// SAS+, as Fast Downward's translator writes it: the file output.sas
    Sas,
}

/// The arguments of the command `export`.
#[derive(Args, Clone, Debug)]
pub struct ExportArgs {
    /// The language of the files
    #[arg(long, value_enum, default_value = "pddl")]
    language: Language,
    /// The directory for the files; it is created if it does not exist, and files in it are replaced
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, default_value = ".")]
    out: PathBuf,
}

#[derive(Serialize)]
struct Record<'a> {
    task: &'a str,
    variables: usize,
    actions: usize,
    files: Vec<PathBuf>,
}

impl ExportArgs {
    /// Writes the files of a task, and prints their paths.
    ///
    /// # Errors
    /// A file that cannot be written; a task that is too large for PDDL.
    pub fn run(&self, task: &Task, session: &Session) -> Result<Exit, Failure> {
        let files = match self.language {
            Language::Pddl => {
                let facts = task.pddl_facts();
                if facts > MOST_FACTS {
                    let message = format!("in PDDL the effects have {facts} facts, above {MOST_FACTS}");
                    return Err(
                        Failure::usage(message).with_remedy("use --language sas, whose files are smaller")
                    );
                }
                let pddl = task.pddl();
                vec![("domain.pddl", pddl.domain), ("problem.pddl", pddl.problem)]
            }
            Language::Sas => vec![("output.sas", task.sas())],
        };
        fs::create_dir_all(&self.out)
            .map_err(|error| Failure::error(format_args!("{}: {error}", self.out.display())))?;
        let mut paths = Vec::new();
        for (name, text) in files {
            let path = self.out.join(name);
            sealed::write(&path, &text).map_err(Failure::error)?;
            paths.push(path);
        }
        let record = Record {
            task: &task.name,
            variables: task.variables.len(),
            actions: task.actions.len(),
            files: paths,
        };
        session
            .output()
            .record(&record, |record| record.files.iter().map(|path| path.display().to_string()).collect())?;
        Ok(Exit::Done)
    }
}
