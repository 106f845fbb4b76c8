//! A filled table as a heuristic, in two phases: locate and prefetch, then read.
//!
//! [`Lookup`] reads exact distances of 4 or 8 bits. [`Mod3Lookup`] reads distances modulo 3 in 2 bits: a child's
//! distance differs from its parent's by at most one, so parent's distance and child's residue give the child's
//! distance (Cooperman and Finkelstein 1992). At the root no distance is known, so a walk downhill to a goal counts the
//! steps: an entry at distance `d > 0` has a neighbour whose residue is that of `d - 1`, and an entry at distance 0 has
//! none.

use crate::cast::to_u64;
use crate::domain::{Domain, Op};
use crate::heuristic::{ChildBound, NodeRef};
use crate::pdb::{Histogram, Packed};
use crate::run::Run;

/// A projection of a domain's states to the indexes of a table.
pub trait Projection<D: Domain>: Sync {
    /// Data passed from a state to its children so that their indexes are cheap to compute.
    type Coordinate: Clone + Send + Sync + 'static;

    /// The coordinate of a state.
    fn project(&self, domain: &D, state: &D::State) -> Self::Coordinate;

    /// The coordinate of the child that `op` leads to; by default the child is built.
    #[inline(always)]
    fn project_child(&self, parent: NodeRef<'_, D, Self::Coordinate>, op: Op) -> Self::Coordinate {
        let NodeRef { domain, state, .. } = parent;
        self.project(domain, &domain.apply(state, op))
    }

    /// The index of a coordinate.
    fn index(&self, coordinate: &Self::Coordinate) -> usize;
}

/// A function from states to indexes, as a projection.
#[derive(Clone, Copy, Debug)]
pub struct ByIndex<F>(pub F);

impl<D: Domain, F: Fn(&D::State) -> usize + Sync> Projection<D> for ByIndex<F> {
    type Coordinate = usize;
    #[inline(always)]
    fn project(&self, _: &D, state: &D::State) -> usize {
        (self.0)(state)
    }
    #[inline(always)]
    fn index(&self, coordinate: &usize) -> usize {
        *coordinate
    }
}

/// The distance of a state's projection, from a table of 4 or 8 bits per entry.
#[derive(Clone, Debug)]
pub struct Lookup<P, const BITS: u32, B> {
    projection: P,
    table: Packed<BITS, B>,
    max: u8,
}

impl<P, const BITS: u32, B: AsRef<[u8]> + Sync> Lookup<P, BITS, B> {
    /// Creates the lookup of states in `table` by `projection`. Reads the whole table once, for the greatest value. If
    /// the fill was stopped at a depth, entries that it did not reach count as one more than the greatest; if it was
    /// complete, they are dead ends, for which any value is a bound.
    pub fn new(projection: P, table: Packed<BITS, B>, run: &Run<'_>) -> Self {
        const { assert!(BITS == 4 || BITS == 8, "exact distances have 4 or 8 bits") }
        let histogram = Histogram::of(&table, run);
        let reached = histogram.max().unwrap_or(0);
        let max = if histogram.unreached > 0 { reached + 1 } else { reached };
        Lookup { projection, table, max }
    }

    #[inline(always)]
    fn read_index(&self, index: usize) -> u8 {
        self.table.get(to_u64(index)).min(self.max)
    }

    /// The greatest value that any state can have.
    pub fn max_value(&self) -> u8 {
        self.max
    }
}

impl<D, P, const BITS: u32, B> ChildBound<D> for Lookup<P, BITS, B>
where
    D: Domain,
    P: Projection<D>,
    B: AsRef<[u8]> + Sync,
{
    type Carry = P::Coordinate;
    type Probe = usize;
    type Memo = ();

    fn carry(&self, domain: &D, state: &D::State) -> P::Coordinate {
        self.projection.project(domain, state)
    }

    #[inline(always)]
    fn carry_child(
        &self,
        parent: NodeRef<'_, D, P::Coordinate>,
        op: Op,
        _: &D::State,
        (): &(),
    ) -> P::Coordinate {
        self.projection.project_child(parent, op)
    }

    #[inline(always)]
    fn locate(&self, node: NodeRef<'_, D, P::Coordinate>, op: Op, _: usize) -> usize {
        let coordinate = self.projection.project_child(node, op);
        let index = self.projection.index(&coordinate);
        self.table.prefetch(to_u64(index));
        index
    }

    #[inline(always)]
    fn read(&self, index: usize, _: usize, (): &mut ()) -> u8 {
        self.read_index(index)
    }

    fn value(&self, domain: &D, state: &D::State) -> u8 {
        let coordinate = self.projection.project(domain, state);
        self.read_index(self.projection.index(&coordinate))
    }
}

/// The distance of a state's projection, from a table of distances modulo 3.
///
/// The projected space must be undirected and completely reached, and every neighbour of a projected state must be the
/// projection of a neighbour of *each* state that projects to it (as is the case if all operators are always
/// applicable).
#[derive(Clone, Debug)]
pub struct Mod3Lookup<P, B> {
    projection: P,
    table: Packed<2, B>,
    max: u8,
}

impl<P, B: AsRef<[u8]>> Mod3Lookup<P, B> {
    /// Creates the lookup of states in `table` by `projection`; `max` is the greatest distance in the table.
    pub fn new(projection: P, table: Packed<2, B>, max: u8) -> Self {
        Mod3Lookup { projection, table, max }
    }

    fn residue<D: Domain>(&self, domain: &D, state: &D::State) -> u8
    where
        P: Projection<D>,
    {
        self.table.get(to_u64(self.projection.index(&self.projection.project(domain, state))))
    }

    /// Walks downhill from `state` to a goal and counts the steps.
    fn walk<D: Domain>(&self, domain: &D, state: &D::State) -> u8
    where
        P: Projection<D>,
    {
        let mut state = state.clone();
        let mut residue = self.residue(domain, &state);
        for steps in 0..self.max {
            let below = (residue + 2) % 3;
            let ops = domain.applicable(&state).into_iter();
            let down =
                ops.map(|op| domain.apply(&state, op)).find(|next| self.residue(domain, next) == below);
            let Some(next) = down else { return steps };
            (state, residue) = (next, below);
        }
        self.max
    }
}

impl<D, P, B> ChildBound<D> for Mod3Lookup<P, B>
where
    D: Domain,
    P: Projection<D>,
    B: AsRef<[u8]> + Sync,
{
    /// The coordinate and the distance.
    type Carry = (P::Coordinate, u8);
    /// The index and the parent's distance.
    type Probe = (usize, u8);
    /// The child's distance.
    type Memo = u8;

    fn carry(&self, domain: &D, state: &D::State) -> Self::Carry {
        (self.projection.project(domain, state), self.walk(domain, state))
    }

    #[inline(always)]
    fn carry_child(
        &self,
        parent: NodeRef<'_, D, Self::Carry>,
        op: Op,
        _: &D::State,
        memo: &u8,
    ) -> Self::Carry {
        (self.projection.project_child(parent.with_carry(&parent.carry.0), op), *memo)
    }

    #[inline(always)]
    fn locate(&self, node: NodeRef<'_, D, Self::Carry>, op: Op, _: usize) -> (usize, u8) {
        let coordinate = self.projection.project_child(node.with_carry(&node.carry.0), op);
        let index = self.projection.index(&coordinate);
        self.table.prefetch(to_u64(index));
        (index, node.carry.1)
    }

    #[inline(always)]
    fn read(&self, (index, near): (usize, u8), _: usize, memo: &mut u8) -> u8 {
        *memo = Packed::<2, ()>::recover(near, self.table.get(to_u64(index)));
        *memo
    }

    fn value(&self, domain: &D, state: &D::State) -> u8 {
        self.walk(domain, state)
    }
}
