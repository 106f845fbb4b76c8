//! The number of shortest paths, counted along with the layers of a search.
//!
//! The number of shortest paths to a state is the sum of those to the states of the layer before from
//! which a move leads to it. Eight bytes per state hold the numbers, beside the search's bitmaps.

use super::search::{GraphSearch, Layer};
use super::shape::{Shape, Tops, Word};
use crate::error::{SearchError, refused};
use rayon::prelude::*;
use search_core::Run;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The number of shortest paths to each visited state.
#[derive(Debug)]
pub(super) struct PathCounts {
    /// One number per state: block, word, bit. Threads write the states of the next layer, each of
    /// them one thread, and read those of the current layer.
    counts: Vec<AtomicU64>,
}

/// The bytes that the numbers take.
pub(super) fn bytes_needed(pegs: u32, discs: u32) -> u128 {
    u128::from(pegs).saturating_pow(discs).saturating_mul(8)
}

impl PathCounts {
    /// The numbers at the start of a search: one path, to the start.
    pub(super) fn new<W: Word>(
        search: &GraphSearch<W>,
        start: (usize, usize, usize),
    ) -> Result<PathCounts, SearchError> {
        let shape = &search.shape;
        let states = shape.blocks * shape.words * shape.bits;
        let mut counts = Vec::new();
        counts.try_reserve_exact(states).map_err(|_| refused(8 * states))?;
        counts.resize_with(states, AtomicU64::default);
        let found = PathCounts { counts };
        found.counts[place(shape, start)].store(1, Ordering::Relaxed);
        Ok(found)
    }

    /// The number of shortest paths to the state at a place; 0 if it was not visited.
    pub(super) fn at<W: Word>(&self, shape: &Shape<W>, at: (usize, usize, usize)) -> u64 {
        self.counts[place(shape, at)].load(Ordering::Relaxed)
    }

    /// Counts the paths to the states of the next layer, after a step of the search.
    ///
    /// # Errors
    /// [`SearchError::Overflow`] when a number does not fit 64 bits, and [`SearchError::Cancelled`].
    pub(super) fn step<W: Word>(&self, search: &GraphSearch<W>, run: &Run<'_>) -> Result<(), SearchError> {
        let (shape, next) = (&search.shape, &search.next);
        let overflow = AtomicBool::new(false);
        let count = |block: usize| {
            if next.has_states(block) && !run.is_cancelled() && !self.count_block(search, block) {
                overflow.store(true, Ordering::Relaxed);
            }
        };
        run.install(|| (0..shape.blocks).into_par_iter().for_each(count));
        run.check()?;
        if overflow.into_inner() { Err(SearchError::Overflow) } else { Ok(()) }
    }

    /// Counts the paths to the states of one block; false if a number does not fit.
    fn count_block<W: Word>(&self, search: &GraphSearch<W>, block: usize) -> bool {
        let (shape, current) = (&search.shape, search.current.words());
        let large = shape.block_tops(block);
        let mut fits = true;
        each_state(shape, &search.next, block, &large, |word, bit, large| {
            let mut sum = 0u64;
            shape.each_source((block, word, bit), large, |block, word, bit| {
                if current[block * shape.words + word] >> bit as u32 & W::ONE != W::ZERO {
                    let (more, overflows) = sum.overflowing_add(self.at(shape, (block, word, bit)));
                    sum = more;
                    fits &= !overflows;
                }
            });
            self.counts[place(shape, (block, word, bit))].store(sum, Ordering::Relaxed);
        });
        fits
    }
}

/// The index of the state at a place.
fn place<W: Word>(shape: &Shape<W>, (block, word, bit): (usize, usize, usize)) -> usize {
    (block * shape.words + word) * shape.bits + bit
}

/// Calls `visit` with the word and bit of each state of a layer's block.
fn each_state<W: Word>(
    shape: &Shape<W>,
    layer: &Layer<W>,
    block: usize,
    large: &Tops,
    mut visit: impl FnMut(usize, usize, &Tops),
) {
    for (word, &states) in layer.words()[block * shape.words..][..shape.words].iter().enumerate() {
        let mut states = states;
        while states != W::ZERO {
            let bit = states.lowest();
            states = states & !(W::ONE << bit as u32);
            visit(word, bit, large);
        }
    }
}
