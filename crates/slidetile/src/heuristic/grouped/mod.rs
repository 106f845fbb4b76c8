//! The theory: learned distances of groups of tiles, counted together by matching.
//!
//! The idea (Korf & Taylor 1996, "A New Theory of Admissible Heuristics"): search backwards from the
//! goal over the positions of a few tiles and the blank, counting only moves of these tiles. Single
//! tiles give Manhattan distance; pairs find linear conflicts, wrong corners and the last move; what
//! a group costs beyond its tiles' Manhattan distances is a hyperedge over its tiles. A heaviest set
//! of disjoint hyperedges is added to Manhattan distance: exact for pairs, greedy where triples make
//! it too large.
//!
//! Why it is admissible: each move moves one tile, so it is counted in at most one of disjoint groups.
//!
//! Cost: tables of 600 entries for each of the 276 pairs of the 24-puzzle and 13,800 for each of its
//! 2,024 triples; every group is looked up in every state, so this is for study, not for speed.

pub mod fill;
pub mod placement;

use search_core::Run;
use search_core::matching::{Hyperedge, exact, greedy};
use search_core::memory::Memory;
use search_core::pdb::Packed;

use crate::board::{Board, MAX_CELLS, byte};
use crate::puzzle::Puzzle;
use crate::tiles::Tiles;
use fill::Pattern;
use placement::rank;

/// A group of tiles and what it costs beyond Manhattan distance.
pub struct Group {
    /// The tiles, in the order of their goal cells.
    pub tiles: Vec<u8>,
    /// Half the excess, by the tiles' placement.
    table: Packed<4, Memory>,
}

/// The heuristic.
pub struct Grouped {
    board: Board,
    groups: Vec<Group>,
    home: [usize; MAX_CELLS],
    size: usize,
}

/// Sets of nodes that the exact matching may solve before the greedy one takes over, for groups
/// of three and more. Pairs are always matched exactly.
const LIMIT: usize = 20_000;

impl Group {
    /// Learns the group of the tiles whose goal cells are `homes`, ascending.
    fn learn(puzzle: &Puzzle, homes: &[usize]) -> Group {
        let board = puzzle.board();
        let held = homes.iter().fold(0u32, |held, home| held | 1 << home);
        let region = Pattern::flood(board, held, puzzle.goal().blank());
        let pattern = Pattern { board, homes: homes.iter().map(|&home| byte(home)).collect(), region };
        let table = pattern.build(&Run::new().with_threads(1)).expect("a small table, and nobody cancels");
        Group { tiles: homes.iter().map(|&home| byte(puzzle.goal().tile(home))).collect(), table }
    }

    /// Moves beyond Manhattan distance, with each tile where `positions` says.
    pub fn excess(&self, cells: usize, positions: &[usize; MAX_CELLS]) -> u32 {
        let at = self.tiles.iter().map(|&tile| positions[usize::from(tile)] as u8);
        2 * u32::from(self.table.get(rank(cells, at) as u64))
    }
}

impl Grouped {
    /// Learns all groups of 2 to `size` tiles.
    ///
    /// # Panics
    /// If `size` is not 2 or 3, or the board has more than 32 cells.
    pub fn new(puzzle: &Puzzle, size: usize, run: &Run<'_>) -> Grouped {
        assert!((2..=3).contains(&size), "pairs, or triples and pairs");
        let board = puzzle.board();
        let cells = board.cells();
        let blank = puzzle.goal().blank();
        let homes = || (0..cells).filter(move |&home| home != blank);
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
            weight: group.excess(self.board.cells(), positions),
        });
        edges.filter(|edge| edge.weight > 0).collect()
    }

    /// The heuristic's value of `tiles`.
    pub fn value(&self, tiles: &Tiles) -> u8 {
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
