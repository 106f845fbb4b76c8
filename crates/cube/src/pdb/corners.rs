//! The eight corners: permutation times twist.
//!
//! Row: the rank of the permutation of the cubies by location (40,320). Column: the twists by location in base 3,
//! the last one implied (2,187). A turn changes the twists in the same way in every row, independently of the
//! cubies, so there is one column map per turn.
//!
//! The goal may leave positions or twists open ([`Corners::up_to`]): then the table starts from all
//! arrangements that the goal accepts.
//!
//! Source: Korf 1997, "Pattern Databases": 8!·3⁷ = 88,179,840 entries, greatest value 11 in the
//! half-turn metric (14 in the quarter-turn metric), expected value 8.764.

use crate::cube::{Cube, Turn};
use crate::mask::{Freedom, Kind, members};
use crate::metric::Metric;
use search_core::pdb::rank::{orientation, permutation};
use search_core::pdb::{PatternSpace, Step};

/// Permutations of the corners.
pub(crate) const ROWS: usize = 40_320;
/// Twists of the corners.
pub(crate) const TWISTS: usize = 2_187;

/// The corner pattern space in one metric, with its move tables (about 3 MB).
#[derive(Debug)]
pub struct Corners {
    metric: Metric,
    freedom: Freedom,
    /// The row after each turn, for each row: one cache line per row.
    row_after: Vec<[u16; Turn::COUNT]>,
    /// The column after each turn, for each column.
    column_after: Vec<[u16; Turn::COUNT]>,
    /// The same columns, turn by turn, as the fill needs them.
    maps: Vec<Vec<u16>>,
}

impl Corners {
    /// The space in `metric`.
    pub fn new(metric: Metric) -> Corners {
        Corners::up_to(metric, Freedom::default())
    }

    /// The space in `metric` whose goals are all arrangements that `freedom` accepts.
    pub(crate) fn up_to(metric: Metric, freedom: Freedom) -> Corners {
        let after = |cube: Cube, rank: fn(&Cube) -> usize| {
            std::array::from_fn(|turn| rank(&cube.apply(Turn::from_index(turn))) as u16)
        };
        let row_after = (0..ROWS).map(|row| after(with_row(row), row_of)).collect();
        let column_after: Vec<[u16; Turn::COUNT]> =
            (0..TWISTS).map(|column| after(with_twist(column), twist_of)).collect();
        let maps =
            (0..Turn::COUNT).map(|turn| column_after.iter().map(|after| after[turn]).collect()).collect();
        Corners { metric, freedom, row_after, column_after, maps }
    }

    /// The row and column of a cube.
    pub fn coordinates(cube: &Cube) -> (u16, u16) {
        (row_of(cube) as u16, twist_of(cube) as u16)
    }

    /// The rows after each turn.
    #[inline(always)]
    pub(crate) fn rows_after(&self, row: u16) -> &[u16; Turn::COUNT] {
        &self.row_after[row as usize]
    }

    /// The columns after each turn.
    #[inline(always)]
    pub(crate) fn columns_after(&self, column: u16) -> &[u16; Turn::COUNT] {
        &self.column_after[column as usize]
    }

    /// The entry of a row and a column.
    #[inline(always)]
    pub fn index(row: u16, column: u16) -> usize {
        row as usize * TWISTS + column as usize
    }
}

/// The row: the rank of the permutation of the cubies by location.
pub(super) fn row_of(cube: &Cube) -> usize {
    permutation::rank(&cube.corners.map(|v| v & 15), 8) as usize
}

/// The column: the twists by location in base 3, the last one implied.
pub(crate) fn twist_of(cube: &Cube) -> usize {
    orientation::rank_closed::<3>(&cube.corners.map(|v| v >> 4)) as usize
}

/// Corners in the permutation `row`, untwisted. (The edges are irrelevant here.)
pub(super) fn with_row(row: usize) -> Cube {
    let mut cube = Cube::SOLVED;
    permutation::unrank(row as u64, 8, &mut cube.corners);
    cube
}

/// Corners at home with the twists `twist`.
pub(crate) fn with_twist(twist: usize) -> Cube {
    let mut twists = [0; 8];
    orientation::unrank_closed::<3>(twist as u32, &mut twists);
    Cube { corners: std::array::from_fn(|i| i as u8 | twists[i] << 4), ..Cube::SOLVED }
}

/// The permutations of the corners that `freedom` accepts.
pub(super) fn permutations(freedom: &Freedom) -> Vec<[u8; 8]> {
    fn extend(freedom: &Freedom, at: usize, used: u16, cubies: &mut [u8; 8], all: &mut Vec<[u8; 8]>) {
        if at == 8 {
            return all.push(*cubies);
        }
        for cubie in members(freedom.class(at) & !used) {
            cubies[at] = cubie as u8;
            extend(freedom, at + 1, used | 1 << cubie, cubies, all);
        }
    }
    let mut all = Vec::new();
    extend(freedom, 0, 0, &mut [0; 8], &mut all);
    all.retain(|cubies| freedom.accepts_permutation(cubies));
    all
}

/// The columns in which `freedom` accepts the corners of a permutation.
pub(super) fn columns(freedom: &Freedom, cubies: &[u8; 8]) -> Vec<u16> {
    let mut twists = vec![([0; 8], 0)];
    for (at, &cubie) in cubies.iter().enumerate() {
        let allowed: Vec<u8> =
            (0..3).filter(|&own| freedom.allows(Kind::Corners, cubie.into(), at, own)).collect();
        let each = |(twists, sum): ([u8; 8], u8)| {
            allowed.iter().map(move |&own| {
                let mut more = twists;
                more[at] = own;
                (more, sum + own)
            })
        };
        twists = twists.into_iter().flat_map(each).collect();
    }
    let closed = twists.iter().filter(|(_, sum)| sum % 3 == 0);
    closed.map(|(twists, _)| orientation::rank_closed::<3>(twists) as u16).collect()
}

impl PatternSpace for Corners {
    fn rows(&self) -> usize {
        ROWS
    }
    fn columns(&self) -> usize {
        TWISTS
    }
    fn ops(&self) -> usize {
        self.metric.turns().len()
    }
    fn step(&self, row: usize, op: usize) -> Step {
        let turn = self.metric.turns()[op];
        Step { row: self.row_after[row][turn.index()].into(), map: turn.index() as u16, flip: 0 }
    }
    fn map(&self, id: u16) -> Option<&[u16]> {
        Some(&self.maps[id as usize])
    }
    fn goals(&self) -> Vec<usize> {
        let mut goals = Vec::new();
        for cubies in permutations(&self.freedom) {
            let row = permutation::rank(&cubies, 8) as u16;
            let columns = columns(&self.freedom, &cubies);
            goals.extend(columns.into_iter().map(|column| Corners::index(row, column)));
        }
        goals
    }
    fn is_undirected(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::{Axis, Mask};

    #[test]
    fn coordinates_follow_the_turns() {
        let corners = Corners::new(Metric::Htm);
        let mut cube = Cube::SOLVED;
        for step in 0..300u16 {
            let turn = Turn::from_index(usize::from(step) * 5 % 18);
            let (row, column) = Corners::coordinates(&cube);
            cube = cube.apply(turn);
            let (rows, columns) = (corners.rows_after(row), corners.columns_after(column));
            let after = (rows[turn.index()], columns[turn.index()]);
            assert_eq!(after, Corners::coordinates(&cube));
        }
    }

    /// The goals of some masks are those that a check of every entry accepts.
    #[test]
    fn goals_are_the_arrangements_that_are_accepted() {
        let free = |sets: &[u16], turned, axis| Freedom::new(Kind::Corners, sets, turned, axis);
        let freedoms = [
            Freedom::default(),
            Freedom::half_turn_corners(),
            free(&[], 0b1100_0011, Axis::Ud),
            free(&[0b1010_0010], 0b1010_0011, Axis::Ud),
            free(&[0b111], 0b1111, Axis::Ud),
            free(&[0b1010, 0b0101], 0b1100, Axis::Rl),
            free(&[0b1111_0000], 0b0011_0000, Axis::Fb),
            free(&[0xff], 0, Axis::Ud),
        ];
        let places: Vec<_> = (0..ROWS).map(|row| with_row(row).corners).collect();
        let twists: Vec<_> = (0..TWISTS).map(|twist| with_twist(twist).corners).collect();
        for freedom in freedoms {
            let mut goals = Corners::up_to(Metric::Htm, freedom).goals();
            assert!(goals.len() as u64 <= freedom.most_corner_goals());
            goals.sort_unstable();
            let mask = Mask { corners: freedom, edges: Freedom::default() };
            // No twist helps a cubie at a location that it may not have.
            let may_be = |row: usize| {
                let is_allowed =
                    |at, cubie: u8| (0..3).any(|own| freedom.allows(Kind::Corners, cubie.into(), at, own));
                places[row].iter().enumerate().all(|(at, &cubie)| is_allowed(at, cubie))
            };
            let rows = (0..ROWS).filter(|&row| may_be(row));
            let accepted = rows.flat_map(|row| (0..TWISTS).map(move |column| (row, column)));
            let accepted = accepted.filter(|&(row, column)| {
                let corners = std::array::from_fn(|i| places[row][i] | twists[column][i] & 0xf0);
                mask.accepts(&Cube { corners, ..Cube::SOLVED })
            });
            let accepted: Vec<usize> =
                accepted.map(|(row, column)| Corners::index(row as u16, column as u16)).collect();
            assert_eq!(goals, accepted);
        }
    }
}
