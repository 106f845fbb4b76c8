//! `tables list`, `verify` and `remove`: the files of a store.

use super::failure;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::format::format_bytes;
use crate::session::Session;
use search_core::table::store::Entry;
use search_core::table::{ErrorKind, FileError, Header, Proof, Recipe, Store, TableError};
use serde::Serialize;
use std::io::ErrorKind::NotFound;
use std::path::Path;

/// The state of one table file.
#[derive(Debug, Default, Serialize)]
struct Row {
    name: String,
    file: String,
    bytes: u64,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none", flatten)]
    contents: Option<Contents>,
    /// How the entries were proved; null if this program has no recipe for the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    contents_proved: Option<Option<Proof>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

/// The contents of the header.
#[derive(Debug, Serialize)]
struct Contents {
    puzzle: String,
    pattern: String,
    operators: String,
    entries: u64,
    bits: u8,
    depth: u32,
    complete: bool,
    checksum: String,
    generator: String,
}

impl Row {
    fn new(name: &str, file: &Path, bytes: u64, state: &'static str) -> Row {
        Row { name: name.to_owned(), file: file.display().to_string(), bytes, state, ..Row::default() }
    }

    fn sound(store: &Store, name: &str, bytes: u64, state: &'static str, header: Header) -> Row {
        let (checksum, spec) = (header.checksum(), header.spec);
        let contents = Some(Contents {
            puzzle: spec.puzzle,
            pattern: spec.pattern,
            operators: spec.operators,
            entries: spec.entries,
            bits: spec.bits,
            depth: header.depth,
            complete: spec.complete,
            checksum,
            generator: header.generator,
        });
        Row { contents, ..Row::new(name, &store.path(name), bytes, state) }
    }

    fn unfinished(store: &Store, name: &str, bytes: u64) -> Row {
        let remedy = "building the table resumes from this file; `tables remove` deletes it".to_owned();
        let row = Row::new(name, &store.unfinished_path(name), bytes, "unfinished");
        Row { remedy: Some(remedy), ..row }
    }

    fn bad(bytes: u64, error: &TableError, failure: Failure) -> Row {
        let state = match error.kind() {
            ErrorKind::Damaged => "damaged",
            ErrorKind::Version => "other version",
            ErrorKind::Foreign => "foreign",
            ErrorKind::Other => "unreadable",
        };
        let (problem, remedy) = (Some(error.problem.to_string()), failure.remedy);
        Row { problem, remedy, ..Row::new(&error.name, &error.path, bytes, state) }
    }

    fn lines(&self) -> Vec<String> {
        let Row { name, bytes, state, .. } = self;
        let mut lines = vec![format!("{name:<28} {:>10}  {state}", format_bytes(*bytes))];
        if let Some(contents) = &self.contents {
            lines[0] += &format!(
                "  {} entries of {} bits to depth {}, {}, by {}",
                contents.entries, contents.bits, contents.depth, contents.checksum, contents.generator
            );
        }
        lines[0] += match self.contents_proved {
            None => "",
            Some(None) => "; entries not proved: a table of another program",
            Some(Some(Proof::Neighbours)) => "; entries proved by their neighbours",
            Some(Some(Proof::Rebuilt)) => "; entries proved by building the table again",
            Some(Some(Proof::Sample { .. })) => "; entries not proved: only a random sample was compared",
        };
        lines.extend(self.problem.iter().map(|problem| format!("    {problem}")));
        lines.extend(self.remedy.iter().map(|remedy| format!("    remedy: {remedy}")));
        lines
    }
}

/// Prints every table of the store, by name, and then the unfinished ones. Only headers are read.
///
/// # Errors
/// When the directory cannot be read or the output cannot be written.
pub(super) fn list(program: &str, store: &Store, session: &Session) -> Result<Exit, Failure> {
    let (mut output, mut worst) = (session.output(), Exit::Done);
    let entries = store.list().map_err(Failure::error)?;
    let unfinished = store.list_unfinished().map_err(Failure::error)?;
    if entries.is_empty() && unfinished.is_empty() {
        let dirs: Vec<String> = store.dirs().iter().map(|dir| dir.display().to_string()).collect();
        session.remark(&format!(
            "no tables in {}",
            if dirs.is_empty() { "any directory".into() } else { dirs.join(", ") }
        ));
    }
    for entry in entries {
        let row = match entry.header {
            Ok(header) => Row::sound(store, &entry.name, entry.bytes, "exists", header),
            Err(error) => {
                let failure = failure(program, &error);
                worst = worst.max(failure.exit);
                Row::bad(entry.bytes, &error, failure)
            }
        };
        output.record(&row, Row::lines)?;
    }
    for (name, bytes) in unfinished {
        output.record(&Row::unfinished(store, &name, bytes), Row::lines)?;
    }
    Ok(worst)
}

/// A program's recipe for the table of a name.
pub type RecipeOf<'a> = &'a dyn Fn(&str) -> Result<Option<Box<dyn Recipe>>, Failure>;

/// Reads the named tables (all when none is named) completely, proves their entries if there are `recipes`, and prints
/// which are sound.
///
/// # Errors
/// When the directory cannot be read, the output cannot be written, or the work is interrupted.
pub fn verify(
    program: &str,
    recipes: Option<RecipeOf<'_>>,
    store: &Store,
    names: &[String],
    session: &Session,
) -> Result<Exit, Failure> {
    let (mut output, mut worst) = (session.output(), Exit::Done);
    let names = if names.is_empty() { table_names(store)? } else { names.to_vec() };
    for name in names {
        let bars = session.bars().named(&name);
        let run = session.run().with_progress(&bars);
        let recipe = recipes.map_or(Ok(None), |recipe_of| recipe_of(&name))?;
        let verified = match recipe {
            Some(recipe) => store.prove(&*recipe, &run).map(|(header, proof)| (header, Some(proof))),
            None => store.verify(&name, &run).map(|header| (header, None)),
        };
        let row = match verified {
            Ok((header, proof)) => {
                let bytes = header.header_len() + header.body_len();
                let contents_proved = recipes.map(|_| proof);
                Row { contents_proved, ..Row::sound(store, &name, bytes, "sound", header) }
            }
            Err(TableError { problem: FileError::Io(io), .. }) if io.error.kind() == NotFound => {
                return Err(Failure::usage(format_args!("there is no table {name}"))
                    .with_remedy(format_args!("`{program} tables list` names those that exist")));
            }
            Err(error) => {
                let failure = failure(program, &error);
                if error.kind() == ErrorKind::Other {
                    return Err(failure);
                }
                worst = worst.max(failure.exit);
                Row::bad(error.path.metadata().map_or(0, |metadata| metadata.len()), &error, failure)
            }
        };
        output.record(&row, Row::lines)?;
    }
    Ok(worst)
}

/// Removes the named tables, or all, finished or not.
///
/// # Errors
/// When a table does not exist, is being built, or cannot be removed.
pub(super) fn remove(
    program: &str,
    store: &Store,
    names: &[String],
    all: bool,
    session: &Session,
) -> Result<Exit, Failure> {
    #[derive(Serialize)]
    struct Removed {
        removed: String,
    }
    let mut output = session.output();
    let (tables, others): (Vec<Entry>, Vec<Entry>) =
        store.list().map_err(Failure::error)?.into_iter().partition(|entry| !all || entry.is_table());
    for other in others {
        let file = store.path(&other.name);
        session
            .remark(&format!("{} is not a table and was kept; to remove it, give its name", file.display()));
    }
    let mut existing: Vec<String> = tables.into_iter().map(|entry| entry.name).collect();
    existing.extend(store.list_unfinished().map_err(Failure::error)?.into_iter().map(|(name, _)| name));
    existing.sort();
    existing.dedup();
    if let Some(missing) = names.iter().find(|name| !existing.contains(name)) {
        return Err(Failure::usage(format_args!("there is no table {missing}; nothing was removed"))
            .with_remedy(format_args!("`{program} tables list` names those that exist")));
    }
    for removed in if all { existing } else { names.to_vec() } {
        store.remove(&removed).map_err(|error| failure(program, &error))?;
        output.record(&Removed { removed }, |record| vec![format!("removed {}", record.removed)])?;
    }
    Ok(Exit::Done)
}

fn table_names(store: &Store) -> Result<Vec<String>, Failure> {
    Ok(store.list().map_err(Failure::error)?.into_iter().map(|entry| entry.name).collect())
}
