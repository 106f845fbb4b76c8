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
//! Most moves change nothing but the distance, by one, and that is known from the tile and its two
//! cells beforehand (`Effect`): the parent's value then gives the child's. Many others only bring
//! a tile into or out of one line, whose two entries then tell.
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

use search_core::{Heuristic, Op, OpSet};

use super::corners::{self, Side};
use super::endings::{Price, Visit, distinct, endings};
use super::lines::{Entry, LineTable};
use crate::board::{Board, MAX_CELLS, MAX_SIDE, OPS, inverse};
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

/// Sums over a state's tiles: lanes of 16 bits, four to a word. No lane's sum over the tiles of any
/// state passes 16 bits, so whole words can be added and subtracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes<const W: usize>([u64; W]);

impl<const W: usize> Lanes<W> {
    const ZERO: Lanes<W> = Lanes([0; W]);

    #[inline(always)]
    fn get(&self, lane: usize) -> usize {
        (self.0[lane / 4] >> (lane % 4 * 16)) as usize & 0xFFFF
    }

    #[inline(always)]
    fn add(&self, other: &Lanes<W>) -> Lanes<W> {
        Lanes(std::array::from_fn(|word| self.0[word].wrapping_add(other.0[word])))
    }

    #[inline(always)]
    fn subtract(&self, other: &Lanes<W>) -> Lanes<W> {
        Lanes(std::array::from_fn(|word| self.0[word].wrapping_sub(other.0[word])))
    }

    /// Adds `amount` to one lane.
    fn put(&mut self, lane: usize, amount: usize) {
        self.0[lane / 4] += (amount as u64) << (lane % 4 * 16);
    }
}

/// What a move changes in a state's value, known from the tile and its two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Effect {
    /// The change of the Manhattan distance.
    step: i8,
    /// What else may change.
    reach: Reach,
    /// The line concerned, for [`Reach::Line`].
    line: u8,
}

/// What a move may change beyond Manhattan distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// Nothing.
    Nothing,
    /// The cost of one line, which no visit concerns.
    Line,
    /// Anything.
    All,
}

/// A state's lanes, its forced sides and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary<const W: usize> {
    lanes: Lanes<W>,
    forced: u8,
    value: u8,
}

/// Values up to this are computed in full: so near the goal an ending may cease to apply.
const NEAR: u8 = 8;

/// The heuristic. `W` is [`WORDS`] for sides up to 5, [`WIDE_WORDS`] for boards with a side of 6.
pub struct Classic<const W: usize> {
    parts: Parts,
    /// What each tile adds to the lanes, by tile and cell.
    shares: Box<[[Lanes<W>; MAX_CELLS]; MAX_CELLS]>,
    /// What each move changes, by tile, the tile's cell before and the blank's operator.
    effects: Box<[[[Effect; OPS]; MAX_CELLS]; MAX_CELLS]>,
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

/// Words of lanes for boards with sides up to 5.
pub const WORDS: usize = 4;
/// Words of lanes for boards with a side of 6.
pub const WIDE_WORDS: usize = 8;
/// The lane of the upper cells of the first line.
const UPPER: usize = 16;

impl<const W: usize> Classic<W> {
    /// The heuristic of `puzzle` with these parts.
    ///
    /// # Panics
    /// If `W` is not the number of lanes for the board.
    pub fn new(puzzle: &Puzzle, parts: Parts) -> Classic<W> {
        let board = puzzle.board();
        let wide = board.rows().max(board.cols()) > 5;
        assert_eq!(W, if wide { WIDE_WORDS } else { WORDS }, "words for a {board} board");
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
            effects: vec![[[Effect { step: 0, reach: Reach::All, line: 0 }; OPS]; MAX_CELLS]; MAX_CELLS]
                .try_into()
                .expect("a row for each tile"),
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
        heuristic.fill_effects(puzzle);
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
        for (tile, &home) in home.iter().enumerate().take(board.cells()).skip(1) {
            for cell in 0..board.cells() {
                let mut lanes = Lanes::ZERO;
                lanes.put(DISTANCE, board.distance(cell, home));
                add_lines(board, cell, home, &mut lanes);
                self.add_visits(board, tile, cell, &mut lanes);
                if self.parts.corners && corners::applies(board) {
                    add_corners(board, puzzle.goal(), tile, cell, &mut lanes);
                }
                self.shares[tile][cell] = lanes;
            }
        }
    }

    fn fill_effects(&mut self, puzzle: &Puzzle) {
        let board = puzzle.board();
        let home = puzzle.goal().positions(board);
        for (tile, &home) in home.iter().enumerate().take(board.cells()).skip(1) {
            for from in 0..board.cells() {
                for op in OpSet::first(OPS) {
                    // The blank moves by `op` to `from`, so the tile moves against it.
                    if let Some(to) = board.neighbour(from, inverse(op)) {
                        self.effects[tile][from][op.index()] = self.effect(board, tile, home, from, to);
                    }
                }
            }
        }
    }

    fn effect(&self, board: Board, tile: usize, home: usize, from: usize, to: usize) -> Effect {
        let (before, after) = (&self.shares[tile][from], &self.shares[tile][to]);
        let step = board.distance(to, home) as i8 - board.distance(from, home) as i8;
        let same_flags = [TWO, OUT_OF_LINE, CORNERS].iter().all(|&lane| before.get(lane) == after.get(lane))
            && before.get(DISTANCE) >> 12 == after.get(DISTANCE) >> 12;
        let at_corner = self.parts.corners && self.corner_at[from] | self.corner_at[to] != 0;
        // A tile that moves along its goal line keeps its place among the line's tiles.
        let in_col = |cell| board.col(cell) == board.col(home);
        let in_row = |cell| board.row(cell) == board.row(home);
        let crossed = if in_col(from) != in_col(to) {
            Some(col_lane(board, board.col(home)))
        } else if in_row(from) != in_row(to) {
            Some(row_lane(board, board.row(home)))
        } else {
            None
        };
        let reach = match crossed {
            _ if !same_flags || at_corner => Reach::All,
            None => Reach::Nothing,
            Some(line) if self.lines.iter().any(|&(visited, _)| visited == line) => Reach::All,
            Some(_) => Reach::Line,
        };
        Effect { step, reach, line: crossed.unwrap_or(0) as u8 }
    }

    fn add_visits(&self, board: Board, tile: usize, cell: usize, lanes: &mut Lanes<W>) {
        for (at, visit) in self.visits.iter().enumerate().filter(|(_, visit)| visit.tile == tile) {
            match visit.price(board, cell) {
                Price::Free => {}
                Price::Two => lanes.put(TWO, 1 << at),
                Price::OutOfLine => lanes.put(OUT_OF_LINE, 1 << at),
            }
        }
    }

    /// The lanes of `tiles`, from scratch.
    fn sum(&self, board: Board, tiles: &Tiles) -> Lanes<W> {
        let cells = (0..board.cells()).filter(|&cell| cell != tiles.blank());
        cells.fold(Lanes::ZERO, |sum, cell| sum.add(&self.shares[tiles.tile(cell)][cell]))
    }

    /// The lanes after the tile in `from` has slid into the blank's cell.
    #[inline(always)]
    fn slide(&self, lanes: &Lanes<W>, tiles: &Tiles, from: usize) -> Lanes<W> {
        let shares = &self.shares[tiles.tile(from)];
        lanes.subtract(&shares[from]).add(&shares[tiles.blank()])
    }

    /// The sides whose tile must move.
    #[inline(always)]
    fn forced(&self, lanes: &Lanes<W>, blank: usize) -> usize {
        let right = lanes.get(DISTANCE) >> 12;
        // Corners in the order of the row sides, then in the order of the column sides.
        let right = right | right << 4 & 0x90 | right << 5 & 0x40 | right << 3 & 0x20;
        let beside = lanes.get(CORNERS) & 0xFF;
        let across = lanes.get(CORNERS) >> 8;
        beside & !right & !(across & usize::from(self.corner_at[blank]))
    }

    /// The entry of a line with `forced` tiles.
    #[inline(always)]
    fn entry(&self, lanes: &Lanes<W>, line: usize, forced: usize) -> Entry {
        let mut key = lanes.get(line);
        if W > WORDS {
            let upper = if line < MAX_SIDE { self.row_upper } else { self.col_upper };
            key += upper * lanes.get(UPPER + line);
        }
        let base = if line < MAX_SIDE { 0 } else { self.col_base };
        let contents = if line < MAX_SIDE { self.row_contents } else { self.col_contents };
        self.entries[base + contents * forced + key]
    }

    /// The sides forced on a line.
    #[inline(always)]
    fn forced_on(line: usize, forced: usize) -> usize {
        match line {
            0 => forced & 3,
            5 => forced >> 2 & 3,
            6 => forced >> 4 & 3,
            11 => forced >> 6 & 3,
            _ => 0,
        }
    }

    /// The summary of a state from its lanes and the blank's cell.
    #[inline(always)]
    fn summarize(&self, lanes: Lanes<W>, blank: usize) -> Summary<W> {
        let forced = self.forced(&lanes, blank);
        let mut extra = 0;
        for line in 0..LINES {
            extra += self.entry(&lanes, line, Self::forced_on(line, forced)).cost();
        }
        let mut dear = lanes.get(TWO);
        let mut doubtful = lanes.get(OUT_OF_LINE);
        while doubtful != 0 {
            let at = doubtful.trailing_zeros() as usize;
            let (line, bit) = self.lines[at];
            let leavers = self.entry(&lanes, line, Self::forced_on(line, forced)).leavers();
            dear |= ((!leavers >> bit & 1) as usize) << at;
            doubtful &= doubtful - 1;
        }
        dear &= !usize::from(self.freed[forced & 0xFF]);
        let distance = (lanes.get(DISTANCE) & 0xFFF) as u32;
        let ending = if distance > 1 { u32::from(self.ending[dear]) } else { 0 };
        Summary { lanes, forced: forced as u8, value: (distance + extra + ending).min(255) as u8 }
    }

    /// The value of the child in which the tile in `from` has slid into the blank's cell.
    #[inline(always)]
    fn child_value(&self, parent: &Tiles, summary: &Summary<W>, op: Op, from: usize) -> u8 {
        let tile = parent.tile(from);
        let effect = self.effects[tile][from][op.index()];
        if summary.value <= NEAR || effect.reach == Reach::All {
            return self.summarize(self.slide(&summary.lanes, parent, from), from).value;
        }
        let mut change = i32::from(effect.step);
        if effect.reach == Reach::Line {
            let line = usize::from(effect.line);
            let forced = Self::forced_on(line, usize::from(summary.forced));
            let after = self.slide(&summary.lanes, parent, from);
            change += self.entry(&after, line, forced).cost() as i32;
            change -= self.entry(&summary.lanes, line, forced).cost() as i32;
        }
        (i32::from(summary.value) + change) as u8
    }
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
fn add_lines<const W: usize>(board: Board, cell: usize, home: usize, lanes: &mut Lanes<W>) {
    let mut add = |line: usize, length: usize, place: usize, goal: usize| {
        let upper = W > WORDS && place >= LOWER;
        let (lane, exponent) = if upper { (UPPER + line, place - LOWER) } else { (line, place) };
        lanes.put(lane, (goal + 1) * (length + 1).pow(exponent as u32));
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
fn add_corners<const W: usize>(board: Board, goal: &Tiles, tile: usize, cell: usize, lanes: &mut Lanes<W>) {
    for (at, side) in corners::sides(board).iter().enumerate() {
        let right = goal.tile(side.corner);
        if right == 0 {
            continue;
        }
        let belongs = goal.tile(side.beside) == tile && side.beside == cell;
        lanes.put(CORNERS, usize::from(belongs) << at);
        lanes.put(CORNERS, usize::from(right == tile && side.across == cell) << (8 + at));
        if at < 4 {
            lanes.put(DISTANCE, usize::from(right == tile && side.corner == cell) << (12 + at));
        }
    }
}

impl<const W: usize> Heuristic<Puzzle> for Classic<W> {
    type Carry = Summary<W>;
    type Probe = u8;
    type Memo = u8;

    #[inline(always)]
    fn carry(&self, puzzle: &Puzzle, state: &Tiles) -> Summary<W> {
        self.summarize(self.sum(puzzle.board(), state), state.blank())
    }

    #[inline(always)]
    fn carry_child(
        &self,
        _: &Puzzle,
        parent: &Tiles,
        carry: &Summary<W>,
        _: Op,
        child: &Tiles,
        value: &u8,
    ) -> Summary<W> {
        let lanes = self.slide(&carry.lanes, parent, child.blank());
        let forced = self.forced(&lanes, child.blank()) as u8;
        Summary { lanes, forced, value: *value }
    }

    #[inline(always)]
    fn locate(&self, puzzle: &Puzzle, parent: &Tiles, carry: &Summary<W>, op: Op, _: usize) -> u8 {
        self.child_value(parent, carry, op, puzzle.target(parent.blank(), op))
    }

    #[inline(always)]
    fn read(&self, value: u8, _: usize, memo: &mut u8) -> u8 {
        *memo = value;
        value
    }

    fn value(&self, puzzle: &Puzzle, state: &Tiles) -> u8 {
        self.summarize(self.sum(puzzle.board(), state), state.blank()).value
    }

    fn max_value(&self) -> u8 {
        u8::MAX
    }
}
