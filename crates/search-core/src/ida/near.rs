//! Near misses: nodes that one bound left with few moves are searched first by the next.
//!
//! The idea: a solution one move longer than a bound mostly leads through nodes that the bound let
//! pass far down, since the heuristic is below the distance somewhere along its way. Such nodes are
//! few, and a solution below one of them is several times as likely as below other nodes that cost
//! as much. So an iteration keeps the nodes that it expands with [`Near::at`] moves left; the next
//! one searches below them first, and all else only when that finds nothing.
//!
//! Invariant: all shorter bounds have been searched to their end, so a solution that is found below
//! a near miss is as short as any. When none is, the iteration goes on as if there had been no near
//! misses. The nodes are kept in the order of the search, whatever the number of threads, so the
//! solution that is found does not depend on it.
//!
//! Cost: the subtrees below the kept nodes are a small share of their iteration ([`SHARE`]), so
//! searching them one bound deeper costs about as much as that iteration at most; they are searched
//! again when it was in vain. Memory is bounded by [`BYTES`]. Whether it pays depends on the domain:
//! docs/cube.md has figures; for the sliding tiles it did not.

use super::Kernel;
use super::node::{BY_REMAINING, Counts, Iterate, Node, Task};
use super::split::{Swept, sweep_tasks};
use crate::domain::{Domain, Op};
use crate::heuristic::Heuristic;
use crate::run::Run;

/// The nodes below those that are kept are at most one in so many.
const SHARE: u64 = 12;
/// Memory that the kept nodes may take.
const BYTES: usize = 96 << 20;
/// So many are made into subtrees at once.
const BATCH: usize = 1 << 15;

/// Nodes that one thread kept, or all.
#[derive(Debug)]
pub(super) struct Kept<C> {
    /// The operators from the subtrees' roots to the nodes, one node after the other.
    ops: Vec<Op>,
    nodes: Vec<KeptNode<C>>,
}

#[derive(Clone, Debug)]
struct KeptNode<C> {
    /// The number of the subtree.
    task: u32,
    /// Where its operators begin; their number follows from the moves left.
    from: u32,
    carry: C,
}

impl<C> Kept<C> {
    pub fn new() -> Kept<C> {
        Kept { ops: Vec::new(), nodes: Vec::new() }
    }

    /// How many nodes may be kept at all, each of them `depth` operators below its subtree's root.
    fn most(depth: usize) -> usize {
        BYTES / (size_of::<KeptNode<C>>() + depth)
    }

    /// Keeps a node of subtree `task`, unless there are too many already.
    #[cold]
    pub fn push(&mut self, task: usize, ops: impl ExactSizeIterator<Item = Op>, carry: C) {
        if self.nodes.len() <= Self::most(ops.len()) {
            let from = self.ops.len() as u32;
            self.nodes.push(KeptNode { task: task as u32, from, carry });
            self.ops.extend(ops);
        }
    }

    /// Adds what another thread kept.
    pub fn append(&mut self, other: Kept<C>) {
        if self.ops.len() + other.ops.len() > u32::MAX as usize {
            // Far more than may be kept: all will be forgotten.
            return;
        }
        let moved = self.ops.len() as u32;
        self.ops.extend(other.ops);
        self.nodes.extend(other.nodes.into_iter().map(|node| KeptNode { from: node.from + moved, ..node }));
    }
}

/// The near misses of an iteration.
pub(super) struct Near<D: Domain, H: Heuristic<D>> {
    /// Moves left when they were expanded.
    at: u32,
    bound: u32,
    tasks: Vec<Task<D, H>>,
    kept: Kept<H::Carry>,
}

impl<D: Domain, H: Heuristic<D>> Near<D, H> {
    /// Those of the iteration with `bound`, if there are any, and not too many.
    pub fn new(at: u32, bound: u32, tasks: Vec<Task<D, H>>, mut kept: Kept<H::Carry>) -> Option<Near<D, H>> {
        let depth = tasks.iter().map(|task| task.remaining.saturating_sub(at)).max()?;
        if kept.nodes.is_empty() || kept.nodes.len() > Kept::<H::Carry>::most(depth as usize) {
            return None;
        }
        // Stable: within one subtree the order of the search stays.
        kept.nodes.sort_by_key(|node| node.task);
        Some(Near { at, bound, tasks, kept })
    }

    /// Searches below them with a greater bound, until there is a solution.
    pub fn sweep(
        &self,
        search: &Iterate<'_, D, H>,
        bound: u32,
        kernel: Kernel,
        run: &Run<'_>,
    ) -> Swept<D, H> {
        let (mut all, progress) = (Swept::empty(), run.progress());
        progress
            .begin(&format!("bound {bound}, near misses of {}", self.bound), self.kept.nodes.len() as u64);
        for (batch, nodes) in self.kept.nodes.chunks(BATCH).enumerate() {
            let remaining = self.at + bound - self.bound;
            let tasks = run.map(nodes, |node| self.task(search, node, remaining));
            let swept = sweep_tasks(search, tasks, Counts::default(), kernel, run, &|done| {
                progress.update((batch * BATCH + done) as u64);
            });
            all.counts.add(&swept.counts);
            all.found = swept.found;
            if !all.found.is_empty() || search.stop.is_cancelled() {
                break;
            }
        }
        progress.end();
        all
    }

    /// The subtree below a node.
    fn task(&self, search: &Iterate<'_, D, H>, node: &KeptNode<H::Carry>, remaining: u32) -> Task<D, H> {
        let root = &self.tasks[node.task as usize];
        let from = node.from as usize;
        let ops = &self.kept.ops[from..from + (root.remaining - self.at) as usize];
        let (mut state, mut fsm) = (root.node.state.clone(), root.node.fsm);
        for &op in ops {
            state = search.domain.apply(&state, op);
            fsm = search.automaton.next(fsm, op).expect("the automaton allowed the operator");
        }
        let path = root.path.iter().chain(ops).copied().collect();
        Task { node: Node { state, carry: node.carry.clone(), fsm }, path, remaining }
    }
}

/// The moves left at which the next iteration keeps its nodes, from the counts of the last one; 0
/// keeps none. The next is taken to be `growth` times as large.
pub(super) fn keep_at<C>(last: &Counts, bound: u32, growth: f64) -> u32 {
    let most = (last.expanded / SHARE) as f64;
    let mut below = 0;
    let mut best = 0;
    for at in 1..(BY_REMAINING - 1).min(bound as usize) {
        let here = last.by_remaining[at];
        let room = Kept::<C>::most(bound as usize - at) as f64;
        if below as f64 > most || here as f64 * growth > room {
            break;
        }
        if here > 0 {
            best = at as u32;
        }
        below += here;
    }
    best
}
