//! The optimal solver: a heuristic, its tables, and a search that uses the cube's symmetries.

mod goals;
pub mod units;

pub use goals::GoalSolver;

use crate::cube::{Cube, Turn};
use crate::heuristics::engine::{Engine, Wiring};
use crate::heuristics::{HeuristicSpec, Instructions};
use crate::metric::Metric;
use crate::symmetry::Symmetry;
use crate::tables::LoadedTable;
use search_core::ida::{Config, Wanted};
use search_core::record::TableUse;
use search_core::table::{Store, TableError, Tables};
use search_core::{Op, OpSet, Report, Run};
use std::collections::BTreeSet;

/// Solves cubes with one heuristic in one metric.
pub struct Solver {
    heuristic: HeuristicSpec,
    metric: Metric,
    tables: Vec<TableUse>,
    engine: Box<dyn Engine>,
    symmetric: bool,
}

impl Solver {
    /// The solver that the command line uses when no heuristic is named: half turns, and the
    /// strongest heuristic ([`HeuristicSpec::strongest`]) for the memory of `run` and the tables of
    /// `store`. Tables that it lacks are built, within a minute.
    ///
    /// # Errors
    /// [`TableError`] of the first table that is not available.
    pub fn best(store: &Store, run: &Run<'_>) -> Result<Solver, TableError> {
        let metric = Metric::default();
        Solver::load(&HeuristicSpec::strongest(metric, store, run), metric, store, run)
    }

    /// The solver with `heuristic` in `metric`. Its tables come from `store`, which builds those that
    /// it lacks.
    ///
    /// # Errors
    /// [`TableError`] of the first table that is not available.
    pub fn load(
        heuristic: &HeuristicSpec,
        metric: Metric,
        store: &impl Tables,
        run: &Run<'_>,
    ) -> Result<Solver, TableError> {
        let ids = heuristic.tables(metric);
        let tables = store.tables(&ids, run)?.into_iter().zip(ids).map(|(table, id)| {
            let used = table.used();
            (id, id.over(table.body), used)
        });
        Ok(Solver::new(heuristic, metric, tables.collect(), Instructions::Best))
    }

    /// The solver over tables that are loaded already: each of [`HeuristicSpec::tables`].
    ///
    /// # Panics
    /// If a table is missing.
    pub fn new(
        heuristic: &HeuristicSpec,
        metric: Metric,
        tables: Vec<LoadedTable>,
        instructions: Instructions,
    ) -> Solver {
        let engine = heuristic.engine(&Wiring { metric, tables: &tables, instructions });
        let tables = tables.into_iter().map(|(_, _, used)| used).collect();
        Solver { heuristic: heuristic.clone(), metric, tables, engine, symmetric: true }
    }

    /// Searches every branch of a cube that symmetries leave unchanged: as the papers do, for
    /// comparison.
    #[must_use]
    pub fn without_symmetries(self) -> Solver {
        Solver { symmetric: false, ..self }
    }

    /// The heuristic.
    pub fn heuristic(&self) -> &HeuristicSpec {
        &self.heuristic
    }

    /// The metric.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The tables that it reads.
    pub fn tables(&self) -> &[TableUse] {
        &self.tables
    }

    /// The heuristic's value.
    pub fn value(&self, cube: &Cube) -> u8 {
        self.engine.value(cube)
    }

    /// Searches for shortest solutions of `cube`: turns that lead from it to the solved cube.
    /// (For another goal `g`, solve `g⁻¹` and then `cube`: turns lead from one to the other alike.)
    /// When all are requested, they are those that follow the move rules.
    ///
    /// A symmetry that leaves the cube unchanged carries solutions to solutions; so of the first (or
    /// last) turns that symmetries carry into each other only one is searched, and what is found is
    /// carried back.
    pub fn solve(&self, cube: &Cube, config: &Config, run: &Run<'_>) -> Report<Vec<Turn>> {
        let symmetries = self.symmetries(cube);
        let config = &Config {
            first: config.first.and(self.first(&symmetries)),
            near_misses_first: self.heuristic.specification().near_misses_first(),
            ..config.clone()
        };
        let report = self.engine.search(cube, config, run);
        if config.wanted == Wanted::First {
            return report;
        }
        let ending = report.ending.choose(|solutions| self.canonical(solutions, &symmetries));
        Report { ending, ..report }
    }

    /// The symmetries of the search for `cube`.
    fn symmetries(&self, cube: &Cube) -> Vec<Symmetry> {
        match self.symmetric && self.heuristic.specification().has_symmetric_goal() {
            true => Symmetry::of(cube),
            false => vec![Symmetry::IDENTITY],
        }
    }

    /// The operators that a search must start with, where `symmetries` leave the cube unchanged: of
    /// those that become each other the least.
    ///
    /// Why that finds an image of every solution: of all images, brought into the order of the
    /// rules, take the one whose first turn is least. If that turn became a lesser one under a
    /// symmetry, so would the string, and the rules' order makes no first turn greater. At the back
    /// the rules hold for opposite faces read backwards, so there the order is theirs.
    fn first(&self, symmetries: &[Symmetry]) -> OpSet {
        let turns = self.metric.turns();
        let least = |key: &dyn Fn(Turn) -> Turn| {
            let is_least =
                |turn: Turn| symmetries.iter().all(|symmetry| key(symmetry.turn(turn)) >= key(turn));
            (0..).zip(turns).filter(|(_, turn)| is_least(**turn)).map(|(op, _)| Op(op)).collect::<OpSet>()
        };
        let (front, back) = (least(&|turn| turn), least(&|turn| turn.across()));
        OpSet(front.0 | back.0 << turns.len())
    }

    /// The solutions that follow the move rules, and their images under `symmetries`, each once, by
    /// length and then in the order of the turns. A two-sided search finds each of these, and others
    /// that break a rule where the two sides meet.
    fn canonical(&self, solutions: Vec<Vec<Turn>>, symmetries: &[Symmetry]) -> Vec<Vec<Turn>> {
        let rules = self.metric.automaton();
        let keeps_rules = |turns: &&Vec<Turn>| {
            let next = |state, turn: &Turn| rules.next(state, self.metric.operator(*turn)?);
            turns.iter().try_fold(rules.start(), next).is_some()
        };
        let mut sorted: BTreeSet<(usize, Vec<Turn>)> = BTreeSet::new();
        for turns in solutions.iter().filter(keeps_rules) {
            let image = |&symmetry: &Symmetry| (turns.len(), image(self.metric, turns, symmetry));
            sorted.extend(symmetries.iter().map(image));
        }
        sorted.into_iter().map(|(_, turns)| turns).collect()
    }
}

/// The image of a solution under a symmetry, in the order of the rules.
fn image(metric: Metric, turns: &[Turn], symmetry: Symmetry) -> Vec<Turn> {
    let image: Vec<Turn> = turns.iter().map(|&turn| symmetry.turn(turn)).collect();
    metric.canonical(&image)
}

/// Of solutions of `cube` that its symmetries carry into each other, the first in the order of the
/// turns.
pub fn up_to_symmetry(metric: Metric, cube: &Cube, mut solutions: Vec<Vec<Turn>>) -> Vec<Vec<Turn>> {
    let symmetries = Symmetry::of(cube);
    solutions.retain(|turns| symmetries.iter().all(|&symmetry| image(metric, turns, symmetry) >= *turns));
    solutions
}
