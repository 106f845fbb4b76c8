//! Solutions as text, checked by the referee.

use referee::Refusal;
use referee::tiles::{Board as Judge, check_moves, check_slides, parse_moves, parse_positions, parse_slides};
use search_core::{Op, Solution};
use serde::Serialize;

use crate::board::{letter, reach};
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
