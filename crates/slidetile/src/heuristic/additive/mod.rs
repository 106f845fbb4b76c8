//! Additive pattern databases as a heuristic: the greatest sum over several partitions.
//!
//! The idea (Korf & Felner 2002): the costs of disjoint patterns add up. A move moves one tile, so in
//! each partition it changes the cost of one pattern, by exactly one; a bit of the table gives the direction
//! ([`pdb`](crate::pdb)). So a node carries the sum of each partition and, for each pattern, one word: the cells of its
//! tiles, their order and the two lowest bits of its cost. A lookup computes the index of the moved tile's pattern from
//! this word.
//!
//! **Shared patterns.** Partitions that are read together have up to half of their patterns in common. Such a pattern is
//! looked up once, and its bit changes the sums of all its partitions, which are the bytes of one word.
//!
//! **Order of the tests.** All sums have the parity of the moves left, and a child's sum is one more or one less than
//! its parent's. So only a partition whose sum equals the node's moves left can prune a child. The pattern of the first
//! such partition is looked up first, the other patterns for the remaining children. Searches for one solution have a
//! kernel of their own (`walk`), which looks up no more than it needs.
//!
//! Why it is admissible: each move of a solution moves one tile, so it is counted by one pattern of
//! a partition at most; each pattern's cost is the least for its tiles. The maximum of lower bounds
//! is a lower bound.

mod path;
mod tables;
mod walk;
mod words;

use search_core::heuristic::{Batch, Kernel, NodeRef, Sieved, SubtreeQueue};
use search_core::prefetch::prefetch;
use search_core::{Automaton, Heuristic, Op};

use super::Ranked;
use crate::board::{OPS, byte};
use crate::pdb::Plan;
use crate::pdb::order::PassingMaps;
use crate::pdb::partition::Lookup;
use crate::pdb::zones::ZoneNumbers;
use crate::puzzle::Puzzle;
use crate::tiles::Tiles;
pub use tables::{Start, Tables};
use words::{Packed, Sums};

/// The greatest number of partitions that are read together, reflections included.
pub const MAX_PARTITIONS: usize = 8;
/// The greatest number of patterns of all partitions together.
pub const MAX_PATTERNS: usize = 32;
/// The array length for tiles and cells, chosen so that indexes need no check.
const TILES: usize = 32;
/// The number of subtrees in flight: a node's few reads miss the caches about half of the time.
const LANES: usize = 4;

/// The heuristic, a view of its tables, with room for `PARTITIONS` partitions that have `PATTERNS` patterns together.
pub struct Additive<'t, const PATTERNS: usize, const PARTITIONS: usize, B> {
    tables: &'t Tables<B>,
    /// The numbers of the partitions in the plan.
    chosen: Vec<usize>,
    start: &'t Start,
    /// A one for each partition.
    ones: Sums,
    /// By pattern; a pattern that several partitions have is read once.
    readers: [Reader<'t>; PATTERNS],
    lookups: Lookups<PARTITIONS>,
    /// By set of partitions and tile: the set of the places of their patterns.
    places: Box<[[u8; TILES]; 1 << MAX_PARTITIONS]>,
    /// By cell: the tables' cell in each frame, in bytes 0 and 1.
    frames: [u32; TILES],
}

/// The patterns that have each tile: those that a move of it looks up. Each pattern has a place among those of the tile.
struct Lookups<const PARTITIONS: usize> {
    /// By tile and place: a two in the byte of each partition that has the pattern.
    members: [[u64; PARTITIONS]; TILES],
    /// By tile and place: the pattern's number.
    patterns: [[u8; PARTITIONS]; TILES],
    /// By tile and partition: the place of its pattern.
    places: [[u8; PARTITIONS]; TILES],
    /// By tile: the number of places.
    counts: [u8; TILES],
}

/// The data for the lookup of one pattern.
#[derive(Clone, Copy)]
struct Reader<'t> {
    bytes: &'t [u8],
    zones: ZoneNumbers<'t>,
    passing: PassingMaps<'t>,
    /// The first bit of the frame's cells in [`Additive::frames`].
    frame: u32,
}

impl<'t> Reader<'t> {
    /// The byte of a placement after a tile's move, which is prefetched, the set of cells and the number of the order.
    /// `cells` has the cell that the tile leaves and the one that it enters as in [`Additive::frames`], the latter 16
    /// bits higher.
    #[inline(always)]
    fn find(&self, placement: Packed, cells: u32) -> (&'t u8, u32, u16) {
        let cells = cells >> self.frame;
        let (from, to) = (cells & 31, cells >> 16 & 31);
        let rest = placement.held() & !(1 << from);
        let (here, there) = ((rest & ((1 << from) - 1)).count_ones(), (rest & ((1 << to) - 1)).count_ones());
        let order = self.passing.after(placement.order(), here as usize, there as usize);
        let held = rest | 1 << to;
        let zone = self.zones.zone(held, from as usize);
        let byte = &self.bytes[zone * self.passing.classes as usize + usize::from(order >> 3)];
        prefetch(byte);
        (byte, held, order)
    }
}

/// The placement of each pattern's tiles with its cost modulo 4, and the sum of each partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary<const PATTERNS: usize> {
    placements: [Packed; PATTERNS],
    sums: Sums,
}

/// Scratch data left from evaluating the children of a node.
#[derive(Clone, Debug)]
pub struct Scratch<'t, const PARTITIONS: usize> {
    /// The partition that is looked up first.
    first: u8,
    children: [Child<'t, PARTITIONS>; OPS],
}

/// A child's lookups.
#[derive(Clone, Copy, Debug)]
struct Child<'t, const PARTITIONS: usize> {
    tile: u8,
    /// The place of the pattern that is looked up first.
    first: u8,
    /// The sums, as if the costs that have not been read went up.
    sums: Sums,
    /// By place.
    probes: [Probe<'t>; PARTITIONS],
}

impl<const PARTITIONS: usize> Child<'_, PARTITIONS> {
    #[inline(always)]
    fn tile(&self) -> usize {
        usize::from(self.tile) % TILES
    }
}

impl<const PARTITIONS: usize> Default for Scratch<'_, PARTITIONS> {
    fn default() -> Self {
        let probes = [Probe { byte: &0, placement: Packed::default() }; _];
        let child = Child { tile: 0, first: 0, sums: Sums(0), probes };
        Scratch { first: 0, children: [child; OPS] }
    }
}

/// A byte to be read, and the placement of the pattern's tiles.
#[derive(Clone, Copy, Debug)]
struct Probe<'t> {
    byte: &'t u8,
    placement: Packed,
}

impl<'t, const PATTERNS: usize, const PARTITIONS: usize, B: AsRef<[u8]> + Sync>
    Additive<'t, PATTERNS, PARTITIONS, B>
{
    /// The heuristic for searches that begin at `start`: the greatest sum of some of the plan's partitions, given by
    /// their numbers.
    ///
    /// # Panics
    /// If there are no partitions or more than `PARTITIONS`, or if they have more than `PATTERNS` patterns together.
    pub fn new(tables: &'t Tables<B>, chosen: &[usize], start: &'t Start) -> Self {
        let plan = &tables.plan;
        assert!(PATTERNS <= MAX_PATTERNS && PARTITIONS <= MAX_PARTITIONS, "room in a word");
        assert!((1..=PARTITIONS).contains(&chosen.len()), "1 to {PARTITIONS} partitions");
        assert!(plan.lookups(chosen) <= PATTERNS, "at most {PATTERNS} patterns");
        let reader = |lookup: &Lookup| {
            let pattern = &plan.patterns[lookup.table];
            Reader {
                bytes: tables.tables[lookup.table].as_ref(),
                zones: pattern.zones().numbers(),
                passing: tables.passing[pattern.tiles()].as_ref().expect("made for every pattern").maps(),
                frame: 8 * lookup.frame as u32,
            }
        };
        let mut additive = Additive {
            tables,
            chosen: chosen.to_vec(),
            start,
            ones: Sums(chosen.iter().fold(0, |ones, _| ones << 8 | 1)),
            readers: [reader(&plan.partitions[chosen[0]][0]); PATTERNS],
            lookups: Lookups {
                members: [[0; _]; _],
                patterns: [[0; _]; _],
                places: [[0; _]; _],
                counts: [0; _],
            },
            places: Box::new([[0; TILES]; _]),
            frames: [0; TILES],
        };
        for (frame, map) in plan.frames.maps().iter().enumerate() {
            let cells = additive.frames.iter_mut().zip(&map[..plan.cells]);
            cells.for_each(|(cells, &cell)| *cells |= u32::from(cell) << (8 * frame));
        }
        for (pattern, (lookup, partitions)) in distinct(plan, chosen).into_iter().enumerate() {
            additive.readers[pattern] = reader(lookup);
            for &tile in lookup.tiles.iter().filter(|&&tile| tile != 0) {
                let (lookups, tile) = (&mut additive.lookups, usize::from(tile));
                let place = usize::from(lookups.counts[tile]);
                lookups.patterns[tile][place] = byte(pattern);
                for &partition in &partitions {
                    lookups.members[tile][place] |= 2 << (8 * partition);
                    lookups.places[tile][partition] = byte(place);
                }
                lookups.counts[tile] += 1;
            }
        }
        for (set, places) in additive.places.iter_mut().enumerate().take(1 << chosen.len()) {
            for (tile, places) in places.iter_mut().enumerate() {
                let members = (0..chosen.len()).filter(|partition| set >> partition & 1 == 1);
                let set =
                    members.fold(0, |set, partition| set | 1 << additive.lookups.places[tile][partition]);
                // The blank has no patterns.
                *places = if additive.lookups.counts[tile] == 0 { 0 } else { set };
            }
        }
        additive
    }

    /// The carry of a state without a parent: each pattern's cost is found by descending to its goal.
    fn summary<const BYTES: usize>(&self, tiles: &Tiles<BYTES>) -> Summary<PATTERNS> {
        let mut summary = Summary { placements: [Packed::default(); PATTERNS], sums: Sums(0) };
        let start = (self.start.tiles == tiles.small()).then_some(self.start);
        let mut sums = [0u8; MAX_PARTITIONS];
        for (pattern, (lookup, partitions)) in distinct(&self.tables.plan, &self.chosen).iter().enumerate() {
            let placement = match start {
                Some(start) => {
                    let partition = self.chosen[partitions[0]];
                    let mut lookups = self.tables.plan.partitions[partition].iter();
                    let place =
                        lookups.position(|other| other == *lookup).expect("a lookup of the partition");
                    start.placements[partition][place]
                }
                None => self.tables.placement(lookup, tiles, self.tables.plan.cells),
            };
            summary.placements[pattern] = Packed::new(placement.held, placement.order, placement.cost);
            for &partition in partitions {
                sums[partition] = sums[partition].saturating_add(placement.cost as u8);
            }
        }
        summary.sums = Sums(u64::from_le_bytes(sums));
        summary
    }

    /// Locates the bit of the pattern at a place of the moved tile's, for a child whose tile goes from cell `from` to
    /// cell `to`, which are given in all frames.
    #[inline(always)]
    fn find(
        &self,
        carry: &Summary<PATTERNS>,
        child: &mut Child<'t, PARTITIONS>,
        place: usize,
        from: u32,
        to: u32,
    ) {
        let place = place % PARTITIONS;
        let pattern = usize::from(self.lookups.patterns[child.tile()][place]) % PATTERNS;
        let placement = carry.placements[pattern];
        let (byte, held, order) = self.readers[pattern].find(placement, from | to << 16);
        child.probes[place] = Probe { byte, placement: placement.moved_up(held, order) };
    }

    /// Reads the located bit of the pattern at a place.
    #[inline(always)]
    fn sum(&self, child: &mut Child<'t, PARTITIONS>, place: usize) {
        let place = place % PARTITIONS;
        let Probe { byte, placement } = &mut child.probes[place];
        let down;
        (*placement, down) = placement.read(**byte);
        let members = self.lookups.members[child.tile()][place];
        child.sums.0 = child.sums.0.wrapping_sub(members & down.wrapping_neg());
    }

    /// The number of lookups of a child.
    #[inline(always)]
    fn count(&self, child: &Child<'t, PARTITIONS>) -> usize {
        usize::from(self.lookups.counts[child.tile()]).min(PARTITIONS)
    }

    /// The number of partitions.
    #[inline(always)]
    fn partitions(&self) -> usize {
        self.chosen.len().min(PARTITIONS)
    }
}

impl<'t, const PATTERNS: usize, const PARTITIONS: usize, const BYTES: usize, B: AsRef<[u8]> + Sync>
    Heuristic<Puzzle<BYTES>> for Additive<'t, PATTERNS, PARTITIONS, B>
{
    type Carry = Summary<PATTERNS>;
    type Scratch = Scratch<'t, PARTITIONS>;

    #[inline(always)]
    fn stages(&self) -> usize {
        self.partitions().min(2)
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
        scratch: &Scratch<'t, PARTITIONS>,
    ) -> Summary<PATTERNS> {
        let read = &scratch.children[op.index() % OPS];
        let mut after = Summary { placements: carry.placements, sums: read.sums };
        let patterns = &self.lookups.patterns[read.tile()];
        for place in 0..self.count(read) {
            after.placements[usize::from(patterns[place]) % PATTERNS] = read.probes[place].placement;
        }
        after
    }

    #[inline(always)]
    fn locate(
        &self,
        node: NodeRef<'_, Puzzle<BYTES>, Summary<PATTERNS>>,
        batch: Batch,
        scratch: &mut Scratch<'t, PARTITIONS>,
    ) {
        let NodeRef { domain: puzzle, state: parent, carry } = node;
        let blank = parent.blank();
        let to = self.frames[blank % TILES];
        if batch.stage == 0 {
            // Only a sum that exceeds the limit by one, before the move, can exceed it after.
            let first = carry.sums.first_with((batch.limit + 1).min(255) as u8) % PARTITIONS;
            scratch.first = first as u8;
            let sums = Sums(carry.sums.0.wrapping_add(self.ones.0));
            for op in batch.ops {
                let from = puzzle.target(blank, op);
                let child = &mut scratch.children[op.index() % OPS];
                (child.tile, child.sums) = (parent.tile(from) as u8, sums);
                child.first = self.lookups.places[child.tile()][first];
                self.find(carry, child, child.first.into(), self.frames[from % TILES], to);
            }
            return;
        }
        for op in batch.ops {
            let from = self.frames[puzzle.target(blank, op) % TILES];
            let child = &mut scratch.children[op.index() % OPS];
            for place in 1..self.count(child) {
                self.find(carry, child, other(place, child.first), from, to);
            }
        }
    }

    #[inline(always)]
    fn read(&self, batch: Batch, scratch: &mut Scratch<'t, PARTITIONS>) -> Sieved {
        // Loops without closures: code for wider instructions does not inline these.
        let (mut sieved, first) = (Sieved::default(), usize::from(scratch.first));
        for op in batch.ops {
            let child = &mut scratch.children[op.index() % OPS];
            let mut greatest = 0;
            if batch.stage == 0 {
                self.sum(child, child.first.into());
                greatest = child.sums.of(first);
            } else {
                for place in 1..self.count(child) {
                    self.sum(child, other(place, child.first));
                }
                for partition in 0..self.partitions() {
                    greatest = greatest.max(child.sums.of(partition));
                }
            }
            sieved.take(op, greatest, batch.limit);
        }
        sieved
    }

    fn value(&self, _: &Puzzle<BYTES>, state: &Tiles<BYTES>) -> u8 {
        self.summary(state).sums.greatest()
    }

    fn kernel(&self) -> Kernel {
        Kernel::Own { lanes: LANES }
    }

    #[inline(always)]
    fn search_subtrees(
        &self,
        puzzle: &Puzzle<BYTES>,
        automaton: &Automaton,
        lanes: usize,
        queue: &mut dyn SubtreeQueue<Puzzle<BYTES>, Summary<PATTERNS>>,
    ) -> bool {
        // On WebAssembly, only the kernels of the library fetch what was located.
        if !cfg!(target_family = "wasm") {
            walk::run(self, puzzle, automaton, lanes, queue);
        }
        !cfg!(target_family = "wasm")
    }
}

impl<const PATTERNS: usize, const PARTITIONS: usize, const BYTES: usize, B: AsRef<[u8]> + Sync>
    Ranked<Puzzle<BYTES>> for Additive<'_, PATTERNS, PARTITIONS, B>
{
    /// The greatest sum, then the sum of all sums.
    fn rank(&self, carry: &Summary<PATTERNS>, value: u32) -> u32 {
        value << 16 | carry.sums.0.to_le_bytes().into_iter().map(u32::from).sum::<u32>()
    }
}

/// The place at a position when place `first` is exchanged with place 0; positions count from 1.
#[inline(always)]
fn other(position: usize, first: u8) -> usize {
    if position == usize::from(first) { 0 } else { position }
}

/// The different lookups of some partitions, each with the positions in `chosen` of the partitions that have it.
fn distinct<'p>(plan: &'p Plan, chosen: &[usize]) -> Vec<(&'p Lookup, Vec<usize>)> {
    let mut distinct: Vec<(&Lookup, Vec<usize>)> = Vec::new();
    for (position, &partition) in chosen.iter().enumerate() {
        for lookup in &plan.partitions[partition] {
            match distinct.iter_mut().find(|(known, _)| *known == lookup) {
                Some((_, positions)) => positions.push(position),
                None => distinct.push((lookup, vec![position])),
            }
        }
    }
    distinct
}
