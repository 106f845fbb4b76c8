//! Shortest solutions with a set of moves alone.
//!
//! A set of all faces, or of all faces and slices, is searched from both ends with its [cosets](super::cosets), if
//! their table fits the memory; every other set from one end with the maximum of its [tables](super::tables).
//! Either way of first moves that [symmetries](super::symmetries) map to each other only one is searched.

use super::bound::{Part, SetBound};
use super::cosets::CosetTable;
use super::engine::{ByPlaces, Engine, both_ends};
use super::group::Group;
use super::permutation::Permutation;
use super::rules::Rules;
use super::space::MoveSpace;
use super::symmetries::SetSymmetries;
use super::tables::SetTable;
use crate::cube::Cube;
use crate::notation::scramble::Move;
use search_core::ida::{Config, NodeMoves, RootMoves, Wanted};
use search_core::record::TableUse;
use search_core::table::{Recipe, Table, TableError, Tables};
use search_core::{Ending, Op, OpSet, Report, Run};

/// Solves cubes with a set of moves.
pub struct SetSolver {
    pub(super) group: Group,
    rules: Rules,
    symmetries: SetSymmetries,
    pub(super) engine: Box<dyn Engine>,
    /// Whether the engine fixes moves at the back too.
    from_both: bool,
    tables: Vec<TableUse>,
}

impl SetSolver {
    /// The solver with the tables that fit the memory of `run`, from `store`, which builds those that it lacks.
    ///
    /// # Errors
    /// [`TableError`] of the first table that is not available.
    pub fn load(group: Group, store: &dyn Tables, run: &Run<'_>) -> Result<SetSolver, TableError> {
        match CosetTable::of(&group).filter(|table| table.peak_bytes() <= run.memory()) {
            Some(table) => SetSolver::with_cosets(group, &table, store, run),
            None => {
                let tables = SetTable::plan_within(&group, run.memory());
                SetSolver::with_tables(group, &tables, store, run)
            }
        }
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
        store: &dyn Tables,
        run: &Run<'_>,
    ) -> Result<SetSolver, TableError> {
        let loaded = store.load_all(tables, run)?;
        let used = loaded.iter().map(Table::used).collect();
        let parts = tables.iter().zip(loaded).map(|(table, loaded)| Part::new(table, loaded.body)).collect();
        let (space, rules) = (MoveSpace::new(&group), Rules::new(group.set()));
        let engine = ByPlaces { space, bound: SetBound::new(parts), rules: rules.automaton() };
        Ok(SetSolver::new(group, rules, Box::new(engine), false, used))
    }

    /// The solver with the cosets of the group.
    ///
    /// # Errors
    /// [`TableError`] if the table is not available.
    pub fn with_cosets(
        group: Group,
        table: &CosetTable,
        store: &dyn Tables,
        run: &Run<'_>,
    ) -> Result<SetSolver, TableError> {
        let loaded = store.table(table, run)?;
        let (used, rules) = (vec![loaded.used()], Rules::new(group.set()));
        let engine = both_ends(table, loaded.body, &rules);
        Ok(SetSolver::new(group, rules, engine, true, used))
    }

    fn new(
        group: Group,
        rules: Rules,
        engine: Box<dyn Engine>,
        from_both: bool,
        tables: Vec<TableUse>,
    ) -> SetSolver {
        let symmetries = SetSymmetries::of(group.set());
        SetSolver { group, rules, symmetries, engine, from_both, tables }
    }

    /// The group of the moves.
    pub fn group(&self) -> &Group {
        &self.group
    }

    /// The lower bound for `cube` as it is held; `None` if the moves do not solve it.
    pub fn value(&self, cube: &Cube) -> Option<u8> {
        self.group.element(cube).map(|element| self.engine.value(cube, &element))
    }

    /// The name of its lower bound.
    pub fn bound(&self) -> &'static str {
        if self.from_both { "coset-3i" } else { "distances" }
    }

    /// The tables that it reads.
    pub fn tables(&self) -> &[TableUse] {
        &self.tables
    }

    /// Searches for shortest solutions of `cube` as it is held: moves that make it look solved, held in any way.
    /// [`Ending::Exhausted`], without a search, if the cube is not in the group. When all are requested, those are
    /// found that follow the [`rules`](super::rules) (of strings that differ in runs of turns about one axis that do
    /// the same, one), pass no solved cube on their way and visit no position twice.
    pub fn solve(&self, cube: &Cube, config: &Config, run: &Run<'_>) -> Report<Vec<Move>> {
        self.search(cube, config, run, |strings, symmetries| symmetries.images(&strings, &self.rules))
    }

    /// The same, with one of each class of solutions that symmetries of the cube and the set map to each other.
    pub fn solve_up_to_symmetry(&self, cube: &Cube, config: &Config, run: &Run<'_>) -> Report<Vec<Move>> {
        self.search(cube, config, run, |strings, symmetries| {
            symmetries.representatives(symmetries.images(&strings, &self.rules), &self.rules)
        })
    }

    /// Searches; `choose` what to return of solutions that follow the rules, of which others are images.
    fn search(
        &self,
        cube: &Cube,
        config: &Config,
        run: &Run<'_>,
        choose: impl FnOnce(Vec<Vec<Op>>, &SetSymmetries) -> Vec<Vec<Op>>,
    ) -> Report<Vec<Move>> {
        let Some(element) = self.group.element(cube) else {
            return Report { ending: Ending::Exhausted, iterations: Vec::new() };
        };
        let symmetries = self.leaving(&element);
        let config = config.clone().root_moves(self.root_moves(&symmetries));
        let report = self.engine.search(cube, &element, &config, run);
        let ending = report.ending.choose(|mut strings| match config.wanted {
            Wanted::First => strings,
            Wanted::All { .. } => {
                strings.retain(|string| self.rules.allow(string));
                choose(self.rules.without_loops(strings), &symmetries)
            }
        });
        Report { ending, ..report }.map(|ops| self.group.set().spell(ops.iter().map(|op| op.index())))
    }

    /// The symmetries that leave an element of the group as it looks.
    pub(super) fn leaving(&self, element: &Permutation) -> SetSymmetries {
        self.symmetries.leaving(element, self.group.solved())
    }

    /// The operators by which a search begins, where `symmetries` leave the cube as it looks.
    pub(super) fn root_moves(&self, symmetries: &SetSymmetries) -> RootMoves {
        let (first, last) = symmetries.first_and_last(&self.rules);
        let ops = match self.from_both {
            true => OpSet(first.0 | last.0 << self.group.set().operators().len()),
            false => first,
        };
        let mut root_moves = RootMoves::default();
        root_moves.insert(&[], NodeMoves { ops, is_final: false });
        root_moves
    }
}
