//! The times that all threads read while they collect offers, and the collection of the offers of one block.

use super::rows::Rows;
use super::time::{Time, each_marked, earlier, equal, later, lines, reversed};
use crate::bitmap::blocks::{Blocks, Link};
use crate::bitmap::shape::PAIRS;
use crate::goals::{Goals, MIDDLE_PAIRS};
use crate::model::{State, to_u64};
use crate::pegs::PegPerm;
use search_core::memory::Memory;
use search_core::prefetch::prefetch;
use search_core::simd::Vectorizable;
use std::ops::Range;
use std::sync::Arc;

/// A time after all others.
pub(crate) const DONE: u32 = u32::MAX;

/// The data that all threads read while they collect offers.
#[derive(Debug)]
pub(super) struct Known<T> {
    pub(super) rows: Arc<Rows<T>>,
    pub(super) blocks: Blocks,
    /// For each block, the permutations that map its large discs to themselves; empty if only the identity
    /// does.
    pub(super) stabilisers: Vec<Box<[PegPerm]>>,
    /// The blocks whose times are here.
    pub(super) own: Range<u32>,
    /// For each own block, the time at which it is first reached.
    pub(super) first: Vec<u32>,
    /// One row per own block: the times of its columns, relative to the first.
    pub(super) times: Memory,
}

/// A corner of a block that is reached: the block's number in the upper half, the column in the lower.
pub(crate) type Offer = u64;

pub(crate) fn offer(block: u32, column: usize) -> Offer {
    u64::from(block) << 32 | to_u64(column)
}

/// The block and the column of an offer.
pub(crate) fn target(at: Offer) -> (u32, usize) {
    ((at >> 32) as u32, at as u32 as usize)
}

/// A block that the corners of a pair of pegs lead to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Image<T> {
    block: u32,
    /// The first column in that block.
    base: usize,
    /// The bits of the set that change.
    flip: usize,
    /// The location of the block's row.
    row: usize,
    /// The latest time in that block that an offer does not lower.
    passed: T,
    /// Whether the block belongs to another owner or is not reached yet: then every corner is offered.
    is_open: bool,
}

impl<T> Image<T> {
    /// The column that a set leads to.
    #[inline(always)]
    fn column(&self, set: usize) -> usize {
        self.base | (set ^ self.flip)
    }
}

/// The lists of a thread that collects offers.
pub(super) struct Lists<T> {
    pub(super) due: Vec<usize>,
    pub(super) images: Vec<Image<T>>,
    pub(super) offers: Vec<Offer>,
}

/// The earliest pending time in a block; [`DONE`] if none is pending.
#[inline(always)]
pub(super) fn earliest<T: Time>(pending: &[T], first: u32, unit: u32) -> u32 {
    let mut least = [T::NEVER; 64];
    for line in lines(pending) {
        for (least, &at) in least.iter_mut().zip(line.as_ref()) {
            *least = at.min(*least);
        }
    }
    match least.into_iter().fold(T::NEVER, T::min) {
        time if time == T::NEVER => DONE,
        time => first + time.into() * unit,
    }
}

impl<T: Time> Known<T> {
    /// The number of moves in a unit of time.
    #[inline(always)]
    pub(super) fn unit(&self) -> u32 {
        self.rows.geometry().unit()
    }

    /// The time of a column of block `id`, or [`DONE`].
    #[inline(always)]
    pub(super) fn time_at(&self, id: u32, column: usize) -> u32 {
        let time = self.times_of(id)[column];
        if time == T::NEVER { DONE } else { self.first[self.index(id)] + time.into() * self.unit() }
    }

    /// The permutations that map block `id` to itself.
    #[inline(always)]
    pub(super) fn stabiliser(&self, id: u32) -> &[PegPerm] {
        let stabilisers = &self.stabilisers[id as usize];
        if stabilisers.is_empty() { &[PegPerm::IDENTITY] } else { stabilisers }
    }

    /// The row of block `id`.
    #[inline(always)]
    pub(super) fn times_of(&self, id: u32) -> &[T] {
        let stride = self.rows.stride();
        &bytemuck::cast_slice(&self.times)[self.index(id) * stride..][..stride]
    }

    /// The number of block `id` among the own ones.
    #[inline(always)]
    pub(super) fn index(&self, id: u32) -> usize {
        (id - self.own.start) as usize
    }

    /// Adds the targets of the corners of a pair of block `id` at time `now`. Returns their indices.
    #[inline(always)]
    fn images(&self, id: u32, pair: usize, now: u32, images: &mut Vec<Image<T>>) -> (usize, usize) {
        let (begin, geometry) = (images.len(), self.rows.geometry());
        let Link::To(block, perm) = self.blocks.link(id, geometry.link(pair)) else { return (begin, begin) };
        let (c, d) = geometry.pairs()[pair];
        let place = self.own.contains(&block).then(|| self.index(block));
        let row = place.map_or(0, |place| place * self.rows.stride());
        let passed = place.and_then(|place| (now + 1).checked_sub(self.first[place]));
        let (is_open, passed) = (passed.is_none(), passed.unwrap_or(0) / self.unit());
        let passed = T::of(passed).unwrap_or(T::LAST);
        for swap in self.stabiliser(block) {
            let (base, flip) = geometry.base(self.rows.discs(), swap.peg(perm.peg(c)), swap.peg(perm.peg(d)));
            images.push(Image { block, base, flip, row, passed, is_open });
        }
        (begin, images.len())
    }

    /// The offers of the goals' corners.
    pub(super) fn seeds(&self, goals: Goals) -> Vec<Offer> {
        let (small, large) = (self.rows.discs(), self.blocks.large());
        let mut offers = Vec::new();
        match goals {
            Goals::Peg(peg) => {
                self.offer_to(State::all_on(peg, large), (peg, (peg + 1) % 4), 1, &mut offers);
            }
            Goals::Middle => {
                for (c, d) in MIDDLE_PAIRS.map(|pair| PAIRS[pair]) {
                    for on_d in 0..1u64 << large {
                        self.offer_to(State::on_pair((c, d), on_d, large), (c, d), 1 << small, &mut offers);
                    }
                }
            }
        }
        offers.sort_unstable();
        offers.dedup();
        offers
    }

    /// Offers the corners on pegs `c` and `d` with the first `sets` sets to the block of a configuration.
    fn offer_to(&self, large: State, (c, d): (u32, u32), sets: usize, offers: &mut Vec<Offer>) {
        let (code, perm) = self.blocks.group().canonical(large, self.blocks.large());
        let to = self.blocks.find(code).expect("every canonical configuration has a block");
        for swap in self.stabiliser(to) {
            let (c, d) = (swap.peg(perm.peg(c)), swap.peg(perm.peg(d)));
            let column = |set| self.rows.geometry().column(self.rows.discs(), c, d, set);
            offers.extend((0..sets).map(|set| offer(to, column(set))));
        }
    }
}

/// The corners of a block whose time is `now`.
pub(super) struct Due<'a, T> {
    pub(super) known: &'a Known<T>,
    pub(super) id: u32,
    pub(super) now: u32,
    /// The earliest time of each line of the block that has not been processed.
    pub(super) pending: &'a mut [T],
    pub(super) lists: &'a mut Lists<T>,
}

impl<T: Time> Vectorizable for Due<'_, T> {
    type Output = u32;

    /// Appends their offers. Returns the next time of the block. The lines of the adjacent blocks are fetched before they
    /// are read.
    #[inline(always)]
    fn run(self) -> u32 {
        let Due { known, id, now, pending, lists: Lists { due, images, offers } } = self;
        let (rows, unit, first) = (&known.rows, known.unit(), known.first[known.index(id)]);
        let (small, corners) = (rows.discs(), rows.corners());
        let mask = (1 << small) - 1;
        // The images of each pair, and the first pair whose images are not known.
        let (mut of, mut unknown) = ([(0, 0); 6], 0);
        let Some(time) = T::of((now - first) / unit) else { return DONE };
        let all = lines(bytemuck::cast_slice::<u8, T>(&known.times));
        due.clear();
        images.clear();
        for (group, lines) in lines(pending).iter().enumerate() {
            each_marked::<T>(&equal(lines, time), |at| due.push(T::LINE * group + at));
        }
        for first in due.iter().map(|&line| T::LINE * line).take_while(|&first| first < corners) {
            // With few small discs, a line has several pairs, and leads to parts of others.
            let last = (first + T::LINE).min(corners) - 1;
            while unknown <= last >> small {
                let is_due = unknown >= first >> small;
                of[unknown] = if is_due { known.images(id, unknown, now, images) } else { (0, 0) };
                unknown += 1;
            }
            let (begin, end) = of[first >> small];
            for image in images[begin..end].iter().filter(|image| !image.is_open) {
                prefetch(all[(image.row + image.column(first & mask)) / T::LINE].as_ref().as_ptr().cast());
            }
        }
        let own = lines(known.times_of(id));
        for &line in &*due {
            let (first, own) = (T::LINE * line, &own[line]);
            pending[line] = T::NEVER;
            if first >= corners {
                continue;
            }
            let last = (first + T::LINE).min(corners) - 1;
            for pair in first >> small..=last >> small {
                let (begin, end) = of[pair];
                for image in &images[begin..end] {
                    pending[line] = later(own, time);
                    let offer = |at: usize| offer(image.block, image.column((first + at) & mask));
                    if !image.is_open && mask >= T::LINE - 1 {
                        let there = &all[(image.row + image.column(first & mask)) / T::LINE];
                        let there = if image.flip == 0 { *there } else { reversed::<T>(there) };
                        let marks = earlier(own, time, &there, image.passed);
                        each_marked::<T>(&marks, |at| offers.push(offer(at)));
                        continue;
                    }
                    each_marked::<T>(&equal(own, time), |at| {
                        let there = image.row + image.column((first + at) & mask);
                        let is_offered =
                            image.is_open || all[there / T::LINE].as_ref()[there % T::LINE] > image.passed;
                        if (first + at) >> small == pair && is_offered {
                            offers.push(offer(at));
                        }
                    });
                }
            }
        }
        earliest(pending, known.first[known.index(id)], unit)
    }
}
