//! The number of states of a block at each time, by the times of its corners.
//!
//! The idea: bitmaps of up to 11 discs stay in the caches, and `layers` recomputes them. A block of more small discs is
//! divided into **sub-blocks** of 11 discs, one for each configuration of the others. The times of their corners come from
//! a search of their own over these blocks ([`search`](super::search)), which begins at the corners of the whole block,
//! each at its time. Then each sub-block is counted in turn.
//!
//! Why the counts are exact: a shortest path to a state of a block enters the block for the last time at a corner, whose
//! time is known, and continues with moves of small discs. These are the moves of the search over sub-blocks.
//!
//! Cost: with 13 small discs a quarter more time for each state than with 11; bitmaps of 13 discs took 1.5 times as long.

use super::geometry::Geometry;
use super::layers::{self, Layers, Plan, sort_by_time};
use super::rows::Rows;
use super::search::{CornerSearch, Offer, offer};
use crate::error::SearchError;
use crate::model::{State, to_u32, to_u64};
use crate::pegs::PegGroup;
use search_core::Run;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The greatest number of discs whose bitmaps stay in the caches.
const CACHED: u32 = *layers::SMALL.end();

/// The numbers of small discs of a block whose states can be counted: up to 64 sub-blocks.
pub const SMALL: RangeInclusive<u32> = *layers::SMALL.start()..=CACHED + 3;

/// The data that all threads share.
#[derive(Debug)]
pub(super) struct CountPlan {
    /// The number of small discs.
    small: u32,
    /// The plan of a block, or of a sub-block.
    layers: Plan,
    /// The distances within a sub-block, if blocks are divided.
    rows: Option<Arc<Rows<u8>>>,
    /// The greatest distance of a state of a sub-block from its nearest corner.
    gap: u32,
}

impl CountPlan {
    /// The plan for blocks of `small` discs.
    ///
    /// # Errors
    /// [`SearchError`] when the memory is not available or the work is cancelled.
    ///
    /// # Panics
    /// If `small` is not in [`SMALL`].
    pub fn new(small: u32, run: &Run<'_>) -> Result<CountPlan, SearchError> {
        assert!(SMALL.contains(&small), "a block of {SMALL:?} discs");
        CountPlan::divided(small, small.min(CACHED), run)
    }

    /// The plan for blocks that are divided into sub-blocks of `sub` discs.
    fn divided(small: u32, sub: u32, run: &Run<'_>) -> Result<CountPlan, SearchError> {
        let rows = match small - sub {
            0 => None,
            _ => Some(Arc::new(Rows::new(Geometry::complete(sub), sub, run)?)),
        };
        let mut plan = CountPlan { small, layers: Plan::new(sub), rows, gap: 0 };
        if plan.rows.is_some() {
            let corners = vec![0; Geometry::complete(sub).corners(sub)];
            let mut gap = 0;
            Layers::new(&plan.layers).visit(&corners, |time, _, _| gap = time);
            plan.gap = gap;
        }
        Ok(plan)
    }

    /// The bytes of the data of `threads` threads, and of what they share.
    pub fn bytes(small: u32, threads: usize) -> u64 {
        let sub = small.min(CACHED);
        let geometry = Geometry::complete(sub);
        let (shared, each) = match small - sub {
            0 => (0, 0),
            // Times, pending times and offers of the sub-blocks; the corners of the block, twice.
            more => (
                Rows::<u8>::bytes(&geometry, sub),
                (geometry.bytes_of_row::<u8>(sub) * 5 / 4 << (2 * more)) + (6 << small) * 24,
            ),
        };
        shared + to_u64(threads) * (Plan::bytes(sub) + each)
    }
}

/// The counter of one thread.
pub(super) struct BlockCounter<'a> {
    plan: &'a CountPlan,
    layers: Layers<'a>,
    sub_blocks: Option<SubBlocks>,
    /// The number of states at each time.
    counts: Vec<u64>,
}

impl<'a> BlockCounter<'a> {
    /// A counter of blocks of this plan.
    ///
    /// # Errors
    /// As [`CountPlan::new`].
    pub fn new(plan: &'a CountPlan, run: &Run<'_>) -> Result<BlockCounter<'a>, SearchError> {
        let sub_blocks = plan.rows.as_ref().map(|rows| SubBlocks::new(plan.small, rows, run));
        Ok(BlockCounter {
            plan,
            layers: Layers::new(&plan.layers),
            sub_blocks: sub_blocks.transpose()?,
            counts: Vec::new(),
        })
    }

    /// The number of states of a block at each time from 0, given the times of its corners. Of times before `least`,
    /// some states may be missing.
    ///
    /// # Errors
    /// [`SearchError`] if the work is cancelled.
    pub fn count(&mut self, corners: &[u8], least: u32, run: &Run<'_>) -> Result<&[u64], SearchError> {
        let BlockCounter { plan, layers, sub_blocks, counts } = self;
        counts.clear();
        let mut add = |time: u32, count: u64| {
            let time = time as usize;
            counts.resize(counts.len().max(time + 1), 0);
            counts[time] += count;
        };
        match sub_blocks {
            None => layers.visit(corners, |time, count, _| add(time, count)),
            Some(blocks) => {
                blocks.find(corners, run)?;
                for id in blocks.search.blocks().ids() {
                    let (first, corners) = blocks.search.corners_of(id);
                    if first + latest(corners) + plan.gap >= least {
                        layers.visit(corners, |time, count, _| add(first + time, count));
                    }
                }
            }
        }
        Ok(&self.counts)
    }

    /// The greatest distance of a state of a block from its nearest corner.
    ///
    /// # Errors
    /// [`SearchError`] if the work is cancelled.
    pub fn gap(&mut self, run: &Run<'_>) -> Result<u32, SearchError> {
        let small = self.plan.small;
        let corners = vec![0; Geometry::complete(small).corners(small)];
        Ok(to_u32(self.count(&corners, 0, run)?.len() - 1))
    }

    /// Calls `visit` with the small discs of each state of a block at a time.
    ///
    /// # Errors
    /// [`SearchError`] if the work is cancelled.
    pub fn each_at(
        &mut self,
        time: u32,
        corners: &[u8],
        run: &Run<'_>,
        mut visit: impl FnMut(State),
    ) -> Result<(), SearchError> {
        let BlockCounter { layers, sub_blocks, .. } = self;
        let Some(blocks) = sub_blocks else {
            layer_at(layers, time, corners, visit);
            return Ok(());
        };
        blocks.find(corners, run)?;
        let sub = blocks.search.rows().discs();
        for id in blocks.search.blocks().ids() {
            let large = blocks.search.blocks().large_discs(id);
            let (first, corners) = blocks.search.corners_of(id);
            if let Some(time) = time.checked_sub(first) {
                layer_at(layers, time, corners, |state| visit(large.with_smaller(state, sub)));
            }
        }
        Ok(())
    }
}

/// The latest of some times.
pub(super) fn latest(times: &[u8]) -> u32 {
    times.iter().copied().max().unwrap_or(0).into()
}

/// Calls `visit` with each state of the layer at a time.
fn layer_at(layers: &mut Layers<'_>, time: u32, corners: &[u8], visit: impl FnMut(State)) {
    let mut found = Vec::new();
    layers.visit(corners, |at, _, bits| {
        if at == time {
            found = bits.to_vec();
        }
    });
    layers.for_each(&found, visit);
}

/// The search over the sub-blocks of a block.
struct SubBlocks {
    search: CornerSearch<u8>,
    /// The corners of the block as offers to the sub-blocks, in ascending order, with their columns in the block.
    corners: Vec<(Offer, usize)>,
    /// The offers in the order of their times, and the end of those of each time.
    offers: Vec<Offer>,
    ends: Vec<u32>,
}

impl SubBlocks {
    fn new(small: u32, rows: &Arc<Rows<u8>>, run: &Run<'_>) -> Result<SubBlocks, SearchError> {
        let (sub, more) = (rows.discs(), small - rows.discs());
        let all = |blocks: Vec<State>| (0..to_u32(blocks.len()), blocks);
        let search = CornerSearch::with_rows(Arc::clone(rows), more, PegGroup::trivial(), all, run)?;
        let geometry = rows.geometry();
        let corner = |column: usize| {
            let (pair, set) = (column >> small, column & ((1 << small) - 1));
            let large = State::on_pair(geometry.pairs()[pair], to_u64(set >> sub), more);
            let block = search.blocks().find(large).expect("every configuration has a block");
            (offer(block, pair << sub | set & ((1 << sub) - 1)), column)
        };
        let mut corners: Vec<(Offer, usize)> = (0..geometry.corners(small)).map(corner).collect();
        corners.sort_unstable();
        let offers = vec![0; corners.len()];
        Ok(SubBlocks { search, corners, offers, ends: Vec::new() })
    }

    /// Finds the times of the sub-blocks' corners, given those of the block's.
    fn find(&mut self, times: &[u8], run: &Run<'_>) -> Result<(), SearchError> {
        let offers = self.corners.iter().map(|&(offer, column)| (times[column], offer));
        sort_by_time(times, offers, &mut self.offers, &mut self.ends);
        self.search.clear(run)?;
        let mut begin = 0;
        for time in 0.. {
            let end = self.ends.get(time).map_or(begin, |&end| end as usize);
            self.search.accept(&self.offers[begin..end])?;
            begin = end;
            if begin == self.offers.len() && self.search.is_done() {
                break;
            }
            // One thread has the search.
            let mut offers = self.search.due(run)?;
            offers.sort_unstable();
            self.search.advance(&offers)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::testing::Random;

    /// Random entries, in blocks of every division.
    #[test]
    fn divided_blocks_have_the_counts_of_whole_ones() {
        let run = Run::new().with_threads(1);
        let mut random = Random::new(11);
        for small in [8, 9, 10] {
            let rows = Rows::<u8>::new(Geometry::complete(small), small, &run).unwrap();
            for entries in [1, 3, 40] {
                let (mut times, mut pending) = (vec![u8::MAX; rows.stride()], vec![u8::MAX; rows.bounds()]);
                for entry in 0..entries {
                    let time = if entry == 0 { 0 } else { random.below(20) as u8 };
                    rows.enter(&mut times, &mut pending, random.below(rows.corners()), time);
                }
                let corners = &times[..rows.corners()];
                let counted = |sub| {
                    let plan = CountPlan::divided(small, sub, &run).unwrap();
                    let mut counter = BlockCounter::new(&plan, &run).unwrap();
                    let counts = counter.count(corners, 0, &run).unwrap().to_vec();
                    let last = to_u32(counts.len() - 1);
                    let mut farthest = Vec::new();
                    counter.each_at(last, corners, &run, |state| farthest.push(state)).unwrap();
                    farthest.sort_unstable();
                    assert_eq!(to_u64(farthest.len()), counts[last as usize]);
                    // The counter can be used again, and may leave out early times.
                    let late = counter.count(corners, last - 3, &run).unwrap();
                    assert_eq!(late[last as usize - 3..], counts[last as usize - 3..]);
                    (counts, farthest)
                };
                let whole = counted(small);
                assert_eq!(whole.0.iter().sum::<u64>(), 1 << (2 * small));
                for sub in (small - 3).max(7)..small {
                    assert_eq!(counted(sub), whole, "{small} discs, sub-blocks of {sub}, {entries} entries");
                }
            }
        }
    }
}
