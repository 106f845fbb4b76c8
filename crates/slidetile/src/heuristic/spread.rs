//! A rank for beams on boards without pattern databases, with Manhattan distance and linear conflict as the bound.
//!
//! The idea: a beam needs an estimate of the moves that are left, not a lower bound. The rank adds a cost for each
//! tile and one for each linear conflict. A tile's cost grows faster than its distance, so no tile is left far behind,
//! and it is greater for tiles whose goals are near the border, which have the fewest ways home.
//!
//! The bound: the tiles that never leave their goal line are in goal order, so they are at most a longest increasing
//! subsequence of the line. Each of the others makes two moves that Manhattan distance does not count
//! (`lines` has the same values in tables).
//!
//! **Incremental.** A move along a line does not change the order of its tiles, so it changes the conflicts of the two
//! crossing lines at most, and only if one of them is the tile's goal line. Nothing is computed before it is needed, so
//! the goal of a small part of a solution can have a rank of its own.
//!
//! The constants were chosen by the lengths of solutions of random 6x6 boards.
//!
//! Source of the bound: Hansson, Mayer & Yung 1992.

use search_core::Op;
use search_core::heuristic::{ChildBound, NodeRef};

use super::Ranked;
use crate::board::{Board, MAX_CELLS, MAX_SIDE};
use crate::puzzle::Puzzle;
use crate::tiles::Tiles;

/// The cost of a tile by its distance d: 100 (d^1.4 - 0.5).
const COSTS: [u32; 2 * MAX_SIDE - 1] =
    [0, 50, 214, 416, 646, 902, 1179, 1475, 1788, 2117, 2462, 2820, 3192, 3577, 3973, 4381, 4800, 5230, 5670];
/// The cost of a linear conflict.
const CONFLICT: u32 = 600;
/// The weight of a tile whose goal is in a corner, and that of the innermost tiles.
const CORNER: usize = 200;
const MIDDLE: usize = 100;

/// The heuristic.
pub(crate) struct Spread {
    board: Board,
    /// By tile: its goal cell.
    homes: [usize; MAX_CELLS],
    /// By tile and cell.
    costs: Vec<u16>,
}

/// The Manhattan distance of a state, the number of tiles that must leave their lines, and the cost of all tiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Placed {
    distance: u16,
    leavers: u16,
    cost: u32,
}

impl Placed {
    /// Manhattan distance.
    pub fn distance(self) -> u32 {
        self.distance.into()
    }

    /// Manhattan distance and linear conflict.
    pub fn value(self) -> u32 {
        u32::from(self.distance) + 2 * u32::from(self.leavers)
    }
}

impl Spread {
    /// The ranks on the way to this goal.
    pub fn to<const BYTES: usize>(board: Board, goal: &Tiles<BYTES>) -> Spread {
        Spread::within(board, goal, ((0, board.rows()), (0, board.cols())), |_| 1)
    }

    /// The ranks on the way to this goal within a rectangle of rows and columns (the first, and the one after the last).
    /// `factor` is the weight of the tile with its goal in a cell of the rectangle, at most 4; other tiles cost nothing.
    pub fn within<const BYTES: usize>(
        board: Board,
        goal: &Tiles<BYTES>,
        (rows, cols): ((usize, usize), (usize, usize)),
        factor: impl Fn(usize) -> u32,
    ) -> Spread {
        let homes = goal.positions(board);
        let inwards = |at: usize, (from, to): (usize, usize)| (at - from).min(to - 1 - at);
        let side = (rows.1 - rows.0).max(cols.1 - cols.0);
        let mut costs = vec![0; board.cells() * board.cells()];
        for row in rows.0..rows.1 {
            for col in cols.0..cols.1 {
                let home = board.cell(row, col);
                let depth = inwards(row, rows) + inwards(col, cols);
                let weight = factor(home) * (CORNER - (CORNER - MIDDLE) * depth.min(side) / side) as u32;
                let row = &mut costs[goal.tile(home) * board.cells()..][..board.cells()];
                for (cell, cost) in row.iter_mut().enumerate().filter(|_| goal.tile(home) != 0) {
                    *cost = u16::try_from(COSTS[board.distance(home, cell)] * weight / MIDDLE as u32)
                        .expect("factors are at most 4");
                }
            }
        }
        Spread { board, homes, costs }
    }

    /// The cost of a tile in a cell.
    fn tile_cost(&self, tile: usize, cell: usize) -> u32 {
        self.costs[tile * self.board.cells() + cell].into()
    }

    /// The distance of a tile in a cell from its goal.
    pub fn distance(&self, tile: usize, cell: usize) -> usize {
        self.board.distance(cell, self.homes[tile])
    }

    /// The number of tiles that must leave a line, a row or a column, with these tiles.
    fn line_leavers(&self, is_row: bool, line: usize, tile_at: impl Fn(usize) -> usize) -> u16 {
        let board = self.board;
        let (mut goals, mut lengths) = ([0; MAX_SIDE], [0u8; MAX_SIDE]);
        let (mut count, mut longest) = (0, 0);
        for place in 0..if is_row { board.cols() } else { board.rows() } {
            let tile = tile_at(if is_row { board.cell(line, place) } else { board.cell(place, line) });
            let (row, col) = (board.row(self.homes[tile]), board.col(self.homes[tile]));
            let (is_here, goal) = if is_row { (row == line, col) } else { (col == line, row) };
            if tile == 0 || !is_here {
                continue;
            }
            let before = (0..count).filter(|&other| goals[other] < goal).map(|other| lengths[other]).max();
            (goals[count], lengths[count]) = (goal, before.unwrap_or(0) + 1);
            longest = longest.max(lengths[count]);
            count += 1;
        }
        count as u16 - u16::from(longest)
    }

    /// The change of the number of tiles that must leave their lines when the tile in `from` slides into the blank's
    /// cell.
    fn change<const BYTES: usize>(&self, tiles: &Tiles<BYTES>, from: usize) -> i16 {
        let (board, to, tile) = (self.board, tiles.blank(), tiles.tile(from));
        // Along a row the columns change, along a column the rows.
        let is_row = board.col(from) == board.col(to);
        let line = |cell: usize| if is_row { board.row(cell) } else { board.col(cell) };
        let goal = line(self.homes[tile]);
        if goal != line(from) && goal != line(to) {
            return 0;
        }
        let after = |cell: usize| match cell {
            _ if cell == from => 0,
            _ if cell == to => tile,
            _ => tiles.tile(cell),
        };
        let before = self.line_leavers(is_row, goal, |cell| tiles.tile(cell));
        self.line_leavers(is_row, goal, after) as i16 - before as i16
    }

    /// The sums over all tiles of a state.
    pub fn placed<const BYTES: usize>(&self, state: &Tiles<BYTES>) -> Placed {
        let (rows, cols) = (0..self.board.rows(), 0..self.board.cols());
        let rows = rows.map(|row| self.line_leavers(true, row, |cell| state.tile(cell)));
        let cols = cols.map(|col| self.line_leavers(false, col, |cell| state.tile(cell)));
        let mut placed = Placed { leavers: rows.chain(cols).sum(), ..Placed::default() };
        for cell in (0..self.board.cells()).filter(|&cell| cell != state.blank()) {
            let tile = state.tile(cell);
            placed.distance += self.distance(tile, cell) as u16;
            placed.cost += self.tile_cost(tile, cell);
        }
        placed
    }

    /// The sums after the tile in `from` has moved into the blank's cell.
    pub fn after<const BYTES: usize>(&self, parent: Placed, tiles: &Tiles<BYTES>, from: usize) -> Placed {
        let (to, tile) = (tiles.blank(), tiles.tile(from));
        let step = if self.distance(tile, to) < self.distance(tile, from) { -1 } else { 1 };
        Placed {
            distance: parent.distance.wrapping_add_signed(step),
            leavers: parent.leavers.wrapping_add_signed(self.change(tiles, from)),
            cost: parent.cost + self.tile_cost(tile, to) - self.tile_cost(tile, from),
        }
    }

    /// The rank of a state with these sums.
    pub fn cost(&self, placed: &Placed) -> u32 {
        placed.cost + CONFLICT * u32::from(placed.leavers)
    }
}

impl<const BYTES: usize> ChildBound<Puzzle<BYTES>> for Spread {
    type Carry = Placed;
    type Probe = Placed;
    type Memo = Placed;

    fn carry(&self, _: &Puzzle<BYTES>, state: &Tiles<BYTES>) -> Placed {
        self.placed(state)
    }

    fn carry_child(
        &self,
        _: NodeRef<'_, Puzzle<BYTES>, Placed>,
        _: Op,
        _: &Tiles<BYTES>,
        placed: &Placed,
    ) -> Placed {
        *placed
    }

    fn locate(&self, node: NodeRef<'_, Puzzle<BYTES>, Placed>, op: Op, _: usize) -> Placed {
        self.after(*node.carry, node.state, node.domain.target(node.state.blank(), op))
    }

    fn read(&self, placed: Placed, _: usize, memo: &mut Placed) -> u8 {
        *memo = placed;
        placed.value().min(255) as u8
    }

    fn value(&self, puzzle: &Puzzle<BYTES>, state: &Tiles<BYTES>) -> u8 {
        self.carry(puzzle, state).value().min(255) as u8
    }
}

impl<const BYTES: usize> Ranked<Puzzle<BYTES>> for Spread {
    fn rank(&self, placed: &Placed, _: u32) -> u32 {
        self.cost(placed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::Parts;
    use crate::heuristic::explain::explain;
    use crate::random::Instances;
    use search_core::Domain;

    /// Along walks, carried values are those from scratch, and those of the reference implementation.
    #[test]
    fn values_are_those_of_the_reference_implementation() {
        for size in ["2x2", "3x3", "4x5", "2x6", "6x6", "9x10"] {
            let board: Board = size.parse().expect("a size");
            let puzzle = Puzzle::new(board, Tiles::spiral(board));
            let spread = Spread::to(board, puzzle.goal());
            let starts = Instances::new(board, *puzzle.goal(), 3).take(3).chain([*puzzle.goal()]);
            for mut tiles in starts {
                let mut placed = ChildBound::carry(&spread, &puzzle, &tiles);
                for step in 0..60usize {
                    assert_eq!(placed, ChildBound::carry(&spread, &puzzle, &tiles), "{size} {step}");
                    let exact = explain(&puzzle, Parts::CONFLICTS, &tiles).value();
                    assert_eq!(placed.value(), exact, "{size} {step}");
                    let ops: Vec<Op> = puzzle.applicable(&tiles).into_iter().collect();
                    let op = ops[step * step % 7 % ops.len()];
                    let node = NodeRef { domain: &puzzle, state: &tiles, carry: &placed };
                    (placed, tiles) = (ChildBound::locate(&spread, node, op, 0), puzzle.apply(&tiles, op));
                }
            }
        }
    }
}
