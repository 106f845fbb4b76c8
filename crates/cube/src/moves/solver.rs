//! Shortest solutions with a set of moves alone.

use super::bound::{Part, SetBound};
use super::group::Group;
use super::rules;
use super::space::{MoveSpace, Places};
use super::tables::SetTable;
use crate::cube::Cube;
use crate::notation::scramble::Move;
use search_core::ida::{self, Config};
use search_core::record::TableUse;
use search_core::table::{TableError, Tables};
use search_core::{Automaton, Ending, Report, Run};

/// Solves cubes with a set of moves.
pub struct SetSolver {
    group: Group,
    space: MoveSpace,
    bound: SetBound,
    rules: Automaton,
    tables: Vec<TableUse>,
}

impl SetSolver {
    /// The solver with the tables that fit the memory of `run`, from `store`, which builds those that it lacks.
    ///
    /// # Errors
    /// [`TableError`] of the first table that is not available.
    pub fn load(group: Group, store: &impl Tables, run: &Run<'_>) -> Result<SetSolver, TableError> {
        let tables = SetTable::plan_within(&group, run.memory());
        SetSolver::with_tables(group, &tables, store, run)
    }

    /// The solver with these tables of the group.
    ///
    /// # Errors
    /// [`TableError`] of the first table that is not available.
    ///
    /// # Panics
    /// If there is no table.
    pub fn with_tables(
        group: Group,
        tables: &[SetTable],
        store: &impl Tables,
        run: &Run<'_>,
    ) -> Result<SetSolver, TableError> {
        let loaded = store.tables(tables, run)?;
        let used = loaded.iter().map(search_core::table::Table::used).collect();
        let parts = tables.iter().zip(loaded).map(|(table, loaded)| Part::new(table, loaded.body)).collect();
        let (space, rules) = (MoveSpace::new(&group), rules::automaton(group.set()));
        Ok(SetSolver { group, space, bound: SetBound::new(parts), rules, tables: used })
    }

    /// The group of the moves.
    pub fn group(&self) -> &Group {
        &self.group
    }

    /// The tables that it reads.
    pub fn tables(&self) -> &[TableUse] {
        &self.tables
    }

    /// Searches for shortest solutions of `cube` as it is held: moves that make it look solved, held in any way.
    /// [`Ending::Exhausted`], without a search, if the cube is not in the group. When all are requested, those are
    /// found that follow the [`rules`]: of strings that differ in runs of turns about one axis that do the same, one.
    pub fn solve(&self, cube: &Cube, config: &Config, run: &Run<'_>) -> Report<Vec<Move>> {
        let Some(element) = self.group.element(cube) else {
            return Report { ending: Ending::Exhausted, iterations: Vec::new() };
        };
        let start = Places::of(&element);
        let report = ida::search(&self.space, &self.bound, &self.rules, &start, config, run);
        let in_order = |mut solutions: Vec<Vec<search_core::Op>>| {
            solutions.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
            solutions
        };
        let report = Report { ending: report.ending.choose(in_order), ..report };
        report.map(|ops| self.group.set().spell(ops.iter().map(|op| op.index())))
    }
}
