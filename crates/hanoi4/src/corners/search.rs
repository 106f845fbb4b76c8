//! The search over all blocks by the times of their corners, and the database that it gives.
//!
//! Time goes up by one. At each time every block with a corner of exactly that time offers these
//! corners to the blocks behind them, at the next time (an **offer**); offers that are earlier than
//! what their block knows are collected and sorted by block, and then every block takes its own in.
//! Threads read all times while they collect, and write only their own blocks' while they take
//! in, so there is nothing to coordinate and the answer does not depend on their number.
//!
//! Blocks are canonical under the group of peg permutations, as in [`bitmap`](crate::bitmap). Where
//! the large discs leave pegs interchangeable, an offer is made to all its images, so that times
//! stay symmetric.

use super::rows::{NEVER, Rows, column, stride};
use crate::bitmap::blocks::{Blocks, Link};
use crate::bitmap::layer::{SEGMENT, block_at};
use crate::bitmap::search::{SearchError, Seeds};
use crate::bitmap::shape::PAIRS;
use crate::database::Goals;
use crate::model::{State, to_u64};
use crate::pegs::{PegGroup, PegPerm};
use rayon::prelude::*;
use search_core::Run;
use search_core::memory::Memory;
use search_core::prefetch::prefetch;
use search_core::simd::vectorized;

/// The numbers of small discs that suit `discs` discs, the best first: half of them was fastest at 18
/// to 21; more take less memory.
pub(super) fn sizes(discs: u32) -> std::ops::RangeInclusive<u32> {
    let best = (discs / 2).clamp(8, 11).min(discs);
    best..=12.min(discs)
}

/// How many discs [`first_touch`] best takes as small within `memory` bytes.
///
/// # Errors
/// The least memory that would do.
pub fn fitting(discs: u32, dropped: u32, memory: u64) -> Result<u32, u64> {
    let needs = sizes(discs).filter(|&small| small >= dropped);
    let needs = needs.map(|small| (memory_needed(discs, dropped, small), small));
    let fits = needs.clone().find(|&(need, _)| need <= memory);
    fits.map(|(_, small)| small).ok_or_else(|| needs.map(|(need, _)| need).min().unwrap_or(u64::MAX))
}

/// Bytes that [`first_touch`] takes at most, its result included.
fn memory_needed(discs: u32, dropped: u32, small: u32) -> u64 {
    let (stride, blocks) = (to_u64(stride(small, dropped)), (1u64 << (2 * (discs - small))) / 6 + 2048);
    let (times, links) = (blocks * stride, blocks * 100);
    // Entries of a database, rows of the table, offers.
    (1 << (2 * (discs - dropped))) + (6 << small) * stride + times + links + times / 8
}

/// The least distance to the goals for each configuration of the largest `discs − dropped` of
/// `discs` discs, with `small` of them small. Distances of 255 and more are given as 255.
///
/// # Errors
/// [`SearchError`] when it is cancelled or the system refuses the memory.
///
/// # Panics
/// If `dropped <= small <= discs` does not hold, or there are more than 16 large or small discs.
pub fn first_touch(
    discs: u32,
    dropped: u32,
    small: u32,
    goals: Goals,
    run: &Run<'_>,
) -> Result<Memory, SearchError> {
    assert!(dropped <= small && small <= discs && discs - small <= 16 && small <= 16, "sizes in range");
    run.install(|| all_times(discs, dropped, small, goals, run))
}

/// The database, by the current threads.
fn all_times(
    discs: u32,
    dropped: u32,
    small: u32,
    goals: Goals,
    run: &Run<'_>,
) -> Result<Memory, SearchError> {
    let mut search = CornerSearch::new(discs, dropped, small, goals.group())?;
    run.progress().begin(&format!("database of {discs} discs"), u64::from(goals.farthest(discs)));
    let mut offers = search.seeds(&goals.seeds(discs));
    for time in 0..NEVER {
        run.check()?;
        search.take_in(&offers, time);
        if search.is_done() {
            break;
        }
        offers = search.collect(time, run)?;
        run.progress().update(u64::from(time));
    }
    run.progress().end();
    search.into_values()
}

/// Times of all blocks' corners.
#[derive(Debug)]
pub(super) struct CornerSearch {
    rows: Rows,
    blocks: Blocks,
    /// For each block the permutations that leave its large discs as they are; nothing where that is
    /// the identity alone.
    stabilisers: Vec<Box<[PegPerm]>>,
    /// One row a block: the times of its corners, then those of its configurations.
    times: Memory,
    /// For each block the earliest time, not yet gone by, of a corner.
    next: Vec<u8>,
}

/// What a thread finds in one block, before it is known whether it is earlier than what is known.
#[derive(Default)]
struct Candidates {
    sets: Vec<u16>,
    offers: Vec<Offer>,
}

/// A block's corner that is reached: the block's number above, the column below.
pub(super) type Offer = u64;

fn offer(block: u32, column: usize) -> Offer {
    u64::from(block) << 32 | to_u64(column)
}

impl CornerSearch {
    /// All blocks under `group`, not yet reached; `small` of `discs` discs are small.
    pub(super) fn new(
        discs: u32,
        dropped: u32,
        small: u32,
        group: PegGroup,
    ) -> Result<CornerSearch, SearchError> {
        let rows = Rows::new(small, dropped)?;
        let large = discs - small;
        let canonical: Vec<State> = (0..1u64 << (2 * large))
            .into_par_iter()
            .map(State::from_code)
            .filter(|&state| group.canonical(state, large).0 == state)
            .collect();
        let mut blocks = Blocks::new(large, group);
        canonical.iter().for_each(|&state| _ = blocks.find_or_add(state));
        for id in blocks.ids() {
            for pair in (0..6).filter(|&pair| blocks.link(id, pair) == Link::Unknown).collect::<Vec<_>>() {
                blocks.resolve(id, pair, |_| true);
            }
        }
        let stabilisers = canonical.iter().map(|&state| {
            let all: Vec<_> = blocks.group().stabiliser(state, large).collect();
            if all.len() > 1 { all.into() } else { Box::default() }
        });
        let stabilisers = stabilisers.collect();
        let mut times = Memory::zeroed(blocks.len() * rows.stride())?;
        times.par_chunks_mut(1 << 20).for_each(|chunk| chunk.fill(NEVER));
        let next = vec![NEVER; blocks.len()];
        Ok(CornerSearch { rows, blocks, stabilisers, times, next })
    }

    /// Reaches the corners of a block, whose large discs stand as the group keeps them, at given
    /// times.
    pub(super) fn start(&mut self, large: State, time: impl Fn(usize) -> u8) {
        let id = self.blocks.find(large).expect("what the group keeps is canonical");
        let (corners, place) = (self.rows.corners(), self.place(id, 0));
        let times = &mut self.times[place..place + corners];
        times.iter_mut().enumerate().for_each(|(column, at)| *at = time(column));
        self.next[id as usize] = times.iter().copied().min().expect("a block has corners");
    }

    /// The time of a corner (a column) of the block where the large discs stand as `large`.
    pub(super) fn time(&self, large: State, corner: usize) -> u8 {
        let (code, perm) = self.blocks.group().canonical(large, self.blocks.large());
        let id = self.blocks.find(code).expect("every canonical configuration has a block");
        let small = self.rows.discs();
        let ((c, d), set) = (PAIRS[corner >> small], corner & ((1 << small) - 1));
        self.times[self.place(id, column(small, perm.peg(c), perm.peg(d), set))]
    }

    /// Whether no corner's time is still to come.
    pub(super) fn is_done(&self) -> bool {
        self.next.iter().all(|&next| next == NEVER)
    }

    /// How many corners all blocks have.
    pub(super) fn corners(&self) -> u64 {
        to_u64(self.blocks.len() * self.rows.corners())
    }

    /// The table of ways within a block.
    pub(super) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The corners of the goals.
    fn seeds(&self, seeds: &Seeds) -> Vec<Offer> {
        let (small, large) = (self.rows.discs(), self.blocks.large());
        let mut offers = Vec::new();
        match seeds {
            Seeds::State(state) => {
                let peg = state.peg(0);
                assert!(*state == State::all_on(peg, small + large), "a goal on one peg");
                let other = (peg + 1) % 4;
                self.offer_to(State::all_on(peg, large), (peg, other), &[0], &mut offers);
            }
            Seeds::Pairs(pairs) => {
                let all: Vec<usize> = (0..1 << small).collect();
                for &(c, d) in pairs.iter().map(|&pair| &PAIRS[pair]) {
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

    /// Offers the corners on pegs `c`, `d` with the given sets to the block of a configuration.
    fn offer_to(&self, large: State, (c, d): (u32, u32), sets: &[usize], offers: &mut Vec<Offer>) {
        let (code, perm) = self.blocks.group().canonical(large, self.blocks.large());
        let to = self.blocks.find(code).expect("every canonical configuration has a block");
        for swap in self.stabiliser(to) {
            let (c, d) = (swap.peg(perm.peg(c)), swap.peg(perm.peg(d)));
            offers.extend(sets.iter().map(|&set| offer(to, column(self.rows.discs(), c, d, set))));
        }
    }

    /// The permutations that leave block `id` as it is.
    fn stabiliser(&self, id: u32) -> &[PegPerm] {
        let stabilisers = &self.stabilisers[id as usize];
        if stabilisers.is_empty() { &[PegPerm::IDENTITY] } else { stabilisers }
    }

    /// Takes in all offers, sorted, at `time`.
    pub(super) fn take_in(&mut self, offers: &[Offer], time: u8) {
        let (rows, stride) = (&self.rows, self.rows.stride());
        let times = self.times.par_chunks_mut(SEGMENT * stride);
        times.zip(self.next.par_chunks_mut(SEGMENT)).enumerate().for_each(|(segment, (times, next))| {
            let from = block_at(segment, 0);
            let first = offers.partition_point(|&at| at < offer(from, 0));
            for &at in &offers[first..] {
                let (place, column) = ((at >> 32) as usize - from as usize, at as u32 as usize);
                let Some(next) = next.get_mut(place) else { break };
                let times = &mut times[place * stride..][..stride];
                if times[column] > time {
                    rows.enter(times, column, time);
                    *next = time;
                }
            }
        });
    }

    /// The offers that corners of exactly `time` make for the next time, sorted; also finds out
    /// when each block is to be looked at again.
    pub(super) fn collect(&mut self, time: u8, run: &Run<'_>) -> Result<Vec<Offer>, SearchError> {
        let mut next = std::mem::take(&mut self.next);
        let parts: Result<Vec<Vec<Offer>>, SearchError> = next
            .par_chunks_mut(SEGMENT)
            .enumerate()
            .map(|(segment, next)| {
                run.check()?;
                let (mut offers, mut found) = (Vec::new(), Candidates::default());
                for (place, next) in next.iter_mut().enumerate().filter(|(_, next)| **next == time) {
                    *next = self.offers_of(block_at(segment, place), time, &mut found, &mut offers);
                }
                Ok(offers)
            })
            .collect();
        self.next = next;
        let mut offers = parts?.concat();
        offers.par_sort_unstable();
        offers.dedup();
        Ok(offers)
    }

    fn times_of(&self, id: u32) -> &[u8] {
        &self.times[id as usize * self.rows.stride()..][..self.rows.stride()]
    }

    /// Offers the corners of block `id` whose time is `time`. Returns the next time of a corner.
    fn offers_of(&self, id: u32, time: u8, found: &mut Candidates, offers: &mut Vec<Offer>) -> u8 {
        let small = self.rows.discs();
        let corners = &self.times_of(id)[..self.rows.corners()];
        found.offers.clear();
        for (pair, times) in corners.chunks_exact(1 << small).enumerate() {
            let Link::To(to, perm) = self.blocks.link(id, 5 - pair) else { continue };
            places(times, time, &mut found.sets);
            let (c, d) = PAIRS[pair];
            for swap in self.stabiliser(to) {
                let (c, d) = (swap.peg(perm.peg(c)), swap.peg(perm.peg(d)));
                for &set in &found.sets {
                    let column = column(small, c, d, usize::from(set));
                    prefetch(self.times[self.place(to, column)..].as_ptr());
                    found.offers.push(offer(to, column));
                }
            }
        }
        let known = |&at: &Offer| self.times[self.place((at >> 32) as u32, at as u32 as usize)];
        offers.extend(found.offers.iter().filter(|at| known(at) > time.saturating_add(1)));
        later(corners, time)
    }

    fn place(&self, id: u32, column: usize) -> usize {
        id as usize * self.rows.stride() + column
    }

    /// The values, written to all images of the blocks.
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
            let found = &self.times_of(id)[self.rows.corners()..][..each];
            for (perm, order) in perms.iter().zip(&order) {
                let row =
                    &mut values[perm.state(self.blocks.large_discs(id), large).index() * each..][..each];
                order.iter().zip(found).for_each(|(&at, &depth)| row[at] = depth);
            }
        }
        Ok(values)
    }
}

/// The places of `times` that hold exactly `time`.
fn places(times: &[u8], time: u8, found: &mut Vec<u16>) {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    found.clear();
    let spread = u64::from(time) * 0x0101_0101_0101_0101;
    let mut words = times.chunks_exact(8);
    for (at, word) in words.by_ref().enumerate() {
        let differs = u64::from_le_bytes(word.try_into().expect("eight bytes")) ^ spread;
        let mut equal = !((differs & LOW) + LOW | differs | LOW);
        while equal != 0 {
            found.push((at * 8) as u16 + (equal.trailing_zeros() / 8) as u16);
            equal &= equal - 1;
        }
    }
    let rest = words.remainder();
    let from = times.len() - rest.len();
    found.extend((from..times.len()).filter(|&at| times[at] == time).map(|at| at as u16));
}

/// The least of `times` that is greater than `time`; mostly that is the next number, and soon found.
fn later(times: &[u8], time: u8) -> u8 {
    /// Bytes that are looked at together.
    const LANES: usize = 64;
    // What has gone by wraps around, beyond NEVER.
    let past = |at: u8| at.wrapping_sub(time + 1);
    let mut least = past(NEVER);
    vectorized(|| {
        let mut parts = times.chunks_exact(LANES);
        for part in parts.by_ref() {
            let mut lanes = [NEVER; LANES];
            (0..LANES).for_each(|lane| lanes[lane] = past(part[lane]));
            least = lanes.iter().fold(least, |least, &at| least.min(at));
            if least == 0 {
                break;
            }
        }
        parts.remainder().iter().for_each(|&at| least = least.min(past(at)));
    });
    least + time + 1
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
                        let found = first_touch(discs, dropped, small, goals, &Run::new());
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
