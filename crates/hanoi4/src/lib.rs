//! Four-peg Towers of Hanoi: frontier search over bitmaps, many-goal pattern databases.
//!
//! Reproduces the system of Korf & Felner 2006, "Recent Progress in Heuristic Search: A Case Study
//! of the Four-Peg Towers of Hanoi Problem".
//!
//! ```
//! use hanoi4::model::Puzzle;
//! use hanoi4::strategy::{Ask, Solver};
//! use search_core::Run;
//!
//! let puzzle = Puzzle::new(8, 4)?;
//! let (from, to) = (puzzle.parse("00000000")?, puzzle.parse("33333333")?);
//! let answer = Solver::new().solve(&Ask::new(puzzle, from, to), &Run::new())?;
//! assert_eq!(answer.ending.length(), Some(33));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | contents |
//! | --- | --- |
//! | [`strategy`] | questions, and the choice of a search for each |
//! | [`model`] | states, moves |
//! | [`notation`] | states as people write them |
//! | [`presumed`] | Frame–Stewart lengths and solutions |
//! | [`pegs`] | permutations of the pegs |
//! | [`mod@reference`] | distances of all states: the reference implementation |
//! | [`bitmap`] | breadth-first search over bitmaps |
//! | [`layer_search`] | a complete search with progress and checkpoints |
//! | [`corners`] | the fast builder of databases; distances to one goal |
//! | [`error`] | the error of every search |
//! | [`pdb`] | pattern databases for many goals |
//! | [`goals`] | the goals of pattern databases |
//! | [`tables`] | pattern databases as table files |
//! | [`splittings`] | the heuristic of the half-depth search |
//! | [`verify`] | proofs of presumed-optimal lengths |
//! | [`cost`] | estimates of the cost of searches and proofs |
//! | [`both_ends`] | shortest paths by bitmaps from both ends |
//! | [`improve`] | shorter paths by optimal windows, and a lower bound by groups of discs |
//! | [`graph`] | any graph of 3 to 6 pegs: complete searches, shortest paths |
//! | [`cli`] | the command line |

pub mod bitmap;
pub mod both_ends;
#[cfg(feature = "cli")]
pub mod cli;
pub mod corners;
pub mod cost;
pub mod error;
pub mod goals;
pub mod graph;
pub mod improve;
mod layer_loop;
pub mod layer_search;
pub mod model;
pub mod notation;
pub mod pdb;
pub mod pegs;
#[cfg(feature = "cli")]
mod picture;
pub mod planning;
pub mod presumed;
mod recursion;
pub mod reference;
pub mod splittings;
pub mod strategy;
pub mod tables;
#[cfg(test)]
mod testing;
mod three_pegs;
pub mod verify;
