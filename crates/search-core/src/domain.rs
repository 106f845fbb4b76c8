//! The contract that a puzzle fulfils: states, numbered operators of unit cost, a goal.
//!
//! Invariant: `apply` is defined exactly for the operators in `applicable`, and always leads to a
//! legal state. Searches never call it for any other operator.
//!
//! ```
//! use search_core::{Op, OpSet};
//!
//! let mut ops = OpSet::first(3).without(Op::new(1));
//! assert_eq!(ops.into_iter().map(Op::index).collect::<Vec<_>>(), [0, 2]);
//! assert_eq!(ops.pop_first(), Some(Op::new(0)));
//! ```

use crate::simd::Target;
use std::ops::{Index, IndexMut};

/// The most operators of a domain.
pub const MOST_OPS: usize = 64;

/// One operator, numbered from 0 in the domain's own order (which is also the order of search).
///
/// Invariant: the number is below [`MOST_OPS`], so every operator has its bit in an [`OpSet`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Op(u8);

impl Op {
    /// The operator with a number.
    ///
    /// # Panics
    /// If the number is 64 or more.
    #[inline(always)]
    pub const fn new(number: usize) -> Op {
        assert!(number < MOST_OPS, "operators are numbered from 0 to 63");
        Op(number as u8)
    }

    /// The operator's number.
    #[inline(always)]
    pub const fn index(self) -> usize {
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
    #[inline(always)]
    pub const fn first(count: usize) -> OpSet {
        assert!(count <= MOST_OPS, "a domain has at most 64 operators");
        if count == MOST_OPS { OpSet::ALL } else { OpSet((1 << count) - 1) }
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

    /// The number of operators, at most [`MOST_OPS`]. Searches, and learning an automaton, begin by
    /// checking it: they panic if it is greater.
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

/// A domain has no operators, or too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a domain has 1 to {MOST_OPS} operators, and this one declares {declared}")]
pub struct InvalidOpCount {
    /// The number that the domain declares.
    pub declared: usize,
}

/// The number of operators of a domain. [`Search`](crate::Search) checks it; call this before you learn an automaton.
///
/// # Errors
/// [`InvalidOpCount`] if there is none, or more than [`MOST_OPS`].
pub fn op_count<D: Domain>(domain: &D) -> Result<usize, InvalidOpCount> {
    let declared = domain.op_count();
    (1..=MOST_OPS).contains(&declared).then_some(declared).ok_or(InvalidOpCount { declared })
}

/// The number of operators of a domain.
///
/// # Panics
/// If there is none, or more than [`MOST_OPS`].
pub(crate) fn checked_op_count<D: Domain>(domain: &D) -> usize {
    op_count(domain).unwrap_or_else(|error| panic!("{error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn op_sets_iterate_in_order() {
        let set: OpSet = [5, 0, 63].map(Op::new).into_iter().collect();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [0, 5, 63].map(Op::new));
        assert_eq!(set.without(Op::new(5)).len(), 2);
        assert_eq!(OpSet::first(64), OpSet::ALL);
    }

    #[test]
    #[should_panic(expected = "numbered from 0 to 63")]
    fn an_operator_beyond_the_set_cannot_be_made() {
        // In a set, its bit would be that of operator 0.
        let _ = OpSet::EMPTY.with(Op::new(64));
    }

    #[test]
    fn a_domain_with_too_many_operators_is_refused() {
        struct Wide(usize);
        impl Domain for Wide {
            type State = u8;
            fn op_count(&self) -> usize {
                self.0
            }
            fn apply(&self, state: &u8, _: Op) -> u8 {
                *state
            }
            fn is_goal(&self, _: &u8) -> bool {
                true
            }
        }
        let search = |ops| crate::Search::new(&Wide(ops), &|_: &u8| 0u8).map(|_| ());
        assert_eq!(search(64), Ok(()));
        for ops in [0, 65] {
            let error = search(ops).expect_err("refused");
            assert_eq!(
                error.to_string(),
                format!("a domain has 1 to 64 operators, and this one declares {ops}")
            );
        }
    }

    #[test]
    fn lengths_round_up() {
        assert_eq!(Lengths::parity(true).at_least(4), 5);
        assert_eq!(Lengths::parity(true).at_least(5), 5);
        assert_eq!(Lengths::parity(false).at_least(5), 6);
        assert_eq!(Lengths::ANY.at_least(7), 7);
    }
}
