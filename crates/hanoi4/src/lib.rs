//! Four-peg Towers of Hanoi: frontier search over bitmaps, many-goal pattern databases.
//!
//! Reproduces the system of Korf & Felner 2006, "Recent Progress in Heuristic Search: A Case Study
//! of the Four-Peg Towers of Hanoi Problem".
//!
//! | room | holds |
//! | --- | --- |
//! | [`model`] | states, moves, notation |
//! | [`presumed`] | Frame–Stewart lengths and solutions |
//! | [`pegs`] | permutations of the pegs |
//! | [`plain`] | the slow exact twin |
//! | [`bitmap`] | the fast engine |

pub mod bitmap;
pub mod database;
pub mod model;
pub mod pegs;
pub mod plain;
pub mod presumed;
pub mod splittings;
