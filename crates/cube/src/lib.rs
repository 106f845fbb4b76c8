//! Rubik's cube: domain, heuristics and the optimal solver cube-opt.
//!
//! | module | holds |
//! | --- | --- |
//! | [`cube`] | a legal cube, face turns, composition |
//! | [`symmetry`] | the 48 symmetries and conjugation |
//! | [`notation`] | moves, facelets, Reid's cubies: parsing and printing, every fault by name |
//! | [`metric`] | half turns and quarter turns; the automata of the move rules |
//! | [`space`] | the search domain: a position and its inverse, moved at both ends |
//! | [`patterns`] | the pattern spaces whose distances are the heuristics |
//! | [`heuristics`] | the lower bounds, as the search asks for them |
//! | [`tables`] | the tables that the heuristics read |
//! | [`choice`] | the heuristics by name |
//! | [`solver`] | a heuristic, its tables and the search wired together |
//! | [`lanes`] | sixteen cubies at once |

pub mod choice;
pub mod cube;
pub mod heuristics;
pub mod lanes;
pub mod metric;
pub mod notation;
pub mod patterns;
pub mod solver;
pub mod space;
pub mod symmetry;
pub mod tables;

pub use choice::Choice;
pub use cube::{Cube, Face, Turn};
pub use metric::Metric;
pub use solver::Solver;
