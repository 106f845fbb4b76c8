//! The errors of tables, on two levels: the bytes ([`FormatError`], inside
//! [`FileError`]); and which table it is and where it lies ([`TableError`]).

use std::error::Error;
use std::path::{Path, PathBuf};

use crate::automaton::InvalidAutomaton;
use crate::memory::MemoryError;
use crate::pdb::{DeriveError, FillError};
use crate::progress::Cancelled;
use crate::storage::IoError;
use crate::table::proof::WrongContents;

/// A fault in the bytes of a table file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// The magic is missing: this is another kind of file, or its first bytes are damaged.
    #[error("not a table file: the magic number is missing")]
    NotATable,
    /// The file is shorter than a header.
    #[error("the file ends after {got} bytes, within the header")]
    Truncated {
        /// The file's length.
        got: u64,
    },
    /// The format has another version.
    #[error("the file has format version {got}, and this program reads version {expected}")]
    Version {
        /// The version that this program reads.
        expected: u16,
        /// The value in the file.
        got: u16,
    },
    /// A field has a value that no table has, or that contradicts another field.
    #[error("the header is damaged: {field} is {got}, expected {expected}")]
    Field {
        /// The field, as docs/formats.md names it.
        field: &'static str,
        /// The allowed values.
        expected: String,
        /// The value in the file.
        got: String,
    },
    /// The file is longer or shorter than its header says.
    #[error("the file has {got} bytes, and its header announces {expected}")]
    Length {
        /// The length of header and body.
        expected: u64,
        /// The file's length.
        got: u64,
    },
    /// The bytes of one block of the body do not match their checksum.
    #[error(
        "block {block} of {blocks} of the body (from byte {offset} of the file) is damaged: \
         its checksum is {got:016x}, expected {expected:016x}"
    )]
    Block {
        /// The block, counted from 0.
        block: usize,
        /// The number of blocks.
        blocks: usize,
        /// Where it begins in the file.
        offset: u64,
        /// The stored checksum.
        expected: u64,
        /// The checksum of the bytes.
        got: u64,
    },
    /// The blocks are sound, but their entries are not those of an automaton.
    #[error("the table holds no automaton: {0}")]
    Automaton(#[from] InvalidAutomaton),
    /// The blocks are sound, but the entries are not what the table is to hold.
    #[error("the table does not hold what it should: {0}")]
    Contents(#[from] WrongContents),
    /// The file is a sound table, but not the requested one.
    #[error("the table is another one: its {field} is {got}, expected {expected}")]
    Mismatch {
        /// The field that differs.
        field: &'static str,
        /// The requested value.
        expected: String,
        /// The value in the file.
        got: String,
    },
}

/// Why a table file is not available.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The bytes are wrong.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The system failed to read or write.
    #[error("{}", .0.error)]
    Io(#[from] IoError),
    /// The disk is full, or has less space than the table needs.
    #[error("not enough disk space: {needed} bytes are needed{}", free_text(*.available))]
    NoSpace {
        /// The bytes that the table takes.
        needed: u64,
        /// The bytes that were free, if that was checked beforehand.
        available: Option<u64>,
    },
    /// The table takes more memory than the run's budget.
    #[error("{table} bytes of memory are needed{}, the budget is {budget}", others_text(*.others))]
    OverBudget {
        /// The bytes that the table takes, or its build if it does not exist.
        table: u64,
        /// The bytes of other tables that are in memory at the same time.
        others: u64,
        /// The bytes of the budget.
        budget: u64,
    },
    /// There is not enough memory for the table.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Another process is building or removing this table.
    #[error("another process is at work on it")]
    Busy,
    /// No directory of tables can be written, and building the table takes too long to do it anew each time.
    #[error("no directory of tables can be written")]
    NoDirectory,
    /// Another user can have written the table, and its entries cannot be proved within reasonable time.
    #[error(
        "another user can have written it, and its entries cannot be proved in less time than building it takes"
    )]
    Unproved,
    /// The name of a table has other characters than letters, digits, `-`, `_` and `.`, begins with
    /// `.`, or is empty or too long.
    #[error("the name of a table consists of at most 100 letters, digits, `-`, `_` and `.`")]
    BadName,
    /// The table could not be built.
    #[error("building it failed: {0}")]
    Build(#[source] Box<dyn Error + Send + Sync>),
}

fn others_text(others: u64) -> String {
    if others > 0 { format!(" beside {others} for other tables") } else { String::new() }
}

fn free_text(available: Option<u64>) -> String {
    available.map(|bytes| format!(", {bytes} are free")).unwrap_or_default()
}

impl From<FillError> for FileError {
    fn from(error: FillError) -> FileError {
        match error {
            FillError::Cancelled(cancelled) => FileError::Cancelled(cancelled),
            FillError::Memory(memory) => FileError::Memory(memory),
            error @ FillError::TooDeep { .. } => FileError::Build(Box::new(error)),
        }
    }
}

impl From<DeriveError> for FileError {
    fn from(error: DeriveError) -> FileError {
        match error {
            DeriveError::Memory(memory) => memory.into(),
            DeriveError::Cancelled(cancelled) => cancelled.into(),
            DeriveError::Contents(wrong) => FormatError::Contents(wrong.into()).into(),
        }
    }
}

/// The kind of a table's error: whether its file must be replaced, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The file's bytes contradict themselves. Remove the table; it is rebuilt on next use.
    Damaged,
    /// The file comes from another version of the program. Remove the table; it is rebuilt.
    Version,
    /// The file is no table, or another table than its name says. Remove it; it is rebuilt.
    Foreign,
    /// The error has another reason than the file's bytes.
    Other,
}

impl FileError {
    /// The kind of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            FileError::Format(FormatError::Version { .. }) => ErrorKind::Version,
            FileError::Format(FormatError::Mismatch { field: "ranking version", .. }) => ErrorKind::Version,
            FileError::Format(FormatError::Mismatch { .. } | FormatError::NotATable) => ErrorKind::Foreign,
            FileError::Format(_) => ErrorKind::Damaged,
            _ => ErrorKind::Other,
        }
    }

    /// The error of the table `name` at `path`.
    pub fn of(self, name: &str, path: &Path) -> TableError {
        TableError { name: name.to_owned(), path: path.to_owned(), problem: self }
    }
}

/// Which table is not available, where it lies, and why.
#[derive(Debug, thiserror::Error)]
#[error("table {name}{}: {problem}", place(path))]
pub struct TableError {
    /// The table's name.
    pub name: String,
    /// Its file; empty if only the name is known, as in a search.
    pub path: PathBuf,
    /// The error itself.
    #[source]
    pub problem: FileError,
}

fn place(path: &Path) -> String {
    if path.as_os_str().is_empty() { String::new() } else { format!(" ({})", path.display()) }
}

impl TableError {
    /// The kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.problem.kind()
    }
}
