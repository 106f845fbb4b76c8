//! Expanding a node: which children it has, and which of them the heuristic leaves.

use super::Wanted;
use super::counts::Counts;
use super::root_moves::{NodeMoves, RootMoves};
use super::stop::Stop;
use super::subtree::{Node, NodeOf};
use crate::automaton::{Automaton, StateId};
use crate::domain::{Domain, Op, OpSet};
use crate::heuristic::{Batch, Heuristic, Kernel, NodeRef};
use crate::run::Run;

/// One pass over the tree or a part of it, with everything that stays the same meanwhile.
pub(super) struct Pass<'a, D: Domain, H: Heuristic<D>> {
    pub domain: &'a D,
    pub heuristic: &'a H,
    pub automaton: &'a Automaton,
    pub wanted: Wanted,
    /// The operators by which the first nodes are expanded.
    pub root_moves: &'a RootMoves,
    pub kernel: Kernel,
    pub stop: Stop,
    pub run: &'a Run<'a>,
}

impl<D: Domain, H: Heuristic<D>> Pass<'_, D, H> {
    /// Tells how many nodes a thread has generated, of which it `told` some before.
    #[cold]
    pub fn tell(&self, generated: u64, told: &mut u64) {
        self.run.progress().nodes(generated - *told);
        *told = generated;
    }

    /// The node as the heuristic sees it.
    #[inline(always)]
    pub fn seen<'n>(&'n self, node: &'n NodeOf<D, H>) -> NodeRef<'n, D, H::Carry> {
        NodeRef { domain: self.domain, state: &node.state, carry: &node.carry }
    }

    /// Expands `node`, by the operators of its moves if it has one: its children, at the first stage.
    #[inline(always)]
    pub fn expand(
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
            // A move that the heuristic leaves out may lead just beyond the bound.
            counts.least_excess = counts.least_excess.min(1);
        }
        counts.expanded += 1;
        counts.generated += ops.len() as u64;
        counts.pruned_by_fsm += (applicable.len() - allowed.len()) as u64;
        Batch { ops, stage: 0, limit: remaining - 1 }
    }

    /// The child that `op` leads to.
    #[inline(always)]
    pub fn child(&self, node: &NodeOf<D, H>, op: Op, scratch: &H::Scratch) -> NodeOf<D, H> {
        let state = self.domain.apply(&node.state, op);
        let carry = self.heuristic.carry_child(self.seen(node), op, &state, scratch);
        let fsm = self.automaton.next(node.fsm, op).expect("the automaton allowed the operator");
        Node { state, carry, fsm }
    }

    /// Where a string of operators leads; nothing if one does not apply or the automaton forbids it.
    pub fn follow(&self, state: &D::State, fsm: StateId, ops: &[Op]) -> Option<(D::State, StateId)> {
        ops.iter().try_fold((state.clone(), fsm), |(state, fsm), &op| {
            let applicable = self.domain.applicable(&state).and(OpSet::first(self.domain.op_count()));
            if !applicable.contains(op) {
                return None;
            }
            let fsm = self.automaton.next(fsm, op)?;
            Some((self.domain.apply(&state, op), fsm))
        })
    }

    /// Whether a child with moves left is a goal already, so that no wanted solution continues there.
    /// In a search for one solution the shorter bounds have ruled this out.
    #[inline(always)]
    pub fn passes_goal(&self, state: &D::State) -> bool {
        self.wanted != Wanted::First && self.domain.is_goal(state)
    }

    /// Whether the leaf that `op` leads to, with no move left, is a goal. If it is not, solutions
    /// one move longer may continue there.
    #[inline(always)]
    pub fn is_goal_leaf(&self, node: &NodeOf<D, H>, op: Op, counts: &mut Counts) -> bool {
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

    /// Which children of a batch the heuristic leaves, all stages at once.
    #[inline(always)]
    pub fn sieve(
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
