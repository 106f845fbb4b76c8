//! The search over all blocks by the times of their corners, and the database that it yields.
//!
//! Time increases in steps of one. The time of a corner is a byte, in the unit of the [`Edges`] and relative to
//! the time at which its block is first reached: no two states of a block of 12 discs are more than 81 moves
//! apart. At each time, every block with corners of exactly that time offers them to the adjacent blocks, at
//! the next time (an **offer**). Offers that are earlier than their block's own time are collected and sorted
//! by block, and then every block accepts its offers.
//! Threads read all times while they collect, and write only the times of their own blocks while they
//! accept, so they need no coordination and the answer does not depend on their number.
//!
//! Blocks are canonical under the group of peg permutations, as in [`bitmap`](crate::bitmap). Where
//! the large discs leave pegs interchangeable, an offer is made to all its images, so that times
//! stay symmetric.

use super::edges::Edges;
use super::rows::{NEVER, Rows, bytes_of_row, later, positions};
use crate::bitmap::blocks::{Blocks, Link};
use crate::bitmap::layer::{SEGMENT, block_at};
use crate::bitmap::search::SearchError;
use crate::goals::{Goals, MIDDLE_PAIRS};
use crate::model::{State, to_u64};
use crate::pegs::{PegGroup, PegPerm};
use rayon::prelude::*;
use search_core::Run;
use search_core::memory::Memory;
use search_core::prefetch::prefetch;
use search_core::table::Unfinished;
use std::ops::RangeInclusive;

/// The time after every other.
pub(super) const DONE: u16 = u16::MAX;

/// The suitable numbers of small discs for `discs` discs, the fastest first, as measured at 17 to 20 discs; more
/// small discs take less memory.
pub(super) fn sizes(discs: u32) -> RangeInclusive<u32> {
    let best = (discs / 2 + 2).clamp(8, 12).min(discs);
    // Beyond 12, the table of rows is larger than the times of most spaces.
    let most = if discs > 22 { 14 } else { 12 };
    best..=most.min(discs)
}

/// The best number of small discs for [`first_touch`] within `memory` bytes.
///
/// # Errors
/// The least memory that suffices, in bytes.
pub fn fitting(discs: u32, dropped: u32, memory: u64) -> Result<u32, u64> {
    let entries = 1 << (2 * (discs - dropped));
    let sizes = sizes(discs).filter(|&small| small >= dropped);
    let need = |small| memory_needed(Edges::All, discs, dropped, small, 6) + entries;
    first_fitting(sizes.map(|small| (small, need(small))), memory)
}

/// The first number of small discs whose need, in bytes, is within `memory`.
///
/// # Errors
/// The least need.
pub(super) fn first_fitting(
    needs: impl Iterator<Item = (u32, u64)> + Clone,
    memory: u64,
) -> Result<u32, u64> {
    let fits = needs.clone().find(|&(_, need)| need <= memory);
    fits.map(|(small, _)| small).ok_or_else(|| needs.map(|(_, need)| need).min().unwrap_or(u64::MAX))
}

/// An upper bound on the bytes of a [`CornerSearch`] under a group of `fold` permutations.
pub(super) fn memory_needed(edges: Edges, discs: u32, dropped: u32, small: u32, fold: u64) -> u64 {
    let stride = to_u64(bytes_of_row(edges, small, dropped));
    let blocks = (1u64 << (2 * (discs - small))) / fold + 2048;
    // The table's rows; the times, links and offers of each block.
    to_u64(edges.corners(small)) * stride + blocks * (stride + 104 + stride / 8)
}

/// Computes the minimum distance to the goals for each configuration of the largest
/// `discs − dropped` of `discs` discs, with `small` small discs. Distances above 254 are given as 255. Saves its
/// state in `unfinished`, and resumes from there.
///
/// # Errors
/// [`SearchError`] when the search is cancelled or the memory is not available.
///
/// # Panics
/// If `dropped <= small <= discs` does not hold, or there are more than 16 large or small discs.
pub fn first_touch(
    discs: u32,
    dropped: u32,
    small: u32,
    goals: Goals,
    unfinished: &Unfinished,
    run: &Run<'_>,
) -> Result<Memory, SearchError> {
    assert!(dropped <= small && small <= discs && discs - small <= 16 && small <= 16, "sizes in range");
    run.install(|| {
        let new = || CornerSearch::new(Edges::All, (discs, dropped, small), goals.group(), run);
        let mut search = new()?;
        run.progress().begin(&format!("database of {discs} discs"), u64::from(goals.farthest(discs)));
        let last = u32::from(DONE) - 1;
        let state = format!("corners of {small} small discs");
        let now = unfinished.take_up_parts(&state, &mut search.parts_mut(), last, run)?;
        if !now.is_some_and(|now| search.resume_at(now as u16)) {
            drop(search);
            search = new()?;
            search.seed(goals);
        }
        search.complete_resumably(&state, unfinished, run)?;
        run.progress().end();
        search.into_values()
    })
}

/// The times of the corners of all blocks.
#[derive(Debug)]
pub(super) struct CornerSearch {
    rows: Rows,
    blocks: Blocks,
    /// For each block, the permutations that map its large discs to themselves; empty if only the identity
    /// does.
    stabilisers: Vec<Box<[PegPerm]>>,
    /// For each block, the time at which it is first reached.
    first: Vec<u16>,
    /// One row per block: the times of its corners, then those of its configurations, relative to the first.
    times: Memory,
    /// For each block, the earliest time of a corner that has not been processed.
    next: Vec<u16>,
    /// The time whose corners are processed next.
    now: u16,
}

/// The offers that a thread finds in one block, before they are compared with the other blocks' times.
#[derive(Default)]
struct Candidates {
    sets: Vec<u16>,
    offers: Vec<Offer>,
}

/// A corner of a block that is reached: the block's number in the upper half, the column in the lower.
pub(super) type Offer = u64;

fn offer(block: u32, column: usize) -> Offer {
    u64::from(block) << 32 | to_u64(column)
}

impl CornerSearch {
    /// A search over all blocks under `group`, none of them reached; `small` of `discs` discs are small.
    pub(super) fn new(
        edges: Edges,
        (discs, dropped, small): (u32, u32, u32),
        group: PegGroup,
        run: &Run<'_>,
    ) -> Result<CornerSearch, SearchError> {
        let rows = Rows::new(edges, small, dropped, run)?;
        let large = discs - small;
        let canonical: Vec<State> = (0..1u64 << (2 * large))
            .into_par_iter()
            .map(State::from_code)
            .filter(|&state| group.canonical(state, large).0 == state)
            .collect();
        let mut blocks = Blocks::new(large, group);
        canonical.iter().for_each(|&state| _ = blocks.find_or_add(state));
        for id in blocks.ids() {
            let links = (0..edges.pairs().len()).map(|pair| edges.link(pair));
            for pair in links.filter(|&pair| blocks.link(id, pair) == Link::Unknown).collect::<Vec<_>>() {
                blocks.resolve(id, pair, |_| true);
            }
        }
        let stabilisers = canonical.iter().map(|&state| {
            let all: Vec<_> = blocks.group().stabiliser(state, large).collect();
            if all.len() > 1 { all.into() } else { Box::default() }
        });
        let stabilisers = stabilisers.collect();
        let mut times = Memory::zeroed(blocks.count() * rows.stride())?;
        times.par_chunks_mut(1 << 20).for_each(|chunk| chunk.fill(NEVER));
        let (first, next) = (vec![DONE; blocks.count()], vec![DONE; blocks.count()]);
        Ok(CornerSearch { rows, blocks, stabilisers, first, times, next, now: 0 })
    }

    /// Sets the times of the corners of a block whose large discs the group maps to themselves.
    pub(super) fn start(&mut self, large: State, time: impl Fn(usize) -> u16) {
        let id = self.blocks.find(large).expect("a configuration that the group fixes is canonical");
        let (corners, unit, place) = (self.rows.corners(), self.unit(), self.place(id, 0));
        let first = (0..corners).map(&time).min().expect("a block has corners");
        let byte = |column| u8::try_from((time(column) - first) / unit).expect("few small discs");
        let times = &mut self.times[place..place + self.rows.stride()];
        times[..corners].iter_mut().enumerate().for_each(|(column, at)| *at = byte(column));
        self.rows.bound(times);
        (self.first[id as usize], self.next[id as usize]) = (first, first);
    }

    /// The moves that make a unit of time.
    #[inline(always)]
    fn unit(&self) -> u16 {
        self.rows.edges().unit()
    }

    /// Starts from the goals.
    pub(super) fn seed(&mut self, goals: Goals) {
        let seeds = self.seeds(goals);
        self.accept(&seeds);
    }

    /// Searches until all times are known.
    pub(super) fn complete(&mut self, run: &Run<'_>) -> Result<(), SearchError> {
        self.complete_resumably("", &Unfinished::NOWHERE, run)
    }

    /// Searches until all times are known. Saves the times in `unfinished` under the name `state`.
    fn complete_resumably(
        &mut self,
        state: &str,
        unfinished: &Unfinished,
        run: &Run<'_>,
    ) -> Result<(), SearchError> {
        while !self.is_done() {
            // A step that fails leaves the times as they were.
            let step = run.check().map_err(SearchError::from).and_then(|()| self.step(run));
            if unfinished.is_due(run) {
                unfinished.keep_parts(state, &self.parts(), self.now(), run);
            }
            step?;
            run.progress().update(u64::from(self.now));
        }
        Ok(())
    }

    /// Processes the corners of the current time. After an error, they can be processed again.
    pub(super) fn step(&mut self, run: &Run<'_>) -> Result<(), SearchError> {
        let offers = self.collect(run)?;
        self.now += 1;
        self.accept(&offers);
        Ok(())
    }

    /// The time whose corners are processed next: all earlier ones are.
    pub(super) fn now(&self) -> u32 {
        self.now.into()
    }

    /// The time of a corner (a column) of the block whose large discs are `large`, before
    /// canonicalisation; [`DONE`] when it is not known yet.
    pub(super) fn time(&self, large: State, corner: usize) -> u16 {
        let (code, perm) = self.blocks.group().canonical(large, self.blocks.large());
        let id = self.blocks.find(code).expect("every canonical configuration has a block");
        let (edges, small) = (self.rows.edges(), self.rows.discs());
        let ((c, d), set) = (edges.pairs()[corner >> small], corner & ((1 << small) - 1));
        self.time_at(id, edges.column(small, perm.peg(c), perm.peg(d), set))
    }

    /// The time of a column of block `id`, or [`DONE`].
    #[inline(always)]
    fn time_at(&self, id: u32, column: usize) -> u16 {
        match self.times[self.place(id, column)] {
            NEVER => DONE,
            time => self.first[id as usize].saturating_add(u16::from(time) * self.unit()),
        }
    }

    /// Whether the times of all corners have been processed.
    pub(super) fn is_done(&self) -> bool {
        self.next.iter().all(|&next| next == DONE)
    }

    /// The blocks.
    pub(super) fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// The number of corners of all blocks.
    pub(super) fn corners(&self) -> u64 {
        to_u64(self.blocks.count() * self.rows.corners())
    }

    /// The bytes of the times.
    pub(super) fn bytes(&self) -> u64 {
        to_u64(self.times.len() + 2 * self.first.len())
    }

    /// The times, as bytes: with [`now`](CornerSearch::now), all that a search is.
    pub(super) fn parts(&self) -> [&[u8]; 2] {
        [bytemuck::cast_slice(&self.first), &self.times]
    }

    /// The times, to be replaced by those of another moment; then the search is to
    /// [resume](CornerSearch::resume_at).
    pub(super) fn parts_mut(&mut self) -> [&mut [u8]; 2] {
        [bytemuck::cast_slice_mut(&mut self.first), &mut self.times]
    }

    /// Continues with the corners of time `now`. Returns whether the times are those of a search.
    pub(super) fn resume_at(&mut self, now: u16) -> bool {
        const LAST: u16 = NEVER as u16 - 1;
        self.now = now;
        let (corners, unit) = (self.rows.corners(), self.unit());
        let rows = self.times.par_chunks(self.rows.stride()).zip(&self.first);
        let next = rows.map(|(times, &first)| match now.checked_sub(first) {
            // The block is not reached yet.
            _ if first == DONE => Some(DONE),
            None => None,
            Some(0) => Some(first),
            Some(passed) => match later(&times[..corners], ((passed - 1) / unit).min(LAST) as u8) {
                NEVER => Some(DONE),
                time => first.checked_add(u16::from(time) * unit),
            },
        });
        match next.collect() {
            Some(next) => self.next = next,
            None => return false,
        }
        true
    }

    /// The table of distances within a block.
    pub(super) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The offers of the goals' corners.
    fn seeds(&self, goals: Goals) -> Vec<Offer> {
        let (small, large) = (self.rows.discs(), self.blocks.large());
        let mut offers = Vec::new();
        match goals {
            Goals::Peg(peg) => {
                self.offer_to(State::all_on(peg, large), (peg, (peg + 1) % 4), &[0], &mut offers);
            }
            Goals::Middle => {
                let all: Vec<usize> = (0..1 << small).collect();
                for (c, d) in MIDDLE_PAIRS.map(|pair| Edges::All.pairs()[pair]) {
                    for on_d in 0..1u64 << large {
                        self.offer_to(State::on_pair((c, d), on_d, large), (c, d), &all, &mut offers);
                    }
                }
            }
        }
        offers.sort_unstable();
        offers.dedup();
        offers
    }

    /// Offers the corners on pegs `c` and `d` with the given sets to the block of a configuration.
    fn offer_to(&self, large: State, (c, d): (u32, u32), sets: &[usize], offers: &mut Vec<Offer>) {
        let (code, perm) = self.blocks.group().canonical(large, self.blocks.large());
        let to = self.blocks.find(code).expect("every canonical configuration has a block");
        for swap in self.stabiliser(to) {
            let (c, d) = (swap.peg(perm.peg(c)), swap.peg(perm.peg(d)));
            let column = |&set: &usize| self.rows.edges().column(self.rows.discs(), c, d, set);
            offers.extend(sets.iter().map(|set| offer(to, column(set))));
        }
    }

    /// The permutations that map block `id` to itself.
    pub(super) fn stabiliser(&self, id: u32) -> &[PegPerm] {
        let stabilisers = &self.stabilisers[id as usize];
        if stabilisers.is_empty() { &[PegPerm::IDENTITY] } else { stabilisers }
    }

    /// Accepts all offers, which are sorted, at the current time.
    fn accept(&mut self, offers: &[Offer]) {
        let (now, unit, rows, stride) = (self.now, self.unit(), &self.rows, self.rows.stride());
        let times = self.times.par_chunks_mut(SEGMENT * stride);
        let blocks = times.zip(self.first.par_chunks_mut(SEGMENT)).zip(self.next.par_chunks_mut(SEGMENT));
        blocks.enumerate().for_each(|(segment, ((times, first), next))| {
            let from = block_at(segment, 0);
            let begin = offers.partition_point(|&at| at < offer(from, 0));
            for &at in &offers[begin..] {
                let (place, column) = ((at >> 32) as usize - from as usize, at as u32 as usize);
                let Some(next) = next.get_mut(place) else { break };
                first[place] = first[place].min(now);
                let time = ((now - first[place]) / unit) as u8;
                let times = &mut times[place * stride..][..stride];
                if times[column] > time {
                    rows.enter(times, column, time);
                    *next = now;
                }
            }
        });
    }

    /// The sorted offers of corners of exactly the current time, for the next. Also determines when each
    /// block is processed next.
    fn collect(&mut self, run: &Run<'_>) -> Result<Vec<Offer>, SearchError> {
        let now = self.now;
        let mut next = self.next.clone();
        let parts: Result<Vec<Vec<Offer>>, SearchError> = next
            .par_chunks_mut(SEGMENT)
            .enumerate()
            .map(|(segment, next)| {
                run.check()?;
                let (mut offers, mut found) = (Vec::new(), Candidates::default());
                for (place, next) in next.iter_mut().enumerate().filter(|(_, next)| **next == now) {
                    *next = self.offers_of(block_at(segment, place), now, &mut found, &mut offers);
                }
                Ok(offers)
            })
            .collect();
        let mut offers = parts?.concat();
        self.next = next;
        offers.par_sort_unstable();
        offers.dedup();
        Ok(offers)
    }

    /// The row of block `id`.
    fn times_of(&self, id: u32) -> &[u8] {
        &self.times[id as usize * self.rows.stride()..][..self.rows.stride()]
    }

    /// The time at which block `id` is first reached, and the times of its corners after that.
    pub(super) fn corners_of(&self, id: u32) -> (u16, &[u8]) {
        (self.first[id as usize], &self.times_of(id)[..self.rows.corners()])
    }

    /// Appends the offers of the corners of block `id` whose time is `now`. Returns the next time of a
    /// corner.
    fn offers_of(&self, id: u32, now: u16, found: &mut Candidates, offers: &mut Vec<Offer>) -> u16 {
        let (edges, unit, small) = (self.rows.edges(), self.unit(), self.rows.discs());
        let (first, corners) = self.corners_of(id);
        let time = ((now - first) / unit) as u8;
        found.offers.clear();
        for (pair, times) in corners.chunks_exact(1 << small).enumerate() {
            let Link::To(to, perm) = self.blocks.link(id, edges.link(pair)) else { continue };
            positions(times, time, &mut found.sets);
            let (c, d) = edges.pairs()[pair];
            for swap in self.stabiliser(to) {
                let (c, d) = (swap.peg(perm.peg(c)), swap.peg(perm.peg(d)));
                for &set in &found.sets {
                    let column = edges.column(small, c, d, usize::from(set));
                    prefetch(self.times[self.place(to, column)..].as_ptr());
                    found.offers.push(offer(to, column));
                }
            }
        }
        let known = |&at: &Offer| self.time_at((at >> 32) as u32, at as u32 as usize);
        offers.extend(found.offers.iter().filter(|at| known(at) > now + 1));
        match later(corners, time) {
            NEVER => DONE,
            time => first + u16::from(time) * unit,
        }
    }

    fn place(&self, id: u32, column: usize) -> usize {
        id as usize * self.rows.stride() + column
    }

    /// The values of the database, for all images of the blocks.
    fn into_values(self) -> Result<Memory, SearchError> {
        let (large, each) = (self.blocks.large(), self.rows.configurations());
        let kept = each.trailing_zeros() / 2;
        let mut values = Memory::zeroed(each << (2 * large))?;
        let perms = self.blocks.group().perms();
        let order: Vec<Vec<usize>> = perms
            .iter()
            .map(|perm| (0..each).map(|at| perm.state(State::from_code(to_u64(at)), kept).index()).collect())
            .collect();
        for id in self.blocks.ids() {
            let first = self.first[id as usize];
            let value = |&time: &u8| u8::try_from(first + u16::from(time)).unwrap_or(u8::MAX);
            let found: Vec<u8> = self.times_of(id)[self.rows.corners()..][..each].iter().map(value).collect();
            for (perm, order) in perms.iter().zip(&order) {
                let row =
                    &mut values[perm.state(self.blocks.large_discs(id), large).index() * each..][..each];
                order.iter().zip(&found).for_each(|(&at, &depth)| row[at] = depth);
            }
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::Database;

    #[test]
    fn every_split_into_small_and_large_gives_the_complete_databases_minima() {
        for goals in [Goals::Middle, Goals::Peg(0), Goals::Peg(2)] {
            for discs in 2..=8 {
                let complete = Database::complete(discs, goals);
                for small in 1..=discs.min(6) {
                    for dropped in 0..=small {
                        let found =
                            first_touch(discs, dropped, small, goals, &Unfinished::NOWHERE, &Run::new());
                        let least = complete
                            .values()
                            .chunks(1 << (2 * dropped))
                            .map(|part| part.iter().min().unwrap());
                        assert!(found.unwrap().iter().eq(least), "{discs} {small} {dropped} {goals:?}");
                    }
                }
            }
        }
    }
}
