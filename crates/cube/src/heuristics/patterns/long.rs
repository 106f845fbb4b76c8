//! A search that reads deltas once it is long.
//!
//! The idea: [deltas](super::deltas) make each node cheaper and cost seconds to derive. So a search begins with the
//! tables as they are, and before a bound that will probably generate many more nodes than there are entries, the deltas
//! are derived and the search continues with them.
//!
//! Why nothing changes: both bounds have the same values and cut the same children, so the nodes of every bound are the
//! same, and a checkpoint of one continues with the other. Where memory is short, or the search is cancelled meanwhile, it
//! continues without deltas.
//!
//! A search that continues from a checkpoint is a long one.

use super::{DeltaBound, PatternBound};
use crate::cube::{Cube, Turn};
use crate::heuristics::engine::{Engine, Wired};
use crate::lanes::Lanes;
use crate::metric::Metric;
use crate::space::State;
use search_core::ida::work_units::AnyTree;
use search_core::ida::{self, BranchDepths, Checkpoint, Checkpoints, Config, RootMoves, Wanted};
use search_core::pdb::Deltas;
use search_core::record::Iteration;
use search_core::table::{FileError, TableError};
use search_core::{Automaton, Ending, Op, Report, Run};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Deltas are derived where a bound generates this many nodes for each entry: they take less than a quarter of the time
/// that they save.
const NODES_PER_ENTRY: u64 = 8;

/// The search with the maximum of patterns.
pub(super) struct LongSearch<V> {
    tables: Wired<V, PatternBound<V>>,
    metric: Metric,
    deltas: OnceLock<DeltaBound<V>>,
}

impl<V: Lanes> LongSearch<V> {
    pub(super) fn new(tables: Wired<V, PatternBound<V>>, metric: Metric) -> LongSearch<V> {
        LongSearch { tables, metric, deltas: OnceLock::new() }
    }

    /// The deltas, derived if they are not yet there; nothing if memory is short or the run was cancelled.
    ///
    /// # Errors
    /// [`TableError`] if a table holds something else than distances. It may exceed a distance, so no search may
    /// continue with it.
    fn deltas(&self, entries: u64, run: &Run<'_>) -> Result<Option<&DeltaBound<V>>, TableError> {
        // The tables have half a byte for each entry.
        if Deltas::bytes_for(entries) + entries / 2 > run.memory() {
            return Ok(None);
        }
        if self.deltas.get().is_some() {
            return Ok(self.deltas.get());
        }
        match DeltaBound::derive(&self.tables.heuristic, self.metric, run) {
            Ok(derived) => Ok(Some(self.deltas.get_or_init(|| derived))),
            Err(error) if matches!(error.problem, FileError::Format(_)) => Err(error),
            Err(_) => Ok(None),
        }
    }
}

impl<V: Lanes> Engine for LongSearch<V> {
    fn search(&self, cube: &Cube, config: &Config, run: &Run<'_>) -> Result<Report<Vec<Turn>>, TableError> {
        let Wired { space, heuristic, automaton } = &self.tables;
        let is_one_length = matches!(config.wanted, Wanted::First | Wanted::All { extra: 0 });
        // A search with a limit is short.
        let may_be_long = is_one_length && config.most_nodes.is_none();
        let Some(entries) = DeltaBound::entries(heuristic).filter(|_| may_be_long) else {
            return self.tables.search(cube, config, run);
        };
        let start = State::new(cube);
        let mut reach = BranchDepths::default();
        let mut first =
            Report { ending: Ending::Bounded { lower_bound: config.min_bound }, iterations: Vec::new() };
        if config.checkpoints.as_ref().is_none_or(|checkpoints| checkpoints.resume().is_none()) {
            let config = config.clone().most_nodes(entries * NODES_PER_ENTRY);
            first = ida::search_after(space, heuristic, automaton, &start, &config, &mut reach, run);
        }
        let solution = |report: Report<Vec<Op>>| report.map(|ops| space.solution(&ops));
        let Ending::Bounded { lower_bound } = first.ending else { return Ok(solution(first)) };
        if config.max_bound.is_some_and(|last| lower_bound > last) {
            return Ok(solution(first));
        }
        let checkpoints = config.checkpoints.clone().map(|checkpoints| {
            Arc::new(Continued { checkpoints, before: first.iterations.clone() }) as Arc<dyn Checkpoints>
        });
        let config = config.clone().min_bound(lower_bound).checkpoints(checkpoints);
        let second = match self.deltas(entries, run)? {
            Some(deltas) => ida::search_after(space, deltas, automaton, &start, &config, &mut reach, run),
            None => ida::search_after(space, heuristic, automaton, &start, &config, &mut reach, run),
        };
        let iterations = continued(&first.iterations, &second.iterations);
        Ok(solution(Report { ending: second.ending, iterations }))
    }

    fn with_tree(&self, cube: &Cube, root_moves: &RootMoves, act: &mut dyn FnMut(&dyn AnyTree)) {
        self.tables.with_tree(cube, root_moves, act);
    }

    fn value(&self, cube: &Cube) -> u8 {
        self.tables.value(cube)
    }

    fn rules(&self) -> &Automaton {
        self.tables.rules()
    }
}

/// Keeps the checkpoints of the second part of a search, with the iterations of the first.
#[derive(Debug)]
struct Continued {
    checkpoints: Arc<dyn Checkpoints>,
    before: Vec<Iteration>,
}

impl Checkpoints for Continued {
    fn resume(&self) -> Option<Checkpoint> {
        self.checkpoints.resume()
    }

    fn pause(&self) -> Duration {
        self.checkpoints.pause()
    }

    fn worth(&self) -> Duration {
        self.checkpoints.worth()
    }

    fn keep(&self, checkpoint: &Checkpoint) {
        let iterations = continued(&self.before, &checkpoint.iterations);
        self.checkpoints.keep(&Checkpoint { iterations, ..checkpoint.clone() });
    }
}

/// The iterations of both parts of a search. The second has those of the first too if it continues from a checkpoint.
fn continued(before: &[Iteration], after: &[Iteration]) -> Vec<Iteration> {
    let begins = after.first().map_or(u32::MAX, |iteration| iteration.bound);
    let before = before.iter().filter(|iteration| iteration.bound < begins);
    before.chain(after).cloned().collect()
}
