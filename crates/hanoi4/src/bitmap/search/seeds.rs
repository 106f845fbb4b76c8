//! The start of a search: from its seeds, or from a layer that was read back.

use super::counting::note_first_touch;
use super::{ExpandedSegment, LayerCount, Pruner, Search, SearchError, Seeds, Setup};
use crate::bitmap::blocks::Blocks;
use crate::bitmap::boundary;
use crate::bitmap::codec::{self, Reader};
use crate::bitmap::layer::{Layer, SEGMENT, block_at, segment_of};
use crate::bitmap::shape::{EMPTY, PAIRS, Shape, Unit, pair_of};
use crate::model::{State, to_u64};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;

impl Search {
    /// A search at depth 0, whose layer is the seeds, and the counts of that layer.
    ///
    /// # Errors
    /// [`SearchError::Storage`] when the seeds do not fit the budget or a file cannot be created.
    ///
    /// # Panics
    /// If the number of small discs is out of range.
    pub fn new(setup: Setup, pruner: &dyn Pruner) -> Result<(Search, LayerCount), SearchError> {
        let mut search = Search::empty(setup);
        let mut seeds = BTreeMap::new();
        match search.setup.seeds.clone() {
            Seeds::State(state) => search.seed_state(state, &mut seeds),
            Seeds::Pairs(pairs) => pairs.iter().for_each(|&pair| search.seed_pair(pair, &mut seeds)),
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
        let count = search.adopt(pruner)?;
        Ok((search, count))
    }

    /// A search without blocks and layers.
    pub(in crate::bitmap) fn empty(setup: Setup) -> Search {
        let large = setup.discs.checked_sub(setup.small).expect("at most all discs are small");
        let target = setup.target;
        let mut search = Search {
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
            touched: Vec::new(),
        };
        search.target = target.map(|state| search.locate(state));
        search
    }

    fn seed_state(&mut self, state: State, seeds: &mut BTreeMap<u32, Vec<Unit>>) {
        let (large, (unit, word, bit)) = self.locate(state);
        let bits = self.seed_block(large, seeds);
        bits[unit][word] |= 1 << bit;
    }

    fn seed_pair(&mut self, pair: usize, seeds: &mut BTreeMap<u32, Vec<Unit>>) {
        let (c, d) = PAIRS[pair];
        let (discs, full) = (self.blocks.large(), vec![u16::MAX; self.shape.units_on(0).len()]);
        for on_d in 0..1u64 << discs {
            let large = State::on_pair((c, d), on_d, discs);
            let (large, perm) = self.blocks.group().canonical(large, discs);
            let pair = pair_of(perm.peg(c), perm.peg(d));
            let shape = self.shape.clone();
            boundary::insert(&shape, &full, pair, false, self.seed_block(large, seeds));
        }
    }

    fn seed_block<'a>(&mut self, large: State, seeds: &'a mut BTreeMap<u32, Vec<Unit>>) -> &'a mut Vec<Unit> {
        let (id, units) = (self.blocks.find_or_add(large), self.shape.units());
        seeds.entry(id).or_insert_with(|| vec![EMPTY; units])
    }

    /// Recomputes what follows from the current layer: counts, boundaries, which blocks are awake.
    pub(in crate::bitmap) fn adopt(&mut self, pruner: &dyn Pruner) -> Result<LayerCount, SearchError> {
        let mut bits = vec![EMPTY; self.shape.units()];
        let mut count = LayerCount::default();
        let segments = self.blocks.len().div_ceil(SEGMENT);
        self.awake = (0..segments).map(|_| AtomicU64::new(0)).collect();
        self.boundaries = Vec::new();
        for segment in 0..segments {
            let mut part = ExpandedSegment::default();
            let stream = self.current.get(segment)?.into_owned();
            let mut reader = Reader::new(&stream);
            while let Some(place) = reader.place() {
                let id = block_at(segment, place);
                if place >= SEGMENT || !self.blocks.ids().contains(&id) {
                    return Err(codec::Damaged.into());
                }
                reader.read(place, &mut bits)?;
                let stored = bits.as_flattened().iter().map(|word| u64::from(word.count_ones())).sum();
                self.record(id, &bits, stored, &self.awake, &mut part);
                if self.setup.first_touch {
                    self.touched.resize_with(segments, Vec::new);
                    note_first_touch(&mut self.touched[segment], place, self.depth, &bits);
                }
            }
            part.count.bytes = to_u64(stream.len()) * 8;
            count.add(&part.count);
            self.boundaries.push(part.boundaries);
            self.link(&part.unknown, pruner);
        }
        Ok(count)
    }
}
