//! Files, budgets and work directories, for tables, layers and checkpoints.
//!
//! | file | contents |
//! | --- | --- |
//! | `file` | the operations on files: create, read and write at a position, sync, rename, remove, free space |
//! | `budget` | bytes of memory and disk, counted against limits |
//! | `fault` | in tests, and with the feature `faults`: a disk that fails |
//! | `sound` | otherwise: nothing is made to fail |
//! | `owner` | who owns a file, and who can write it |
//! | `publish` | a file that appears complete or not at all |
//! | `lock` | a file that one process at a time holds locked |
//! | `work_dir` | the directory of a long search: its lock, its files, its checkpoint |
//!
//! Invariant: tables, layers and checkpoints reach the file system through `file` and
//! `lock` alone.
//!
//! ```
//! use search_core::storage::Quota;
//!
//! let memory = Quota::new(1000);
//! assert!(memory.take(600));
//! assert!(!memory.take(600));
//! memory.give(600);
//! assert_eq!((memory.used(), memory.peak()), (0, 600));
//! ```

mod budget;
#[cfg(all(any(test, feature = "faults"), unix))]
pub mod fault;
mod file;
mod lock;
mod owner;
mod publish;
#[cfg(not(all(any(test, feature = "faults"), unix)))]
mod sound;
mod work_dir;

use std::path::PathBuf;

pub use budget::{Budget, Quota};
pub use file::{
    Access, DataFile, IoError, Source, available_space, create_directory, create_own_directory, file_bytes,
    file_names, is_writable, read, read_own, remove, rename,
};
pub use lock::Lock;
pub use publish::{publish, publish_for};
pub use work_dir::{WorkDir, WorkDirError, WorkKind};

/// Why a search cannot write or read its data.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// The memory budget is spent and there is no directory to spill to.
    #[error("the memory budget of {0} bytes is spent")]
    Memory(u64),
    /// The disk budget is spent.
    #[error("the disk budget of {0} bytes is spent")]
    Disk(u64),
    /// The file system refused.
    #[error(transparent)]
    Io(#[from] IoError),
    /// The bytes that were read differ from those that were written.
    #[error("{path}: the data at byte {offset} is damaged")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the damaged part begins.
        offset: u64,
    },
    /// The work directory cannot be used.
    #[error(transparent)]
    WorkDir(#[from] WorkDirError),
}

impl StorageError {
    /// Whether the disk or the disk budget is full, so that the search can be resumed with more.
    pub fn is_full(&self) -> bool {
        match self {
            StorageError::Disk(_) => true,
            StorageError::Io(error) => error.is_full(),
            _ => false,
        }
    }
}
