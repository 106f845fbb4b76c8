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

use super::bound::CornerBound;
use super::geometry::Geometry;
use super::known::{DONE, Offer, earliest, offer, target};
use super::live::{Live, NONE, SEGMENT};
use super::rows::Rows;
use super::search::Accept;
use super::time::{Time, each_marked, equal, later, lines};
use crate::bitmap::blocks::{Blocks, Link};
use crate::bitmap::shape::PAIRS;
use crate::error::SearchError;
use crate::goals::{Goals, MIDDLE_PAIRS};
use crate::layer_loop::each_layer;
use crate::model::{State, to_u32, to_u64};
use crate::pegs::PegPerm;
use rayon::prelude::*;
use search_core::Run;
use search_core::prefetch::prefetch;
use search_core::simd::{Vectorizable, run_vectorized};
use std::collections::HashMap;
use std::ops::ControlFlow::{Break, Continue};
use std::ops::Range;

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
}

/// The bytes that a search with `small` small discs takes at least.
pub fn least_bytes(small: u32) -> u64 {
    let geometry = Geometry::complete(small);
    Rows::<u8>::bytes(&geometry, small) + to_u64(SEGMENT) * geometry.bytes_of_row::<u8>(small)
}

impl Half<'_> {
    /// Searches from all discs on peg 0.
    ///
    /// # Errors
    /// [`SearchError`] when the memory of `run` does not suffice or the search is cancelled.
    ///
    /// # Panics
    /// If there are no large discs, no small discs or more than 16, more than 31 discs, or the bound does not
    /// [suit](CornerBound::suits) them.
    pub fn search(self, run: &Run<'_>) -> Result<Nearest, SearchError> {
        let Half { discs, small, bound, .. } = self;
        assert!((1..=16).contains(&small) && (small + 1..32).contains(&discs), "sizes in range");
        assert!(
            bound.is_none_or(|bound| bound.discs() == discs && bound.suits(small)),
            "a bound of these discs"
        );
        run.install(|| {
            let mut search = Search::new(self, run)?;
            let found = each_layer("half-depth search by corners", self.threshold, run, || {
                if let Some(end) = search.step(run)? {
                    return Ok(Break(end));
                }
                run.progress().note(&format!(
                    "{} of {} blocks live",
                    search.live.count(),
                    search.blocks.count()
                ));
                Ok(Continue(search.now))
            })?;
            search.nearest.depth = found.then_some(search.now);
            search.nearest.blocks = to_u64(search.blocks.count());
            Ok(search.nearest)
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
}

/// A block that the corners of a pair of pegs lead to.
#[derive(Clone, Copy, Debug)]
struct Image {
    block: u32,
    slot: u32,
    /// The large discs of the block.
    large: State,
    /// The first column in that block, and the bits of the set that change.
    base: usize,
    flip: usize,
    /// The threshold less the next time and the part of the large discs, for both sums.
    slack: (u32, u32),
}

impl<'a> Search<'a> {
    fn new(ask: Half<'a>, run: &Run<'_>) -> Result<Search<'a>, SearchError> {
        let rows = Rows::<u8>::new(Geometry::complete(ask.small), ask.small, run)?;
        let live = Live::new(rows.stride(), rows.bounds());
        let state = |column| rows.geometry().state(ask.small, column).code() as u32;
        let states = (0..rows.corners()).map(state).collect();
        let mut search = Search {
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
        };
        let start = search.blocks.find_or_add(State::START);
        search.add_blocks();
        let column = search.rows.geometry().column(ask.small, 0, 1, 0);
        search.accept(vec![offer(start, column)], run)?;
        Ok(search)
    }

    /// Processes the corners of the current time. Returns whether a middle state is among them, once the search ends.
    fn step(&mut self, run: &Run<'_>) -> Result<Option<bool>, SearchError> {
        run.check()?;
        if self.has_middle() {
            return Ok(Some(true));
        }
        if self.now == self.ask.threshold || self.live.next.iter().all(|&next| next == DONE) {
            return Ok(Some(false));
        }
        self.resolve();
        let mut offers = self.collect(run)?;
        offers.par_sort_unstable();
        offers.dedup();
        self.now += 1;
        self.end_blocks();
        self.accept(offers, run)?;
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

    /// The targets of the corners of a pair of block `id`.
    fn images(&self, id: u32, pair: usize, images: &mut Vec<Image>) {
        let (geometry, small, then) = (self.rows.geometry(), self.ask.small, self.now + 1);
        let Link::To(block, perm) = self.blocks.link(id, geometry.link(pair)) else { return };
        if then > self.last[block as usize] {
            return;
        }
        let (large, slot) = (self.blocks.large_discs(block), self.slots[block as usize]);
        let (first, second) = self.ask.bound.map_or((0, 0), |bound| bound.of_large(large, small));
        let left = self.ask.threshold - then;
        let slack = (left - first, left - second);
        let (c, d) = geometry.pairs()[pair];
        for swap in self.stabilisers.get(&block).map_or(&[PegPerm::IDENTITY][..], |all| all) {
            let (base, flip) = geometry.base(small, swap.peg(perm.peg(c)), swap.peg(perm.peg(d)));
            images.push(Image { block, slot, large, base, flip, slack });
        }
    }

    /// The offers of the corners of the current time, for the next.
    fn collect(&mut self, run: &Run<'_>) -> Result<Vec<Offer>, SearchError> {
        let mut pending = std::mem::take(&mut self.live.pending);
        let mut next = std::mem::take(&mut self.live.next);
        let search = &*self;
        let segments = pending.par_iter_mut().zip(next.par_chunks_mut(SEGMENT)).enumerate();
        let due = segments.filter(|(_, (_, next))| next.contains(&search.now));
        let parts = due.map(|(segment, (pending, next))| {
            run.check()?;
            let mut lists = Lists::default();
            let slots = pending.chunks_exact_mut(search.live.bounds).zip(next).enumerate();
            for (place, (pending, next)) in slots.filter(|(_, (_, next))| **next == search.now) {
                let slot = to_u32(SEGMENT * segment + place);
                *next = run_vectorized(Due { search, slot, pending, lists: &mut lists });
            }
            Ok(lists.offers)
        });
        let parts: Result<Vec<Vec<Offer>>, SearchError> = parts.collect();
        (self.live.pending, self.live.next) = (pending, next);
        Ok(parts?.concat())
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

    /// Enters the corners of offers, which are sorted, at the current time.
    fn accept(&mut self, mut offers: Vec<Offer>, run: &Run<'_>) -> Result<(), SearchError> {
        let mut block = None;
        for at in &mut offers {
            let (id, column) = target(*at);
            if block.replace(id) != Some(id) && self.slots[id as usize] == NONE {
                if !self.live.has_free() {
                    self.check_memory(run)?;
                    self.live.grow()?;
                }
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

    /// Checks that another segment fits the memory of `run`.
    fn check_memory(&mut self, run: &Run<'_>) -> Result<(), SearchError> {
        let need = Rows::<u8>::bytes(self.rows.geometry(), self.ask.small)
            + self.live.bytes_with_one_more()
            + 54 * to_u64(self.blocks.count());
        if need > run.memory() {
            return Err(SearchError::Budget { need: need.into(), budget: run.memory() });
        }
        self.nearest.bytes = need;
        Ok(())
    }
}

/// The lists of a thread that collects offers.
#[derive(Default)]
struct Lists {
    images: Vec<Image>,
    /// The image and the column of each corner that may be offered.
    candidates: Vec<(usize, usize)>,
    offers: Vec<Offer>,
}

/// The corners of a block whose time is the current one.
struct Due<'a, 'b> {
    search: &'a Search<'b>,
    slot: u32,
    /// The earliest time of each line of the block that has not been processed.
    pending: &'a mut [u8],
    lists: &'a mut Lists,
}

impl Vectorizable for Due<'_, '_> {
    type Output = u32;

    /// Appends their offers. Returns the next time of the block. Times and entries outside of the caches are
    /// fetched in one pass over the candidates and read in the next.
    #[inline(always)]
    fn run(self) -> u32 {
        let Due { search, slot, pending, lists: Lists { images, candidates, offers } } = self;
        let (live, small) = (&search.live, search.ask.small);
        let (id, first) = (live.ids[slot as usize], live.first[slot as usize]);
        let (corners, set) = (search.rows.corners(), (1 << small) - 1);
        let Some(time) = search.time_in(slot) else { return DONE };
        let own = lines::<u8>(live.times_of(slot));
        images.clear();
        candidates.clear();
        let mut of = [const { None::<Range<usize>> }; 6];
        let mut due = |column: usize, images: &mut Vec<Image>| {
            let pair = column >> small;
            let range = of[pair].get_or_insert_with(|| {
                let begin = images.len();
                search.images(id, pair, images);
                begin..images.len()
            });
            for image in range.clone() {
                let Image { slot, base, flip, .. } = images[image];
                let column = base | ((column & set) ^ flip);
                if slot != NONE {
                    prefetch(live.times_of(slot)[column..].as_ptr());
                }
                candidates.push((image, column));
            }
        };
        for group in 0..pending.len() / u8::LINE {
            let marks = equal::<u8>(&lines::<u8>(pending)[group], time);
            each_marked::<u8>(&marks, |at| {
                let line = u8::LINE * group + at;
                pending[line] = later::<u8>(&own[line], time);
                each_marked::<u8>(&equal::<u8>(&own[line], time), |at| {
                    let column = u8::LINE * line + at;
                    if column < corners {
                        due(column, images);
                    }
                });
            });
        }
        let then = search.now + 1;
        candidates.retain(|&(image, column)| {
            let Image { slot, large, slack, .. } = images[image];
            let is_known = slot != NONE
                && u32::from(live.times_of(slot)[column]) <= then.saturating_sub(live.first[slot as usize]);
            let Some(bound) = search.ask.bound.filter(|_| !is_known) else { return !is_known };
            let state = large.with_smaller(State::from_code(search.states[column].into()), small);
            let is_within = bound.rest_of_first(state) <= slack.0;
            if is_within {
                prefetch(bound.rest_of_second(state));
            }
            is_within
        });
        offers.extend(candidates.iter().filter_map(|&(image, column)| {
            let Image { block, large, slack, .. } = images[image];
            let state = large.with_smaller(State::from_code(search.states[column].into()), small);
            let is_within = |bound: &dyn CornerBound| u32::from(*bound.rest_of_second(state)) <= slack.1;
            search.ask.bound.is_none_or(is_within).then(|| offer(block, column))
        }));
        earliest(pending, first, 1)
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
                    let found = search.search(&Run::new()).unwrap();
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
                    [all, bounded, below].map(|half| half.search(&Run::new()).unwrap());
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
        let error = search.search(&Run::new().with_memory(1 << 20)).unwrap_err();
        assert!(matches!(error, SearchError::Budget { budget: 1048576, .. }), "{error}");
    }
}
