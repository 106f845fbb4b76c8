//! Searches by the sums of pattern databases, whose partitions are chosen again as bounds grow.

use std::sync::Arc;

use search_core::ida::{Checkpoint, Checkpoints, Config, OneBound, Reach, Wanted};
use search_core::progress::Silent;
use search_core::record::Iteration;
use search_core::{Domain, Ending, Op, Report, Run};

use super::choice::{self, Trials};
use super::{Filled, Search, Solver, Visit};
use crate::heuristic::Additive;
use crate::heuristic::additive::{MAX_PATTERNS, Start};
use crate::tiles::Tiles;

/// Trials expand about one node in so many.
const SHARE: u64 = 16;
/// The fewest nodes of trials that tell anything, and the most that tell more than fewer.
const TRIALS: std::ops::RangeInclusive<u64> = 16_000..=1 << 25;
/// Partitions are chosen again when trials may expand so many times the nodes of the last ones.
const AGAIN: u64 = 4;

/// The sums of one instance.
pub(super) struct Sums<'a> {
    solver: &'a Solver,
    tables: &'a Filled,
    start: Start,
    /// The value of each partition at the start.
    values: Vec<u32>,
    /// The first bound, and how much greater the next one is.
    least: u32,
    step: u32,
}

impl<'a> Sums<'a> {
    pub fn new(solver: &'a Solver, tables: &'a Filled, tiles: &Tiles) -> Sums<'a> {
        let start = tables.start(tiles);
        let values = start.values().collect();
        let lengths = solver.puzzle.lengths(tiles);
        let (least, step) = (lengths.at_least(start.value().into()), lengths.modulus);
        Sums { solver, tables, start, values, least, step }
    }

    /// Whether these are some of the partitions, and can be read together.
    pub fn fit(&self, set: &[usize]) -> bool {
        let exist = !set.is_empty() && set.iter().all(|&partition| partition < self.values.len());
        exist && self.tables.plan().lookups(set) <= MAX_PATTERNS
    }

    /// The partitions that are read after these iterations, and the nodes of the trials that chose them; 0 if
    /// there were none.
    pub fn chosen_after(&self, iterations: &[Iteration], run: &Run<'_>) -> (Vec<usize>, u64) {
        self.chosen_since(choice::untried(&self.values), 0, iterations, run)
    }

    /// The same, where `earlier` had been chosen by trials of so many nodes before these iterations.
    pub fn chosen_since(
        &self,
        earlier: Vec<usize>,
        trials: u64,
        iterations: &[Iteration],
        run: &Run<'_>,
    ) -> (Vec<usize>, u64) {
        match iterations
            .iter()
            .fold(trials, |trials, iteration| self.due(trials, iteration).unwrap_or(trials))
        {
            same if same == trials => (earlier, trials),
            trials => (self.choose(trials, run), trials),
        }
    }

    /// The partitions that trials of so many nodes find best.
    fn choose(&self, nodes: u64, run: &Run<'_>) -> Vec<usize> {
        let search = |set: &[usize], bound| {
            let run = run.with_threads(1).with_progress(&Silent);
            let config = Config { full_last_iteration: true, ..Config::at(bound) };
            self.search(set, &config, &mut Reach::default(), &run).expanded()
        };
        Trials { values: &self.values, bound: self.least, step: self.step, nodes, search, run }.choose()
    }

    /// After an iteration: the nodes that trials may expand, if partitions are to be chosen again.
    fn due(&self, trials: u64, last: &Iteration) -> Option<u64> {
        let allowed = (last.expanded * choice::GROWTH / SHARE).min(*TRIALS.end());
        (allowed >= (AGAIN * trials).max(*TRIALS.start()) && self.values.len() > choice::UNTRIED)
            .then_some(allowed)
    }

    /// Searches bound after bound.
    pub fn solve(&self, config: &Config, run: &Run<'_>) -> Report<Vec<Op>> {
        let mut bound =
            self.least.max(self.solver.puzzle.lengths(self.start.tiles()).at_least(config.min_bound));
        let (mut iterations, mut taken) = (Vec::new(), None);
        let checkpoints = config.checkpoints.as_ref();
        if let Some(earlier) =
            checkpoints.and_then(|all| all.take_up()).filter(|earlier| earlier.is_plausible(bound))
        {
            bound = earlier.bound;
            (iterations, taken) = (earlier.iterations, Some(earlier.part));
        }
        let (mut chosen, mut trials) = self.chosen_after(&iterations, run);
        let mut reach = Reach::default();
        loop {
            let last = config.max_bound.map_or(bound, |max| max.min(bound));
            let part = taken.take();
            let one = Config {
                min_bound: bound,
                max_bound: Some(last),
                wanted: Wanted::First,
                checkpoints: checkpoints.map(|whole| {
                    let before =
                        Checkpoint { iterations: iterations.clone(), bound, ..Checkpoint::default() };
                    Arc::new(OneBound::new(whole, before, part)) as Arc<dyn Checkpoints>
                }),
                expected_nodes: iterations.last().map_or(0, |last| last.generated * choice::GROWTH),
                ..config.clone()
            };
            let report = self.search(&chosen, &one, &mut reach, run);
            iterations.extend(report.iterations);
            bound = match report.ending {
                Ending::Bounded { lower_bound } if config.max_bound != Some(last) => lower_bound,
                Ending::Optimal { .. } if config.wanted != Wanted::First => {
                    // The length is known: all solutions are searched for from here.
                    iterations.pop();
                    let all = Config { min_bound: bound, checkpoints: None, ..config.clone() };
                    let report = self.search(&chosen, &all, &mut reach, run);
                    iterations.extend(report.iterations);
                    return Report { ending: report.ending, iterations };
                }
                ending => return Report { ending, iterations },
            };
            if let Some(allowed) = iterations.last().and_then(|last| self.due(trials, last)) {
                (chosen, trials) = (self.choose(allowed, run), allowed);
                let (read, all) = (chosen.len(), self.values.len());
                run.progress().note(&format!("{read} of {all} partitions chosen by trials"));
            }
        }
    }

    /// Searches with the greatest sum of some partitions.
    pub fn search(
        &self,
        set: &[usize],
        config: &Config,
        reach: &mut Reach,
        run: &Run<'_>,
    ) -> Report<Vec<Op>> {
        self.with(set, Search { solver: self.solver, config, reach, run })
    }

    /// Does something with the greatest sum of some partitions.
    pub fn with<V: Visit>(&self, set: &[usize], visit: V) -> V::Answer {
        let (tables, start, tiles) = (self.tables, &self.start, self.start.tiles());
        match tables.plan().lookups(set) {
            ..=8 => visit.with(&Additive::<8, _>::new(tables, set, start), tiles),
            9..=16 => visit.with(&Additive::<16, _>::new(tables, set, start), tiles),
            _ => visit.with(&Additive::<MAX_PATTERNS, _>::new(tables, set, start), tiles),
        }
    }
}
