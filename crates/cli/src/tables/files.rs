//! `tables list`, `verify` and `remove`: the files of a store.

use super::failure;
use crate::bars::Named;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::session::Session;
use crate::units::format_bytes;
use search_core::table::{Entry, ErrorKind, Header, Store, TableError};
use serde::Serialize;

/// What is known about one table file.
#[derive(Debug, Serialize)]
struct Row {
    name: String,
    file: String,
    bytes: u64,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none", flatten)]
    contents: Option<Contents>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

/// What the header says.
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

impl Contents {
    fn new(header: &Header) -> Contents {
        let spec = &header.spec;
        Contents {
            puzzle: spec.puzzle.clone(),
            pattern: spec.pattern.clone(),
            operators: spec.operators.clone(),
            entries: spec.entries,
            bits: spec.bits,
            depth: header.depth,
            complete: spec.complete,
            checksum: header.checksum(),
            generator: header.generator.clone(),
        }
    }
}

impl Row {
    fn sound(store: &Store, name: String, bytes: u64, state: &'static str, header: &Header) -> Row {
        let file = store.path(&name).display().to_string();
        Row { name, file, bytes, state, contents: Some(Contents::new(header)), problem: None, remedy: None }
    }

    fn unfinished(store: &Store, name: String, bytes: u64) -> Row {
        let file = store.unfinished_path(&name).display().to_string();
        let remedy = Some("building it goes on from here; removing it forgets what was done".to_owned());
        Row { name, file, bytes, state: "unfinished", contents: None, problem: None, remedy }
    }

    fn bad(program: &str, bytes: u64, error: &TableError) -> (Row, Exit) {
        let failure = failure(program, error);
        let state = match error.kind() {
            ErrorKind::Damaged => "damaged",
            ErrorKind::Version => "other version",
            ErrorKind::Foreign => "foreign",
            _ => "unreadable",
        };
        let row = Row {
            name: error.name.clone(),
            file: error.path.display().to_string(),
            bytes,
            state,
            contents: None,
            problem: Some(error.problem.to_string()),
            remedy: failure.remedy().map(str::to_owned),
        };
        (row, failure.exit())
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
        lines.extend(self.problem.iter().map(|problem| format!("    {problem}")));
        lines.extend(self.remedy.iter().map(|remedy| format!("    remedy: {remedy}")));
        lines
    }
}

fn entries(store: &Store) -> Result<Vec<Entry>, Failure> {
    store.list().map_err(Failure::error)
}

fn unfinished(store: &Store) -> Result<Vec<(String, u64)>, Failure> {
    store.list_unfinished().map_err(Failure::error)
}

/// Prints every table of the store, by name, and then those whose building was stopped; only headers
/// are read.
///
/// # Errors
/// When the directory cannot be read or the output cannot be written.
pub(super) fn list(program: &str, store: &Store, session: &Session) -> Result<Exit, Failure> {
    let mut output = session.output();
    let mut worst = Exit::Done;
    let (entries, unfinished) = (entries(store)?, unfinished(store)?);
    if entries.is_empty() && unfinished.is_empty() {
        session.remark(&format!("no tables in {}", store.dir().display()));
    }
    for Entry { name, bytes, header } in entries {
        let (row, exit) = match header {
            Ok(header) => (Row::sound(store, name, bytes, "there", &header), Exit::Done),
            Err(error) => Row::bad(program, bytes, &error),
        };
        worst = worst.worst(exit);
        output.record(&row, Row::lines)?;
    }
    for (name, bytes) in unfinished {
        output.record(&Row::unfinished(store, name, bytes), Row::lines)?;
    }
    Ok(worst)
}

/// Reads the named tables (all when none is named) to the last byte, and says which are sound.
///
/// # Errors
/// When the directory cannot be read, the output cannot be written, or the work is interrupted.
pub fn verify(program: &str, store: &Store, names: &[String], session: &Session) -> Result<Exit, Failure> {
    let mut output = session.output();
    let mut worst = Exit::Done;
    for name in named_or_all(store, names)? {
        let named = Named::new(&name, session.bars());
        let exit = match store.verify(&name, &session.run().with_progress(&named)) {
            Ok(header) => {
                let bytes = header.header_len() + header.body_len();
                output.record(&Row::sound(store, name, bytes, "sound", &header), Row::lines)?;
                Exit::Done
            }
            Err(error) if error.kind().is_cured_by_removal() => {
                let bytes = error.path.metadata().map_or(0, |metadata| metadata.len());
                let (row, exit) = Row::bad(program, bytes, &error);
                output.record(&row, Row::lines)?;
                exit
            }
            Err(error) => return Err(failure(program, &error)),
        };
        worst = worst.worst(exit);
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
    let mut output = session.output();
    let mut there = named_or_all(store, &[])?;
    there.extend(unfinished(store)?.into_iter().map(|(name, _)| name));
    there.sort();
    there.dedup();
    let names = if all { there.clone() } else { names.to_vec() };
    if let Some(missing) = names.iter().find(|name| !there.contains(name)) {
        return Err(Failure::usage(format_args!("there is no table {missing}; nothing was removed"))
            .with_remedy(format_args!("`{program} tables list` names those that exist")));
    }
    for name in names {
        store.remove(&name).map_err(|error| failure(program, &error))?;
        tell_removed(&mut output, &name)?;
    }
    Ok(Exit::Done)
}

fn tell_removed(output: &mut Output, name: &str) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Removed<'a> {
        removed: &'a str,
    }
    output.record(&Removed { removed: name }, |removed| vec![format!("removed {}", removed.removed)])
}

fn named_or_all(store: &Store, names: &[String]) -> Result<Vec<String>, Failure> {
    if names.is_empty() {
        return Ok(entries(store)?.into_iter().map(|entry| entry.name).collect());
    }
    Ok(names.to_vec())
}
