//! Additive pattern databases (Korf & Felner 2002): exact costs of moving a few tiles to their goals.
//!
//! | file | contents |
//! | --- | --- |
//! | `zones` | the numbering of occupied cells with the blank's region |
//! | `order` | the numbering of the orders of the tiles, eight to a byte |
//! | `build` | the fill of a table, whole rows at a time; the cost of a state |
//! | `frames` | the symmetries that let several goals share tables |
//! | `catalogue` | the patterns of each board, and the partitions that they form |
//! | `partition` | the tables that a goal needs, and the lookups of its tiles |

mod build;
pub(crate) mod catalogue;
mod frames;
pub(crate) mod order;
pub(crate) mod partition;
pub(crate) mod zones;

pub use build::Pattern;
pub(crate) use catalogue::table_name;
pub use frames::Frames;
pub use order::MAX_TILES;
pub use partition::{Lookup, Partition, Plan};
pub use zones::Zones;
