//! Breadth-first search, layer by layer, on all threads.
//!
//! The idea: a layer is a stream of bitmaps (see [`codec`](super::codec)), cut into segments of
//! blocks. Each segment is expanded by one thread: the current and the previous layer of its blocks
//! are read in order, what other blocks send is taken from their boundaries, and the next layer is
//! written. No thread writes what another reads, so there is nothing to coordinate, and no duplicate
//! ever leaves its block: merging is part of the expansion.
//!
//! A block is worked on only while it is **awake**: its current layer is not empty, or the current
//! boundary of a block that it touches is not. One bit a block says so (Korf & Felner 2006,
//! "Handling Large Numbers of Files").
//!
//! The answer does not depend on the number of threads: blocks get their numbers after each layer,
//! in the order of the segments.

use super::blocks::{Blocks, Link};
use super::boundary;
use super::codec::{self, Reader};
use super::kernel;
use super::shape::{EMPTY, INNER, PAIRS, Shape, Unit, pair_of};
use super::store::{Budget, Kept, Layer, SEGMENT, StoreError};
use crate::model::State;
use crate::pegs::PegGroup;
use rayon::prelude::*;
use search_core::{Cancel, Cancelled};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

/// What keeps a search within a threshold: a lower bound on the way that is left.
pub trait Bound: Sync {
    /// Whether any state of the block whose large discs stand as `large` may be kept at `depth`.
    fn admits(&self, large: State, depth: u32) -> bool;

    /// Removes from `bits`, the block's states at `depth`, those that cannot be on a short enough
    /// path. Returns whether it removed any.
    fn prune(&self, large: State, depth: u32, bits: &mut [Unit]) -> bool;
}

/// Keeps every state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unbounded;

impl Bound for Unbounded {
    fn admits(&self, _: State, _: u32) -> bool {
        true
    }
    fn prune(&self, _: State, _: u32, _: &mut [Unit]) -> bool {
        false
    }
}

/// Where a search begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seeds {
    /// One state.
    State(State),
    /// Every state whose discs all stand on one of these pairs of pegs (numbers of pairs).
    Pairs(Vec<usize>),
}

/// What is searched, and with what.
#[derive(Debug)]
pub struct Setup {
    /// All discs.
    pub discs: u32,
    /// The small ones; [`shape::SMALL`](super::shape::SMALL), and at most all.
    pub small: u32,
    /// Permutations that map the seeds (and whatever bounds the search) to themselves.
    pub group: PegGroup,
    /// Where the search begins.
    pub seeds: Seeds,
    /// Pairs of pegs (numbers): a state with all discs on one of them is reported.
    pub goals: Vec<usize>,
    /// A state that is reported too, in whichever of its images.
    pub target: Option<State>,
    /// Whether to remember when each configuration of the large discs and the four largest small
    /// ones was first reached.
    pub first_touch: bool,
    /// Whether to keep all layers in memory, so that a path can be traced back.
    pub keep_layers: bool,
    /// Memory and disk.
    pub budget: Budget,
    /// Where the layers lie, if on disk.
    pub directory: Option<PathBuf>,
}

impl Setup {
    /// A search in memory without bounds that remembers nothing.
    pub fn new(discs: u32, small: u32, group: PegGroup, seeds: Seeds) -> Setup {
        Setup {
            discs,
            small,
            group,
            seeds,
            goals: Vec::new(),
            target: None,
            first_touch: false,
            keep_layers: false,
            budget: Budget::unlimited(),
            directory: None,
        }
    }
}

/// The counts of one layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct LayerCount {
    /// States, all images under the group counted.
    pub states: u64,
    /// Orbits of states under the group.
    pub orbits: u64,
    /// States in the bitmaps (orbits, and some of them more than once).
    pub stored: u64,
    /// Blocks that hold a state.
    pub blocks: u64,
    /// Bytes of the layer's streams.
    pub bytes: u64,
    /// Whether a state stands on one of the pairs asked for, or is the target.
    pub goal: bool,
}

impl LayerCount {
    fn add(&mut self, other: &LayerCount) {
        self.states += other.states;
        self.orbits += other.orbits;
        self.stored += other.stored;
        self.blocks += other.blocks;
        self.bytes += other.bytes;
        self.goal |= other.goal;
    }
}

/// Why a search stopped.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// A budget is spent, a file cannot be used, or a stream is damaged.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A stream in memory or with a right checksum is no sequence of records.
    #[error(transparent)]
    Damaged(#[from] codec::Damaged),
    /// There is no memory for a database.
    #[error(transparent)]
    Memory(#[from] search_core::memory::MemoryError),
    /// The work directory cannot be used.
    #[error(transparent)]
    WorkDir(#[from] search_core::frontier::WorkDirError),
    /// The caller said so.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// A breadth-first search that stands at some layer.
#[derive(Debug)]
pub struct Search {
    pub(super) setup: Setup,
    shape: Shape,
    /// Where the target lies.
    target: Option<(State, (usize, usize, u32))>,
    pub(super) blocks: Blocks,
    pub(super) depth: u32,
    pub(super) current: Layer,
    pub(super) previous: Layer,
    /// Layers before the previous one that are kept, or not yet removed.
    pub(super) old: Vec<Layer>,
    boundaries: Vec<Boundaries>,
    /// Bit `i` of number `s`: block `64 s + i` is to be worked on in the next step.
    awake: Vec<AtomicU64>,
    /// For each segment, block and inner configuration the depth of the first touch.
    touched: Vec<Vec<u8>>,
}

/// The depth of a configuration that was never touched.
pub const UNTOUCHED: u8 = u8::MAX;

/// Inner configurations of a block.
const INNERS: usize = 1 << (2 * INNER);

/// The current boundaries of a segment's blocks.
#[derive(Debug, Default)]
struct Boundaries {
    /// For each block: which pairs have a boundary, and where the first begins.
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

/// What one segment gives to the next layer.
#[derive(Debug, Default)]
struct Expanded {
    stream: Vec<u64>,
    boundaries: Boundaries,
    count: LayerCount,
    /// Blocks and pairs across which states go into the unknown.
    unknown: Vec<(u32, usize)>,
}

/// Bitmaps of one block, one set a thread.
struct Scratch {
    current: Vec<Unit>,
    next: Vec<Unit>,
    reached: Vec<Unit>,
}

impl Scratch {
    fn new(units: usize) -> Scratch {
        Scratch { current: vec![EMPTY; units], next: vec![EMPTY; units], reached: vec![EMPTY; units] }
    }
}

/// One segment's turn in a step.
struct Turn<'a> {
    segment: usize,
    depth: u32,
    awake_next: &'a [AtomicU64],
    touched: &'a mut Vec<u8>,
}

impl Search {
    /// A search that stands at its seeds, depth 0, and the counts of that layer.
    ///
    /// # Errors
    /// [`SearchError::Store`] when the seeds do not fit the budget or a file cannot be made.
    ///
    /// # Panics
    /// If the number of small discs is out of range.
    pub fn new(setup: Setup, bound: &dyn Bound) -> Result<(Search, LayerCount), SearchError> {
        let mut search = Search::empty(setup);
        let mut seeds = BTreeMap::new();
        match search.setup.seeds.clone() {
            Seeds::State(state) => search.seed_state(state, &mut seeds),
            Seeds::Pairs(pairs) => pairs.iter().for_each(|&pair| search.seed_pair(pair, &mut seeds)),
        }
        let mut streams: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
        for (id, bits) in &seeds {
            let (segment, place) = (*id as usize / SEGMENT, *id as usize % SEGMENT);
            codec::encode(place, bits, streams.entry(segment).or_default());
        }
        let mut layer = search.new_layer(0)?;
        for (segment, stream) in streams {
            let kept = layer.put(stream, &search.setup.budget)?;
            layer.place(segment, kept);
        }
        search.current = layer;
        let count = search.adopt(bound)?;
        Ok((search, count))
    }

    /// A search without blocks and layers.
    pub(super) fn empty(setup: Setup) -> Search {
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
        let (large, turn) =
            self.blocks.group().canonical(State(state.0 >> (2 * self.setup.small)), self.blocks.large());
        let (unit, word, bit) = self.shape.locate(turn.state(state, self.setup.small).0);
        let bits = self.seed_block(large, seeds);
        bits[unit][word] |= 1 << bit;
    }

    fn seed_pair(&mut self, pair: usize, seeds: &mut BTreeMap<u32, Vec<Unit>>) {
        let (c, d) = PAIRS[pair];
        let (discs, full) = (self.blocks.large(), boundary::full(&self.shape));
        for on_d in 0..1u64 << discs {
            let peg = |disc: u32| if on_d >> disc & 1 == 1 { d } else { c };
            let large = (0..discs).fold(State(0), |state, disc| state.with(disc, peg(disc)));
            let (large, turn) = self.blocks.group().canonical(large, discs);
            let pair = pair_of(turn.peg(c), turn.peg(d));
            let shape = self.shape.clone();
            boundary::insert(&shape, &full, pair, false, self.seed_block(large, seeds));
        }
    }

    fn seed_block<'a>(&mut self, large: State, seeds: &'a mut BTreeMap<u32, Vec<Unit>>) -> &'a mut Vec<Unit> {
        let (id, units) = (self.blocks.find_or_add(large), self.shape.units());
        seeds.entry(id).or_insert_with(|| vec![EMPTY; units])
    }

    /// The depth of the current layer.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// The blocks touched so far.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// What is searched.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The layout of the bitmaps.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Goes one layer deeper; the layer may be empty. When it fails, the search stands where it
    /// stood.
    ///
    /// # Errors
    /// [`SearchError`].
    pub fn step(&mut self, bound: &dyn Bound, cancel: &Cancel) -> Result<LayerCount, SearchError> {
        let mut next = self.new_layer(self.depth + 1)?;
        let awake: Vec<AtomicU64> = self.awake.iter().map(|_| AtomicU64::new(0)).collect();
        let mut touched = std::mem::take(&mut self.touched);
        touched.resize_with(awake.len(), Vec::new);
        let expanded = self.expand_all(&next, bound, cancel, &awake, &mut touched);
        self.touched = touched;
        let expanded = match expanded {
            Ok(expanded) => expanded,
            Err(error) => {
                next.retire(&self.setup.budget, true);
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
            next.place(segment, kept);
            count.add(&part.count);
            self.boundaries.push(part.boundaries);
            self.link(&part.unknown, bound);
        }
        let previous = std::mem::replace(&mut self.current, next);
        self.old.push(std::mem::replace(&mut self.previous, previous));
        if self.setup.directory.is_none() && !self.setup.keep_layers {
            self.forget();
        }
        Ok(count)
    }

    fn expand_all(
        &self,
        next: &Layer,
        bound: &dyn Bound,
        cancel: &Cancel,
        awake_next: &[AtomicU64],
        touched: &mut [Vec<u8>],
    ) -> Result<Vec<Option<(Kept, Expanded)>>, SearchError> {
        let units = self.shape.units();
        let (depth, budget) = (self.depth + 1, &self.setup.budget);
        let segments = touched.par_iter_mut().enumerate().with_max_len(4);
        let results = segments.map_init(
            || Scratch::new(units),
            |scratch, (segment, touched)| {
                if self.awake[segment].load(Ordering::Relaxed) == 0 {
                    return Ok(None);
                }
                cancel.check()?;
                let turn = Turn { segment, depth, awake_next, touched };
                let mut part = self.expand_segment(turn, bound, scratch)?;
                part.count.bytes = part.stream.len() as u64 * 8;
                let kept = next.put(std::mem::take(&mut part.stream), budget)?;
                Ok(Some((kept, part)))
            },
        );
        results.collect()
    }

    fn expand_segment(
        &self,
        turn: Turn<'_>,
        bound: &dyn Bound,
        scratch: &mut Scratch,
    ) -> Result<Expanded, SearchError> {
        let (current, previous) = (self.current.get(turn.segment)?, self.previous.get(turn.segment)?);
        let (mut current, mut previous) = (Reader::new(&current), Reader::new(&previous));
        let mut out = Expanded::default();
        let mut awake = self.awake[turn.segment].load(Ordering::Relaxed);
        while awake != 0 {
            let place = awake.trailing_zeros() as usize;
            awake &= awake - 1;
            let id = (turn.segment * SEGMENT + place) as u32;
            let large = self.blocks.code(id);
            if !bound.admits(large, turn.depth) {
                continue;
            }
            current.read(place, &mut scratch.current)?;
            previous.read(place, &mut scratch.next)?;
            self.gather(id, &mut scratch.reached);
            let Scratch { current, next, reached } = scratch;
            let mut stored = kernel::expand(&self.shape, current, next, reached);
            if stored > 0 && bound.prune(large, turn.depth, next) {
                stored = next.as_flattened().iter().map(|word| u64::from(word.count_ones())).sum();
            }
            if stored > 0 {
                codec::encode(place, next, &mut out.stream);
                self.record(id, next, stored, turn.awake_next, &mut out);
                if self.setup.first_touch {
                    note_first_touch(turn.touched, place, turn.depth, next);
                }
            }
        }
        Ok(out)
    }

    /// Takes over the states that large discs bring into block `id`.
    fn gather(&self, id: u32, reached: &mut [Unit]) {
        let length = self.shape.corner(0).len();
        for pair in 0..6 {
            let Link::To(from, turn) = self.blocks.link(id, pair) else { continue };
            let (c, d) = (turn.peg(PAIRS[5 - pair].0), turn.peg(PAIRS[5 - pair].1));
            let there = self.boundaries.get(from as usize / SEGMENT);
            let sent = there.and_then(|there| there.get(from as usize % SEGMENT, pair_of(c, d), length));
            if let Some(sent) = sent {
                boundary::insert(&self.shape, sent, 5 - pair, c > d, reached);
            }
        }
    }

    /// Counts a block's new states, takes out its boundaries, wakes the blocks that it touches.
    fn record(&self, id: u32, bits: &[Unit], stored: u64, awake: &[AtomicU64], out: &mut Expanded) {
        let place = id as usize % SEGMENT;
        wake(awake, id);
        let start = out.boundaries.data.len() as u32;
        let mut pairs = 0;
        for pair in 0..6 {
            if !boundary::extract(&self.shape, bits, pair, &mut out.boundaries.data) {
                continue;
            }
            pairs |= 1 << pair;
            match self.blocks.link(id, 5 - pair) {
                Link::To(to, _) => wake(awake, to),
                Link::Unknown => out.unknown.push((id, 5 - pair)),
                Link::Closed => {}
            }
        }
        out.boundaries.blocks.resize(place + 1, (0, 0));
        out.boundaries.blocks[place] = (pairs, start);
        let goal = self.setup.goals.iter().any(|&pair| pairs >> pair & 1 == 1 && self.stands_on(id, pair));
        let goal = goal || self.is_target(id, bits);
        let count = LayerCount { stored, blocks: 1, goal, ..self.count(id, bits, stored) };
        out.count.add(&count);
    }

    /// Whether the target is one of the states of block `id`.
    fn is_target(&self, id: u32, bits: &[Unit]) -> bool {
        let Some((large, (unit, word, bit))) = self.target else { return false };
        large == self.blocks.code(id) && bits[unit][word] >> bit & 1 == 1
    }

    /// The block of a state's canonical form, and where in it the state lies.
    fn locate(&self, state: State) -> (State, (usize, usize, u32)) {
        let small = self.setup.small;
        let (large, turn) = self.blocks.group().canonical(State(state.0 >> (2 * small)), self.blocks.large());
        (large, self.shape.locate(turn.state(state, small).0))
    }

    /// Whether all large discs of block `id` stand on the pegs of `pair`.
    fn stands_on(&self, id: u32, pair: usize) -> bool {
        let (c, d) = PAIRS[pair];
        let large = self.blocks.code(id);
        (0..self.blocks.large()).all(|disc| large.peg(disc) == c || large.peg(disc) == d)
    }

    /// Whole states and orbits among the `stored` states of block `id`. Where the large discs leave
    /// pegs interchangeable, the orbits are counted by Burnside's lemma: a permutation leaves a
    /// state as it is when all discs stand on pegs that it leaves as they are.
    fn count(&self, id: u32, bits: &[Unit], stored: u64) -> LayerCount {
        let order = self.blocks.group().perms().len() as u64;
        let fixed = |set: u8| match set.count_ones() {
            4 => stored,
            0 => 0,
            _ => self.count_on(set, bits),
        };
        let stabiliser = self.blocks.group().stabiliser(self.blocks.code(id), self.blocks.large());
        let (members, sum) = stabiliser.fold((0, 0), |(n, sum), perm| (n + 1, sum + fixed(perm.fixed())));
        LayerCount { states: stored * (order / members), orbits: sum / members, ..LayerCount::default() }
    }

    /// How many states have all small discs on the one or two pegs of `set`.
    fn count_on(&self, set: u8, bits: &[Unit]) -> u64 {
        let pegs: Vec<u32> = (0..4).filter(|&peg| set >> peg & 1 == 1).collect();
        match pegs[..] {
            [peg] => {
                let (unit, word, bit) = self.shape.locate(State::all_on(peg, self.setup.small).0);
                bits[unit][word] >> bit & 1
            }
            [c, d] => {
                let mut states = Vec::new();
                boundary::extract(&self.shape, bits, pair_of(c, d), &mut states);
                states.iter().map(|word| u64::from(word.count_ones())).sum()
            }
            _ => unreachable!("a permutation of four pegs that leaves three leaves all"),
        }
    }

    /// Resolves unknown links across which states go, and wakes what lies behind.
    fn link(&mut self, unknown: &[(u32, usize)], bound: &dyn Bound) {
        let depth = self.depth + 1;
        for &(id, pair) in unknown {
            if let Some(to) = self.blocks.resolve(id, pair, |code| bound.admits(code, depth)) {
                self.awake.resize_with(self.blocks.len().div_ceil(SEGMENT), AtomicU64::default);
                wake(&self.awake, to);
            }
        }
    }

    /// Rebuilds all that follows from the current layer: counts, boundaries, who is awake.
    pub(super) fn adopt(&mut self, bound: &dyn Bound) -> Result<LayerCount, SearchError> {
        let mut bits = vec![EMPTY; self.shape.units()];
        let mut count = LayerCount::default();
        let segments = self.blocks.len().div_ceil(SEGMENT);
        self.awake = (0..segments).map(|_| AtomicU64::new(0)).collect();
        self.boundaries = Vec::new();
        for segment in 0..segments {
            let mut part = Expanded::default();
            let stream = self.current.get(segment)?.into_owned();
            let mut reader = Reader::new(&stream);
            while let Some(place) = reader.place() {
                let id = (segment * SEGMENT + place) as u32;
                if place >= SEGMENT || id as usize >= self.blocks.len() {
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
            part.count.bytes = stream.len() as u64 * 8;
            count.add(&part.count);
            self.boundaries.push(part.boundaries);
            self.link(&part.unknown, bound);
        }
        Ok(count)
    }

    /// Gives back the room of the layers before the previous one.
    pub fn forget(&mut self) {
        self.old.drain(..).for_each(|layer| layer.retire(&self.setup.budget, true));
    }

    /// Whether `state` is in the layer at `depth`, which is the current, the previous, or a kept one.
    ///
    /// # Errors
    /// [`SearchError`] when the layer cannot be read.
    pub fn holds(&self, state: State, depth: u32) -> Result<bool, SearchError> {
        let (large, (unit, word, bit)) = self.locate(state);
        let Some(id) = self.blocks.find(large) else { return Ok(false) };
        let layer = match self.depth.checked_sub(depth) {
            None => return Ok(false),
            Some(0) => &self.current,
            Some(1) => &self.previous,
            // The first layer kept is the empty one before the seeds.
            Some(_) => &self.old[depth as usize + 1],
        };
        let mut bits = vec![EMPTY; self.shape.units()];
        Reader::new(&layer.get(id as usize / SEGMENT)?).read(id as usize % SEGMENT, &mut bits)?;
        Ok(bits[unit][word] >> bit & 1 == 1)
    }

    /// A state that is in the current layers of both searches, if there is one. Both are of the
    /// same discs under the same group.
    ///
    /// # Errors
    /// [`SearchError`] when a layer cannot be read.
    pub fn meets(&self, other: &Search) -> Result<Option<State>, SearchError> {
        let (mut here, mut there) = (vec![EMPTY; self.shape.units()], vec![EMPTY; self.shape.units()]);
        for segment in 0..self.current.segments() {
            let stream = self.current.get(segment)?;
            let mut reader = Reader::new(&stream);
            while let Some(place) = reader.place() {
                reader.read(place, &mut here)?;
                let code = self.blocks.code((segment * SEGMENT + place) as u32);
                let Some(id) = other.blocks.find(code) else { continue };
                let stream = other.current.get(id as usize / SEGMENT)?;
                Reader::new(&stream).read(id as usize % SEGMENT, &mut there)?;
                let both = here.iter_mut().zip(&there);
                both.for_each(|(here, there)| (0..4).for_each(|word| here[word] &= there[word]));
                let mut least = None;
                self.shape.for_each(&here, |small| least = Some(least.map_or(small, |l: u64| l.min(small))));
                if let Some(small) = least {
                    return Ok(Some(State(code.0 << (2 * self.setup.small) | small)));
                }
            }
        }
        Ok(None)
    }

    /// A new layer where the setup wants it.
    fn new_layer(&self, depth: u32) -> Result<Layer, StoreError> {
        match &self.setup.directory {
            Some(directory) => Layer::create(&directory.join(layer_name(depth))),
            None => Ok(Layer::in_memory()),
        }
    }

    /// When each inner configuration of block `id` was first touched: entry `p` for the discs
    /// `small − 4 ..` on the pegs that are the base-four digits of `p`.
    ///
    /// # Panics
    /// If the setup did not ask for it.
    pub fn first_touch(&self, id: u32) -> &[u8] {
        assert!(self.setup.first_touch, "the setup asks for first touches");
        const NEVER: [u8; INNERS] = [UNTOUCHED; INNERS];
        let segment = self.touched.get(id as usize / SEGMENT).map_or(&[][..], |touched| touched);
        segment.get(id as usize % SEGMENT * INNERS..).and_then(|rest| rest.get(..INNERS)).unwrap_or(&NEVER)
    }
}

/// The name of the file of the layer at `depth`.
pub(super) fn layer_name(depth: u32) -> String {
    format!("layer-{depth:05}")
}

fn wake(awake: &[AtomicU64], id: u32) {
    awake[id as usize / SEGMENT].fetch_or(1 << (id as usize % SEGMENT), Ordering::Relaxed);
}

/// Notes `depth` for every inner configuration of block `place` that is touched for the first time.
fn note_first_touch(touched: &mut Vec<u8>, place: usize, depth: u32, bits: &[Unit]) {
    touched.resize(touched.len().max(SEGMENT * INNERS), UNTOUCHED);
    let mut any = EMPTY;
    bits.iter().for_each(|unit| kernel::add(&mut any, unit));
    let depth = u8::try_from(depth).ok().filter(|&depth| depth < UNTOUCHED).expect("depths below 255");
    for (word, &states) in any.iter().enumerate() {
        let mut rest = states;
        while rest != 0 {
            let at = place * INNERS + word * 64 + rest.trailing_zeros() as usize;
            touched[at] = touched[at].min(depth);
            rest &= rest - 1;
        }
    }
}
