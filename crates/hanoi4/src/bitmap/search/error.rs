//! The errors of a search.

use crate::bitmap::codec;
use search_core::Cancelled;
use search_core::frontier::FrontierError;
use search_core::storage::{IoError, StorageError};
use search_core::table::FileError;

/// Why a search stopped.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// A budget is spent, a file or the work directory cannot be used, or a stream is damaged.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// A stream, in memory or with a correct checksum, is not a sequence of records.
    #[error(transparent)]
    Damaged(#[from] codec::Damaged),
    /// The memory for a database is not available.
    #[error(transparent)]
    Memory(#[from] search_core::memory::MemoryError),
    /// What an earlier build of a database left cannot be read now.
    #[error(transparent)]
    Unfinished(#[from] FileError),
    /// The checkpoint is beyond the depth at which the search is to end.
    #[error("the search is at depth {0} already, beyond --max-depth")]
    Beyond(u32),
    /// The search was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl From<IoError> for SearchError {
    fn from(error: IoError) -> SearchError {
        StorageError::from(error).into()
    }
}

impl From<FrontierError> for SearchError {
    fn from(error: FrontierError) -> SearchError {
        match error {
            FrontierError::Cancelled(cancelled) => cancelled.into(),
            FrontierError::Storage(error) => error.into(),
        }
    }
}
