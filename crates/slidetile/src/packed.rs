//! The puzzle as a domain of the library's frontier search, for boards of at most 16 cells: their arrangements
//! have numbers of 45 bits.

use search_core::Op;
use search_core::frontier::PackedDomain;
use search_core::pdb::rank::permutation;

use crate::board::{Board, inverse};
use crate::puzzle::Puzzle;
use crate::tiles::Tiles;

/// The greatest number of cells whose arrangements, with a bit for each operator, fit 64 bits.
const MOST_CELLS: usize = 16;

/// Whether the arrangements of `board` can be packed.
pub fn fits(board: Board) -> bool {
    board.cells() <= MOST_CELLS
}

impl PackedDomain for Puzzle {
    fn key_bits(&self) -> u32 {
        let cells = self.board().cells();
        u64::BITS - (permutation::count(cells, cells) - 1).leading_zeros()
    }

    fn pack(&self, state: &Tiles) -> u64 {
        let mut cells = [0; MOST_CELLS];
        let count = self.board().cells();
        state.write(&mut cells[..count]);
        permutation::rank(&cells[..count], count)
    }

    fn unpack(&self, key: u64) -> Tiles {
        let mut cells = [0; MOST_CELLS];
        let count = self.board().cells();
        permutation::unrank(key, count, &mut cells[..count]);
        Tiles::from_bytes(self.board(), &cells[..count]).expect("a permutation")
    }

    fn inverse(&self, op: Op) -> Op {
        inverse(op)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Instances;
    use search_core::Run;
    use search_core::frontier::{FrontierSearch, Options};

    #[test]
    fn unpacking_undoes_packing() {
        for size in ["2x2", "3x4", "4x4", "2x6"] {
            let board: Board = size.parse().expect("a size");
            let puzzle = Puzzle::blank_first(board);
            for tiles in Instances::new(board, *puzzle.goal(), 5).take(200) {
                let key = puzzle.pack(&tiles);
                assert!(key >> puzzle.key_bits() == 0);
                assert_eq!(puzzle.unpack(key), tiles);
            }
        }
    }

    /// The eight-puzzle from a corner: 181,440 arrangements, at most 31 moves away (Schofield 1967).
    #[test]
    fn layers_of_the_eight_puzzle_have_the_known_sizes() {
        let puzzle = Puzzle::blank_first(Board::new(3, 3).expect("a board"));
        let (mut search, run) = (
            FrontierSearch::new(&puzzle, Options::in_memory(4), [*puzzle.goal()]).expect("it fits"),
            Run::new(),
        );
        while search.step(&run).expect("it fits").states > 0 {}
        let counts: Vec<u64> = search.layers().iter().map(|layer| layer.states).filter(|&n| n > 0).collect();
        assert_eq!(counts.iter().sum::<u64>(), 181_440);
        assert_eq!((counts[1], counts[5], counts.len(), counts[31]), (2, 20, 32, 2));
    }
}
