//! Recipes, by which a [`Store`](crate::table::Store) builds tables.

use std::fmt::Debug;

use crate::memory::Memory;
use crate::pdb::Filled;
use crate::run::Run;
use crate::table::error::FileError;
use crate::table::format::Spec;
use crate::table::proof::{self, Proof};
use crate::table::unfinished::Unfinished;

/// A recipe for a table: its name, its contents, its cost and the build function.
pub trait Recipe: Debug + Send + Sync {
    /// The table's name in a store.
    fn name(&self) -> String;

    /// The contents of the table, described for a person.
    fn description(&self) -> String;

    /// The specification of the table's file.
    fn spec(&self) -> Spec;

    /// The bytes of the table in memory; an estimate where the number of entries is
    /// [unknown](Spec::UNKNOWN).
    fn bytes(&self) -> u64 {
        self.spec().body_len()
    }

    /// The bytes of memory that building needs at most, the table included.
    fn peak_bytes(&self) -> u64 {
        self.bytes()
    }

    /// The estimated seconds of building on `threads` threads, rather too many than too few.
    fn build_seconds(&self, threads: usize) -> f64;

    /// Builds the table within the memory budget of `run`. A long build saves its state in `unfinished`,
    /// and resumes from there.
    ///
    /// # Errors
    /// [`FileError`].
    fn build(&self, unfinished: &Unfinished, run: &Run<'_>) -> Result<Built, FileError>;

    /// Proves that `body` holds what the table is to hold, and says how. By default it builds the table again
    /// ([`proof::rebuild`]).
    ///
    /// # Errors
    /// [`FormatError::Contents`](crate::table::FormatError::Contents) names a wrong entry; [`FileError::OverBudget`].
    fn prove(&self, body: &[u8], run: &Run<'_>) -> Result<Proof, FileError> {
        proof::rebuild(self, body, run)
    }
}

/// A table that was just built, not yet on disk.
#[derive(Debug)]
pub struct Built {
    /// The entries, as the table's [`Spec`] describes them.
    pub body: Memory,
    /// The greatest distance that was reached.
    pub depth: u32,
}

impl<const BITS: u32> From<Filled<BITS>> for Built {
    fn from(filled: Filled<BITS>) -> Built {
        let depth = filled.histogram.max().map_or(0, u32::from);
        Built { body: filled.table.into_bytes(), depth }
    }
}
