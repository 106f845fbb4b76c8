//! The work directory of a long search: its lock, its files, its checkpoint.
//!
//! Invariants: a directory that holds anything but a run of these programs is never used; one that holds a
//! checkpoint is used only by the same run; only files with a run's names are ever removed. The
//! checkpoint is one file, published whole, so it is always either the old or the new one. One
//! process at a time holds the directory.

use super::file::{DataFile, create_directory, file_names, read, remove, sync_directory};
use super::lock::Lock;
use super::{StorageError, publish};
use crate::cast::to_u64;
use std::fs;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// The file that marks a work directory; locked while a run uses it.
const MARK: &str = "work.lock";
/// The checkpoint.
const CHECKPOINT: &str = "checkpoint";
/// The checkpoint that is being written.
const ASIDE: &str = "checkpoint.new";

/// A kind of search that keeps its work in a directory.
#[derive(Clone, Copy, Debug)]
pub struct WorkKind {
    /// The first bytes of its checkpoints, which change with their format.
    pub magic: &'static [u8; 16],
    /// Whether it writes files with this name.
    pub is_own: fn(&str) -> bool,
}

impl WorkKind {
    /// Whether a directory has a checkpoint of such a search, which may be damaged or of another run.
    pub fn has_checkpoint_in(&self, path: &Path) -> bool {
        let mut magic = [0; 16];
        let checkpoint = DataFile::open(&path.join(CHECKPOINT));
        checkpoint.and_then(|file| file.read_at(&mut magic, 0)).is_ok() && magic == *self.magic
    }
}

/// Why a work directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WorkDirError {
    /// It holds files that are not a run's.
    #[error("{0} is not a work directory (it holds other files); name an empty or a new one")]
    Foreign(PathBuf),
    /// Another process uses it.
    #[error("{0} is in use by another run")]
    Busy(PathBuf),
    /// Its checkpoint is of another run.
    #[error(
        "{path} holds a checkpoint of another run: {found} instead of {expected}; name another directory"
    )]
    Other {
        /// The directory.
        path: PathBuf,
        /// The run that the checkpoint belongs to.
        found: String,
        /// The run that was to use the directory.
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
    kind: WorkKind,
    identity: String,
    lock: Lock,
}

impl WorkDir {
    /// Takes a directory for the run that is described by `identity`, and returns its last checkpoint.
    ///
    /// There is none in a new or an empty directory, in one that a run left before its first checkpoint, and with
    /// `fresh`, which discards the checkpoint. Then the run's files are removed. A checkpoint of another run is never
    /// discarded.
    ///
    /// # Errors
    /// [`StorageError::WorkDir`] or [`StorageError::Io`].
    pub fn open(
        path: &Path,
        kind: WorkKind,
        identity: &str,
        fresh: bool,
    ) -> Result<(WorkDir, Option<Vec<u8>>), StorageError> {
        create_directory(path)?;
        if !path.join(MARK).exists() && !file_names(path)?.is_empty() {
            return Err(WorkDirError::Foreign(path.into()).into());
        }
        let dir = WorkDir::lock(path, kind, identity)?;
        // The mark is there before any other file: without it, they would be taken for another program's.
        sync_directory(path)?;
        let checkpoint = path.join(CHECKPOINT);
        if checkpoint.exists() {
            let payload = dir.payload(&read(&checkpoint)?)?;
            if !fresh {
                return Ok((dir, Some(payload)));
            }
            remove(&checkpoint)?;
        }
        dir.remove_all_but(|_| false)?;
        Ok((dir, None))
    }

    /// The payload of this run's checkpoint.
    fn payload(&self, bytes: &[u8]) -> Result<Vec<u8>, StorageError> {
        let (magic, found, payload) = parse(bytes).ok_or_else(|| self.damaged())?;
        if magic == self.kind.magic && found == self.identity {
            return Ok(payload.to_vec());
        }
        let (found, expected) = (found.to_owned(), self.identity.clone());
        Err(WorkDirError::Other { path: self.path.clone(), found, expected }.into())
    }

    /// Whether a directory has a checkpoint, of whatever run.
    pub fn has_checkpoint(path: &Path) -> bool {
        path.join(CHECKPOINT).exists()
    }

    /// Ends a run whose directory no process holds any more, as [`finish`](WorkDir::finish) does.
    ///
    /// # Errors
    /// [`StorageError::WorkDir`] or [`StorageError::Io`].
    pub fn remove(path: &Path, kind: WorkKind) -> Result<(), StorageError> {
        WorkDir::lock(path, kind, "")?.finish()
    }

    fn lock(path: &Path, kind: WorkKind, identity: &str) -> Result<WorkDir, StorageError> {
        let lock = Lock::try_take(&path.join(MARK))?.ok_or_else(|| WorkDirError::Busy(path.into()))?;
        Ok(WorkDir { path: path.into(), kind, identity: identity.into(), lock })
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
        let mut bytes = self.kind.magic.to_vec();
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
        for name in file_names(&self.path)?.iter().filter(|name| (self.kind.is_own)(name) && !keep(name)) {
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

/// The magic number, the identity and the payload of a checkpoint's bytes.
fn parse(bytes: &[u8]) -> Option<(&[u8; 16], &str, &[u8])> {
    let (body, checksum) = bytes.split_last_chunk::<8>()?;
    if xxh3_64(body) != u64::from_le_bytes(*checksum) {
        return None;
    }
    let (magic, rest) = body.split_first_chunk::<16>()?;
    let (length, rest) = rest.split_first_chunk::<8>()?;
    let (identity, payload) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    Some((magic, std::str::from_utf8(identity).ok()?, payload))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: WorkKind = WorkKind { magic: b"test-checkpoint1", is_own };

    fn open(path: &Path, identity: &str, fresh: bool) -> Result<(WorkDir, Option<Vec<u8>>), WorkDirError> {
        open_as(KIND, path, identity, fresh)
    }

    fn open_as(
        kind: WorkKind,
        path: &Path,
        identity: &str,
        fresh: bool,
    ) -> Result<(WorkDir, Option<Vec<u8>>), WorkDirError> {
        WorkDir::open(path, kind, identity, fresh).map_err(|error| match error {
            StorageError::WorkDir(error) => error,
            other => panic!("{other}"),
        })
    }

    /// Opens a directory without a checkpoint.
    fn begin(path: &Path, identity: &str) -> WorkDir {
        let (dir, payload) = open(path, identity, false).unwrap();
        assert_eq!(payload, None);
        dir
    }

    fn is_own(name: &str) -> bool {
        name.starts_with("part-")
    }

    #[test]
    fn only_the_same_run_resumes_or_starts_over() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("run");
        let dir = begin(&path, "first");
        assert!(matches!(open(&path, "first", false), Err(WorkDirError::Busy(_))));
        dir.commit(b"one").unwrap();
        dir.commit(b"two").unwrap();
        drop(dir);
        let other_kind = WorkKind { magic: b"test-checkpoint2", is_own };
        for fresh in [false, true] {
            assert!(matches!(open(&path, "second", fresh), Err(WorkDirError::Other { .. })));
            assert!(matches!(open_as(other_kind, &path, "first", fresh), Err(WorkDirError::Other { .. })));
        }
        let (dir, payload) = open(&path, "first", false).unwrap();
        assert_eq!(payload.as_deref(), Some(&b"two"[..]));
        assert!(KIND.has_checkpoint_in(&path) && !other_kind.has_checkpoint_in(&path));
        assert!(!KIND.has_checkpoint_in(home.path()));
        fs::write(path.join("part-1"), "data").unwrap();
        drop(dir);
        let (dir, payload) = open(&path, "first", true).unwrap();
        assert_eq!((payload, file_names(&path).unwrap()), (None, vec![MARK.to_owned()]));
        dir.finish().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn foreign_and_damaged_directories_are_refused_and_kept() {
        let home = tempfile::tempdir().unwrap();
        let precious = home.path().join("precious");
        fs::write(&precious, "data").unwrap();
        for fresh in [false, true] {
            assert!(matches!(open(home.path(), "x", fresh), Err(WorkDirError::Foreign(_))));
        }
        assert_eq!(fs::read_to_string(&precious).unwrap(), "data");

        let path = home.path().join("run");
        let dir = begin(&path, "x");
        dir.commit(b"payload").unwrap();
        drop(dir);
        let file = path.join(CHECKPOINT);
        let good = fs::read(&file).unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            fs::write(&file, &bad).unwrap();
            for fresh in [false, true] {
                assert!(matches!(open(&path, "x", fresh), Err(WorkDirError::Damaged(_))), "byte {at}");
            }
            assert!(file.exists());
        }
        fs::write(&file, &good[..good.len() - 1]).unwrap();
        assert!(matches!(open(&path, "x", false), Err(WorkDirError::Damaged(_))));
    }

    #[test]
    fn a_killed_runs_files_are_removed_and_no_others() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("run");
        let write = |name: &&str| fs::write(path.join(name), "data").unwrap();
        let names = || {
            let mut names = file_names(&path).unwrap();
            names.sort();
            names
        };
        drop(begin(&path, "x"));
        ["part-1", "part-2", "letter"].iter().for_each(write);
        let dir = begin(&path, "x");
        assert_eq!(names(), ["letter", MARK]);
        ["part-1", "part-2", ASIDE].iter().for_each(write);
        dir.commit(b"payload").unwrap();
        dir.remove_all_but(|name| name == "part-2").unwrap();
        assert_eq!(names(), [CHECKPOINT, "letter", "part-2", MARK]);
        write(&ASIDE);
        dir.finish().unwrap();
        assert_eq!(names(), ["letter"]);
    }
}
