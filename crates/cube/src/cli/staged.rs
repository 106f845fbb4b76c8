//! The default heuristic where its tables are large: a small table first, the large one when it pays.

use super::search_args::SearchArgs;
use crate::cube::{Cube, Turn};
use crate::heuristics::HeuristicSpec;
use crate::mask::{Goals, Mask};
use crate::metric::Metric;
use crate::solver::{Solver, Stages};
use puzzle_cli::{Failure, Session};
use search_core::ida::Config;
use search_core::record::TableUse;
use search_core::table::{Recipe, Store, file};
use search_core::{Report, Run};
use serde::Serialize;
use std::cell::OnceCell;

/// The search hands over before a bound that will probably take more nodes than the large tables have units of so
/// many bytes: about what two cores search in the seconds that loading takes.
const BYTES_PER_NODE: u64 = 64;

/// A solver that is loaded, and one that will be when a search needs it.
pub(super) struct Staged {
    first: Solver,
    then: HeuristicSpec,
    /// The tables of the second, as their headers say.
    tables: Vec<TableUse>,
    most_nodes: u64,
    loaded: OnceCell<Solver>,
}

/// From a bound on, iterations were searched with this heuristic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Stage {
    /// The heuristic's name.
    heuristic: String,
    /// The first bound.
    pub(super) from: u32,
}

/// How a cube was searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Used {
    pub(super) heuristic: String,
    pub(super) tables: Vec<TableUse>,
    /// Where there were several heuristics, in order.
    pub(super) stages: Vec<Stage>,
}

/// What a search found, and with what.
pub(super) type Answer = (Report<Vec<Turn>>, Used);

impl Used {
    /// One heuristic for all bounds.
    pub(super) fn one(heuristic: String, tables: &[TableUse]) -> Used {
        Used { heuristic, tables: tables.to_vec(), stages: Vec::new() }
    }

    /// One solver for all bounds.
    pub(super) fn solver(solver: &Solver) -> Used {
        Used::one(solver.heuristic().to_string(), solver.tables())
    }
}

impl Staged {
    /// The two solvers, where `search` leaves the heuristic open, the strongest one has large tables, and small ones
    /// exist.
    pub(super) fn load(
        search: &SearchArgs,
        goals: &Goals,
        session: &Session,
    ) -> Result<Option<Staged>, Failure> {
        if search.asks_for_heuristic() || !goals.only().is_some_and(Mask::is_none) {
            return Ok(None);
        }
        let (metric, store) = (search.metric()?, session.store(super::VERSION)?);
        let then = HeuristicSpec::strongest(metric, &store, &session.run());
        let Some(first) = then.forerunner(metric, &store, &session.run()) else { return Ok(None) };
        let bytes: u64 = then.tables(metric).iter().map(Recipe::bytes).sum();
        let tables = then.tables(metric).iter().map(|id| header(&id.name(), &store)).collect();
        let first = search.load_heuristic(&first, metric, session.run().memory(), session)?;
        let (most_nodes, loaded) = (bytes / BYTES_PER_NODE, OnceCell::new());
        Ok(Some(Staged { first, then, tables, most_nodes, loaded }))
    }

    /// The one that is loaded first.
    pub(super) fn first(&self) -> &Solver {
        &self.first
    }

    pub(super) fn metric(&self) -> Metric {
        self.first.metric()
    }

    /// How a cube may be searched that comes next.
    pub(super) fn planned(&self) -> Used {
        self.loaded.get().map_or_else(|| self.both(Vec::new()), Used::solver)
    }

    /// The first heuristic, then the second.
    fn both(&self, stages: Vec<Stage>) -> Used {
        let heuristic = format!("{}, then {}", self.first.heuristic(), self.then);
        Used { heuristic, tables: [self.first.tables(), &self.tables].concat(), stages }
    }

    /// Searches for shortest solutions, and says with what. Once the large tables are loaded, they serve all cubes.
    pub(super) fn solve(
        &self,
        cube: &Cube,
        config: &Config,
        run: &Run<'_>,
        (search, session): (&SearchArgs, &Session),
    ) -> Result<Answer, Failure> {
        if let Some(solver) = self.loaded.get() {
            return Ok((solver.solve(cube, config, run), Used::solver(solver)));
        }
        let next = || {
            let small: u64 = self.first.heuristic().tables(self.metric()).iter().map(Recipe::bytes).sum();
            let memory = session.run().memory().saturating_sub(small);
            let solver = search.load_heuristic(&self.then, self.metric(), memory, session)?;
            Ok(self.loaded.get_or_init(|| solver))
        };
        let Stages { report, handed_over } =
            self.first.solve_then(self.most_nodes, next, cube, config, run)?;
        let begun = report.iterations.first().map(|iteration| iteration.bound);
        let used = match (handed_over, begun) {
            (None, _) => Used::solver(&self.first),
            (Some(from), Some(begun)) if begun < from => {
                let stage =
                    |heuristic: &HeuristicSpec, from| Stage { heuristic: heuristic.to_string(), from };
                self.both(vec![stage(self.first.heuristic(), begun), stage(&self.then, from)])
            }
            _ => Used { stages: Vec::new(), ..Used::one(self.then.to_string(), &self.tables) },
        };
        Ok((report, used))
    }
}

/// A table as its header describes it. (One that cannot be read will be refused when it is loaded.)
fn header(name: &str, store: &Store) -> TableUse {
    let checksum = file::open(&store.path(name)).map_or(String::new(), |(_, header)| header.checksum());
    TableUse { name: name.to_owned(), checksum }
}
