//! What the kernels share: nodes, counts, and when to stop.

use super::Wanted;
use crate::automaton::{Automaton, StateId};
use crate::domain::{Domain, Op, OpSet};
use crate::heuristic::{Batch, Heuristic, NodeRef, Sieved};
use crate::record::Stage;
use crate::run::Run;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A node on the current path, with what its children need.
pub(super) struct Node<D: Domain, H: Heuristic<D>> {
    pub state: D::State,
    pub carry: H::Carry,
    pub fsm: StateId,
}

impl<D: Domain, H: Heuristic<D>> Clone for Node<D, H> {
    fn clone(&self) -> Self {
        Node { state: self.state.clone(), carry: self.carry.clone(), fsm: self.fsm }
    }
}

/// A subtree to search: its root, and the operators that lead there.
pub(super) struct Task<D: Domain, H: Heuristic<D>> {
    pub node: Node<D, H>,
    pub path: Vec<Op>,
    /// Moves left below the subtree's root, at least 1.
    pub remaining: u32,
}

/// What one thread counted, and the least sum of moves and value that it cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    pub generated: u64,
    pub expanded: u64,
    pub pruned_by_fsm: u64,
    /// What each stage of the heuristic was asked and cut; the last counts all further ones too.
    pub stages: [Stage; STAGES],
    /// How far the closest cut child was beyond the bound; `u32::MAX` when none was cut.
    pub least_excess: u32,
    /// Nodes that were expanded, by the moves left.
    pub by_remaining: [u64; BY_REMAINING],
}

/// Stages that are counted apart.
pub(super) const STAGES: usize = 8;
/// Moves left up to which nodes are counted apart; the last count is of all others.
pub(super) const BY_REMAINING: usize = 64;

impl Default for Counts {
    fn default() -> Counts {
        Counts {
            generated: 0,
            expanded: 0,
            pruned_by_fsm: 0,
            stages: [Stage::default(); STAGES],
            least_excess: u32::MAX,
            by_remaining: [0; BY_REMAINING],
        }
    }
}

impl Counts {
    pub fn add(&mut self, other: &Counts) {
        self.generated += other.generated;
        self.expanded += other.expanded;
        self.pruned_by_fsm += other.pruned_by_fsm;
        for (stage, other) in self.stages.iter_mut().zip(other.stages) {
            stage.looked_up += other.looked_up;
            stage.cut += other.cut;
        }
        self.least_excess = self.least_excess.min(other.least_excess);
        for (count, other) in self.by_remaining.iter_mut().zip(other.by_remaining) {
            *count += other;
        }
    }

    /// The counts of a stage.
    #[inline(always)]
    fn stage(&mut self, stage: usize) -> &mut Stage {
        &mut self.stages[stage.min(STAGES - 1)]
    }

    /// Adds what reading a batch came to.
    #[inline(always)]
    pub fn sieved(&mut self, batch: Batch, sieved: Sieved) {
        let counts = self.stage(batch.stage);
        counts.looked_up += batch.ops.len() as u64;
        if sieved.kept != batch.ops {
            counts.cut += (batch.ops.len() - sieved.kept.len()) as u64;
            self.least_excess = self.least_excess.min(sieved.least_cut - batch.limit);
        }
    }

    /// Nodes that the heuristic cut.
    pub fn pruned_by_heuristic(&self) -> u64 {
        self.stages.iter().map(|stage| stage.cut).sum()
    }
}

/// A solution and the number of the subtree that holds it.
pub(super) struct Found {
    pub task: usize,
    pub path: Vec<Op>,
}

/// Decides when a thread may leave a subtree.
pub(super) struct Stop<'a> {
    run: &'a Run<'a>,
    /// Every subtree is searched to its end.
    exhaustive: bool,
    /// The earliest subtree that holds a solution; later ones need not be searched.
    earliest: AtomicUsize,
}

impl<'a> Stop<'a> {
    pub fn new(run: &'a Run<'a>, exhaustive: bool) -> Stop<'a> {
        Stop { run, exhaustive, earliest: AtomicUsize::new(usize::MAX) }
    }

    /// Whether the subtree `task` need not be searched on.
    #[inline(always)]
    pub fn skips(&self, task: usize) -> bool {
        !self.exhaustive && self.earliest.load(Ordering::Relaxed) < task
    }

    /// Whether all work is to stop. Reads the clock, so ask now and then only.
    pub fn is_cancelled(&self) -> bool {
        self.run.is_cancelled()
    }

    /// A solution lies in subtree `task`: later ones are skipped from now on.
    pub fn found(&self, task: usize) {
        self.earliest.fetch_min(task, Ordering::Relaxed);
    }

    /// Whether a search may leave a subtree at its first solution.
    #[inline(always)]
    pub fn first_is_enough(&self) -> bool {
        !self.exhaustive
    }
}

/// Everything that stays the same during one iteration.
pub(super) struct Iterate<'a, D: Domain, H: Heuristic<D>> {
    pub domain: &'a D,
    pub heuristic: &'a H,
    pub automaton: &'a Automaton,
    pub wanted: Wanted,
    /// The operators that the start is expanded by.
    pub first: OpSet,
    /// Moves left at which expanded nodes are kept as near misses; 0 keeps none.
    pub keep_at: u32,
    pub stop: Stop<'a>,
}

impl<D: Domain, H: Heuristic<D>> Iterate<'_, D, H> {
    /// The node as the heuristic sees it.
    #[inline(always)]
    pub fn seen<'n>(&'n self, node: &'n Node<D, H>) -> NodeRef<'n, D, H::Carry> {
        NodeRef { domain: self.domain, state: &node.state, carry: &node.carry }
    }

    /// Expands `node`: the operators that generate its children, in order.
    #[inline(always)]
    pub fn expand(&self, node: &Node<D, H>, remaining: u32, counts: &mut Counts) -> OpSet {
        self.expand_by(OpSet::ALL, node, remaining, counts)
    }

    /// Expands `node` by some operators only.
    #[inline(always)]
    pub fn expand_by(&self, ops: OpSet, node: &Node<D, H>, remaining: u32, counts: &mut Counts) -> OpSet {
        let applicable = self.domain.applicable(&node.state).and(ops);
        let allowed = applicable.and(self.automaton.allowed(node.fsm));
        let ops = self.heuristic.useful(self.seen(node), remaining, allowed);
        if ops != allowed {
            // What the heuristic leaves out may lie just beyond the bound.
            counts.least_excess = counts.least_excess.min(1);
        }
        counts.expanded += 1;
        counts.by_remaining[(remaining as usize).min(BY_REMAINING - 1)] += 1;
        counts.generated += ops.len() as u64;
        counts.pruned_by_fsm += (applicable.len() - allowed.len()) as u64;
        ops
    }

    /// The child that `op` leads to.
    #[inline(always)]
    pub fn child(&self, node: &Node<D, H>, op: Op, scratch: &H::Scratch) -> Node<D, H> {
        let state = self.domain.apply(&node.state, op);
        let carry = self.heuristic.carry_child(self.seen(node), op, &state, scratch);
        let fsm = self.automaton.next(node.fsm, op).expect("the automaton allowed the operator");
        Node { state, carry, fsm }
    }

    /// Whether a child with moves left is a goal already, so that no wanted solution goes on there.
    /// In a search for one solution the shorter bounds have ruled this out.
    #[inline(always)]
    pub fn passes_goal(&self, state: &D::State) -> bool {
        self.wanted != Wanted::First && self.domain.is_goal(state)
    }

    /// Whether the leaf that `op` leads to, with no move left, is a goal. If it is not, solutions
    /// one move longer may go on there.
    #[inline(always)]
    pub fn is_goal_leaf(&self, node: &Node<D, H>, op: Op, counts: &mut Counts) -> bool {
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

    /// Which of the children of `node` that `ops` lead to the heuristic leaves, with `limit` moves
    /// left; all stages at once.
    #[inline(always)]
    pub fn sieve(
        &self,
        node: &Node<D, H>,
        ops: OpSet,
        limit: u32,
        counts: &mut Counts,
        scratch: &mut H::Scratch,
    ) -> OpSet {
        let mut batch = Batch { ops, stage: 0, limit };
        while batch.stage < self.heuristic.stages() {
            let sieved = self.heuristic.evaluate(self.seen(node), batch, scratch);
            counts.sieved(batch, sieved);
            batch = Batch { ops: sieved.kept, stage: batch.stage + 1, limit };
        }
        batch.ops
    }
}

/// How many nodes a thread expands between two looks at the clock.
pub(super) const NODES_PER_CHECK: u32 = 1 << 12;
