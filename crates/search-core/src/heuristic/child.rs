//! Bounds that are evaluated child by child, and functions of the state as bounds.

use super::{Batch, Heuristic, Kernel, NodeRef, Sieved};
use crate::domain::{Domain, Op, PerOp};

/// A lower bound that locates and reads the value of one child at a time: a simpler form of [`Heuristic`], which is
/// implemented for every such bound.
///
/// # Example
/// The gap heuristic of the pancake puzzle (Helmert 2010) counts neighbours in the stack that differ by more than one.
/// Turning the topmost pancakes over changes one pair of neighbours, so the count can be carried, and a child's value
/// follows without building the child.
///
/// ```
/// use search_core::heuristic::{ChildBound, NodeRef};
/// use search_core::ida::{Config, search};
/// # use search_core::{Automaton, Domain, Op, Run};
/// # type Stack = [u8; 8];
/// # /// Operator `i` turns the topmost `i + 2` pancakes over.
/// # struct Pancakes;
/// # impl Domain for Pancakes {
/// #     type State = Stack;
/// #     fn op_count(&self) -> usize { 7 }
/// #     fn apply(&self, stack: &Stack, op: Op) -> Stack {
/// #         let mut turned = *stack;
/// #         turned[..op.index() + 2].reverse();
/// #         turned
/// #     }
/// #     fn is_goal(&self, stack: &Stack) -> bool { *stack == [0, 1, 2, 3, 4, 5, 6, 7] }
/// # }
///
/// fn is_gap(above: u8, below: u8) -> bool {
///     above.abs_diff(below) > 1
/// }
///
/// struct Gaps;
///
/// impl ChildBound<Pancakes> for Gaps {
///     type Carry = u8; // the number of gaps
///     type Probe = u8; // a child's number: there is no table to wait for
///     type Memo = u8; // the same, for the child's own children
///
///     fn carry(&self, _: &Pancakes, stack: &Stack) -> u8 {
///         let below = stack[1..].iter().chain(&[8]); // the plate
///         stack.iter().zip(below).filter(|(a, b)| is_gap(**a, **b)).count() as u8
///     }
///     fn carry_child(&self, _: NodeRef<'_, Pancakes, u8>, _: Op, _: &Stack, gaps: &u8) -> u8 {
///         *gaps
///     }
///     fn locate(&self, node: NodeRef<'_, Pancakes, u8>, op: Op, _stage: usize) -> u8 {
///         let last = op.index() + 1; // of those that are turned over
///         let below = *node.state.get(last + 1).unwrap_or(&8);
///         node.carry + u8::from(is_gap(node.state[0], below)) - u8::from(is_gap(node.state[last], below))
///     }
///     fn read(&self, gaps: u8, _stage: usize, memo: &mut u8) -> u8 {
///         *memo = gaps;
///         gaps
///     }
///     fn value(&self, domain: &Pancakes, stack: &Stack) -> u8 {
///         self.carry(domain, stack)
///     }
/// }
///
/// let (rules, start) = (Automaton::unrestricted(7), [3, 6, 1, 7, 0, 5, 2, 4]);
/// let report = search(&Pancakes, &Gaps, &rules, &start, &Config::default(), &Run::new());
/// // The same bound as a function of the state: one line, and slower.
/// let gaps = |stack: &Stack| Gaps.carry(&Pancakes, stack);
/// let plain = search(&Pancakes, &gaps, &rules, &start, &Config::default(), &Run::new());
/// assert_eq!(report.ending, plain.ending);
/// ```
pub trait ChildBound<D: Domain>: Sync {
    /// Data passed from a node to its children, as in [`Heuristic`].
    type Carry: Clone + Send + Sync + 'static;
    /// The location of one stage's value, or the value itself if no table is needed.
    type Probe: Copy + Default + Send;
    /// Data kept from reading a child's stages for [`carry_child`](ChildBound::carry_child), such as the values of
    /// parts, so that no table is read twice. `()` if nothing is needed.
    type Memo: Copy + Default + Send;

    /// The number of stages, at least 1.
    #[inline(always)]
    fn stages(&self) -> usize {
        1
    }

    /// Returns the carry of a state that has no parent.
    fn carry(&self, domain: &D, state: &D::State) -> Self::Carry;

    /// Returns the carry of `child`, which `op` leads to from `parent`. All stages of the child have
    /// been read, and have left `memo`.
    fn carry_child(
        &self,
        parent: NodeRef<'_, D, Self::Carry>,
        op: Op,
        child: &D::State,
        memo: &Self::Memo,
    ) -> Self::Carry;

    /// Phase one: computes the location of the value of stage `stage` for the child that `op` leads to, and prefetches
    /// it. The child itself need not be built.
    fn locate(&self, node: NodeRef<'_, D, Self::Carry>, op: Op, stage: usize) -> Self::Probe;

    /// Phase two: reads the located stage's value. `memo` contains the data left by earlier stages.
    fn read(&self, probe: Self::Probe, stage: usize, memo: &mut Self::Memo) -> u8;

    /// The value of a state without a parent: the maximum of all stages.
    fn value(&self, domain: &D, state: &D::State) -> u8;

    /// The kernel that suits the bound; the depth-first one by default.
    fn kernel(&self) -> Kernel {
        Kernel::DepthFirst
    }
}

/// Scratch data of children that are evaluated one by one: the probe and the memo of each operator.
#[derive(Clone, Debug)]
pub struct Evaluated<P, M> {
    probes: PerOp<P>,
    memos: PerOp<M>,
}

impl<P: Default, M: Default> Default for Evaluated<P, M> {
    fn default() -> Evaluated<P, M> {
        Evaluated { probes: PerOp::default(), memos: PerOp::default() }
    }
}

/// Evaluates the children one by one. (In loops without closures: all calls must be inlined to be
/// compiled for the caller's instructions.)
impl<D: Domain, H: ChildBound<D>> Heuristic<D> for H {
    type Carry = H::Carry;
    type Scratch = Evaluated<H::Probe, H::Memo>;

    #[inline(always)]
    fn stages(&self) -> usize {
        ChildBound::stages(self)
    }

    fn carry(&self, domain: &D, state: &D::State) -> H::Carry {
        ChildBound::carry(self, domain, state)
    }

    #[inline(always)]
    fn carry_child(
        &self,
        parent: NodeRef<'_, D, H::Carry>,
        op: Op,
        child: &D::State,
        scratch: &Self::Scratch,
    ) -> H::Carry {
        ChildBound::carry_child(self, parent, op, child, &scratch.memos[op])
    }

    #[inline(always)]
    fn locate(&self, node: NodeRef<'_, D, H::Carry>, batch: Batch, scratch: &mut Self::Scratch) {
        for op in batch.ops {
            scratch.probes[op] = ChildBound::locate(self, node, op, batch.stage);
        }
    }

    #[inline(always)]
    fn read(&self, batch: Batch, scratch: &mut Self::Scratch) -> Sieved {
        let mut sieved = Sieved::default();
        for op in batch.ops {
            let memo = &mut scratch.memos[op];
            if batch.stage == 0 {
                *memo = H::Memo::default();
            }
            sieved.take(op, ChildBound::read(self, scratch.probes[op], batch.stage, memo), batch.limit);
        }
        sieved
    }

    #[inline(always)]
    fn evaluate(&self, node: NodeRef<'_, D, H::Carry>, batch: Batch, scratch: &mut Self::Scratch) -> Sieved {
        let mut sieved = Sieved::default();
        for op in batch.ops {
            let probe = ChildBound::locate(self, node, op, batch.stage);
            let memo = &mut scratch.memos[op];
            if batch.stage == 0 {
                *memo = H::Memo::default();
            }
            sieved.take(op, ChildBound::read(self, probe, batch.stage, memo), batch.limit);
        }
        sieved
    }

    fn value(&self, domain: &D, state: &D::State) -> u8 {
        ChildBound::value(self, domain, state)
    }

    fn kernel(&self) -> Kernel {
        ChildBound::kernel(self)
    }
}

/// A function of the state: each child is built and its value computed from scratch.
impl<D: Domain, F: Fn(&D::State) -> u8 + Sync> ChildBound<D> for F {
    type Carry = ();
    type Probe = u8;
    type Memo = ();

    fn carry(&self, _: &D, _: &D::State) {}

    #[inline(always)]
    fn carry_child(&self, _: NodeRef<'_, D, ()>, _: Op, _: &D::State, (): &()) {}

    #[inline(always)]
    fn locate(&self, node: NodeRef<'_, D, ()>, op: Op, _: usize) -> u8 {
        self(&node.domain.apply(node.state, op))
    }

    #[inline(always)]
    fn read(&self, value: u8, _: usize, (): &mut ()) -> u8 {
        value
    }

    fn value(&self, _: &D, state: &D::State) -> u8 {
        self(state)
    }
}
