//! The work directory of a long search: whose it is, and its checkpoint.
//!
//! Invariants: a directory that holds anything but a run of ours is never used; one that holds a run
//! is used only to resume the same run; only files that a run of ours made are ever removed. The
//! checkpoint is one file, replaced in one step (written aside, made durable, renamed), so it is
//! always either the old or the new one. One process at a time holds the directory.

use fs4::FileExt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// Marks a directory as a work directory of ours; locked while a run uses it.
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
    #[error("{0} is no work directory (it holds other files); name an empty or a new one")]
    Foreign(PathBuf),
    /// Another process uses it.
    #[error("{0} is in use by another run")]
    Busy(PathBuf),
    /// It holds a run, and none was to be resumed.
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
        /// What the checkpoint says it is.
        found: String,
        /// What the caller wants to resume.
        expected: String,
    },
    /// Its checkpoint is damaged.
    #[error("{0} is damaged and cannot be resumed from; nothing was removed")]
    Damaged(PathBuf),
    /// The file system refused.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: io::Error,
    },
}

impl WorkDirError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> WorkDirError {
        let path = path.to_path_buf();
        move |error| WorkDirError::Io { path, error }
    }
}

/// A directory that this process holds until the value is dropped.
#[derive(Debug)]
pub struct WorkDir {
    path: PathBuf,
    identity: String,
    /// Holds the lock.
    _mark: File,
}

impl WorkDir {
    /// Takes a new, an empty, or an abandoned directory (one that a run of ours left without a
    /// checkpoint) for a run that calls itself `identity`.
    ///
    /// # Errors
    /// [`WorkDirError`].
    pub fn create(path: &Path, identity: &str) -> Result<WorkDir, WorkDirError> {
        fs::create_dir_all(path).map_err(WorkDirError::io(path))?;
        let mut entries = fs::read_dir(path).map_err(WorkDirError::io(path))?;
        if !path.join(MARK).exists() && entries.next().is_some() {
            return Err(WorkDirError::Foreign(path.into()));
        }
        let dir = WorkDir::lock(path, identity)?;
        match path.join(CHECKPOINT).exists() {
            true => Err(WorkDirError::Unfinished(path.into())),
            false => Ok(dir),
        }
    }

    /// Takes the directory of a run that calls itself `identity`, and gives its checkpoint.
    ///
    /// # Errors
    /// [`WorkDirError`].
    pub fn resume(path: &Path, identity: &str) -> Result<(WorkDir, Vec<u8>), WorkDirError> {
        if !path.join(MARK).exists() {
            let foreign = path.read_dir().is_ok_and(|mut entries| entries.next().is_some());
            let error = if foreign { WorkDirError::Foreign } else { WorkDirError::Nothing };
            return Err(error(path.into()));
        }
        let dir = WorkDir::lock(path, identity)?;
        let file = path.join(CHECKPOINT);
        if !file.exists() {
            return Err(WorkDirError::Nothing(path.into()));
        }
        let bytes = fs::read(&file).map_err(WorkDirError::io(&file))?;
        let (found, payload) = parse(&bytes).ok_or_else(|| WorkDirError::Damaged(path.into()))?;
        if found != identity {
            let expected = identity.to_string();
            return Err(WorkDirError::Other { path: path.into(), found: found.into(), expected });
        }
        Ok((dir, payload.to_vec()))
    }

    fn lock(path: &Path, identity: &str) -> Result<WorkDir, WorkDirError> {
        let mark = path.join(MARK);
        let file = File::options().create(true).truncate(false).write(true).open(&mark);
        let file = file.map_err(WorkDirError::io(&mark))?;
        match FileExt::try_lock(&file) {
            Ok(()) => Ok(WorkDir { path: path.into(), identity: identity.into(), _mark: file }),
            Err(_) => Err(WorkDirError::Busy(path.into())),
        }
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces the checkpoint. What it refers to must be durable before.
    ///
    /// # Errors
    /// [`WorkDirError::Io`]; the old checkpoint is then intact.
    pub fn commit(&self, payload: &[u8]) -> Result<(), WorkDirError> {
        let (aside, target) = (self.path.join(ASIDE), self.path.join(CHECKPOINT));
        let mut bytes = MAGIC.to_vec();
        bytes.extend((self.identity.len() as u64).to_le_bytes());
        bytes.extend(self.identity.as_bytes());
        bytes.extend(payload);
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        let write = || {
            let mut file = File::create(&aside)?;
            file.write_all(&bytes)?;
            file.sync_all()?;
            fs::rename(&aside, &target)?;
            File::open(&self.path)?.sync_all()
        };
        write().map_err(WorkDirError::io(&target))
    }

    /// Ends the run: removes the checkpoint and `files` (names within the directory), and the
    /// directory itself if nothing is left in it.
    ///
    /// # Errors
    /// [`WorkDirError::Io`] when a file that exists cannot be removed.
    pub fn finish(self, files: impl IntoIterator<Item = String>) -> Result<(), WorkDirError> {
        let own = [ASIDE, CHECKPOINT].map(String::from);
        for name in own.into_iter().chain(files).chain([MARK.to_string()]) {
            let file = self.path.join(name);
            match fs::remove_file(&file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(WorkDirError::io(&file)(error));
                }
                _ => {}
            }
        }
        // Whatever else the user keeps there stays, and the directory with it.
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

    #[test]
    fn only_directories_of_the_same_run_are_used() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("run");
        let dir = WorkDir::create(&path, "first").unwrap();
        assert!(matches!(WorkDir::create(&path, "first"), Err(WorkDirError::Busy(_))));
        dir.commit(b"one").unwrap();
        dir.commit(b"two").unwrap();
        drop(dir);
        assert!(matches!(WorkDir::create(&path, "first"), Err(WorkDirError::Unfinished(_))));
        assert!(matches!(WorkDir::resume(&path, "second"), Err(WorkDirError::Other { .. })));
        let (dir, payload) = WorkDir::resume(&path, "first").unwrap();
        assert_eq!(payload, b"two");
        dir.finish([]).unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn foreign_and_damaged_directories_are_refused_and_kept() {
        let home = tempfile::tempdir().unwrap();
        let precious = home.path().join("precious");
        fs::write(&precious, "data").unwrap();
        assert!(matches!(WorkDir::create(home.path(), "x"), Err(WorkDirError::Foreign(_))));
        assert!(matches!(WorkDir::resume(home.path(), "x"), Err(WorkDirError::Foreign(_))));
        assert_eq!(fs::read_to_string(&precious).unwrap(), "data");

        let path = home.path().join("run");
        let dir = WorkDir::create(&path, "x").unwrap();
        dir.commit(b"payload").unwrap();
        drop(dir);
        let file = path.join(CHECKPOINT);
        let good = fs::read(&file).unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            fs::write(&file, &bad).unwrap();
            assert!(matches!(WorkDir::resume(&path, "x"), Err(WorkDirError::Damaged(_))), "byte {at}");
            assert!(file.exists());
        }
        fs::write(&file, &good[..good.len() - 1]).unwrap();
        assert!(matches!(WorkDir::resume(&path, "x"), Err(WorkDirError::Damaged(_))));
    }
}
