//! A node of the tree, and a subtree to search.

use crate::automaton::StateId;
use crate::domain::{Domain, Op};
use crate::heuristic::Heuristic;

/// A node on the current path: a state, the data that the heuristic carries to its children, and the automaton's state.
#[derive(Clone)]
pub(super) struct Node<S, C> {
    pub state: S,
    pub carry: C,
    pub fsm: StateId,
}

/// A node of the tree of a domain and a heuristic.
pub(super) type NodeOf<D, H> = Node<<D as Domain>::State, <H as Heuristic<D>>::Carry>;

/// A subtree to search: its root, and the operators that lead there.
pub(super) struct Subtree<S, C> {
    pub node: Node<S, C>,
    pub path: Vec<Op>,
    /// The number of moves left below the subtree's root, at least 1.
    pub remaining: u32,
    /// Whether splitting found that the root has no children.
    pub is_leaf: bool,
}

/// A subtree of the tree of a domain and a heuristic.
pub(super) type SubtreeOf<D, H> = Subtree<<D as Domain>::State, <H as Heuristic<D>>::Carry>;

impl<S, C> Subtree<S, C> {
    pub(super) fn new(node: Node<S, C>, path: Vec<Op>, remaining: u32) -> Self {
        Subtree { node, path, remaining, is_leaf: false }
    }
}
