//! The search over all blocks by the times of their corners.
//!
//! Times are relative to the time at which their block is first reached: two bytes hold the distances between any two
//! states of a block. A step processes the corners of one time: each offers the corner behind its edge, at the next
//! time, to the adjacent block. Offers that are earlier than their block's own time are sorted by block, and then every
//! block accepts its own. Threads read all times while they collect offers, and write only the times of their own
//! blocks while they accept them, so the answer does not depend on their number.

use super::rows::{Corners, LINE, NEVER, Rows, marked};
use crate::error::SearchError;
use crate::model::{State, to_u32, to_u64};
use rayon::prelude::*;
use search_core::Run;
use search_core::memory::Memory;
use search_core::prefetch::prefetch;
use search_core::simd::{Kernel, run_vectorized};

/// The time after every other.
const DONE: u32 = u32::MAX;

/// The number of blocks that a thread takes at a time.
const SEGMENT: usize = 64;

/// A state that the search starts from: a column of a block, reached at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Seed {
    pub time: u32,
    pub block: u32,
    pub column: u32,
}

/// A corner of a block that is reached: the block's number in the upper half, the column in the lower.
type Offer = u64;

fn offer(block: u32, column: u32) -> Offer {
    u64::from(block) << 32 | u64::from(column)
}

/// The bytes of a block.
pub(super) fn bytes_of_block(corners: &Corners, small: u32) -> u64 {
    to_u64(2 * (corners.columns(small) + 2 * corners.bounds(small)) + 32)
}

/// The times of the corners of all blocks.
pub(super) struct Search<'a> {
    rows: &'a Rows,
    /// The number of large discs.
    large: u32,
    links: Vec<Links>,
    /// For each block, the time at which it is first reached.
    first: Vec<u32>,
    /// For each block, the earliest time of a corner that has not been processed.
    next: Vec<u32>,
    /// The times of each block, relative to the first.
    times: Memory,
    /// For each block, the greatest time of each line.
    greatest: Memory,
    /// For each block, the earliest time of each line that has not been processed.
    pending: Memory,
}

impl<'a> Search<'a> {
    /// A search over the blocks of `large` large discs.
    ///
    /// # Errors
    /// [`SearchError`] when the memory is not available.
    pub fn new(rows: &'a Rows, large: u32) -> Result<Search<'a>, SearchError> {
        let blocks = 1usize << (2 * large);
        Ok(Search {
            rows,
            large,
            links: (0..blocks).into_par_iter().map(|block| links(rows.corners(), large, block)).collect(),
            first: vec![DONE; blocks],
            next: vec![DONE; blocks],
            times: Memory::zeroed(2 * blocks * rows.columns())?,
            greatest: Memory::zeroed(2 * blocks * rows.bounds())?,
            pending: Memory::zeroed(2 * blocks * rows.bounds())?,
        })
    }

    /// The number of corners of all blocks.
    pub fn corners(&self) -> u64 {
        to_u64(self.rows.corners().count(self.rows.discs())) << (2 * self.large)
    }

    /// All discs on a peg, at time 0.
    pub fn perfect(&self, peg: u32) -> Seed {
        let column = to_u32(self.rows.corners().count(self.rows.discs())) + peg;
        Seed { time: 0, block: to_u32(State::all_on(peg, self.large).index()), column }
    }

    /// With one large disc: the state, at time 0, that is `column` of a block with this disc as the largest of the small
    /// ones.
    pub fn with_largest(&self, column: usize) -> Seed {
        let (discs, corners) = (self.rows.discs(), self.rows.corners());
        match corners.pairs().get(column >> (discs + 1)) {
            None => self.perfect(to_u32(column - corners.count(discs + 1))),
            Some(&(c, d)) => {
                let (pair, set) = (column >> (discs + 1), column & ((2 << discs) - 1));
                let block = if set >> discs == 0 { c } else { d };
                Seed { time: 0, block, column: to_u32(pair << discs | set & ((1 << discs) - 1)) }
            }
        }
    }

    /// The time of a state, whatever that of `at`; `None` if it was not reached.
    pub fn time_of(&self, at: Seed) -> Option<u32> {
        let time = self.times()[at.block as usize * self.rows.columns() + at.column as usize];
        (time != NEVER).then(|| self.first[at.block as usize] + u32::from(time))
    }

    /// The state of all discs on the two pegs of `pair`, those of `set` on the second.
    fn on(&self, (c, d): (u32, u32), set: usize) -> Seed {
        let small = self.rows.discs();
        let pair =
            self.rows.corners().pairs().iter().position(|&pair| pair == (c, d)).expect("a pair of corners");
        let block = State::on_pair((c, d), to_u64(set >> small), self.large);
        let column = pair << small | set & ((1 << small) - 1);
        Seed { time: 0, block: to_u32(block.index()), column: to_u32(column) }
    }

    /// The times of all states on the two pegs of `pair`, by the set of discs on the second; the last time for
    /// those not reached.
    pub fn times_on(&self, pair: (u32, u32)) -> Vec<u32> {
        let sets = 0..1usize << (self.large + self.rows.discs());
        sets.map(|set| self.time_of(self.on(pair, set)).unwrap_or(DONE)).collect()
    }

    /// The states on the two pegs of `pair`, each one move after its time.
    pub fn seeds_on(&self, pair: (u32, u32), times: &[u32]) -> Vec<Seed> {
        let reached = times.iter().enumerate().filter(|&(_, &time)| time != DONE);
        let mut seeds: Vec<Seed> =
            reached.map(|(set, &time)| Seed { time: time + 1, ..self.on(pair, set) }).collect();
        seeds.par_sort_unstable();
        seeds
    }

    /// Searches from the seeds, which are sorted, until all times are known; tells `progress` each time.
    ///
    /// # Errors
    /// [`SearchError`] when it is cancelled, or a block's times do not fit two bytes.
    pub fn run(&mut self, seeds: &[Seed], run: &Run<'_>, progress: impl Fn(u32)) -> Result<(), SearchError> {
        for memory in [&mut self.times, &mut self.greatest, &mut self.pending] {
            memory.par_chunks_mut(1 << 20).for_each(|part| part.fill(u8::MAX));
        }
        self.first.fill(DONE);
        self.next.fill(DONE);
        let (mut seeds, mut offers, mut now) =
            (seeds, Vec::new(), seeds.first().map_or(DONE, |seed| seed.time));
        while now != DONE {
            run.check()?;
            let due = seeds.partition_point(|seed| seed.time == now);
            offers.extend(seeds[..due].iter().map(|seed| offer(seed.block, seed.column)));
            seeds = &seeds[due..];
            offers.par_sort_unstable();
            self.accept(&offers, now)?;
            offers = self.collect(now);
            progress(now);
            let seed = seeds.first().map_or(DONE, |seed| seed.time);
            now = if offers.is_empty() {
                seed.min(self.next.iter().copied().min().expect("a block"))
            } else {
                now + 1
            };
        }
        Ok(())
    }

    fn times(&self) -> &[u16] {
        bytemuck::cast_slice(&self.times)
    }

    /// Accepts offers, which are sorted, at time `now`.
    fn accept(&mut self, offers: &[Offer], now: u32) -> Result<(), SearchError> {
        let (rows, columns, bounds) = (self.rows, self.rows.columns(), self.rows.bounds());
        let cast = bytemuck::cast_slice_mut::<u8, u16>;
        let [times, greatest, pending] =
            [&mut self.times, &mut self.greatest, &mut self.pending].map(|all| cast(all));
        let (first, next) = (&mut self.first[..], &mut self.next[..]);
        if first.len() <= SEGMENT {
            return (Segment { rows, from: 0, times, greatest, pending, first, next }).accept(offers, now);
        }
        let bounds = greatest.par_chunks_mut(SEGMENT * bounds).zip(pending.par_chunks_mut(SEGMENT * bounds));
        let marks = first.par_chunks_mut(SEGMENT).zip(next.par_chunks_mut(SEGMENT));
        let segments = times.par_chunks_mut(SEGMENT * columns).zip(bounds).zip(marks).enumerate();
        segments.try_for_each(|(segment, ((times, (greatest, pending)), (first, next)))| {
            let from = to_u32(segment * SEGMENT);
            Segment { rows, from, times, greatest, pending, first, next }.accept(offers, now)
        })
    }

    /// The offers of the corners of time `now`, for the next. Also determines when each block is processed next.
    fn collect(&mut self, now: u32) -> Vec<Offer> {
        let Search { rows, links, first, times, .. } = self;
        let known = Known { rows, links, first, times: bytemuck::cast_slice(times) };
        let pending = bytemuck::cast_slice_mut::<u8, u16>(&mut self.pending);
        if self.next.len() <= SEGMENT {
            return known.offers(0, now, pending, &mut self.next);
        }
        let segments = pending.par_chunks_mut(SEGMENT * rows.bounds()).zip(self.next.par_chunks_mut(SEGMENT));
        let due = segments.enumerate().filter(|(_, (_, next))| next.contains(&now));
        let parts = due.map(|(segment, (pending, next))| known.offers(segment * SEGMENT, now, pending, next));
        parts.collect::<Vec<_>>().concat()
    }
}

/// Blocks that one thread writes.
struct Segment<'a> {
    rows: &'a Rows,
    /// The first of them.
    from: u32,
    times: &'a mut [u16],
    greatest: &'a mut [u16],
    pending: &'a mut [u16],
    first: &'a mut [u32],
    next: &'a mut [u32],
}

impl Segment<'_> {
    /// Accepts their part of sorted offers at time `now`.
    fn accept(self, offers: &[Offer], now: u32) -> Result<(), SearchError> {
        let Segment { rows, from, times, greatest, pending, first, next } = self;
        let (columns, bounds) = (rows.columns(), rows.bounds());
        let begin = offers.partition_point(|&at| at < offer(from, 0));
        for &at in &offers[begin..] {
            let (place, column) = ((at >> 32) as usize - from as usize, at as u32 as usize);
            let Some(next) = next.get_mut(place) else { break };
            first[place] = first[place].min(now);
            let time = relative(now, first[place]).ok_or(SearchError::Far)?;
            let times = &mut times[place * columns..][..columns];
            if times[column] > time {
                let greatest = &mut greatest[place * bounds..][..bounds];
                let pending = &mut pending[place * bounds..][..bounds];
                rows.enter(times, [greatest, pending], column, time);
                *next = now;
            }
        }
        Ok(())
    }
}

/// What all threads read while they collect offers.
struct Known<'a> {
    rows: &'a Rows,
    links: &'a [Links],
    first: &'a [u32],
    times: &'a [u16],
}

impl Known<'_> {
    /// The offers of the corners of time `now` of the blocks of a segment that begins with block `from`.
    fn offers(&self, from: usize, now: u32, pending: &mut [u16], next: &mut [u32]) -> Vec<Offer> {
        let (mut offers, mut due) = (Vec::new(), Vec::new());
        let blocks = next.iter_mut().zip(pending.chunks_exact_mut(self.rows.bounds())).enumerate();
        for (place, (next, pending)) in blocks.filter(|(_, (next, _))| **next == now) {
            let (due, offers) = (&mut due, &mut offers);
            *next = run_vectorized(Due { known: self, block: from + place, now, pending, due, offers });
        }
        offers
    }
}

/// The corners of a block whose time is `now`.
struct Due<'a> {
    known: &'a Known<'a>,
    block: usize,
    now: u32,
    /// The earliest time of each line that has not been processed.
    pending: &'a mut [u16],
    /// The lines with such corners.
    due: &'a mut Vec<usize>,
    offers: &'a mut Vec<Offer>,
}

impl Kernel for Due<'_> {
    type Output = u32;

    /// Appends their offers. Returns the next time of a corner of the block.
    #[inline(always)]
    fn run(self) -> u32 {
        let Due { known, block, now, pending, due, offers } = self;
        let Known { rows, links, first, times } = known;
        let (small, columns) = (rows.discs(), rows.columns());
        let (links, corners) = (&links[block], rows.corners().count(small));
        let time = (now - first[block]) as u16;
        let link = |column: usize| {
            let to = if column < corners { links[column >> small] } else { NO_LINK };
            (to != NO_LINK).then_some(to as usize)
        };
        due.clear();
        for (group, pending) in pending.as_chunks::<LINE>().0.iter().enumerate() {
            for at in marked(equal(pending, time)) {
                let line = LINE * group + at;
                // With few small discs, a line has several pairs.
                if let Some(to) = link(LINE * line) {
                    prefetch(times[to * columns + LINE * line..].as_ptr().cast());
                }
                due.push(line);
            }
        }
        let own = times[block * columns..][..columns].as_chunks::<LINE>().0;
        for &line in &*due {
            let mut later = NEVER;
            for &at in &own[line] {
                later = later.min(if at > time { at } else { NEVER });
            }
            pending[line] = later;
            for at in marked(equal(&own[line], time)) {
                let column = LINE * line + at;
                let Some(to) = link(column) else { continue };
                let there = times[to * columns + column];
                if there == NEVER || first[to] + u32::from(there) > now + 1 {
                    offers.push(offer(to as u32, column as u32));
                }
            }
        }
        let mut least = [NEVER; LINE];
        for line in pending.as_chunks::<LINE>().0 {
            for at in 0..LINE {
                least[at] = least[at].min(line[at]);
            }
        }
        let mut next = NEVER;
        for at in least {
            next = next.min(at);
        }
        if next == NEVER { DONE } else { first[block] + u32::from(next) }
    }
}

/// All bits where a value is `time`, none elsewhere.
#[inline(always)]
fn equal(values: &[u16; LINE], time: u16) -> [u16; LINE] {
    let mut found = [0; LINE];
    for at in 0..LINE {
        found[at] = if values[at] == time { u16::MAX } else { 0 };
    }
    found
}

/// For each pair, the block that a large disc's move leads to while the small discs are on the pair, or [`NO_LINK`].
type Links = [u32; 6];

const NO_LINK: u32 = u32::MAX;

/// The links of the block of `large` large discs whose number is `block`.
fn links(corners: &Corners, large: u32, block: usize) -> Links {
    let state = State::from_code(to_u64(block));
    let tops = state.tops(large);
    let mut links = [NO_LINK; 6];
    for (link, &pair) in links.iter_mut().zip(corners.pairs()) {
        let (a, b) = super::rest(pair);
        let (from, to) = if tops[a as usize] < tops[b as usize] { (a, b) } else { (b, a) };
        let disc = tops[from as usize];
        if disc < large && corners.joins(from, to) {
            *link = to_u32(state.with(disc, to).index());
        }
    }
    links
}

/// A time relative to the one at which its block is first reached.
#[inline(always)]
fn relative(time: u32, first: u32) -> Option<u16> {
    u16::try_from(time - first).ok().filter(|&time| time != NEVER)
}
