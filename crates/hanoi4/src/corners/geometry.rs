//! The peg graphs that are searched by corners: their corners, and the unit of time.
//!
//! A large disc moves between two pegs while all small discs are on the other two. So the edges of the graph determine
//! which pairs of pegs make corners: all six where discs move between any two pegs, three on a **star**, where each
//! move brings a disc to the centre, peg 0, or away from it.
//!
//! A corner of `k` discs is a pair of pegs and a set of discs: column `2ᵏ · pair + set`, where bit `j` of the set says
//! whether disc `j` is on the pair's second peg. (A state with all discs on one peg has several columns.) After the
//! corners, a block has more columns: one for each configuration of the discs that a database keeps, the time
//! of the nearest state with this configuration; or one for each perfect state, all discs on one peg.
//!
//! Times are counted in units. On a star, the number of discs on the centre changes with each move between even and
//! odd, and all corners of a block have the same number: the large discs of the block that are there. So their times
//! are all even or all odd, and the unit is two moves, which doubles the range of a byte.

use super::time::Time;
use crate::bitmap::shape::{PAIRS, pair_of};
use crate::model::{State, to_u64};

/// The number of a pair of pegs that makes no corners.
const NONE: u8 = u8::MAX;

/// The columns of a block, and the moves of a disc.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// The pairs of pegs that make corners, each in ascending order.
    pairs: Vec<(u32, u32)>,
    /// For each of [`PAIRS`], its number among these pairs.
    numbers: [u8; 6],
    /// Whether discs move from one peg to another.
    edges: [[bool; 4]; 4],
    is_star: bool,
    more: Columns,
}

/// The kinds of columns that follow those of the corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Columns {
    /// The configurations of all discs but this number of smallest ones.
    Configurations(u32),
    /// The perfect states.
    Perfect,
}

impl Geometry {
    /// The geometry in which discs move between any two pegs, with columns for the configurations of all discs but the
    /// `dropped` smallest.
    pub fn complete(dropped: u32) -> Geometry {
        Geometry::new(|_, _| true, Columns::Configurations(dropped))
    }

    /// The geometry of a star, with no columns beside the corners of `small` discs.
    pub fn star(small: u32) -> Geometry {
        let geometry = Geometry::new(|from, to| from == 0 || to == 0, Columns::Configurations(small));
        Geometry { is_star: true, ..geometry }
    }

    /// The geometry of a graph of four pegs with these edges, with columns for the perfect states.
    pub fn of(graph: &[(u32, u32)]) -> Geometry {
        Geometry::new(|from, to| graph.contains(&(from, to)), Columns::Perfect)
    }

    fn new(joins: impl Fn(u32, u32) -> bool, more: Columns) -> Geometry {
        let edges = [0, 1, 2, 3].map(|from| [0, 1, 2, 3].map(|to| from != to && joins(from, to)));
        let mut geometry = Geometry { pairs: Vec::new(), numbers: [NONE; 6], edges, is_star: false, more };
        for (number, &pair) in PAIRS.iter().enumerate() {
            let (a, b) = PAIRS[5 - number];
            if geometry.joins(a, b) || geometry.joins(b, a) {
                geometry.numbers[number] = geometry.pairs.len() as u8;
                geometry.pairs.push(pair);
            }
        }
        geometry
    }

    /// The pairs of pegs that make corners.
    #[inline(always)]
    pub fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// Whether a disc may move from one peg to another.
    #[inline(always)]
    pub fn joins(&self, from: u32, to: u32) -> bool {
        self.edges[from as usize][to as usize]
    }

    /// Whether a permutation of the pegs maps each pair that makes corners to the first one: then the distances from
    /// the corners of the first are those from all.
    pub fn is_symmetric(&self) -> bool {
        self.more != Columns::Perfect
    }

    /// Whether discs may move both ways along each edge.
    pub fn is_undirected(&self) -> bool {
        (0..4).all(|from| (0..4).all(|to| self.joins(from, to) == self.joins(to, from)))
    }

    /// The pair of pegs, as numbered in [`PAIRS`], between which a large disc moves while the small discs are on
    /// the pair numbered `pair` among [`pairs`](Geometry::pairs).
    #[inline(always)]
    pub fn link(&self, pair: usize) -> usize {
        let (c, d) = self.pairs[pair];
        5 - pair_of(c, d)
    }

    /// The number of moves in a unit of time.
    #[inline(always)]
    pub fn unit(&self) -> u32 {
        if self.is_star { 2 } else { 1 }
    }

    /// The units from the time at which a disc leaves peg `from` until it is on another. On the centre of a star,
    /// times are one move more than whole units: a disc comes there in the same unit, and leaves into the next.
    pub fn units(&self, from: u32) -> u32 {
        u32::from(!self.is_star || from == 0)
    }

    /// The number of columns of the corners of `small` discs.
    #[inline(always)]
    pub fn corners(&self, small: u32) -> usize {
        self.pairs.len() << small
    }

    /// The number of columns of `small` discs after those of the corners.
    pub fn more(&self, small: u32) -> usize {
        match self.more {
            Columns::Configurations(dropped) => small.checked_sub(dropped).map_or(0, |kept| 1 << (2 * kept)),
            Columns::Perfect => 4,
        }
    }

    /// The number of discs that a database of `small` discs keeps, where columns are configurations.
    pub fn kept(&self, small: u32) -> u32 {
        match self.more {
            Columns::Configurations(dropped) => small.saturating_sub(dropped),
            Columns::Perfect => 0,
        }
    }

    /// The number of columns of `small` discs, filled up to whole lines.
    #[inline(always)]
    pub fn columns<T: Time>(&self, small: u32) -> usize {
        (self.corners(small) + self.more(small)).next_multiple_of(T::LINE)
    }

    /// The number of bounds of `small` discs: one for each line of columns, filled up to whole lines.
    #[inline(always)]
    pub fn bounds<T: Time>(&self, small: u32) -> usize {
        (self.columns::<T>(small) / T::LINE).next_multiple_of(T::LINE)
    }

    /// The number of times of a row: its columns and their bounds.
    #[inline(always)]
    pub fn stride<T: Time>(&self, small: u32) -> usize {
        self.columns::<T>(small) + self.bounds::<T>(small)
    }

    /// The bytes of a row.
    pub fn bytes_of_row<T: Time>(&self, small: u32) -> u64 {
        to_u64(self.stride::<T>(small) * size_of::<T>())
    }

    /// The first column of the corners on the pegs `c` and `d`, and the bits of a set that change where the pair's pegs
    /// are in the other order.
    #[inline(always)]
    pub fn base(&self, small: u32, c: u32, d: u32) -> (usize, usize) {
        let base = usize::from(self.numbers[pair_of(c, d)]) << small;
        (base, if c < d { 0 } else { (1 << small) - 1 })
    }

    /// The column of the corner with `small` discs on the pegs `c` and `d`, those of `set` on `d`.
    #[inline(always)]
    pub fn column(&self, small: u32, c: u32, d: u32, set: usize) -> usize {
        let (base, flip) = self.base(small, c, d);
        base | (set ^ flip)
    }

    /// The state of `small` discs in the corner of a column.
    pub fn state(&self, small: u32, column: usize) -> State {
        State::on_pair(self.pairs[column >> small], to_u64(column), small)
    }

    /// The location of a column of `small` + 1 discs if the largest disc divides the states into four blocks, one for
    /// each of its pegs: the block, and the column in it.
    pub fn split(&self, small: u32, column: usize) -> (usize, usize) {
        let corners = self.corners(small + 1);
        if let Some(&(c, d)) = self.pairs.get(column >> (small + 1)) {
            let (pair, set) = (column >> (small + 1), column & ((2 << small) - 1));
            let block = if set >> small == 0 { c } else { d };
            return (block as usize, pair << small | set & ((1 << small) - 1));
        }
        let (at, each) = (column - corners, self.more(small));
        match self.more {
            Columns::Perfect => (at, self.corners(small) + at),
            Columns::Configurations(_) => (at / each, self.corners(small) + at % each),
        }
    }
}
