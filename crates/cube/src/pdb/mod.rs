//! The pattern spaces whose exact distances are the cube's heuristics.
//!
//! | file | pattern | entries |
//! | --- | --- | --- |
//! | `corners` | the eight corners (Korf 1997) | 88,179,840 |
//! | `open_corners` | the eight corners up to exchanges that a goal leaves open | a part of these |
//! | [`edges`] | any set of edges; six of them: | 42,577,920 |
//! | `square` | twists, tetrads, slices and some flips, reduced by 48 symmetries | 117,567,450 and more |
//! | `coset` | twists, flips and the middle slice, reduced by 16 symmetries (Reid 1995, Kociemba) | 2,217,093,120 before the reduction |
//!
//! Each file describes the entry of a cube, and the effect of turns on entries: rows are the locations of cubies,
//! columns their orientations.

pub(crate) mod corners;
pub(crate) mod coset;
pub mod edges;
pub(crate) mod open_corners;
pub(crate) mod square;

pub use corners::Corners;
pub use coset::Coset;
pub use edges::Edges;
pub(crate) use open_corners::OpenCorners;
pub use square::Square;
