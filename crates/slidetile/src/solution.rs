//! Solutions as text: read, written, and checked by the referee.

use referee::Refusal;
use referee::tiles::{
    Board as Judge, Move, check_moves, check_slides, parse_moves, parse_positions, parse_slides,
};
use search_core::{Domain, Op, Solution};
use serde::Serialize;

use crate::board::{DOWN, LEFT, RIGHT, UP, letter, reach};
use crate::metric::Metric;
use crate::puzzle::Puzzle;
use crate::tiles::Tiles;

/// The notation of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Notation {
    /// The directions of the blank: L, U, R, D; where several tiles move as one, with their number, such as R2
    #[default]
    Blank,
    /// The numbers of the tiles that move; where several move as one, of the last one
    Tile,
    /// The cells that the blank moves to, from 0
    Positions,
}

/// The error that the referee rejects a solution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the referee rejects the solution `{moves}`: {refusal}")]
pub struct Rejected {
    /// The solution.
    pub moves: String,
    /// The referee's reason.
    pub refusal: Refusal,
}

/// The reason why a text is not a solution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSolution {
    /// A word that is not a move.
    #[error(transparent)]
    Unread(#[from] Refusal),
    /// A move that the board does not have.
    #[error("move {number} (`{step}`) is not possible")]
    Impossible {
        /// Its number, from 1.
        number: usize,
        /// The move.
        step: Move,
    },
    /// The moves lead to another board than the goal.
    #[error("the moves do not solve the board")]
    Unsolved,
}

impl Notation {
    /// All notations.
    pub const ALL: [Notation; 3] = [Notation::Blank, Notation::Tile, Notation::Positions];

    /// Writes the moves of `ops`, applied to `tiles`.
    ///
    /// # Panics
    /// If an operator is not applicable.
    pub fn write(self, puzzle: &Puzzle, tiles: &Tiles, ops: &[Op]) -> String {
        let words = |numbers: Vec<usize>| numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
        match self {
            Notation::Blank if puzzle.metric() == Metric::Multi => {
                let word = |op: &Op| match reach(*op) {
                    1 => letter(*op).to_string(),
                    more => format!("{}{more}", letter(*op)),
                };
                ops.iter().map(word).collect::<Vec<_>>().join(" ")
            }
            Notation::Blank => ops.iter().map(|&op| letter(op)).collect(),
            Notation::Positions => words(puzzle.path(tiles, ops)),
            Notation::Tile => {
                let mut now = *tiles;
                let step = |(op, cell): (&Op, usize)| {
                    let tile = now.tile(cell);
                    now = puzzle.after(&now, *op).expect("the operator is applicable");
                    tile
                };
                words(ops.iter().zip(puzzle.path(tiles, ops)).map(step).collect())
            }
        }
    }

    /// Reads moves of single tiles that solve `tiles`: cells in the notation of positions; in the others directions of the
    /// blank or numbers of tiles.
    ///
    /// # Errors
    /// [`NoSolution`].
    pub fn read(self, puzzle: &Puzzle, tiles: &Tiles, text: &str) -> Result<Vec<Op>, NoSolution> {
        let parse = if self == Notation::Positions { parse_positions } else { parse_moves };
        let moves = parse(text)?;
        let (mut now, mut ops) = (*tiles, Vec::with_capacity(moves.len()));
        for (number, step) in (1..).zip(moves) {
            let wanted = |op: &Op| {
                let to = puzzle.board().neighbour(now.blank(), *op);
                match step {
                    Move::Left => *op == LEFT,
                    Move::Up => *op == UP,
                    Move::Right => *op == RIGHT,
                    Move::Down => *op == DOWN,
                    Move::Cell(cell) => to == Some(cell),
                    Move::Tile(tile) => to.is_some_and(|cell| now.tile(cell) == tile),
                }
            };
            let op = puzzle.applicable(&now).into_iter().find(wanted);
            let op = op.ok_or(NoSolution::Impossible { number, step })?;
            now = puzzle.apply(&now, op);
            ops.push(op);
        }
        if now == *puzzle.goal() { Ok(ops) } else { Err(NoSolution::Unsolved) }
    }

    /// The solution in this notation, after the referee has replayed it in every notation.
    ///
    /// # Errors
    /// [`Rejected`]: a bug of the solver.
    pub fn checked(self, puzzle: &Puzzle, tiles: &Tiles, ops: &[Op]) -> Result<Solution, Rejected> {
        let board = puzzle.board();
        let read = |tiles: &Tiles| Judge::parse(board.rows(), board.cols(), &tiles.text(board));
        let replay = |notation: Notation, moves: &str| {
            if puzzle.metric() == Metric::Multi {
                let slides = parse_slides(moves, notation == Notation::Positions)?;
                return check_slides(&read(tiles)?, &read(puzzle.goal())?, &slides, ops.len() as u64);
            }
            let moves = match notation {
                Notation::Blank | Notation::Tile => parse_moves(moves)?,
                Notation::Positions => parse_positions(moves)?,
            };
            check_moves(&read(tiles)?, &read(puzzle.goal())?, &moves, ops.len() as u64)
        };
        for notation in Notation::ALL {
            let moves = notation.write(puzzle, tiles, ops);
            replay(notation, &moves).map_err(|refusal| Rejected { moves, refusal })?;
        }
        let length = u32::try_from(ops.len()).expect("fewer than 2^32 moves");
        Ok(Solution { length, moves: self.write(puzzle, tiles, ops) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn what_is_written_is_read() {
        let puzzle = Puzzle::blank_first(Board::new(3, 3).expect("a board"));
        let mut tiles = *puzzle.goal();
        for op in [RIGHT, DOWN, LEFT] {
            tiles = puzzle.apply(&tiles, op);
        }
        let back = [RIGHT, UP, LEFT];
        for notation in Notation::ALL {
            let text = notation.write(&puzzle, &tiles, &back);
            assert_eq!(notation.read(&puzzle, &tiles, &text), Ok(back.to_vec()), "{notation:?}: {text}");
        }
        let blank = |text: &str| Notation::Blank.read(&puzzle, &tiles, text);
        assert_eq!(blank("R"), Err(NoSolution::Unsolved));
        assert!(matches!(blank("LL"), Err(NoSolution::Impossible { number: 1, .. })));
        assert!(matches!(blank("R!"), Err(NoSolution::Unread(_))));
    }
}
