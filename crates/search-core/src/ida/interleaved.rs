//! The kernel that keeps many table reads in flight.
//!
//! The idea: a search that waits for its table runs at a small part of what the memory gives. So
//! one thread searches several subtrees (lanes) in turn. A visit to a lane first reads what the
//! lane located on its last visit, which has arrived meanwhile, and then goes on until it has
//! located values again: the children of the next node, or the next stage of those that survived.
//! Between the two phases lie the visits to all other lanes.
//!
//! Invariant, for each lane: `path[d]` is the node at depth `d` of the current path; `open` holds
//! the children still to be visited, the next one last; `pending` holds children of `path`'s last
//! node, in the order of the operators, all located at stage `stage` and cut by no earlier one.
//! So each lane visits its subtree exactly in the order of the depth-first kernel, and the counts
//! of a complete iteration are the same.
//!
//! Source of the idea: interleaved pointer chasing as in database joins (AMAC, Kocberber et al.
//! 2015); batches of subtrees in flight are also what the fastest cube solvers use.

use super::node::{Counts, Found, Iterate, NODES_PER_CHECK, Node, Task};
use crate::domain::{Domain, Op};
use crate::heuristic::Heuristic;

/// A child that survived all stages, to be visited.
struct Open<M> {
    op: Op,
    depth: u32,
    memo: M,
}

/// A child whose value at the lane's stage is on its way.
#[derive(Clone, Copy)]
struct Pending<M> {
    op: Op,
    memo: M,
}

/// One subtree in flight.
struct Lane<'t, D: Domain, H: Heuristic<D>> {
    number: usize,
    task: &'t Task<D, H>,
    path: Vec<Node<D, H>>,
    ops: Vec<Op>,
    open: Vec<Open<H::Memo>>,
    pending: Vec<Pending<H::Memo>>,
    /// Where the value of each pending child lies.
    probes: Vec<H::Probe>,
    stage: usize,
}

/// What a visit to a lane came to.
enum Visit {
    /// Values are on their way.
    Waiting,
    /// The subtree is done.
    Done,
}

/// Searches the subtrees that `next_task` hands out, `lanes` of them in turn.
#[inline(always)]
pub(super) fn run<'t, D, H, S>(
    search: &Iterate<'_, D, H, S>,
    lanes: usize,
    mut next_task: impl FnMut() -> Option<(usize, &'t Task<D, H>)>,
    found: &mut Vec<Found>,
) -> Counts
where
    D: Domain + 't,
    H: Heuristic<D> + 't,
    S: AsRef<[u32]>,
{
    let mut counts = Counts::default();
    let mut in_flight: Vec<Lane<'t, D, H>> = Vec::with_capacity(lanes);
    while in_flight.len() < lanes.max(1) {
        let Some((number, task)) = next_task() else { break };
        in_flight.push(Lane::new(search, number, task, &mut counts));
    }
    let mut until_check = NODES_PER_CHECK;
    let mut at = 0;
    while !in_flight.is_empty() {
        at = if at + 1 < in_flight.len() { at + 1 } else { 0 };
        until_check -= 1;
        if until_check == 0 {
            until_check = NODES_PER_CHECK;
            if search.stop.is_cancelled() {
                break;
            }
        }
        let lane = &mut in_flight[at];
        if let Visit::Waiting = lane.visit(search, found, &mut counts)
            && !search.stop.skips(lane.number)
        {
            continue;
        }
        match next_task() {
            Some((number, task)) => *lane = Lane::new(search, number, task, &mut counts),
            None => drop(in_flight.swap_remove(at)),
        }
    }
    counts
}

impl<'t, D: Domain, H: Heuristic<D>> Lane<'t, D, H> {
    /// A lane that searches `task`, with the children of its root located.
    #[inline(always)]
    fn new<S: AsRef<[u32]>>(
        search: &Iterate<'_, D, H, S>,
        number: usize,
        task: &'t Task<D, H>,
        counts: &mut Counts,
    ) -> Self {
        let mut lane = Lane {
            number,
            task,
            path: vec![task.node.clone()],
            ops: Vec::new(),
            open: Vec::new(),
            pending: Vec::new(),
            probes: Vec::new(),
            stage: 0,
        };
        lane.locate_children(search, counts);
        lane
    }

    /// Moves left below the last node of the path.
    #[inline(always)]
    fn remaining(&self) -> u32 {
        self.task.remaining - self.ops.len() as u32
    }

    /// Reads what has arrived, then goes on until something is on its way again.
    #[inline(always)]
    fn visit<S: AsRef<[u32]>>(
        &mut self,
        search: &Iterate<'_, D, H, S>,
        found: &mut Vec<Found>,
        counts: &mut Counts,
    ) -> Visit {
        self.read_pending(search, counts);
        while self.pending.is_empty() {
            let Some(Open { op, depth, memo }) = self.open.pop() else { return Visit::Done };
            let depth = depth as usize;
            self.path.truncate(depth + 1);
            self.ops.truncate(depth);
            self.ops.push(op);
            if self.remaining() == 0 {
                if search.is_goal_leaf(&self.path[depth], op, counts) {
                    search.stop.found(self.number);
                    let path = self.task.path.iter().chain(&self.ops).copied().collect();
                    found.push(Found { task: self.number, path });
                    if search.stop.first_is_enough() {
                        return Visit::Done;
                    }
                }
                continue;
            }
            let child = search.child(&self.path[depth], op, &memo);
            if !search.passes_goal(&child.state) {
                self.path.push(child);
                self.locate_children(search, counts);
            }
        }
        Visit::Waiting
    }

    /// Reads the pending children's values; locates the next stage of the survivors, or opens them.
    #[inline(always)]
    fn read_pending<S: AsRef<[u32]>>(&mut self, search: &Iterate<'_, D, H, S>, counts: &mut Counts) {
        let remaining = self.remaining();
        let last_stage = self.stage + 1 == search.heuristic.stages();
        let first_open = self.open.len();
        let depth = self.ops.len() as u32;
        let mut kept = 0;
        let pending = self.pending.as_mut_slice();
        for (i, &probe) in self.probes[..pending.len()].iter().enumerate() {
            let Pending { op, mut memo } = pending[i];
            let value = u32::from(search.heuristic.read(probe, self.stage, &mut memo));
            if value >= remaining {
                counts.cut(value, remaining - 1);
            } else if last_stage {
                self.open.push(Open { op, depth, memo });
            } else {
                pending[kept] = Pending { op, memo };
                kept += 1;
            }
        }
        self.pending.truncate(kept);
        self.open[first_open..].reverse();
        if kept > 0 {
            self.stage += 1;
            self.locate_pending(search);
        }
    }

    /// Expands the last node of the path: locates the first stage of its children.
    #[inline(always)]
    fn locate_children<S: AsRef<[u32]>>(&mut self, search: &Iterate<'_, D, H, S>, counts: &mut Counts) {
        let node = self.path.last().expect("a lane's path starts at its subtree's root");
        let ops = search.expand(node, self.remaining(), counts);
        self.stage = 0;
        for op in ops {
            self.pending.push(Pending { op, memo: H::Memo::default() });
        }
        self.locate_pending(search);
    }

    /// Locates the pending children at the lane's stage.
    #[inline(always)]
    fn locate_pending<S: AsRef<[u32]>>(&mut self, search: &Iterate<'_, D, H, S>) {
        let Some(node) = self.path.last() else { return };
        let ops = self.pending.iter().map(|pending| pending.op);
        self.probes.clear();
        search.heuristic.locate_all(
            search.domain,
            &node.state,
            &node.carry,
            ops,
            self.stage,
            &mut self.probes,
        );
    }
}
