//! The cube's heuristics, in the two-phase form that the search asks for.
//!
//! | file | heuristic |
//! | --- | --- |
//! | [`manhattan`] | 3-D Manhattan distance in its three variants |
//! | [`patterns`] | corners, sets of edges, their maximum; one table under many symmetries |
//! | [`square`] | the distance to a coset that half turns leave, of the position and its inverse |
//! | [`coset`] | the distance to ⟨U, D, R2, L2, F2, B2⟩ along one to three axes, of the position and its inverse |

pub mod coset;
pub mod manhattan;
pub mod patterns;
pub mod square;

pub use coset::CosetBound;
pub use manhattan::Manhattan;
pub use patterns::PatternBound;
pub use square::SquareBound;

use search_core::heuristic::Kernel;
use search_core::memory::Memory;
use search_core::pdb::Packed;
use std::sync::Arc;

/// The kernel for bounds that read tables: enough subtrees in turn that the reads of one overlap the
/// work of the others.
const IN_TURN: Kernel = Kernel::Interleaved { lanes: 8 };

/// A table of distances, four bits an entry.
pub type Table = Packed<4, Memory>;
/// A table of distances above a base, two bits an entry.
pub type Crumbs = Packed<2, Memory>;

/// A table in memory, of either width.
#[derive(Clone, Debug)]
pub enum AnyTable {
    /// Four bits an entry.
    Nibbles(Arc<Table>),
    /// Two bits an entry.
    Crumbs(Arc<Crumbs>),
}

impl AnyTable {
    /// The table of distances.
    ///
    /// # Panics
    /// If entries have two bits.
    pub fn nibbles(self) -> Arc<Table> {
        match self {
            AnyTable::Nibbles(table) => table,
            AnyTable::Crumbs(_) => panic!("the table's entries have two bits"),
        }
    }

    /// The table of distances above a base.
    ///
    /// # Panics
    /// If entries have four bits.
    pub fn crumbs(self) -> Arc<Crumbs> {
        match self {
            AnyTable::Crumbs(table) => table,
            AnyTable::Nibbles(_) => panic!("the table's entries have four bits"),
        }
    }

    /// The bytes of the entries.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            AnyTable::Nibbles(table) => table.as_bytes(),
            AnyTable::Crumbs(table) => table.as_bytes(),
        }
    }
}
