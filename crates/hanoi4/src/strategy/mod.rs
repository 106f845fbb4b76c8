//! The choice of a search for each question, so that every front end gives the same answer.
//!
//! | question | file | searches |
//! | --- | --- | --- |
//! | a shortest path between two states | [`path`] | recursion, distances of all states, both ends, corners, proof |
//! | the number of states at each depth | [`count`] | corners, bitmap, full, frontier |
//! | whether the presumed length is shortest | [`proof`] | the half-depth search by bitmap or by corners, with a database or without |
//! | the distance of two perfect states on a graph | [`distance`] | half, half-pruned, corners, full |
//!
//! Each question is a type with a builder (`…Ask`); settings that are not given are chosen here, by the size of the
//! puzzle and the memory of the run.

pub mod count;
pub mod distance;
pub mod path;
pub mod proof;

use crate::both_ends::Stopped;
use crate::cost::LayerSpace;
use crate::error::SearchError;
use search_core::storage::{Budget, WorkDir, WorkKind};
use search_core::table::TableError;
use std::path::PathBuf;
use std::time::Duration;

pub use count::{CountAsk, CountMethod};
pub use distance::{DistanceAsk, DistanceMethod};
pub use path::{Ask, Known, Solver};
pub use proof::{ProofAsk, ProofMethod};

/// The reason why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// A number is out of range.
    #[error("{0}")]
    Malformed(String),
    /// The chosen method or option does not fit the question.
    #[error("{0}")]
    Unsuitable(String),
    /// A shortest path has this number of moves, too many to list.
    #[error("a shortest path has {0} moves, too many to list")]
    TooLong(u64),
    /// The search needs about this number of bytes of memory, and the run has fewer.
    #[error("the search needs about {0} bytes of memory")]
    Memory(u64),
    /// The search needs about this number of bytes of memory to keep its layers there, and the run has fewer.
    #[error("the search needs about {0} bytes of memory, or a work directory")]
    Layers(u64),
    /// The search needs about this number of bytes of disk, and may use fewer.
    #[error("the search needs about {0} bytes of disk")]
    Disk(u64),
    /// The database is not available.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The search stopped.
    #[error(transparent)]
    Search(SearchError),
    /// A search for a path stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl From<SearchError> for AskError {
    fn from(error: SearchError) -> AskError {
        match error {
            SearchError::Budget { need, .. } => AskError::Memory(u64::try_from(need).unwrap_or(u64::MAX)),
            error => AskError::Search(error),
        }
    }
}

/// The place and budget of the layers and checkpoints of a long search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// The directory; `None` keeps everything in memory.
    pub dir: Option<PathBuf>,
    /// The disk budget in bytes; `None` is unlimited.
    pub disk: Option<u64>,
    /// Whether to discard the search's checkpoint in the directory and start over.
    pub fresh: bool,
    /// The least time between checkpoints of a search by corners; ten seconds by default.
    pub checkpoint_every: Option<Duration>,
}

impl Work {
    /// Removes the directory of a search of some kind.
    fn remove(&self, kind: WorkKind) -> Result<(), SearchError> {
        Ok(self.dir.as_ref().map_or(Ok(()), |path| WorkDir::remove(path, kind))?)
    }

    /// The budget of the layers of a search that needs `space`, within `memory` bytes, of which tables take `taken`.
    fn budget(&self, space: LayerSpace, taken: u64, memory: u64) -> Result<Budget, AskError> {
        let (base, disk) = (space.base + taken, self.disk.unwrap_or(u64::MAX));
        match self.dir {
            _ if memory < base => Err(AskError::Memory(base)),
            None if memory - base < space.layers => Err(AskError::Layers(base + space.layers)),
            Some(_) if disk < space.layers => Err(AskError::Disk(space.layers)),
            _ => Ok(Budget::new(memory - base, disk)),
        }
    }
}
