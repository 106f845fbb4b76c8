//! Solutions of boards without pattern databases: one by a beam, then shortened by windows.
//!
//! The idea: a solution by a beam loses a move or two in many places, and each loss can be removed near its place. A window
//! moves along the solution; a beam looks for a shorter way from its first state to its last one. When no window of a
//! length helps, the windows get longer. Ranks are computed for the goal of a window as for
//! the goal of a puzzle.
//!
//! Invariant: the moves always solve the board, and never become more.
//!
//! Cost: a beam for each window; their nodes together are limited.

use std::hash::Hash;

use search_core::beam::{self, Beam};
use search_core::{Domain, Heuristic, Op, Run};

use crate::heuristic::{Ranked, Spread};
use crate::multi::{MultiPuzzle, MultiSpread};
use crate::puzzle::Puzzle;
use crate::tiles::Tiles;

/// The factor, in thirds, by which windows get longer.
const LONGER: usize = 4;
/// The width of a window's beam for each of its moves.
const WIDTH_PER_MOVE: usize = 12;

/// A domain with a rank for beams to any goal.
pub(super) trait Windowed: Domain<State: Hash> {
    /// The heuristic that ranks boards.
    type Rank: Ranked<Self>
    where
        Self: Sized;
    /// The length of the first windows.
    const FIRST: usize;

    /// The domain with another goal, and its ranks.
    fn towards(&self, goal: &Self::State) -> (Self, Self::Rank)
    where
        Self: Sized;

    /// Searches with a beam for a path between two boards.
    fn beam(&self, from: &Self::State, to: &Self::State, beam: &Beam, run: &Run<'_>) -> Option<Vec<Op>>
    where
        Self: Sized,
    {
        let (domain, ranks) = self.towards(to);
        let rank = |carry: &<Self::Rank as Heuristic<Self>>::Carry, value| ranks.rank(carry, value);
        beam::search_by(&domain, &ranks, &rank, from, beam, run).ok().flatten()
    }
}

impl<const BYTES: usize> Windowed for Puzzle<BYTES> {
    type Rank = Spread;
    const FIRST: usize = 60;

    fn towards(&self, goal: &Tiles<BYTES>) -> (Puzzle<BYTES>, Spread) {
        (Puzzle::new(self.board(), *goal), Spread::to(self.board(), goal))
    }
}

impl Windowed for MultiPuzzle {
    type Rank = MultiSpread;
    const FIRST: usize = 24;

    fn towards(&self, goal: &Tiles) -> (MultiPuzzle, MultiSpread) {
        let domain = MultiPuzzle::to(self.board(), *goal);
        let ranks = MultiSpread::new(&domain);
        (domain, ranks)
    }
}

/// Shortens a solution of `start`, in beams of about `nodes` nodes together.
pub(super) fn shorten<D: Windowed>(
    domain: &D,
    start: &D::State,
    ops: &mut Vec<Op>,
    nodes: u64,
    run: &Run<'_>,
) {
    let (mut spent, mut window, mut at, mut is_improved) = (0, D::FIRST, 0, false);
    while spent < nodes && !run.is_cancelled() {
        let end = (at + window).min(ops.len());
        let step = |state: D::State, op: &Op| domain.apply(&state, *op);
        let from = ops[..at].iter().fold(start.clone(), step);
        let to = ops[at..end].iter().fold(from.clone(), step);
        let width = WIDTH_PER_MOVE * (end - at).max(1);
        // Two of the children of a state are new at most.
        spent += (2 * width * (end - at)) as u64;
        let beam = Beam { width, below: (end - at) as u32 };
        if let Some(better) = domain.beam(&from, &to, &beam, run) {
            ops.splice(at..end, better);
            is_improved = true;
            at = at.saturating_sub(window / 2);
        } else if end < ops.len() {
            at += window / 3;
        } else if window >= ops.len() {
            break;
        } else {
            if !is_improved {
                window = window * LONGER / 3;
            }
            (at, is_improved) = (0, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::random::Instances;

    #[test]
    fn shortened_solutions_are_solutions_and_not_longer() {
        let board = Board::new(6, 6).expect("a board");
        let (puzzle, run) = (Puzzle::blank_first(board), Run::new().with_threads(1));
        let (mut before, mut after) = (0, 0);
        for tiles in Instances::new(board, *puzzle.goal(), 2).take(2) {
            let beam = Beam { width: 300, below: 2000 };
            let mut ops = puzzle.beam(&tiles, puzzle.goal(), &beam, &run).expect("a solution");
            before += ops.len();
            shorten(&puzzle, &tiles, &mut ops, 1_000_000, &run);
            after += ops.len();
            let end = ops.iter().fold(tiles, |tiles, &op| puzzle.apply(&tiles, op));
            assert!(puzzle.is_goal(&end));
        }
        assert!(after < before, "{after} of {before}");
        let mut none = Vec::new();
        shorten(&puzzle, puzzle.goal(), &mut none, 1000, &run);
        assert!(none.is_empty());
    }
}
