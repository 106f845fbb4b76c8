//! The offers of the corners of one time: the inner loop of a search under a threshold.

use super::Search;
use super::live::{NONE, SEGMENT};
use crate::bitmap::blocks::Link;
use crate::corners::bound::CornerBound;
use crate::corners::known::{DONE, Offer, earliest, offer};
use crate::corners::time::{Time, each_marked, equal, later, lines};
use crate::error::SearchError;
use crate::model::{State, to_u32};
use crate::pegs::PegPerm;
use rayon::prelude::*;
use search_core::Run;
use search_core::prefetch::prefetch;
use search_core::simd::{Vectorizable, run_vectorized};
use std::ops::Range;

/// A block that the corners of a pair of pegs lead to.
#[derive(Clone, Copy, Debug)]
struct Image {
    block: u32,
    slot: u32,
    /// The large discs of the block.
    large: State,
    /// The first column in that block, and the bits of the set that change.
    base: usize,
    flip: usize,
    /// The threshold less the next time and the part of the large discs, for both sums.
    slack: (u32, u32),
}

impl Search<'_> {
    /// The offers of the corners of the current time, for the next. Changes no times; after an error, the earliest times
    /// that have not been processed are lost.
    pub(super) fn collect(&mut self, run: &Run<'_>) -> Result<Vec<Offer>, SearchError> {
        let mut pending = std::mem::take(&mut self.live.pending);
        let mut next = std::mem::take(&mut self.live.next);
        let search = &*self;
        let segments = pending.par_iter_mut().zip(next.par_chunks_mut(SEGMENT)).enumerate();
        let due = segments.filter(|(_, (_, next))| next.contains(&search.now));
        let parts = due.map(|(segment, (pending, next))| {
            run.check()?;
            let mut lists = Lists::default();
            let slots = pending.chunks_exact_mut(search.live.bounds).zip(next).enumerate();
            for (place, (pending, next)) in slots.filter(|(_, (_, next))| **next == search.now) {
                let slot = to_u32(SEGMENT * segment + place);
                *next = run_vectorized(Due { search, slot, pending, lists: &mut lists });
            }
            Ok(lists.offers)
        });
        let parts: Result<Vec<Vec<Offer>>, SearchError> = parts.collect();
        (self.live.pending, self.live.next) = (pending, next);
        Ok(parts?.concat())
    }

    /// The targets of the corners of a pair of block `id`.
    fn images(&self, id: u32, pair: usize, images: &mut Vec<Image>) {
        let (geometry, small, then) = (self.rows.geometry(), self.ask.small, self.now + 1);
        let Link::To(block, perm) = self.blocks.link(id, geometry.link(pair)) else { return };
        if then > self.last[block as usize] {
            return;
        }
        let (large, slot) = (self.blocks.large_discs(block), self.slots[block as usize]);
        let (first, second) = self.ask.bound.map_or((0, 0), |bound| bound.of_large(large, small));
        let left = self.ask.threshold - then;
        let slack = (left - first, left - second);
        let (c, d) = geometry.pairs()[pair];
        for swap in self.stabilisers.get(&block).map_or(&[PegPerm::IDENTITY][..], |all| all) {
            let (base, flip) = geometry.base(small, swap.peg(perm.peg(c)), swap.peg(perm.peg(d)));
            images.push(Image { block, slot, large, base, flip, slack });
        }
    }
}

/// The lists of a thread that collects offers.
#[derive(Default)]
struct Lists {
    images: Vec<Image>,
    /// The image and the column of each corner that may be offered.
    candidates: Vec<(usize, usize)>,
    offers: Vec<Offer>,
}

/// The corners of a block whose time is the current one.
struct Due<'a, 'b> {
    search: &'a Search<'b>,
    slot: u32,
    /// The earliest time of each line of the block that has not been processed.
    pending: &'a mut [u8],
    lists: &'a mut Lists,
}

impl Vectorizable for Due<'_, '_> {
    type Output = u32;

    /// Appends their offers. Returns the next time of the block. Times and entries outside of the caches are
    /// fetched in one pass over the candidates and read in the next.
    #[inline(always)]
    fn run(self) -> u32 {
        let Due { search, slot, pending, lists: Lists { images, candidates, offers } } = self;
        let (live, small) = (&search.live, search.ask.small);
        let (id, first) = (live.ids[slot as usize], live.first[slot as usize]);
        let (corners, set) = (search.rows.corners(), (1 << small) - 1);
        let Some(time) = search.time_in(slot) else { return DONE };
        let own = lines::<u8>(live.times_of(slot));
        images.clear();
        candidates.clear();
        let mut of = [const { None::<Range<usize>> }; 6];
        let mut due = |column: usize, images: &mut Vec<Image>| {
            let pair = column >> small;
            let range = of[pair].get_or_insert_with(|| {
                let begin = images.len();
                search.images(id, pair, images);
                begin..images.len()
            });
            for image in range.clone() {
                let Image { slot, base, flip, .. } = images[image];
                let column = base | ((column & set) ^ flip);
                if slot != NONE {
                    prefetch(live.times_of(slot)[column..].as_ptr());
                }
                candidates.push((image, column));
            }
        };
        for group in 0..pending.len() / u8::LINE {
            let marks = equal::<u8>(&lines::<u8>(pending)[group], time);
            each_marked::<u8>(&marks, |at| {
                let line = u8::LINE * group + at;
                pending[line] = later::<u8>(&own[line], time);
                each_marked::<u8>(&equal::<u8>(&own[line], time), |at| {
                    let column = u8::LINE * line + at;
                    if column < corners {
                        due(column, images);
                    }
                });
            });
        }
        let then = search.now + 1;
        candidates.retain(|&(image, column)| {
            let Image { slot, large, slack, .. } = images[image];
            let is_known = slot != NONE
                && u32::from(live.times_of(slot)[column]) <= then.saturating_sub(live.first[slot as usize]);
            let Some(bound) = search.ask.bound.filter(|_| !is_known) else { return !is_known };
            let state = large.with_smaller(State::from_code(search.states[column].into()), small);
            let is_within = bound.rest_of_first(state) <= slack.0;
            if is_within {
                prefetch(bound.rest_of_second(state));
            }
            is_within
        });
        offers.extend(candidates.iter().filter_map(|&(image, column)| {
            let Image { block, large, slack, .. } = images[image];
            let state = large.with_smaller(State::from_code(search.states[column].into()), small);
            let is_within = |bound: &dyn CornerBound| u32::from(*bound.rest_of_second(state)) <= slack.1;
            search.ask.bound.is_none_or(is_within).then(|| offer(block, column))
        }));
        earliest(pending, first, 1)
    }
}
