//! The plain kernel: one node at a time, depth first, on an explicit stack.
//!
//! Invariant: that of [`Path`]. All children of a node are evaluated when it is expanded.
//!
//! Cost: memory linear in the depth; a node that the heuristic cuts is never built.

use super::near::Kept;
use super::node::{Counts, Found, Iterate, NODES_PER_CHECK, Task};
use super::path::Path;
use crate::domain::Domain;
use crate::heuristic::Heuristic;

/// Searches the subtrees that `next_task` hands out, one after the other.
#[inline(always)]
pub(super) fn run<'t, D, H>(
    search: &Iterate<'_, D, H>,
    mut next_task: impl FnMut() -> Option<(usize, &'t Task<D, H>)>,
    found: &mut Vec<Found>,
    kept: &mut Kept<H::Carry>,
) -> Counts
where
    D: Domain + 't,
    H: Heuristic<D> + 't,
{
    let mut counts = Counts::default();
    let mut until_check = NODES_PER_CHECK;
    let mut used = None;
    while let Some((number, task)) = next_task() {
        let path = used.get_or_insert_with(|| Path::new(number, task));
        path.begin(number, task);
        expand(search, path, &mut counts, kept);
        while let Some(op) = path.next_child() {
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
            let remaining = path.remaining() - 1;
            let level = path.last();
            if remaining == 0 {
                if search.is_goal_leaf(&level.node, op, &mut counts) {
                    search.stop.found(number);
                    found.push(path.found(op));
                    if search.stop.first_is_enough() {
                        break;
                    }
                }
                continue;
            }
            let child = search.child(&level.node, op, &level.scratch);
            if !search.passes_goal(&child.state) {
                path.push(op, child);
                expand(search, path, &mut counts, kept);
            }
        }
    }
    counts
}

/// Generates the children of the path's last node: those that survive become open.
#[inline(always)]
fn expand<D: Domain, H: Heuristic<D>>(
    search: &Iterate<'_, D, H>,
    path: &mut Path<'_, D, H>,
    counts: &mut Counts,
    kept: &mut Kept<H::Carry>,
) {
    let remaining = path.remaining();
    if remaining == search.keep_at {
        path.keep_last(kept);
    }
    let level = path.last();
    let ops = search.expand(&level.node, remaining, counts);
    level.open = search.sieve(&level.node, ops, remaining - 1, counts, &mut level.scratch);
}
