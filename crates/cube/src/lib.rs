//! Rubik's cube: domain, heuristics and the optimal solver cube-opt.
//!
//! ```
//! use cube::{Ask, Solver, notation::scramble};
//! use search_core::{Run, table::Store};
//!
//! // The budget decides which heuristic is best: a mebibyte is too little for any table, all of the
//! // memory (`Run::new()`) allows the fastest search.
//! let run = Run::new().with_memory(1 << 20);
//! let store = Store::new(std::env::temp_dir().join("optimal-puzzles"), "example");
//! let solver = Solver::best(&store, &run)?;
//! let cube = scramble::parse("R U R' F2")?.cube();
//! let answer = solver.solve(&Ask::new(cube), &run)?;
//! let solution = answer.best().expect("every cube has a solution");
//! assert_eq!(scramble::format_moves(solution.iter().copied()), "F2 R U' R'");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! From the ground up (a module imports only modules above it):
//!
//! | module | contents |
//! | --- | --- |
//! | [`cube`] | a legal cube, face turns, composition |
//! | [`symmetry`] | the 48 symmetries and conjugation |
//! | [`metric`] | half turns and quarter turns; the automata of the move rules |
//! | [`mask`] | goals that leave positions or orientations open |
//! | [`lanes`] | byte shuffles of sixteen cubies at once |
//! | [`space`] | the search domain: a position and its inverse, moved at both ends |
//! | [`notation`] | moves, facelets, Reid's cubies: parsing and printing, every fault by name |
//! | [`random`] | uniformly random cubes |
//! | [`perft`] | a naive enumerator of all cubes at each distance |
//! | [`pdb`] | the pattern spaces whose distances are the heuristics |
//! | [`tables`] | the recipes of their tables |
//! | [`two_phase`] | good solutions at once: Kociemba's two-phase search |
//! | [`heuristics`] | the families of lower bounds, and heuristics by name |
//! | `solver` | a heuristic, its tables and a search that uses the cube's symmetries |
//! | [`moves`] | sets of chosen moves: their group, its tables, shortest solutions with them alone |
//! | [`shamir`] | the Fiat-Shamir search: products of quarter-depth lists, in order |
//! | [`strategy`] | the one solver that all callers use: heuristic, stages and algorithm are chosen here |
//! | [`fmc`] | fixed moves at the ends of solutions, moves on the inverse scramble, insertions |
//! | [`recipes`] | the recipe of a table by its name |
//! | [`algs`] | sets of algorithms: the cases of the last layer, all short solutions, their ranking |
//! | [`analysis`] | the distribution of a heuristic's values over all cubes |
//! | [`cli`] | the command line |

// Vector instructions with 64-bit addresses: for the nightly compiler alone.
#![cfg_attr(target_arch = "wasm64", feature(simd_wasm64))]

pub mod algs;
pub mod analysis;
#[cfg(feature = "cli")]
pub mod cli;
pub mod cube;
pub mod fmc;
pub mod heuristics;
pub mod lanes;
pub mod mask;
pub mod metric;
pub mod moves;
pub mod notation;
pub mod pdb;
pub mod perft;
pub mod random;
pub mod recipes;
pub mod shamir;
pub(crate) mod solver;
pub mod space;
pub mod strategy;
pub mod symmetry;
pub mod tables;
#[cfg(test)]
#[path = "../tests/unit/mod.rs"]
mod tests;
pub mod two_phase;

pub use cube::{Cube, Face, Turn};
pub use heuristics::HeuristicSpec;
pub use mask::Mask;
pub use metric::Metric;
pub use strategy::{Ask, Solver, SolverError, SolverSetup};
