//! The best solution, the limits and the counts that the threads of a search share.
//!
//! The length of the best solution only decreases, so a thread that reads an older one searches too much, never too little.

use super::subtrees::MOST;
use super::{Found, Limits};
use crate::cube::{Cube, Turn};
use crate::metric::Metric;
use search_core::Run;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// The data that the threads share.
pub(super) struct Shared<'a> {
    cube: &'a Cube,
    limits: &'a Limits,
    run: &'a Run<'a>,
    improved: &'a (dyn Fn(&[Turn]) + Sync),
    metric: Metric,
    /// Solutions must be shorter than this.
    below: AtomicU32,
    best: Mutex<Option<Vec<Turn>>>,
    generated: AtomicU64,
    is_over: AtomicBool,
}

impl<'a> Shared<'a> {
    /// The state before the search of `cube`.
    pub(super) fn new(
        metric: Metric,
        cube: &'a Cube,
        limits: &'a Limits,
        improved: &'a (dyn Fn(&[Turn]) + Sync),
        run: &'a Run<'a>,
    ) -> Shared<'a> {
        Shared {
            cube,
            limits,
            run,
            improved,
            metric,
            below: AtomicU32::new(limits.below.unwrap_or(u32::MAX).min(MOST as u32)),
            best: Mutex::new(None),
            generated: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
        }
    }

    /// The result, after all threads have ended.
    pub(super) fn into_found(self) -> Found {
        let best = self.best.into_inner().expect("no thread panicked");
        Found { best, generated: self.generated.into_inner() }
    }

    /// The length that solutions must be shorter than.
    #[inline(always)]
    pub(super) fn below(&self) -> u32 {
        self.below.load(Ordering::Relaxed)
    }

    /// Whether to stop.
    #[inline(always)]
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Takes a solution if it is shorter than all before.
    pub(super) fn offer(&self, turns: Vec<Turn>) {
        assert!(self.cube.apply_all(turns.iter().copied()).is_solved(), "both phases solve the cube");
        let length = turns.iter().map(|&turn| self.metric.length(turn)).sum();
        let mut best = self.best.lock().expect("no thread panicked");
        if length >= self.below() {
            return;
        }
        self.below.store(length, Ordering::Relaxed);
        (self.improved)(&turns);
        *best = Some(turns);
        if length <= self.limits.enough {
            self.is_over.store(true, Ordering::Relaxed);
        }
    }

    /// Adds to the nodes of all threads, and asks whether to stop.
    pub(super) fn report(&self, more: u64) {
        let nodes = self.generated.fetch_add(more, Ordering::Relaxed) + more;
        let is_limited = self.below() < MOST as u32;
        let is_spent = is_limited && self.limits.nodes.is_some_and(|most| nodes >= most);
        if is_spent || self.run.is_cancelled() {
            self.is_over.store(true, Ordering::Relaxed);
        }
    }
}
