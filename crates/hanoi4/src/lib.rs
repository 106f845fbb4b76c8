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
//! | [`run`] | a whole search: progress, checkpoints |
//! | [`corners`] | the fast builder of databases |
//! | [`database`] | pattern databases for many goals |
//! | [`tables`] | the same as table files |
//! | [`splittings`] | the heuristic of the half-depth search |
//! | [`verify`] | proofs of presumed-optimal lengths |
//! | [`three`] | three pegs: shortest paths by recursion |
//! | [`solve`] | shortest paths between any two states |
//! | [`packed`] | the puzzle for the library's frontier search |
//! | [`cli`] | the command line |

pub mod bitmap;
#[cfg(feature = "cli")]
pub mod cli;
pub mod corners;
pub mod database;
pub mod model;
pub mod packed;
pub mod pegs;
pub mod plain;
pub mod presumed;
pub mod run;
pub mod solve;
pub mod splittings;
pub mod tables;
pub mod three;
pub mod verify;
