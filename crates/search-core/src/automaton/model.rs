//! The view of a domain from which an automaton is learned.

use crate::domain::Op;

/// A domain as the learner sees it: the effect of each string, and the states in which it is legal.
pub trait Model: Sync {
    /// The effect of an operator string, and the states in which it is legal.
    type Walk: Clone + Send + Sync;

    /// The number of operators, at most 64.
    fn op_count(&self) -> usize;

    /// The empty string's walk.
    fn start(&self) -> Self::Walk;

    /// The walk of the string extended by `op`; `None` where no state makes it legal.
    fn extend(&self, walk: &Self::Walk, op: Op) -> Option<Self::Walk>;

    /// A hash of the effect: equal for equal effects.
    fn effect_hash(&self, walk: &Self::Walk) -> u64;

    /// Whether both strings have the same effect on every state where both are legal.
    fn same_effect(&self, a: &Self::Walk, b: &Self::Walk) -> bool;

    /// Whether `standing` is legal in every state in which `pruned` is.
    fn legal_wherever(&self, standing: &Self::Walk, pruned: &Self::Walk) -> bool;
}
