//! What a search is given and what it gives back: seeds, bounds, budgets, counts, errors.

use crate::bitmap::codec;
use crate::bitmap::shape::Unit;
use crate::model::State;
use crate::pegs::PegGroup;
use search_core::Cancelled;
use search_core::frontier::FrontierError;
use search_core::storage::{Budget, IoError, StorageError};
use std::path::PathBuf;

/// What keeps a search within a threshold: a lower bound on the number of moves left.
pub trait Pruner: Sync {
    /// Whether any state of the block whose large discs stand as `large` may be kept at `depth`.
    fn admits(&self, large: State, depth: u32) -> bool;

    /// Removes from `bits`, the block's states at `depth`, those that cannot be on a short enough
    /// path. Returns whether it removed any.
    fn prune(&self, large: State, depth: u32, bits: &mut [Unit]) -> bool;
}

/// Keeps every state.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPruning;

impl Pruner for NoPruning {
    fn admits(&self, _: State, _: u32) -> bool {
        true
    }
    fn prune(&self, _: State, _: u32, _: &mut [Unit]) -> bool {
        false
    }
}

/// Where a search begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seeds {
    /// One state.
    State(State),
    /// Every state whose discs all stand on one of these pairs of pegs (numbers of pairs).
    Pairs(Vec<usize>),
}

/// What is searched, and with what.
#[derive(Debug)]
pub struct Setup {
    /// All discs.
    pub discs: u32,
    /// The small ones; [`shape::SMALL`](crate::bitmap::shape::SMALL), and at most all.
    pub small: u32,
    /// Permutations that map the seeds (and whatever bounds the search) to themselves.
    pub group: PegGroup,
    /// Where the search begins.
    pub seeds: Seeds,
    /// Pairs of pegs (numbers): a state with all discs on one of them is reported.
    pub goals: Vec<usize>,
    /// A state that is reported too, in whichever of its images.
    pub target: Option<State>,
    /// Whether to remember when each configuration of the large discs and the four largest small
    /// ones was first reached.
    pub first_touch: bool,
    /// Whether to keep all layers in memory, so that a path can be traced back.
    pub keep_layers: bool,
    /// Memory and disk.
    pub budget: Budget,
    /// Where the layers lie, if on disk.
    pub directory: Option<PathBuf>,
}

impl Setup {
    /// A search in memory without bounds that remembers nothing.
    pub fn new(discs: u32, small: u32, group: PegGroup, seeds: Seeds) -> Setup {
        Setup {
            discs,
            small,
            group,
            seeds,
            goals: Vec::new(),
            target: None,
            first_touch: false,
            keep_layers: false,
            budget: Budget::unlimited(),
            directory: None,
        }
    }
}

/// The counts of one layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct LayerCount {
    /// States, all images under the group counted.
    pub states: u64,
    /// Orbits of states under the group.
    pub orbits: u64,
    /// States in the bitmaps (orbits, and some of them more than once).
    pub stored: u64,
    /// Blocks that hold a state.
    pub blocks: u64,
    /// Bytes of the layer's streams.
    pub bytes: u64,
    /// States that the pruner removed from the bitmaps.
    pub pruned: u64,
    /// Whether a state stands on one of the pairs asked for, or is the target.
    pub goal: bool,
}

impl LayerCount {
    pub(super) fn add(&mut self, other: &LayerCount) {
        self.states += other.states;
        self.orbits += other.orbits;
        self.stored += other.stored;
        self.blocks += other.blocks;
        self.bytes += other.bytes;
        self.pruned += other.pruned;
        self.goal |= other.goal;
    }
}

/// Why a search stopped.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// A budget is spent, a file or the work directory cannot be used, or a stream is damaged.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// A stream in memory or with a right checksum is no sequence of records.
    #[error(transparent)]
    Damaged(#[from] codec::Damaged),
    /// There is no memory for a database.
    #[error(transparent)]
    Memory(#[from] search_core::memory::MemoryError),
    /// The caller said so.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl From<IoError> for SearchError {
    fn from(error: IoError) -> SearchError {
        StorageError::from(error).into()
    }
}

impl From<FrontierError> for SearchError {
    fn from(error: FrontierError) -> SearchError {
        match error {
            FrontierError::Cancelled(cancelled) => cancelled.into(),
            FrontierError::Storage(error) => error.into(),
        }
    }
}
