//! The pattern databases of a puzzle, of either kind: products of coordinates, or shapes with arrangements.

use std::sync::Arc;

use search_core::Automaton;
use search_core::Run;
use search_core::heuristic::Kernel;
use search_core::record::TableUse;
use search_core::table::{Recipe, Table, Tables};

use super::SolverError;
use super::lookups::{CACHE, LANES, Lookups};
use super::tree::{BoundTree, OwnedTree};
use crate::model::Pattern;
use crate::shapes::{ShapeBound, ShapeSpace, ShapeView, Shapes};
use crate::strategy::{Plan, Shaped};
use crate::system::System;

/// The pattern databases of a puzzle's positions.
pub(super) enum Databases {
    /// Products of coordinates.
    Coordinates(Lookups),
    /// Shapes with arrangements.
    Shapes(ShapeLookups),
}

/// The lookups of shapes with arrangements.
pub(super) struct ShapeLookups {
    system: Arc<System>,
    automaton: Arc<Automaton>,
    shapes: Arc<Shapes>,
    /// The databases, one lookup of each.
    views: Vec<ShapeView>,
    bound: ShapeBound,
    tables: Vec<TableUse>,
}

impl Databases {
    /// The lookups in the tables of a plan. Tables that are missing are built.
    ///
    /// # Errors
    /// [`SolverError`].
    pub(super) fn load(
        (system, automaton): (Arc<System>, Arc<Automaton>),
        plan: Plan,
        store: &dyn Tables,
        run: &Run<'_>,
    ) -> Result<Databases, SolverError> {
        let Some(Shaped { shapes, with_images }) = plan.shapes.clone() else {
            return Ok(Databases::Coordinates(Lookups::load((system, automaton), plan, store, run)?));
        };
        let loaded = store.load_all(&plan.databases, run)?;
        let tables = loaded.iter().map(Table::used).collect();
        let bytes: u64 = plan.databases.iter().map(Recipe::bytes).sum();
        let views: Vec<ShapeView> = (plan.databases.iter().zip(loaded))
            .filter_map(|(database, table)| database.shape_view(database.distances(table.body, run).into()))
            .collect();
        let kernel = if bytes > CACHE { Kernel::Interleaved { lanes: LANES } } else { Kernel::DepthFirst };
        let images = if with_images { shapes.images(&system, run)? } else { &[] };
        let bound = ShapeBound::new(&ShapeSpace(shapes.clone()), views.clone(), images, &automaton, kernel);
        Ok(Databases::Shapes(ShapeLookups { system, automaton, shapes, views, bound, tables }))
    }

    /// The tables that it reads.
    pub(super) fn tables(&self) -> &[TableUse] {
        match self {
            Databases::Coordinates(lookups) => lookups.tables(),
            Databases::Shapes(lookups) => &lookups.tables,
        }
    }

    /// The number of entries at each distance, of each table.
    pub(super) fn counts(&self) -> Vec<&[u64]> {
        match self {
            Databases::Coordinates(lookups) => lookups.counts().collect(),
            Databases::Shapes(lookups) => lookups.views.iter().map(|view| &view.table.counts[..]).collect(),
        }
    }

    /// The number of lookups of a position and its images.
    pub(super) fn count(&self) -> usize {
        match self {
            Databases::Coordinates(lookups) => lookups.count(),
            Databases::Shapes(lookups) => lookups.bound.count(),
        }
    }

    /// The name of the heuristic.
    pub(super) fn heuristic(&self) -> &'static str {
        match self {
            Databases::Coordinates(lookups) => lookups.heuristic(),
            Databases::Shapes(_) => "pattern databases",
        }
    }

    /// Whether one table has all positions.
    pub(super) fn is_exact(&self) -> bool {
        matches!(self, Databases::Coordinates(lookups) if lookups.is_exact())
    }

    /// The greatest length of a shortest solution, if a table of all positions shows it.
    pub(super) fn greatest_length(&self) -> Option<u32> {
        match self {
            Databases::Coordinates(lookups) => lookups.greatest_length(),
            Databases::Shapes(_) => None,
        }
    }

    /// A lower bound on the number of moves that solve `pattern`; `None` if no moves solve it, as far as coordinates and tables show.
    pub(super) fn value(&self, pattern: &Pattern) -> Option<u8> {
        match self {
            Databases::Coordinates(lookups) => lookups.value(pattern),
            Databases::Shapes(lookups) => lookups.value(pattern),
        }
    }

    /// The tree of a search for solutions of `pattern`; `None` if coordinates or tables show that no moves solve it.
    pub(super) fn tree(&self, pattern: &Pattern) -> Option<Box<dyn OwnedTree + '_>> {
        match self {
            Databases::Coordinates(lookups) => lookups.tree(pattern),
            Databases::Shapes(lookups) => lookups.tree(pattern),
        }
    }
}

impl ShapeLookups {
    fn value(&self, pattern: &Pattern) -> Option<u8> {
        let state = self.shapes.state(&self.system, pattern)?;
        let is_unreachable = |view: &ShapeView| view.table.is_unreachable(view.get(&state));
        let are_reachable = !self.views.iter().any(is_unreachable);
        are_reachable.then(|| self.bound.values(&state).max()).flatten()
    }

    fn tree(&self, pattern: &Pattern) -> Option<Box<dyn OwnedTree + '_>> {
        self.value(pattern)?;
        Some(Box::new(BoundTree {
            space: ShapeSpace(self.shapes.clone()),
            bound: self.bound.clone(),
            automaton: &self.automaton,
            start: self.shapes.state(&self.system, pattern)?,
            is_undone: self.system.free.is_empty(),
        }))
    }
}
