//! The lower bound of a search: the maximum of the lookups of a position and of its inverse.
//!
//! **Order.** Each lookup is a stage, and a child that one prunes is not looked up again, so the strongest lookup should be the
//! first: the one with the greatest value at the parent, which the parent carries. The others keep their order. Where each
//! move is undone by a move, values of neighbours differ by at most one, so a lookup whose value at the parent is small prunes
//! no child and is left out; the child then carries an upper limit of its value.
//!
//! **Excluded moves.** Let `p` be the coordinates of a lookup. A move `m` with `p(m) = p(e)`, the solved state, does not change
//! what the inverse `y` is looked up for: `p(m⁻¹·y) = p(m⁻¹)·y = p(y)`. So if the inverse has the number of moves left as its
//! value, no such move begins a solution. On the 3x3x3 cube, ten of eighteen moves keep a coset of ⟨U, D, R2, L2, F2, B2⟩.
//!
//! **Last moves.** Likewise, if the position has the number `n` of moves left as its value in a lookup, the last move of a
//! solution is not one of those that keep the lookup: otherwise the moves before it would lead to the lookup's 0 in `n - 1`. If
//! every move keeps some lookup that has the value `n`, there is no solution. On the 3x3x3 cube, where each move keeps the cosets of
//! at least one axis, three equal values prove one more move (Hoey's letter of May 1997).
//!
//! **Invariant.** A carried upper limit is less than the number of moves left, so it is not taken for such a value.
//!
//! Source: T. Rokicki's nxopt excludes moves by bounds that are tight.

use search_core::domain::{MOST_OPS, OpSet, PerOp};
use search_core::heuristic::{Batch, Heuristic, Kernel, NodeRef, Sieved};
use search_core::{Domain, Op};
use std::sync::Arc;

use super::inverse::{Inverse, MOST_INVERSE, Sums};
use super::{Space, View};

/// The maximum number of lookups of a position whose values are carried. Others are read last.
const MOST_CARRIED: usize = 12;

/// The maximum of lookups, each of which is a stage.
#[derive(Clone, Debug)]
pub struct Bound {
    views: Vec<View>,
    /// The lookups of the inverse, which are one stage, the last.
    inverse: Option<Arc<Inverse>>,
    /// For each lookup, the moves that lead from the solved state to itself.
    keeping: Vec<OpSet>,
    /// All moves, if each keeps a lookup whose value is carried; else none.
    covered: OpSet,
    /// Whether values of neighbours differ by at most one.
    is_undirected: bool,
    /// The greatest difference between the values of neighbours: 1 for each lookup that exists, so that no other is the greatest.
    difference: Values,
    kernel: Kernel,
}

/// The values of a position, or upper limits of values that do not matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Values {
    own: [u8; MOST_CARRIED],
    inverse: [u8; MOST_INVERSE],
}

/// Data passed from a node to its children.
#[derive(Clone, Copy, Debug, Default)]
pub struct Carry {
    values: Values,
    /// The number of the lookup with the greatest value, which is the first one for the children. The others keep their order.
    first: usize,
}

/// The lookups of one stage.
#[derive(Clone, Copy, Debug)]
enum Looked {
    /// None, since they would prune no child.
    Nothing,
    Own(usize),
    Inverse,
}

/// Scratch data of evaluating the children of a node.
#[derive(Clone, Debug)]
pub struct Scratch {
    looked: Looked,
    /// The entries of the children, in the order of the operators.
    own: [usize; MOST_OPS],
    inverse: [Sums; MOST_OPS],
    values: PerOp<Values>,
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch {
            looked: Looked::Nothing,
            own: [0; MOST_OPS],
            inverse: [Sums::default(); MOST_OPS],
            values: PerOp::default(),
        }
    }
}

impl Values {
    /// Each of two values added up.
    #[inline(always)]
    fn plus(self, other: Values) -> Values {
        Values {
            own: std::array::from_fn(|at| self.own[at].saturating_add(other.own[at])),
            inverse: std::array::from_fn(|at| self.inverse[at].saturating_add(other.inverse[at])),
        }
    }

    /// The number of the lookup with the greatest value, the least of those.
    #[inline(always)]
    fn greatest(&self) -> usize {
        // Without a branch, so that lookups are compared together.
        let last = MOST_CARRIED - 1;
        let keys: [u16; MOST_CARRIED] =
            std::array::from_fn(|at| u16::from(self.own[at]) << 8 | (last - at) as u16);
        last - usize::from(keys.into_iter().fold(0, u16::max) & 0xFF)
    }
}

impl Bound {
    /// The maximum of `views`, at least one, and of the lookups of the inverse in the same order, in `space`. `is_undirected`
    /// says that each move is undone by a move.
    pub fn new<const N: usize>(
        space: &Space<N>,
        views: Vec<View>,
        inverse: Option<Arc<Inverse>>,
        is_undirected: bool,
        kernel: Kernel,
    ) -> Bound {
        let keeps = |view: &View, op: &Op| view.slots().all(|slot| space.next(slot, 0, *op) == 0);
        let ops = OpSet::first(space.op_count());
        let kept = |view: &View| ops.into_iter().filter(|op| keeps(view, op)).collect();
        let keeping: Vec<OpSet> = views.iter().map(kept).collect();
        let carried = keeping.iter().take(MOST_CARRIED);
        let is_covered = carried.fold(ops, |left, kept| left.minus(*kept)).is_empty();
        let covered = if is_covered { ops } else { OpSet::EMPTY };
        let one = |at: usize, count: usize| u8::from(at < count);
        let difference = Values {
            own: std::array::from_fn(|at| one(at, views.len())),
            inverse: std::array::from_fn(|at| one(at, if inverse.is_some() { views.len() } else { 0 })),
        };
        Bound { views, inverse, keeping, covered, is_undirected, difference, kernel }
    }

    /// The values of a position in the lookups of the position, and in those of its inverse.
    pub fn values(&self, state: &[u16]) -> (impl Iterator<Item = u8>, Option<[u8; MOST_INVERSE]>) {
        let own = self.views.iter().map(|view| view.table.get(view.entry(state)));
        (own, self.inverse.as_ref().map(|inverse| inverse.values(state)))
    }

    /// The lookups of a stage, unless they prune no child of a node with this carry.
    #[inline(always)]
    fn looked(&self, Carry { values, first }: &Carry, stage: usize, limit: u32) -> Looked {
        let (looked, value) = match stage {
            _ if stage == self.views.len() => {
                (Looked::Inverse, Some(values.inverse.into_iter().fold(0, u8::max)))
            }
            0 => (Looked::Own(*first), Some(values.own[*first % MOST_CARRIED])),
            _ => {
                let view = if stage <= *first { stage - 1 } else { stage };
                (Looked::Own(view), values.own.get(view).copied())
            }
        };
        match value {
            Some(value) if self.is_undirected && u32::from(value) + 1 < limit => Looked::Nothing,
            _ => looked,
        }
    }

    /// Whether each move keeps a lookup whose value is the number of moves left or more.
    #[inline(always)]
    fn has_no_last_move(&self, values: &Values, limit: u32) -> bool {
        let mut left = self.covered;
        for (&kept, &value) in self.keeping.iter().zip(&values.own) {
            if u32::from(value) >= limit {
                left = left.minus(kept);
            }
        }
        left.is_empty()
    }
}

impl Carry {
    #[inline(always)]
    fn of(values: Values) -> Carry {
        Carry { values, first: values.greatest() }
    }
}

impl<const N: usize> Heuristic<Space<N>> for Bound {
    type Carry = Carry;
    type Scratch = Scratch;

    #[inline(always)]
    fn stages(&self) -> usize {
        self.views.len() + usize::from(self.inverse.is_some())
    }

    fn carry(&self, _: &Space<N>, state: &[u16; N]) -> Carry {
        let (own, inverse) = self.values(state);
        let mut values = Values { inverse: inverse.unwrap_or_default(), ..Values::default() };
        values.own.iter_mut().zip(own).for_each(|(known, value)| *known = value);
        Carry::of(values)
    }

    #[inline(always)]
    fn carry_child(&self, _: NodeRef<'_, Space<N>, Carry>, op: Op, _: &[u16; N], scratch: &Scratch) -> Carry {
        Carry::of(scratch.values[op])
    }

    #[inline(always)]
    fn prepare(&self, node: NodeRef<'_, Space<N>, Carry>, batch: Batch, scratch: &mut Scratch) {
        let NodeRef { domain, state, carry } = node;
        let Batch { ops, stage, limit } = batch;
        if stage == 0 {
            let raised = carry.values.plus(self.difference);
            for op in ops {
                scratch.values[op] = raised;
            }
        }
        scratch.looked = self.looked(carry, stage, limit);
        match (scratch.looked, &self.inverse) {
            (Looked::Own(view), _) => self.views[view].prepare(domain, state, ops, &mut scratch.own),
            (Looked::Inverse, Some(inverse)) => {
                for (op, sums) in ops.into_iter().zip(&mut scratch.inverse) {
                    *sums = inverse.sums(|slot| usize::from(domain.next(slot, state[slot], op)));
                }
            }
            _ => {}
        }
    }

    #[inline(always)]
    fn looks(&self, batch: Batch, scratch: &Scratch) -> bool {
        let ends_own = batch.stage + 1 == self.views.len();
        !matches!(scratch.looked, Looked::Nothing) || ends_own && !self.covered.is_empty()
    }

    #[inline(always)]
    fn locate(&self, node: NodeRef<'_, Space<N>, Carry>, batch: Batch, scratch: &mut Scratch) {
        let NodeRef { domain, state, .. } = node;
        match (scratch.looked, &self.inverse) {
            (Looked::Own(view), _) => self.views[view].locate(domain, state, batch.ops, &mut scratch.own),
            (Looked::Inverse, Some(inverse)) => {
                for sums in &mut scratch.inverse[..batch.ops.len()] {
                    inverse.locate(sums);
                }
            }
            _ => {}
        }
    }

    #[inline(always)]
    fn read(&self, batch: Batch, scratch: &mut Scratch) -> Sieved {
        let Batch { ops, stage, limit } = batch;
        let mut sieved = Sieved::default();
        match (scratch.looked, &self.inverse) {
            (Looked::Own(view), _) => {
                let table = &self.views[view].table;
                for (op, &entry) in ops.into_iter().zip(&scratch.own) {
                    let value = table.get(entry);
                    if let Some(known) = scratch.values[op].own.get_mut(view) {
                        *known = value;
                    }
                    sieved.take(op, value, limit);
                }
            }
            (Looked::Inverse, Some(inverse)) => {
                let mut greatest = 0;
                for (op, sums) in ops.into_iter().zip(&scratch.inverse) {
                    let values = inverse.read(sums);
                    scratch.values[op].inverse = values;
                    let value = values.into_iter().fold(0, u8::max);
                    greatest = greatest.max(value);
                    sieved.take(op, value, limit);
                }
                if self.is_undirected {
                    sieved = sieved.with_greatest(greatest, limit);
                }
            }
            _ => sieved.kept = ops,
        }
        if stage + 1 == self.views.len() && !self.covered.is_empty() && limit > 0 {
            for op in sieved.kept {
                if self.has_no_last_move(&scratch.values[op], limit) {
                    sieved.kept = sieved.kept.without(op);
                    sieved.least_cut = sieved.least_cut.min(limit + 1);
                }
            }
        }
        sieved
    }

    fn value(&self, _: &Space<N>, state: &[u16; N]) -> u8 {
        let (own, inverse) = self.values(state);
        own.chain(inverse.into_iter().flatten()).max().expect("there is a lookup")
    }

    #[inline(always)]
    fn useful(&self, node: NodeRef<'_, Space<N>, Carry>, remaining: u32, allowed: OpSet) -> OpSet {
        let mut useful = allowed;
        for (&kept, &value) in self.keeping.iter().zip(&node.carry.values.inverse) {
            if u32::from(value) >= remaining {
                useful = useful.minus(kept);
            }
        }
        useful
    }

    fn kernel(&self) -> Kernel {
        self.kernel
    }
}
