//! Permutation puzzles given as data: orbits of pieces, moves, free rotations, and their provably shortest
//! solutions.
//!
//! | module | contents |
//! | --- | --- |
//! | [`fault`] | all faults of an input, reported together |
//! | [`model`] | orbits, transformations, patterns, moves, puzzles |
//! | [`notation`] | algorithms in the notation of a puzzle |
//! | [`definition`] | puzzles as files describe them; the choice of moves and rotations |
//! | [`formats`] | files that describe puzzles and states |
//! | [`group`] | the group that moves generate: order, membership, random elements |
//! | [`states`] | states as people write them |

pub mod definition;
pub mod fault;
pub mod formats;
pub mod group;
pub mod model;
pub mod notation;
pub mod states;

pub use definition::{Definition, Selected, Selection};
pub use fault::Faults;
pub use group::Group;
pub use model::{
    Illegal, Move, Orbit, OrbitPattern, OrbitTransformation, Pattern, Puzzle, PuzzleParts, Rotation,
    Transformation,
};
