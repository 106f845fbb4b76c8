//! A file that one process at a time holds locked. The system releases the lock of a process that
//! dies, however it dies.

use super::file::{IoError, open, remove, without_links};
#[cfg(unix)]
use std::fs::Metadata;
use std::fs::{File, TryLockError};
use std::io::ErrorKind::PermissionDenied;
use std::path::Path;

/// A lock that is held until the value is dropped.
#[derive(Debug)]
pub struct Lock(File);

impl Lock {
    /// Locks the file `path`, which is made if it does not exist; `None` while another process holds
    /// it. A file that another user made is locked too, if this one may read it.
    ///
    /// # Errors
    /// [`IoError`].
    pub fn try_take(path: &Path) -> Result<Option<Lock>, IoError> {
        loop {
            let file = match open(path, File::options().create(true).truncate(false).write(true), true) {
                Err(error) if error.error.kind() == PermissionDenied && path.exists() => {
                    open(path, without_links(File::options().read(true)), false)?
                }
                file => file?,
            };
            match file.try_lock() {
                // Between opening and locking, the process that held it may have removed it.
                Ok(()) if is_at(&file, path) => return Ok(Some(Lock(file))),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(IoError { path: path.into(), error }),
            }
        }
    }

    /// Removes the file `path` of this lock and gives the lock up.
    pub fn remove(self, path: &Path) {
        // A file that stays only takes space.
        let _ = remove(path);
    }
}

/// Whether the open file is the one that has this name now.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = |(a, b): (Metadata, Metadata)| (a.dev(), a.ino()) == (b.dev(), b.ino());
    file.metadata().and_then(|open| Ok((open, path.symlink_metadata()?))).is_ok_and(same)
}

/// Where open files cannot be removed.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

impl Drop for Lock {
    /// Unlocks explicitly instead of by closing the file: a child process that another thread is
    /// starting has the file open too until it runs its program, and would hold the lock until then.
    fn drop(&mut self) {
        // If this fails, closing the file releases the lock.
        let _ = self.0.unlock();
    }
}
