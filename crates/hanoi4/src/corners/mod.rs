//! Searches without layers of states: the times at which a search reaches the corners of blocks.
//!
//! The idea: how the `k` small discs can move among themselves does not depend on the positions of
//! the large ones. A large disc moves only while all small discs are on the two other pegs: in a
//! **corner** of its block, one of 6 · 2ᵏ of its 4ᵏ states. So a shortest path is a chain of paths from
//! corner to corner within a block, whose lengths are one table for all blocks (`rows`), and of
//! single moves of large discs between blocks. A breadth-first search needs only the depths of
//! corners. The entry of a compressed database, the minimum depth over the positions of the smallest
//! discs, is one more column of the same table.
//!
//! Invariant (`search`): after time `g`, every corner at a distance of at most `g` from the goals
//! has that distance, and every other corner has the length of its shortest path whose last move of a
//! large disc was made by time `g`. So only corners that are **entered**, that is, reached by a large
//! disc's move earlier than by paths within the block, need processing: one row of the table is added
//! and the minimum taken.
//!
//! Why no shorter path is lost: the table satisfies the triangle inequality, so paths within a block need not be
//! concatenated; and every corner that gets its final time is offered, at that time, to the one block that its pair of
//! pegs leads to.
//!
//! The same times, from one state, yield a shortest path from any other ([`paths`]), and the number of
//! states at each depth ([`complete`]), also by several processes ([`owner`]).
//!
//! Cost: 6 · 2ᵏ bytes per block instead of layers of 4ᵏ states, and a minimum over as many bytes for
//! each entered corner. The paper's 22 discs in the space of 15 (Korf & Felner 2006, "Compressed
//! Pattern Databases": 11 days, 784 GB of disk) take minutes in memory.

pub mod bound;
pub mod complete;
mod count;
pub(crate) mod databases;
mod four_blocks;
pub(crate) mod geometry;
pub mod half;
mod known;
mod layers;
pub mod owner;
pub mod paths;
pub mod radius;
mod rows;
mod saved;
pub(crate) mod search;
pub(crate) mod star;
mod time;

pub(crate) use databases::{first_touch, fitting};
