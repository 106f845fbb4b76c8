//! The heuristics of a search: a table of near positions, then pattern databases.
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

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use search_core::domain::Lengths;
use search_core::ida::{AnyTree, RootMoves, Tree};
use search_core::table::{Recipe, Tables};
use search_core::{Automaton, Cancelled, Heuristic, Op, Run};

use super::SolverError;
use super::lookups::{Lookups, OwnedTree, within_limits};
use crate::automaton::automaton;
use crate::database::Database;
use crate::fault::Faults;
use crate::model::{Pattern, Puzzle};
use crate::near::{
    ClassSpace, Classes, FillError, Hashed, Near, NearBound, PlaceSpace, Places, fill, with_room,
};
use crate::phases::Phases;
use crate::space::Width;
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
/// The nodes that are searched before the pattern databases are planned.
const FREE_NODES: f64 = 1e6;
/// The nodes that a thread searches in a second.
const NODES_PER_SECOND: f64 = 25e6;
/// The part of the time of building pattern databases that one run counts: they are kept for later ones.
const BUILD_SHARE: f64 = 0.25;
/// The seconds of one thread that a byte of a table takes to be loaded.
const SECONDS_PER_BYTE: f64 = 3e-9;
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
    plan: OnceLock<Plan>,
    /// The positions of a table of near ones; `None` if there is no such table.
    places: Option<Places>,
    /// The classes of positions that differ by free moves, if some moves are free. Then there are no pattern databases.
    classes: Option<Classes>,
    progress: Mutex<Reached>,
    lookups: OnceLock<Lookups>,
    /// Small pattern databases for a solution soon.
    small: OnceLock<Lookups>,
    /// Two phases, if the puzzle has them.
    phases: OnceLock<Option<Phases>>,
    /// Words for a chain of stabilizers, if the puzzle has one.
    words: OnceLock<Option<Words>>,
    /// Held while the pattern databases are loaded.
    loading: Mutex<()>,
}

/// The state of the table of near positions, over all searches.
#[derive(Default)]
struct Reached {
    near: Option<Arc<Near>>,
    /// The nodes searched since the table was filled.
    since: f64,
    /// The nodes searched, and the cost of the fills in nodes.
    spent: f64,
}

impl Engine {
    /// The engine of `puzzle`. Loads no table.
    ///
    /// # Errors
    /// [`SolverError`]: the puzzle cannot be searched, or the work was cancelled.
    pub(super) fn new(puzzle: Puzzle, setup: &SolverSetup, run: &Run<'_>) -> Result<Engine, SolverError> {
        let system = Arc::new(System::new(&puzzle, run)?);
        within_limits(&system)?;
        let classes = (!system.free.is_empty()).then(|| Classes::new(&system)).transpose()?;
        let automaton = match &classes {
            Some(classes) => Automaton::unrestricted(classes.ops()),
            None => automaton(&system, setup.learn, run)?,
        };
        let places = if setup.patterns.is_none() { Places::new(&system) } else { None };
        if classes.is_some() && places.is_none() {
            let fault = "free moves are searched without pattern databases, on at most 256 places";
            return Err(Faults::from(fault.to_owned()).into());
        }
        Ok(Engine {
            puzzle,
            setup: setup.clone(),
            system,
            automaton: Arc::new(automaton),
            plan: OnceLock::new(),
            places,
            classes,
            progress: Mutex::default(),
            lookups: OnceLock::new(),
            small: OnceLock::new(),
            phases: OnceLock::new(),
            words: OnceLock::new(),
            loading: Mutex::new(()),
        })
    }

    /// Whether a search may begin with near positions: there are none, or the pattern databases are loaded already,
    /// otherwise.
    pub(super) fn begins_near(&self) -> bool {
        self.places.is_some() && self.lookups.get().is_none()
    }

    /// Whether some moves are free, so that near positions are the only heuristic.
    pub(super) fn has_free_moves(&self) -> bool {
        self.classes.is_some()
    }

    /// The pattern databases, if they are loaded.
    pub(super) fn loaded(&self) -> Option<&Lookups> {
        self.lookups.get()
    }

    /// The pattern databases, which are loaded or built now if they are not loaded yet.
    ///
    /// # Errors
    /// [`SolverError`].
    pub(super) fn lookups(&self, store: &dyn Tables, run: &Run<'_>) -> Result<&Lookups, SolverError> {
        if self.has_free_moves() {
            let fault = "free moves are searched without pattern databases".to_owned();
            return Err(Faults::from(fault).into());
        }
        let _loading = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lookups) = self.lookups.get() {
            return Ok(lookups);
        }
        // The memory is needed.
        self.progress().near = None;
        let parts = (self.system.clone(), self.automaton.clone());
        let lookups = Lookups::load(&self.puzzle, parts, self.plan.get().cloned(), &self.setup, store, run)?;
        Ok(self.lookups.get_or_init(|| lookups))
    }

    /// Whether loading the pattern databases builds none.
    pub(super) fn are_built(&self, store: &dyn Tables, run: &Run<'_>) -> bool {
        self.planned(store, run).is_some_and(|databases| databases.iter().all(|(_, is_built)| *is_built))
    }

    /// Pattern databases for a solution soon: small ones.
    ///
    /// # Errors
    /// [`SolverError`].
    pub(super) fn small(&self, store: &dyn Tables, run: &Run<'_>) -> Result<&Lookups, SolverError> {
        if self.has_free_moves() {
            return self.lookups(store, run);
        }
        if let Some(lookups) = self.lookups.get().or(self.small.get()) {
            return Ok(lookups);
        }
        let parts = (self.system.clone(), self.automaton.clone());
        let run = run.with_memory((run.memory() / 4).min(SMALL));
        // The search for symmetries takes too long where many parts have equal moves.
        let setup = match self.system.parts.len() <= FEW_PARTS {
            true => self.setup.clone(),
            false => self.setup.clone().symmetries(false),
        };
        let lookups = Lookups::load(&self.puzzle, parts, None, &setup, store, &run)?;
        Ok(self.small.get_or_init(|| lookups))
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
        let is_exact = self.loaded().is_some_and(Lookups::is_exact);
        self.system.states(pattern, &self.system.coordinates).is_some()
            && self.places.as_ref().is_none_or(|places| places.read(&self.system, pattern).is_some())
            && (is_exact || self.system.is_solvable(pattern, run) != Ok(Some(false)))
    }

    fn progress(&self) -> MutexGuard<'_, Reached> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds nodes that were searched with the table of near positions.
    pub(super) fn count(&self, nodes: f64) {
        let mut progress = self.progress();
        progress.since += nodes;
        progress.spent += nodes;
    }

    /// The pattern databases, and whether each is built; `None` if there are none, which loading them reports.
    fn planned(&self, store: &dyn Tables, run: &Run<'_>) -> Option<Vec<(&Database, bool)>> {
        let plan = match self.plan.get() {
            Some(plan) => plan,
            None => {
                let planned = strategy::plan(&self.puzzle, &self.system, &self.setup, run).ok()?;
                self.plan.get_or_init(|| planned)
            }
        };
        Some(plan.databases.iter().map(|database| (database, store.contains(&database.name()))).collect())
    }

    /// The cost of loading or building the pattern databases, in nodes of a search with near positions.
    fn cost(&self, store: &dyn Tables, run: &Run<'_>) -> f64 {
        let seconds = |(database, is_built): (&Database, bool)| match is_built {
            true => database.bytes() as f64 * SECONDS_PER_BYTE,
            false => database.build_seconds(1) * BUILD_SHARE,
        };
        let planned = self.planned(store, run).unwrap_or_default();
        planned.into_iter().map(seconds).sum::<f64>() * NODES_PER_SECOND
    }

    /// The table of near positions for searching a bound from `starts` positions, filled deeper if that pays; `None` if
    /// pattern databases are to search the bound.
    ///
    /// # Errors
    /// [`FillError`].
    pub(super) fn near_for(
        &self,
        bound: u32,
        starts: usize,
        store: &dyn Tables,
        run: &Run<'_>,
    ) -> Result<Option<Arc<Near>>, FillError> {
        let is_within =
            |nodes: f64| self.has_free_moves() || nodes <= FREE_NODES || nodes <= self.cost(store, run);
        let mut progress = self.progress();
        let mut near = match &progress.near {
            Some(near) => near.clone(),
            None => self.first_near(run)?,
        };
        loop {
            progress.near = Some(near.clone());
            let depth = near.depth();
            let growth = Growth(near.strings());
            let search = growth.strings(bound.saturating_sub(u32::from(depth))) * starts as f64;
            let deeper = growth.strings(u32::from(depth) + 1) * NODES_PER_STRING;
            if !is_within(progress.spent + search.min(deeper)) {
                return Ok(None);
            }
            let left = run.memory().saturating_sub(near.bytes());
            if depth >= MOST_DEPTH || progress.since + search <= deeper {
                return Ok(is_within(progress.spent + search).then_some(near));
            }
            match self.deeper(&near, &run.with_memory(left)) {
                Ok(filled) => near = filled,
                Err(FillError::OverBudget { .. } | FillError::Memory(_)) => {
                    return Ok(is_within(progress.spent + search).then_some(near));
                }
                Err(cancelled) => return Err(cancelled),
            }
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
        let least = if self.has_free_moves() { LEAST_OF_CLASSES } else { LEAST_DEPTH };
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
        let places = self.places.as_ref().expect("the search begins with near positions");
        let (automaton, classes) = (&*self.automaton, self.classes.as_ref());
        with_room(places, Fill { places, classes, automaton, depth, strings, run }).map(Arc::new)
    }

    /// The tree of a search for solutions of `pattern`, which [`may_solve`](Self::may_solve) accepts, with near positions.
    pub(super) fn near_tree(&self, pattern: &Pattern, near: Arc<Near>) -> Option<Box<dyn OwnedTree + '_>> {
        let places = self.places.as_ref()?;
        let start = places.read(&self.system, pattern)?;
        let lengths = if self.has_free_moves() { Lengths::ANY } else { self.system.lengths(pattern) };
        let (automaton, classes) = (&*self.automaton, self.classes.as_ref());
        Some(with_room(places, NewTree { places, classes, automaton, near, start, lengths }))
    }

    /// The names of the moves that operators stand for, from a pattern; `None` if the engine has no such operators there.
    pub(super) fn spell(&self, pattern: &Pattern, ops: &[Op]) -> Option<Vec<&str>> {
        let numbers: Vec<usize> = match (&self.classes, &self.places) {
            (Some(classes), Some(places)) => {
                let start = places.read(&self.system, pattern)?;
                with_room(places, Spelled { places, classes, start, ops })?
            }
            _ => ops.iter().map(|op| op.index()).collect(),
        };
        let reduction = &self.system.reduction;
        let are_known = numbers.iter().all(|&number| number < reduction.moves().len());
        are_known.then(|| reduction.spell(pattern, &numbers))
    }
}

/// Fills a table of near positions.
struct Fill<'a> {
    places: &'a Places,
    classes: Option<&'a Classes>,
    automaton: &'a Automaton,
    depth: u8,
    /// The expected number of strings.
    strings: f64,
    run: &'a Run<'a>,
}

impl Width for Fill<'_> {
    type Answer = Result<Near, FillError>;

    fn with<const W: usize>(self) -> Self::Answer {
        let space = PlaceSpace::<W>::new(self.places, Lengths::ANY);
        match self.classes {
            Some(classes) => {
                let space = ClassSpace::new(classes, space);
                fill(&space, self.automaton, self.depth, self.strings, self.run)
            }
            None => fill(&space, self.automaton, self.depth, self.strings, self.run),
        }
    }
}

/// Builds the tree of a search with near positions.
struct NewTree<'a> {
    places: &'a Places,
    classes: Option<&'a Classes>,
    automaton: &'a Automaton,
    near: Arc<Near>,
    start: Vec<u8>,
    lengths: Lengths,
}

impl<'a> Width for NewTree<'a> {
    type Answer = Box<dyn OwnedTree + 'a>;

    fn with<const W: usize>(self) -> Self::Answer {
        let NewTree { places, classes, automaton, near, start, lengths } = self;
        let space = PlaceSpace::<W>::new(places, lengths);
        let start = space.position(&start);
        match classes {
            Some(classes) => {
                let space = ClassSpace::new(classes, space);
                let start = space.class(&start);
                Box::new(NearTree { space, automaton, near, start })
            }
            None => Box::new(NearTree { space, automaton, near, start }),
        }
    }
}

/// Finds the moves that operators on classes stand for.
struct Spelled<'a> {
    places: &'a Places,
    classes: &'a Classes,
    start: Vec<u8>,
    ops: &'a [Op],
}

impl Width for Spelled<'_> {
    type Answer = Option<Vec<usize>>;

    fn with<const W: usize>(self) -> Self::Answer {
        let space = PlaceSpace::<W>::new(self.places, Lengths::ANY);
        let start = space.position(&self.start);
        let word = ClassSpace::new(self.classes, space).word(&start, self.ops)?;
        Some(word.into_iter().map(Op::index).collect())
    }
}

/// A tree of positions or of their classes.
struct NearTree<'a, D: Hashed> {
    space: D,
    automaton: &'a Automaton,
    near: Arc<Near>,
    start: D::State,
}

impl<D: Hashed> OwnedTree for NearTree<'_, D>
where
    for<'n> NearBound<'n>: Heuristic<D>,
{
    fn with(&self, act: &mut dyn FnMut(&dyn AnyTree)) {
        act(&Tree {
            domain: &self.space,
            heuristic: &NearBound(&self.near),
            automaton: self.automaton,
            start: &self.start,
            root_moves: RootMoves::none(),
        });
    }
}

/// The number of strings of moves of each length, extrapolated from those that were enumerated.
struct Growth<'a>(&'a [u64]);

impl Growth<'_> {
    /// The number of strings of up to `length` moves.
    fn up_to(&self, length: u8) -> f64 {
        (0..=u32::from(length)).map(|length| self.strings(length)).sum()
    }

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
