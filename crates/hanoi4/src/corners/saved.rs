//! The checkpoints of a search by the times of corners: the times, and the counts so far.
//!
//! The idea: the times are one large file that is never changed once it is written; the checkpoint names it and
//! contains the counts. While times are searched, new files are written at intervals, so that writing takes about a
//! twentieth of the time; while blocks are counted, only the checkpoint changes.
//!
//! Invariant: the file that the checkpoint names is durable before the checkpoint is replaced, and
//! removed only afterwards.

use crate::error::SearchError;
use search_core::Run;
use search_core::pace::Pace;
use search_core::storage::{DataFile, IoError, StorageError, WorkDir, WorkKind, remove};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;
use xxhash_rust::xxh3::Xxh3Default;

/// The bytes that are written or read at a time.
const CHUNK: usize = 1 << 24;

/// The least time between checkpoints, unless another is given.
const INTERVAL: Duration = Duration::from_secs(10);

/// The place of a search's checkpoints, and the time between them.
#[derive(Clone, Debug)]
pub struct CheckpointOptions {
    /// The directory.
    pub dir: PathBuf,
    /// Describes the search; only the same search can resume.
    pub identity: String,
    /// Whether to discard the search's checkpoint in that directory and start over.
    pub fresh: bool,
    /// The least time between checkpoints; ten seconds by default. It is longer where saving takes long ([`Pace`]).
    pub every: Option<Duration>,
    /// The bytes that the files may take; two of them exist while one is written.
    pub disk: u64,
}

/// A search whose state is some bytes, at a time.
pub(super) trait TimedSearch {
    /// The part of the state that the checkpoint contains: counts, and the sizes of the other part.
    type Counts: Clone + Serialize + DeserializeOwned;

    /// The number of small discs.
    fn small(&self) -> u32;

    /// The time whose corners are processed next.
    fn now(&self) -> u32;

    /// The number of bytes of the state with these counts.
    fn bytes(&self, counts: &Self::Counts) -> u64;

    /// Passes the bytes of the state to `write`, in their order.
    fn write(&self, write: &mut dyn FnMut(&[u8]) -> Result<(), IoError>) -> Result<(), IoError>;

    /// Replaces the state by that with these counts, whose bytes `read` returns in their order. Afterwards the search must
    /// [resume](TimedSearch::resume_at).
    fn read(
        &mut self,
        counts: &Self::Counts,
        run: &Run<'_>,
        read: &mut dyn FnMut(&mut [u8]) -> Result<(), SearchError>,
    ) -> Result<(), SearchError>;

    /// Continues with the corners of time `now`. Returns whether the state can be that of a search.
    fn resume_at(&mut self, now: u32) -> bool;
}

/// The contents of a checkpoint.
#[derive(Debug, Serialize, Deserialize)]
struct Saved<C> {
    small: u32,
    /// The time whose corners are processed next.
    now: u32,
    checksum: u64,
    counting: C,
}

/// The checkpoints in a work directory.
pub(super) struct SavedTimes<C> {
    dir: WorkDir,
    last: Option<Saved<C>>,
    /// The bytes of the last file, and the most of all files at a time.
    held: u64,
    bytes: u64,
    disk: u64,
    pace: Pace,
}

impl<C: Clone + Serialize + DeserializeOwned> SavedTimes<C> {
    /// Opens the work directory of a search of this kind.
    ///
    /// # Errors
    /// [`SearchError::Storage`].
    pub(super) fn open(kind: WorkKind, options: &CheckpointOptions) -> Result<SavedTimes<C>, SearchError> {
        let &CheckpointOptions { fresh, every, disk, .. } = options;
        let (dir, payload) = WorkDir::open(&options.dir, kind, &options.identity, fresh)?;
        let last = match payload {
            Some(payload) => Some(serde_json::from_slice(&payload).map_err(|_| dir.damaged())?),
            None => None,
        };
        let pace = Pace::new(every.unwrap_or(INTERVAL));
        Ok(SavedTimes { dir, last, held: 0, bytes: 0, disk, pace })
    }

    /// The number of small discs of the search to resume.
    pub(super) fn small(&self) -> Option<u32> {
        self.last.as_ref().map(|last| last.small)
    }

    /// The greatest number of bytes of the files at a time.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Loads the times into `search`. Returns the counts so far, or `None` if there is nothing to resume.
    ///
    /// # Errors
    /// [`SearchError`], also when a file is damaged.
    pub(super) fn load(
        &mut self,
        search: &mut impl TimedSearch<Counts = C>,
        run: &Run<'_>,
    ) -> Result<Option<C>, SearchError> {
        let Some(last) = &self.last else { return Ok(None) };
        let file = DataFile::open(&self.dir.path().join(name(last.now)))?;
        if last.small != search.small() || file.bytes()? != search.bytes(&last.counting) {
            return Err(self.dir.damaged().into());
        }
        let mut hasher = Xxh3Default::new();
        let mut offset = 0;
        search.read(&last.counting, run, &mut |part| {
            part.chunks_mut(CHUNK).try_for_each(|chunk| {
                run.check()?;
                file.read_at(chunk, offset)?;
                hasher.update(chunk);
                offset += chunk.len() as u64;
                Ok(())
            })
        })?;
        if hasher.digest() != last.checksum || !search.resume_at(last.now) {
            return Err(self.dir.damaged().into());
        }
        self.dir.remove_all_but(|file| file == name(last.now))?;
        (self.held, self.bytes) = (offset, offset);
        Ok(Some(last.counting.clone()))
    }

    /// Saves a checkpoint if it is time.
    ///
    /// # Errors
    /// [`SearchError::Storage`]; the last checkpoint is then intact.
    pub(super) fn save_if_due(
        &mut self,
        search: &impl TimedSearch<Counts = C>,
        counting: &C,
    ) -> Result<(), SearchError> {
        if self.pace.is_due() { self.save(search, counting) } else { Ok(()) }
    }

    /// Saves a checkpoint of a search that ends early, if it has done enough since the last one.
    ///
    /// # Errors
    /// [`SearchError::Storage`]; the last checkpoint is then intact.
    pub(super) fn save_if_worth(
        &mut self,
        search: &impl TimedSearch<Counts = C>,
        counting: &C,
    ) -> Result<(), SearchError> {
        if self.pace.is_worth() { self.save(search, counting) } else { Ok(()) }
    }

    fn save(&mut self, search: &impl TimedSearch<Counts = C>, counting: &C) -> Result<(), SearchError> {
        let mut pace = self.pace;
        pace.save(|| self.write_checkpoint(search, counting))?;
        self.pace = pace;
        Ok(())
    }

    fn write_checkpoint(
        &mut self,
        search: &impl TimedSearch<Counts = C>,
        counting: &C,
    ) -> Result<(), SearchError> {
        let (small, now) = (search.small(), search.now());
        let checksum = match &self.last {
            Some(last) if last.now == now => last.checksum,
            _ => self.write(search, counting)?,
        };
        let saved = Saved { small, now, checksum, counting: counting.clone() };
        self.dir.commit(&serde_json::to_vec(&saved).expect("numbers have a JSON form"))?;
        self.dir.remove_all_but(|file| file == name(now))?;
        self.last = Some(saved);
        Ok(())
    }

    /// Writes the times to a new file. Returns its checksum.
    fn write(&mut self, search: &impl TimedSearch<Counts = C>, counting: &C) -> Result<u64, StorageError> {
        let bytes = search.bytes(counting);
        if bytes + self.held > self.disk {
            return Err(StorageError::Disk(self.disk));
        }
        let path = self.dir.path().join(name(search.now()));
        let written = write(search, &path);
        if written.is_err() {
            // It may be the disk that is full.
            let _ = remove(&path);
        }
        let checksum = written?;
        self.bytes = self.bytes.max(self.held + bytes);
        self.held = bytes;
        Ok(checksum)
    }
}

/// Writes the times to a file. Returns its checksum.
fn write(search: &impl TimedSearch, path: &Path) -> Result<u64, IoError> {
    let file = DataFile::create(path)?;
    let mut hasher = Xxh3Default::new();
    let mut offset = 0;
    search.write(&mut |part| {
        part.chunks(CHUNK).try_for_each(|chunk| {
            file.write_at(chunk, offset)?;
            hasher.update(chunk);
            offset += chunk.len() as u64;
            Ok(())
        })
    })?;
    file.sync()?;
    Ok(hasher.digest())
}

/// The name of the file with the times before those of `now` were processed.
fn name(now: u32) -> String {
    format!("times-{now:05}")
}

/// Whether a file of this name is one of a search by the times of corners.
pub(super) fn is_own(name: &str) -> bool {
    name.strip_prefix("times-")
        .is_some_and(|rest| rest.len() == 5 && rest.bytes().all(|b| b.is_ascii_digit()))
}
