//! Lower bounds for the sliding tiles.
//!
//! | file | contents |
//! | --- | --- |
//! | `lines` | linear conflicts, by the content of a line |
//! | `endings` | the last two moves |
//! | [`corners`] | wrong corners |
//! | [`classic`] | these and Manhattan distance together, incremental |
//! | [`explain`] | the same from scratch, with reasons: the reference implementation |
//! | [`grouped`] | learned costs of pairs and triples, matched |
//! | [`additive`] | sums of pattern databases |
//! | `long` | Manhattan distance and linear conflict on boards larger than 6x6 |
//! | `spread` | a rank for beams on boards without pattern databases |
//! | `spec` | the heuristics by name |

pub mod additive;
pub mod classic;
pub mod corners;
mod endings;
pub mod explain;
pub mod grouped;
mod lines;
mod long;
mod spec;
mod spread;

pub use additive::Additive;
pub use classic::{Classic, Parts};
pub use grouped::Grouped;
pub(crate) use long::Long;
pub use spec::HeuristicSpec;
pub(crate) use spec::STANDARD_BYTES;
pub(crate) use spread::{Placed, Spread};

use search_core::{Domain, Heuristic};

use crate::puzzle::Puzzle;
use crate::tiles::Tiles;

/// A heuristic that ranks states more finely than by its value, for beam searches.
pub(crate) trait Ranked<D: Domain>: Heuristic<D> {
    /// The rank of a state with this carry and value; states of less rank are more promising.
    fn rank(&self, _: &Self::Carry, value: u32) -> u32 {
        value
    }
}

impl<const W: usize, const BYTES: usize> Ranked<Puzzle<BYTES>> for Classic<W> {}

impl<const BYTES: usize, F: Fn(&Tiles<BYTES>) -> u8 + Sync> Ranked<Puzzle<BYTES>> for F {}
