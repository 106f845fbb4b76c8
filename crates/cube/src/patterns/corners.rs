//! The eight corners: permutation times twist.
//!
//! Row: the rank of the permutation of the cubies by location (40,320). Column: the twists by
//! location in base 3, the last one implied (2,187). A turn moves the twists of all corners of a
//! row alike, whatever the cubies are, so there is one column map a turn.
//!
//! Source: Korf 1997, "Pattern Databases": 8!·3⁷ = 88,179,840 entries, greatest value 11 in the
//! half-turn metric (14 in the quarter-turn metric), expected value 8.764.

use crate::cube::{Cube, Turn};
use crate::metric::Metric;
use search_core::pdb::rank::{orientation, permutation};
use search_core::pdb::{PatternSpace, Step};

/// Permutations of the corners.
pub const ROWS: usize = 40_320;
/// Twists of the corners.
pub const COLUMNS: usize = 2_187;

/// The corner pattern space in one metric, with its move tables (about 3 MB).
#[derive(Debug)]
pub struct Corners {
    metric: Metric,
    /// The row that each turn leads to, for each row: one cache line a row.
    row_after: Vec<[u16; Turn::COUNT]>,
    /// The same for the columns.
    column_after: Vec<[u16; Turn::COUNT]>,
    /// The columns turn by turn, as the fill wants them.
    maps: Vec<Vec<u16>>,
}

impl Corners {
    /// The space in `metric`.
    pub fn new(metric: Metric) -> Corners {
        let after = |cube: Cube, rank: fn(&Cube) -> usize| {
            std::array::from_fn(|turn| rank(&cube.apply(Turn(turn as u8))) as u16)
        };
        let row_after = (0..ROWS).map(|row| after(with_row(row), row_of)).collect();
        let column_after: Vec<[u16; Turn::COUNT]> =
            (0..COLUMNS).map(|column| after(with_column(column), column_of)).collect();
        let maps =
            (0..Turn::COUNT).map(|turn| column_after.iter().map(|after| after[turn]).collect()).collect();
        Corners { metric, row_after, column_after, maps }
    }

    /// The row and column of a cube.
    pub fn coordinates(cube: &Cube) -> (u16, u16) {
        (row_of(cube) as u16, column_of(cube) as u16)
    }

    /// The rows that the turns lead to.
    #[inline(always)]
    pub fn rows_after(&self, row: u16) -> &[u16; Turn::COUNT] {
        &self.row_after[row as usize]
    }

    /// The columns that the turns lead to.
    #[inline(always)]
    pub fn columns_after(&self, column: u16) -> &[u16; Turn::COUNT] {
        &self.column_after[column as usize]
    }

    /// The row that `turn` leads to.
    #[inline(always)]
    pub fn row_after(&self, row: u16, turn: Turn) -> u16 {
        self.row_after[row as usize][turn.0 as usize]
    }

    /// The column that `turn` leads to.
    #[inline(always)]
    pub fn column_after(&self, column: u16, turn: Turn) -> u16 {
        self.column_after[column as usize][turn.0 as usize]
    }

    /// The entry of a row and a column.
    #[inline(always)]
    pub fn index(row: u16, column: u16) -> usize {
        row as usize * COLUMNS + column as usize
    }
}

fn row_of(cube: &Cube) -> usize {
    permutation::rank(&cube.corners.map(|v| v & 15), 8) as usize
}

fn column_of(cube: &Cube) -> usize {
    orientation::rank_closed::<3>(&cube.corners.map(|v| v >> 4)) as usize
}

/// Corners in the permutation `row`, untwisted. (The edges do not matter here.)
fn with_row(row: usize) -> Cube {
    let mut cube = Cube::SOLVED;
    permutation::unrank(row as u64, 8, &mut cube.corners);
    cube
}

/// Corners at home with the twists `column`.
fn with_column(column: usize) -> Cube {
    let mut twists = [0; 8];
    orientation::unrank_closed::<3>(column as u32, &mut twists);
    let mut cube = Cube::SOLVED;
    cube.corners = std::array::from_fn(|i| i as u8 | twists[i] << 4);
    cube
}

impl PatternSpace for Corners {
    fn rows(&self) -> usize {
        ROWS
    }
    fn columns(&self) -> usize {
        COLUMNS
    }
    fn ops(&self) -> usize {
        self.metric.turns().len()
    }
    fn step(&self, row: usize, op: usize) -> Step {
        let turn = self.metric.turns()[op];
        Step { row: self.row_after(row as u16, turn).into(), map: turn.0.into(), flip: 0 }
    }
    fn map(&self, id: u16) -> Option<&[u16]> {
        Some(&self.maps[id as usize])
    }
    fn goals(&self) -> Vec<usize> {
        let (row, column) = Corners::coordinates(&Cube::SOLVED);
        vec![Corners::index(row, column)]
    }
    fn is_undirected(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_follow_the_turns() {
        let corners = Corners::new(Metric::Htm);
        let mut cube = Cube::SOLVED;
        for step in 0..300u16 {
            let turn = Turn((step * 5 % 18) as u8);
            let (row, column) = Corners::coordinates(&cube);
            cube = cube.apply(turn);
            let after = (corners.row_after(row, turn), corners.column_after(column, turn));
            assert_eq!(after, Corners::coordinates(&cube));
        }
    }
}
