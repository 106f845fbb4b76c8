//! The search over blocks by the times of their corners.
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
//!
//! A search may have the times of a range of the blocks only: [`owner`](super::owner) makes several of them one.

use super::edges::Edges;
use super::rows::{NEVER, Rows, later, positions};
use crate::bitmap::blocks::{Blocks, Link};
use crate::bitmap::layer::{SEGMENT, block_at};
use crate::error::SearchError;
use crate::goals::{Goals, MIDDLE_PAIRS};
use crate::model::{State, to_u32, to_u64};
use crate::pegs::{PegGroup, PegPerm};
use rayon::prelude::*;
use search_core::Run;
use search_core::memory::Memory;
use search_core::prefetch::prefetch;
use search_core::table::Unfinished;
use std::ops::Range;

/// The time after every other.
pub(super) const DONE: u16 = u16::MAX;

/// The times of the corners of blocks.
#[derive(Debug)]
pub(super) struct CornerSearch {
    rows: Rows,
    blocks: Blocks,
    /// For each block, the permutations that map its large discs to themselves; empty if only the identity
    /// does.
    stabilisers: Vec<Box<[PegPerm]>>,
    /// The blocks whose times are here.
    own: Range<u32>,
    /// For each own block, the time at which it is first reached.
    first: Vec<u16>,
    /// One row per own block: the times of its corners, then those of its configurations, relative to the first.
    times: Memory,
    /// For each own block, the earliest time of a corner that has not been processed.
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

pub(super) fn offer(block: u32, column: usize) -> Offer {
    u64::from(block) << 32 | to_u64(column)
}

/// The block and the column of an offer.
pub(super) fn target(at: Offer) -> (u32, usize) {
    ((at >> 32) as u32, at as u32 as usize)
}

impl CornerSearch {
    /// A search over all blocks under `group`, none of them reached; `small` of `discs` discs are small.
    pub(super) fn new(
        edges: Edges,
        sizes: (u32, u32, u32),
        group: PegGroup,
        run: &Run<'_>,
    ) -> Result<CornerSearch, SearchError> {
        CornerSearch::over(edges, sizes, group, |blocks| (0..to_u32(blocks.len()), blocks), run)
    }

    /// As [`new`](CornerSearch::new), with the times of some of the blocks: `own` orders the blocks, and chooses a range.
    pub(super) fn over(
        edges: Edges,
        (discs, dropped, small): (u32, u32, u32),
        group: PegGroup,
        own: impl FnOnce(Vec<State>) -> (Range<u32>, Vec<State>),
        run: &Run<'_>,
    ) -> Result<CornerSearch, SearchError> {
        let rows = Rows::new(edges, small, dropped, run)?;
        let large = discs - small;
        let canonical: Vec<State> = (0..1u64 << (2 * large))
            .into_par_iter()
            .map(State::from_code)
            .filter(|&state| group.canonical(state, large).0 == state)
            .collect();
        let (own, canonical) = own(canonical);
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
        let mut times = Memory::zeroed(own.len() * rows.stride())?;
        times.par_chunks_mut(1 << 20).for_each(|chunk| chunk.fill(NEVER));
        let (first, next) = (vec![DONE; own.len()], vec![DONE; own.len()]);
        Ok(CornerSearch { rows, blocks, stabilisers, own, first, times, next, now: 0 })
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
        let place = self.index(id);
        (self.first[place], self.next[place]) = (first, first);
    }

    /// The moves that make a unit of time.
    #[inline(always)]
    fn unit(&self) -> u16 {
        self.rows.edges().unit()
    }

    /// Starts from the goals.
    pub(super) fn seed(&mut self, goals: Goals) {
        let mut seeds = self.seeds(goals);
        seeds.retain(|&at| self.own.contains(&target(at).0));
        self.accept(&seeds);
    }

    /// Searches until all times are known.
    pub(super) fn complete(&mut self, run: &Run<'_>) -> Result<(), SearchError> {
        self.complete_resumably("", &Unfinished::NOWHERE, run)
    }

    /// Searches until all times are known. Saves the times in `unfinished` under the name `state`.
    pub(super) fn complete_resumably(
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
        self.advance(&offers);
        Ok(())
    }

    /// Goes on to the next time, at which these offers to own blocks, which are sorted, are accepted.
    pub(super) fn advance(&mut self, offers: &[Offer]) {
        self.now += 1;
        self.accept(offers);
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
            time => self.first[self.index(id)].saturating_add(u16::from(time) * self.unit()),
        }
    }

    /// Whether the times of all own corners have been processed.
    pub(super) fn is_done(&self) -> bool {
        self.next.iter().all(|&next| next == DONE)
    }

    /// All blocks.
    pub(super) fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// The blocks whose times are here.
    pub(super) fn own(&self) -> Range<u32> {
        self.own.clone()
    }

    /// The number of corners of the own blocks.
    pub(super) fn corners(&self) -> u64 {
        to_u64(self.own.len() * self.rows.corners())
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

    /// Accepts offers to own blocks, which are sorted, at the current time.
    pub(super) fn accept(&mut self, offers: &[Offer]) {
        let (now, unit, rows, stride) = (self.now, self.unit(), &self.rows, self.rows.stride());
        let times = self.times.par_chunks_mut(SEGMENT * stride);
        let blocks = times.zip(self.first.par_chunks_mut(SEGMENT)).zip(self.next.par_chunks_mut(SEGMENT));
        blocks.enumerate().for_each(|(segment, ((times, first), next))| {
            let from = self.own.start + block_at(segment, 0);
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

    /// The sorted offers of corners of exactly the current time, for the next: all to the blocks of others, and
    /// those to own blocks that are earlier than their times. Also determines when each block is processed next.
    pub(super) fn collect(&mut self, run: &Run<'_>) -> Result<Vec<Offer>, SearchError> {
        let now = self.now;
        let mut next = self.next.clone();
        let parts: Result<Vec<Vec<Offer>>, SearchError> = next
            .par_chunks_mut(SEGMENT)
            .enumerate()
            .map(|(segment, next)| {
                run.check()?;
                let (mut offers, mut found) = (Vec::new(), Candidates::default());
                for (place, next) in next.iter_mut().enumerate().filter(|(_, next)| **next == now) {
                    let id = self.own.start + block_at(segment, place);
                    *next = self.offers_of(id, now, &mut found, &mut offers);
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
        &self.times[self.place(id, 0)..][..self.rows.stride()]
    }

    /// The time at which block `id` is first reached, and the times of its corners after that.
    pub(super) fn corners_of(&self, id: u32) -> (u16, &[u8]) {
        (self.first[self.index(id)], &self.times_of(id)[..self.rows.corners()])
    }

    /// The time at which block `id` is first reached, and the times of its configurations after that.
    pub(super) fn configurations_of(&self, id: u32) -> (u16, &[u8]) {
        let times = &self.times_of(id)[self.rows.corners()..][..self.rows.configurations()];
        (self.first[self.index(id)], times)
    }

    /// Appends the offers of the corners of block `id` whose time is `now`. Returns the next time of a
    /// corner.
    fn offers_of(&self, id: u32, now: u16, found: &mut Candidates, offers: &mut Vec<Offer>) -> u16 {
        let (edges, unit, small) = (self.rows.edges(), self.unit(), self.rows.discs());
        let ((first, corners), start) = (self.corners_of(id), self.own.start);
        let time = ((now - first) / unit) as u8;
        found.offers.clear();
        for (pair, times) in corners.chunks_exact(1 << small).enumerate() {
            let Link::To(to, perm) = self.blocks.link(id, edges.link(pair)) else { continue };
            positions(times, time, &mut found.sets);
            let (c, d) = edges.pairs()[pair];
            let Some(own) = self.own.contains(&to).then(|| to - start) else {
                self.offers_to_others((to, perm), (c, d), &found.sets, offers);
                continue;
            };
            for swap in self.stabiliser(to) {
                let (c, d) = (swap.peg(perm.peg(c)), swap.peg(perm.peg(d)));
                for &set in &found.sets {
                    let column = edges.column(small, c, d, usize::from(set));
                    prefetch(self.times[own as usize * self.rows.stride() + column..].as_ptr());
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

    /// Appends offers to another's block, whose times are not here.
    #[cold]
    fn offers_to_others(
        &self,
        (to, perm): (u32, PegPerm),
        (c, d): (u32, u32),
        sets: &[u16],
        offers: &mut Vec<Offer>,
    ) {
        for swap in self.stabiliser(to) {
            let (c, d) = (swap.peg(perm.peg(c)), swap.peg(perm.peg(d)));
            let column = |&set: &u16| self.rows.edges().column(self.rows.discs(), c, d, usize::from(set));
            offers.extend(sets.iter().map(|set| offer(to, column(set))));
        }
    }

    /// The number of block `id` among the own ones.
    #[inline(always)]
    fn index(&self, id: u32) -> usize {
        (id - self.own.start) as usize
    }

    #[inline(always)]
    fn place(&self, id: u32, column: usize) -> usize {
        self.index(id) * self.rows.stride() + column
    }
}
