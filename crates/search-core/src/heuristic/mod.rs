//! Lower bounds in two phases: locate, then read.
//!
//! The idea: a table of any useful size lies in main memory, where one read that is waited for
//! costs as much as hundreds of instructions, but many reads in flight cost little each. So a
//! heuristic first says *where* a child's value lies (computing the index from the parent, before
//! the child exists, and asking the processor to fetch the line), and is asked to *read* later,
//! when the search has located many others.
//!
//! A heuristic may have several **stages**, tried in order: each stage's value is a lower bound by
//! itself, and the heuristic's value is their maximum. A child that one stage prunes never pays
//! for the next. [`Max`] adds the stages of its parts; [`Sum`] reads both parts in one stage.
//!
//! Invariants a heuristic keeps: every stage's value is at most the distance to the nearest goal
//! (admissible), and the value depends on the state alone, never on the path.

mod combine;

use crate::domain::{Domain, Op, OpSet, PerOp};

pub use combine::{Max, Sum};

/// An admissible lower bound on the distance to the goal, evaluated in two phases.
pub trait Heuristic<D: Domain>: Sync {
    /// What is carried from a node to its children so that their values come cheaply:
    /// coordinates, partial sums, values of parts. Derived from the state alone.
    type Carry: Clone + Send + Sync;
    /// Where one stage's value lies, or the value itself when no table is needed.
    type Probe: Copy + Default + Send;
    /// What reading a child's stages leaves for [`carry_child`](Heuristic::carry_child): the
    /// values of parts, say, so that no table is read twice. `()` when nothing is needed.
    type Memo: Copy + Default + Send;

    /// How many stages the evaluation has, at least 1.
    #[inline(always)]
    fn stages(&self) -> usize {
        1
    }

    /// What is carried at a state that has no parent.
    fn carry(&self, domain: &D, state: &D::State) -> Self::Carry;

    /// What is carried at `child`, which `op` leads to from `parent`. All stages of the child have
    /// been read, and have left `memo`.
    fn carry_child(
        &self,
        domain: &D,
        parent: &D::State,
        carry: &Self::Carry,
        op: Op,
        child: &D::State,
        memo: &Self::Memo,
    ) -> Self::Carry;

    /// Phase one: computes where stage `stage` of the child that `op` leads to lies, and
    /// prefetches it. The child itself need not be built.
    fn locate(&self, domain: &D, parent: &D::State, carry: &Self::Carry, op: Op, stage: usize)
    -> Self::Probe;

    /// Phase one for several children at once: fills `probes` for each of `ops`, all of which were
    /// in one [`useful`](Heuristic::useful) set of this node, with what
    /// [`read_all`](Heuristic::read_all) needs to read them. A heuristic overrides this where children of one node
    /// share work.
    #[inline(always)]
    fn locate_all(
        &self,
        domain: &D,
        parent: &D::State,
        carry: &Self::Carry,
        ops: OpSet,
        stage: usize,
        probes: &mut PerOp<Self::Probe>,
    ) {
        // A loop, not a closure: what is called must be inlined to get the caller's instructions.
        for op in ops {
            probes[op] = self.locate(domain, parent, carry, op, stage);
        }
    }

    /// Phase two: the located stage's value. `memo` is what the earlier stages left.
    fn read(&self, probe: Self::Probe, stage: usize, memo: &mut Self::Memo) -> u8;

    /// Phase two for the children that [`locate_all`](Heuristic::locate_all) located: which of them
    /// have values of at most `limit`. Stage 0 finds memos of another node and overwrites them. A
    /// heuristic overrides this where what all reads share is worth preparing once; it may then lay
    /// out what it located as it likes.
    #[inline(always)]
    fn read_all(
        &self,
        ops: OpSet,
        stage: usize,
        probes: &PerOp<Self::Probe>,
        memos: &mut PerOp<Self::Memo>,
        limit: u32,
    ) -> Sieved {
        let mut sieved = Sieved::default();
        for op in ops {
            if stage == 0 {
                memos[op] = Self::Memo::default();
            }
            sieved.take(op, self.read(probes[op], stage, &mut memos[op]), limit);
        }
        sieved
    }

    /// Both phases of one stage at once, for a search that does not wait between them. The outcome is
    /// that of [`locate_all`](Heuristic::locate_all) and [`read_all`](Heuristic::read_all); a heuristic
    /// whose `read_all` does more than ask for each child overrides this too.
    #[expect(clippy::too_many_arguments, reason = "those of both phases")]
    #[inline(always)]
    fn evaluate_all(
        &self,
        domain: &D,
        parent: &D::State,
        carry: &Self::Carry,
        ops: OpSet,
        stage: usize,
        memos: &mut PerOp<Self::Memo>,
        limit: u32,
    ) -> Sieved {
        let mut sieved = Sieved::default();
        for op in ops {
            let probe = self.locate(domain, parent, carry, op, stage);
            if stage == 0 {
                memos[op] = Self::Memo::default();
            }
            sieved.take(op, self.read(probe, stage, &mut memos[op]), limit);
        }
        sieved
    }

    /// The whole value of a state that has no parent (all stages).
    fn value(&self, domain: &D, state: &D::State) -> u8;

    /// The greatest value that any state can have.
    fn max_value(&self) -> u8;

    /// Those of the operators in `allowed` with which a solution of at most `remaining` moves can
    /// begin in this state, as far as the carried values tell. All of them by default. A domain
    /// whose operators act on two ends (a position and its inverse) also chooses the end here:
    /// then the set must hold a first operator of every such solution *for one chosen end*.
    #[inline(always)]
    fn useful(
        &self,
        domain: &D,
        state: &D::State,
        carry: &Self::Carry,
        remaining: u32,
        allowed: OpSet,
    ) -> OpSet {
        let _ = (domain, state, carry, remaining);
        allowed
    }
}

/// The children of one node that one stage leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sieved {
    /// Those whose values are within the limit.
    pub kept: OpSet,
    /// The least value of the others; `u32::MAX` when there is none.
    pub least_cut: u32,
}

impl Default for Sieved {
    #[inline(always)]
    fn default() -> Sieved {
        Sieved { kept: OpSet::EMPTY, least_cut: u32::MAX }
    }
}

impl Sieved {
    /// Takes in one child's value, without a branch: whether it is cut is hard to foretell.
    #[inline(always)]
    pub fn take(&mut self, op: Op, value: u8, limit: u32) {
        let value = u32::from(value);
        let within = value <= limit;
        self.kept.0 |= u64::from(within) << op.0;
        self.least_cut = self.least_cut.min(if within { u32::MAX } else { value });
    }

    /// What the greatest value of the node's neighbours says, where every operator is undone by one
    /// operator: the node itself is at most one move nearer, so a neighbour beyond `limit + 2` shows
    /// that no solution through the node has few enough moves. Then all children are cut, each of
    /// them by `greatest - 2`.
    ///
    /// Only an inconsistent heuristic gains: with a consistent one no such node is ever expanded.
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

/// The heuristic that is zero everywhere: turns IDA* into iterative deepening.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl<D: Domain> Heuristic<D> for Zero {
    type Carry = ();
    type Probe = ();
    type Memo = ();
    #[inline(always)]
    fn carry(&self, _: &D, _: &D::State) {}
    #[inline(always)]
    fn carry_child(&self, _: &D, _: &D::State, _: &(), _: Op, _: &D::State, _: &()) {}
    #[inline(always)]
    fn locate(&self, _: &D, _: &D::State, _: &(), _: Op, _: usize) {}
    #[inline(always)]
    fn read(&self, _: (), _: usize, _: &mut ()) -> u8 {
        0
    }
    fn value(&self, _: &D, _: &D::State) -> u8 {
        0
    }
    fn max_value(&self) -> u8 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_far_neighbour_cuts_all_children() {
        let mut sieved = Sieved::default();
        sieved.take(Op(3), 5, 8);
        sieved.take(Op(4), 9, 8);
        assert_eq!(sieved, Sieved { kept: OpSet::EMPTY.with(Op(3)), least_cut: 9 });
        // With nine moves left, a neighbour ten moves away may be one move behind the node.
        assert_eq!(sieved.with_greatest(10, 8), sieved);
        assert_eq!(sieved.with_greatest(11, 8), Sieved { kept: OpSet::EMPTY, least_cut: 9 });
        assert_eq!(sieved.with_greatest(13, 8), Sieved { kept: OpSet::EMPTY, least_cut: 11 });
    }
}
