//! Permutation puzzles given as data: by generators, or as a KPuzzle definition.
//!
//! ```
//! use permutation::{Definition, Solver};
//! use search_core::{Run, ida::Config};
//!
//! // Four pancakes: a move turns the topmost two, three or four over.
//! let flips = [[1, 0, 2, 3], [2, 1, 0, 3], [3, 2, 1, 0]];
//! let named = (2..).zip(flips).map(|(many, flip)| (format!("flip{many}"), flip.to_vec()));
//! let puzzle = Definition::from_generators(named)?.puzzle()?;
//! let run = Run::new();
//! assert_eq!(puzzle.counts(None, &run)?, [1, 3, 6, 11, 3]);
//!
//! let solver = Solver::new(puzzle, &[vec![0, 1]], 4, &run)?;
//! let start = solver.puzzle().read(&[2, 0, 3, 1])?;
//! assert_eq!(solver.solve(&start, &Config::default(), &run).ending.length(), Some(4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | contents |
//! | --- | --- |
//! | [`definition`] | orbits and moves of a puzzle, with a list of all faults |
//! | [`kpuzzle`] | definitions in the files of cubing.js and twips |
//! | [`puzzle`] | the search domain; breadth-first layers |
//! | [`pdb`] | pattern databases of chosen pieces |
//! | [`solver`] | the learned automaton, the pattern databases and IDA\* combined |

pub mod definition;
pub mod kpuzzle;
pub mod pdb;
pub mod puzzle;
pub mod solver;

pub use definition::{Definition, Faults};
pub use puzzle::{Puzzle, State};
pub use solver::Solver;
