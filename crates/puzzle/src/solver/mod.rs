//! The solver: shortest solutions to the nearest of several goals.
//!
//! The idea: each goal is a search of its own, for the start as its puzzle sees it. Each bound is searched for all goals
//! before the next, so the first bound with a solution is the length of a shortest one to any goal. Goals whose puzzles
//! are equal share an engine and its tables.
//!
//! A solution to one goal may pass another one. In a search for one solution this is impossible, since the solution would
//! not be shortest; in a search for all solutions it is left out.
//!
//! | file | contents |
//! | --- | --- |
//! | `engine` | the heuristics of one puzzle: near positions, then pattern databases |
//! | `positions` | the positions that a table of near ones has |
//! | `growth` | the growth of the number of strings of moves |
//! | `stages` | pattern databases of several sizes, the small ones first |
//! | `databases` | pattern databases, of coordinates or of shapes |
//! | `lookups` | lookups in pattern databases of coordinates |
//! | `tree` | the trees of searches |
//! | `turns` | the puzzle in which moves that rules block are free, for a first solution |
//! | `held` | rotated forms of a start, for goals without an anchor |
//! | `search` | one search, with the heuristic that is chosen before each bound |
//! | `shared` | one search as units for many processes |
//! | `upper` | solutions by beam search, as upper bounds |

mod databases;
mod engine;
mod growth;
mod held;
mod lookups;
mod positions;
mod search;
mod shared;
mod stages;
mod tree;
mod turns;
mod upper;

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use search_core::clock::Instant;
use search_core::ida::Wanted;
use search_core::ida::work_units::Settings;
use search_core::record::{Answer, TableUse, Used};
use search_core::table::{TableError, Tables};
use search_core::{Automaton, Cancelled, Ending, Op, Report, Run, Solution};

use crate::ask::Ask;
use crate::fault::Faults;
use crate::goal::{Goal, Open};
use crate::model::{Pattern, Puzzle};
use crate::solution::{Rejected, replay, solution};
use crate::strategy::SolverSetup;
use crate::system::SystemError;
use databases::Databases;
use engine::Engine;
use held::{Turn, searched};
use search::Search;

pub use lookups::plan;
pub use shared::SharedSearch;

/// The reason why there is no solver, or no answer.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    /// The puzzle cannot be searched.
    #[error(transparent)]
    Faults(#[from] Faults),
    /// A table is not available.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The chosen pattern databases exceed the memory budget.
    #[error("the pattern databases need {need} bytes; the budget is {have}")]
    Memory {
        /// Their size in bytes.
        need: u64,
        /// The budget.
        have: u64,
    },
    /// A solution does not solve its pattern: a bug of the solver.
    #[error(transparent)]
    Rejected(#[from] Rejected),
}

impl From<SystemError> for SolverError {
    fn from(error: SystemError) -> SolverError {
        match error {
            SystemError::Faults(faults) => faults.into(),
            SystemError::Cancelled(cancelled) => cancelled.into(),
        }
    }
}

/// Solves patterns of a puzzle for the nearest of its goals.
///
/// A search begins with a table of the positions near the goal, and loads or builds pattern databases only when they pay.
pub struct Solver {
    puzzle: Puzzle,
    goals: Vec<Goal>,
    engines: Vec<Engine>,
    /// For each engine, the rotated forms of a start that it searches.
    turns: Vec<Vec<Turn>>,
    /// The number of each goal's engine.
    engine_of: Vec<usize>,
    store: Arc<dyn Tables>,
    /// The memory of each engine.
    memory: u64,
}

/// A rotated form of a pattern that an engine must solve.
struct Start<'a> {
    engine: usize,
    turn: &'a Turn,
    pattern: Pattern,
}

impl Solver {
    /// The solver of `puzzle` for the nearest of `goals`; for the solved pattern if there are none. Loads no table: searches
    /// take from `tables`, within the memory of `run`, what they need.
    ///
    /// # Errors
    /// [`SolverError`]: the puzzle cannot be searched, or the work was cancelled.
    pub fn new(
        puzzle: Puzzle,
        goals: Vec<Goal>,
        setup: &SolverSetup,
        tables: impl Tables + 'static,
        run: &Run<'_>,
    ) -> Result<Solver, SolverError> {
        let goals = match goals.is_empty() {
            true => vec![Goal::new(&puzzle, puzzle.solved(), &Open::default())?],
            false => goals,
        };
        let (mut puzzles, mut engine_of): (Vec<&Puzzle>, Vec<usize>) = (Vec::new(), Vec::new());
        for goal in &goals {
            let at = puzzles.iter().position(|known| *known == goal.puzzle());
            engine_of.push(at.unwrap_or(puzzles.len()));
            if at.is_none() {
                puzzles.push(goal.puzzle());
            }
        }
        let memory = run.memory() / puzzles.len() as u64;
        let (mut engines, mut turns) = (Vec::new(), Vec::new());
        for puzzle in puzzles {
            let (puzzle, turns_of_puzzle) = searched(puzzle);
            engines.push(Engine::new(puzzle, setup, &run.with_memory(memory))?);
            turns.push(turns_of_puzzle);
        }
        Ok(Solver { puzzle, goals, engines, turns, engine_of, store: Arc::new(tables), memory })
    }

    /// As [`new`](Solver::new), and loads or builds the pattern databases, with which all bounds are searched.
    ///
    /// # Errors
    /// [`SolverError`].
    pub fn load(
        puzzle: Puzzle,
        goals: Vec<Goal>,
        setup: &SolverSetup,
        tables: impl Tables + 'static,
        run: &Run<'_>,
    ) -> Result<Solver, SolverError> {
        let solver = Solver::new(puzzle, goals, setup, tables, run)?;
        solver.load_databases(run)?;
        Ok(solver)
    }

    /// Loads or builds the pattern databases.
    ///
    /// # Errors
    /// [`SolverError`].
    pub fn load_databases(&self, run: &Run<'_>) -> Result<(), SolverError> {
        (0..self.engines.len()).try_for_each(|engine| self.databases(engine, 0, run).map(drop))
    }

    /// The pattern databases of a stage of an engine.
    fn databases(&self, engine: usize, stage: usize, run: &Run<'_>) -> Result<&Databases, SolverError> {
        let memory = self.memory.min(run.memory());
        self.engines[engine].databases(stage, &*self.store, &run.with_memory(memory))
    }

    fn loaded(&self) -> impl Iterator<Item = &Databases> {
        self.engines.iter().flat_map(Engine::all_loaded)
    }

    /// The puzzle.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    /// The goals.
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }

    /// The names of the heuristics that a search may use.
    pub fn heuristic(&self) -> &'static str {
        match self.loaded().next() {
            Some(databases) => databases.heuristic(),
            None if self.engines.iter().all(Engine::begins_near) => "near positions, then pattern databases",
            None => "pattern databases",
        }
    }

    /// The tables that are loaded.
    pub fn tables(&self) -> Vec<TableUse> {
        let mut tables: Vec<TableUse> = Vec::new();
        for table in self.loaded().flat_map(Databases::tables) {
            if !tables.contains(table) {
                tables.push(table.clone());
            }
        }
        tables
    }

    /// The number of entries at each distance, of each table that is loaded.
    pub fn counts(&self) -> impl Iterator<Item = &[u64]> {
        self.loaded().flat_map(Databases::counts)
    }

    /// The number of lookups of a position and its images in the tables that are loaded.
    pub fn lookup_count(&self) -> usize {
        self.loaded().map(Databases::count).sum()
    }

    /// The automaton of the first goal.
    pub fn automaton(&self) -> &Automaton {
        &self.engines[0].automaton
    }

    /// The greatest length of a shortest solution, if a loaded table of all positions shows it, and there is one goal.
    pub fn greatest_length(&self) -> Option<u32> {
        let is_one = self.goals.len() == 1 && self.turns[0].len() == 1;
        self.loaded().next().filter(|_| is_one)?.greatest_length()
    }

    /// A lower bound on the number of moves to a goal, of the tables that are loaded; `None` if no goal can be reached, as far
    /// as coordinates and tables show.
    pub fn value(&self, pattern: &Pattern) -> Option<u8> {
        let value = |start: &Start<'_>| {
            let engine = &self.engines[start.engine];
            match engine.loaded() {
                Some((_, databases)) => databases.value(&start.pattern),
                None => engine.system.states(&start.pattern, &engine.system.coordinates).map(|_| 0),
            }
        };
        self.starts(pattern).iter().filter_map(value).min()
    }

    /// The rotated forms of a pattern for each goal, without repetition.
    fn starts(&self, pattern: &Pattern) -> Vec<Start<'_>> {
        let (mut starts, mut known) = (Vec::new(), HashSet::new());
        for (goal, &engine) in self.goals.iter().zip(&self.engine_of) {
            let Some(relabeled) = goal.relabeled(pattern) else { continue };
            for turn in &self.turns[engine] {
                let pattern = match &turn.rotation {
                    Some(rotation) => relabeled.apply(rotation),
                    None => relabeled.clone(),
                };
                if known.insert((engine, pattern.clone())) {
                    starts.push(Start { engine, turn, pattern });
                }
            }
        }
        starts
    }

    /// The starts that moves may solve, as far as coordinates and the order of the group show.
    fn solvable_starts(&self, pattern: &Pattern, run: &Run<'_>) -> Vec<Start<'_>> {
        let mut starts = self.starts(pattern);
        starts.retain(|start| self.engines[start.engine].may_solve(&start.pattern, run));
        starts
    }

    /// Searches for shortest solutions, which are replayed. Ends with [`Ending::Exhausted`], without a search, if no goal can
    /// be reached, as far as coordinates, tables or the order of the group show. When all solutions are wanted, they are those
    /// that pass no goal on their way; of strings of moves with one effect, one.
    ///
    /// # Errors
    /// [`SolverError`]: pattern databases are not available, or a solution is wrong, which is a bug of the solver.
    pub fn solve(&self, ask: &Ask, run: &Run<'_>) -> Result<Answer<Solution>, SolverError> {
        let begun = Instant::now();
        let run = run.with_memory(self.memory.min(run.memory()));
        let config = ask.upper_bounds.apply(ask.config.clone().wanted(ask.searched()));
        let starts = self.solvable_starts(&ask.start, &run);
        let (report, used) = match starts.is_empty() {
            true => {
                let report = Report { ending: Ending::Exhausted, iterations: Vec::new() };
                (report, Used::one(self.heuristic(), &self.tables()))
            }
            false => Search::new(self, &starts, &config, &run).report()?,
        };
        let report = report.try_map(|ops| self.readings(&ask.start, &starts, &ops))?;
        let all: Vec<_> = report.ending.solutions().iter().flatten().cloned().collect();
        let Report { ending, iterations } = report.map(|mut readings| readings.swap_remove(0).0);
        let ending = match config.wanted {
            Wanted::All { .. } if starts.len() > 1 => ending.choose(|_| {
                let all = all.into_iter().filter(|(_, passes_goal)| !passes_goal);
                let sorted: BTreeSet<_> =
                    all.map(|(solution, _)| (solution.length, solution.moves)).collect();
                sorted.into_iter().map(|(length, moves)| Solution { length, moves }).collect()
            }),
            _ => ending,
        };
        let ending = match ask.random {
            Some(seed) => ending.at_random(seed),
            None => ending,
        };
        Ok(Answer::new(Report { ending, iterations }, used, begun.elapsed().as_secs_f64()))
    }

    /// The search for one shortest solution as units, with the pattern databases; `None` if no moves solve the pattern.
    /// `settings` are what the solver and the instance were read from.
    ///
    /// # Errors
    /// [`SolverError`]: the pattern databases are not available.
    pub fn shared(
        &self,
        ask: &Ask,
        settings: Settings,
        run: &Run<'_>,
    ) -> Result<Option<SharedSearch<'_>>, SolverError> {
        let mut trees = Vec::new();
        for start in self.solvable_starts(&ask.start, run) {
            trees.extend(self.databases(start.engine, 0, run)?.tree(&start.pattern));
        }
        Ok((!trees.is_empty()).then(|| SharedSearch {
            trees,
            settings,
            tables: self.tables(),
            order: ask.config.order,
            moves: self.engines[0].system.moves(),
        }))
    }

    /// The solution of `pattern` that these operators of a [shared](Solver::shared) search stand for, once it is replayed.
    ///
    /// # Errors
    /// [`Rejected`]: a bug of the solver.
    pub fn checked(&self, pattern: &Pattern, ops: &[Op]) -> Result<Solution, Rejected> {
        Ok(self.readings(pattern, &self.starts(pattern), ops)?.swap_remove(0).0)
    }

    /// The different solutions that these moves of a solver stand for, at least one, and whether each passes a goal
    /// before its end.
    fn readings(
        &self,
        pattern: &Pattern,
        starts: &[Start<'_>],
        ops: &[Op],
    ) -> Result<Vec<(Solution, bool)>, Rejected> {
        let (mut readings, mut moves): (Vec<(Solution, bool)>, _) = (Vec::new(), String::new());
        for Start { engine, turn, pattern: start } in starts {
            let Some(spelled) = self.engines[*engine].spell(start, ops) else { continue };
            let names: Vec<&str> =
                spelled.into_iter().map(|name| turn.names.get(name).map_or(name, String::as_str)).collect();
            moves = names.join(" ");
            let replayed = replay(&self.puzzle, pattern, &names, |pattern| {
                self.goals.iter().any(|goal| goal.accepts(pattern))
            });
            if let Some(replayed) = replayed.filter(|replayed| replayed.counted == ops.len())
                && readings.iter().all(|(known, _)| known.moves != moves)
            {
                readings.push((solution(ops.len(), moves.clone()), replayed.passes_goal));
            }
        }
        if readings.is_empty() { Err(Rejected { moves, length: ops.len() }) } else { Ok(readings) }
    }
}
