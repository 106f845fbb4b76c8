//! The checkpoint of a search on disk: written after every layer that took long, read to resume.
//!
//! The idea: files of layers are never changed once they are written. A checkpoint names the files of
//! the current and the previous layer, the locations of their streams, and the number of blocks. The
//! blocks' configurations are in a separate file that only grows. Everything else (links, boundaries,
//! which blocks are awake) follows from these.
//!
//! Making files durable takes longer than a small layer. So layers that end within a second of the last checkpoint wait
//! for the next one, unless half of the disk budget is used; so do their files.
//!
//! Invariant: whenever the process is killed, the checkpoint is that of a finished layer, the last one
//! or one at most a second older, and all files that it names exist: files are made durable before
//! the checkpoint is replaced, and removed only afterwards.

use super::layer::{Extent, Layer};
use super::search::{BitmapSearch, LayerCount, Pruner, Setup, layer_depth, layer_name};
use crate::error::SearchError;
use crate::model::{State, to_u64};
use search_core::Run;
use search_core::clock::Instant;
use search_core::storage::{DataFile, WorkDir, WorkKind};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Duration;
use xxhash_rust::xxh3::Xxh3Default;

/// The kind of the work directories of searches by bitmaps.
pub const KIND: WorkKind = WorkKind { magic: b"hanoi4-bitmap-02", is_own };

/// The name of the file with the blocks' configurations.
const BLOCKS: &str = "blocks";

/// The contents of a checkpoint.
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
    blocks: DataFile,
    written: usize,
    hasher: Xxh3Default,
    /// The time of the last checkpoint of this process.
    saved: Option<Instant>,
}

/// The longest wait of a finished layer for its checkpoint.
const INTERVAL: Duration = Duration::from_secs(1);

impl Checkpoints {
    /// Opens a work directory, and begins the search with this identity, or resumes it from its checkpoint. Returns
    /// the counts of its layers too. `fresh` discards the checkpoint.
    ///
    /// # Errors
    /// [`SearchError`] when the directory belongs to another search, or anything in it is damaged.
    pub fn open(
        path: &Path,
        identity: &str,
        fresh: bool,
        setup: Setup,
        pruner: &dyn Pruner,
        run: &Run<'_>,
    ) -> Result<(Checkpoints, BitmapSearch, Vec<LayerCount>), SearchError> {
        let (dir, payload) = WorkDir::open(path, KIND, identity, fresh)?;
        if let Some(payload) = payload {
            return Checkpoints::resume(dir, &payload, setup, pruner, run);
        }
        let blocks = DataFile::create(&path.join(BLOCKS))?;
        let (search, first) = BitmapSearch::new(setup, pruner)?;
        let hasher = Xxh3Default::new();
        Ok((Checkpoints { dir, blocks, written: 0, hasher, saved: None }, search, vec![first]))
    }

    /// Whether the next checkpoint is due.
    pub fn are_due(&self, search: &BitmapSearch) -> bool {
        let disk = &search.setup().budget.disk;
        self.saved.is_none_or(|saved| saved.elapsed() >= INTERVAL) || disk.used() > disk.limit() / 2
    }

    /// Saves the state of the search, with the counts of all layers so far. Then removes the files of older
    /// layers.
    ///
    /// # Errors
    /// [`SearchError::Storage`]; the last checkpoint is then intact.
    pub fn save(&mut self, search: &mut BitmapSearch, counts: &[LayerCount]) -> Result<(), SearchError> {
        let fresh = bytemuck::cast_slice::<u64, u8>(&search.blocks.codes()[self.written..]);
        self.blocks.write_at(fresh, to_u64(self.written) * 8)?;
        self.blocks.sync()?;
        self.hasher.update(fresh);
        self.written = search.blocks.count();
        // The previous layer may have waited too.
        search.previous.sync()?;
        search.current.sync()?;
        let saved = Saved {
            depth: search.depth,
            blocks: to_u64(self.written),
            blocks_checksum: self.hasher.digest(),
            current: search.current.extents(),
            previous: search.previous.extents(),
            counts: counts.to_vec(),
        };
        self.dir.commit(&serde_json::to_vec(&saved).expect("numbers have a JSON form"))?;
        search.remove_old_layers();
        self.saved = Some(Instant::now());
        Ok(())
    }

    /// The search of a checkpoint.
    fn resume(
        dir: WorkDir,
        payload: &[u8],
        setup: Setup,
        pruner: &dyn Pruner,
        run: &Run<'_>,
    ) -> Result<(Checkpoints, BitmapSearch, Vec<LayerCount>), SearchError> {
        let path = dir.path();
        let damaged = || dir.damaged();
        let saved: Saved = serde_json::from_slice(payload).map_err(|_| damaged())?;
        let blocks = DataFile::open_for_writing(&path.join(BLOCKS))?;
        let bytes = saved.blocks.checked_mul(8).ok_or_else(damaged)?;
        if blocks.bytes()? < bytes {
            return Err(damaged().into());
        }
        // Bytes that a killed run appended after its last checkpoint are not part of it.
        blocks.set_bytes(bytes)?;
        let mut codes = vec![0; usize::try_from(saved.blocks).map_err(|_| damaged())?];
        blocks.read_at(bytemuck::cast_slice_mut::<u64, u8>(&mut codes), 0)?;
        let mut hasher = Xxh3Default::new();
        hasher.update(bytemuck::cast_slice(&codes));
        if hasher.digest() != saved.blocks_checksum {
            return Err(damaged().into());
        }
        let mut search = BitmapSearch::empty(setup);
        codes.iter().for_each(|&code| _ = search.blocks.find_or_add(State::from_code(code)));
        if to_u64(search.blocks.count()) != saved.blocks {
            return Err(damaged().into());
        }
        let open = |depth: u32, extents: &[Extent]| match depth {
            u32::MAX => Ok(Layer::in_memory()),
            depth => Layer::open(&path.join(layer_name(depth)), extents, &search.setup.budget),
        };
        let current = open(saved.depth, &saved.current)?;
        let previous = open(saved.depth.wrapping_sub(1), &saved.previous)?;
        (search.current, search.previous, search.depth) = (current, previous, saved.depth);
        search.adopt(pruner, run)?;
        // The current and the previous layer are named by the checkpoint.
        dir.remove_all_but(|name| match layer_depth(name) {
            Some(depth) => [saved.depth, saved.depth.wrapping_sub(1)].contains(&depth),
            None => true,
        })?;
        let written = search.blocks.count();
        Ok((Checkpoints { dir, blocks, written, hasher, saved: None }, search, saved.counts))
    }

    /// Removes the files of a finished search.
    ///
    /// # Errors
    /// [`SearchError::Storage`] when a file cannot be removed.
    pub fn finish(self, search: BitmapSearch) -> Result<(), SearchError> {
        // Some systems cannot remove an open file.
        drop((search, self.blocks));
        Ok(self.dir.finish()?)
    }
}

/// Whether a search writes files with this name.
fn is_own(name: &str) -> bool {
    name == BLOCKS || layer_depth(name).is_some()
}
