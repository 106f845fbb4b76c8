//! The distances between the corners of a block: one table for all blocks.
//!
//! A corner of `k` discs is a pair of pegs and a set of discs: column `2ᵏ · pair + set`, where bit
//! `j` of the set says whether disc `j` is on the pair's second peg. (A state with all discs on one
//! peg has several columns.) After the corners, a row has a column for each configuration of the discs
//! that are not dropped: the distance to the nearest state with that configuration.
//!
//! The table of `k` discs is computed from that of `k − 1`: disc `k` makes four blocks, one for each
//! of its pegs, and the search over them is the same as the one over the blocks of all discs. A permutation
//! of the pegs maps distances to equal distances, so one search serves all corners that it leads to: a
//! twelfth of the rows is searched, the others are their images.
//!
//! Distances are counted in the unit of the [`Edges`]. On a star it is two moves: each move brings a
//! disc to the centre or away from it, and in a corner all discs are away from it.
//!
//! A row ends with one byte for each cache line of columns: the least of its distances. The times of a
//! block have the same layout, with the greatest of each line. So [`enter`](Rows::enter) reads only the
//! lines where the least distance can lower the greatest time: with 11 small discs 2 of 100, because
//! most corners are entered where others are far.

use super::edges::Edges;
use crate::error::SearchError;
use crate::model::{State, to_u64};
use crate::pegs::PegPerm;
use rayon::prelude::*;
use search_core::memory::Memory;
use search_core::simd::{Kernel, run_vectorized, vectorized};
use search_core::{Cancelled, Run};

/// The time of what was not reached, or not within 254 moves.
pub const NEVER: u8 = u8::MAX;

/// The number of columns with a common bound.
const LINE: usize = 64;

/// The distances within a block of `discs` discs, with a row for each corner.
#[derive(Debug)]
pub struct Rows {
    edges: Edges,
    discs: u32,
    dropped: u32,
    rows: Memory,
}

impl Rows {
    /// The table of `discs` discs whose last columns leave out the `dropped` smallest.
    ///
    /// # Errors
    /// [`SearchError`] when the memory is not available or the work is cancelled.
    ///
    /// # Panics
    /// If `dropped` exceeds `discs`, or is less on a star.
    pub fn new(edges: Edges, discs: u32, dropped: u32, run: &Run<'_>) -> Result<Rows, SearchError> {
        assert!(dropped <= discs, "at most all of {discs} discs are dropped");
        assert!(edges == Edges::All || dropped == discs, "a star has no columns after those of the corners");
        // Without discs all distances are 0.
        let stride = bytes_of_row(edges, 0, dropped);
        let mut none = Memory::zeroed(edges.pairs().len() * stride)?;
        let lines = columns(edges, 0, dropped) / LINE;
        let bounds = none.chunks_exact_mut(stride).map(|row| &mut row[lines * (LINE + 1)..]);
        bounds.for_each(|beyond| beyond.fill(NEVER));
        (0..discs).try_fold(Rows { edges, discs: 0, dropped, rows: none }, |rows, _| rows.with_one_more(run))
    }

    /// Between which pegs the discs move.
    pub fn edges(&self) -> Edges {
        self.edges
    }

    /// The number of discs.
    pub fn discs(&self) -> u32 {
        self.discs
    }

    /// The number of columns of corners.
    pub fn corners(&self) -> usize {
        self.edges.corners(self.discs)
    }

    /// The number of columns after those of the corners: configurations of the discs that are not dropped.
    pub fn configurations(&self) -> usize {
        configurations(self.discs, self.dropped)
    }

    /// The number of bytes of a row, and of the times of a block.
    pub fn stride(&self) -> usize {
        bytes_of_row(self.edges, self.discs, self.dropped)
    }

    /// The distances from a corner.
    #[inline(always)]
    pub fn row(&self, corner: usize) -> &[u8] {
        &self.rows[corner * self.stride()..][..self.stride()]
    }

    /// Lowers `times`, those of a block whose corner `column` is reached at `time`, accordingly.
    #[inline]
    pub fn enter(&self, times: &mut [u8], column: usize, time: u8) {
        let columns = columns(self.edges, self.discs, self.dropped);
        let (times, greatest) = times.split_at_mut(columns);
        let (far, least) = self.row(column).split_at(columns);
        let (times, far) = (times.as_chunks_mut().0, far.as_chunks().0);
        run_vectorized(Entry { times, greatest, far, least, time });
    }

    /// Determines the greatest time of each line of a block's times, once they have been set.
    pub fn bound(&self, times: &mut [u8]) {
        let (times, greatest) = times.split_at_mut(columns(self.edges, self.discs, self.dropped));
        let lines = times.as_chunks::<LINE>().0.iter().zip(greatest);
        lines.for_each(|(line, greatest)| *greatest = line.iter().copied().max().expect("a line"));
    }

    /// The table for one more disc.
    fn with_one_more(&self, run: &Run<'_>) -> Result<Rows, SearchError> {
        let discs = self.discs + 1;
        let (stride, corners) = (bytes_of_row(self.edges, discs, self.dropped), self.edges.corners(discs));
        let mut rows = Memory::zeroed(corners * stride)?;
        // Those with the additional disc on the first peg of the first pair: any other is an image of one.
        let (searched, images) = rows.split_at_mut(stride << self.discs);
        let filled = searched.par_chunks_mut(stride).enumerate().try_for_each_init(
            || vec![Vec::new(); 4],
            |blocks, (set, row)| {
                run.check()?;
                self.fill(set, blocks, row);
                Ok::<(), Cancelled>(())
            },
        );
        filled?;
        let kept = discs.saturating_sub(self.dropped);
        images.par_chunks_mut(stride).enumerate().try_for_each(|(at, row)| {
            let corner = at + (1 << self.discs);
            let (of, perm) = self.first_image(discs, corner);
            let of = &searched[of * stride..][..stride];
            for (pair, &(a, b)) in self.edges.pairs().iter().enumerate() {
                let (from, (a, b)) = (&of[pair << discs..][..1 << discs], (perm.peg(a), perm.peg(b)));
                let to = &mut row[self.edges.pair_of(a, b) << discs..][..1 << discs];
                match a < b {
                    true => to.copy_from_slice(from),
                    // Sets of the discs on the other peg: complements, in reverse order.
                    false => to.iter_mut().zip(from.iter().rev()).for_each(|(to, from)| *to = *from),
                }
            }
            let (of, to) = (&of[corners..], &mut row[corners..]);
            let configurations = (0..to_u64(configurations(discs, self.dropped))).map(State::from_code);
            configurations.for_each(|at| to[perm.state(at, kept).index()] = of[at.index()]);
            self.close(row);
            run.check()
        })?;
        Ok(Rows { discs, rows, ..*self })
    }

    /// Fills the row of a corner of the first pair of the table for one more disc, with this disc on the first
    /// peg and those of `set` on the second.
    fn fill(&self, set: usize, blocks: &mut [Vec<u8>], row: &mut [u8]) {
        for block in &mut *blocks {
            block.clear();
            block.resize(self.stride(), NEVER);
        }
        self.enter(&mut blocks[self.edges.pairs()[0].0 as usize], set, 0);
        self.spread(blocks);
        self.join(blocks, row);
    }

    /// Runs a breadth-first search over the four blocks of the next disc.
    fn spread(&self, blocks: &mut [Vec<u8>]) {
        let mut found = Vec::new();
        let mut time = 0;
        while time < NEVER - 1 {
            for (from, to) in self.edges.moves() {
                let arrival = time + self.edges.units(from);
                let base = self.edges.corners_for(from, to) << self.discs;
                let (from, to) = (from as usize, to as usize);
                positions(&blocks[from][base..base + (1 << self.discs)], time, &mut found);
                for column in found.iter().map(|&at| base + usize::from(at)) {
                    if blocks[to][column] > arrival {
                        self.enter(&mut blocks[to], column, arrival);
                    }
                }
            }
            time = blocks.iter().map(|block| later(&block[..self.corners()], time)).min().expect("four");
        }
    }

    /// Copies the columns of the four blocks to their positions in a row for one more disc.
    fn join(&self, blocks: &[Vec<u8>], row: &mut [u8]) {
        let half = 1usize << self.discs;
        for (pair, &(c, d)) in self.edges.pairs().iter().enumerate() {
            let (low, high) = row[2 * half * pair..][..2 * half].split_at_mut(half);
            low.copy_from_slice(&blocks[c as usize][half * pair..][..half]);
            high.copy_from_slice(&blocks[d as usize][half * pair..][..half]);
        }
        let (corners, each) = (self.corners(), self.configurations());
        let last = 2 * corners;
        match each {
            0 if self.discs + 1 == self.dropped => row[last] = 0,
            0 => {}
            each => (0..4).for_each(|peg| {
                row[last + peg * each..][..each].copy_from_slice(&blocks[peg][corners..][..each]);
            }),
        }
        self.close(row);
    }

    /// The row that is searched and has the row of `corner` as an image, and the permutation that maps it there.
    fn first_image(&self, discs: u32, corner: usize) -> (usize, PegPerm) {
        let (pairs, all) = (self.edges.pairs(), (1 << discs) - 1);
        let ((c, d), set) = (pairs[corner >> discs], corner & all);
        // The largest of the discs goes first.
        let (c, d, set) = if set >> (discs - 1) == 0 { (c, d, set) } else { (d, c, all - set) };
        (set, PegPerm::mapping(pairs[0], (c, d)))
    }

    /// Ends a row for one more disc with its bounds.
    fn close(&self, row: &mut [u8]) {
        let end = 2 * self.corners() + configurations(self.discs + 1, self.dropped);
        // What follows is like the last column, so that it bounds nothing by itself.
        let (columns, least) = row.split_at_mut(columns(self.edges, self.discs + 1, self.dropped));
        let filler = columns[end - 1];
        columns[end..].fill(filler);
        least.fill(NEVER);
        let lines = columns.as_chunks::<LINE>().0.iter().zip(least);
        lines.for_each(|(line, least)| *least = line.iter().copied().min().expect("a line"));
    }
}

/// A corner of a block that is entered.
struct Entry<'a> {
    /// The times of the block, line by line, and the greatest of each.
    times: &'a mut [[u8; LINE]],
    greatest: &'a mut [u8],
    /// The distances from the corner, line by line, and the least of each.
    far: &'a [[u8; LINE]],
    least: &'a [u8],
    /// When the corner is entered.
    time: u8,
}

impl Kernel for Entry<'_> {
    type Output = ();

    /// Lowers the times to the distances plus the time of the entry, in lines where this is possible.
    #[inline(always)]
    fn run(self) {
        let Entry { times, greatest, far, least, time } = self;
        let bounds = greatest.as_chunks_mut::<LINE>().0.iter_mut().zip(least.as_chunks::<LINE>().0);
        for (group, (greatest, least)) in bounds.enumerate() {
            let mut gain = [0; LINE];
            (0..LINE).for_each(|at| gain[at] = greatest[at].saturating_sub(least[at].saturating_add(time)));
            for (word, gain) in gain.as_chunks::<8>().0.iter().enumerate() {
                let mut lines = u64::from_le_bytes(*gain);
                while lines != 0 {
                    let at = 8 * word + lines.trailing_zeros() as usize / 8;
                    lines &= !(0xff << (lines.trailing_zeros() & !7));
                    // There is no gain beyond the columns.
                    let (times, far) = (&mut times[LINE * group + at], &far[LINE * group + at]);
                    (0..LINE).for_each(|i| times[i] = times[i].min(far[i].saturating_add(time)));
                    greatest[at] = times.iter().fold(0, |most, &now| most.max(now));
                }
            }
        }
    }
}

/// The number of configurations of `discs` discs without the `dropped` smallest; 0 when `dropped`
/// exceeds `discs`.
fn configurations(discs: u32, dropped: u32) -> usize {
    discs.checked_sub(dropped).map_or(0, |kept| 1 << (2 * kept))
}

/// The number of columns of a row, rounded up to whole cache lines.
fn columns(edges: Edges, discs: u32, dropped: u32) -> usize {
    (edges.corners(discs) + configurations(discs, dropped)).next_multiple_of(LINE)
}

/// The number of bytes of a row: its columns, and a bound for each cache line of them.
pub(super) fn bytes_of_row(edges: Edges, discs: u32, dropped: u32) -> usize {
    let columns = columns(edges, discs, dropped);
    columns + (columns / LINE).next_multiple_of(LINE)
}

/// Finds the indices where `times` is exactly `time`.
pub(super) fn positions(times: &[u8], time: u8, found: &mut Vec<u16>) {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    found.clear();
    let spread = u64::from(time) * 0x0101_0101_0101_0101;
    let mut words = times.chunks_exact(8);
    for (at, word) in words.by_ref().enumerate() {
        let differs = u64::from_le_bytes(word.try_into().expect("eight bytes")) ^ spread;
        let mut equal = !((differs & LOW) + LOW | differs | LOW);
        while equal != 0 {
            found.push((at * 8) as u16 + (equal.trailing_zeros() / 8) as u16);
            equal &= equal - 1;
        }
    }
    let rest = words.remainder();
    let from = times.len() - rest.len();
    found.extend((from..times.len()).filter(|&at| times[at] == time).map(|at| at as u16));
}

/// The least of `times` that is greater than `time`. Mostly that is `time + 1`, and found soon.
pub(super) fn later(times: &[u8], time: u8) -> u8 {
    /// The number of bytes compared at a time.
    const CHUNK: usize = 64;
    // Earlier times wrap around to greater values than that of NEVER.
    let past = |at: u8| at.wrapping_sub(time + 1);
    let mut least = past(NEVER);
    vectorized(|| {
        let mut parts = times.chunks_exact(CHUNK);
        for part in parts.by_ref() {
            let mut later = [NEVER; CHUNK];
            (0..CHUNK).for_each(|at| later[at] = past(part[at]));
            least = later.iter().fold(least, |least, &at| least.min(at));
            if least == 0 {
                break;
            }
        }
        parts.remainder().iter().for_each(|&at| least = least.min(past(at)));
    });
    least + time + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Puzzle;
    use crate::reference;

    #[test]
    fn rows_are_the_reference_distances() {
        for (discs, dropped) in [(1, 0), (1, 1), (2, 1), (3, 0), (4, 2), (5, 5), (6, 2)] {
            let rows = Rows::new(Edges::All, discs, dropped, &Run::new()).unwrap();
            let puzzle = Puzzle::new(discs, 4).unwrap();
            for corner in 0..rows.corners() {
                let distances = reference::distances(&puzzle, [Edges::All.state(discs, corner)]);
                let row = rows.row(corner);
                for to in 0..rows.corners() {
                    assert_eq!(u16::from(row[to]), distances[Edges::All.state(discs, to).index()]);
                }
                let least = distances.chunks(1 << (2 * dropped)).map(|part| *part.iter().min().unwrap());
                let found = row[rows.corners()..][..rows.configurations()].iter().map(|&far| u16::from(far));
                assert!(found.eq(least), "{discs} discs, {dropped} dropped, corner {corner}");
            }
        }
    }
}
