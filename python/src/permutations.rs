//! Permutation puzzles given as data. A row is the sticker at each point.

use crate::arrays;
use crate::batch::{self, Records};
use crate::failure::{exception, of_table, read_all, usage};
use crate::settings::{self, Settings};
use crate::supervise::supervise_whole;
use puzzle::count::{CountError, CountPlan};
use puzzle::definition::{Metric, split_names};
use puzzle::rows::{Positions, Rows};
use puzzle::solver::LONGEST;
use puzzle::system::{System, SystemError};
use puzzle::{
    Ask, Definition, Faults, Pattern, Puzzle, Selected, Selection, Solver, SolverError, SolverSetup, builtin,
    formats, solution,
};
use puzzle_cli::Failure;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use search_core::{Op, Run, Solution};
use std::path::PathBuf;
use std::sync::OnceLock;

fn malformed(faults: Faults) -> PyErr {
    exception(&Failure::malformed("invalid puzzle").with_faults(faults.0))
}

/// A permutation puzzle.
#[pyclass(frozen)]
pub struct PermutationPuzzle {
    definition: Definition,
    selected: Selected,
    /// The numbering of its stickers.
    pub rows: Rows,
    /// The tables of its moves.
    tables: Vec<Box<[u8]>>,
    /// The puzzle as coordinates, when it is first needed.
    system: OnceLock<Result<System, SystemError>>,
}

/// The moves that `apply` makes.
enum Steps {
    /// Moves of the puzzle, by their numbers.
    Counted(Vec<usize>),
    /// An algorithm in the notation of the definition.
    Algorithm(puzzle::notation::Algorithm),
}

impl PermutationPuzzle {
    fn new(definition: Definition, selection: &Selection) -> PyResult<PermutationPuzzle> {
        let selected = definition.select(selection).map_err(malformed)?;
        let rows = Rows::new(&selected.puzzle).map_err(malformed)?;
        let tables = selected.puzzle.moves().iter().map(|step| rows.table(&step.transformation)).collect();
        Ok(PermutationPuzzle { definition, selected, rows, tables, system: OnceLock::new() })
    }

    /// The puzzle that is searched.
    pub fn puzzle(&self) -> &Puzzle {
        &self.selected.puzzle
    }

    /// The puzzle as coordinates.
    ///
    /// # Errors
    /// `InvalidArgument`: it cannot be searched.
    pub fn system(&self) -> PyResult<&System> {
        let system = self.system.get_or_init(|| System::new(self.puzzle(), &Run::new()));
        system.as_ref().map_err(|error| {
            let faults = match error {
                SystemError::Faults(faults) => faults.0.clone(),
                SystemError::Cancelled(cancelled) => vec![cancelled.to_string()],
            };
            exception(&Failure::usage("the puzzle cannot be searched").with_faults(faults))
        })
    }

    /// The rotated form of a state that stands for all its rotations; the state itself where rotations do not lead to it.
    fn held(&self, pattern: &Pattern) -> PyResult<Pattern> {
        if self.puzzle().rotations().is_empty() {
            return Ok(pattern.clone());
        }
        Ok(self.system()?.reduction.normalized(pattern).unwrap_or_else(|| pattern.clone()))
    }

    /// [`held`](Self::held), of rows of whole pieces.
    fn held_row(&self, row: Box<[u8]>) -> PyResult<Box<[u8]>> {
        if self.puzzle().rotations().is_empty() {
            return Ok(row);
        }
        let pattern = self.rows.read(&row).map_err(malformed)?;
        Ok(self.rows.write(&self.held(&pattern)?))
    }

    fn read(&self, rows: &[u8]) -> PyResult<Vec<Pattern>> {
        let read = |row: &[u8]| self.rows.read(row).map_err(|faults| faults.0);
        let all = read_all(rows.chunks_exact(self.rows.points()), "state", read);
        all.map_err(|failure| exception(&failure))
    }

    /// Names of moves, or an algorithm.
    fn steps(&self, text: &str) -> PyResult<Steps> {
        let number = |name: &str| self.puzzle().moves().iter().position(|step| step.name == name);
        if let Some(numbers) = text.split_whitespace().map(number).collect() {
            return Ok(Steps::Counted(numbers));
        }
        let algorithm = self.definition.algorithm(text);
        let algorithm = algorithm
            .map_err(|faults| exception(&Failure::malformed("invalid moves").with_faults(faults.0)))?;
        Ok(Steps::Algorithm(algorithm))
    }

    fn after(&self, pattern: Pattern, steps: &Steps) -> Result<Pattern, Faults> {
        match steps {
            Steps::Counted(numbers) => numbers.iter().try_fold(pattern, |pattern, &number| {
                let step = &self.puzzle().moves()[number];
                let next = pattern.apply(&step.transformation);
                let blocked =
                    || Faults::from(format!("move {} is blocked: its result breaks a rule", step.name));
                if self.puzzle().is_legal(&next) { Ok(next) } else { Err(blocked()) }
            }),
            Steps::Algorithm(algorithm) => {
                let whole = self.selected.pattern(&self.definition, &pattern);
                self.selected.state(&self.definition.perform(&whole, algorithm)?)
            }
        }
    }

    /// The row after a move; the same row if a rule blocks it.
    fn child(&self, row: &[u8], number: usize) -> Box<[u8]> {
        let child = self.rows.after(row, &self.tables[number]);
        if self.rows.is_legal(&child) { child } else { row.into() }
    }

    /// The row of the solution's start, as text.
    pub fn text(&self, row: &[u8]) -> String {
        row.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
    }

    /// The solution, once it is replayed.
    ///
    /// # Errors
    /// A failure: a bug of the search.
    pub fn checked(&self, system: &System, start: &Pattern, ops: &[Op]) -> Result<Solution, Failure> {
        solution::checked(self.puzzle(), &system.reduction, start, ops).map_err(Failure::error)
    }
}

#[pymethods]
impl PermutationPuzzle {
    /// From generators with their names: what is at `from[p]` comes to place `p`.
    #[staticmethod]
    fn from_generators(generators: Vec<(String, Vec<usize>)>, powers: bool) -> PyResult<PermutationPuzzle> {
        let definition = Definition::from_generators(&generators).map_err(malformed)?;
        PermutationPuzzle::new(definition, &selection(powers, None, None))
    }

    /// From a definition in any form that is read.
    #[staticmethod]
    #[pyo3(signature = (text, powers, moves, rotations))]
    fn from_text(
        text: &str,
        powers: bool,
        moves: Option<&str>,
        rotations: Option<&str>,
    ) -> PyResult<PermutationPuzzle> {
        let definition = formats::read(text).map_err(malformed)?;
        PermutationPuzzle::new(definition, &selection(powers, moves, rotations))
    }

    /// A built-in puzzle.
    #[staticmethod]
    #[pyo3(signature = (name, powers, moves, rotations))]
    fn builtin(
        name: &str,
        powers: bool,
        moves: Option<&str>,
        rotations: Option<&str>,
    ) -> PyResult<PermutationPuzzle> {
        let Some(definition) = builtin::get(name) else {
            let names: Vec<&str> = builtin::ENTRIES.iter().map(|entry| entry.name).collect();
            return Err(usage(format_args!("{name:?} is no built-in puzzle: {}", names.join(", "))));
        };
        PermutationPuzzle::new(definition.map_err(malformed)?, &selection(powers, moves, rotations))
    }

    fn points(&self) -> usize {
        self.rows.points()
    }

    fn moves(&self) -> Vec<String> {
        self.puzzle().moves().iter().map(|step| step.name.clone()).collect()
    }

    /// The names of the free rotations.
    fn rotations(&self) -> Vec<String> {
        self.puzzle().rotations().iter().map(|turn| turn.name.clone()).collect()
    }

    /// The name, pieces and orientations of each orbit.
    fn orbits(&self) -> Vec<(String, usize, usize)> {
        let orbits = self.puzzle().orbits().iter().zip(self.rows.turns());
        orbits.map(|(orbit, turns)| (orbit.name.clone(), orbit.pieces, turns)).collect()
    }

    /// Each row after some moves.
    fn apply(&self, py: Python<'_>, rows: &[u8], moves: &str) -> PyResult<Py<PyByteArray>> {
        let steps = self.steps(moves)?;
        let after = |row: &[u8]| {
            let pattern = self.rows.read(row)?;
            self.after(pattern, &steps)
        };
        let after = |row: &[u8]| after(row).map_err(|faults| faults.0);
        let all = read_all(rows.chunks_exact(self.rows.points()), "state", after);
        let all = all.map_err(|failure| exception(&failure))?;
        let all: Vec<Pattern> = all.iter().map(|pattern| self.held(pattern)).collect::<PyResult<_>>()?;
        Ok(arrays::rows(py, &all, |pattern, bytes| bytes.extend(self.rows.write(pattern))))
    }

    /// The children of each row, by the moves in order.
    fn expand(&self, py: Python<'_>, rows: &[u8]) -> PyResult<Py<PyByteArray>> {
        let mut children = Vec::new();
        for pattern in self.read(rows)? {
            let row = self.rows.write(&pattern);
            for number in 0..self.tables.len() {
                children.push(self.held_row(self.child(&row, number))?);
            }
        }
        Ok(arrays::rows(py, &children, |row, bytes| bytes.extend(row)))
    }

    /// States that so many random moves lead to from the solved one.
    fn random(&self, py: Python<'_>, count: usize, seed: u64, steps: usize) -> PyResult<Py<PyByteArray>> {
        let (mut rng, moves) = (ChaCha8Rng::seed_from_u64(seed), self.tables.len() as u64);
        let mut walk = || {
            // 2^32 is so much more than the number of moves that all are as likely.
            let mut draw = || (u64::from(rng.next_u32()) * moves >> 32) as usize;
            self.held_row((0..steps).fold(self.rows.solved(), |row, _| self.child(&row, draw())))
        };
        let rows: Vec<Box<[u8]>> = (0..count).map(|_| walk()).collect::<PyResult<_>>()?;
        Ok(arrays::rows(py, &rows, |row, bytes| bytes.extend(row)))
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
        let (settings, system) = (Settings::new(threads, memory, None)?, self.system()?);
        let counts = supervise_whole(py, &settings.run, progress, |run| {
            CountPlan::new(self.puzzle(), system, depth.is_none(), run)?.count(system, depth, run)
        })?;
        Ok(counts.map_err(|error| exception(&of_count(&error)))?.layers)
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
        let positions = Positions::new(&self.rows, &self.system()?.reduction);
        let layers = supervise_whole(py, &settings.run, progress, |run| positions.layers(depth, run))?;
        let layers = layers.map_err(|error| exception(&of_count(&error)))?;
        let rows = |layer: &Vec<Box<[u8]>>| arrays::rows(py, layer, |row, bytes| bytes.extend(row));
        Ok(layers.iter().map(rows).collect())
    }
}

fn selection(powers: bool, moves: Option<&str>, rotations: Option<&str>) -> Selection {
    Selection {
        moves: moves.map(split_names),
        metric: if powers { Metric::Powers } else { Metric::Generators },
        rotations: rotations.map(split_names),
    }
}

fn of_count(error: &CountError) -> Failure {
    match error {
        CountError::Cancelled(_) => Failure::interrupted(error),
        CountError::Budget(layers) => {
            let depth = layers.len();
            Failure::error(format_args!("the states of {depth} moves exceed the memory"))
                .with_remedy("give a greater memory, or max_depth")
        }
        error => Failure::error(error),
    }
}

fn of_solver(error: &SolverError) -> Failure {
    match error {
        SolverError::Faults(faults) => {
            Failure::usage("no solver of this puzzle and these patterns").with_faults(faults.0.clone())
        }
        SolverError::Memory { .. } => {
            Failure::usage(error).with_remedy("choose fewer pieces, or give more memory")
        }
        SolverError::Table(error) => of_table(error),
        SolverError::Cancelled(_) => Failure::interrupted(error),
    }
}

/// A solver of a permutation puzzle.
#[pyclass(frozen)]
pub struct PermutationSolver {
    settings: Settings,
    puzzle: Py<PermutationPuzzle>,
    solver: Solver,
}

#[pymethods]
impl PermutationSolver {
    #[new]
    #[pyo3(signature = (puzzle, patterns, learn, memory, threads, tables, progress))]
    #[expect(clippy::too_many_arguments, reason = "the arguments of the Python class")]
    fn new(
        py: Python<'_>,
        puzzle: Py<PermutationPuzzle>,
        patterns: Option<Vec<Vec<usize>>>,
        learn: Option<usize>,
        memory: Option<&str>,
        threads: Option<usize>,
        tables: Option<PathBuf>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<PermutationSolver> {
        let settings = Settings::new(threads, memory, tables)?;
        if let Some(depth) = learn.filter(|&depth| depth > LONGEST) {
            return Err(usage(format_args!("learn must be at most {LONGEST} moves, not {depth}")));
        }
        let setup = SolverSetup::default().learn(learn).patterns(patterns);
        let searched = puzzle.get().puzzle().clone();
        let solver = supervise_whole(py, &settings.run, progress, |run| {
            Solver::load(searched, &setup, &settings.store, run)
        })?;
        let solver = solver.map_err(|error| exception(&of_solver(&error)))?;
        Ok(PermutationSolver { settings, puzzle, solver })
    }

    /// The tables' names and checksums.
    fn tables(&self) -> Vec<(String, String)> {
        self.solver.tables().iter().map(|used| (used.name.clone(), used.checksum.clone())).collect()
    }

    /// The entries at each distance, of each table.
    fn counts(&self) -> Vec<Vec<u64>> {
        self.solver.counts().map(<[u64]>::to_vec).collect()
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
        rows: &[u8],
        max_depth: Option<u32>,
        time_limit: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Records> {
        let puzzle = self.puzzle.get();
        let texts = rows.chunks_exact(puzzle.rows.points()).map(|row| puzzle.text(row));
        let states: Vec<(String, Pattern)> = texts.zip(puzzle.read(rows)?).collect();
        let limits = settings::limits(max_depth, time_limit)?;
        batch::answer(py, &self.settings, "moves", &states, progress, |state, run: &Run<'_>| {
            let ask = Ask::new(state.clone()).max_bound(limits.max_depth);
            let answer = self.solver.solve(&ask, &limits.run(run));
            answer.try_map(|ops| puzzle.checked(self.solver.system(), state, &ops))
        })
    }

    /// The heuristic's value of each row; 0 if no moves solve it.
    fn values(&self, py: Python<'_>, rows: &[u8]) -> PyResult<Py<PyByteArray>> {
        let puzzle = self.puzzle.get();
        let width = puzzle.rows.points();
        arrays::values(py, &self.settings, rows.len() / width, |range, values| {
            for row in range {
                let state = puzzle.rows.read(&rows[row * width..][..width]).map_err(|faults| {
                    let faults = faults.0.into_iter().map(|fault| format!("number {row}: {fault}"));
                    exception(&Failure::malformed("invalid state").with_faults(faults))
                })?;
                values.push(self.solver.value(&state).unwrap_or(0));
            }
            Ok(())
        })
    }
}
