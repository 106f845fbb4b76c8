//! The boundary of a block: the states whose small discs are on at most two pegs.
//!
//! The idea: a large disc moves between two pegs only while all small discs are on the other two.
//! So only 6 · 2ᵏ of the 4ᵏ states of a block can lead out of it, 2ᵏ for each pair of pegs. These
//! bits of a layer are extracted and stored separately; other blocks read nothing else. The bitmaps
//! themselves are read and written sequentially, once per layer, so they can be kept on disk.
//!
//! A boundary is `2^(k − 4)` numbers of 16 bits. In number `t`, bit `i`: bit `j` of `t` (of `i`) says
//! whether disc `j` (disc `k − 4 + j`) is on the second peg of the pair. Swapping the two pegs
//! reverses the boundary: the numbers are in reverse order, each with its bits reversed.

use super::kernel::TWO_PEGS;
use super::shape::{PAIRS, Shape, Word256};

/// Appends the boundary of `bits` for `pair` to `out` unless it is empty. Returns whether it was
/// appended.
#[inline]
pub fn extract(shape: &Shape, bits: &[Word256], pair: usize, out: &mut Vec<u16>) -> bool {
    let (c, d) = (PAIRS[pair].0 as usize, PAIRS[pair].1 as usize);
    let units = shape.units_on(pair);
    let touched = units.iter().fold(0, |any, &unit| {
        let unit = &bits[usize::from(unit)];
        any | unit[c] | unit[d]
    });
    if touched & TWO_PEGS[pair] == 0 {
        return false;
    }
    out.extend(units.iter().map(|&unit| {
        let unit = &bits[usize::from(unit)];
        squeeze(unit[c], pair) | squeeze(unit[d], pair) << 8
    }));
    true
}

/// Adds the states of a boundary for `pair` to `bits`. If `swapped`, the boundary was extracted with
/// the two pegs in the other order.
#[inline]
pub fn insert(shape: &Shape, boundary: &[u16], pair: usize, swapped: bool, bits: &mut [Word256]) {
    let (c, d) = (PAIRS[pair].0 as usize, PAIRS[pair].1 as usize);
    let units = shape.units_on(pair);
    for (place, &states) in boundary.iter().enumerate().filter(|&(_, &states)| states != 0) {
        let (place, states) = match swapped {
            true => (units.len() - 1 - place, states.reverse_bits()),
            false => (place, states),
        };
        let unit = &mut bits[usize::from(units[place])];
        unit[c] |= spread(states & 0xff, pair);
        unit[d] |= spread(states >> 8, pair);
    }
}

/// Extracts the eight bits of a word whose discs are on the pegs of `pair`.
#[inline(always)]
fn squeeze(word: u64, pair: usize) -> u16 {
    let (c, d) = PAIRS[pair];
    let gap = d - c;
    let (even, pairs) = STEPS[gap as usize];
    let word = (word & TWO_PEGS[pair]) >> (21 * c);
    let word = word & even | word >> (gap - 1) & even << 1;
    let word = word & pairs | word >> (4 * gap - 2) & pairs << 2;
    (word & 0xf | word >> (16 * gap - 4) & 0xf0) as u16
}

/// The inverse of [`squeeze`]: the word whose extracted bits are `bits`.
#[inline(always)]
fn spread(bits: u16, pair: usize) -> u64 {
    let (c, d) = PAIRS[pair];
    let gap = d - c;
    let (even, pairs) = STEPS[gap as usize];
    let word = u64::from(bits);
    let word = word & 0xf | (word & 0xf0) << (16 * gap - 4);
    let word = word & pairs | (word & pairs << 2) << (4 * gap - 2);
    let word = word & even | (word & even << 1) << (gap - 1);
    word << (21 * c)
}

/// For each distance of two pegs: the bits where the first disc is on the lower peg, and the bits
/// where the second is, once the first disc's bits are adjacent.
const STEPS: [(u64, u64); 4] = {
    let mut steps = [(0, 0); 4];
    let mut gap = 1;
    while gap < 4 {
        steps[gap] = (1 | 1 << (4 * gap) | 1 << (16 * gap) | 1 << (20 * gap), 3 | 3 << (16 * gap));
        gap += 1;
    }
    steps
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitmap::shape::EMPTY;
    use crate::model::State;
    use crate::pegs::PegGroup;

    #[test]
    fn words_are_squeezed_and_spread_bit_by_bit() {
        for (pair, &(c, d)) in PAIRS.iter().enumerate() {
            for bit in 0..8 {
                let code = State::on_pair((c, d), bit, 3).code();
                assert_eq!(spread(1 << bit, pair), 1 << code);
                assert_eq!(squeeze(1 << code, pair), 1 << bit);
            }
            assert_eq!(squeeze(!TWO_PEGS[pair], pair), 0);
        }
    }

    #[test]
    fn boundaries_go_through_permutations_of_the_pegs() {
        let shape = Shape::new(6);
        let mut bits = vec![EMPTY; shape.units()];
        let on = |pair: usize, t: u64| State::on_pair(PAIRS[pair], t, 6);
        let members = [0u64, 5, 17, 40, 62];
        for perm in PegGroup::filtered(|_| true).perms() {
            for (pair, &(c, d)) in PAIRS.iter().enumerate() {
                bits.fill(EMPTY);
                for t in members {
                    let (unit, word, bit) = shape.locate(on(pair, t));
                    bits[unit][word] |= 1 << bit;
                }
                let mut boundary = Vec::new();
                assert!(extract(&shape, &bits, pair, &mut boundary));
                let (c, d) = (perm.peg(c), perm.peg(d));
                let mut image = vec![EMPTY; shape.units()];
                insert(&shape, &boundary, super::super::shape::pair_of(c, d), c > d, &mut image);
                let mut found = Vec::new();
                shape.for_each(&image, |state| found.push(state));
                let mut expected: Vec<_> = members.map(|t| perm.state(on(pair, t), 6)).to_vec();
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected);
            }
        }
    }
}
