//! The greatest depth of a complete search, and the states there, from few blocks.
//!
//! The idea: a state is at most as far from its nearest corner as the farthest state of a block with its discs (the
//! **gap**). So no state of a block is later than the latest of its corners and the gap. The blocks are counted in the
//! descending order of this bound, until it is below the greatest depth found. The sub-blocks of a block are left out by
//! the same bound.
//!
//! Why the counts are exact: every block that may have states at the greatest depth is counted.
//!
//! Cost: the times of all corners, and the count of a few blocks.

use super::complete::{CompleteSearch, Counter, Counting, count_blocks};
use super::count::{BlockCounter, CountPlan, latest};
use super::saved::SavedTimes;
use crate::error::SearchError;
use crate::model::{State, to_u32, to_u64};
use search_core::Run;
use search_core::clock::Instant;
use std::cmp::Reverse;

/// The greatest depth of a complete search, and the states there.
#[derive(Debug)]
pub struct Radius {
    /// The greatest depth.
    pub depth: u32,
    /// The number of states at this depth.
    pub states: u64,
    /// The number of their orbits, or of states without symmetry.
    pub orbits: u64,
    /// The states, in ascending order.
    pub farthest: Vec<State>,
    /// The number of small discs.
    pub small: u32,
    /// The number of blocks.
    pub blocks: u64,
    /// The number of blocks whose states were counted.
    pub counted: u64,
    /// The bytes of the times of corners.
    pub bytes: u64,
    /// The bytes of the work directory.
    pub disk: u64,
    /// The seconds of the search.
    pub seconds: f64,
}

impl CompleteSearch {
    /// Finds the greatest depth. In a work directory, it saves and resumes the times of corners, from which
    /// [`run`](CompleteSearch::run) can continue.
    ///
    /// # Errors
    /// As [`run`](CompleteSearch::run).
    ///
    /// # Panics
    /// As [`run`](CompleteSearch::run).
    pub fn radius(&self, run: &Run<'_>) -> Result<Radius, SearchError> {
        let start = Instant::now();
        let (mut saved, small) = self.open(run)?;
        run.install(|| {
            let (search, counting) = self.times(small, saved.as_mut(), run)?;
            if let Some(saved) = &mut saved {
                saved.save_if_worth(&search, &counting)?;
            }
            let plan = CountPlan::new(small, run)?;
            let mut counter = Counter { search: &search, plan: &plan, counting: Counting::default() };
            counter.count_latest(run)?;
            let Counting { blocks: counted, layers, farthest } = std::mem::take(&mut counter.counting);
            let depth = layers.len() - 1;
            Ok(Radius {
                depth: to_u32(depth),
                states: layers[depth].states,
                orbits: layers[depth].orbits,
                farthest: counter.states(&farthest, depth, run)?,
                small,
                blocks: to_u64(search.blocks().count()),
                counted: counted.into(),
                bytes: search.bytes(),
                disk: saved.as_ref().map_or(0, SavedTimes::bytes),
                seconds: start.elapsed().as_secs_f64(),
            })
        })
    }
}

impl Counter<'_> {
    /// Counts the blocks that may have states at the greatest depth.
    fn count_latest(&mut self, run: &Run<'_>) -> Result<(), SearchError> {
        let search = self.search;
        let gap = BlockCounter::new(self.plan, run)?.gap(run)?;
        let ids: Vec<u32> = search.blocks().ids().collect();
        let bounds = run.map(&ids, |&id| {
            let (first, corners) = search.corners_of(id);
            first + latest(corners) + gap
        });
        let mut blocks: Vec<(Reverse<u32>, u32)> = bounds.into_iter().map(Reverse).zip(ids).collect();
        blocks.sort_unstable();
        run.progress().begin("blocks at most", to_u64(blocks.len()));
        for batch in blocks.chunks(4 * run.threads()) {
            let least = to_u32(self.counting.layers.len().saturating_sub(1));
            let may_be_late = batch.iter().take_while(|(bound, _)| bound.0 >= least);
            let ids: Vec<u32> = may_be_late.map(|&(_, id)| id).collect();
            if ids.is_empty() {
                break;
            }
            let counts = count_blocks(search, self.plan, &ids, least, run)?;
            self.add(counts, self.counting.blocks + to_u32(ids.len()));
            run.progress().update(self.counting.blocks.into());
        }
        run.progress().end();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_depth_is_that_of_the_complete_search() {
        for (discs, small) in [(8, 7), (9, 8), (10, 7), (11, 9)] {
            for without_symmetry in [false, true] {
                let search =
                    CompleteSearch { discs, without_symmetry, small: Some(small), ..Default::default() };
                let (all, found) = (search.run(&Run::new()).unwrap(), search.radius(&Run::new()).unwrap());
                let last = all.report.layers.last().unwrap();
                assert_eq!(found.depth, all.report.depth(), "{discs} discs, {small} small");
                assert_eq!((found.states, found.orbits), (last.states, last.orbits));
                assert_eq!(found.farthest, all.farthest);
                assert!((1..=found.blocks).contains(&found.counted));
            }
        }
    }
}
