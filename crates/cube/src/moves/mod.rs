//! Chosen moves: the group that they generate, and shortest solutions with only these moves.
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
//! | file | contents |
//! | --- | --- |
//! | `permutation` | permutations of the 54 facelets |
//! | `set` | a set of moves as data, and its metric |
//! | `chain` | the group by its chain of stabilisers (Schreier and Sims) |
//! | `arrangements` | numbering the reachable arrangements, without gaps |
//! | `group` | orders, membership, distances of all positions |
//! | `rules` | the move rules of any set |
//! | `edges` | some of the edges, if all are too many |
//! | `tables` | the pattern databases of a set |
//! | `cosets` | the coset table of a set that all symmetries preserve |
//! | `symmetries` | the symmetries of a set, and of a position under it |
//! | `space`, `bound`, `solver` | the search |
//! | `cheapest` | the search for cheapest solutions, for moves with costs |

pub(crate) mod arrangements;
pub(crate) mod bound;
pub(crate) mod chain;
pub(crate) mod cheapest;
pub(crate) mod cosets;
pub(crate) mod edges;
pub(crate) mod group;
pub(crate) mod permutation;
pub(crate) mod rules;
pub(crate) mod set;
pub(crate) mod solver;
pub(crate) mod space;
pub(crate) mod symmetries;
pub(crate) mod tables;

pub use cheapest::InvalidCosts;
pub(crate) use cheapest::costs_of;
pub use group::Distances;
pub use group::Group;
pub use permutation::Permutation;
pub use set::{InvalidSet, MoveSet};
pub(crate) use solver::SetSolver;
