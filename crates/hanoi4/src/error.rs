//! The errors of the searches of this crate.

use search_core::Cancelled;
use search_core::frontier::FrontierError;
use search_core::memory::MemoryError;
use search_core::storage::{IoError, StorageError};
use search_core::table::FileError;

/// The error of a stream that is not a sequence of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a layer's stream is damaged")]
pub struct DamagedStream;

/// The reason why a search stopped.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The search was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A budget is exceeded, a file or the work directory cannot be used, or a stream is damaged.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// A stream, in memory or with a correct checksum, is not a sequence of records.
    #[error(transparent)]
    Damaged(#[from] DamagedStream),
    /// The system refused memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The search needs more memory than the run may use.
    #[error("the search needs {need} bytes of memory, and the budget is {budget}")]
    Budget {
        /// The bytes that it needs.
        need: u128,
        /// The bytes that the run may use.
        budget: u64,
    },
    /// The state of an earlier build of a database cannot be read.
    #[error(transparent)]
    Unfinished(#[from] FileError),
    /// The checkpoint is beyond the depth at which the search is to end.
    #[error("the search is at depth {0} already, beyond --max-depth")]
    Beyond(u32),
    /// A number of shortest paths is 2⁶⁴ or more.
    #[error("a number of shortest paths does not fit 64 bits")]
    Overflow,
    /// Distances within a block do not fit 16 bits.
    #[error("distances within a block exceed 65534 moves")]
    Far,
    /// The search takes at most this number of discs.
    #[error("this search takes at most {0} discs")]
    Discs(u32),
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

/// The error for a list of `bytes` bytes for which the system refused the memory.
pub(crate) fn refused(bytes: usize) -> SearchError {
    MemoryError { bytes, source: std::io::ErrorKind::OutOfMemory.into() }.into()
}
