//! A rank for beams on boards without pattern databases of this metric: that of single moves
//! ([`Spread`](crate::heuristic::Spread)), with Manhattan distance as the bound.
//!
//! The bound: a move slides fewer tiles than a side has cells, each by one cell, so a distance of `d` takes at least
//! `d / (side - 1)` moves.

use search_core::Op;
use search_core::heuristic::{ChildBound, NodeRef};

use super::MultiPuzzle;
use crate::heuristic::{Placed, Ranked, Spread};
use crate::tiles::Tiles;

/// The heuristic.
pub(crate) struct MultiSpread {
    spread: Spread,
    /// The greatest number of tiles that move at once.
    most: u32,
}

impl MultiSpread {
    pub fn new(puzzle: &MultiPuzzle) -> MultiSpread {
        let board = puzzle.board();
        let most = board.rows().max(board.cols()) as u32 - 1;
        MultiSpread { spread: Spread::to(board, puzzle.goal()), most }
    }
}

impl ChildBound<MultiPuzzle> for MultiSpread {
    type Carry = Placed;
    type Probe = Placed;
    type Memo = Placed;

    fn carry(&self, _: &MultiPuzzle, state: &Tiles) -> Placed {
        self.spread.placed(state)
    }

    fn carry_child(&self, _: NodeRef<'_, MultiPuzzle, Placed>, _: Op, _: &Tiles, placed: &Placed) -> Placed {
        *placed
    }

    fn locate(&self, node: NodeRef<'_, MultiPuzzle, Placed>, op: Op, _: usize) -> Placed {
        let step = |(placed, tiles): (Placed, Tiles), cell: usize| {
            (self.spread.after(placed, &tiles, cell), tiles.slide(cell))
        };
        node.domain.path(node.state.blank(), op).fold((*node.carry, *node.state), step).0
    }

    fn read(&self, placed: Placed, _: usize, memo: &mut Placed) -> u8 {
        *memo = placed;
        placed.distance().div_ceil(self.most).min(255) as u8
    }

    fn value(&self, puzzle: &MultiPuzzle, state: &Tiles) -> u8 {
        self.read(self.carry(puzzle, state), 0, &mut Placed::default())
    }
}

impl Ranked<MultiPuzzle> for MultiSpread {
    fn rank(&self, placed: &Placed, _: u32) -> u32 {
        self.spread.cost(placed)
    }
}
