//! A stage of a large board: some lines of it are brought home by a beam, while finished lines stay as they are.
//!
//! The rank counts all tiles ([`Spread`]): tiles cost more the farther they are from home, and those whose goals are near
//! the border of the unfinished area cost more than others, because they have the fewest ways home. The tiles of the
//! stage weigh more than the rest; the rest looks ahead to the next stages.

use search_core::beam::{self, Beam};
use search_core::heuristic::{ChildBound, NodeRef};
use search_core::{Domain, Op, OpSet, Run};

use crate::board::{Board, OPS};
use crate::heuristic::{Placed, Spread};
use crate::puzzle::Puzzle;
use crate::tiles::Tiles;

/// The factor by which the tiles of a stage weigh more than others.
const WANTED: u32 = 4;

/// A part of a board: rows and columns, the first and the one after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    rows: (usize, usize),
    cols: (usize, usize),
}

impl Area {
    /// The whole board.
    pub fn of(board: Board) -> Area {
        Area { rows: (0, board.rows()), cols: (0, board.cols()) }
    }

    pub fn contains(&self, board: Board, cell: usize) -> bool {
        (self.rows.0..self.rows.1).contains(&board.row(cell))
            && (self.cols.0..self.cols.1).contains(&board.col(cell))
    }

    /// The cells in order.
    pub fn cells(self, board: Board) -> impl Iterator<Item = usize> {
        (0..board.cells()).filter(move |&cell| self.contains(board, cell))
    }

    /// The next line to finish: of a longer side with more than `most` cells, the row or column at its end that is farther
    /// from the blank's goal; `None` if the rest is finished at once.
    pub fn next_line(&self, puzzle: &Puzzle, most: usize) -> Option<Area> {
        let (board, blank) = (puzzle.board(), puzzle.goal().blank());
        let (rows, cols) = (self.rows.1 - self.rows.0, self.cols.1 - self.cols.0);
        let end = |at: usize, (from, to): (usize, usize)| {
            if at - from > to - 1 - at { (from, from + 1) } else { (to - 1, to) }
        };
        match (rows >= cols, rows.max(cols) > most) {
            (_, false) => None,
            (true, _) => Some(Area { rows: end(board.row(blank), self.rows), ..*self }),
            (false, _) => Some(Area { cols: end(board.col(blank), self.cols), ..*self }),
        }
    }

    /// The area without a line at one of its ends.
    pub fn without(&self, line: Area) -> Area {
        let rest = |(from, to): (usize, usize), (first, last): (usize, usize)| match (from, to) {
            _ if (from, to) == (first, last) => (from, to),
            _ if from == first => (last, to),
            _ => (from, first),
        };
        Area { rows: rest(self.rows, line.rows), cols: rest(self.cols, line.cols) }
    }
}

/// A stage: the domain of its beam, and its ranks.
pub(super) struct Stage<'a> {
    puzzle: &'a Puzzle,
    spread: Spread,
    area: Area,
    /// The cells whose tiles must come home; with all cells of the area, the blank must too.
    aim: Area,
    /// By tile: whether its goal is in the aim.
    is_wanted: Vec<bool>,
}

/// The distance of the wanted tiles, and the sums over all tiles.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Standing {
    distance: u16,
    placed: Placed,
}

impl<'a> Stage<'a> {
    /// The stage that brings home the tiles with their goals in `aim`, which is a part of `area`, within `area`.
    pub fn new(puzzle: &'a Puzzle, area: Area, aim: Area) -> Stage<'a> {
        let board = puzzle.board();
        let wanted = |cell: usize| area != aim && aim.contains(board, cell);
        let factor = |cell: usize| if wanted(cell) { WANTED } else { 1 };
        let (rows, cols) = (area.rows, area.cols);
        let spread = Spread::within(board, puzzle.goal(), (rows, cols), factor);
        let mut is_wanted = vec![false; board.cells()];
        aim.cells(board).for_each(|cell| is_wanted[puzzle.goal().tile(cell)] = true);
        is_wanted[0] = false;
        Stage { puzzle, spread, area, aim, is_wanted }
    }

    /// Searches for the moves that end the stage, fewer than `below`.
    pub fn beam(&self, tiles: &Tiles, width: usize, below: u32, run: &Run<'_>) -> Option<Vec<Op>> {
        let rank = |standing: &Standing, _| self.spread.cost(&standing.placed);
        beam::search_by(self, self, &rank, tiles, &Beam { width, below }, run).ok().flatten()
    }

    /// The Manhattan distance of the tiles that must come home.
    pub fn distance(&self, tiles: &Tiles) -> u32 {
        ChildBound::carry(self, self, tiles).distance.into()
    }
}

impl Domain for Stage<'_> {
    type State = Tiles;

    fn op_count(&self) -> usize {
        OPS
    }

    fn applicable(&self, state: &Tiles) -> OpSet {
        let enters =
            |op: &Op| self.area.contains(self.puzzle.board(), self.puzzle.target(state.blank(), *op));
        self.puzzle.applicable(state).into_iter().filter(enters).fold(OpSet::EMPTY, OpSet::with)
    }

    fn apply(&self, state: &Tiles, op: Op) -> Tiles {
        self.puzzle.apply(state, op)
    }

    fn is_goal(&self, state: &Tiles) -> bool {
        let goal = self.puzzle.goal();
        self.aim.cells(self.puzzle.board()).all(|cell| state.tile(cell) == goal.tile(cell))
    }
}

impl<'s> ChildBound<Stage<'s>> for Stage<'s> {
    type Carry = Standing;
    type Probe = Standing;
    type Memo = Standing;

    fn carry(&self, _: &Stage<'s>, state: &Tiles) -> Standing {
        let cells = (0..self.puzzle.board().cells()).filter(|&cell| self.is_wanted[state.tile(cell)]);
        let distance: usize = cells.map(|cell| self.spread.distance(state.tile(cell), cell)).sum();
        Standing { distance: distance as u16, placed: self.spread.placed(state) }
    }

    fn carry_child(
        &self,
        _: NodeRef<'_, Stage<'s>, Standing>,
        _: Op,
        _: &Tiles,
        standing: &Standing,
    ) -> Standing {
        *standing
    }

    fn locate(&self, node: NodeRef<'_, Stage<'s>, Standing>, op: Op, _: usize) -> Standing {
        let (from, to) = (self.puzzle.target(node.state.blank(), op), node.state.blank());
        let (tile, Standing { mut distance, placed }) = (node.state.tile(from), *node.carry);
        if self.is_wanted[tile] {
            let nearer = self.spread.distance(tile, to) < self.spread.distance(tile, from);
            distance = distance.wrapping_add_signed(if nearer { -1 } else { 1 });
        }
        Standing { distance, placed: self.spread.after(placed, node.state, from) }
    }

    fn read(&self, standing: Standing, _: usize, memo: &mut Standing) -> u8 {
        *memo = standing;
        standing.distance.min(255) as u8
    }

    fn value(&self, domain: &Stage<'s>, state: &Tiles) -> u8 {
        self.read(self.carry(domain, state), 0, &mut Standing::default())
    }
}
