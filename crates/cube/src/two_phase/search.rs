//! The searches of all views on all threads.
//!
//! The work is a sequence of subtrees: for each cost of the moves `p` and `q` outside H, in increasing order, each cost of
//! `q`, each of the six views of the cube, and each first turn. Threads take the next subtree. On one
//! thread the order is fixed.
//!
//! A view that is the image of another one, as of a symmetric cube, is left out.

use super::phase_one::PhaseOne;
use super::shared::Shared;
use super::subtrees::Subtree;
use super::views::View;
use super::worker::Worker;
use super::{Found, Limits, TwoPhase};
use crate::cube::{Cube, Turn};
use search_core::Run;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Searches for ever shorter solutions, as [`TwoPhase::solve`] says.
pub(super) fn solve<P: PhaseOne>(
    tables: &TwoPhase,
    bound: &P,
    cube: &Cube,
    limits: &Limits,
    improved: &(dyn Fn(&[Turn]) + Sync),
    run: &Run<'_>,
) -> Found {
    let shared = Shared::new(tables.metric, cube, limits, improved, run);
    if cube.is_solved() {
        shared.offer(Vec::new());
    }
    let views = View::all(cube);
    let counts = (views.iter().filter(|view| !view.is_inverse).count(), views.len());
    let next = AtomicUsize::new(0);
    run.each(|| {
        let mut worker = Worker::new(tables, bound, &shared);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(subtree) = Subtree::of_number(number, counts, tables.metric) else { break };
            if shared.is_over() || subtree.outside >= shared.below() {
                break;
            }
            worker.subtree(&views[subtree.view], &subtree);
        }
        shared.report(worker.unreported());
    });
    shared.into_found()
}
