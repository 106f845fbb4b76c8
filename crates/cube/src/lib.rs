//! Rubik's cube: domain, heuristics and the optimal solver cube-opt.
//!
//! | module | holds |
//! | --- | --- |
//! | [`cube`] | a legal cube, face turns, composition |
//! | [`symmetry`] | the 48 symmetries and conjugation |
//! | [`metric`] | half turns and quarter turns; the automata of the move rules |

pub mod cube;
pub mod metric;
pub mod symmetry;

pub use cube::{Cube, Face, Turn};
pub use metric::Metric;
