//! One layer within one block: all moves of the small discs at once.
//!
//! The idea: see [`shape`](super::shape). The next layer is the set of states that one move reaches,
//! without the current and the previous layer.
//!
//! Why no state is lost or repeated: moves can be undone, so a neighbour of a state at depth `g`
//! is at depth `g − 1`, `g` or `g + 1`. Removing the two known layers leaves exactly the new
//! states; no older layer is needed (frontier search, Korf et al. 2005).
//!
//! Cost: about five loads, five `or`s and one store per 256 states, present or not.

use super::shape::{EMPTY, PAIRS, Shape, Word256};
use search_core::simd::vectorized;

/// Computes the layer after `current` within a block, in place of the layer before it.
///
/// On entry, `next` is the previous layer, and `reached` contains the states that moves of large discs
/// reach. On return, `next` is the next layer and `reached` is empty. Returns the number of states in
/// the next layer.
///
/// # Panics
/// If a slice does not have [`Shape::units`] units.
pub fn expand(shape: &Shape, current: &[Word256], next: &mut [Word256], reached: &mut [Word256]) -> u64 {
    let units = shape.units();
    assert!(current.len() == units && next.len() == units && reached.len() == units);
    vectorized(|| expand_here(shape, current, next, reached))
}

#[inline(always)]
fn expand_here(shape: &Shape, current: &[Word256], next: &mut [Word256], reached: &mut [Word256]) -> u64 {
    for pair in 0..6 {
        for &unit in shape.units_on(5 - pair) {
            let states = current[usize::from(unit)];
            if states != EMPTY {
                add(&mut reached[usize::from(unit)], &inner_moves(&states, pair));
            }
        }
    }
    let mut count = 0;
    let quads = current.chunks_exact(4).zip(next.chunks_exact_mut(4)).zip(reached.chunks_exact_mut(4));
    for (quad, ((now, next), reached)) in quads.enumerate() {
        let mut any = now[0];
        now[1..].iter().for_each(|unit| add(&mut any, unit));
        for peg in 0..4 {
            let mut found = reached[peg];
            reached[peg] = EMPTY;
            add(&mut found, &any);
            for &from in shape.moves(4 * quad + peg) {
                add(&mut found, &current[usize::from(from)]);
            }
            for word in 0..4 {
                let new = found[word] & !(now[peg][word] | next[peg][word]);
                next[peg][word] = new;
                count += u64::from(new.count_ones());
            }
        }
    }
    count
}

/// Adds the states of `more` to `unit`.
#[inline(always)]
pub fn add(unit: &mut Word256, more: &Word256) {
    for word in 0..4 {
        unit[word] |= more[word];
    }
}

/// The states that moves of the unit's four discs between the pegs of `pair` reach from `states`, if all
/// smaller discs are on the other two pegs.
#[inline(always)]
pub fn inner_moves(states: &Word256, pair: usize) -> Word256 {
    let (a, b) = PAIRS[pair];
    let mut moved = EMPTY;
    for (disc, &on_a) in MOVABLE[pair].iter().enumerate() {
        let shift = (b - a) << (2 * disc);
        for word in 0..4 {
            moved[word] |= (states[word] & on_a) << shift | states[word] >> shift & on_a;
        }
    }
    let free = TWO_PEGS[5 - pair];
    moved[b as usize] |= states[a as usize] & free;
    moved[a as usize] |= states[b as usize] & free;
    moved
}

/// `TWO_PEGS[pair]`: the bits of a word whose three discs are all on the pegs of `pair`.
pub const TWO_PEGS: [u64; 6] = {
    let mut masks = [0; 6];
    let mut pair = 0;
    while pair < 6 {
        masks[pair] = on_pair(pair, 3);
        pair += 1;
    }
    masks
};

/// `MOVABLE[pair][disc]`: the bits of a word where `disc` is on the pair's first peg and the word's
/// smaller discs are on the pegs of the other pair.
const MOVABLE: [[u64; 3]; 6] = {
    let mut masks = [[0; 3]; 6];
    let mut pair = 0;
    while pair < 6 {
        let mut disc = 0;
        while disc < 3 {
            masks[pair][disc] = on_pair(5 - pair, disc as u32) & on_peg(disc as u32, PAIRS[pair].0);
            disc += 1;
        }
        pair += 1;
    }
    masks
};

/// The bits of a word whose first `discs` discs are on the pegs of `pair`.
const fn on_pair(pair: usize, discs: u32) -> u64 {
    let (c, d) = PAIRS[pair];
    let mut mask = u64::MAX;
    let mut disc = 0;
    while disc < discs {
        mask &= on_peg(disc, c) | on_peg(disc, d);
        disc += 1;
    }
    mask
}

/// The bits of a word where `disc` is on `peg`.
const fn on_peg(disc: u32, peg: u32) -> u64 {
    let mut mask = 0;
    let mut bit = 0;
    while bit < 64 {
        if bit >> (2 * disc) & 3 == peg {
            mask |= 1 << bit;
        }
        bit += 1;
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Puzzle;
    use search_core::Domain;
    use search_core::testing::Random;

    /// The next layer, computed state by state.
    fn slow(shape: &Shape, current: &[Word256], previous: &[Word256], reached: &[Word256]) -> Vec<Word256> {
        let puzzle = Puzzle::new(shape.small(), 4).unwrap();
        let mut next = reached.to_vec();
        shape.for_each(current, |state| {
            for op in puzzle.applicable(&state) {
                let (unit, word, bit) = shape.locate(puzzle.apply(&state, op));
                next[unit][word] |= 1 << bit;
            }
        });
        for (unit, states) in next.iter_mut().enumerate() {
            for word in 0..4 {
                states[word] &= !current[unit][word] & !previous[unit][word];
            }
        }
        next
    }

    #[test]
    fn a_layer_agrees_with_single_moves() {
        let mut numbers = Random::new(1);
        let mut random = || {
            let number = numbers.bits();
            (number >> 32) & (number >> 20) & 0xffff_ffff
        };
        for small in super::super::shape::SMALL {
            let shape = Shape::new(small);
            let mut sparse = || -> Vec<Word256> {
                (0..shape.units()).map(|_| [0; 4].map(|_: u64| random() << 32 & random() << 16)).collect()
            };
            for _ in 0..4 {
                let (current, previous, reached) = (sparse(), sparse(), sparse());
                let expected = slow(&shape, &current, &previous, &reached);
                let (mut next, mut acc) = (previous.clone(), reached.clone());
                let count = expand(&shape, &current, &mut next, &mut acc);
                assert_eq!(next, expected);
                assert_eq!(count, expected.iter().flatten().map(|w| u64::from(w.count_ones())).sum::<u64>());
                assert!(acc.iter().all(|&unit| unit == EMPTY));
                let (mut next, mut acc) = (previous.clone(), reached);
                expand_here(&shape, &current, &mut next, &mut acc);
                assert_eq!(next, expected, "without vectors");
            }
        }
    }
}
