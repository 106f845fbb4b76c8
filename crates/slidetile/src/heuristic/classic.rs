//! The paper's heuristics together, specialised and incremental: Manhattan distance, linear
//! conflict, the last two moves, corner tiles.
//!
//! The idea: everything that the four parts ask of a state is a **sum over its tiles** of small
//! integers that depend on the tile and its cell alone: distances, digits of the lines' contents,
//! flags. So a state is summarised by a vector of 16-bit lanes; a move subtracts one row of a table
//! and adds another, and the value is a function of the vector and the blank's cell, without a loop
//! over tiles and without a branch.
//!
//! | lanes | hold |
//! | --- | --- |
//! | 0..=5, 6..=11 | contents of rows, of columns (keys of [`LineTable`]; the last line is always 5 or 11) |
//! | 12 | Manhattan distance, and from bit 12 which corners hold their tile |
//! | 13, 14 | which visits cost two moves, which cost two moves out of line |
//! | 15 | which tiles stand beside a corner in their goal; from bit 8 where a corner's tile stands across |
//!
//! Boards with a side of 6 have 32 lanes, since a line of six has more contents than 16 bits: the
//! upper cells of line `l` are keyed in lane `16 + l`.
//!
//! Why it is admissible: docs/sliding-tiles.md, and the parts' own files. Each extra move is
//! horizontal or vertical and belongs to one tile, so to one line. Rows and columns are priced
//! separately, with forced tiles inside the line's price; the cheapest ending is added last, and
//! what a line or a corner may have paid for is free in it. A state at most one move from the goal
//! by Manhattan distance is exactly that far, and the last two moves do not apply to it.
//!
//! Source: Korf & Taylor 1996, "Improved Admissible Heuristics".

use search_core::{Heuristic, Op};

use super::corners::{self, Side};
use super::endings::{Price, Visit, endings};
use super::lines::{Entry, LineTable};
use crate::board::{Board, MAX_CELLS, MAX_SIDE};
use crate::puzzle::Puzzle;
use crate::tiles::Tiles;

const DISTANCE: usize = 12;
const TWO: usize = 13;
const OUT_OF_LINE: usize = 14;
const CORNERS: usize = 15;
/// The lines of a board: six rows and six columns.
const LINES: usize = 2 * MAX_SIDE;
/// The cells of a line that its first lane keys when there are 32 lanes.
const LOWER: usize = 3;

/// Which parts are added to Manhattan distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Linear conflict.
    pub conflicts: bool,
    /// How many last moves are considered: 0, 1 or 2.
    pub last_moves: usize,
    /// Corner tiles (off on boards with a side of 2).
    pub corners: bool,
}

impl Parts {
    /// Manhattan distance alone.
    pub const MANHATTAN: Parts = Parts { conflicts: false, last_moves: 0, corners: false };
    /// Manhattan distance and linear conflict.
    pub const CONFLICTS: Parts = Parts { conflicts: true, last_moves: 0, corners: false };
    /// Everything in Korf & Taylor 1996.
    pub const ALL: Parts = Parts { conflicts: true, last_moves: 2, corners: true };
}

/// A state's summary: sums over its tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct Lanes<const L: usize>([u16; L]);

impl<const L: usize> Lanes<L> {
    const ZERO: Lanes<L> = Lanes([0; L]);

    #[inline(always)]
    fn add(&self, other: &Lanes<L>) -> Lanes<L> {
        Lanes(std::array::from_fn(|lane| self.0[lane].wrapping_add(other.0[lane])))
    }

    #[inline(always)]
    fn subtract(&self, other: &Lanes<L>) -> Lanes<L> {
        Lanes(std::array::from_fn(|lane| self.0[lane].wrapping_sub(other.0[lane])))
    }
}

/// The heuristic. `L` is [`LANES`] for sides up to 5, [`WIDE_LANES`] for boards with a side of 6.
pub struct Classic<const L: usize> {
    parts: Parts,
    /// What each tile adds to the lanes, by tile and cell.
    shares: Box<[[Lanes<L>; MAX_CELLS]; MAX_CELLS]>,
    /// The row table's entries, then the column table's if it is another.
    entries: Vec<Entry>,
    row_contents: usize,
    col_contents: usize,
    col_base: usize,
    row_upper: usize,
    col_upper: usize,
    visits: Vec<Visit>,
    /// For each visit, its line and the bit of its tile in [`Entry::leavers`].
    lines: Vec<(usize, u32)>,
    /// Moves that the cheapest ending costs, by the set of visits that cost two.
    ending: Vec<u8>,
    /// Visits that are free when these sides are flagged.
    freed: Box<[u16; 256]>,
    /// The flags of the corner that a cell is.
    corner_at: [u8; MAX_CELLS],
}

/// Lanes for boards with sides up to 5.
pub const LANES: usize = 16;
/// Lanes for boards with a side of 6.
pub const WIDE_LANES: usize = 32;

impl<const L: usize> Classic<L> {
    /// The heuristic of `puzzle` with these parts.
    ///
    /// # Panics
    /// If `L` is not the number of lanes for the board.
    pub fn new(puzzle: &Puzzle, parts: Parts) -> Classic<L> {
        let board = puzzle.board();
        let wide = board.rows().max(board.cols()) > 5;
        assert_eq!(L, if wide { WIDE_LANES } else { LANES }, "lanes for a {board} board");
        let table = if parts.conflicts { LineTable::new } else { LineTable::without_conflicts };
        let (rows, cols) = (table(board.cols()), table(board.rows()));
        let shared = rows.length() == cols.length();
        let mut entries = rows.entries().to_vec();
        let col_base = if shared { 0 } else { entries.len() };
        if !shared {
            entries.extend_from_slice(cols.entries());
        }
        let endings = endings(board, puzzle.goal(), parts.last_moves.max(1));
        let visits = distinct(&endings);
        let mut heuristic = Classic {
            parts,
            shares: vec![[Lanes::ZERO; MAX_CELLS]; MAX_CELLS].try_into().expect("a row for each tile"),
            entries,
            row_contents: rows.contents(),
            col_contents: cols.contents(),
            col_base,
            row_upper: (board.cols() + 1).pow(LOWER as u32),
            col_upper: (board.rows() + 1).pow(LOWER as u32),
            lines: visits.iter().map(|visit| line_of(board, visit)).collect(),
            ending: cheapest(&endings, &visits, parts.last_moves > 0),
            freed: Box::new([0; 256]),
            visits,
            corner_at: [0; MAX_CELLS],
        };
        heuristic.fill_corners(board);
        heuristic.fill_shares(puzzle);
        heuristic
    }

    /// Which parts are on.
    pub fn parts(&self) -> Parts {
        self.parts
    }

    fn fill_corners(&mut self, board: Board) {
        let sides = corners::sides(board);
        for (at, side) in sides.iter().enumerate() {
            self.corner_at[side.corner] |= 1 << at;
        }
        for flags in 0..self.freed.len() {
            for (at, visit) in self.visits.iter().enumerate() {
                let forced = |(side, _): &(&Side, usize)| side.beside == visit.home;
                if sides.iter().zip(0..).any(|pair| forced(&pair) && flags >> pair.1 & 1 == 1) {
                    self.freed[flags] |= 1 << at;
                }
            }
        }
    }

    fn fill_shares(&mut self, puzzle: &Puzzle) {
        let board = puzzle.board();
        let home = puzzle.goal().positions(board);
        for tile in 1..board.cells() {
            for cell in 0..board.cells() {
                let mut lanes = [0u16; L];
                lanes[DISTANCE] = board.distance(cell, home[tile]) as u16;
                add_lines(board, cell, home[tile], &mut lanes);
                self.add_visits(board, tile, cell, &mut lanes);
                if self.parts.corners && corners::applies(board) {
                    add_corners(board, puzzle.goal(), tile, cell, &mut lanes);
                }
                self.shares[tile][cell] = Lanes(lanes);
            }
        }
    }

    fn add_visits(&self, board: Board, tile: usize, cell: usize, lanes: &mut [u16; L]) {
        for (at, visit) in self.visits.iter().enumerate().filter(|(_, visit)| visit.tile == tile) {
            match visit.price(board, cell) {
                Price::Free => {}
                Price::Two => lanes[TWO] |= 1 << at,
                Price::OutOfLine => lanes[OUT_OF_LINE] |= 1 << at,
            }
        }
    }

    /// The lanes of `tiles`, from scratch.
    fn sum(&self, board: Board, tiles: &Tiles) -> Lanes<L> {
        let cells = (0..board.cells()).filter(|&cell| cell != tiles.blank());
        cells.fold(Lanes::ZERO, |sum, cell| sum.add(&self.shares[tiles.tile(cell)][cell]))
    }

    /// The lanes after the tile in `from` has slid into the blank's cell.
    #[inline(always)]
    fn slide(&self, lanes: &Lanes<L>, tiles: &Tiles, from: usize) -> Lanes<L> {
        let shares = &self.shares[tiles.tile(from)];
        lanes.subtract(&shares[from]).add(&shares[tiles.blank()])
    }

    /// The sides whose tile must move.
    #[inline(always)]
    fn forced(&self, lanes: &Lanes<L>, blank: usize) -> usize {
        let right = usize::from(lanes.0[DISTANCE] >> 12);
        // Corners in the order of the row sides, then in the order of the column sides.
        let right = right | right << 4 & 0x90 | right << 5 & 0x40 | right << 3 & 0x20;
        let beside = usize::from(lanes.0[CORNERS] & 0xFF);
        let across = usize::from(lanes.0[CORNERS] >> 8);
        beside & !right & !(across & usize::from(self.corner_at[blank]))
    }

    /// The entry of a line with `forced` tiles.
    #[inline(always)]
    fn entry(&self, lanes: &Lanes<L>, line: usize, forced: usize) -> Entry {
        let mut key = usize::from(lanes.0[line]);
        if L > LANES {
            let upper = if line < MAX_SIDE { self.row_upper } else { self.col_upper };
            key += upper * usize::from(lanes.0[LANES + line]);
        }
        let base = if line < MAX_SIDE { 0 } else { self.col_base };
        let contents = if line < MAX_SIDE { self.row_contents } else { self.col_contents };
        self.entries[base + contents * forced + key]
    }

    /// The value of a state from its lanes and the blank's cell.
    #[inline(always)]
    fn evaluate(&self, lanes: &Lanes<L>, blank: usize) -> u8 {
        let forced = self.forced(lanes, blank);
        let mut entries = [Entry::default(); LINES];
        let mut extra = 0;
        for (line, slot) in entries.iter_mut().enumerate() {
            let forced = match line {
                0 => forced & 3,
                5 => forced >> 2 & 3,
                6 => forced >> 4 & 3,
                11 => forced >> 6 & 3,
                _ => 0,
            };
            *slot = self.entry(lanes, line, forced);
            extra += slot.cost();
        }
        let mut leavers = 0u16;
        for (at, &(line, bit)) in self.lines.iter().enumerate() {
            leavers |= ((entries[line % LINES].leavers() >> bit & 1) as u16) << at;
        }
        let dear = (lanes.0[TWO] | lanes.0[OUT_OF_LINE] & !leavers) & !self.freed[forced];
        let distance = u32::from(lanes.0[DISTANCE] & 0xFFF);
        let ending = if distance > 1 { u32::from(self.ending[usize::from(dear)]) } else { 0 };
        (distance + extra + ending).min(255) as u8
    }
}

/// The visits of all endings, each once.
fn distinct(endings: &[Vec<Visit>]) -> Vec<Visit> {
    let mut visits: Vec<Visit> = Vec::new();
    for visit in endings.iter().flatten() {
        if !visits.contains(visit) {
            visits.push(*visit);
        }
    }
    assert!(visits.len() <= 16, "a cell has at most 16 visits around it");
    visits
}

/// The cheapest ending's moves, by the set of visits that cost two.
fn cheapest(endings: &[Vec<Visit>], visits: &[Visit], on: bool) -> Vec<u8> {
    let bit = |visit: &Visit| visits.iter().position(|other| other == visit).expect("a known visit");
    let sets: Vec<usize> =
        endings.iter().map(|ending| ending.iter().fold(0, |set, visit| set | 1 << bit(visit))).collect();
    (0..1usize << visits.len())
        .map(|dear| {
            let cost = sets.iter().map(|set| 2 * (set & dear).count_ones()).min().unwrap_or(0);
            if on { cost as u8 } else { 0 }
        })
        .collect()
}

/// The lane of row `row`: the last row is lane 5 on every board.
fn row_lane(board: Board, row: usize) -> usize {
    if row + 1 == board.rows() { MAX_SIDE - 1 } else { row }
}

/// The lane of column `col`: the last column is lane 11 on every board.
fn col_lane(board: Board, col: usize) -> usize {
    MAX_SIDE + if col + 1 == board.cols() { MAX_SIDE - 1 } else { col }
}

/// The line that a visit leaves, and its tile's place in that line.
fn line_of(board: Board, visit: &Visit) -> (usize, u32) {
    if visit.is_horizontal(board) {
        (col_lane(board, board.col(visit.home)), board.row(visit.home) as u32)
    } else {
        (row_lane(board, board.row(visit.home)), board.col(visit.home) as u32)
    }
}

/// Adds the digits of a tile in `cell` to its goal lines.
fn add_lines<const L: usize>(board: Board, cell: usize, home: usize, lanes: &mut [u16; L]) {
    let mut add = |line: usize, length: usize, place: usize, goal: usize| {
        let upper = L > LANES && place >= LOWER;
        let (lane, exponent) = if upper { (LANES + line, place - LOWER) } else { (line, place) };
        lanes[lane] += ((goal + 1) * (length + 1).pow(exponent as u32)) as u16;
    };
    let (row, col) = (board.row(cell), board.col(cell));
    if row == board.row(home) {
        add(row_lane(board, row), board.cols(), col, board.col(home));
    }
    if col == board.col(home) {
        add(col_lane(board, col), board.rows(), row, board.row(home));
    }
}

/// Adds what the corners ask of `tile` in `cell`.
fn add_corners<const L: usize>(board: Board, goal: &Tiles, tile: usize, cell: usize, lanes: &mut [u16; L]) {
    for (at, side) in corners::sides(board).iter().enumerate() {
        let right = goal.tile(side.corner);
        if right == 0 {
            continue;
        }
        let belongs = goal.tile(side.beside) == tile && side.beside == cell;
        lanes[CORNERS] |= u16::from(belongs) << at;
        lanes[CORNERS] |= u16::from(right == tile && side.across == cell) << (8 + at);
        if at < 4 {
            lanes[DISTANCE] |= u16::from(right == tile && side.corner == cell) << (12 + at);
        }
    }
}

impl<const L: usize> Heuristic<Puzzle> for Classic<L> {
    type Carry = Lanes<L>;
    type Probe = u8;
    type Memo = ();

    #[inline(always)]
    fn carry(&self, puzzle: &Puzzle, state: &Tiles) -> Lanes<L> {
        self.sum(puzzle.board(), state)
    }

    #[inline(always)]
    fn carry_child(
        &self,
        _: &Puzzle,
        parent: &Tiles,
        carry: &Lanes<L>,
        _: Op,
        child: &Tiles,
        _: &(),
    ) -> Lanes<L> {
        self.slide(carry, parent, child.blank())
    }

    #[inline(always)]
    fn locate(&self, puzzle: &Puzzle, parent: &Tiles, carry: &Lanes<L>, op: Op, _: usize) -> u8 {
        let from = puzzle.target(parent.blank(), op);
        self.evaluate(&self.slide(carry, parent, from), from)
    }

    #[inline(always)]
    fn read(&self, value: u8, _: usize, _: &mut ()) -> u8 {
        value
    }

    fn value(&self, puzzle: &Puzzle, state: &Tiles) -> u8 {
        self.evaluate(&self.sum(puzzle.board(), state), state.blank())
    }

    fn max_value(&self) -> u8 {
        u8::MAX
    }
}
