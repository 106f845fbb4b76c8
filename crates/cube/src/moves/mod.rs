//! Chosen moves: the group that they generate, and shortest solutions with them alone.
//!
//! ```
//! use cube::Metric;
//! use cube::moves::{Group, MoveSet};
//!
//! let group = Group::new(MoveSet::parse("U R", Some(Metric::Htm))?);
//! assert_eq!(group.positions(), 73_483_200);
//! let slices = Group::new(MoveSet::parse("M E S", None)?);
//! assert_eq!(slices.positions(), 768);
//! # Ok::<(), cube::moves::InvalidSet>(())
//! ```
//!
//! | file | holds |
//! | --- | --- |
//! | [`permutation`] | permutations of the 54 facelets |
//! | [`set`] | a set of moves as data, and what counts as one move |
//! | [`chain`] | the group by its chain of stabilisers (Schreier and Sims) |
//! | [`arrangements`] | numbering what the moves reach, without gaps |
//! | [`group`] | orders, membership, distances of all positions |
//! | [`rules`] | the move rules of any set |
//! | [`edges`] | some of the edges, where all are too many |
//! | [`tables`] | the pattern databases of a set |
//! | [`cosets`] | the coset table of a set that is the same seen by every symmetry |
//! | [`symmetries`] | the symmetries of a set, and of a position under it |
//! | [`space`], [`bound`], `engine`, [`solver`] | the search |
//! | [`units`] | its iterations as units |
//! | [`cheapest`] | the search for cheapest solutions, where moves have costs |

pub mod arrangements;
pub mod bound;
pub mod chain;
pub mod cheapest;
pub mod cosets;
pub mod edges;
mod engine;
pub mod group;
pub mod permutation;
pub mod rules;
pub mod set;
pub mod solver;
pub mod space;
pub mod symmetries;
pub mod tables;
pub mod units;

pub use cheapest::CheapestSolver;
pub use group::{Distances, Group};
pub use permutation::Permutation;
pub use set::{InvalidSet, MoveSet, Operator};
pub use solver::SetSolver;
pub use symmetries::SetSymmetries;
