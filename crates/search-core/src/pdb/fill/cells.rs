//! Entries that many threads lower at once.
//!
//! Invariant: an entry goes from "not reached" (all bits set) to a value at most once, and all who
//! set it in one pass set the same value. Setting is an atomic AND with the value, which leaves the
//! other entries of the byte alone and can be repeated: so no lock, no lost update, and exactly one
//! of those who set an entry sees it unreached before.

use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;

use crate::pdb::packed::prefetch;

/// A table of entries of `BITS` bits (4 or 8) that threads share while it is filled.
#[derive(Clone, Copy)]
pub(super) struct Cells<'a, const BITS: u32> {
    bytes: &'a [AtomicU8],
}

impl<'a, const BITS: u32> Cells<'a, BITS> {
    /// The entry that says "not reached".
    pub(super) const UNREACHED: u8 = if BITS == 4 { 15 } else { 255 };

    /// Sets all bytes to "not reached" and shares them.
    pub(super) fn unreached(bytes: &'a mut [u8]) -> Cells<'a, BITS> {
        bytes.par_chunks_mut(1 << 20).for_each(|chunk| chunk.fill(0xFF));
        let (start, len) = (bytes.as_mut_ptr().cast::<AtomicU8>().cast_const(), bytes.len());
        // SAFETY: `AtomicU8` has the size, alignment and validity of `u8`. The bytes are borrowed
        // mutably for 'a, so for 'a nobody reaches them except through this shared slice.
        let bytes = unsafe { std::slice::from_raw_parts(start, len) };
        Cells { bytes }
    }

    #[inline(always)]
    pub(super) fn get(self, index: usize) -> u8 {
        if BITS == 4 {
            self.bytes[index / 2].load(Ordering::Relaxed) >> (index % 2 * 4) & 15
        } else {
            self.bytes[index].load(Ordering::Relaxed)
        }
    }

    /// Sets an entry that is unreached, or holds `value` already. Whether it was unreached.
    #[inline(always)]
    pub(super) fn lower(self, index: usize, value: u8) -> bool {
        if BITS == 4 {
            let shift = index % 2 * 4;
            let keep = !(15 << shift) | value << shift;
            self.bytes[index / 2].fetch_and(keep, Ordering::Relaxed) >> shift & 15 == Self::UNREACHED
        } else {
            self.bytes[index].fetch_and(value, Ordering::Relaxed) == Self::UNREACHED
        }
    }

    /// Writes to `found` the columns, from 0, of the `columns` entries from `first` on that hold
    /// `value`.
    #[inline(always)]
    pub(super) fn find(self, first: usize, columns: usize, value: u8, found: &mut Vec<u16>) {
        found.clear();
        if BITS == 8 {
            let row = &self.bytes[first..first + columns];
            found.extend(
                (0..=u16::MAX).zip(row).filter(|(_, b)| b.load(Ordering::Relaxed) == value).map(|(c, _)| c),
            );
            return;
        }
        // An odd first entry is the upper half of its byte; then whole bytes, then a lower half.
        let odd = first % 2;
        if odd == 1 && self.get(first) == value {
            found.push(0);
        }
        let pairs = (columns - odd) / 2;
        let from = (first + odd) / 2;
        let mut column = odd as u16;
        for byte in &self.bytes[from..from + pairs] {
            let byte = byte.load(Ordering::Relaxed);
            if byte & 15 == value {
                found.push(column);
            }
            if byte >> 4 == value {
                found.push(column + 1);
            }
            column = column.wrapping_add(2);
        }
        let seen = odd + 2 * pairs;
        if seen < columns && self.get(first + seen) == value {
            found.push(seen as u16);
        }
    }

    #[inline(always)]
    pub(super) fn prefetch(self, index: usize) {
        let byte = if BITS == 4 { index / 2 } else { index };
        prefetch(self.bytes.as_ptr().cast::<u8>().wrapping_add(byte));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_find<const BITS: u32>() {
        let entries = 67;
        let mut bytes = vec![0; entries * BITS as usize / 8 + 1];
        let cells = Cells::<BITS>::unreached(&mut bytes);
        for index in (0..entries).filter(|i| i % 3 == 0 || i % 7 == 2) {
            assert!(cells.lower(index, 5));
            assert!(!cells.lower(index, 5));
        }
        let mut found = Vec::new();
        for first in 0..12 {
            for columns in 1..(entries - first) {
                for value in [5, Cells::<BITS>::UNREACHED, 3] {
                    cells.find(first, columns, value, &mut found);
                    let plain = (0..columns).filter(|c| cells.get(first + c) == value).map(|c| c as u16);
                    assert_eq!(found, plain.collect::<Vec<_>>());
                }
            }
        }
    }

    #[test]
    fn find_equals_a_plain_loop_at_every_offset() {
        check_find::<4>();
        check_find::<8>();
    }
}
