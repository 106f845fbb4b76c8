//! Table entries that many threads set at once.
//!
//! Invariant: an entry changes from "not reached" (all bits set) to a value at most once, and all
//! threads that set it in one pass set the same value. So readers may read at any time.
//!
//! Two ways to write, because an atomic read-modify-write costs as much as a dozen plain ones and
//! makes all later reads wait:
//! - bytes that only one thread may write at the moment (a [`Claim`]): read, change, write;
//! - bytes that others may also write: an atomic AND with the value, which leaves the byte's other entry alone and may
//!   be repeated.
//!
//! During one pass a byte is always written in the first way or always in the second: see
//! [`Claim::inside`].

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::pdb::packed::Packed;
use crate::prefetch::prefetch;
use crate::progress::Cancelled;
use crate::run::Run;

use super::list::List;

/// A table of entries of `BITS` bits (2, 4 or 8) that threads share while it is filled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells<'a, const BITS: u32> {
    bytes: &'a [AtomicU8],
}

/// The right to write some bytes that no other thread writes meanwhile.
pub(super) struct Claim {
    /// The bytes that contain only claimed entries. Bytes at the border, which also contain an entry of another claim,
    /// are not inside.
    inside: Range<usize>,
}

impl Claim {
    /// A claim to no byte.
    pub(super) const NONE: Claim = Claim { inside: 0..0 };
}

impl<'a, const BITS: u32> Cells<'a, BITS> {
    /// The entry that means "not reached".
    pub(super) const UNREACHED: u8 = Packed::<BITS, ()>::UNREACHED;
    const PER_BYTE: usize = 8 / BITS as usize;

    /// Sets all bytes to "not reached" and shares them.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(super) fn unreached(bytes: &'a mut [u8], run: &Run<'_>) -> Result<Cells<'a, BITS>, Cancelled> {
        run.try_for_each_chunk(bytes, 1 << 20, &|_, chunk| {
            run.check()?;
            chunk.fill(0xFF);
            Ok(())
        })?;
        let (start, len) = (bytes.as_mut_ptr().cast::<AtomicU8>().cast_const(), bytes.len());
        // SAFETY: `AtomicU8` has the size, alignment and validity of `u8`. The bytes are borrowed
        // mutably for 'a, so for 'a nothing reaches them except through this shared slice.
        let bytes = unsafe { std::slice::from_raw_parts(start, len) };
        Ok(Cells { bytes })
    }

    #[inline(always)]
    pub(super) fn get(self, index: usize) -> u8 {
        let byte = self.bytes[index / Self::PER_BYTE].load(Ordering::Relaxed);
        byte >> Self::shift(index) & Self::UNREACHED
    }

    #[inline(always)]
    fn shift(index: usize) -> usize {
        index % Self::PER_BYTE * BITS as usize
    }

    #[inline(always)]
    pub(super) fn is_unreached(self, index: usize) -> bool {
        self.get(index) == Self::UNREACHED
    }

    /// The claim to `entries`. The caller guarantees that no other thread writes them meanwhile.
    pub(super) fn claim(self, entries: Range<usize>) -> Claim {
        Claim { inside: entries.start.div_ceil(Self::PER_BYTE)..entries.end / Self::PER_BYTE }
    }

    /// Sets an entry that is unreached or holds `value` already. Returns whether it was unreached: true
    /// for exactly one of the threads that set it.
    #[inline(always)]
    pub(super) fn lower(self, claim: &Claim, index: usize, value: u8) -> bool {
        let at = index / Self::PER_BYTE;
        let shift = Self::shift(index);
        let keep = !(Self::UNREACHED << shift) | value << shift;
        let byte = &self.bytes[at];
        let before = if claim.inside.contains(&at) {
            let before = byte.load(Ordering::Relaxed);
            byte.store(before & keep, Ordering::Relaxed);
            before
        } else {
            byte.fetch_and(keep, Ordering::Relaxed)
        };
        before >> shift & Self::UNREACHED == Self::UNREACHED
    }

    /// Writes to `found` the columns, from 0, of the `columns` entries from `first` on that hold
    /// `value`.
    #[inline(always)]
    pub(super) fn find(self, first: usize, columns: usize, value: u8, found: &mut List) {
        if BITS == 2 {
            let row = (0..=u16::MAX).zip(first..first + columns);
            found.rewrite(|list| row.for_each(|(at, entry)| list.push_if(at, self.get(entry) == value)));
            return;
        }
        if BITS == 8 {
            let row = (0..=u16::MAX).zip(&self.bytes[first..first + columns]);
            found.rewrite(|list| {
                row.for_each(|(at, byte)| list.push_if(at, byte.load(Ordering::Relaxed) == value))
            });
            return;
        }
        // An odd first entry is the upper half of its byte; whole bytes follow, then a lower half.
        let odd = first % 2;
        let pairs = (columns - odd) / 2;
        let seen = odd + 2 * pairs;
        let whole = &self.bytes[first.div_ceil(2)..first.div_ceil(2) + pairs];
        found.rewrite(|list| {
            if odd == 1 {
                list.push_if(0, self.get(first) == value);
            }
            for (pair, byte) in whole.iter().enumerate() {
                let (column, byte) = ((odd + 2 * pair) as u16, byte.load(Ordering::Relaxed));
                list.push_if(column, byte & 15 == value);
                list.push_if(column + 1, byte >> 4 == value);
            }
            if seen < columns {
                list.push_if(seen as u16, self.get(first + seen) == value);
            }
        });
    }

    /// Asks the processor to fetch the line of entry `index`. Any index is allowed.
    #[inline(always)]
    pub(super) fn prefetch(self, index: usize) {
        prefetch(self.bytes.as_ptr().cast::<u8>().wrapping_add(index / Self::PER_BYTE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const BITS: u32>() {
        // Miri is a thousand times slower.
        let entries = if cfg!(miri) { 21 } else { 67 };
        let mut bytes = vec![0; entries * BITS as usize / 8 + 1];
        let cells = Cells::<BITS>::unreached(&mut bytes, &Run::new()).expect("not cancelled");
        let (claim, lowered) = (cells.claim(5..20), if BITS == 2 { 1 } else { 5 });
        for index in (0..entries).filter(|i| i % 3 == 0 || i % 7 == 2) {
            assert!(cells.is_unreached(index));
            assert!(cells.lower(&claim, index, lowered));
            assert!(!cells.lower(&claim, index, lowered));
        }
        let mut found = List::new(entries);
        for first in 0..12 {
            for columns in 1..(entries - first) {
                for value in [lowered, Cells::<BITS>::UNREACHED, 2] {
                    cells.find(first, columns, value, &mut found);
                    let plain = (0..columns).filter(|c| cells.get(first + c) == value).map(|c| c as u16);
                    assert_eq!(found.as_slice(), plain.collect::<Vec<_>>());
                }
            }
        }
    }

    #[test]
    fn entries_are_lowered_and_found_at_every_offset() {
        check::<2>();
        check::<4>();
        check::<8>();
    }

    #[test]
    fn a_claim_contains_only_whole_bytes() {
        let mut bytes = [0; 8];
        let cells = Cells::<4>::unreached(&mut bytes, &Run::new()).expect("not cancelled");
        assert_eq!(cells.claim(2..6).inside, 1..3);
        assert_eq!(cells.claim(3..7).inside, 2..3);
        assert!(cells.claim(3..4).inside.is_empty());
    }
}
