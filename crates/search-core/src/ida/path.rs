//! The current path of a depth-first search, and what is still to be visited along it.
//!
//! Invariant: level `d` holds the node at depth `d` of the current path, the operator that led to
//! it, and those of its children that survived the heuristic and are still to be visited. The next
//! child is the first one of the deepest level that has any, so nodes are visited in the order of
//! the operators. Levels are overwritten in place, and serve one subtree after the other.

use super::near::Kept;
use super::node::{Found, Node, Task};
use crate::domain::{Domain, Op, OpSet};
use crate::heuristic::Heuristic;

/// A node of the path.
pub(super) struct Level<D: Domain, H: Heuristic<D>> {
    pub node: Node<D, H>,
    /// What led here; any for the root.
    op: Op,
    /// Children to visit.
    pub open: OpSet,
    /// What evaluating the children left.
    pub scratch: H::Scratch,
}

/// The path from the root of one subtree.
pub(super) struct Path<'t, D: Domain, H: Heuristic<D>> {
    /// The subtree's number.
    pub number: usize,
    task: &'t Task<D, H>,
    /// At least one; those beyond `depth` are old.
    levels: Vec<Level<D, H>>,
    depth: usize,
}

impl<'t, D: Domain, H: Heuristic<D>> Path<'t, D, H> {
    /// The path that ends at the root of `task`.
    pub fn new(number: usize, task: &'t Task<D, H>) -> Self {
        let mut path = Path { number, task, levels: Vec::new(), depth: 0 };
        path.begin(number, task);
        path
    }

    /// Leaves this path for the one that ends at the root of `task`.
    pub fn begin(&mut self, number: usize, task: &'t Task<D, H>) {
        (self.number, self.task, self.depth) = (number, task, 0);
        let levels = self.levels.len().max(task.remaining as usize);
        self.levels.resize_with(levels, || Level {
            node: task.node.clone(),
            op: Op(0),
            open: OpSet::EMPTY,
            scratch: H::Scratch::default(),
        });
        self.levels[0].node = task.node.clone();
        self.levels[0].open = OpSet::EMPTY;
    }

    /// The last node of the path.
    #[inline(always)]
    pub fn last(&mut self) -> &mut Level<D, H> {
        &mut self.levels[self.depth]
    }

    /// Moves left below the last node: at least 1.
    #[inline(always)]
    pub fn remaining(&self) -> u32 {
        self.task.remaining - self.depth as u32
    }

    /// Goes back to the deepest node that has a child to visit, and takes that child.
    #[inline(always)]
    pub fn next_child(&mut self) -> Option<Op> {
        loop {
            if let Some(op) = self.last().open.pop_first() {
                return Some(op);
            }
            if self.depth == 0 {
                return None;
            }
            self.depth -= 1;
        }
    }

    /// Goes on to `node`, the child of the last node that `op` leads to; it has moves left.
    #[inline(always)]
    pub fn push(&mut self, op: Op, node: Node<D, H>) {
        self.depth += 1;
        let level = self.last();
        level.node = node;
        level.op = op;
        level.open = OpSet::EMPTY;
    }

    /// Keeps the last node as a near miss.
    #[cold]
    pub fn keep_last(&mut self, kept: &mut Kept<H::Carry>) {
        let below = self.levels[1..=self.depth].iter().map(|level| level.op);
        kept.push(self.number, below, self.levels[self.depth].node.carry.clone());
    }

    /// The solution that ends with `op` after the last node.
    pub fn found(&self, op: Op) -> Found {
        let below = self.levels[1..=self.depth].iter().map(|level| level.op);
        Found { task: self.number, path: self.task.path.iter().copied().chain(below).chain([op]).collect() }
    }
}
