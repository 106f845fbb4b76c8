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

/// A move of several tiles of a row or column as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slide {
    /// The blank moves by this many cells in the direction of the move, which is a letter.
    Cells(Move, usize),
    /// The tile of this number, and all tiles between it and the blank, move towards the blank.
    From(usize),
    /// The blank moves to this cell, counted row by row from 0.
    To(usize),
}

impl fmt::Display for Slide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Slide::Cells(step, 1) => write!(f, "{step}"),
            Slide::Cells(step, cells) => write!(f, "{step}{cells}"),
            Slide::From(number) | Slide::To(number) => write!(f, "{number}"),
        }
    }
}

/// Reads moves of several tiles as one, separated by spaces or commas: letters `L U R D` with the number of cells that
/// the blank moves, such as `R2` (none stands for one), or numbers of the farthest tiles that move. If `are_cells`,
/// numbers are cells that the blank moves to.
///
/// # Errors
/// [`Refusal::Move`] names the first one that cannot be read.
pub fn parse_slides(text: &str, are_cells: bool) -> Result<Vec<Slide>, Refusal> {
    let read = |(i, word): (usize, &str)| {
        if let Ok(number) = word.parse() {
            return Ok(if are_cells { Slide::To(number) } else { Slide::From(number) });
        }
        let (letter, count) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        let step = parse_moves(letter)?;
        let cells = if count.is_empty() { Some(1) } else { count.parse().ok().filter(|&cells| cells > 0) };
        match (step.as_slice(), cells) {
            ([step], Some(cells)) => Ok(Slide::Cells(*step, cells)),
            _ => Err(Refusal::of_move(i + 1, word, "not a direction with a number of cells")),
        }
    };
    words(text).enumerate().map(read).collect()
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

    /// Makes one move of several tiles.
    ///
    /// # Errors
    /// The reason why the move is impossible; the board is then unchanged.
    pub fn slide(&mut self, slide: Slide) -> Result<(), String> {
        let mut after = self.clone();
        match slide {
            Slide::Cells(step, cells) => (0..cells).try_for_each(|_| after.play(step))?,
            Slide::From(0) => return Err("the blank is not a tile".to_string()),
            Slide::From(tile) => {
                let to = self.find(tile).ok_or_else(|| format!("there is no tile {tile}"))?;
                after.slide_to(to)?;
            }
            Slide::To(cell) if cell >= self.cells.len() => return Err(format!("there is no cell {cell}")),
            Slide::To(cell) => after.slide_to(cell)?,
        }
        *self = after;
        Ok(())
    }

    /// Moves the blank to a cell of its row or column.
    fn slide_to(&mut self, to: usize) -> Result<(), String> {
        let blank = self.find(0).expect("a board has a blank");
        let step = match (to, blank) {
            _ if to == blank => return Err("no tile would move".to_string()),
            _ if to / self.columns == blank / self.columns && to < blank => Move::Left,
            _ if to / self.columns == blank / self.columns => Move::Right,
            _ if to % self.columns == blank % self.columns && to < blank => Move::Up,
            _ if to % self.columns == blank % self.columns => Move::Down,
            _ => return Err(format!("cell {to} is not in the row or column of the blank")),
        };
        while self.find(0) != Some(to) {
            self.play(step)?;
        }
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

/// Checks that moves of several tiles lead from `start` to `goal`, exactly `claimed` of them.
///
/// # Errors
/// As [`check`].
pub fn check_slides(start: &Board, goal: &Board, slides: &[Slide], claimed: u64) -> Result<(), Refusal> {
    let mut board = start.clone();
    for (i, &slide) in slides.iter().enumerate() {
        board.slide(slide).map_err(|reason| Refusal::of_move(i + 1, slide, reason))?;
    }
    Refusal::verdict(&board, goal, slides.len() as u64, claimed)
}
