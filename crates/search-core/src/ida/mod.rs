//! Iterative-deepening A* (Korf 1985): shortest solutions in memory linear in their length.
//!
//! The idea: search depth first for a solution of at most `bound` moves, cutting every node whose
//! moves so far plus heuristic value exceed the bound; when there is none, raise the bound to the
//! least such sum that was cut. The first bound that has a solution is its length.
//!
//! Invariant: after the iteration with bound `b` every solution is longer than `b`. No optimal
//! path is lost, because a node on a path of length at most `b` has moves so far plus an
//! admissible value of at most `b`, and because the automaton allows at least one shortest string
//! to every state that a shortest solution passes.
//!
//! | file | contents |
//! | --- | --- |
//! | `driver` | the sequence of bounds, and the record of each |
//! | `split` | the tree's first levels, cut into subtrees for the threads; the earliest solution wins |
//! | `checkpoint` | what a search has done, for another process to continue it |
//! | `one_bound` | checkpoints of a search that is a part of a larger one |
//! | `units` | one iteration as work for many processes |
//! | `openings` | by which operators the first nodes are expanded, where not by all |
//! | `reach` | the branches that one bound entered most deeply, searched first by the next |
//! | `depth_first` | the plain kernel |
//! | `interleaved` | the kernel that keeps many table reads in flight |
//! | `path` | the current path of one subtree, with the children still to be visited |
//! | `pass` | expanding a node, with everything that stays the same during one pass over the tree |
//! | `node` | nodes, and subtrees to search |
//! | `stop` | when a thread may leave a subtree |
//! | `harvest`, `counts` | what a thread brings back: counts, solutions |
//!
//! The answer does not depend on the number of threads: subtrees are numbered in the order of the
//! search, a solution stops only subtrees that come later, and the solution of the earliest
//! subtree is the one that a single thread would have found.

mod checkpoint;
mod counts;
mod depth_first;
mod driver;
mod harvest;
mod interleaved;
mod node;
mod one_bound;
mod openings;
mod pass;
mod path;
mod reach;
mod split;
mod stop;
#[cfg(test)]
mod testing;
pub mod units;

use std::sync::Arc;

pub use checkpoint::{Checkpoint, Checkpoints, Earlier, Operators, Part};

/// Which solutions are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// One shortest solution: the first in the order of the search.
    First,
    /// All that the automaton allows, up to `extra` moves longer than the shortest, none of which
    /// passes a goal on its way.
    All {
        /// How much longer than the shortest.
        extra: u32,
    },
}

/// How to search.
#[derive(Clone, Debug)]
pub struct Config {
    /// The kernel that each thread runs, if not the one that
    /// [suits the heuristic](crate::Heuristic::kernel).
    pub kernel: Option<Kernel>,
    /// Which solutions are wanted.
    pub wanted: Wanted,
    /// Begin with this bound, if the heuristic's value is less: no solution is shorter, as the caller knows.
    pub min_bound: u32,
    /// Give up after this bound. Without one, a search from a start that cannot reach the goal does not end,
    /// unless a whole iteration prunes nothing by the heuristic ([`Exhausted`](crate::Ending::Exhausted)): where such starts are
    /// possible, refuse them before the search (by parity, say), or give a bound, or a time limit to the `Run`.
    pub max_bound: Option<u32>,
    /// Give up before a bound that will probably take more nodes than this, as far as the last two bounds show, unless a
    /// solution is known: for another heuristic to continue.
    pub most_nodes: Option<u64>,
    /// The operators by which the first nodes are expanded, if not by all. Where symmetries that the
    /// start has make some of them equivalent, one of each kind is enough. (Nodes with three moves left and
    /// fewer are expanded by all.)
    pub openings: Openings,
    /// Begin each bound in the branches that the one before entered most deeply: the last iteration is mostly
    /// short then. Plain IDA* does not. Without effect where an iteration is searched to its end anyway.
    pub deepest_first: bool,
    /// Search the last iteration to its end even when its first solution is all that is wanted, so
    /// that its counts do not depend on the number of threads.
    pub full_last_iteration: bool,
    /// Where the search keeps its checkpoint, if anywhere.
    pub checkpoints: Option<Arc<dyn Checkpoints>>,
    /// About how many nodes the first iteration will generate, if that is known: a search that keeps
    /// checkpoints cuts long iterations into more subtrees.
    pub expected_nodes: u64,
}

impl Config {
    /// One bound only.
    pub fn at(bound: u32) -> Config {
        Config { min_bound: bound, max_bound: Some(bound), ..Config::default() }
    }
}

impl Default for Config {
    /// One shortest solution, the heuristic's own kernel, no bound.
    fn default() -> Config {
        Config {
            kernel: None,
            wanted: Wanted::First,
            min_bound: 0,
            max_bound: None,
            most_nodes: None,
            openings: Openings::default(),
            deepest_first: true,
            full_last_iteration: false,
            checkpoints: None,
            expected_nodes: 0,
        }
    }
}

pub use crate::heuristic::Kernel;
pub use driver::{search, search_after};
pub use one_bound::OneBound;
pub use openings::{Opening, Openings};
pub use reach::Reach;
