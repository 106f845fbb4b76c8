//! Lower bounds for the sliding tiles.
//!
//! | file | contents |
//! | --- | --- |
//! | [`lines`] | linear conflicts, by a line's content |
//! | [`endings`] | what the last two moves demand |
//! | [`corners`] | what wrong corners demand |
//! | [`classic`] | these and Manhattan distance together, incremental |
//! | [`explain`] | the same from scratch, with reasons |
//! | [`grouped`] | learned costs of pairs and triples, matched |
//! | [`additive`] | sums of pattern databases |
//! | `spec` | the heuristics by name |

pub mod additive;
pub mod classic;
pub mod corners;
pub mod endings;
pub mod explain;
pub mod grouped;
pub mod lines;
mod spec;

pub use additive::Additive;
pub use classic::{Classic, Parts};
pub use grouped::Grouped;
pub use spec::HeuristicSpec;
pub(crate) use spec::STANDARD_BYTES;
