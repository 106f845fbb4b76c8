//! A table of all positions near the solved one, by hash.
//!
//! **The idea.** All positions within `k` moves of the solved one are enumerated, and the distance of each is stored in a hash
//! table. A position that is not found there is more than `k` moves away. So a search for solutions of `d` moves ends `d - k`
//! moves after its start, except below the positions that are found: it meets the enumeration in the middle. This needs no
//! projection of the puzzle, so it is what searches begin with, and what is left where pieces are too many for pattern
//! databases.
//!
//! **Why no shortest solution is lost.** A position's entry is found by its hash; where two positions have the same place and
//! the same bits of the hash stored, the lesser distance is read for both. So a value never exceeds the distance (see
//! `table`).
//!
//! **Cost.** An entry of two bytes for each position, at most 70% of them used; about a dozen additions to hash a child,
//! whose position is not built; one read from memory, and all children of a node are in flight together. A child that has
//! more than `k` moves left is not looked up at all.
//!
//! Sources: Kaindl and Kainz 1997, "Bidirectional heuristic search reconsidered" (perimeter search); twsearch (Rokicki) fills
//! a table of the whole puzzle, indexed by hash, as deep as its searches need. Hashes as in Zobrist 1970, "A new hashing method
//! with application for game playing".
//!
//! | module | contents |
//! | --- | --- |
//! | `places` | positions as the pieces at all places, and the change of their hash by a move |
//! | `classes` | positions that differ by free moves as one |
//! | `table` | the hash table |
//! | `fill` | the enumeration |
//! | `bound` | the lower bound of a search |

mod bound;
mod classes;
mod fill;
mod places;
mod table;

use search_core::{Domain, Op};

pub use bound::NearBound;
pub(crate) use bound::bound_of;
pub(crate) use classes::may_be_blocked;
pub use classes::{ClassSpace, Classes};
pub use fill::{FillError, fill};
pub use places::{MOST_PLACES, PlaceSpace, Places, with_class_room, with_room};
pub use table::Near;

/// Positions with a hash, of which a table of near ones can be filled and looked up.
pub trait Hashed: Domain {
    /// The solved position.
    fn root(&self) -> Self::State;

    /// The hash of a position.
    fn hash(&self, position: &Self::State) -> u64;

    /// The hash of the position that `op` leads to from one with the given hash.
    fn child_hash(&self, position: &Self::State, hash: u64, op: Op) -> u64;
}
