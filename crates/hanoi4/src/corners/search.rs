//! The search over blocks by the times of their corners.
//!
//! Time increases in steps of one. The time of a corner is in the unit of the [`Geometry`] and relative to
//! the time at which its block is first reached: on the complete graph a byte holds it, because no two states of a block of
//! 12 discs are more than 81 moves apart. At each time, every block with corners of exactly that time offers them to the
//! adjacent blocks, at the next time (an **offer**). Offers that are earlier than their block's own time are collected and
//! sorted by block, and then every block accepts its offers.
//! Threads read all times while they collect, and write only the times of their own blocks while they
//! accept, so they need no coordination and the answer does not depend on their number.
//!
//! Blocks are canonical under the group of peg permutations, as in [`bitmap`](crate::bitmap). Where
//! the large discs leave pegs interchangeable, an offer is made to all its images, so that times
//! stay symmetric.
//!
//! A search may have the times of only a range of the blocks: [`owner`](super::owner) combines several such searches.

use super::geometry::Geometry;
pub(crate) use super::known::{DONE, Offer, offer, target};
use super::known::{Due, Known, Lists, earliest};
use super::rows::Rows;
use super::time::Time;
use crate::bitmap::blocks::{Blocks, Link};
use crate::bitmap::layer::{SEGMENT, block_at};
use crate::bitmap::shape::PAIRS;
use crate::error::SearchError;
use crate::goals::Goals;
use crate::layer_loop::each_layer;
use crate::model::{State, low_bits, to_u32, to_u64};
use crate::pegs::{PegGroup, PegPerm};
use rayon::prelude::*;
use search_core::Run;
use search_core::memory::Memory;
use search_core::simd::{Vectorizable, run_vectorized};
use std::ops::ControlFlow::{Break, Continue};
use std::ops::Range;
use std::sync::Arc;

/// The configurations or blocks between two cancellation checks.
const PART: usize = 1 << 14;

/// The times of the corners of blocks.
#[derive(Debug)]
pub(crate) struct CornerSearch<T> {
    known: Known<T>,
    /// For each line of each own block, the earliest time that has not been processed.
    pending: Memory,
    /// For each own block, the earliest time that has not been processed.
    next: Vec<u32>,
    /// The time whose corners are processed next.
    now: u32,
}

impl<T: Time> CornerSearch<T> {
    /// A search over all blocks under `group`, none of them reached; `small` of `discs` discs are small.
    pub(crate) fn new(
        geometry: Geometry,
        sizes: (u32, u32),
        group: PegGroup,
        run: &Run<'_>,
    ) -> Result<CornerSearch<T>, SearchError> {
        CornerSearch::over(geometry, sizes, group, |blocks| (0..to_u32(blocks.len()), blocks), run)
    }

    /// As [`new`](CornerSearch::new), with the times of some of the blocks: `own` orders the blocks, and chooses a range.
    pub(crate) fn over(
        geometry: Geometry,
        (discs, small): (u32, u32),
        group: PegGroup,
        own: impl FnOnce(Vec<State>) -> (Range<u32>, Vec<State>),
        run: &Run<'_>,
    ) -> Result<CornerSearch<T>, SearchError> {
        let rows = Arc::new(Rows::<T>::new(geometry, small, run)?);
        CornerSearch::with_rows(rows, discs - small, group, own, run)
    }

    /// The same with a table of distances, which several searches can share; `large` discs are large.
    pub(crate) fn with_rows(
        rows: Arc<Rows<T>>,
        large: u32,
        group: PegGroup,
        own: impl FnOnce(Vec<State>) -> (Range<u32>, Vec<State>),
        run: &Run<'_>,
    ) -> Result<CornerSearch<T>, SearchError> {
        let all = 1usize << (2 * large);
        let canonical = (0..all.div_ceil(PART)).into_par_iter().map(|part| {
            run.check()?;
            let codes = to_u64(part * PART)..to_u64(all.min((part + 1) * PART));
            let part = codes.map(State::from_code);
            Ok(part.filter(|&state| group.canonical(state, large).0 == state).collect())
        });
        let canonical = canonical.collect::<Result<Vec<Vec<State>>, SearchError>>()?.concat();
        let (own, canonical) = own(canonical);
        let blocks = linked(rows.geometry(), &canonical, large, group, run)?;
        let stabilisers = canonical.iter().map(|&state| {
            let all: Vec<_> = blocks.group().stabiliser(state, large).collect();
            if all.len() > 1 { all.into() } else { Box::default() }
        });
        let stabilisers = stabilisers.collect();
        let times = Memory::zeroed(own.len() * rows.stride() * size_of::<T>())?;
        let pending = Memory::zeroed(own.len() * rows.bounds() * size_of::<T>())?;
        let (first, next) = (vec![DONE; own.len()], vec![DONE; own.len()]);
        let mut search = CornerSearch {
            known: Known { rows, blocks, stabilisers, own, first, times },
            pending,
            next,
            now: 0,
        };
        search.clear(run)?;
        Ok(search)
    }

    /// Makes all blocks not reached.
    pub(crate) fn clear(&mut self, run: &Run<'_>) -> Result<(), SearchError> {
        for memory in [&mut self.known.times, &mut self.pending] {
            memory.par_chunks_mut(1 << 20).try_for_each(|part| {
                part.fill(u8::MAX);
                run.check()
            })?;
        }
        self.known.first.fill(DONE);
        self.next.fill(DONE);
        self.now = 0;
        Ok(())
    }

    /// Sets the times of the corners of a block whose large discs the group maps to themselves.
    pub(crate) fn start(&mut self, large: State, time: impl Fn(usize) -> u32) {
        let known = &mut self.known;
        let id = known.blocks.find(large).expect("a configuration that the group fixes is canonical");
        let (corners, unit, place) = (known.rows.corners(), known.unit(), known.index(id));
        let first = (0..corners).map(&time).min().expect("a block has corners");
        let (stride, bounds) = (known.rows.stride(), known.rows.bounds());
        let times = &mut bytemuck::cast_slice_mut::<u8, T>(&mut known.times)[place * stride..][..stride];
        for (column, at) in times[..corners].iter_mut().enumerate() {
            *at = T::of((time(column) - first) / unit).expect("few small discs");
        }
        known.rows.bound(times);
        let pending = &mut bytemuck::cast_slice_mut(&mut self.pending)[place * bounds..][..bounds];
        known.rows.later(times, None, pending);
        (known.first[place], self.next[place]) = (first, first);
    }

    /// Starts from the goals.
    pub(crate) fn seed(&mut self, goals: Goals) -> Result<(), SearchError> {
        let mut seeds = self.known.seeds(goals);
        seeds.retain(|&at| self.known.own.contains(&target(at).0));
        self.accept(&seeds)
    }

    /// Searches until all times are known, about `expected`, and reports them under the name `what`.
    pub(crate) fn complete(&mut self, what: &str, expected: u32, run: &Run<'_>) -> Result<(), SearchError> {
        self.complete_with(what, expected, run, |_, step| step)
    }

    /// Like [`complete`](CornerSearch::complete); `saved` is called after each step with the search and the step's
    /// result, and may save the times.
    pub(crate) fn complete_with(
        &mut self,
        what: &str,
        expected: u32,
        run: &Run<'_>,
        mut saved: impl FnMut(&mut Self, Result<(), SearchError>) -> Result<(), SearchError>,
    ) -> Result<(), SearchError> {
        each_layer(what, expected, run, || {
            if self.is_done() {
                return Ok(Break(()));
            }
            let step = self.step(run);
            saved(self, step)?;
            Ok(Continue(self.now))
        })
    }

    /// Processes the corners of the current time. After an error, the times are as before, and the corners can be
    /// processed again.
    pub(crate) fn step(&mut self, run: &Run<'_>) -> Result<(), SearchError> {
        let offers = self.collect(run)?;
        self.advance(&offers)
    }

    /// Continues with the next time, at which these offers to own blocks, which are sorted, are accepted.
    pub(crate) fn advance(&mut self, offers: &[Offer]) -> Result<(), SearchError> {
        self.now += 1;
        self.accept(offers)
    }

    /// Continues with a later time; no corner of an earlier time may remain to be processed.
    pub(crate) fn skip_to(&mut self, now: u32) {
        self.now = now;
    }

    /// The time whose corners are processed next: all earlier ones are.
    pub(crate) fn now(&self) -> u32 {
        self.now
    }

    /// The time of a column of the block whose large discs are `large`, before canonicalisation, where the column is
    /// that of a corner; [`DONE`] when it is not known yet.
    pub(crate) fn time(&self, large: State, corner: usize) -> u32 {
        let known = &self.known;
        let (code, perm) = known.blocks.group().canonical(large, known.blocks.large());
        let id = known.blocks.find(code).expect("every canonical configuration has a block");
        let (geometry, small) = (known.rows.geometry(), known.rows.discs());
        let ((c, d), set) = (geometry.pairs()[corner >> small], corner & ((1 << small) - 1));
        known.time_at(id, geometry.column(small, perm.peg(c), perm.peg(d), set))
    }

    /// The times of all states on the two pegs of `pair`, by the set of discs on the second; [`DONE`] where not known.
    pub(crate) fn times_on(&self, pair: (u32, u32)) -> Vec<u32> {
        let (rows, large) = (self.rows(), self.blocks().large());
        let small = rows.discs();
        let time = |set: u64| {
            let column = rows.geometry().column(small, pair.0, pair.1, (set & low_bits(small)) as usize);
            self.time(State::on_pair(pair, set >> small, large), column)
        };
        (0..1 << (large + small)).map(time).collect()
    }

    /// The time of a column of block `id`, or [`DONE`].
    pub(crate) fn time_at(&self, id: u32, column: usize) -> u32 {
        self.known.time_at(id, column)
    }

    /// The earliest time that has not been processed; [`DONE`] if all have.
    pub(crate) fn earliest(&self) -> u32 {
        self.next.iter().copied().min().unwrap_or(DONE)
    }

    /// Whether the times of all own corners have been processed.
    pub(crate) fn is_done(&self) -> bool {
        self.next.iter().all(|&next| next == DONE)
    }

    /// All blocks.
    pub(crate) fn blocks(&self) -> &Blocks {
        &self.known.blocks
    }

    /// The range of blocks whose times this search has.
    pub(crate) fn own(&self) -> Range<u32> {
        self.known.own.clone()
    }

    /// The number of corners of the own blocks.
    pub(crate) fn corners(&self) -> u64 {
        to_u64(self.known.own.len() * self.known.rows.corners())
    }

    /// The bytes of the times.
    pub(crate) fn bytes(&self) -> u64 {
        self.parts().iter().map(|part| to_u64(part.len())).sum()
    }

    /// The times, as bytes: together with [`now`](CornerSearch::now), the complete state of the search.
    pub(crate) fn parts(&self) -> [&[u8]; 2] {
        [bytemuck::cast_slice(&self.known.first), &self.known.times]
    }

    /// The times, to be replaced by saved ones; afterwards the search must [resume](CornerSearch::resume_at).
    pub(crate) fn parts_mut(&mut self) -> [&mut [u8]; 2] {
        [bytemuck::cast_slice_mut(&mut self.known.first), &mut self.known.times]
    }

    /// Continues with the corners of time `now`. Returns whether the times can be those of a search.
    pub(crate) fn resume_at(&mut self, now: u32) -> bool {
        self.now = now;
        let Known { rows, first, times, .. } = &self.known;
        let unit = rows.geometry().unit();
        let times = bytemuck::cast_slice::<u8, T>(times).par_chunks(rows.stride());
        let pending = bytemuck::cast_slice_mut::<u8, T>(&mut self.pending).par_chunks_mut(rows.bounds());
        let blocks = times.zip(pending).zip(first).zip(&mut self.next);
        blocks.all(|(((times, pending), &first), next)| {
            pending.fill(T::NEVER);
            *next = DONE;
            match now.checked_sub(first) {
                // The block is not reached yet.
                _ if first == DONE => return true,
                None => return false,
                Some(0) => rows.later(times, None, pending),
                Some(passed) => {
                    // At the greatest time, all have passed.
                    let Some(passed) = T::of((passed - 1) / unit) else { return true };
                    rows.later(times, Some(passed), pending);
                }
            }
            *next = earliest(pending, first, unit);
            true
        })
    }

    /// The table of distances within a block.
    pub(crate) fn rows(&self) -> &Rows<T> {
        &self.known.rows
    }

    /// The permutations that map block `id` to itself.
    pub(crate) fn stabiliser(&self, id: u32) -> &[PegPerm] {
        self.known.stabiliser(id)
    }

    /// Accepts offers to own blocks, which are sorted, at the current time.
    pub(crate) fn accept(&mut self, offers: &[Offer]) -> Result<(), SearchError> {
        let (now, Known { rows, own, first, times, .. }) = (self.now, &mut self.known);
        let (rows, own) = (&*rows, own.start);
        let (stride, bounds) = (rows.stride(), rows.bounds());
        let times = bytemuck::cast_slice_mut::<u8, T>(times).par_chunks_mut(SEGMENT * stride);
        let pending = bytemuck::cast_slice_mut::<u8, T>(&mut self.pending).par_chunks_mut(SEGMENT * bounds);
        let marks = first.par_chunks_mut(SEGMENT).zip(self.next.par_chunks_mut(SEGMENT));
        let segments = times.zip(pending).zip(marks).enumerate();
        segments.try_for_each(|(segment, ((times, pending), (first, next)))| {
            let from = own + block_at(segment, 0);
            let begin = offers.partition_point(|&at| at < offer(from, 0));
            let end = begin + offers[begin..].partition_point(|&at| at < offer(from + to_u32(next.len()), 0));
            let offers = &offers[begin..end];
            if offers.is_empty() {
                return Ok(());
            }
            run_vectorized(Accept { rows, now, from, offers, times, pending, first, next })
        })
    }

    /// The sorted offers of corners of exactly the current time, for the next: all to the blocks of others, and
    /// those to own blocks that are earlier than their times. Also determines when each block is processed next.
    /// After an error, the corners can be collected again.
    pub(crate) fn collect(&mut self, run: &Run<'_>) -> Result<Vec<Offer>, SearchError> {
        let mut offers = self.due(run)?;
        offers.par_sort_unstable();
        offers.dedup();
        Ok(offers)
    }

    /// The same, in any order and possibly more than once.
    pub(super) fn due(&mut self, run: &Run<'_>) -> Result<Vec<Offer>, SearchError> {
        run.check()?;
        let (now, known) = (self.now, &self.known);
        let bounds = known.rows.bounds();
        let pending = bytemuck::cast_slice_mut::<u8, T>(&mut self.pending).par_chunks_mut(SEGMENT * bounds);
        let segments = pending.zip(self.next.par_chunks_mut(SEGMENT)).enumerate();
        let due = segments.filter(|(_, (_, next))| next.contains(&now));
        let parts = due.map(|(segment, (pending, next))| {
            run.check()?;
            let mut lists = Lists { due: Vec::new(), images: Vec::new(), offers: Vec::new() };
            let blocks = pending.chunks_exact_mut(bounds).zip(next).enumerate();
            for (place, (pending, next)) in blocks.filter(|(_, (_, next))| **next == now) {
                let id = known.own.start + block_at(segment, place);
                *next = run_vectorized(Due { known, id, now, pending, lists: &mut lists });
            }
            Ok(lists.offers)
        });
        let parts: Result<Vec<Vec<Offer>>, SearchError> = parts.collect();
        let Ok(parts) = parts else {
            // Some blocks have been processed, and are processed again.
            self.resume_at(now);
            return parts.map(|_| Vec::new());
        };
        Ok(parts.concat())
    }

    /// The time at which block `id` is first reached, and the times of its corners after that.
    pub(crate) fn corners_of(&self, id: u32) -> (u32, &[T]) {
        let known = &self.known;
        (known.first[known.index(id)], &known.times_of(id)[..known.rows.corners()])
    }

    /// The time at which block `id` is first reached, and the times of its configurations after that.
    pub(crate) fn configurations_of(&self, id: u32) -> (u32, &[T]) {
        let known = &self.known;
        let times = &known.times_of(id)[known.rows.corners()..][..known.rows.more()];
        (known.first[known.index(id)], times)
    }
}

/// Offers to the blocks of a segment, which begin with number `from`; and the state of these blocks.
pub(super) struct Accept<'a, T> {
    pub(super) rows: &'a Rows<T>,
    pub(super) now: u32,
    pub(super) from: u32,
    pub(super) offers: &'a [Offer],
    pub(super) times: &'a mut [T],
    pub(super) pending: &'a mut [T],
    pub(super) first: &'a mut [u32],
    pub(super) next: &'a mut [u32],
}

impl<T: Time> Vectorizable for Accept<'_, T> {
    type Output = Result<(), SearchError>;

    /// Enters the corners that are offered earlier than their times.
    #[inline(always)]
    fn run(self) -> Result<(), SearchError> {
        let Accept { rows, now, from, offers, times, pending, first, next } = self;
        let (unit, stride, bounds) = (rows.geometry().unit(), rows.stride(), rows.bounds());
        for &at in offers {
            let (place, column) = ((at >> 32) as usize - from as usize, at as u32 as usize);
            first[place] = first[place].min(now);
            let time = T::of((now - first[place]) / unit).ok_or(SearchError::Far)?;
            let times = &mut times[place * stride..][..stride];
            if times[column] > time {
                rows.enter(times, &mut pending[place * bounds..][..bounds], column, time);
                next[place] = now;
            }
        }
        Ok(())
    }
}

/// The blocks with these configurations of the large discs, and the links between them along the edges.
fn linked(
    geometry: &Geometry,
    canonical: &[State],
    large: u32,
    group: PegGroup,
    run: &Run<'_>,
) -> Result<Blocks, SearchError> {
    let mut blocks = Blocks::new(large, group);
    canonical.iter().for_each(|&state| _ = blocks.find_or_add(state));
    let links: Vec<usize> = (0..geometry.pairs().len()).map(|pair| geometry.link(pair)).collect();
    for id in blocks.ids() {
        if (id as usize).is_multiple_of(PART) {
            run.check()?;
        }
        for &pair in &links {
            if blocks.link(id, pair) == Link::Unknown {
                blocks.resolve(id, pair, |_| true);
            }
        }
    }
    if !geometry.is_undirected() {
        for id in blocks.ids() {
            let tops = blocks.large_discs(id).tops(large);
            for &pair in &links {
                let (a, b) = PAIRS[pair];
                let (from, to) = if tops[a as usize] < tops[b as usize] { (a, b) } else { (b, a) };
                if !geometry.joins(from, to) {
                    blocks.close(id, pair);
                }
            }
        }
    }
    Ok(blocks)
}
