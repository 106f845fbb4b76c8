//! The layers of one block, recomputed from the times of its corners.
//!
//! The idea: the times of a block's corners determine the depth of each of its 4ᵏ states, because a
//! shortest path enters the block for the last time in a corner. So layers need not be kept: they are
//! recomputed within the processor's caches, one block after the other, by bitmaps as in
//! [`bitmap`](crate::bitmap). At each time the corners of exactly that time are added to what the
//! moves of the small discs reach.
//!
//! The block is divided into **parts**: the states of the seven smallest discs for one configuration of
//! the other small discs, 64 units of 256 bits. The three smallest discs select the unit, the next four
//! the bit within it. A part is expanded only while it contains states of the current layer, or is
//! reached from another part. A part is active in about 20 layers, a block of ten discs in about 45.
//!
//! Why no state is lost or counted twice: corners of time `t` are at depth `t`, all other states of
//! depth `t + 1` have a neighbour of depth `t` within the block, and the two known layers are removed,
//! as in [`kernel`](crate::bitmap::kernel).
//!
//! Cost: about 20 instructions per unit and layer for the three smallest discs; the others move in 48
//! of the 64 units only, by masks and shifts.

use super::geometry::Geometry;
use crate::bitmap::kernel::{TWO_PEGS, add, inner_moves};
use crate::bitmap::shape::{EMPTY, PAIRS, Shape, Word256};
use crate::model::{State, to_u32, to_u64};
use search_core::simd::{Vectorizable, run_vectorized};
use std::ops::RangeInclusive;

/// The discs of a part.
const PART: u32 = 7;
/// The units of a part.
const UNITS: usize = 64;
/// The number for a move that leads to no part.
const NONE: u32 = u32::MAX;

/// The numbers of small discs of a block whose layers can be recomputed: the bitmaps of more do not stay in the caches.
pub const SMALL: RangeInclusive<u32> = PART..=11;

/// The data that all blocks of a number of small discs share.
#[derive(Debug)]
pub struct Plan {
    shape: Shape,
    /// For each part and pair of pegs, the part that the move of a larger small disc leads to.
    links: Vec<[u32; 6]>,
    /// The location of each corner: `256 · part + 4 · unit + word` in the upper bits, the bit in the lower six.
    corners: Vec<u32>,
}

/// The bitmaps of one block; one set per thread.
#[derive(Debug)]
pub struct Layers<'a> {
    plan: &'a Plan,
    current: Vec<Word256>,
    /// The previous layer; the next one while it is computed.
    other: Vec<Word256>,
    reached: Vec<Word256>,
    /// Whether a part has states in the current and in the previous layer, and whether it is reached.
    in_current: Vec<bool>,
    in_previous: Vec<bool>,
    is_reached: Vec<bool>,
    /// The corners in the order of their times, and the end of those of each time.
    order: Vec<u32>,
    ends: Vec<u32>,
}

impl Plan {
    /// The plan for blocks of `small` discs.
    ///
    /// # Panics
    /// If `small` is not in [`SMALL`].
    pub fn new(small: u32) -> Plan {
        assert!(SMALL.contains(&small), "a block of {SMALL:?} discs");
        let shape = Shape::new(PART);
        let more = small - PART;
        let links = (0..1u64 << (2 * more)).map(|part| {
            let moved = |pair| State::from_code(part).moved_between(pair, more);
            PAIRS.map(|pair| moved(pair).map_or(NONE, |to| to_u32(to.index())))
        });
        let geometry = Geometry::complete(small);
        let location = |corner| {
            let at = geometry.state(small, corner);
            let (unit, word, bit) = shape.locate(at.smallest(PART));
            to_u32((at.above(PART).index() * UNITS + unit) * 4 + word) << 6 | bit
        };
        let corners = (0..6usize << small).map(location).collect();
        Plan { links: links.collect(), corners, shape }
    }

    /// The number of parts.
    fn parts(&self) -> usize {
        self.links.len()
    }

    /// The bytes of the bitmaps of one thread.
    pub fn bytes(small: u32) -> u64 {
        3 * (1 << (2 * small)) / 8 + (6 << small) * 4
    }
}

impl<'a> Layers<'a> {
    /// Empty bitmaps for blocks of this plan.
    pub fn new(plan: &'a Plan) -> Layers<'a> {
        let (parts, units) = (plan.parts(), plan.parts() * UNITS);
        Layers {
            plan,
            current: vec![EMPTY; units],
            other: vec![EMPTY; units],
            reached: vec![EMPTY; units],
            in_current: vec![false; parts],
            in_previous: vec![false; parts],
            is_reached: vec![false; parts],
            order: vec![0; plan.corners.len()],
            ends: Vec::new(),
        }
    }

    /// Calls `visit` with each time from 0, the number of the block's states of this time, and their bitmap
    /// for [`for_each`](Layers::for_each); `times` are those of its corners, relative to the first.
    ///
    /// # Panics
    /// If there is not one time for each corner.
    pub fn visit(&mut self, times: &[u8], mut visit: impl FnMut(u32, u64, &[Word256])) {
        assert_eq!(times.len(), self.plan.corners.len(), "a time for each corner");
        let corners = times.iter().zip(&self.plan.corners).map(|(&time, &location)| (time, location));
        sort_by_time(times, corners, &mut self.order, &mut self.ends);
        let (mut time, mut begin) = (0, 0);
        loop {
            let end = self.ends.get(time).map_or(begin, |&end| end as usize);
            for at in begin..end {
                let location = self.order[at];
                let word = location >> 6;
                self.reached[word as usize / 4][word as usize % 4] |= 1 << (location & 63);
                self.is_reached[word as usize / (4 * UNITS)] = true;
            }
            begin = end;
            let count = run_vectorized(Step(self));
            if count == 0 && time >= self.ends.len() {
                break;
            }
            visit(to_u32(time), count, &self.current);
            run_vectorized(Spread(self));
            time += 1;
        }
        // The last two layers are empty but for the flags, which are reset for the next block.
        self.clear();
    }

    /// Calls `visit` with the state of the small discs of every set bit of a layer.
    pub fn for_each(&self, bits: &[Word256], mut visit: impl FnMut(State)) {
        for (part, bits) in bits.chunks_exact(UNITS).enumerate() {
            let large = State::from_code(to_u64(part));
            self.plan.shape.for_each(bits, |small| visit(large.with_smaller(small, PART)));
        }
    }

    fn clear(&mut self) {
        for part in 0..self.plan.parts() {
            let units = part * UNITS..(part + 1) * UNITS;
            if self.in_current[part] {
                self.current[units.clone()].fill(EMPTY);
            }
            if self.in_previous[part] {
                self.other[units].fill(EMPTY);
            }
        }
        self.in_current.fill(false);
        self.in_previous.fill(false);
    }

    /// Computes the next layer from what is reached, and makes it the current one. Returns its number of
    /// states.
    #[inline(always)]
    fn step(&mut self) -> u64 {
        let mut count = 0;
        for part in 0..self.plan.parts() {
            let units = part * UNITS..(part + 1) * UNITS;
            let previous = std::mem::take(&mut self.in_previous[part]);
            if !self.in_current[part] && !self.is_reached[part] {
                if previous {
                    self.other[units].fill(EMPTY);
                }
                continue;
            }
            let found = expand(
                part_of(&self.current[units.clone()]),
                (&mut self.other[units.clone()]).try_into().expect("the units of a part"),
                (&mut self.reached[units]).try_into().expect("the units of a part"),
            );
            self.is_reached[part] = false;
            self.in_previous[part] = found > 0;
            count += found;
        }
        std::mem::swap(&mut self.current, &mut self.other);
        std::mem::swap(&mut self.in_current, &mut self.in_previous);
        count
    }

    /// Moves the small discs that are not among the smallest three, from the current layer.
    #[inline(always)]
    fn spread(&mut self) {
        for part in 0..self.plan.parts() {
            if self.in_current[part] {
                self.is_reached[part] = true;
                self.spread_part(part);
            }
        }
    }

    #[inline(always)]
    fn spread_part(&mut self, part: usize) {
        self.spread_pair::<0>(part);
        self.spread_pair::<1>(part);
        self.spread_pair::<2>(part);
        self.spread_pair::<3>(part);
        self.spread_pair::<4>(part);
        self.spread_pair::<5>(part);
    }

    /// Moves the discs that can move while the three smallest are on the pegs of `PAIR`.
    #[inline(always)]
    fn spread_pair<const PAIR: usize>(&mut self, part: usize) {
        let (c, d) = (PAIRS[PAIR].0 as usize, PAIRS[PAIR].1 as usize);
        let mask = TWO_PEGS[PAIR];
        let current = part_of(&self.current[part * UNITS..(part + 1) * UNITS]);
        let reached = part_of_mut(&mut self.reached[part * UNITS..(part + 1) * UNITS]);
        let mut out = 0;
        for unit in units_on(PAIR) {
            let states = &current[unit];
            add(&mut reached[unit], &inner_moves(states, 5 - PAIR));
            out |= states[c] | states[d];
        }
        let to = self.plan.links[part][5 - PAIR];
        if out & mask == 0 || to == NONE {
            return;
        }
        let to = to as usize;
        self.is_reached[to] = true;
        let reached = part_of_mut(&mut self.reached[to * UNITS..(to + 1) * UNITS]);
        for unit in units_on(PAIR) {
            let (states, there) = (&current[unit], &mut reached[unit]);
            there[c] |= states[c] & mask;
            there[d] |= states[d] & mask;
        }
    }
}

/// Sorts items by their times, which are those of `times` in any order: fills `sorted` with them, and `ends` with the end
/// of those of each time. Items of one time keep their order.
pub(super) fn sort_by_time<T>(
    times: &[u8],
    items: impl Iterator<Item = (u8, T)>,
    sorted: &mut [T],
    ends: &mut Vec<u32>,
) {
    let last = times.iter().copied().max().expect("a block has corners");
    ends.clear();
    ends.resize(usize::from(last) + 1, 0);
    times.iter().for_each(|&time| ends[usize::from(time)] += 1);
    let mut sum = 0;
    for end in &mut *ends {
        sum += std::mem::replace(end, sum);
    }
    // Each end is now the beginning, and moves to the end.
    for (time, item) in items {
        let end = &mut ends[usize::from(time)];
        sorted[*end as usize] = item;
        *end += 1;
    }
}

/// [`Layers::step`], vectorized.
struct Step<'a, 'b>(&'a mut Layers<'b>);

impl Vectorizable for Step<'_, '_> {
    type Output = u64;
    #[inline(always)]
    fn run(self) -> u64 {
        self.0.step()
    }
}

/// [`Layers::spread`], vectorized.
struct Spread<'a, 'b>(&'a mut Layers<'b>);

impl Vectorizable for Spread<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.0.spread();
    }
}

/// The units whose discs are all on the pegs of `pair`.
#[inline(always)]
const fn units_on(pair: usize) -> [usize; 8] {
    let (c, d) = (PAIRS[pair].0 as usize, PAIRS[pair].1 as usize);
    let mut units = [0; 8];
    let mut set = 0;
    while set < 8 {
        let gap = d - c;
        units[set] = 21 * c + gap * ((set & 1) + 4 * (set >> 1 & 1) + 16 * (set >> 2));
        set += 1;
    }
    units
}

fn part_of_mut(units: &mut [Word256]) -> &mut [Word256; UNITS] {
    units.try_into().expect("the units of a part")
}

fn part_of(units: &[Word256]) -> &[Word256; UNITS] {
    units.try_into().expect("the units of a part")
}

/// The next layer of a part, in place of the layer before `current`: what moves of the three smallest
/// discs reach, and `reached`, which is then empty. Returns its number of states.
#[inline(always)]
fn expand(current: &[Word256; UNITS], next: &mut [Word256; UNITS], reached: &mut [Word256; UNITS]) -> u64 {
    // The states where disc 2 can move, with disc 2 anywhere.
    let mut third = [EMPTY; 16];
    for (at, third) in third.iter_mut().enumerate() {
        for peg in (0..4).filter(|&peg| peg != at % 4 && peg != at / 4) {
            add(third, &current[16 * peg + at]);
        }
    }
    let mut count = 0;
    for peg in 0..4 {
        let mut second = [EMPTY; 4];
        for (x, second) in second.iter_mut().enumerate() {
            for y in (0..4).filter(|&y| y != x) {
                add(second, &current[16 * peg + 4 * y + x]);
            }
        }
        for y in 0..4 {
            let row = 16 * peg + 4 * y;
            let mut first = current[row];
            (1..4).for_each(|x| add(&mut first, &current[row + x]));
            for x in 0..4 {
                let mut found = reached[row + x];
                add(&mut found, &first);
                if x != y {
                    add(&mut found, &second[x]);
                }
                if peg != x && peg != y {
                    add(&mut found, &third[4 * y + x]);
                }
                for word in 0..4 {
                    let new = found[word] & !(current[row + x][word] | next[row + x][word]);
                    next[row + x][word] = new;
                    count += u64::from(new.count_ones());
                }
                reached[row + x] = EMPTY;
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corners::rows::Rows;
    use crate::model::Puzzle;
    use crate::reference;
    use search_core::Run;
    use search_core::testing::Random;

    /// Times of corners that paths within the block do not shorten.
    fn times(rows: &Rows<u8>, sources: &[(usize, u8)]) -> Vec<u8> {
        let (mut times, mut pending) = (vec![u8::MAX; rows.stride()], vec![u8::MAX; rows.bounds()]);
        sources.iter().for_each(|&(corner, time)| rows.enter(&mut times, &mut pending, corner, time));
        times.truncate(rows.corners());
        times
    }

    #[test]
    fn every_state_has_the_time_of_the_nearest_entry() {
        let mut numbers = Random::new(5);
        let mut random = move |below: usize| numbers.below(below);
        for small in [7, 8, 9] {
            let (rows, plan) =
                (Rows::new(Geometry::complete(small), small, &Run::new()).unwrap(), Plan::new(small));
            let mut layers = Layers::new(&plan);
            let puzzle = Puzzle::new(small, 4).unwrap();
            for entries in [1, 2, 5, 30] {
                let mut sources: Vec<(usize, u8)> =
                    (0..entries).map(|_| (random(rows.corners()), random(12) as u8)).collect();
                sources[0].1 = 0;
                let mut expected = vec![u16::MAX; 1 << (2 * small)];
                for &(corner, time) in &sources {
                    let far = reference::distances(&puzzle, [rows.geometry().state(small, corner)]);
                    expected.iter_mut().zip(far).for_each(|(at, far)| *at = (*at).min(far + u16::from(time)));
                }
                let mut found = vec![u16::MAX; expected.len()];
                let mut visited = Vec::new();
                layers.visit(&times(&rows, &sources), |time, count, bits| {
                    visited.push((time, count, bits.to_vec()));
                });
                for (time, count, bits) in visited {
                    let mut listed = 0;
                    layers.for_each(&bits, |state| {
                        assert_eq!(found[state.index()], u16::MAX, "visited once");
                        found[state.index()] = time as u16;
                        listed += 1;
                    });
                    assert_eq!(listed, count);
                }
                assert_eq!(found, expected, "{small} discs, {sources:?}");
            }
        }
    }
}
