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

use crate::domain::{Domain, Op, OpSet};

pub use combine::{Max, Sum};

/// An admissible lower bound on the distance to the goal, evaluated in two phases.
pub trait Heuristic<D: Domain>: Sync {
    /// What is carried from a node to its children so that their values come cheaply:
    /// coordinates, partial sums, values of parts. Derived from the state alone.
    type Carry: Clone + Send + Sync;
    /// Where one stage's value lies, or the value itself when no table is needed.
    type Probe: Copy + Send;
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

    /// Phase one for several children at once: appends to `probes` what [`locate`](Heuristic::locate)
    /// returns for each of `ops`, all of which were in one [`useful`](Heuristic::useful) set of
    /// this node. A heuristic overrides this where children of one node share work.
    #[inline(always)]
    fn locate_all(
        &self,
        domain: &D,
        parent: &D::State,
        carry: &Self::Carry,
        ops: impl Iterator<Item = Op>,
        stage: usize,
        probes: &mut Vec<Self::Probe>,
    ) {
        // A loop, not a closure: what is called must be inlined to get the caller's instructions.
        for op in ops {
            probes.push(self.locate(domain, parent, carry, op, stage));
        }
    }

    /// Phase two: the located stage's value. `memo` is what the earlier stages left.
    fn read(&self, probe: Self::Probe, stage: usize, memo: &mut Self::Memo) -> u8;

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
