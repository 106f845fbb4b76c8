//! The last two moves: the cells of certain tiles just before the goal.
//!
//! The idea (Korf & Taylor 1996, "Last Moves Heuristic"): the last move brings the blank to its
//! goal cell `g` from a neighbour `n`, so the tile of `n` is in `g` just before. The move before
//! that brings the blank to `n` from one of `n`'s other neighbours, `m`, so the tile of `m` is
//! in `n` just before that (coming from `g` instead would only undo the last move). A tile that
//! must pass through a cell beyond its goal's row or column makes two moves that Manhattan distance
//! does not count, unless it is already beyond it.
//!
//! A [`Visit`] is one such demand: it concerns one axis of one tile. An ending is one first visit
//! with one second visit; the state needs the cheapest ending.
//!
//! Interactions: if the tile is in its goal line now, leaving the line may already be counted
//! as a linear conflict; it is free exactly if this tile leaves in some cheapest resolution
//! ([`Entry::leavers`](super::lines::Entry::leavers)). The two visits of one ending always concern
//! different lines, so each is priced by itself. The visit of a tile that the corner heuristic forces to move
//! is free, as its two moves may be the same.

use crate::board::Board;
use crate::tiles::Tiles;

/// A demand: the tile must be in a certain neighbour of its goal cell at some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The tile.
    pub tile: usize,
    /// The tile's goal cell.
    pub home: usize,
    /// The cell that it must visit.
    pub cell: usize,
}

/// The cost of a visit beyond Manhattan distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Price {
    /// Nothing: the cell lies on the way.
    Free,
    /// Two moves, unless the tile may leave its goal line for a linear conflict anyway.
    OutOfLine,
    /// Two moves.
    Two,
}

impl Visit {
    /// The cost of the visit for a tile in `at`.
    pub fn price(&self, board: Board, at: usize) -> Price {
        let along = |cell: usize| if self.is_horizontal(board) { board.col(cell) } else { board.row(cell) };
        let (at, home, cell) = (along(at) as i32, along(self.home) as i32, along(self.cell) as i32);
        match (at - home) * (cell - home) {
            0 => Price::OutOfLine,
            beyond if beyond > 0 => Price::Free,
            _ => Price::Two,
        }
    }

    /// Whether the tile must leave its goal column (not its goal row).
    pub fn is_horizontal(&self, board: Board) -> bool {
        board.row(self.home) == board.row(self.cell)
    }
}

/// The possible last `moves` (1 or 2) moves, each as the visits that it demands.
pub fn endings(board: Board, goal: &Tiles, moves: usize) -> Vec<Vec<Visit>> {
    let visit = |home: usize, cell: usize| Visit { tile: goal.tile(home), home, cell };
    let blank = goal.blank();
    let mut endings = Vec::new();
    for last in board.neighbours(blank) {
        if moves == 1 {
            endings.push(vec![visit(last, blank)]);
            continue;
        }
        for before in board.neighbours(last).filter(|&cell| cell != blank) {
            endings.push(vec![visit(last, blank), visit(before, last)]);
        }
    }
    endings
}

/// The visits of all endings, each once.
///
/// # Panics
/// If there are more than 16, which no board has.
pub fn distinct(endings: &[Vec<Visit>]) -> Vec<Visit> {
    let mut visits: Vec<Visit> = Vec::new();
    for visit in endings.iter().flatten() {
        if !visits.contains(visit) {
            visits.push(*visit);
        }
    }
    assert!(visits.len() <= 16, "a cell has at most 16 visits around it");
    visits
}
