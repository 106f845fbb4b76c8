//! Sliding tiles. A row is the tile in each cell, left to right and top to bottom, 0 the blank.

use crate::arrays;
use crate::batch::{self, Records};
use crate::failure::{exception, of_table, read_all, usage};
use crate::settings::{self, Settings};
use crate::supervise::supervise_whole;
use puzzle_cli::{Exit, Failure};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use search_core::frontier::{FrontierError, FrontierSearch, Options};
use search_core::ida::{Order, Wanted};
use search_core::{Domain, Op, OpSet, Run, Solution};
use slidetile::board::{OPS, letter};
use slidetile::random::Instances;
use slidetile::{
    Ask, Board, Fault, Faults, HeuristicSpec, Metric, Notation, Pruning, Puzzle, Solver, SolverError,
    SolverSetup, Tiles,
};
use std::path::PathBuf;

/// The faults of tiles, each in words.
pub fn named(faults: &Faults) -> Vec<String> {
    faults.0.iter().map(Fault::to_string).collect()
}

/// The puzzle of a size such as `4x4` and a goal: `blank-first`, `blank-last` `spiral` or a list of tiles.
pub fn puzzle(size: &str, goal: &str) -> PyResult<Puzzle> {
    let board: Board = size.parse().map_err(usage)?;
    let malformed = |faults: &Faults| Failure::malformed("invalid goal").with_faults(named(faults));
    Puzzle::with_goal(board, goal).map_err(|faults| exception(&malformed(&faults)))
}

/// The board of a row, from which the goal can be reached.
pub fn tiles_of(puzzle: &Puzzle, row: &[u8]) -> Result<Tiles, Vec<String>> {
    let tiles = Tiles::from_bytes(puzzle.board(), row);
    tiles.and_then(|tiles| puzzle.check(tiles)).map_err(|faults| named(&faults))
}

/// Texts with the boards that they state, which can reach the goal.
fn read_boards(puzzle: &Puzzle, texts: Vec<String>) -> PyResult<Vec<(String, Tiles)>> {
    let read = |text: String| puzzle.read(&text).map(|tiles| (text, tiles)).map_err(|faults| named(&faults));
    read_all(texts, "board", read).map_err(|failure| exception(&failure))
}

/// The board that a text states, which can reach the goal.
pub fn read_board(puzzle: &Puzzle, text: &str) -> PyResult<Tiles> {
    Ok(read_boards(puzzle, vec![text.to_owned()])?[0].1)
}

/// Boards written as texts, as rows.
#[pyfunction]
pub fn tile_parse(py: Python<'_>, texts: Vec<String>, size: &str, goal: &str) -> PyResult<Py<PyByteArray>> {
    let puzzle = puzzle(size, goal)?;
    let boards = read_boards(&puzzle, texts)?;
    Ok(arrays::rows(py, boards, |(_, tiles), bytes| write(puzzle.board(), &tiles, bytes)))
}

/// Appends a board's row.
pub fn write(board: Board, tiles: &Tiles, bytes: &mut Vec<u8>) {
    let end = bytes.len();
    bytes.resize(end + board.cells(), 0);
    tiles.write(&mut bytes[end..]);
}

/// A solution as it is returned, after the referee has replayed it.
pub fn checked(puzzle: &Puzzle, tiles: &Tiles, ops: &[Op]) -> Result<Solution, Failure> {
    Notation::Blank.checked(puzzle, tiles, ops).map_err(Failure::error)
}

fn of_solver(error: &SolverError) -> Failure {
    match error {
        SolverError::Table(error) => of_table(error),
        error => Failure::usage(error),
    }
}

/// An optimal solver of the boards of one size and goal.
#[pyclass(frozen)]
pub struct TileSolver {
    pub settings: Settings,
    pub solver: Solver,
    pub order: Option<Order>,
}

#[pymethods]
impl TileSolver {
    #[new]
    #[pyo3(signature = (size, goal, heuristic, pruning, order, memory, threads, tables, progress, metric = None))]
    #[expect(clippy::too_many_arguments, reason = "the arguments of the Python class")]
    fn new(
        py: Python<'_>,
        size: &str,
        goal: &str,
        heuristic: Option<&str>,
        pruning: Option<&str>,
        order: Option<&str>,
        memory: Option<&str>,
        threads: Option<usize>,
        tables: Option<PathBuf>,
        progress: Option<Py<PyAny>>,
        metric: Option<&str>,
    ) -> PyResult<TileSolver> {
        let (settings, puzzle) = (Settings::new(threads, memory, tables)?, puzzle(size, goal)?);
        let metric = metric.map(|name| name.parse::<Metric>().map_err(usage)).transpose()?;
        let puzzle = puzzle.with_metric(metric.unwrap_or_default());
        let heuristic = heuristic.map(|name| name.parse::<HeuristicSpec>().map_err(usage)).transpose()?;
        let pruning = pruning.map(|text| text.parse::<Pruning>().map_err(usage)).transpose()?;
        let order = settings::order(order)?;
        let setup = SolverSetup::default().heuristic(heuristic).pruning(pruning);
        let solver = supervise_whole(py, &settings.run, progress, |run| {
            Solver::load(puzzle, setup, &settings.store, run)
        })?;
        let solver = solver.map_err(|error| exception(&of_solver(&error)))?;
        Ok(TileSolver { settings, solver, order })
    }

    /// The heuristic's name.
    fn heuristic(&self) -> String {
        self.solver.heuristic().to_string()
    }

    /// The tables' names and checksums.
    fn tables(&self) -> Vec<(String, String)> {
        self.solver.tables().iter().map(|used| (used.name.clone(), used.checksum.clone())).collect()
    }

    fn threads(&self) -> usize {
        self.settings.run.threads()
    }

    /// Shortest solutions. `extra` is that of all solutions that are at most so much longer than a shortest one, or `None`
    /// for one solution.
    #[pyo3(signature = (instances, max_depth, time_limit, progress, extra = None, within = 0, deterministic = None))]
    #[expect(clippy::too_many_arguments, reason = "the arguments of the Python method")]
    fn solve(
        &self,
        py: Python<'_>,
        instances: Vec<String>,
        max_depth: Option<u32>,
        time_limit: Option<f64>,
        progress: Option<Py<PyAny>>,
        extra: Option<u32>,
        within: u32,
        deterministic: Option<bool>,
    ) -> PyResult<Records> {
        let puzzle = self.solver.puzzle();
        let boards = read_boards(puzzle, instances)?;
        let limits = settings::limits(max_depth, time_limit)?;
        let wanted = extra.map_or(Wanted::First, |extra| Wanted::All { extra });
        batch::answer(
            py,
            &self.settings,
            puzzle.metric().recorded(),
            &boards,
            progress,
            None,
            |tiles, _, run: &Run<'_>| {
                let ask = Ask::new(*tiles).max_bound(limits.max_depth).order(self.order).wanted(wanted);
                let ask = ask.upper_bounds(settings::upper_bounds(within, deterministic));
                let answer = self.solver.solve(&ask, &limits.run(run));
                let answer = answer
                    .map_err(|faults| Failure::malformed("invalid board").with_faults(named(&faults)))?;
                answer.try_map(|ops| checked(puzzle, tiles, &ops))
            },
        )
    }

    /// The heuristic's value of each row.
    fn values(&self, py: Python<'_>, boards: &[u8]) -> PyResult<Py<PyByteArray>> {
        let puzzle = self.solver.puzzle();
        let cells = puzzle.board().cells();
        arrays::values(py, &self.settings, boards.len() / cells, |range, values| {
            for row in range {
                let tiles = tiles_of(puzzle, &boards[row * cells..][..cells]).map_err(|faults| {
                    let faults = faults.into_iter().map(|fault| format!("number {row}: {fault}"));
                    exception(&Failure::new(Exit::Malformed, "invalid board").with_faults(faults))
                })?;
                values.push(self.solver.value(&tiles));
            }
            Ok(())
        })
    }
}

/// Uniformly random solvable boards, those of `tile24 random` with the same seed.
#[pyfunction]
pub fn tile_random(
    py: Python<'_>,
    count: usize,
    seed: u64,
    size: &str,
    goal: &str,
) -> PyResult<Py<PyByteArray>> {
    let puzzle = puzzle(size, goal)?;
    let instances = Instances::new(puzzle.board(), *puzzle.goal(), seed).take(count);
    Ok(arrays::rows(py, instances, |tiles, bytes| write(puzzle.board(), &tiles, bytes)))
}

/// The children of each row by the moves U, L, R, D of the blank, and for each whether it exists (1) or
/// stands for a move off the board (0), which leaves the row as it is.
#[pyfunction]
pub fn tile_expand(
    py: Python<'_>,
    boards: &[u8],
    size: &str,
) -> PyResult<(Py<PyByteArray>, Py<PyByteArray>, String)> {
    let puzzle = puzzle(size, "blank-first")?;
    let all = free_tiles(puzzle.board(), boards)?;
    let children = arrays::rows(py, &all, |tiles, bytes| {
        for op in OpSet::first(OPS) {
            let exists = puzzle.applicable(tiles).contains(op);
            let child = if exists { puzzle.apply(tiles, op) } else { *tiles };
            write(puzzle.board(), &child, bytes);
        }
    });
    let exists = arrays::rows(py, &all, |tiles, bytes| {
        bytes.extend(OpSet::first(OPS).into_iter().map(|op| u8::from(puzzle.applicable(tiles).contains(op))));
    });
    Ok((children, exists, OpSet::first(OPS).into_iter().map(letter).collect()))
}

/// Rows of any parity.
fn free_tiles(board: Board, bytes: &[u8]) -> PyResult<Vec<Tiles>> {
    let read = |row: &[u8]| Tiles::from_bytes(board, row).map_err(|faults| named(&faults));
    read_all(bytes.chunks_exact(board.cells()), "board", read).map_err(|failure| exception(&failure))
}

/// Each row after some moves of the blank.
#[pyfunction]
pub fn tile_apply(py: Python<'_>, boards: &[u8], size: &str, moves: &str) -> PyResult<Py<PyByteArray>> {
    let puzzle = puzzle(size, "blank-first")?;
    let board = puzzle.board();
    let find =
        |symbol: char| OpSet::first(OPS).into_iter().find(|&op| letter(op) == symbol.to_ascii_uppercase());
    let ops: Option<Vec<Op>> = moves.chars().filter(|c| !c.is_whitespace()).map(find).collect();
    let ops = ops.ok_or_else(|| usage(format_args!("moves are letters of U, L, R, D, not {moves:?}")))?;
    let after = |row: &[u8]| {
        let start = Tiles::from_bytes(board, row).map_err(|faults| named(&faults))?;
        ops.iter().zip(1..).try_fold(start, |tiles, (&op, number)| {
            match puzzle.applicable(&tiles).contains(op) {
                true => Ok(puzzle.apply(&tiles, op)),
                false => Err(vec![format!("move {number}, {}, leaves the board", letter(op))]),
            }
        })
    };
    let all = read_all(boards.chunks_exact(board.cells()), "board", after);
    Ok(arrays::rows(py, all.map_err(|failure| exception(&failure))?, |tiles, bytes| {
        write(board, &tiles, bytes)
    }))
}

/// The number of boards at each distance from the goal, up to `depth`.
#[pyfunction]
pub fn tile_counts(
    py: Python<'_>,
    size: &str,
    goal: &str,
    depth: Option<u32>,
    memory: Option<&str>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<u64>> {
    let (puzzle, settings) = (puzzle(size, goal)?, Settings::new(threads, memory, None)?);
    if !slidetile::packed::fits(puzzle.board()) {
        return Err(usage("boards of more than 16 cells have too many states to count"));
    }
    let counts = supervise_whole(py, &settings.run, progress, |run| {
        let options = Options { memory: run.memory(), ..Options::in_memory(8) };
        let mut search = FrontierSearch::new(&puzzle, options, [*puzzle.goal()])?;
        run.progress().begin("layers", 0);
        while depth.is_none_or(|depth| search.depth() < depth) && search.step(run)?.states > 0 {
            run.progress().update(u64::from(search.depth()));
        }
        run.progress().end();
        // An empty layer ends a complete search; it is not counted.
        let counts = search.layers().iter().map(|layer| layer.states).filter(|&states| states > 0);
        Ok::<_, FrontierError>(counts.collect())
    })?;
    counts.map_err(|error| exception(&Failure::error(error)))
}
