//! A solver that begins without pattern databases.
//!
//! The idea: pattern databases take seconds to build, and a fraction of a second to load, but most short solutions are found
//! sooner by a table of the positions [near](crate::near) the solved one, which is filled as deep as the searches need. So
//! each search begins with that table. It is filled one move deeper when the nodes searched with it, and those that the next
//! bound will probably take, cost more than the filling. When all that costs more
//! than loading the pattern databases, or than a quarter of building them, that is done, and the search continues with them
//! from the bound that is reached.
//!
//! Why the answer is shortest: the bounds before have been searched to their end, whichever heuristic did that. All decisions
//! depend on numbers of nodes and of bytes, never on time, so they repeat.
//!
//! Cost: no bound is searched twice. Since neither step is taken before a fixed share of its cost has been spent without
//! it, all work is at most a small multiple of that with the best choice (the ski rental problem; Karlin et al. 1988,
//! "Competitive snoopy caching").

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use search_core::clock::Instant;
use search_core::domain::Lengths;
use search_core::ida::{self, Config, Wanted};
use search_core::record::{Answer, HeuristicStage, Used};
use search_core::table::{Recipe, Tables};
use search_core::{Automaton, Cancelled, Ending, Op, Report, Run};

use crate::ask::Ask;
use crate::automaton::automaton;
use crate::database::Database;
use crate::model::Puzzle;
use crate::near::{FillError, MOST_PLACES, Near, NearBound, PlaceSpace, Places, fill};
use crate::solver::{Solver, SolverError, plan_of, within_limits};
use crate::strategy::SolverSetup;
use crate::system::System;

/// The name of the first heuristic.
const NEAR: &str = "near positions";
/// The number of strings that are enumerated at first.
const FIRST_STRINGS: f64 = 20_000.0;
/// The least depth, from which the growth of the number of strings is known.
const LEAST_DEPTH: u8 = 4;
/// The maximum depth.
const MOST_DEPTH: u8 = 12;
/// The cost of an enumerated string, in nodes of a search.
const NODES_PER_STRING: f64 = 1.5;
/// The nodes that are searched before the group is asked whether a position can be solved: to compute its order takes longer.
const NODES_BEFORE_GROUP: u64 = 1_000_000;
/// The nodes that are searched before the pattern databases are planned.
const FREE_NODES: f64 = 1e6;
/// The nodes that a thread searches in a second.
const NODES_PER_SECOND: f64 = 25e6;
/// The part of the time of building pattern databases that one run counts: they are kept for later ones.
const BUILD_SHARE: f64 = 0.25;
/// The seconds of one thread that a byte of a table takes to be loaded.
const SECONDS_PER_BYTE: f64 = 3e-9;

/// A puzzle with a table of near positions, and with pattern databases when a search needs them.
pub struct StagedSolver {
    puzzle: Puzzle,
    setup: SolverSetup,
    system: Arc<System>,
    /// The pattern databases, planned when a search may need them.
    databases: OnceLock<Vec<Database>>,
    /// The first stage; `None` if the puzzle has none.
    first: Option<First>,
    solver: OnceLock<Solver>,
    /// Held while the pattern databases are loaded.
    loading: Mutex<()>,
}

/// The first stage.
struct First {
    places: Places,
    automaton: Automaton,
    progress: Mutex<Reached>,
}

/// The limits of a search in the first stage, computed when they are needed.
struct FirstLimits<'a> {
    /// The maximum cost of all searches, in nodes.
    most: &'a dyn Fn() -> f64,
    /// Whether the group has the position.
    is_solvable: &'a dyn Fn() -> Result<bool, Cancelled>,
}

/// The state of the first stage, over all searches.
#[derive(Clone, Default)]
struct Reached {
    near: Option<Arc<Near>>,
    /// The nodes searched since the table was filled.
    since: f64,
    /// The nodes searched, and the cost of the fills in nodes.
    spent: f64,
}

impl StagedSolver {
    /// The solver of `puzzle`. Loads no table.
    ///
    /// # Errors
    /// [`SolverError`]: the puzzle cannot be searched, or the work was cancelled.
    pub fn new(puzzle: Puzzle, setup: &SolverSetup, run: &Run<'_>) -> Result<StagedSolver, SolverError> {
        let system = Arc::new(System::new(&puzzle, run)?);
        within_limits(&system)?;
        let mut first = None;
        if setup.patterns.is_none()
            && let Some(places) = Places::new(&system)
        {
            let automaton = automaton(&system, setup.learn, run)?;
            first = Some(First { places, automaton, progress: Mutex::default() });
        }
        let (databases, solver, loading) = (OnceLock::new(), OnceLock::new(), Mutex::new(()));
        Ok(StagedSolver { puzzle, setup: setup.clone(), system, databases, first, solver, loading })
    }

    /// The puzzle.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    /// The puzzle as coordinates.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The names of the heuristics that a search may use.
    pub fn heuristics(&self) -> &'static str {
        match self.first {
            Some(_) => "near positions, then pattern databases",
            None => "pattern databases",
        }
    }

    /// The first heuristic, which reads no table of a store.
    pub fn first_used(&self) -> Used {
        Used::one(NEAR, &[])
    }

    /// The solver with pattern databases.
    ///
    /// # Errors
    /// [`SolverError`].
    pub fn solver(&self, store: &dyn Tables, run: &Run<'_>) -> Result<&Solver, SolverError> {
        let _loading = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(solver) = self.solver.get() {
            return Ok(solver);
        }
        if let Some(first) = &self.first {
            // The memory is needed.
            first.progress().near = None;
        }
        let solver = Solver::of_system(self.puzzle.clone(), self.system.clone(), &self.setup, store, run)?;
        Ok(self.solver.get_or_init(|| solver))
    }

    /// Searches for shortest solutions, as [`Solver::solve`] does. Tables of `store` are loaded or built when they are needed.
    ///
    /// # Errors
    /// [`SolverError`]: the pattern databases are not available.
    pub fn solve(
        &self,
        ask: &Ask,
        store: &dyn Tables,
        run: &Run<'_>,
    ) -> Result<Answer<Vec<Op>>, SolverError> {
        let begun = Instant::now();
        let first = self.first.as_ref().filter(|_| self.solver.get().is_none());
        let first = first.filter(|_| matches!(ask.config.wanted, Wanted::First | Wanted::All { extra: 0 }));
        let Some(first) = first else { return Ok(self.solver(store, run)?.solve(ask, run)) };
        let answer = |report, used| Answer::new(report, used, begun.elapsed().as_secs_f64());
        let used = self.first_used();
        let start = self.system.states(&ask.start, &self.system.coordinates);
        let Some(start) = start.and_then(|_| first.places.read(&self.system, &ask.start)) else {
            return Ok(answer(Report { ending: Ending::Exhausted, iterations: Vec::new() }, used));
        };
        let lengths = self.system.lengths(&ask.start);
        let is_solvable = || Ok(self.system.is_solvable(&ask.start, run)? != Some(false));
        let most = || self.cost(store, run);
        let limits = FirstLimits { most: &most, is_solvable: &is_solvable };
        let (report, hands_over) = first.search(&start, lengths, &ask.config, &limits, run);
        let lower_bound = match report.ending {
            Ending::Bounded { lower_bound, .. } if hands_over => lower_bound,
            _ => return Ok(answer(report, used)),
        };
        let solver = match self.solver(store, run) {
            Ok(solver) => solver,
            Err(_) if run.is_cancelled() => {
                let Report { ending, iterations } = report;
                let ending = match ending {
                    Ending::Bounded { lower_bound, best } => Ending::Cancelled { lower_bound, best },
                    ending => ending,
                };
                return Ok(answer(Report { ending, iterations }, used));
            }
            Err(error) => return Err(error),
        };
        let rest = solver.solve(&ask.clone().min_bound(lower_bound.max(ask.config.min_bound)), run);
        let used = both(&report, lower_bound, rest.used.clone());
        let Report { ending, iterations } = rest.into_report();
        Ok(answer(Report { ending, iterations: [report.iterations, iterations].concat() }, used))
    }

    /// The cost of loading or building the pattern databases, in nodes of the first stage.
    fn cost(&self, store: &dyn Tables, run: &Run<'_>) -> f64 {
        let databases = match self.databases.get() {
            Some(databases) => databases,
            // The second stage reports why there are none.
            None => match plan_of(&self.puzzle, &self.system, &self.setup, run) {
                Ok(planned) => self.databases.get_or_init(|| planned),
                Err(_) => return 0.0,
            },
        };
        let seconds = |database: &Database| match store.contains(&database.name()) {
            true => database.bytes() as f64 * SECONDS_PER_BYTE,
            false => database.build_seconds(1) * BUILD_SHARE,
        };
        databases.iter().map(seconds).sum::<f64>() * NODES_PER_SECOND
    }
}

/// The heuristics and tables of a search that changed to the second stage at `bound`.
fn both(first: &Report<Vec<Op>>, bound: u32, second: Used) -> Used {
    let Some(begun) = first.iterations.first() else { return second };
    let stage = |heuristic: &str, from| HeuristicStage { heuristic: heuristic.to_owned(), from };
    let stages = vec![stage(NEAR, begun.bound), stage(&second.heuristic, bound)];
    Used { heuristic: format!("{NEAR}, then {}", second.heuristic), tables: second.tables, stages }
}

impl First {
    fn progress(&self) -> std::sync::MutexGuard<'_, Reached> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches bound after bound, until one is reached that makes the whole cost exceed the limit: then the second stage is to
    /// continue.
    fn search(
        &self,
        start: &[u8],
        lengths: Lengths,
        config: &Config,
        limits: &FirstLimits<'_>,
        run: &Run<'_>,
    ) -> (Report<Vec<Op>>, bool) {
        match self.places.count() {
            0..=16 => self.search_in::<16>(start, lengths, config, limits, run),
            17..=32 => self.search_in::<32>(start, lengths, config, limits, run),
            33..=64 => self.search_in::<64>(start, lengths, config, limits, run),
            65..=128 => self.search_in::<128>(start, lengths, config, limits, run),
            _ => self.search_in::<MOST_PLACES>(start, lengths, config, limits, run),
        }
    }

    fn search_in<const W: usize>(
        &self,
        start: &[u8],
        lengths: Lengths,
        config: &Config,
        limits: &FirstLimits<'_>,
        run: &Run<'_>,
    ) -> (Report<Vec<Op>>, bool) {
        let space = PlaceSpace::<W>::new(&self.places, lengths);
        let start = space.position(start);
        let mut bound = lengths.at_least(config.min_bound);
        let (mut iterations, mut searched, mut is_checked) = (Vec::new(), 0u64, false);
        let (mut best, mut hands_over) = (None, false);
        let ending = loop {
            if config.max_bound.is_some_and(|last| bound > last) {
                break Ending::Bounded { lower_bound: bound, best };
            }
            if searched > NODES_BEFORE_GROUP && !std::mem::replace(&mut is_checked, true) {
                match (limits.is_solvable)() {
                    Ok(true) => {}
                    Ok(false) => break Ending::Exhausted,
                    Err(Cancelled) => break Ending::Cancelled { lower_bound: bound, best },
                }
            }
            let near = match self.near_for(&space, bound, limits, run) {
                Ok(Some(near)) => near,
                Err(FillError::Cancelled(_)) => break Ending::Cancelled { lower_bound: bound, best },
                // Where there is no memory for a table, the second stage may need less.
                Ok(None) | Err(FillError::OverBudget { .. } | FillError::Memory(_)) => {
                    hands_over = true;
                    break Ending::Bounded { lower_bound: bound, best };
                }
            };
            bound = lengths.at_least(bound.max(u32::from(near.get(space.hash(&start)))));
            let last = config.max_bound.map_or(bound, |last| last.min(bound));
            let config = config.clone().min_bound(bound).max_bound(last).checkpoints(None);
            let report = ida::search(&space, &NearBound(&near), &self.automaton, &start, &config, run);
            let nodes = report.generated();
            searched += nodes;
            let mut progress = self.progress();
            progress.since += nodes as f64;
            progress.spent += nodes as f64;
            drop(progress);
            iterations.extend(report.iterations);
            match report.ending {
                Ending::Bounded { lower_bound, best: known } if lower_bound > bound => {
                    (bound, best) = (lengths.at_least(lower_bound), known);
                }
                // Among these is a known solution that is good enough.
                ending => break ending,
            }
        };
        (Report { ending, iterations }, hands_over)
    }

    /// The table for the search of a bound, filled deeper if that pays; `None` if the search will exceed the limit.
    fn near_for<const W: usize>(
        &self,
        space: &PlaceSpace<'_, W>,
        bound: u32,
        limits: &FirstLimits<'_>,
        run: &Run<'_>,
    ) -> Result<Option<Arc<Near>>, FillError> {
        let is_within = |nodes: f64| nodes <= FREE_NODES || nodes <= (limits.most)();
        let mut progress = self.progress();
        let mut near = match &progress.near {
            Some(near) => near.clone(),
            None => self.begun(space, run)?,
        };
        loop {
            progress.near = Some(near.clone());
            let depth = near.depth();
            let growth = Growth(near.strings());
            let search = growth.strings(bound.saturating_sub(u32::from(depth)));
            let deeper = growth.strings(u32::from(depth) + 1) * NODES_PER_STRING;
            if !is_within(progress.spent + search.min(deeper)) {
                return Ok(None);
            }
            let left = run.memory().saturating_sub(near.bytes());
            if depth >= MOST_DEPTH || progress.since + search <= deeper {
                return Ok(is_within(progress.spent + search).then_some(near));
            }
            let expected = (0..=u32::from(depth) + 1).map(|length| growth.strings(length)).sum();
            match fill(space, &self.automaton, depth + 1, expected, &run.with_memory(left)) {
                Ok(filled) => near = Arc::new(filled),
                Err(FillError::OverBudget { .. } | FillError::Memory(_)) => {
                    return Ok(is_within(progress.spent + search).then_some(near));
                }
                Err(cancelled) => return Err(cancelled),
            }
            progress.spent += deeper;
            progress.since = 0.0;
        }
    }

    /// The first table.
    fn begun<const W: usize>(
        &self,
        space: &PlaceSpace<'_, W>,
        run: &Run<'_>,
    ) -> Result<Arc<Near>, FillError> {
        let mut near = fill(space, &self.automaton, LEAST_DEPTH, FIRST_STRINGS, run)?;
        while near.depth() < MOST_DEPTH {
            let depth = u32::from(near.depth()) + 1;
            let growth = Growth(near.strings());
            let expected = (0..=depth).map(|length| growth.strings(length)).sum();
            if expected > FIRST_STRINGS {
                break;
            }
            near = fill(space, &self.automaton, near.depth() + 1, expected, run)?;
        }
        Ok(Arc::new(near))
    }
}

/// The number of strings of moves of each length, extrapolated from those that were enumerated.
struct Growth<'a>(&'a [u64]);

impl Growth<'_> {
    /// The number of strings of `length` moves. Where two kinds of moves alternate, every other length grows more, so growth is
    /// measured over two moves.
    fn strings(&self, length: u32) -> f64 {
        let (known, length) = (self.0, length as usize);
        if let Some(&count) = known.get(length) {
            return count as f64;
        }
        let [.., a, b, c] = *known else { return f64::INFINITY };
        let over = length + 1 - known.len();
        let (base, pairs) = if over.is_multiple_of(2) { (c, over / 2) } else { (b, over.div_ceil(2)) };
        let growth = (c as f64 / a.max(1) as f64).max(1.0);
        base as f64 * growth.powf(pairs as f64)
    }
}
