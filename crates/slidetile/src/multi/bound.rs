//! The heuristic: the least numbers of vertical and horizontal moves together, or the greatest value of the pattern
//! databases.
//!
//! On a square board whose goal has the blank on the main diagonal, a board and its transpose are equally far from it, so
//! each pattern database is read twice, for the board and for its transpose.

use std::sync::Arc;

use search_core::Op;
use search_core::heuristic::{ChildBound, NodeRef};
use search_core::memory::Memory;
use search_core::prefetch::prefetch;

use super::lines::{Lines, mergers};
use super::pattern::{MOST_PLACES, MultiPattern};
use super::{MOST_CELLS, MultiPuzzle, is_vertical};
use crate::board::{Board, DOWN, OPS, RIGHT, byte};
use crate::heuristic::Ranked;
use crate::tiles::Tiles;

/// The greatest number of ways to merge goal lines.
const MERGERS: usize = 3;
/// The greatest number of reads of pattern databases for one state.
const LOOKUPS: usize = 8;

/// The heuristic with its tables.
pub struct MultiBound {
    puzzle: MultiPuzzle,
    /// For vertical and for horizontal moves, by merger.
    lines: [Vec<Arc<Lines>>; 2],
    /// By tile: its goal row and column.
    homes: [[u8; 2]; MOST_CELLS],
    tables: Vec<Memory>,
    lookups: Vec<Lookup>,
    /// By cell: the cell of the transpose.
    transpose: [u8; MOST_CELLS],
}

/// One read of a pattern database.
#[derive(Clone, Debug)]
struct Lookup {
    table: usize,
    /// The blank and the tiles, in the order of their goal cells in the table.
    tiles: Vec<u8>,
    is_transposed: bool,
}

/// The number of the table of lines of a state, for vertical and horizontal moves, by merger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing([[u32; MERGERS]; 2]);

/// A child's tables of lines, or the entries of its pattern databases.
#[derive(Clone, Copy, Debug, Default)]
pub struct Probe {
    standing: Standing,
    entries: [u32; LOOKUPS],
}

impl MultiBound {
    /// The heuristic of `puzzle`, with the tables of some of its patterns.
    ///
    /// # Panics
    /// If there are more than four patterns.
    pub fn new(puzzle: MultiPuzzle, patterns: &[MultiPattern], tables: Vec<Memory>) -> MultiBound {
        let (board, goal) = (puzzle.board(), *puzzle.goal());
        let (row, col) = (board.row(goal.blank()), board.col(goal.blank()));
        let lines = |count: usize, length: usize, blank: usize| -> Vec<Arc<Lines>> {
            mergers(count).iter().map(|classes| Arc::new(Lines::new(classes, length, blank))).collect()
        };
        let vertical = lines(board.rows(), board.cols(), row);
        let is_symmetric = board.rows() == board.cols() && row == col;
        let horizontal = if is_symmetric { vertical.clone() } else { lines(board.cols(), board.rows(), col) };
        let mut homes = [[0; 2]; MOST_CELLS];
        for (tile, &cell) in goal.positions(board).iter().enumerate().take(board.cells()) {
            homes[tile] = [byte(board.row(cell)), byte(board.col(cell))];
        }
        let mut transpose = [0; MOST_CELLS];
        if is_symmetric {
            (0..board.cells())
                .for_each(|cell| transpose[cell] = byte(board.cell(board.col(cell), board.row(cell))));
        }
        let ways = if is_symmetric { &[false, true][..] } else { &[false] };
        let lookup = |(table, pattern): (usize, &MultiPattern), is_transposed: bool| {
            let home = |home: u8| if is_transposed { transpose[usize::from(home)] } else { home };
            let tile = |&cell: &u8| byte(goal.tile(home(cell).into()));
            let tiles = std::iter::once(0).chain(pattern.homes().iter().map(tile)).collect();
            Lookup { table, tiles, is_transposed }
        };
        let lookups: Vec<Lookup> = patterns
            .iter()
            .enumerate()
            .flat_map(|pattern| ways.iter().map(move |&is_transposed| lookup(pattern, is_transposed)))
            .collect();
        assert!(lookups.len() <= LOOKUPS, "at most {LOOKUPS} reads of pattern databases");
        MultiBound { puzzle, lines: [vertical, horizontal], homes, tables, lookups, transpose }
    }

    /// The puzzle.
    pub fn puzzle(&self) -> &MultiPuzzle {
        &self.puzzle
    }

    /// The heuristic's value of `tiles`.
    pub fn bound(&self, tiles: &Tiles) -> u8 {
        self.sum(self.standing(tiles)).max(self.greatest(&self.entries(tiles)))
    }

    fn standing(&self, tiles: &Tiles) -> Standing {
        let board = self.puzzle.board();
        let line = |board: Board, cell: usize, axis: usize| {
            if axis == 0 { board.row(cell) } else { board.col(cell) }
        };
        let mut standing = Standing::default();
        for (axis, lines) in self.lines.iter().enumerate() {
            for (merger, lines) in lines.iter().enumerate() {
                let cells = (0..board.cells()).filter(|&cell| cell != tiles.blank());
                let placed = cells
                    .map(|cell| (line(board, cell, axis), usize::from(self.homes[tiles.tile(cell)][axis])));
                standing.0[axis][merger] = lines.table(placed, line(board, tiles.blank(), axis));
            }
        }
        standing
    }

    /// The least number of moves by the tables of lines.
    #[inline(always)]
    fn sum(&self, standing: Standing) -> u8 {
        let [vertical, horizontal] = self.least(standing);
        let greater = vertical.max(horizontal);
        (vertical + horizontal).max((2 * greater).saturating_sub(1))
    }

    /// The least numbers of vertical and horizontal moves.
    #[inline(always)]
    fn least(&self, standing: Standing) -> [u8; 2] {
        std::array::from_fn(|axis| {
            let distances = self.lines[axis].iter().zip(standing.0[axis]);
            distances.map(|(lines, table)| lines.distance(table)).max().unwrap_or(0)
        })
    }

    /// The entry of each lookup.
    #[inline(always)]
    fn entries(&self, tiles: &Tiles) -> [u32; LOOKUPS] {
        let cells = self.puzzle.board().cells();
        let mut at = [0u8; MOST_CELLS];
        (0..cells).for_each(|cell| at[tiles.tile(cell)] = cell as u8);
        let mut entries = [0; LOOKUPS];
        for (entry, lookup) in entries.iter_mut().zip(&self.lookups) {
            let mut places = [0; MOST_PLACES];
            for (place, &tile) in places.iter_mut().zip(&lookup.tiles) {
                let cell = at[usize::from(tile)];
                *place = if lookup.is_transposed { self.transpose[usize::from(cell)] } else { cell };
            }
            *entry = MultiPattern::index(cells, &places[..lookup.tiles.len()]) as u32;
        }
        entries
    }

    /// The greatest of some entries.
    #[inline(always)]
    fn greatest(&self, entries: &[u32; LOOKUPS]) -> u8 {
        let read = |(lookup, &entry): (&Lookup, &u32)| self.tables[lookup.table].as_ref()[entry as usize];
        self.lookups.iter().zip(entries).map(read).max().unwrap_or(0)
    }

    /// The tables of lines of the child that `op` leads to.
    #[inline(always)]
    fn after(&self, standing: Standing, tiles: &Tiles, op: Op) -> Standing {
        let axis = usize::from(!is_vertical(op));
        let direction = op.index() % OPS;
        let towards_last = direction == DOWN.index() || direction == RIGHT.index();
        let mut after = standing;
        for cell in self.puzzle.path(tiles.blank(), op) {
            let goal = usize::from(self.homes[tiles.tile(cell)][axis]);
            for (table, lines) in after.0[axis].iter_mut().zip(&self.lines[axis]) {
                *table = lines.after(*table, towards_last, goal);
            }
        }
        after
    }
}

impl ChildBound<MultiPuzzle> for MultiBound {
    type Carry = Standing;
    type Probe = Probe;
    type Memo = Standing;

    fn stages(&self) -> usize {
        if self.lookups.is_empty() { 1 } else { 2 }
    }

    fn carry(&self, _: &MultiPuzzle, state: &Tiles) -> Standing {
        self.standing(state)
    }

    #[inline(always)]
    fn carry_child(
        &self,
        _: NodeRef<'_, MultiPuzzle, Standing>,
        _: Op,
        _: &Tiles,
        standing: &Standing,
    ) -> Standing {
        *standing
    }

    #[inline(always)]
    fn locate(&self, node: NodeRef<'_, MultiPuzzle, Standing>, op: Op, stage: usize) -> Probe {
        let standing = self.after(*node.carry, node.state, op);
        if stage == 0 {
            return Probe { standing, entries: [0; LOOKUPS] };
        }
        let child = search_core::Domain::apply(node.domain, node.state, op);
        let entries = self.entries(&child);
        for (lookup, &entry) in self.lookups.iter().zip(&entries) {
            prefetch(self.tables[lookup.table].as_ref().as_ptr().wrapping_add(entry as usize));
        }
        Probe { standing, entries }
    }

    #[inline(always)]
    fn read(&self, probe: Probe, stage: usize, memo: &mut Standing) -> u8 {
        *memo = probe.standing;
        if stage == 0 { self.sum(probe.standing) } else { self.greatest(&probe.entries) }
    }

    fn value(&self, _: &MultiPuzzle, state: &Tiles) -> u8 {
        self.bound(state)
    }
}

impl Ranked<MultiPuzzle> for MultiBound {
    /// The value, then the numbers of vertical and horizontal moves.
    fn rank(&self, standing: &Standing, value: u32) -> u32 {
        let [vertical, horizontal] = self.least(*standing);
        value << 8 | u32::from(vertical) + u32::from(horizontal)
    }
}
