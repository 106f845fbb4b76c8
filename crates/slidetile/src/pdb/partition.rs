//! Partitions of the tiles into patterns, and the tables that they need.
//!
//! A pattern is a set of goal cells. Tiles are identified by their goal cells, so that a table serves every goal with
//! its blank in the same cell. [Frames](Frames) map the blank's goal to as few cells as possible. Where there are two
//! frames, each the other's reflection, every partition serves twice, and patterns that are reflections of each other
//! share a table.

use std::cmp::Ordering::{Equal, Greater, Less};
use std::collections::HashSet;
use std::sync::Arc;

use super::build::Pattern;
use super::frames::Frames;
use super::order::MAX_TILES;
use super::zones::{Zones, cells};
use crate::board::byte;
use crate::puzzle::Puzzle;

/// Disjoint sets of cells that cover all but the blank's, on the board of the tables.
pub type Partition = Vec<u32>;

/// The lookup of one pattern.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lookup {
    /// The table's number in the plan.
    pub table: usize,
    /// The frame's number in the plan.
    pub frame: usize,
    /// The puzzle's tiles in the order of the table's tiles, then zeros.
    pub tiles: [u8; MAX_TILES],
}

/// The tables that some partitions need, and their lookups.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The number of the board's cells.
    pub cells: usize,
    /// The tables to fill.
    pub patterns: Vec<Pattern>,
    /// The maps from the goal to the tables.
    pub frames: Frames,
    /// The lookups of each partition.
    pub partitions: Vec<Vec<Lookup>>,
    /// The zones by the number of tiles, for patterns that occur.
    zones: [Option<Arc<Zones>>; MAX_TILES + 1],
}

impl Plan {
    /// Whether there are plans for a puzzle: its board has at most 32 cells, and sides of at most 6.
    pub fn exists(puzzle: &Puzzle) -> bool {
        puzzle.board().cells() <= 32 && !puzzle.board().is_large()
    }

    /// Plans `partitions`, and their reflections if the goal has two frames, for the goal of `puzzle`.
    ///
    /// `None` if [there are none](Plan::exists).
    ///
    /// # Panics
    /// If a partition does not cover every cell but the blank's exactly once, or a pattern has more than
    /// 8 tiles.
    pub fn new(puzzle: &Puzzle, partitions: &[Partition]) -> Option<Plan> {
        if !Plan::exists(puzzle) {
            return None;
        }
        let frames = Frames::of(puzzle);
        let (board, blank) = (frames.board(), frames.blank());
        let (patterns, zones) = (Vec::new(), [const { None }; MAX_TILES + 1]);
        let mut plan = Plan { cells: board.cells(), patterns, frames, partitions: Vec::new(), zones };
        let mut known = HashSet::new();
        for partition in partitions {
            let covered = partition.iter().fold(0, |covered: u32, &set| {
                assert!(covered & set == 0 && set.count_ones() as usize <= MAX_TILES, "patterns of 8 tiles");
                covered | set
            });
            let tiles = u32::MAX >> (32 - board.cells()) & !(1 << blank);
            assert_eq!(covered, tiles, "a partition covers each tile once");
            for frame in 0..plan.frames.maps().len() {
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

    /// The number of lookups of some partitions, given by their indices.
    pub fn lookups(&self, chosen: &[usize]) -> usize {
        chosen.iter().map(|&partition| self.partitions[partition].len()).sum()
    }

    /// The lookup of one pattern in a frame. Adds its table to the plan if it is new.
    fn lookup(&mut self, puzzle: &Puzzle, homes: u32, frame: usize) -> Lookup {
        let (board, blank) = (self.frames.board(), self.frames.blank());
        let reflected = self.frames.reflected(homes);
        let frame = match reflected.cmp(&homes) {
            Less => 1 - frame,
            // Both frames give the same lookup.
            Equal => 0,
            Greater => frame,
        };
        let homes = homes.min(reflected);
        let mut tiles = [0; MAX_TILES];
        for (tile, home) in tiles.iter_mut().zip(cells(homes)) {
            let map = &self.frames.maps()[frame];
            let cell = (0..board.cells()).find(|&cell| usize::from(map[cell]) == home);
            *tile = byte(puzzle.goal().tile(cell.expect("a symmetry is onto")));
        }
        let known = self.patterns.iter().position(|other| other.homes() == homes);
        let table = known.unwrap_or_else(|| {
            let zones = self.zones[homes.count_ones() as usize]
                .get_or_insert_with(|| Arc::new(Zones::new(board, homes.count_ones() as usize)));
            self.patterns.push(Pattern::new(board, homes, blank, zones.clone()));
            self.patterns.len() - 1
        });
        Lookup { table, frame, tiles }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, TABLE_SIDE};
    use crate::pdb::catalogue::partitions;
    use crate::tiles::Tiles;

    /// A partition from a picture of the board: each pattern's cells by its letter.
    fn picture(text: &str) -> Partition {
        let letters = || text.chars().filter(|letter| *letter != ' ').enumerate();
        let set = |letter| {
            letters().filter(|(_, other)| *other == letter).fold(0, |set, (cell, _)| set | 1 << cell)
        };
        ('A'..='Z').map(set).take_while(|&set| set != 0).collect()
    }

    /// The goal of the standard order with the blank in a cell.
    fn goal(board: Board, blank: usize) -> Puzzle {
        let mut tiles: Vec<usize> = (1..board.cells()).collect();
        tiles.insert(blank, 0);
        Puzzle::new(board, Tiles::new(board, &tiles).unwrap())
    }

    #[test]
    fn all_boards_have_partitions_for_every_cell_of_the_goals_blank() {
        let sides = || 2..=TABLE_SIDE;
        for board in sides().flat_map(|rows| sides().map(move |cols| Board::new(rows, cols).unwrap())) {
            for blank in 0..board.cells() {
                let puzzle = goal(board, blank);
                let plan = Plan::exists(&puzzle)
                    .then(|| Plan::new(&puzzle, &partitions(&Frames::of(&puzzle), 1 << 28, &[])).unwrap());
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
    fn reflected_patterns_share_tables() {
        let board = Board::new(3, 3).unwrap();
        let plan = |text| Plan::new(&Puzzle::blank_first(board), &[picture(text)]).unwrap();
        let count = |plan: Plan| (plan.patterns.len(), plan.partitions.len());
        assert_eq!(count(plan(".AA BCC BCC")), (2, 1), "its own reflection");
        assert_eq!(count(plan(".AA BBA CCC")), (3, 2));
        let middle = |text| count(Plan::new(&goal(board, 4), &[picture(text)]).unwrap());
        assert_eq!(middle("AAA B.B CCC"), (2, 1), "upside down it is the same");
        assert_eq!(middle("AAB B.B CCC"), (3, 2));
        let side = |text| count(Plan::new(&goal(board, 1), &[picture(text)]).unwrap());
        assert_eq!(side("A.B ACB ACB"), (2, 1), "left is right");
        assert_eq!(side("A.B AAB CCB"), (3, 2));
    }
}
