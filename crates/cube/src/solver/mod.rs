//! The search with one heuristic and its tables, using the cube's symmetries.

mod goals;
pub(crate) mod loops;
mod symmetric;

pub(crate) use goals::GoalSolver;
pub(crate) use symmetric::is_symmetric;
pub(crate) use symmetric::up_to_symmetry;

use crate::cube::{Cube, Turn};
use crate::heuristics::engine::{Engine, SharedSearch, Wiring, settings};
use crate::heuristics::{HeuristicSpec, Instructions};
use crate::metric::Metric;
use crate::tables::LoadedTable;
use search_core::ida::{
    self, AnyTree, Choice, Config, Incumbent, Look, Order, RootMoves, Schedule, TreeSearch, Wanted,
};
use search_core::record::TableUse;
use search_core::table::{TableError, Tables};
use search_core::{Report, Run};

/// Another method that finds solutions beside a search.
pub(crate) trait Improve {
    /// When it does so, as [`TreeSearch::schedule`].
    fn schedule(&self, is_eager: bool) -> Schedule;

    /// Looks for a better incumbent, as [`TreeSearch::improve`] does.
    fn improve(&self, look: Look, incumbent: &Incumbent, run: &Run<'_>);
}

/// The search of one cube, with another method that finds solutions.
struct Improving<'a> {
    engine: &'a dyn Engine,
    cube: &'a Cube,
    root_moves: &'a RootMoves,
    improve: &'a dyn Improve,
}

impl TreeSearch for Improving<'_> {
    fn least(&self, bound: u32) -> u32 {
        self.engine.lengths(self.cube).at_least(bound.max(self.engine.value(self.cube).into()))
    }

    fn schedule(&self, is_eager: bool) -> Option<Schedule> {
        Some(self.improve.schedule(is_eager))
    }

    fn improve(&self, look: Look, incumbent: &Incumbent, run: &Run<'_>) {
        self.improve.improve(look, incumbent, run);
    }

    fn with_tree(&self, _: &Choice, _: usize, act: &mut dyn FnMut(&dyn AnyTree)) -> bool {
        self.engine.with_tree(self.cube, None, self.root_moves, act);
        true
    }
}

/// The expected growth of the work per move, used until it has been measured (Korf 1997, Table 1).
const GROWTH: f64 = 13.3;

/// Solves cubes with one heuristic in one metric.
pub(crate) struct FaceSolver {
    heuristic: HeuristicSpec,
    metric: Metric,
    tables: Vec<TableUse>,
    engine: Box<dyn Engine>,
    symmetric: bool,
}

impl FaceSolver {
    /// The solver with `heuristic` in `metric`. Its tables come from `tables`, which builds those
    /// that it lacks.
    ///
    /// # Errors
    /// [`TableError`] of the first table that is not available.
    pub(crate) fn load(
        heuristic: &HeuristicSpec,
        metric: Metric,
        instructions: Instructions,
        tables: &dyn Tables,
        run: &Run<'_>,
    ) -> Result<FaceSolver, TableError> {
        let ids = heuristic.tables(metric);
        let tables = tables.load_all(&ids, run)?.into_iter().zip(ids).map(|(table, id)| {
            let used = table.used();
            (id, id.over(table.body), used)
        });
        Ok(FaceSolver::new(heuristic, metric, tables.collect(), instructions))
    }

    /// The solver over tables that are already loaded: each of [`HeuristicSpec::tables`].
    ///
    /// # Panics
    /// If a table is missing.
    pub(crate) fn new(
        heuristic: &HeuristicSpec,
        metric: Metric,
        tables: Vec<LoadedTable>,
        instructions: Instructions,
    ) -> FaceSolver {
        let engine = heuristic.engine(&Wiring { metric, tables: &tables, instructions });
        let tables = tables.into_iter().map(|(_, _, used)| used).collect();
        FaceSolver { heuristic: heuristic.clone(), metric, tables, engine, symmetric: true }
    }

    /// Searches every branch even if symmetries leave the cube unchanged, as the papers do, for comparison.
    #[cfg(test)]
    #[must_use]
    pub(crate) fn without_symmetries(self) -> FaceSolver {
        FaceSolver { symmetric: false, ..self }
    }

    /// The heuristic.
    pub(crate) fn heuristic(&self) -> &HeuristicSpec {
        &self.heuristic
    }

    /// The metric.
    pub(crate) fn metric(&self) -> Metric {
        self.metric
    }

    /// The tables that it reads.
    pub(crate) fn tables(&self) -> &[TableUse] {
        &self.tables
    }

    /// The heuristic's value.
    pub(crate) fn value(&self, cube: &Cube) -> u8 {
        self.engine.value(cube)
    }

    /// Searches for shortest solutions of `cube`: turns that lead from it to the solved cube.
    /// (For another goal `g`, solve `g⁻¹` and then `cube`: turns lead from one to the other alike.)
    /// When all are requested, they are those that follow the move rules and visit no position twice.
    ///
    /// Of branches that symmetries of the cube map to each other only one is searched (`solver/symmetric.rs`), and the
    /// solutions found are mapped back.
    ///
    /// # Errors
    /// [`TableError`] of a table that the search finds to be forged.
    pub(crate) fn solve(
        &self,
        cube: &Cube,
        config: &Config,
        run: &Run<'_>,
    ) -> Result<Report<Vec<Turn>>, TableError> {
        self.solve_improving(cube, config, None, run)
    }

    /// The same search, beside which `improve` looks for solutions.
    ///
    /// # Errors
    /// As [`solve`](FaceSolver::solve).
    pub(crate) fn solve_improving(
        &self,
        cube: &Cube,
        config: &Config,
        improve: Option<&dyn Improve>,
        run: &Run<'_>,
    ) -> Result<Report<Vec<Turn>>, TableError> {
        let images = self.images(cube);
        let config = &config.clone().root_moves(images.root_moves(self.metric, self.engine.rules()));
        let turns = self.metric.turns();
        let report = match improve {
            None => self.engine.search(cube, config, run)?,
            Some(improve) => {
                let tree = Improving { engine: &*self.engine, cube, root_moves: &config.root_moves, improve };
                let report = ida::search_trees(&tree, config, run).expect("there is nothing to choose");
                report.map(|ops| self.engine.in_order(&ops).expect("operators of this search"))
            }
        };
        let report = report.map(|ops| ops.iter().map(|op| turns[op.index()]).collect());
        if config.wanted == Wanted::First {
            return Ok(report);
        }
        let ending = report.ending.choose(|solutions| images.all(self.metric, solutions));
        Ok(Report { ending, ..report })
    }

    /// The same search for one solution as work units.
    pub(crate) fn shared(&self, cube: &Cube, order: Option<Order>) -> SharedSearch<'_> {
        SharedSearch {
            engine: &*self.engine,
            cube: *cube,
            root_moves: self.images(cube).root_moves(self.metric, self.engine.rules()),
            settings: settings([("metric", self.metric.name()), ("heuristic", &self.heuristic.to_string())]),
            tables: &self.tables,
            order: order.unwrap_or(self.heuristic.specification().order()),
            growth: GROWTH,
        }
    }
}
