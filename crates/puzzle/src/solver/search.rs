//! One search: a tree for each goal and rotated form of the start, with the heuristic that the [engines](super::engine)
//! choose before each bound.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use search_core::ida::{self, AnyTree, Choice, Config, Incumbent, Look, Schedule, TreeSearch, Wanted};
use search_core::record::{HeuristicStage, Iteration, Used};
use search_core::{Cancelled, Ending, Op, Report, Run};

use super::engine::{Chosen, Engine};
use super::shared::least;
use super::tree::OwnedTree;
use super::upper::{beams, is_good, wider};
use super::{Solver, SolverError, Start};
use crate::near::{FillError, Near};

/// The name of the first heuristic.
const NEAR: &str = "near positions";
/// The name of pattern databases that are not the largest.
const SMALL: &str = "small pattern databases";
/// Added to the number of a stage in a choice: smaller numbers are the depths of tables of near positions.
const STAGES: usize = 64;

/// A running search.
pub(super) struct Search<'a> {
    solver: &'a Solver,
    starts: &'a [Start<'a>],
    config: &'a Config,
    run: &'a Run<'a>,
    state: RefCell<State<'a>>,
}

/// The heuristic of the current bound.
struct State<'a> {
    /// The tables of near positions by engine, `None` for those without a start; empty for pattern databases.
    near: Vec<Option<Arc<Near>>>,
    trees: Rc<Vec<Box<dyn OwnedTree + 'a>>>,
    bound: u32,
    /// The nodes that the engines have counted.
    counted: u64,
    /// The stage of the pattern databases.
    stage: usize,
    /// The bounds from which other heuristics are used than before, and the stages of these.
    changes: Vec<(u32, usize)>,
    stop: Option<Stop>,
}

/// The reason why a search ends before its next bound.
struct Stop {
    reason: Reason,
    iterations: Vec<Iteration>,
}

enum Reason {
    Cancelled,
    /// Tables of all projections show that no moves solve any start.
    Unsolvable,
    Failed(SolverError),
}

impl From<SolverError> for Reason {
    fn from(error: SolverError) -> Reason {
        match error {
            SolverError::Cancelled(_) => Reason::Cancelled,
            error => Reason::Failed(error),
        }
    }
}

impl From<Cancelled> for Reason {
    fn from(_: Cancelled) -> Reason {
        Reason::Cancelled
    }
}

impl<'a> Search<'a> {
    /// The search from `starts`.
    pub(super) fn new(
        solver: &'a Solver,
        starts: &'a [Start<'a>],
        config: &'a Config,
        run: &'a Run<'a>,
    ) -> Search<'a> {
        let state = State {
            near: Vec::new(),
            trees: Rc::default(),
            bound: config.min_bound,
            counted: 0,
            stage: 0,
            changes: Vec::new(),
            stop: None,
        };
        let search = Search { solver, starts, config, run, state: RefCell::new(state) };
        // A solution soon needs pattern databases.
        let are_wanted = |engine: &Engine| config.within > 0 && engine.are_built(&*solver.store, run);
        let are_many = !matches!(config.wanted, Wanted::First | Wanted::All { extra: 0 });
        let begins_near = starts.iter().all(|start| {
            let engine = &solver.engines[start.engine];
            engine.has_no_databases() || !are_many && engine.begins_near() && !are_wanted(engine)
        });
        let loaded = |start: &Start<'_>| solver.engines[start.engine].loaded().map_or(0, |(stage, _)| stage);
        let begun = match begins_near {
            true => search.nearer(config.min_bound),
            false if are_many => search.to_databases(0),
            false => search.to_databases(starts.iter().map(loaded).min().unwrap_or(0)),
        };
        search.stop_if(begun, &[]);
        search
    }

    /// The number of starts of an engine.
    fn starts_of(&self, engine: usize) -> usize {
        self.starts.iter().filter(|start| start.engine == engine).count()
    }

    /// Takes the trees of tables of near positions.
    fn take_near(&self, near: Vec<Option<Arc<Near>>>) {
        let tree = |start: &Start<'a>| {
            let near = near[start.engine].clone().expect("each start has a table");
            self.solver.engines[start.engine].near_tree(&start.pattern, near)
        };
        let trees = self.starts.iter().filter_map(tree).collect();
        let mut state = self.state.borrow_mut();
        (state.trees, state.near) = (Rc::new(trees), near);
    }

    /// The tables of near positions for a bound, filled deeper if that pays; pattern databases if these pay more.
    fn nearer(&self, bound: u32) -> Result<(), Reason> {
        let mut all = Vec::new();
        for (number, engine) in self.solver.engines.iter().enumerate() {
            let near = match self.starts_of(number) {
                0 => None,
                starts => match engine.near_for(bound, starts, &*self.solver.store, self.run) {
                    Ok(Chosen::Near(near)) => Some(near),
                    Ok(Chosen::Stage(stage)) => return self.change_to(stage, bound),
                    Err(FillError::Cancelled(cancelled)) => return Err(cancelled.into()),
                    // Where there is no memory for a table, pattern databases may need less.
                    Err(FillError::OverBudget { .. } | FillError::Memory(_)) => {
                        return self.change_to(0, bound);
                    }
                },
            };
            all.push(near);
        }
        if depths(&all) != depths(&self.state.borrow().near) {
            self.take_near(all);
        }
        Ok(())
    }

    /// Takes larger pattern databases for a bound, if that pays.
    fn larger(&self, bound: u32, iterations: &[Iteration]) -> Result<(), Reason> {
        let (present, from) = {
            let state = self.state.borrow();
            (state.stage, state.changes.last().map_or(0, |(from, _)| *from))
        };
        let last = iterations.last().filter(|last| last.bound >= from);
        let (nodes, moves) = last.map_or((0, 0), |last| (last.generated, bound.saturating_sub(last.bound)));
        let engines: Vec<&Engine> = self.engines().collect();
        let expected = (nodes as f64 / engines.len() as f64, moves);
        let later = |engine: &&Engine| engine.later_stage(present, expected, &*self.solver.store, self.run);
        engines.iter().find_map(later).map_or(Ok(()), |stage| self.change_to(stage, bound))
    }

    /// Takes pattern databases from a bound on.
    fn change_to(&self, stage: usize, bound: u32) -> Result<(), Reason> {
        self.state.borrow_mut().changes.push((bound, stage));
        self.to_databases(stage)
    }

    /// Takes the trees of pattern databases.
    fn to_databases(&self, stage: usize) -> Result<(), Reason> {
        {
            // The memory is needed.
            let mut state = self.state.borrow_mut();
            (state.near, state.trees, state.stage) = (Vec::new(), Rc::default(), stage);
        }
        let mut trees = Vec::new();
        for start in self.starts {
            trees.extend(self.solver.databases(start.engine, stage, self.run)?.tree(&start.pattern));
        }
        let is_empty = trees.is_empty();
        self.state.borrow_mut().trees = Rc::new(trees);
        if is_empty { Err(Reason::Unsolvable) } else { Ok(()) }
    }

    /// Keeps the reason to stop after `iterations`, if there is one.
    fn stop_if(&self, result: Result<(), Reason>, iterations: &[Iteration]) {
        if let Err(reason) = result {
            self.state.borrow_mut().stop = Some(Stop { reason, iterations: iterations.to_vec() });
        }
    }

    /// The engines that have a start.
    fn engines(&self) -> impl Iterator<Item = &'a Engine> {
        let numbered = self.solver.engines.iter().enumerate();
        numbered.filter(|(number, _)| self.starts_of(*number) > 0).map(|(_, engine)| engine)
    }

    /// Reports the nodes of `iterations` to the engines.
    fn count(&self, iterations: &[Iteration]) {
        let all: u64 = iterations.iter().map(|iteration| iteration.generated).sum();
        let mut state = self.state.borrow_mut();
        let new = all.saturating_sub(std::mem::replace(&mut state.counted, all)) as f64;
        let engines: Vec<&Engine> = self.engines().collect();
        engines.iter().for_each(|engine| engine.count(new / engines.len() as f64));
    }

    /// The choice of the present heuristic: the depth of each table of near positions, the stage of pattern databases that are
    /// not the largest, or nothing.
    fn choice(&self) -> Vec<usize> {
        let state = self.state.borrow();
        match (state.near.is_empty(), state.stage) {
            (false, _) => depths(&state.near),
            (true, 0) => Vec::new(),
            (true, stage) => vec![STAGES + stage],
        }
    }

    /// Searches.
    ///
    /// # Errors
    /// [`SolverError`]: the pattern databases are not available.
    pub(super) fn report(self) -> Result<(Report<Vec<Op>>, Used), SolverError> {
        let stopped = self.state.borrow().stop.is_some();
        let report = if stopped { None } else { ida::search_trees(&self, self.config, self.run).ok() };
        if let Some(report) = &report {
            self.count(&report.iterations);
        }
        let Search { solver, config, state, .. } = self;
        let State { near, bound, stage, changes, stop, .. } = state.into_inner();
        let report = match (report, stop) {
            (Some(report), _) => report,
            (None, Some(Stop { reason, iterations })) => {
                let ending = match reason {
                    Reason::Failed(error) => return Err(error),
                    Reason::Unsolvable => Ending::Exhausted,
                    Reason::Cancelled => {
                        let best = config.incumbent.as_ref().and_then(Incumbent::best);
                        Ending::cancelled(bound).knowing(best, config.wanted == Wanted::First)
                    }
                };
                Report { ending, iterations }
            }
            (None, None) => unreachable!("a search that was not stopped has the trees of its choice"),
        };
        let loaded = near.is_empty() && solver.engines.iter().any(|engine| engine.loaded().is_some());
        let first = report.iterations.first().map_or(u32::MAX, |iteration| iteration.bound);
        let used = match loaded {
            false => Used::one(NEAR, &[]),
            true => used(solver, stage, &changes, first),
        };
        Ok((report, used))
    }
}

/// The heuristics of a search that began with the bound `first` and ended with pattern databases.
fn used(solver: &Solver, stage: usize, changes: &[(u32, usize)], first: u32) -> Used {
    let largest = solver.heuristic();
    let name = |stage: usize| if stage == 0 { largest } else { SMALL };
    let mut stages: Vec<HeuristicStage> = Vec::new();
    let changed = changes.iter().map(|&(from, stage)| (name(stage), from));
    for (heuristic, from) in std::iter::once((NEAR, first)).chain(changed) {
        // A heuristic that no bound was searched with is left out.
        stages.retain(|known| known.from < from);
        if stages.last().is_none_or(|known| known.heuristic != heuristic) {
            stages.push(HeuristicStage { heuristic: heuristic.to_owned(), from });
        }
    }
    if changes.is_empty() || stages.len() == 1 {
        return Used::one(name(stage), &solver.tables());
    }
    let names: Vec<&str> = stages.iter().map(|stage| &*stage.heuristic).collect();
    Used { heuristic: names.join(", then "), tables: solver.tables(), stages }
}

/// The depths of tables of near positions.
fn depths(near: &[Option<Arc<Near>>]) -> Vec<usize> {
    near.iter().map(|near| near.as_ref().map_or(0, |near| usize::from(near.depth()))).collect()
}

impl TreeSearch for Search<'_> {
    fn least(&self, bound: u32) -> u32 {
        let trees = self.state.borrow().trees.clone();
        let least = least(&trees, bound);
        self.state.borrow_mut().bound = least;
        least
    }

    fn trees(&self) -> usize {
        self.state.borrow().trees.len().max(1)
    }

    fn choose(&self, iterations: &[Iteration], _: Option<(u32, &Choice)>, _: &Run<'_>) -> Choice {
        let bound = self.state.borrow().bound;
        self.count(iterations);
        if self.is_near() {
            self.stop_if(self.nearer(bound), iterations);
        } else if self.state.borrow().stage > 0 {
            self.stop_if(self.larger(bound, iterations), iterations);
        }
        Choice { parts: self.choice(), trials: 0 }
    }

    fn schedule(&self, is_eager: bool) -> Option<Schedule> {
        // Tables of near positions guide no beam.
        (is_eager || !self.is_near()).then(|| beams(is_eager))
    }

    fn improve(&self, look: Look, incumbent: &Incumbent, run: &Run<'_>) {
        let Look { nodes, is_first, is_eager } = look;
        if is_eager && is_first {
            if self.in_phases(incumbent, run) != Ok(false) {
                return;
            }
            // Other ways follow where this one fails.
            if matches!(self.in_twists(nodes, incumbent, run), Ok(true)) {
                return;
            }
        }
        let trees = match self.is_near() {
            true => self.small_trees(),
            false => self.state.borrow().trees.clone(),
        };
        for (number, nodes) in wider(nodes).enumerate() {
            for tree in trees.iter() {
                tree.improve(nodes / trees.len() as u64, incumbent, run);
            }
            if !is_eager || run.is_cancelled() || is_good(incumbent, nodes) {
                break;
            }
            let is_hopeless = incumbent.upper_bound().is_none();
            if number == 0 && self.in_words(&trees, incumbent, run) != Ok(false) && is_hopeless {
                break;
            }
        }
    }

    fn with_tree(&self, choice: &Choice, tree: usize, act: &mut dyn FnMut(&dyn AnyTree)) -> bool {
        if self.state.borrow().stop.is_some() {
            return false;
        }
        if choice.parts != self.choice() {
            // An earlier run of the search has chosen.
            let chosen = self.choose_again(&choice.parts);
            let is_possible = chosen.is_ok();
            self.stop_if(chosen, &[]);
            if !is_possible {
                return false;
            }
        }
        let trees = self.state.borrow().trees.clone();
        trees.get(tree).map(|tree| tree.with(act)).is_some()
    }
}

impl<'a> Search<'a> {
    /// Whether tables of near positions are the heuristic.
    fn is_near(&self) -> bool {
        !self.state.borrow().near.is_empty()
    }

    /// Offers `incumbent` solutions in two phases. Returns whether there are any.
    fn in_phases(&self, incumbent: &Incumbent, run: &Run<'_>) -> Result<bool, Cancelled> {
        let mut are_found = false;
        for start in self.starts {
            let below = incumbent.upper_bound().map_or(usize::MAX, |length| length as usize);
            if let Some(found) = self.solver.engines[start.engine].in_phases(&start.pattern, below, run)? {
                are_found |= incumbent.offer(&found);
            }
        }
        Ok(are_found)
    }

    /// Offers `incumbent` solutions of few moves that rules never block. Returns whether there are any.
    fn in_twists(&self, nodes: u64, incumbent: &Incumbent, run: &Run<'_>) -> Result<bool, SolverError> {
        let mut are_found = false;
        for start in self.starts {
            let (engine, store) = (&self.solver.engines[start.engine], &*self.solver.store);
            if let Some(found) = engine.in_twists(&start.pattern, nodes, store, run)? {
                are_found |= incumbent.offer(&found);
            }
        }
        Ok(are_found)
    }

    /// Offers `incumbent` solutions by words for chains of stabilizers. Returns whether there are any.
    fn in_words(
        &self,
        trees: &[Box<dyn OwnedTree + 'a>],
        incumbent: &Incumbent,
        run: &Run<'_>,
    ) -> Result<bool, Cancelled> {
        // Without a tree for each start, trees and starts cannot be paired.
        if trees.len() == self.starts.len() {
            for (start, tree) in self.starts.iter().zip(trees) {
                if let Some(found) = self.solver.engines[start.engine].in_words(&start.pattern, run)? {
                    tree.shorten(&found, incumbent, run);
                }
            }
        }
        Ok(incumbent.upper_bound().is_some())
    }

    /// The trees of small pattern databases.
    fn small_trees(&self) -> Rc<Vec<Box<dyn OwnedTree + 'a>>> {
        let tree = |start: &Start<'a>| {
            let engine = &self.solver.engines[start.engine];
            engine.small(&*self.solver.store, self.run).ok()?.tree(&start.pattern)
        };
        Rc::new(self.starts.iter().filter_map(tree).collect())
    }

    /// Takes the trees of the choice in a checkpoint.
    fn choose_again(&self, depths: &[usize]) -> Result<(), Reason> {
        match depths {
            [] => return self.to_databases(0),
            [stage] if *stage > STAGES => return self.to_databases(stage - STAGES),
            _ => {}
        }
        let engines = &self.solver.engines;
        if depths.len() != engines.len() || !engines.iter().all(Engine::begins_near) {
            return Ok(());
        }
        let mut all = Vec::new();
        for (number, &depth) in depths.iter().enumerate() {
            let depth = u8::try_from(depth).unwrap_or(u8::MAX);
            let near = (self.starts_of(number) > 0).then(|| engines[number].near_of_depth(depth, self.run));
            match near.transpose() {
                Ok(near) => all.push(near),
                Err(FillError::Cancelled(cancelled)) => return Err(cancelled.into()),
                // The bound begins anew with the present choice.
                Err(FillError::OverBudget { .. } | FillError::Memory(_)) => return Ok(()),
            }
        }
        self.take_near(all);
        Ok(())
    }
}
