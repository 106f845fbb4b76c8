//! The solver of a permutation puzzle.

use crate::arrays;
use crate::batch::{self, Records};
use crate::failure::{exception, of_table, read_all, usage};
use crate::permutations::PermutationPuzzle;
use crate::settings::{self, Settings};
use crate::supervise::supervise_whole;
use puzzle::automaton::LONGEST;
use puzzle::{Ask, Pattern, Solver, SolverError, SolverSetup};
use puzzle_cli::Failure;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use search_core::Run;
use search_core::ida::Wanted;
use std::path::PathBuf;

fn of_solver(error: &SolverError) -> Failure {
    match error {
        SolverError::Faults(faults) => {
            Failure::usage("no solver of this puzzle and these patterns").with_faults(faults.0.clone())
        }
        SolverError::Memory { .. } => {
            Failure::usage(error).with_remedy("choose fewer pieces, or give more memory")
        }
        SolverError::Table(error) => of_table(error),
        SolverError::Rejected(error) => Failure::error(error),
        SolverError::Cancelled(_) => Failure::interrupted(error),
    }
}

/// A solver of a permutation puzzle.
#[pyclass(frozen)]
pub struct PermutationSolver {
    pub settings: Settings,
    pub puzzle: Py<PermutationPuzzle>,
    /// Whether the goal is another than the solved state.
    pub has_goals: bool,
    solver: Solver,
}

impl PermutationSolver {
    /// Loads the pattern databases, if no search has needed them yet.
    fn load_databases(&self, py: Python<'_>) -> PyResult<()> {
        let loaded = supervise_whole(py, &self.settings.run, None, |run| self.solver.load_databases(run))?;
        loaded.map_err(|error| exception(&of_solver(&error)))
    }
}

#[pymethods]
impl PermutationSolver {
    #[new]
    #[pyo3(signature = (puzzle, goals, open, patterns, learn, memory, threads, tables, progress))]
    #[expect(clippy::too_many_arguments, reason = "the arguments of the Python class")]
    fn new(
        py: Python<'_>,
        puzzle: Py<PermutationPuzzle>,
        goals: Vec<String>,
        open: [Vec<String>; 3],
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
        let goals = puzzle.get().goals(goals, open)?;
        let has_goals = !goals.is_empty();
        let (searched, store) = (puzzle.get().puzzle().clone(), settings.store.clone());
        let solver = supervise_whole(py, &settings.run, progress, |run| match setup.patterns {
            Some(_) => Solver::load(searched, goals, &setup, store, run),
            None => Solver::new(searched, goals, &setup, store, run),
        })?;
        let solver = solver.map_err(|error| exception(&of_solver(&error)))?;
        Ok(PermutationSolver { settings, puzzle, has_goals, solver })
    }

    /// The tables' names and checksums.
    fn tables(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        self.load_databases(py)?;
        Ok(self.solver.tables().into_iter().map(|used| (used.name, used.checksum)).collect())
    }

    /// The entries at each distance, of each table.
    fn counts(&self, py: Python<'_>) -> PyResult<Vec<Vec<u64>>> {
        self.load_databases(py)?;
        Ok(self.solver.counts().map(<[u64]>::to_vec).collect())
    }

    /// The states of the learned automaton.
    fn automaton_states(&self) -> usize {
        self.solver.automaton().states()
    }

    fn threads(&self) -> usize {
        self.settings.run.threads()
    }

    fn heuristic(&self) -> &'static str {
        self.solver.heuristic()
    }

    /// Shortest solutions of states in any form. `extra` is that of all solutions that are at most so much longer than
    /// a shortest one, or `None` for one solution.
    #[pyo3(signature = (instances, max_depth, time_limit, progress, extra = None, within = 0, deterministic = None, order = None, random = None))]
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
        order: Option<&str>,
        random: Option<u64>,
    ) -> PyResult<Records> {
        let puzzle = self.puzzle.get();
        let read = |text: String| match puzzle.state(&text, None) {
            Ok(state) => Ok((text, state)),
            Err(faults) => Err(faults.0),
        };
        let states: Vec<(String, Pattern)> =
            read_all(instances, "state", read).map_err(|failure| exception(&failure))?;
        let (limits, order) = (settings::limits(max_depth, time_limit)?, settings::order(order)?);
        let wanted = extra.map_or(Wanted::First, |extra| Wanted::All { extra });
        batch::answer(py, &self.settings, "moves", &states, progress, random, |state, seed, run: &Run<'_>| {
            let ask = Ask::new(state.clone()).max_bound(limits.max_depth).wanted(wanted).random(seed);
            let ask = ask.order(order.unwrap_or_default());
            let ask = ask.upper_bounds(settings::upper_bounds(within, deterministic));
            self.solver.solve(&ask, &limits.run(run)).map_err(|error| of_solver(&error))
        })
    }

    /// The heuristic's value of each row; 0 if no moves solve it.
    fn values(&self, py: Python<'_>, rows: &[u8]) -> PyResult<Py<PyByteArray>> {
        self.load_databases(py)?;
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
