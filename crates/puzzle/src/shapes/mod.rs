//! Shapes: how the pieces of a puzzle with rules lie, without regard to which of a kind lies where.
//!
//! **The idea.** Rules that make positions illegal, as on square-1, restrict the pieces so much that projections without the
//! rules say little. So a position is written as its **shape** and, for each component, an arrangement. The shape is the state of
//! the coordinate that decides the rules, together with the coordinates of all other parts. In a given shape each place belongs to
//! one **component**: moves carry pieces between places of one component only, whatever legal moves are made. On square-1 the
//! components are the corners and the edges. A move turns a shape into another, and permutes the slots of each component in a way
//! that depends on the shape alone. So a position is a row of numbers, a move reads one number for the shape and one for
//! each component, and a pattern database is a product of the shape and some pieces of one component, of which every entry is
//! legal.
//!
//! **Free moves.** Where some moves are free, each class of shapes between which they lead is one row, that of its first shape. An
//! operator is a turn by free moves, a counted move, and the turn to the first shape. Turns that keep a shape, its
//! **stabilizer**, relate arrangements of one class; entries of pattern databases are set for all of them together.
//!
//! **Invariant.** Rows are numbered from 0, the solved shape. Slots are in ascending order of places. Components whose slots move as
//! those of another one do, in every shape, have no arrangement of their own; so the halves of a corner are one.
//!
//! **Why no shortest solution is lost.** Rows and arrangements determine the position, or its class, and every legal move has its
//! operator. A database forgets pieces of a component, and all other components, and keeps every move.
//!
//! **Cost.** A read for the shape and one for each component, whose tables fit the second and the last cache. Lookups move projections of
//! arrangements, whose maps are smaller. Square-1 has 7,356
//! shapes with the state of its middle layer, and 340 classes of them under turns of the layers.
//!
//! Sources: the tables of shapes and of cubies in the programs for square-1 by J. Scherphuis and by M. Masonjones (2005).
//!
//! | module | contents |
//! | --- | --- |
//! | `components` | shapes, and the components of their places |
//! | `arrangement` | arrangements of pieces in slots, numbered |
//! | `loops` | the positions of each shape |
//! | `steps` | operators on shapes and arrangements |
//! | `space` | the domain of a search |
//! | `images` | images of positions under symmetries |
//! | `bound` | the lower bound of a search |
//! | `product` | a shape and some pieces of a component as a pattern space |

mod arrangement;
mod bound;
mod components;
mod images;
mod loops;
mod product;
mod space;
mod steps;

use std::sync::{Arc, OnceLock};

use search_core::{Cancelled, Op, Run};

use crate::model::Pattern;
use crate::near::Classes;
use crate::system::System;
use arrangement::Arrangements;
use components::{Component, Shape};

pub use bound::{ShapeBound, ShapeView};
pub use images::Image;
pub(crate) use loops::Loops;
pub(crate) use product::Pieces;
pub use product::ShapeProduct;
pub use space::{ShapeSpace, State};
pub use steps::Steps;

/// The maximum number of components with arrangements.
const MOST_COMPONENTS: usize = 3;

/// A puzzle with rules as shapes and arrangements.
#[derive(Debug)]
pub struct Shapes {
    shape: Shape,
    /// The components with arrangements of their own.
    kept: Vec<(Component, Arrangements)>,
    /// The components that others determine, with the number of the kept one; `None` for pieces that look alike.
    linked: Vec<(Component, Option<usize>)>,
    steps: Steps,
    images: OnceLock<Vec<Arc<Image>>>,
}

impl Shapes {
    /// The shapes of a puzzle; `None` if there are no rules, if more than one part has rules, if pieces with rules turn, or if shapes or
    /// arrangements are too many.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn new(system: &System, run: &Run<'_>) -> Result<Option<Shapes>, Cancelled> {
        let Some(shape) = Shape::new(system, run)? else { return Ok(None) };
        let mut components = shape.components(system);
        // Components of distinct pieces first: these determine others.
        components.sort_by_key(|component| std::cmp::Reverse(component.kinds()));
        let (mut kept, mut linked): (Vec<(Component, Arrangements)>, Vec<_>) = (Vec::new(), Vec::new());
        for component in components {
            let leader = kept.iter().position(|(of, _)| of.is_distinct() && of.moves_as(&component));
            if component.kinds() == 1 || leader.is_some() {
                linked.push((component, leader));
                continue;
            }
            let Some(arrangements) = Arrangements::new(&component.solved) else { return Ok(None) };
            kept.push((component, arrangements));
        }
        if kept.is_empty() || kept.len() > MOST_COMPONENTS {
            return Ok(None);
        }
        let steps = match system.free.is_empty() {
            true => Steps::of_moves(&shape, &kept),
            false => match Classes::new(system) {
                Ok(_) => Steps::of_classes(system, &shape, &kept, run)?,
                Err(_) => None,
            },
        };
        Ok(steps.map(|steps| Shapes { shape, kept, linked, steps, images: OnceLock::new() }))
    }

    /// The operators.
    pub fn steps(&self) -> &Steps {
        &self.steps
    }

    /// The number of components with arrangements.
    pub(crate) fn components(&self) -> usize {
        self.kept.len()
    }

    /// For each component, the number of different pieces.
    pub(crate) fn kinds(&self, component: usize) -> usize {
        self.kept[component].0.kinds()
    }

    /// The choices of pieces that have the first `kinds` kinds of one component and fewer of another, or of none.
    pub(crate) fn choices(&self, component: usize) -> impl Iterator<Item = Pieces> + '_ {
        let all = self.kinds(component);
        let some = (1..=all).map(move |kinds| Pieces { component, kinds, other: None });
        let others = (0..self.components()).filter(move |&other| other != component);
        let of_other = move |other| (1..self.kinds(other)).map(move |kinds| Some((other, kinds)));
        some.chain(others.flat_map(of_other).map(move |other| Pieces { component, kinds: all, other }))
    }

    /// The pieces as labels, for a person.
    pub(crate) fn description(&self, system: &System, pieces: Pieces) -> String {
        let labels = |component: usize, kinds: usize| {
            let labels = self.kept[component].0.labels.iter().take(kinds);
            labels.map(u8::to_string).collect::<Vec<_>>().join(" ")
        };
        let other =
            pieces.other.map_or(String::new(), |(other, kinds)| format!(" x {}", labels(other, kinds)));
        let (rows, orbit) = (self.steps.rows(), system.parts[self.shape.part].orbit);
        format!("{rows} of orbit {orbit} x pieces {}{other}", labels(pieces.component, pieces.kinds))
    }

    /// The operators as they act on shapes and on a component, in bytes: what tables depend on.
    pub(crate) fn meaning(&self, component: usize) -> Vec<u8> {
        let steps = self.steps();
        let rows = (0..steps.rows()).flat_map(|row| (0..steps.ops()).map(move |op| (row, op)));
        let step = |(row, op)| steps.step(row, op, component).map_or([u16::MAX; 2], |(to, map)| [to, map]);
        let mut words: Vec<u16> = rows.flat_map(step).collect();
        words.extend((0..steps.movements(component)).map(|map| steps.map(component, map as u16)[0]));
        words.into_iter().flat_map(u16::to_le_bytes).collect()
    }

    /// The state of a pattern, which may be rotated; `None` if moves cannot lead to it.
    pub fn state(&self, system: &System, pattern: &Pattern) -> Option<State> {
        let number = self.shape_of(system, pattern)?;
        let part = system.parts[self.shape.part].of_pattern(&system.reduction.normalized(pattern)?);
        let mut state = [0; MOST_COMPONENTS + 1];
        for (at, (component, arrangements)) in self.kept.iter().enumerate() {
            state[at + 1] = arrangements.number(&component.at(number, &part.pieces)?)?;
        }
        for (component, leader) in &self.linked {
            let kinds = component.at(number, &part.pieces)?;
            // Where all pieces of the leader differ, its kinds are the slots of the solved position.
            let follows = |leader: &usize| {
                let leading = self.kept[*leader].0.at(number, &part.pieces)?;
                let expected = leading.iter().map(|&slot| component.solved[usize::from(slot)]);
                Some(expected.eq(kinds.iter().copied()))
            };
            if leader.as_ref().is_some_and(|leader| follows(leader) != Some(true)) {
                return None;
            }
        }
        Some(self.steps.first(number, state))
    }

    /// The moves that operators stand for, from a pattern to the solved one, with free moves before, between and after them; `None`
    /// if they do not lead there.
    pub fn word(&self, system: &System, pattern: &Pattern, ops: &[Op]) -> Option<Vec<usize>> {
        let start = (self.shape_of(system, pattern)?, self.state(system, pattern)?);
        self.steps.word(system, &self.shape, start, ops)
    }
}
