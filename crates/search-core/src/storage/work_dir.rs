//! The work directory of a long search: its lock, its files, its checkpoint.
//!
//! Invariants: a directory that holds anything but a run of these programs is never used; one that holds a run
//! is used only to resume the same run; only files with a run's names are ever removed. The
//! checkpoint is one file, published whole, so it is always either the old or the new one. One
//! process at a time holds the directory.

use super::file::{create_directory, file_names, read, remove, sync_directory};
use super::lock::Lock;
use super::{StorageError, publish};
use crate::cast::to_u64;
use std::fs;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// The file that marks a work directory; locked while a run uses it.
const MARK: &str = "frontier.lock";
/// The checkpoint.
const CHECKPOINT: &str = "checkpoint";
/// The checkpoint that is being written.
const ASIDE: &str = "checkpoint.new";
/// The first bytes of a checkpoint.
const MAGIC: &[u8; 16] = b"frontier-ckpt-01";

/// Why a work directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WorkDirError {
    /// It holds files that are not a run's.
    #[error("{0} is not a work directory (it holds other files); name an empty or a new one")]
    Foreign(PathBuf),
    /// Another process uses it.
    #[error("{0} is in use by another run")]
    Busy(PathBuf),
    /// It holds a run, but none was to be resumed.
    #[error("{0} holds an unfinished run; resume it, or name another directory")]
    Unfinished(PathBuf),
    /// There is nothing to resume.
    #[error("{0} holds no checkpoint to resume from")]
    Nothing(PathBuf),
    /// Its checkpoint is of another run.
    #[error("{path} holds a checkpoint of another run: {found} instead of {expected}")]
    Other {
        /// The directory.
        path: PathBuf,
        /// The run that the checkpoint belongs to.
        found: String,
        /// The run to resume.
        expected: String,
    },
    /// Its checkpoint is damaged.
    #[error("{0} is damaged and cannot be resumed from; nothing was removed")]
    Damaged(PathBuf),
}

/// A directory that this process holds until the value is dropped.
#[derive(Debug)]
pub struct WorkDir {
    path: PathBuf,
    identity: String,
    is_own: fn(&str) -> bool,
    lock: Lock,
}

impl WorkDir {
    /// Takes a new, an empty, or an abandoned directory (one that a run of ours left without a
    /// checkpoint) for a run that calls itself `identity` and whose files have the names that
    /// `is_own` accepts. Removes such files from an abandoned directory.
    ///
    /// # Errors
    /// [`StorageError::WorkDir`] or [`StorageError::Io`].
    pub fn create(path: &Path, identity: &str, is_own: fn(&str) -> bool) -> Result<WorkDir, StorageError> {
        create_directory(path)?;
        if !path.join(MARK).exists() && !file_names(path)?.is_empty() {
            return Err(WorkDirError::Foreign(path.into()).into());
        }
        let dir = WorkDir::lock(path, identity, is_own)?;
        // The mark is there before any other file: without it, they would be taken for another program's.
        sync_directory(path)?;
        if path.join(CHECKPOINT).exists() {
            return Err(WorkDirError::Unfinished(path.into()).into());
        }
        dir.remove_all_but(|_| false)?;
        Ok(dir)
    }

    /// Takes the directory of a run that calls itself `identity`, and returns its checkpoint.
    ///
    /// # Errors
    /// [`StorageError::WorkDir`] or [`StorageError::Io`].
    pub fn resume(
        path: &Path,
        identity: &str,
        is_own: fn(&str) -> bool,
    ) -> Result<(WorkDir, Vec<u8>), StorageError> {
        if !path.join(MARK).exists() {
            let is_foreign = path.exists() && !file_names(path)?.is_empty();
            let error = if is_foreign { WorkDirError::Foreign } else { WorkDirError::Nothing };
            return Err(error(path.into()).into());
        }
        let dir = WorkDir::lock(path, identity, is_own)?;
        let file = path.join(CHECKPOINT);
        if !file.exists() {
            return Err(WorkDirError::Nothing(path.into()).into());
        }
        let bytes = read(&file)?;
        let (found, payload) = parse(&bytes).ok_or_else(|| dir.damaged())?;
        if found != identity {
            let expected = identity.to_string();
            return Err(WorkDirError::Other { path: path.into(), found: found.into(), expected }.into());
        }
        Ok((dir, payload.to_vec()))
    }

    /// Ends a run whose directory no process holds any more, as [`finish`](WorkDir::finish) does.
    ///
    /// # Errors
    /// [`StorageError::WorkDir`] or [`StorageError::Io`].
    pub fn remove(path: &Path, is_own: fn(&str) -> bool) -> Result<(), StorageError> {
        WorkDir::lock(path, "", is_own)?.finish()
    }

    fn lock(path: &Path, identity: &str, is_own: fn(&str) -> bool) -> Result<WorkDir, StorageError> {
        let lock = Lock::try_take(&path.join(MARK))?.ok_or_else(|| WorkDirError::Busy(path.into()))?;
        Ok(WorkDir { path: path.into(), identity: identity.into(), is_own, lock })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The error of a checkpoint with an invalid payload.
    pub fn damaged(&self) -> StorageError {
        WorkDirError::Damaged(self.path.clone()).into()
    }

    /// Replaces the checkpoint. What it refers to must be durable before.
    ///
    /// # Errors
    /// [`StorageError::Io`]; the old checkpoint is then intact.
    pub fn commit(&self, payload: &[u8]) -> Result<(), StorageError> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(to_u64(self.identity.len()).to_le_bytes());
        bytes.extend(self.identity.as_bytes());
        bytes.extend(payload);
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        publish(&self.path.join(CHECKPOINT), &self.path.join(ASIDE), |file| Ok(file.write_at(&bytes, 0)?))
    }

    /// Removes the run's files (but not the checkpoint) except those whose names `keep` accepts: the
    /// files of a killed run that its checkpoint does not mention.
    ///
    /// # Errors
    /// [`StorageError::Io`] when a file cannot be removed.
    pub fn remove_all_but(&self, keep: impl Fn(&str) -> bool) -> Result<(), StorageError> {
        for name in file_names(&self.path)?.iter().filter(|name| (self.is_own)(name) && !keep(name)) {
            remove(&self.path.join(name))?;
        }
        Ok(())
    }

    /// Ends the run: removes the checkpoint and the run's files, and the directory itself if nothing
    /// is left in it.
    ///
    /// # Errors
    /// [`StorageError::Io`] when a file cannot be removed.
    pub fn finish(self) -> Result<(), StorageError> {
        // The checkpoint first: it names files that are then removed.
        remove(&self.path.join(ASIDE))?;
        remove(&self.path.join(CHECKPOINT))?;
        self.remove_all_but(|_| false)?;
        remove(&self.path.join(MARK))?;
        drop(self.lock);
        // Other files that the user keeps there stay, and the directory with them.
        let _ = fs::remove_dir(&self.path);
        Ok(())
    }
}

/// The identity and the payload of a checkpoint's bytes.
fn parse(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (body, checksum) = bytes.split_last_chunk::<8>()?;
    if xxh3_64(body) != u64::from_le_bytes(*checksum) {
        return None;
    }
    let rest = body.strip_prefix(MAGIC)?;
    let (length, rest) = rest.split_first_chunk::<8>()?;
    let (identity, payload) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    Some((std::str::from_utf8(identity).ok()?, payload))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn create(path: &Path, identity: &str) -> Result<WorkDir, WorkDirError> {
        WorkDir::create(path, identity, is_own).map_err(work_dir_error)
    }

    fn resume(path: &Path, identity: &str) -> Result<(WorkDir, Vec<u8>), WorkDirError> {
        WorkDir::resume(path, identity, is_own).map_err(work_dir_error)
    }

    fn is_own(name: &str) -> bool {
        name.starts_with("part-")
    }

    fn work_dir_error(error: StorageError) -> WorkDirError {
        match error {
            StorageError::WorkDir(error) => error,
            other => panic!("{other}"),
        }
    }

    #[test]
    fn only_directories_of_the_same_run_are_used() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("run");
        let dir = create(&path, "first").unwrap();
        assert!(matches!(create(&path, "first"), Err(WorkDirError::Busy(_))));
        dir.commit(b"one").unwrap();
        dir.commit(b"two").unwrap();
        drop(dir);
        assert!(matches!(create(&path, "first"), Err(WorkDirError::Unfinished(_))));
        assert!(matches!(resume(&path, "second"), Err(WorkDirError::Other { .. })));
        let (dir, payload) = resume(&path, "first").unwrap();
        assert_eq!(payload, b"two");
        dir.finish().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn foreign_and_damaged_directories_are_refused_and_kept() {
        let home = tempfile::tempdir().unwrap();
        let precious = home.path().join("precious");
        fs::write(&precious, "data").unwrap();
        assert!(matches!(create(home.path(), "x"), Err(WorkDirError::Foreign(_))));
        assert!(matches!(resume(home.path(), "x"), Err(WorkDirError::Foreign(_))));
        assert_eq!(fs::read_to_string(&precious).unwrap(), "data");

        let path = home.path().join("run");
        let dir = create(&path, "x").unwrap();
        dir.commit(b"payload").unwrap();
        drop(dir);
        let file = path.join(CHECKPOINT);
        let good = fs::read(&file).unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            fs::write(&file, &bad).unwrap();
            assert!(matches!(resume(&path, "x"), Err(WorkDirError::Damaged(_))), "byte {at}");
            assert!(file.exists());
        }
        fs::write(&file, &good[..good.len() - 1]).unwrap();
        assert!(matches!(resume(&path, "x"), Err(WorkDirError::Damaged(_))));
    }
    #[test]
    fn what_a_killed_run_left_is_removed_and_nothing_else() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("run");
        let write = |name: &&str| fs::write(path.join(name), "data").unwrap();
        let names = || {
            let mut names = file_names(&path).unwrap();
            names.sort();
            names
        };
        drop(create(&path, "x").unwrap());
        ["part-1", "part-2", "letter"].iter().for_each(write);
        let dir = create(&path, "x").unwrap();
        assert_eq!(names(), [MARK, "letter"]);
        ["part-1", "part-2", ASIDE].iter().for_each(write);
        dir.commit(b"payload").unwrap();
        dir.remove_all_but(|name| name == "part-2").unwrap();
        assert_eq!(names(), [CHECKPOINT, MARK, "letter", "part-2"]);
        write(&ASIDE);
        dir.finish().unwrap();
        assert_eq!(names(), ["letter"]);
    }
}
