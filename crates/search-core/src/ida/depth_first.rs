//! The plain kernel: one node at a time, depth first, on an explicit stack.
//!
//! Invariant: `path[d]` is the node at depth `d` of the current path, and `open` holds the
//! children still to be visited of all of them, the next one last. Children are pushed in reverse,
//! so that they are visited in the order of the operators.
//!
//! Cost: memory linear in the depth; a node that the heuristic cuts is never built.

use super::node::{Counts, Found, Iterate, NODES_PER_CHECK, Node, Task};
use crate::domain::{Domain, Op};
use crate::heuristic::Heuristic;

/// A child that survived its heuristic, to be visited.
struct Open<M> {
    op: Op,
    depth: u32,
    memo: M,
}

/// Searches the subtrees that `next_task` hands out, one after the other.
#[inline(always)]
pub(super) fn run<'t, D, H, S>(
    search: &Iterate<'_, D, H, S>,
    mut next_task: impl FnMut() -> Option<(usize, &'t Task<D, H>)>,
    found: &mut Vec<Found>,
) -> Counts
where
    D: Domain + 't,
    H: Heuristic<D> + 't,
    S: AsRef<[u32]>,
{
    let mut counts = Counts::default();
    let mut path: Vec<Node<D, H>> = Vec::new();
    let mut ops: Vec<Op> = Vec::new();
    let mut open: Vec<Open<H::Memo>> = Vec::new();
    let mut until_check = NODES_PER_CHECK;
    while let Some((number, task)) = next_task() {
        path.clear();
        ops.clear();
        open.clear();
        path.push(task.node.clone());
        expand(search, &path[0], 0, task.remaining, &mut open, &mut counts);
        while let Some(Open { op, depth, memo }) = open.pop() {
            until_check -= 1;
            if until_check == 0 {
                until_check = NODES_PER_CHECK;
                if search.stop.is_cancelled() {
                    return counts;
                }
                if search.stop.skips(number) {
                    break;
                }
            }
            let depth = depth as usize;
            path.truncate(depth + 1);
            ops.truncate(depth);
            ops.push(op);
            let remaining = task.remaining - depth as u32 - 1;
            if remaining == 0 {
                if search.is_goal_leaf(&path[depth], op, &mut counts) {
                    search.stop.found(number);
                    let path = task.path.iter().chain(&ops).copied().collect();
                    found.push(Found { task: number, path });
                    if search.stop.first_is_enough() {
                        break;
                    }
                }
                continue;
            }
            let child = search.child(&path[depth], op, &memo);
            if !search.passes_goal(&child.state) {
                expand(search, &child, depth as u32 + 1, remaining, &mut open, &mut counts);
                path.push(child);
            }
        }
    }
    counts
}

/// Generates the children of `node`, which lies at `depth` with `remaining` moves left.
#[inline(always)]
fn expand<D: Domain, H: Heuristic<D>, S: AsRef<[u32]>>(
    search: &Iterate<'_, D, H, S>,
    node: &Node<D, H>,
    depth: u32,
    remaining: u32,
    open: &mut Vec<Open<H::Memo>>,
    counts: &mut Counts,
) {
    let first = open.len();
    for op in search.expand(node, remaining, counts) {
        match search.evaluate(node, op, remaining - 1) {
            Ok(memo) => open.push(Open { op, depth, memo }),
            Err(value) => counts.cut(value, remaining - 1),
        }
    }
    open[first..].reverse();
}
