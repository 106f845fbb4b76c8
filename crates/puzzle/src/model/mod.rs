//! Orbits of pieces, transformations of them, patterns, moves, and puzzles made of these.
//!
//! An **orbit** has places and as many pieces; moves permute the pieces of an orbit among its places and turn them.
//! A [`Transformation`] says for each place which place its piece comes from, and by how much that piece turns. A
//! [`Pattern`] is a state: it has a piece and an orientation at each place. Pieces with equal labels look alike.
//!
//! Invariant: every [`Puzzle`] is consistent. Its constructor checks that all transformations permute the places of
//! their orbits, and that the solved pattern and the rules name existing places and pieces.

mod pattern;
mod puzzle;
#[cfg(test)]
mod tests;
mod transformation;

pub use pattern::{OrbitPattern, Pattern};
pub use puzzle::{Illegal, MOST_MOVES, Move, Puzzle, PuzzleParts, Rotation};
pub use transformation::{OrbitTransformation, Transformation};

/// The maximum number of places of an orbit.
pub const MOST_PLACES: usize = 256;
/// The maximum number of orientations of a piece.
pub const MOST_ORIENTATIONS: usize = 255;

/// A set of pieces that moves permute among themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orbit {
    /// Its name.
    pub name: String,
    /// The number of places, equal to that of pieces, from 1 to [`MOST_PLACES`].
    pub pieces: usize,
    /// The number of orientations of each piece, from 1 to [`MOST_ORIENTATIONS`].
    pub orientations: usize,
}

impl Orbit {
    /// The faults of the numbers.
    pub fn faults(&self) -> Vec<String> {
        let Orbit { name, pieces, orientations } = self;
        let mut faults = Vec::new();
        if !(1..=MOST_PLACES).contains(pieces) {
            faults.push(format!("orbit {name} has {pieces} pieces instead of 1 to {MOST_PLACES}"));
        }
        if !(1..=MOST_ORIENTATIONS).contains(orientations) {
            faults.push(format!(
                "pieces of orbit {name} have {orientations} orientations instead of 1 to {MOST_ORIENTATIONS}"
            ));
        }
        faults
    }
}
