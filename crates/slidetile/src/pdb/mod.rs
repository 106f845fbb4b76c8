//! Additive pattern databases (Korf & Felner 2002).
//!
//! | file | contents |
//! | --- | --- |
//! | [`index`] | numbering placements |
//! | [`build`] | filling a table |
//! | [`partition`] | patterns that cover the board, and tables shared by symmetry |

pub mod build;
pub mod index;
pub mod partition;

pub use build::Pattern;
pub use partition::{Lookup, Partition, Plan};
