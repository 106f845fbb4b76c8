//! The paper's heuristics from scratch, part by part, with reasons.
//!
//! This is the reference implementation of [`classic`](super::classic). It examines the board as a person
//! would, shares none of its tables, and finds the least total by trying all sets of tiles that leave
//! a line.

use std::fmt;

use super::classic::Parts;
use super::corners::{self, Side};
use super::endings::{Price, Visit, endings};
use crate::board::Board;
use crate::puzzle::Puzzle;
use crate::tiles::Tiles;

/// A state's value with its reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Manhattan distance.
    pub manhattan: u32,
    /// The additional moves: those of each line with a conflict; further ones of tiles beside wrong corners; further
    /// ones of the cheapest ending.
    pub reasons: Vec<Reason>,
}

/// Additional moves and the reason for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The number of moves.
    pub moves: u32,
    /// The reason why they are needed.
    pub why: String,
    /// The tiles that need them.
    pub tiles: Vec<usize>,
}

impl Explanation {
    /// The heuristic's value.
    pub fn value(&self) -> u32 {
        self.manhattan + self.reasons.iter().map(|reason| reason.moves).sum::<u32>()
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>4}  Manhattan distance", self.manhattan)?;
        for reason in &self.reasons {
            writeln!(f, "{:>4}  {}", format!("+{}", reason.moves), reason.why)?;
        }
        write!(f, "{:>4}  in all", self.value())
    }
}

/// One row or column with the tiles that belong to it, in order of place: (place, goal place, tile).
struct Line {
    name: String,
    tiles: Vec<(usize, usize, usize)>,
    forced: Vec<usize>,
}

impl Line {
    /// The least number of moves that resolve the line if tile `also` must leave it too.
    fn cost(&self, with_conflicts: bool, forced: &[usize], also: Option<usize>) -> u32 {
        let sets = 0..1u32 << self.tiles.len();
        let leaves = |set: u32, tile: usize| {
            self.tiles.iter().position(|&(_, _, other)| other == tile).is_some_and(|at| set >> at & 1 == 1)
        };
        let resolves = |set: &u32| {
            let stay: Vec<_> = self.tiles.iter().zip(0..).filter(|(_, at)| set >> at & 1 == 0).collect();
            let ordered = stay.iter().map(|((_, goal, _), _)| goal).is_sorted();
            (ordered || !with_conflicts) && also.is_none_or(|tile| leaves(*set, tile))
        };
        let moves = |set: u32| {
            let elsewhere = forced.iter().filter(|&&tile| !leaves(set, tile)).count();
            2 * (set.count_ones() + elsewhere as u32)
        };
        sets.filter(resolves).map(moves).min().expect("all tiles may leave")
    }
}

/// Explains the value of `tiles`.
pub fn explain(puzzle: &Puzzle, parts: Parts, tiles: &Tiles) -> Explanation {
    let (board, goal) = (puzzle.board(), puzzle.goal());
    let home = goal.positions(board);
    let cells = (0..board.cells()).filter(|&cell| tiles.tile(cell) != 0);
    let manhattan = cells.map(|cell| board.distance(cell, home[tiles.tile(cell)]) as u32).sum();
    let lines = lines(board, goal, tiles, parts);
    let cost = |line: &Line, forced: &[usize]| line.cost(parts.conflicts, forced, None);
    let names = |tiles: &[usize]| tiles.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let conflict = |line: &Line| {
        let moves = cost(line, &[]);
        let order: Vec<usize> = line.tiles.iter().map(|&(_, _, tile)| tile).collect();
        let why = || format!("linear conflict in {}: tiles {} in this order", line.name, names(&order));
        (moves > 0).then(|| Reason { moves, why: why(), tiles: order.clone() })
    };
    let corner = |line: &Line| {
        let moves = cost(line, &line.forced) - cost(line, &[]);
        let why = || format!("corner: tile {} beside a wrong corner in {}", names(&line.forced), line.name);
        (moves > 0).then(|| Reason { moves, why: why(), tiles: line.forced.clone() })
    };
    let forced = lines.iter().filter(|line| !line.forced.is_empty());
    let mut reasons: Vec<Reason> =
        lines.iter().filter_map(conflict).chain(forced.filter_map(corner)).collect();
    if parts.last_moves > 0 && manhattan > 1 {
        reasons.extend(cheapest_ending(puzzle, parts, tiles, &lines));
    }
    Explanation { manhattan, reasons }
}

/// All rows, then all columns.
fn lines(board: Board, goal: &Tiles, tiles: &Tiles, parts: Parts) -> Vec<Line> {
    let home = goal.positions(board);
    let line = |name: String, length: usize, cell_at: &dyn Fn(usize) -> usize| {
        let at = |place: usize| tiles.tile(cell_at(place));
        let goal_place = |tile: usize| (0..length).find(|&place| cell_at(place) == home[tile]);
        let members = (0..length).filter(|&place| at(place) != 0);
        let members = members.filter_map(|place| Some((place, goal_place(at(place))?, at(place)))).collect();
        let on_line = |side: &Side| {
            let cells: Vec<usize> = (0..length).map(cell_at).collect();
            cells.contains(&side.corner) && cells.contains(&side.beside)
        };
        let applies = parts.corners && corners::applies(board);
        let sides = corners::sides(board).into_iter().filter(|side| applies && on_line(side));
        let mut forced: Vec<usize> =
            sides.filter(|side| side.forces(tiles, goal)).map(|side| tiles.tile(side.beside)).collect();
        forced.dedup();
        Line { name, tiles: members, forced }
    };
    let rows = (0..board.rows())
        .map(|row| line(format!("row {}", row + 1), board.cols(), &|place| board.cell(row, place)));
    let cols = (0..board.cols())
        .map(|col| line(format!("column {}", col + 1), board.rows(), &|place| board.cell(place, col)));
    rows.chain(cols).collect()
}

fn cheapest_ending(puzzle: &Puzzle, parts: Parts, tiles: &Tiles, lines: &[Line]) -> Vec<Reason> {
    let board = puzzle.board();
    let positions = tiles.positions(board);
    let price = |visit: &Visit| {
        let line = if visit.is_horizontal(board) {
            &lines[board.rows() + board.col(visit.home)]
        } else {
            &lines[board.row(visit.home)]
        };
        let forced = lines.iter().any(|line| line.forced.contains(&visit.tile));
        match visit.price(board, positions[visit.tile]) {
            _ if forced => 0,
            Price::Free => 0,
            Price::Two => 2,
            Price::OutOfLine => {
                let cost = |also| line.cost(parts.conflicts, &line.forced, also);
                (cost(Some(visit.tile)) - cost(None)).min(2)
            }
        }
    };
    let endings = endings(board, puzzle.goal(), parts.last_moves);
    let best = endings.iter().min_by_key(|ending| ending.iter().map(price).sum::<u32>());
    let reason = |visit: &Visit| Reason {
        moves: price(visit),
        why: format!("last moves: tile {} must pass through cell {}", visit.tile, visit.cell),
        tiles: vec![visit.tile],
    };
    best.into_iter().flatten().map(reason).filter(|reason| reason.moves > 0).collect()
}
