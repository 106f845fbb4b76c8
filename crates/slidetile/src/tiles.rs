//! Arrangements of the tiles: their notation, faults of the input, solvability.
//!
//! [`parse`](Tiles::parse) reports every fault of the input at once. Whether an arrangement can
//! reach a goal is a matter of parity, decided in [`solvable`](Tiles::solvable): each move swaps
//! the blank with a tile, which flips the parity of the permutation and the colour of the blank's
//! cell on a chessboard together.

use std::hash::{Hash, Hasher};

use crate::board::{Board, MAX_CELLS, byte};
use crate::fault::{Fault, Faults};
use crate::notation;

/// An arrangement of all tiles and the blank on a board: a permutation, not necessarily solvable.
/// The board's size is not part of it; unused cells hold 0. The last byte is the blank's cell. Searches of boards of at
/// most 6x6 use arrangements of 48 bytes, which are copied in less than half the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(align(16))]
pub struct Tiles<const BYTES: usize = LARGE>([u8; BYTES]);

/// The size of an arrangement: 100 cells, some room, and the blank's cell.
pub(crate) const LARGE: usize = 112;
/// The size of an arrangement on a board of at most 6x6.
pub(crate) const SMALL: usize = 48;

impl<const BYTES: usize> Hash for Tiles<BYTES> {
    /// Boards of at most 6x6 have only zeros beyond their cells, which are not hashed.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut small = [0; SMALL];
        small.copy_from_slice(&self.0[..SMALL]);
        small[SMALL - 1] = self.0[BYTES - 1];
        small.hash(state);
        let rest = &self.0[SMALL - 1..BYTES - 1];
        if rest.iter().fold(0, |all, byte| all | byte) != 0 {
            state.write(rest);
        }
    }
}

impl Tiles {
    /// The arrangement with tile `cells[c]` in cell `c`, where 0 is the blank.
    ///
    /// # Errors
    /// Every fault: wrong count, foreign, duplicate and missing tiles.
    pub fn new(board: Board, cells: &[usize]) -> Result<Tiles, Faults> {
        let mut faults = Vec::new();
        if cells.len() != board.cells() {
            faults.push(Fault::Count { found: cells.len(), board });
        }
        let mut times = [0; MAX_CELLS];
        for &tile in cells {
            match times[..board.cells()].get_mut(tile) {
                Some(count) => *count += 1,
                None => faults.push(Fault::Foreign { tile, board }),
            }
        }
        for (tile, &count) in times[..board.cells()].iter().enumerate() {
            match count {
                0 => faults.push(Fault::Missing(tile)),
                1 => {}
                _ => faults.push(Fault::Duplicate(tile, count)),
            }
        }
        if !faults.is_empty() {
            return Err(Faults(faults));
        }
        Ok(Tiles::from_cells(|cell| cells[cell], board.cells()))
    }

    /// The arrangement with tile `cells[c]` in cell `c`, as [`Tiles::new`], without allocating.
    ///
    /// # Errors
    /// As [`Tiles::new`].
    pub fn from_bytes(board: Board, cells: &[u8]) -> Result<Tiles, Faults> {
        let bit = |tile: u8| 1u128.checked_shl(tile.into()).unwrap_or(0);
        let seen = cells.iter().fold(0, |seen, &tile| seen | bit(tile));
        if cells.len() == board.cells() && seen == (1 << board.cells()) - 1 {
            return Ok(Tiles::from_cells(|cell| cells[cell].into(), cells.len()));
        }
        Tiles::new(board, &cells.iter().map(|&tile| tile.into()).collect::<Vec<_>>())
    }

    /// Writes the tile in each of the first cells, at most 100.
    ///
    /// # Panics
    /// If there are more.
    pub fn write(&self, cells: &mut [u8]) {
        cells.copy_from_slice(&self.0[..MAX_CELLS][..cells.len()]);
    }

    /// The arrangement with tile `tile_at(c)` in each of the first `count` cells, which must be a
    /// permutation.
    fn from_cells(tile_at: impl Fn(usize) -> usize, count: usize) -> Tiles {
        let mut bytes = [0; LARGE];
        for cell in 0..count {
            bytes[cell] = byte(tile_at(cell));
            if bytes[cell] == 0 {
                bytes[LARGE - 1] = byte(cell);
            }
        }
        Tiles(bytes)
    }

    /// Reads a board in any of the forms of [`notation`]; a missing size is that of the square board with as
    /// many cells.
    ///
    /// # Errors
    /// Every fault found.
    pub fn parse(text: &str, board: Option<Board>) -> Result<(Board, Tiles), Faults> {
        let numbers = notation::numbers(text, board)?;
        let Some(board) = board.or_else(|| Board::square(numbers.len())) else {
            return Err(without_board(&numbers));
        };
        Ok((board, Tiles::new(board, &numbers)?))
    }

    /// The blank in the first cell, then the tiles in order: the goal of the papers.
    pub fn blank_first(board: Board) -> Tiles {
        Tiles::from_cells(|cell| cell, board.cells())
    }

    /// The tiles in order, the blank in the last cell.
    pub fn blank_last(board: Board) -> Tiles {
        Tiles::from_cells(|cell| (cell + 1) % board.cells(), board.cells())
    }

    /// The tiles in a clockwise spiral from the first cell inwards, the blank at its end: `1 2 3 8 0 4 7 6 5`.
    pub fn spiral(board: Board) -> Tiles {
        let (rows, cols) = (board.rows(), board.cols());
        let ring = |row: usize, col: usize| row.min(col).min(rows - 1 - row).min(cols - 1 - col);
        // Clockwise around a ring: along the top, down the right, back along the bottom, up the left.
        let place = |cell: usize| {
            let (row, col) = (cell / cols, cell % cols);
            let depth = ring(row, col);
            let (top, left, bottom, right) = (depth, depth, rows - 1 - depth, cols - 1 - depth);
            let side = match (row == top, col == right, row == bottom) {
                (true, ..) => (0, col - left),
                (_, true, _) => (1, row - top),
                (.., true) => (2, right - col),
                _ => (3, bottom - row),
            };
            (depth, side)
        };
        let mut cells: Vec<usize> = (0..board.cells()).collect();
        cells.sort_by_key(|&cell| place(cell));
        let number = |cell| cells.iter().position(|&other| other == cell).expect("every cell is listed");
        Tiles::from_cells(|cell| (number(cell) + 1) % board.cells(), board.cells())
    }
}

impl<const BYTES: usize> Tiles<BYTES> {
    /// Each byte's index.
    const INDICES: [u8; BYTES] = {
        let mut indices = [0; BYTES];
        let mut at = 0;
        while at < BYTES {
            indices[at] = at as u8;
            at += 1;
        }
        indices
    };

    /// The same arrangement in fewer bytes.
    ///
    /// # Panics
    /// If the board is larger than 6x6 and its last cells have tiles.
    pub(crate) fn small(&self) -> Tiles<SMALL> {
        assert!(self.0[SMALL - 1..BYTES - 1].iter().all(|byte| *byte == 0), "a board of at most 6x6");
        let mut bytes = [0; SMALL];
        bytes.copy_from_slice(&self.0[..SMALL]);
        bytes[SMALL - 1] = self.0[BYTES - 1];
        Tiles(bytes)
    }

    /// The blank's cell.
    #[inline(always)]
    pub fn blank(&self) -> usize {
        self.0[BYTES - 1] as usize
    }

    /// The tile in `cell`, 0 for the blank.
    ///
    /// # Panics
    /// If the arrangement has no such cell.
    #[inline(always)]
    pub fn tile(&self, cell: usize) -> usize {
        assert!(cell < BYTES - 1, "a cell of a board");
        self.0[cell] as usize
    }

    /// Exchanges the blank and the tile in `cell`. A legal move if the cells are neighbours.
    #[inline(always)]
    #[must_use]
    pub fn slide(&self, cell: usize) -> Tiles<BYTES> {
        let (blank, tile, from) = (self.0[BYTES - 1], self.0[cell], cell as u8);
        let mut bytes = self.0;
        for (byte, at) in bytes.iter_mut().zip(Self::INDICES) {
            // Selects, not stores, so that the loop becomes a few vector instructions.
            let here = if at == blank { tile } else { *byte };
            let here = if at == from { 0 } else { here };
            *byte = if at == BYTES as u8 - 1 { from } else { here };
        }
        Tiles(bytes)
    }

    /// The cell of each tile of `board`, by tile number.
    pub fn positions(&self, board: Board) -> [usize; MAX_CELLS] {
        let mut positions = [0; MAX_CELLS];
        for cell in 0..board.cells() {
            positions[self.tile(cell)] = cell;
        }
        positions
    }

    /// Whether every solution to `goal` would have an odd number of moves.
    pub(crate) fn odd_length(&self, board: Board, goal: &Tiles<BYTES>) -> bool {
        board.distance(self.blank(), goal.blank()) % 2 == 1
    }

    /// Whether some sequence of moves leads to `goal`.
    pub fn solvable(&self, board: Board, goal: &Tiles<BYTES>) -> bool {
        let odd = self.is_odd(board) ^ goal.is_odd(board);
        odd == self.odd_length(board, goal)
    }

    /// Whether the permutation of tiles and blank is odd.
    pub(crate) fn is_odd(&self, board: Board) -> bool {
        // Each tile makes an inversion with each greater one before it. Only the parity of their number matters, so
        // the sets of those tiles are added bit by bit, and counted once.
        let cells = self.0[..board.cells()].iter();
        let (_, inversions) = cells.fold((0u128, 0u128), |(before, inversions), &tile| {
            (before | 1 << (tile & 127), inversions ^ before >> (tile & 127))
        });
        inversions.count_ones() % 2 == 1
    }

    /// The arrangement with two tiles other than the blank exchanged, which has the other parity.
    #[must_use]
    pub fn other_parity(&self, board: Board) -> Tiles<BYTES> {
        let positions = self.positions(board);
        let mut after = *self;
        after.0.swap(positions[1], positions[2]);
        after
    }

    /// The tiles separated by spaces, left to right, top to bottom.
    pub fn text(&self, board: Board) -> String {
        let words: Vec<String> = (0..board.cells()).map(|cell| self.tile(cell).to_string()).collect();
        words.join(" ")
    }
}

/// The faults of tiles that do not fill a square board; without a size, not all are known.
fn without_board(numbers: &[usize]) -> Faults {
    let mut faults = vec![Fault::NoSquare(numbers.len())];
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    let repeated = sorted.chunk_by(|a, b| a == b).filter(|group| group.len() > 1);
    faults.extend(repeated.map(|group| Fault::Duplicate(group[0], group.len())));
    if !numbers.contains(&0) {
        faults.push(Fault::Missing(0));
    }
    Faults(faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(rows: usize, cols: usize) -> Board {
        Board::new(rows, cols).expect("a board")
    }

    #[test]
    fn every_fault_is_named() {
        let faults = Tiles::parse("1 2 2 9 0 4 5 6", Some(board(3, 3))).expect_err("all wrong");
        let text = faults.to_string();
        for part in ["8 tiles given", "tile 9 does not belong", "tile 2 occurs 2 times", "tile 3 is missing"]
        {
            assert!(text.contains(part), "{text}");
        }
        let faults = Tiles::parse("1 y 2 -3", None).expect_err("not numbers");
        assert_eq!(faults.0.len(), 2);
        assert_eq!(Tiles::parse("1 2 0", None), Err(Fault::NoSquare(3).into()));
        assert_eq!(Tiles::parse("1 2 2", None).expect_err("three faults").0.len(), 3);
    }

    #[test]
    fn a_spiral_ends_with_the_blank() {
        let text = |rows, cols| Tiles::spiral(board(rows, cols)).text(board(rows, cols));
        assert_eq!(text(3, 3), "1 2 3 8 0 4 7 6 5");
        assert_eq!(text(4, 4), "1 2 3 4 12 13 14 5 11 0 15 6 10 9 8 7");
        assert_eq!(text(2, 3), "1 2 3 0 5 4");
        assert_eq!(text(3, 2), "1 2 0 3 5 4");
    }

    #[test]
    fn half_of_all_arrangements_are_solvable() {
        let board = board(2, 2);
        for goal in [Tiles::blank_first(board), Tiles::blank_last(board)] {
            let mut solvable = 0;
            for code in 0..256 {
                let cells = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6 & 3];
                if let Ok(tiles) = Tiles::new(board, &cells) {
                    solvable += usize::from(tiles.solvable(board, &goal));
                    assert_ne!(
                        tiles.solvable(board, &goal),
                        tiles.other_parity(board).solvable(board, &goal)
                    );
                }
            }
            assert_eq!(solvable, 12);
        }
    }

    #[test]
    fn moves_keep_solvability() {
        let board = board(3, 4);
        let goal = Tiles::blank_first(board);
        let mut tiles = goal;
        for step in 0..50 {
            let cell = board.neighbours(tiles.blank()).nth(step % 2).expect("two neighbours at least");
            tiles = tiles.slide(cell);
            assert!(tiles.solvable(board, &goal));
        }
    }
}
