//! The arguments that describe instances: size, goal and tiles.

use clap::Args;
use puzzle_cli::{Exit, Failure};

use crate::board::Board;
use crate::puzzle::Puzzle;
use crate::tiles::{Fault, Faults, Tiles};

/// The puzzle that instances belong to.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Puzzle")]
pub struct PuzzleArgs {
    /// Rows and columns, such as 4x5 [default: the square board with that many tiles; 5x5 for `tables`;
    /// required by `random` and `heuristic --sample`]
    #[arg(long, value_name = "ROWSxCOLS")]
    pub size: Option<Board>,
    /// Goal: blank-first, blank-last or a list of tiles
    #[arg(long, value_name = "GOAL", default_value = "blank-first")]
    pub goal: String,
}

impl PuzzleArgs {
    /// The puzzle on `board`.
    ///
    /// # Errors
    /// Exit code 3 with every fault of the goal.
    pub fn on(&self, board: Board) -> Result<Puzzle, Failure> {
        Puzzle::with_goal(board, &self.goal).map_err(|faults| malformed("--goal", &faults))
    }

    /// The puzzle and the tiles of one instance, which can reach its goal.
    ///
    /// # Errors
    /// Exit code 3 with every fault.
    pub fn read(&self, text: &str) -> Result<(Puzzle, Tiles), Failure> {
        let (board, tiles) = Tiles::parse(text, self.size).map_err(|faults| malformed("tiles", &faults))?;
        let puzzle = self.on(board)?;
        let tiles = puzzle.check(tiles).map_err(|faults| malformed("tiles", &faults))?;
        Ok((puzzle, tiles))
    }

    /// The size given with `--size`.
    ///
    /// # Errors
    /// Exit code 2 when it is not given.
    pub fn board(&self) -> Result<Board, Failure> {
        self.size.ok_or_else(|| {
            Failure::usage("no size of the board is given").with_remedy("give --size ROWSxCOLS")
        })
    }
}

pub(super) fn malformed(what: &str, faults: &Faults) -> Failure {
    let message = match faults.0.as_slice() {
        [Fault::Parity { .. }] => format!("{what} cannot reach the goal"),
        _ => format!("{what}: invalid tile list"),
    };
    Failure::new(Exit::Malformed, message).with_faults(&faults.0)
}
