//! Lookups of positions in pattern databases, for a position and its images under symmetries.

use std::sync::Arc;

use search_core::domain::Lengths;
use search_core::heuristic::Kernel;
use search_core::record::TableUse;
use search_core::table::{Recipe, Table, Tables};
use search_core::{Automaton, Run};

use super::SolverError;
use super::tree::{BoundTree, OwnedTree};
use crate::coordinate::Coordinate;
use crate::database::Database;
use crate::fault::Faults;
use crate::model::{OrbitTransformation, Pattern, Puzzle};
use crate::shapes::Shapes;
use crate::space::{Bound, Distances, Inverse, MOST_COORDINATES, Slot, Space, View, Width, with_width};
use crate::strategy::{self, Plan, SolverSetup};
use crate::symmetry::{Symmetry, on_parts};
use crate::system::{System, SystemError};

/// Tables of more bytes than this are read from main memory.
pub(super) const CACHE: u64 = 1 << 20;
/// The maximum number of coordinates of a position and its images.
const MOST_SLOTS: usize = 32;
/// The maximum number of lookups of a position and its images.
const MOST_VIEWS: usize = 12;
/// The number of random positions by which lookups are compared.
const SAMPLES: usize = 40;
/// The subtrees that a thread searches in turn where tables are read from main memory.
pub(super) const LANES: usize = 24;

/// The lookups of a puzzle's positions in its pattern databases.
pub(super) struct Lookups {
    system: Arc<System>,
    automaton: Arc<Automaton>,
    /// The coordinates of the system, then those of chosen patterns.
    coordinates: Vec<Coordinate>,
    /// The number of the first coordinates, which determine a position.
    exact: usize,
    /// The coordinates of a position, then those of its images.
    slots: Vec<SlotOf>,
    symmetries: Vec<Symmetry>,
    /// The lookups, those of a position before those of its images.
    views: Vec<View>,
    /// The lookups of its inverse.
    inverse: Option<Arc<Inverse>>,
    tables: Vec<TableUse>,
    bytes: u64,
}

/// A coordinate of a position, or of its image under a symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SlotOf {
    /// The number of the coordinate.
    coordinate: usize,
    /// The number of the symmetry.
    symmetry: Option<usize>,
}

/// The pattern databases that a solver of `puzzle` reads within the memory of `run`.
///
/// # Errors
/// [`SystemError`]: the puzzle cannot be searched, or the work was cancelled.
pub fn plan(puzzle: &Puzzle, run: &Run<'_>) -> Result<Vec<Database>, SystemError> {
    let system = system(puzzle, run)?;
    let shapes = Shapes::new(&system, run)?.map(Arc::new);
    Ok(strategy::plan(puzzle, &system, shapes.as_ref(), &SolverSetup::default(), run)?.databases)
}

fn system(puzzle: &Puzzle, run: &Run<'_>) -> Result<System, SystemError> {
    let system = System::new(puzzle, run)?;
    within_limits(&system)?;
    Ok(system)
}

pub(super) fn within_limits(system: &System) -> Result<(), Faults> {
    let count = system.coordinates.len();
    if count > MOST_COORDINATES {
        return Err(format!(
            "a position has {count} coordinates; a search has at most {MOST_COORDINATES}: the puzzle is too large"
        )
        .into());
    }
    Ok(())
}

/// The pattern databases of chosen pieces. `with_images` says whether images under symmetries are looked up.
pub(super) fn chosen(
    puzzle: &Puzzle,
    system: &System,
    patterns: &[Vec<usize>],
    with_images: bool,
    run: &Run<'_>,
) -> Result<Plan, SolverError> {
    let (mut coordinates, mut databases) = (system.coordinates.clone(), Vec::new());
    for pieces in patterns {
        let group = strategy::chosen(puzzle, system, pieces, &mut coordinates, run)?;
        let database = Database::new(puzzle.name(), system, &coordinates, &group);
        let too_large = || Faults::from(format!("the pattern {pieces:?} has too many entries"));
        databases.push(database.ok_or_else(too_large)?);
    }
    let (need, have) = (databases.iter().map(Recipe::bytes).sum(), run.memory());
    if need > have {
        return Err(SolverError::Memory { need, have });
    }
    let count = coordinates.len();
    if count > MOST_COORDINATES {
        let fault = format!("the patterns have {count} coordinates; a search has at most {MOST_COORDINATES}");
        return Err(Faults::from(fault).into());
    }
    let symmetries = match with_images && system.is_group {
        true => system.symmetries(run)?.to_vec(),
        false => Vec::new(),
    };
    Ok(Plan { coordinates, exact: system.coordinates.len(), databases, symmetries, shapes: None })
}

impl Lookups {
    /// The lookups in the tables of a plan. Tables that are missing are built.
    ///
    /// # Errors
    /// [`SolverError`].
    pub(super) fn load(
        (system, automaton): (Arc<System>, Arc<Automaton>),
        plan: Plan,
        store: &dyn Tables,
        run: &Run<'_>,
    ) -> Result<Lookups, SolverError> {
        let Plan { coordinates, exact, databases, symmetries, .. } = plan;
        let loaded = store.load_all(&databases, run)?;
        let tables = loaded.iter().map(Table::used).collect();
        let bytes = databases.iter().map(Recipe::bytes).sum();
        let views = databases
            .iter()
            .zip(loaded)
            .filter_map(|(database, table)| database.view(database.distances(table.body, run).into()));
        let mut views: Vec<View> = views.collect();
        if views.is_empty() {
            views.push(View { digits: Vec::new(), reduced: None, table: Arc::new(Distances::none(run)) });
        }
        let own = |coordinate| SlotOf { coordinate, symmetry: None };
        let slots = (0..coordinates.len()).map(own).collect();
        let mut lookups = Lookups {
            system,
            automaton,
            coordinates,
            exact,
            slots,
            symmetries,
            views,
            inverse: None,
            tables,
            bytes,
        };
        if !lookups.is_exact() {
            lookups.add_images();
            lookups.add_inverse();
        }
        Ok(lookups)
    }

    /// Adds lookups of the images of a position under symmetries, in the same tables: those that give other values than
    /// the lookups before them at some of a few random positions.
    fn add_images(&mut self) {
        if self.symmetries.is_empty() {
            return;
        }
        let samples = self.system.random_elements(SAMPLES);
        let own: Vec<View> = self.views.clone();
        let states = |lookups: &Lookups, element: &[OrbitTransformation], slots: &[SlotOf]| {
            lookups.slot_states(element, slots).expect("an element of the group")
        };
        let values = |lookups: &Lookups, view: &View, slots: &[SlotOf]| -> Vec<u8> {
            let value = |element: &Vec<OrbitTransformation>| {
                view.table.get(view.entry(&states(lookups, element, slots)))
            };
            samples.iter().map(value).collect()
        };
        let mut known: Vec<Vec<u8>> = own.iter().map(|view| values(self, view, &self.slots)).collect();
        for symmetry in 0..self.symmetries.len() {
            for view in &own {
                let mut slots = self.slots.clone();
                let mut image = view.clone();
                for slot in image.slots_mut() {
                    let of = SlotOf { coordinate: self.slots[*slot].coordinate, symmetry: Some(symmetry) };
                    *slot = slots.iter().position(|&known| known == of).unwrap_or_else(|| {
                        slots.push(of);
                        slots.len() - 1
                    });
                }
                if slots.len() > MOST_SLOTS || self.views.len() >= MOST_VIEWS {
                    return;
                }
                let of_samples = values(self, &image, &slots);
                if !known.contains(&of_samples) {
                    known.push(of_samples);
                    self.slots = slots;
                    self.views.push(image);
                }
            }
        }
    }

    /// Adds lookups of the inverse of a position, where symmetries are used and the coordinates allow it.
    fn add_inverse(&mut self) {
        if self.symmetries.is_empty() || self.system.inverses.is_none() {
            return;
        }
        let seen = |of: &SlotOf| (of.coordinate, of.symmetry.map(|number| &self.symmetries[number]));
        let slots: Vec<_> = self.slots.iter().map(seen).collect();
        let inverse = Inverse::new(&self.system.parts, &self.coordinates, &slots, self.exact, &self.views);
        self.inverse = inverse.map(Arc::new);
    }

    /// The states of coordinates of an element and of its images.
    fn slot_states(&self, element: &[OrbitTransformation], slots: &[SlotOf]) -> Option<Vec<u16>> {
        let parts = &self.system.parts;
        let state = |slot: &SlotOf| {
            let coordinate = &self.coordinates[slot.coordinate];
            let part = coordinate.projection.part;
            let moved = match slot.symmetry {
                None => parts[part].moved(&element[part]),
                Some(symmetry) => parts[part].moved(&self.symmetries[symmetry].image(parts, element)?[part]),
            };
            coordinate.state(&parts[part], &moved)
        };
        slots.iter().map(state).collect()
    }

    /// The states of all coordinates in a pattern, which may be rotated; `None` if moves cannot lead to it.
    fn states(&self, pattern: &Pattern) -> Option<Vec<u16>> {
        let own = self.system.states(pattern, &self.coordinates)?;
        if self.slots.len() == own.len() {
            return Some(own);
        }
        let element = on_parts(&self.system.parts, &self.system.element(pattern)?);
        self.slot_states(&element, &self.slots)
    }

    /// The tables that it reads.
    pub(super) fn tables(&self) -> &[TableUse] {
        &self.tables
    }

    /// The number of entries at each distance, of each table.
    pub(super) fn counts(&self) -> impl Iterator<Item = &[u64]> {
        self.views[..self.tables.len()].iter().map(|view| &view.table.counts[..])
    }

    /// The number of lookups of a position and its images.
    pub(super) fn count(&self) -> usize {
        self.views.len() * if self.inverse.is_some() { 2 } else { 1 }
    }

    /// The name of the heuristic.
    pub(super) fn heuristic(&self) -> &'static str {
        match self.is_exact() {
            true => "all positions",
            false if self.tables.is_empty() => "none",
            false => "pattern databases",
        }
    }

    /// Whether one table has all positions.
    pub(super) fn is_exact(&self) -> bool {
        let has = |view: &View, coordinate| view.digits.iter().any(|&(slot, _)| slot == coordinate);
        self.views.iter().any(|view| (0..self.exact).all(|number| has(view, number)))
    }

    /// The greatest length of a shortest solution, if a table of all positions shows it.
    pub(super) fn greatest_length(&self) -> Option<u32> {
        let table = &self.views.first().filter(|_| self.is_exact())?.table;
        table.farthest()
    }

    /// A lower bound on the number of moves that solve `pattern`; `None` if no moves solve it, as far as coordinates
    /// and tables show.
    pub(super) fn value(&self, pattern: &Pattern) -> Option<u8> {
        let states = self.states(pattern)?;
        let mut most = 0;
        for view in &self.views {
            let value = view.table.get(view.entry(&states));
            if view.table.is_unreachable(value) {
                return None;
            }
            most = most.max(value);
        }
        let inverse = self.inverse.iter().flat_map(|inverse| inverse.values(&states));
        Some(inverse.fold(most, u8::max))
    }

    /// The tree of a search for solutions of `pattern`; `None` if coordinates or tables show that no moves solve it.
    pub(super) fn tree(&self, pattern: &Pattern) -> Option<Box<dyn OwnedTree + '_>> {
        self.value(pattern)?;
        let states = self.states(pattern)?;
        let lengths = self.system.lengths(pattern);
        Some(with_width(states.len(), NewTree { lookups: self, states: &states, lengths }))
    }
}

/// Builds the tree of a search.
struct NewTree<'a, 's> {
    lookups: &'a Lookups,
    states: &'s [u16],
    lengths: Lengths,
}

impl<'a> Width for NewTree<'a, '_> {
    type Answer = Box<dyn OwnedTree + 'a>;

    fn with<const N: usize>(self) -> Box<dyn OwnedTree + 'a> {
        let NewTree { lookups, states, lengths } = self;
        let mut slots: Vec<Slot> = Vec::with_capacity(lookups.slots.len());
        for SlotOf { coordinate, symmetry } in &lookups.slots {
            let slot = match symmetry {
                None => Slot::of(&lookups.coordinates[*coordinate]),
                // The coordinate's own slot has its table.
                Some(symmetry) => slots[*coordinate].renamed(&lookups.symmetries[*symmetry].moves),
            };
            slots.push(slot);
        }
        let space = Space::<N>::new(lookups.system.moves(), slots, lookups.exact, lengths);
        let kernel =
            if lookups.bytes > CACHE { Kernel::Interleaved { lanes: LANES } } else { Kernel::DepthFirst };
        let is_undirected = lookups.system.inverses.is_some();
        let (views, inverse) = (lookups.views.clone(), lookups.inverse.clone());
        let bound = Bound::new(&space, views, inverse, is_undirected, kernel);
        let mut start = [0; N];
        start[..states.len()].copy_from_slice(states);
        let automaton = &lookups.automaton;
        Box::new(BoundTree { space, bound, automaton, start, is_undone: is_undirected })
    }
}
