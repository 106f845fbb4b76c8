//! Layers as streams of words: bitmaps without their empty parts.
//!
//! A stream contains records of the blocks of one segment, in the order of the blocks. A record is a
//! head (the block's place in the segment in bits 0 to 15; from bit 16 on, which groups of 64 words
//! contain a state), then for each such group a mask of its non-zero words, and these words without their
//! zero bytes ([`zero_bytes`](search_core::zero_bytes)), filled up to a whole word.
//!
//! Cost: a layer is sparse in its blocks, and most words of most blocks are empty, as are most bytes of the
//! others; the remainder is about a byte per state, written and read sequentially, once per layer.

use super::shape::{EMPTY, Word256};
use crate::error::DamagedStream;
use crate::model::to_u64;
use search_core::zero_bytes::{most_bytes, pack, unpack};

/// The number of words in a group; one mask describes them.
const GROUP: usize = 64;

/// Appends the record of block `place` to `out`.
pub fn encode(place: usize, bits: &[Word256], out: &mut Vec<u64>) {
    let head = out.len();
    out.push(to_u64(place));
    for (group, words) in bits.as_flattened().chunks(GROUP).enumerate() {
        let (mut mask, mut used, mut end) = (0, [0; GROUP], 0);
        for (bit, &word) in words.iter().enumerate() {
            used[end] = word;
            mask |= u64::from(word != 0) << bit;
            end += usize::from(word != 0);
        }
        if mask == 0 {
            continue;
        }
        out[head] |= 1 << (16 + group);
        out.push(mask);
        let start = out.len();
        out.resize(start + most_bytes(end).div_ceil(8), 0);
        let bytes = pack(&used[..end], bytemuck::cast_slice_mut(&mut out[start..]));
        out.truncate(start + bytes.div_ceil(8));
    }
}

/// Reads the records of a stream in order.
#[derive(Debug)]
pub struct Reader<'a> {
    rest: &'a [u64],
}

impl<'a> Reader<'a> {
    /// A reader of `stream`.
    pub fn new(stream: &'a [u64]) -> Reader<'a> {
        Reader { rest: stream }
    }

    /// The place, in the segment, of the next record's block.
    pub fn place(&self) -> Option<usize> {
        self.rest.first().map(|head| (head & 0xffff) as usize)
    }

    /// Reads the record of block `place` into `bits`, after skipping records of earlier blocks. Returns
    /// whether the block has a record; if not, `bits` is empty afterwards.
    ///
    /// # Errors
    /// [`DamagedStream`] when a record is truncated or names a group that `bits` does not have.
    pub fn read(&mut self, place: usize, bits: &mut [Word256]) -> Result<bool, DamagedStream> {
        while self.place().is_some_and(|next| next < place) {
            self.record(|_, _| Ok(()))?;
        }
        bits.fill(EMPTY);
        if self.place() != Some(place) {
            return Ok(false);
        }
        let words = bits.as_flattened_mut();
        self.record(|at, word| {
            *words.get_mut(at).ok_or(DamagedStream)? = word;
            Ok(())
        })?;
        Ok(true)
    }

    /// Calls `visit` with the index and value of every non-zero word of the next record.
    #[inline(always)]
    fn record(
        &mut self,
        mut visit: impl FnMut(usize, u64) -> Result<(), DamagedStream>,
    ) -> Result<(), DamagedStream> {
        let mut groups = self.take(1)?[0] >> 16;
        while groups != 0 {
            let base = groups.trailing_zeros() as usize * GROUP;
            groups &= groups - 1;
            let mut mask = self.take(1)?[0];
            let (mut words, count) = ([0; GROUP], mask.count_ones() as usize);
            let bytes = unpack(bytemuck::cast_slice(self.rest), &mut words[..count]).ok_or(DamagedStream)?;
            self.take(bytes.div_ceil(8))?;
            for &word in &words[..count] {
                visit(base + mask.trailing_zeros() as usize, word)?;
                mask &= mask - 1;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn take(&mut self, words: usize) -> Result<&'a [u64], DamagedStream> {
        let (taken, rest) = self.rest.split_at_checked(words).ok_or(DamagedStream)?;
        self.rest = rest;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bitmap(seed: u64, units: usize) -> Vec<Word256> {
        let mut bits = vec![EMPTY; units];
        for step in 0..seed * 3 {
            let at = (seed.wrapping_mul(2654435761).wrapping_add(step * step * 97)) as usize % (units * 4);
            bits.as_flattened_mut()[at] = step + 1;
        }
        bits
    }

    #[test]
    fn streams_decode_to_the_encoded_bitmaps() {
        for units in [4, 16, 256] {
            let mut stream = Vec::new();
            let places = [0usize, 3, 4, 63];
            places.iter().for_each(|&place| encode(place, &bitmap(place as u64, units), &mut stream));
            let mut reader = Reader::new(&stream);
            let mut bits = vec![EMPTY; units];
            for place in 0..64 {
                let found = reader.read(place, &mut bits).unwrap();
                assert_eq!(found, places.contains(&place));
                let expected = if found { bitmap(place as u64, units) } else { vec![EMPTY; units] };
                assert_eq!(bits, expected);
            }
            assert_eq!(reader.place(), None);
        }
    }

    #[test]
    fn no_stream_causes_an_access_out_of_bounds() {
        let mut stream = Vec::new();
        encode(2, &bitmap(9, 16), &mut stream);
        let mut bits = vec![EMPTY; 16];
        for cut in 1..stream.len() {
            assert_eq!(Reader::new(&stream[..cut]).read(2, &mut bits), Err(DamagedStream));
        }
        assert_eq!(Reader::new(&[2 | 1 << 60, 1, 1]).read(2, &mut bits), Err(DamagedStream));
        assert_eq!(Reader::new(&[u64::MAX; 9]).read(2, &mut bits), Ok(false));
    }
}
