//! Corner tiles: a tile beside a wrong corner must move, even from its goal.
//!
//! The idea (Korf & Taylor 1996, "Corner-Tiles Heuristic"): let tile `a` be in its goal cell next
//! to a corner that holds a wrong tile. The wrong tile must leave the corner
//! and the right one must enter it. If `a` never moved, both would have to pass through the corner's
//! other neighbour; but only the tile that left through it can come back. So `a`
//! moves away and back: two moves that Manhattan distance does not count.
//!
//! Beyond the paper: when the corner holds the blank, the next move into it comes from one of its two
//! neighbours. Unless the other neighbour holds the right tile just then, `a` must move too.
//!
//! Interactions: the two moves of `a` may be those that a linear conflict in its border line counts
//! already, so the table of that line also has the cost with `a` forced to move. In its other line
//! `a` is outermost and at its goal, so it has no conflict there. The corner that is the blank's
//! goal has no right tile, so it forces no tile. Boards with a side of 2 are left out: there a tile
//! next to a corner is in a corner itself.

use crate::board::Board;
use crate::tiles::Tiles;

/// One neighbour of one corner: the tile that may be forced to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// The corner's cell.
    pub corner: usize,
    /// The neighbour's cell.
    pub beside: usize,
    /// The corner's other neighbour.
    pub across: usize,
}

impl Side {
    /// Whether the tile beside the corner must move although it is in its goal cell.
    pub fn forces(&self, tiles: &Tiles, goal: &Tiles) -> bool {
        let right = goal.tile(self.corner);
        let at_home = tiles.tile(self.beside) == goal.tile(self.beside) && self.beside != goal.blank();
        let wrong = match tiles.tile(self.corner) {
            0 => tiles.tile(self.across) != right,
            tile => tile != right,
        };
        right != 0 && at_home && wrong
    }
}

/// The eight sides in the order of their flags: beside the corners top left, top right, bottom left and
/// bottom right in their rows; then beside those top left, bottom left, top right and bottom right
/// in their columns. Two successive sides share a border line.
pub fn sides(board: Board) -> [Side; 8] {
    let (bottom, right) = (board.rows() - 1, board.cols() - 1);
    let side = |row: usize, col: usize, in_row: bool| {
        // One step inwards, from the first row or column as from the last.
        let (inner_row, inner_col) = (row.abs_diff(1), col.abs_diff(1));
        let (along, down) = (board.cell(row, inner_col), board.cell(inner_row, col));
        let (beside, across) = if in_row { (along, down) } else { (down, along) };
        Side { corner: board.cell(row, col), beside, across }
    };
    [
        side(0, 0, true),
        side(0, right, true),
        side(bottom, 0, true),
        side(bottom, right, true),
        side(0, 0, false),
        side(bottom, 0, false),
        side(0, right, false),
        side(bottom, right, false),
    ]
}

/// Whether the corner heuristic applies to a board.
pub fn applies(board: Board) -> bool {
    board.rows() >= 3 && board.cols() >= 3
}
