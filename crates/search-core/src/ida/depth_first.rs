//! The plain kernel: one node at a time, depth first, on an explicit stack.
//!
//! Invariant: that of [`Path`]. All children of a node are evaluated when it is expanded.
//!
//! Cost: memory linear in the depth. The state of a pruned node is never built.

use super::expander::Expander;
use super::path::{Path, Step};
use super::stop::NODES_PER_CHECK;
use super::subtree::SubtreeOf;
use super::subtree_result::SubtreeResult;
use crate::domain::Domain;
use crate::heuristic::Heuristic;

/// Searches the subtrees that `next_subtree` returns, one after the other.
#[inline(always)]
pub(super) fn run<'t, D, H>(
    expander: &Expander<'_, D, H>,
    mut next_subtree: impl FnMut() -> Option<(usize, &'t SubtreeOf<D, H>)>,
    result: &mut SubtreeResult,
) where
    D: Domain + 't,
    H: Heuristic<D> + 't,
{
    let (mut until_check, mut reported) = (NODES_PER_CHECK, 0);
    let mut used = None;
    while let Some((number, subtree)) = next_subtree() {
        let path = used.get_or_insert_with(|| Path::new(number, subtree));
        path.begin(number, subtree);
        loop {
            match path.advance(expander, result) {
                Step::Entered => expand(expander, path, result),
                Step::Passed => {}
                Step::Done => break,
            }
            until_check -= 1;
            if until_check == 0 {
                until_check = NODES_PER_CHECK;
                expander.report_nodes(result.counts.generated, &mut reported);
                if expander.run.is_cancelled() {
                    return;
                }
                expander.stop.check_incumbent();
                if expander.stop.skips(number) {
                    break;
                }
            }
        }
        path.leave(result);
    }
}

/// Generates the children of the path's last node; those that are not pruned become open.
#[inline(always)]
fn expand<D: Domain, H: Heuristic<D>>(
    expander: &Expander<'_, D, H>,
    path: &mut Path<'_, D, H>,
    result: &mut SubtreeResult,
) {
    let batch = path.expand_last(expander, result);
    let level = path.last();
    level.open = expander.sieve(&level.node, batch, &mut level.scratch, &mut result.counts);
}
