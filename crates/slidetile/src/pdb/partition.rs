//! Partitions of the tiles into patterns, and the tables that they need.
//!
//! A pattern is a set of goal cells, so that a table serves every goal whose blank allows it: tiles
//! are named by their goal cells. A symmetry of the board maps one pattern onto another, so one
//! table serves both if the blank's region in the goal corresponds. A pattern's own form is the
//! least of its images; lookups carry the symmetry that leads there.

use super::build::Pattern;
use super::index::MAX_TILES;
use crate::board::{Board, MAX_CELLS, byte};
use crate::puzzle::Puzzle;

/// Disjoint sets of goal cells that cover all but the blank's.
pub type Partition = Vec<Vec<usize>>;

/// The lookup of one pattern.
#[derive(Clone, Debug)]
pub struct Lookup {
    /// The table's number in the plan.
    pub table: usize,
    /// The number of the pattern's tiles.
    pub size: usize,
    /// The puzzle's tiles in the order of the table's.
    pub tiles: [u8; MAX_TILES],
    /// The table's cell for each cell of the puzzle.
    pub cells: [u8; MAX_CELLS],
}

/// The tables that some partitions need, and their lookups.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The tables to fill.
    pub patterns: Vec<Pattern>,
    /// The lookups of each partition.
    pub partitions: Vec<Vec<Lookup>>,
}

impl Plan {
    /// Plans `partitions` for the goal of `puzzle`.
    ///
    /// # Panics
    /// If a partition does not cover every goal cell but the blank's exactly once, if a pattern
    /// has more than 8 tiles, or the board more than 32 cells.
    pub fn new(puzzle: &Puzzle, partitions: &[Partition]) -> Plan {
        let mut plan = Plan::default();
        for partition in partitions {
            let mut covered: Vec<usize> = partition.iter().flatten().copied().collect();
            covered.sort_unstable();
            let blank = puzzle.goal().blank();
            let expected: Vec<usize> = (0..puzzle.board().cells()).filter(|&cell| cell != blank).collect();
            assert_eq!(covered, expected, "a partition covers each tile once");
            let lookups = partition.iter().map(|homes| plan.lookup(puzzle, homes)).collect();
            plan.partitions.push(lookups);
        }
        plan
    }

    /// The lookup of one pattern, through a table that the plan has or gets.
    fn lookup(&mut self, puzzle: &Puzzle, homes: &[usize]) -> Lookup {
        let board = puzzle.board();
        assert!(board.cells() <= 32 && homes.len() <= MAX_TILES, "a pattern fits a table");
        let held = homes.iter().fold(0u32, |held, home| held | 1 << home);
        let region = Pattern::flood(board, held, puzzle.goal().blank());
        let image = |map: &[u8; MAX_CELLS], set: u32| {
            (0..board.cells())
                .filter(|cell| set >> cell & 1 == 1)
                .fold(0u32, |image, cell| image | 1 << map[cell])
        };
        let maps = symmetries(board);
        let least = maps.iter().min_by_key(|map| (image(map, held), image(map, region)));
        let cells = *least.expect("the identity is a symmetry");
        let homes = (0..byte(board.cells())).filter(|cell| image(&cells, held) >> cell & 1 == 1).collect();
        let pattern = Pattern { board, homes, region: image(&cells, region) };
        let mut tiles = [0; MAX_TILES];
        for (tile, &home) in tiles.iter_mut().zip(&pattern.homes) {
            let cell = (0..board.cells()).find(|&cell| cells[cell] == home).expect("a symmetry is onto");
            *tile = byte(puzzle.goal().tile(cell));
        }
        let size = pattern.homes.len();
        let known = self.patterns.iter().position(|other| *other == pattern);
        let table = known.unwrap_or_else(|| {
            self.patterns.push(pattern);
            self.patterns.len() - 1
        });
        Lookup { table, size, tiles, cells }
    }
}

/// The board's symmetries as maps of cells: the identity first.
pub fn symmetries(board: Board) -> Vec<[u8; MAX_CELLS]> {
    let (rows, cols) = (board.rows(), board.cols());
    let turns = if rows == cols { 8 } else { 4 };
    (0..turns)
        .map(|turn| {
            let mut map = [0; MAX_CELLS];
            for (cell, image) in map.iter_mut().enumerate().take(board.cells()) {
                let (row, col) = (board.row(cell), board.col(cell));
                let row = if turn & 1 == 1 { rows - 1 - row } else { row };
                let col = if turn & 2 == 2 { cols - 1 - col } else { col };
                let there = if turn & 4 == 4 { board.cell(col, row) } else { board.cell(row, col) };
                *image = byte(there);
            }
            map
        })
        .collect()
}

/// The known partitions of a puzzle: Korf & Felner's 6-6-6-6 of the 24-puzzle and 7-8 of the
/// 15-puzzle with their reflections in the diagonal, for a goal with its blank in any corner; 4-4 and
/// 5-3 of the 8-puzzle. `None` for other boards and goals.
pub fn standard(puzzle: &Puzzle) -> Option<Vec<Partition>> {
    let board = puzzle.board();
    let partition: Partition = match (board.rows(), board.cols()) {
        (3, 3) => vec![vec![1, 2, 4, 5], vec![3, 6, 7, 8]],
        (4, 4) => vec![vec![1, 4, 5, 8, 9, 12, 13], vec![2, 3, 6, 7, 10, 11, 14, 15]],
        (5, 5) => vec![
            vec![1, 2, 5, 6, 7, 12],
            vec![3, 4, 8, 9, 13, 14],
            vec![10, 11, 15, 16, 20, 21],
            vec![17, 18, 19, 22, 23, 24],
        ],
        _ => return None,
    };
    let to_corner = |map: &&[u8; MAX_CELLS]| usize::from(map[0]) == puzzle.goal().blank();
    let maps = symmetries(board);
    let image = |homes: &Vec<usize>, map: &[u8; MAX_CELLS]| {
        homes.iter().map(|&home| usize::from(map[home])).collect()
    };
    let mapped = |map| partition.iter().map(|homes| image(homes, map)).collect();
    let partitions: Vec<Partition> = maps.iter().filter(to_corner).map(mapped).collect();
    (!partitions.is_empty()).then_some(partitions)
}
