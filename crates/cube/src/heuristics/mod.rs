//! The cube's heuristics: families of lower bounds, and heuristics by name.
//!
//! | file | contents |
//! | --- | --- |
//! | [`family`] | the interface of a family, the list of all families, [`HeuristicSpec`] |
//! | [`manhattan`] | 3-D Manhattan distance in its three variants |
//! | [`patterns`] | corners, sets of edges, their maximum; one table under many symmetries |
//! | `masked` | goals that ignore some pieces: patterns, and cosets if they apply |
//! | `coset` | the distance to ⟨U, D, R2, L2, F2, B2⟩ along one to three axes, of the position and its inverse |
//! | `square` | the distance to a half-turn coset, of the position and its inverse |
//! | `engine` | a heuristic, its tables and the search wired together |

pub(crate) mod coset;
pub(crate) mod engine;
pub mod family;
pub mod manhattan;
pub(crate) mod masked;
pub mod patterns;
pub(crate) mod square;

pub use coset::CosetSpec;

pub(crate) use coset::CosetBound;
pub use engine::Instructions;
pub use family::HeuristicSpec;
pub use manhattan::Manhattan;
pub use masked::{Masked, Parts};
pub use patterns::Part;
pub use patterns::PatternBound;
pub use square::Speed;
pub use square::SquareSpec;
#[cfg(test)]
pub(crate) use square::{Halves, SquareBound};

use search_core::heuristic::Kernel;

/// The kernel for bounds that read tables: enough subtrees in flight that the reads of one overlap the work of the
/// others. WebAssembly uses more, because it waits once for all of them.
const IN_TURN: Kernel = Kernel::Interleaved { lanes: if cfg!(target_family = "wasm") { 16 } else { 8 } };
