//! The checkpoints of a search with one bound that is a part of a larger search.
//!
//! Some searches go from bound to bound themselves: with another heuristic for each, or with several searches for each.
//! Each of these continues from its own part of the checkpoint; what it keeps is put together with what the whole has
//! done before.

use super::checkpoint::{Checkpoint, Checkpoints, Part};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The checkpoints of a search with one bound, kept as those of the whole.
#[derive(Debug)]
pub struct OneBound {
    whole: Arc<dyn Checkpoints>,
    /// What the whole has done before.
    before: Checkpoint,
    /// What an earlier run did of this search.
    taken: Option<Checkpoint>,
    has_kept: AtomicBool,
}

impl OneBound {
    /// For a search with the bound of `before`, which is what the whole has done so far; an earlier run has done `part`
    /// of it.
    pub fn new(whole: &Arc<dyn Checkpoints>, before: Checkpoint, part: Option<Part>) -> OneBound {
        let bound = before.bound;
        let taken = part.map(|part| Checkpoint { bound, part, ..Checkpoint::default() });
        OneBound { whole: Arc::clone(whole), before, taken, has_kept: AtomicBool::new(false) }
    }

    /// Whether the search has kept a checkpoint.
    pub fn has_kept(&self) -> bool {
        self.has_kept.load(Ordering::Relaxed)
    }
}

impl Checkpoints for OneBound {
    fn resume(&self) -> Option<Checkpoint> {
        self.taken.clone()
    }

    fn pause(&self) -> Duration {
        self.whole.pause()
    }

    fn keep(&self, checkpoint: &Checkpoint) {
        self.has_kept.store(true, Ordering::Relaxed);
        self.whole.keep(&Checkpoint { part: checkpoint.part.clone(), ..self.before.clone() });
    }
}
