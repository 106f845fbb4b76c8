//! The peg graphs whose searches go from corner to corner.
//!
//! A large disc moves between two pegs while all small discs are on the other two. So the edges of the graph determine
//! which pairs of pegs make corners: all six where discs move between any two pegs. On a **star**, where each
//! move brings a disc to the centre, peg 0, or away from it, these are the three pairs of leaves.
//!
//! Times are counted in units. On a star, the number of discs on the centre changes with each move
//! between even and odd, and all corners of a block have the same number: the large discs of the block that
//! are there. So their times are all even or all odd, and the unit is two moves: a byte holds twice as much.

use crate::bitmap::shape::{PAIRS, pair_of};
use crate::model::{State, to_u64};

/// Between which pegs discs move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edges {
    /// Between any two.
    All,
    /// Between peg 0 and any other.
    Star,
}

impl Edges {
    /// The pairs of pegs that make corners.
    #[inline(always)]
    pub fn pairs(self) -> &'static [(u32, u32)] {
        &PAIRS[self.first_pair()..]
    }

    #[inline(always)]
    fn first_pair(self) -> usize {
        match self {
            Edges::All => 0,
            Edges::Star => 3,
        }
    }

    /// The number of the pair of two pegs among [`pairs`](Edges::pairs).
    #[inline(always)]
    pub fn pair_of(self, c: u32, d: u32) -> usize {
        pair_of(c, d) - self.first_pair()
    }

    /// The number, among [`pairs`](Edges::pairs), of the pair that small discs are on while a large disc moves
    /// between two pegs.
    #[inline(always)]
    pub fn corners_for(self, from: u32, to: u32) -> usize {
        5 - pair_of(from, to) - self.first_pair()
    }

    /// The pair of pegs, as numbered in [`PAIRS`], between which a large disc moves while the small discs are on
    /// the pair numbered `pair` among [`pairs`](Edges::pairs).
    #[inline(always)]
    pub fn link(self, pair: usize) -> usize {
        5 - pair - self.first_pair()
    }

    /// The pairs of pegs, from and to, between which a disc moves; those to the centre of a star first.
    pub fn moves(self) -> impl Iterator<Item = (u32, u32)> {
        let all = [1, 2, 3, 0].into_iter().flat_map(|from| (0..4).map(move |to| (from, to)));
        all.filter(move |&(from, to)| from != to && (self == Edges::All || from == 0 || to == 0))
    }

    /// The units from the time at which a disc leaves peg `from` until it is on another. On the centre of a star,
    /// times are one move more than whole units: a disc comes there in the same unit, and leaves into the next.
    pub fn units(self, from: u32) -> u8 {
        u8::from(self == Edges::All || from == 0)
    }

    /// The moves that make a unit of time.
    #[inline(always)]
    pub fn unit(self) -> u16 {
        match self {
            Edges::All => 1,
            Edges::Star => 2,
        }
    }

    /// The number of columns of the corners of `small` discs.
    #[inline(always)]
    pub fn corners(self, small: u32) -> usize {
        self.pairs().len() << small
    }

    /// The column of the corner with `small` discs on the pegs `c` and `d`, those of `set` on `d`.
    #[inline(always)]
    pub fn column(self, small: u32, c: u32, d: u32, set: usize) -> usize {
        let set = if c < d { set } else { (1 << small) - 1 - set };
        self.pair_of(c, d) << small | set
    }

    /// The state of `small` discs in the corner of a column.
    pub fn state(self, small: u32, column: usize) -> State {
        State::on_pair(self.pairs()[column >> small], to_u64(column), small)
    }
}
