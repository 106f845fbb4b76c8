//! Pattern databases: exact distances in a projection of a puzzle, stored and read as a heuristic.
//!
//! A projection forgets part of a state; the distance between projected states is at most the
//! distance between the states, so a table of projected distances is an admissible heuristic
//! (Culberson and Schaeffer 1996; Korf 1997, section 3).
//!
//! | file | contents |
//! | --- | --- |
//! | [`rank`] | bijections from arrangements of pieces to indexes |
//! | [`packed`] | entries of 2, 4 and 8 bits |
//! | [`histogram`] | the number of entries with each value; the expected value |
//! | [`space`] | pattern spaces: rows, columns, steps |
//! | [`mod@fill`] | breadth-first search of a pattern space, in place, in parallel |
//! | [`deltas`] | the change of a distance by each operator, for all children of a node at once |
//! | [`mod@prove`] | proving a table from its own entries |
//! | [`lookup`] | a filled table as a [`Heuristic`](crate::Heuristic) |
//!
//! ```
//! use search_core::Run;
//! use search_core::pdb::{FillOptions, Graph, fill};
//!
//! // Distances from place 0 in a ring of ten.
//! let ring = Graph::new(10, 2, vec![0], |at, op| Some((at + [1, 9][op]) % 10)).undirected();
//! let filled = fill::<4, _>(&ring, FillOptions::default(), &Run::new())?;
//! assert_eq!(filled.table.iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 4, 3, 2, 1]);
//! assert_eq!(filled.histogram.expected(), 2.5);
//! # Ok::<(), search_core::pdb::FillError>(())
//! ```

pub mod deltas;
pub mod fill;
pub mod histogram;
pub mod lookup;
pub mod packed;
pub mod prove;
pub mod rank;
pub mod space;

pub use deltas::{Delta, Deltas, DeriveError, WrongDistance};
pub use fill::{FillError, FillOptions, Filled, fill};
pub use histogram::Histogram;
pub use lookup::{ByIndex, Lookup, Mod3Lookup, Projection};
pub use packed::Packed;
pub use prove::prove;
pub use space::{Graph, PatternSpace, Step};
