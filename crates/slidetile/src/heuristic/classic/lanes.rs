//! Sums over a state's tiles: all data of a state that the parts of the heuristic need.

use crate::board::TABLE_SIDE;

/// Lanes for boards with sides up to 5.
pub const NARROW: usize = 16;
/// Lanes for boards with a side of 6, where a line has more contents than 16 bits.
pub const WIDE: usize = 32;

/// The lines of a board: six rows and six columns, so lanes 0 to 11.
pub(super) const LINES: usize = 2 * TABLE_SIDE;
/// The lane of Manhattan distance in the lower byte and, above it, the sides whose corner contains its tile.
pub(super) const DISTANCE: usize = 12;
/// Visits that cost two moves.
pub(super) const TWO: usize = 13;
/// Visits that cost two moves unless their tile leaves its line anyway.
pub(super) const OUT_OF_LINE: usize = 14;
/// The sides whose tile is at home; above them the sides whose corner's tile is across.
pub(super) const CORNERS: usize = 15;
/// The lane of the upper cells of line 0, if there are 32 lanes.
pub(super) const UPPER: usize = 16;
/// The number of a line's cells in the key of its first lane, if there are 32 lanes.
pub(super) const LOWER: usize = 3;

/// The sums: one or two vector registers. No lane's sum over the tiles of any state passes 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct Lanes<const W: usize>([u16; W]);

impl<const W: usize> Lanes<W> {
    pub(super) const ZERO: Lanes<W> = Lanes([0; W]);

    /// One lane, which must be below `W`, a power of two.
    #[inline(always)]
    pub(super) fn get(&self, lane: usize) -> usize {
        usize::from(self.0[lane & (W - 1)])
    }

    #[inline(always)]
    pub(super) fn add(&self, other: &Lanes<W>) -> Lanes<W> {
        Lanes(std::array::from_fn(|lane| self.0[lane].wrapping_add(other.0[lane])))
    }

    #[inline(always)]
    pub(super) fn subtract(&self, other: &Lanes<W>) -> Lanes<W> {
        Lanes(std::array::from_fn(|lane| self.0[lane].wrapping_sub(other.0[lane])))
    }

    /// Adds `amount` to one lane.
    pub(super) fn put(&mut self, lane: usize, amount: usize) {
        self.0[lane] += u16::try_from(amount).expect("a lane has 16 bits");
    }
}

const _: () = assert!(NARROW.is_power_of_two() && WIDE.is_power_of_two() && UPPER + LINES <= WIDE);
