//! Solving an instance of any set, and the referee's replay.

use super::sets::SetName;
use cube::notation::{facelets, scramble};
use cube::{Ask as CubeAsk, Solver, SolverSetup as CubeSetup};
use puzzle_cli::Failure;
use referee::{cube as cube_referee, tiles as tiles_referee};
use search_core::record::TableUse;
use search_core::table::Store;
use search_core::{Ending, Run};
use slidetile::{
    Ask, Board, HeuristicSpec as TileHeuristic, Puzzle, Solver as TileSolver, SolverSetup, Tiles, board,
};

/// The solver of a set.
pub enum AnySolver {
    /// The solver of cubes.
    Cube(Box<Solver>),
    /// The solver of boards.
    Tiles(Box<TileSolver>),
}

impl AnySolver {
    /// The solver with the named heuristic, or with the strongest one that the command line would choose.
    ///
    /// # Errors
    /// An unknown name, or a table that is not available.
    pub fn load(
        set: SetName,
        heuristic: Option<&str>,
        store: &Store,
        run: &Run<'_>,
    ) -> Result<AnySolver, Failure> {
        let Some(board) = set.board() else {
            let heuristic = heuristic.map(str::parse).transpose().map_err(Failure::usage)?;
            let setup = CubeSetup::new().heuristic(heuristic);
            let solver = setup.load(store.clone(), run).map_err(Failure::error)?;
            return Ok(AnySolver::Cube(Box::new(solver)));
        };
        let puzzle = Puzzle::blank_first(board);
        let spec = heuristic.map(|name| name.parse::<TileHeuristic>().map_err(Failure::usage)).transpose()?;
        let solver = TileSolver::load(puzzle, SolverSetup::default().heuristic(spec), store, run);
        Ok(AnySolver::Tiles(Box::new(solver.map_err(Failure::error)?)))
    }

    /// The heuristic's name.
    pub fn heuristic(&self) -> String {
        match self {
            AnySolver::Cube(solver) => solver.planned().heuristic,
            AnySolver::Tiles(solver) => solver.heuristic().to_string(),
        }
    }

    /// The tables that it reads.
    pub fn tables(&self) -> Vec<TableUse> {
        match self {
            AnySolver::Cube(solver) => solver.planned().tables,
            AnySolver::Tiles(solver) => solver.tables().to_vec(),
        }
    }

    /// The length of an instance and a shortest solution, replayed by the referee; `None` if the length
    /// is not the wanted one.
    ///
    /// # Errors
    /// An interruption, or a solution that the referee refuses.
    pub fn solve(
        &self,
        instance: &str,
        wanted: Option<u32>,
        run: &Run<'_>,
    ) -> Result<Option<(u32, String)>, Failure> {
        let ending = match self {
            AnySolver::Cube(solver) => {
                let cube = facelets::parse(instance).expect("it was written here").cube;
                let answer =
                    solver.solve(&CubeAsk::new(cube).max_bound(wanted), run).map_err(Failure::error)?;
                answer.ending.map(scramble::format_moves)
            }
            AnySolver::Tiles(solver) => {
                let board = solver.puzzle().board();
                let (_, tiles) = Tiles::parse(instance, Some(board)).expect("it was written here");
                let letters = |ops: Vec<_>| ops.into_iter().map(board::letter).collect::<String>();
                let answer = solver.solve(&Ask::new(tiles).max_bound(wanted), run);
                answer.expect("it has a solution").ending.map(letters)
            }
        };
        match ending {
            Ending::Optimal { length, solutions, .. } if wanted.is_none_or(|wanted| wanted == length) => {
                let solution = solutions.into_iter().next().expect("a solution");
                let verdict = match self {
                    AnySolver::Cube(_) => replay_cube(instance, &solution, length),
                    AnySolver::Tiles(solver) => {
                        replay_tiles(instance, solver.puzzle().board(), &solution, length)
                    }
                };
                verdict.map_err(|refusal| {
                    Failure::error(format_args!("the referee refuses {solution} for {instance}: {refusal}"))
                })?;
                Ok(Some((length, solution)))
            }
            Ending::Cancelled { .. } => Err(Failure::interrupted("interrupted; the same command resumes")),
            _ => Ok(None),
        }
    }
}

/// Replays a cube's solution.
fn replay_cube(instance: &str, solution: &str, length: u32) -> Result<(), referee::Refusal> {
    let start = cube_referee::Cube::parse(instance)?;
    let goal = cube_referee::Cube::solved();
    cube_referee::check(&start, &goal, solution, cube_referee::Metric::HalfTurn, u64::from(length))
}

/// Replays a board's solution.
fn replay_tiles(instance: &str, board: Board, solution: &str, length: u32) -> Result<(), referee::Refusal> {
    let start = tiles_referee::Board::parse(board.rows(), board.cols(), instance)?;
    let goal: Vec<String> = (0..board.cells()).map(|tile| tile.to_string()).collect();
    let goal = tiles_referee::Board::parse(board.rows(), board.cols(), &goal.join(" "))?;
    tiles_referee::check(&start, &goal, solution, u64::from(length))
}
