//! The theory: learned distances of groups of tiles, counted together by matching.
//!
//! The idea (Korf & Taylor 1996, "A New Theory of Admissible Heuristics"): search backwards from the
//! goal over the positions of a few tiles and the blank, counting only moves of these tiles. Single
//! tiles give Manhattan distance; pairs find linear conflicts, wrong corners and the last move. The cost of
//! a group beyond its tiles' Manhattan distances is the weight of a hyperedge over its tiles. A heaviest set
//! of disjoint hyperedges is added to Manhattan distance: exact for pairs, greedy where triples make
//! it too large.
//!
//! Why it is admissible: each move moves one tile, so it is counted in at most one of disjoint groups.
//!
//! A table holds the least cost of each placement of a group's tiles over all cells of the blank. The search goes by
//! layers of equal cost. Moves of other tiles cost nothing, so the blank reaches all cells of its region at once.
//!
//! Cost: tables of 600 placements for each of the 276 pairs of the 24-puzzle and 13,800 for each of its
//! 2,024 triples; every group is looked up in every state, so this is for study, not for speed.

use std::collections::BTreeMap;

use search_core::Run;
use search_core::matching::{Hyperedge, exact, greedy};

use super::corners;
use crate::board::{Board, MAX_CELLS, byte};
use crate::pdb::zones::{cells, region, steps};
use crate::puzzle::Puzzle;
use crate::tiles::Tiles;

/// The greatest number of tiles in a group.
const MAX_TILES: usize = 4;

/// A group of tiles with its costs beyond Manhattan distance.
pub struct Group {
    /// The tiles, in the order of their goal cells.
    pub tiles: Vec<u8>,
    cells: usize,
    /// Half the excess, by the cells of the tiles as digits in base `cells`.
    halves: Vec<u8>,
}

/// The heuristic.
pub struct Grouped {
    board: Board,
    groups: Vec<Group>,
    home: [usize; MAX_CELLS],
    size: usize,
}

/// The number of sets of nodes that the exact matching may solve before the greedy one is used, for groups of three and
/// more. Pairs are always matched exactly.
const LIMIT: usize = 20_000;

impl Group {
    /// Learns the group of the tiles whose goal cells are `homes`, ascending.
    ///
    /// # Panics
    /// If there are no tiles or more than 4, or the board has more than 32 cells.
    pub fn learn(puzzle: &Puzzle, homes: &[usize]) -> Group {
        let (board, size) = (puzzle.board(), homes.len());
        assert!((1..=MAX_TILES).contains(&size) && board.cells() <= 32, "1 to 4 tiles on at most 32 cells");
        let steps = steps(board);
        let tiles = homes.iter().map(|&home| byte(puzzle.goal().tile(home))).collect();
        let entries = board.cells().pow(size as u32);
        let mut group = Group { tiles, cells: board.cells(), halves: vec![0; entries] };
        // By placement: the cells of the blank that were reached, always whole regions.
        let mut reached = vec![0u32; entries];
        let mut goal = [0; MAX_TILES];
        goal.iter_mut().zip(homes).for_each(|(place, &home)| *place = byte(home));
        let (mut layer, mut cost) = (vec![(goal, puzzle.goal().blank())], 0);
        while !layer.is_empty() {
            let mut next = Vec::new();
            for (at, blank) in layer {
                let number = group.number(at[..size].iter().map(|&cell| cell.into()));
                if reached[number] >> blank & 1 == 1 {
                    continue;
                }
                if reached[number] == 0 {
                    let pairs = at.iter().zip(homes);
                    let distance: usize = pairs.map(|(&cell, &home)| board.distance(cell.into(), home)).sum();
                    group.halves[number] = byte((cost - distance) / 2);
                }
                let held = at[..size].iter().fold(0, |held, cell| held | 1 << cell);
                let region = region(&steps, held, blank);
                reached[number] |= region;
                for (tile, &from) in at[..size].iter().enumerate() {
                    next.extend(cells(steps[usize::from(from)] & region).map(|to| {
                        let mut after = at;
                        after[tile] = byte(to);
                        (after, usize::from(from))
                    }));
                }
            }
            (layer, cost) = (next, cost + 1);
        }
        group
    }

    fn number(&self, at: impl Iterator<Item = usize>) -> usize {
        at.fold(0, |number, cell| number * self.cells + cell)
    }

    /// The moves beyond Manhattan distance, given the cell of each tile by its number.
    pub fn excess(&self, positions: &[usize; MAX_CELLS]) -> u32 {
        let at = self.tiles.iter().map(|&tile| positions[usize::from(tile)]);
        2 * u32::from(self.halves[self.number(at)])
    }
}

/// The reason why two tiles at the cells `at` cost more than their distances from `home`, if it is one of the three of
/// Korf & Taylor 1996.
fn reason(board: Board, home: [usize; 2], at: [usize; 2]) -> Option<&'static str> {
    let same = |line: &dyn Fn(usize) -> usize| {
        let lines = [home[0], home[1], at[0], at[1]].map(line);
        lines.iter().all(|&l| l == lines[0])
    };
    let reversed = (home[0] < home[1]) != (at[0] < at[1]);
    if reversed && (same(&|cell| board.row(cell)) || same(&|cell| board.col(cell))) {
        return Some("linear conflict");
    }
    let wrong = |tile: usize, other: usize| {
        let sides = corners::sides(board);
        let mut beside = sides.iter().filter(|side| side.beside == home[tile] && at[tile] == home[tile]);
        beside.any(|side| (home[other] == side.corner) != (at[other] == side.corner))
    };
    if wrong(0, 1) || wrong(1, 0) {
        return Some("corner");
    }
    (home == [1, board.cols()]).then_some("last move")
}

impl Grouped {
    /// The number of placements of two tiles that cost more than their distances, by the paper's reason for it and the
    /// moves beyond the distances; for a goal with the blank first and the tiles in order.
    pub fn excesses_of_pairs(&self) -> BTreeMap<(Option<&'static str>, u32), u32> {
        let (board, mut counts) = (self.board, BTreeMap::new());
        for group in self.groups.iter().filter(|group| group.tiles.len() == 2) {
            let home = [group.tiles[0], group.tiles[1]].map(usize::from);
            let placements = (0..board.cells().pow(2)).map(|at| [at / board.cells(), at % board.cells()]);
            for at in placements.filter(|at| at[0] != at[1]) {
                let mut positions = [0; MAX_CELLS];
                (positions[home[0]], positions[home[1]]) = (at[0], at[1]);
                let excess = group.excess(&positions);
                if excess > 0 {
                    *counts.entry((reason(board, home, at), excess)).or_default() += 1;
                }
            }
        }
        counts
    }

    /// Learns all groups of 2 to `size` tiles.
    ///
    /// # Panics
    /// If `size` is not 2 or 3, or the board has more than 32 cells.
    pub fn new(puzzle: &Puzzle, size: usize, run: &Run<'_>) -> Grouped {
        assert!((2..=3).contains(&size), "pairs, or triples and pairs");
        let board = puzzle.board();
        let blank = puzzle.goal().blank();
        let homes = || (0..board.cells()).filter(move |&home| home != blank);
        let pairs = homes().flat_map(|a| homes().filter(move |&b| b > a).map(move |b| vec![a, b]));
        let mut sets: Vec<Vec<usize>> = pairs.collect();
        if size == 3 {
            let pairs = sets.clone();
            sets.extend(
                pairs.iter().flat_map(|p| homes().filter(|&c| c > p[1]).map(|c| vec![p[0], p[1], c])),
            );
        }
        let groups = run.map(&sets, |homes| Group::learn(puzzle, homes));
        Grouped { board, groups, home: puzzle.goal().positions(board), size }
    }

    /// All groups.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The groups that cost more than their tiles' Manhattan distances.
    pub fn hyperedges(&self, positions: &[usize; MAX_CELLS]) -> Vec<Hyperedge> {
        let edges = self.groups.iter().map(|group| Hyperedge {
            nodes: group.tiles.iter().fold(0, |nodes, tile| nodes | 1 << tile),
            weight: group.excess(positions),
        });
        edges.filter(|edge| edge.weight > 0).collect()
    }

    /// The heuristic's value of `tiles`.
    pub fn value<const BYTES: usize>(&self, tiles: &Tiles<BYTES>) -> u8 {
        let board = self.board;
        let positions = tiles.positions(board);
        let distance: usize =
            (1..board.cells()).map(|tile| board.distance(positions[tile], self.home[tile])).sum();
        let edges = self.hyperedges(&positions);
        let limit = if self.size == 2 { usize::MAX } else { LIMIT };
        let extra = exact(&edges, limit).unwrap_or_else(|| greedy(&edges));
        (distance + extra as usize).min(255) as u8
    }
}
