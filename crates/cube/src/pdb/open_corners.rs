//! The corners of a goal that leaves some of them open, by way of a smaller space.
//!
//! The idea: if a goal treats some cubies alike, exchanging their names keeps the goal, and turns do not depend on
//! names. So arrangements that differ by such an exchange have the same distance. A search through one arrangement of
//! each orbit fills a small table, and each entry of the [table of all corners](Corners) is copied from it. For all
//! but the last layer, 24 permutations are one.
//!
//! Twists are relative to the goal's axis here, as [`Kind::orientation`] defines them. Then neither an exchange of
//! names nor the way in which a turn changes the twists depends on the cubies, and a row has the columns of its orbit.
//!
//! Cost: the search takes the share of one permutation of each orbit, and the copy one pass over the table.

use crate::cube::{Cube, Face, Turn};
use crate::mask::{Freedom, Kind, members};
use crate::metric::Metric;
use crate::pdb::corners::{self, Corners, ROWS, TWISTS};
use search_core::Run;
use search_core::memory::Memory;
use search_core::pdb::rank::{orientation, permutation};
use search_core::pdb::{Packed, PatternSpace, Step};
use search_core::table::FileError;

/// The entries of two rows take this number of bytes.
const BYTES_OF_PAIR: usize = TWISTS;
/// The number of pairs of rows that are copied between cancellation checks.
const PAIRS: usize = 64;

/// The corners up to exchanges of names.
#[derive(Debug)]
pub(crate) struct OpenCorners {
    metric: Metric,
    freedom: Freedom,
    /// The orbit of each permutation.
    orbit: Vec<u16>,
    /// The least permutation of each orbit.
    first: Vec<u16>,
    /// The orbit after each turn, for each orbit.
    after: Vec<[u16; Turn::COUNT]>,
    /// The column after each turn, turn by turn.
    maps: Vec<Vec<u16>>,
    /// The twist relative to the axis of each cubie at each location, if it is not twisted in [`Cube`].
    twist: [[u8; 8]; 8],
}

impl OpenCorners {
    /// The space in `metric` whose goals are all arrangements that `freedom` accepts.
    pub(crate) fn new(metric: Metric, freedom: Freedom) -> OpenCorners {
        let (orbit, first) = orbits(&exchanges(&freedom));
        let axis = freedom.axis().unwrap_or(Kind::Corners.own_axis());
        let twist = std::array::from_fn(|cubie| {
            std::array::from_fn(|at| Kind::Corners.orientation(axis, cubie, at, 0))
        });
        let turns = || (0..Turn::COUNT).map(Turn::from_index);
        let after = first.iter().map(|&row| {
            let cube = corners::with_row(row.into());
            std::array::from_fn(|turn| orbit[corners::row_of(&cube.apply(Turn::from_index(turn)))])
        });
        let column = |cube: &Cube| column_of(&twist, &cube.corners);
        // In the solved permutation, twists are the same relative to all axes.
        let map = |turn| (0..TWISTS).map(|twist| column(&corners::with_twist(twist).apply(turn))).collect();
        OpenCorners {
            after: after.collect(),
            maps: turns().map(map).collect(),
            metric,
            freedom,
            twist,
            orbit,
            first,
        }
    }

    /// The number of entries, and an upper limit on that of the goals.
    pub(crate) fn size(freedom: &Freedom) -> (u64, u64) {
        let alike = number_of_exchanges(freedom);
        ((ROWS * TWISTS) as u64 / alike, freedom.most_corner_goals() / alike)
    }

    /// The table of all corners, from the table of this space.
    ///
    /// # Errors
    /// [`FileError`]: cancelled, or not enough memory.
    pub(crate) fn expand(&self, table: &Packed<4, Memory>, run: &Run<'_>) -> Result<Memory, FileError> {
        let mut body = Memory::zeroed(ROWS / 2 * BYTES_OF_PAIR)?;
        run.try_for_each_chunk(&mut body, PAIRS * BYTES_OF_PAIR, &|piece, bytes| {
            run.check()?;
            let mut values = [0; 2 * TWISTS];
            let rows = (piece * PAIRS * 2..).step_by(2);
            for (row, bytes) in rows.zip(bytes.chunks_mut(BYTES_OF_PAIR)) {
                let (one, other) = values.split_at_mut(TWISTS);
                self.read_row(table, row, one);
                self.read_row(table, row + 1, other);
                for (byte, [low, high]) in bytes.iter_mut().zip(values.as_chunks().0) {
                    *byte = low | high << 4;
                }
            }
            Ok::<(), FileError>(())
        })?;
        Ok(body)
    }

    /// Reads the entries of a row of the table of all corners.
    fn read_row(&self, table: &Packed<4, Memory>, row: usize, values: &mut [u8]) {
        let mut cubies = [0; 8];
        permutation::unrank(row as u64, 8, &mut cubies);
        let base = (usize::from(self.orbit[row]) * TWISTS) as u64;
        let table = table.borrowed();
        // Twists relative to the axis: those in `Cube`, plus these.
        let plus: [u8; 8] = std::array::from_fn(|at| self.twist[usize::from(cubies[at])][at]);
        if plus == [0; 8] {
            return (base..).zip(values).for_each(|(entry, value)| *value = table.get(entry));
        }
        // The columns of twists whose first digits are given, in their order: digit by digit.
        let (mut columns, mut known) = ([0; TWISTS], 1);
        for plus in &plus[..7] {
            // From the last one on, since each is replaced by three behind it.
            for at in (0..known).rev() {
                let column: u16 = columns[at];
                (0..3).for_each(|twist| {
                    columns[3 * at + twist] = 3 * column + (twist as u16 + u16::from(*plus)) % 3
                });
            }
            known *= 3;
        }
        columns.iter().zip(values).for_each(|(&column, value)| *value = table.get(base + u64::from(column)));
    }
}

/// The column of corners: their twists relative to the axis, given those of untwisted cubies at each location.
fn column_of(twist: &[[u8; 8]; 8], corners: &[u8; 8]) -> u16 {
    let relative = |at: usize| (corners[at] >> 4) + twist[usize::from(corners[at] & 15)][at];
    orientation::rank_closed::<3>(&std::array::from_fn::<u8, 8, _>(|at| relative(at) % 3)) as u16
}

/// Exchanges of names that generate all those that keep the goal: the new name of each cubie.
fn exchanges(freedom: &Freedom) -> Vec<[u8; 8]> {
    if freedom.is_of_half_turns() {
        // The permutations that half turns make are a group.
        let half_turn = |face| Cube::of_turn(Turn::new(face, 2)).corners.map(|v| v & 15);
        return Face::ALL.map(half_turn).to_vec();
    }
    let exchange = |(one, other): (usize, usize)| {
        let mut names = [0, 1, 2, 3, 4, 5, 6, 7];
        names.swap(one, other);
        names
    };
    alike(freedom).into_iter().flat_map(|set| members(set).zip(members(set).skip(1)).map(exchange)).collect()
}

/// The number of the exchanges of names that keep the goal.
fn number_of_exchanges(freedom: &Freedom) -> u64 {
    match freedom.is_of_half_turns() {
        true => 96,
        false => alike(freedom).into_iter().flat_map(|set| 1..=u64::from(set.count_ones())).product(),
    }
}

/// The sets of cubies that the goal treats alike: those of a class whose orientation is ignored, and the others.
fn alike(freedom: &Freedom) -> Vec<u16> {
    freedom.sets().flat_map(|set| [set & freedom.turned(), set & !freedom.turned()]).collect()
}

/// The orbits of the permutations of the corners under exchanges of names: that of each permutation, and the least
/// permutation of each.
fn orbits(exchanges: &[[u8; 8]]) -> (Vec<u16>, Vec<u16>) {
    let (mut orbit, mut first) = (vec![None; ROWS], Vec::new());
    for row in 0..ROWS {
        if orbit[row].is_some() {
            continue;
        }
        let number = first.len() as u16;
        first.push(row as u16);
        orbit[row] = Some(number);
        let mut left = vec![row];
        while let Some(row) = left.pop() {
            let mut cubies = [0; 8];
            permutation::unrank(row as u64, 8, &mut cubies);
            for names in exchanges {
                let other = permutation::rank(&cubies.map(|cubie| names[usize::from(cubie)]), 8) as usize;
                if orbit[other].replace(number).is_none() {
                    left.push(other);
                }
            }
        }
    }
    (orbit.into_iter().map(|number| number.expect("every row was seen")).collect(), first)
}

impl PatternSpace for OpenCorners {
    fn rows(&self) -> usize {
        self.first.len()
    }
    fn columns(&self) -> usize {
        TWISTS
    }
    fn ops(&self) -> usize {
        self.metric.turns().len()
    }
    fn step(&self, row: usize, op: usize) -> Step {
        let turn = self.metric.turns()[op];
        Step { row: self.after[row][turn.index()].into(), map: turn.index() as u16, flip: 0 }
    }
    fn map(&self, id: u16) -> Option<&[u16]> {
        Some(&self.maps[id as usize])
    }
    fn goals(&self) -> Vec<usize> {
        let mut goals = Vec::new();
        for cubies in corners::permutations(&self.freedom) {
            let row = permutation::rank(&cubies, 8) as u16;
            let orbit = self.orbit[usize::from(row)];
            if self.first[usize::from(orbit)] == row {
                let own = corners::columns(&self.freedom, &cubies).into_iter();
                let column = |twists| {
                    let twisted = corners::with_twist(usize::from(twists)).corners;
                    column_of(&self.twist, &std::array::from_fn(|at| cubies[at] | twisted[at] & 0xf0))
                };
                goals.extend(own.map(column).map(|column| Corners::index(orbit, column)));
            }
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
    use crate::mask::Axis;
    use search_core::pdb::{FillOptions, fill, prove};

    fn free(sets: &[u16], turned: u16, axis: Axis) -> Freedom {
        Freedom::new(Kind::Corners, sets, turned, axis)
    }

    #[test]
    fn expanded_tables_hold_the_distances_of_all_corners() {
        check_expanded([
            (Metric::Qtm, Freedom::half_turn_corners()),
            (Metric::Htm, free(&[0b111, 0b1111_0000], 0b0010_0001, Axis::Fb)),
        ]);
    }

    #[test]
    #[ignore = "proves 88 million entries"]
    fn expanded_tables_of_one_set_hold_the_distances_of_all_corners() {
        check_expanded([(Metric::Qtm, free(&[0xff], 0b1010_1010, Axis::Rl))]);
    }

    /// Every entry of the expanded table is proved in the space of all corners, whose goals do not follow from orbits.
    fn check_expanded(freedoms: impl IntoIterator<Item = (Metric, Freedom)>) {
        for (metric, freedom) in freedoms {
            let (open, run) = (OpenCorners::new(metric, freedom), Run::new());
            let (entries, goals) = OpenCorners::size(&freedom);
            assert_eq!(entries, (open.rows() * open.columns()) as u64);
            assert!(open.goals().len() as u64 <= goals);
            let filled = fill::<4, _>(&open, FillOptions::default(), &run).unwrap();
            let table = open.expand(&filled.table, &run).unwrap();
            let table = Packed::<4, _>::new(table, (ROWS * TWISTS) as u64).unwrap();
            prove(&Corners::up_to(metric, freedom), &table, None, &run).unwrap();
        }
    }
}
