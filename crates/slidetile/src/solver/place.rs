//! Solutions of any board by exact searches for one or two tiles at a time: not short, but found always.
//!
//! The idea: the board is finished line by line, from outside to inside. A line is the row or column at an end of the
//! unfinished rectangle that is farther from the blank's goal, so it does not contain that goal. Its tiles are placed one
//! after another, the last two together; then the line stays as it is. When at most three rows and columns are left,
//! they are solved at once.
//!
//! Each step is a breadth-first search over the cells of the blank and the wanted tiles; the others are alike, and
//! finished cells are walls. So its moves are the fewest for its tiles.
//!
//! Why no search fails. Let a line of `n` cells be peeled from a rectangle with at least four lines in that direction,
//! of which `k` cells are finished, `k < n - 1`. The free cells are a rectangle of at least three lines and the rest of
//! the line, at least two cells of it, each beside a cell of the rectangle. This graph has no cut vertex and is no
//! cycle, so by Wilson 1974 ("Graph puzzles, homotopy, and the alternating group") every even permutation of the tiles
//! can be reached for each cell of the blank. At least two free tiles are not wanted (there are at least eight free
//! cells), and exchanging them changes the parity: so every placement of the wanted ones can be reached. The last
//! rectangle holds its own tiles and the blank's goal; it is solvable because the whole board is: all moves so far keep
//! the parity of the whole, and the finished tiles are at home.
//!
//! Why it ends: each search visits each of its states once, and each line makes the rectangle smaller.
//!
//! Cost: for one tile at most `c^2` states on a board of `c` cells, for two at most `c^3`: a million on 10x10. The last
//! rectangle has at most 181,440.

use std::collections::{HashMap, VecDeque};

use search_core::{Domain, Op, OpSet};

use super::stage::Area;
use crate::board::{OPS, inverse};
use crate::puzzle::Puzzle;
use crate::tiles::Tiles;

/// The greatest number of rows and of columns that are solved at once.
const LAST: usize = 3;
/// The greatest number of tiles that are placed together.
const TOGETHER: usize = 2;

/// Solves the rest of a board, `area`, which can reach its goal.
///
/// # Panics
/// If it cannot.
pub(super) fn solve(puzzle: &Puzzle, tiles: &Tiles, area: Area) -> Vec<Op> {
    let (mut area, mut tiles, mut ops) = (area, *tiles, Vec::new());
    while let Some(line) = area.next_line(puzzle, LAST) {
        tiles = place_line(puzzle, tiles, area, line, &mut ops);
        area = area.without(line);
    }
    ops.extend(solve_last(puzzle, &tiles, area));
    ops
}

/// Brings the tiles of a line home, within `area`. Returns the board after it.
pub(super) fn place_line(puzzle: &Puzzle, tiles: Tiles, area: Area, line: Area, ops: &mut Vec<Op>) -> Tiles {
    let board = puzzle.board();
    let homes: Vec<usize> = line.cells(board).collect();
    let (single, pair) = homes.split_at(homes.len() - TOGETHER);
    let steps = single.chunks(1).chain([pair]);
    let (mut tiles, mut finished) = (tiles, Vec::new());
    for step in steps {
        let free = |cell: usize| area.contains(board, cell) && !finished.contains(&cell);
        let found = bring_home(puzzle, &tiles, step, free);
        tiles = found.iter().fold(tiles, |tiles, &op| puzzle.apply(&tiles, op));
        ops.extend(found);
        finished.extend(step);
    }
    tiles
}

/// The cells of the blank and of the wanted tiles.
type Places = [u8; TOGETHER + 1];

/// The fewest moves of the blank over `free` cells that bring the tiles of the goal cells `homes` home.
fn bring_home(puzzle: &Puzzle, tiles: &Tiles, homes: &[usize], free: impl Fn(usize) -> bool) -> Vec<Op> {
    let board = puzzle.board();
    let cells = board.cells();
    let at = tiles.positions(board);
    let wanted = |home: &usize| at[puzzle.goal().tile(*home)] as u8;
    let mut start = Places::default();
    start[0] = tiles.blank() as u8;
    start[1..].iter_mut().zip(homes.iter().map(wanted)).for_each(|(place, cell)| *place = cell);
    let count = homes.len();
    let is_home = |places: &Places| {
        places[1..=count].iter().zip(homes).all(|(&place, &home)| usize::from(place) == home)
    };
    let index =
        |places: &Places| places[..=count].iter().fold(0, |index, &place| index * cells + usize::from(place));
    // The operator by which each state was reached, or one more than the last operator.
    let mut reached = vec![u8::MAX; cells.pow(count as u32 + 1)];
    reached[index(&start)] = OPS as u8;
    let mut queue = VecDeque::from([start]);
    let step = |places: &Places, op: Op| {
        let from = usize::from(places[0]);
        let to = board.neighbour(from, op).filter(|&to| free(to))? as u8;
        let mut after = *places;
        after[0] = to;
        after[1..=count].iter_mut().filter(|place| **place == to).for_each(|place| *place = from as u8);
        Some(after)
    };
    let mut end = start;
    while !is_home(&end) {
        let Some(places) = queue.pop_front() else { unreachable!("every placement can be reached") };
        for op in OpSet::first(OPS) {
            let Some(after) = step(&places, op) else { continue };
            let number = index(&after);
            if reached[number] == u8::MAX {
                reached[number] = op.index() as u8;
                queue.push_back(after);
                if is_home(&after) && !is_home(&end) {
                    end = after;
                }
            }
        }
    }
    let mut ops = Vec::new();
    while end != start {
        let op = Op::new(reached[index(&end)].into());
        ops.push(op);
        end = step(&end, inverse(op)).expect("a move can be undone");
    }
    ops.reverse();
    ops
}

/// A shortest solution of the last rectangle, whose tiles are all within it.
fn solve_last(puzzle: &Puzzle, tiles: &Tiles, area: Area) -> Vec<Op> {
    let board = puzzle.board();
    let mut reached = HashMap::from([(*tiles, None)]);
    let mut layer = vec![*tiles];
    while !reached.contains_key(puzzle.goal()) {
        let mut next = Vec::new();
        for tiles in &layer {
            for op in puzzle.applicable(tiles) {
                if area.contains(board, puzzle.target(tiles.blank(), op)) {
                    let child = puzzle.apply(tiles, op);
                    reached.entry(child).or_insert_with(|| {
                        next.push(child);
                        Some(op)
                    });
                }
            }
        }
        assert!(!next.is_empty(), "the board can reach the goal");
        layer = next;
    }
    let (mut ops, mut at) = (Vec::new(), *puzzle.goal());
    while let Some(op) = reached[&at] {
        ops.push(op);
        at = puzzle.apply(&at, inverse(op));
    }
    ops.reverse();
    ops
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, MAX_SIDE};
    use crate::random::Instances;

    #[test]
    fn boards_of_all_sizes_are_solved() {
        let sides = [2, 3, 4, 5, MAX_SIDE];
        let all = sides
            .iter()
            .flat_map(|&rows| sides.iter().map(move |&cols| Board::new(rows, cols).expect("a board")));
        for board in all {
            for goal in [Tiles::blank_first(board), Tiles::blank_last(board), Tiles::spiral(board)] {
                let puzzle = Puzzle::new(board, goal);
                for tiles in Instances::new(board, goal, 7).take(1).chain([goal]) {
                    let ops = solve(&puzzle, &tiles, Area::of(board));
                    let end = ops.iter().fold(tiles, |tiles, &op| {
                        assert!(puzzle.applicable(&tiles).contains(op));
                        puzzle.apply(&tiles, op)
                    });
                    assert!(puzzle.is_goal(&end), "{board}");
                }
            }
        }
    }
}
