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
//! | [`histogram`] | how many entries have each value; the expected value |
//! | [`space`] | what a pattern space is: rows, columns, steps |
//! | [`mod@fill`] | breadth-first search of a pattern space, in place, in parallel |
//! | [`deltas`] | what each operator does to a distance, for all children of a node at once |
//! | [`lookup`] | a filled table as a [`Heuristic`](crate::Heuristic) |

pub mod deltas;
pub mod fill;
pub mod histogram;
pub mod lookup;
pub mod packed;
pub mod rank;
pub mod space;

pub use deltas::{Delta, Deltas, DeriveError, WrongDistance};
pub use fill::{FillError, FillOptions, Filled, fill};
pub use histogram::Histogram;
pub use lookup::{ByIndex, Lookup, Mod3Lookup, Projection};
pub use packed::Packed;
pub use space::{Graph, PatternSpace, Step};
