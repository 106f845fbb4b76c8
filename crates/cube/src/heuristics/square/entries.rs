//! The entries of half-turn cosets: one table, or two halves of one.
//!
//! With 32-bit addresses an allocation is at most 2 GiB, although memory may have 4. There a table between the two sizes
//! has two halves, and each read first selects one of them, without a branch. Entries are ordered by class, and each
//! half has the entries of consecutive classes ([`Half`](crate::pdb::square::Half)).

use crate::tables::Crumbs;
use search_core::pdb::Packed;
use std::sync::Arc;

/// Entries of two bits.
pub(crate) trait Entries: Clone + Send + Sync + 'static {
    /// The same entries, borrowed.
    type Borrowed<'e>: Reads;

    /// The number of entries.
    fn count(&self) -> u64;

    /// The same entries, borrowed, so that a loop over many entries finds the bytes directly.
    fn borrowed(&self) -> Self::Borrowed<'_>;
}

/// Read access to entries.
pub(crate) trait Reads: Copy {
    /// Returns an entry.
    ///
    /// # Panics
    /// If it is beyond the last byte.
    fn get(self, entry: u64) -> u8;

    /// Asks the processor to fetch the line of an entry.
    fn prefetch(self, entry: u64);
}

impl Entries for Arc<Crumbs> {
    type Borrowed<'e> = Packed<2, &'e [u8]>;

    fn count(&self) -> u64 {
        self.len()
    }

    #[inline(always)]
    fn borrowed(&self) -> Packed<2, &[u8]> {
        Packed::borrowed(self)
    }
}

impl Reads for Packed<2, &[u8]> {
    #[inline(always)]
    fn get(self, entry: u64) -> u8 {
        Packed::get(&self, entry)
    }

    #[inline(always)]
    fn prefetch(self, entry: u64) {
        Packed::prefetch(&self, entry);
    }
}

/// Two halves of a table, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Halves([Arc<Crumbs>; 2]);

impl Halves {
    /// The table of these halves, in order.
    pub(crate) fn new(halves: [Arc<Crumbs>; 2]) -> Halves {
        Halves(halves)
    }
}

/// Two halves, borrowed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BorrowedHalves<'e>([Packed<2, &'e [u8]>; 2]);

impl Entries for Halves {
    type Borrowed<'e> = BorrowedHalves<'e>;

    fn count(&self) -> u64 {
        self.0.iter().map(|half| half.len()).sum()
    }

    #[inline(always)]
    fn borrowed(&self) -> BorrowedHalves<'_> {
        let [first, second] = &self.0;
        BorrowedHalves([Packed::borrowed(first), Packed::borrowed(second)])
    }
}

impl<'e> BorrowedHalves<'e> {
    /// The half that has an entry, and the number of the entry there.
    #[inline(always)]
    fn half(self, entry: u64) -> (Packed<2, &'e [u8]>, u64) {
        let [first, second] = self.0;
        match entry.checked_sub(first.len()) {
            None => (first, entry),
            Some(entry) => (second, entry),
        }
    }
}

impl Reads for BorrowedHalves<'_> {
    #[inline(always)]
    fn get(self, entry: u64) -> u8 {
        let (half, entry) = self.half(entry);
        half.get(entry)
    }

    #[inline(always)]
    fn prefetch(self, entry: u64) {
        let (half, entry) = self.half(entry);
        half.prefetch(entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::memory::Memory;

    #[test]
    fn halves_read_as_one_table() {
        let bytes: Vec<u8> = (0..75).map(|i| (i * 37 % 251) as u8).collect();
        let table = |bytes: &[u8]| {
            Arc::new(Packed::new(Memory::copy_of(bytes).unwrap(), 4 * bytes.len() as u64).unwrap())
        };
        let whole = table(&bytes);
        for middle in [0, 1, 40, 75] {
            let (first, second) = bytes.split_at(middle);
            let halves = Halves::new([first, second].map(table));
            assert_eq!(halves.count(), whole.count());
            for entry in 0..whole.count() {
                assert_eq!(halves.borrowed().get(entry), whole.get(entry));
                halves.borrowed().prefetch(entry);
            }
        }
    }
}
