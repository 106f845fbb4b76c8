//! The positions of each shape: the group of loops at the solved shape.
//!
//! The idea: legal strings of moves that lead from the solved shape back to it are loops, and their effects are a group. Let a path
//! be a string of moves from the solved shape to another, one for each shape. The positions of a shape are those that loops lead to,
//! after the path. So all shapes have as many positions, and a uniformly random position is a random loop followed by the path
//! to a random shape.
//!
//! Why the group is complete: the loops `path(a) · m · path(b)⁻¹`, for each shape `a` and each move `m` that leads from it to a shape
//! `b`, generate it (Schreier's lemma, for the graph of shapes). Each of them is tested to be in the group.

use std::collections::HashSet;

use search_core::{Cancelled, Run};

use super::Shapes;
use crate::group::Group;
use crate::model::{Orbit, Pattern, Transformation};
use crate::system::System;

/// The loops at the solved shape, and a path to each shape.
#[derive(Clone, Debug)]
pub(crate) struct Loops {
    /// The group of the loops.
    pub group: Group,
    /// For each shape, the effect of a path to it.
    pub paths: Vec<Transformation>,
}

impl Loops {
    /// The loops of a puzzle with these orbits; `None` if there are too many points.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn new(
        shapes: &Shapes,
        system: &System,
        orbits: &[Orbit],
        run: &Run<'_>,
    ) -> Result<Option<Loops>, Cancelled> {
        let (shape, identity) = (&shapes.shape, Transformation::identity(orbits));
        let step = |op: usize| &system.reduction.moves()[op].transformation;
        let mut paths = vec![None; shape.count()];
        paths[0] = Some(identity.clone());
        let (mut found, mut at) = (vec![0], 0);
        while at < found.len() {
            let from: usize = found[at];
            let path = paths[from].clone().expect("a path to a shape that was found");
            for (to, op) in (0..shape.moves).filter_map(|op| Some((shape.after(from, op)?, op))) {
                if paths[to].is_none() {
                    paths[to] = Some(path.then(step(op)));
                    found.push(to);
                }
            }
            at += 1;
        }
        let paths: Vec<Transformation> = paths.into_iter().flatten().collect();
        let back: Vec<Transformation> = paths.iter().map(Transformation::inverse).collect();
        let mut generators = vec![identity];
        let Some(mut group) = Group::generated(orbits, &generators, run)? else { return Ok(None) };
        let mut known = HashSet::new();
        for (from, path) in paths.iter().enumerate() {
            run.check()?;
            for (to, op) in (0..shape.moves).filter_map(|op| Some((shape.after(from, op)?, op))) {
                let element = path.then(step(op)).then(&back[to]);
                if !known.insert(element.clone()) || group.contains(&element, run)? == Some(true) {
                    continue;
                }
                generators.push(element);
                match Group::generated(orbits, &generators, run)? {
                    Some(larger) => group = larger,
                    None => return Ok(None),
                }
            }
        }
        Ok(Some(Loops { group, paths }))
    }
}

impl Shapes {
    /// The number of the shape of a pattern; `None` if moves cannot lead to it.
    pub(crate) fn shape_of(&self, system: &System, pattern: &Pattern) -> Option<usize> {
        self.shape.number(&system.states(pattern, &self.shape.coordinates)?)
    }
}
