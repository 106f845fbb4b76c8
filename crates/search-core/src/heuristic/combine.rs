//! How bounds combine: the greater of two, and the sum of two that count different moves.
//!
//! [`Max`] is admissible because both parts are; its stages are those of the first part and then
//! those of the second, so a child that the first part prunes never pays for the second. Put the
//! cheaper or the stronger part first.
//!
//! [`Sum`] is admissible only when no move is counted by both parts (Korf and Felner 2002,
//! "Disjoint pattern database heuristics"); to give such parts is the caller's duty. A part's
//! stage alone is a bound too weak to be asked separately, so the sum is read in one stage: all
//! reads of both parts are in flight together.

use crate::domain::{Domain, Op, OpSet};
use crate::heuristic::Heuristic;

/// The greater of two bounds, tried one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Max<A, B>(pub A, pub B);

/// Where a stage of one of two parts lies.
#[derive(Clone, Copy, Debug)]
pub enum Either<A, B> {
    /// A stage of the first part.
    First(A),
    /// A stage of the second part.
    Second(B),
}

impl<A: Default, B> Default for Either<A, B> {
    fn default() -> Either<A, B> {
        Either::First(A::default())
    }
}

impl<D: Domain, A: Heuristic<D>, B: Heuristic<D>> Heuristic<D> for Max<A, B> {
    type Carry = (A::Carry, B::Carry);
    type Probe = Either<A::Probe, B::Probe>;
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
        domain: &D,
        parent: &D::State,
        carry: &Self::Carry,
        op: Op,
        child: &D::State,
        memo: &Self::Memo,
    ) -> Self::Carry {
        (
            self.0.carry_child(domain, parent, &carry.0, op, child, &memo.0),
            self.1.carry_child(domain, parent, &carry.1, op, child, &memo.1),
        )
    }

    #[inline(always)]
    fn locate(
        &self,
        domain: &D,
        parent: &D::State,
        carry: &Self::Carry,
        op: Op,
        stage: usize,
    ) -> Self::Probe {
        let first = self.0.stages();
        if stage < first {
            Either::First(self.0.locate(domain, parent, &carry.0, op, stage))
        } else {
            Either::Second(self.1.locate(domain, parent, &carry.1, op, stage - first))
        }
    }

    #[inline(always)]
    fn read(&self, probe: Self::Probe, stage: usize, memo: &mut Self::Memo) -> u8 {
        match probe {
            Either::First(probe) => self.0.read(probe, stage, &mut memo.0),
            Either::Second(probe) => self.1.read(probe, stage - self.0.stages(), &mut memo.1),
        }
    }

    fn value(&self, domain: &D, state: &D::State) -> u8 {
        self.0.value(domain, state).max(self.1.value(domain, state))
    }

    fn max_value(&self) -> u8 {
        self.0.max_value().max(self.1.max_value())
    }

    /// The smaller of the parts' sets. (Not what both hold: where a solution can begin at either
    /// of two ends, the parts may have chosen different ends.)
    #[inline(always)]
    fn useful(
        &self,
        domain: &D,
        state: &D::State,
        carry: &Self::Carry,
        remaining: u32,
        allowed: OpSet,
    ) -> OpSet {
        smaller(
            self.0.useful(domain, state, &carry.0, remaining, allowed),
            self.1.useful(domain, state, &carry.1, remaining, allowed),
        )
    }
}

#[inline(always)]
fn smaller(a: OpSet, b: OpSet) -> OpSet {
    if b.len() < a.len() { b } else { a }
}

/// The sum of two bounds that never count the same move. `N` and `M` are the parts' numbers of
/// stages.
#[derive(Clone, Copy, Debug)]
pub struct Sum<A, B, const N: usize = 1, const M: usize = 1> {
    a: A,
    b: B,
}

impl<A, B, const N: usize, const M: usize> Sum<A, B, N, M> {
    /// The sum of `a` and `b`, in the domain `D`. No move may be counted by both.
    ///
    /// # Panics
    /// If `a` has not `N` stages or `b` not `M`.
    pub fn new<D: Domain>(a: A, b: B) -> Self
    where
        A: Heuristic<D>,
        B: Heuristic<D>,
    {
        assert_eq!((a.stages(), b.stages()), (N, M), "the parts have as many stages as announced");
        Sum { a, b }
    }
}

/// Where all stages of one part lie.
#[derive(Clone, Copy, Debug)]
pub struct Stages<P, const N: usize>([P; N]);

impl<P: Default, const N: usize> Default for Stages<P, N> {
    fn default() -> Stages<P, N> {
        Stages(std::array::from_fn(|_| P::default()))
    }
}

/// All stages of one part, located.
#[inline(always)]
fn locate_all<D: Domain, H: Heuristic<D>, const N: usize>(
    part: &H,
    domain: &D,
    parent: &D::State,
    carry: &H::Carry,
    op: Op,
) -> Stages<H::Probe, N> {
    Stages(std::array::from_fn(|stage| part.locate(domain, parent, carry, op, stage)))
}

/// The greatest value of one part's stages.
#[inline(always)]
fn read_all<D: Domain, H: Heuristic<D>, const N: usize>(
    part: &H,
    probes: Stages<H::Probe, N>,
    memo: &mut H::Memo,
) -> u8 {
    let mut value = 0;
    for (stage, probe) in probes.0.into_iter().enumerate() {
        value = value.max(part.read(probe, stage, memo));
    }
    value
}

impl<D: Domain, A: Heuristic<D>, B: Heuristic<D>, const N: usize, const M: usize> Heuristic<D>
    for Sum<A, B, N, M>
{
    type Carry = (A::Carry, B::Carry);
    type Probe = (Stages<A::Probe, N>, Stages<B::Probe, M>);
    type Memo = (A::Memo, B::Memo);

    fn carry(&self, domain: &D, state: &D::State) -> Self::Carry {
        (self.a.carry(domain, state), self.b.carry(domain, state))
    }

    #[inline(always)]
    fn carry_child(
        &self,
        domain: &D,
        parent: &D::State,
        carry: &Self::Carry,
        op: Op,
        child: &D::State,
        memo: &Self::Memo,
    ) -> Self::Carry {
        (
            self.a.carry_child(domain, parent, &carry.0, op, child, &memo.0),
            self.b.carry_child(domain, parent, &carry.1, op, child, &memo.1),
        )
    }

    #[inline(always)]
    fn locate(&self, domain: &D, parent: &D::State, carry: &Self::Carry, op: Op, _: usize) -> Self::Probe {
        (locate_all(&self.a, domain, parent, &carry.0, op), locate_all(&self.b, domain, parent, &carry.1, op))
    }

    #[inline(always)]
    fn read(&self, (a, b): Self::Probe, _: usize, memo: &mut Self::Memo) -> u8 {
        read_all(&self.a, a, &mut memo.0).saturating_add(read_all(&self.b, b, &mut memo.1))
    }

    fn value(&self, domain: &D, state: &D::State) -> u8 {
        self.a.value(domain, state).saturating_add(self.b.value(domain, state))
    }

    fn max_value(&self) -> u8 {
        self.a.max_value().saturating_add(self.b.max_value())
    }

    /// What one part alone tells holds for the sum too.
    #[inline(always)]
    fn useful(
        &self,
        domain: &D,
        state: &D::State,
        carry: &Self::Carry,
        remaining: u32,
        allowed: OpSet,
    ) -> OpSet {
        smaller(
            self.a.useful(domain, state, &carry.0, remaining, allowed),
            self.b.useful(domain, state, &carry.1, remaining, allowed),
        )
    }
}
