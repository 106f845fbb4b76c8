//! The search that extends a table of distances by one disc.
//!
//! The next disc makes four blocks, one for each of its pegs. It moves between two of them at their common corners. So
//! this is the search of [`search`](super::search) over four blocks, from one column, with the table of the discs so far.

use super::rows::Rows;
use super::time::{Time, each_marked, earlier, equal, later, least, lines};
use crate::bitmap::shape::PAIRS;
use crate::error::SearchError;
use search_core::simd::{Vectorizable, run_vectorized};
use std::collections::BTreeSet;

/// A breadth-first search over the four blocks of the next disc, one for each of its pegs. Times begin at 0 in all of
/// them.
pub(super) struct FourBlocks<'a, T> {
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
    pub fn new(rows: &'a Rows<T>) -> FourBlocks<'a, T> {
        let of = |count: usize| [(); 4].map(|()| vec![T::NEVER; count]);
        let (times, pending) = (of(rows.stride()), of(rows.bounds()));
        let target = |from: u32, pair: usize| {
            let (a, b) = PAIRS[rows.geometry().link(pair)];
            let to = if a == from { b } else { a };
            ((a == from || b == from) && rows.geometry().joins(from, to)).then_some(to as usize)
        };
        let mut targets = [[None; 6]; 4];
        for (from, targets) in (0..).zip(&mut targets) {
            (0..rows.geometry().pairs().len()).for_each(|pair| targets[pair] = target(from, pair));
        }
        let (due, found, beyond) = (Vec::new(), Vec::new(), BTreeSet::new());
        FourBlocks { rows, times, pending, targets, due, found, beyond }
    }

    /// Finds the times of all columns from a column of a block.
    ///
    /// # Errors
    /// [`SearchError::Far`] if a distance does not fit a time.
    pub fn search_from(&mut self, source: (usize, usize)) -> Result<(), SearchError> {
        run_vectorized(SearchFrom { blocks: self, source })
    }

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
        let arrival = now.into() + self.rows.geometry().units(from as u32);
        self.find(from, now, T::of(arrival).unwrap_or(T::LAST));
        for at in 0..self.found.len() {
            let (to, column) = self.found[at];
            let (times, pending) = (&mut self.times[to], &mut self.pending[to]);
            if times[column].into() > arrival {
                let time = T::of(arrival).ok_or(SearchError::Far)?;
                self.rows.enter(times, pending, column, time);
                if T::of(arrival + self.rows.farthest()).is_none() {
                    let far = |at: usize| self.rows.distance(column, at);
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
        let (discs, corners, pending) = (rows.discs(), rows.corners(), &mut pending[from][..]);
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
    pub fn join(&self, row: &mut [T]) {
        let (geometry, discs) = (self.rows.geometry(), self.rows.discs());
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

/// [`FourBlocks::search_from`], vectorized.
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
