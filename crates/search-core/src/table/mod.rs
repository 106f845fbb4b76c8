//! Tables on disk: one file format for all, and a directory whose missing tables are built.
//!
//! | file | contents |
//! | --- | --- |
//! | [`mod@format`] | the header: bytes to meaning and back, and every check of untrusted bytes |
//! | [`mod@file`] | one table: write and publish, open, load, verify |
//! | [`proof`] | how a table's contents are proved |
//! | [`recipe`] | what is needed to build a table |
//! | [`store`] | a directory of tables: list, remove, get or build, the lock between processes |
//! | [`Trust`] | whose tables are read without a proof of their entries |
//! | [`Tables`] | where a solver gets its tables: a store, or what a program without files has |
//! | [`unfinished`] | a long build that resumes where it was stopped |
//! | [`error`] | what is wrong with the bytes; then which table it is |
//!
//! Invariant: under a table's name there is a complete table or nothing. It is written to a
//! temporary file beside it, synced, verified and renamed. docs/formats.md gives every field.
//!
//! ```no_run
//! use search_core::Run;
//! use search_core::table::Store;
//!
//! let store = Store::new("tables", "example 1.0");
//! for entry in store.list()? {
//!     println!("{}: {} bytes", entry.name, entry.bytes);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod error;
#[cfg(all(test, unix))]
mod fault_tests;
pub mod file;
pub mod format;
pub mod proof;
pub mod recipe;
pub mod store;
mod tables;
mod trust;
pub mod unfinished;

pub use error::{ErrorKind, FileError, FormatError, TableError};
pub use file::Table;
pub use format::{Encoding, Header, Kind, Spec};
pub use proof::{Proof, WrongContents};
pub use recipe::{Built, Recipe};
pub use store::{Entry, Store};
pub use tables::Tables;
pub use trust::Trust;
pub use unfinished::Unfinished;
