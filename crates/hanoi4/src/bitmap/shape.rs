//! The layout of the states of the small discs in a bitmap.
//!
//! The idea: the states of the `k` smallest discs, for one configuration of the large discs (a
//! **block**), are a bitmap of 4ᵏ bits. It is divided into [`Word256`]s of 256 bits. The `k − 4` smallest
//! discs select the unit, the other four the bit within it. So a move of one of the smallest discs,
//! as most moves are, maps whole units to whole units: one `or` for 256 states, without shifts or
//! masks. The other four small discs move within a unit, which takes masks and shifts, but only in
//! the few units where all smaller discs are on two pegs.
//!
//! Bit `64 p₃ + 16 p₂ + 4 p₁ + p₀` of a unit: disc `k − 4 + i` is on peg `pᵢ`. In the number of a unit,
//! disc `j` is the base-four digit `j`. A disc moves between two pegs only while all smaller discs
//! are on the other two; in [`PAIRS`], pair `5 − i` consists of the pegs that are not in pair `i`.

use crate::model::{State, to_u32, to_u64};

/// A bitmap of the 256 states of four consecutive discs.
pub type Word256 = [u64; 4];

/// The empty unit.
pub const EMPTY: Word256 = [0; 4];

/// The pairs of pegs. The pegs that are not in pair `i` are pair `5 − i`.
pub const PAIRS: [(u32, u32); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

/// The number of the pair of two different pegs.
#[inline(always)]
pub fn pair_of(a: u32, b: u32) -> usize {
    const NUMBER: [[u8; 4]; 4] = [[0, 0, 1, 2], [0, 0, 3, 4], [1, 3, 0, 5], [2, 4, 5, 0]];
    usize::from(NUMBER[a as usize][b as usize])
}

/// The number of discs within a unit.
pub const INNER: u32 = 4;

/// The possible numbers of small discs.
pub const SMALL: std::ops::RangeInclusive<u32> = 5..=8;

/// The layout of a block's bitmap, and the units that moves connect.
#[derive(Clone, Debug)]
pub struct Shape {
    small: u32,
    /// `moves[starts[u]..starts[u + 1]]`: the units that moves of discs other than disc 0 connect with
    /// unit `u`.
    starts: Vec<u32>,
    moves: Vec<u16>,
    /// For each pair of pegs, the units whose discs are all on it; bit `j` of an index says whether disc
    /// `j` is on the second peg.
    units_on: [Vec<u16>; 6],
}

impl Shape {
    /// The layout for `small` small discs.
    ///
    /// # Panics
    /// If `small` is not in [`SMALL`].
    pub fn new(small: u32) -> Shape {
        assert!(SMALL.contains(&small), "a block holds {SMALL:?} small discs");
        let digits = small - INNER;
        let (mut starts, mut moves) = (vec![0], Vec::new());
        for unit in 0..1u32 << (2 * digits) {
            moves.extend(unit_moves(unit, digits));
            starts.push(to_u32(moves.len()));
        }
        let units_on = PAIRS.map(|(c, d)| {
            let unit = |on_d| State::on_pair((c, d), on_d, digits).code();
            (0..1 << digits).map(|on_d| u16::try_from(unit(on_d)).expect("at most 256 units")).collect()
        });
        Shape { small, starts, moves, units_on }
    }

    /// The number of small discs.
    pub fn small(&self) -> u32 {
        self.small
    }

    /// The number of units of a block.
    pub fn units(&self) -> usize {
        self.starts.len() - 1
    }

    /// The units that moves of the discs `1..k − 4` connect with `unit`.
    #[inline(always)]
    pub fn moves(&self, unit: usize) -> &[u16] {
        &self.moves[self.starts[unit] as usize..self.starts[unit + 1] as usize]
    }

    /// The units whose discs are all on the two pegs of `pair`; the unit at index `t` has disc `j` on the
    /// second peg if bit `j` of `t` is set.
    #[inline(always)]
    pub fn units_on(&self, pair: usize) -> &[u16] {
        &self.units_on[pair]
    }

    /// The location of a state of the small discs: unit, word, bit.
    pub fn locate(&self, state: State) -> (usize, usize, u32) {
        let inner = state.above(self.small - INNER);
        (state.index() & (self.units() - 1), inner.above(3).index(), (inner.code() & 63) as u32)
    }

    /// The state of the small discs at a location, as [`locate`](Shape::locate) returns it.
    pub fn state(&self, unit: usize, word: usize, bit: u32) -> State {
        let inner = State::from_code(to_u64(word) << 6 | u64::from(bit));
        inner.with_smaller(State::from_code(to_u64(unit)), self.small - INNER)
    }

    /// Calls `visit` with the state of the small discs of every set bit.
    pub fn for_each(&self, bits: &[Word256], mut visit: impl FnMut(State)) {
        for (unit, words) in bits.iter().enumerate() {
            for (word, &value) in words.iter().enumerate() {
                let mut rest = value;
                while rest != 0 {
                    visit(self.state(unit, word, rest.trailing_zeros()));
                    rest &= rest - 1;
                }
            }
        }
    }
}

/// The units that a move of one of the discs `1..digits` reaches from `unit`.
fn unit_moves(unit: u32, digits: u32) -> Vec<u16> {
    let peg = |disc: u32| unit >> (2 * disc) & 3;
    let mut found = Vec::new();
    for disc in 1..digits {
        let covered = (0..disc).fold(0u32, |set, smaller| set | 1 << peg(smaller));
        if covered >> peg(disc) & 1 == 1 {
            continue;
        }
        for to in (0..4).filter(|&to| to != peg(disc) && covered >> to & 1 == 0) {
            found.push((unit & !(3 << (2 * disc)) | to << (2 * disc)) as u16);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_codes_are_inverse() {
        for small in SMALL {
            let shape = Shape::new(small);
            for state in (0..1u64 << (2 * small)).step_by(7).map(State::from_code) {
                let (unit, word, bit) = shape.locate(state);
                assert_eq!(shape.state(unit, word, bit), state);
            }
        }
    }

    #[test]
    fn pairs_have_numbers_and_complements() {
        for (number, &(a, b)) in PAIRS.iter().enumerate() {
            let (c, d) = PAIRS[5 - number];
            assert_eq!((pair_of(a, b), pair_of(b, a)), (number, number));
            assert_eq!(1 << a | 1 << b | 1 << c | 1 << d, 15);
        }
    }
}
