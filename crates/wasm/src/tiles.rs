//! Sliding tiles: reading, random boards, the parts of the heuristic, shortest solutions.

use crate::host::{Found, Host};
use crate::refusal::{Fault, Refusal};
use crate::tables::HostTables;
use crate::work::{Answered, Reporter, Wish, run};
use search_core::{Op, Solution};
use serde::{Deserialize, Serialize};
use slidetile::heuristic::classic::Parts;
use slidetile::heuristic::explain::explain;
use slidetile::notation;
use slidetile::random::Instances;

use slidetile::{
    Ask, Board, Fault as TileFault, Faults, HeuristicSpec, Metric, Notation, Puzzle, Rejected, Solver,
    SolverError, Tiles, default_heuristic, multi,
};

/// The memory for tables, in bytes, unless the request has another: they are built in less than a minute.
const MEMORY: u64 = 200 << 20;

/// Reads the tiles of a board.
#[derive(Debug, Deserialize)]
pub struct Read {
    text: String,
    #[serde(flatten)]
    size: Size,
}

/// The size of a board, and its goal.
#[derive(Clone, Debug, Deserialize)]
pub struct Size {
    /// By default, both are those of the square board with as many cells as the text has.
    rows: Option<usize>,
    cols: Option<usize>,
    /// `blank-first`, which it is by default, `blank-last`, `spiral` or a list of tiles.
    #[serde(default)]
    goal: String,
    /// `single`, which it is by default, or `multi`, where any number of tiles of a row or column slide as one move.
    #[serde(default)]
    metric: String,
}

impl Size {
    /// The puzzle of a board with tiles as in `text`.
    fn puzzle(&self, text: &str) -> Result<Puzzle, Refusal> {
        let board = match (self.rows, self.cols) {
            (Some(rows), Some(cols)) => {
                Board::new(rows, cols).ok_or_else(|| Refusal::error("no such board"))?
            }
            (None, None) => {
                let parsed = Tiles::parse(text, None);
                parsed.map_err(|faults| Refusal::Faults(faults.0.iter().map(Fault::new).collect()))?.0
            }
            _ => return Err(Refusal::error("give both rows and cols, or neither")),
        };
        let goal = if self.goal.is_empty() { "blank-first" } else { &self.goal };
        let metric = match &self.metric[..] {
            "" => Metric::default(),
            name => name.parse().map_err(Refusal::Error)?,
        };
        let puzzle = Puzzle::with_goal(board, goal);
        let puzzle = puzzle.map_err(|faults| Refusal::error(format_args!("goal: {faults}")))?;
        if metric == Metric::Multi && !multi::fits(board) {
            return Err(Refusal::Faults(vec![Fault::new(SolverError::MultiTooLarge)]));
        }
        Ok(puzzle.with_metric(metric))
    }
}

/// Tiles from left to right, from top to bottom; 0 is the blank.
#[derive(Debug, Serialize)]
pub struct Arrangement {
    tiles: Vec<usize>,
}

fn arrangement(puzzle: &Puzzle, tiles: &Tiles) -> Arrangement {
    Arrangement { tiles: (0..puzzle.board().cells()).map(|cell| tiles.tile(cell)).collect() }
}

impl Read {
    pub(crate) fn answer(&self) -> Result<Arrangement, Refusal> {
        let (puzzle, tiles) = self.read()?;
        Ok(arrangement(&puzzle, &tiles))
    }

    fn read(&self) -> Result<(Puzzle, Tiles), Refusal> {
        let puzzle = self.size.puzzle(&self.text)?;
        match puzzle.read(&self.text) {
            Ok(tiles) => Ok((puzzle, tiles)),
            Err(faults) => Err(Refusal::Faults(self.faults(&faults))),
        }
    }

    /// The faults with the cells that they concern.
    fn faults(&self, faults: &Faults) -> Vec<Fault> {
        let numbers = notation::numbers(&self.text, None).unwrap_or_default();
        let holding = |tile: usize| {
            numbers.iter().zip(0..).filter(|(number, _)| **number == tile).map(|(_, cell)| cell).collect()
        };
        let fault = |fault: &TileFault| match fault {
            TileFault::Foreign { tile, .. } => Fault::at(fault, holding(*tile)),
            TileFault::Duplicate(tile, _) => Fault::at(fault, holding(*tile)),
            _ => Fault::new(fault),
        };
        faults.0.iter().map(fault).collect()
    }

    pub(crate) fn explain(&self) -> Result<Explained, Refusal> {
        let (puzzle, tiles) = self.read()?;
        if puzzle.metric() == Metric::Multi {
            return Err(Refusal::error("the parts of the lower bound are those of the metric single"));
        }
        let (board, home) = (puzzle.board(), puzzle.goal().positions(puzzle.board()));
        let distance = |cell: usize| match tiles.tile(cell) {
            0 => 0,
            tile => board.distance(cell, home[tile]),
        };
        let all = explain(&puzzle, Parts::ALL, &tiles);
        let reason = |reason: &slidetile::heuristic::explain::Reason| Part {
            moves: reason.moves,
            why: reason.why.clone(),
            tiles: reason.tiles.clone(),
        };
        Ok(Explained {
            value: all.value(),
            manhattan: all.manhattan,
            distances: (0..board.cells()).map(distance).collect(),
            reasons: all.reasons.iter().map(reason).collect(),
        })
    }
}

/// The parts of a heuristic value.
#[derive(Debug, Serialize)]
pub struct Explained {
    value: u32,
    manhattan: u32,
    /// The distance of the tile in each cell.
    distances: Vec<usize>,
    /// The moves beyond these distances.
    reasons: Vec<Part>,
}

/// Moves, the reason for them, and their tiles.
#[derive(Debug, Serialize)]
pub struct Part {
    moves: u32,
    why: String,
    tiles: Vec<usize>,
}

/// Draws a board, each solvable one equally likely.
#[derive(Debug, Deserialize)]
pub struct Random {
    seed: u64,
    #[serde(flatten)]
    size: Size,
}

impl Random {
    pub(crate) fn answer(&self) -> Result<Arrangement, Refusal> {
        let puzzle = self.size.puzzle("")?;
        let drawn = Instances::new(puzzle.board(), *puzzle.goal(), self.seed).next();
        drawn.map(|tiles| arrangement(&puzzle, &tiles)).ok_or_else(|| Refusal::error("no board"))
    }
}

/// Searches for a shortest solution.
#[derive(Debug, Deserialize)]
pub struct Solve {
    #[serde(flatten)]
    board: Read,
    /// By default the one that solves the board soonest, within 200 MiB unless the request says otherwise.
    #[serde(default)]
    heuristic: String,
    #[serde(flatten)]
    wish: Wish,
}

impl Solve {
    pub(crate) fn answer(&self, host: &'static dyn Host) -> Result<Answered, Refusal> {
        let (puzzle, tiles) = self.board.read()?;
        let reporter = Reporter::new(host);
        let run = run(&reporter, Some(self.wish.memory.unwrap_or(MEMORY)));
        let heuristic: HeuristicSpec = match &self.heuristic[..] {
            "" => default_heuristic(&puzzle, &HostTables(host), &run),
            name => name.parse().map_err(Refusal::Error)?,
        };
        let solver = Solver::load(puzzle, heuristic, &HostTables(host), &run).map_err(Refusal::error)?;
        let wish = &self.wish;
        let puzzle = solver.puzzle().clone();
        let checked = move |ops: &[Op]| checked(&puzzle, &tiles, ops).ok();
        let ask = Ask::new(tiles)
            .wanted(wish.wanted())
            .min_bound(wish.at_least)
            .upper_bounds(wish.upper_bounds(host, 0, checked))
            .checkpoints(wish.checkpoints(host, 0));
        let answer = solver.solve(&ask, &run).map_err(Refusal::error)?;
        let found = answer.into_report().try_map(|ops| self::checked(solver.puzzle(), &tiles, &ops));
        let found = found.map_err(Refusal::error)?;
        Ok(Answered::of(found, &reporter).by(heuristic.name(), solver.tables()))
    }
}

/// A solution, replayed by the referee.
fn checked(puzzle: &Puzzle, tiles: &Tiles, ops: &[Op]) -> Result<Found, Rejected> {
    let Solution { length, moves } = Notation::Blank.checked(puzzle, tiles, ops)?;
    Ok(Solution { length, moves }.into())
}
