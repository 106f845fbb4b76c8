//! The maximum of the coset bound, if there is one, and of patterns, if there are any.
//!
//! Both bounds are stages of one heuristic: those of the cosets come first, since they prune most.

use crate::heuristics::patterns::PatternBound;
use crate::heuristics::{CosetBound, IN_TURN};
use crate::lanes::Lanes;
use crate::space::{CubeSpace, State};
use search_core::heuristic::{Batch, Heuristic, Kernel, NodeRef, Sieved};
use search_core::{Op, PerOp};

/// The bound of the cosets, then that of the patterns.
#[derive(Clone, Debug)]
pub(crate) struct WithCosets<V> {
    pub(super) cosets: CosetBound<V>,
    pub(super) patterns: PatternBound<V>,
}

/// The carry of a heuristic.
type Carry<V, H> = <H as Heuristic<CubeSpace<V>>>::Carry;
/// The scratch data of a heuristic.
type Scratch<V, H> = <H as Heuristic<CubeSpace<V>>>::Scratch;

/// The part that a stage belongs to, with the number of the stage within it.
enum Part {
    Cosets,
    Patterns(Batch),
}

impl<V: Lanes> WithCosets<V> {
    #[inline(always)]
    fn part(&self, batch: Batch) -> Part {
        let before = Heuristic::<CubeSpace<V>>::stages(&self.cosets);
        match batch.stage.checked_sub(before) {
            None => Part::Cosets,
            Some(stage) => Part::Patterns(Batch { stage, ..batch }),
        }
    }
}

impl<V: Lanes> Heuristic<CubeSpace<V>> for WithCosets<V> {
    type Carry = (Carry<V, CosetBound<V>>, Carry<V, PatternBound<V>>);
    type Scratch = (Scratch<V, CosetBound<V>>, PerOp<usize>);

    #[inline(always)]
    fn stages(&self) -> usize {
        let cosets = Heuristic::<CubeSpace<V>>::stages(&self.cosets);
        cosets + Heuristic::<CubeSpace<V>>::stages(&self.patterns)
    }

    fn carry(&self, domain: &CubeSpace<V>, state: &State<V>) -> Self::Carry {
        (self.cosets.carry(domain, state), self.patterns.carry(domain, state))
    }

    #[inline(always)]
    fn carry_child(
        &self,
        parent: NodeRef<'_, CubeSpace<V>, Self::Carry>,
        op: Op,
        child: &State<V>,
        scratch: &Self::Scratch,
    ) -> Self::Carry {
        let (cosets, patterns) = parent.carry;
        (
            self.cosets.carry_child(parent.with_carry(cosets), op, child, &scratch.0),
            self.patterns.carry_child(parent.with_carry(patterns), op, child, &scratch.1),
        )
    }

    #[inline(always)]
    fn locate(
        &self,
        node: NodeRef<'_, CubeSpace<V>, Self::Carry>,
        batch: Batch,
        scratch: &mut Self::Scratch,
    ) {
        let (cosets, patterns) = node.carry;
        match self.part(batch) {
            Part::Cosets => self.cosets.locate(node.with_carry(cosets), batch, &mut scratch.0),
            Part::Patterns(batch) => self.patterns.locate(node.with_carry(patterns), batch, &mut scratch.1),
        }
    }

    #[inline(always)]
    fn read(&self, batch: Batch, scratch: &mut Self::Scratch) -> Sieved {
        match self.part(batch) {
            Part::Cosets => Heuristic::<CubeSpace<V>>::read(&self.cosets, batch, &mut scratch.0),
            Part::Patterns(batch) => Heuristic::<CubeSpace<V>>::read(&self.patterns, batch, &mut scratch.1),
        }
    }

    fn value(&self, domain: &CubeSpace<V>, state: &State<V>) -> u8 {
        self.cosets.value(domain, state).max(self.patterns.value(domain, state))
    }

    fn kernel(&self) -> Kernel {
        IN_TURN
    }
}
