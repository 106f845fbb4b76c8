//! Symmetries that map goals with the blank in different cells to one goal, so that they share tables.
//!
//! A **frame** is a symmetry that maps the board to one that is no taller than wide, and the goal's blank to the
//! least cell possible. So all goals with the blank in a corner use the tables of the first cell, and the 5x5 board
//! needs tables for six cells instead of 25. If a symmetry fixes the blank's cell, there are two frames,
//! each the reflection of the other.
//!
//! Why costs stay the same: a symmetry maps moves to moves.

use super::zones::cells;
use crate::board::{Board, MAX_CELLS, byte};
use crate::puzzle::Puzzle;

/// The frames of a goal: one or two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frames {
    board: Board,
    blank: u8,
    maps: Vec<[u8; MAX_CELLS]>,
}

impl Frames {
    /// The frames of a puzzle's goal.
    pub fn of(puzzle: &Puzzle) -> Frames {
        let (board, upright) = (puzzle.board(), upright(puzzle.board()));
        let goal = puzzle.goal().blank();
        let (rows, cols) = (board.rows(), board.cols());
        let fits = |turn: &u32| rows == cols || (*turn & 4 == 4) == (rows > cols);
        let all: Vec<_> = (0..8).filter(fits).map(|turn| symmetry(board, upright, turn)).collect();
        let blank = all.iter().map(|map| map[goal]).min().expect("the board is its own image");
        let mut maps = all.into_iter().filter(|map| map[goal] == blank);
        let first = maps.next().expect("the least cell is an image");
        let mut frames = Frames { board: upright, blank, maps: vec![first] };
        frames.maps.extend(maps.find(|second| is_reflection(board, &first, second)));
        frames
    }

    /// The board, turned to be no taller than wide.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The blank's goal cell on that board.
    pub fn blank(&self) -> u8 {
        self.blank
    }

    /// By frame: the tables' cell for each cell of the puzzle.
    pub fn maps(&self) -> &[[u8; MAX_CELLS]] {
        &self.maps
    }

    /// A set of the tables' cells in the other frame; the same set if there is only one frame.
    pub fn reflected(&self, set: u32) -> u32 {
        let [first, second] = [&self.maps[0], &self.maps[self.maps.len() - 1]];
        let cell = |image: usize| (0..self.board.cells()).find(|&cell| usize::from(first[cell]) == image);
        cells(set).fold(0, |set, image| set | 1 << second[cell(image).expect("a symmetry is onto")])
    }
}

/// The board, turned to be no taller than wide.
fn upright(board: Board) -> Board {
    let (rows, cols) = (board.rows().min(board.cols()), board.rows().max(board.cols()));
    Board::new(rows, cols).expect("the sides of a board")
}

/// One of the eight symmetries. The first bit of `turn` exchanges top and bottom, the second left and right, the
/// third rows and columns.
fn symmetry(board: Board, upright: Board, turn: u32) -> [u8; MAX_CELLS] {
    let mut map = [0; MAX_CELLS];
    for (cell, image) in map.iter_mut().enumerate().take(board.cells()) {
        let row = if turn & 1 == 1 { board.rows() - 1 - board.row(cell) } else { board.row(cell) };
        let col = if turn & 2 == 2 { board.cols() - 1 - board.col(cell) } else { board.col(cell) };
        *image = byte(if turn & 4 == 4 { upright.cell(col, row) } else { upright.cell(row, col) });
    }
    map
}

/// Whether the map from one frame to the other is its own inverse.
fn is_reflection(board: Board, first: &[u8; MAX_CELLS], second: &[u8; MAX_CELLS]) -> bool {
    let to = |from: &[u8; MAX_CELLS], to: &[u8; MAX_CELLS], cell: u8| {
        (0..board.cells()).find(|&at| from[at] == cell).map(|at| to[at])
    };
    (0..byte(board.cells())).all(|cell| to(first, second, cell) == to(second, first, cell))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiles::Tiles;
    use std::collections::BTreeSet;

    fn frames(size: &str) -> Vec<Frames> {
        let board: Board = size.parse().unwrap();
        let goal = |blank| {
            let mut tiles: Vec<usize> = (1..board.cells()).collect();
            tiles.insert(blank, 0);
            Frames::of(&Puzzle::new(board, Tiles::new(board, &tiles).unwrap()))
        };
        (0..board.cells()).map(goal).collect()
    }

    #[test]
    fn goals_need_tables_for_few_cells_of_the_blank() {
        for (size, known) in
            [("5x5", &[0, 1, 2, 6, 7, 12][..]), ("4x4", &[0, 1, 5]), ("4x5", &[0, 1, 2, 5, 6, 7])]
        {
            let cells: BTreeSet<u8> = frames(size).iter().map(Frames::blank).collect();
            assert!(cells.iter().eq(known), "{size} {cells:?}");
        }
        assert_eq!(frames("5x4").iter().map(Frames::blank).max(), Some(7));
    }

    #[test]
    fn frames_keep_neighbours_and_reflecting_twice_changes_nothing() {
        for size in ["3x3", "4x4", "5x5", "3x5", "5x3", "2x4"] {
            let board: Board = size.parse().unwrap();
            for (blank, frames) in frames(size).iter().enumerate() {
                for map in frames.maps() {
                    assert_eq!(map[blank], frames.blank());
                    for cell in 0..board.cells() {
                        let images: BTreeSet<_> =
                            board.neighbours(cell).map(|next| usize::from(map[next])).collect();
                        assert!(
                            frames.board().neighbours(map[cell].into()).collect::<BTreeSet<_>>() == images
                        );
                    }
                }
                let set = 0b10_0110_1011 & ((1 << board.cells()) - 1);
                assert_eq!(frames.reflected(frames.reflected(set)), set);
                assert_eq!(frames.reflected(1 << frames.blank()), 1 << frames.blank());
            }
        }
    }
}
