//! Sliding tiles: the referee's space of boards, and what it can prove about them.
//!
//! The estimate is Manhattan distance: every move brings one tile one cell nearer to its place or further away from it.
//! It is 0 at its end and changes by one with each move, so it is consistent.
//!
//! Parity: each move swaps the blank with a neighbour. On a board coloured like a chessboard the blank changes its
//! colour, and the permutation of all cells changes between odd and even. So all paths have the parity of the blank's
//! distance, and the goal can be reached only if the permutation has it too. (On boards with at least two rows and
//! columns this suffices: Archer 1999.)
//!
//! Where several tiles move as one, a move changes the distance by fewer than a side has cells, so the distance divided by
//! that number and rounded up is the estimate. A move may be an even or odd number of swaps, so paths have any parity.

use super::game::{Derived, Game, is_odd, searched};
use super::search::{End, Space};
use crate::tiles::{Board, Move, Slide, check_slides, parse_moves, parse_positions, parse_slides};

/// The maximum number of rows and of columns.
const MAX_SIDE: usize = 10;

/// The notation of a solution's moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// Directions of the blank, or numbers of tiles.
    Moves,
    /// Cells that the blank moves to.
    Positions,
}

/// A start, a goal and how moves are written.
pub(super) struct Tiles {
    rows: usize,
    columns: usize,
    start: Board,
    goal: Board,
    written: Written,
    /// Whether several tiles of a row or column move as one.
    is_multi: bool,
}

impl Tiles {
    /// Reads both boards, or describes their faults.
    pub(super) fn read(
        (rows, columns): (usize, usize),
        start: &str,
        goal: &str,
        written: Written,
    ) -> Result<Tiles, String> {
        if ![rows, columns].iter().all(|side| (2..=MAX_SIDE).contains(side)) {
            return Err(format!("a board has 2 to {MAX_SIDE} rows and columns, not {rows}x{columns}"));
        }
        let read = |name: &str, text| {
            Board::parse(rows, columns, text).map_err(|refusal| format!("the {name} is {refusal}"))
        };
        let (start, goal) = (read("start", start)?, read("goal", goal)?);
        Ok(Tiles { rows, columns, start, goal, written, is_multi: false })
    }

    /// The same boards, where several tiles move as one.
    pub(super) fn several_as_one(self) -> Tiles {
        Tiles { is_multi: true, ..self }
    }

    fn distance(&self, a: usize, b: usize) -> usize {
        (a / self.columns).abs_diff(b / self.columns) + (a % self.columns).abs_diff(b % self.columns)
    }

    /// The distance of the blank from its place.
    fn blank_distance(&self) -> usize {
        let blank = |board: &Board| places(board.cells())[0];
        self.distance(blank(&self.start), blank(&self.goal))
    }

    fn derive_in<const N: usize>(&self, bound: u32, effort: u64) -> Derived {
        let space = Boards::<N>::new(self);
        let columns = self.columns;
        let written = |from: [u8; N], to: [u8; N]| {
            let blank = |cells: [u8; N]| cells.iter().position(|&tile| tile == 0).unwrap_or(0);
            let (from, to) = (blank(from), blank(to));
            let (step, cells) = match (from / columns == to / columns, to < from) {
                (true, true) => (Move::Left, from - to),
                (true, false) => (Move::Right, to - from),
                (false, true) => (Move::Up, (from - to) / columns),
                (false, false) => (Move::Down, (to - from) / columns),
            };
            Slide::Cells(step, cells).to_string()
        };
        searched(&space, bound, effort, if self.is_multi { " " } else { "" }, written)
    }
}

/// The cell of each tile.
fn places(cells: &[usize]) -> Vec<usize> {
    let mut places = vec![0; cells.len()];
    for (cell, &tile) in cells.iter().enumerate() {
        places[tile] = cell;
    }
    places
}

impl Game for Tiles {
    fn obstacle(&self) -> Option<String> {
        let goal = places(self.goal.cells());
        let permutation: Vec<usize> = self.start.cells().iter().map(|&tile| goal[tile]).collect();
        let differs = is_odd(&permutation) != (self.blank_distance() % 2 == 1);
        differs.then(|| "the tiles' permutation has the wrong parity".to_owned())
    }

    fn parity(&self) -> Option<u32> {
        (!self.is_multi).then(|| u32::from(self.blank_distance() % 2 == 1))
    }

    fn is_described_by(&self, text: &str) -> Option<bool> {
        Board::parse(self.rows, self.columns, text).ok().map(|board| board == self.start)
    }

    fn replay(&mut self, solution: &str) -> Result<u64, String> {
        let check = || {
            if self.is_multi {
                let slides = parse_slides(solution, self.written == Written::Positions)?;
                check_slides(&self.start, &self.goal, &slides, slides.len() as u64)?;
                return Ok(slides.len() as u64);
            }
            let moves = match self.written {
                Written::Moves => parse_moves(solution)?,
                Written::Positions => parse_positions(solution)?,
            };
            crate::tiles::check_moves(&self.start, &self.goal, &moves, moves.len() as u64)?;
            Ok(moves.len() as u64)
        };
        check().map_err(|refusal: crate::Refusal| refusal.to_string())
    }

    fn derive(&self, bound: u32, effort: u64) -> Derived {
        match self.rows * self.columns {
            0..=25 => self.derive_in::<25>(bound, effort),
            _ => self.derive_in::<100>(bound, effort),
        }
    }
}

/// Boards as lists of tiles, padded at the end with missing cells.
struct Boards<const N: usize> {
    cells: usize,
    ends: [[u8; N]; 2],
    /// For each end, tile and cell: the distance from the tile's place.
    distances: [Vec<[u8; N]>; 2],
    /// For each cell: the cells that the blank moves to, each with those that it passes before, in order.
    paths: Vec<Vec<Vec<usize>>>,
    /// The greatest number of tiles that a move slides.
    most: u32,
}

impl<const N: usize> Boards<N> {
    fn new(of: &Tiles) -> Boards<N> {
        let cells = of.rows * of.columns;
        let boards = [&of.start, &of.goal];
        let list = |board: &Board| {
            let mut list = [u8::MAX; N];
            list.iter_mut().zip(board.cells()).for_each(|(to, &tile)| *to = tile as u8);
            list
        };
        let distances = |board: &Board| {
            let distance = |tile: usize, place: usize, cell: usize| match tile {
                0 => 0,
                _ if cell < cells => of.distance(place, cell) as u8,
                _ => 0,
            };
            let row =
                |(tile, &place): (usize, &usize)| std::array::from_fn(|cell| distance(tile, place, cell));
            places(board.cells()).iter().enumerate().map(row).collect()
        };
        let most = if of.is_multi { of.rows.max(of.columns) - 1 } else { 1 };
        let paths = |cell: usize| {
            let reached = (0..cells).filter(|&other| {
                let is_in_line =
                    cell / of.columns == other / of.columns || cell % of.columns == other % of.columns;
                is_in_line && (1..=most).contains(&of.distance(cell, other))
            });
            let path = |other: usize| {
                let step = if cell / of.columns == other / of.columns { 1 } else { of.columns };
                let passed = (1..=cell.abs_diff(other) / step)
                    .map(|more| if other > cell { cell + more * step } else { cell - more * step });
                passed.collect()
            };
            reached.map(path).collect()
        };
        Boards {
            cells,
            ends: boards.map(list),
            distances: boards.map(distances),
            paths: (0..cells).map(paths).collect(),
            most: most as u32,
        }
    }
}

impl<const N: usize> Space for Boards<N> {
    type State = [u8; N];

    fn ends(&self, end: End) -> Vec<[u8; N]> {
        vec![self.ends[end as usize]]
    }

    fn neighbours(&self, state: [u8; N], mut visit: impl FnMut([u8; N])) {
        let blank = state.iter().position(|&tile| tile == 0).unwrap_or(0);
        for path in &self.paths[blank] {
            let (mut child, mut blank) = (state, blank);
            for &cell in path {
                child.swap(blank, cell);
                blank = cell;
            }
            visit(child);
        }
    }

    fn step(&self) -> u32 {
        if self.most > 1 { 1 } else { 2 }
    }

    fn estimate(&self, state: [u8; N], from: End) -> u32 {
        let distances = &self.distances[from as usize];
        let of = |(cell, &tile): (usize, &u8)| u32::from(distances[usize::from(tile)][cell]);
        state[..self.cells].iter().enumerate().map(of).sum::<u32>().div_ceil(self.most)
    }
}
