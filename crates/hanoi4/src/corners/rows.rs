//! The distances between the columns of a block: one table for all blocks.
//!
//! A row has the distances from a corner, or from a perfect state, to all columns of a block ([`geometry`](super::geometry)).
//!
//! The table of `k` discs is computed from that of `k − 1`: disc `k` makes four blocks, one for each
//! of its pegs, and the search over them is the same as the one over the blocks of all discs.
//!
//! **Bounds.** A row has one time for each line of columns: the least of its distances. The times of a block
//! have the greatest of each line. So [`enter`](Rows::enter) reads only the lines in which the
//! least distance can lower the greatest time: with 11 small discs 2 of 100, because most corners are entered far from
//! others. Beside the times, a block has the earliest time of each line that is still to be processed (**pending**), so
//! that a search finds the corners of a time without reading the others.
//!
//! **Images.** A permutation of the pegs maps distances to equal distances. On the complete graph every corner is the
//! image of one on the first pair of pegs with the largest disc on the first of them: one corner in twelve. Only their
//! rows are searched and stored. The columns of a pair of pegs are mapped to those of another pair, in the same order or
//! in reverse (the set of discs on one peg instead of the other), so whole lines are. A row is stored with the bounds of
//! each of its twelve images, and with the few columns that are not corners, in the order of each. The table takes a
//! tenth of the memory of all rows: 1.0 GB for 14 discs.

use super::four_blocks::FourBlocks;
use super::geometry::Geometry;
use super::time::{Time, each_marked, greatest, later, least, lines, lines_mut, reversed};
use crate::error::SearchError;
use crate::model::{State, to_u64};
use crate::pegs::PegPerm;
use rayon::prelude::*;
use search_core::Run;
use search_core::memory::Memory;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, Ordering};

/// The distances within a block of `discs` discs.
#[derive(Debug)]
pub struct Rows<T> {
    geometry: Geometry,
    discs: u32,
    layout: Layout,
    images: Vec<Image>,
    rows: Memory,
    /// The greatest distance.
    farthest: u32,
    times: PhantomData<T>,
}

/// The parts of a table, in times.
#[derive(Clone, Copy, Debug)]
struct Layout {
    /// The number of stored rows.
    rows: usize,
    /// The columns that all images of a row share: those of the corners, if there are images.
    shared: usize,
    /// The other columns of an image.
    own: usize,
    /// The columns of an image that the row has for it alone, and its bounds.
    each: usize,
    /// The number of images of a row, itself included.
    images: usize,
}

/// A permutation of the pegs that maps stored rows to others.
#[derive(Clone, Debug)]
struct Image {
    perm: PegPerm,
    /// For each pair of pegs that makes corners, the pair that is mapped to it, and whether in reverse order.
    pairs: [(usize, bool); 6],
}

impl Layout {
    fn new<T: Time>(geometry: &Geometry, discs: u32) -> Layout {
        let (columns, bounds) = (geometry.columns::<T>(discs), geometry.bounds::<T>(discs));
        let corners = geometry.corners(discs);
        // The columns of a pair are whole lines.
        let is_folded = geometry.is_symmetric() && (1usize << discs).is_multiple_of(T::LINE);
        let (rows, shared, images) = match is_folded {
            true => (1 << (discs - 1), corners, 2 * geometry.pairs().len()),
            false => (corners + if geometry.is_symmetric() { 0 } else { geometry.more(discs) }, 0, 1),
        };
        let own = columns - shared;
        Layout { rows, shared, own, each: own + bounds, images }
    }

    /// The number of times of a stored row.
    #[inline(always)]
    fn stride(&self) -> usize {
        self.shared + self.images * self.each
    }
}

impl<T: Time> Rows<T> {
    /// The table of `discs` discs.
    ///
    /// # Errors
    /// [`SearchError`] when the memory is not available, the work is cancelled or a distance does not fit.
    pub fn new(geometry: Geometry, discs: u32, run: &Run<'_>) -> Result<Rows<T>, SearchError> {
        let mut none = Rows::zeroed(geometry, 0)?;
        // Without discs all distances are 0.
        let (columns, stride) = (none.geometry.columns::<T>(0), none.layout.stride());
        none.rows_mut().chunks_exact_mut(stride).for_each(|row| close(row, columns, columns));
        (0..discs).try_fold(none, |rows, _| rows.with_one_more(run))
    }

    /// A table of zeros.
    fn zeroed(geometry: Geometry, discs: u32) -> Result<Rows<T>, SearchError> {
        let rows = Memory::zeroed(Rows::<T>::bytes(&geometry, discs) as usize)?;
        let layout = Layout::new::<T>(&geometry, discs);
        let images = (0..layout.images).map(|image| Image::new(&geometry, image)).collect();
        Ok(Rows { geometry, discs, layout, images, rows, farthest: 0, times: PhantomData })
    }

    /// The bytes of a table.
    pub fn bytes(geometry: &Geometry, discs: u32) -> u64 {
        let layout = Layout::new::<T>(geometry, discs);
        to_u64(layout.rows * layout.stride() * size_of::<T>())
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

    /// The greatest distance.
    #[inline(always)]
    pub fn farthest(&self) -> u32 {
        self.farthest
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

    /// The number of times of a block: its columns and their bounds.
    #[inline(always)]
    pub fn stride(&self) -> usize {
        self.geometry.stride::<T>(self.discs)
    }

    /// The number of bounds of a block.
    #[inline(always)]
    pub fn bounds(&self) -> usize {
        self.geometry.bounds::<T>(self.discs)
    }

    /// The stored row that has the row of a column as an image, and the number of the image.
    #[inline(always)]
    fn source(&self, column: usize) -> (&[T], usize) {
        let (row, image) = match self.layout.images {
            1 => (column, 0),
            _ => {
                let (pair, set) = (column >> self.discs, column & ((1 << self.discs) - 1));
                // The largest of the discs is on the first peg.
                let is_swapped = set >> (self.discs - 1);
                (set ^ (((1 << self.discs) - 1) * is_swapped), 2 * pair + is_swapped)
            }
        };
        let stride = self.layout.stride();
        (&bytemuck::cast_slice(&self.rows)[row * stride..][..stride], image)
    }

    /// The line of a stored row's shared columns that an image has as line `line`, and whether it is reversed.
    #[inline(always)]
    fn shared_line(&self, image: &Image, line: usize) -> (usize, bool) {
        let each = (1 << self.discs) / T::LINE;
        let (pair, is_reversed) = image.pairs[line / each];
        let within = line % each;
        (pair * each + if is_reversed { each - 1 - within } else { within }, is_reversed)
    }

    /// The distance from one column to another.
    pub fn distance(&self, from: usize, to: usize) -> T {
        let (row, image) = self.source(from);
        let Layout { shared, own, each, .. } = self.layout;
        if to >= shared {
            return row[shared + image * each..][..own][to - shared];
        }
        let (line, is_reversed) = self.shared_line(&self.images[image], to / T::LINE);
        let within = to % T::LINE;
        row[line * T::LINE + if is_reversed { T::LINE - 1 - within } else { within }]
    }

    /// Updates `times`, those of a block whose `column` is reached at `time`, and `pending`, the earliest time of each
    /// line that remains to be processed. Call it in a [`Vectorizable`].
    #[inline(always)]
    pub fn enter(&self, times: &mut [T], pending: &mut [T], column: usize, time: T) {
        let (times, greatest) = times.split_at_mut(self.geometry.columns::<T>(self.discs));
        let (row, image) = self.source(column);
        let Layout { shared, own, each, .. } = self.layout;
        let (shared, rest) = row.split_at(shared);
        let (own, least) = rest[image * each..][..each].split_at(own);
        let (times, shared, own) = (lines_mut(times), lines::<T>(shared), lines::<T>(own));
        let image = &self.images[image];
        let bounds = lines_mut(greatest).iter_mut().zip(lines_mut(pending)).zip(lines(least));
        for (group, ((greatest, pending), least)) in bounds.enumerate() {
            let (greatest, pending) = (greatest.as_mut(), pending.as_mut());
            let mut gain = *least;
            for (gain, greatest) in gain.as_mut().iter_mut().zip(&*greatest) {
                *gain = greatest.less(gain.plus(time));
            }
            // Only these lines can have a time that is lowered. Bounds beyond the columns never match.
            each_marked::<T>(&gain, |at| {
                let line = T::LINE * group + at;
                let far = match line.checked_sub(shared.len()) {
                    Some(own_line) => own[own_line],
                    None => match self.shared_line(image, line) {
                        (line, false) => shared[line],
                        (line, true) => reversed::<T>(&shared[line]),
                    },
                };
                let (mut most, mut first) = (T::ZERO, pending[at]);
                for (now, far) in times[line].as_mut().iter_mut().zip(far.as_ref()) {
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
        let mut more = Rows::zeroed(self.geometry.clone(), self.discs + 1)?;
        let (end, stride) = (more.corners() + more.more(), more.layout.stride());
        let farthest = AtomicU32::new(0);
        let mut rows = std::mem::replace(&mut more.rows, Memory::zeroed(0)?);
        bytemuck::cast_slice_mut::<u8, T>(&mut rows).par_chunks_mut(stride).enumerate().try_for_each_init(
            || (FourBlocks::new(self), vec![T::ZERO; more.stride()]),
            |(blocks, row), (source, stored)| {
                run.check()?;
                let source = self.geometry.split(self.discs, source);
                blocks.search_from(source)?;
                blocks.join(row);
                farthest.fetch_max(latest(&row[..end]), Ordering::Relaxed);
                more.store(row, stored);
                Ok::<(), SearchError>(())
            },
        )?;
        (more.rows, more.farthest) = (rows, farthest.into_inner());
        Ok(more)
    }

    /// Stores a row whose columns are set, with the bounds of all its images.
    fn store(&self, row: &mut [T], stored: &mut [T]) {
        let (geometry, columns) = (&self.geometry, self.geometry.columns::<T>(self.discs));
        let (corners, more) = (self.corners(), self.more());
        close(row, corners + more, columns);
        let Layout { shared, own, each, .. } = self.layout;
        let (columns, bounds) = row.split_at(columns);
        let (to, rest) = stored.split_at_mut(shared);
        to.copy_from_slice(&columns[..shared]);
        for (image, rest) in self.images.iter().zip(rest.chunks_exact_mut(each)) {
            let (to, image_bounds) = rest.split_at_mut(own);
            to.copy_from_slice(&columns[shared..]);
            image_bounds.copy_from_slice(bounds);
            if shared == 0 {
                continue;
            }
            for at in (0..to_u64(more)).map(State::from_code) {
                to[image.perm.state(at, geometry.kept(self.discs)).index()] = columns[corners + at.index()];
            }
            fill_up(to, more);
            for (line, bound) in image_bounds[..shared / T::LINE].iter_mut().enumerate() {
                *bound = bounds[self.shared_line(image, line).0];
            }
            let rest = &mut image_bounds[shared / T::LINE..];
            lines::<T>(to).iter().zip(rest).for_each(|(line, bound)| *bound = least(line));
        }
    }
}

impl Image {
    /// Image `number` of the rows of the first pair: the identity, where pairs are not mapped to each other.
    fn new(geometry: &Geometry, number: usize) -> Image {
        let pairs = geometry.pairs();
        let (c, d) = pairs[number / 2];
        let perm = PegPerm::mapping(pairs[0], if number.is_multiple_of(2) { (c, d) } else { (d, c) });
        let mut image = Image { perm, pairs: [(0, false); 6] };
        for (pair, &(a, b)) in pairs.iter().enumerate() {
            // Without discs, the first column of a pair is its number.
            let (to, _) = geometry.base(0, perm.peg(a), perm.peg(b));
            image.pairs[to] = (pair, perm.peg(a) > perm.peg(b));
        }
        image
    }
}

/// The latest time of a reached column.
fn latest<T: Time>(times: &[T]) -> u32 {
    times.iter().filter(|&&time| time != T::NEVER).max().map_or(0, |&time| time.into())
}

/// Completes a row whose first `end` columns are set: fills it up, and determines its bounds.
fn close<T: Time>(row: &mut [T], end: usize, columns: usize) {
    let (columns, bounds) = row.split_at_mut(columns);
    fill_up(columns, end);
    bounds.fill(T::NEVER);
    lines(columns).iter().zip(bounds).for_each(|(line, bound)| *bound = least(line));
}

/// Repeats the last of the first `end` columns in the padding, so that the padding changes no bound.
fn fill_up<T: Time>(columns: &mut [T], end: usize) {
    if let Some(&last) = columns[..end].last() {
        columns[end..].fill(last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Puzzle;
    use crate::reference;

    #[test]
    fn rows_are_the_reference_distances() {
        for (discs, dropped) in [(1, 0), (1, 1), (2, 1), (3, 0), (4, 2), (5, 5), (6, 2), (7, 3), (7, 7)] {
            let geometry = Geometry::complete(dropped);
            let rows = Rows::<u8>::new(geometry.clone(), discs, &Run::new()).unwrap();
            let puzzle = Puzzle::new(discs, 4).unwrap();
            let (mut row, mut pending) = (vec![0; rows.stride()], vec![0; rows.bounds()]);
            for corner in 0..rows.corners() {
                row.fill(u8::NEVER);
                pending.fill(u8::NEVER);
                rows.enter(&mut row, &mut pending, corner, 0);
                let distances = reference::distances(&puzzle, [geometry.state(discs, corner)]);
                for to in 0..rows.corners() {
                    assert_eq!(u16::from(row[to]), distances[geometry.state(discs, to).index()]);
                }
                let least = distances.chunks(1 << (2 * dropped)).map(|part| *part.iter().min().unwrap());
                let found = row[rows.corners()..][..rows.more()].iter().map(|&far| u16::from(far));
                assert!(found.eq(least), "{discs} discs, {dropped} dropped, corner {corner}");
                let end = rows.corners() + rows.more();
                assert!((0..end).step_by(7).all(|to| rows.distance(corner, to) == row[to]));
                // Bounds are exact, so that no line is read in vain.
                let mut bounds = row.clone();
                rows.bound(&mut bounds);
                assert_eq!(bounds, row);
            }
        }
    }
}
