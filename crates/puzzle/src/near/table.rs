//! The hash table of the positions near the solved one.
//!
//! A slot has two bytes: twelve bits of the hash and the distance plus one; 0 for an empty slot. A position belongs in the
//! slot that other bits of its hash name, or, if that is taken, in the next empty one after it in the same region of the table.
//!
//! Invariant: positions are inserted in the order of their distances. An insertion looks at the slots from the position's own
//! on, and ends at the first that is empty, which it takes, or that has the same twelve bits, which then has at most the same
//! distance. A lookup goes the same way. It ends at or before the slot where the insertion ended: slots before that were
//! taken by then, so they have at most the same distance too. So it reads no more than the position's distance, whatever the
//! hashes are; and if it meets an empty slot, the position was never inserted.
//!
//! Cost: linear probing at a load of at most 70% (Knuth, The Art of Computer Programming 3, section 6.4), about two slots. A
//! region fits the second cache, so that hashes sorted by their regions are inserted without waiting for memory.

use search_core::memory::{Memory, MemoryError};
use search_core::prefetch::prefetch;

/// The most slots of a region, as a power of two: a megabyte.
const REGION_BITS: u32 = 19;
/// The bytes of a slot.
pub(super) const SLOT: usize = 2;
/// The maximum distance.
pub(super) const MOST_DEPTH: u8 = 14;
/// The bits of the hash that are stored.
const TAG: u16 = 0xFFF0;

/// A hash table of all positions up to a distance.
#[derive(Debug)]
pub struct Near {
    entries: Memory,
    shape: Shape,
    pub(super) depth: u8,
    /// The number of strings of moves of each length that were enumerated.
    pub(super) strings: Vec<u64>,
}

/// The division of hashes among slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// The number of slots, as a power of two.
    bits: u32,
}

impl Shape {
    /// A table with room for this many positions.
    pub(super) fn of(positions: u64) -> Shape {
        let slots = (positions.saturating_mul(10) / 7).max(1 << 10).checked_next_power_of_two();
        Shape { bits: slots.map_or(63, u64::trailing_zeros) }
    }

    pub(super) fn doubled(self) -> Shape {
        Shape { bits: self.bits + 1 }
    }

    pub(super) fn bytes(self) -> u64 {
        (SLOT as u64) << self.bits.min(62)
    }

    fn region_bits(self) -> u32 {
        self.bits.min(REGION_BITS)
    }

    /// The bytes of a region.
    pub(super) fn region_bytes(self) -> usize {
        SLOT << self.region_bits()
    }

    /// The number of regions.
    pub(super) fn regions(self) -> usize {
        1 << (self.bits - self.region_bits())
    }

    /// The number of the region of a hash.
    #[inline(always)]
    pub(super) fn region(self, hash: u64) -> usize {
        self.slot(hash) >> self.region_bits()
    }

    #[inline(always)]
    fn slot(self, hash: u64) -> usize {
        (hash >> (64 - self.bits)) as usize
    }

    /// The slot after another in its region.
    #[inline(always)]
    fn next(self, slot: usize) -> usize {
        let within = (1 << self.region_bits()) - 1;
        slot & !within | (slot + 1) & within
    }
}

/// The bits of a hash that its slot has.
#[inline(always)]
fn tag(hash: u64) -> u16 {
    // Truncation chooses the low bits, which are not those of the slot's number.
    hash as u16 & TAG
}

/// A region of a table that is filled.
pub(super) struct Region<'a> {
    shape: Shape,
    slots: &'a mut [[u8; SLOT]],
    /// The slots that may still be taken.
    left: usize,
}

impl<'a> Region<'a> {
    /// A region from its bytes, of which `used` slots are taken.
    pub(super) fn new(shape: Shape, bytes: &'a mut [u8], used: usize) -> Region<'a> {
        let (slots, _) = bytes.as_chunks_mut();
        // Short chains need empty slots.
        let most = slots.len() - slots.len() / 8;
        Region { shape, slots, left: most.saturating_sub(used) }
    }

    /// Inserts a position of this distance; the region's slots have at most the same. Returns whether a slot was taken; `None` if
    /// the region is full.
    #[inline(always)]
    pub(super) fn insert(&mut self, hash: u64, distance: u8) -> Option<bool> {
        let within = self.slots.len() - 1;
        let mut slot = self.shape.slot(hash) & within;
        loop {
            let entry = u16::from_le_bytes(self.slots[slot]);
            if entry == 0 {
                self.left = self.left.checked_sub(1)?;
                self.slots[slot] = (tag(hash) | u16::from(distance + 1)).to_le_bytes();
                return Some(true);
            }
            if entry & TAG == tag(hash) {
                return Some(false);
            }
            slot = (slot + 1) & within;
        }
    }
}

impl Near {
    pub(super) fn empty(shape: Shape) -> Result<Near, MemoryError> {
        let bytes = usize::try_from(shape.bytes()).unwrap_or(usize::MAX);
        Ok(Near { entries: Memory::zeroed(bytes)?, shape, depth: 0, strings: Vec::new() })
    }

    pub(super) fn entries_mut(&mut self) -> &mut [u8] {
        &mut self.entries
    }

    /// The distance of the farthest positions that are in the table.
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// The number of strings of moves of each length, up to the depth, that were enumerated.
    pub fn strings(&self) -> &[u64] {
        &self.strings
    }

    /// The bytes of the table.
    pub fn bytes(&self) -> u64 {
        self.shape.bytes()
    }

    /// Asks the processor to fetch the slot of a hash.
    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        prefetch(self.entries.as_ptr().wrapping_add(SLOT * self.shape.slot(hash)));
    }

    /// A lower bound on the distance of the position of this hash: the depth plus one if it is not in the table.
    #[inline(always)]
    pub fn get(&self, hash: u64) -> u8 {
        let (slots, _) = self.entries.as_chunks::<SLOT>();
        let mut slot = self.shape.slot(hash);
        loop {
            let entry = u16::from_le_bytes(slots[slot]);
            if entry == 0 {
                return self.depth + 1;
            }
            if entry & TAG == tag(hash) {
                // The low four bits are not zero in a slot that is taken.
                return (entry & !TAG) as u8 - 1;
            }
            slot = self.shape.next(slot);
        }
    }
}
