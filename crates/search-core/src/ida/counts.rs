//! Node counts of a search.

use crate::heuristic::{Batch, NodeCounts, Sieved};
use crate::record::{Iteration, Stage};
use serde::{Deserialize, Serialize};

/// Upper limit on the difference between two bounds: a heuristic value is one byte.
pub(super) const MOST_STEP: u32 = 512;
/// Upper limit on the nodes of one bound, low enough that the sum over all bounds fits 64 bits.
pub(super) const MOST_NODES: u64 = 1 << 53;

/// The counts of one thread, and by how much its closest pruned child exceeded the bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Counts {
    pub generated: u64,
    pub expanded: u64,
    pub pruned_by_fsm: u64,
    /// For each stage of the heuristic, the children evaluated and pruned. The last entry includes all further stages.
    pub stages: [Stage; STAGES],
    /// The least amount by which a pruned child exceeded the bound; `u32::MAX` if none was pruned.
    pub least_excess: u32,
}

/// The number of stages counted separately.
const STAGES: usize = 8;

impl Default for Counts {
    fn default() -> Counts {
        Counts {
            generated: 0,
            expanded: 0,
            pruned_by_fsm: 0,
            stages: [Stage::default(); STAGES],
            least_excess: u32::MAX,
        }
    }
}

impl Counts {
    /// Whether the counts are small enough to be summed without overflow.
    pub(super) fn is_plausible(&self) -> bool {
        let Counts { generated, expanded, pruned_by_fsm, stages, least_excess } = self;
        let stages = stages.iter().flat_map(|stage| [stage.looked_up, stage.cut]);
        let mut all = [*generated, *expanded, *pruned_by_fsm].into_iter().chain(stages);
        all.all(|count| count <= MOST_NODES) && (*least_excess == u32::MAX || *least_excess <= MOST_STEP)
    }

    pub(super) fn add(&mut self, other: &Counts) {
        self.generated += other.generated;
        self.expanded += other.expanded;
        self.pruned_by_fsm += other.pruned_by_fsm;
        for (stage, other) in self.stages.iter_mut().zip(other.stages) {
            stage.looked_up += other.looked_up;
            stage.cut += other.cut;
        }
        self.least_excess = self.least_excess.min(other.least_excess);
    }

    /// The counts of a stage.
    #[inline(always)]
    fn stage(&mut self, stage: usize) -> &mut Stage {
        &mut self.stages[stage.min(STAGES - 1)]
    }

    /// Adds the result of reading a batch.
    #[inline(always)]
    pub(super) fn sieved(&mut self, batch: Batch, sieved: Sieved) {
        let counts = self.stage(batch.stage);
        counts.looked_up += batch.ops.len() as u64;
        if sieved.kept != batch.ops {
            counts.cut += (batch.ops.len() - sieved.kept.len()) as u64;
            self.least_excess = self.least_excess.min(sieved.least_cut - batch.limit);
        }
    }

    /// Adds the counts of a heuristic's own kernel.
    pub(super) fn add_own(&mut self, own: &NodeCounts) {
        let NodeCounts { generated, expanded, pruned_by_fsm, stages, least_excess } = *own;
        let mut counts = Counts { generated, expanded, pruned_by_fsm, least_excess, ..Counts::default() };
        counts.stages[..stages.len()].copy_from_slice(&stages);
        self.add(&counts);
    }

    /// The record of an iteration with a heuristic of `stages` stages.
    pub(super) fn iteration(&self, bound: u32, stages: usize, seconds: f64, complete: bool) -> Iteration {
        let stages = stages.min(STAGES);
        Iteration {
            bound,
            complete,
            generated: self.generated,
            expanded: self.expanded,
            pruned_by_heuristic: self.pruned_by_heuristic(),
            pruned_by_fsm: self.pruned_by_fsm,
            stages: if stages > 1 { self.stages[..stages].to_vec() } else { Vec::new() },
            seconds,
        }
    }

    /// Whether both count the same nodes; the stages that pruned them may differ.
    pub(super) fn are_of_the_same_nodes(&self, other: &Counts) -> bool {
        let nodes = |counts: &Counts| {
            let Counts { generated, expanded, pruned_by_fsm, least_excess, .. } = *counts;
            (generated, expanded, pruned_by_fsm, least_excess, counts.pruned_by_heuristic())
        };
        nodes(self) == nodes(other)
    }

    /// The number of nodes that the heuristic pruned.
    pub(super) fn pruned_by_heuristic(&self) -> u64 {
        self.stages.iter().map(|stage| stage.cut).sum()
    }
}
