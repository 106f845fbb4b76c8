//! The checkpoint of a search on disk: written after every layer that took long, read to resume.
//!
//! The idea: files of layers are never changed once they are written. A checkpoint names the files of
//! the current and the previous layer and where their streams lie, and how many blocks there are; the
//! blocks' configurations are in a file of their own that only grows. Everything else (links,
//! boundaries, who is awake) follows from these.
//!
//! To make files durable takes longer than a small layer does. So layers that end within a second
//! of the last checkpoint wait for the next one, unless the disk is half full; their files wait too.
//!
//! Invariant: whatever moment the process is killed at, the checkpoint is that of a finished layer,
//! the last one or one a second older, and all that it names is there: files are made durable
//! before the checkpoint is replaced, and removed only afterwards.

use super::search::{Bound, LayerCount, Search, SearchError, Setup, layer_name};
use super::store::{Extent, Layer, StoreError};
use crate::model::State;
use search_core::frontier::{WorkDir, WorkDirError};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::Xxh3Default;

/// The file of the blocks' configurations.
const BLOCKS: &str = "blocks";

/// What a checkpoint says.
#[derive(Debug, Serialize, Deserialize)]
struct Saved {
    depth: u32,
    blocks: u64,
    blocks_checksum: u64,
    current: Vec<Extent>,
    previous: Vec<Extent>,
    counts: Vec<LayerCount>,
}

/// The checkpoints of one search.
pub struct Checkpoints {
    dir: WorkDir,
    blocks: File,
    written: usize,
    hasher: Xxh3Default,
    /// When the last one was written by this process.
    saved: Option<Instant>,
}

/// How far behind the search a checkpoint may be.
const INTERVAL: Duration = Duration::from_secs(1);

impl Checkpoints {
    /// Takes a directory for a new search that calls itself `identity`.
    ///
    /// # Errors
    /// [`SearchError::WorkDir`] or [`SearchError::Store`].
    pub fn create(path: &Path, identity: &str) -> Result<Checkpoints, SearchError> {
        let dir = WorkDir::create(path, identity)?;
        let file = path.join(BLOCKS);
        let blocks = File::create(&file).map_err(io(&file))?;
        Ok(Checkpoints { dir, blocks, written: 0, hasher: Xxh3Default::new(), saved: None })
    }

    /// Whether it is time for the next one.
    pub fn are_due(&self, search: &Search) -> bool {
        self.saved.is_none_or(|saved| saved.elapsed() >= INTERVAL)
            || search.setup().budget.is_disk_half_used()
    }

    /// Saves the search where it stands; `counts` are those of all layers so far. Then removes the
    /// files of older layers.
    ///
    /// # Errors
    /// [`SearchError::WorkDir`] or [`SearchError::Store`]; the last checkpoint is then intact.
    pub fn save(&mut self, search: &mut Search, counts: &[LayerCount]) -> Result<(), SearchError> {
        let file = self.dir.path().join(BLOCKS);
        let fresh = bytemuck::cast_slice::<u64, u8>(&search.blocks.codes()[self.written..]);
        self.blocks.write_all(fresh).and_then(|()| self.blocks.sync_data()).map_err(io(&file))?;
        self.hasher.update(fresh);
        self.written = search.blocks.len();
        search.current.sync()?;
        let saved = Saved {
            depth: search.depth,
            blocks: self.written as u64,
            blocks_checksum: self.hasher.digest(),
            current: search.current.extents(),
            previous: search.previous.extents(),
            counts: counts.to_vec(),
        };
        self.dir.commit(&serde_json::to_vec(&saved).expect("numbers have a JSON form"))?;
        search.forget();
        self.saved = Some(Instant::now());
        Ok(())
    }

    /// The search that calls itself `identity`, where it was saved last, and its layers' counts.
    ///
    /// # Errors
    /// [`SearchError`] when the directory is not this search's, or anything in it is damaged.
    pub fn resume(
        path: &Path,
        identity: &str,
        setup: Setup,
        bound: &dyn Bound,
    ) -> Result<(Checkpoints, Search, Vec<LayerCount>), SearchError> {
        let (dir, payload) = WorkDir::resume(path, identity)?;
        let damaged = || SearchError::from(WorkDirError::Damaged(path.into()));
        let saved: Saved = serde_json::from_slice(&payload).map_err(|_| damaged())?;
        let file = path.join(BLOCKS);
        let mut blocks = File::options().read(true).append(true).open(&file).map_err(io(&file))?;
        let bytes = saved.blocks.checked_mul(8).ok_or_else(damaged)?;
        if blocks.metadata().map_err(io(&file))?.len() < bytes {
            return Err(damaged());
        }
        // What a killed run appended after its last checkpoint is not part of it.
        blocks.set_len(bytes).map_err(io(&file))?;
        let mut codes = Vec::new();
        blocks.read_to_end(&mut codes).map_err(io(&file))?;
        let mut hasher = Xxh3Default::new();
        hasher.update(&codes);
        if hasher.digest() != saved.blocks_checksum {
            return Err(damaged());
        }
        let mut search = Search::empty(setup);
        for code in codes.chunks_exact(8) {
            search.blocks.find_or_add(State(u64::from_ne_bytes(code.try_into().expect("eight bytes"))));
        }
        if search.blocks.len() as u64 != saved.blocks {
            return Err(damaged());
        }
        let open = |depth: u32, extents: &[Extent]| match depth {
            u32::MAX => Ok(Layer::in_memory()),
            depth => Layer::open(&path.join(layer_name(depth)), extents, &search.setup.budget),
        };
        let current = open(saved.depth, &saved.current)?;
        let previous = open(saved.depth.wrapping_sub(1), &saved.previous)?;
        (search.current, search.previous, search.depth) = (current, previous, saved.depth);
        search.adopt(bound)?;
        remove_stale(path, saved.depth);
        let written = search.blocks.len();
        Ok((Checkpoints { dir, blocks, written, hasher, saved: None }, search, saved.counts))
    }

    /// Ends the run: removes its files.
    ///
    /// # Errors
    /// [`SearchError::WorkDir`] when a file cannot be removed.
    pub fn finish(self, search: Search) -> Result<(), SearchError> {
        let depth = search.depth();
        drop(search);
        // All layers that may still be there; the checkpoint, which names some, is removed first.
        let layers = (0..=depth + 1).map(layer_name);
        Ok(self.dir.finish(layers.chain([BLOCKS.to_string()]))?)
    }
}

/// Removes the layer files of a run of ours that its checkpoint at `depth` does not name. They lie
/// next to those that it names without a gap, since they are made and removed in order.
fn remove_stale(path: &Path, depth: u32) {
    let file = |depth: u32| path.join(layer_name(depth));
    // What cannot be removed only takes room.
    let remove = |depth: &u32| fs::remove_file(file(*depth)).is_ok();
    (depth + 1..).take_while(remove).for_each(drop);
    (0..depth.saturating_sub(1)).rev().take_while(remove).for_each(drop);
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> SearchError {
    let path = path.to_path_buf();
    move |error| StoreError::Io { path, error }.into()
}
