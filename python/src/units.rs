//! Iterations of boards as units, for the processes of a cluster. All that travels is JSON.
//!
//! A plan binds its units to the instance, heuristic, tables and version: a process with others refuses them by name.
//! See `search_core::ida::units` for the invariant.

use crate::failure::exception;
use crate::settings::VERSION;
use crate::supervise::{supervise_until, supervise_whole};
use crate::tiles::{TileSolver, checked, puzzle, read_board};
use puzzle_cli::Failure;
use puzzle_cli::tables::{check_same, check_version};
use pyo3::prelude::*;
use search_core::ida::units::{Gathered, Outcome, Step, UnitError};
use search_core::record::{Iteration, TableUse};
use search_core::{Cancel, Domain, Run};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use slidetile::solver::units::CutIteration;
use slidetile::{Puzzle, Tiles};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A bound that is cut into units, with all that a process needs to search one.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Plan {
    version: String,
    instance: String,
    size: String,
    goal: String,
    heuristic: String,
    fsm: String,
    tables: Vec<TableUse>,
    units: usize,
    iteration: CutIteration,
}

impl Plan {
    fn shares(&self) -> Vec<Range<usize>> {
        self.iteration.cut.shares(self.units.max(1))
    }

    /// Refuses a solver that searches another tree than the one that was cut.
    fn check(&self, TileSolver { solver, pruning, .. }: &TileSolver) -> Result<(), Failure> {
        check_version(&self.version, VERSION)?;
        let (board, here) = (solver.puzzle().board(), solver.heuristic().to_string());
        let of = |what: &str, cut: &str, here: &str| match cut == here {
            true => Ok(()),
            false => Err(Failure::usage(format_args!("the units were cut with {what} {cut}, not {here}"))),
        };
        of("size", &self.size, &board.to_string())?;
        of("goal", &self.goal, &solver.puzzle().goal().text(board))?;
        of("heuristic", &self.heuristic, &here)?;
        of("fsm", &self.fsm, &pruning.to_string())?;
        check_same(&self.tables, solver.tables())
    }
}

fn write(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| exception(&Failure::error(error)))
}

fn read<T: DeserializeOwned>(text: &str, what: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| {
        let message = format!("{what} is damaged or of another version: {error}");
        exception(&Failure::usage(message).with_remedy("use one version on all machines"))
    })
}

/// Cuts the iteration with `bound` that comes after `iterations` (a JSON array) into at most `units` units of about
/// `grain` subtrees; without a bound, the first iteration. `last` is the plan of an iteration before, if there was
/// one. Returns the plan, and the work that is expected of each unit.
#[pyfunction]
#[pyo3(signature = (solver, instance, iterations, last, bound, units, grain))]
#[expect(clippy::too_many_arguments, reason = "the arguments of the Python function")]
pub fn tile_cut(
    py: Python<'_>,
    solver: &Bound<'_, TileSolver>,
    instance: &str,
    iterations: &str,
    last: Option<&str>,
    bound: Option<u32>,
    units: usize,
    grain: usize,
) -> PyResult<(String, Vec<f64>)> {
    let TileSolver { settings, solver, pruning } = solver.get();
    let tiles = read_board(solver.puzzle(), instance)?;
    let iterations: Vec<Iteration> = read(iterations, "a list of iterations")?;
    let last: Option<Plan> = last.map(|text| read(text, "a plan")).transpose()?;
    let bound = bound.unwrap_or_else(|| solver.first_bound(&tiles)).max(1);
    let (units, board) = (units.max(1), solver.puzzle().board());
    let last = last.as_ref().map(|plan| &plan.iteration);
    // While a bound is cut, no unit is searched: the trials of pattern databases may use all cores.
    let all_cores = settings.run.with_threads(Run::new().threads());
    let (iteration, expected) = supervise_whole(py, &all_cores, None, |run| {
        let iteration = solver.cut(&tiles, &iterations, last, bound, units.saturating_mul(grain), run);
        let shares = iteration.cut.shares(units);
        let expected = solver.expected(&tiles, &iteration, &iterations, &shares, run);
        (iteration, expected)
    })?;
    let expected = expected.map_err(|error| exception(&Failure::error(error)))?;
    let plan = Plan {
        version: VERSION.to_owned(),
        instance: instance.to_owned(),
        size: board.to_string(),
        goal: solver.puzzle().goal().text(board),
        heuristic: solver.heuristic().to_string(),
        fsm: pruning.to_string(),
        tables: solver.tables().to_vec(),
        units,
        iteration,
    };
    Ok((write(&plan)?, expected))
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

/// Searches a unit of a plan. Returns its outcome, or nothing if `stop` stopped it.
#[pyfunction]
pub fn tile_unit(
    py: Python<'_>,
    solver: &Bound<'_, TileSolver>,
    plan: &str,
    unit: usize,
    stop: &Bound<'_, Stop>,
) -> PyResult<Option<String>> {
    let solver = solver.get();
    let plan: Plan = read(plan, "a plan")?;
    plan.check(solver).map_err(|failure| exception(&failure))?;
    let tiles = read_board(solver.solver.puzzle(), &plan.instance)?;
    let shares = plan.shares();
    let share = shares.get(unit).cloned().ok_or_else(|| {
        exception(&Failure::usage(format_args!("there is no unit {unit}: there are {}", shares.len())))
    })?;
    let search = |run: &Run<'_>| solver.solver.search_unit(&tiles, &plan.iteration, share, run);
    match supervise_until(py, &solver.settings.run, &stop.get().0, None, search) {
        (_, Some(interruption)) => Err(interruption),
        (Ok(outcome), None) => write(&outcome).map(Some),
        (Err(UnitError::Cancelled(_)), None) => Ok(None),
        (Err(error), None) => Err(exception(&Failure::error(error))),
    }
}

/// The outcomes of an iteration, as far as they are there. It needs no tables.
#[pyclass(frozen)]
pub struct TileIteration {
    plan: Plan,
    puzzle: Puzzle,
    tiles: Tiles,
    gathered: Mutex<Gathered>,
}

impl TileIteration {
    fn gathered(&self) -> MutexGuard<'_, Gathered> {
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl TileIteration {
    #[new]
    fn new(plan: &str) -> PyResult<TileIteration> {
        let plan: Plan = read(plan, "a plan")?;
        check_version(&plan.version, VERSION).map_err(|failure| exception(&failure))?;
        let puzzle = puzzle(&plan.size, &plan.goal)?;
        let tiles = read_board(&puzzle, &plan.instance)?;
        let gathered = Mutex::new(Gathered::new(plan.iteration.cut.clone()));
        Ok(TileIteration { plan, puzzle, tiles, gathered })
    }

    fn bound(&self) -> u32 {
        self.plan.iteration.cut.bound
    }

    /// The number of units.
    fn units(&self) -> usize {
        self.plan.shares().len()
    }

    fn heuristic(&self) -> &str {
        &self.plan.heuristic
    }

    /// The tables' names and checksums.
    fn tables(&self) -> Vec<(String, String)> {
        self.plan.tables.iter().map(|used| (used.name.clone(), used.checksum.clone())).collect()
    }

    /// Adds an outcome, a second time too. Returns whether it holds a solution.
    fn add(&self, outcome: &str) -> PyResult<bool> {
        let outcome: Outcome = read(outcome, "an outcome")?;
        let solved = outcome.is_solved();
        if self.gathered().add(outcome) {
            return Ok(solved);
        }
        Err(exception(&Failure::usage("the outcome is of another iteration, or of another cut of this one")))
    }

    /// The record of the iteration, as far as it is there, as JSON. Its seconds are the sum over the units.
    fn iteration(&self) -> PyResult<String> {
        write(&self.gathered().iteration())
    }

    /// How the iteration ended, once that is known: `("solved", moves, length)`, the moves replayed by the referee,
    /// `("longer", "", bound)` with the next bound, or `("exhausted", "", 0)`.
    fn step(&self) -> PyResult<Option<(&'static str, String, u32)>> {
        let step = self.gathered().step();
        let ending = match step {
            None => return Ok(None),
            Some(Step::Longer(None)) => ("exhausted", String::new(), 0),
            Some(Step::Longer(Some(excess))) => {
                let next = self.puzzle.lengths(&self.tiles).at_least(self.bound() + excess);
                ("longer", String::new(), next)
            }
            Some(Step::Solved(ops)) => {
                let applies = ops.iter().try_fold(self.tiles, |now, &op| {
                    self.puzzle.applicable(&now).contains(op).then(|| self.puzzle.apply(&now, op))
                });
                let refuse = || exception(&Failure::error("the outcome's solution is damaged"));
                applies.ok_or_else(refuse)?;
                let solution =
                    checked(&self.puzzle, &self.tiles, &ops).map_err(|failure| exception(&failure))?;
                ("solved", solution.moves, solution.length)
            }
        };
        Ok(Some(ending))
    }
}
