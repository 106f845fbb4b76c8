//! A shape and some pieces of its components as a pattern space: what a pattern database has.
//!
//! The idea: a row is a shape, or a class of shapes, with an arrangement in which a few pieces of one component are distinguished, or
//! none. The columns are arrangements of another component, all of whose pieces are distinguished, or, where memory is short, some. A
//! movement of that component is a map of the columns.
//!
//! Invariant: all entries of one class of positions are reached together, since the turns that keep a shape are a group.

use std::sync::Arc;

use search_core::pdb::{PatternSpace, Step};

use super::steps::{Movements, Steps};
use super::{ShapeView, Shapes, State};
use crate::coordinate::MOST_STATES;
use crate::space::Distances;

/// The number of a map that keeps every column.
const KEPT: u16 = u16::MAX;

/// The pieces that a product distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pieces {
    /// The number of the component whose arrangements are the columns.
    pub component: usize,
    /// The number of its first kinds that are distinguished from the others.
    pub kinds: usize,
    /// Another component, and the number of its first kinds that are distinguished.
    pub other: Option<(usize, usize)>,
}

/// Arrangements of a component in which only some kinds are distinguished.
#[derive(Clone, Debug)]
pub(super) struct Few {
    pub count: usize,
    /// The projection of each arrangement.
    numbers: Arc<[u16]>,
    /// For each movement, the projection that follows each.
    maps: Arc<[u16]>,
}

impl Few {
    fn new(shapes: &Shapes, component: usize, kinds: usize) -> Few {
        let steps = shapes.steps();
        let (few, numbers) = shapes.kept[component].1.projected(kinds);
        let map = |movement: usize| {
            let mut map = vec![0; few.count()];
            for (number, &to) in steps.map(component, movement as u16).iter().enumerate() {
                map[usize::from(numbers[number])] = numbers[usize::from(to)];
            }
            map
        };
        let maps: Vec<Vec<u16>> = (0..steps.movements(component)).map(map).collect();
        Few { count: few.count(), numbers: numbers.into(), maps: maps.concat().into() }
    }

    /// The projection of an arrangement.
    #[inline(always)]
    pub(super) fn number(&self, arrangement: u16) -> u16 {
        self.numbers[usize::from(arrangement)]
    }

    /// The projection that follows another by a movement.
    #[inline(always)]
    pub(super) fn moved(&self, movement: u16, number: u16) -> u16 {
        self.maps[usize::from(movement) * self.count + usize::from(number)]
    }

    /// For each movement, the projection that follows each.
    #[inline(always)]
    pub(super) fn maps(&self) -> &[u16] {
        &self.maps
    }

    fn map(&self, movement: u16) -> &[u16] {
        &self.maps[usize::from(movement) * self.count..][..self.count]
    }
}

/// The shapes of a puzzle with some pieces of its components.
#[derive(Clone, Debug)]
pub struct ShapeProduct {
    shapes: Arc<Shapes>,
    component: usize,
    columns: usize,
    /// Where not all kinds of the component are distinguished, the projection.
    projected: Option<Few>,
    /// The other component whose arrangement is a part of the row.
    other: Option<(usize, Few)>,
}

impl ShapeProduct {
    /// The product with these pieces; `None` if there are too many movements for maps, or too many rows.
    pub(crate) fn new(shapes: Arc<Shapes>, pieces: Pieces) -> Option<ShapeProduct> {
        let Pieces { component, kinds, other } = pieces;
        let steps = shapes.steps();
        if steps.movements(component) >= MOST_STATES {
            return None;
        }
        // With all but one kind, the last one is where no other is.
        let is_projected = kinds + 1 < shapes.kinds(component);
        let projected = is_projected.then(|| Few::new(&shapes, component, kinds));
        let columns = projected.as_ref().map_or(steps.arrangements(component), |few| few.count);
        let other = other.map(|(number, kinds)| (number, Few::new(&shapes, number, kinds)));
        let rows = steps.rows() * other.as_ref().map_or(1, |(_, few)| few.count);
        (rows as u64 <= 1 << 32).then_some(ShapeProduct { shapes, component, columns, projected, other })
    }

    /// The number of entries of the product with these pieces, before it is made.
    pub(crate) fn size(shapes: &Shapes, pieces: Pieces) -> f64 {
        let count = |component: usize, kinds: usize| {
            let arrangements = &shapes.kept[component].1;
            let is_projected = kinds + 1 < shapes.kinds(component);
            if is_projected { arrangements.count_of(kinds) } else { arrangements.count() as f64 }
        };
        let other = pieces.other.map_or(1.0, |(component, kinds)| count(component, kinds));
        shapes.steps().rows() as f64 * count(pieces.component, pieces.kinds) * other
    }

    /// The number of entries.
    pub fn entries(&self) -> u64 {
        (self.rows() * self.columns) as u64
    }

    /// The lookup in a table of its entries.
    pub(crate) fn view(&self, table: Arc<Distances>) -> ShapeView {
        ShapeView {
            component: self.component,
            columns: self.columns,
            projected: self.projected.clone(),
            other: self.other.clone(),
            table,
        }
    }

    /// The average number of operators that apply to an entry.
    pub(crate) fn mean_ops(&self) -> f64 {
        self.steps().mean_legal()
    }

    fn steps(&self) -> &Steps {
        self.shapes.steps()
    }

    /// The number of arrangements in each row's number.
    fn arrangements(&self) -> usize {
        self.other.as_ref().map_or(1, |(_, few)| few.count)
    }
}

impl PatternSpace for ShapeProduct {
    fn rows(&self) -> usize {
        self.steps().rows() * self.arrangements()
    }

    fn columns(&self) -> usize {
        self.columns
    }

    fn ops(&self) -> usize {
        self.steps().ops()
    }

    #[inline(always)]
    fn step(&self, row: usize, op: usize) -> Step {
        let count = self.arrangements();
        let (shape, arrangement) = (row / count, row % count);
        let Some((to, map)) = self.steps().step(shape, op, self.component) else {
            return Step { row: row as u32, map: KEPT, flip: 0 };
        };
        let after = self.other.as_ref().map_or(0, |(number, few)| {
            let (_, movement) = self.steps().step(shape, op, *number).expect("a legal operator");
            usize::from(few.moved(movement, arrangement as u16))
        });
        Step { row: (usize::from(to) * count + after) as u32, map, flip: 0 }
    }

    fn map(&self, id: u16) -> Option<&[u16]> {
        match &self.projected {
            _ if id == KEPT => None,
            Some(few) => Some(few.map(id)),
            None => Some(self.steps().map(self.component, id)),
        }
    }

    fn goals(&self) -> Vec<usize> {
        let entry = |goal: &State| {
            let of_other = |(number, few): &(usize, Few)| usize::from(few.number(goal[number + 1]));
            let row = usize::from(goal[0]) * self.arrangements() + self.other.as_ref().map_or(0, of_other);
            let arrangement = goal[self.component + 1];
            let column = self.projected.as_ref().map_or(arrangement, |few| few.number(arrangement));
            row * self.columns + usize::from(column)
        };
        self.steps().goals().iter().map(entry).collect()
    }

    fn aliases(&self, row: usize) -> Vec<Step> {
        let count = self.arrangements();
        let (shape, arrangement) = (row / count, row % count);
        let image = |movements: &Movements| {
            let after = self
                .other
                .as_ref()
                .map_or(0, |(number, few)| usize::from(few.moved(movements[*number], arrangement as u16)));
            Step { row: (shape * count + after) as u32, map: movements[self.component], flip: 0 }
        };
        self.steps().keeping(shape).iter().map(image).collect()
    }

    fn is_undirected(&self) -> bool {
        true
    }
}
