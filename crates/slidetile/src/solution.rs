//! Solutions as text, checked by the referee.

use referee::Refusal;
use referee::tiles::{Board as Judge, check_moves, parse_moves, parse_positions};
use search_core::{Op, Solution};
use serde::Serialize;

use crate::board::letter;
use crate::puzzle::Puzzle;
use crate::tiles::Tiles;

/// The notation of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Notation {
    /// The directions of the blank: L, U, R, D
    #[default]
    Blank,
    /// The numbers of the tiles that move
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
            Notation::Blank => ops.iter().map(|&op| letter(op)).collect(),
            Notation::Positions => words(puzzle.path(tiles, ops)),
            Notation::Tile => {
                let mut now = *tiles;
                let step = |cell: usize| {
                    let tile = now.tile(cell);
                    now = now.slide(cell);
                    tile
                };
                words(puzzle.path(tiles, ops).into_iter().map(step).collect())
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
