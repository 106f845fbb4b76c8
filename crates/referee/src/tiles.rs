//! Sliding tiles on a board of any size: a list of cells, 0 the blank.

use crate::Refusal;
use std::fmt;

/// A board: its cells row by row, from the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    rows: usize,
    columns: usize,
    cells: Vec<usize>,
}

/// One move, in one of its notations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// The blank moves left.
    Left,
    /// The blank moves up.
    Up,
    /// The blank moves right.
    Right,
    /// The blank moves down.
    Down,
    /// The tile of this number moves into the blank.
    Tile(usize),
    /// The blank moves to this cell, counted row by row from 0.
    Cell(usize),
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Left => f.write_str("L"),
            Move::Up => f.write_str("U"),
            Move::Right => f.write_str("R"),
            Move::Down => f.write_str("D"),
            Move::Tile(number) | Move::Cell(number) => write!(f, "{number}"),
        }
    }
}

/// Reads moves: either the letters `L U R D`, the directions of the blank, with or without white space between them,
/// or the numbers of the tiles that move, separated by spaces or commas.
///
/// # Errors
/// [`Refusal::Move`] names the first one that cannot be read.
pub fn parse_moves(text: &str) -> Result<Vec<Move>, Refusal> {
    if text.contains(|c: char| c.is_ascii_digit()) {
        return numbers(text, Move::Tile, "not the number of a tile");
    }
    let letters = text.chars().filter(|c| !c.is_whitespace()).enumerate();
    let read = |(i, letter): (usize, char)| match letter.to_ascii_uppercase() {
        'L' => Ok(Move::Left),
        'U' => Ok(Move::Up),
        'R' => Ok(Move::Right),
        'D' => Ok(Move::Down),
        _ => Err(Refusal::of_move(i + 1, letter, "not one of L, U, R, D")),
    };
    letters.map(read).collect()
}

/// Reads the cells that the blank moves to, separated by spaces or commas. They look like the numbers of tiles, so the
/// caller must know which of the two a text contains.
///
/// # Errors
/// [`Refusal::Move`] names the first one that cannot be read.
pub fn parse_positions(text: &str) -> Result<Vec<Move>, Refusal> {
    numbers(text, Move::Cell, "not the number of a cell")
}

fn numbers(text: &str, step: impl Fn(usize) -> Move, otherwise: &str) -> Result<Vec<Move>, Refusal> {
    let read = |(i, word): (usize, &str)| match word.parse() {
        Ok(number) => Ok(step(number)),
        Err(_) => Err(Refusal::of_move(i + 1, word, otherwise)),
    };
    words(text).enumerate().map(read).collect()
}

/// The words between spaces and commas.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty())
}

impl Board {
    /// Reads `rows * columns` numbers separated by spaces or commas.
    ///
    /// # Errors
    /// [`Refusal::State`] unless they are 0 to `rows * columns - 1`, each once.
    pub fn parse(rows: usize, columns: usize, text: &str) -> Result<Board, Refusal> {
        let read = |word: &str| word.parse().map_err(|_| Refusal::state(format!("{word:?} is not a number")));
        let cells: Vec<usize> = words(text).map(read).collect::<Result<_, _>>()?;
        if cells.len() != rows * columns {
            return Err(Refusal::state(format!("{} cells on a {rows}x{columns} board", cells.len())));
        }
        match (0..cells.len()).find(|tile| !cells.contains(tile)) {
            Some(tile) => Err(Refusal::state(format!("{tile} is missing"))),
            None => Ok(Board { rows, columns, cells }),
        }
    }

    /// The tile in each cell, row by row; 0 is the blank.
    pub fn cells(&self) -> &[usize] {
        &self.cells
    }

    /// The cell of a tile (or of 0, the blank).
    fn find(&self, tile: usize) -> Option<usize> {
        self.cells.iter().position(|&other| other == tile)
    }

    /// The cells that the blank moves from and to.
    fn ends(&self, step: Move) -> Result<(usize, usize), String> {
        let blank = self.find(0).expect("a board has a blank");
        let (row, column) = (blank / self.columns, blank % self.columns);
        let beside = |cell: usize| {
            let (r, c) = (cell / self.columns, cell % self.columns);
            (r.abs_diff(row) + c.abs_diff(column) == 1).then_some(cell)
        };
        let to = match step {
            Move::Left if column > 0 => Ok(blank - 1),
            Move::Up if row > 0 => Ok(blank - self.columns),
            Move::Right if column + 1 < self.columns => Ok(blank + 1),
            Move::Down if row + 1 < self.rows => Ok(blank + self.columns),
            Move::Tile(0) => Err("the blank is not a tile".to_string()),
            Move::Tile(tile) => {
                let cell = self.find(tile).ok_or_else(|| format!("there is no tile {tile}"))?;
                beside(cell).ok_or_else(|| format!("tile {tile} is not beside the blank"))
            }
            Move::Cell(cell) if cell >= self.cells.len() => Err(format!("there is no cell {cell}")),
            Move::Cell(cell) => beside(cell).ok_or_else(|| format!("cell {cell} is not beside the blank")),
            _ => Err("the blank would leave the board".to_string()),
        };
        Ok((blank, to?))
    }

    /// Makes one move.
    ///
    /// # Errors
    /// The reason why the move is impossible; the board is then unchanged.
    pub fn play(&mut self, step: Move) -> Result<(), String> {
        let (blank, to) = self.ends(step)?;
        self.cells.swap(blank, to);
        Ok(())
    }

    /// The board after all `moves`, in order.
    ///
    /// # Errors
    /// [`Refusal::Move`] names the first impossible move.
    pub fn after_all(&self, moves: &[Move]) -> Result<Board, Refusal> {
        let mut board = self.clone();
        for (i, &step) in moves.iter().enumerate() {
            board.play(step).map_err(|reason| Refusal::of_move(i + 1, step, reason))?;
        }
        Ok(board)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells: Vec<String> = self.cells.iter().map(usize::to_string).collect();
        f.write_str(&cells.join(" "))
    }
}

/// Checks that `solution` leads from `start` to `goal` in exactly `claimed` moves.
///
/// # Errors
/// The [`Refusal`] names the move that fails and the reason, the end of the moves, or their length.
pub fn check(start: &Board, goal: &Board, solution: &str, claimed: u64) -> Result<(), Refusal> {
    check_moves(start, goal, &parse_moves(solution)?, claimed)
}

/// Checks that `moves` lead from `start` to `goal`, exactly `claimed` of them.
///
/// # Errors
/// As [`check`].
pub fn check_moves(start: &Board, goal: &Board, moves: &[Move], claimed: u64) -> Result<(), Refusal> {
    Refusal::verdict(&start.after_all(moves)?, goal, moves.len() as u64, claimed)
}
