//! The start of a search: from its seeds, or from a layer of a checkpoint.

use super::{BitmapSearch, ExpandedSegment, LayerCount, Pruner, Setup};
use crate::bitmap::blocks::Blocks;
use crate::bitmap::codec::{self, Reader};
use crate::bitmap::layer::{Layer, SEGMENT, block_at, segment_of};
use crate::bitmap::shape::{EMPTY, Shape, Word256};
use crate::error::{DamagedStream, SearchError};
use crate::model::to_u64;
use search_core::Run;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;

impl BitmapSearch {
    /// A search at depth 0, whose layer is the seeds, and the counts of that layer.
    ///
    /// # Errors
    /// [`SearchError::Storage`] when the seeds do not fit the budget or a file cannot be created.
    ///
    /// # Panics
    /// If the number of small discs is out of range.
    pub fn new(setup: Setup, pruner: &dyn Pruner) -> Result<(BitmapSearch, LayerCount), SearchError> {
        let mut search = BitmapSearch::empty(setup);
        let mut seeds: BTreeMap<u32, Vec<Word256>> = BTreeMap::new();
        for state in search.setup.seeds.clone() {
            let (large, (unit, word, bit)) = search.locate(state);
            let block = seeds.entry(search.blocks.find_or_add(large));
            block.or_insert_with(|| vec![EMPTY; search.shape.units()])[unit][word] |= 1 << bit;
        }
        let mut streams: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
        for (id, bits) in &seeds {
            let (segment, place) = segment_of(*id);
            codec::encode(place, bits, streams.entry(segment).or_default());
        }
        let mut layer = search.new_layer(0)?;
        for (segment, stream) in streams {
            let stream = layer.store(stream, &search.setup.budget)?;
            layer.insert(segment, stream);
        }
        search.current = layer;
        let count = search.adopt(pruner, &Run::new())?;
        Ok((search, count))
    }

    /// A search without blocks and layers.
    pub(in crate::bitmap) fn empty(setup: Setup) -> BitmapSearch {
        let large = setup.discs.checked_sub(setup.small).expect("at most all discs are small");
        let target = setup.target;
        let mut search = BitmapSearch {
            shape: Shape::new(setup.small),
            target: None,
            blocks: Blocks::new(large, setup.group.clone()),
            setup,
            depth: 0,
            current: Layer::in_memory(),
            previous: Layer::in_memory(),
            old: Vec::new(),
            boundaries: Vec::new(),
            awake: Vec::new(),
        };
        search.target = target.map(|state| search.locate(state));
        search
    }

    /// Recomputes the data that is derived from the current layer: counts, boundaries, awake blocks.
    pub(in crate::bitmap) fn adopt(
        &mut self,
        pruner: &dyn Pruner,
        run: &Run<'_>,
    ) -> Result<LayerCount, SearchError> {
        let mut bits = vec![EMPTY; self.shape.units()];
        let mut count = LayerCount::default();
        let segments = self.blocks.count().div_ceil(SEGMENT);
        self.awake = (0..segments).map(|_| AtomicU64::new(0)).collect();
        self.boundaries = Vec::new();
        for segment in 0..segments {
            run.check()?;
            let mut part = ExpandedSegment::default();
            let stream = self.current.get(segment)?.into_owned();
            let mut reader = Reader::new(&stream);
            while let Some(place) = reader.place() {
                let id = block_at(segment, place);
                if place >= SEGMENT || !self.blocks.ids().contains(&id) {
                    return Err(DamagedStream.into());
                }
                reader.read(place, &mut bits)?;
                let stored = bits.as_flattened().iter().map(|word| u64::from(word.count_ones())).sum();
                self.record(id, &bits, stored, &self.awake, &mut part);
            }
            part.count.bytes = to_u64(stream.len()) * 8;
            count.add(&part.count);
            self.boundaries.push(part.boundaries);
            self.link(&part.unknown, pruner);
        }
        Ok(count)
    }
}
