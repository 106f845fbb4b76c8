//! Proofs of a table's contents.
//!
//! Checksums reveal damage, but whoever writes a file can compute them for any entries. So a
//! [recipe](super::Recipe::prove) can prove the entries themselves: distances from their neighbours, in one pass
//! ([`pdb::prove`](crate::pdb::prove())); other tables by building them again; and those whose build takes too long by a sample,
//! which is no proof, and is reported as such.

use serde::Serialize;

use crate::cast::to_u64;
use crate::pdb::WrongDistance;
use crate::run::Run;
use crate::table::error::{FileError, FormatError};
use crate::table::recipe::Recipe;
use crate::table::unfinished::Unfinished;

/// The way in which a table's contents were checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "how")]
pub enum Proof {
    /// Every entry follows from its neighbours' and the goals: they are the distances.
    Neighbours,
    /// The table was built again and is the same.
    Rebuilt,
    /// No entry of a random sample exceeds the distance; the others may.
    Sample {
        /// The number of comparisons.
        comparisons: u64,
    },
}

impl Proof {
    /// Whether all entries were proved.
    pub fn is_complete(self) -> bool {
        !matches!(self, Proof::Sample { .. })
    }
}

/// Proves a table by building it again, within the memory that the body leaves.
///
/// # Errors
/// [`FormatError::Contents`] names the first byte that differs; [`FileError`] if the table cannot be built.
pub fn rebuild(recipe: &(impl Recipe + ?Sized), body: &[u8], run: &Run<'_>) -> Result<Proof, FileError> {
    let (table, others, budget) = (recipe.peak_bytes(), to_u64(body.len()), run.memory());
    if table.saturating_add(others) > budget {
        return Err(FileError::OverBudget { table, others, budget });
    }
    let again = recipe.build(&Unfinished::NOWHERE, &run.with_memory(budget - others))?.body;
    if body == &again[..] {
        return Ok(Proof::Rebuilt);
    }
    let differs = body.iter().zip(&again[..]).position(|(here, there)| here != there);
    let at = differs.unwrap_or(body.len().min(again.len()));
    Err(FormatError::Contents(WrongContents::Rebuilt(at)).into())
}

/// The first difference between a table's entries and what it is to hold that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongContents {
    /// An entry is no distance.
    #[error(transparent)]
    Distance(#[from] WrongDistance),
    /// The table that was built again differs.
    #[error("byte {0} of the entries differs from that of a table that was built again")]
    Rebuilt(usize),
    /// An entry exceeds a distance.
    #[error("entry {entry} has a value that stands for {value} moves, and a solution has {length}")]
    Exceeds {
        /// The entry.
        entry: u64,
        /// The least distance that its value stands for.
        value: u32,
        /// The length of a solution.
        length: u32,
    },
}
