//! Breadth-first search, layer by layer, on all threads.
//!
//! The idea: a layer is a stream of bitmaps (see [`codec`]), divided into segments of blocks. One
//! thread expands a segment: it reads the current and the previous layer of its blocks
//! sequentially, takes the states that enter them from the boundaries of other blocks, and writes
//! the next layer. No thread writes what another reads, so they need no coordination, and no
//! duplicate leaves its block: merging is part of the expansion.
//!
//! A block is expanded only while it is **awake**: its current layer is not empty, or the current
//! boundary of an adjacent block is not. One bit per block records this (Korf & Felner 2006,
//! "Handling Large Numbers of Files").
//!
//! The answer does not depend on the number of threads: new blocks are numbered after each layer, in
//! the order of the segments.

mod counting;
mod lookup;
mod pruning;
mod seeds;
mod setup;

pub use counting::LayerCount;
pub use pruning::{NoPruning, Pruner};
pub use setup::Setup;

use super::blocks::{Blocks, Link};
use super::boundary;
use super::codec::{self, Reader};
use super::kernel;
use super::layer::{Layer, SEGMENT, StoredStream, block_at, segment_of};
use super::shape::{EMPTY, PAIRS, Shape, Word256, pair_of};
use crate::error::SearchError;
use crate::model::{State, to_u64};
use rayon::prelude::*;
use search_core::Run;
use search_core::storage::StorageError;
use std::sync::atomic::{AtomicU64, Ordering};

/// A breadth-first search, with its current and previous layer.
#[derive(Debug)]
pub struct BitmapSearch {
    pub(super) setup: Setup,
    shape: Shape,
    /// The block and location of the target.
    target: Option<(State, (usize, usize, u32))>,
    pub(super) blocks: Blocks,
    pub(super) depth: u32,
    pub(super) current: Layer,
    pub(super) previous: Layer,
    /// Layers before the previous one that are kept, or not yet removed.
    pub(super) old: Vec<Layer>,
    boundaries: Vec<Boundaries>,
    /// Bit `i` of number `s`: the next step expands block `64 s + i`.
    awake: Vec<AtomicU64>,
}

/// The boundaries of a segment's blocks in the current layer.
#[derive(Debug, Default)]
struct Boundaries {
    /// For each block, the set of pairs with a boundary, and the index of the first one in `data`.
    blocks: Vec<(u8, u32)>,
    data: Vec<u16>,
}

impl Boundaries {
    fn get(&self, place: usize, pair: usize, length: usize) -> Option<&[u16]> {
        let &(pairs, start) = self.blocks.get(place)?;
        let before = (pairs & ((1 << pair) - 1)).count_ones() as usize;
        let start = start as usize + before * length;
        (pairs >> pair & 1 == 1).then(|| &self.data[start..start + length])
    }
}

/// The part of the next layer that the expansion of a segment yields.
#[derive(Debug, Default)]
struct ExpandedSegment {
    stream: Vec<u64>,
    boundaries: Boundaries,
    count: LayerCount,
    /// Blocks and pairs of unknown links that states cross.
    unknown: Vec<(u32, usize)>,
}

/// The bitmaps of one block; one set per thread.
struct Scratch {
    current: Vec<Word256>,
    next: Vec<Word256>,
    reached: Vec<Word256>,
}

impl Scratch {
    fn new(units: usize) -> Scratch {
        Scratch { current: vec![EMPTY; units], next: vec![EMPTY; units], reached: vec![EMPTY; units] }
    }
}

/// The expansion of one segment in a step.
struct SegmentStep<'a> {
    segment: usize,
    depth: u32,
    /// The blocks to expand.
    awake: u64,
    awake_next: &'a [AtomicU64],
}

impl BitmapSearch {
    /// The depth of the current layer.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// The blocks touched.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// The setup.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Searches the next layer, which may be empty. After an error, the search is at the same layer as
    /// before.
    ///
    /// # Errors
    /// [`SearchError`].
    pub fn step(&mut self, pruner: &dyn Pruner, run: &Run<'_>) -> Result<LayerCount, SearchError> {
        let mut next = self.new_layer(self.depth + 1)?;
        let awake: Vec<AtomicU64> = self.awake.iter().map(|_| AtomicU64::new(0)).collect();
        let expanded = match self.expand_all(&next, pruner, &awake, run) {
            Ok(expanded) => expanded,
            Err(error) => {
                next.remove(&self.setup.budget);
                return Err(error);
            }
        };
        self.depth += 1;
        self.awake = awake;
        let mut count = LayerCount::default();
        self.boundaries.clear();
        for (segment, part) in expanded.into_iter().enumerate() {
            let Some((kept, part)) = part else {
                self.boundaries.push(Boundaries::default());
                continue;
            };
            next.insert(segment, kept);
            count.add(&part.count);
            self.boundaries.push(part.boundaries);
            self.link(&part.unknown, pruner);
        }
        let previous = std::mem::replace(&mut self.current, next);
        let mut old = std::mem::replace(&mut self.previous, previous);
        if self.setup.directory.is_some() {
            old.unload(&self.setup.budget);
        }
        self.old.push(old);
        if self.setup.directory.is_none() && !self.setup.keep_layers {
            self.remove_old_layers();
        }
        Ok(count)
    }

    fn expand_all(
        &self,
        next: &Layer,
        pruner: &dyn Pruner,
        awake_next: &[AtomicU64],
        run: &Run<'_>,
    ) -> Result<Vec<Option<(StoredStream, ExpandedSegment)>>, SearchError> {
        let units = self.shape.units();
        let (depth, budget) = (self.depth + 1, &self.setup.budget);
        let results = self.awake.par_iter().enumerate().with_max_len(4).map_init(
            || Scratch::new(units),
            |scratch, (segment, awake)| {
                let awake = awake.load(Ordering::Relaxed);
                if awake == 0 {
                    return Ok(None);
                }
                run.check()?;
                let step = SegmentStep { segment, depth, awake, awake_next };
                let mut part = self.expand_segment(step, pruner, scratch)?;
                part.count.bytes = to_u64(part.stream.len()) * 8;
                let kept = next.store(std::mem::take(&mut part.stream), budget)?;
                Ok(Some((kept, part)))
            },
        );
        run.install(|| results.collect())
    }

    fn expand_segment(
        &self,
        step: SegmentStep<'_>,
        pruner: &dyn Pruner,
        scratch: &mut Scratch,
    ) -> Result<ExpandedSegment, SearchError> {
        let (current, previous) = (self.current.get(step.segment)?, self.previous.get(step.segment)?);
        let (mut current, mut previous) = (Reader::new(&current), Reader::new(&previous));
        let mut out = ExpandedSegment::default();
        let mut awake = step.awake;
        while awake != 0 {
            let place = awake.trailing_zeros() as usize;
            awake &= awake - 1;
            let id = block_at(step.segment, place);
            let large = self.blocks.large_discs(id);
            if !pruner.admits(large, step.depth) {
                continue;
            }
            current.read(place, &mut scratch.current)?;
            previous.read(place, &mut scratch.next)?;
            self.gather(id, &mut scratch.reached);
            let Scratch { current, next, reached } = scratch;
            let mut stored = kernel::expand(&self.shape, current, next, reached);
            if stored > 0 && pruner.prune(large, step.depth, next) {
                let kept = next.as_flattened().iter().map(|word| u64::from(word.count_ones())).sum();
                out.count.pruned += stored - kept;
                stored = kept;
            }
            if stored > 0 {
                codec::encode(place, next, &mut out.stream);
                self.record(id, next, stored, step.awake_next, &mut out);
            }
        }
        Ok(out)
    }

    /// Collects the states of block `id` that moves of large discs reach from adjacent blocks.
    fn gather(&self, id: u32, reached: &mut [Word256]) {
        let length = self.shape.units_on(0).len();
        for pair in 0..6 {
            let Link::To(from, perm) = self.blocks.link(id, pair) else { continue };
            let (c, d) = (perm.peg(PAIRS[5 - pair].0), perm.peg(PAIRS[5 - pair].1));
            let (segment, place) = segment_of(from);
            let there = self.boundaries.get(segment);
            if let Some(sent) = there.and_then(|there| there.get(place, pair_of(c, d), length)) {
                boundary::insert(&self.shape, sent, 5 - pair, c > d, reached);
            }
        }
    }

    /// Resolves unknown links that states cross, and wakes the blocks behind them.
    fn link(&mut self, unknown: &[(u32, usize)], pruner: &dyn Pruner) {
        let depth = self.depth + 1;
        for &(id, pair) in unknown {
            if let Some(to) = self.blocks.resolve(id, pair, |code| pruner.admits(code, depth)) {
                self.awake.resize_with(self.blocks.count().div_ceil(SEGMENT), AtomicU64::default);
                wake(&self.awake, to);
            }
        }
    }

    /// Removes the layers before the previous one.
    pub fn remove_old_layers(&mut self) {
        self.old.drain(..).for_each(|layer| layer.remove(&self.setup.budget));
    }

    /// A new layer, on disk or in memory according to the setup.
    fn new_layer(&self, depth: u32) -> Result<Layer, StorageError> {
        match &self.setup.directory {
            Some(directory) => Layer::create(&directory.join(layer_name(depth))),
            None => Ok(Layer::in_memory()),
        }
    }
}

/// The file name of the layer at `depth`.
pub(super) fn layer_name(depth: u32) -> String {
    format!("layer-{depth:05}")
}

/// The depth of the layer with this file name.
pub(super) fn layer_depth(name: &str) -> Option<u32> {
    name.strip_prefix("layer-")?.parse().ok()
}

fn wake(awake: &[AtomicU64], id: u32) {
    let (segment, place) = segment_of(id);
    awake[segment].fetch_or(1 << place, Ordering::Relaxed);
}
