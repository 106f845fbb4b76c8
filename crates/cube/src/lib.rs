//! Rubik's cube: domain, heuristics and the optimal solver cube-opt.
//!
//! | module | holds |
//! | --- | --- |
//! | [`cube`] | a legal cube, face turns, composition |
//! | [`symmetry`] | the 48 symmetries and conjugation |
//! | [`mask`] | goals that leave out some pieces, or how they are turned |
//! | [`notation`] | moves, facelets, Reid's cubies: parsing and printing, every fault by name |
//! | [`metric`] | half turns and quarter turns; the automata of the move rules |
//! | [`analysis`] | how many cubes have each value of a heuristic |
//! | [`cli`] | the command line |
//! | [`random`] | uniformly random cubes |
//! | [`perft`] | a naive enumerator of all cubes at each distance |
//! | [`space`] | the search domain: a position and its inverse, moved at both ends |
//! | [`shamir`] | the Fiat-Shamir search: products of quarter-depth lists, in order |
//! | [`patterns`] | the pattern spaces whose distances are the heuristics |
//! | [`heuristics`] | the lower bounds, as the search asks for them |
//! | [`tables`] | the tables that the heuristics read |
//! | [`choice`] | the heuristics by name |
//! | [`estimate`] | how long a solve takes with each table on this machine |
//! | [`solver`] | a heuristic, its tables and the search wired together |
//! | [`lanes`] | sixteen cubies at once |

pub mod analysis;
pub mod choice;
#[cfg(feature = "cli")]
pub mod cli;
pub mod cube;
pub mod estimate;
pub mod heuristics;
pub mod lanes;
pub mod mask;
pub mod metric;
pub mod notation;
pub mod patterns;
pub mod perft;
pub mod random;
pub mod shamir;
pub mod solver;
pub mod space;
pub mod symmetry;
pub mod tables;

pub use choice::Choice;
pub use cube::{Cube, Face, Turn};
pub use mask::Mask;
pub use metric::Metric;
pub use solver::Solver;
