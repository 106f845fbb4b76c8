//! The faults of tiles as they were given.

use crate::board::Board;

/// A fault of the tiles as they were given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A word that is not a number.
    #[error("{0:?} is not a tile number")]
    NotANumber(String),
    /// Too many or too few tiles.
    #[error("{found} tiles given, but a {board} board has {} cells", board.cells())]
    Count {
        /// The number of tiles given.
        found: usize,
        /// The board.
        board: Board,
    },
    /// A tile that the board does not have.
    #[error("tile {tile} does not belong to a {board} board (tiles 0 to {})", board.cells() - 1)]
    Foreign {
        /// The tile.
        tile: usize,
        /// The board.
        board: Board,
    },
    /// A tile that occurs more than once.
    #[error("tile {0} occurs {1} times")]
    Duplicate(usize, usize),
    /// A tile that does not occur.
    #[error("tile {0} is missing")]
    Missing(usize),
    /// No square board has this many cells.
    #[error("{0} tiles do not fill a square board; give its size")]
    NoSquare(usize),
    /// The parity is wrong for the goal.
    #[error("unsolvable for the goal {goal}, as if two tiles were swapped; {alternative}")]
    Parity {
        /// The requested goal.
        goal: String,
        /// A goal for which it would be solvable.
        alternative: String,
    },
}

/// All faults of the tiles as they were given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(Fault::to_string).collect::<Vec<_>>().join("; "))]
pub struct Faults(pub Vec<Fault>);

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Faults {
        Faults(vec![fault])
    }
}
