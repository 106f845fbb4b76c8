//! Partitions of the tiles into patterns, and the tables that they need.
//!
//! A pattern is a set of goal cells, so that a table serves every goal with its blank in a corner: tiles are
//! named by their goal cells. A **frame** is a symmetry of the board that takes the goal's blank to the first
//! cell of a board that is no taller than wide; there all tables live. A square board has two frames, each the
//! other's reflection in the diagonal, so every partition serves twice, and patterns that are reflections
//! of each other share a table.

use std::cmp::Ordering::{Equal, Greater, Less};
use std::collections::HashSet;
use std::sync::Arc;

use super::build::Pattern;
use super::order::MAX_TILES;
use super::zones::{Zones, cells};
use crate::board::{Board, MAX_CELLS, byte};
use crate::puzzle::Puzzle;

/// Disjoint sets of cells that cover all but the first, on a board that is no taller than wide.
pub type Partition = Vec<u32>;

/// The lookup of one pattern.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lookup {
    /// The table's number in the plan.
    pub table: usize,
    /// The frame's number in the plan.
    pub frame: usize,
    /// The puzzle's tiles in the order of the table's; zero beyond them.
    pub tiles: [u8; MAX_TILES],
}

/// The tables that some partitions need, and their lookups.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The number of the board's cells.
    pub cells: usize,
    /// The tables to fill.
    pub patterns: Vec<Pattern>,
    /// By frame: the tables' cell for each cell of the puzzle.
    pub frames: Vec<[u8; MAX_CELLS]>,
    /// The lookups of each partition.
    pub partitions: Vec<Vec<Lookup>>,
    /// The zones of so many tiles, as far as they are needed.
    zones: [Option<Arc<Zones>>; MAX_TILES + 1],
}

impl Plan {
    /// Whether there are plans for a puzzle: its goal's blank is in a corner, and its board has at most 32
    /// cells.
    pub fn exists(puzzle: &Puzzle) -> bool {
        puzzle.board().cells() <= 32 && !frames(puzzle).is_empty()
    }

    /// Plans `partitions`, and their reflections where the board has any, for the goal of `puzzle`.
    ///
    /// `None` if [there are none](Plan::exists).
    ///
    /// # Panics
    /// If a partition does not cover every cell but the first exactly once, or a pattern has more than
    /// 8 tiles.
    pub fn new(puzzle: &Puzzle, partitions: &[Partition]) -> Option<Plan> {
        if !Plan::exists(puzzle) {
            return None;
        }
        let (board, frames) = (upright(puzzle.board()), frames(puzzle));
        let (patterns, zones) = (Vec::new(), [const { None }; MAX_TILES + 1]);
        let mut plan = Plan { cells: board.cells(), patterns, frames, partitions: Vec::new(), zones };
        let mut known = HashSet::new();
        for partition in partitions {
            let covered = partition.iter().fold(0, |covered: u32, &set| {
                assert!(covered & set == 0 && set.count_ones() as usize <= MAX_TILES, "patterns of 8 tiles");
                covered | set
            });
            assert_eq!(covered, u32::MAX >> (32 - board.cells()) & !1, "a partition covers each tile once");
            for frame in 0..plan.frames.len() {
                let mut lookups: Vec<Lookup> =
                    partition.iter().map(|&homes| plan.lookup(puzzle, homes, frame)).collect();
                lookups.sort_by_key(|lookup| lookup.tiles);
                // The reflection of a symmetric partition is itself.
                if known.insert(lookups.clone()) {
                    plan.partitions.push(lookups);
                }
            }
        }
        Some(plan)
    }

    /// The number of lookups of some partitions, given by their numbers.
    pub fn lookups(&self, chosen: &[usize]) -> usize {
        chosen.iter().map(|&partition| self.partitions[partition].len()).sum()
    }

    /// The lookup of one pattern in a frame, through a table that the plan has or gets.
    fn lookup(&mut self, puzzle: &Puzzle, homes: u32, frame: usize) -> Lookup {
        let board = upright(puzzle.board());
        let reflected = if self.frames.len() == 1 { homes } else { reflected(board, homes) };
        let frame = match reflected.cmp(&homes) {
            Less => 1 - frame,
            // One frame is as good as the other: with the same one for both, the lookups are equal.
            Equal => 0,
            Greater => frame,
        };
        let homes = homes.min(reflected);
        let mut tiles = [0; MAX_TILES];
        for (tile, home) in tiles.iter_mut().zip(cells(homes)) {
            let map = &self.frames[frame];
            let cell = (0..board.cells()).find(|&cell| usize::from(map[cell]) == home);
            *tile = byte(puzzle.goal().tile(cell.expect("a symmetry is onto")));
        }
        let known = self.patterns.iter().position(|other| other.homes() == homes);
        let table = known.unwrap_or_else(|| {
            let zones = self.zones[homes.count_ones() as usize]
                .get_or_insert_with(|| Arc::new(Zones::new(board, homes.count_ones() as usize)));
            self.patterns.push(Pattern::new(board, homes, 0, zones.clone()));
            self.patterns.len() - 1
        });
        Lookup { table, frame, tiles }
    }
}

/// The reflection in the diagonal of a set of cells of a square board.
pub(super) fn reflected(board: Board, set: u32) -> u32 {
    cells(set).fold(0, |set, cell| set | 1 << board.cell(board.col(cell), board.row(cell)))
}

/// The board, turned to be no taller than wide.
pub(super) fn upright(board: Board) -> Board {
    let (rows, cols) = (board.rows().min(board.cols()), board.rows().max(board.cols()));
    Board::new(rows, cols).expect("the sides of a board")
}

/// The symmetries that take the goal's blank to the first cell of the upright board; none if it is in no
/// corner.
fn frames(puzzle: &Puzzle) -> Vec<[u8; MAX_CELLS]> {
    let (board, upright) = (puzzle.board(), upright(puzzle.board()));
    let (rows, cols) = (board.rows(), board.cols());
    let map = |turn: u32| {
        let mut map = [0; MAX_CELLS];
        for (cell, image) in map.iter_mut().enumerate().take(board.cells()) {
            let row = if turn & 1 == 1 { rows - 1 - board.row(cell) } else { board.row(cell) };
            let col = if turn & 2 == 2 { cols - 1 - board.col(cell) } else { board.col(cell) };
            *image = byte(if turn & 4 == 4 { upright.cell(col, row) } else { upright.cell(row, col) });
        }
        map
    };
    let fits = |turn: &u32| rows == cols || (*turn & 4 == 4) == (rows > cols);
    let maps = (0..8).filter(fits).map(map);
    maps.filter(|map| map[puzzle.goal().blank()] == 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::MAX_SIDE;
    use crate::pdb::catalogue::partitions;
    use crate::tiles::Tiles;

    /// A partition from a picture of the board: the first cell, then each pattern's cells by its letter.
    fn picture(text: &str) -> Partition {
        let letters = || text.chars().filter(|letter| *letter != ' ').enumerate();
        let set = |letter| {
            letters().filter(|(_, other)| *other == letter).fold(0, |set, (cell, _)| set | 1 << cell)
        };
        ('A'..='Z').map(set).take_while(|&set| set != 0).collect()
    }

    #[test]
    fn all_boards_have_partitions_for_goals_with_the_blank_in_a_corner() {
        let sides = || 2..=MAX_SIDE;
        for board in sides().flat_map(|rows| sides().map(move |cols| Board::new(rows, cols).unwrap())) {
            for goal in [Tiles::blank_first(board), Tiles::blank_last(board)] {
                let puzzle = Puzzle::new(board, goal);
                let plan = Plan::new(&puzzle, &partitions(board, 1 << 30));
                assert_eq!(plan.is_some(), board.cells() <= 32, "{board}");
                for lookups in plan.iter().flat_map(|plan| &plan.partitions) {
                    let mut tiles: Vec<u8> = lookups.iter().flat_map(|lookup| lookup.tiles).collect();
                    tiles.retain(|&tile| tile != 0);
                    tiles.sort_unstable();
                    assert!(tiles.into_iter().map(usize::from).eq(1..board.cells()), "{board}");
                }
            }
        }
    }

    #[test]
    fn reflections_share_tables() {
        let board = Board::new(3, 3).unwrap();
        let plan = |text| Plan::new(&Puzzle::blank_first(board), &[picture(text)]).unwrap();
        let count = |plan: Plan| (plan.patterns.len(), plan.partitions.len());
        assert_eq!(count(plan(".AA BCC BCC")), (2, 1), "its own reflection");
        assert_eq!(count(plan(".AA BBA CCC")), (3, 2));
        let middle = Puzzle::new(board, Tiles::new(board, &[1, 2, 3, 4, 0, 5, 6, 7, 8]).unwrap());
        assert!(Plan::new(&middle, &partitions(middle.board(), 1 << 30)).is_none());
    }
}
