//! The kernel that keeps many table reads in flight.
//!
//! The idea: a search that waits for its table runs at a small part of what the memory gives. So
//! one thread searches several subtrees (lanes) in turn. A visit to a lane first reads what the
//! lane located on its last visit, which has arrived meanwhile, and then goes on until it has
//! located values again: the children of the next node, or the next stage of those that survived.
//! Between the two phases lie the visits to all other lanes.
//!
//! Invariant, for each lane: its path is as [`Path`] says, and `pending` holds children of the
//! path's last node, all located at the batch's stage and cut by no earlier one; that node has no
//! open children as long as any are pending.
//! So each lane visits its subtree exactly in the order of the depth-first kernel, and the counts
//! of a complete iteration are the same.
//!
//! Source of the idea: interleaved pointer chasing as in database joins (AMAC, Kocberber et al.
//! 2015); batches of subtrees in flight are also what the fastest cube solvers use.

use super::near::Kept;
use super::node::{Counts, Found, Iterate, NODES_PER_CHECK, Task};
use super::path::Path;
use crate::domain::{Domain, OpSet};
use crate::heuristic::{Batch, Heuristic};

/// One subtree in flight.
struct Lane<'t, D: Domain, H: Heuristic<D>> {
    path: Path<'t, D, H>,
    /// Children of the path's last node whose values are on their way.
    pending: Batch,
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
pub(super) fn run<'t, D, H>(
    search: &Iterate<'_, D, H>,
    lanes: usize,
    mut next_task: impl FnMut() -> Option<(usize, &'t Task<D, H>)>,
    found: &mut Vec<Found>,
    kept: &mut Kept<H::Carry>,
) -> Counts
where
    D: Domain + 't,
    H: Heuristic<D> + 't,
{
    let mut counts = Counts::default();
    let mut in_flight: Vec<Lane<'t, D, H>> = Vec::with_capacity(lanes);
    while in_flight.len() < lanes.max(1) {
        let Some((number, task)) = next_task() else { break };
        in_flight.push(Lane::new(search, number, task, &mut counts, kept));
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
        if let Visit::Waiting = lane.visit(search, found, &mut counts, kept)
            && !search.stop.skips(lane.path.number)
        {
            continue;
        }
        match next_task() {
            Some((number, task)) => lane.begin(search, number, task, &mut counts, kept),
            None => drop(in_flight.swap_remove(at)),
        }
    }
    counts
}

impl<'t, D: Domain, H: Heuristic<D>> Lane<'t, D, H> {
    /// A lane that searches `task`, with the children of its root located.
    #[inline(always)]
    fn new(
        search: &Iterate<'_, D, H>,
        number: usize,
        task: &'t Task<D, H>,
        counts: &mut Counts,
        kept: &mut Kept<H::Carry>,
    ) -> Self {
        let path = Path::new(number, task);
        let mut lane = Lane { path, pending: Batch { ops: OpSet::EMPTY, stage: 0, limit: 0 } };
        lane.locate_children(search, counts, kept);
        lane
    }

    /// Leaves the lane's subtree for another.
    #[inline(always)]
    fn begin(
        &mut self,
        search: &Iterate<'_, D, H>,
        number: usize,
        task: &'t Task<D, H>,
        counts: &mut Counts,
        kept: &mut Kept<H::Carry>,
    ) {
        self.path.begin(number, task);
        self.locate_children(search, counts, kept);
    }

    /// Reads what has arrived, then goes on until something is on its way again.
    #[inline(always)]
    fn visit(
        &mut self,
        search: &Iterate<'_, D, H>,
        found: &mut Vec<Found>,
        counts: &mut Counts,
        kept: &mut Kept<H::Carry>,
    ) -> Visit {
        self.read_pending(search, counts);
        while self.pending.ops.is_empty() {
            let Some(op) = self.path.next_child() else { return Visit::Done };
            let leaf = self.path.remaining() == 1;
            let level = self.path.last();
            if leaf {
                if search.is_goal_leaf(&level.node, op, counts) {
                    search.stop.found(self.path.number);
                    found.push(self.path.found(op));
                    if search.stop.first_is_enough() {
                        return Visit::Done;
                    }
                }
                continue;
            }
            let child = search.child(&level.node, op, &level.scratch);
            if !search.passes_goal(&child.state) {
                self.path.push(op, child);
                self.locate_children(search, counts, kept);
            }
        }
        Visit::Waiting
    }

    /// Reads the pending children's values; locates the next stage of the survivors, or opens them.
    #[inline(always)]
    fn read_pending(&mut self, search: &Iterate<'_, D, H>, counts: &mut Counts) {
        let level = self.path.last();
        let sieved = search.heuristic.read(self.pending, &mut level.scratch);
        counts.sieved(self.pending, sieved);
        self.pending.stage += 1;
        if self.pending.stage < search.heuristic.stages() {
            self.pending.ops = sieved.kept;
            self.locate_pending(search);
        } else {
            self.pending.ops = OpSet::EMPTY;
            level.open = sieved.kept;
        }
    }

    /// Expands the last node of the path: locates the first stage of its children.
    #[inline(always)]
    fn locate_children(
        &mut self,
        search: &Iterate<'_, D, H>,
        counts: &mut Counts,
        kept: &mut Kept<H::Carry>,
    ) {
        let remaining = self.path.remaining();
        if remaining == search.keep_at {
            self.path.keep_last(kept);
        }
        let ops = search.expand(&self.path.last().node, remaining, counts);
        self.pending = Batch { ops, stage: 0, limit: remaining - 1 };
        self.locate_pending(search);
    }

    /// Locates the pending children.
    #[inline(always)]
    fn locate_pending(&mut self, search: &Iterate<'_, D, H>) {
        let level = self.path.last();
        search.heuristic.locate(search.seen(&level.node), self.pending, &mut level.scratch);
    }
}
