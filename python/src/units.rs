//! Iterations of boards and cubes as units, for the processes of a cluster. All that travels is JSON.
//!
//! `search_core::ida::work_units` has the plan of a bound, its units and their outcomes, and says why the answer is that of one
//! process.

use crate::cubes::{self, CubeSolver, metric, of_solver, position};
use crate::failure::exception;
use crate::settings::{Settings, VERSION};
use crate::supervise::{supervise_until, supervise_whole};
use crate::tiles::{self, TileSolver, puzzle, read_board};
use cube::notation::Position;
use cube::notation::scramble::held_moves;
use cube::space;
use cube::{Ask, Metric};
use puzzle_cli::{Failure, share};
use pyo3::prelude::*;
use search_core::ida::SearchState;
use search_core::ida::work_units::{
    DistributedSearch, LastPartition, Names, Next, Outcome, Outcomes, Plan, SplitPolicy, UnitError,
};
use search_core::{Cancel, Ending, Op, Run, Solution};
use serde::Serialize;
use serde::de::DeserializeOwned;
use slidetile::{Puzzle, Tiles};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The bound whose units this process searches.
static LAST_CUT: LastPartition = LastPartition::new();

fn write(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| exception(&Failure::error(error)))
}

fn read<T: DeserializeOwned>(text: &str, what: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| {
        let message = format!("{what} is damaged or of another version: {error}");
        exception(&Failure::usage(message).with_remedy("use one version on all machines"))
    })
}

fn of_unit(error: &UnitError) -> PyErr {
    exception(&Failure::error(error))
}

fn read_cube(text: &str) -> PyResult<Position> {
    let malformed = |faults: Vec<String>| exception(&Failure::malformed("invalid cube").with_faults(faults));
    position(text.to_owned()).map(|(_, position)| position).map_err(malformed)
}

/// Either kind of solver.
#[derive(FromPyObject)]
pub enum AnySolver<'py> {
    Tiles(Bound<'py, TileSolver>),
    Cubes(Bound<'py, CubeSolver>),
}

impl AnySolver<'_> {
    fn settings(&self) -> &Settings {
        match self {
            AnySolver::Tiles(solver) => &solver.get().settings,
            AnySolver::Cubes(solver) => &solver.get().settings,
        }
    }

    /// Calls `act` with the search for an instance.
    fn with<T>(
        &self,
        instance: &str,
        act: impl FnOnce(&(dyn DistributedSearch + Sync)) -> PyResult<T>,
    ) -> PyResult<T> {
        match self {
            AnySolver::Tiles(solver) => {
                let TileSolver { solver, order, .. } = solver.get();
                let tiles = read_board(solver.puzzle(), instance)?;
                // The board was checked when it was read.
                let shared = solver.shared(&slidetile::Ask::new(tiles).order(*order));
                act(&*shared.map_err(|faults| exception(&Failure::malformed(faults)))?)
            }
            AnySolver::Cubes(solver) => {
                let position = read_cube(instance)?;
                let solver = solver.get();
                solver.refuse_other_goals("a shared search")?;
                let ask = Ask::new(position.cube).held(position.orientation);
                let shared = solver.solver.shared(&ask, &solver.settings.run);
                act(&*shared.map_err(|error| exception(&of_solver(error)))?)
            }
        }
    }
}

fn standing_of(shared: &dyn DistributedSearch, standing: Option<&str>) -> PyResult<SearchState> {
    standing.map_or_else(|| Ok(SearchState::begin(shared)), |text| read(text, "a search between two bounds"))
}

/// A run for what is done while no unit is searched: trials of pattern databases, small bounds. It may use all cores.
fn all_cores(solver: &AnySolver<'_>) -> Run<'static> {
    solver.settings().run.with_threads(Run::new().threads())
}

/// The bound that comes next: after what `UnitIteration.next` says, or the first.
#[pyfunction]
pub fn unit_bound(solver: AnySolver<'_>, instance: &str, standing: Option<&str>) -> PyResult<u32> {
    solver.with(instance, |shared| Ok(standing_of(shared, standing)?.next_bound(shared)))
}

/// Cuts the next bound into at most `units` units of about `grain` subtrees. Returns the plan and the work that is expected of each unit.
#[pyfunction]
#[pyo3(signature = (solver, instance, standing, units, grain))]
pub fn unit_cut(
    py: Python<'_>,
    solver: AnySolver<'_>,
    instance: &str,
    standing: Option<&str>,
    units: usize,
    grain: usize,
) -> PyResult<(String, Vec<f64>)> {
    let all_cores = all_cores(&solver);
    solver.with(instance, |shared| {
        let standing = standing_of(shared, standing)?;
        let names = Names { version: VERSION, instance };
        let (plan, expected) = supervise_whole(py, &all_cores, None, |run| {
            let plan = standing.partition(shared, names, SplitPolicy { units, grain }, &LAST_CUT, run)?;
            let expected = plan.expected(shared, &LAST_CUT, run)?;
            Ok::<_, UnitError>((plan, expected))
        })?
        .map_err(|error| of_unit(&error))?;
        Ok((write(&plan)?, expected))
    })
}

/// A way to stop a unit from another thread.
#[pyclass(frozen)]
pub struct Stop(pub Cancel);

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Stop {
        Stop(Cancel::new())
    }

    /// Stops it.
    fn stop(&self) {
        self.0.cancel();
    }
}

/// A plan, whose units a worker searches.
#[pyclass(frozen)]
pub struct UnitPlan(Plan);

#[pymethods]
impl UnitPlan {
    #[new]
    fn new(plan: &str) -> PyResult<UnitPlan> {
        let plan: Plan = read(plan, "a plan")?;
        plan.check_version(VERSION).map_err(|other| exception(&share::refused(&other)))?;
        Ok(UnitPlan(plan))
    }

    /// Searches a unit. `alone` says that no other unit is searched meanwhile, so that it may use all cores. Returns
    /// its outcome and whether it has a solution, or `None` if `stop` stopped it.
    #[pyo3(signature = (solver, unit, stop, *, alone=false))]
    fn search(
        &self,
        py: Python<'_>,
        solver: AnySolver<'_>,
        unit: usize,
        stop: &Bound<'_, Stop>,
        alone: bool,
    ) -> PyResult<Option<(String, bool)>> {
        let plan = &self.0;
        let shares = plan.shares();
        solver.with(&plan.instance, |shared| {
            plan.check(shared).map_err(|other| exception(&share::refused(&other)))?;
            let items = shares.get(unit).cloned().ok_or_else(|| {
                let count = shares.len();
                exception(&Failure::usage(format_args!("there is no unit {unit}: there are {count}")))
            })?;
            let search = |run: &Run<'_>| plan.search(shared, items, &LAST_CUT, run);
            let run = if alone { all_cores(&solver) } else { solver.settings().run.clone() };
            match supervise_until(py, &run, &stop.get().0, None, search) {
                (_, Some(interruption)) => Err(interruption),
                (Ok(outcome), None) => Ok(Some((write(&outcome)?, outcome.is_solved()))),
                (Err(UnitError::Cancelled(_)), None) => Ok(None),
                (Err(error), None) => Err(of_unit(&error)),
            }
        })
    }
}

/// An instance, of which solutions are checked without the tables of a solver.
enum Instance {
    Board(Box<Puzzle>, Tiles),
    Cube(Position, Metric),
}

impl Instance {
    fn of(plan: &Plan) -> PyResult<Instance> {
        let setting = |name| plan.setting(name).ok_or_else(|| exception(&share::damaged()));
        if plan.setting("size").is_none() {
            return Ok(Instance::Cube(read_cube(&plan.instance)?, metric(setting("metric")?)?));
        }
        let by = plan.setting("metric").map(str::parse::<slidetile::Metric>).transpose();
        let by = by.map_err(|_| exception(&share::damaged()))?.unwrap_or_default();
        let puzzle = puzzle(setting("size")?, setting("goal")?)?.with_metric(by);
        let tiles = read_board(&puzzle, &plan.instance)?;
        Ok(Instance::Board(Box::new(puzzle), tiles))
    }

    /// A solution that may come from anywhere, replayed by the referee.
    fn solution(&self, ops: &[Op]) -> Result<Solution, Failure> {
        let refuse = || Failure::error("the outcome's solution is damaged");
        match self {
            Instance::Board(puzzle, tiles) => {
                let applies = ops.iter().try_fold(*tiles, |now, &op| puzzle.after(&now, op));
                applies.ok_or_else(refuse)?;
                tiles::checked(puzzle, tiles, ops)
            }
            Instance::Cube(position, metric) => {
                let turns = space::solution(*metric, ops).ok_or_else(refuse)?;
                cubes::checked(position, &held_moves(turns, position.orientation), *metric)
            }
        }
    }
}

/// How an iteration ended: a word, the moves of a solution, a number, and a search between two bounds.
type Ended = (&'static str, String, u32, String);

/// The outcomes of an iteration that have arrived. Needs no tables.
#[pyclass(frozen)]
pub struct UnitIteration {
    plan: Plan,
    instance: Instance,
    outcomes: Mutex<Outcomes>,
}

impl UnitIteration {
    fn outcomes(&self) -> MutexGuard<'_, Outcomes> {
        self.outcomes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl UnitIteration {
    #[new]
    fn new(plan: &str) -> PyResult<UnitIteration> {
        let plan: Plan = read(plan, "a plan")?;
        plan.check_version(VERSION).map_err(|other| exception(&share::refused(&other)))?;
        let (instance, outcomes) = (Instance::of(&plan)?, Mutex::new(plan.outcomes()));
        Ok(UnitIteration { plan, instance, outcomes })
    }

    fn bound(&self) -> u32 {
        self.plan.bound()
    }

    /// The number of units.
    fn units(&self) -> usize {
        self.plan.shares().len()
    }

    /// Adds an outcome, a second time too. Returns whether it holds a solution.
    fn add(&self, outcome: &str) -> PyResult<bool> {
        let outcome: Outcome = read(outcome, "an outcome")?;
        let solved = outcome.is_solved();
        if self.outcomes().add(outcome) {
            return Ok(solved);
        }
        Err(exception(&Failure::usage("the outcome is of another iteration, or of another cut of this one")))
    }

    /// The record of the iteration so far, as JSON. Its seconds are the sum over the units.
    fn iteration(&self) -> PyResult<String> {
        write(&self.outcomes().iteration())
    }

    /// The step after the iteration, once it is known: `("solved", moves, length, "")`, the moves replayed by the
    /// referee, `("longer", "", bound, standing)` with what `unit_cut` needs for the next bound, or `("exhausted", "",
    /// 0, "")`.
    fn next(&self) -> PyResult<Option<Ended>> {
        let Some(next) = self.plan.next(&self.outcomes()) else { return Ok(None) };
        Ok(Some(match next {
            Next::Longer(standing) => {
                let text = write(&standing)?;
                ("longer", String::new(), standing.bound, text)
            }
            Next::Over { ending: Ending::Optimal { solutions, .. }, .. } => {
                let ops = solutions.first().map_or(&[][..], |ops| ops);
                let solution = self.instance.solution(ops).map_err(|failure| exception(&failure))?;
                ("solved", solution.moves, solution.length, String::new())
            }
            Next::Over { .. } => ("exhausted", String::new(), 0, String::new()),
        }))
    }
}
