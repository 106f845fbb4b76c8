//! The space that a search walks: positions as a few coordinates each, and pattern databases over them.
//!
//! The idea: a position is a row of small numbers, the states of its coordinates. A move reads one number from the
//! table of each. An entry of a pattern database is a sum of multiples of some of them, so a child is located without
//! being built, and only the read of the database itself goes to main memory.
//!
//! A coordinate may be seen through a symmetry of the puzzle: it then has the table of the coordinate that it is the
//! image of, with the moves renamed. So one table and one pattern database serve several images.

mod inverse;

use std::sync::Arc;

use search_core::domain::{Lengths, MOST_OPS, OpSet};
use search_core::heuristic::{ChildBound, Kernel, NodeRef};
use search_core::memory::Memory;
use search_core::pdb::{Histogram, Packed};
use search_core::{Domain, Op, Run};

pub use inverse::Inverse;
use inverse::MOST_INVERSE;

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
        0..=4 => operation.with::<4>(),
        5..=8 => operation.with::<8>(),
        9..=16 => operation.with::<16>(),
        17..=32 => operation.with::<32>(),
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
        self.entry_of(|slot| usize::from(state[slot]))
    }

    /// The coordinates that the entry is made of.
    pub fn slots_mut(&mut self) -> impl Iterator<Item = &mut usize> {
        let following = self.reduced.iter_mut().map(|(_, slot)| slot);
        self.digits.iter_mut().map(|(slot, _)| slot).chain(following)
    }

    /// The entry of a position that has these states.
    #[inline(always)]
    fn entry_of(&self, state: impl Fn(usize) -> usize) -> usize {
        let mut sum = 0;
        for &(slot, stride) in &self.digits {
            sum += state(slot) * stride;
        }
        match &self.reduced {
            None => sum,
            Some((reduced, following)) => reduced.entry(sum, state(*following)),
        }
    }
}

/// The maximum of lookups, each of which is a stage.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The lookups, in the order in which they are tried; at least one.
    pub views: Vec<View>,
    /// The lookups of the inverse, which are one stage, the last.
    pub inverse: Option<Arc<Inverse>>,
    /// The kernel that suits their tables.
    pub kernel: Kernel,
}

impl<const N: usize> ChildBound<Space<N>> for Bound {
    type Carry = ();
    type Probe = [usize; MOST_INVERSE];
    type Memo = ();

    #[inline(always)]
    fn stages(&self) -> usize {
        self.views.len() + usize::from(self.inverse.is_some())
    }

    fn carry(&self, _: &Space<N>, _: &[u16; N]) {}

    #[inline(always)]
    fn carry_child(&self, _: NodeRef<'_, Space<N>, ()>, _: Op, _: &[u16; N], (): &()) {}

    #[inline(always)]
    fn locate(&self, node: NodeRef<'_, Space<N>, ()>, op: Op, stage: usize) -> Self::Probe {
        let state = |slot: usize| usize::from(node.domain.next(slot, node.state[slot], op));
        match (self.views.get(stage), &self.inverse) {
            (Some(view), _) => {
                let entry = view.entry_of(state);
                view.table.prefetch(entry);
                let mut entries = [0; MOST_INVERSE];
                entries[0] = entry;
                entries
            }
            (None, Some(inverse)) => inverse.entries(state),
            (None, None) => [0; MOST_INVERSE],
        }
    }

    #[inline(always)]
    fn read(&self, probe: Self::Probe, stage: usize, (): &mut ()) -> u8 {
        match (self.views.get(stage), &self.inverse) {
            (Some(view), _) => view.table.get(probe[0]),
            (None, Some(inverse)) => inverse.read(probe),
            (None, None) => 0,
        }
    }

    fn value(&self, _: &Space<N>, state: &[u16; N]) -> u8 {
        let values = self.views.iter().map(|view| view.table.get(view.entry(state)));
        let inverse = self.inverse.iter().map(|inverse| inverse.value(state));
        values.chain(inverse).max().expect("there is a lookup")
    }

    fn kernel(&self) -> Kernel {
        self.kernel
    }
}
