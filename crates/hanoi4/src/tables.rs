//! Databases as table files: their names, their specifications, building what is missing.

use crate::bitmap::search::SearchError;
use crate::bitmap::shape::{INNER, SMALL};
use crate::corners;
use crate::database::{Database, Goals};
use search_core::Run;
use search_core::table::store::Built;
use search_core::table::{Encoding, FileError, Kind, Spec, Store, Table, TableError};

/// The most discs that choose an entry of a default database: 1 GiB.
const MAX_KEPT: u32 = 15;

/// Which database: its discs, how many of the smallest it leaves out, its goals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DatabaseId {
    /// The discs that its values are about.
    pub discs: u32,
    /// How many of them, the smallest, choose no entry; 0 for a complete one.
    pub dropped: u32,
    /// The goals.
    pub goals: Goals,
}

impl DatabaseId {
    /// A compressed database as [`verify`](crate::verify) uses it: middle states, 4 discs left out
    /// or as many as leave `MAX_KEPT`.
    pub fn middle(discs: u32) -> DatabaseId {
        let dropped = (SMALL.end() - INNER).max(discs.saturating_sub(MAX_KEPT));
        DatabaseId { discs, dropped, goals: Goals::Middle }
    }

    /// Whether there can be such a database: 1 to 12 discs complete, else 5 to 22 discs of which 1 to
    /// 12 are left out and 1 to 16 are not.
    pub fn is_possible(self) -> bool {
        match self.dropped {
            0 => (1..=12).contains(&self.discs),
            1..=12 => {
                (self.dropped + 1..=self.dropped + 16).contains(&self.discs) && (5..=22).contains(&self.discs)
            }
            _ => false,
        }
    }

    /// Bytes of its entries.
    pub fn bytes(self) -> u64 {
        1 << (2 * self.kept())
    }

    /// Whether it can be built, itself included, within `memory` bytes.
    ///
    /// # Errors
    /// The least memory that would do.
    pub fn fits(self, memory: u64) -> Result<(), u64> {
        match (self.dropped, 3u64 << (2 * self.discs)) {
            (0, need) => {
                if need <= memory {
                    Ok(())
                } else {
                    Err(need)
                }
            }
            (dropped, _) => corners::fitting(self.discs, dropped, memory).map(|_| ()),
        }
    }

    /// How many discs choose an entry.
    pub fn kept(self) -> u32 {
        self.discs - self.dropped
    }

    /// Its name in the store.
    pub fn name(self) -> String {
        let goals = match self.goals {
            Goals::Peg(peg) => format!("peg{peg}"),
            Goals::Middle => "middle".to_string(),
        };
        format!("hanoi4-{goals}-{}-{}", self.discs, self.kept())
    }

    /// What its file must say.
    pub fn spec(self) -> Spec {
        Spec {
            kind: Kind::PatternDatabase,
            puzzle: "hanoi 4 pegs".into(),
            operators: "from-to, pegs in order".into(),
            pattern: format!("{} discs, index by the {} largest, {:?}", self.discs, self.kept(), self.goals),
            ranking: 1,
            bits: 8,
            encoding: Encoding::Exact,
            entries: 1 << (2 * self.kept()),
            complete: true,
        }
    }

    /// Builds it.
    ///
    /// # Errors
    /// [`SearchError`].
    ///
    /// # Panics
    /// If it is not [possible](DatabaseId::is_possible).
    pub fn build(self, run: &Run<'_>) -> Result<Database, SearchError> {
        assert!(self.is_possible(), "{self:?} is no database");
        match self.dropped {
            0 => Ok(Database::complete(self.discs, self.goals)),
            dropped => Database::compressed(self.discs, dropped, self.goals, run),
        }
    }

    /// Loads it from the store, or builds it and stores it. Returns the body's checksum as well.
    ///
    /// # Errors
    /// [`TableError`].
    ///
    /// # Panics
    /// If it is not [possible](DatabaseId::is_possible).
    pub fn get(self, store: &Store, run: &Run<'_>) -> Result<(Database, u64), TableError> {
        let Table { header, body } = store.get_or_build(&self.name(), &self.spec(), run, || {
            let database = self.build(run).map_err(build_error)?;
            let depth = u32::from(database.max());
            Ok(Built { body: database.into_values(), depth })
        })?;
        Ok((Database::from_values(self.discs, self.kept(), body), header.body_checksum()))
    }
}

fn build_error(error: SearchError) -> FileError {
    match error {
        SearchError::Cancelled(cancelled) => cancelled.into(),
        SearchError::Memory(memory) => memory.into(),
        error => FileError::Build(Box::new(error)),
    }
}
