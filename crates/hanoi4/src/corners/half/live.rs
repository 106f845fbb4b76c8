//! The times of the blocks that matter at a time, in slots that are used again.

use crate::error::SearchError;
use crate::model::to_u32;
use search_core::memory::Memory;

/// The live blocks whose times are allocated together.
pub(super) const SEGMENT: usize = 64;

/// The slot of a block that is not live, and the block of a slot that is free.
pub(super) const NONE: u32 = u32::MAX;

/// The times of the live blocks, by slots.
#[derive(Debug)]
pub(super) struct Live {
    pub(super) stride: usize,
    pub(super) bounds: usize,
    /// For each segment of slots, a row of times for each slot, relative to the first.
    pub(super) times: Vec<Memory>,
    /// For each segment of slots, the earliest time of each line that has not been processed.
    pub(super) pending: Vec<Memory>,
    /// For each slot, its block, the time at which it is first reached, and the earliest time that has not been
    /// processed.
    pub(super) ids: Vec<u32>,
    pub(super) first: Vec<u32>,
    pub(super) next: Vec<u32>,
    free: Vec<u32>,
}

impl Live {
    /// No slots, for rows of `stride` times with `bounds` bounds.
    pub(super) fn new(stride: usize, bounds: usize) -> Live {
        let (times, pending) = (Vec::new(), Vec::new());
        Live { stride, bounds, times, pending, ids: vec![], first: vec![], next: vec![], free: vec![] }
    }

    /// The number of live blocks.
    pub(super) fn count(&self) -> usize {
        self.ids.len() - self.free.len()
    }

    /// A slot for block `id`, not reached yet. There must be a free one.
    pub(super) fn take(&mut self, id: u32) -> u32 {
        let slot = self.free.pop().expect("a free slot");
        let (segment, place) = (slot as usize / SEGMENT, slot as usize % SEGMENT);
        self.times[segment][place * self.stride..][..self.stride].fill(u8::MAX);
        self.pending[segment][place * self.bounds..][..self.bounds].fill(u8::MAX);
        self.ids[slot as usize] = id;
        slot
    }

    /// Frees a slot.
    pub(super) fn end(&mut self, slot: u32) {
        for list in [&mut self.ids, &mut self.first, &mut self.next] {
            list[slot as usize] = NONE;
        }
        self.free.push(slot);
    }

    /// Makes the first slots those of blocks `ids`, which are first reached at the times `first`; the others are free.
    pub(super) fn fill(&mut self, ids: &[u32], first: &[u32]) {
        for list in [&mut self.ids, &mut self.first, &mut self.next] {
            list.fill(NONE);
        }
        self.ids[..ids.len()].copy_from_slice(ids);
        self.first[..ids.len()].copy_from_slice(first);
        self.free = (ids.len()..self.ids.len()).rev().map(to_u32).collect();
    }

    /// Adds a segment of free slots.
    pub(super) fn grow(&mut self) -> Result<(), SearchError> {
        let (times, pending) = (SEGMENT * self.stride, SEGMENT * self.bounds);
        let (times, pending) = (Memory::zeroed(times)?, Memory::zeroed(pending)?);
        self.times.push(times);
        self.pending.push(pending);
        let from = self.ids.len();
        for list in [&mut self.ids, &mut self.first, &mut self.next] {
            list.resize(from + SEGMENT, NONE);
        }
        self.free.extend((from..from + SEGMENT).rev().map(to_u32));
        Ok(())
    }

    /// The times of the block in a slot.
    #[inline(always)]
    pub(super) fn times_of(&self, slot: u32) -> &[u8] {
        let slot = slot as usize;
        &self.times[slot / SEGMENT][slot % SEGMENT * self.stride..][..self.stride]
    }
}
