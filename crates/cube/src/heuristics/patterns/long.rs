//! A search that switches to deltas once it is long.
//!
//! The idea: [deltas](super::deltas) make each node cheaper and cost seconds to derive. So a search begins with the
//! plain tables. Before a bound that is expected to generate many more nodes than there are entries, the deltas are
//! derived and the search continues with them.
//!
//! Why the result is the same: both bounds have the same values and prune the same children, so every bound has the
//! same nodes, and a checkpoint of one can be resumed with the other. If memory is short or the search is cancelled
//! meanwhile, it continues without deltas.
//!
//! A search that resumes from a checkpoint counts as long.

use super::{DeltaBound, PatternBound};
use crate::cube::Cube;
use crate::heuristics::engine::{Engine, Wired};
use crate::lanes::Lanes;
use crate::metric::Metric;
use crate::space::{CubeDomain, CubeSpace, State, in_order};
use search_core::ida::{self, AnyTree, Choice, Config, RootMoves, Tree, TreeSearch};
use search_core::pdb::Deltas;
use search_core::record::Iteration;
use search_core::table::{FileError, TableError};
use search_core::{Automaton, Heuristic, Lengths, Op, Report, Run};
use std::sync::OnceLock;

/// Deltas are derived if a bound is expected to generate this many nodes per entry; deriving them then takes less than
/// a quarter of the time that they save.
const NODES_PER_ENTRY: u64 = 8;

/// The search with the maximum of patterns.
pub(super) struct LongSearch<V> {
    tables: Wired<CubeSpace<V>, PatternBound<V>>,
    metric: Metric,
    deltas: OnceLock<DeltaBound<V>>,
}

impl<V: Lanes> LongSearch<V> {
    pub(super) fn new(tables: Wired<CubeSpace<V>, PatternBound<V>>, metric: Metric) -> LongSearch<V> {
        LongSearch { tables, metric, deltas: OnceLock::new() }
    }

    /// The deltas, derived if necessary; `None` if memory is short or the run was cancelled.
    ///
    /// # Errors
    /// [`TableError`] if a table contains anything but distances. Its values may exceed distances, so no search may
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
    fn search(&self, cube: &Cube, config: &Config, run: &Run<'_>) -> Result<Report<Vec<Op>>, TableError> {
        // A search with a limit is short.
        let may_be_long = config.most_nodes.is_none();
        let Some(entries) = DeltaBound::entries(&self.tables.heuristic).filter(|_| may_be_long) else {
            return self.tables.search(cube, config, run);
        };
        if config.checkpoints.as_ref().is_some_and(|checkpoints| checkpoints.resume().is_some()) {
            self.deltas(entries, run)?;
        }
        let (start, root_moves, forged) = (State::new(cube), &config.root_moves, OnceLock::new());
        let trees = LongTrees { long: self, entries, start, root_moves, forged };
        match ida::search_trees(&trees, config, run) {
            Ok(report) => Ok(report.map(|ops| in_order(self.tables.space.move_count(), &ops))),
            Err(error) => Err(trees.forged.into_inner().unwrap_or_else(|| panic!("{error}"))),
        }
    }

    fn with_tree(
        &self,
        cube: &Cube,
        rules: Option<&Automaton>,
        root_moves: &RootMoves,
        act: &mut dyn FnMut(&dyn AnyTree),
    ) {
        self.tables.with_tree(cube, rules, root_moves, act);
    }

    fn beam(&self, cube: &Cube, nodes: u64, below: Option<u32>, run: &Run<'_>) -> Option<Vec<Op>> {
        self.tables.beam(cube, nodes, below, run)
    }

    fn value(&self, cube: &Cube) -> u8 {
        self.tables.value(cube)
    }

    fn lengths(&self, cube: &Cube) -> Lengths {
        self.tables.lengths(cube)
    }

    fn in_order(&self, ops: &[Op]) -> Option<Vec<Op>> {
        self.tables.in_order(ops)
    }

    fn rules(&self) -> &Automaton {
        self.tables.rules()
    }
}

/// The tree of a search by tables, then by deltas.
struct LongTrees<'a, V> {
    long: &'a LongSearch<V>,
    entries: u64,
    start: State<V>,
    root_moves: &'a RootMoves,
    /// The forged table that ends the search.
    forged: OnceLock<TableError>,
}

/// The parts of a choice: deltas, or no heuristic because a table is forged.
const DELTAS: usize = 0;
const FORGED: usize = 1;

impl<V: Lanes> LongTrees<'_, V> {
    fn tree<'t, H: Heuristic<CubeSpace<V>>>(&'t self, heuristic: &'t H) -> Tree<'t, CubeSpace<V>, H> {
        let Wired { space: domain, automaton, .. } = &self.long.tables;
        Tree { domain, heuristic, automaton, start: &self.start, root_moves: self.root_moves }
    }
}

impl<V: Lanes> TreeSearch for LongTrees<'_, V> {
    fn least(&self, bound: u32) -> u32 {
        self.tree(&self.long.tables.heuristic).least(bound)
    }

    fn choose(&self, iterations: &[Iteration], last: Option<(u32, &Choice)>, run: &Run<'_>) -> Choice {
        let most = (self.entries * NODES_PER_ENTRY) as f64;
        let is_long = last.is_some_and(|(_, last)| last.parts == [DELTAS])
            || ida::expected_nodes(iterations).is_some_and(|expected| expected > most);
        let deltas = if is_long { self.long.deltas(self.entries, run) } else { Ok(None) };
        let parts = match deltas {
            Ok(None) => Vec::new(),
            Ok(Some(_)) => vec![DELTAS],
            Err(forged) => {
                let _ = self.forged.set(forged);
                vec![FORGED]
            }
        };
        Choice { parts, trials: 0 }
    }

    fn with_tree(&self, choice: &Choice, _: usize, act: &mut dyn FnMut(&dyn AnyTree)) -> bool {
        match (&choice.parts[..], self.long.deltas.get()) {
            ([DELTAS], Some(deltas)) => act(&self.tree(deltas)),
            // Both prune the same nodes.
            ([] | [DELTAS], _) => act(&self.tree(&self.long.tables.heuristic)),
            _ => return false,
        }
        true
    }
}
