//! The depth of the nearest middle state, by the times of corners under a threshold.
//!
//! The idea: a search by corners ([`super`]) stores times instead of layers of states. A half-depth proof
//! ([`verify`](crate::verify)) needs only states whose depth plus lower bound is within a threshold. So corners beyond
//! it are not entered, and a block has times only while it matters: from the time at which it is first reached until
//! the time plus the block's bound exceeds the threshold. Since bounds are close to the distances, this is a small
//! part of the search, and few blocks are **live** at a time. Nothing else is stored: no layers, and of the blocks
//! that have ended only their configuration and links.
//!
//! Invariant: when time `g` is processed, every corner on a path to a middle state within the threshold whose depth is
//! at most `g` has this depth. Other times are lengths of paths, so never too small.
//!
//! Why no path is lost: let a shortest path to the nearest middle state be within the threshold. Each of its states
//! has a depth and an admissible bound whose sum is at most the threshold. So none of its corners is refused when a
//! large disc's move reaches it, none of its blocks has ended by then, and paths within a block are
//! those of the complete table of rows. A middle state is itself a corner of its block: the small discs
//! are on the two pegs that also have all the large ones.
//!
//! Cost: 6 · 2ᵏ bytes for each live block, 54 for each other block that was reached, and one read of the large database
//! for each corner that is neither known nor refused by the small one.

mod due;
mod live;
mod saved;

use super::bound::CornerBound;
use super::geometry::Geometry;
use super::known::{DONE, Offer, offer, target};
use super::rows::Rows;
pub use super::saved::CheckpointOptions;
use super::saved::SavedTimes;
use super::search::Accept;
use super::time::Time;
use crate::bitmap::blocks::{Blocks, Link};
use crate::bitmap::shape::PAIRS;
use crate::error::SearchError;
use crate::goals::{Goals, MIDDLE_PAIRS};
use crate::layer_loop::each_layer;
use crate::model::{State, to_u32, to_u64};
use crate::pegs::PegPerm;
use live::{Live, NONE, SEGMENT};
use rayon::prelude::*;
use search_core::Run;
use search_core::simd::run_vectorized;
use search_core::storage::WorkKind;
use std::collections::HashMap;
use std::ops::ControlFlow::{Break, Continue};

/// The kind of the work directories of these searches.
pub const KIND: WorkKind = WorkKind { magic: b"hanoi4-nearest-1", is_own: super::saved::is_own };

/// A search for the nearest middle state.
#[derive(Clone, Copy, Debug)]
pub struct Half<'a> {
    /// The number of discs.
    pub discs: u32,
    /// The number of small discs.
    pub small: u32,
    /// The depth to which middle states are searched.
    pub threshold: u32,
    /// The lower bound; `None` for none.
    pub bound: Option<&'a dyn CornerBound>,
}

/// The result of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nearest {
    /// The depth of the nearest middle state, if it is within the threshold.
    pub depth: Option<u32>,
    /// The number of blocks that were reached.
    pub blocks: u64,
    /// The greatest number of live blocks at a time.
    pub live: u64,
    /// The number of corners that moves of large discs entered.
    pub entered: u64,
    /// The bytes of times and blocks.
    pub bytes: u64,
    /// The number of corners entered since the start or the resumption.
    pub searched: u64,
    /// The greatest number of bytes of files at a time.
    pub disk: u64,
}

/// The bytes that a search with `small` small discs takes, with some live blocks at a time and some in all.
pub fn bytes(small: u32, live: u64, blocks: u64) -> u64 {
    let geometry = Geometry::complete(small);
    let block = geometry.bytes_of_row::<u8>(small) + to_u64(geometry.bounds::<u8>(small));
    Rows::<u8>::bytes(&geometry, small) + live.next_multiple_of(to_u64(SEGMENT)) * block + 54 * blocks
}

/// The bytes of a checkpoint of such a search.
pub fn file_bytes(small: u32, live: u64, blocks: u64) -> u64 {
    8 * blocks + live * (8 + Geometry::complete(small).bytes_of_row::<u8>(small))
}

impl Half<'_> {
    /// Searches from all discs on peg 0; with a directory for checkpoints, resumes from the one in it.
    ///
    /// # Errors
    /// [`SearchError`] when the memory of `run` does not suffice, the search is cancelled, or a checkpoint cannot be saved
    /// or loaded; the last checkpoint is then intact.
    ///
    /// # Panics
    /// If there are no large discs, no small discs or more than 16, more than 31 discs, or the bound does not
    /// [suit](CornerBound::suits) them.
    pub fn search(
        self,
        checkpoints: Option<&CheckpointOptions>,
        run: &Run<'_>,
    ) -> Result<Nearest, SearchError> {
        let Half { discs, small, bound, .. } = self;
        assert!((1..=16).contains(&small) && (small + 1..32).contains(&discs), "sizes in range");
        assert!(
            bound.is_none_or(|bound| bound.discs() == discs && bound.suits(small)),
            "a bound of these discs"
        );
        let mut saved = checkpoints.map(|options| SavedTimes::open(KIND, options)).transpose()?;
        run.install(|| {
            let mut search = Search::new(self, run)?;
            let resumed = saved.as_mut().map_or(Ok(None), |saved| saved.load(&mut search, run))?;
            let before = search.nearest.entered;
            if resumed.is_none() {
                search.start(run)?;
            }
            let found = each_layer("half-depth search by corners", self.threshold, run, || {
                let step = search.step(run);
                if let Some(saved) = &mut saved {
                    match &step {
                        Ok(None) => saved.save_if_due(&search, &search.counts())?,
                        Ok(Some(_)) => {}
                        Err(_) => saved.save_if_worth(&search, &search.counts())?,
                    }
                }
                if let Some(end) = step? {
                    return Ok(Break(end));
                }
                run.progress().note(&format!(
                    "{} of {} blocks live",
                    search.live.count(),
                    search.blocks.count()
                ));
                Ok(Continue(search.now))
            })?;
            let nearest = search.nearest;
            Ok(Nearest {
                depth: found.then_some(search.now),
                blocks: to_u64(search.blocks.count()),
                searched: nearest.entered - before,
                disk: saved.as_ref().map_or(0, SavedTimes::bytes),
                ..nearest
            })
        })
    }

    /// The last time at which a path through the block of a configuration can be within the threshold, if there is one.
    fn last_of(&self, large: State) -> Option<u32> {
        let (first, second) = self.bound.map_or((0, 0), |bound| bound.of_large(large, self.small));
        self.threshold.checked_sub(first.max(second))
    }
}

#[derive(Debug)]
struct Search<'a> {
    ask: Half<'a>,
    rows: Rows<u8>,
    /// For each corner, its small discs.
    states: Vec<u32>,
    blocks: Blocks,
    /// For each block, its slot.
    slots: Vec<u32>,
    /// For each block, the last time at which a path through it can be within the threshold.
    last: Vec<u32>,
    /// For each block that a permutation other than the identity maps to itself, all that do.
    stabilisers: HashMap<u32, Vec<PegPerm>>,
    live: Live,
    nearest: Nearest,
    now: u32,
    /// The configurations of the blocks of a checkpoint, while it is loaded.
    codes: Vec<u64>,
}

impl<'a> Search<'a> {
    /// A search that has reached nothing.
    fn new(ask: Half<'a>, run: &Run<'_>) -> Result<Search<'a>, SearchError> {
        let rows = Rows::<u8>::new(Geometry::complete(ask.small), ask.small, run)?;
        let live = Live::new(rows.stride(), rows.bounds());
        let state = |column| rows.geometry().state(ask.small, column).code() as u32;
        let states = (0..rows.corners()).map(state).collect();
        Ok(Search {
            ask,
            rows,
            states,
            blocks: Blocks::new(ask.discs - ask.small, Goals::Middle.group()),
            slots: Vec::new(),
            last: Vec::new(),
            stabilisers: HashMap::new(),
            live,
            nearest: Nearest::default(),
            now: 0,
            codes: Vec::new(),
        })
    }

    /// Reaches the start.
    fn start(&mut self, run: &Run<'_>) -> Result<(), SearchError> {
        let start = self.blocks.find_or_add(State::START);
        self.add_blocks();
        let column = self.rows.geometry().column(self.ask.small, 0, 1, 0);
        let offers = vec![offer(start, column)];
        self.reserve(&offers, run)?;
        self.accept(offers)?;
        self.resolve();
        Ok(())
    }

    /// Processes the corners of the current time. Returns whether a middle state is among them, once the search ends.
    /// After an error, the times and blocks are as before.
    fn step(&mut self, run: &Run<'_>) -> Result<Option<bool>, SearchError> {
        run.check()?;
        if self.has_middle() {
            return Ok(Some(true));
        }
        if self.now == self.ask.threshold || self.live.next.iter().all(|&next| next == DONE) {
            return Ok(Some(false));
        }
        let mut offers = self.collect(run)?;
        offers.par_sort_unstable();
        offers.dedup();
        self.reserve(&offers, run)?;
        self.now += 1;
        self.end_blocks();
        self.accept(offers)?;
        self.resolve();
        Ok(None)
    }

    /// The slots with corners of the current time.
    fn due(&self) -> Vec<u32> {
        let slots = self.live.next.par_iter().enumerate();
        slots.filter(|&(_, &next)| next == self.now).map(|(slot, _)| to_u32(slot)).collect()
    }

    /// The time in a slot's row that is the current one.
    fn time_in(&self, slot: u32) -> Option<u8> {
        u8::of(self.now - self.live.first[slot as usize])
    }

    /// Whether a middle state has the current time.
    fn has_middle(&self) -> bool {
        let (small, large) = (self.ask.small, self.blocks.large());
        let has_middle = |slot: u32| {
            let discs = self.blocks.large_discs(self.live.ids[slot as usize]);
            let Some(time) = self.time_in(slot) else { return false };
            MIDDLE_PAIRS.map(|pair| PAIRS[pair]).iter().any(|&(c, d)| {
                let tops = discs.tops(large);
                let is_empty = |peg: u32| tops[peg as usize] >= large;
                let column = self.rows.geometry().column(small, c, d, 0);
                (0..4).all(|peg| peg == c || peg == d || is_empty(peg))
                    && self.live.times_of(slot)[column..][..1 << small].contains(&time)
            })
        };
        self.due().into_iter().any(has_middle)
    }

    /// Resolves the links that corners of the current time cross. Blocks beyond the threshold are not added.
    fn resolve(&mut self) {
        let search = &*self;
        let (small, geometry) = (search.ask.small, search.rows.geometry());
        let unknown = search.due().into_par_iter().flat_map_iter(|slot| {
            let (id, time) = (search.live.ids[slot as usize], search.time_in(slot));
            let times = search.live.times_of(slot);
            let links = (0..geometry.pairs().len()).map(|pair| (pair, geometry.link(pair)));
            links.filter_map(move |(pair, link)| {
                let is_due = || times[pair << small..][..1 << small].contains(&time?).then_some((id, link));
                if search.blocks.link(id, link) == Link::Unknown { is_due() } else { None }
            })
        });
        let unknown: Vec<(u32, usize)> = unknown.collect();
        let (ask, then) = (self.ask, self.now + 1);
        for (id, link) in unknown {
            // Another block may have resolved it, from the other side.
            if self.blocks.link(id, link) == Link::Unknown {
                self.blocks.resolve(id, link, |large| ask.last_of(large).is_some_and(|last| then <= last));
            }
        }
        self.add_blocks();
    }

    /// Completes the data of blocks that were added.
    fn add_blocks(&mut self) {
        let large = self.blocks.large();
        for id in to_u32(self.slots.len())..to_u32(self.blocks.count()) {
            let discs = self.blocks.large_discs(id);
            self.slots.push(NONE);
            self.last.push(self.ask.last_of(discs).unwrap_or(0));
            let all: Vec<_> = self.blocks.group().stabiliser(discs, large).collect();
            if all.len() > 1 {
                self.stabilisers.insert(id, all);
            }
        }
    }

    /// Frees the slots of blocks through which no path is within the threshold any more.
    fn end_blocks(&mut self) {
        for slot in 0..to_u32(self.live.ids.len()) {
            let id = self.live.ids[slot as usize];
            if id != NONE && self.now > self.last[id as usize] {
                self.slots[id as usize] = NONE;
                self.live.end(slot);
            }
        }
    }

    /// Allocates the slots that offers for the next time need, which are sorted.
    fn reserve(&mut self, offers: &[Offer], run: &Run<'_>) -> Result<(), SearchError> {
        let mut block = None;
        let is_new = |&at: &Offer| {
            let (id, _) = target(at);
            block.replace(id) != Some(id) && self.slots[id as usize] == NONE
        };
        let new = offers.iter().copied().filter(is_new).count();
        let ends = |&id: &u32| id != NONE && self.last[id as usize] <= self.now;
        let ending = self.live.ids.iter().filter(|id| ends(id)).count();
        self.allocate((self.live.count() + new).saturating_sub(ending), self.blocks.count(), run)
    }

    /// Allocates more slots if there are fewer than `slots`, where there are `blocks` blocks.
    fn allocate(&mut self, slots: usize, blocks: usize, run: &Run<'_>) -> Result<(), SearchError> {
        if slots <= self.live.ids.len() {
            return Ok(());
        }
        let need = bytes(self.ask.small, to_u64(slots), to_u64(blocks));
        if need > run.memory() {
            return Err(SearchError::Budget { need: need.into(), budget: run.memory() });
        }
        self.nearest.bytes = self.nearest.bytes.max(need);
        while self.live.ids.len() < slots {
            self.live.grow()?;
        }
        Ok(())
    }

    /// Enters the corners of offers, which are sorted, at the current time. There must be slots for their blocks.
    fn accept(&mut self, mut offers: Vec<Offer>) -> Result<(), SearchError> {
        for at in &mut offers {
            let (id, column) = target(*at);
            if self.slots[id as usize] == NONE {
                self.slots[id as usize] = self.live.take(id);
            }
            *at = offer(self.slots[id as usize], column);
        }
        offers.par_sort_unstable();
        self.nearest.entered += to_u64(offers.len());
        self.nearest.live = self.nearest.live.max(to_u64(self.live.count()));
        let (rows, now) = (&self.rows, self.now);
        let Live { times, pending, first, next, .. } = &mut self.live;
        let marks = first.par_chunks_mut(SEGMENT).zip(next.par_chunks_mut(SEGMENT));
        let segments = times.par_iter_mut().zip(pending).zip(marks).enumerate();
        // Every corner has a time that is at most the greatest distance within a block after the first, so no time is too
        // large for a byte.
        segments.try_for_each(|(segment, ((times, pending), (first, next)))| {
            let from = to_u32(SEGMENT * segment);
            let begin = offers.partition_point(|&at| at < offer(from, 0));
            let end = begin + offers[begin..].partition_point(|&at| at < offer(from + to_u32(SEGMENT), 0));
            let offers = &offers[begin..end];
            let (times, pending): (&mut [u8], &mut [u8]) = (times, pending);
            run_vectorized(Accept { rows, now, from, offers, times, pending, first, next })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdb::Database;
    use crate::presumed::four_peg_length;
    use crate::splittings::SplitBound;

    /// The depth of the nearest middle state, by breadth-first search.
    fn nearest(discs: u32) -> u32 {
        Database::complete(discs, Goals::Middle).values()[0].into()
    }

    #[test]
    fn the_nearest_middle_state_is_that_of_a_complete_search() {
        for discs in 2..=9 {
            let depth = nearest(discs);
            for small in 1..=(discs - 1).min(6) {
                for (threshold, expected) in
                    [(depth - 1, None), (depth, Some(depth)), (depth + 5, Some(depth))]
                {
                    let search = Half { discs, small, threshold, bound: None };
                    let found = search.search(None, &Run::new()).unwrap();
                    assert_eq!(found.depth, expected, "{discs} discs, {small} small, threshold {threshold}");
                }
            }
        }
    }

    #[test]
    fn bounds_leave_out_blocks_but_no_middle_state() {
        for (discs, big, dropped) in [(9, 6, 2), (10, 6, 1), (10, 7, 3), (11, 8, 3), (12, 9, 4), (12, 10, 6)]
        {
            let depth = (four_peg_length(discs + 1) - 1) / 2;
            let database = Database::compressed(big, dropped, Goals::Middle, &Run::new()).unwrap();
            let bound = SplitBound::new(&database, Database::complete(discs - big, Goals::Middle));
            for small in (1..=8).filter(|&small| bound.suits(small)) {
                let all = Half { discs, small, threshold: depth, bound: None };
                let bounded = Half { bound: Some(&bound), ..all };
                let below = Half { threshold: depth - 1, ..bounded };
                let [all, bounded, below] =
                    [all, bounded, below].map(|half| half.search(None, &Run::new()).unwrap());
                let name = format!("{discs} discs, {small} small, database of {big}");
                assert_eq!((bounded.depth, below.depth), (Some(depth), None), "{name}");
                assert_eq!(all.depth, Some(depth), "{name}");
                assert!(bounded.entered < all.entered && bounded.live <= all.live, "{name}");
            }
        }
    }

    #[test]
    fn too_little_memory_is_refused() {
        let search = Half { discs: 14, small: 4, threshold: 64, bound: None };
        let error = search.search(None, &Run::new().with_memory(1 << 20)).unwrap_err();
        assert!(matches!(error, SearchError::Budget { budget: 1048576, .. }), "{error}");
    }
}
