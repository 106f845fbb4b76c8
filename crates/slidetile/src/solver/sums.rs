//! Searches by the sums of pattern databases, whose partitions are chosen again as bounds grow.

use std::collections::HashMap;
use std::sync::Mutex;

use search_core::ida::{Choice, Config};
use search_core::progress::Silent;
use search_core::record::Iteration;
use search_core::{Domain, Op, Report, Run};

use super::{AnyHeuristic, BoundSearch, DatabaseTables, Solver, Visit};
use crate::heuristic::Additive;
use crate::heuristic::additive::{MAX_PARTITIONS, MAX_PATTERNS, Start};
use crate::strategy::trials::Trials;
use crate::tiles::Tiles;

/// The number of subtrees of a trial, which mostly expands some thousand nodes.
const SUBTREES: usize = 64;

/// The sums of one board.
pub(super) struct Sums<'a> {
    solver: &'a Solver,
    tables: &'a DatabaseTables,
    start: Start,
    /// The value of each partition at the start.
    values: Vec<u32>,
    /// The first bound, and the difference between successive bounds.
    least: u32,
    step: u32,
    /// The nodes of each trial so far, by its partitions, ascending, and its bound: later choices repeat many trials, and
    /// a complete iteration expands the same nodes in whatever order the partitions are read.
    tried: Mutex<HashMap<(Vec<usize>, u32), u64>>,
}

impl<'a> Sums<'a> {
    pub fn new(solver: &'a Solver, tables: &'a DatabaseTables, tiles: &Tiles) -> Sums<'a> {
        let start = tables.start(tiles);
        let values = start.values().collect();
        let lengths = solver.puzzle.lengths(tiles);
        let (least, step) = (lengths.at_least(start.value().into()), lengths.modulus);
        Sums { solver, tables, start, values, least, step, tried: Mutex::default() }
    }

    /// The sums of a board, if the solver has pattern databases.
    pub fn of(solver: &'a Solver, tiles: &Tiles) -> Option<Sums<'a>> {
        match &solver.heuristic {
            AnyHeuristic::Additive(tables) => Some(Sums::new(solver, tables, tiles)),
            _ => None,
        }
    }

    /// Whether these are partitions of the plan that can be read together.
    pub fn fit(&self, set: &[usize]) -> bool {
        let exist = !set.is_empty() && set.iter().all(|&partition| partition < self.values.len());
        exist && self.tables.plan().lookups(set) <= MAX_PATTERNS
    }

    /// The partitions that a beam ranks boards by: as many of those with the greatest values as can be read together.
    pub fn for_beam(&self) -> Vec<usize> {
        let mut parts = self.trials().greatest(MAX_PARTITIONS).parts;
        while parts.len() > 1 && !self.fit(&parts) {
            parts.pop();
        }
        parts
    }

    /// The choice of partitions.
    pub fn trials(&self) -> Trials<'_, impl Fn(&[usize], u32, &Run<'_>) -> u64 + Sync> {
        let tried = || self.tried.lock().expect("no thread panics while it holds the lock");
        let search = move |set: &[usize], bound, run: &Run<'_>| {
            let mut trial = (set.to_vec(), bound);
            trial.0.sort_unstable();
            let known = tried().get(&trial).copied();
            known.unwrap_or_else(|| {
                let run = run.with_threads(1).with_progress(&Silent);
                let config = Config::at(bound).full_last_iteration(true).subtrees(SUBTREES);
                let nodes = self.search(set, &config, &run).expanded();
                if !run.is_cancelled() {
                    tried().insert(trial, nodes);
                }
                nodes
            })
        };
        Trials { values: &self.values, bound: self.least, step: self.step, search }
    }

    /// The choice after some iterations, with a progress note if it is new: a given number of partitions, or those that
    /// trials choose.
    pub fn choose(
        &self,
        partitions: Option<usize>,
        iterations: &[Iteration],
        last: Option<(u32, &Choice)>,
        run: &Run<'_>,
    ) -> Choice {
        if let Some(count) = partitions {
            return self.trials().greatest(count);
        }
        let (trials, last) = (self.trials(), last.filter(|(_, last)| self.fit(&last.parts)));
        let since = last.map_or(0, |(bound, _)| iterations.partition_point(|before| before.bound < bound));
        let before = last.map_or_else(|| trials.untried(), |(_, last)| last.clone());
        let choice = trials.after(before.clone(), &iterations[since..], run);
        if choice.trials != before.trials {
            let (read, all) = (choice.parts.len(), self.values.len());
            run.progress().detail(&format!("{read} of {all} partitions chosen by trials"));
        }
        choice
    }

    /// Searches with the greatest sum of some partitions.
    pub fn search(&self, set: &[usize], config: &Config, run: &Run<'_>) -> Report<Vec<Op>> {
        self.with(set, BoundSearch { solver: self.solver, config, run })
    }

    /// Calls `visit` with the greatest sum of some partitions as the heuristic.
    pub fn with<V: Visit>(&self, set: &[usize], visit: V) -> V::Answer {
        let (tables, start, tiles) = (self.tables, &self.start, self.start.tiles());
        let puzzle = self.solver.small.as_ref().expect("boards with pattern databases are at most 6x6");
        match (tables.plan().lookups(set), set.len()) {
            (..=8, ..=2) => visit.with(puzzle, &Additive::<8, 2, _>::new(tables, set, start), tiles),
            (..=16, ..=4) => visit.with(puzzle, &Additive::<16, 4, _>::new(tables, set, start), tiles),
            _ => {
                let additive = Additive::<MAX_PATTERNS, MAX_PARTITIONS, _>::new(tables, set, start);
                visit.with(puzzle, &additive, tiles)
            }
        }
    }
}
