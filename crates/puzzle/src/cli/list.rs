//! `puzzle-opt list`: the built-in puzzles.

use puzzle_cli::{Exit, Failure, Session};
use serde::Serialize;

use crate::builtin::ENTRIES;

/// An entry, as `--json` prints it.
#[derive(Serialize)]
struct Record {
    name: &'static str,
    example: &'static str,
    about: &'static str,
}

pub(super) fn run(session: &Session) -> Result<Exit, Failure> {
    let mut output = session.output();
    let widest = ENTRIES.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    for entry in ENTRIES {
        let record = Record { name: entry.name, example: entry.example, about: entry.about };
        output.record(&record, |record| vec![format!("{:widest$}  {}", record.name, record.about)])?;
    }
    Ok(Exit::Done)
}
