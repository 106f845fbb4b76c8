//! The 48 symmetries of the cube and conjugation by them.
//!
//! The idea: a symmetry carries faces to faces. It carries the location named by some faces to
//! the location named by their images, and the slots of that location along; a rotation keeps the
//! clockwise order of a corner's slots, a reflection reverses it. So one shift per location and one
//! sign suffice: the conjugate of a cube has, at the image of each location, the image of its
//! cubie, with orientation `±o + shift(location) - shift(cubie)`.
//!
//! The distance to the solved cube is invariant under conjugation and under inversion, in both
//! metrics: symmetries permute the face turns and keep their kind.

use crate::cube::{CORNERS, Cube, EDGES, Face, Turn, find};
use std::sync::LazyLock;

/// A symmetry of the cube. Symmetries 0 to 15 preserve the axis U–D; symmetry `16 * k + i` is symmetry `i`, followed by
/// `k` rotations by 120 degrees around the corner URF (U→R→F→U).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry(u8);

/// The effect of a symmetry on faces, locations and slots.
#[derive(Clone, Debug)]
pub(crate) struct Action {
    /// Where each face goes.
    pub face: [Face; 6],
    /// Whether the symmetry is a rotation.
    pub proper: bool,
    /// Where each corner location goes.
    pub corner: [u8; 8],
    /// Which slot of its image a corner location's first slot becomes.
    pub corner_shift: [u8; 8],
    /// Where each edge location goes.
    pub edge: [u8; 12],
    /// Which slot of its image an edge location's first slot becomes.
    pub edge_shift: [u8; 12],
}

impl Symmetry {
    /// The number of symmetries.
    pub const COUNT: usize = 48;
    /// The symmetry that changes nothing.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// The symmetry of this number.
    ///
    /// # Panics
    /// If `index` is 48 or more.
    pub const fn from_index(index: usize) -> Symmetry {
        assert!(index < Symmetry::COUNT, "there are 48 symmetries");
        Symmetry(index as u8)
    }

    /// The symmetry's number.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// All symmetries in order.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..Symmetry::COUNT as u8).map(Symmetry)
    }

    /// The symmetries that leave `cube` unchanged: a group.
    pub fn of(cube: &Cube) -> Vec<Symmetry> {
        Symmetry::all().filter(|symmetry| symmetry.conjugate(cube) == *cube).collect()
    }

    /// The effect of this symmetry.
    #[inline]
    pub(crate) fn action(self) -> &'static Action {
        static ACTIONS: LazyLock<Vec<Action>> = LazyLock::new(actions);
        &ACTIONS[self.0 as usize]
    }

    /// This symmetry followed by `next`.
    #[must_use]
    pub fn then(self, next: Symmetry) -> Symmetry {
        let composed = Face::ALL.map(|f| next.action().face[self.action().face[f.index()].index()]);
        Symmetry::all().find(|s| s.action().face == composed).expect("symmetries form a group")
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub fn inverse(self) -> Symmetry {
        Symmetry::all().find(|s| self.then(*s) == Symmetry::IDENTITY).expect("symmetries form a group")
    }

    /// The image of `turn`: a reflection reverses its sense.
    pub fn turn(self, turn: Turn) -> Turn {
        let action = self.action();
        let quarters = if action.proper { turn.quarters() } else { 4 - turn.quarters() };
        Turn::new(action.face[turn.face().index()], quarters)
    }

    /// The conjugate of a cube: if some turns lead to `cube`, their images lead to the result.
    pub fn conjugate(self, cube: &Cube) -> Cube {
        let a = self.action();
        let mut image = Cube::SOLVED;
        for (at, v) in cube.corners.iter().enumerate() {
            let (cubie, twist) = (*v as usize & 15, v >> 4);
            let twist = if a.proper { twist } else { 3 - twist };
            let twist = (twist + a.corner_shift[at] + 3 - a.corner_shift[cubie]) % 3;
            image.corners[a.corner[at] as usize] = a.corner[cubie] | twist << 4;
        }
        for (at, v) in cube.edges.iter().enumerate() {
            let cubie = *v as usize & 15;
            let flip = v >> 4 ^ a.edge_shift[at] ^ a.edge_shift[cubie];
            image.edges[a.edge[at] as usize] = a.edge[cubie] | flip << 4;
        }
        image
    }
}

/// Builds the table of actions from three generators and the reflection in the plane between L and R.
fn actions() -> Vec<Action> {
    use Face::{B, D, F, L, R, U};
    // In the order U R F D L B: where each face goes.
    let quarter_around_ud = [U, B, R, D, F, L];
    let half_around_fb = [D, L, F, U, R, B];
    let mirror = [U, L, F, D, R, B];
    let third_around_urf = [R, F, U, L, B, D];
    let then = |a: [Face; 6], b: [Face; 6]| a.map(|f| b[f.index()]);
    let power = |a: [Face; 6], n: usize| (0..n).fold(Face::ALL, |f, _| then(f, a));
    (0..Symmetry::COUNT)
        .map(|i| {
            let keeping_axis = then(
                then(power(mirror, i & 1), power(quarter_around_ud, i >> 1 & 3)),
                power(half_around_fb, i >> 3 & 1),
            );
            action(then(keeping_axis, power(third_around_urf, i / 16)), i & 1 == 0)
        })
        .collect()
}

fn action(face: [Face; 6], proper: bool) -> Action {
    let image = |f: Face| face[f.index()];
    let corner = CORNERS.map(|names| find(&CORNERS, names.map(image)));
    let edge = EDGES.map(|names| find(&EDGES, names.map(image)));
    Action {
        face,
        proper,
        corner: corner.map(|(at, _)| at as u8),
        corner_shift: corner.map(|(_, slot)| slot as u8),
        edge: edge.map(|(at, _)| at as u8),
        edge_shift: edge.map(|(_, slot)| slot as u8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_48_are_distinct_and_the_first_16_keep_the_axis() {
        for s in Symmetry::all() {
            assert!(Symmetry::all().all(|t| s == t || s.action().face != t.action().face));
            assert_eq!(s.then(s.inverse()), Symmetry::IDENTITY);
            let up = s.action().face[Face::U.index()];
            assert_eq!(s.0 < 16, up == Face::U || up == Face::D);
        }
    }

    #[test]
    fn conjugation_carries_turns_to_turns_and_respects_composition() {
        let mixed = Cube::SOLVED.apply_all([1, 3, 8, 10, 14, 15, 2, 6, 12].map(Turn::from_index));
        for s in Symmetry::all() {
            for turn in Turn::all() {
                assert_eq!(s.conjugate(Cube::of_turn(turn)), *Cube::of_turn(s.turn(turn)));
                let moved = s.conjugate(&mixed).apply(s.turn(turn));
                assert_eq!(moved, s.conjugate(&mixed.apply(turn)));
            }
            assert_eq!(s.conjugate(&mixed.inverse()), s.conjugate(&mixed).inverse());
            assert_eq!(s.inverse().conjugate(&s.conjugate(&mixed)), mixed);
        }
    }
}
