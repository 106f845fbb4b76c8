//! The orientation in which the whole cube is held: which of its faces is where.
//!
//! The faces of the cube keep their names (those of their centres) while the whole cube is rotated. A person
//! names places: "U" is the face that is up now. An orientation translates between the two.

use crate::cube::{Cube, Face, Turn};
use crate::symmetry::Symmetry;
use std::{fmt, iter};

/// The face of the cube at each of the six places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Orientation {
    /// The face at the place `U`, `R`, `F`, `D`, `L`, `B`.
    at: [Face; 6],
}

impl Orientation {
    /// Every face at its own place.
    pub const HOME: Orientation = Orientation { at: Face::ALL };

    /// All 24 orientations, beginning with [`HOME`](Orientation::HOME).
    pub fn all() -> impl Iterator<Item = Orientation> {
        (0..24).map(|i| {
            let tip = match i / 4 {
                4 => Orientation::HOME.rotated(Face::F, 1),
                5 => Orientation::HOME.rotated(Face::F, 3),
                quarters => Orientation::HOME.rotated(Face::R, quarters),
            };
            tip.rotated(Face::U, i % 4)
        })
    }

    /// The face of the cube that is at `place`.
    pub(crate) fn face_at(&self, place: Face) -> Face {
        self.at[place.index()]
    }

    /// The place where a face of the cube is.
    pub(crate) fn place_of(&self, face: Face) -> Face {
        *Face::ALL.iter().find(|&&place| self.face_at(place) == face).expect("every face has a place")
    }

    /// The orientation after a rotation of the whole cube by quarter turns, clockwise as seen from `place`:
    /// `x` follows R, `y` follows U, `z` follows F.
    #[must_use]
    pub(crate) fn rotated(&self, place: Face, quarters: u8) -> Orientation {
        let around = place.around();
        let mut next = *self;
        for (i, &from) in around.iter().enumerate() {
            let to = around[(i + usize::from(quarters)) % 4];
            next.at[to.index()] = self.face_at(from);
        }
        next
    }

    /// The inverse rotation.
    #[must_use]
    pub fn inverse(&self) -> Orientation {
        Orientation { at: Face::ALL.map(|face| self.place_of(face)) }
    }

    /// Translates a turn of the face at a place to the turn of the cube's own face.
    pub fn from_held(&self, turn: Turn) -> Turn {
        Turn::new(self.face_at(turn.face()), turn.quarters())
    }

    /// Translates a turn of the cube's own face to the turn of the face at a place.
    pub(crate) fn to_held(self, turn: Turn) -> Turn {
        Turn::new(self.place_of(turn.face()), turn.quarters())
    }

    /// Renames the pieces of a cube from places to its own faces.
    pub(crate) fn cube_from_held(&self, held: &Cube) -> Cube {
        self.symmetry().conjugate(held)
    }

    /// Renames the pieces of a cube from its own faces to places.
    pub(crate) fn held_from_cube(&self, cube: &Cube) -> Cube {
        self.symmetry().inverse().conjugate(cube)
    }

    /// The symmetry that maps each place to the face that is there.
    pub(crate) fn symmetry(&self) -> Symmetry {
        let carries = |s: &Symmetry| s.action().face == self.at;
        Symmetry::all().find(carries).expect("rotations are symmetries")
    }
}

/// The shortest rotations that lead here from home: none, `y`, `x2 y'` and so on.
impl fmt::Display for Orientation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axes = [(Face::R, "x"), (Face::U, "y"), (Face::F, "z")];
        let around = |(place, axis): (Face, &'static str)| {
            [(1, ""), (2, "2"), (3, "'")].map(|(n, amount)| (place, n, format!("{axis}{amount}")))
        };
        let nothing = (Face::R, 0, String::new());
        let rotations: Vec<_> = iter::once(nothing).chain(axes.into_iter().flat_map(around)).collect();
        let mut pairs = rotations.iter().flat_map(|a| rotations.iter().map(move |b| (a, b)));
        let (a, b) = pairs
            .find(|(a, b)| Orientation::HOME.rotated(a.0, a.1).rotated(b.0, b.1) == *self)
            .expect("two rotations reach every orientation");
        f.write_str(format!("{} {}", a.2, b.2).trim())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_24_are_distinct_and_are_the_rotations_among_the_symmetries() {
        let all: Vec<_> = Orientation::all().collect();
        assert_eq!(all[0], Orientation::HOME);
        assert!((0..24).all(|i| (0..i).all(|j| all[i] != all[j])));
        for s in Symmetry::all() {
            assert_eq!(all.iter().any(|held| held.at == s.action().face), s.action().proper);
        }
    }

    #[test]
    fn places_and_faces_translate_both_ways() {
        let x = Orientation::HOME.rotated(Face::R, 1);
        assert_eq!((x.face_at(Face::U), x.place_of(Face::F)), (Face::F, Face::U));
        for orientation in Orientation::all() {
            for turn in Turn::all() {
                assert_eq!(orientation.from_held(orientation.to_held(turn)), turn);
            }
        }
    }

    #[test]
    fn an_orientation_is_written_as_rotations() {
        let text = |place, n| Orientation::HOME.rotated(place, n).to_string();
        assert_eq!(Orientation::HOME.to_string(), "");
        assert_eq!(
            [text(Face::R, 1), text(Face::L, 1), text(Face::U, 2), text(Face::F, 3)],
            ["x", "x'", "y2", "z'"]
        );
        assert_eq!(Orientation::HOME.rotated(Face::R, 1).rotated(Face::U, 1).to_string(), "x y");
        assert!(Orientation::all().all(|o| o.to_string().split_whitespace().count() <= 2));
    }
}
