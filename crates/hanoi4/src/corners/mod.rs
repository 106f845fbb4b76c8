//! Databases without layers of states: the times at which a search reaches the corners of blocks.
//!
//! The idea: fix the large discs; what the `k` small ones can do among themselves does not depend on
//! where the large ones are. A large disc moves only while all small discs stand on the two other
//! pegs: in a **corner** of its block, one of 6 · 2ᵏ states of 4ᵏ. So a shortest path is a chain of
//! ways from corner to corner within a block, whose lengths are one table for all blocks ([`rows`]),
//! and of single moves of large discs between blocks. A breadth-first search needs the depths of
//! corners alone, and what a compressed database asks for, the least depth over the smallest discs,
//! is one more column of the same table.
//!
//! Invariant ([`search`]): after time `g`, every corner at a distance of at most `g` from the goals
//! has that distance, and every other one the length of its shortest path whose last move of a
//! large disc was made by time `g`. So only corners that are **entered**, reached by a large disc
//! earlier than the block's own ways reach them, have to be worked on: one row of the table is
//! added and the minimum taken.
//!
//! Why no shorter way is lost: the table is closed under the triangle inequality, so ways within a
//! block need not be put together again; and every corner that gets its final time is offered, at
//! that time, to the one block behind its pair of pegs.
//!
//! The same times, from one goal, lead the shortest way from any other state ([`paths`]).
//!
//! Cost: 6 · 2ᵏ bytes a block instead of layers of 4ᵏ states; a minimum of so many bytes for each
//! entered corner. The paper's 22 discs in the space of 15 (Korf & Felner 2006, "Compressed Pattern
//! Databases": 11 days, 784 GB of disk) take minutes in memory.

pub mod paths;
pub mod rows;
pub mod search;

pub use search::{first_touch, fitting};
