//! The board: its size, its cells, and the moves of the blank.
//!
//! Cells are numbered left to right, top to bottom, from 0. The four operators move the **blank**.

use std::fmt;
use std::str::FromStr;

use search_core::{Op, OpSet};

/// The greatest number of rows or columns.
pub const MAX_SIDE: usize = 10;
/// The greatest number of rows or columns of boards with tables: of lines, of patterns, of strings of moves.
pub const TABLE_SIDE: usize = 6;
/// The greatest number of cells.
pub const MAX_CELLS: usize = MAX_SIDE * MAX_SIDE;
/// The number of operators.
pub const OPS: usize = 4;

// The operators are numbered in the order of the cells that they move the blank to. Where several tiles move as one,
// operator `d + 4 (k - 1)` moves the blank by `k` cells in the direction of operator `d`.

/// The blank moves up (a tile moves down).
pub const UP: Op = Op::new(0);
/// The blank moves left (a tile moves right).
pub const LEFT: Op = Op::new(1);
/// The blank moves right (a tile moves left).
pub const RIGHT: Op = Op::new(2);
/// The blank moves down (a tile moves up).
pub const DOWN: Op = Op::new(3);

/// A tile, a cell, a distance on a board or another small number as a byte.
///
/// # Panics
/// If it exceeds 255.
pub(crate) fn byte(number: usize) -> u8 {
    u8::try_from(number).expect("numbers of a board fit a byte")
}

/// The operator that undoes `op`.
pub(crate) const fn inverse(op: Op) -> Op {
    Op::new(op.index() ^ 3)
}

/// The letter of `op`: the direction of the blank.
pub const fn letter(op: Op) -> char {
    ['U', 'L', 'R', 'D'][op.index() % OPS]
}

/// The change of the blank's row and column under `op`, for each cell that it moves.
pub(crate) const fn direction(op: Op) -> (i8, i8) {
    [(-1, 0), (0, -1), (0, 1), (1, 0)][op.index() % OPS]
}

/// The number of cells that `op` moves the blank.
pub(crate) const fn reach(op: Op) -> usize {
    op.index() / OPS + 1
}

/// The size of a board, from 2x2 to 10x10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    rows: u8,
    cols: u8,
}

impl Board {
    /// A board of `rows` x `cols`, or `None` when a side is not in 2..=10.
    pub const fn new(rows: usize, cols: usize) -> Option<Board> {
        if rows >= 2 && rows <= MAX_SIDE && cols >= 2 && cols <= MAX_SIDE {
            Some(Board { rows: rows as u8, cols: cols as u8 })
        } else {
            None
        }
    }

    /// The square board of `cells` cells, if it exists.
    pub fn square(cells: usize) -> Option<Board> {
        (2..=MAX_SIDE).find(|side| side * side == cells).and_then(|side| Board::new(side, side))
    }

    /// Whether a side is greater than [`TABLE_SIDE`].
    pub const fn is_large(self) -> bool {
        self.rows() > TABLE_SIDE || self.cols() > TABLE_SIDE
    }

    /// The number of rows.
    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    /// The number of columns.
    pub const fn cols(self) -> usize {
        self.cols as usize
    }

    /// The number of cells, the blank's included.
    pub const fn cells(self) -> usize {
        self.rows() * self.cols()
    }

    /// The row of `cell`.
    pub const fn row(self, cell: usize) -> usize {
        cell / self.cols()
    }

    /// The column of `cell`.
    pub const fn col(self, cell: usize) -> usize {
        cell % self.cols()
    }

    /// The cell at a row and a column.
    pub const fn cell(self, row: usize, col: usize) -> usize {
        row * self.cols() + col
    }

    /// The cell that `op` moves the blank to from `cell`, if it is on the board.
    pub fn neighbour(self, cell: usize, op: Op) -> Option<usize> {
        let ((down, right), reach) = (direction(op), reach(op) as isize);
        let (down, right) = (reach * isize::from(down), reach * isize::from(right));
        let row = self.row(cell).checked_add_signed(down).filter(|&row| row < self.rows())?;
        let col = self.col(cell).checked_add_signed(right).filter(|&col| col < self.cols())?;
        Some(self.cell(row, col))
    }

    /// The cells next to `cell`.
    pub fn neighbours(self, cell: usize) -> impl Iterator<Item = usize> {
        OpSet::first(OPS).into_iter().filter_map(move |op| self.neighbour(cell, op))
    }

    /// The number of moves between two cells on an empty board.
    pub const fn distance(self, a: usize, b: usize) -> usize {
        self.row(a).abs_diff(self.row(b)) + self.col(a).abs_diff(self.col(b))
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

/// A size is two numbers from 2 to 10 joined by `x`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("size {0:?} is not ROWSxCOLS with both from 2 to {MAX_SIDE}")]
pub struct InvalidSize(String);

impl FromStr for Board {
    type Err = InvalidSize;
    fn from_str(text: &str) -> Result<Board, InvalidSize> {
        let invalid = || InvalidSize(text.to_owned());
        let (rows, cols) = text.split_once(['x', 'X']).ok_or_else(invalid)?;
        let number = |side: &str| side.parse::<usize>().map_err(|_| invalid());
        Board::new(number(rows)?, number(cols)?).ok_or_else(invalid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_on_the_board_and_moves_can_be_undone() {
        let board: Board = "3x4".parse().expect("a size");
        assert_eq!(board.neighbour(0, LEFT), None);
        assert_eq!(board.neighbour(0, DOWN), Some(4));
        assert_eq!(board.neighbours(5).collect::<Vec<_>>(), [1, 4, 6, 9]);
        assert_eq!(board.neighbours(11).collect::<Vec<_>>(), [7, 10]);
        for wrong in ["1x4", "4", "2x11", "11x10"] {
            assert!(wrong.parse::<Board>().is_err(), "{wrong}");
        }
        assert!(Board::square(49).is_some_and(Board::is_large) && !board.is_large());
        for op in [LEFT, UP, RIGHT, DOWN] {
            let there = board.neighbour(5, op).expect("5 is inside");
            assert_eq!(board.neighbour(there, inverse(op)), Some(5));
        }
    }
}
