//! Searches by the sums of pattern databases, whose partitions are chosen again as bounds grow.

use std::sync::Arc;

use search_core::ida::work_units::Choice;
use search_core::ida::{Bounds, BranchDepths, Checkpoint, Checkpoints, Config, OneBound, Wanted};
use search_core::progress::Silent;
use search_core::record::Iteration;
use search_core::{Domain, Ending, Op, Report, Run};

use super::{BoundSearch, DatabaseTables, Solver, Visit};
use crate::heuristic::Additive;
use crate::heuristic::additive::{MAX_PATTERNS, Start};
use crate::strategy::trials::{GROWTH, Trials};
use crate::tiles::Tiles;

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
}

impl<'a> Sums<'a> {
    pub fn new(solver: &'a Solver, tables: &'a DatabaseTables, tiles: &Tiles) -> Sums<'a> {
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

    /// The choice of partitions.
    pub fn trials(&self) -> Trials<'_, impl Fn(&[usize], u32, &Run<'_>) -> u64 + Sync> {
        let search = |set: &[usize], bound, run: &Run<'_>| {
            let run = run.with_threads(1).with_progress(&Silent);
            let config = Config::at(bound).full_last_iteration(true);
            self.search(set, &config, &mut BranchDepths::default(), &run).expanded()
        };
        Trials { values: &self.values, bound: self.least, step: self.step, search }
    }

    /// Searches bound after bound, with this number of partitions or those that trials choose.
    pub fn solve(&self, partitions: Option<usize>, config: &Config, run: &Run<'_>) -> Report<Vec<Op>> {
        let lengths = self.solver.puzzle.lengths(self.start.tiles());
        let first = config.clone().wanted(Wanted::First);
        let mut bounds = Bounds::new(self.least, lengths).with_config(&first);
        let checkpoints = config.checkpoints.as_ref();
        let earlier = checkpoints.and_then(|all| all.resume());
        let mut part = earlier.filter(|earlier| earlier.is_plausible(bounds.lower_bound())).map(|earlier| {
            bounds.resume(earlier.iterations, earlier.bound);
            earlier.part
        });
        let (mut known, mut reach) = (0, BranchDepths::default());
        let fixed = partitions.map(|count| self.trials().greatest(count));
        let mut choice = fixed.clone().unwrap_or_else(|| self.trials().untried());
        while let Some(bound) = bounds.bound() {
            let before = bounds.iterations().to_vec();
            if fixed.is_none() {
                choice = self.chosen_after(choice, &before[known..], run);
            }
            known = before.len();
            let expected = before.last().map_or(0, |last| last.generated * GROWTH);
            let before = Checkpoint { iterations: before, bound, ..Checkpoint::default() };
            let part = part.take();
            let kept =
                checkpoints.map(|whole| Arc::new(OneBound::new(whole, before, part)) as Arc<dyn Checkpoints>);
            let one = first.clone().min_bound(bound).max_bound(bound);
            let one = one.checkpoints(kept).expected_nodes(expected);
            let mut report = self.search(&choice.parts, &one, &mut reach, run);
            if let Ending::Bounded { lower_bound } = report.ending {
                report.iterations.into_iter().for_each(|one| bounds.searched(one, Some(lower_bound)));
                continue;
            }
            if report.ending.length().is_some() && config.wanted != Wanted::First {
                // The length is known: all solutions are searched for from here.
                let all = config.clone().min_bound(bound).checkpoints(None);
                report = self.search(&choice.parts, &all, &mut reach, run);
            }
            let iterations = [bounds.iterations(), &report.iterations].concat();
            return Report { ending: report.ending, iterations };
        }
        bounds.report(Vec::new(), run.is_cancelled())
    }

    /// The choice after a further iteration, noted if it is new.
    fn chosen_after(&self, choice: Choice, last: &[Iteration], run: &Run<'_>) -> Choice {
        let before = choice.trials;
        let choice = self.trials().after(choice, last, run);
        if choice.trials != before {
            let (read, all) = (choice.parts.len(), self.values.len());
            run.progress().note(&format!("{read} of {all} partitions chosen by trials"));
        }
        choice
    }

    /// Searches with the greatest sum of some partitions.
    pub fn search(
        &self,
        set: &[usize],
        config: &Config,
        reach: &mut BranchDepths,
        run: &Run<'_>,
    ) -> Report<Vec<Op>> {
        self.with(set, BoundSearch { solver: self.solver, config, reach, run })
    }

    /// Calls `visit` with the greatest sum of some partitions as the heuristic.
    pub fn with<V: Visit>(&self, set: &[usize], visit: V) -> V::Answer {
        let (tables, start, tiles) = (self.tables, &self.start, self.start.tiles());
        match tables.plan().lookups(set) {
            ..=8 => visit.with(&Additive::<8, _>::new(tables, set, start), tiles),
            9..=16 => visit.with(&Additive::<16, _>::new(tables, set, start), tiles),
            _ => visit.with(&Additive::<MAX_PATTERNS, _>::new(tables, set, start), tiles),
        }
    }
}
