//! Presumed-optimal solutions (Frame–Stewart).
//!
//! The idea (Frame 1941, Stewart 1941; Korf & Felner 2006, "Four-peg Towers of Hanoi Problem"): to
//! move `n` discs using `p` pegs, move the `k` smallest to an auxiliary peg using all pegs, the others
//! using the remaining `p − 1`, and the `k` smallest on top, with the best `k`. With three pegs,
//! `k = n − 1` is the only choice. The lengths are proved optimal in general for three pegs only; for
//! four pegs, [`verify`](crate::verify) proves them size by size.
//!
//! Cost: O(n² p) additions for the lengths; a solution takes time proportional to its length.

use crate::model::{Move, to_u32};

/// The presumed-optimal lengths and the splits that yield them, for every number of discs up to a
/// maximum, and every number of pegs from 3 up to a maximum.
#[derive(Clone, Debug)]
pub struct Presumed {
    /// `rows[p - 3][n]`: the length with `p` pegs, and the number of smallest discs that are set aside.
    rows: Vec<Vec<(u128, u32)>>,
}

/// The presumed-optimal length for up to [`MAX_DISCS`](crate::model::MAX_DISCS) + 1 discs on four pegs.
pub fn four_peg_length(discs: u32) -> u32 {
    u32::try_from(Presumed::new(discs, 4).length(discs)).expect("at most 32 discs")
}

impl Presumed {
    /// The table for up to `discs` discs on up to `pegs` pegs.
    ///
    /// # Panics
    /// If there are fewer than 3 pegs. Lengths of 2¹²⁸ and more are given as `u128::MAX`.
    pub fn new(discs: u32, pegs: u32) -> Presumed {
        assert!(pegs >= 3, "the puzzle has at least 3 pegs");
        let three = |n: u32| 1u128.checked_shl(n).map_or(u128::MAX, |power| power - 1);
        let mut rows = vec![(0..=discs).map(|n| (three(n), n.saturating_sub(1))).collect::<Vec<_>>()];
        for _ in 3..pegs {
            let fewer = rows.last().expect("there is a row").clone();
            let mut row: Vec<(u128, u32)> = vec![(0, 0)];
            for n in 1..=discs {
                let length =
                    |k: u32| row[k as usize].0.saturating_mul(2).saturating_add(fewer[(n - k) as usize].0);
                let best = (0..n).map(|k| (length(k), k)).min().expect("n is at least 1");
                row.push(best);
            }
            rows.push(row);
        }
        Presumed { rows }
    }

    /// The presumed-optimal length for `discs` discs on the table's greatest number of pegs.
    pub fn length(&self, discs: u32) -> u128 {
        self.rows[self.rows.len() - 1][discs as usize].0
    }

    /// The moves of a presumed-optimal solution that moves `discs` discs from peg `from` to peg `to`.
    pub fn moves(&self, discs: u32, from: u32, to: u32) -> Vec<Move> {
        let pegs: Vec<u32> = (0..to_u32(self.rows.len()) + 2).collect();
        let mut moves = Vec::new();
        self.move_tower((0, discs), (from, to), &pegs, &mut moves);
        moves
    }

    /// Appends the moves of a tower, given by its smallest disc and its number of discs, that use only
    /// `pegs`.
    fn move_tower(
        &self,
        (first, discs): (u32, u32),
        (from, to): (u32, u32),
        pegs: &[u32],
        moves: &mut Vec<Move>,
    ) {
        match discs {
            0 => return,
            1 => return moves.push(Move { disc: first, from, to }),
            _ => {}
        }
        let aside = self.rows[pegs.len() - 3][discs as usize].1;
        let spare = *pegs.iter().find(|&&peg| peg != from && peg != to).expect("three pegs or more");
        let others: Vec<u32> = pegs.iter().copied().filter(|&peg| peg != spare).collect();
        self.move_tower((first, aside), (from, spare), pegs, moves);
        self.move_tower((first + aside, discs - aside), (from, to), &others, moves);
        self.move_tower((first, aside), (spare, to), pegs, moves);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::State;

    #[test]
    fn lengths_agree_with_known_ones() {
        let four = Presumed::new(64, 4);
        for (discs, length) in [(1, 1), (3, 5), (10, 49), (15, 129), (20, 289), (30, 1025), (64, 18433)] {
            assert_eq!(four.length(discs), length, "{discs} discs");
        }
        assert_eq!(Presumed::new(20, 3).length(20), (1 << 20) - 1);
        assert_eq!(Presumed::new(10, 5).length(10), 31);
    }

    #[test]
    fn solutions_are_legal_and_have_the_presumed_length() {
        for pegs in 3..=4 {
            let table = Presumed::new(12, pegs);
            for discs in 1..=12 {
                let mut state = State::all_on(0, discs);
                let moves = table.moves(discs, 0, pegs - 1);
                for step in &moves {
                    let tops = state.tops(discs);
                    assert_eq!(tops[step.from as usize], step.disc);
                    assert!(tops[step.to as usize] > step.disc);
                    state = state.with(step.disc, step.to);
                }
                assert_eq!(state, State::all_on(pegs - 1, discs));
                assert_eq!(moves.len() as u128, table.length(discs));
            }
        }
    }

    #[test]
    fn very_tall_towers_are_solved_too() {
        let table = Presumed::new(40, 4);
        assert_eq!(table.moves(40, 2, 1).len() as u128, table.length(40));
    }
}
