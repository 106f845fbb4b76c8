//! Near misses: nodes that one bound left with few moves are searched first by the next.
//!
//! The idea: a solution one move longer than a bound mostly leads through nodes that the bound let
//! pass far down, since the heuristic is below the distance somewhere along its way. Such nodes are
//! few, and a solution below one of them is several times as likely as below other nodes that cost
//! as much. So an iteration keeps the nodes that it expands with [`Near::at`] moves left; the next
//! one searches below them first, and all else only when that finds nothing.
//!
//! Invariant: all shorter bounds have been searched to their end, so a solution that is found below
//! a near miss is as short as any. When none is, the iteration continues as if there had been no near
//! misses. The nodes are kept in the order of the search, whatever the number of threads, so the
//! solution that is found does not depend on it.
//!
//! Cost: the subtrees below the kept nodes are a small share of their iteration ([`SHARE`]), so
//! searching them one bound deeper costs about as much as that iteration at most; they are searched
//! again when no solution was found. Memory is bounded by [`BYTES`]. Whether it pays depends on the domain:
//! docs/cube.md has figures; for the sliding tiles it did not.

use super::checkpoint::{Operators, Part};
use super::counts::{BY_REMAINING, Counts};
use super::harvest::Harvest;
use super::node::{Node, Task};
use super::pass::Pass;
use super::split::sweep;
use crate::cast::to_u64;
use crate::clock::Instant;
use crate::domain::{Domain, Op};
use crate::heuristic::Heuristic;
use serde::{Deserialize, Serialize};

/// At most one in so many nodes lies below a kept one.
const SHARE: u64 = 12;
/// Memory that the kept nodes may take.
const BYTES: usize = 96 << 20;
/// The number of nodes that become subtrees at a time.
const BATCH: usize = 1 << 15;

/// How many nodes of so many bytes may be kept at all, with `depth` operators each.
pub(super) fn most(node: usize, depth: usize) -> usize {
    BYTES / node.saturating_add(depth).max(1)
}

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

impl<C> Default for Kept<C> {
    fn default() -> Self {
        Kept { ops: Vec::new(), nodes: Vec::new() }
    }
}

impl<C> Kept<C> {
    /// The bytes of a node, without its operators.
    pub const NODE: usize = size_of::<KeptNode<C>>();

    /// How many nodes may be kept at all, each of them `depth` operators below its subtree's root.
    fn most(depth: usize) -> usize {
        most(Self::NODE, depth)
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

/// Kept nodes as data, without what they carry.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KeptOps {
    /// The subtree of each.
    tasks: Vec<u32>,
    /// Where the operators of each begin.
    from: Vec<u32>,
    ops: Operators,
}

impl<C> Kept<C> {
    /// The nodes in the order of the search: the subtree of each, and the operators from its root.
    pub fn in_order<'a, D: Domain, H: Heuristic<D>>(
        &'a self,
        tasks: &'a [Task<D, H>],
        keep_at: u32,
    ) -> impl Iterator<Item = (&'a Task<D, H>, &'a [Op])> {
        let mut nodes: Vec<&KeptNode<C>> = self.nodes.iter().collect();
        // Stable: within one subtree the order of the search stays.
        nodes.sort_by_key(|node| node.task);
        nodes.into_iter().map(move |node| {
            let (task, from) = (&tasks[node.task as usize], node.from as usize);
            (task, &self.ops[from..from + (task.remaining - keep_at) as usize])
        })
    }

    /// The nodes as data.
    pub fn to_ops(&self) -> KeptOps {
        KeptOps {
            tasks: self.nodes.iter().map(|node| node.task).collect(),
            from: self.nodes.iter().map(|node| node.from).collect(),
            ops: Operators::from(&self.ops[..]),
        }
    }
}

impl KeptOps {
    /// The nodes below `tasks`, which were kept with `at` moves left; nothing if one is none.
    pub fn to_kept<D: Domain, H: Heuristic<D>>(
        &self,
        pass: &Pass<'_, D, H>,
        tasks: &[Task<D, H>],
        at: u32,
    ) -> Option<Kept<H::Carry>> {
        let ops = self.ops.to_ops();
        let nodes: Vec<(u32, u32)> = self.tasks.iter().copied().zip(self.from.iter().copied()).collect();
        let node = |&(task, from): &(u32, u32)| {
            let root = tasks.get(task as usize)?;
            let ops = ops.get(from as usize..)?.get(..root.remaining.checked_sub(at)? as usize)?;
            Some(KeptNode { task, from, carry: pass.descend(root, ops)?.carry })
        };
        let nodes = pass.run.map(&nodes, node).into_iter().collect::<Option<Vec<_>>>()?;
        Some(Kept { ops, nodes })
    }
}

/// The near misses of an iteration.
pub(super) struct Near<D: Domain, H: Heuristic<D>> {
    /// What a checkpoint says of the iteration, without the near misses themselves.
    part: Part,
    pub bound: u32,
    tasks: Vec<Task<D, H>>,
    kept: Kept<H::Carry>,
}

impl<D: Domain, H: Heuristic<D>> Near<D, H> {
    /// Those of the iteration with `bound`, if there are any, and not too many.
    pub fn new(
        bound: u32,
        part: Part,
        tasks: Vec<Task<D, H>>,
        mut kept: Kept<H::Carry>,
    ) -> Option<Near<D, H>> {
        // However the tree was split: nothing of a search depends on that.
        let depth = bound.saturating_sub(part.keep_at);
        if kept.nodes.is_empty() || kept.nodes.len() > Kept::<H::Carry>::most(depth as usize) {
            return None;
        }
        // Stable: within one subtree the order of the search stays.
        kept.nodes.sort_by_key(|node| node.task);
        Some(Near { part, bound, tasks, kept })
    }

    /// How many they are.
    pub fn len(&self) -> usize {
        self.kept.nodes.len()
    }

    /// What a checkpoint says of the iteration.
    pub fn part(&self) -> Part {
        Part { kept: self.kept.to_ops(), ..self.part.clone() }
    }

    /// Searches below some of them with a greater bound, from the number `done` on, and begins none after `until`
    /// but the first. Also returns the number of the first that was not begun, as [`sweep`] does.
    pub fn sweep(
        &self,
        pass: &Pass<'_, D, H>,
        bound: u32,
        done: usize,
        until: Option<Instant>,
    ) -> (Harvest<H::Carry>, usize) {
        let remaining = self.part.keep_at + bound - self.bound;
        let nodes = &self.kept.nodes[done..];
        let tasks = pass.run.map(&nodes[..nodes.len().min(BATCH)], |node| self.task(pass, node, remaining));
        let update = |begun| pass.run.progress().update(to_u64(done + begun));
        let (harvest, begun) = sweep(pass, &tasks, 0, until, &update);
        (harvest, done + begun)
    }

    /// The subtree below a node.
    fn task(&self, pass: &Pass<'_, D, H>, node: &KeptNode<H::Carry>, remaining: u32) -> Task<D, H> {
        let root = &self.tasks[node.task as usize];
        let from = node.from as usize;
        let ops = &self.kept.ops[from..from + (root.remaining - self.part.keep_at) as usize];
        let (state, fsm) =
            pass.follow(&root.node.state, root.node.fsm, ops).expect("the node was reached before");
        let path = root.path.iter().chain(ops).copied().collect();
        Task::new(Node { state, carry: node.carry.clone(), fsm }, path, remaining)
    }
}

/// The moves left at which the next iteration keeps its nodes, from the counts of the last one; 0
/// keeps none. The next is taken to be `growth` times as large; a node takes `node` bytes.
pub(super) fn keep_at(last: &Counts, bound: u32, growth: f64, node: usize) -> u32 {
    let share = (last.expanded / SHARE) as f64;
    let mut below = 0;
    let mut best = 0;
    for at in 1..(BY_REMAINING - 1).min(bound as usize) {
        let here = last.by_remaining[at];
        let room = most(node, bound as usize - at) as f64;
        if below as f64 > share || here as f64 * growth > room {
            break;
        }
        if here > 0 {
            best = at as u32;
        }
        below += here;
    }
    best
}

#[cfg(test)]
impl<C> Kept<C> {
    /// The nodes, each `depth` operators below its subtree's root: the subtree and the operators.
    pub fn strings(&self, depth: usize) -> Vec<(u32, String)> {
        let ops = |from: usize| super::testing::digits(&self.ops[from..from + depth]);
        self.nodes.iter().map(|node| (node.task, ops(node.from as usize))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ida::testing::{Strings, digits, no_repetition, ops, pass, task};
    use crate::run::Run;

    const NODE: usize = Kept::<()>::NODE;

    /// Two threads have kept nodes two operators below the roots of their subtrees.
    fn kept() -> Kept<()> {
        let (mut kept, mut other) = (Kept::default(), Kept::default());
        kept.push(2, ops("12").into_iter(), ());
        other.push(0, ops("10").into_iter(), ());
        other.push(0, ops("12").into_iter(), ());
        kept.append(other);
        kept
    }

    #[test]
    fn what_threads_kept_comes_together() {
        let all = [(2, "12"), (0, "10"), (0, "12")].map(|(number, ops)| (number, ops.to_owned()));
        assert_eq!(kept().strings(2), all);
    }

    #[test]
    fn the_next_bound_goes_on_below_near_misses() {
        let (rules, run) = (no_repetition(), Run::new());
        // Bound 4 left three subtrees of three moves, and kept nodes with one move left.
        let tasks = || ["0", "1", "2"].map(|path| task(&rules, path, 3)).into();
        let part = Part { keep_at: 1, ..Part::default() };
        let near = Near::new(4, part, tasks(), kept()).expect("near misses");
        let nodes = near.kept.nodes.iter();
        let domain = Strings(vec![ops("21210"), ops("01201")]);
        let searched = pass(&domain, &rules, &run);
        let roots: Vec<_> = nodes.map(|node| near.task(&searched, node, 2)).collect();
        let paths: Vec<String> = roots.iter().map(|root| digits(&root.path)).collect();
        assert_eq!(paths, ["010", "012", "212"], "in the order of the search");
        assert!(roots.iter().all(|root| root.node.state == root.path && root.remaining == 2));
        assert!(
            roots.iter().zip(["010", "012", "212"]).all(|(a, b)| a.node.fsm == task(&rules, b, 2).node.fsm)
        );
        let found = near.sweep(&searched, 5, 0, None).0.found;
        assert_eq!(digits(&found[0].path), "01201", "the earlier of two solutions");
        // A solution elsewhere is not found.
        let domain = Strings(vec![ops("02010")]);
        let elsewhere = pass(&domain, &rules, &run);
        let (harvest, done) = near.sweep(&elsewhere, 5, 0, None);
        assert!(harvest.found.is_empty() && harvest.counts.expanded == 3 * (1 + 2) && done == near.len());
        // In two parts.
        let (first, done) = near.sweep(&elsewhere, 5, 0, Some(Instant::now()));
        assert!((1..=run.threads()).contains(&done));
        let (second, end) = near.sweep(&elsewhere, 5, done, None);
        assert_eq!((first.counts.expanded + second.counts.expanded, end), (3 * (1 + 2), near.len()));
    }

    #[test]
    fn no_near_misses_or_too_many_are_none() {
        let rules = no_repetition();
        let part = Part { keep_at: 1, ..Part::default() };
        let tasks = || vec![task(&rules, "0", 3)];
        let new = |kept| Near::<Strings, crate::ida::testing::Nothing>::new(4, part.clone(), tasks(), kept);
        assert!(new(Kept::default()).is_none());
        let mut kept = Kept::default();
        // The limit is that of whole strings; a thread's own, of strings from its subtrees, is no lower.
        let most = Kept::<()>::most(2);
        (0..most + 10).for_each(|_| kept.push(0, ops("12").into_iter(), ()));
        assert_eq!(kept.nodes.len(), most + 1, "one too many shows that some are missing");
        assert!(new(kept).is_none());
    }

    #[test]
    fn nodes_are_kept_where_few_lie_below() {
        let mut counts = Counts { expanded: 1200, ..Counts::default() };
        counts.by_remaining[1..6].copy_from_slice(&[60, 0, 30, 20, 1000]);
        // At most 100 below: 60 + 0 + 30 are, 60 + 0 + 30 + 20 are not.
        assert_eq!(keep_at(&counts, 9, 2.0, NODE), 4);
        // No higher than the bound, and where nothing is expanded nothing is kept.
        assert_eq!(keep_at(&counts, 3, 2.0, NODE), 1);
        // As many as there will be must fit.
        assert_eq!(keep_at(&counts, 9, 1e6, NODE), 0);
        assert_eq!(keep_at(&Counts::default(), 9, 2.0, NODE), 0);
    }
}
