//! The command `checkpoints`: the searches that were stopped and can be continued.

use super::CHECKPOINT;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Session;
use clap::Subcommand;
use search_core::ida::search_of_checkpoint;
use search_core::storage::{self, Lock};
use serde::{Deserialize, Serialize};
use std::io::ErrorKind::NotFound;
use std::path::{Path, PathBuf};

/// List and remove the checkpoints of stopped searches
#[derive(Subcommand, Clone, Debug)]
pub enum CheckpointsCommand {
    /// List the searches that can be resumed, of all programs, and checkpoints that earlier versions left beside tables
    List,
    /// Remove checkpoints
    Remove {
        /// Names, as `list` prints them
        #[arg(value_name = "NAME", required_unless_present = "all")]
        names: Vec<String>,
        /// Remove all of this user's checkpoints
        #[arg(long, conflicts_with = "names")]
        all: bool,
    },
}

/// A checkpoint, as `--json` prints it.
#[derive(Serialize)]
struct Row {
    name: String,
    file: PathBuf,
    state: &'static str,
    #[serde(flatten)]
    search: Option<Search>,
}

/// The search of a checkpoint.
#[derive(Deserialize, Serialize)]
struct Search {
    version: String,
    instance: String,
    heuristic: String,
}

impl Row {
    fn new(file: PathBuf, is_old: bool) -> Row {
        let read = storage::read_own(&file).ok();
        let search = read.and_then(|bytes| serde_json::from_str(search_of_checkpoint(&bytes)?).ok());
        let state = match (&search, is_old) {
            (_, true) => "not read: it lies beside tables",
            (Some(_), false) => "can be continued",
            (None, false) => "damaged or of another version",
        };
        let name = file.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Row { name, file, state, search }
    }

    fn lines(&self) -> Vec<String> {
        let Row { name, file, state, search } = self;
        let search = search.as_ref().map_or(String::new(), |search| {
            format!("  {}, {}: {}", search.version, search.heuristic, search.instance)
        });
        vec![format!("{name}  {state}{search}"), format!("    {}", file.display())]
    }
}

impl CheckpointsCommand {
    /// Runs the subcommand.
    ///
    /// # Errors
    /// The failure that ends it.
    pub fn run(&self, session: &Session) -> Result<Exit, Failure> {
        let own = session.state().map(files).transpose()?.unwrap_or_default();
        match self {
            CheckpointsCommand::List => list(own, session),
            CheckpointsCommand::Remove { names, all } => remove(own, names, *all, session),
        }
    }
}

/// The checkpoints in a directory, by name.
fn files(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut names = match storage::file_names(directory) {
        Err(error) if error.error.kind() == NotFound => Vec::new(),
        names => names.map_err(Failure::error)?,
    };
    names.retain(|name| name.starts_with("search-") && name.ends_with(&format!(".{CHECKPOINT}")));
    names.sort();
    Ok(names.into_iter().map(|name| directory.join(name)).collect())
}

fn list(own: Vec<PathBuf>, session: &Session) -> Result<Exit, Failure> {
    let old =
        session.tables().iter().map(|directory| files(directory)).collect::<Result<Vec<_>, _>>()?.concat();
    if own.is_empty() && old.is_empty() {
        session.remark("no checkpoints");
    }
    let rows = own.into_iter().map(|file| Row::new(file, false));
    let mut output = session.output();
    rows.chain(old.into_iter().map(|file| Row::new(file, true)))
        .try_for_each(|row| output.record(&row, Row::lines))?;
    Ok(Exit::Done)
}

fn remove(own: Vec<PathBuf>, names: &[String], all: bool, session: &Session) -> Result<Exit, Failure> {
    #[derive(Serialize)]
    struct Removed {
        removed: String,
    }
    let name = |file: &PathBuf| file.file_stem().map(|name| name.to_string_lossy().into_owned());
    if let Some(missing) =
        names.iter().find(|named| !own.iter().any(|file| name(file).as_ref() == Some(named)))
    {
        return Err(Failure::usage(format_args!("there is no checkpoint {missing}; nothing was removed"))
            .with_remedy("`checkpoints list` names those that exist"));
    }
    let mut output = session.output();
    for file in own.iter().filter(|file| all || name(file).is_some_and(|name| names.contains(&name))) {
        let lock = file.with_extension("lock");
        let held = Lock::try_take(&lock).map_err(Failure::error)?.ok_or_else(|| {
            Failure::error(format_args!("{}: another process is searching", file.display()))
                .with_remedy("run the command again when it has finished")
        })?;
        storage::remove(file).map_err(Failure::error)?;
        held.remove(&lock);
        let removed = name(file).unwrap_or_default();
        output.record(&Removed { removed }, |record| vec![format!("removed {}", record.removed)])?;
    }
    Ok(Exit::Done)
}
