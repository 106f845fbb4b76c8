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
//! | [`rotation`] | positions that differ by a free rotation are one |
//! | [`part`] | sets of places that moves connect |
//! | [`coordinate`] | small projections of a part, numbered, with tables of moves |
//! | [`product`] | products of coordinates as pattern spaces |
//! | [`system`] | a puzzle as coordinates |
//! | [`space`] | the domain of a search, and its lower bound |
//! | [`database`] | the recipes of pattern databases |
//! | [`count`] | the number of positions at each depth |
//! | `strategy` | the choice of pattern databases for the user |
//! | `ask` | the request for one search |
//! | [`solver`] | a puzzle, pattern databases and an automaton |
//! | [`solution`] | solutions as text, replayed |

mod ask;
pub mod coordinate;
pub mod count;
pub mod database;
pub mod definition;
pub mod fault;
pub mod formats;
pub mod group;
pub mod model;
pub mod notation;
pub mod part;
pub mod product;
pub mod rotation;
pub mod solution;
pub mod solver;
pub mod space;
pub mod states;
mod strategy;
pub mod system;

pub use ask::Ask;
pub use definition::{Definition, Selected, Selection};
pub use fault::Faults;
pub use group::Group;
pub use model::{
    Illegal, Move, Orbit, OrbitPattern, OrbitTransformation, Pattern, Puzzle, PuzzleParts, Rotation,
    Transformation,
};
pub use solver::{Solver, SolverError};
pub use strategy::SolverSetup;
