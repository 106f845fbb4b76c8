//! Offers from one owner to another, as bytes.
//!
//! A message is a header, a list of lengths and as many pieces. The header is 40 bytes, all numbers little-endian: the
//! mark `h4offers`; as 32 bits each the version, the discs, the small discs, the owners, the sender, the receiver, the
//! time at which the offers hold, the number of pieces. Then the xxh3 (64 bits) of everything but itself; the lengths
//! of the pieces, 32 bits each; the pieces. A piece has the sorted offers of some blocks. For each block: the
//! difference of its number from that of the previous block (from 0 for the first), the number of offers, and for each
//! offer the difference of its column from that of the previous one. These numbers are written in groups of seven bits,
//! the lowest first, with the high bit set in all but the last.
//!
//! Pieces are written and read on all threads.

use super::super::search::{Offer, offer, target};
use super::{OwnerError, Sharing, refused};
use crate::model::{to_u32, to_u64};
use rayon::prelude::*;
use xxhash_rust::xxh3::Xxh3Default;

const MARK: &[u8; 8] = b"h4offers";
/// The version of the format and its meaning.
const VERSION: u32 = 1;
/// The bytes before the checksum.
const HEADER: usize = 40;
/// The bytes before the lengths.
const START: usize = HEADER + 8;
/// The maximum number of offers in a piece.
const PIECE: usize = 1 << 16;

/// The offers of a search for one time, to be written or read.
#[derive(Clone, Copy, Debug)]
pub struct Message {
    sharing: Sharing,
    time: u32,
}

impl Message {
    pub fn new(sharing: Sharing, time: u32) -> Message {
        Message { sharing, time }
    }

    fn header(&self, from: u32, to: u32, pieces: usize) -> [u8; HEADER] {
        let Sharing { discs, small, owners } = self.sharing;
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(MARK);
        let numbers = [VERSION, discs, small, owners, from, to, self.time, to_u32(pieces)];
        for (place, number) in header[8..].chunks_exact_mut(4).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        header
    }

    /// The message of these offers, which are sorted, from one owner to another.
    pub fn write(&self, from: u32, to: u32, offers: &[Offer]) -> Vec<u8> {
        let pieces: Vec<Vec<u8>> = offers.par_chunks(PIECE).map(write_piece).collect();
        let header = self.header(from, to, pieces.len());
        let lengths = pieces.iter().flat_map(|piece| to_u32(piece.len()).to_le_bytes());
        let mut body: Vec<u8> = lengths.collect();
        pieces.iter().for_each(|piece| body.extend(piece));
        [&header[..], &checksum(&header, &body).to_le_bytes(), &body].concat()
    }

    /// The sender of a message to `to`, and the offers in it, which are sorted piece by piece.
    ///
    /// # Errors
    /// [`OwnerError::Refused`].
    pub fn read(&self, bytes: &[u8], to: u32) -> Result<(u32, Vec<Offer>), OwnerError> {
        let damaged = || refused("a message of offers is damaged");
        let (header, rest) = bytes.split_at_checked(HEADER).ok_or_else(damaged)?;
        let (sum, body) = rest.split_at_checked(START - HEADER).ok_or_else(damaged)?;
        if header[..8] != *MARK || sum != checksum(header, body).to_le_bytes() {
            return Err(damaged());
        }
        let number =
            |at: usize| u32::from_le_bytes(header[8 + 4 * at..][..4].try_into().expect("four bytes"));
        let (from, pieces) = (number(4), number(7) as usize);
        if header != self.header(from, to, pieces) {
            let of = |at| {
                format!(
                    "version {}, {} discs, {} small, {} owners, to {}, time {}",
                    number(at),
                    number(1),
                    number(2),
                    number(3),
                    number(5),
                    number(6)
                )
            };
            return Err(refused(format!(
                "a message of offers is of another search or time: {}; expected version {VERSION}, {:?}, to {to}, time {}",
                of(0),
                self.sharing,
                self.time
            )));
        }
        let (lengths, mut rest) = body.split_at_checked(4 * pieces).ok_or_else(damaged)?;
        let mut parts = Vec::new();
        for length in lengths.as_chunks::<4>().0 {
            let (part, after) =
                rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or_else(damaged)?;
            parts.push(part);
            rest = after;
        }
        let parts: Option<Vec<Vec<Offer>>> = parts.into_par_iter().map(read_piece).collect();
        Ok((from, parts.ok_or_else(damaged)?.concat()))
    }
}

fn checksum(header: &[u8], body: &[u8]) -> u64 {
    let mut hasher = Xxh3Default::new();
    hasher.update(header);
    hasher.update(body);
    hasher.digest()
}

fn write_piece(offers: &[Offer]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(2 * offers.len());
    let mut last = 0;
    for of_block in offers.chunk_by(|&a, &b| target(a).0 == target(b).0) {
        let block = target(of_block[0]).0;
        put(&mut bytes, u64::from(block - last));
        put(&mut bytes, to_u64(of_block.len()));
        last = block;
        let mut before = 0;
        for &at in of_block {
            let column = to_u64(target(at).1);
            put(&mut bytes, column - before);
            before = column;
        }
    }
    bytes
}

fn read_piece(mut bytes: &[u8]) -> Option<Vec<Offer>> {
    let mut offers = Vec::with_capacity(bytes.len());
    let mut block = 0u32;
    while !bytes.is_empty() {
        block = block.checked_add(u32::try_from(take(&mut bytes)?).ok()?)?;
        let count = take(&mut bytes)?;
        let mut column = 0u32;
        for _ in 0..count {
            column = column.checked_add(u32::try_from(take(&mut bytes)?).ok()?)?;
            offers.push(offer(block, column as usize));
        }
    }
    Some(offers)
}

/// Appends a number.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads a number.
fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}
