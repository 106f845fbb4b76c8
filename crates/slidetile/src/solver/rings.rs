//! Solutions of boards larger than 6x6: line by line from outside to inside, then the middle at once.
//!
//! The idea: a beam over a board of 6x6 finds its way home; on larger boards it gets lost, since the last wrong tiles
//! are far apart. So the row or column that is farthest from the blank's goal is finished first, and not touched again,
//! until the rest has at most six rows and columns. The rank of a [stage](super::stage) counts all tiles, so among the
//! ways to finish a line it finds those that bring the other tiles near their goals.
//!
//! A beam may fail: all of its states may be lost, or it may run out of moves. Then the line is finished by exact searches for
//! its tiles, which cannot fail, and so is the middle ([`place`](super::place)). So every board that can reach its goal
//! gets a solution, unless the work is cancelled.
//!
//! Invariant: after each stage the unfinished area is a rectangle that contains the blank's goal, and its tiles are those
//! with their goals in it.

use search_core::{Domain, Op, Run};

use super::place;
use super::stage::{Area, Stage};
use crate::board::TABLE_SIDE;
use crate::puzzle::Puzzle;
use crate::tiles::Tiles;

/// A stage may take this many moves for each move of the Manhattan distance of its tiles, and some more.
const MOVES_PER_DISTANCE: u32 = 4;
const MORE_MOVES: u32 = 100;

/// Solves a board in stages with beams of this width; `None` if the work is cancelled.
pub(super) fn solve(puzzle: &Puzzle, tiles: &Tiles, width: usize, run: &Run<'_>) -> Option<Vec<Op>> {
    let mut area = Area::of(puzzle.board());
    let (mut tiles, mut ops) = (*tiles, Vec::new());
    loop {
        run.check().ok()?;
        let line = area.next_line(puzzle, TABLE_SIDE);
        let stage = Stage::new(puzzle, area, line.unwrap_or(area));
        let below = MOVES_PER_DISTANCE * stage.distance(&tiles) + MORE_MOVES;
        let found = stage.beam(&tiles, width, below, run);
        if let Some(found) = &found {
            tiles = found.iter().fold(tiles, |tiles, &op| puzzle.apply(&tiles, op));
            ops.extend(found);
        }
        run.check().ok()?;
        match line {
            Some(line) => {
                if found.is_none() {
                    tiles = place::place_line(puzzle, tiles, area, line, &mut ops);
                }
                area = area.without(line);
            }
            None => {
                if found.is_none() {
                    ops.extend(place::solve(puzzle, &tiles, area));
                }
                return Some(ops);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::random::Instances;

    /// Beams of one state fail, so exact searches finish their lines.
    #[test]
    fn boards_of_all_sizes_are_solved_by_wide_and_narrow_beams() {
        for size in ["2x2", "2x10", "10x3", "5x7", "7x7", "10x10"] {
            let board: Board = size.parse().expect("a size");
            for goal in [Tiles::blank_first(board), Tiles::spiral(board)] {
                let puzzle = Puzzle::new(board, goal);
                for (width, tiles) in [1, 60].into_iter().zip(Instances::new(board, goal, 7)) {
                    let run = Run::new().with_threads(1);
                    let ops = solve(&puzzle, &tiles, width, &run).expect("it is not cancelled");
                    let end = ops.iter().fold(tiles, |tiles, &op| {
                        assert!(puzzle.applicable(&tiles).contains(op));
                        puzzle.apply(&tiles, op)
                    });
                    assert!(puzzle.is_goal(&end), "{size} {width}");
                }
            }
        }
    }
}
