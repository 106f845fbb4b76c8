//! The state of a search under a threshold, as checkpoints contain it.
//!
//! The idea: the file has the configurations of the blocks in the order of their numbers, then the blocks of the live
//! slots, the times at which these are first reached, and their rows of times. The other data follow from these: the
//! earliest times that have not been processed are those of the row from the current time on; bounds and stabilisers are
//! those of the configurations.
//!
//! Why links need not be saved: a link leads to the block with one configuration, if that block was added. A block is
//! refused at a time if no path through it can be within the threshold from then on, so it is refused at every later time
//! too. So each link is resolved to the same block again, or is closed again.
//!
//! Invariant: the state at `now` has the times of all corners that were entered up to `now`, and none of the current time
//! has been processed, but the blocks that these lead to have been added. A step that fails changes neither times nor
//! blocks, so the state can be saved then too, and a file of the same time has the same state.
//!
//! Cost: 8 bytes for each block, and the times of each live one. A block that is loaded may get another slot, and later
//! blocks other numbers, which changes no count.

use super::live::{NONE, SEGMENT};
use super::{Nearest, Search, file_bytes};
use crate::corners::known::{DONE, earliest};
use crate::corners::saved::TimedSearch;
use crate::corners::time::Time;
use crate::error::SearchError;
use crate::model::{State, to_u32};
use rayon::prelude::*;
use search_core::Run;
use search_core::storage::IoError;
use serde::{Deserialize, Serialize};

/// The sizes of a state, and the counts so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Counts {
    blocks: u32,
    live: u32,
    most_live: u64,
    entered: u64,
    bytes: u64,
}

impl Search<'_> {
    /// The counts so far.
    pub(super) fn counts(&self) -> Counts {
        let Nearest { live: most_live, entered, bytes, .. } = self.nearest;
        let (blocks, live) = (to_u32(self.blocks.count()), to_u32(self.live.count()));
        Counts { blocks, live, most_live, entered, bytes }
    }

    /// Determines the times of the live blocks that have not been processed, and when each block is processed next.
    fn find_pending(&mut self) {
        let (rows, now, bounds) = (&self.rows, self.now, self.live.bounds);
        let live = &mut self.live;
        let marks = live.first.par_chunks(SEGMENT).zip(live.next.par_chunks_mut(SEGMENT));
        live.times.par_iter().zip(&mut live.pending).zip(marks).for_each(
            |((times, pending), (first, next))| {
                let rows_of = times.chunks_exact(rows.stride()).zip(pending.chunks_exact_mut(bounds));
                for ((times, pending), (&first, next)) in rows_of.zip(first.iter().zip(next)) {
                    if first == NONE {
                        continue;
                    }
                    pending.fill(u8::MAX);
                    // No time is after the greatest one.
                    match (now - first).checked_sub(1).map(u8::of) {
                        None => rows.later(times, None, pending),
                        Some(Some(passed)) => rows.later(times, Some(passed), pending),
                        Some(None) => {}
                    }
                    *next = earliest(pending, first, 1);
                }
            },
        );
    }
}

impl TimedSearch for Search<'_> {
    type Counts = Counts;

    fn small(&self) -> u32 {
        self.ask.small
    }

    fn now(&self) -> u32 {
        self.now
    }

    fn bytes(&self, counts: &Counts) -> u64 {
        file_bytes(self.ask.small, counts.live.into(), counts.blocks.into())
    }

    fn write(&self, write: &mut dyn FnMut(&[u8]) -> Result<(), IoError>) -> Result<(), IoError> {
        let live = &self.live;
        let slots: Vec<usize> = (0..live.ids.len()).filter(|&slot| live.ids[slot] != NONE).collect();
        write(bytemuck::cast_slice(self.blocks.codes()))?;
        for list in [&live.ids, &live.first] {
            let of_slots: Vec<u32> = slots.iter().map(|&slot| list[slot]).collect();
            write(bytemuck::cast_slice(&of_slots))?;
        }
        let is_adjacent = |a: &usize, b: &usize| a + 1 == *b && a / SEGMENT == b / SEGMENT;
        slots.chunk_by(is_adjacent).try_for_each(|slots| {
            let (segment, place) = (slots[0] / SEGMENT, slots[0] % SEGMENT);
            write(&live.times[segment][place * live.stride..][..slots.len() * live.stride])
        })
    }

    fn read(
        &mut self,
        counts: &Counts,
        run: &Run<'_>,
        read: &mut dyn FnMut(&mut [u8]) -> Result<(), SearchError>,
    ) -> Result<(), SearchError> {
        let (blocks, live) = (counts.blocks as usize, counts.live as usize);
        self.nearest = Nearest {
            live: counts.most_live,
            entered: counts.entered,
            bytes: counts.bytes,
            ..Nearest::default()
        };
        self.codes = vec![0; blocks];
        read(bytemuck::cast_slice_mut(&mut self.codes))?;
        let [mut ids, mut first] = [vec![0u32; live], vec![0u32; live]];
        read(bytemuck::cast_slice_mut(&mut ids))?;
        read(bytemuck::cast_slice_mut(&mut first))?;
        self.allocate(live, blocks, run)?;
        let stride = self.live.stride;
        for (segment, ids) in self.live.times.iter_mut().zip(ids.chunks(SEGMENT)) {
            read(&mut segment[..ids.len() * stride])?;
        }
        self.live.fill(&ids, &first);
        Ok(())
    }

    fn resume_at(&mut self, now: u32) -> bool {
        self.now = now;
        let codes = std::mem::take(&mut self.codes);
        codes.iter().for_each(|&code| _ = self.blocks.find_or_add(State::from_code(code)));
        let live = self.live.ids.iter().filter(|&&id| id != NONE);
        let is_known = |id: u32| (id as usize) < codes.len();
        let is_reached = |&first: &u32| first == DONE || first <= now;
        if self.blocks.count() < codes.len()
            || now > self.ask.threshold
            || !live.copied().all(is_known)
            || !self.live.first.iter().all(is_reached)
        {
            return false;
        }
        self.add_blocks();
        for (slot, &id) in (0..).zip(&self.live.ids).filter(|&(_, &id)| id != NONE) {
            self.slots[id as usize] = slot;
        }
        self.find_pending();
        self.resolve();
        true
    }
}
