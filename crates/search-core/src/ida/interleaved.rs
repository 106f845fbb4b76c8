//! The kernel that keeps many table reads in flight.
//!
//! The idea: a search that waits for its table uses a small part of what the memory can deliver. So one thread searches
//! several subtrees (lanes) in turn. A visit to a lane first reads the values that the lane located on its last visit,
//! which have arrived meanwhile. It then continues until it has located values again: those of the children of the next
//! node, or of the next stage for the children that survived. A stage that prunes no child
//! ([`Heuristic::looks`]) is passed over within the visit. All other lanes are visited between locating and reading.
//! Where locating depends on data that may be outside of the caches itself, a visit only prefetches these data
//! ([`Heuristic::prepare`]), and the values are located at the end of the next visit.
//! (WebAssembly fetches when a round ends: see [`crate::prefetch`].)
//!
//! Invariant, for each lane: its path satisfies the invariant of [`Path`]. `pending` holds children of the path's last
//! node, all prepared or located at the batch's stage and pruned by no earlier stage; they are located before the next
//! visit. The node has no open children while any are
//! pending. So each lane visits its subtree exactly in the order of the depth-first kernel, and the counts of a
//! complete iteration are the same.
//!
//! Source of the idea: interleaved pointer chasing as in database joins (AMAC, Kocberber et al.
//! 2015); batches of subtrees in flight are also what the fastest cube solvers use.

use super::expander::Expander;
use super::path::{Path, Step};
use super::stop::NODES_PER_CHECK;
use super::subtree::SubtreeOf;
use super::subtree_result::SubtreeResult;
use crate::domain::{Domain, OpSet};
use crate::heuristic::{Batch, Heuristic, Sieved};
use crate::prefetch::{fetch_noted, forget_noted};

/// One subtree in flight.
struct Lane<'t, D: Domain, H: Heuristic<D>> {
    path: Path<'t, D, H>,
    /// Children of the path's last node whose values have been located but not read.
    pending: Batch,
}

/// No children.
const NOTHING: Batch = Batch { ops: OpSet::EMPTY, stage: 0, limit: 0 };

/// The outcome of a visit to a lane.
enum Visit {
    /// The lane has prepared to locate values.
    Waiting,
    /// The subtree is finished.
    Done,
}

/// Whether values are located one visit after they were prepared. On WebAssembly, where only the end of a round
/// fetches, this is of no use.
const LATER: bool = !cfg!(target_family = "wasm");

/// Searches the subtrees that `next_subtree` returns, `lanes` of them in turn.
#[inline(always)]
pub(super) fn run<'t, D, H>(
    expander: &Expander<'_, D, H>,
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
        in_flight.push(Lane { path: Path::new(number, subtree), pending: NOTHING });
    }
    let (mut until_check, mut reported) = (NODES_PER_CHECK, 0);
    let mut at = 0;
    // The lane whose values are to be located.
    let mut prepared = None;
    while !in_flight.is_empty() {
        at += 1;
        if at >= in_flight.len() {
            at = 0;
            fetch_noted();
        }
        until_check -= 1;
        if until_check == 0 {
            until_check = NODES_PER_CHECK;
            expander.report_nodes(result.counts.generated, &mut reported);
            if expander.run.is_cancelled() {
                break;
            }
            expander.stop.check_incumbent();
        }
        let lane = &mut in_flight[at];
        let is_waiting =
            matches!(lane.visit(expander, result), Visit::Waiting) && !expander.stop.skips(lane.path.number);
        let mut due = is_waiting.then_some(at);
        // If there are several lanes, each is located before it is visited again.
        if LATER && in_flight.len() > 1 {
            std::mem::swap(&mut due, &mut prepared);
        }
        if let Some(due) = due {
            in_flight[due].locate(expander);
        }
        if is_waiting {
            continue;
        }
        let lane = &mut in_flight[at];
        lane.path.leave(result);
        match next_subtree() {
            Some((number, subtree)) => {
                lane.path.begin(number, subtree);
                lane.pending = NOTHING;
            }
            None => drop(in_flight.swap_remove(at)),
        }
    }
}

impl<D: Domain, H: Heuristic<D>> Lane<'_, D, H> {
    /// Reads the values located last time, then continues until the lane has prepared others.
    ///
    /// The heuristic and the expansion of a node are inlined, so each is called from only one place to keep the code
    /// small.
    #[inline(always)]
    fn visit(&mut self, expander: &Expander<'_, D, H>, result: &mut SubtreeResult) -> Visit {
        if !self.pending.ops.is_empty() {
            let level = self.path.last();
            let sieved = expander.heuristic.read(self.pending, &mut level.scratch);
            self.keep(sieved, expander, result);
        }
        loop {
            while self.pending.ops.is_empty() {
                match self.path.advance(expander, result) {
                    Step::Entered => self.pending = self.path.expand_last(expander, result),
                    Step::Passed => {}
                    Step::Done => return Visit::Done,
                }
            }
            let level = self.path.last();
            expander.heuristic.prepare(expander.seen(&level.node), self.pending, &mut level.scratch);
            if expander.heuristic.looks(self.pending, &level.scratch) {
                return Visit::Waiting;
            }
            let all = Sieved { kept: self.pending.ops, ..Sieved::default() };
            self.keep(all, expander, result);
        }
    }

    /// Locates the values that the last visit has prepared.
    #[inline(always)]
    fn locate(&mut self, expander: &Expander<'_, D, H>) {
        let level = self.path.last();
        expander.heuristic.locate(expander.seen(&level.node), self.pending, &mut level.scratch);
    }

    /// Ends a stage of the pending children. Those that survive are pending at the next stage, or become open after
    /// the last stage.
    #[inline(always)]
    fn keep(&mut self, sieved: Sieved, expander: &Expander<'_, D, H>, result: &mut SubtreeResult) {
        result.counts.sieved(self.pending, sieved);
        self.pending.stage += 1;
        if self.pending.stage < expander.heuristic.stages() {
            self.pending.ops = sieved.kept;
        } else {
            self.pending.ops = OpSet::EMPTY;
            self.path.last().open = sieved.kept;
        }
    }
}
