//! The heuristic of the half-depth search: the maximum of two additive splittings, block by block.
//!
//! The idea (Korf & Felner 2006, "Disjoint Additive" and "Multiple Pattern Databases"): split the
//! `n` discs into `d` and `r = n − d`. With the database of `d` discs on the largest and the
//! complete one of `r` discs on the smallest, the sum is a lower bound; with their roles exchanged
//! it is another. The heuristic is the greater of the two.
//!
//! No state is looked up individually, because the large discs do not move within a block. So for the first splitting,
//! the big database's value is one number per block, and the states that the small one allows are one of a few
//! precomputed bitmaps. For the second, the small database's value is one number per block, and a row of the big one
//! determines which configurations of the unit's discs are allowed.
//!
//! Why no optimal path is lost: values are admissible, and a state is removed only when its depth
//! plus its value exceeds the threshold. Compressed values can change by more than one per move, so a
//! state can be reached later than at its true depth; but every kept state generates all its
//! neighbours, so a kept neighbour is at most one layer away, and two layers still find all
//! duplicates. States of a path within the threshold are kept at their true depths.
//!
//! Cost: one `and` per 256 states, and 256 comparisons of bytes per block.

use crate::bitmap::kernel::add;
use crate::bitmap::search::Pruner;
use crate::bitmap::shape::{INNER, SMALL, Shape, Word256};
use crate::corners::bound::CornerBound;
use crate::model::State;
use crate::pdb::Database;
use search_core::{Cancelled, Run};

/// A lower bound on the distance to the nearest goal: the greater of the two sums.
#[derive(Debug)]
pub struct SplitBound<'a> {
    /// The database of most of the discs.
    big: &'a Database,
    /// The complete database of the rest.
    rest: Database,
}

impl<'a> SplitBound<'a> {
    /// The bound from the database `big` and the complete one of the rest.
    ///
    /// # Panics
    /// If `rest` is not complete.
    pub fn new(big: &'a Database, rest: Database) -> SplitBound<'a> {
        assert!(rest.dropped() == 0, "a complete database");
        SplitBound { big, rest }
    }

    /// The value of a state.
    pub fn value(&self, state: State) -> u32 {
        let (first, second) = self.of_large(state, 0);
        (first + self.rest_of_first(state)).max(second + u32::from(*self.rest_of_second(state)))
    }
}

impl CornerBound for SplitBound<'_> {
    fn discs(&self) -> u32 {
        self.big.discs() + self.rest.discs()
    }

    fn suits(&self, small: u32) -> bool {
        self.discs().checked_sub(small).is_some_and(|large| large >= self.big.kept().max(self.rest.discs()))
    }

    #[inline(always)]
    fn of_large(&self, large: State, small: u32) -> (u32, u32) {
        let discs = self.discs() - small;
        let first = self.big.entry(large.above(discs - self.big.kept()));
        let second = self.rest.value(large.above(discs - self.rest.discs()));
        (first.into(), second.into())
    }

    #[inline(always)]
    fn rest_of_first(&self, state: State) -> u32 {
        self.rest.value(state.smallest(self.rest.discs())).into()
    }

    #[inline(always)]
    fn rest_of_second(&self, state: State) -> &u8 {
        &self.big.values()[state.smallest(self.big.discs()).above(self.big.dropped()).index()]
    }
}

/// The two splittings under a threshold.
#[derive(Debug)]
pub struct TwoSplittings<'a> {
    small: u32,
    threshold: u32,
    bound: SplitBound<'a>,
    /// `allowed[low * (max + 1) + v]`: the states of the small discs whose value in the complete
    /// database is at most `v`, where `low` is the configuration of those of its discs that are large.
    allowed: Vec<Vec<Word256>>,
}

/// The number of small discs with a database that leaves out the `dropped` smallest.
fn small_discs(dropped: u32) -> u32 {
    (dropped + INNER).min(*SMALL.end())
}

/// Whether a database of `big` discs that leaves out the `dropped` smallest, and a complete one of the
/// rest, split `discs` discs: one to twelve discs must remain for the second, and the discs that the
/// first keeps must be large.
pub fn fits(discs: u32, big: u32, dropped: u32) -> bool {
    let small = small_discs(dropped);
    let rest = discs.checked_sub(big).is_some_and(|rest| (1..=12).contains(&rest));
    rest && dropped > 0 && big >= small && big - dropped + small <= discs
}

impl<'a> TwoSplittings<'a> {
    /// The heuristic for `discs` discs from the database `big` and the complete one of the rest.
    ///
    /// # Errors
    /// [`Cancelled`].
    ///
    /// # Panics
    /// If `rest` is not complete, the two do not have `discs` discs in total, or they do not [fit](fits).
    pub fn new(
        discs: u32,
        threshold: u32,
        big: &'a Database,
        rest: Database,
        run: &Run<'_>,
    ) -> Result<TwoSplittings<'a>, Cancelled> {
        let bound = SplitBound::new(big, rest);
        assert!(bound.discs() == discs, "a splitting of {discs} discs");
        assert!(
            fits(discs, big.discs(), big.dropped()),
            "a database of {} discs does not fit {discs}",
            big.discs()
        );
        let small = small_discs(big.dropped());
        let shape = Shape::new(small);
        let lows = 1u64 << (2 * bound.rest.discs().saturating_sub(small));
        let allowed =
            (0..lows).map(State::from_code).map(|low| run.check().map(|()| masks(&shape, &bound.rest, low)));
        let allowed = allowed.collect::<Result<Vec<_>, _>>()?.concat();
        Ok(TwoSplittings { small, threshold, bound, allowed })
    }

    /// The number of small discs.
    pub fn small(&self) -> u32 {
        self.small
    }

    /// An upper bound on the value of any state.
    pub fn max(&self) -> u32 {
        u32::from(self.bound.big.max()) + u32::from(self.bound.rest.max())
    }

    /// The shallowest depth at which a state can be pruned.
    pub fn first_depth(&self) -> u32 {
        (self.threshold + 1).saturating_sub(self.max())
    }

    /// The value of one state.
    pub fn value(&self, state: State) -> u32 {
        self.bound.value(state)
    }

    /// The greatest values of the small database (first splitting) and of the big one (second splitting)
    /// within the threshold, in the block with this configuration of the large discs at `depth`. The
    /// value of the other database is the same for the whole block. `None` if a splitting exceeds the
    /// threshold.
    fn slacks(&self, large: State, depth: u32) -> Option<(u32, u32)> {
        let (first, second) = self.bound.of_large(large, self.small);
        let slack = self.threshold.checked_sub(depth)?;
        Some((slack.checked_sub(first)?, slack.checked_sub(second)?))
    }

    /// The configurations of a unit's discs that the second splitting allows.
    fn unit_mask(&self, large: State, slack: u32) -> Word256 {
        let slack = u8::try_from(slack).unwrap_or(u8::MAX);
        let low = large.smallest(self.bound.big.discs().saturating_sub(self.small));
        // The database keeps the largest of the unit's discs, or none.
        let chosen = (self.small.saturating_sub(self.bound.big.dropped())).min(INNER);
        let beyond = self.bound.big.dropped().saturating_sub(self.small);
        let row = &self.bound.big.values()[low.above(beyond).index() << (2 * chosen)..][..1 << (2 * chosen)];
        let value = |inner: usize| row[inner >> (2 * (INNER - chosen))];
        [0, 64, 128, 192]
            .map(|from| (0..64).fold(0, |bits, bit| bits | u64::from(value(from + bit) <= slack) << bit))
    }
}

/// For each value up to the greatest, the states of the small discs whose value in `rest` is at most this.
fn masks(shape: &Shape, rest: &Database, low: State) -> Vec<Vec<Word256>> {
    let mut masks = vec![vec![[0; 4]; shape.units()]; usize::from(rest.max()) + 1];
    for small in (0..1 << (2 * shape.small())).map(State::from_code) {
        let state = low.with_smaller(small, shape.small()).smallest(rest.discs());
        let (unit, word, bit) = shape.locate(small);
        masks[usize::from(rest.entry(state))][unit][word] |= 1 << bit;
    }
    for value in 1..masks.len() {
        let (less, more) = masks.split_at_mut(value);
        more[0].iter_mut().zip(&less[value - 1]).for_each(|(unit, less)| add(unit, less));
    }
    masks
}

impl Pruner for TwoSplittings<'_> {
    fn admits(&self, large: State, depth: u32) -> bool {
        depth < self.first_depth() || self.slacks(large, depth).is_some()
    }

    fn prune(&self, large: State, depth: u32, bits: &mut [Word256]) -> bool {
        if depth < self.first_depth() {
            return false;
        }
        let Some((first, second)) = self.slacks(large, depth) else {
            bits.fill([0; 4]);
            return true;
        };
        let unit_mask = self.unit_mask(large, second);
        let low = large.smallest(self.bound.rest.discs().saturating_sub(self.small)).index();
        let value = self.bound.rest.max().min(u8::try_from(first).unwrap_or(u8::MAX));
        let allowed = &self.allowed[low * (usize::from(self.bound.rest.max()) + 1) + usize::from(value)];
        for (unit, allowed) in bits.iter_mut().zip(allowed) {
            for word in 0..4 {
                unit[word] &= allowed[word] & unit_mask[word];
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goals::Goals;

    #[test]
    fn pruning_a_block_equals_pruning_its_states() {
        for (discs, d, dropped) in
            [(10, 6, 1), (10, 6, 2), (11, 5, 1), (12, 8, 3), (12, 9, 5), (11, 10, 7), (11, 9, 9)]
        {
            let big = Database::compressed(d, dropped, Goals::Middle, &Run::new()).unwrap();
            let rest = Database::complete(discs - d, Goals::Middle);
            let splittings = TwoSplittings::new(discs, 30, &big, rest, &Run::new()).unwrap();
            let small = splittings.small();
            let shape = Shape::new(small);
            for depth in 0..40 {
                let code = u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - 2 * (discs - small));
                let large = State::from_code(code);
                let mut bits = vec![[u64::MAX; 4]; shape.units()];
                splittings.prune(large, depth, &mut bits);
                for state in (0..1 << (2 * small)).map(State::from_code) {
                    let (unit, word, bit) = shape.locate(state);
                    let value = splittings.value(large.with_smaller(state, small));
                    assert_eq!(bits[unit][word] >> bit & 1 == 1, depth + value <= 30);
                }
            }
        }
    }
}
