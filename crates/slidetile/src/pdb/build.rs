//! Fills an additive pattern database, one bit for each state of its pattern.
//!
//! The idea (Korf & Felner 2002): a state consists of the cells of the pattern's tiles and the region of the other
//! cells that holds the blank. The blank moves freely within its region, and a move of a pattern's tile costs one.
//! Costs of disjoint patterns can be added, because each move is counted in at most one of them.
//!
//! The stored bit: a move of a pattern's tile changes a state's cost by exactly one, since it can be undone
//! and changes the parity of the tiles' distances. So costs modulo 4 distinguish a step up from a step down. Their lowest bit
//! follows from the occupied cells, and the table holds the other one. From a state's known cost, one read gives
//! the cost of each neighbour; the cost of a first state is found by descending to the goal
//! ([`Pattern::cost`]). (Differences as entries: Breyer & Korf 2010, "1.6-bit pattern databases"; one bit for
//! sliding tiles whose tables know the blank's region: Clausecker & Reinefeld 2019.)
//!
//! Layout: each [zone](super::zones) owns a row of bytes, and each [class](super::order) of orders a byte of
//! it, so the byte of a state is at `zone * classes + class`.
//!
//! The fill proceeds by layers of equal cost, backwards from the goal, and processes whole rows: all orders that
//! reach a zone by a move of the tile from one cell to another come from one row, either in place (along a
//! row of the board) or by [`Passing`] (along a column), eight states at a time. The states of a layer are never listed:
//! they are the reached ones whose bit is that of the layer. These include earlier layers whose costs are equal
//! modulo 4, which reach nothing new. Layers alternate between zones of even and of
//! odd sets of cells, so each zone is filled by one thread, which only reads the others.
//!
//! Cost: for each zone and each layer in which a neighbour was reached, about ten operations on rows.
//! Memory: twice the table. On two threads, a table of 6 tiles on 5x5 takes a second, one of 7 tiles 15.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use search_core::memory::Memory;
use search_core::simd::vectorized;
use search_core::table::{FileError, Unfinished};
use search_core::{Cancelled, Run};

use super::order::{MAX_CLASSES, MAX_TILES, Passing, classes, order};
use super::zones::{self, Zones, cells, sets};
use crate::board::Board;

/// A pattern of an additive database.
#[derive(Clone, Debug)]
pub struct Pattern {
    board: Board,
    homes: u32,
    blank: u8,
    zones: Arc<Zones>,
}

/// The number of zones that a thread processes at a time.
const CHUNK: usize = 64;
/// The last layer of a zone that has not been reached.
const NEVER: u8 = u8::MAX;
/// The contents of a saved fill, for its header.
const STATE: &str = "reached, bits, last layer by zone";
/// An upper limit on the cost of any pattern: the costs of 8 tiles are below 100.
const MAX_COST: u32 = 250;
/// The row of a zone, with room for every index that a map holds.
type ZoneRow = [u8; MAX_CLASSES.next_power_of_two()];

impl Pattern {
    /// The pattern of the tiles whose goal cells are `homes`, with the blank's goal cell. `zones` are those of
    /// the board and as many tiles.
    ///
    /// # Panics
    /// If there are no tiles or more than 8, or the blank's cell is one of theirs.
    pub fn new(board: Board, homes: u32, blank: u8, zones: Arc<Zones>) -> Pattern {
        assert!((1..=MAX_TILES as u32).contains(&homes.count_ones()), "a pattern has 1 to 8 tiles");
        assert!(homes >> blank & 1 == 0, "the blank has a cell of its own");
        Pattern { board, homes, blank, zones }
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The goal cells of the tiles, as a set.
    pub fn homes(&self) -> u32 {
        self.homes
    }

    /// The blank's goal cell.
    pub fn blank(&self) -> u8 {
        self.blank
    }

    /// The zones of its states.
    pub fn zones(&self) -> &Zones {
        &self.zones
    }

    /// The number of tiles.
    pub fn tiles(&self) -> usize {
        self.homes.count_ones() as usize
    }

    /// The goal cell of each tile, ascending: the order of the tiles in tables.
    pub fn home_cells(&self) -> [u8; MAX_TILES] {
        let mut homes = [0; MAX_TILES];
        homes.iter_mut().zip(cells(self.homes)).for_each(|(home, cell)| *home = cell as u8);
        homes
    }

    /// The bytes of the table.
    pub fn table_bytes(&self) -> usize {
        self.zones.len() * classes(self.tiles())
    }

    /// The bytes of memory that filling takes: the table, as many bytes to mark the reached states, and five bytes
    /// for each zone.
    pub fn fill_bytes(&self) -> usize {
        2 * self.table_bytes() + 5 * self.zones.len()
    }

    /// Fills the table. Returns it and the greatest cost.
    ///
    /// # Errors
    /// [`FileError`] when memory is not available or the work is cancelled.
    pub fn fill(&self, run: &Run<'_>) -> Result<(Memory, u32), FileError> {
        self.resumable_fill(&Unfinished::NOWHERE, run)
    }

    /// Fills the table like [`fill`](Pattern::fill), but resumes from the state in `unfinished` and saves it there.
    ///
    /// # Errors
    /// [`FileError`], also when the state of an earlier fill cannot be read.
    pub fn resumable_fill(&self, unfinished: &Unfinished, run: &Run<'_>) -> Result<(Memory, u32), FileError> {
        run.install(|| {
            let mut fill = Fill::new(self)?;
            let parts = &mut [&mut fill.reached[..], &mut fill.bits, &mut fill.last];
            let Some(cost) = unfinished.resume_parts(STATE, parts, MAX_COST, run)? else {
                drop(fill);
                return Fill::new(self)?.run(0, unfinished, run);
            };
            fill.run(cost, unfinished, run)
        })
    }

    /// The cost of a state, from the table's bytes; `at` gives the tiles' cells in the order of
    /// [`home_cells`](Pattern::home_cells). Descends to the goal move by move.
    ///
    /// `None` if no path descends to the goal: then the bytes are not this pattern's table.
    pub fn cost(&self, table: &[u8], at: [u8; MAX_TILES], blank: usize) -> Option<u32> {
        let (tiles, zones, steps) = (self.tiles(), &*self.zones, zones::steps(self.board));
        let held = |at: &[u8; MAX_TILES]| at[..tiles].iter().fold(0u32, |set, &cell| set | 1 << cell);
        let modulo_4 = |at: &[u8; MAX_TILES], blank: usize| {
            let bit = self.bit(table, at, held(at), blank);
            2 * u32::from(bit) + u32::from(zones::is_odd(self.board, held(at) ^ self.homes))
        };
        let goal = zones.region(zones.zone(self.homes, self.blank.into()));
        let (mut at, mut blank) = (at, blank);
        for cost in 0..MAX_COST {
            if at[..tiles] == self.home_cells()[..tiles] && goal >> blank & 1 == 1 {
                return Some(cost);
            }
            let region = zones.region(zones.zone(held(&at), blank));
            let below = (modulo_4(&at, blank) + 3) % 4;
            let moves = (0..tiles)
                .flat_map(|tile| cells(steps[at[tile] as usize] & region).map(move |to| (tile, to)));
            let (tile, to) = moves.into_iter().find(|&(tile, to)| {
                let mut after = at;
                after[tile] = to as u8;
                modulo_4(&after, at[tile].into()) == below
            })?;
            blank = at[tile].into();
            at[tile] = to as u8;
        }
        None
    }

    /// A state's bit in the table's bytes.
    #[inline(always)]
    fn bit(&self, table: &[u8], at: &[u8; MAX_TILES], held: u32, blank: usize) -> bool {
        let (class, number) = order(self.tiles(), at, held);
        table[self.zones.zone(held, blank) * classes(self.tiles()) + class] >> number & 1 == 1
    }
}

/// A table that is being filled.
struct Fill<'a> {
    pattern: &'a Pattern,
    zones: &'a Zones,
    classes: usize,
    passing: Passing,
    steps: [u32; 32],
    /// By zone: its set of held cells.
    held: Vec<u32>,
    /// For each state, whether it was reached.
    reached: Memory,
    /// For each state, the second bit of its cost.
    bits: Memory,
    /// By zone: the last layer that reached a state of it.
    last: Vec<u8>,
}

/// Splits data by zones into the half that a layer writes and the half that it reads: zones of even and odd sets.
fn half<T>(all: &mut [T], evens: usize, odd: bool) -> (&mut [T], &[T]) {
    let (even, rest) = all.split_at_mut(evens);
    if odd { (rest, even) } else { (even, rest) }
}

/// The rows from which a layer is reached, and the last layers of their zones.
struct SourceRows<'a> {
    /// The number of the first zone.
    first: usize,
    reached: &'a [u8],
    bits: &'a [u8],
    last: &'a [u8],
    cost: u32,
}

impl<'a> Fill<'a> {
    fn new(pattern: &'a Pattern) -> Result<Fill<'a>, FileError> {
        let (board, tiles, zones) = (pattern.board, pattern.tiles(), &*pattern.zones);
        let bytes = pattern.table_bytes();
        let mut held = vec![0; zones.len()];
        for set in sets(board.cells(), tiles) {
            let mut free = u32::MAX >> (32 - board.cells()) & !set;
            while free != 0 {
                let zone = zones.zone(set, free.trailing_zeros() as usize);
                held[zone] = set;
                free &= !zones.region(zone);
            }
        }
        let mut fill = Fill {
            pattern,
            zones,
            classes: classes(tiles),
            passing: Passing::new(tiles),
            steps: zones::steps(board),
            held,
            reached: Memory::zeroed(bytes)?,
            bits: Memory::zeroed(bytes)?,
            last: vec![NEVER; zones.len()],
        };
        let goal = zones.zone(pattern.homes, pattern.blank.into());
        let (class, number) = order(tiles, &pattern.home_cells(), pattern.homes);
        fill.reached[goal * fill.classes + class] = 1 << number;
        fill.last[goal] = 0;
        Ok(fill)
    }

    /// Fills layer by layer until one is empty. The layers up to `cost` are complete.
    ///
    /// A layer that was interrupted is filled again. This adds only the missing states, because the layer reads
    /// only zones of the other parity.
    fn run(
        mut self,
        mut cost: u32,
        unfinished: &Unfinished,
        run: &Run<'_>,
    ) -> Result<(Memory, u32), FileError> {
        let states = self.zones.len() as u64 * (1..=self.pattern.tiles() as u64).product::<u64>();
        run.progress().begin("filling a pattern database", states);
        let mut done = self.reached.iter().map(|byte| u64::from(byte.count_ones())).sum();
        loop {
            let layer = self.layer(cost + 1, run);
            let done_to = if layer.is_ok() { cost + 1 } else { cost };
            if unfinished.is_due(run) {
                unfinished.keep_parts(STATE, &[&self.reached, &self.bits, &self.last], done_to, run);
            }
            let reached = layer?;
            // States of the layer that an earlier process reached count too.
            if reached == 0 && !self.last.contains(&((cost + 1) as u8)) {
                break;
            }
            cost += 1;
            done += reached;
            run.progress().update(done);
        }
        run.progress().end();
        Ok((self.bits, cost))
    }

    /// Marks the states of `cost` as reached. Returns their number.
    fn layer(&mut self, cost: u32, run: &Run<'_>) -> Result<u64, Cancelled> {
        let goal_is_odd = zones::is_odd(self.pattern.board, self.pattern.homes);
        let (odd, evens, row) = (goal_is_odd ^ (cost % 2 == 1), self.zones.evens(), self.classes);
        let (first, other) = if odd { (evens, 0) } else { (0, evens) };
        let (reached, from_reached) = half(&mut self.reached, evens * row, odd);
        let (bits, from_bits) = half(&mut self.bits, evens * row, odd);
        let (last, from_last) = half(&mut self.last, evens, odd);
        let source = SourceRows {
            first: other,
            reached: from_reached,
            bits: from_bits,
            last: from_last,
            cost: cost - 1,
        };
        let (held, new) = (&self.held, AtomicU64::new(0));
        let shared = LayerTables { zones: self.zones, passing: &self.passing, steps: &self.steps, row };
        let chunks = reached.chunks_mut(CHUNK * row).zip(bits.chunks_mut(CHUNK * row));
        let mut chunks: Vec<_> = chunks.zip(last.chunks_mut(CHUNK)).collect();
        run.try_for_each_item(&mut chunks, &|chunk, ((reached, bits), last)| {
            run.check()?;
            let count = vectorized(
                #[inline(always)]
                || {
                    let rows = reached.chunks_exact_mut(row).zip(bits.chunks_exact_mut(row));
                    let (mut count, mut buffers) = (0, Buffers::default());
                    for (number, ((reached, bits), last)) in rows.zip(&mut **last).enumerate() {
                        let zone = first + chunk * CHUNK + number;
                        let new = shared.reach(zone, held[zone], &source, reached, bits, &mut buffers);
                        if new > 0 {
                            *last = cost as u8;
                        }
                        count += new;
                    }
                    count
                },
            );
            new.fetch_add(count, Ordering::Relaxed);
            Ok(())
        })?;
        Ok(new.into_inner())
    }
}

/// Buffers for rows: the source of a passing move, and the states that reach a zone.
struct Buffers {
    from: ZoneRow,
    new: ZoneRow,
}

impl Default for Buffers {
    fn default() -> Buffers {
        Buffers { from: [0; _], new: [0; _] }
    }
}

/// The data that all threads read while a layer is filled.
struct LayerTables<'a> {
    zones: &'a Zones,
    passing: &'a Passing,
    steps: &'a [u32; 32],
    row: usize,
}

impl LayerTables<'_> {
    /// Marks the states of one zone that `source` leads to as reached. Returns the number of new ones.
    #[inline(always)]
    fn reach(
        &self,
        zone: usize,
        held: u32,
        source: &SourceRows<'_>,
        reached: &mut [u8],
        bits: &mut [u8],
        Buffers { from, new }: &mut Buffers,
    ) -> u64 {
        let region = self.zones.region(zone);
        let new = &mut new[..self.row];
        let mut any = false;
        for (place, cell) in cells(held).enumerate() {
            // The tile now in `cell` came from a cell that is now in the blank's region.
            for before in cells(self.steps[cell] & region) {
                let held = held ^ 1 << cell ^ 1 << before;
                let zone = self.zones.zone(held, cell) - source.first;
                if u32::from(source.last[zone]) != source.cost {
                    continue;
                }
                if !any {
                    new.fill(0);
                    any = true;
                }
                let reached = &source.reached[zone * self.row..][..self.row];
                let bits = &source.bits[zone * self.row..][..self.row];
                let other = if source.cost & 2 == 0 { u8::MAX } else { 0 };
                let layer = reached.iter().zip(bits).map(|(reached, bits)| reached & (bits ^ other));
                let place_before = (held & ((1 << before) - 1)).count_ones() as usize;
                if place_before == place {
                    new.iter_mut().zip(layer).for_each(|(new, layer)| *new |= layer);
                } else {
                    from.iter_mut().zip(layer).for_each(|(from, layer)| *from = layer);
                    self.passing.add(from, place_before, place, new);
                }
            }
        }
        if !any {
            return 0;
        }
        let mut count = 0;
        let set = if (source.cost + 1) & 2 == 0 { 0 } else { u8::MAX };
        for ((new, reached), bits) in new.iter_mut().zip(reached).zip(bits) {
            *new &= !*reached;
            *reached |= *new;
            *bits |= *new & set;
            count += u64::from(new.count_ones());
        }
        count
    }
}
