//! The positions of which a puzzle has a table of near ones: the pieces at all places, or classes of positions that differ by
//! free moves.

use std::sync::Arc;

use search_core::domain::Lengths;
use search_core::ida::{AnyTree, RootMoves, Tree};
use search_core::{Automaton, Cancelled, Heuristic, Op, Run};

use super::SolverError;
use super::tree::OwnedTree;
use crate::fault::Faults;
use crate::model::Pattern;
use crate::near::{
    ClassSpace, Classes, FillError, Hashed, Near, NearBound, PlaceSpace, Places, fill, with_class_room,
    with_room,
};
use crate::shapes::{ShapeSpace, Shapes};
use crate::space::Width;
use crate::system::System;

/// The positions that a table of near ones has.
pub(super) enum Positions {
    /// The pieces at all places.
    Places(Places),
    /// Classes of the pieces at all places.
    Classes(Places, Classes),
    /// Classes by shapes.
    Shapes(Arc<Shapes>),
}

impl Positions {
    /// The positions of a puzzle; `None` if they are too large for a table of near ones. Where moves are free, they are `shapes`, if there
    /// are some.
    ///
    /// # Errors
    /// [`SolverError`]: free moves that are not supported, or the work was cancelled.
    pub(super) fn new(
        system: &System,
        shapes: impl FnOnce() -> Result<Option<Arc<Shapes>>, Cancelled>,
    ) -> Result<Option<Positions>, SolverError> {
        if system.free.is_empty() {
            return Ok(Places::new(system).map(Positions::Places));
        }
        let classes = Classes::new(system)?;
        if let Some(shapes) = shapes()? {
            return Ok(Some(Positions::Shapes(shapes)));
        }
        let refused = || Faults::from("free moves are searched on at most 256 places".to_owned());
        Ok(Some(Positions::Classes(Places::new(system).ok_or_else(refused)?, classes)))
    }

    /// The maximum number of operators, if these are not the moves.
    pub(super) fn ops_of_classes(&self) -> Option<usize> {
        match self {
            Positions::Places(_) => None,
            Positions::Classes(_, classes) => Some(classes.ops()),
            Positions::Shapes(shapes) => Some(shapes.steps().ops()),
        }
    }

    /// Whether a pattern is one of them.
    pub(super) fn have(&self, system: &System, pattern: &Pattern) -> bool {
        match self {
            Positions::Places(places) | Positions::Classes(places, _) => {
                places.read(system, pattern).is_some()
            }
            Positions::Shapes(shapes) => shapes.state(system, pattern).is_some(),
        }
    }

    /// The table of near positions up to `depth`, where this many strings are expected.
    ///
    /// # Errors
    /// [`FillError`].
    pub(super) fn fill(
        &self,
        automaton: &Automaton,
        (depth, strings): (u8, f64),
        run: &Run<'_>,
    ) -> Result<Near, FillError> {
        match self {
            Positions::Places(places) => with_room(places, Fill { places, automaton, depth, strings, run }),
            Positions::Classes(places, classes) => {
                let of_places = Fill { places, automaton, depth, strings, run };
                with_class_room(places, FillClasses { classes, of_places })
            }
            Positions::Shapes(shapes) => fill(&ShapeSpace(shapes.clone()), automaton, depth, strings, run),
        }
    }

    /// The tree of a search for solutions of `pattern`; `None` if it is none of the positions.
    pub(super) fn tree<'a>(
        &'a self,
        (system, automaton): (&System, &'a Automaton),
        pattern: &Pattern,
        near: Arc<Near>,
    ) -> Option<Box<dyn OwnedTree + 'a>> {
        match self {
            Positions::Places(places) => {
                let start = places.read(system, pattern)?;
                let lengths = system.lengths(pattern);
                Some(with_room(places, NewTree { places, automaton, near, start, lengths }))
            }
            Positions::Classes(places, classes) => {
                let start = places.read(system, pattern)?;
                let of_places = NewTree { places, automaton, near, start, lengths: Lengths::ANY };
                Some(with_class_room(places, NewClassTree { classes, of_places }))
            }
            Positions::Shapes(shapes) => {
                let start = shapes.state(system, pattern)?;
                Some(Box::new(NearTree { space: ShapeSpace(shapes.clone()), automaton, near, start }))
            }
        }
    }

    /// The numbers of the moves that operators stand for, from a pattern; `None` if there are no such operators there.
    pub(super) fn word(&self, system: &System, pattern: &Pattern, ops: &[Op]) -> Option<Vec<usize>> {
        match self {
            Positions::Places(_) => Some(ops.iter().map(|op| op.index()).collect()),
            Positions::Classes(places, classes) => {
                let start = places.read(system, pattern)?;
                with_class_room(places, Spelled { places, classes, start, ops })
            }
            Positions::Shapes(shapes) => shapes.word(system, pattern, ops),
        }
    }
}

/// Fills a table of near positions.
struct Fill<'a> {
    places: &'a Places,
    automaton: &'a Automaton,
    depth: u8,
    /// The expected number of strings.
    strings: f64,
    run: &'a Run<'a>,
}

impl Width for Fill<'_> {
    type Answer = Result<Near, FillError>;

    fn with<const W: usize>(self) -> Self::Answer {
        let space = PlaceSpace::<W>::new(self.places, Lengths::ANY);
        fill(&space, self.automaton, self.depth, self.strings, self.run)
    }
}

/// Fills a table of near classes of positions.
struct FillClasses<'a> {
    classes: &'a Classes,
    of_places: Fill<'a>,
}

impl Width for FillClasses<'_> {
    type Answer = Result<Near, FillError>;

    fn with<const W: usize>(self) -> Self::Answer {
        let FillClasses { classes, of_places: Fill { places, automaton, depth, strings, run } } = self;
        let space = ClassSpace::new(classes, PlaceSpace::<W>::new(places, Lengths::ANY));
        fill(&space, automaton, depth, strings, run)
    }
}

/// Builds the tree of a search with near positions.
struct NewTree<'a> {
    places: &'a Places,
    automaton: &'a Automaton,
    near: Arc<Near>,
    start: Vec<u8>,
    lengths: Lengths,
}

impl<'a> Width for NewTree<'a> {
    type Answer = Box<dyn OwnedTree + 'a>;

    fn with<const W: usize>(self) -> Self::Answer {
        let NewTree { places, automaton, near, start, lengths } = self;
        let space = PlaceSpace::<W>::new(places, lengths);
        let start = space.position(&start);
        Box::new(NearTree { space, automaton, near, start })
    }
}

/// Builds the tree of a search through classes of positions.
struct NewClassTree<'a> {
    classes: &'a Classes,
    of_places: NewTree<'a>,
}

impl<'a> Width for NewClassTree<'a> {
    type Answer = Box<dyn OwnedTree + 'a>;

    fn with<const W: usize>(self) -> Self::Answer {
        let NewClassTree { classes, of_places: NewTree { places, automaton, near, start, lengths } } = self;
        let space = PlaceSpace::<W>::new(places, lengths);
        let start = space.position(&start);
        let space = ClassSpace::new(classes, space);
        let start = space.class(&start);
        Box::new(NearTree { space, automaton, near, start })
    }
}

/// Finds the moves that operators on classes stand for.
struct Spelled<'a> {
    places: &'a Places,
    classes: &'a Classes,
    start: Vec<u8>,
    ops: &'a [Op],
}

impl Width for Spelled<'_> {
    type Answer = Option<Vec<usize>>;

    fn with<const W: usize>(self) -> Self::Answer {
        let space = PlaceSpace::<W>::new(self.places, Lengths::ANY);
        let start = space.position(&self.start);
        let word = ClassSpace::new(self.classes, space).word(&start, self.ops)?;
        Some(word.into_iter().map(Op::index).collect())
    }
}

/// A tree of positions or of their classes.
struct NearTree<'a, D: Hashed> {
    space: D,
    automaton: &'a Automaton,
    near: Arc<Near>,
    start: D::State,
}

impl<D: Hashed> OwnedTree for NearTree<'_, D>
where
    for<'n> NearBound<'n>: Heuristic<D>,
{
    fn with(&self, act: &mut dyn FnMut(&dyn AnyTree)) {
        act(&Tree {
            domain: &self.space,
            heuristic: &NearBound(&self.near),
            automaton: self.automaton,
            start: &self.start,
            root_moves: RootMoves::none(),
        });
    }
}
