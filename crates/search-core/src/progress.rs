//! Progress reports and cancellation.
//!
//! Long work takes a [`Run`](crate::run::Run), which holds both. It reports at most a few times a second and checks for
//! cancellation often enough to stop within a tenth of a second; cancelled work returns [`Cancelled`] and leaves
//! nothing incomplete behind.
//!
//! ```
//! use search_core::{Cancel, Run};
//!
//! let cancel = Cancel::new();
//! let run = Run::new().with_cancel(&cancel);
//! assert!(run.check().is_ok());
//! cancel.cancel();
//! assert!(run.check().is_err());
//! ```

use crate::clock::Instant;
use crate::record::Iteration;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Receives reports of long work. All methods have empty defaults; reports come from any thread.
pub trait Progress: Sync {
    /// Begins a phase. `what` describes it for people; `total` is its number of units of work, or 0 if unknown.
    fn begin(&self, what: &str, total: u64) {
        let _ = (what, total);
    }
    /// Begins a phase of `total` bytes. By default it is reported like any phase.
    fn begin_bytes(&self, what: &str, total: u64) {
        self.begin(what, total);
    }
    /// Reports that `done` units of the current phase are finished in total.
    fn update(&self, done: u64) {
        let _ = done;
    }
    /// Reports that a search generated `more` nodes on the calling thread. Called every few thousand nodes, so it must
    /// be quick; the nodes generated after the last call of a search are not reported.
    fn nodes(&self, more: u64) {
        let _ = more;
    }
    /// Begins a bound of an iterative search. By default it is reported like a phase whose units are subtrees.
    fn begin_bound(&self, bound: &BoundAhead) {
        self.begin(&format!("bound {}", bound.bound), bound.subtrees);
    }
    /// Ends a bound. By default it is reported as a note.
    fn end_bound(&self, over: &BoundOver<'_>) {
        let Iteration { bound, generated, seconds, complete, .. } = over.iteration;
        let cut_short = if *complete { "" } else { ", cut short" };
        self.note(&format!("bound {bound}: {generated} nodes in {seconds:.2} s{cut_short}"));
    }
    /// Reports a line to show within the phase (a layer, an iteration).
    fn note(&self, line: &str) {
        let _ = line;
    }
    /// Reports a line for experts, such as the size of a layer of a table, shown only if details are requested.
    fn detail(&self, line: &str) {
        let _ = line;
    }
    /// Reports a line to show the user even if no progress is shown.
    fn remark(&self, line: &str) {
        let _ = line;
    }
    /// Ends the current phase.
    fn end(&self) {}
}

/// The number of nodes that the bounds of a search will probably generate, where the last two bounds show how it grows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Expected {
    /// Of the next bound.
    pub next: Option<f64>,
    /// Of all bounds up to the greatest one, if the search has a greatest one.
    pub all: Option<f64>,
}

/// A bound that begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundAhead {
    /// The bound.
    pub bound: u32,
    /// The length of the best known solution.
    pub upper_bound: Option<u32>,
    /// The number of subtrees into which it is divided.
    pub subtrees: u64,
    /// Estimates for this bound and those that follow.
    pub expected: Expected,
}

/// A bound that is over.
#[derive(Clone, Copy, Debug)]
pub struct BoundOver<'a> {
    /// Its counts.
    pub iteration: &'a Iteration,
    /// Whether it is proved that no solution has this length.
    pub is_ruled_out: bool,
    /// Estimates for the bounds that follow.
    pub expected: Expected,
}

/// Reports nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {}

/// Forwards progress; phases and lines begin with a prefix.
pub struct Prefixed<'a> {
    prefix: &'a str,
    progress: &'a dyn Progress,
}

impl<'a> Prefixed<'a> {
    /// Phases and lines begin with `prefix` and a colon.
    pub fn new(prefix: &'a str, progress: &'a dyn Progress) -> Prefixed<'a> {
        Prefixed { prefix, progress }
    }

    fn full(&self, text: &str) -> String {
        format!("{}: {text}", self.prefix)
    }
}

impl Progress for Prefixed<'_> {
    fn begin(&self, what: &str, total: u64) {
        self.progress.begin(&self.full(what), total);
    }

    fn begin_bytes(&self, what: &str, total: u64) {
        self.progress.begin_bytes(&self.full(what), total);
    }

    fn update(&self, done: u64) {
        self.progress.update(done);
    }

    fn nodes(&self, more: u64) {
        self.progress.nodes(more);
    }

    fn note(&self, line: &str) {
        self.progress.note(&self.full(line));
    }

    fn detail(&self, line: &str) {
        self.progress.detail(&self.full(line));
    }

    fn remark(&self, line: &str) {
        self.progress.remark(&self.full(line));
    }

    fn end(&self) {
        self.progress.end();
    }
}

/// The work was cancelled (by a signal, a time limit or its caller).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// A flag that stops work. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    flag: Arc<AtomicBool>,
    deadline: Option<Instant>,
    /// In tests, the number of questions until the flag is set.
    questions: Option<Arc<AtomicU64>>,
}

impl Cancel {
    /// A flag that is not set.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// A flag that is set when it is asked for the `number`-th time: for tests that stop work at each of its questions.
    pub fn at_question(number: u64) -> Cancel {
        Cancel { questions: Some(Arc::new(AtomicU64::new(number))), ..Cancel::default() }
    }

    /// The same flag with a deadline, after which it counts as set. An earlier deadline is kept.
    #[must_use]
    pub fn with_deadline(&self, deadline: Instant) -> Cancel {
        let deadline = self.deadline.map_or(deadline, |earlier| earlier.min(deadline));
        Cancel { deadline: Some(deadline), ..self.clone() }
    }

    /// Sets the flag for all clones.
    pub fn cancel(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether the flag itself was set (a deadline does not count).
    pub fn is_interrupted(&self) -> bool {
        if let Some(questions) = &self.questions
            && questions.fetch_sub(1, Ordering::Relaxed) == 1
        {
            self.cancel();
        }
        self.flag.load(Ordering::Relaxed)
    }

    /// Whether to stop: the flag is set or the deadline has passed.
    pub fn is_cancelled(&self) -> bool {
        self.is_interrupted() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Returns `Err(Cancelled)` if the work must stop.
    ///
    /// # Errors
    /// [`Cancelled`] when the flag is set or the deadline has passed.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_the_flag_and_deadlines_do_not_set_it() {
        let cancel = Cancel::new();
        let late = cancel.with_deadline(Instant::now());
        assert!(late.is_cancelled() && !late.is_interrupted() && !cancel.is_cancelled());
        cancel.cancel();
        assert_eq!(late.check(), Err(Cancelled));
        assert!(late.is_interrupted());
    }

    #[test]
    fn a_question_sets_the_flag_of_all_clones() {
        let cancel = Cancel::at_question(3);
        let clone = cancel.clone();
        assert!(!cancel.is_cancelled() && !clone.is_interrupted() && cancel.is_cancelled());
        assert!(clone.is_interrupted());
    }
}
