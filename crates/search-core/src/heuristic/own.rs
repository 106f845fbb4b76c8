//! The interface between a search and a heuristic that searches subtrees by a kernel of its own.
//!
//! The idea: the kernels of this library build each node's state and carry, and call the heuristic in stages that are
//! the same for all nodes. Where a node takes few instructions, this is a large part of them. A heuristic can instead
//! search subtrees itself ([`Heuristic::search_subtrees`](super::Heuristic::search_subtrees)), keep its path as it
//! likes, and read only the values that can prune. It takes subtrees from a [`SubtreeQueue`] and reports to it what it
//! counted and found; everything else about the search stays the same.
//!
//! Invariant: it expands the nodes that the other kernels expand, in their order within each subtree, and counts them
//! alike. Only the stages that prune a node may differ.

use crate::automaton::StateId;
use crate::domain::{Domain, Op};
use crate::record::Stage;

/// The root of a subtree to search.
#[derive(Debug)]
pub struct SubtreeRoot<'t, D: Domain, C> {
    /// The subtree's number.
    pub number: usize,
    /// The root's state.
    pub state: &'t D::State,
    /// Its carry.
    pub carry: &'t C,
    /// The automaton's state.
    pub fsm: StateId,
    /// The number of moves left, at least 1.
    pub remaining: u32,
}

/// The number of stages that are counted.
pub const OWN_STAGES: usize = 2;

/// The counts of nodes since the last report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeCounts {
    /// Generated nodes.
    pub generated: u64,
    /// Expanded nodes.
    pub expanded: u64,
    /// Operators that the automaton forbade.
    pub pruned_by_fsm: u64,
    /// The children evaluated and pruned, by stage.
    pub stages: [Stage; OWN_STAGES],
    /// The least amount by which a pruned child exceeded the bound; `u32::MAX` if none was pruned.
    pub least_excess: u32,
}

impl Default for NodeCounts {
    fn default() -> NodeCounts {
        let stages = [Stage::default(); OWN_STAGES];
        NodeCounts { generated: 0, expanded: 0, pruned_by_fsm: 0, stages, least_excess: u32::MAX }
    }
}

/// The subtrees that a thread is to search, and the search that they belong to.
pub trait SubtreeQueue<D: Domain, C> {
    /// The next subtree; `None` if there is none left.
    fn next(&mut self) -> Option<SubtreeRoot<'_, D, C>>;

    /// Adds counts. Called after some thousand expanded nodes, and at the end. Returns whether the search continues.
    fn report(&mut self, counts: &NodeCounts) -> bool;

    /// The number of the first subtree that need not be searched. It changes when a solution was found, or while
    /// another thread searches.
    fn end(&self) -> usize;

    /// Reports a solution: the subtree's number and the operators below its root. Returns whether the subtree may be
    /// left.
    fn found(&mut self, number: usize, ops: Vec<Op>) -> bool;

    /// Leaves a subtree, finished or not. `deepest` is the greatest depth of an expanded node below its root.
    fn leave(&mut self, number: usize, deepest: u32);
}
