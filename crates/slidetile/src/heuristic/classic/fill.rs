//! The tables of the heuristic: each tile's share of the lanes, each move's effect, the lines'
//! prices, the endings.

use search_core::OpSet;

use super::lanes::{CORNERS, DISTANCE, LINES, LOWER, Lanes, NARROW, OUT_OF_LINE, TWO, UPPER, WIDE};
use super::{Classic, Effect, LINE_SLOTS, Line, Parts, TILES};
use crate::board::{Board, OPS, TABLE_SIDE, byte, inverse};
use crate::heuristic::corners::{self, Side};
use crate::heuristic::endings::{Price, Visit, distinct, endings};
use crate::heuristic::lines::LineTable;
use crate::puzzle::Puzzle;
use crate::tiles::Tiles;

impl<const W: usize> Classic<W> {
    /// The heuristic of `puzzle` with these parts.
    ///
    /// # Panics
    /// If `W` is not the number of lanes for the board, or a side is greater than [`TABLE_SIDE`].
    pub fn new(puzzle: &Puzzle, parts: Parts) -> Classic<W> {
        let board = puzzle.board();
        assert!(!board.is_large(), "lanes for boards of at most 6x6");
        let wide = board.rows().max(board.cols()) > 5;
        assert_eq!(W, if wide { WIDE } else { NARROW }, "lanes for a {board} board");
        let endings = endings(board, puzzle.goal(), parts.last_moves.max(1));
        let visits = distinct(&endings);
        let plain = Effect(Effect::NO_LINE);
        let mut heuristic = Classic {
            parts,
            shares: vec![[Lanes::ZERO; TILES]; TILES].try_into().expect("a row for each tile"),
            effects: vec![[[plain; OPS]; TILES]; TILES].try_into().expect("a row for each tile"),
            entries: Vec::new(),
            lines: [Line::default(); LINE_SLOTS],
            free_by: Box::new([[0; TILES]; LINE_SLOTS]),
            ending: cheapest(&endings, &visits, parts.last_moves > 0),
            freed: Box::new([0; 256]),
            corner_at: [0; TILES],
        };
        heuristic.fill_lines(board, &visits);
        heuristic.fill_corners(board, &visits);
        heuristic.fill_shares(puzzle, &visits);
        heuristic.fill_effects(puzzle);
        heuristic
    }

    fn fill_lines(&mut self, board: Board, visits: &[Visit]) {
        let table = if self.parts.conflicts { LineTable::new } else { LineTable::without_conflicts };
        let (rows, cols) = (table(board.cols()), table(board.rows()));
        self.entries.extend_from_slice(rows.entries());
        let shared = rows.length() == cols.length();
        let col_base = if shared { 0 } else { self.entries.len() };
        if !shared {
            self.entries.extend_from_slice(cols.entries());
        }
        for (at, line) in self.lines.iter_mut().enumerate().take(LINES) {
            let (base, table) = if at < TABLE_SIDE { (0, &rows) } else { (col_base, &cols) };
            line.base = base as u32;
            line.contents = table.contents() as u32;
            line.upper = (table.length() as u32 + 1).pow(LOWER as u32);
            // Two successive sides share a border line; lines 0, 5, 6 and 11 are the border.
            let border = [0, TABLE_SIDE - 1, TABLE_SIDE, LINES - 1].iter().position(|&border| border == at);
            (line.shift, line.mask) = border.map_or((0, 0), |border| (byte(2 * border), 3));
        }
        for (at, visit) in visits.iter().enumerate() {
            let (line, place) = line_of(board, visit);
            self.lines[line].visits |= 1 << at;
            let may_leave = (0..TILES).filter(|leavers| leavers >> place & 1 == 1);
            may_leave.for_each(|leavers| self.free_by[line][leavers] |= 1 << at);
        }
    }

    fn fill_corners(&mut self, board: Board, visits: &[Visit]) {
        let sides = corners::sides(board);
        for (at, side) in sides.iter().enumerate() {
            self.corner_at[side.corner] |= 1 << at;
        }
        for (flags, freed) in self.freed.iter_mut().enumerate() {
            for (at, visit) in visits.iter().enumerate() {
                let forced = |(side, _): &(&Side, usize)| side.beside == visit.home;
                if sides.iter().zip(0..).any(|pair| forced(&pair) && flags >> pair.1 & 1 == 1) {
                    *freed |= 1 << at;
                }
            }
        }
    }

    fn fill_shares(&mut self, puzzle: &Puzzle, visits: &[Visit]) {
        let board = puzzle.board();
        let home = puzzle.goal().positions(board);
        for (tile, &home) in home.iter().enumerate().take(board.cells()).skip(1) {
            for cell in 0..board.cells() {
                let mut lanes = Lanes::ZERO;
                lanes.put(DISTANCE, board.distance(cell, home));
                add_lines(board, cell, home, &mut lanes);
                add_visits(board, visits, tile, cell, &mut lanes);
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
        let nearer = board.distance(to, home) < board.distance(from, home);
        let same_corners = before.get(CORNERS) == after.get(CORNERS)
            && before.get(DISTANCE) >> 8 == after.get(DISTANCE) >> 8
            && self.corner_at[from] | self.corner_at[to] == 0;
        // A tile that moves along its goal line keeps its place among the line's tiles. A visit's
        // price changes only where its tile enters or leaves the line that it must leave.
        let in_col = |cell| board.col(cell) == board.col(home);
        let in_row = |cell| board.row(cell) == board.row(home);
        let crossed = if in_col(from) != in_col(to) {
            Some(col_lane(board, board.col(home)))
        } else if in_row(from) != in_row(to) {
            Some(row_lane(board, board.row(home)))
        } else {
            None
        };
        let more = crossed.is_some() || (self.parts.corners && !same_corners);
        let flag = |on: bool, bit: u8| if on { bit } else { 0 };
        let line = crossed.map_or(Effect::NO_LINE, byte);
        Effect(line | flag(more, Effect::MORE) | flag(nearer, Effect::NEARER))
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
    if row + 1 == board.rows() { TABLE_SIDE - 1 } else { row }
}

/// The lane of column `col`: the last column is lane 11 on every board.
fn col_lane(board: Board, col: usize) -> usize {
    TABLE_SIDE + if col + 1 == board.cols() { TABLE_SIDE - 1 } else { col }
}

/// The line that a visit leaves, and its tile's place in that line.
fn line_of(board: Board, visit: &Visit) -> (usize, usize) {
    if visit.is_horizontal(board) {
        (col_lane(board, board.col(visit.home)), board.row(visit.home))
    } else {
        (row_lane(board, board.row(visit.home)), board.col(visit.home))
    }
}

/// Adds the digits of a tile in `cell` to its goal lines.
fn add_lines<const W: usize>(board: Board, cell: usize, home: usize, lanes: &mut Lanes<W>) {
    let mut add = |line: usize, length: usize, place: usize, goal: usize| {
        let upper = W > NARROW && place >= LOWER;
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

/// Adds the costs of the visits of `tile` from `cell`.
fn add_visits<const W: usize>(
    board: Board,
    visits: &[Visit],
    tile: usize,
    cell: usize,
    lanes: &mut Lanes<W>,
) {
    for (at, visit) in visits.iter().enumerate().filter(|(_, visit)| visit.tile == tile) {
        match visit.price(board, cell) {
            Price::Free => {}
            Price::Two => lanes.put(TWO, 1 << at),
            Price::OutOfLine => lanes.put(OUT_OF_LINE, 1 << at),
        }
    }
}

/// Adds the flags of `tile` in `cell` for the corners.
fn add_corners<const W: usize>(board: Board, goal: &Tiles, tile: usize, cell: usize, lanes: &mut Lanes<W>) {
    for (at, side) in corners::sides(board).iter().enumerate() {
        let right = goal.tile(side.corner);
        if right == 0 {
            continue;
        }
        let belongs = goal.tile(side.beside) == tile && side.beside == cell;
        lanes.put(CORNERS, usize::from(belongs) << at);
        lanes.put(CORNERS, usize::from(right == tile && side.across == cell) << (8 + at));
        lanes.put(DISTANCE, usize::from(right == tile && side.corner == cell) << (8 + at));
    }
}
