//! Frontier search: breadth-first layers of packed states, in memory or on disk.
//!
//! The idea (Korf et al. 2005; Korf & Felner 2006, "Frontier Search" and "Storing Nodes on Disk"):
//! keep the layer that is being expanded and the one being made, and forget all older ones. Each
//! state carries a bit for every operator that leads back to the layer before, so that its parents
//! are not generated again (**used-operator bits**). Children are not looked up one by one but
//! written to **buckets** and merged later, each bucket by one sort and one pass (**delayed
//! duplicate detection**), so everything on disk is read and written in order.
//!
//! Invariant: after `g` steps the current layer holds exactly the states at distance `g` from the
//! seeds (with a bound: those of them that were kept), each once, with the bits of exactly those
//! operators that lead to the layer before.
//!
//! Why no state is lost or found twice: every operator can be undone, so a neighbour of a state at distance `g` lies at
//! `g − 1`, `g` or `g + 1`. The bits exclude `g − 1`; merging with the current layer excludes `g`. A state that a
//! threshold excludes (its depth plus an admissible value exceeds it) would also be excluded at every greater depth.
//!
//! Cost: 8 bytes per state in memory, about 2 on disk; one sort per layer.
//!
//! # Example
//! A token on a ring of 1000 places; two operators. Half of the ring is 500 steps away.
//! ```
//! use search_core::frontier::{FrontierSearch, Options, PackedDomain, shortest_path};
//! use search_core::{Domain, Op, Run};
//!
//! struct Ring;
//! impl Domain for Ring {
//!     type State = u64;
//!     fn op_count(&self) -> usize { 2 }
//!     fn apply(&self, at: &u64, op: Op) -> u64 { (at + [1, 999][op.index()]) % 1000 }
//!     fn is_goal(&self, at: &u64) -> bool { *at == 500 }
//! }
//! impl PackedDomain for Ring {
//!     fn key_bits(&self) -> u32 { 10 }
//!     fn pack(&self, at: &u64) -> u64 { *at }
//!     fn unpack(&self, key: u64) -> u64 { key }
//!     fn inverse(&self, op: Op) -> Op { Op::new(1 - op.index()) }
//! }
//!
//! let mut search = FrontierSearch::new(&Ring, Options::in_memory(4), [0])?;
//! let (mut states, run) = (1, Run::new());
//! loop {
//!     let layer = search.step(&run)?;
//!     states += layer.states;
//!     if layer.goal.is_some() { break; }
//! }
//! assert_eq!((search.depth(), states), (500, 1000));
//! // The way there: one of the two operators, 500 times.
//! let path = shortest_path(&Ring, &0, &500, 500, &run)?.expect("half of the ring is 500 steps away");
//! assert!(path == [Op::new(0); 500] || path == [Op::new(1); 500]);
//! # Ok::<(), search_core::frontier::FrontierError>(())
//! ```

mod buckets;
mod path;
mod search;
mod sort;

#[cfg(all(test, unix))]
mod fault_tests;
#[cfg(test)]
mod tests;

use crate::domain::{Domain, Op};
use crate::progress::Cancelled;
use crate::storage::StorageError;
use std::path::PathBuf;

pub use path::shortest_path;
pub use search::{Bounds, FrontierSearch, KIND, LayerCount, heuristic_search};

/// A domain whose states fit in a few bits and whose operators can all be undone.
pub trait PackedDomain: Domain {
    /// The number of bits of a packed state. With one bit per operator it must fit 64 bits:
    /// `key_bits + op_count <= 64`.
    fn key_bits(&self) -> u32;

    /// The state as a number below `2^key_bits`; different states give different numbers.
    fn pack(&self, state: &Self::State) -> u64;

    /// The state that [`pack`](PackedDomain::pack) gives this number.
    fn unpack(&self, key: u64) -> Self::State;

    /// The operator that undoes `op` in the state that `op` leads to.
    fn inverse(&self, op: Op) -> Op;
}

/// The options of a frontier search: memory, disk and work directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The number of buckets is 2 to this power (at most 2¹⁶). A bucket is merged in memory by one
    /// thread, so a layer divided by the buckets must fit the memory a few times over.
    pub bucket_bits: u32,
    /// Memory budget in bytes for states: the current layer and children not yet merged.
    pub memory: u64,
    /// Disk budget in bytes.
    pub disk: u64,
    /// The work directory: layers and children that do not fit in memory are spilled there, and a checkpoint is written
    /// after every layer. Without it everything must fit in memory.
    pub directory: Option<PathBuf>,
    /// A description of the run; only a run with the same description can resume from its checkpoint.
    pub identity: String,
    /// Whether to discard the run's checkpoint in the directory and start over.
    pub fresh: bool,
}

impl Options {
    /// Options for a search in memory, without limits, with 2^`bucket_bits` buckets.
    pub fn in_memory(bucket_bits: u32) -> Options {
        Options {
            bucket_bits,
            memory: u64::MAX,
            disk: u64::MAX,
            directory: None,
            identity: String::new(),
            fresh: false,
        }
    }
}

/// The reason why a frontier search failed.
#[derive(Debug, thiserror::Error)]
pub enum FrontierError {
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A budget is exceeded, a file or the work directory cannot be used, or a file is damaged. The checkpoint is
    /// intact.
    #[error(transparent)]
    Storage(#[from] StorageError),
}
