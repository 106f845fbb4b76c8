//! Towers of Hanoi. A row is the peg of each disc, the largest disc first.

use crate::arrays;
use crate::batch::{self, Records};
use crate::failure::{exception, of_table, read_all, usage};
use crate::settings::{self, Settings};
use crate::supervise::supervise_whole;
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use hanoi4::graph::PegGraph;
use hanoi4::model::{BadInput, Move, Puzzle, State, format_moves};
use hanoi4::notation::Notation;
use hanoi4::strategy::{Ask, AskError, CountAsk, ProofAsk, ProofMethod, Solver};
use hanoi4::verify::Threshold;
use puzzle_cli::Failure;
use puzzle_cli::format::{format_bytes, whole_mebibytes};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict};
use referee::hanoi::{Towers, check};
use search_core::{Domain, Op, OpSet, Run, Solution};
use std::path::PathBuf;

/// The exception for a puzzle or state that is not one.
pub fn malformed(error: BadInput) -> PyErr {
    exception(&Failure::malformed("invalid puzzle or state").with_faults(error.faults))
}

fn puzzle(discs: u32, pegs: u32) -> PyResult<Puzzle> {
    Puzzle::new(discs, pegs).map_err(malformed)
}

/// The question that an instance states: the start and the goal.
pub fn path(text: &str, pegs: u32, notation: Notation) -> Result<Ask, Vec<String>> {
    let (puzzle, from, to) = notation.read_ends(text, pegs).map_err(|error| error.faults)?;
    Ok(Ask::new(puzzle, from, to))
}

/// The failure for a question without an answer.
fn refused(error: AskError) -> Failure {
    match error {
        AskError::Malformed(message) => Failure::malformed(message),
        AskError::Memory(need) | AskError::Layers(need) => {
            Failure::usage(format_args!("the search needs about {} of memory", format_bytes(need)))
                .with_remedy(format!("give memory={:?}", whole_mebibytes(need)))
        }
        AskError::Table(error) => of_table(&error),
        error @ (AskError::Unsuitable(_) | AskError::TooLong(_)) => Failure::usage(error),
        error => Failure::error(error),
    }
}

/// Replays a solution as it will be returned, by the referee.
pub fn checked(path: &Ask, moves: &[Move]) -> Result<Solution, Failure> {
    let length = u32::try_from(moves.len()).expect("fewer than 2^32 moves");
    let solution = Solution { length, moves: format_moves(moves) };
    let read = |state| Towers::parse(path.puzzle.pegs() as usize, &path.puzzle.format(state));
    read(path.from)
        .and_then(|from| check(&from, &read(path.to)?, &solution.moves, u64::from(length)))
        .map_err(|refusal| Failure::error(format_args!("the referee rejects the solution: {refusal}")))?;
    Ok(solution)
}

/// A solver of towers on three or four pegs.
#[pyclass(frozen)]
pub struct TowerSolver {
    pub settings: Settings,
    pub pegs: u32,
    pub notation: Notation,
}

#[pymethods]
impl TowerSolver {
    #[new]
    #[pyo3(signature = (pegs, smallest_first, first_peg, memory, threads, tables))]
    fn new(
        pegs: u32,
        smallest_first: bool,
        first_peg: u32,
        memory: Option<&str>,
        threads: Option<usize>,
        tables: Option<PathBuf>,
    ) -> PyResult<TowerSolver> {
        puzzle(1, pegs)?;
        if first_peg > 1 {
            return Err(usage(format_args!("first_peg must be 0 or 1, not {first_peg}")));
        }
        let notation = Notation { smallest_first, pegs_from_1: first_peg == 1 };
        Ok(TowerSolver { settings: Settings::new(threads, memory, tables)?, pegs, notation })
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
        let read = |text: String| {
            path(&text, self.pegs, self.notation).map(|path| (text, path.max_depth(max_depth)))
        };
        let asks = read_all(instances, "tower", read).map_err(|failure| exception(&failure))?;
        let limits = settings::limits(max_depth, time_limit)?;
        let mut solver = Solver::with_store(self.settings.store.clone());
        batch::answer(py, &self.settings, "moves", &asks, progress, None, |ask, _, run: &Run<'_>| {
            let answer = solver.solve(ask, &limits.run(run)).map_err(refused)?;
            answer.try_map(|moves| checked(ask, &moves))
        })
    }
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
    PegGraph::parse("complete", pegs).map_err(malformed)?;
    if pegs <= 4 {
        puzzle(discs, pegs)?;
    }
    let counted = supervise_whole(py, &settings.run, progress, |run| {
        CountAsk::new(discs, pegs).count(run).map_err(refused)
    })?;
    let counted = counted.map_err(|failure| exception(&failure))?;
    Ok(counted.report.layers.iter().map(|layer| layer.states).collect())
}

/// The greatest distance of a state from all discs on peg 0 of four, and the states at that distance, as `hanoi4 radius`.
#[pyfunction]
pub fn tower_radius<'py>(
    py: Python<'py>,
    discs: u32,
    small: Option<u32>,
    memory: Option<&str>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let settings = Settings::new(threads, memory, None)?;
    let puzzle = puzzle(discs, 4)?;
    let ask = CountAsk::new(discs, 4).small(small);
    let found = supervise_whole(py, &settings.run, progress, |run| ask.radius(run).map_err(refused))?;
    let found = found.map_err(|failure| exception(&failure))?;
    let answer = PyDict::new(py);
    answer.set_item("discs", discs)?;
    answer.set_item("depth", found.depth)?;
    let farthest = arrays::rows(py, &found.farthest, |state, bytes| write(&puzzle, *state, bytes));
    answer.set_item("farthest", farthest)?;
    answer.set_item("seconds", found.seconds)?;
    Ok(answer)
}

/// Proves a presumed-optimal length, as `hanoi4 verify`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of the Python function")]
pub fn tower_verify<'py>(
    py: Python<'py>,
    discs: u32,
    database_discs: Option<u32>,
    below: bool,
    by_corners: Option<bool>,
    small: Option<u32>,
    memory: Option<&str>,
    threads: Option<usize>,
    tables: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let settings = Settings::new(threads, memory, tables)?;
    let method = by_corners.map(|corners| if corners { ProofMethod::Corners } else { ProofMethod::Bitmap });
    let threshold = if below { Threshold::Below } else { Threshold::Full };
    let ask = ProofAsk::new(discs).map_err(|error| exception(&refused(error)))?;
    let ask = ask.threshold(threshold).database(database_discs).search(method, small);
    let found = supervise_whole(py, &settings.run, progress, |run| {
        let loaded = ask.load(&settings.store, run).map_err(refused)?;
        Ok((ask.prove(loaded.as_ref(), run).map_err(refused)?, loaded.map(|loaded| loaded.table)))
    })?;
    let (found, table) = found.map_err(|failure: Failure| exception(&failure))?;
    let answer = PyDict::new(py);
    answer.set_item("discs", discs)?;
    answer.set_item("presumed", found.presumed)?;
    answer.set_item("proved", found.ending.length())?;
    answer.set_item("threshold", found.threshold)?;
    let layers = found.search.layers();
    answer.set_item("unique_states", layers.map(|report| report.total(|layer| layer.orbits)))?;
    answer.set_item("pruned_states", layers.map(|report| report.total(|layer| layer.pruned)))?;
    answer.set_item("corners_entered", found.search.corners().map(|corners| corners.entered))?;
    answer.set_item("seconds", found.search.seconds())?;
    answer.set_item("table", table.map(|used| (used.name, used.checksum)))?;
    Ok(answer)
}
