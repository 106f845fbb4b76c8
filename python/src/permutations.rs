//! Permutation puzzles given as data. A row is the sticker at each point.

use crate::arrays;
use crate::failure::{exception, read_all, usage};
use crate::settings::Settings;
use crate::supervise::supervise_whole;
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use puzzle::count::{CountAsk, CountError, CountPlan};
use puzzle::definition::{Metric, split_names};
use puzzle::formats::{Form as FileForm, kpuzzle};
use puzzle::goal::Places;
use puzzle::group::Uniform;
use puzzle::positions::Positions as Group;
use puzzle::rows::{Positions, Rows};
use puzzle::states::{self, Form};
use puzzle::system::{System, SystemError};
use puzzle::{
    Definition, Faults, Goal, Open, Pattern, Puzzle, Selected, Selection, builtin, formats, solution,
};
use puzzle_cli::Failure;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use search_core::{Cancelled, Op, Run, Solution};
use std::sync::OnceLock;

fn malformed(faults: Faults) -> PyErr {
    exception(&Failure::malformed("invalid puzzle").with_faults(faults.0))
}

fn of_system(error: SystemError) -> PyErr {
    let faults = match error {
        SystemError::Faults(faults) => faults.0,
        SystemError::Cancelled(cancelled) => vec![cancelled.to_string()],
    };
    exception(&Failure::usage("the puzzle cannot be searched").with_faults(faults))
}

/// The order of a group as text, its factors, whether it is proved, the number of free rotations, the number of
/// positions as text, and the number of shapes.
type Order = (String, String, bool, Option<usize>, Option<String>, Option<usize>);

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
        system.as_ref().map_err(|error| of_system(error.clone()))
    }

    /// Refuses work that takes every move as one that counts.
    ///
    /// # Errors
    /// `InvalidArgument`: some moves are free.
    pub fn refuse_free_moves(&self, work: &str) -> PyResult<()> {
        match self.puzzle().free() {
            [] => Ok(()),
            _ => Err(usage(format_args!("{work}: not available where moves are free"))),
        }
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

    /// The state that a text in any form describes.
    ///
    /// # Errors
    /// All faults of the text.
    pub fn state(&self, text: &str, form: Option<Form>) -> Result<Pattern, Faults> {
        self.selected.state(&states::read(text, &self.definition, form)?)
    }

    /// The goals of states in any form, with what is left open: places that are ignored, those whose orientations are ignored,
    /// and sets of interchangeable ones. No goals stand for the solved state where nothing is left open.
    ///
    /// # Errors
    /// `InvalidInstance` with all faults of the states; `InvalidArgument` for places that do not exist.
    pub fn goals(&self, states: Vec<String>, open: [Vec<String>; 3]) -> PyResult<Vec<Goal>> {
        let places = |texts: Vec<String>| -> PyResult<Vec<Places>> {
            texts.iter().map(|text| text.parse().map_err(usage)).collect()
        };
        let [ignored, unoriented, alike] = open;
        let open =
            Open::default().ignored(places(ignored)?).unoriented(places(unoriented)?).alike(places(alike)?);
        let mut read = read_all(states, "goal", |text| self.state(&text, None).map_err(|faults| faults.0))
            .map_err(|failure| exception(&failure))?;
        if read.is_empty() && !open.is_none() {
            read.push(self.puzzle().solved().clone());
        }
        let goal = |state: &Pattern| Goal::new(self.puzzle(), state, &open);
        read.iter().map(goal).collect::<Result<_, _>>().map_err(|faults: Faults| {
            exception(&Failure::usage("the puzzle has no such goal").with_faults(faults.0))
        })
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
    fn from_generators(generators: Vec<(String, Vec<usize>)>, metric: &str) -> PyResult<PermutationPuzzle> {
        let definition = Definition::from_generators(&generators).map_err(malformed)?;
        PermutationPuzzle::new(definition, &selection(metric, [None; 3])?)
    }

    /// From a definition in any form that is read.
    #[staticmethod]
    #[pyo3(signature = (text, metric, moves, rotations, free))]
    fn from_text(
        text: &str,
        metric: &str,
        moves: Option<&str>,
        rotations: Option<&str>,
        free: Option<&str>,
    ) -> PyResult<PermutationPuzzle> {
        let definition = formats::read(text).map_err(malformed)?;
        PermutationPuzzle::new(definition, &selection(metric, [moves, rotations, free])?)
    }

    /// A built-in puzzle.
    #[staticmethod]
    #[pyo3(signature = (name, metric, moves, rotations, free))]
    fn builtin(
        name: &str,
        metric: &str,
        moves: Option<&str>,
        rotations: Option<&str>,
        free: Option<&str>,
    ) -> PyResult<PermutationPuzzle> {
        let Some(definition) = builtin::get(name) else {
            let names: Vec<&str> = builtin::ENTRIES.iter().map(|entry| entry.name).collect();
            return Err(usage(format_args!("{name:?} is no built-in puzzle: {}", names.join(", "))));
        };
        PermutationPuzzle::new(definition.map_err(malformed)?, &selection(metric, [moves, rotations, free])?)
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

    /// Remarks on the definition and on the choice of moves.
    fn remarks(&self) -> Vec<String> {
        self.definition.remarks.iter().chain(&self.selected.remarks).cloned().collect()
    }

    /// States that are written in any form, as rows.
    #[pyo3(signature = (texts, form))]
    fn parse(&self, py: Python<'_>, texts: Vec<String>, form: Option<&str>) -> PyResult<Py<PyByteArray>> {
        let form: Option<Form> = form.map(str::parse).transpose().map_err(usage)?;
        let states = read_all(texts, "state", |text| self.state(&text, form).map_err(|faults| faults.0));
        let states = states.map_err(|failure| exception(&failure))?;
        let held: Vec<Pattern> = states.iter().map(|state| self.held(state)).collect::<PyResult<_>>()?;
        Ok(arrays::rows(py, &held, |pattern, bytes| bytes.extend(self.rows.write(pattern))))
    }

    /// Each row as a KPuzzle pattern of the definition.
    fn patterns(&self, rows: &[u8]) -> PyResult<Vec<String>> {
        let text = |state: &Pattern| {
            let pattern = self.selected.pattern(&self.definition, state);
            kpuzzle::write_pattern(&self.definition.orbits, &pattern)
        };
        Ok(self.read(rows)?.iter().map(text).collect())
    }

    /// The definition in another form, and remarks on what the form cannot express.
    fn write(&self, form: &str) -> PyResult<(String, Vec<String>)> {
        let names = FileForm::ALL.map(FileForm::name).join(", ");
        let found = FileForm::ALL.into_iter().find(|known| known.name() == form);
        let form = found.ok_or_else(|| usage(format_args!("{form:?} is no form of definitions: {names}")))?;
        formats::write(&self.definition, form).map_err(malformed)
    }

    /// The group of the counted moves; `None` for a puzzle with too many points, or rules that do not form shapes.
    #[pyo3(signature = (threads, progress))]
    fn group(
        &self,
        py: Python<'_>,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<Order>> {
        let settings = Settings::new(threads, None, None)?;
        let found = supervise_whole(py, &settings.run, progress, |run| {
            let Some(positions) = Group::new(self.puzzle(), run)? else { return Ok(None) };
            let (order, count) = (positions.group().order(), positions.count(run)?);
            let count = count.map(|count| count.decimal());
            let proved = positions.group().is_proved();
            let (rotations, shapes) = (positions.rotations(), positions.shapes());
            Ok(Some((order.decimal(), order.to_string(), proved, rotations, count, shapes)))
        })?;
        found.map_err(|cancelled: Cancelled| exception(&Failure::interrupted(cancelled)))
    }

    /// Uniformly random states, those of `puzzle-opt random` with the same seed.
    fn uniform(&self, py: Python<'_>, count: usize, seed: u64) -> PyResult<Py<PyByteArray>> {
        let settings = Settings::new(None, None, None)?;
        let states = supervise_whole(py, &settings.run, None, |run| {
            let positions = Group::new(self.puzzle(), run)?;
            let Some(positions) = positions.filter(|positions| positions.group().is_proved()) else {
                return Ok(None);
            };
            let mut rng = Uniform::new(seed);
            (0..count).map(|_| positions.random(&mut rng, run)).collect::<Result<Vec<_>, _>>().map(Some)
        })?;
        let states = states.map_err(|cancelled: Cancelled| exception(&Failure::interrupted(cancelled)))?;
        let states = states.ok_or_else(|| {
            usage("the positions of this puzzle are not known as a group; give steps for random moves")
        })?;
        let held: Vec<Pattern> = states.iter().map(|state| self.held(state)).collect::<PyResult<_>>()?;
        Ok(arrays::rows(py, &held, |pattern, bytes| bytes.extend(self.rows.write(pattern))))
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

    /// The number of states at each distance from the nearest goal.
    #[expect(clippy::too_many_arguments, reason = "the arguments of the Python method")]
    fn counts(
        &self,
        py: Python<'_>,
        depth: Option<usize>,
        goals: Vec<String>,
        open: [Vec<String>; 3],
        memory: Option<&str>,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Vec<u64>> {
        let settings = Settings::new(threads, memory, None)?;
        let goals = self.goals(goals, open)?;
        let of_goal;
        let (puzzle, system) = match goals.first() {
            None => (self.puzzle(), self.system()?),
            Some(goal) => {
                of_goal = System::new(goal.puzzle(), &Run::new()).map_err(of_system)?;
                (goal.puzzle(), &of_goal)
            }
        };
        let ask = CountAsk::default().max_depth(depth).goals(system, &goals).map_err(|faults| {
            exception(&Failure::usage("these goals are not counted together").with_faults(faults.0))
        })?;
        let counts = supervise_whole(py, &settings.run, progress, |run| {
            CountPlan::new(puzzle, system, &ask, run)?.count(system, &ask, run)
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
        self.refuse_free_moves("the states at each distance")?;
        let positions = Positions::new(&self.rows, &self.system()?.reduction);
        let layers = supervise_whole(py, &settings.run, progress, |run| positions.layers(depth, run))?;
        let layers = layers.map_err(|error| exception(&of_count(&error)))?;
        let rows = |layer: &Vec<Box<[u8]>>| arrays::rows(py, layer, |row, bytes| bytes.extend(row));
        Ok(layers.iter().map(rows).collect())
    }
}

fn selection(metric: &str, names: [Option<&str>; 3]) -> PyResult<Selection> {
    let metric: Metric = metric.parse().map_err(usage)?;
    let [moves, rotations, free] = names.map(|names| names.map(split_names));
    Ok(Selection { moves, metric, rotations, free: free.unwrap_or_default() })
}

/// The name, an example and the description of each built-in puzzle.
#[pyfunction]
pub fn permutation_builtins() -> Vec<(&'static str, &'static str, &'static str)> {
    builtin::ENTRIES.iter().map(|entry| (entry.name, entry.example, entry.about)).collect()
}

fn of_count(error: &CountError) -> Failure {
    match error {
        CountError::Cancelled(_) | CountError::Stopped(_) => Failure::interrupted(error),
        CountError::Budget(layers) => {
            let depth = layers.len();
            Failure::error(format_args!("the states of {depth} moves exceed the memory"))
                .with_remedy("give a greater memory, or max_depth")
        }
        error => Failure::error(error),
    }
}
