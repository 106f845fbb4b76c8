//! Permutation puzzles given as data: orbits of pieces, moves, free rotations, and their provably shortest
//! solutions.
//!
//! | module | contents |
//! | --- | --- |
//! | [`fault`] | all faults of an input, reported together |
//! | [`model`] | orbits, transformations, patterns, moves, puzzles |

pub mod fault;
pub mod model;

pub use fault::Faults;
pub use model::{
    Illegal, Move, Orbit, OrbitPattern, OrbitTransformation, Pattern, Puzzle, PuzzleParts, Rotation,
    Transformation,
};
