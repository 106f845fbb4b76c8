//! Sliding tiles from 2x2 to 10x10: domain, heuristics, learned automaton and the optimal solver
//! tile24 (Korf & Taylor 1996, "Finding Optimal Solutions to the Twenty-Four Puzzle").
//!
//! ```
//! use search_core::{Run, table::Store};
//! use slidetile::{Ask, Puzzle, SolverSetup, Solver, Tiles};
//!
//! let run = Run::new();
//! let (board, tiles) = Tiles::parse("1 4 2 3 0 5 6 7 8", None)?;
//! let store = Store::new(std::env::temp_dir().join("optimal-puzzles"), "example");
//! let solver = Solver::load(Puzzle::blank_first(board), SolverSetup::default(), &store, &run)?;
//! let answer = solver.solve(&Ask::new(tiles), &run)?;
//! assert_eq!(answer.ending.length(), Some(2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | contents |
//! | --- | --- |
//! | [`board`] | sizes, cells, the blank's moves |
//! | [`notation`] | boards as people write them |
//! | `fault` | the faults of tiles as they were given |
//! | [`tiles`] | arrangements, parity |
//! | [`puzzle`] | the domain |
//! | [`random`] | seeded instances |
//! | [`fsm`] | duplicate strings and automata |
//! | [`heuristic`] | lower bounds |
//! | `metric` | what counts as one move |
//! | [`multi`] | moves of several tiles as one |
//! | [`pdb`] | additive pattern databases |
//! | [`packed`] | arrangements as numbers, for frontier search |
//! | [`tables`] | the recipes of the tables |
//! | `strategy` | the choice of heuristic, automaton and partitions for the user |
//! | `ask` | the request for one search |
//! | [`solver`] | a puzzle, a heuristic and an automaton; estimates of their searches |
//! | `solution` | solutions as text, checked by the referee |
//! | [`cli`] | the command line `tile24` |

mod ask;
pub mod board;
#[cfg(feature = "cli")]
pub mod cli;
mod fault;
pub mod fsm;
pub mod heuristic;
pub mod improve;
mod metric;
pub mod multi;
pub mod notation;
pub mod packed;
pub mod pdb;
pub mod planning;
pub mod puzzle;
pub mod random;
mod solution;
pub mod solver;
mod strategy;
pub mod tables;
pub mod tiles;

pub use ask::Ask;
pub use board::Board;
pub use fault::{Fault, Faults};
pub use fsm::Pruning;
pub use heuristic::HeuristicSpec;
pub use metric::Metric;
pub use puzzle::Puzzle;
pub use search_core::ida::Order;
pub use solution::{NoSolution, Notation, Rejected};
pub use solver::{Solver, SolverError};
pub use strategy::{SolverSetup, default_heuristic, default_pruning};
pub use tiles::Tiles;
