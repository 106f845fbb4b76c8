//! Progress from many threads, a few times a second at most.

use crate::clock::Instant;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::progress::Progress;

/// Milliseconds between two reports.
const PAUSE: u64 = 200;

/// Counts completed work and reports it at intervals.
pub(crate) struct Meter<'a> {
    progress: &'a dyn Progress,
    start: Instant,
    done: AtomicU64,
    /// The time of the next report, in milliseconds from the start.
    due: AtomicU64,
}

impl<'a> Meter<'a> {
    pub(crate) fn begin(progress: &'a dyn Progress, what: &str, total: u64) -> Meter<'a> {
        progress.begin(what, total);
        Meter::new(progress)
    }

    /// Begins a phase whose units are bytes.
    pub(crate) fn begin_bytes(progress: &'a dyn Progress, what: &str, total: u64) -> Meter<'a> {
        progress.begin_bytes(what, total);
        Meter::new(progress)
    }

    fn new(progress: &'a dyn Progress) -> Meter<'a> {
        Meter { progress, start: Instant::now(), done: AtomicU64::new(0), due: AtomicU64::new(PAUSE) }
    }

    /// Counts `more` units. Reports if this is the first call of any thread after the due time.
    pub(crate) fn add(&self, more: u64) {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        let now = self.start.elapsed().as_millis() as u64;
        let due = self.due.load(Ordering::Relaxed);
        let is_mine = now >= due
            && self.due.compare_exchange(due, now + PAUSE, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        if is_mine {
            self.progress.update(done);
        }
    }

    pub(crate) fn detail(&self, line: &str) {
        self.progress.detail(line);
    }
}
