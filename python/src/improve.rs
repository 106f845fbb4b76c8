//! Shorter solutions from long ones: each is shortened on one thread, several at once.

use crate::batch::Records;
use crate::cubes::{self, CubeSolver, of_solver};
use crate::failure::{exception, read_all, usage};
use crate::permutation_solver::PermutationSolver;
use crate::settings::{self, Settings, VERSION};
use crate::supervise::supervise;
use crate::tiles::{self, TileSolver, named};
use crate::towers::{self, TowerSolver};
use cube::Turn;
use cube::fmc;
use cube::notation::{Fault, Position, scramble};
use cube::strategy::improve as of_cubes;
use hanoi4::improve as of_towers;
use hanoi4::strategy::Ask;
use puzzle::Pattern;
use puzzle::improve as of_permutations;
use puzzle::solution::{Rejected, counted};
use puzzle_cli::{Failure, Shortened};
use pyo3::prelude::*;
use referee::hanoi::{Towers, parse_moves};
use search_core::improve::Improve;
use search_core::record::Method;
use search_core::{Op, Run, Silent, Solution};
use slidetile::{Metric, Notation, Tiles, improve as of_tiles};
use std::time::Instant;

/// How to shorten solutions.
#[derive(FromPyObject)]
pub struct How {
    window: Option<usize>,
    ties: u32,
    seed: u64,
    anew: bool,
    time_limit: Option<f64>,
}

/// A puzzle, or none where the moves alone are given, and the moves.
type Stated = (Option<String>, String);

/// The method of windows by a search of their own.
fn by_windows(settings: &Settings) -> Method {
    let (metric, heuristic) = ("moves".to_owned(), "windows".to_owned());
    Method {
        metric,
        heuristic,
        threads: settings.run.threads(),
        version: VERSION.to_owned(),
        ..Method::default()
    }
}

/// The batch of a puzzle.
struct Batch<'a> {
    py: Python<'a>,
    settings: &'a Settings,
    how: &'a How,
    /// The number of moves in a window where Python names none.
    window: usize,
    method: Method,
    progress: Option<Py<PyAny>>,
}

impl Batch<'_> {
    /// Reads all solutions with `read`, then shortens them with `improve`. An interruption ends the batch; the solutions at
    /// hand are as short as they are by then.
    ///
    /// # Errors
    /// The faults of all solutions, or the first failure of `improve`.
    fn answer<S: Sync>(
        self,
        solutions: Vec<Stated>,
        read: impl Fn(Option<String>, &str) -> Result<S, Vec<String>>,
        improve: impl Fn(&S, &Improve, &Run<'_>) -> Result<Shortened, Failure> + Sync + Send,
    ) -> PyResult<Records> {
        let Batch { py, settings, how, window, method, progress } = self;
        let window = match how.window {
            Some(0) => return Err(usage("window must be at least 1")),
            given => given.unwrap_or(window),
        };
        let time_limit = settings::limits(None, how.time_limit)?.time_limit;
        let windows = Improve::windows(window).ties(how.ties, how.seed);
        let stated = |(puzzle, moves): Stated| {
            let text = puzzle.as_ref().map_or_else(|| moves.clone(), |puzzle| format!("{puzzle}; {moves}"));
            Ok((text, read(puzzle, &moves)?))
        };
        let read = read_all(solutions, "solution", stated).map_err(|failure| exception(&failure))?;
        let shorten = |run: &Run<'_>, (text, solution): &(String, S)| {
            if run.is_cancelled() {
                return Ok(None);
            }
            let (begun, run) = (Instant::now(), run.with_threads(1).with_progress(&Silent));
            let run = match time_limit.and_then(|time| begun.checked_add(time)) {
                Some(deadline) => run.with_deadline(deadline),
                None => run,
            };
            let shortened = improve(solution, &windows, &run)?;
            let record = shortened.record(text, window, begun.elapsed().as_secs_f64(), method.clone());
            serde_json::to_string(&record).map(Some).map_err(Failure::error)
        };
        let (records, stop) = supervise(py, &settings.run, progress, |run| {
            let mut records = Vec::with_capacity(read.len());
            run.progress().begin("solutions", read.len() as u64);
            for part in read.chunks(AT_ONCE) {
                let done: Result<Vec<_>, _> = run.map(part, |one| shorten(run, one)).into_iter().collect();
                records.extend(done?.into_iter().map_while(|record| record));
                run.progress().update(records.len() as u64);
            }
            run.progress().end();
            Ok(records)
        });
        Ok((records.map_err(|failure: Failure| exception(&failure))?, stop))
    }
}

/// The solutions between two reports of progress.
const AT_ONCE: usize = 64;

/// The puzzle of a solution that does not name it.
fn given(puzzle: Option<String>, what: &str) -> Result<String, Vec<String>> {
    puzzle.ok_or_else(|| vec![format!("no {what} is given")])
}

/// Shorter solutions of cubes. Moves alone are replaced by moves with the same effect.
#[pyfunction]
pub fn cube_improve(
    py: Python<'_>,
    solver: &CubeSolver,
    solutions: Vec<Stated>,
    how: How,
    progress: Option<Py<PyAny>>,
) -> PyResult<Records> {
    solver.refuse_other_goals("shorter solutions")?;
    let CubeSolver { settings, solver, .. } = solver;
    let (metric, used) = (solver.metric(), solver.planned());
    let method = Method {
        metric: metric.name().to_owned(),
        heuristic: used.heuristic,
        tables: used.tables,
        ..by_windows(settings)
    };
    let read = |puzzle: Option<String>, moves: &str| -> Result<(Position, Vec<Turn>), Vec<String>> {
        let defects = |fault: Fault| fault.defects.iter().map(ToString::to_string).collect::<Vec<_>>();
        let turns = scramble::parse(moves).map_err(defects)?.turns;
        let (_, position) = cubes::position(puzzle.unwrap_or_else(|| scramble::format(fmc::undo(&turns))))?;
        let turns: Vec<Turn> = turns.into_iter().map(|turn| position.orientation.from_held(turn)).collect();
        match position.cube.apply_all(turns.iter().copied()).is_solved() {
            true => Ok((position, turns)),
            false => Err(vec!["the moves do not solve the cube".to_owned()]),
        }
    };
    let batch = Batch { py, settings, how: &how, window: of_cubes::WINDOW, method, progress };
    batch.answer(solutions, read, |(position, turns), windows, run| {
        let found = of_cubes::shorter(solver, &position.cube, turns, windows, how.anew, run);
        let of_cubes::Shorter { turns: shorter, lower_bound, is_complete } = found.map_err(of_solver)?;
        let solution =
            cubes::checked(position, &scramble::held_moves(shorter, position.orientation), metric)?;
        Ok(Shortened { given: fmc::length(metric, turns), solution, lower_bound, is_complete })
    })
}

/// Shorter solutions of boards.
#[pyfunction]
pub fn tile_improve(
    py: Python<'_>,
    solver: &TileSolver,
    solutions: Vec<Stated>,
    how: How,
    progress: Option<Py<PyAny>>,
) -> PyResult<Records> {
    let TileSolver { settings, solver, .. } = solver;
    let puzzle = solver.puzzle();
    if puzzle.metric() != Metric::Single {
        return Err(usage("shorter solutions: not available where several tiles move as one"));
    }
    let read = |board: Option<String>, moves: &str| -> Result<(Tiles, Vec<Op>), Vec<String>> {
        let tiles = puzzle.read(&given(board, "board")?).map_err(|faults| named(&faults))?;
        let ops = Notation::Blank.read(puzzle, &tiles, moves).map_err(|fault| vec![fault.to_string()])?;
        Ok((tiles, ops))
    };
    let method = by_windows(settings);
    let batch = Batch { py, settings, how: &how, window: of_tiles::WINDOW, method, progress };
    batch.answer(solutions, read, |(tiles, ops), windows, run| {
        let found = of_tiles::shorter(puzzle, tiles, ops, windows, how.anew.then_some(solver), run);
        let of_tiles::Shorter { ops: shorter, lower_bound, is_complete } =
            found.map_err(|faults| Failure::malformed("invalid board").with_faults(named(&faults)))?;
        let solution = tiles::checked(puzzle, tiles, &shorter)?;
        Ok(Shortened { given: ops.len() as u32, solution, lower_bound, is_complete })
    })
}

/// Shorter paths between two states of towers on four pegs; the second is where the moves lead.
#[pyfunction]
pub fn tower_improve(
    py: Python<'_>,
    solver: &TowerSolver,
    solutions: Vec<Stated>,
    how: How,
    progress: Option<Py<PyAny>>,
) -> PyResult<Records> {
    let TowerSolver { settings, pegs, notation } = solver;
    if *pegs != 4 {
        return Err(usage("shorter solutions: only on four pegs"));
    }
    let read = |state: Option<String>, moves: &str| -> Result<_, Vec<String>> {
        let read = notation.read(&given(state, "state")?, *pegs, None);
        let (puzzle, from) = read.map_err(|error| error.faults)?;
        let steps = parse_moves(moves).and_then(|steps| {
            Towers::parse(*pegs as usize, &puzzle.format(from))?.after_all(&steps)?;
            Ok(steps)
        });
        let steps = steps.map_err(|refusal| vec![refusal.to_string()])?;
        let (moves, to) = of_towers::followed(&puzzle, from, steps.iter().map(|step| (step.from, step.to)));
        Ok((Ask::new(puzzle, from, to), moves))
    };
    let method = by_windows(settings);
    let batch = Batch { py, settings, how: &how, window: of_towers::WINDOW, method, progress };
    batch.answer(solutions, read, |(ask, moves), windows, run| {
        let of_towers::Shorter { moves: shorter, lower_bound, is_complete } =
            of_towers::shorter(&ask.puzzle, (ask.from, ask.to), moves, windows, run);
        let solution = towers::checked(ask, &shorter)?;
        Ok(Shortened { given: moves.len() as u32, solution, lower_bound, is_complete })
    })
}

/// Shorter solutions of a permutation puzzle. Moves alone are replaced by moves with the same effect.
#[pyfunction]
pub fn permutation_improve(
    py: Python<'_>,
    solver: &PermutationSolver,
    solutions: Vec<Stated>,
    how: How,
    progress: Option<Py<PyAny>>,
) -> PyResult<Records> {
    let PermutationSolver { settings, puzzle: whole, has_goals, .. } = solver;
    if *has_goals {
        return Err(usage("shorter solutions: only of solutions that lead to the solved state"));
    }
    let (whole, puzzle) = (whole.get(), whole.get().puzzle());
    let names =
        |ops: &[Op]| -> Vec<&str> { ops.iter().map(|op| &*puzzle.moves()[op.index()].name).collect() };
    let read = |state: Option<String>, moves: &str| -> Result<(Pattern, Vec<Op>), Vec<String>> {
        let ops = of_permutations::read_moves(puzzle, moves).map_err(|faults| faults.0)?;
        let start = match state {
            Some(text) => whole.state(&text, None).map_err(|faults| faults.0)?,
            None => of_permutations::start_of(puzzle, &ops),
        };
        match counted(puzzle, &start, &names(&ops)) == Some(ops.len()) {
            true => Ok((start, ops)),
            false => Err(vec!["the moves do not solve the puzzle".to_owned()]),
        }
    };
    let (window, method) = (of_permutations::window(puzzle), by_windows(settings));
    let batch = Batch { py, settings, how: &how, window, method, progress };
    batch.answer(solutions, read, |(start, ops), windows, run| {
        let found = of_permutations::shorter(puzzle, start, ops, windows, run);
        let found =
            found.map_err(|faults| Failure::usage("no windows of this puzzle").with_faults(faults.0))?;
        let (names, length) = (names(&found.moves), found.moves.len());
        let moves = names.join(" ");
        if counted(puzzle, start, &names) != Some(length) {
            return Err(Failure::error(Rejected { moves, length }));
        }
        let lower_bound = if found.is_cheapest { found.cost } else { 0 };
        let solution = Solution { length: found.cost, moves };
        Ok(Shortened { given: ops.len() as u32, solution, lower_bound, is_complete: found.is_complete })
    })
}
