//! Towers of Hanoi. A row is the peg of each disc, the largest disc first.

use crate::arrays;
use crate::batch::{Batch, Records};
use crate::failure::{exception, of_table, read_all, usage};
use crate::settings::{Limits, Settings};
use crate::supervise::supervise_whole;
use hanoi4::corners::complete::{CompleteSearch, FEWEST_DISCS};
use hanoi4::database::Database;
use hanoi4::graph::{self, PegGraph, Task, explore};
use hanoi4::layer_search::SearchOptions;
use hanoi4::model::{BadInput, Move, Puzzle, State, format_moves};
use hanoi4::solve::{fits, shortest_path};
use hanoi4::tables::DatabaseId;
use hanoi4::verify::{MIN_DISCS, Threshold, default_database, verify};
use hanoi4::{splittings, towers};
use puzzle_cli::Failure;
use puzzle_cli::format::{format_bytes, whole_mebibytes};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use referee::hanoi::{Towers, check};
use search_core::record::TableUse;
use search_core::storage::Budget;
use search_core::{Domain, Op, OpSet, Report, Run, Solution};
use std::path::PathBuf;

/// The exception for a puzzle or state that is not one.
pub fn malformed(error: BadInput) -> PyErr {
    exception(&Failure::malformed("invalid puzzle or state").with_faults(error.faults))
}

fn puzzle(discs: u32, pegs: u32) -> PyResult<Puzzle> {
    Puzzle::new(discs, pegs).map_err(malformed)
}

/// An instance, as a record states it: the start and the goal.
struct Path {
    puzzle: Puzzle,
    from: State,
    to: State,
}

fn path(text: &str, pegs: u32) -> Result<Path, Vec<String>> {
    let states: Vec<&str> = text.split_whitespace().collect();
    let &[from, to] = states.as_slice() else {
        return Err(vec![format!("{text:?} is not a start and a goal separated by a space")]);
    };
    let discs = u32::try_from(from.chars().count()).unwrap_or(u32::MAX);
    let puzzle = Puzzle::new(discs, pegs).map_err(|error| error.faults)?;
    match (puzzle.parse(from), puzzle.parse(to)) {
        (Ok(from), Ok(to)) => Ok(Path { puzzle, from, to }),
        (from, to) => {
            Err([from.err(), to.err()].into_iter().flatten().flat_map(|error| error.faults).collect())
        }
    }
}

/// Replays a solution as it will be returned, by the referee.
fn checked(path: &Path, moves: &[Move]) -> Result<Solution, Failure> {
    let length = u32::try_from(moves.len()).expect("fewer than 2^32 moves");
    let solution = Solution { length, moves: format_moves(moves) };
    let read = |state| Towers::parse(path.puzzle.pegs() as usize, &path.puzzle.format(state));
    read(path.from)
        .and_then(|from| check(&from, &read(path.to)?, &solution.moves, u64::from(length)))
        .map_err(|refusal| Failure::error(format_args!("the referee rejects the solution: {refusal}")))?;
    Ok(solution)
}

/// The database to verify `discs` discs with: the one of `of` discs, or the default one.
fn database(
    discs: u32,
    of: Option<u32>,
    settings: &Settings,
    run: &Run<'_>,
) -> Result<Option<(Database, TableUse)>, Failure> {
    let Some(of) = of.or_else(|| default_database(discs)).filter(|&of| of > 0) else { return Ok(None) };
    let id = DatabaseId::middle(of);
    if !id.is_possible() || !splittings::fits(discs - 1, of, id.dropped) {
        return Err(Failure::usage(format_args!(
            "a database of {of} discs cannot be used for {discs} discs"
        )));
    }
    id.get(&settings.store, run).map(Some).map_err(|error| of_table(&error))
}

/// A solver of towers on three or four pegs.
#[pyclass(frozen)]
pub struct TowerSolver {
    settings: Settings,
    pegs: u32,
}

#[pymethods]
impl TowerSolver {
    #[new]
    #[pyo3(signature = (pegs, memory, threads, tables))]
    fn new(
        pegs: u32,
        memory: Option<&str>,
        threads: Option<usize>,
        tables: Option<PathBuf>,
    ) -> PyResult<TowerSolver> {
        puzzle(1, pegs)?;
        Ok(TowerSolver { settings: Settings::new(threads, memory, tables)?, pegs })
    }

    fn threads(&self) -> usize {
        self.settings.run.threads()
    }

    fn solve(
        &self,
        py: Python<'_>,
        instances: Vec<String>,
        max_depth: Option<u32>,
        time_limit: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Records> {
        let read = |text: String| path(&text, self.pegs).map(|path| (text, path));
        let paths = read_all(instances, "tower", read).map_err(|failure| exception(&failure))?;
        let (limits, mut records) = (Limits::new(time_limit)?, Vec::new());
        for one in &paths {
            // Each has its own database, so each is a batch of its own.
            let used = match towers::by_proof(&one.1.puzzle, one.1.from, one.1.to) {
                None => None,
                Some(_) => {
                    let callback = progress.as_ref().map(|callback| callback.clone_ref(py));
                    let discs = one.1.puzzle.discs();
                    supervise_whole(py, &self.settings.run, callback, |run| {
                        database(discs, None, &self.settings, run)
                    })?
                    .map_err(|failure| exception(&failure))?
                }
            };
            let (database, tables) =
                used.map_or((None, Vec::new()), |(database, table)| (Some(database), vec![table]));
            let batch = Batch {
                settings: &self.settings,
                limits,
                metric: "moves",
                heuristic: if database.is_some() { "two splittings" } else { "none" }.to_owned(),
                tables: &tables,
            };
            let callback = progress.as_ref().map(|callback| callback.clone_ref(py));
            let (more, stop) = batch.answer(py, std::slice::from_ref(one), callback, |path, run| {
                solve(path, database.as_ref(), max_depth, run)?.try_map(|moves| checked(path, &moves))
            })?;
            records.extend(more);
            if stop.is_some() {
                return Ok((records, stop));
            }
        }
        Ok((records, None))
    }
}

fn solve(
    Path { puzzle, from, to }: &Path,
    database: Option<&Database>,
    max_depth: Option<u32>,
    run: &Run<'_>,
) -> Result<Report<Vec<Move>>, Failure> {
    if let Some(length) = towers::too_long(puzzle, *from, *to) {
        return Err(Failure::usage(format_args!("a shortest path has {length} moves, too many to list")));
    }
    if let Some(pegs) = towers::by_proof(puzzle, *from, *to) {
        return towers::prove(puzzle, pegs, database, max_depth, run).map_err(Failure::error);
    }
    if let Err(need) = fits(puzzle, *to, run.memory()) {
        let message = format!("{} discs need about {} of memory", puzzle.discs(), format_bytes(need));
        return Err(Failure::usage(message).with_remedy(format!("give memory={:?}", whole_mebibytes(need))));
    }
    shortest_path(puzzle, *from, *to, max_depth.unwrap_or(u32::MAX), run).map_err(Failure::error)
}

fn states_of(puzzle: &Puzzle, bytes: &[u8]) -> PyResult<Vec<State>> {
    let read = |row: &[u8]| {
        let text: String = row.iter().map(|&peg| char::from(b'0'.saturating_add(peg))).collect();
        puzzle.parse(&text).map_err(|error| error.faults)
    };
    read_all(bytes.chunks_exact(puzzle.discs() as usize), "tower", read)
        .map_err(|failure| exception(&failure))
}

fn write(puzzle: &Puzzle, state: State, bytes: &mut Vec<u8>) {
    bytes.extend((0..puzzle.discs()).rev().map(|disc| state.peg(disc) as u8));
}

/// Uniformly random states.
#[pyfunction]
pub fn tower_random(
    py: Python<'_>,
    count: usize,
    seed: u64,
    discs: u32,
    pegs: u32,
) -> PyResult<Py<PyByteArray>> {
    let puzzle = puzzle(discs, pegs)?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Draws beyond the last multiple of the pegs are repeated.
    let fair = u32::MAX - u32::MAX % pegs;
    let mut draw = move || loop {
        let draw = rng.next_u32();
        if draw < fair {
            return (draw % pegs) as u8;
        }
    };
    let cells = count * puzzle.discs() as usize;
    Ok(arrays::rows(py, 0..cells, |_, bytes| bytes.push(draw())))
}

/// The children of each row by the moves from a peg to another, in the order of the pegs, and for each
/// whether the move is legal (1) or not (0), which leaves the row as it is.
#[pyfunction]
pub fn tower_expand(
    py: Python<'_>,
    states: &[u8],
    discs: u32,
    pegs: u32,
) -> PyResult<(Py<PyByteArray>, Py<PyByteArray>, Vec<String>)> {
    let puzzle = puzzle(discs, pegs)?;
    let (all, ops) = (states_of(&puzzle, states)?, OpSet::first(puzzle.op_count()));
    let children = arrays::rows(py, &all, |state, bytes| {
        for op in ops {
            let legal = puzzle.applicable(state).contains(op);
            write(&puzzle, if legal { puzzle.apply(state, op) } else { *state }, bytes);
        }
    });
    let legal = arrays::rows(py, &all, |state, bytes| {
        bytes.extend(ops.into_iter().map(|op| u8::from(puzzle.applicable(state).contains(op))));
    });
    let pairs = (0..pegs).flat_map(|from| (0..pegs).filter(move |&to| to != from).map(move |to| (from, to)));
    let mut names: Vec<(Op, String)> =
        pairs.map(|(from, to)| (puzzle.op(from, to), format!("{from}-{to}"))).collect();
    names.sort_by_key(|(op, _)| *op);
    Ok((children, legal, names.into_iter().map(|(_, name)| name).collect()))
}

/// Each row after some moves, written as in solutions.
#[pyfunction]
pub fn tower_apply(
    py: Python<'_>,
    states: &[u8],
    discs: u32,
    pegs: u32,
    moves: &str,
) -> PyResult<Py<PyByteArray>> {
    let puzzle = puzzle(discs, pegs)?;
    let moves = referee::hanoi::parse_moves(moves).map_err(usage)?;
    let after = |state: State| {
        let towers = Towers::parse(pegs as usize, &puzzle.format(state));
        let after = towers
            .and_then(|towers| towers.after_all(&moves))
            .map_err(|refusal| vec![refusal.to_string()])?;
        puzzle.parse(&after.to_string()).map_err(|error| error.faults)
    };
    let all = read_all(states_of(&puzzle, states)?, "tower", after).map_err(|failure| exception(&failure))?;
    Ok(arrays::rows(py, all, |state, bytes| write(&puzzle, state, bytes)))
}

/// The number of states at each distance from all discs on peg 0.
#[pyfunction]
pub fn tower_counts(
    py: Python<'_>,
    discs: u32,
    pegs: u32,
    memory: Option<&str>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<u64>> {
    let settings = Settings::new(threads, memory, None)?;
    let graph = PegGraph::parse("complete", pegs).map_err(malformed)?;
    if pegs <= 4 {
        puzzle(discs, pegs)?;
    }
    let counts = supervise_whole(py, &settings.run, progress, |run| {
        if pegs == 4 && discs >= FEWEST_DISCS {
            let search = CompleteSearch { discs, ..CompleteSearch::default() };
            let found = search.run(run).map_err(Failure::error)?;
            return Ok(found.report.layers.iter().map(|layer| layer.states).collect());
        }
        let task = Task { graph: &graph, discs, from: 0, word_discs: None };
        let found = explore(&task, &graph::Limits::default(), run).map_err(Failure::error)?;
        Ok(found.layers)
    })?;
    counts.map_err(|failure: Failure| exception(&failure))
}

/// Proves a presumed-optimal length, as `hanoi4 verify`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of the Python function")]
pub fn tower_verify<'py>(
    py: Python<'py>,
    discs: u32,
    database_discs: Option<u32>,
    below: bool,
    memory: Option<&str>,
    threads: Option<usize>,
    tables: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let settings = Settings::new(threads, memory, tables)?;
    if !(MIN_DISCS..=31).contains(&discs) {
        let message = format!("the number of discs must be {MIN_DISCS} to 31, not {discs}");
        return Err(exception(&Failure::malformed(message)));
    }
    let threshold = if below { Threshold::Below } else { Threshold::Full };
    let found = supervise_whole(py, &settings.run, progress, |run| {
        let big = database(discs, database_discs, &settings, run)?;
        let taken = big.as_ref().map_or(0, |(database, _)| database.values().len() as u64);
        let budget = Budget::new(run.memory().saturating_sub(taken), 0);
        let (big, options) = (big.as_ref(), SearchOptions::default());
        let found = verify(discs, threshold, big.map(|(database, _)| database), budget, &options, run);
        Ok((found.map_err(Failure::error)?, big.map(|(_, table)| table.clone())))
    })?;
    let (found, table) = found.map_err(|failure: Failure| exception(&failure))?;
    let answer = PyDict::new(py);
    answer.set_item("discs", discs)?;
    answer.set_item("presumed", found.presumed)?;
    answer.set_item("proved", found.ending.length())?;
    answer.set_item("threshold", found.threshold)?;
    answer.set_item("unique_states", found.report.total(|layer| layer.orbits))?;
    answer.set_item("pruned_states", found.report.total(|layer| layer.pruned))?;
    answer.set_item("seconds", found.report.seconds)?;
    answer.set_item("table", table.map(|used| (used.name, used.checksum)))?;
    Ok(answer)
}
