//! A tree whose operators have other names.
//!
//! The idea: several trees of a search may be images of one another under symmetries, and share their tables. Each is
//! then searched in the frame of the tables, and its solutions are written in that of the search.

use super::branch_depths::BranchDepths;
use super::operators::Operators;
use super::partition::{Outcome, Partition};
use super::tree::{AnyTree, SearchMode, Subtrees, UnitError};
use crate::clock::Instant;
use crate::domain::Op;
use crate::run::Run;
use std::ops::Range;

/// A tree whose operators have other names, in solutions that go in and out. Partitions and depths, which only this
/// tree reads, keep its own.
pub struct RenamedTree<'a> {
    tree: &'a dyn AnyTree,
    names: &'a [Op],
}

impl<'a> RenamedTree<'a> {
    /// The tree where each operator is called what `names` has at its number.
    ///
    /// # Panics
    /// If two operators have the same name.
    pub fn new(tree: &'a dyn AnyTree, names: &'a [Op]) -> RenamedTree<'a> {
        let is_new = |i: usize| !names[..i].contains(&names[i]);
        assert!((0..names.len()).all(is_new), "each operator has a name of its own");
        RenamedTree { tree, names }
    }

    /// The operators with these names; `None` if one is unknown.
    fn unnamed(&self, ops: &[Op]) -> Option<Vec<Op>> {
        let op = |name: &Op| self.names.iter().position(|other| other == name).map(Op::new);
        ops.iter().map(op).collect()
    }

    fn named(&self, ops: &Operators) -> Operators {
        let ops: Vec<Op> = ops.to_ops().iter().map(|op| self.names[op.index()]).collect();
        Operators::from(&ops[..])
    }
}

impl AnyTree for RenamedTree<'_> {
    fn is_solution(&self, ops: &[Op]) -> bool {
        self.unnamed(ops).is_some_and(|ops| self.tree.is_solution(&ops))
    }

    fn leads_to_goal(&self, ops: &[Op]) -> bool {
        self.unnamed(ops).is_some_and(|ops| self.tree.leads_to_goal(&ops))
    }

    fn least(&self, bound: u32) -> u32 {
        self.tree.least(bound)
    }

    fn partition(
        &self,
        bound: u32,
        enough: usize,
        depths: Option<&BranchDepths>,
        mode: SearchMode,
        run: &Run<'_>,
    ) -> (Partition, Subtrees) {
        self.tree.partition(bound, enough, depths, mode, run)
    }

    fn partition_again(&self, partition: &Partition, mode: SearchMode) -> Result<Subtrees, UnitError> {
        self.tree.partition_again(partition, mode)
    }

    fn search(
        &self,
        bound: u32,
        subtrees: &Subtrees,
        part: (Range<usize>, Option<Instant>),
        mode: SearchMode,
        begun: &(dyn Fn(usize) + Sync),
        run: &Run<'_>,
    ) -> Result<Outcome, UnitError> {
        let mut outcome = self.tree.search(bound, subtrees, part, mode, begun, run)?;
        outcome.solutions.iter_mut().for_each(|solution| *solution = self.named(solution));
        Ok(outcome)
    }

    fn expected(
        &self,
        subtrees: &Subtrees,
        shares: &[Range<usize>],
        growth: f64,
        run: &Run<'_>,
    ) -> Result<Vec<f64>, UnitError> {
        self.tree.expected(subtrees, shares, growth, run)
    }
}
