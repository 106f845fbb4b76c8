//! Failures as Python exceptions, with every fault in a list.

use puzzle_cli::format::whole_mebibytes;
use puzzle_cli::{Exit, Failure};
use pyo3::prelude::*;
use search_core::table::{FileError, TableError};
use std::fmt::Display;
use std::io::ErrorKind::NotFound;

/// The exception for a failure: a class of `optimal_puzzles.errors`.
pub fn exception(failure: &Failure) -> PyErr {
    let class = match failure.exit {
        Exit::Malformed => "InvalidInstance",
        Exit::Usage => "InvalidArgument",
        Exit::Table => "TableError",
        _ => "PuzzleError",
    };
    Python::attach(|py| {
        let arguments = (&failure.message, failure.faults.clone(), &failure.remedy);
        let made = py
            .import("optimal_puzzles.errors")
            .and_then(|errors| errors.getattr(class)?.call1(arguments))
            .map(PyErr::from_value);
        made.unwrap_or_else(|error| error)
    })
}

/// The exception for an argument that is not valid.
pub fn usage(message: impl Display) -> PyErr {
    exception(&Failure::usage(message))
}

/// The failure for a table that is not available, with remedies in the terms of Python.
pub fn of_table(error: &TableError) -> Failure {
    let failure = puzzle_cli::tables::failure("", error);
    match &error.problem {
        FileError::Format(_) => {
            let path = error.path.display();
            failure.with_remedy(format_args!("delete {path}; the table is rebuilt when next needed"))
        }
        FileError::NoSpace { .. } => {
            failure.with_remedy("free disk space, or give another directory with tables=")
        }
        FileError::OverBudget { table, others, .. } => {
            let enough = whole_mebibytes(table.saturating_add(*others));
            failure.with_remedy(format_args!(
                "give memory={enough:?} if the machine has it, or choose a smaller heuristic"
            ))
        }
        FileError::Busy => failure.with_remedy("try again when that is done"),
        FileError::Io(io) if io.error.kind() == NotFound => failure.with_remedy(
            "the directory of tables was removed; try again, or give another directory with tables=",
        ),
        _ => failure,
    }
}

/// Reads every item; the failure names the faults of the items that cannot be read, by their numbers from 0.
///
/// # Errors
/// A failure with all faults.
pub fn read_all<A, B>(
    items: impl IntoIterator<Item = A>,
    what: &str,
    read: impl Fn(A) -> Result<B, Vec<String>>,
) -> Result<Vec<B>, Failure> {
    let (mut all, mut faulty) = (Vec::new(), Vec::new());
    let mut count = 0;
    for (number, item) in items.into_iter().enumerate() {
        count += 1;
        match read(item) {
            Ok(item) => all.push(item),
            Err(faults) => faulty.push((number, faults)),
        }
    }
    if faulty.is_empty() {
        return Ok(all);
    }
    let bad = faulty.len();
    let faults = faulty.into_iter().flat_map(|(number, faults)| {
        let named = move |fault| if count == 1 { fault } else { format!("number {number}: {fault}") };
        faults.into_iter().map(named)
    });
    let message =
        if count == 1 { format!("invalid {what}") } else { format!("{bad} of {count} {what}s are invalid") };
    Err(Failure::malformed(message).with_faults(faults))
}
