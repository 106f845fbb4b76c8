//! Checkpoints: what a search has done so far, so that another process can continue it.
//!
//! The idea: the subtrees of an iteration are numbered in the order of the search, and threads take them
//! in this order. Now and then they take no further one until all that were begun are finished. Then
//! exactly the first so many subtrees are done, and a checkpoint is the complete iterations, this number
//! and what those subtrees brought back.
//!
//! Invariant: a search that continues from a checkpoint splits the tree as the search that wrote it did, and
//! searches the subtrees that are not done. So its answer, and the counts of its complete iterations, are
//! those of a search that was never stopped, on any number of threads.
//!
//! Cost: at each checkpoint threads wait for the one that finishes last. So a search that keeps checkpoints
//! cuts long iterations into more subtrees ([`enough`]).

use super::counts::Counts;
use super::harvest::{Found, Harvest};
use super::near::KeptOps;
use crate::domain::Op;
use crate::record::Iteration;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::time::Duration;

/// Where a search keeps its checkpoint.
pub trait Checkpoints: Debug + Send + Sync {
    /// The checkpoint that an earlier run of the same search left: the same start, heuristic, automaton
    /// and configuration, by the same version of the program.
    fn take_up(&self) -> Option<Checkpoint>;
    /// How long to search between two checkpoints.
    fn pause(&self) -> Duration;
    /// Keeps a checkpoint in place of the last one.
    fn keep(&self, checkpoint: &Checkpoint);
}

/// What a search has done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The complete iterations.
    pub iterations: Vec<Iteration>,
    /// The solutions that they found, if longer ones are wanted too.
    pub solutions: Vec<Operators>,
    /// The bound of the next iteration.
    pub bound: u32,
    /// What is done of it.
    pub part: Part,
}

/// What is done of an iteration: its first subtrees.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// The number of subtrees at which splitting stopped.
    pub(super) enough: usize,
    /// The number of subtrees.
    pub(super) all: usize,
    /// The number of subtrees that are done.
    pub(super) done: usize,
    /// Seconds that they took.
    pub(super) seconds: f64,
    /// Counts of these subtrees and of the levels above them.
    pub(super) counts: Counts,
    /// Counts of the subtrees below the near misses of the bound before.
    pub(super) retried: Counts,
    /// The solutions, each with the number of its subtree.
    pub(super) found: Vec<(usize, Operators)>,
    /// Moves left at which near misses are kept.
    pub(super) keep_at: u32,
    /// The near misses.
    pub(super) kept: KeptOps,
}

impl Part {
    /// What the subtrees brought back that are done; the rest is to be filled in.
    pub(super) fn of<C>(harvest: &Harvest<C>) -> Part {
        let found = harvest.found.iter().map(|found| (found.task, Operators::from(&found.path[..])));
        Part {
            counts: harvest.counts,
            found: found.collect(),
            kept: harvest.kept.to_ops(),
            ..Part::default()
        }
    }

    /// What they brought back, without near misses; nothing if a solution does not pass `is_solution`.
    pub(super) fn harvest<C>(&self, is_solution: impl Fn(&[Op]) -> bool) -> Option<Harvest<C>> {
        let found = self.found.iter().map(|(task, path)| {
            let path = path.to_ops();
            (*task < self.done && is_solution(&path)).then_some(Found { task: *task, path })
        });
        let found = found.collect::<Option<Vec<Found>>>()?;
        Some(Harvest { counts: self.counts, found, ..Harvest::default() })
    }
}

/// A string of operators as text: a character each, from `0` on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operators(String);

impl Operators {
    /// The operators. A character that stands for none becomes operator 63 or some other that may not apply:
    /// whoever follows the string must check that each applies.
    pub fn to_ops(&self) -> Vec<Op> {
        self.0.bytes().map(|byte| Op(byte.wrapping_sub(b'0').min(63))).collect()
    }
}

impl From<&[Op]> for Operators {
    fn from(ops: &[Op]) -> Operators {
        Operators(ops.iter().map(|op| char::from(b'0' + op.0)).collect())
    }
}

/// The number of subtrees of a long iteration per so many nodes: about a tenth of a second of work each.
const NODES_PER_SUBTREE: u64 = 1 << 20;
/// The most subtrees, for the memory that they take.
pub(super) const MOST_SUBTREES: usize = 1 << 17;

/// The number of subtrees at which splitting stops, where `least` are enough for the threads and so many nodes
/// are expected.
pub(super) fn enough(least: usize, nodes: f64) -> usize {
    least.max(((nodes / NODES_PER_SUBTREE as f64) as usize).min(MOST_SUBTREES))
}
