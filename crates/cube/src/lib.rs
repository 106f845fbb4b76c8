//! Rubik's cube: domain, heuristics and the optimal solver cube-opt.
//!
//! | module | holds |
//! | --- | --- |
//! | [`cube`] | a legal cube, face turns, composition |
//! | [`symmetry`] | the 48 symmetries and conjugation |
//! | [`metric`] | half turns and quarter turns; the automata of the move rules |
//! | [`space`] | the search domain: a position and its inverse, moved at both ends |
//! | [`patterns`] | the pattern spaces whose distances are the heuristics |
//! | [`heuristics`] | the lower bounds, as the search asks for them |
//! | [`lanes`] | sixteen cubies at once |

pub mod cube;
pub mod heuristics;
pub mod lanes;
pub mod metric;
pub mod patterns;
pub mod space;
pub mod symmetry;

pub use cube::{Cube, Face, Turn};
pub use metric::Metric;
