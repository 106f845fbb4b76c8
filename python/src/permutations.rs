//! Permutation puzzles given as data. A row is the sticker at each point.

use crate::arrays;
use crate::batch::{self, Records};
use crate::failure::{exception, read_all, usage};
use crate::settings::{self, Settings};
use crate::supervise::supervise_whole;
use permutation::puzzle::CountError;
use permutation::solver::{SolverError, default_depth};
use permutation::{Definition, Faults, Puzzle, Solver, State, kpuzzle};
use puzzle_cli::Failure;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use search_core::ida::Config;
use search_core::record::{Answer, Used};
use search_core::{Domain, Op, OpSet, Run, Solution};
use std::time::Instant;

fn malformed(faults: Faults) -> PyErr {
    exception(&Failure::malformed("invalid puzzle").with_faults(faults.0))
}

/// A permutation puzzle.
#[pyclass(frozen)]
pub struct PermutationPuzzle {
    /// The search domain.
    pub puzzle: Puzzle,
}

impl PermutationPuzzle {
    fn rows(&self, py: Python<'_>, states: impl IntoIterator<Item = State>) -> Py<PyByteArray> {
        arrays::rows(py, states, |state, bytes| write(&self.puzzle, &state, bytes))
    }

    fn states(&self, bytes: &[u8]) -> PyResult<Vec<State>> {
        let read = |row: &[u8]| self.puzzle.read(row).map_err(|faults| faults.0);
        let all = read_all(bytes.chunks_exact(self.puzzle.points()), "state", read);
        all.map_err(|failure| exception(&failure))
    }

    fn ops(&self, moves: &[String]) -> PyResult<Vec<Op>> {
        let find = |name: &String| {
            let at = self.puzzle.move_names().position(|known| known == name);
            at.map(Op::new).ok_or_else(|| vec![format!("{name:?} is not a move of the puzzle")])
        };
        read_all(moves, "move", find).map_err(|failure| exception(&failure))
    }
}

/// Appends a state's row.
pub fn write(puzzle: &Puzzle, state: &State, bytes: &mut Vec<u8>) {
    let end = bytes.len();
    bytes.resize(end + puzzle.points(), 0);
    puzzle.write(state, &mut bytes[end..]);
}

/// The names of operators, separated by spaces.
pub fn moves(puzzle: &Puzzle, ops: &[Op]) -> String {
    let names: Vec<&str> = puzzle.move_names().collect();
    ops.iter().map(|op| names[op.index()]).collect::<Vec<_>>().join(" ")
}

/// The solution, once it is replayed on stickers.
pub fn checked(puzzle: &Puzzle, state: &State, ops: &[Op]) -> Result<Solution, Failure> {
    let (mut row, moves) = (Vec::new(), moves(puzzle, ops));
    write(puzzle, state, &mut row);
    if !puzzle.solves(&row, ops) {
        return Err(Failure::error(format_args!("the moves `{moves}` do not solve the state")));
    }
    Ok(Solution { length: u32::try_from(ops.len()).expect("fewer than 2^32 moves"), moves })
}

#[pymethods]
impl PermutationPuzzle {
    /// From generators with their names: what is at `from[p]` comes to place `p`.
    #[staticmethod]
    fn from_generators(generators: Vec<(String, Vec<usize>)>, powers: bool) -> PyResult<PermutationPuzzle> {
        PermutationPuzzle::of(Definition::from_generators(generators).map_err(malformed)?, powers)
    }

    /// From a KPuzzle definition.
    #[staticmethod]
    fn from_kpuzzle(text: &str, powers: bool) -> PyResult<PermutationPuzzle> {
        PermutationPuzzle::of(kpuzzle::parse(text).map_err(malformed)?, powers)
    }

    fn points(&self) -> usize {
        self.puzzle.points()
    }

    fn moves(&self) -> Vec<String> {
        self.puzzle.move_names().map(str::to_owned).collect()
    }

    /// The name, pieces and orientations of each orbit.
    fn orbits(&self) -> Vec<(String, usize, usize)> {
        let orbits = self.puzzle.orbits().iter();
        orbits.map(|orbit| (orbit.name.clone(), orbit.pieces, orbit.orientations)).collect()
    }

    /// Each row after some moves.
    fn apply(&self, py: Python<'_>, states: &[u8], moves: Vec<String>) -> PyResult<Py<PyByteArray>> {
        let (states, ops) = (self.states(states)?, self.ops(&moves)?);
        let after = |state| ops.iter().fold(state, |state, &op| self.puzzle.apply(&state, op));
        Ok(self.rows(py, states.into_iter().map(after)))
    }

    /// The children of each row, by the moves in order.
    fn expand(&self, py: Python<'_>, states: &[u8]) -> PyResult<Py<PyByteArray>> {
        let ops = OpSet::first(self.puzzle.op_count());
        let states = self.states(states)?;
        let children = states.iter().flat_map(|state| ops.into_iter().map(|op| self.puzzle.apply(state, op)));
        Ok(self.rows(py, children))
    }

    /// States that so many random moves lead to from the solved one.
    fn random(&self, py: Python<'_>, count: usize, seed: u64, steps: usize) -> Py<PyByteArray> {
        let (mut rng, ops) = (ChaCha8Rng::seed_from_u64(seed), self.puzzle.op_count() as u64);
        let mut walk = || {
            // 2^32 is so much more than the number of moves that all are as likely.
            let mut draw = || Op::new((u64::from(rng.next_u32()) * ops >> 32) as usize);
            (0..steps).fold(self.puzzle.solved(), |state, _| self.puzzle.apply(&state, draw()))
        };
        self.rows(py, (0..count).map(|_| walk()))
    }

    /// The number of states at each distance from the solved one.
    fn counts(
        &self,
        py: Python<'_>,
        depth: Option<usize>,
        memory: Option<&str>,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Vec<u64>> {
        let settings = Settings::new(threads, memory, None)?;
        let counts = supervise_whole(py, &settings.run, progress, |run| self.puzzle.counts(depth, run))?;
        counts.map_err(|error| exception(&of_count(&error)))
    }

    /// The states at each distance to the solved one, as rows.
    fn layers(
        &self,
        py: Python<'_>,
        depth: Option<usize>,
        memory: Option<&str>,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Py<PyByteArray>>> {
        let settings = Settings::new(threads, memory, None)?;
        let layers = supervise_whole(py, &settings.run, progress, |run| self.puzzle.layers(depth, run))?;
        let layers = layers.map_err(|error| exception(&of_count(&error)))?;
        let state = |points: &[u8]| {
            let mut state = self.puzzle.solved();
            state[..points.len()].copy_from_slice(points);
            state
        };
        Ok(layers.iter().map(|layer| self.rows(py, layer.iter().map(|points| state(points)))).collect())
    }
}

impl PermutationPuzzle {
    fn of(definition: Definition, powers: bool) -> PyResult<PermutationPuzzle> {
        let faulty = definition.puzzle().map_err(malformed)?;
        let puzzle = if powers { definition.with_powers().puzzle().map_err(malformed)? } else { faulty };
        Ok(PermutationPuzzle { puzzle })
    }
}

fn of_count(error: &CountError) -> Failure {
    match error {
        CountError::Cancelled(_) => Failure::interrupted(error),
        CountError::Memory(_) => Failure::error(error).with_remedy("give a greater memory, or max_depth"),
    }
}

fn of_solver(error: SolverError) -> Failure {
    match error {
        SolverError::Faults(faults) => Failure::usage("invalid pattern").with_faults(faults.0),
        SolverError::Memory { .. } => {
            Failure::usage(error).with_remedy("choose fewer pieces, or give more memory")
        }
        error => Failure::error(error),
    }
}

/// A solver of a permutation puzzle.
#[pyclass(frozen)]
pub struct PermutationSolver {
    settings: Settings,
    solver: Solver,
}

#[pymethods]
impl PermutationSolver {
    #[new]
    #[pyo3(signature = (puzzle, patterns, learn, memory, threads, progress))]
    fn new(
        py: Python<'_>,
        puzzle: Py<PermutationPuzzle>,
        patterns: Vec<Vec<usize>>,
        learn: Option<usize>,
        memory: Option<&str>,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<PermutationSolver> {
        let (settings, puzzle) = (Settings::new(threads, memory, None)?, puzzle.get().puzzle.clone());
        let depth = learn.unwrap_or_else(|| default_depth(&puzzle));
        if !(1..=permutation::solver::LONGEST).contains(&depth) {
            let most = permutation::solver::LONGEST;
            return Err(usage(format_args!("learn must be 1 to {most} moves, not {depth}")));
        }
        let solver =
            supervise_whole(py, &settings.run, progress, |run| Solver::new(puzzle, &patterns, depth, run))?;
        Ok(PermutationSolver { settings, solver: solver.map_err(|error| exception(&of_solver(error)))? })
    }

    /// The tables' names and checksums.
    fn tables(&self) -> Vec<(String, String)> {
        self.solver.tables().into_iter().map(|used| (used.name, used.checksum)).collect()
    }

    /// The entries at each distance, of each pattern.
    fn counts(&self) -> Vec<Vec<u64>> {
        self.solver.databases().iter().map(|database| database.counts.clone()).collect()
    }

    /// The states of the learned automaton.
    fn automaton_states(&self) -> usize {
        self.solver.automaton().states()
    }

    fn threads(&self) -> usize {
        self.settings.run.threads()
    }

    fn solve(
        &self,
        py: Python<'_>,
        states: &[u8],
        max_depth: Option<u32>,
        time_limit: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Records> {
        let puzzle = self.solver.puzzle();
        let read = |row: &[u8]| {
            let text: Vec<String> = row.iter().map(u8::to_string).collect();
            puzzle.read(row).map(|state| (text.join(" "), state)).map_err(|faults| faults.0)
        };
        let states = read_all(states.chunks_exact(puzzle.points()), "state", read);
        let states = states.map_err(|failure| exception(&failure))?;
        let tables = self.solver.tables();
        let names = tables.iter().map(|used| &used.name[..]).collect::<Vec<_>>().join("+");
        let (used, limits) = (Used::one(names, &tables), settings::limits(max_depth, time_limit)?);
        let config = Config::default().max_bound(limits.max_depth);
        batch::answer(py, &self.settings, "moves", &states, progress, |state, run: &Run<'_>| {
            let begun = Instant::now();
            let report = self.solver.solve(state, &config, &limits.run(run));
            let answer = Answer::new(report, used.clone(), begun.elapsed().as_secs_f64());
            answer.try_map(|ops| checked(puzzle, state, &ops))
        })
    }

    /// The heuristic's value of each row.
    fn values(&self, py: Python<'_>, states: &[u8]) -> PyResult<Py<PyByteArray>> {
        let (puzzle, width) = (self.solver.puzzle(), self.solver.puzzle().points());
        arrays::values(py, &self.settings, states.len() / width, |range, values| {
            for row in range {
                let state = puzzle.read(&states[row * width..][..width]).map_err(|faults| {
                    let faults = faults.0.into_iter().map(|fault| format!("number {row}: {fault}"));
                    exception(&Failure::malformed("invalid state").with_faults(faults))
                })?;
                values.push(self.solver.value(&state));
            }
            Ok(())
        })
    }
}
