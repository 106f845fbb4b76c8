//! Combinations of bounds: the greater of two, and the sum of two that count different moves.
//!
//! [`Max`] is admissible because both parts are; its stages are those of the first part and then those of the second,
//! so a child that the first part prunes does not cost an evaluation of the second. Put the cheaper or the stronger
//! part first.
//!
//! [`Sum`] is admissible only when no move is counted by both parts (Korf and Felner 2002,
//! "Disjoint pattern database heuristics"); the caller must choose such parts. A single stage of a
//! part is too weak a bound to be read separately, so the sum has one stage: all reads of both parts
//! are in flight together.

use super::{ChildBound, Kernel, NodeRef};
use crate::domain::{Domain, Op};

/// The greater of two bounds, tried one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Max<A, B>(pub A, pub B);

impl<D: Domain, A: ChildBound<D>, B: ChildBound<D>> ChildBound<D> for Max<A, B> {
    type Carry = (A::Carry, B::Carry);
    type Probe = (A::Probe, B::Probe);
    type Memo = (A::Memo, B::Memo);

    #[inline(always)]
    fn stages(&self) -> usize {
        self.0.stages() + self.1.stages()
    }

    fn carry(&self, domain: &D, state: &D::State) -> Self::Carry {
        (self.0.carry(domain, state), self.1.carry(domain, state))
    }

    #[inline(always)]
    fn carry_child(
        &self,
        parent: NodeRef<'_, D, Self::Carry>,
        op: Op,
        child: &D::State,
        memo: &Self::Memo,
    ) -> Self::Carry {
        let (a, b) = parts(parent);
        (self.0.carry_child(a, op, child, &memo.0), self.1.carry_child(b, op, child, &memo.1))
    }

    #[inline(always)]
    fn locate(&self, node: NodeRef<'_, D, Self::Carry>, op: Op, stage: usize) -> Self::Probe {
        let (a, b) = parts(node);
        match stage.checked_sub(self.0.stages()) {
            None => (self.0.locate(a, op, stage), B::Probe::default()),
            Some(stage) => (A::Probe::default(), self.1.locate(b, op, stage)),
        }
    }

    #[inline(always)]
    fn read(&self, probe: Self::Probe, stage: usize, memo: &mut Self::Memo) -> u8 {
        match stage.checked_sub(self.0.stages()) {
            None => self.0.read(probe.0, stage, &mut memo.0),
            Some(stage) => self.1.read(probe.1, stage, &mut memo.1),
        }
    }

    fn value(&self, domain: &D, state: &D::State) -> u8 {
        self.0.value(domain, state).max(self.1.value(domain, state))
    }

    fn kernel(&self) -> Kernel {
        self.0.kernel().max(self.1.kernel())
    }
}

/// The node as each of two parts sees it.
#[inline(always)]
fn parts<'n, D: Domain, A, B>(node: NodeRef<'n, D, (A, B)>) -> (NodeRef<'n, D, A>, NodeRef<'n, D, B>) {
    (node.with_carry(&node.carry.0), node.with_carry(&node.carry.1))
}

/// The sum of two bounds that never count the same move.
#[derive(Clone, Copy, Debug)]
pub struct Sum<A, B>(A, B);

/// The maximum number of stages of a part of a [`Sum`].
const STAGES: usize = 4;

impl<A, B> Sum<A, B> {
    /// The sum of `a` and `b`, in the domain `D`. No move may be counted by both.
    ///
    /// # Panics
    /// If a part has more than 4 stages.
    pub fn new<D: Domain>(a: A, b: B) -> Self
    where
        A: ChildBound<D>,
        B: ChildBound<D>,
    {
        assert!(a.stages().max(b.stages()) <= STAGES, "a part of a sum has at most {STAGES} stages");
        Sum(a, b)
    }
}

/// Locates all stages of one part.
#[inline(always)]
fn locate_all<D: Domain, H: ChildBound<D>>(
    part: &H,
    node: NodeRef<'_, D, H::Carry>,
    op: Op,
) -> [H::Probe; STAGES] {
    let mut probes = [H::Probe::default(); STAGES];
    for (stage, probe) in probes.iter_mut().enumerate().take(part.stages()) {
        *probe = part.locate(node, op, stage);
    }
    probes
}

/// The greatest value of one part's stages.
#[inline(always)]
fn read_all<D: Domain, H: ChildBound<D>>(part: &H, probes: [H::Probe; STAGES], memo: &mut H::Memo) -> u8 {
    let mut value = 0;
    for (stage, probe) in probes.into_iter().enumerate().take(part.stages()) {
        value = value.max(part.read(probe, stage, memo));
    }
    value
}

impl<D: Domain, A: ChildBound<D>, B: ChildBound<D>> ChildBound<D> for Sum<A, B> {
    type Carry = (A::Carry, B::Carry);
    type Probe = ([A::Probe; STAGES], [B::Probe; STAGES]);
    type Memo = (A::Memo, B::Memo);

    fn carry(&self, domain: &D, state: &D::State) -> Self::Carry {
        (self.0.carry(domain, state), self.1.carry(domain, state))
    }

    #[inline(always)]
    fn carry_child(
        &self,
        parent: NodeRef<'_, D, Self::Carry>,
        op: Op,
        child: &D::State,
        memo: &Self::Memo,
    ) -> Self::Carry {
        let (a, b) = parts(parent);
        (self.0.carry_child(a, op, child, &memo.0), self.1.carry_child(b, op, child, &memo.1))
    }

    #[inline(always)]
    fn locate(&self, node: NodeRef<'_, D, Self::Carry>, op: Op, _: usize) -> Self::Probe {
        let (a, b) = parts(node);
        (locate_all(&self.0, a, op), locate_all(&self.1, b, op))
    }

    #[inline(always)]
    fn read(&self, (a, b): Self::Probe, _: usize, memo: &mut Self::Memo) -> u8 {
        read_all(&self.0, a, &mut memo.0).saturating_add(read_all(&self.1, b, &mut memo.1))
    }

    fn value(&self, domain: &D, state: &D::State) -> u8 {
        self.0.value(domain, state).saturating_add(self.1.value(domain, state))
    }

    fn kernel(&self) -> Kernel {
        self.0.kernel().max(self.1.kernel())
    }
}
