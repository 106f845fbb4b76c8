//! The distances between the corners of a block on any graph of four pegs: one table for all blocks.
//!
//! A large disc moves along an edge while all small discs are on the other two pegs. So the edges determine which
//! pairs of pegs make corners. A corner of `k` discs is a pair and a set of discs: column `2ᵏ · pair + set`, where bit `j`
//! of the set says whether disc `j` is on the pair's second peg. Four more columns, and rows, are the perfect states.
//!
//! The table of `k` discs is computed from that of `k − 1`: disc `k` makes four blocks, one for each of its pegs,
//! and a search over them from each corner gives its row.
//!
//! The columns are divided into lines of 32, a cache line each. After the distances, a row has the least of each line,
//! its **bounds**. The times of a block have the greatest of each line beside them. So [`enter`](Rows::enter) reads
//! only the lines where the least distance can lower the greatest time.

use super::search::Search;
use crate::error::SearchError;
use crate::graph::PegGraph;
use crate::model::to_u64;
use rayon::prelude::*;
use search_core::Run;
use search_core::memory::Memory;
use search_core::simd::{Kernel, run_vectorized};

/// The time of what was not reached.
pub(super) const NEVER: u16 = u16::MAX;

/// The number of columns with a common bound.
pub(super) const LINE: usize = 32;

/// The pairs of pegs that make corners, and the edges.
#[derive(Clone, Debug)]
pub(super) struct Corners {
    pairs: Vec<(u32, u32)>,
    /// Whether discs move from one peg to another.
    edges: [[bool; 4]; 4],
}

impl Corners {
    /// Those of a graph.
    ///
    /// # Panics
    /// If it has not four pegs.
    pub fn new(graph: &PegGraph) -> Corners {
        assert_eq!(graph.pegs(), 4, "four pegs");
        let mut edges = [[false; 4]; 4];
        graph.edges().iter().for_each(|&(a, b)| edges[a as usize][b as usize] = true);
        let all = (0..4).flat_map(|c| (c + 1..4).map(move |d| (c, d)));
        let joined = |a: u32, b: u32| edges[a as usize][b as usize] || edges[b as usize][a as usize];
        let pairs = all.filter(|&pair| {
            let (a, b) = super::rest(pair);
            joined(a, b)
        });
        Corners { pairs: pairs.collect(), edges }
    }

    /// The pairs, each in ascending order.
    pub fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// Whether a disc may move from peg `a` to peg `b`.
    #[inline(always)]
    pub fn joins(&self, a: u32, b: u32) -> bool {
        self.edges[a as usize][b as usize]
    }

    /// The number of corners of `small` discs.
    #[inline(always)]
    pub fn count(&self, small: u32) -> usize {
        self.pairs.len() << small
    }

    /// The number of columns: corners, perfect states and what fills the last line.
    pub fn columns(&self, small: u32) -> usize {
        (self.count(small) + 4).next_multiple_of(LINE)
    }

    /// The number of bounds: of the lines, and what makes them whole lines.
    pub fn bounds(&self, small: u32) -> usize {
        (self.columns(small) / LINE).next_multiple_of(LINE)
    }
}

/// The distances within a block of `discs` discs, from each corner and each perfect state.
#[derive(Debug)]
pub(super) struct Rows {
    corners: Corners,
    discs: u32,
    rows: Memory,
}

impl Rows {
    /// The bytes of a table.
    pub fn bytes(corners: &Corners, discs: u32) -> u64 {
        to_u64((corners.count(discs) + 4) * 2 * (corners.columns(discs) + corners.bounds(discs)))
    }

    /// The table of `discs` discs.
    ///
    /// # Errors
    /// [`SearchError`] when the memory is not available or the work is cancelled.
    pub fn new(corners: &Corners, discs: u32, run: &Run<'_>) -> Result<Rows, SearchError> {
        // Without discs all distances are 0.
        let rows = Memory::zeroed(Rows::bytes(corners, 0) as usize)?;
        let mut none = Rows { corners: corners.clone(), discs: 0, rows };
        let (columns, stride) = (none.columns(), none.stride());
        let rows = bytemuck::cast_slice_mut::<u8, u16>(&mut none.rows).chunks_exact_mut(stride);
        rows.for_each(|row| close(row, columns));
        run.progress().begin("distances within blocks", discs.into());
        let rows = (1..=discs).try_fold(none, |rows, discs| {
            let rows = rows.with_one_more(run);
            run.progress().update(discs.into());
            rows
        });
        run.progress().end();
        rows
    }

    /// The pairs of pegs and the edges.
    #[inline(always)]
    pub fn corners(&self) -> &Corners {
        &self.corners
    }

    /// The number of discs.
    #[inline(always)]
    pub fn discs(&self) -> u32 {
        self.discs
    }

    /// The number of columns.
    #[inline(always)]
    pub fn columns(&self) -> usize {
        self.corners.columns(self.discs)
    }

    /// The number of bounds of a block or row.
    #[inline(always)]
    pub fn bounds(&self) -> usize {
        self.corners.bounds(self.discs)
    }

    fn stride(&self) -> usize {
        self.columns() + self.bounds()
    }

    /// Lowers `times`, those of a block whose corner or perfect state `column` is reached at `time`, accordingly. Keeps the
    /// `greatest` time of each line, and the earliest that is still to be processed, `pending`.
    #[inline]
    pub fn enter(&self, times: &mut [u16], [greatest, pending]: [&mut [u16]; 2], column: usize, time: u16) {
        let stride = self.stride();
        let row = &bytemuck::cast_slice::<u8, u16>(&self.rows)[column * stride..][..stride];
        let (far, least) = row.split_at(self.columns());
        let (times, far) = (times.as_chunks_mut().0, far.as_chunks().0);
        run_vectorized(Entry { times, greatest, pending, far, least, time });
    }

    /// The table for one more disc.
    fn with_one_more(&self, run: &Run<'_>) -> Result<Rows, SearchError> {
        let discs = self.discs + 1;
        let mut rows = Memory::zeroed(Rows::bytes(&self.corners, discs) as usize)?;
        let corners = self.corners.count(discs);
        let columns = self.corners.columns(discs);
        let stride = columns + self.corners.bounds(discs);
        let sources = bytemuck::cast_slice_mut::<u8, u16>(&mut rows).par_chunks_exact_mut(stride).enumerate();
        sources.try_for_each_init(
            || None,
            |made, (source, row)| {
                let mut search = match made.take() {
                    Some(search) => search,
                    None => Search::new(self, 1)?,
                };
                search.run(&[search.with_largest(source)], run, |_| ())?;
                for (column, far) in row[..corners + 4].iter_mut().enumerate() {
                    *far = match search.time_of(search.with_largest(column)) {
                        Some(time) => {
                            u16::try_from(time).ok().filter(|&time| time != NEVER).ok_or(SearchError::Far)?
                        }
                        None => NEVER,
                    };
                }
                // What fills the last line is like the last column, so that it bounds nothing by itself.
                let last = row[corners + 3];
                row[corners + 4..columns].fill(last);
                close(row, columns);
                *made = Some(search);
                Ok::<(), SearchError>(())
            },
        )?;
        Ok(Rows { corners: self.corners.clone(), discs, rows })
    }
}

/// Ends a row with its bounds.
fn close(row: &mut [u16], columns: usize) {
    let (columns, least) = row.split_at_mut(columns);
    least.fill(NEVER);
    let lines = columns.as_chunks::<LINE>().0.iter().zip(least);
    lines.for_each(|(line, least)| *least = line.iter().copied().min().expect("a line"));
}

/// A corner of a block that is entered.
struct Entry<'a> {
    /// The times of the block, line by line, the greatest of each, and the earliest to be processed.
    times: &'a mut [[u16; LINE]],
    greatest: &'a mut [u16],
    pending: &'a mut [u16],
    /// The distances from the corner, line by line, and the least of each.
    far: &'a [[u16; LINE]],
    least: &'a [u16],
    /// When the corner is entered.
    time: u16,
}

impl Kernel for Entry<'_> {
    type Output = ();

    /// Lowers the times to the distances plus the time of the entry, in lines where this is possible.
    #[inline(always)]
    fn run(self) {
        let Entry { times, greatest, pending, far, least, time } = self;
        let bounds = greatest.as_chunks_mut::<LINE>().0.iter_mut().zip(pending.as_chunks_mut::<LINE>().0);
        for (group, ((greatest, pending), least)) in bounds.zip(least.as_chunks::<LINE>().0).enumerate() {
            let mut gain = [0; LINE];
            for at in 0..LINE {
                gain[at] = greatest[at].saturating_sub(least[at].saturating_add(time));
            }
            for at in marked(gain) {
                // There is no gain beyond the columns.
                let (times, far) = (&mut times[LINE * group + at], &far[LINE * group + at]);
                let (mut most, mut first) = (0, pending[at]);
                for i in 0..LINE {
                    let (now, then) = (times[i], far[i].saturating_add(time));
                    first = first.min(if then < now { then } else { NEVER });
                    times[i] = now.min(then);
                    most = most.max(times[i]);
                }
                (greatest[at], pending[at]) = (most, first);
            }
        }
    }
}

/// The indices of the values that are not zero.
#[inline(always)]
pub(super) fn marked(values: [u16; LINE]) -> Marked {
    let words: [u64; LINE / 4] = bytemuck::cast(values);
    Marked { words, word: 0, rest: words[0] }
}

/// See [`marked`].
pub(super) struct Marked {
    words: [u64; LINE / 4],
    word: usize,
    /// What is left of the current word.
    rest: u64,
}

impl Iterator for Marked {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.rest == 0 {
            self.word += 1;
            self.rest = *self.words.get(self.word)?;
        }
        let bit = self.rest.trailing_zeros() & !15;
        self.rest &= !(0xffff << bit);
        // The first of four values is in the lowest bits, or in the highest ones.
        let at = if cfg!(target_endian = "little") { bit / 16 } else { 3 - bit / 16 };
        Some(4 * self.word + at as usize)
    }
}
