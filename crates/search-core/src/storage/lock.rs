//! A file that one process at a time holds locked. The system releases the lock of a process that
//! dies, however it dies.

use super::file::{IoError, open};
use std::fs::{File, TryLockError};
use std::path::Path;

/// A lock that is held until the value is dropped.
#[derive(Debug)]
pub struct Lock(File);

impl Lock {
    /// Locks the file `path`, which is made if it does not exist; `None` while another process holds
    /// it.
    ///
    /// # Errors
    /// [`IoError`].
    pub fn try_take(path: &Path) -> Result<Option<Lock>, IoError> {
        let file = open(path, File::options().create(true).truncate(false).write(true), true)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Lock(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(IoError { path: path.into(), error }),
        }
    }
}

impl Drop for Lock {
    /// Unlocks explicitly instead of by closing the file: a child process that another thread is
    /// starting has the file open too until it runs its program, and would hold the lock until then.
    fn drop(&mut self) {
        // If this fails, closing the file releases the lock.
        let _ = self.0.unlock();
    }
}
