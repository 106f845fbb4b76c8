//! A node of the tree, and a subtree to search.

use crate::automaton::StateId;
use crate::domain::{Domain, Op};
use crate::heuristic::Heuristic;

/// A node on the current path, with what its children need.
pub(super) struct Node<D: Domain, H: Heuristic<D>> {
    pub state: D::State,
    pub carry: H::Carry,
    pub fsm: StateId,
}

impl<D: Domain, H: Heuristic<D>> Clone for Node<D, H> {
    fn clone(&self) -> Self {
        Node { state: self.state.clone(), carry: self.carry.clone(), fsm: self.fsm }
    }
}

/// A subtree to search: its root, and the operators that lead there.
pub(super) struct Subtree<D: Domain, H: Heuristic<D>> {
    pub node: Node<D, H>,
    pub path: Vec<Op>,
    /// Moves left below the subtree's root, at least 1.
    pub remaining: u32,
    /// Whether splitting found that the root has no children.
    pub is_leaf: bool,
}

impl<D: Domain, H: Heuristic<D>> Subtree<D, H> {
    pub(super) fn new(node: Node<D, H>, path: Vec<Op>, remaining: u32) -> Self {
        Subtree { node, path, remaining, is_leaf: false }
    }
}
