//! The distances between the columns of a block: one table for all blocks.
//!
//! A row has the distances from a corner, or from a perfect state, to all columns of a block ([`geometry`](super::geometry)).
//!
//! The table of `k` discs is computed from that of `k − 1`: disc `k` makes four blocks, one for each
//! of its pegs, and the search over them is the same as the one over the blocks of all discs. Where a permutation
//! of the pegs maps distances to equal distances, one search serves all corners that it leads to: on the complete
//! graph a twelfth of the rows is searched, the others are their images.
//!
//! A row ends with one time for each line of columns, its **bounds**: the least of its distances. The times of a block
//! have the same layout, with the greatest of each line. So [`enter`](Rows::enter) reads only the lines in which the
//! least distance can lower the greatest time: with 11 small discs 2 of 100, because most corners are entered far from
//! others. Beside the times, a block has the earliest time of each line that is still to be processed (**pending**), so
//! that a search finds the corners of a time without reading the others.

use super::geometry::Geometry;
use super::time::{Time, each_marked, earlier, equal, greatest, later, least, lines, lines_mut};
use crate::bitmap::shape::PAIRS;
use crate::error::SearchError;
use crate::model::{State, to_u64};
use crate::pegs::PegPerm;
use rayon::prelude::*;
use search_core::Run;
use search_core::memory::Memory;
use search_core::simd::{Vectorizable, run_vectorized};
use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, Ordering};

/// The distances within a block of `discs` discs.
#[derive(Debug)]
pub struct Rows<T> {
    geometry: Geometry,
    discs: u32,
    rows: Memory,
    /// The greatest distance.
    farthest: u32,
    times: PhantomData<T>,
}

impl<T: Time> Rows<T> {
    /// The table of `discs` discs.
    ///
    /// # Errors
    /// [`SearchError`] when the memory is not available, the work is cancelled or a distance does not fit.
    pub fn new(geometry: Geometry, discs: u32, run: &Run<'_>) -> Result<Rows<T>, SearchError> {
        let mut none = Rows::zeroed(geometry, 0)?;
        // Without discs all distances are 0.
        let (columns, stride) = (none.geometry.columns::<T>(0), none.stride());
        none.rows_mut().chunks_exact_mut(stride).for_each(|row| close(row, columns, columns));
        (0..discs).try_fold(none, |rows, _| rows.with_one_more(run))
    }

    /// A table of zeros.
    fn zeroed(geometry: Geometry, discs: u32) -> Result<Rows<T>, SearchError> {
        let rows = Memory::zeroed(Rows::<T>::bytes(&geometry, discs) as usize)?;
        Ok(Rows { geometry, discs, rows, farthest: 0, times: PhantomData })
    }

    /// The bytes of a table.
    pub fn bytes(geometry: &Geometry, discs: u32) -> u64 {
        let sources = if geometry.is_symmetric() { 0 } else { geometry.more(discs) };
        to_u64(geometry.corners(discs) + sources) * geometry.bytes_of_row::<T>(discs)
    }

    fn rows_mut(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.rows)
    }

    /// The geometry of the blocks.
    #[inline(always)]
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// The number of discs.
    #[inline(always)]
    pub fn discs(&self) -> u32 {
        self.discs
    }

    /// The number of columns of corners.
    #[inline(always)]
    pub fn corners(&self) -> usize {
        self.geometry.corners(self.discs)
    }

    /// The number of columns after those of the corners.
    pub fn more(&self) -> usize {
        self.geometry.more(self.discs)
    }

    /// The number of times of a row, and of a block.
    #[inline(always)]
    pub fn stride(&self) -> usize {
        self.geometry.stride::<T>(self.discs)
    }

    /// The number of bounds of a row, and of a block.
    #[inline(always)]
    pub fn bounds(&self) -> usize {
        self.geometry.bounds::<T>(self.discs)
    }

    /// The distances from a column.
    #[inline(always)]
    pub fn row(&self, column: usize) -> &[T] {
        &bytemuck::cast_slice(&self.rows)[column * self.stride()..][..self.stride()]
    }

    /// Updates `times`, those of a block whose `column` is reached at `time`, and `pending`, the earliest time of each
    /// line that remains to be processed. Call it in a [`Vectorizable`].
    #[inline(always)]
    pub fn enter(&self, times: &mut [T], pending: &mut [T], column: usize, time: T) {
        let columns = self.geometry.columns::<T>(self.discs);
        let (times, greatest) = times.split_at_mut(columns);
        let (far, least) = self.row(column).split_at(columns);
        let (times, far) = (lines_mut(times), lines(far));
        let bounds = lines_mut(greatest).iter_mut().zip(lines_mut(pending)).zip(lines(least));
        for (group, ((greatest, pending), least)) in bounds.enumerate() {
            let (greatest, pending) = (greatest.as_mut(), pending.as_mut());
            let mut gain = *least;
            for (gain, greatest) in gain.as_mut().iter_mut().zip(&*greatest) {
                *gain = greatest.less(gain.plus(time));
            }
            // Only these lines can have a time that is lowered. Bounds beyond the columns never match.
            each_marked::<T>(&gain, |at| {
                let (times, far) = (&mut times[T::LINE * group + at], &far[T::LINE * group + at]);
                let (mut most, mut first) = (T::ZERO, pending[at]);
                for (now, far) in times.as_mut().iter_mut().zip(far.as_ref()) {
                    let then = far.plus(time);
                    first = first.min(if then < *now { then } else { T::NEVER });
                    *now = then.min(*now);
                    most = most.max(*now);
                }
                (greatest[at], pending[at]) = (most, first);
            });
        }
    }

    /// Determines the greatest time of each line of a block's times, once they have been set.
    pub fn bound(&self, times: &mut [T]) {
        let (times, bounds) = times.split_at_mut(self.geometry.columns::<T>(self.discs));
        lines(times).iter().zip(bounds).for_each(|(line, bound)| *bound = greatest(line));
    }

    /// The earliest time of each line of a block's times that is later than `passed`, if any time has passed.
    pub fn later(&self, times: &[T], passed: Option<T>, pending: &mut [T]) {
        let columns = lines(&times[..self.geometry.columns::<T>(self.discs)]);
        for (line, pending) in columns.iter().zip(pending) {
            *pending = passed.map_or_else(|| least(line), |passed| later(line, passed));
        }
    }

    /// The table for one more disc.
    fn with_one_more(&self, run: &Run<'_>) -> Result<Rows<T>, SearchError> {
        let discs = self.discs + 1;
        let mut more = Rows::zeroed(self.geometry.clone(), discs)?;
        let (stride, columns) = (more.stride(), self.geometry.columns::<T>(discs));
        let end = more.corners() + more.more();
        // With symmetry those with the additional disc on the first peg of the first pair: any other is an image of one.
        let first = stride << self.discs;
        let farthest = AtomicU32::new(0);
        let all = more.rows_mut();
        let (searched, images) =
            all.split_at_mut(if self.geometry.is_symmetric() { first } else { all.len() });
        searched.par_chunks_mut(stride).enumerate().try_for_each_init(
            || FourBlocks::new(self),
            |blocks, (source, row)| {
                run.check()?;
                let source = self.geometry.split(self.discs, source);
                run_vectorized(SearchFrom { blocks: &mut *blocks, source })?;
                blocks.join(row);
                farthest.fetch_max(latest(&row[..end]), Ordering::Relaxed);
                close(row, end, columns);
                Ok::<(), SearchError>(())
            },
        )?;
        images.par_chunks_mut(stride).enumerate().try_for_each(|(at, row)| {
            let (of, perm) = self.first_image(discs, at + (1 << self.discs));
            self.image(&searched[of * stride..][..stride], perm, row);
            close(row, end, columns);
            run.check()
        })?;
        more.farthest = farthest.into_inner();
        Ok(more)
    }

    /// The image of a row for one more disc.
    fn image(&self, of: &[T], perm: PegPerm, row: &mut [T]) {
        let (geometry, discs) = (&self.geometry, self.discs + 1);
        for (pair, &(a, b)) in geometry.pairs().iter().enumerate() {
            let from = &of[pair << discs..][..1 << discs];
            let (base, flip) = geometry.base(discs, perm.peg(a), perm.peg(b));
            let to = &mut row[base..][..1 << discs];
            match flip {
                0 => to.copy_from_slice(from),
                // Sets of the discs on the other peg: complements, in reverse order.
                _ => to.iter_mut().zip(from.iter().rev()).for_each(|(to, from)| *to = *from),
            }
        }
        let (corners, kept) = (geometry.corners(discs), geometry.kept(discs));
        let (of, to) = (&of[corners..], &mut row[corners..]);
        let configurations = (0..to_u64(geometry.more(discs))).map(State::from_code);
        configurations.for_each(|at| to[perm.state(at, kept).index()] = of[at.index()]);
    }

    /// The row that is searched and has the row of `corner` as an image, and the permutation that maps it there.
    fn first_image(&self, discs: u32, corner: usize) -> (usize, PegPerm) {
        let (pairs, all) = (self.geometry.pairs(), (1 << discs) - 1);
        let ((c, d), set) = (pairs[corner >> discs], corner & all);
        // The largest of the discs goes first.
        let (c, d, set) = if set >> (discs - 1) == 0 { (c, d, set) } else { (d, c, all - set) };
        (set, PegPerm::mapping(pairs[0], (c, d)))
    }
}

/// The latest time of a reached column.
fn latest<T: Time>(times: &[T]) -> u32 {
    times.iter().filter(|&&time| time != T::NEVER).max().map_or(0, |&time| time.into())
}

/// Completes a row whose first `end` columns are set: fills it up, and determines its bounds.
fn close<T: Time>(row: &mut [T], end: usize, columns: usize) {
    let (columns, bounds) = row.split_at_mut(columns);
    // The padding repeats the last column, so that it does not change a bound.
    let filler = columns[end - 1];
    columns[end..].fill(filler);
    bounds.fill(T::NEVER);
    lines(columns).iter().zip(bounds).for_each(|(line, bound)| *bound = least(line));
}

/// A breadth-first search over the four blocks of the next disc, one for each of its pegs. Times begin at 0 in all of
/// them.
struct FourBlocks<'a, T> {
    rows: &'a Rows<T>,
    times: [Vec<T>; 4],
    pending: [Vec<T>; 4],
    /// For each block and pair of pegs, the block that the next disc's move leads to.
    targets: [[Option<usize>; 6]; 4],
    /// The lines with columns of the current time, and the blocks and columns that these lead to.
    due: Vec<usize>,
    found: Vec<(usize, usize)>,
    /// Columns of blocks that are reached too late for a time, unless they are reached earlier by then.
    beyond: BTreeSet<(usize, usize)>,
}

impl<'a, T: Time> FourBlocks<'a, T> {
    fn new(rows: &'a Rows<T>) -> FourBlocks<'a, T> {
        let of = |count: usize| [(); 4].map(|()| vec![T::NEVER; count]);
        let (times, pending) = (of(rows.stride()), of(rows.bounds()));
        let target = |from: u32, pair: usize| {
            let (a, b) = PAIRS[rows.geometry.link(pair)];
            let to = if a == from { b } else { a };
            ((a == from || b == from) && rows.geometry.joins(from, to)).then_some(to as usize)
        };
        let mut targets = [[None; 6]; 4];
        for (from, targets) in (0..).zip(&mut targets) {
            (0..rows.geometry.pairs().len()).for_each(|pair| targets[pair] = target(from, pair));
        }
        let (due, found, beyond) = (Vec::new(), Vec::new(), BTreeSet::new());
        FourBlocks { rows, times, pending, targets, due, found, beyond }
    }

    /// Finds the times of all columns from one of a block.
    #[inline(always)]
    fn search(&mut self, (block, column): (usize, usize)) -> Result<(), SearchError> {
        self.times.iter_mut().chain(&mut self.pending).for_each(|times| times.fill(T::NEVER));
        self.rows.enter(&mut self.times[block], &mut self.pending[block], column, T::ZERO);
        let mut now = T::ZERO;
        while now != T::NEVER {
            // Moves to the centre of a star come last: discs arrive there within the same unit.
            for from in [1, 2, 3, 0] {
                self.process(from, now)?;
            }
            let earliest = |pending: &Vec<T>| lines(pending).iter().map(least::<T>).min();
            now = self.pending.iter().filter_map(earliest).min().unwrap_or(T::NEVER);
        }
        let is_reached = |&(block, column): &(usize, usize)| self.times[block][column] != T::NEVER;
        let all = std::mem::take(&mut self.beyond).iter().all(is_reached);
        if all { Ok(()) } else { Err(SearchError::Far) }
    }

    /// Processes the corners of time `now` of a block.
    #[inline(always)]
    fn process(&mut self, from: usize, now: T) -> Result<(), SearchError> {
        let arrival = now.into() + self.rows.geometry.units(from as u32);
        self.find(from, now, T::of(arrival).unwrap_or(T::LAST));
        for at in 0..self.found.len() {
            let (to, column) = self.found[at];
            let (times, pending) = (&mut self.times[to], &mut self.pending[to]);
            if times[column].into() > arrival {
                let time = T::of(arrival).ok_or(SearchError::Far)?;
                self.rows.enter(times, pending, column, time);
                if T::of(arrival + self.rows.farthest).is_none() {
                    let far = |at: usize| self.rows.row(column)[at];
                    let is_beyond = |&at: &usize| far(at) != T::NEVER && far(at).plus(time) == T::NEVER;
                    let columns = self.rows.corners() + self.rows.more();
                    self.beyond.extend((0..columns).filter(is_beyond).map(|at| (to, at)));
                }
            }
        }
        Ok(())
    }

    /// Finds the corners of time `now` of a block that lead to others which they reach earlier than known, after the time
    /// `passed`, and the earliest time of each line that is still to be processed.
    #[inline(always)]
    fn find(&mut self, from: usize, now: T, passed: T) {
        let FourBlocks { rows, times, pending, targets, due, found, .. } = self;
        let (discs, corners, pending) = (rows.discs, rows.corners(), &mut pending[from][..]);
        due.clear();
        found.clear();
        for (group, pending) in lines(pending).iter().enumerate() {
            each_marked::<T>(&equal(pending, now), |at| due.push(T::LINE * group + at));
        }
        let own = lines(&times[from]);
        for &line in &*due {
            let first = T::LINE * line;
            pending[line] = T::NEVER;
            if first >= corners {
                continue;
            }
            // With few discs, a line has several pairs.
            let last = (first + T::LINE).min(corners) - 1;
            for pair in first >> discs..=last >> discs {
                let Some(to) = targets[from][pair] else { continue };
                pending[line] = later(&own[line], now);
                let marks = earlier(&own[line], now, &lines(&times[to])[line], passed);
                each_marked::<T>(&marks, |at| {
                    if (first + at) >> discs == pair {
                        found.push((to, first + at));
                    }
                });
            }
        }
    }

    /// Copies the times to their columns of a row for one more disc.
    fn join(&self, row: &mut [T]) {
        let (geometry, discs) = (&self.rows.geometry, self.rows.discs);
        let half = 1usize << discs;
        for (pair, &(c, d)) in geometry.pairs().iter().enumerate() {
            let (low, high) = row[2 * half * pair..][..2 * half].split_at_mut(half);
            low.copy_from_slice(&self.times[c as usize][half * pair..][..half]);
            high.copy_from_slice(&self.times[d as usize][half * pair..][..half]);
        }
        let (corners, more) = (geometry.corners(discs + 1), geometry.more(discs + 1));
        // The first configuration to have a column is that of no disc: all states have it.
        match self.rows.more() {
            0 => row[corners..corners + more].fill(T::ZERO),
            _ => (corners..corners + more).for_each(|column| {
                let (block, at) = geometry.split(discs, column);
                row[column] = self.times[block][at];
            }),
        }
    }
}

/// [`FourBlocks::search`], vectorized.
struct SearchFrom<'a, 'b, T> {
    blocks: &'a mut FourBlocks<'b, T>,
    source: (usize, usize),
}

impl<T: Time> Vectorizable for SearchFrom<'_, '_, T> {
    type Output = Result<(), SearchError>;
    #[inline(always)]
    fn run(self) -> Result<(), SearchError> {
        self.blocks.search(self.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Puzzle;
    use crate::reference;

    #[test]
    fn rows_are_the_reference_distances() {
        for (discs, dropped) in [(1, 0), (1, 1), (2, 1), (3, 0), (4, 2), (5, 5), (6, 2)] {
            let geometry = Geometry::complete(dropped);
            let rows = Rows::<u8>::new(geometry.clone(), discs, &Run::new()).unwrap();
            let puzzle = Puzzle::new(discs, 4).unwrap();
            for corner in 0..rows.corners() {
                let distances = reference::distances(&puzzle, [geometry.state(discs, corner)]);
                let row = rows.row(corner);
                for to in 0..rows.corners() {
                    assert_eq!(u16::from(row[to]), distances[geometry.state(discs, to).index()]);
                }
                let least = distances.chunks(1 << (2 * dropped)).map(|part| *part.iter().min().unwrap());
                let found = row[rows.corners()..][..rows.more()].iter().map(|&far| u16::from(far));
                assert!(found.eq(least), "{discs} discs, {dropped} dropped, corner {corner}");
            }
        }
    }
}
