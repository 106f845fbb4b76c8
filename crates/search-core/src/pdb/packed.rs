//! Entries of 2, 4 or 8 bits, packed in bytes.
//!
//! Entry `i` of a table with `8 / BITS` entries per byte lies in byte `i / (8 / BITS)`, the first
//! entry in the lowest bits. Built, loaded and borrowed tables share this code: the storage is
//! any type that gives access to its bytes.
//!
//! Entries are numbered in 64 bits: a table whose bytes have 32-bit addresses may have more entries than that.
//!
//! Values: with 4 and 8 bits, an entry is the value itself, and the greatest entry (15, 255) means
//! "not reached". With 2 bits, an entry is the value modulo 3, and 3 means "not reached"; the value
//! follows from a neighbour's, which differs by at most one, through [`recover`](Packed::recover) (Cooperman and
//! Finkelstein 1992, "New methods for using Cayley graphs in interconnection networks").

use crate::cast::to_u64;
use crate::memory::{Memory, MemoryError};
use crate::prefetch::prefetch;
use crate::run::Run;
use std::convert::Infallible;

/// A table whose entries are `BITS` wide: 2, 4 or 8.
#[derive(Clone, Copy, Debug)]
pub struct Packed<const BITS: u32, B> {
    bytes: B,
    len: u64,
}

/// The number of bytes is not what the entries need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{entries} entries of {bits} bits need {expected} bytes, not {got}")]
pub struct LengthError {
    /// The number of entries expected.
    pub entries: u64,
    /// The width of each.
    pub bits: u32,
    /// The number of bytes needed.
    pub expected: u64,
    /// The number of bytes given.
    pub got: u64,
}

/// The number of entries per piece of parallel work, for passes over the whole table.
const PIECE: usize = 1 << 16;

impl<const BITS: u32, B> Packed<BITS, B> {
    const PER_BYTE: u64 = {
        assert!(BITS == 2 || BITS == 4 || BITS == 8, "entries have 2, 4 or 8 bits");
        8 / BITS as u64
    };
    /// The greatest entry, all bits set: "not reached".
    pub const UNREACHED: u8 = (0xFF_u16 >> (8 - BITS)) as u8;

    /// The bytes that `entries` entries take.
    pub const fn bytes_for(entries: u64) -> u64 {
        entries.div_ceil(Self::PER_BYTE)
    }

    /// The number of entries.
    #[inline(always)]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The byte of entry `index`; for an index beyond all addresses, a byte that no table has.
    #[inline(always)]
    fn byte_of(index: u64) -> usize {
        usize::try_from(index / Self::PER_BYTE).unwrap_or(usize::MAX)
    }

    /// The storage.
    pub fn into_bytes(self) -> B {
        self.bytes
    }
}

impl<const BITS: u32, B: AsRef<[u8]>> Packed<BITS, B> {
    /// Reads `bytes` as `entries` entries.
    ///
    /// # Errors
    /// [`LengthError`] unless `bytes` has exactly the length that the entries need.
    pub fn new(bytes: B, entries: u64) -> Result<Self, LengthError> {
        let (expected, got) = (Self::bytes_for(entries), to_u64(bytes.as_ref().len()));
        if expected != got {
            return Err(LengthError { entries, bits: BITS, expected, got });
        }
        Ok(Packed { bytes, len: entries })
    }

    /// The same entries, borrowed, so that a loop over many entries finds the bytes directly.
    #[inline(always)]
    pub fn borrowed(&self) -> Packed<BITS, &[u8]> {
        Packed { bytes: self.bytes.as_ref(), len: self.len }
    }

    /// The bytes of the entries.
    #[inline(always)]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    /// Entry `index`.
    ///
    /// # Panics
    /// If `index` lies beyond the last byte.
    #[inline(always)]
    pub fn get(&self, index: u64) -> u8 {
        // Shifts of words are one instruction, those of bytes several.
        let shift = index as u32 % Self::PER_BYTE as u32 * BITS;
        (u32::from(self.bytes.as_ref()[Self::byte_of(index)]) >> shift) as u8 & Self::UNREACHED
    }

    /// Reads the entries from `first` on.
    ///
    /// # Panics
    /// As [`get`](Packed::get).
    #[inline(always)]
    pub(crate) fn read(&self, first: u64, values: &mut [u8]) {
        let whole = first.next_multiple_of(Self::PER_BYTE) - first;
        let (before, values) = values.split_at_mut(values.len().min(whole as usize));
        (first..).zip(before).for_each(|(index, value)| *value = self.get(index));
        if !values.is_empty() {
            let bytes = &self.bytes.as_ref()[Self::byte_of(first + whole)..];
            let bytes = &bytes[..values.len().div_ceil(Self::PER_BYTE as usize)];
            for (&byte, values) in bytes.iter().zip(values.chunks_mut(Self::PER_BYTE as usize)) {
                for (at, value) in values.iter_mut().enumerate() {
                    *value = byte >> (at as u32 * BITS) & Self::UNREACHED;
                }
            }
        }
    }

    /// Asks the processor to fetch the line of entry `index`. Any index is allowed.
    #[inline(always)]
    pub fn prefetch(&self, index: u64) {
        prefetch(self.bytes.as_ref().as_ptr().wrapping_add(Self::byte_of(index)));
    }

    /// The entries in order.
    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        (0..self.len).map(|index| self.get(index))
    }

    /// Converts the table to entries of another width. `change` converts each entry except "not reached", which becomes
    /// that of the new width. Runs in parallel.
    ///
    /// # Errors
    /// [`MemoryError`] when there is not enough memory for the new table.
    ///
    /// # Panics
    /// If `change` gives a value that the new width cannot hold or that means "not reached" there.
    pub fn repack<const TO: u32>(
        &self,
        change: impl Fn(u8) -> u8 + Sync,
        run: &Run<'_>,
    ) -> Result<Packed<TO, Memory>, MemoryError>
    where
        B: Sync,
    {
        let per_byte = Packed::<TO, Memory>::PER_BYTE;
        let unreached = Packed::<TO, Memory>::UNREACHED;
        let map: Vec<Option<u8>> = (0..=Self::UNREACHED)
            .map(|value| {
                if value == Self::UNREACHED {
                    Some(unreached)
                } else {
                    Some(change(value)).filter(|&v| v < unreached)
                }
            })
            .collect();
        let bytes = usize::try_from(Packed::<TO, Memory>::bytes_for(self.len));
        let mut bytes = Memory::zeroed(bytes.unwrap_or(usize::MAX))?;
        let repack = |piece: usize, out: &mut [u8]| {
            for (at, byte) in out.iter_mut().enumerate() {
                let first = to_u64(piece * PIECE + at) * per_byte;
                for index in first..self.len.min(first + per_byte) {
                    let value = self.get(index);
                    let value_to = map[usize::from(value)]
                        .unwrap_or_else(|| panic!("value {value} does not fit in {TO} bits"));
                    *byte |= value_to << ((index - first) * u64::from(TO));
                }
            }
            Ok::<(), Infallible>(())
        };
        let Ok(()) = run.try_for_each_chunk(&mut bytes, PIECE, &repack);
        Ok(Packed { bytes, len: self.len })
    }
}

impl Packed<2, ()> {
    /// The value that is `residue` modulo 3 and differs from `near` by at most one. `near` is the
    /// exact value of a neighbour in an undirected space, and `residue` an entry other than
    /// "not reached". (For inconsistent input the result is some value within one of `near`, at least 0.)
    #[inline(always)]
    pub fn recover(near: u8, residue: u8) -> u8 {
        // (residue - near) modulo 3 is 0, 1 or 2, and 2 stands for -1.
        match (residue + 3 - near % 3) % 3 {
            0 => near,
            1 => near.saturating_add(1),
            _ => near.saturating_sub(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn entries_are_packed_from_the_lowest_bits() {
        let bytes = [0b11_10_01_00, 0xA5];
        let crumbs = Packed::<2, _>::new(&bytes, 8).unwrap();
        assert_eq!(crumbs.iter().collect::<Vec<_>>(), [0, 1, 2, 3, 1, 1, 2, 2]);
        let nibbles = Packed::<4, _>::new(&bytes, 3).unwrap();
        assert_eq!(nibbles.iter().collect::<Vec<_>>(), [4, 14, 5]);
        let whole = Packed::<8, _>::new(&bytes, 2).unwrap();
        assert_eq!(whole.iter().collect::<Vec<_>>(), [0xE4, 0xA5]);
        whole.prefetch(0);
        whole.prefetch(u64::MAX);
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn entries_beyond_32_bits_are_found() {
        // The system allocates pages only for bytes that are written.
        let entries = 3 << 31;
        let mut bytes = Memory::zeroed(Packed::<2, Memory>::bytes_for(entries) as usize).unwrap();
        let written = [(7, 2), (1 << 32 | 7, 1), (entries - 1, 3)];
        for (index, value) in written {
            bytes[(index / 4) as usize] |= value << (index % 4 * 2);
        }
        let table = Packed::<2, _>::new(bytes, entries).unwrap();
        assert_eq!(table.len(), entries);
        assert_eq!(written.map(|(index, _)| table.get(index)), written.map(|(_, value)| value));
        assert_eq!([6, 8, 1 << 32 | 6].map(|index| table.get(index)), [0; 3]);
    }

    #[test]
    #[should_panic(expected = "out of bounds")]
    fn an_entry_beyond_the_last_is_refused() {
        // The low half of the index is that of an existing entry.
        Packed::<2, _>::new([0u8; 4], 16).unwrap().get(4 << 32 | 3);
    }

    #[test]
    fn entries_are_read_from_any_place() {
        let bytes: Vec<u8> = (0..20u8).map(|at| at.wrapping_mul(37)).collect();
        fn check<const BITS: u32>(bytes: &[u8]) {
            let table = Packed::<BITS, _>::new(bytes, bytes.len() as u64 * 8 / u64::from(BITS)).unwrap();
            let all: Vec<u8> = table.iter().collect();
            for first in 0..all.len() {
                for length in [0, 1, 2, 3, 5, 8].into_iter().filter(|length| first + length <= all.len()) {
                    let mut values = vec![0; length];
                    table.read(first as u64, &mut values);
                    assert_eq!(values, all[first..first + length]);
                }
            }
        }
        check::<2>(&bytes);
        check::<4>(&bytes);
        check::<8>(&bytes);
    }

    #[test]
    fn a_wrong_length_is_named() {
        let error = Packed::<4, _>::new([0u8; 3], 7).unwrap_err();
        assert_eq!(error, LengthError { entries: 7, bits: 4, expected: 4, got: 3 });
    }

    #[test]
    fn values_are_recovered_from_residues_and_a_neighbour() {
        for near in 0..=254u8 {
            for value in near.saturating_sub(1)..=near + 1 {
                assert_eq!(Packed::<2, ()>::recover(near, value % 3), value);
            }
        }
    }

    proptest! {
        #[test]
        fn repacking_keeps_every_entry(values in prop::collection::vec(0..=15u8, 0..500)) {
            let wide = Packed::<8, _>::new(values.iter().map(|&v| if v == 15 { 255 } else { v }).collect::<Vec<_>>(), values.len() as u64).unwrap();
            let narrow = wide.repack::<4>(|v| v, &Run::new()).unwrap();
            prop_assert_eq!(narrow.iter().collect::<Vec<_>>(), values.clone());
            let back = narrow.repack::<8>(|v| v, &Run::new()).unwrap();
            prop_assert_eq!(back.as_bytes(), wide.as_bytes());
            let residues = narrow.repack::<2>(|v| v % 3, &Run::new()).unwrap();
            let expected: Vec<u8> = values.iter().map(|&v| if v == 15 { 3 } else { v % 3 }).collect();
            prop_assert_eq!(residues.iter().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    #[should_panic(expected = "does not fit")]
    fn repacking_refuses_values_that_do_not_fit() {
        let _ = Packed::<8, _>::new([15u8], 1).unwrap().repack::<4>(|v| v, &Run::new());
    }
}
