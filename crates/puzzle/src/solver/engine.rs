//! The heuristics of a search: a table of near positions, then pattern databases.
//!
//! The idea: pattern databases take seconds to build, and a fraction of a second to load, but most short solutions are found
//! sooner by a table of the positions [near](crate::near) the solved one, which is filled as deep as the searches need. So
//! each search begins with that table. It is filled one move deeper when the nodes searched with it, and those that the next
//! bound will probably take, cost more than the filling. When all that costs more
//! than loading the pattern databases of the first [stage](super::stages), or than a quarter of building them, that is done, and
//! the search continues with them from the bound that is reached; and so on with the next stage.
//!
//! Why the answer is shortest: the bounds before have been searched to their end, whichever heuristic did that. All decisions
//! depend on numbers of nodes and of bytes, never on time, so they repeat.
//!
//! Cost: no bound is searched twice. Since neither step is taken before a fixed share of its cost has been spent without
//! it, all work is at most a small multiple of that with the best choice (the ski rental problem; Karlin et al. 1988,
//! "Competitive snoopy caching").

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use search_core::ida::Incumbent;
use search_core::table::Tables;
use search_core::{Automaton, Cancelled, Op, Run};

use super::SolverError;
use super::databases::Databases;
use super::growth::Growth;
use super::lookups::{chosen, within_limits};
use super::positions::Positions;
use super::stages::{Stage, Stages};
use super::tree::OwnedTree;
use super::turns::with_blocked_moves_free;
use crate::automaton::automaton;
use crate::fault::Faults;
use crate::model::{Pattern, Puzzle};
use crate::near::{FillError, Near};
use crate::phases::Phases;
use crate::shapes::Shapes;
use crate::strategy::{self, Plan, SolverSetup};
use crate::system::System;
use crate::words::Words;

/// The number of strings that are enumerated at first.
const FIRST_STRINGS: f64 = 20_000.0;
/// The least depth, from which the growth of the number of strings is known.
const LEAST_DEPTH: u8 = 4;
/// The least depth where free moves make neighbours many.
const LEAST_OF_CLASSES: u8 = 2;
/// The maximum depth.
const MOST_DEPTH: u8 = 12;
/// The cost of an enumerated string, in nodes of a search.
const NODES_PER_STRING: f64 = 1.5;
/// The nodes that are searched before the pattern databases are planned, which takes a fraction of a second.
const FREE_NODES: f64 = 4e6;
/// The nodes that a thread searches in a second.
const NODES_PER_SECOND: f64 = 25e6;
/// The same where nodes are classes.
const CLASSES_PER_SECOND: f64 = 5e6;
/// The same with pattern databases.
const PRUNED_PER_SECOND: f64 = 10e6;
/// The part of the time of building the first pattern databases that one run counts: they are kept for later ones.
const BUILD_SHARE: f64 = 0.25;
/// The least factor between the positions of pattern databases that are not the largest and the near positions they replace.
const LEAST_GAIN: f64 = 2.0;
/// The bytes of the pattern databases for a solution soon, which are built within a second or two.
const SMALL: u64 = 32 << 20;
/// The maximum number of parts of a puzzle whose small pattern databases are looked up for images too.
const FEW_PARTS: usize = 4;

/// A puzzle as coordinates, a table of near positions, and pattern databases when a search needs them.
pub(super) struct Engine {
    puzzle: Puzzle,
    setup: SolverSetup,
    pub(super) system: Arc<System>,
    pub(super) automaton: Arc<Automaton>,
    /// The pattern databases, planned when a search may need them.
    stages: Stages,
    /// The positions of a table of near ones; `None` if there is no such table.
    positions: Option<Positions>,
    /// The shapes of a puzzle with rules, found when pattern databases are planned.
    shapes: OnceLock<Option<Arc<Shapes>>>,
    progress: Mutex<Reached>,
    /// Small pattern databases for a solution soon.
    small: OnceLock<Databases>,
    /// Two phases, if the puzzle has them.
    phases: OnceLock<Option<Phases>>,
    /// The puzzle in which the moves that rules may block are free, if there is one.
    twists: OnceLock<Option<Box<Engine>>>,
    /// Words for a chain of stabilizers, if the puzzle has one.
    words: OnceLock<Option<Words>>,
    /// Held while the pattern databases are loaded.
    loading: Mutex<()>,
}

/// The state of the table of near positions, over all searches.
#[derive(Default)]
struct Reached {
    near: Option<Arc<Near>>,
    /// The nodes searched since the table was filled, or since pattern databases were loaded.
    since: f64,
    /// The nodes searched, and the cost of the fills in nodes.
    spent: f64,
    /// The factor between the numbers of strings of two lengths that follow each other.
    growth: f64,
}

/// The heuristic of a bound.
pub(super) enum Chosen {
    /// A table of near positions.
    Near(Arc<Near>),
    /// The pattern databases of the stage of this number.
    Stage(usize),
}

impl Engine {
    /// The engine of `puzzle`. Loads no table.
    ///
    /// # Errors
    /// [`SolverError`]: the puzzle cannot be searched, or the work was cancelled.
    pub(super) fn new(puzzle: Puzzle, setup: &SolverSetup, run: &Run<'_>) -> Result<Engine, SolverError> {
        let system = Arc::new(System::new(&puzzle, run)?);
        within_limits(&system)?;
        // Operators on classes are numbered by their positions, so these are needed in any case.
        let positions = match setup.patterns.is_none() || !system.free.is_empty() {
            true => Positions::new(&system, || Ok(Shapes::new(&system, run)?.map(Arc::new)))?,
            false => None,
        };
        if setup.patterns.is_some() && positions.is_some() {
            let fault = "pattern databases of chosen pieces cannot be used with free moves";
            return Err(Faults::from(fault.to_owned()).into());
        }
        let automaton = match positions.as_ref().and_then(Positions::ops_of_classes) {
            Some(ops) => Automaton::unrestricted(ops),
            None => automaton(&system, setup.learn, run)?,
        };
        Ok(Engine {
            puzzle,
            setup: setup.clone(),
            system,
            automaton: Arc::new(automaton),
            stages: Stages::default(),
            positions,
            shapes: OnceLock::new(),
            progress: Mutex::default(),
            small: OnceLock::new(),
            phases: OnceLock::new(),
            twists: OnceLock::new(),
            words: OnceLock::new(),
            loading: Mutex::new(()),
        })
    }

    /// Whether a search may begin with near positions: there are none, or pattern databases are loaded already,
    /// otherwise.
    pub(super) fn begins_near(&self) -> bool {
        self.positions.is_some() && self.loaded().is_none()
    }

    /// Whether near positions are the only heuristic, as for free moves of a puzzle without rules.
    pub(super) fn has_no_databases(&self) -> bool {
        matches!(self.positions, Some(Positions::Classes(..)))
    }

    /// The pattern databases of the largest stage that is loaded, and its number.
    pub(super) fn loaded(&self) -> Option<(usize, &Databases)> {
        self.stages.loaded().next()
    }

    /// The pattern databases of all stages that are loaded.
    pub(super) fn all_loaded(&self) -> impl Iterator<Item = &Databases> {
        self.stages.loaded().map(|(_, databases)| databases)
    }

    /// The pattern databases of a stage, which are loaded or built now if they are not loaded yet.
    ///
    /// # Errors
    /// [`SolverError`].
    pub(super) fn databases(
        &self,
        stage: usize,
        store: &dyn Tables,
        run: &Run<'_>,
    ) -> Result<&Databases, SolverError> {
        let _loading = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        let plan = |run: &Run<'_>| self.new_plan(&self.setup, run);
        let stage = match stage {
            0 => self.stages.largest(plan, run)?,
            _ => {
                let all = self.stages.all(plan, store, run)?;
                all[stage.min(all.len() - 1)]
            }
        };
        if let Some(databases) = stage.databases.get() {
            return Ok(databases);
        }
        {
            // The memory is needed.
            let mut progress = self.progress();
            (progress.near, progress.since) = (None, 0.0);
        }
        let parts = (self.system.clone(), self.automaton.clone());
        let databases = Databases::load(parts, stage.plan.clone(), store, run)?;
        Ok(stage.databases.get_or_init(|| databases))
    }

    /// The pattern databases of the chosen pieces, or those that are best within the memory of `run`.
    ///
    /// # Errors
    /// [`SolverError`].
    fn new_plan(&self, setup: &SolverSetup, run: &Run<'_>) -> Result<Plan, SolverError> {
        if let Some(patterns) = &setup.patterns {
            let with_images = setup.symmetries.unwrap_or(true);
            return chosen(&self.puzzle, &self.system, patterns, with_images, run);
        }
        let shapes = match (self.shapes.get(), &self.positions) {
            (Some(shapes), _) => shapes.clone(),
            (None, Some(Positions::Shapes(shapes))) => Some(shapes.clone()),
            (None, _) => {
                let shapes = Shapes::new(&self.system, run)?.map(Arc::new);
                self.shapes.get_or_init(|| shapes).clone()
            }
        };
        Ok(strategy::plan(&self.puzzle, &self.system, shapes.as_ref(), setup, run)?)
    }

    /// Whether loading the largest pattern databases builds none.
    pub(super) fn are_built(&self, store: &dyn Tables, run: &Run<'_>) -> bool {
        let largest = self.stages.largest(|run| self.new_plan(&self.setup, run), run);
        largest.is_ok_and(|largest| largest.is_built(store))
    }

    /// Pattern databases for a solution soon: small ones.
    ///
    /// # Errors
    /// [`SolverError`].
    pub(super) fn small(&self, store: &dyn Tables, run: &Run<'_>) -> Result<&Databases, SolverError> {
        let loaded = self.loaded().map(|(_, databases)| databases);
        if let Some(databases) = loaded.or(self.small.get()) {
            return Ok(databases);
        }
        let parts = (self.system.clone(), self.automaton.clone());
        let run = run.with_memory((run.memory() / 4).min(SMALL));
        // The search for symmetries takes too long where many parts have equal moves.
        let setup = match self.system.parts.len() <= FEW_PARTS {
            true => self.setup.clone(),
            false => self.setup.clone().symmetries(false),
        };
        let databases = Databases::load(parts, self.new_plan(&setup, &run)?, store, &run)?;
        Ok(self.small.get_or_init(|| databases))
    }

    /// A solution of `pattern` with fewer moves than `below` in two phases; `None` if the puzzle has none, or none is found.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(super) fn in_phases(
        &self,
        pattern: &Pattern,
        below: usize,
        run: &Run<'_>,
    ) -> Result<Option<Vec<Op>>, Cancelled> {
        let phases = match self.phases.get() {
            Some(phases) => phases,
            None => {
                let phases = Phases::new(&self.puzzle, &self.system, run)?;
                self.phases.get_or_init(|| phases)
            }
        };
        let found = phases.as_ref().map(|phases| phases.solve(&self.system, pattern, below, run));
        Ok(found.transpose()?.flatten())
    }

    /// A solution of `pattern` of few moves that rules never block, by a beam of about this many nodes; `None` if the puzzle has no
    /// such moves beside others, or none is found.
    ///
    /// # Errors
    /// [`SolverError`].
    pub(super) fn in_twists(
        &self,
        pattern: &Pattern,
        nodes: u64,
        store: &dyn Tables,
        run: &Run<'_>,
    ) -> Result<Option<Vec<Op>>, SolverError> {
        let twists = match self.twists.get() {
            Some(twists) => twists,
            None => {
                let puzzle = with_blocked_moves_free(&self.puzzle, &self.system);
                let engine = puzzle.map(|puzzle| Engine::new(puzzle, &SolverSetup::default(), run));
                // Free moves that are not supported are no fault of the puzzle.
                let engine = engine.and_then(Result::ok).filter(|engine| !engine.has_no_databases());
                run.check()?;
                self.twists.get_or_init(|| engine.map(Box::new))
            }
        };
        let Some(engine) = twists else { return Ok(None) };
        let Some(tree) = engine.small(store, run)?.tree(pattern) else { return Ok(None) };
        let incumbent = Incumbent::new();
        tree.improve(nodes, &incumbent, run);
        let Some(best) = incumbent.best() else { return Ok(None) };
        let Some(names) = engine.spell(pattern, &best.solution) else { return Ok(None) };
        let number = |name: &str| self.puzzle.moves().iter().position(|step| step.name == name);
        Ok(names.into_iter().map(|name| number(name).map(Op::new)).collect())
    }

    /// A solution of `pattern` by words for a chain of stabilizers; `None` if the puzzle has none.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(super) fn in_words(&self, pattern: &Pattern, run: &Run<'_>) -> Result<Option<Vec<Op>>, Cancelled> {
        let words = match self.words.get() {
            Some(words) => words,
            None => {
                let words = Words::new(&self.system, run)?;
                self.words.get_or_init(|| words)
            }
        };
        let found = words.as_ref().map(|words| words.solve(&self.system, pattern, run));
        Ok(found.transpose()?.flatten())
    }

    /// Whether moves may solve `pattern`: coordinates and the order of the group do not exclude it.
    pub(super) fn may_solve(&self, pattern: &Pattern, run: &Run<'_>) -> bool {
        let is_exact = self.loaded().is_some_and(|(_, databases)| databases.is_exact());
        self.system.states(pattern, &self.system.coordinates).is_some()
            && self.positions.as_ref().is_none_or(|positions| positions.have(&self.system, pattern))
            && (is_exact || self.system.is_solvable(pattern, run) != Ok(Some(false)))
    }

    /// Whether searches walk from class to class of positions that differ by free moves.
    fn are_classes(&self) -> bool {
        self.positions.as_ref().is_some_and(|positions| positions.ops_of_classes().is_some())
    }

    fn progress(&self) -> MutexGuard<'_, Reached> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds nodes that were searched.
    pub(super) fn count(&self, nodes: f64) {
        let mut progress = self.progress();
        progress.since += nodes;
        progress.spent += nodes;
    }

    /// The stage after `present`, or after a table of this many near positions, and the seconds of loading it, or the `share` of
    /// those of building it; `None` if `present` is the largest.
    fn next_stage(
        &self,
        present: Result<usize, f64>,
        share: f64,
        store: &dyn Tables,
        run: &Run<'_>,
    ) -> Option<(usize, f64)> {
        let Ok(stages) = self.stages.all(|run| self.new_plan(&self.setup, run), store, run) else {
            // Loading reports the fault.
            return present.is_err().then_some((0, 0.0));
        };
        let larger = &stages[..present.unwrap_or(stages.len())];
        // Where larger databases exist, smaller ones are not built.
        let built = larger.iter().position(|stage| stage.is_built(store)).unwrap_or(larger.len());
        let is_next = |&(number, stage): &(usize, &&Stage)| {
            let is_available = number <= built || stage.is_built(store);
            let prunes = present.map_or_else(|near| stage.positions() >= LEAST_GAIN * near, |_| true);
            number == 0 || is_available && prunes
        };
        let (number, stage) = larger.iter().enumerate().rev().find(is_next)?;
        Some((number, stage.seconds(share, store)))
    }

    /// The stage with which a bound is searched instead of `present`, if that pays. A bound that had this many moves less took
    /// this many nodes.
    pub(super) fn later_stage(
        &self,
        present: usize,
        (nodes, moves): (f64, u32),
        store: &dyn Tables,
        run: &Run<'_>,
    ) -> Option<usize> {
        let (since, growth) = {
            let progress = self.progress();
            (progress.since, progress.growth.max(1.0))
        };
        let (next, seconds) = self.next_stage(Ok(present), 1.0, store, run)?;
        let expected = since + nodes * growth.powf(f64::from(moves));
        (expected > seconds * PRUNED_PER_SECOND).then_some(next)
    }

    /// The heuristic for searching a bound from `starts` positions: the table of near positions, filled deeper if that pays, or
    /// pattern databases.
    ///
    /// # Errors
    /// [`FillError`].
    pub(super) fn near_for(
        &self,
        bound: u32,
        starts: usize,
        store: &dyn Tables,
        run: &Run<'_>,
    ) -> Result<Chosen, FillError> {
        let per_second = if self.are_classes() { CLASSES_PER_SECOND } else { NODES_PER_SECOND };
        // The stage that this many nodes cost more than.
        let instead = |nodes: f64, near: &Near| -> Option<usize> {
            if self.has_no_databases() || nodes <= FREE_NODES {
                return None;
            }
            let positions = Growth(near.strings()).up_to(near.depth());
            let (stage, seconds) = self.next_stage(Err(positions), BUILD_SHARE, store, run)?;
            (nodes > seconds * per_second).then_some(stage)
        };
        let mut progress = self.progress();
        let mut near = match &progress.near {
            Some(near) => near.clone(),
            None => self.first_near(run)?,
        };
        loop {
            progress.near = Some(near.clone());
            let depth = near.depth();
            let growth = Growth(near.strings());
            progress.growth = growth.per_move();
            let search = growth.strings(bound.saturating_sub(u32::from(depth))) * starts as f64;
            let deeper = growth.strings(u32::from(depth) + 1) * NODES_PER_STRING;
            if let Some(stage) = instead(progress.spent + search.min(deeper), &near) {
                return Ok(Chosen::Stage(stage));
            }
            let left = run.memory().saturating_sub(near.bytes());
            let filled = match depth >= MOST_DEPTH || progress.since + search <= deeper {
                true => None,
                false => match self.deeper(&near, &run.with_memory(left)) {
                    Ok(filled) => Some(filled),
                    Err(FillError::OverBudget { .. } | FillError::Memory(_)) => None,
                    Err(cancelled) => return Err(cancelled),
                },
            };
            let Some(filled) = filled else {
                let stage = instead(progress.spent + search, &near);
                return Ok(stage.map_or(Chosen::Near(near), Chosen::Stage));
            };
            near = filled;
            progress.spent += deeper;
            progress.since = 0.0;
        }
    }

    /// The table of near positions up to a depth, with which an earlier run of a search was stopped.
    ///
    /// # Errors
    /// [`FillError`].
    pub(super) fn near_of_depth(&self, depth: u8, run: &Run<'_>) -> Result<Arc<Near>, FillError> {
        let mut progress = self.progress();
        let mut near = match &progress.near {
            Some(near) if near.depth() <= depth => near.clone(),
            _ => self.first_near(run)?,
        };
        while near.depth() < depth.min(MOST_DEPTH) {
            near = self.deeper(&near, run)?;
        }
        progress.near = Some(near.clone());
        Ok(near)
    }

    /// The first table, which is filled in a moment.
    fn first_near(&self, run: &Run<'_>) -> Result<Arc<Near>, FillError> {
        let least = if self.are_classes() { LEAST_OF_CLASSES } else { LEAST_DEPTH };
        let mut near = self.filled(least, FIRST_STRINGS, run)?;
        while near.depth() < MOST_DEPTH && Growth(near.strings()).up_to(near.depth() + 1) <= FIRST_STRINGS {
            near = self.deeper(&near, run)?;
        }
        Ok(near)
    }

    /// The table that is one move deeper.
    fn deeper(&self, near: &Near, run: &Run<'_>) -> Result<Arc<Near>, FillError> {
        let depth = near.depth() + 1;
        self.filled(depth, Growth(near.strings()).up_to(depth), run)
    }

    fn filled(&self, depth: u8, strings: f64, run: &Run<'_>) -> Result<Arc<Near>, FillError> {
        let positions = self.positions.as_ref().expect("the search begins with near positions");
        positions.fill(&self.automaton, (depth, strings), run).map(Arc::new)
    }

    /// The tree of a search for solutions of `pattern`, which [`may_solve`](Self::may_solve) accepts, with near positions.
    pub(super) fn near_tree(&self, pattern: &Pattern, near: Arc<Near>) -> Option<Box<dyn OwnedTree + '_>> {
        self.positions.as_ref()?.tree((&self.system, &self.automaton), pattern, near)
    }

    /// The names of the moves that operators stand for, from a pattern; `None` if the engine has no such operators there.
    pub(super) fn spell(&self, pattern: &Pattern, ops: &[Op]) -> Option<Vec<&str>> {
        let numbers: Vec<usize> = match &self.positions {
            Some(positions) => positions.word(&self.system, pattern, ops)?,
            None => ops.iter().map(|op| op.index()).collect(),
        };
        let reduction = &self.system.reduction;
        let are_known = numbers.iter().all(|&number| number < reduction.moves().len());
        are_known.then(|| reduction.spell(pattern, &numbers))
    }
}
