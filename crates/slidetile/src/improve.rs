//! Shorter solutions from long ones: by optimal windows, and by solving anew.
//!
//! Windows are solved by bidirectional search with the Manhattan distance between two boards. It knows the parity of all
//! paths, so a window is compared with lengths that are two, four, ... moves less.

use search_core::ida::UpperBounds;
use search_core::improve::{Bidirectional, Improve, Improved};
use search_core::{Op, Run};

use crate::ask::Ask;
use crate::board::Board;
use crate::fault::Faults;
use crate::puzzle::Puzzle;
use crate::solver::Solver;
use crate::tiles::Tiles;

/// The number of moves in a window where the user names none.
pub const WINDOW: usize = 30;

/// A shortened solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shorter {
    /// The moves.
    pub ops: Vec<Op>,
    /// A proved lower bound on the length of every solution.
    pub lower_bound: u32,
    /// Whether no window of the moves can be shortened.
    pub is_complete: bool,
}

/// The sum of the distances of all tiles between two boards.
fn manhattan(board: Board, from: &Tiles, to: &Tiles) -> u32 {
    let places = to.positions(board);
    let distance = |cell: usize| match from.tile(cell) {
        0 => 0,
        tile => board.distance(cell, places[tile]) as u32,
    };
    (0..board.cells()).map(distance).sum()
}

/// Shortens `ops`, which solve `tiles`. With a solver of the same puzzle, other solutions are looked for too.
///
/// # Errors
/// The faults of the board.
pub fn shorter(
    puzzle: &Puzzle,
    tiles: &Tiles,
    ops: &[Op],
    settings: &Improve,
    anew: Option<&Solver>,
    run: &Run<'_>,
) -> Result<Shorter, Faults> {
    let board = puzzle.board();
    let distance = |from: &Tiles, to: &Tiles| manhattan(board, from, to);
    let windows = Bidirectional::new(puzzle, distance).modulus(2);
    let Improved { mut moves, mut cost, mut is_complete, is_cheapest, .. } =
        settings.path(&windows, tiles, ops, run);
    let mut lower_bound = if is_cheapest { cost } else { distance(tiles, puzzle.goal()) };
    if let Some(solver) = anew.filter(|_| !is_cheapest && !run.is_cancelled()) {
        let upper_bounds = UpperBounds::default().within(u32::MAX);
        let answer = solver.solve(&Ask::new(*tiles).upper_bounds(upper_bounds), run)?;
        lower_bound = lower_bound.max(answer.lower_bound().unwrap_or(0));
        if let Some(best) = answer.best() {
            let other = settings.path(&windows, tiles, best, run);
            if other.cost < cost {
                (moves, cost, is_complete) = (other.moves, other.cost, other.is_complete);
            }
        }
    }
    Ok(Shorter { ops: moves, lower_bound: lower_bound.min(cost), is_complete })
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::Domain;
    use search_core::testing::Random;

    #[test]
    fn walks_become_locally_optimal_and_short_ones_optimal() {
        let board = Board::new(3, 3).expect("a board");
        let puzzle = Puzzle::blank_first(board);
        let exact = puzzle.distances();
        let mut random = Random::new(4);
        for length in [10, 60] {
            for _ in 0..10 {
                let (mut tiles, mut back) = (*puzzle.goal(), Vec::new());
                for _ in 0..length {
                    let ops: Vec<Op> = puzzle.applicable(&tiles).into_iter().collect();
                    let op = ops[random.below(ops.len())];
                    tiles = puzzle.apply(&tiles, op);
                    back.insert(0, crate::board::inverse(op));
                }
                let found = shorter(&puzzle, &tiles, &back, &Improve::windows(12), None, &Run::new())
                    .expect("a board");
                let end = found.ops.iter().fold(tiles, |at, op| puzzle.apply(&at, *op));
                assert!(found.is_complete && end == *puzzle.goal());
                let (least, upper) = (u32::from(exact[&tiles]), found.ops.len() as u32);
                assert!(found.lower_bound <= least && least <= upper && upper <= length);
                assert!(least == upper || upper > 12);
            }
        }
    }
}
