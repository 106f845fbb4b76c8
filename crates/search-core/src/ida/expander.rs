//! Expanding a node: generating its children and pruning them by the heuristic.

use super::Wanted;
use super::counts::Counts;
use super::root_moves::{NodeMoves, RootMoves};
use super::stop::Stop;
use super::subtree::NodeOf;
use crate::automaton::{Automaton, StateId};
use crate::domain::{Domain, Op, OpSet};
use crate::heuristic::{Batch, Heuristic, Kernel, NodeRef};
use crate::run::Run;

/// Everything that stays the same while an iteration, or a part of it, expands nodes.
pub(super) struct Expander<'a, D: Domain, H: Heuristic<D>> {
    pub domain: &'a D,
    pub heuristic: &'a H,
    pub automaton: &'a Automaton,
    pub wanted: Wanted,
    /// Restricted operators for nodes near the root.
    pub root_moves: &'a RootMoves,
    pub kernel: Kernel,
    pub stop: Stop,
    pub run: &'a Run<'a>,
}

impl<D: Domain, H: Heuristic<D>> Expander<'_, D, H> {
    /// Reports the nodes that a thread has generated since the last report; `reported` is the number reported so far.
    #[cold]
    pub(super) fn report_nodes(&self, generated: u64, reported: &mut u64) {
        let more = generated - *reported;
        self.run.progress().nodes(more);
        self.stop.generated(more);
        *reported = generated;
    }

    /// The node as the heuristic sees it.
    #[inline(always)]
    pub(super) fn seen<'n>(&'n self, node: &'n NodeOf<D, H>) -> NodeRef<'n, D, H::Carry> {
        NodeRef { domain: self.domain, state: &node.state, carry: &node.carry }
    }

    /// Expands `node` by the operators of `moves`, or by all. Returns its children, at the first stage.
    #[inline(always)]
    pub(super) fn expand(
        &self,
        node: &NodeOf<D, H>,
        moves: Option<NodeMoves>,
        remaining: u32,
        counts: &mut Counts,
    ) -> Batch {
        let given = moves.map_or(OpSet::ALL, |moves| moves.ops);
        let applicable = self.domain.applicable(&node.state).and(given);
        let allowed = applicable.and(self.automaton.allowed(node.fsm));
        let ops = match moves {
            Some(NodeMoves { is_final: true, .. }) => allowed,
            _ => self.heuristic.useful(self.seen(node), remaining, allowed),
        };
        if ops != allowed {
            // An operator that is not useful may lead just beyond the bound.
            counts.least_excess = counts.least_excess.min(1);
        }
        counts.expanded += 1;
        counts.generated += ops.len() as u64;
        counts.pruned_by_fsm += (applicable.len() - allowed.len()) as u64;
        Batch { ops, stage: 0, limit: remaining - 1 }
    }

    /// The child that `op` leads to.
    #[inline(always)]
    pub(super) fn child(&self, node: &NodeOf<D, H>, op: Op, scratch: &H::Scratch) -> NodeOf<D, H> {
        let mut child = node.clone();
        self.become_child(&mut child, node, op, scratch);
        child
    }

    /// Makes `child` the child of `node` that `op` leads to, in place.
    #[inline(always)]
    pub(super) fn become_child(
        &self,
        child: &mut NodeOf<D, H>,
        node: &NodeOf<D, H>,
        op: Op,
        scratch: &H::Scratch,
    ) {
        child.state = self.domain.apply(&node.state, op);
        child.carry = self.heuristic.carry_child(self.seen(node), op, &child.state, scratch);
        child.fsm = self.automaton.next(node.fsm, op).expect("the automaton allowed the operator");
    }

    /// The state that a string of operators leads to; `None` if one is not applicable or the automaton forbids it.
    pub(super) fn follow(&self, state: &D::State, fsm: StateId, ops: &[Op]) -> Option<(D::State, StateId)> {
        ops.iter().try_fold((state.clone(), fsm), |(state, fsm), &op| {
            let applicable = self.domain.applicable(&state).and(OpSet::first(self.domain.op_count()));
            if !applicable.contains(op) {
                return None;
            }
            let fsm = self.automaton.next(fsm, op)?;
            Some((self.domain.apply(&state, op), fsm))
        })
    }

    /// Whether a child with moves left is already a goal, so that no wanted solution continues there. In a search for
    /// one solution, the smaller bounds have ruled this out.
    #[inline(always)]
    pub(super) fn passes_goal(&self, state: &D::State) -> bool {
        self.wanted != Wanted::First && self.domain.is_goal(state)
    }

    /// Whether the leaf that `op` leads to, with no move left, is a goal. If it is not, a solution may continue there
    /// beyond the bound.
    #[inline(always)]
    pub(super) fn is_goal_leaf(&self, node: &NodeOf<D, H>, op: Op, counts: &mut Counts) -> bool {
        let leaf = self.domain.apply(&node.state, op);
        let is_goal = self.domain.is_goal(&leaf);
        if !is_goal {
            let fsm = self.automaton.next(node.fsm, op).expect("the automaton allowed the operator");
            if !self.domain.applicable(&leaf).and(self.automaton.allowed(fsm)).is_empty() {
                counts.least_excess = 1;
            }
        }
        is_goal
    }

    /// The children of a batch that survive all stages of the heuristic.
    #[inline(always)]
    pub(super) fn sieve(
        &self,
        node: &NodeOf<D, H>,
        mut batch: Batch,
        scratch: &mut H::Scratch,
        counts: &mut Counts,
    ) -> OpSet {
        while batch.stage < self.heuristic.stages() {
            let sieved = self.heuristic.evaluate(self.seen(node), batch, scratch);
            counts.sieved(batch, sieved);
            batch = Batch { ops: sieved.kept, stage: batch.stage + 1, ..batch };
        }
        batch.ops
    }
}
