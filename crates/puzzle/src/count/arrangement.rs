//! The arrangements of distinct pieces as a pattern space of rows and columns.
//!
//! The idea: the places of the first pieces are a row, and the order of the last few among the places that remain is a
//! column. A move maps the remaining places to places. Numbered in ascending order, before and after, that is a permutation
//! of a few numbers, and it maps the columns of the row. So a move is evaluated once for all columns of a row, and the maps
//! of columns are few and small.
//!
//! Invariant: where all moves are even permutations, only even arrangements have entries: a column has the order of all but
//! two of the last pieces, and parity decides how these two stand. Otherwise it has all but one. Either is moved by itself.
//!
//! Cost: with six pieces in the columns, 720 columns and as many maps, half as many columns if moves are even.
//!
//! Other coordinates of the puzzle are part of the row.

use search_core::pdb::rank::permutation;
use search_core::pdb::{PatternSpace, Step};

use crate::product::Product;

/// The maximum number of pieces in the columns.
const MOST_IN_COLUMNS: usize = 6;

/// The arrangements of up to twelve pieces, and the states of other coordinates.
#[derive(Clone, Debug)]
pub(super) struct Arrangements {
    /// The other coordinates.
    others: Product,
    /// The number of pieces in the row.
    head: usize,
    /// The number of pieces in the columns.
    tail: usize,
    heads: usize,
    columns: usize,
    /// For each move and place, the place to which it carries the piece there.
    to: Vec<Vec<u8>>,
    /// For each permutation of `tail` numbers, by rank, the map of the columns.
    maps: Vec<Vec<u16>>,
}

impl Arrangements {
    /// The space of a part whose moves take the piece at each place from the given one, and of other coordinates; `None`
    /// if it has more than 2^32 rows.
    ///
    /// # Panics
    /// If there are fewer than three pieces or more than twelve.
    pub(super) fn new(others: Product, from: &[Vec<u8>]) -> Option<Arrangements> {
        let pieces = from[0].len();
        assert!((3..=12).contains(&pieces), "3 to 12 pieces are arranged");
        let tail = MOST_IN_COLUMNS.min(pieces - 1);
        let ordered = if from.iter().any(|row| permutation::is_odd(row)) { tail - 1 } else { tail - 2 };
        let to = from.iter().map(|row| {
            let mut to = vec![0; pieces];
            for (place, &from) in (0..).zip(row) {
                to[usize::from(from)] = place;
            }
            to
        });
        let number = |count: u64| usize::try_from(count).expect("the arrangements of 12 pieces are few");
        let columns = number(permutation::count(tail, ordered));
        let map = |rank: usize| -> Vec<u16> {
            let (mut by, mut order) = ([0; MOST_IN_COLUMNS], [0; MOST_IN_COLUMNS]);
            permutation::unrank(rank as u64, tail, &mut by[..tail]);
            let column = |column: usize| {
                permutation::unrank(column as u64, tail, &mut order[..ordered]);
                let moved = order.map(|place| by[usize::from(place)]);
                u16::try_from(permutation::rank(&moved[..ordered], tail)).expect("at most 720 columns")
            };
            (0..columns).map(column).collect()
        };
        let heads = number(permutation::count(pieces, pieces - tail));
        if others.entries().checked_mul(heads as u64)? > 1 << 32 {
            return None;
        }
        Some(Arrangements {
            others,
            head: pieces - tail,
            tail,
            heads,
            columns,
            to: to.collect(),
            maps: (0..number(permutation::count(tail, tail))).map(map).collect(),
        })
    }

    /// The number of entries.
    pub(super) fn entries(&self) -> u64 {
        self.others.entries() * self.heads as u64 * self.columns as u64
    }

    /// The entry that a move leads to; `None` if the move is illegal.
    pub(super) fn next(&self, entry: usize, op: usize) -> Option<usize> {
        let (row, column) = (entry / self.columns, entry % self.columns);
        self.others.next(row / self.heads, op)?;
        let step = self.step(row, op);
        let column = usize::from(self.maps[usize::from(step.map)][column]);
        Some(step.row as usize * self.columns + column)
    }

    /// The places of the first pieces after a move, by rank, and the permutation of the remaining places, by rank.
    #[inline(always)]
    fn moved(&self, head: usize, op: usize) -> (usize, u16) {
        let (pieces, to) = (self.head + self.tail, &self.to[op]);
        let mut places = [0; 16];
        permutation::unrank(head as u64, pieces, &mut places[..self.head]);
        let taken = places[..self.head].iter().fold(0_u32, |taken, &place| taken | 1 << place);
        for place in &mut places[..self.head] {
            *place = to[usize::from(*place)];
        }
        let taken_then = places[..self.head].iter().fold(0_u32, |taken, &place| taken | 1 << place);
        let mut by = [0; MOST_IN_COLUMNS];
        let remaining = (0..pieces).filter(|place| taken >> place & 1 == 0);
        for (by, place) in by.iter_mut().zip(remaining) {
            let then = to[place];
            // The number of remaining places below it.
            *by = then - (taken_then & ((1 << then) - 1)).count_ones() as u8;
        }
        let (rank, map) =
            (permutation::rank(&places[..self.head], pieces), permutation::rank(&by[..self.tail], self.tail));
        // There are at most 12!/6! heads and 720 maps.
        (rank as usize, map as u16)
    }
}

impl PatternSpace for Arrangements {
    fn rows(&self) -> usize {
        self.others.rows() * self.others.columns() * self.heads
    }

    fn columns(&self) -> usize {
        self.columns
    }

    fn ops(&self) -> usize {
        self.to.len()
    }

    #[inline(always)]
    fn step(&self, row: usize, op: usize) -> Step {
        let (head, map) = self.moved(row % self.heads, op);
        match self.others.next(row / self.heads, op) {
            // Fewer than 2^32 rows are numbered.
            Some(to) => Step { row: (to * self.heads + head) as u32, map, flip: 0 },
            None => Step { row: row as u32, map: 0, flip: 0 },
        }
    }

    fn map(&self, id: u16) -> Option<&[u16]> {
        self.maps.get(usize::from(id)).map(Vec::as_slice)
    }

    fn goals(&self) -> Vec<usize> {
        // Each piece at home has rank 0.
        vec![0]
    }

    fn is_undirected(&self) -> bool {
        self.others.is_undirected()
    }
}
