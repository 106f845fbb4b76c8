//! The kernel that keeps many table reads in flight.
//!
//! The idea: a search that waits for its table uses a small part of what the memory can deliver. So
//! one thread searches several subtrees (lanes) in turn. A visit to a lane first reads what the
//! lane located on its last visit, which has arrived meanwhile, and then continues until it has
//! located values again: the children of the next node, or the next stage of those that survived.
//! Between the two phases lie the visits to all other lanes. (WebAssembly fetches when a round ends: see
//! [`crate::prefetch`].)
//!
//! Invariant, for each lane: its path is as [`Path`] says, and `pending` holds children of the
//! path's last node, all located at the batch's stage and cut by no earlier one; that node has no
//! open children as long as any are pending.
//! So each lane visits its subtree exactly in the order of the depth-first kernel, and the counts
//! of a complete iteration are the same.
//!
//! Source of the idea: interleaved pointer chasing as in database joins (AMAC, Kocberber et al.
//! 2015); batches of subtrees in flight are also what the fastest cube solvers use.

use super::pass::Pass;
use super::path::{Path, Step};
use super::stop::NODES_PER_CHECK;
use super::subtree::SubtreeOf;
use super::subtree_result::SubtreeResult;
use crate::domain::{Domain, OpSet};
use crate::heuristic::{Batch, Heuristic};
use crate::prefetch::{fetch_noted, forget_noted};

/// One subtree in flight.
struct Lane<'t, D: Domain, H: Heuristic<D>> {
    path: Path<'t, D, H>,
    /// Children of the path's last node whose values are on their way.
    pending: Batch,
    /// Whether the path's last node has just been entered, and is not expanded yet.
    is_entered: bool,
}

/// No children.
const NOTHING: Batch = Batch { ops: OpSet::EMPTY, stage: 0, limit: 0 };

/// The outcome of a visit to a lane.
enum Visit {
    /// Values are on their way.
    Waiting,
    /// The subtree is done.
    Done,
}

/// Searches the subtrees that `next_subtree` hands out, `lanes` of them in turn.
#[inline(always)]
pub(super) fn run<'t, D, H>(
    pass: &Pass<'_, D, H>,
    lanes: usize,
    mut next_subtree: impl FnMut() -> Option<(usize, &'t SubtreeOf<D, H>)>,
    result: &mut SubtreeResult,
) where
    D: Domain + 't,
    H: Heuristic<D> + 't,
{
    forget_noted();
    let mut in_flight: Vec<Lane<'t, D, H>> = Vec::with_capacity(lanes);
    while in_flight.len() < lanes.max(1) {
        let Some((number, subtree)) = next_subtree() else { break };
        in_flight.push(Lane { path: Path::new(number, subtree), pending: NOTHING, is_entered: true });
    }
    let (mut until_check, mut told) = (NODES_PER_CHECK, 0);
    let mut at = 0;
    while !in_flight.is_empty() {
        at += 1;
        if at >= in_flight.len() {
            at = 0;
            fetch_noted();
        }
        until_check -= 1;
        if until_check == 0 {
            until_check = NODES_PER_CHECK;
            pass.tell(result.counts.generated, &mut told);
            if pass.run.is_cancelled() {
                break;
            }
        }
        let lane = &mut in_flight[at];
        if let Visit::Waiting = lane.visit(pass, result)
            && !pass.stop.skips(lane.path.number)
        {
            continue;
        }
        lane.path.leave(result);
        match next_subtree() {
            Some((number, subtree)) => {
                lane.path.begin(number, subtree);
                (lane.pending, lane.is_entered) = (NOTHING, true);
            }
            None => drop(in_flight.swap_remove(at)),
        }
    }
}

impl<D: Domain, H: Heuristic<D>> Lane<'_, D, H> {
    /// Reads what has arrived, then continues until something is on its way again.
    ///
    /// The heuristic and the expansion of a node are each called from one place, since they are inlined: what is long
    /// is compiled once.
    #[inline(always)]
    fn visit(&mut self, pass: &Pass<'_, D, H>, result: &mut SubtreeResult) -> Visit {
        if !self.is_entered {
            self.read_pending(pass, result);
        }
        while self.pending.ops.is_empty() {
            if self.is_entered {
                self.is_entered = false;
                self.pending = self.path.expand_last(pass, result);
                continue;
            }
            match self.path.advance(pass, result) {
                Step::Entered => self.is_entered = true,
                Step::Passed => {}
                Step::Done => return Visit::Done,
            }
        }
        let level = self.path.last();
        pass.heuristic.locate(pass.seen(&level.node), self.pending, &mut level.scratch);
        Visit::Waiting
    }

    /// Reads the pending children's values. The survivors are pending at the next stage, or open after the last.
    #[inline(always)]
    fn read_pending(&mut self, pass: &Pass<'_, D, H>, result: &mut SubtreeResult) {
        let level = self.path.last();
        let sieved = pass.heuristic.read(self.pending, &mut level.scratch);
        result.counts.sieved(self.pending, sieved);
        self.pending.stage += 1;
        if self.pending.stage < pass.heuristic.stages() {
            self.pending.ops = sieved.kept;
        } else {
            self.pending.ops = OpSet::EMPTY;
            level.open = sieved.kept;
        }
    }
}
