//! Four-peg Towers of Hanoi: frontier search over bitmaps, many-goal pattern databases.
//!
//! Reproduces the system of Korf & Felner 2006, "Recent Progress in Heuristic Search: A Case Study
//! of the Four-Peg Towers of Hanoi Problem".
//!
//! ```
//! use hanoi4::model::Puzzle;
//! use hanoi4::solve::shortest_path;
//! use search_core::Run;
//!
//! let puzzle = Puzzle::new(8, 4)?;
//! let (from, to) = (puzzle.parse("00000000")?, puzzle.parse("33333333")?);
//! let report = shortest_path(&puzzle, from, to, u32::MAX, &Run::new())?;
//! assert_eq!(report.ending.length(), Some(33));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | contents |
//! | --- | --- |
//! | [`model`] | states, moves, notation |
//! | [`presumed`] | Frame–Stewart lengths and solutions |
//! | [`pegs`] | permutations of the pegs |
//! | [`mod@reference`] | distances of all states: the reference implementation |
//! | [`bitmap`] | breadth-first search over bitmaps |
//! | [`layer_search`] | a complete search with progress and checkpoints |
//! | [`corners`] | the fast builder of databases; distances to one goal |
//! | [`error`] | the error of every search |
//! | [`database`] | pattern databases for many goals |
//! | [`goals`] | the goals of pattern databases |
//! | [`tables`] | pattern databases as table files |
//! | [`splittings`] | the heuristic of the half-depth search |
//! | [`verify`] | proofs of presumed-optimal lengths |
//! | [`cost`] | what searches and proofs cost |
//! | [`three_pegs`] | three pegs: shortest paths by recursion |
//! | [`solve`] | shortest paths between any two states |
//! | [`towers`] | which search answers an instance |
//! | [`graph`] | any graph of 3 to 6 pegs: complete searches, shortest paths |
//! | [`picture`] | drawings of states |
//! | [`packed`] | the puzzle as a domain of the library's frontier search |
//! | [`cli`] | the command line |

pub mod bitmap;
#[cfg(feature = "cli")]
pub mod cli;
pub mod corners;
pub mod cost;
pub mod database;
pub mod error;
pub mod goals;
pub mod graph;
pub mod layer_search;
pub mod model;
pub mod packed;
pub mod pegs;
pub mod picture;
pub mod presumed;
pub mod reference;
pub mod solve;
pub mod splittings;
pub mod tables;
pub mod three_pegs;
pub mod towers;
pub mod verify;
