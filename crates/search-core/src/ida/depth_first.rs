//! The plain kernel: one node at a time, depth first, on an explicit stack.
//!
//! Invariant: that of [`Path`]. All children of a node are evaluated when it is expanded.
//!
//! Cost: memory linear in the depth; a node that the heuristic cuts is never built.

use super::pass::Pass;
use super::path::{Path, Step};
use super::stop::NODES_PER_CHECK;
use super::subtree::SubtreeOf;
use super::subtree_result::SubtreeResult;
use crate::domain::Domain;
use crate::heuristic::Heuristic;

/// Searches the subtrees that `next_subtree` hands out, one after the other.
#[inline(always)]
pub(super) fn run<'t, D, H>(
    pass: &Pass<'_, D, H>,
    mut next_subtree: impl FnMut() -> Option<(usize, &'t SubtreeOf<D, H>)>,
    result: &mut SubtreeResult,
) where
    D: Domain + 't,
    H: Heuristic<D> + 't,
{
    let (mut until_check, mut told) = (NODES_PER_CHECK, 0);
    let mut used = None;
    while let Some((number, subtree)) = next_subtree() {
        let path = used.get_or_insert_with(|| Path::new(number, subtree));
        path.begin(number, subtree);
        let mut step = Step::Entered;
        // The heuristic is called from one place, since it is inlined: what is long is compiled once.
        loop {
            match step {
                Step::Entered => expand(pass, path, result),
                Step::Passed => {}
                Step::Done => break,
            }
            until_check -= 1;
            if until_check == 0 {
                until_check = NODES_PER_CHECK;
                pass.tell(result.counts.generated, &mut told);
                if pass.run.is_cancelled() {
                    return;
                }
                if pass.stop.skips(number) {
                    break;
                }
            }
            step = path.advance(pass, result);
        }
        path.leave(result);
    }
}

/// Generates the children of the path's last node: those that survive become open.
#[inline(always)]
fn expand<D: Domain, H: Heuristic<D>>(
    pass: &Pass<'_, D, H>,
    path: &mut Path<'_, D, H>,
    result: &mut SubtreeResult,
) {
    let batch = path.expand_last(pass, result);
    let level = path.last();
    level.open = pass.sieve(&level.node, batch, &mut level.scratch, &mut result.counts);
}
