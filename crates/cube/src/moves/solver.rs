//! Shortest solutions with a set of moves alone.
//!
//! A set of all faces, of five faces, or of all faces and slices is searched from both ends with the
//! [cosets](super::cosets), if their table fits the memory; that of the axial metric from one end, because an operator set
//! has at most 64 members; every other set from one end with the maximum of its [tables](super::tables).
//! Either way of first moves that [symmetries](super::symmetries) map to each other only one is searched. Where moves
//! have costs, the search with the same tables goes [by costs](super::cheapest).

use super::bound::{Part, SetBound};
use super::cheapest::Cheapest;
use super::cosets::{CosetTable, SetCosets};
use super::group::Group;
use super::permutation::Permutation;
use super::rules::Rules;
use super::space::MoveSpace;
use super::symmetries::SetSymmetries;
use super::tables::SetTable;
use crate::cube::Cube;
use crate::heuristics::engine::{Engine, SharedSearch, Wire, Wired, Wiring, settings};
use crate::heuristics::{CosetBound, Instructions};
use crate::lanes::Lanes;
use crate::notation::scramble::Move;
use crate::space::{CubeSpace, Sides};
use search_core::ida::{Config, Incumbent, NodeMoves, Order, RootMoves, Wanted};
use search_core::pdb::Packed;
use search_core::record::TableUse;
use search_core::table::{FileError, Recipe, Table, TableError, Tables};
use search_core::{Automaton, Ending, Op, OpSet, Report, Run};
use std::path::Path;
use std::sync::Arc;

/// The growth of the work per move, before it is measured: about the branching factor of all slice turns.
const GROWTH: f64 = 17.6;

/// Whether a table is not `avoided` and fits the memory of `run`.
fn is_available(recipe: &dyn Recipe, avoided: &[String], run: &Run<'_>) -> bool {
    !avoided.contains(&recipe.name()) && recipe.peak_bytes() <= run.memory()
}

/// The search with the cosets along three axes, of the position and its inverse.
struct WithCosets<'a> {
    sides: Sides,
    cosets: &'a SetCosets,
    filled: Arc<crate::tables::Table>,
    automaton: Automaton,
}

impl Wire for WithCosets<'_> {
    fn wire<V: Lanes>(&self, _: &Wiring<'_>) -> Box<dyn Engine> {
        let space = CubeSpace::<V, _>::of_moves(&self.cosets.moves, self.sides);
        let heuristic = CosetBound::new(&space, &self.cosets.coset, self.filled.clone(), 3, true);
        Box::new(Wired { space, heuristic, automaton: self.automaton.clone() })
    }
}

/// Solves cubes with a set of moves.
pub(crate) struct SetSolver {
    pub(super) group: Group,
    rules: Rules,
    symmetries: SetSymmetries,
    pub(super) engine: Box<dyn Engine>,
    /// Whether the engine fixes moves at the back too.
    from_both: bool,
    /// The name of its lower bound.
    bound: &'static str,
    tables: Vec<TableUse>,
}

impl SetSolver {
    /// The solver with the tables that fit the memory of `run`, from `store`, which builds those that it lacks. With
    /// `costs` of the operators ([`costs_of`](super::cheapest::costs_of)) it finds cheapest solutions, and lengths and
    /// bounds are costs. It reads no table whose name is in `avoided`.
    ///
    /// # Errors
    /// [`TableError`] of the first table that is not available.
    pub(crate) fn load(
        group: Group,
        costs: Option<&[u32]>,
        avoided: &[String],
        store: &dyn Tables,
        run: &Run<'_>,
    ) -> Result<SetSolver, TableError> {
        let cosets = if costs.is_none() { SetCosets::of(&group) } else { None };
        match cosets.filter(|cosets| is_available(&*cosets.recipe, avoided, run)) {
            Some(cosets) => SetSolver::with_cosets(group, &cosets, store, run),
            None => {
                let tables = SetTable::plan_within(&group, avoided, run).map_err(|cancelled| {
                    FileError::from(cancelled)
                        .of(&format!("cube-moves-{}", group.set().stem()), Path::new(""))
                })?;
                SetSolver::with_tables(group, costs, &tables, store, run)
            }
        }
    }

    /// Whether a solver has tables that fit the memory of `run` and whose names are not `avoided`.
    pub(crate) fn has_tables(group: Group, avoided: &[String], run: &Run<'_>) -> bool {
        SetCosets::of(&group).is_some_and(|cosets| is_available(&*cosets.recipe, avoided, run))
            || SetTable::plan_within(&group, avoided, run).is_ok_and(|tables| !tables.is_empty())
    }

    /// The solver with these tables of the group.
    ///
    /// # Errors
    /// [`TableError`] of the first table that is not available.
    ///
    /// # Panics
    /// If there is no table, or not one cost for each operator, or one is 0.
    pub(crate) fn with_tables(
        group: Group,
        costs: Option<&[u32]>,
        tables: &[SetTable],
        store: &dyn Tables,
        run: &Run<'_>,
    ) -> Result<SetSolver, TableError> {
        let loaded = store.load_all(tables, run)?;
        let used = loaded.iter().map(Table::used).collect();
        let parts = tables.iter().zip(loaded).map(|(table, loaded)| Part::new(table, loaded.body)).collect();
        let (heuristic, rules) = (SetBound::new(parts), Rules::new(group.set()));
        let engine: Box<dyn Engine> = match costs {
            Some(costs) => Box::new(Cheapest::new(&group, costs, heuristic)),
            None => {
                let space = MoveSpace::new(&group);
                Box::new(Wired { space, heuristic, automaton: rules.automaton() })
            }
        };
        Ok(SetSolver::new(group, rules, engine, false, used))
    }

    /// The solver with the cosets of the group.
    ///
    /// # Errors
    /// [`TableError`] if the table is not available.
    pub(crate) fn with_cosets(
        group: Group,
        cosets: &SetCosets,
        store: &dyn Tables,
        run: &Run<'_>,
    ) -> Result<SetSolver, TableError> {
        let loaded = store.table(&*cosets.recipe, run)?;
        let used = vec![loaded.used()];
        let filled = Packed::new(loaded.body, CosetTable::entries() as u64);
        Ok(SetSolver::over(group, cosets, Arc::new(filled.expect("a body of the table's length")), used))
    }

    /// The solver with the cosets of the group, whose distances are `filled`, or at most these.
    pub(crate) fn over(
        group: Group,
        cosets: &SetCosets,
        filled: Arc<crate::tables::Table>,
        used: Vec<TableUse>,
    ) -> SetSolver {
        let rules = Rules::new(group.set());
        let (metric, instructions) = (group.set().metric(), Instructions::Best);
        let wiring = Wiring { metric, tables: &[], instructions };
        let (sides, automaton) = match cosets.serve_both_ends() {
            true => (Sides::Two, rules.at_both_ends()),
            false => (Sides::One, rules.automaton()),
        };
        let engine = wiring.engine(&WithCosets { sides, cosets, filled, automaton });
        let solver = SetSolver::new(group, rules, engine, sides == Sides::Two, used);
        SetSolver { bound: "coset-3i", ..solver }
    }

    fn new(
        group: Group,
        rules: Rules,
        engine: Box<dyn Engine>,
        from_both: bool,
        tables: Vec<TableUse>,
    ) -> SetSolver {
        let symmetries = SetSymmetries::of(group.set());
        SetSolver { group, rules, symmetries, engine, from_both, bound: "distances", tables }
    }

    /// The group of the moves.
    #[cfg(test)]
    pub(crate) fn group(&self) -> &Group {
        &self.group
    }

    /// The lower bound for `cube` as it is held; `None` if the moves do not solve it.
    pub(crate) fn value(&self, cube: &Cube) -> Option<u8> {
        self.group.element(cube).is_some().then(|| self.engine.value(cube))
    }

    /// The name of its lower bound.
    pub(crate) fn bound(&self) -> &'static str {
        self.bound
    }

    /// The tables that it reads.
    pub(crate) fn tables(&self) -> &[TableUse] {
        &self.tables
    }

    /// Offers a solution by a beam search of about `nodes` nodes, if the moves solve the cube.
    pub(crate) fn offer_by_beam(&self, cube: &Cube, nodes: u64, incumbent: &Incumbent, run: &Run<'_>) {
        if self.group.element(cube).is_some()
            && let Some(ops) = self.engine.beam(cube, nodes, incumbent.upper_bound(), run)
        {
            incumbent.offer(&ops);
        }
    }

    /// Searches for shortest solutions of `cube` as it is held: moves that make it look solved, held in any way.
    /// [`Ending::Exhausted`], without a search, if the cube is not in the group. When all are requested, those are
    /// found that follow the [`rules`](super::rules) (of strings that differ in runs of turns about one axis that do
    /// the same, one), pass no solved cube on their way and visit no position twice.
    ///
    /// # Errors
    /// [`TableError`] of a table that the search finds to be forged.
    pub(crate) fn solve(
        &self,
        cube: &Cube,
        config: &Config,
        run: &Run<'_>,
    ) -> Result<Report<Vec<Move>>, TableError> {
        self.search(cube, config, run, |strings, symmetries| symmetries.images(&strings, &self.rules))
    }

    /// The same, with one of each class of solutions that symmetries of the cube and the set map to each other.
    ///
    /// # Errors
    /// As [`solve`](SetSolver::solve).
    pub(crate) fn solve_up_to_symmetry(
        &self,
        cube: &Cube,
        config: &Config,
        run: &Run<'_>,
    ) -> Result<Report<Vec<Move>>, TableError> {
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
    ) -> Result<Report<Vec<Move>>, TableError> {
        let Some(element) = self.group.element(cube) else {
            return Ok(Report { ending: Ending::Exhausted, iterations: Vec::new() });
        };
        let symmetries = self.leaving(&element);
        let config = config.clone().root_moves(self.root_moves(&symmetries));
        let report = self.engine.search(cube, &config, run)?;
        let ending = report.ending.choose(|mut strings| match config.wanted {
            Wanted::First => strings,
            Wanted::All { .. } => {
                strings.retain(|string| self.rules.allow(string));
                choose(self.rules.without_loops(strings), &symmetries)
            }
        });
        Ok(Report { ending, ..report }.map(|ops| self.spell(&ops)))
    }

    fn spell(&self, ops: &[Op]) -> Vec<Move> {
        self.group.set().spell(ops.iter().map(|op| op.index()))
    }

    /// The same search for one solution as work units; `None` if the moves do not solve the cube.
    pub(crate) fn shared(&self, cube: &Cube, order: Option<Order>) -> Option<SharedSearch<'_>> {
        let (element, set) = (self.group.element(cube)?, self.group.set());
        let moves = set.to_string();
        Some(SharedSearch {
            engine: &*self.engine,
            cube: *cube,
            root_moves: self.root_moves(&self.leaving(&element)),
            settings: settings([
                ("metric", set.metric().name()),
                ("moves", &moves),
                ("heuristic", self.bound()),
            ]),
            tables: &self.tables,
            order: order.unwrap_or_default(),
            growth: GROWTH,
        })
    }

    /// The moves of a solution, from operators of a tree, which may come from a file; `None` if one is no operator.
    pub(crate) fn solution(&self, ops: &[Op]) -> Option<Vec<Move>> {
        Some(self.spell(&self.engine.in_order(ops)?))
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
