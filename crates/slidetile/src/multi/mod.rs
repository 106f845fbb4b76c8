//! Moves of several tiles as one: sliding a part of a row or column costs one move.
//!
//! | file | contents |
//! | --- | --- |
//! | `lines` | the least number of vertical, or of horizontal, moves |
//! | `pattern` | pattern databases |
//! | `bound` | both as a heuristic |
//! | `spread` | a rank for beams |
//!
//! An operator moves the blank by one or more cells in one direction; operator `d + 4 (k - 1)` moves it by `k` cells in
//! the direction of operator `d` ([`board`](crate::board)). Two moves along the same line in succession are one move or
//! none, so the automaton `alternating` prunes the second one: vertical and horizontal moves alternate in every shortest solution.

mod bound;
mod lines;
mod pattern;
mod spread;

pub use bound::MultiBound;
pub use pattern::{MultiPattern, patterns};
pub(crate) use spread::MultiSpread;

use search_core::{Automaton, Domain, Op, OpSet};

use crate::board::{Board, MAX_SIDE, OPS};
use crate::puzzle::Puzzle;
use crate::tiles::Tiles;

/// The greatest number of rows or columns of boards that are searched in this metric.
pub const MOST_SIDE: usize = 5;
/// The number of operators on the largest board of the metric.
const MOST_OPS: usize = OPS * (MOST_SIDE - 1);
/// The greatest number of cells of a board of the metric.
const MOST_CELLS: usize = MOST_SIDE * MOST_SIDE;

const _: () = assert!(MOST_SIDE <= MAX_SIDE);

/// Whether boards of this size are searched in this metric.
pub fn fits(board: Board) -> bool {
    board.rows().max(board.cols()) <= MOST_SIDE
}

/// A sliding-tile puzzle in which several tiles move as one.
#[derive(Clone, Debug)]
pub struct MultiPuzzle {
    board: Board,
    goal: Tiles,
    /// The cell that the blank moves to, by its cell and operator; meaningless off the board.
    next: [[u8; MOST_OPS]; MOST_CELLS],
    applicable: [OpSet; MOST_CELLS],
}

/// The number of operators on a board.
pub(crate) fn op_count(board: Board) -> usize {
    OPS * (board.rows().max(board.cols()) - 1)
}

impl MultiPuzzle {
    /// The same board and goal as `puzzle`.
    ///
    /// # Panics
    /// If the board is too large ([`fits`]).
    pub fn new(puzzle: &Puzzle) -> MultiPuzzle {
        MultiPuzzle::to(puzzle.board(), *puzzle.goal())
    }

    /// The puzzle with this goal.
    pub(crate) fn to(board: Board, goal: Tiles) -> MultiPuzzle {
        assert!(fits(board), "boards of at most {MOST_SIDE} rows and columns");
        let (next, applicable) = ([[0; MOST_OPS]; MOST_CELLS], [OpSet::EMPTY; MOST_CELLS]);
        let mut multi = MultiPuzzle { board, goal, next, applicable };
        for cell in 0..board.cells() {
            for op in OpSet::first(op_count(board)) {
                if let Some(to) = board.neighbour(cell, op) {
                    multi.next[cell][op.index()] = to as u8;
                    multi.applicable[cell] = multi.applicable[cell].with(op);
                }
            }
        }
        multi
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The goal.
    pub fn goal(&self) -> &Tiles {
        &self.goal
    }

    /// The cells that the blank passes and enters when it moves from `blank` by `op`, in order.
    #[inline(always)]
    pub(crate) fn path(&self, blank: usize, op: Op) -> impl Iterator<Item = usize> {
        let direction = op.index() % OPS;
        (0..=op.index() / OPS).map(move |more| self.next[blank][direction + OPS * more].into())
    }
}

impl Domain for MultiPuzzle {
    type State = Tiles;

    fn op_count(&self) -> usize {
        op_count(self.board)
    }

    #[inline(always)]
    fn applicable(&self, state: &Tiles) -> OpSet {
        self.applicable[state.blank()]
    }

    #[inline(always)]
    fn apply(&self, state: &Tiles, op: Op) -> Tiles {
        self.path(state.blank(), op).fold(*state, |tiles, cell| tiles.slide(cell))
    }

    #[inline(always)]
    fn is_goal(&self, state: &Tiles) -> bool {
        *state == self.goal
    }
}

/// Whether `op` moves the blank along a column.
pub(crate) fn is_vertical(op: Op) -> bool {
    crate::board::direction(op).1 == 0
}

/// The automaton that forbids two successive moves along the same line.
pub(crate) fn alternating(board: Board) -> Automaton {
    // State 0: nothing before; 1: a vertical move before; 2: a horizontal one.
    Automaton::from_rule(op_count(board), 3, |state, op| {
        let next = if is_vertical(op) { 1 } else { 2 };
        (state != next).then_some(next)
    })
}

/// The automaton that allows every string.
pub(crate) fn unrestricted(board: Board) -> Automaton {
    Automaton::unrestricted(op_count(board))
}

#[cfg(test)]
mod tests;
