//! Seeded uniformly random solvable instances.
//!
//! A uniformly random permutation is solvable with probability one half. Exchanging two tiles maps
//! unsolvable permutations one to one to solvable ones, so correcting an unsolvable one this way
//! keeps the distribution uniform.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

use crate::board::Board;
use crate::tiles::Tiles;

/// An endless source of instances; equal seeds give equal sequences on every machine.
#[derive(Debug)]
pub struct Instances {
    rng: ChaCha8Rng,
    board: Board,
    goal: Tiles,
}

impl Instances {
    /// Instances that can reach `goal`.
    pub fn new(board: Board, goal: Tiles, seed: u64) -> Instances {
        Instances { rng: ChaCha8Rng::seed_from_u64(seed), board, goal }
    }

    /// A uniform number below `bound`, by rejection.
    fn below(&mut self, bound: u32) -> usize {
        let limit = u32::MAX - u32::MAX % bound;
        loop {
            let draw = self.rng.next_u32();
            if draw < limit {
                return (draw % bound) as usize;
            }
        }
    }
}

impl Iterator for Instances {
    type Item = Tiles;

    fn next(&mut self) -> Option<Tiles> {
        let mut cells: Vec<usize> = (0..self.board.cells()).collect();
        for at in (1..cells.len()).rev() {
            cells.swap(at, self.below(at as u32 + 1));
        }
        let tiles = Tiles::new(self.board, &cells).expect("a shuffle is a permutation");
        Some(if tiles.solvable(self.board, &self.goal) { tiles } else { tiles.other_parity(self.board) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_repeat_with_the_seed_and_are_solvable() {
        let board = Board::new(5, 5).expect("a board");
        let goal = Tiles::blank_last(board);
        let draw = |seed| Instances::new(board, goal, seed).take(20).collect::<Vec<_>>();
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        assert!(draw(7).iter().all(|tiles| tiles.solvable(board, &goal)));
    }
}
