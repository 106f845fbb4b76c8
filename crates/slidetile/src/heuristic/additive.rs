//! Additive pattern databases as a heuristic: the greatest sum over several partitions.
//!
//! The idea (Korf & Felner 2002): the costs of disjoint patterns add up. A move moves one tile, so in
//! each partition it changes the cost of one pattern, by exactly one; a bit of the table gives the direction
//! ([`pdb`](crate::pdb)). So a node carries the sum of each partition and the two lowest bits of each pattern's
//! cost; a lookup computes the index of the moved tile's pattern from the cells of its tiles.
//!
//! **Order of the tests.** All sums have the parity of the moves left, and a child's sum is one more or one less than
//! its parent's. So only a partition whose sum equals the node's moves left can prune a child. The partition with the
//! greatest sum is looked up first, since it prunes the most. The others are looked up for the remaining children.
//!
//! Why it is admissible: each move of a solution moves one tile, so it is counted by one pattern of
//! a partition at most; each pattern's cost is the least for its tiles. The maximum of lower bounds
//! is a lower bound.

use std::collections::HashMap;

use search_core::heuristic::{Batch, Kernel, NodeRef, Sieved};
use search_core::prefetch::prefetch;
use search_core::{Heuristic, Op};

use super::Ranked;
use crate::board::{OPS, byte};
use crate::pdb::order::{MAX_TILES, Passing, classes, order};
use crate::pdb::partition::Lookup;
use crate::pdb::{Plan, Zones};
use crate::puzzle::Puzzle;
use crate::tiles::{SMALL, Tiles};

/// The greatest number of partitions that are read together, reflections included.
pub const MAX_PARTITIONS: usize = 8;
/// The greatest number of patterns of all partitions together.
pub const MAX_PATTERNS: usize = 32;
/// The array length for tiles and cells, chosen so that indexes need no check.
const TILES: usize = 32;
/// The number of subtrees in flight: a node's few reads miss the caches about half of the time.
const LANES: usize = 4;
/// The greatest number of frames.
const FRAMES: usize = 2;

/// A plan with its tables.
pub struct Tables<B> {
    plan: Plan,
    tables: Vec<B>,
    /// By number of tiles, for the numbers that occur.
    passing: [Option<Passing>; MAX_TILES + 1],
}

impl<B: AsRef<[u8]>> Tables<B> {
    /// A plan and a table for each of its patterns.
    ///
    /// # Panics
    /// If tables and patterns differ in number or in their bytes.
    pub fn new(plan: Plan, tables: Vec<B>) -> Tables<B> {
        assert_eq!(plan.patterns.len(), tables.len(), "a table for each pattern");
        let mut passing = [const { None }; MAX_TILES + 1];
        for (pattern, table) in plan.patterns.iter().zip(&tables) {
            assert_eq!(pattern.table_bytes(), table.as_ref().len(), "a bit for each state");
            passing[pattern.tiles()].get_or_insert_with(|| Passing::new(pattern.tiles()));
        }
        Tables { plan, tables, passing }
    }

    /// The partitions and their lookups.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The placement of a pattern's tiles, and their cost.
    fn placement<const BYTES: usize>(
        &self,
        lookup: &Lookup,
        tiles: &Tiles<BYTES>,
        cells: usize,
    ) -> Placement {
        let pattern = &self.plan.patterns[lookup.table];
        let mut at = [0; TILES];
        (0..cells).for_each(|cell| at[tiles.tile(cell)] = self.plan.frames.maps()[lookup.frame][cell]);
        let (blank, at) = (usize::from(at[0]), lookup.tiles.map(|tile| at[usize::from(tile)]));
        let held = at[..pattern.tiles()].iter().fold(0, |held, &cell| held | 1 << cell);
        let (class, number) = order(pattern.tiles(), &at, held);
        // A table without a path to the goal does not belong to this pattern: its bound is 0.
        let cost = pattern.cost(self.tables[lookup.table].as_ref(), at, blank).unwrap_or(0);
        Placement { held, order: (class << 3) as u16 | number as u16, cost }
    }

    /// The placements of every pattern's tiles.
    pub fn start<const BYTES: usize>(&self, tiles: &Tiles<BYTES>) -> Start {
        // Partitions have patterns in common.
        let mut known = HashMap::new();
        let mut placement = |lookup: &Lookup| {
            let of = || self.placement(lookup, tiles, self.plan.cells);
            *known.entry((lookup.table, lookup.frame)).or_insert_with(of)
        };
        let partitions = self.plan.partitions.iter();
        let placements = partitions.map(|lookups| lookups.iter().map(&mut placement).collect()).collect();
        Start { tiles: tiles.small(), placements }
    }

    /// The greatest sum.
    pub fn value<const BYTES: usize>(&self, tiles: &Tiles<BYTES>) -> u8 {
        self.start(tiles).value()
    }
}

/// The first state of a search, with the placement of every pattern's tiles.
#[derive(Clone, Debug)]
pub struct Start {
    tiles: Tiles<SMALL>,
    /// By partition and lookup.
    placements: Vec<Vec<Placement>>,
}

impl Start {
    /// The state.
    pub(crate) fn tiles(&self) -> &Tiles<SMALL> {
        &self.tiles
    }

    /// The sum of each partition.
    pub fn values(&self) -> impl Iterator<Item = u32> + '_ {
        self.placements.iter().map(|placements| placements.iter().map(|placement| placement.cost).sum())
    }

    /// The greatest sum.
    pub fn value(&self) -> u8 {
        self.values().max().unwrap_or(0).min(255) as u8
    }
}

/// The placement of a pattern's tiles, and their cost.
#[derive(Clone, Copy, Debug)]
struct Placement {
    held: u32,
    order: u16,
    cost: u32,
}

/// The heuristic, a view of its tables, with room for `PATTERNS` patterns of all partitions together.
pub struct Additive<'t, const PATTERNS: usize, B> {
    tables: &'t Tables<B>,
    /// The numbers of the partitions in the plan.
    chosen: Vec<usize>,
    start: &'t Start,
    partitions: usize,
    /// By partition: 1, and 0 beyond the last.
    used: [u8; MAX_PARTITIONS],
    /// By pattern, in the order of the partitions.
    readers: [Reader<'t>; PATTERNS],
    /// By tile and partition: the number of its pattern.
    patterns: [[u8; MAX_PARTITIONS]; TILES],
    /// By tile: its patterns.
    touched: [u64; TILES],
    frames: [[u8; TILES]; FRAMES],
}

/// The data for the lookup of one pattern of a partition.
#[derive(Clone, Copy)]
struct Reader<'t> {
    bytes: &'t [u8],
    zones: &'t Zones,
    passing: &'t Passing,
    classes: u32,
    frame: u32,
}

/// The placement of each pattern's tiles, its cost modulo 4, and the sum of each partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary<const PATTERNS: usize> {
    /// By pattern: the cells of its tiles, and the number of their order.
    held: [u32; PATTERNS],
    orders: [u16; PATTERNS],
    /// By pattern: the lowest bit of its cost, and the second one.
    odd: u64,
    second: u64,
    sums: [u8; MAX_PARTITIONS],
}

/// Scratch data left from evaluating the children of a node.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// The partition with the greatest sum at the node.
    first: u8,
    children: [Child; OPS],
}

/// A child's lookups.
#[derive(Clone, Copy, Debug, Default)]
struct Child {
    tile: u8,
    /// By partition.
    probes: [Probe; MAX_PARTITIONS],
    /// The second bit of each pattern's cost, for the patterns of the tile.
    second: u64,
    /// The partitions whose sums go up.
    up: u16,
}

/// A bit to be read, its meaning, and the placement of the pattern's tiles.
#[derive(Clone, Copy, Debug, Default)]
struct Probe {
    byte: usize,
    held: u32,
    order: u16,
    pattern: u8,
    /// The bit's value if the sum goes up.
    up: u8,
    /// The sum at the parent.
    sum: u8,
}

impl<'t, const PATTERNS: usize, B: AsRef<[u8]> + Sync> Additive<'t, PATTERNS, B> {
    /// The heuristic for searches that begin at `start`: the greatest sum of some of the plan's partitions, given by
    /// their numbers.
    ///
    /// # Panics
    /// If there are no partitions or more than 8, or if they have more than `PATTERNS` patterns together.
    pub fn new(tables: &'t Tables<B>, chosen: &[usize], start: &'t Start) -> Additive<'t, PATTERNS, B> {
        let plan = &tables.plan;
        assert!((1..=MAX_PARTITIONS).contains(&chosen.len()), "1 to {MAX_PARTITIONS} partitions");
        assert!(plan.lookups(chosen) <= PATTERNS && PATTERNS <= MAX_PATTERNS, "at most {PATTERNS} patterns");
        let reader = |lookup: &Lookup| {
            let pattern = &plan.patterns[lookup.table];
            Reader {
                bytes: tables.tables[lookup.table].as_ref(),
                zones: pattern.zones(),
                passing: tables.passing[pattern.tiles()].as_ref().expect("made for every pattern"),
                classes: classes(pattern.tiles()) as u32,
                frame: lookup.frame as u32,
            }
        };
        let mut additive = Additive {
            tables,
            chosen: chosen.to_vec(),
            start,
            partitions: chosen.len(),
            used: std::array::from_fn(|partition| u8::from(partition < chosen.len())),
            readers: [reader(&plan.partitions[chosen[0]][0]); PATTERNS],
            patterns: [[0; MAX_PARTITIONS]; TILES],
            touched: [0; TILES],
            frames: [[0; TILES]; FRAMES],
        };
        for (frame, map) in additive.frames.iter_mut().zip(plan.frames.maps()) {
            frame[..plan.cells].copy_from_slice(&map[..plan.cells]);
        }
        let numbered = chosen.iter().map(|&partition| &plan.partitions[partition]).enumerate();
        let lookups =
            numbered.flat_map(|(number, lookups)| lookups.iter().map(move |lookup| (number, lookup)));
        for (pattern, (partition, lookup)) in lookups.enumerate() {
            additive.readers[pattern] = reader(lookup);
            for &tile in lookup.tiles.iter().filter(|&&tile| tile != 0) {
                additive.patterns[usize::from(tile)][partition] = byte(pattern);
                additive.touched[usize::from(tile)] |= 1 << pattern;
            }
        }
        additive
    }

    /// The carry of a state without a parent: each pattern's cost is found by descending to its goal.
    fn summary<const BYTES: usize>(&self, tiles: &Tiles<BYTES>) -> Summary<PATTERNS> {
        let (held, orders) = ([0; PATTERNS], [0; PATTERNS]);
        let mut summary = Summary { held, orders, odd: 0, second: 0, sums: [0; MAX_PARTITIONS] };
        let start = (self.start.tiles == tiles.small()).then_some(self.start);
        let mut pattern = 0;
        for (sum, &partition) in summary.sums.iter_mut().zip(&self.chosen) {
            for (place, lookup) in self.tables.plan.partitions[partition].iter().enumerate() {
                let Placement { held, order, cost } = match start {
                    Some(start) => start.placements[partition][place],
                    None => self.tables.placement(lookup, tiles, self.tables.plan.cells),
                };
                (summary.held[pattern], summary.orders[pattern]) = (held, order);
                *sum = sum.saturating_add(cost as u8);
                summary.odd |= u64::from(cost & 1) << pattern;
                summary.second |= u64::from(cost >> 1 & 1) << pattern;
                pattern += 1;
            }
        }
        summary
    }

    /// Locates the bit of one partition for a child whose moved tile goes from cell `from` to cell `to`.
    #[inline(always)]
    fn find(&self, carry: &Summary<PATTERNS>, child: &mut Child, partition: usize, from: usize, to: usize) {
        let pattern = usize::from(self.patterns[usize::from(child.tile) % TILES][partition]) % PATTERNS;
        let reader = &self.readers[pattern];
        let map = &self.frames[reader.frame as usize % FRAMES];
        let (from, to) = (map[from % TILES] & 31, map[to % TILES] & 31);
        let (before, after) = (1u32 << from, 1u32 << to);
        let rest = carry.held[pattern] & !before;
        let (place, then) = ((rest & (before - 1)).count_ones(), (rest & (after - 1)).count_ones());
        let order = reader.passing.after(carry.orders[pattern], place as usize, then as usize);
        let held = rest | after;
        let zone = reader.zones.zone(held, usize::from(from));
        let byte = zone * reader.classes as usize + usize::from(order >> 3);
        prefetch(reader.bytes.as_ptr().wrapping_add(byte));
        // Up by one: the second bit changes if the lowest one is set. Down by one: if it is not.
        let up = ((carry.second ^ carry.odd) >> pattern) as u8 & 1;
        child.probes[partition] =
            Probe { byte, held, order, pattern: pattern as u8, up, sum: carry.sums[partition] };
    }

    /// Reads the located bit of one partition. Returns the partition's sum at the child.
    #[inline(always)]
    fn sum(&self, child: &mut Child, partition: usize) -> u8 {
        let probe = &child.probes[partition];
        let pattern = usize::from(probe.pattern) % PATTERNS;
        let second = self.readers[pattern].bytes[probe.byte] >> (probe.order & 7) & 1;
        let up = second == probe.up;
        child.second |= u64::from(second) << pattern;
        child.up |= u16::from(up) << partition;
        (probe.sum + 2 * u8::from(up)).wrapping_sub(1)
    }

    /// The places that a stage looks up: the first, or all others. Places number the partitions with the
    /// first one and the one with the greatest sum exchanged.
    #[inline(always)]
    fn places(&self, stage: usize) -> std::ops::Range<usize> {
        if stage == 0 { 0..1 } else { 1..self.partitions.min(MAX_PARTITIONS) }
    }

    /// The partition with the greatest sum.
    #[inline(always)]
    fn greatest(&self, sums: &[u8; MAX_PARTITIONS]) -> u8 {
        let mut greatest = 0;
        for partition in 1..self.partitions.min(MAX_PARTITIONS) {
            if sums[partition] > sums[greatest] {
                greatest = partition;
            }
        }
        greatest as u8
    }
}

impl<const PATTERNS: usize, const BYTES: usize, B: AsRef<[u8]> + Sync> Heuristic<Puzzle<BYTES>>
    for Additive<'_, PATTERNS, B>
{
    type Carry = Summary<PATTERNS>;
    type Scratch = Scratch;

    #[inline(always)]
    fn stages(&self) -> usize {
        self.partitions.min(2)
    }

    fn carry(&self, _: &Puzzle<BYTES>, state: &Tiles<BYTES>) -> Summary<PATTERNS> {
        self.summary(state)
    }

    #[inline(always)]
    fn carry_child(
        &self,
        NodeRef { carry, .. }: NodeRef<'_, Puzzle<BYTES>, Summary<PATTERNS>>,
        op: Op,
        _: &Tiles<BYTES>,
        scratch: &Scratch,
    ) -> Summary<PATTERNS> {
        let read = &scratch.children[op.index() % OPS];
        let mut after = carry.clone();
        for probe in &read.probes[..self.partitions.min(MAX_PARTITIONS)] {
            let pattern = usize::from(probe.pattern) % PATTERNS;
            (after.held[pattern], after.orders[pattern]) = (probe.held, probe.order);
        }
        let tile = usize::from(read.tile) % TILES;
        let touched = self.touched[tile];
        after.odd ^= touched;
        after.second = after.second & !touched | read.second;
        // All lanes are treated alike, so that the loop becomes a few vector instructions.
        for (partition, (sum, used)) in after.sums.iter_mut().zip(self.used).enumerate() {
            *sum = sum.wrapping_add((read.up >> partition & 1) as u8 * 2).wrapping_sub(used);
        }
        after
    }

    #[inline(always)]
    fn locate(
        &self,
        node: NodeRef<'_, Puzzle<BYTES>, Summary<PATTERNS>>,
        batch: Batch,
        scratch: &mut Scratch,
    ) {
        let NodeRef { domain: puzzle, state: parent, carry } = node;
        if batch.stage == 0 {
            scratch.first = self.greatest(&carry.sums);
        }
        for op in batch.ops {
            let (from, to) = (puzzle.target(parent.blank(), op), parent.blank());
            let child = &mut scratch.children[op.index() % OPS];
            if batch.stage == 0 {
                (child.tile, child.second, child.up) = (parent.tile(from) as u8, 0, 0);
            }
            for place in self.places(batch.stage) {
                self.find(carry, child, partition(place, scratch.first), from, to);
            }
        }
    }

    #[inline(always)]
    fn read(&self, batch: Batch, scratch: &mut Scratch) -> Sieved {
        let mut sieved = Sieved::default();
        for op in batch.ops {
            let child = &mut scratch.children[op.index() % OPS];
            let mut greatest = 0;
            for place in self.places(batch.stage) {
                greatest = greatest.max(self.sum(child, partition(place, scratch.first)));
            }
            sieved.take(op, greatest, batch.limit);
        }
        sieved
    }

    fn value(&self, _: &Puzzle<BYTES>, state: &Tiles<BYTES>) -> u8 {
        self.summary(state).sums.into_iter().max().unwrap_or(0)
    }

    fn kernel(&self) -> Kernel {
        Kernel::Interleaved { lanes: LANES }
    }
}

impl<const PATTERNS: usize, const BYTES: usize, B: AsRef<[u8]> + Sync> Ranked<Puzzle<BYTES>>
    for Additive<'_, PATTERNS, B>
{
    /// The greatest sum, then the sum of all sums.
    fn rank(&self, carry: &Summary<PATTERNS>, value: u32) -> u32 {
        value << 16 | carry.sums.iter().map(|&sum| u32::from(sum)).sum::<u32>()
    }
}

/// The partition at a place when partition `first` is exchanged with partition 0.
#[inline(always)]
fn partition(place: usize, first: u8) -> usize {
    let first = usize::from(first);
    let partition = if place == 0 {
        first
    } else if place == first {
        0
    } else {
        place
    };
    partition % MAX_PARTITIONS
}
