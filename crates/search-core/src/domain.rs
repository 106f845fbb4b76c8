//! The contract that a puzzle fulfils: states, numbered operators of unit cost, a goal.
//!
//! Invariant: `apply` is defined exactly for the operators in `applicable`, and always leads to a
//! legal state. Searches never call it for any other operator.

use crate::simd::Target;
use std::ops::{Index, IndexMut};

/// One operator, numbered from 0 in the domain's own order (which is also the order of search).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Op(pub u8);

impl Op {
    /// The operator's number as an index.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of operators: bit `i` stands for operator `i`. At most 64 operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct OpSet(pub u64);

impl OpSet {
    /// The empty set.
    pub const EMPTY: OpSet = OpSet(0);
    /// All 64 possible operators.
    pub const ALL: OpSet = OpSet(u64::MAX);

    /// The set of the operators `0..count`.
    ///
    /// # Panics
    /// If `count` exceeds 64.
    pub const fn first(count: usize) -> OpSet {
        assert!(count <= 64, "a domain has at most 64 operators");
        if count == 64 { OpSet::ALL } else { OpSet((1 << count) - 1) }
    }

    /// Whether `op` is a member.
    #[inline(always)]
    pub const fn contains(self, op: Op) -> bool {
        self.0 >> op.0 & 1 == 1
    }

    /// This set and `op`.
    #[inline(always)]
    #[must_use]
    pub const fn with(self, op: Op) -> OpSet {
        OpSet(self.0 | 1 << op.0)
    }

    /// This set without `op`.
    #[inline(always)]
    #[must_use]
    pub const fn without(self, op: Op) -> OpSet {
        OpSet(self.0 & !(1 << op.0))
    }

    /// Removes and returns the least member.
    #[inline(always)]
    pub fn pop_first(&mut self) -> Option<Op> {
        if self.0 == 0 {
            return None;
        }
        let op = Op(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(op)
    }

    /// The members of both sets.
    #[inline(always)]
    #[must_use]
    pub const fn and(self, other: OpSet) -> OpSet {
        OpSet(self.0 & other.0)
    }

    /// The members of this set that `other` does not have.
    #[inline(always)]
    #[must_use]
    pub const fn minus(self, other: OpSet) -> OpSet {
        OpSet(self.0 & !other.0)
    }

    /// The number of members.
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no member.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl FromIterator<Op> for OpSet {
    fn from_iter<I: IntoIterator<Item = Op>>(ops: I) -> OpSet {
        ops.into_iter().fold(OpSet::EMPTY, OpSet::with)
    }
}

impl IntoIterator for OpSet {
    type Item = Op;
    type IntoIter = OpSetIter;
    #[inline(always)]
    fn into_iter(self) -> OpSetIter {
        OpSetIter(self)
    }
}

/// The members of an [`OpSet`] in ascending order.
#[derive(Clone, Debug)]
pub struct OpSetIter(OpSet);

impl Iterator for OpSetIter {
    type Item = Op;
    #[inline(always)]
    fn next(&mut self) -> Option<Op> {
        self.0.pop_first()
    }
}

/// A value for each of the 64 possible operators.
#[derive(Clone, Debug)]
pub struct PerOp<T>([T; 64]);

impl<T: Default> Default for PerOp<T> {
    fn default() -> PerOp<T> {
        PerOp(std::array::from_fn(|_| T::default()))
    }
}

impl<T> Index<Op> for PerOp<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, op: Op) -> &T {
        &self.0[op.index() & 63]
    }
}

impl<T> IndexMut<Op> for PerOp<T> {
    #[inline(always)]
    fn index_mut(&mut self, op: Op) -> &mut T {
        &mut self.0[op.index() & 63]
    }
}

/// The lengths that solutions of one instance can have: all of them are congruent to `residue`
/// modulo `modulus`. A sliding-tile puzzle knows the parity of its solutions; most domains know
/// nothing and return [`Lengths::ANY`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// At least 1.
    pub modulus: u32,
    /// Below `modulus`.
    pub residue: u32,
}

impl Lengths {
    /// Every length is possible.
    pub const ANY: Lengths = Lengths { modulus: 1, residue: 0 };

    /// Solutions of even (or odd) length only.
    pub const fn parity(odd: bool) -> Lengths {
        Lengths { modulus: 2, residue: odd as u32 }
    }

    /// The least possible length that is at least `bound`.
    pub const fn at_least(self, bound: u32) -> u32 {
        let ahead = (self.residue + self.modulus - bound % self.modulus) % self.modulus;
        bound + ahead
    }
}

/// A puzzle: states, operators of unit cost numbered from 0, and a goal.
pub trait Domain: Sync {
    /// The instructions that searches of the domain are compiled for; chosen at run time by default.
    const TARGET: Target = Target::Detected;

    /// A legal state.
    type State: Clone + Send + Sync + 'static;

    /// The number of operators, at most 64.
    fn op_count(&self) -> usize;

    /// The operators that can be applied in `state`; all of them by default.
    #[inline(always)]
    fn applicable(&self, state: &Self::State) -> OpSet {
        let _ = state;
        OpSet::first(self.op_count())
    }

    /// The state that `op` leads to. `op` is one of [`applicable`](Domain::applicable).
    fn apply(&self, state: &Self::State, op: Op) -> Self::State;

    /// Whether `state` is a goal.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// The lengths that solutions of `state` can have; any by default.
    fn lengths(&self, state: &Self::State) -> Lengths {
        let _ = state;
        Lengths::ANY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn op_sets_iterate_in_order() {
        let set: OpSet = [Op(5), Op(0), Op(63)].into_iter().collect();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [Op(0), Op(5), Op(63)]);
        assert_eq!(set.without(Op(5)).len(), 2);
        assert_eq!(OpSet::first(64), OpSet::ALL);
    }

    #[test]
    fn lengths_round_up() {
        assert_eq!(Lengths::parity(true).at_least(4), 5);
        assert_eq!(Lengths::parity(true).at_least(5), 5);
        assert_eq!(Lengths::parity(false).at_least(5), 6);
        assert_eq!(Lengths::ANY.at_least(7), 7);
    }
}
