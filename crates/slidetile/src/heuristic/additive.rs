//! Additive pattern databases as a heuristic: the greatest sum over several partitions.
//!
//! The idea (Korf & Felner 2002): Manhattan distance plus, for each pattern, twice the stored
//! excess. A move changes one tile, so one pattern of each partition; the other values are carried,
//! and so is, for each pattern, where its tiles stand, in the table's own cells and order: five bits
//! per tile in one word, so that the moved tile's pattern is numbered without reading the board.
//! Each partition is one stage: a child that one cuts never reaches the next. The partition with the
//! greatest sum at the parent comes first, since it cuts the most children.
//!
//! Why it is admissible: each move of a solution moves one tile, so it is counted by one pattern of
//! a partition at most; each pattern's cost is the least for its tiles. The maximum of lower bounds
//! is a lower bound.
//!
//! The depth-first kernel suits it although it reads tables: a node has few children, their reads
//! overlap, and tables of 64 MB are half in the cache, so that subtrees in flight cost more than they hide
//! (docs/sliding-tiles.md has the figures).

use search_core::Op;
use search_core::heuristic::{ChildBound, NodeRef};
use search_core::pdb::Packed;

use crate::board::{MAX_CELLS, MAX_SIDE, byte};
use crate::pdb::Plan;
use crate::pdb::index::Ranking;
use crate::puzzle::Puzzle;
use crate::tiles::Tiles;

/// The most partitions: one and its reflection.
pub const MAX_PARTITIONS: usize = 2;
/// The most patterns in a partition.
pub const MAX_PATTERNS: usize = 4;
/// Tiles and cells as array lengths whose indexes need no check.
const TILES: usize = 64;

/// What a lookup of one pattern of a partition reads.
#[derive(Clone, Copy)]
struct Reader {
    table: u8,
    ranking: Ranking,
    /// The table's cell for each cell of the puzzle.
    cells: [u8; TILES],
}

/// A tile's pattern in a partition, and where the tile's cell stands in the pattern's word.
#[derive(Clone, Copy, Default)]
struct Slot {
    pattern: u8,
    shift: u8,
}

impl Slot {
    /// `word` with the tile in `cell`.
    #[inline(always)]
    fn put(self, word: u64, cell: u8) -> u64 {
        let shift = self.shift & 63;
        word & !(0x1F << shift) | u64::from(cell) << shift
    }
}

/// The heuristic, over tables whose storage is `B`.
pub struct Additive<B> {
    tables: Vec<Packed<4, B>>,
    partitions: usize,
    readers: [[Reader; MAX_PATTERNS]; MAX_PARTITIONS],
    /// By partition and tile.
    slots: [[Slot; TILES]; MAX_PARTITIONS],
    /// Manhattan distance by tile and cell.
    distance: Box<[[u8; TILES]; TILES]>,
}

/// Where the tiles stand, their distance, and what the patterns add.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// By partition and pattern, the cells of its tiles.
    words: [[u64; MAX_PATTERNS]; MAX_PARTITIONS],
    excess: [[u8; MAX_PATTERNS]; MAX_PARTITIONS],
    sums: [u8; MAX_PARTITIONS],
    distance: u8,
}

/// One entry to be read, and what it is added to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Probe {
    index: u32,
    table: u8,
    partition: u8,
    rest: u8,
}

impl<B: AsRef<[u8]> + Sync> Additive<B> {
    /// The heuristic of a plan with its tables, one for each of its patterns.
    ///
    /// # Panics
    /// If there are no partitions or more than 2, if a partition has more than 4 patterns, or if
    /// tables and patterns differ in number or in their entries.
    pub fn new(puzzle: &Puzzle, plan: &Plan, tables: Vec<Packed<4, B>>) -> Additive<B> {
        assert!((1..=MAX_PARTITIONS).contains(&plan.partitions.len()), "one or two partitions");
        assert!(plan.partitions.iter().all(|lookups| lookups.len() <= MAX_PATTERNS), "at most 4 patterns");
        assert_eq!(plan.patterns.len(), tables.len(), "a table for each pattern");
        assert!(plan.patterns.iter().zip(&tables).all(|(pattern, table)| pattern.entries() == table.len()));
        let board = puzzle.board();
        let home = puzzle.goal().positions(board);
        let mut distance = Box::new([[0; TILES]; TILES]);
        for tile in 1..board.cells() {
            for cell in 0..board.cells() {
                distance[tile][cell] = byte(board.distance(cell, home[tile]));
            }
        }
        let nothing = Reader { table: 0, ranking: Ranking::new(board.cells(), 0), cells: [0; TILES] };
        let mut readers = [[nothing; MAX_PATTERNS]; MAX_PARTITIONS];
        let mut slots = [[Slot::default(); TILES]; MAX_PARTITIONS];
        for (partition, lookups) in plan.partitions.iter().enumerate() {
            for (pattern, lookup) in lookups.iter().enumerate() {
                let reader = &mut readers[partition][pattern];
                (reader.table, reader.ranking) =
                    (byte(lookup.table), Ranking::new(board.cells(), lookup.size));
                reader.cells[..MAX_CELLS].copy_from_slice(&lookup.cells);
                for (at, &tile) in lookup.tiles[..lookup.size].iter().enumerate() {
                    slots[partition][usize::from(tile)] =
                        Slot { pattern: byte(pattern), shift: byte(5 * at) };
                }
            }
        }
        Additive { tables, partitions: plan.partitions.len(), readers, slots, distance }
    }

    fn summary(&self, puzzle: &Puzzle, tiles: &Tiles) -> Summary {
        let mut summary = Summary::default();
        for cell in (0..puzzle.board().cells()).filter(|&cell| cell != tiles.blank()) {
            let tile = tiles.tile(cell);
            summary.distance += self.distance[tile][cell];
            for (partition, words) in summary.words.iter_mut().enumerate().take(self.partitions) {
                let slot = self.slots[partition][tile];
                let pattern = usize::from(slot.pattern);
                words[pattern] = slot.put(words[pattern], self.readers[partition][pattern].cells[cell]);
            }
        }
        for (partition, words) in summary.words.iter().enumerate().take(self.partitions) {
            for (pattern, &word) in words.iter().enumerate() {
                let reader = &self.readers[partition][pattern];
                let table = &self.tables[usize::from(reader.table)];
                if reader.ranking.tiles() > 0 {
                    summary.excess[partition][pattern] = table.get(reader.ranking.rank(word) as usize);
                }
            }
            summary.sums[partition] = summary.excess[partition].iter().sum();
        }
        summary
    }

    /// The value of each partition: Manhattan distance and twice the patterns' excess.
    pub fn values(&self, puzzle: &Puzzle, tiles: &Tiles) -> Vec<u32> {
        let summary = self.summary(puzzle, tiles);
        let sums = summary.sums[..self.partitions].iter();
        sums.map(|&sum| u32::from(summary.distance) + 2 * u32::from(sum)).collect()
    }

    /// The Manhattan distance after `tile` has slid.
    #[inline(always)]
    fn distance_after(&self, distance: u8, tile: usize, from: usize, to: usize) -> u8 {
        let distances = &self.distance[tile % TILES];
        (distance + distances[to % TILES]) - distances[from % TILES]
    }

    /// The partition of a stage: the one with the greater sum first.
    #[inline(always)]
    fn partition(&self, summary: &Summary, stage: usize) -> usize {
        // With one partition, the other's sum is zero.
        stage ^ usize::from(summary.sums[1] > summary.sums[0])
    }
}

impl<B: AsRef<[u8]> + Sync> ChildBound<Puzzle> for Additive<B> {
    type Carry = Summary;
    type Probe = Probe;
    type Memo = [u8; MAX_PARTITIONS];

    #[inline(always)]
    fn stages(&self) -> usize {
        self.partitions
    }

    fn carry(&self, puzzle: &Puzzle, state: &Tiles) -> Summary {
        self.summary(puzzle, state)
    }

    #[inline(always)]
    fn carry_child(
        &self,
        NodeRef { state: parent, carry, .. }: NodeRef<'_, Puzzle, Summary>,
        _: Op,
        child: &Tiles,
        memo: &[u8; MAX_PARTITIONS],
    ) -> Summary {
        let (from, to) = (child.blank(), parent.blank());
        let tile = parent.tile(from);
        let mut after = carry.clone();
        after.distance = self.distance_after(carry.distance, tile, from, to);
        for partition in 0..self.partitions.min(MAX_PARTITIONS) {
            let slot = self.slots[partition][tile % TILES];
            let pattern = usize::from(slot.pattern) % MAX_PATTERNS;
            let cell = self.readers[partition][pattern].cells[to % TILES];
            after.words[partition][pattern] = slot.put(carry.words[partition][pattern], cell);
            let excess = memo[partition];
            after.sums[partition] = carry.sums[partition] - carry.excess[partition][pattern] + excess;
            after.excess[partition][pattern] = excess;
        }
        after
    }

    #[inline(always)]
    fn locate(&self, node: NodeRef<'_, Puzzle, Summary>, op: Op, stage: usize) -> Probe {
        let NodeRef { domain: puzzle, state: parent, carry } = node;
        let (from, to) = (puzzle.target(parent.blank(), op), parent.blank());
        let tile = parent.tile(from);
        let partition = self.partition(carry, stage) % MAX_PARTITIONS;
        let slot = self.slots[partition][tile % TILES];
        let pattern = usize::from(slot.pattern) % MAX_PATTERNS;
        let reader = &self.readers[partition][pattern];
        let index = reader.ranking.rank(slot.put(carry.words[partition][pattern], reader.cells[to % TILES]));
        self.tables[usize::from(reader.table)].prefetch(index as usize);
        let others = carry.sums[partition] - carry.excess[partition][pattern];
        let rest = self.distance_after(carry.distance, tile, from, to) + 2 * others;
        Probe { index, table: reader.table, partition: partition as u8, rest }
    }

    #[inline(always)]
    fn read(&self, probe: Probe, _: usize, memo: &mut [u8; MAX_PARTITIONS]) -> u8 {
        let excess = self.tables[usize::from(probe.table)].get(probe.index as usize);
        memo[usize::from(probe.partition) % MAX_PARTITIONS] = excess;
        probe.rest + 2 * excess
    }

    fn value(&self, puzzle: &Puzzle, state: &Tiles) -> u8 {
        self.values(puzzle, state).into_iter().max().unwrap_or(0) as u8
    }
}

// Boards of up to 32 cells keep every value below 256: 31 tiles, all together at most 160 cells
// from their goals, with an excess of at most 28 moves in each of four patterns.
const _: () = assert!(MAX_SIDE == 6 && TILES >= MAX_CELLS && TILES.is_power_of_two());
