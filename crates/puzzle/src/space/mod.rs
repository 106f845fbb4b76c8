//! The space that a search walks: positions as a few coordinates each, and pattern databases over them.
//!
//! The idea: a position is a row of small numbers, the states of its coordinates. A move reads one number from the
//! table of each. An entry of a pattern database is a sum of multiples of some of them, so a child is located without
//! being built, and only the read of the database itself goes to main memory.
//!
//! A coordinate may be seen through a symmetry of the puzzle: it then has the table of the coordinate that it is the
//! image of, with the moves renamed. So one table and one pattern database serve several images.

mod bound;
mod inverse;

use std::sync::Arc;

use search_core::domain::{Lengths, MOST_OPS, OpSet};
use search_core::memory::Memory;
use search_core::pdb::{Histogram, Packed};
use search_core::{Domain, Op, Run};

pub use bound::Bound;
pub use inverse::Inverse;

use crate::coordinate::{Coordinate, NONE};
use crate::reduced::Reduced;

/// A coordinate of a position.
#[derive(Clone, Debug)]
pub struct Slot {
    /// For each state and move, the state that the move leads to.
    pub next: Arc<[u16]>,
    /// The move by which the table is read, for each move.
    pub renamed: [u8; MOST_OPS],
}

impl Slot {
    /// A coordinate as it is.
    pub fn of(coordinate: &Coordinate) -> Slot {
        // Moves are numbered below 64.
        Slot { next: coordinate.next().into(), renamed: std::array::from_fn(|op| op as u8) }
    }

    /// The same table, read by the image of each move.
    ///
    /// # Panics
    /// If there are more than 64 moves.
    pub fn renamed(&self, images: &[usize]) -> Slot {
        let mut renamed = self.renamed;
        for (renamed, &image) in renamed.iter_mut().zip(images) {
            *renamed = u8::try_from(image).expect("at most 64 moves");
        }
        Slot { next: self.next.clone(), renamed }
    }
}

/// An operation on spaces of any width.
pub trait Width {
    /// Its result.
    type Answer;
    /// Runs with positions of up to `N` coordinates.
    fn with<const N: usize>(self) -> Self::Answer;
}

/// Runs `operation` with positions that have room for `coordinates`.
///
/// # Panics
/// If there are more than [`MOST_COORDINATES`].
pub fn with_width<W: Width>(coordinates: usize, operation: W) -> W::Answer {
    match coordinates {
        0..=8 => operation.with::<8>(),
        9..=32 => operation.with::<32>(),
        33..=MOST_COORDINATES => operation.with::<MOST_COORDINATES>(),
        _ => panic!("{coordinates} coordinates instead of at most {MOST_COORDINATES}"),
    }
}

/// The maximum number of coordinates of a position.
pub const MOST_COORDINATES: usize = 64;

/// Positions with up to `N` coordinates.
#[derive(Clone, Debug)]
pub struct Space<const N: usize> {
    moves: usize,
    slots: Vec<Slot>,
    /// The first coordinates, which determine the position.
    exact: usize,
    has_rules: bool,
    lengths: Lengths,
}

impl<const N: usize> Space<N> {
    /// The space of positions with these coordinates, of which the first `exact` determine the position. The solved
    /// position has state 0 in each.
    ///
    /// # Panics
    /// If there are more than `N` coordinates.
    pub fn new(moves: usize, slots: Vec<Slot>, exact: usize, lengths: Lengths) -> Space<N> {
        assert!(exact <= slots.len() && slots.len() <= N, "at most {N} coordinates");
        let has_rules = slots.iter().any(|slot| slot.next.contains(&NONE));
        Space { moves, slots, exact, has_rules, lengths }
    }

    #[inline(always)]
    fn next(&self, slot: usize, state: u16, op: Op) -> u16 {
        let Slot { next, renamed } = &self.slots[slot];
        next[usize::from(state) * self.moves + usize::from(renamed[op.index()])]
    }

    /// The states that moves lead to from a state of a coordinate.
    #[inline(always)]
    fn row(&self, slot: usize, state: u16) -> Row<'_> {
        let Slot { next, renamed } = &self.slots[slot];
        Row { next: &next[usize::from(state) * self.moves..][..self.moves], renamed }
    }
}

/// The states that moves lead to from a state of a coordinate.
#[derive(Clone, Copy, Debug)]
struct Row<'a> {
    next: &'a [u16],
    renamed: &'a [u8; MOST_OPS],
}

impl Row<'_> {
    /// The state after a move.
    #[inline(always)]
    fn next(self, op: Op) -> usize {
        usize::from(self.next[usize::from(self.renamed[op.index() % MOST_OPS])])
    }
}

impl<const N: usize> Domain for Space<N> {
    type State = [u16; N];

    fn op_count(&self) -> usize {
        self.moves
    }

    #[inline(always)]
    fn applicable(&self, state: &[u16; N]) -> OpSet {
        let all = OpSet::first(self.moves);
        if !self.has_rules {
            return all;
        }
        let is_legal = |op: &Op| (0..self.exact).all(|slot| self.next(slot, state[slot], *op) != NONE);
        all.into_iter().filter(is_legal).collect()
    }

    #[inline(always)]
    fn apply(&self, state: &[u16; N], op: Op) -> [u16; N] {
        let mut child = [0; N];
        for slot in 0..self.slots.len() {
            child[slot] = self.next(slot, state[slot], op);
        }
        child
    }

    #[inline(always)]
    fn is_goal(&self, state: &[u16; N]) -> bool {
        state[..self.exact].iter().all(|&state| state == 0)
    }

    fn lengths(&self, _: &[u16; N]) -> Lengths {
        self.lengths
    }
}

/// The entries of a pattern database: distances, the greatest number for those beyond.
#[derive(Debug)]
pub struct Distances {
    entries: Entries,
    is_complete: bool,
    /// The number of entries at each distance.
    pub counts: Vec<u64>,
}

#[derive(Debug)]
enum Entries {
    Four(Packed<4, Memory>),
    Eight(Packed<8, Memory>),
}

impl Distances {
    /// A single entry, the distance 0: the lower bound of every position.
    ///
    /// # Panics
    /// If a byte of memory is refused.
    pub fn none(run: &Run<'_>) -> Distances {
        let entry = Memory::zeroed(1).expect("a byte of memory");
        Distances::eight(Packed::new(entry, 1).expect("one entry"), run)
    }

    /// The entries of four bits in `table`.
    pub fn four(table: Packed<4, Memory>, run: &Run<'_>) -> Distances {
        let histogram = Histogram::of(&table, run);
        let is_complete = histogram.max().is_none_or(|most| most + 1 < Packed::<4, Memory>::UNREACHED);
        Distances { entries: Entries::Four(table), is_complete, counts: histogram.counts }
    }

    /// The entries of eight bits in `table`.
    pub fn eight(table: Packed<8, Memory>, run: &Run<'_>) -> Distances {
        let histogram = Histogram::of(&table, run);
        let is_complete = histogram.max().is_none_or(|most| most + 1 < Packed::<8, Memory>::UNREACHED);
        Distances { entries: Entries::Eight(table), is_complete, counts: histogram.counts }
    }

    /// The entry of this number.
    #[inline(always)]
    pub fn get(&self, entry: usize) -> u8 {
        match &self.entries {
            Entries::Four(table) => table.get(entry as u64),
            Entries::Eight(table) => table.get(entry as u64),
        }
    }

    #[inline(always)]
    pub(crate) fn prefetch(&self, entry: usize) {
        match &self.entries {
            Entries::Four(table) => table.prefetch(entry as u64),
            Entries::Eight(table) => table.prefetch(entry as u64),
        }
    }

    /// The greatest distance, if every distance is known.
    pub fn farthest(&self) -> Option<u32> {
        let farthest = self.counts.iter().rposition(|&count| count > 0).filter(|_| self.is_complete)?;
        u32::try_from(farthest).ok()
    }

    /// Whether an entry of this value has no distance because no moves reach it.
    pub fn is_unreachable(&self, value: u8) -> bool {
        let unreached = match &self.entries {
            Entries::Four(_) => Packed::<4, Memory>::UNREACHED,
            Entries::Eight(_) => Packed::<8, Memory>::UNREACHED,
        };
        self.is_complete && value == unreached
    }
}

/// One lookup of a position in a pattern database.
#[derive(Clone, Debug)]
pub struct View {
    /// The coordinates that the entry is made of, and the number by which each is multiplied.
    pub digits: Vec<(usize, usize)>,
    /// Where symmetries reduce the table: the product of `digits`, which are its leading coordinates, and the coordinate that
    /// follows.
    pub reduced: Option<(Arc<Reduced>, usize)>,
    /// The pattern database.
    pub table: Arc<Distances>,
}

impl View {
    /// The entry of a position.
    pub fn entry(&self, state: &[u16]) -> usize {
        let sum = self.digits.iter().map(|&(slot, stride)| usize::from(state[slot]) * stride).sum();
        match &self.reduced {
            None => sum,
            Some((reduced, following)) => reduced.entry(sum, usize::from(state[*following])),
        }
    }

    /// The coordinates that the entry is made of.
    pub fn slots(&self) -> impl Iterator<Item = usize> {
        let following = self.reduced.iter().map(|(_, slot)| *slot);
        self.digits.iter().map(|(slot, _)| *slot).chain(following)
    }

    /// The same, to be changed.
    pub fn slots_mut(&mut self) -> impl Iterator<Item = &mut usize> {
        let following = self.reduced.iter_mut().map(|(_, slot)| slot);
        self.digits.iter_mut().map(|(slot, _)| slot).chain(following)
    }

    /// Prepares to locate the entries of the children that `ops` lead to, in their order.
    #[inline(always)]
    fn prepare<const N: usize>(
        &self,
        space: &Space<N>,
        state: &[u16; N],
        ops: OpSet,
        entries: &mut [usize; MOST_OPS],
    ) {
        let entries = &mut entries[..ops.len()];
        entries.fill(0);
        for &(slot, stride) in &self.digits {
            let row = space.row(slot, state[slot]);
            for (entry, op) in entries.iter_mut().zip(ops) {
                *entry += row.next(op) * stride;
            }
        }
        for &mut entry in entries {
            match &self.reduced {
                None => self.table.prefetch(entry),
                Some((reduced, _)) => reduced.prefetch(entry),
            }
        }
    }

    /// Locates the entries that [`prepare`](Self::prepare) has prepared.
    #[inline(always)]
    fn locate<const N: usize>(
        &self,
        space: &Space<N>,
        state: &[u16; N],
        ops: OpSet,
        entries: &mut [usize; MOST_OPS],
    ) {
        if let Some((reduced, following)) = &self.reduced {
            let row = space.row(*following, state[*following]);
            for (entry, op) in entries[..ops.len()].iter_mut().zip(ops) {
                *entry = reduced.entry(*entry, row.next(op));
                self.table.prefetch(*entry);
            }
        }
    }
}
