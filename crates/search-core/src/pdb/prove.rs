//! Proves that a table's entries are the distances in its space, from the entries alone.
//!
//! The idea: distances are the only values that are 0 exactly at the goals and elsewhere one more than the least value
//! of a neighbour. A checksum reveals damage; this pass reveals a forgery.
//!
//! Why that suffices: from an entry of value `v`, steps to a neighbour whose value is smaller by one lead in `v` steps
//! to a 0, which is a goal, so no distance exceeds its value. Conversely, an entry at distance `d` has a neighbour at
//! distance `d - 1`, whose value is at most `d - 1` by induction, so the entry's is at most `d`. An entry without a
//! value must have no neighbour with a value, or only neighbours with the greatest value of the table.
//!
//! Cost: one pass in parallel, a step for each row and operator: about a fifth of a fill.

use std::ops::ControlFlow;

use super::deltas::{DeriveError, WrongDistance};
use super::packed::Packed;
use super::space::{PatternSpace, Step};
use crate::meter::Meter;
use crate::run::Run;

/// The number of rows between cancellation checks: some milliseconds of work.
const STRIDE: usize = 1 << 10;
/// The number of pieces of parallel work: large, so that threads end together.
const PIECES: usize = 1 << 12;

/// Proves that `table` holds the distances in `space`: all of them, or those up to `deepest`. Runs in parallel.
///
/// # Errors
/// [`DeriveError::Contents`] with a wrong entry; [`DeriveError::Cancelled`].
///
/// # Panics
/// If the space is not undirected, or if the table has another length.
pub fn prove<const BITS: u32, B: AsRef<[u8]> + Sync>(
    space: &(impl PatternSpace + ?Sized),
    table: &Packed<BITS, B>,
    deepest: Option<u8>,
    run: &Run<'_>,
) -> Result<(), DeriveError> {
    assert!(space.is_undirected(), "steps lead towards goals and away from them");
    let (rows, columns) = (space.rows(), space.columns());
    assert_eq!(table.len(), (rows * columns) as u64, "the table is that of the space");
    let (table, goals) = (table.borrowed(), goals(space));
    if let Some(&goal) = goals.iter().find(|&&goal| table.get(goal) != 0) {
        return Err(WrongDistance::Goal { entry: goal, value: table.get(goal) }.into());
    }
    let meter = Meter::begin(run.progress(), "proving", rows as u64);
    let check = |[values, next, least]: &mut [Vec<u8>; 3], row: usize| {
        if row.is_multiple_of(STRIDE) {
            run.check()?;
            meter.add(STRIDE as u64);
        }
        let first = (row * columns) as u64;
        table.read(first, values);
        least.fill(u8::MAX);
        for op in 0..space.ops() {
            let Step { row, map, flip } = space.step(row, op);
            table.read(u64::from(row) * columns as u64, next);
            let map = space.map(map);
            for (column, least) in least.iter_mut().enumerate() {
                let to = map.map_or(column as u16, |map| map[column]) ^ flip;
                *least = (*least).min(next[usize::from(to)]);
            }
        }
        for (entry, (&value, &least)) in (first..).zip(values.iter().zip(&*least)) {
            let is_goal = || goals.binary_search(&entry).is_ok();
            if let ControlFlow::Break(wrong) = judged::<BITS>(entry, value, least, deepest, is_goal) {
                return Err(wrong.into());
            }
        }
        Ok(())
    };
    let piece = rows.div_ceil(PIECES).max(1);
    let check_piece = |number: usize| {
        let mut buffers = [(); 3].map(|()| vec![0; columns]);
        (number * piece..rows.min((number + 1) * piece)).try_for_each(|row| check(&mut buffers, row))
    };
    let proved = run.try_for_each(rows.div_ceil(piece), &check_piece);
    run.progress().end();
    proved
}

/// The entries at distance 0: the goals and their images.
fn goals(space: &(impl PatternSpace + ?Sized)) -> Vec<u64> {
    let columns = space.columns();
    let images = |goal: usize| {
        let (row, column) = (goal / columns, goal % columns);
        let image = move |Step { row, map, flip }: Step| {
            let to = space.map(map).map_or(column as u16, |map| map[column]) ^ flip;
            u64::from(row) * columns as u64 + u64::from(to)
        };
        space.aliases(row).into_iter().map(image).chain([goal as u64])
    };
    let mut goals: Vec<u64> = space.goals().into_iter().flat_map(images).collect();
    goals.sort_unstable();
    goals.dedup();
    goals
}

/// Whether an entry with this value can have a neighbour of this least value.
#[inline(always)]
fn judged<const BITS: u32>(
    entry: u64,
    value: u8,
    least: u8,
    deepest: Option<u8>,
    is_goal: impl Fn() -> bool,
) -> ControlFlow<WrongDistance> {
    let wrong = if value == Packed::<BITS, ()>::UNREACHED {
        (least < deepest.unwrap_or(value)).then_some(WrongDistance::Unreached(entry))
    } else if value == 0 {
        (!is_goal()).then_some(WrongDistance::Zero(entry))
    } else if least >= value || deepest.is_some_and(|deepest| value > deepest) {
        Some(WrongDistance::NoDescent { entry, value })
    } else {
        (least + 1 < value).then_some(WrongDistance::Jump { entry, value, neighbour: least })
    };
    wrong.map_or(ControlFlow::Continue(()), ControlFlow::Break)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdb::{FillOptions, Graph, fill};

    /// A grid of 5 by 20 with a wall, and three unreachable cells.
    fn grid() -> Graph<impl Fn(usize, usize) -> Option<usize> + Sync> {
        let next = |at: usize, op: usize| {
            let (x, y) = (at % 20, at / 20);
            let to = match op {
                0 if x < 19 => at + 1,
                1 if x > 0 => at - 1,
                2 if y < 4 => at + 20,
                3 if y > 0 => at - 20,
                _ => return None,
            };
            let is_wall = |at: usize| at % 20 == 9 && at / 20 != 2;
            (at < 100 && !is_wall(at) && !is_wall(to)).then_some(to)
        };
        Graph::new(103, 4, vec![0, 47], next).undirected()
    }

    #[test]
    fn every_changed_entry_is_detected() {
        let (space, run) = (grid(), Run::new().with_threads(1));
        for deepest in [None, Some(9)] {
            let options = FillOptions { max_depth: deepest, ..FillOptions::default() };
            let table = fill::<8, _>(&space, options, &run).unwrap().table;
            prove(&space, &table, deepest, &run).unwrap();
            let bytes = table.into_bytes();
            for (at, value) in (0..bytes.len()).flat_map(|at| (0..=255).map(move |value| (at, value))) {
                let mut forged = bytes.to_vec();
                forged[at] = value;
                let proved = prove(&space, &Packed::<8, _>::new(forged, 103).unwrap(), deepest, &run);
                assert_eq!(proved.is_ok(), bytes[at] == value, "{deepest:?} {at} {value}");
            }
        }
    }

    #[test]
    fn wrong_tables_with_consistent_neighbours_are_detected() {
        // Distances to an entry that is not a goal, and distances that ignore one goal.
        let (space, run) = (grid(), Run::new());
        for goals in [vec![0, 47, 33], vec![0], vec![1, 47]] {
            let other = Graph::new(103, 4, goals, |at, op| {
                let step = space.step(at, op).row as usize;
                (step != at).then_some(step)
            });
            let table = fill::<8, _>(&other.undirected(), FillOptions::default(), &run).unwrap().table;
            assert!(matches!(prove(&space, &table, None, &run), Err(DeriveError::Contents(_))));
        }
    }
}
