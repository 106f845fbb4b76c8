//! Additive pattern databases as a heuristic: the greatest sum over several partitions.
//!
//! The idea (Korf & Felner 2002): Manhattan distance plus, for each pattern, twice the stored
//! excess. A move changes one tile, so one pattern of each partition; the other values are carried.
//! Each partition is one stage: a child that the first cuts never asks the second.
//!
//! Why it is admissible: each move of a solution moves one tile, so it is counted by one pattern of
//! a partition at most; each pattern's cost is the least for its tiles. The maximum of lower bounds
//! is a lower bound.

use search_core::pdb::Packed;
use search_core::{Heuristic, Op};

use crate::board::{MAX_CELLS, MAX_SIDE};
use crate::pdb::index::rank;
use crate::pdb::{Lookup, Plan};
use crate::puzzle::Puzzle;
use crate::tiles::Tiles;

/// The most partitions.
pub const MAX_PARTITIONS: usize = 4;
/// The most patterns in a partition.
const MAX_PATTERNS: usize = 8;

/// The heuristic, over tables whose storage is `B`.
pub struct Additive<B> {
    plan: Plan,
    tables: Vec<Packed<4, B>>,
    cells: usize,
    /// The pattern of each tile, by partition.
    pattern_of: [[u8; MAX_CELLS]; MAX_PARTITIONS],
    /// Manhattan distance by tile and cell.
    distance: Box<[[u8; MAX_CELLS]; MAX_CELLS]>,
}

/// Where the tiles stand, their distance, and what the patterns add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    positions: [u8; MAX_CELLS],
    distance: u16,
    sums: [u8; MAX_PARTITIONS],
    excess: [[u8; MAX_PATTERNS]; MAX_PARTITIONS],
}

/// One entry to be read, and what it is added to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Probe {
    index: u32,
    table: u8,
    rest: u8,
}

impl<B: AsRef<[u8]> + Sync> Additive<B> {
    /// The heuristic of a plan with its tables, one for each of its patterns.
    ///
    /// # Panics
    /// If there are no partitions or more than 4, if a partition has more than 8 patterns, or if
    /// tables and patterns differ in number or in their entries.
    pub fn new(puzzle: &Puzzle, plan: Plan, tables: Vec<Packed<4, B>>) -> Additive<B> {
        assert!((1..=MAX_PARTITIONS).contains(&plan.partitions.len()), "one to four partitions");
        assert!(plan.partitions.iter().all(|lookups| lookups.len() <= MAX_PATTERNS), "at most 8 patterns");
        assert_eq!(plan.patterns.len(), tables.len(), "a table for each pattern");
        assert!(plan.patterns.iter().zip(&tables).all(|(pattern, table)| pattern.entries() == table.len()));
        let board = puzzle.board();
        let home = puzzle.goal().positions(board);
        let mut distance = Box::new([[0; MAX_CELLS]; MAX_CELLS]);
        for tile in 1..board.cells() {
            for cell in 0..board.cells() {
                distance[tile][cell] = board.distance(cell, home[tile]) as u8;
            }
        }
        let mut pattern_of = [[0; MAX_CELLS]; MAX_PARTITIONS];
        for (of, lookups) in pattern_of.iter_mut().zip(&plan.partitions) {
            for (pattern, lookup) in (0..).zip(lookups) {
                lookup.tiles[..lookup.size].iter().for_each(|&tile| of[usize::from(tile)] = pattern);
            }
        }
        Additive { plan, tables, cells: board.cells(), pattern_of, distance }
    }

    #[inline(always)]
    fn index(&self, lookup: &Lookup, positions: &[u8; MAX_CELLS]) -> usize {
        let tiles = lookup.tiles[..lookup.size].iter();
        rank(self.cells, tiles.map(|&tile| lookup.cells[usize::from(positions[usize::from(tile)])]))
    }

    /// The same with `tile` in `cell`.
    #[inline(always)]
    fn index_with(&self, lookup: &Lookup, positions: &[u8; MAX_CELLS], tile: usize, cell: usize) -> usize {
        let at = |&other: &u8| {
            let other = usize::from(other);
            lookup.cells[if other == tile { cell } else { usize::from(positions[other]) }]
        };
        rank(self.cells, lookup.tiles[..lookup.size].iter().map(at))
    }

    fn summary(&self, puzzle: &Puzzle, tiles: &Tiles) -> Summary {
        let places = tiles.positions(puzzle.board());
        let positions: [u8; MAX_CELLS] = std::array::from_fn(|tile| places[tile] as u8);
        let distance = (1..self.cells).map(|tile| u16::from(self.distance[tile][places[tile]])).sum();
        let mut excess = [[0; MAX_PATTERNS]; MAX_PARTITIONS];
        for (excess, lookups) in excess.iter_mut().zip(&self.plan.partitions) {
            for (excess, lookup) in excess.iter_mut().zip(lookups) {
                *excess = self.tables[lookup.table].get(self.index(lookup, &positions));
            }
        }
        let sums = excess.map(|parts| parts.iter().sum());
        Summary { positions, distance, sums, excess }
    }

    /// What each partition says of a state: Manhattan distance and twice the patterns' excess.
    pub fn values(&self, puzzle: &Puzzle, tiles: &Tiles) -> Vec<u32> {
        let summary = self.summary(puzzle, tiles);
        let sums = summary.sums[..self.plan.partitions.len()].iter();
        sums.map(|&sum| u32::from(summary.distance) + 2 * u32::from(sum)).collect()
    }

    /// The Manhattan distance after the tile in `from` has slid to `to`.
    #[inline(always)]
    fn distance_after(&self, distance: u16, tile: usize, from: usize, to: usize) -> u16 {
        (distance + u16::from(self.distance[tile][to])) - u16::from(self.distance[tile][from])
    }
}

impl<B: AsRef<[u8]> + Sync> Heuristic<Puzzle> for Additive<B> {
    type Carry = Summary;
    type Probe = Probe;
    type Memo = [u8; MAX_PARTITIONS];

    #[inline(always)]
    fn stages(&self) -> usize {
        self.plan.partitions.len()
    }

    fn carry(&self, puzzle: &Puzzle, state: &Tiles) -> Summary {
        self.summary(puzzle, state)
    }

    #[inline(always)]
    fn carry_child(
        &self,
        _: &Puzzle,
        parent: &Tiles,
        carry: &Summary,
        _: Op,
        child: &Tiles,
        memo: &[u8; MAX_PARTITIONS],
    ) -> Summary {
        let (from, to) = (child.blank(), parent.blank());
        let tile = parent.tile(from);
        let mut after = carry.clone();
        after.positions[tile] = to as u8;
        after.distance = self.distance_after(carry.distance, tile, from, to);
        for (stage, &excess) in memo.iter().enumerate().take(self.stages()) {
            let slot = &mut after.excess[stage][usize::from(self.pattern_of[stage][tile])];
            after.sums[stage] = after.sums[stage] - *slot + excess;
            *slot = excess;
        }
        after
    }

    #[inline(always)]
    fn locate(&self, puzzle: &Puzzle, parent: &Tiles, carry: &Summary, op: Op, stage: usize) -> Probe {
        let from = puzzle.target(parent.blank(), op);
        let (tile, to) = (parent.tile(from), parent.blank());
        let pattern = usize::from(self.pattern_of[stage][tile]);
        let lookup = &self.plan.partitions[stage][pattern];
        let index = self.index_with(lookup, &carry.positions, tile, to);
        self.tables[lookup.table].prefetch(index);
        let others = carry.sums[stage] - carry.excess[stage][pattern];
        let rest = self.distance_after(carry.distance, tile, from, to) + 2 * u16::from(others);
        Probe { index: index as u32, table: lookup.table as u8, rest: rest as u8 }
    }

    #[inline(always)]
    fn read(&self, probe: Probe, stage: usize, memo: &mut [u8; MAX_PARTITIONS]) -> u8 {
        let excess = self.tables[usize::from(probe.table)].get(probe.index as usize);
        memo[stage] = excess;
        probe.rest + 2 * excess
    }

    fn value(&self, puzzle: &Puzzle, state: &Tiles) -> u8 {
        self.values(puzzle, state).into_iter().max().unwrap_or(0) as u8
    }

    fn max_value(&self) -> u8 {
        u8::MAX
    }
}

// Boards of up to 32 cells keep every value below 256: 31 tiles, each less than twelve cells away,
// with an excess of at most 28 a pattern.
const _: () = assert!(MAX_SIDE == 6);
