//! Sliding tiles from 2x2 to 6x6: domain, heuristics, learned automaton and the optimal solver
//! tile24 (Korf & Taylor 1996, "Finding Optimal Solutions to the Twenty-Four Puzzle").
//!
//! ```
//! use search_core::{Run, ida::Config, table::Store};
//! use slidetile::{Puzzle, Tiles, solver::Solver};
//!
//! let run = Run::new();
//! let (board, tiles) = Tiles::parse("1 4 2 3 0 5 6 7 8", None)?;
//! let store = Store::new(std::env::temp_dir().join("optimal-puzzles"), "example");
//! let solver = Solver::best(Puzzle::blank_first(board), &store, &run)?;
//! let report = solver.solve(&tiles, &Config::default(), &run);
//! assert_eq!(report.ending.length(), Some(2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | contents |
//! | --- | --- |
//! | [`board`] | sizes, cells, the blank's moves |
//! | [`tiles`] | arrangements, notation, faults, parity |
//! | [`puzzle`] | the domain |
//! | [`random`] | seeded instances |
//! | [`fsm`] | duplicate strings and automata |
//! | [`heuristic`] | lower bounds |
//! | [`pdb`] | additive pattern databases |
//! | [`packed`] | arrangements as numbers, for frontier search |
//! | [`tables`] | the recipes of the tables |
//! | [`solver`] | a puzzle, a heuristic and an automaton, ready to solve |
//! | [`cli`] | the command line `tile24` |

pub mod board;
#[cfg(feature = "cli")]
pub mod cli;
pub mod fsm;
pub mod heuristic;
pub mod packed;
pub mod pdb;
pub mod puzzle;
pub mod random;
pub mod solver;
pub mod tables;
pub mod tiles;

pub use board::Board;
pub use puzzle::Puzzle;
pub use tiles::{Fault, Faults, Tiles};
