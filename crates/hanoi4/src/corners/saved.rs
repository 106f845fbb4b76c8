//! The checkpoints of a complete search: the times of the corners, and the counts so far.
//!
//! The idea: the times are one large file that is never changed once it is written; the checkpoint names it and
//! contains the counts. While times are searched, new files are written at intervals, so that writing takes about a
//! twentieth of the time; while blocks are counted, only the checkpoint changes.
//!
//! Invariant: the file that the checkpoint names is durable before the checkpoint is replaced, and
//! removed only afterwards.

use super::search::CornerSearch;
use crate::bitmap::search::LayerCount;
use crate::error::SearchError;
use search_core::Run;
use search_core::clock::Instant;
use search_core::storage::{DataFile, StorageError, WorkDir, WorkKind};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Duration;
use xxhash_rust::xxh3::Xxh3Default;

/// The kind of the work directories of complete searches by the times of corners.
pub const KIND: WorkKind = WorkKind { magic: b"hanoi4-corner-02", is_own };

/// The bytes that are written or read at a time.
const CHUNK: usize = 1 << 24;

/// The bytes that a slow disk writes in a second.
const BYTES_A_SECOND: u64 = 500_000_000;

/// The time between checkpoints if writing them took no time.
const INTERVAL: Duration = Duration::from_secs(10);

/// The counts of the first blocks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Counting {
    /// The number of blocks that have been counted.
    pub(super) blocks: u32,
    /// The counts of their states at each depth.
    pub(super) layers: Vec<LayerCount>,
    /// The blocks with states at the greatest depth.
    pub(super) farthest: Vec<u32>,
}

/// The contents of a checkpoint.
#[derive(Debug, Serialize, Deserialize)]
struct Saved {
    small: u32,
    /// The time whose corners are processed next.
    now: u32,
    checksum: u64,
    counting: Counting,
}

/// The checkpoints in a work directory.
pub(super) struct SavedTimes {
    dir: WorkDir,
    last: Option<Saved>,
    bytes: u64,
    /// The time between checkpoints, if given.
    every: Option<Duration>,
    saved: Instant,
}

impl SavedTimes {
    /// Opens the work directory of a search with this identity; `fresh` discards its checkpoint.
    ///
    /// # Errors
    /// [`SearchError::Storage`].
    pub(super) fn open(
        path: &Path,
        identity: &str,
        fresh: bool,
        every: Option<Duration>,
    ) -> Result<SavedTimes, SearchError> {
        let (dir, payload) = WorkDir::open(path, KIND, identity, fresh)?;
        let last = match payload {
            Some(payload) => Some(serde_json::from_slice(&payload).map_err(|_| dir.damaged())?),
            None => None,
        };
        Ok(SavedTimes { dir, last, bytes: 0, every, saved: Instant::now() })
    }

    /// The number of small discs of the search to resume.
    pub(super) fn small(&self) -> Option<u32> {
        self.last.as_ref().map(|last| last.small)
    }

    /// The bytes of the files.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Loads the times into `search`. Returns the counts so far, or `None` if there is nothing to resume.
    ///
    /// # Errors
    /// [`SearchError`], also when a file is damaged.
    pub(super) fn load(
        &mut self,
        search: &mut CornerSearch<u8>,
        run: &Run<'_>,
    ) -> Result<Option<Counting>, SearchError> {
        let Some(last) = &self.last else { return Ok(None) };
        let file = DataFile::open(&self.dir.path().join(name(last.now)))?;
        if file.bytes()? != search.bytes() {
            return Err(self.dir.damaged().into());
        }
        let mut hasher = Xxh3Default::new();
        let mut offset = 0;
        for part in search.parts_mut() {
            for chunk in part.chunks_mut(CHUNK) {
                run.check()?;
                file.read_at(chunk, offset)?;
                hasher.update(chunk);
                offset += chunk.len() as u64;
            }
        }
        if hasher.digest() != last.checksum || !search.resume_at(last.now) {
            return Err(self.dir.damaged().into());
        }
        self.dir.remove_all_but(|file| file == name(last.now))?;
        self.bytes = search.bytes();
        Ok(Some(last.counting.clone()))
    }

    /// Saves a checkpoint if it is time.
    ///
    /// # Errors
    /// [`SearchError::Storage`]; the last checkpoint is then intact.
    pub(super) fn save_if_due(
        &mut self,
        search: &CornerSearch<u8>,
        counting: &Counting,
    ) -> Result<(), SearchError> {
        let every = self.every.unwrap_or_else(|| INTERVAL + 20 * self.cost(search));
        if self.saved.elapsed() < every {
            return Ok(());
        }
        self.save(search, counting)
    }

    /// Saves a checkpoint of a search that ends early, if this takes less time than it saves.
    ///
    /// # Errors
    /// [`SearchError::Storage`]; the last checkpoint is then intact.
    pub(super) fn save_if_worth(
        &mut self,
        search: &CornerSearch<u8>,
        counting: &Counting,
    ) -> Result<(), SearchError> {
        if self.saved.elapsed() < self.cost(search) {
            return Ok(());
        }
        self.save(search, counting)
    }

    /// An estimate of the time that a checkpoint takes.
    fn cost(&self, search: &CornerSearch<u8>) -> Duration {
        let is_written = self.last.as_ref().is_some_and(|last| last.now == search.now());
        let bytes = if is_written { 0 } else { search.bytes() };
        Duration::from_millis(bytes / (BYTES_A_SECOND / 1000))
    }

    fn save(&mut self, search: &CornerSearch<u8>, counting: &Counting) -> Result<(), SearchError> {
        let (small, now) = (search.rows().discs(), search.now());
        let checksum = match &self.last {
            Some(last) if last.now == now => last.checksum,
            _ => self.write(search, now)?,
        };
        let saved = Saved { small, now, checksum, counting: counting.clone() };
        self.dir.commit(&serde_json::to_vec(&saved).expect("numbers have a JSON form"))?;
        self.dir.remove_all_but(|file| file == name(now))?;
        (self.last, self.saved) = (Some(saved), Instant::now());
        Ok(())
    }

    /// Writes the times to a new file. Returns its checksum.
    fn write(&mut self, search: &CornerSearch<u8>, now: u32) -> Result<u64, StorageError> {
        let file = DataFile::create(&self.dir.path().join(name(now)))?;
        let mut hasher = Xxh3Default::new();
        let mut offset = 0;
        for part in search.parts() {
            for chunk in part.chunks(CHUNK) {
                file.write_at(chunk, offset)?;
                hasher.update(chunk);
                offset += chunk.len() as u64;
            }
        }
        file.sync()?;
        self.bytes = self.bytes.max(if self.last.is_some() { 2 * offset } else { offset });
        Ok(hasher.digest())
    }
}

/// The name of the file with the times before those of `now` were processed.
fn name(now: u32) -> String {
    format!("times-{now:05}")
}

/// Whether a file of this name is one of a complete search by the times of corners.
fn is_own(name: &str) -> bool {
    name.strip_prefix("times-")
        .is_some_and(|rest| rest.len() == 5 && rest.bytes().all(|b| b.is_ascii_digit()))
}
