//! IDA\* with a heuristic in Python, called with batches of rows.
//!
//! The search runs on the calling thread and holds the interpreter's lock, because the heuristic takes the
//! time; signals are looked for at each batch.

use crate::batch::Records;
use crate::failure::{exception, usage};
use crate::permutations::PermutationPuzzle;
use crate::settings::{VERSION, limits};
use crate::{cubes, tiles};
use cube::notation::scramble::held_moves;
use cube::{Cube, Metric};
use puzzle::automaton::automaton;
use puzzle::rows::Positions;
use puzzle_cli::Failure;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use search_core::batched::{Batches, ValuesError, search};
use search_core::record::{Method, RunRecord};
use search_core::{Automaton, Domain, Op, Run, Solution};
use std::time::Instant;

/// Cubes turned at one end.
struct Turns(Metric);

impl Domain for Turns {
    type State = Cube;

    fn op_count(&self) -> usize {
        self.0.turns().len()
    }

    fn apply(&self, cube: &Cube, op: Op) -> Cube {
        cube.apply(self.0.turns()[op.index()])
    }

    fn is_goal(&self, cube: &Cube) -> bool {
        cube.is_solved()
    }
}

/// The settings of a search beside its puzzle.
struct Valued<'a, 'py> {
    py: Python<'py>,
    /// Called with rows, as bytes, and their number; returns as many values, each 32 bits, little-endian.
    heuristic: &'a Bound<'py, PyAny>,
    how: How,
    metric: &'a str,
    instance: String,
}

/// How to search: the states of a batch, when to give up, the threads that the heuristic uses.
#[derive(FromPyObject)]
pub struct How {
    batch: usize,
    max_depth: Option<u32>,
    time_limit: Option<f64>,
    threads: usize,
}

impl Valued<'_, '_> {
    fn solve<D: Domain>(
        self,
        domain: &D,
        automaton: &Automaton,
        start: &D::State,
        write: impl Fn(&D::State, &mut Vec<u8>),
        check: impl Fn(Vec<Op>) -> Result<Solution, Failure>,
    ) -> PyResult<Records> {
        let begun = Instant::now();
        let values = |states: &[D::State]| {
            self.py.check_signals()?;
            let mut rows = Vec::new();
            states.iter().for_each(|state| write(state, &mut rows));
            let answer = self.heuristic.call1((PyBytes::new(self.py, &rows), states.len()))?;
            let bytes = answer.cast::<PyBytes>()?.as_bytes();
            let words = bytes.chunks_exact(4).map(|word| word.try_into().expect("four bytes"));
            Ok(words.map(u32::from_le_bytes).collect())
        };
        let run = limits(None, self.how.time_limit)?.run(&Run::new().with_threads(1));
        if self.how.batch == 0 {
            return Err(usage("batch must be at least 1"));
        }
        let batches = Batches { size: self.how.batch, max_bound: self.how.max_depth };
        let (report, stop) = search(domain, automaton, start, batches, values, &run);
        let stop = stop.map(|stop| match stop {
            ValuesError::Failed(error) => error,
            ValuesError::Count { .. } => usage(stop.to_string()),
        });
        let report = report.try_map(check).map_err(|failure| exception(&failure))?;
        let method = Method {
            metric: self.metric.to_owned(),
            heuristic: "python".to_owned(),
            tables: Vec::new(),
            threads: self.how.threads,
            seed: None,
            version: VERSION.to_owned(),
        };
        let record = RunRecord::new(self.instance, report, begun.elapsed().as_secs_f64(), method);
        let record = serde_json::to_string(&record).map_err(|error| exception(&Failure::error(error)))?;
        Ok((vec![record], stop))
    }
}

/// Solves a permutation puzzle.
#[pyfunction]
pub fn permutation_search(
    py: Python<'_>,
    puzzle: Py<PermutationPuzzle>,
    state: &[u8],
    heuristic: &Bound<'_, PyAny>,
    how: How,
) -> PyResult<Records> {
    let puzzle = puzzle.get();
    let refused = |faults: Vec<String>| exception(&Failure::malformed("invalid state").with_faults(faults));
    puzzle.refuse_free_moves("a search with a heuristic of one's own")?;
    let start = puzzle.rows.read(state).map_err(|faults| refused(faults.0))?;
    let system = puzzle.system()?;
    let held = system.reduction.normalized(&start);
    let held = held.ok_or_else(|| refused(vec!["no rotation brings the puzzle home".to_owned()]))?;
    let learned = automaton(system, None, &Run::new());
    let learned = learned.map_err(|cancelled| exception(&Failure::interrupted(cancelled)))?;
    let valued = Valued { py, heuristic, how, metric: "moves", instance: puzzle.text(state) };
    valued.solve(
        &Positions::new(&puzzle.rows, &system.reduction),
        &learned,
        &puzzle.rows.write(&held),
        |row, rows| rows.extend_from_slice(row),
        |ops| puzzle.checked(system, &start, &ops),
    )
}

/// Solves a cube.
#[pyfunction]
pub fn cube_search(
    py: Python<'_>,
    text: String,
    metric: &str,
    heuristic: &Bound<'_, PyAny>,
    how: How,
) -> PyResult<Records> {
    let metric = cubes::metric(metric)?;
    let position = cubes::position(text)
        .map_err(|faults| exception(&Failure::malformed("invalid cube").with_faults(faults)))?;
    let (instance, position) = position;
    let valued = Valued { py, heuristic, how, metric: metric.name(), instance };
    valued.solve(
        &Turns(metric),
        &metric.automaton(),
        &position.cube,
        |cube, rows| cubes::write(*cube, rows),
        |ops| {
            let turns = ops.iter().map(|op| metric.turns()[op.index()]);
            cubes::checked(&position, &held_moves(turns, position.orientation), metric)
        },
    )
}

/// Solves a board.
#[pyfunction]
pub fn tile_search(
    py: Python<'_>,
    board: &[u8],
    size: &str,
    goal: &str,
    heuristic: &Bound<'_, PyAny>,
    how: How,
) -> PyResult<Records> {
    let puzzle = tiles::puzzle(size, goal)?;
    let start = tiles::tiles_of(&puzzle, board)
        .map_err(|faults| exception(&Failure::malformed("invalid board").with_faults(faults)))?;
    let instance = start.text(puzzle.board());
    let valued = Valued { py, heuristic, how, metric: "moves", instance };
    let automaton = slidetile::fsm::inverse_automaton();
    valued.solve(
        &puzzle,
        &automaton,
        &start,
        |tiles, rows| tiles::write(puzzle.board(), tiles, rows),
        |ops| tiles::checked(&puzzle, &start, &ops),
    )
}
