//! Additive pattern databases (Korf & Felner 2002): exact costs of moving a few tiles to their goals.
//!
//! | file | contents |
//! | --- | --- |
//! | [`zones`] | numbers held cells and the blank's region |
//! | [`order`](mod@order) | numbers the orders of the tiles, eight to a byte |
//! | [`build`] | fills a table, whole rows at a time; reads a cost |
//! | [`frames`] | where the tables of a goal live, by the symmetries of the board |
//! | [`catalogue`] | the patterns of each board, and the partitions that they form |
//! | [`partition`] | which tables a goal needs, and how its tiles look in them |

pub mod build;
pub mod catalogue;
pub mod frames;
pub mod order;
pub mod partition;
pub mod zones;

pub use build::Pattern;
pub use frames::Frames;
pub use partition::{Partition, Plan};
pub use zones::Zones;
