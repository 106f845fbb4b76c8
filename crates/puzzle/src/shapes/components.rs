//! Shapes, and the components of their places.
//!
//! The idea: two pairs of a shape and a place are joined if a move carries the piece of one to the other. The sets of joined pairs
//! are the components. Every move has an inverse, so each component has as many places in every shape.

use std::collections::HashMap;

use search_core::{Cancelled, Run};

use crate::coordinate::{Coordinate, MOST_STATES, NONE, Projection};
use crate::system::System;

/// The shapes of a puzzle, numbered from 0, the solved one.
#[derive(Debug)]
pub(super) struct Shape {
    /// The number of the part with rules.
    pub part: usize,
    /// The coordinate that decides the rules, and those of all other parts.
    pub coordinates: Vec<Coordinate>,
    numbers: HashMap<Vec<u16>, u16>,
    /// The number of moves.
    pub moves: usize,
    /// For each shape and move, the shape that the move leads to, or [`NONE`].
    pub next: Vec<u16>,
}

/// A set of places in each shape between which moves carry pieces.
#[derive(Debug)]
pub(super) struct Component {
    count: usize,
    /// For each shape, the places of the slots, in ascending order.
    places: Vec<u8>,
    /// The kind at each slot of the solved position.
    pub solved: Vec<u8>,
    /// The label of each kind.
    pub labels: Vec<u8>,
    /// The different movements of slots: for each slot, the one from which its piece comes.
    pub movements: Vec<Vec<u8>>,
    /// For each shape and move, the number of the movement; 0 where the move is illegal.
    pub of_moves: Vec<u16>,
}

impl Shape {
    /// The shapes; `None` if the puzzle has no rules, rules in several parts, turning pieces with rules, or too many shapes.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(super) fn new(system: &System, run: &Run<'_>) -> Result<Option<Shape>, Cancelled> {
        let mut ruled = system.parts.iter().enumerate().filter(|(_, part)| !part.illegal.is_empty());
        let (Some((number, part)), None) = (ruled.next(), ruled.next()) else { return Ok(None) };
        if part.kinds().iter().any(|kind| kind.1 > 1) {
            return Ok(None);
        }
        let projection = Projection::ruled(number, part);
        let is_of_shape = |of: &&Coordinate| of.projection == projection || of.projection.part != number;
        let coordinates: Vec<Coordinate> = system.coordinates.iter().filter(is_of_shape).cloned().collect();
        if !coordinates.iter().any(|of| of.projection == projection) {
            return Ok(None);
        }
        let moves = system.moves();
        let solved = vec![0; coordinates.len()];
        let mut shape = Shape {
            part: number,
            numbers: HashMap::from([(solved.clone(), 0)]),
            next: Vec::new(),
            moves,
            coordinates,
        };
        let (mut found, mut at) = (vec![solved], 0);
        while at < found.len() {
            run.check()?;
            for op in 0..moves {
                let next = |(state, of): (&u16, &Coordinate)| of.next()[usize::from(*state) * moves + op];
                let to: Vec<u16> = found[at].iter().zip(&shape.coordinates).map(next).collect();
                if to.contains(&NONE) {
                    shape.next.push(NONE);
                    continue;
                }
                let new = u16::try_from(found.len()).expect("at most MOST_STATES shapes");
                let to_number = *shape.numbers.entry(to.clone()).or_insert(new);
                if to_number == new {
                    if found.len() == MOST_STATES {
                        return Ok(None);
                    }
                    found.push(to);
                }
                shape.next.push(to_number);
            }
            at += 1;
        }
        Ok(Some(shape))
    }

    /// The number of shapes.
    pub(super) fn count(&self) -> usize {
        self.numbers.len()
    }

    /// The number of the shape with these states of the coordinates.
    pub(super) fn number(&self, states: &[u16]) -> Option<usize> {
        self.numbers.get(states).map(|&number| usize::from(number))
    }

    /// The shape that a move leads to; `None` if the move is illegal.
    pub(super) fn after(&self, shape: usize, op: usize) -> Option<usize> {
        let to = self.next[shape * self.moves + op];
        (to != NONE).then_some(usize::from(to))
    }

    /// The components of the part with rules.
    pub(super) fn components(&self, system: &System) -> Vec<Component> {
        let part = &system.parts[self.part];
        let (moves, places) = (self.moves, part.places.len());
        let mut joined = Joined((0..self.count() * places).collect());
        for (shape, op) in (0..self.count()).flat_map(|shape| (0..moves).map(move |op| (shape, op))) {
            let Some(after) = self.after(shape, op) else { continue };
            for (to, &from) in part.moves[op].from.iter().enumerate() {
                joined.join(shape * places + usize::from(from), after * places + to);
            }
        }
        let roots: Vec<usize> = (0..self.count() * places).map(|pair| joined.root(pair)).collect();
        let mut of_solved: Vec<usize> = roots[..places].to_vec();
        of_solved.sort_unstable();
        of_solved.dedup();
        let component = |&root: &usize| {
            let slots = |shape: usize| -> Vec<u8> {
                let own = roots[shape * places..][..places].iter().enumerate();
                own.filter(|(_, of)| **of == root).map(|(place, _)| place as u8).collect()
            };
            let slots: Vec<Vec<u8>> = (0..self.count()).map(slots).collect();
            let mut labels = Vec::new();
            let solved = slots[0].iter().map(|&place| {
                let label = part.solved.pieces[usize::from(place)];
                let kind = labels.iter().position(|&known| known == label).unwrap_or_else(|| {
                    labels.push(label);
                    labels.len() - 1
                });
                kind as u8
            });
            let solved: Vec<u8> = solved.collect();
            let mut numbers: HashMap<Vec<u8>, u16> = HashMap::new();
            let (mut movements, mut of_moves) = (Vec::new(), Vec::new());
            for shape in 0..self.count() {
                for (op, step) in part.moves.iter().enumerate() {
                    let Some(after) = self.after(shape, op) else {
                        of_moves.push(0);
                        continue;
                    };
                    let from = |&place: &u8| {
                        let from = step.from[usize::from(place)];
                        let slot = slots[shape].binary_search(&from).expect("a place of the component");
                        slot as u8
                    };
                    let movement: Vec<u8> = slots[after].iter().map(from).collect();
                    // The number of movements is at most that of shapes and moves, far fewer in fact.
                    let number = *numbers.entry(movement.clone()).or_insert_with(|| {
                        movements.push(movement);
                        (movements.len() - 1) as u16
                    });
                    of_moves.push(number);
                }
            }
            Component { count: solved.len(), places: slots.concat(), solved, labels, movements, of_moves }
        };
        of_solved.iter().map(component).collect()
    }
}

impl Component {
    /// The number of kinds of pieces.
    pub(super) fn kinds(&self) -> usize {
        self.labels.len()
    }

    /// Whether all pieces differ.
    pub(super) fn is_distinct(&self) -> bool {
        self.kinds() == self.solved.len()
    }

    /// Whether the slots of another component move as those of this one in every shape.
    pub(super) fn moves_as(&self, other: &Component) -> bool {
        self.movements == other.movements && self.of_moves == other.of_moves
    }

    /// The kinds at the slots of a shape; `None` if there are other pieces.
    pub(super) fn at(&self, shape: usize, pieces: &[u8]) -> Option<Vec<u8>> {
        let places = &self.places[shape * self.count..][..self.count];
        let kind = |&place: &u8| {
            let label = pieces[usize::from(place)];
            self.labels.iter().position(|&known| known == label).map(|kind| kind as u8)
        };
        places.iter().map(kind).collect()
    }
}

/// Sets that are joined: the parent of each member.
struct Joined(Vec<usize>);

impl Joined {
    fn root(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let [a, b] = [self.root(a), self.root(b)];
        // The least is the root, so sets are in the order of their first places of the solved shape.
        let (least, other) = (a.min(b), a.max(b));
        self.0[other] = least;
    }
}
