//! Lower bounds in two phases: locate, then read.
//!
//! The idea: any useful table is in main memory, where waiting for one read costs as much as hundreds of instructions,
//! but each of many reads in flight costs little. So a heuristic first *locates* the values of a node's children: it
//! computes the indexes from the parent, before the children exist, and prefetches the cache lines. It *reads* the
//! values later, after the search has located many others.
//!
//! A heuristic may have several **stages**, tried in order: each stage's value is a lower bound by itself, and the
//! heuristic's value is their maximum. For a child that one stage prunes, the next is not evaluated.
//!
//! Invariants that a heuristic must keep: every stage's value is at most the distance to the nearest goal (admissible),
//! and the value depends on the state alone, never on the path.
//!
//! There are three ways to write one, from the simplest:
//!
//! | the heuristic | implementation |
//! | --- | --- |
//! | a function of the state | none: every `Fn(&State) -> u8` is a heuristic |
//! | values that follow from the parent's, or are read from tables | [`ChildBound`] |
//! | shared work for the children of one node | [`Heuristic`] itself |
//!
//! [`Max`] and [`Sum`] combine bounds of the first two kinds.

mod child;
mod combine;
mod own;

use crate::automaton::Automaton;
use crate::domain::{Domain, Op, OpSet};

pub use child::{ChildBound, Evaluated};
pub use combine::{Max, Sum};
pub use own::{NodeCounts, OWN_STAGES, SubtreeQueue, SubtreeRoot};

/// A node that a search expands, as the heuristic sees it.
#[derive(Debug)]
pub struct NodeRef<'n, D: Domain, C> {
    /// The puzzle.
    pub domain: &'n D,
    /// The node's state.
    pub state: &'n D::State,
    /// The carry of that state.
    pub carry: &'n C,
}

impl<D: Domain, C> Clone for NodeRef<'_, D, C> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Domain, C> Copy for NodeRef<'_, D, C> {}

impl<'n, D: Domain, C> NodeRef<'n, D, C> {
    /// The same node for a heuristic whose carry is a part of this one.
    #[inline(always)]
    pub fn with_carry<P>(self, carry: &'n P) -> NodeRef<'n, D, P> {
        NodeRef { domain: self.domain, state: self.state, carry }
    }
}

/// The children of one node that a search evaluates together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The operators that lead to them. All were in one [`useful`](Heuristic::useful) set of the
    /// node, or in its [root moves](crate::ida::RootMoves), and passed the stages before this one.
    pub ops: OpSet,
    /// The stage to evaluate.
    pub stage: usize,
    /// The number of moves left after a child: greater values are pruned.
    pub limit: u32,
}

/// An admissible lower bound on the distance to the goal, evaluated in two phases for all children
/// of a node together.
pub trait Heuristic<D: Domain>: Sync {
    /// Data passed from a node to its children so that their values are cheap to compute:
    /// coordinates, partial sums, values of parts. Derived from the state alone.
    type Carry: Clone + Send + Sync + 'static;
    /// Data kept between calls while the children of a node are evaluated: the locations of values, for
    /// [`read`](Heuristic::read), and the values read, for [`carry_child`](Heuristic::carry_child). It is reused for
    /// the next node, so at stage 0 it contains data of another node.
    type Scratch: Default + Send;

    /// The number of stages, at least 1.
    #[inline(always)]
    fn stages(&self) -> usize {
        1
    }

    /// Returns the carry of a state that has no parent.
    fn carry(&self, domain: &D, state: &D::State) -> Self::Carry;

    /// Returns the carry of `child`, which `op` leads to from `parent`. All stages of the child have
    /// been read, and have left `scratch`.
    fn carry_child(
        &self,
        parent: NodeRef<'_, D, Self::Carry>,
        op: Op,
        child: &D::State,
        scratch: &Self::Scratch,
    ) -> Self::Carry;

    /// Prepares phase one: prefetches data that the locations depend on, if there are any. It is called before
    /// [`locate`](Heuristic::locate), for the same batch; a search may do other work in between.
    #[inline(always)]
    fn prepare(&self, node: NodeRef<'_, D, Self::Carry>, batch: Batch, scratch: &mut Self::Scratch) {
        let _ = (node, batch, scratch);
    }

    /// Whether the stage that has been [prepared](Heuristic::prepare) may prune a child; true by default. If not, a search may
    /// neither locate nor read the stage.
    #[inline(always)]
    fn looks(&self, batch: Batch, scratch: &Self::Scratch) -> bool {
        let _ = (batch, scratch);
        true
    }

    /// Phase one: computes the locations of the children's values and prefetches them. The children need not be built.
    fn locate(&self, node: NodeRef<'_, D, Self::Carry>, batch: Batch, scratch: &mut Self::Scratch);

    /// Phase two: reads the located values. `batch` is that of phase one.
    fn read(&self, batch: Batch, scratch: &mut Self::Scratch) -> Sieved;

    /// All phases at once, for a search that does not wait between them.
    #[inline(always)]
    fn evaluate(
        &self,
        node: NodeRef<'_, D, Self::Carry>,
        batch: Batch,
        scratch: &mut Self::Scratch,
    ) -> Sieved {
        self.prepare(node, batch, scratch);
        self.locate(node, batch, scratch);
        self.read(batch, scratch)
    }

    /// The value of a state without a parent: the maximum of all stages.
    fn value(&self, domain: &D, state: &D::State) -> u8;

    /// The operators in `allowed` that a search with `remaining` moves left at `node` needs, judging by the carried
    /// values; all of them by default. If `allowed` contains the first operator of a solution of at most `remaining`
    /// moves, so must the result. (If several operators begin the same solution, for example one at either end, one of
    /// them is enough.)
    #[inline(always)]
    fn useful(&self, node: NodeRef<'_, D, Self::Carry>, remaining: u32, allowed: OpSet) -> OpSet {
        let _ = (node, remaining);
        allowed
    }

    /// The kernel that suits the heuristic; the depth-first one by default.
    fn kernel(&self) -> Kernel {
        Kernel::DepthFirst
    }

    /// Searches the subtrees of a queue for solutions by a kernel of the heuristic's own, `lanes` of them in turn, and
    /// returns true; false if it has none. It is called if [`kernel`](Heuristic::kernel) is [`Kernel::Own`] and the
    /// search ends at a solution, or counts all nodes of a bound.
    #[inline(always)]
    fn search_subtrees(
        &self,
        domain: &D,
        automaton: &Automaton,
        lanes: usize,
        queue: &mut dyn SubtreeQueue<D, Self::Carry>,
    ) -> bool {
        let _ = (domain, automaton, lanes, queue);
        false
    }
}

/// The kernel by which a thread searches its subtrees. Ordered by the number of subtrees in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kernel {
    /// One node at a time: best when no value needs a read from main memory.
    DepthFirst,
    /// This many subtrees in turn on each thread, so that their table reads overlap.
    Interleaved {
        /// Subtrees in flight on each thread, at least 1.
        lanes: usize,
    },
    /// The heuristic's [own](Heuristic::search_subtrees); the interleaved one if it has none, or if all solutions are
    /// wanted.
    Own {
        /// Subtrees in flight on each thread, at least 1.
        lanes: usize,
    },
}

/// The result of one stage for the children of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sieved {
    /// The children whose values are within the limit.
    pub kept: OpSet,
    /// The least value of the pruned children; `u32::MAX` if there is none.
    pub least_cut: u32,
}

impl Default for Sieved {
    #[inline(always)]
    fn default() -> Sieved {
        Sieved { kept: OpSet::EMPTY, least_cut: u32::MAX }
    }
}

impl Sieved {
    /// Adds one child's value, without a branch, since whether it is pruned is hard to predict.
    #[inline(always)]
    pub fn take(&mut self, op: Op, value: u8, limit: u32) {
        let value = u32::from(value);
        let within = value <= limit;
        self.kept.0 |= u64::from(within) << op.index();
        self.least_cut = self.least_cut.min(if within { u32::MAX } else { value });
    }

    /// Prunes all children if the greatest value of the node's neighbours shows that the node has no solution within
    /// the limit. Every operator must be undone by one operator: then the node is at most one move nearer to the goal
    /// than a neighbour, so a neighbour beyond `limit + 2` proves it. Each child then has at least the value `greatest
    /// - 2`.
    ///
    /// This helps only inconsistent heuristics: with a consistent one, such a node is never expanded.
    ///
    /// Source: bidirectional pathmax, Felner, Zahavi, Schaeffer & Holte 2005, "Dual lookups in pattern
    /// databases".
    #[inline(always)]
    #[must_use]
    pub fn with_greatest(self, greatest: u8, limit: u32) -> Sieved {
        match u32::from(greatest) {
            greatest if greatest > limit + 2 => Sieved { kept: OpSet::EMPTY, least_cut: greatest - 2 },
            _ => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distant_neighbour_prunes_all_children() {
        let mut sieved = Sieved::default();
        sieved.take(Op::new(3), 5, 8);
        sieved.take(Op::new(4), 9, 8);
        assert_eq!(sieved, Sieved { kept: OpSet::EMPTY.with(Op::new(3)), least_cut: 9 });
        // With nine moves left, a neighbour ten moves away may be one move farther than the node.
        assert_eq!(sieved.with_greatest(10, 8), sieved);
        assert_eq!(sieved.with_greatest(11, 8), Sieved { kept: OpSet::EMPTY, least_cut: 9 });
        assert_eq!(sieved.with_greatest(13, 8), Sieved { kept: OpSet::EMPTY, least_cut: 11 });
    }
}
