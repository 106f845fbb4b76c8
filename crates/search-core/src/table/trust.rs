//! Whose tables a search believes without proof.
//!
//! The checksums of a table reveal damage, but the writer of a file can compute them for any entries, and a table with
//! forged entries can hide the shortest solution. So a store looks at who can have written a file: what this user or the
//! administrator wrote, and nobody else may write, is as trustworthy as the program itself. The entries of every other
//! table are [proved](crate::table::Recipe::prove) whenever it is loaded, before a search reads it; a table that can only
//! be sampled is refused.
//!
//! The owner of the open file decides, not the directory: others can put a file of their own in the place of a table, but
//! then they own it. The proof is of the bytes in memory, which no other user can change.

use crate::storage::{DataFile, IoError};
use std::str::FromStr;

/// Whose tables are read without a proof of their entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trust {
    /// Those that only this user or the administrator can have written.
    #[default]
    Own,
    /// All.
    All,
    /// None: the entries of every table are proved whenever it is loaded.
    None,
}

impl Trust {
    /// Whether the contents of an open file need no proof.
    ///
    /// # Errors
    /// [`IoError`] if the system does not say whose file it is.
    pub(super) fn covers(self, file: &DataFile) -> Result<bool, IoError> {
        match self {
            Trust::Own => file.is_of_this_user(),
            Trust::All => Ok(true),
            Trust::None => Ok(false),
        }
    }
}

impl FromStr for Trust {
    type Err = String;

    fn from_str(name: &str) -> Result<Trust, String> {
        match name {
            "own" => Ok(Trust::Own),
            "all" => Ok(Trust::All),
            "none" => Ok(Trust::None),
            _ => Err("whose tables are trusted is own, all or none".to_owned()),
        }
    }
}
