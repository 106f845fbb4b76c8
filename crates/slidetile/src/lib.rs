//! Sliding tiles from 2x2 to 6x6: domain, heuristics, learned automaton and the optimal solver
//! tile24 (Korf & Taylor 1996, "Finding Optimal Solutions to the Twenty-Four Puzzle").
//!
//! | room | holds |
//! | --- | --- |
//! | [`board`] | sizes, cells, the blank's moves |
//! | [`tiles`] | arrangements, notation, faults, parity |
//! | [`puzzle`] | the domain |
//! | [`random`] | seeded instances |
//! | [`fsm`] | duplicate strings and automata |
//! | [`heuristic`] | lower bounds |

pub mod board;
pub mod fsm;
pub mod heuristic;
pub mod puzzle;
pub mod random;
pub mod tiles;

pub use board::Board;
pub use puzzle::Puzzle;
pub use tiles::{Fault, Faults, Tiles};
