//! The cube's heuristics, in the two-phase form that the search asks for.
//!
//! | file | heuristic |
//! | --- | --- |
//! | [`manhattan`] | 3-D Manhattan distance in its three variants |
//! | [`patterns`] | corners, sets of edges, their maximum; one table under many symmetries |
//! | [`coset`] | the distance to ⟨U, D, R2, L2, F2, B2⟩ along one to three axes, of the position and its inverse |

pub mod coset;
pub mod manhattan;
pub mod patterns;

pub use coset::CosetBound;
pub use manhattan::Manhattan;
pub use patterns::PatternBound;

use search_core::memory::Memory;
use search_core::pdb::Packed;

/// A table of distances, four bits an entry.
pub type Table = Packed<4, Memory>;
