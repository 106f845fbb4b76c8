//! The tree's first levels, cut into subtrees for the threads.
//!
//! The idea: the tree is expanded level by level, in the order of the search, until it has many
//! more subtrees than there are threads; each thread takes the next subtree that nobody has.
//!
//! Invariant: the subtrees are numbered in the order in which one thread alone would search them.
//! A subtree that holds a solution stops only later ones, and earlier ones are finished, so the
//! solution of the earliest subtree is the same for every number of threads, and a complete
//! iteration visits the same nodes.

use super::near::Kept;
use super::node::{Counts, Found, Iterate, Task};
use super::{depth_first, interleaved};
use crate::domain::{Domain, OpSet};
use crate::heuristic::{Heuristic, Kernel};
use crate::run::Run;
use crate::simd::{ForTarget, Target};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Subtrees a thread at which splitting stops: many, since their sizes differ widely.
const SUBTREES_PER_THREAD: usize = 512;
/// Moves left at which a subtree is too small to be worth splitting.
const SMALLEST: u32 = 3;

/// What one iteration came to.
pub(super) struct Swept<D: Domain, H: Heuristic<D>> {
    pub counts: Counts,
    /// In the order of the search.
    pub found: Vec<Found>,
    /// The subtrees, and the nodes in them that were kept.
    pub tasks: Vec<Task<D, H>>,
    pub kept: Kept<H::Carry>,
}

impl<D: Domain, H: Heuristic<D>> Swept<D, H> {
    /// Nothing searched.
    pub fn empty() -> Self {
        Swept { counts: Counts::default(), found: Vec::new(), tasks: Vec::new(), kept: Kept::new() }
    }

    /// The iteration with bound 0: nothing is expanded, so nothing is known of longer solutions
    /// but that there may be some.
    pub fn at_goal(is_goal: bool) -> Self {
        let found = if is_goal { vec![Found { task: 0, path: Vec::new() }] } else { Vec::new() };
        let counts = Counts { least_excess: 1, ..Counts::default() };
        Swept { counts, found, ..Self::empty() }
    }
}

/// The target of a domain.
struct TargetOf<D>(PhantomData<D>);

impl<D: Domain> ForTarget for TargetOf<D> {
    const TARGET: Target = D::TARGET;
}

/// Searches the tree below `root` on all threads of `run`.
pub(super) fn sweep<D: Domain, H: Heuristic<D>>(
    search: &Iterate<'_, D, H>,
    root: Task<D, H>,
    kernel: Kernel,
    run: &Run<'_>,
) -> Swept<D, H> {
    let mut counts = Counts::default();
    let bound = root.remaining;
    let tasks = split(search, root, run.threads() * SUBTREES_PER_THREAD, &mut counts);
    run.progress().begin(&format!("bound {bound}"), tasks.len() as u64);
    sweep_tasks(search, tasks, counts, kernel, run, &|done| run.progress().update(done as u64))
}

/// Searches subtrees on all threads of `run`; `counts` are those of the nodes above them.
pub(super) fn sweep_tasks<D: Domain, H: Heuristic<D>>(
    search: &Iterate<'_, D, H>,
    tasks: Vec<Task<D, H>>,
    mut counts: Counts,
    kernel: Kernel,
    run: &Run<'_>,
    update: &(dyn Fn(usize) + Sync),
) -> Swept<D, H> {
    let next = AtomicUsize::new(0);
    let next_task = || {
        let number = next.fetch_add(1, Ordering::Relaxed);
        update(number.min(tasks.len()));
        let task = tasks.get(number)?;
        (!search.stop.skips(number) && !search.stop.is_cancelled()).then_some((number, task))
    };
    let parts = run.each(|| {
        TargetOf::<D>::run(
            #[inline(always)]
            || {
                let (mut found, mut kept) = (Vec::new(), Kept::new());
                let counts = match kernel {
                    Kernel::DepthFirst => depth_first::run(search, next_task, &mut found, &mut kept),
                    Kernel::Interleaved { lanes } => {
                        interleaved::run(search, lanes, next_task, &mut found, &mut kept)
                    }
                };
                (counts, found, kept)
            },
        )
    });
    let (mut found, mut kept) = (Vec::new(), Kept::new());
    for (part, solutions, nodes) in parts {
        counts.add(&part);
        found.extend(solutions);
        kept.append(nodes);
    }
    // Stable: within one subtree the order of the search stays.
    found.sort_by_key(|found: &Found| found.task);
    Swept { counts, found, tasks, kept }
}

/// Expands the tree level by level, in order, to at least `enough` subtrees or until all that is
/// left is small, or no higher than the nodes that are to be kept.
fn split<D: Domain, H: Heuristic<D>>(
    search: &Iterate<'_, D, H>,
    root: Task<D, H>,
    enough: usize,
    counts: &mut Counts,
) -> Vec<Task<D, H>> {
    let smallest = SMALLEST.max(search.keep_at);
    let mut scratch = H::Scratch::default();
    let mut tasks = vec![root];
    while tasks.len() < enough && tasks.iter().any(|task| task.remaining > smallest) {
        let mut level = Vec::with_capacity(tasks.len() * 4);
        for task in tasks {
            if task.remaining > smallest {
                children(search, &task, &mut level, &mut scratch, counts);
            } else {
                level.push(task);
            }
        }
        tasks = level;
    }
    tasks
}

/// Appends the subtrees below the children of `task` that the heuristic leaves.
fn children<D: Domain, H: Heuristic<D>>(
    search: &Iterate<'_, D, H>,
    task: &Task<D, H>,
    level: &mut Vec<Task<D, H>>,
    scratch: &mut H::Scratch,
    counts: &mut Counts,
) {
    let remaining = task.remaining - 1;
    let ops = if task.path.is_empty() { search.first } else { OpSet::ALL };
    let ops = search.expand_by(ops, &task.node, task.remaining, counts);
    for op in search.sieve(&task.node, ops, remaining, counts, scratch) {
        let node = search.child(&task.node, op, scratch);
        if !search.passes_goal(&node.state) {
            let path = task.path.iter().copied().chain([op]).collect();
            level.push(Task { node, path, remaining });
        }
    }
}
