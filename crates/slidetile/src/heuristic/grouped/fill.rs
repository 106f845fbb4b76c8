//! Fills the table of a group: moves of the group's tiles, beyond Manhattan distance.
//!
//! The idea (Korf & Felner 2002): a state of the search is where the pattern's tiles stand and
//! which region of the other cells holds the blank. The blank moves freely within its region, since
//! moves of other tiles are not counted; a move of a pattern tile costs one. What is stored for a
//! placement is the least cost over all regions: the blank is compressed away. Tables of disjoint
//! patterns can be added, because each move is counted in at most one of them.
//!
//! Stored is half of what a cost exceeds the Manhattan distance by (the two agree modulo 2), at
//! most [`GREATEST`]; a greater excess is stored as that, which is still a lower bound.
//!
//! The search goes backwards from the goal, by layers of equal cost. A mask for each placement
//! says which blank cells have been reached, always whole regions. A move that brings the blank
//! to a cell not yet reached adds its region to the mask and to the next layer; every move of a
//! tile into that region follows from there.
//!
//! Cost: each pair of a placement and a region once; while filling, four and a half bytes per
//! placement, and sixteen for each pair of two successive layers.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use rayon::prelude::*;
use search_core::Run;
use search_core::memory::Memory;
use search_core::pdb::Packed;
use search_core::prefetch::prefetch;
use search_core::simd::vectorized;
use search_core::table::FileError;

use super::placement::{MAX_TILES, placements, rank};
use crate::board::{Board, MAX_CELLS, byte};

/// The greatest stored value; 15 would mean "not reached".
pub const GREATEST: u8 = 14;

/// A pattern to be filled: goal cells of its tiles, and where the blank may be in the goal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// The board.
    pub board: Board,
    /// The goal cell of each tile, ascending; at most 8 tiles on at most 32 cells.
    pub homes: Vec<u8>,
    /// The blank's region in the goal, as a set of cells.
    pub region: u32,
}

/// A placement, the blank's cell, and the placement's number.
#[derive(Clone, Copy)]
struct Arrival {
    at: [u8; MAX_TILES],
    number: u32,
    blank: u8,
}

impl Pattern {
    /// The number of placements.
    pub fn entries(&self) -> usize {
        placements(self.board.cells(), self.homes.len())
    }

    /// The cells that the blank reaches from `blank` without passing a held cell.
    pub fn flood(board: Board, held: u32, blank: usize) -> u32 {
        let masks = Masks::new(board);
        masks.flood(held, 1 << blank)
    }

    /// Fills the table.
    ///
    /// # Errors
    /// [`FileError`] when memory is not available or the work is cancelled (checked once per layer).
    ///
    /// # Panics
    /// If the pattern has no tile or more than 8, or the board more than 32 cells.
    pub fn build(&self, run: &Run<'_>) -> Result<Packed<4, Memory>, FileError> {
        run.install(|| self.fill(run))
    }

    /// Fills the table, on the current threads.
    fn fill(&self, run: &Run<'_>) -> Result<Packed<4, Memory>, FileError> {
        assert!((1..=MAX_TILES).contains(&self.homes.len()) && self.board.cells() <= 32, "a table's pattern");
        let (entries, filling) = (self.entries(), Filling::new(self));
        run.progress().begin("filling a pattern database", entries as u64);
        let mut layer = filling.goal();
        let mut done = 0;
        let mut cost = 0;
        while !layer.is_empty() {
            run.check()?;
            done += layer.iter().map(Vec::len).sum::<usize>() as u64;
            run.progress().update(done.min(entries as u64));
            cost += 1;
            layer = filling.next_layer(&layer, cost);
        }
        run.progress().end();
        let mut bytes = Memory::zeroed(filling.nibbles.len())?;
        bytes.iter_mut().zip(&filling.nibbles).for_each(|(to, from)| *to = from.load(Ordering::Relaxed));
        Ok(Packed::new(bytes, entries as u64).expect("as many nibbles as placements"))
    }
}

fn distances(board: Board) -> [[u8; MAX_CELLS]; MAX_CELLS] {
    let mut distances = [[0; MAX_CELLS]; MAX_CELLS];
    for (from, row) in distances.iter_mut().enumerate().take(board.cells()) {
        for (to, distance) in row.iter_mut().enumerate().take(board.cells()) {
            *distance = byte(board.distance(from, to));
        }
    }
    distances
}

/// Sets of cells as bits, for floods.
struct Masks {
    cols: usize,
    all: u32,
    not_first: u32,
    not_last: u32,
}

impl Masks {
    fn new(board: Board) -> Masks {
        let cells_where = |keep: &dyn Fn(usize) -> bool| {
            (0..board.cells()).filter(|&cell| keep(cell)).fold(0u32, |set, cell| set | 1 << cell)
        };
        Masks {
            cols: board.cols(),
            all: cells_where(&|_| true),
            not_first: cells_where(&|cell| board.col(cell) > 0),
            not_last: cells_where(&|cell| board.col(cell) + 1 < board.cols()),
        }
    }

    /// The cells next to those of `set`.
    #[inline(always)]
    fn around(&self, set: u32) -> u32 {
        ((set & self.not_first) >> 1 | (set & self.not_last) << 1 | set >> self.cols | set << self.cols)
            & self.all
    }

    #[inline(always)]
    fn flood(&self, held: u32, from: u32) -> u32 {
        let mut set = from;
        loop {
            let grown = (set | self.around(set)) & !held;
            if grown == set {
                return set;
            }
            set = grown;
        }
    }
}

/// A table that is being filled.
struct Filling<'a> {
    pattern: &'a Pattern,
    masks: Masks,
    /// For each placement, the blank cells reached.
    reached: Vec<AtomicU32>,
    nibbles: Vec<AtomicU8>,
    distance: [[u8; MAX_CELLS]; MAX_CELLS],
}

impl Filling<'_> {
    fn new(pattern: &Pattern) -> Filling<'_> {
        let entries = pattern.entries();
        Filling {
            pattern,
            masks: Masks::new(pattern.board),
            reached: (0..entries).into_par_iter().map(|_| AtomicU32::new(0)).collect(),
            nibbles: (0..entries.div_ceil(2)).into_par_iter().map(|_| AtomicU8::new(0xFF)).collect(),
            distance: distances(pattern.board),
        }
    }

    /// The first layer: the goal, with the blank anywhere in its region.
    fn goal(&self) -> Vec<Vec<Arrival>> {
        let homes = &self.pattern.homes;
        let mut at = [0; MAX_TILES];
        at[..homes.len()].copy_from_slice(homes);
        let number = rank(self.pattern.board.cells(), homes.iter().copied()) as u32;
        let goal = Arrival { at, number, blank: self.pattern.region.trailing_zeros() as u8 };
        let mut layer = Vec::new();
        self.arrive(&[goal], 0, &mut layer);
        vec![layer]
    }

    /// The arrivals of the next layer, whose cost is `cost`.
    fn next_layer(&self, layer: &[Vec<Arrival>], cost: u32) -> Vec<Vec<Arrival>> {
        let chunks: Vec<&[Arrival]> = layer.iter().flat_map(|part| part.chunks(CHUNK)).collect();
        let parts = chunks.par_iter().fold(Vec::new, |mut next, chunk| {
            vectorized(
                #[inline(always)]
                || {
                    let mut moves = Vec::with_capacity(8 * BATCH);
                    for batch in chunk.chunks(BATCH) {
                        batch.iter().for_each(|arrival| self.moves(arrival, &mut moves));
                        self.arrive(&moves, cost, &mut next);
                        moves.clear();
                    }
                },
            );
            next
        });
        parts.filter(|part| !part.is_empty()).collect()
    }

    /// The cells that the tiles hold.
    #[inline(always)]
    fn held(&self, at: &[u8; MAX_TILES]) -> u32 {
        at[..self.pattern.homes.len()].iter().fold(0u32, |held, &cell| held | 1 << cell)
    }

    /// Appends the moves of tiles into the region of an arrival, and prefetches their masks.
    #[inline(always)]
    fn moves(&self, arrival: &Arrival, moves: &mut Vec<Arrival>) {
        let (cells, tiles) = (self.pattern.board.cells(), self.pattern.homes.len());
        let at = arrival.at;
        let region = self.masks.flood(self.held(&at), 1 << arrival.blank);
        for tile in 0..tiles {
            let mut targets = self.masks.around(1 << at[tile]) & region;
            while targets != 0 {
                let mut after = at;
                after[tile] = targets.trailing_zeros() as u8;
                targets &= targets - 1;
                let number = rank(cells, after[..tiles].iter().copied()) as u32;
                prefetch((&raw const self.reached[number as usize]).cast());
                moves.push(Arrival { at: after, number, blank: at[tile] });
            }
        }
    }

    /// Records arrivals, and appends to `next` those in regions not reached before.
    #[inline(always)]
    fn arrive(&self, moves: &[Arrival], cost: u32, next: &mut Vec<Arrival>) {
        for arrival in moves {
            let bit = 1u32 << arrival.blank;
            let mask = &self.reached[arrival.number as usize];
            if mask.load(Ordering::Relaxed) & bit != 0 {
                continue;
            }
            let region = self.masks.flood(self.held(&arrival.at), bit);
            let before = mask.fetch_or(region, Ordering::Relaxed);
            if before & bit == 0 {
                next.push(*arrival);
            }
            if before == 0 {
                self.store(arrival, cost);
            }
        }
    }

    /// Stores the cost of a placement, whose entry still says "not reached".
    #[inline(always)]
    fn store(&self, arrival: &Arrival, cost: u32) {
        let pairs = arrival.at.iter().zip(&self.pattern.homes);
        let distance: u8 = pairs.map(|(&cell, &home)| self.distance[cell as usize][home as usize]).sum();
        let excess = (cost - u32::from(distance)) / 2;
        let shift = arrival.number % 2 * 4;
        let clear = (0xF ^ excess.min(GREATEST.into()) as u8) << shift;
        self.nibbles[arrival.number as usize / 2].fetch_and(!clear, Ordering::Relaxed);
    }
}

/// Arrivals that a thread takes at a time.
const CHUNK: usize = 1 << 14;
/// Arrivals whose moves are looked up together, so that the reads overlap.
const BATCH: usize = 16;
