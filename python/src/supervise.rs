//! Work without the interpreter's lock, its progress and its interruption.
//!
//! The work has a thread of its own. The calling thread waits for it, and a few dozen times a second
//! takes the lock to run Python's signal handlers and to report progress. When a handler or the callback
//! raises (Ctrl-C raises `KeyboardInterrupt`), the work is cancelled, which takes effect within a tenth of
//! a second; what it has proved by then is returned beside the exception.

use pyo3::prelude::*;
use search_core::{Cancel, Progress, Run};
use std::mem;
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The longest time between two checks for a signal.
const POLL: Duration = Duration::from_millis(20);
/// Progress is reported at every so many polls.
const POLLS_PER_REPORT: u32 = 5;

/// A report for the callback: its kind, a text, a number.
type Report = (&'static str, String, u64);

/// Reports that are not delivered yet, oldest first; of successive updates only the last.
#[derive(Default)]
struct Reports(Mutex<Vec<Report>>);

impl Reports {
    fn waiting(&self) -> MutexGuard<'_, Vec<Report>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, kind: &'static str, text: &str, number: u64) {
        self.waiting().push((kind, text.to_owned(), number));
    }

    /// Tells the callback what is waiting.
    fn tell(&self, callback: &Bound<'_, PyAny>) -> PyResult<()> {
        let reports = mem::take(&mut *self.waiting());
        reports.into_iter().try_for_each(|report| callback.call1(report).map(|_| ()))
    }
}

impl Progress for Reports {
    fn begin(&self, what: &str, total: u64) {
        self.push("begin", what, total);
    }

    fn update(&self, done: u64) {
        let mut waiting = self.waiting();
        match waiting.last_mut() {
            Some((kind, _, number)) if *kind == "update" => *number = done,
            _ => waiting.push(("update", String::new(), done)),
        }
    }

    fn note(&self, line: &str) {
        self.push("note", line, 0);
    }

    fn remark(&self, line: &str) {
        self.push("remark", line, 0);
    }

    fn end(&self) {
        self.push("end", "", 0);
    }
}

/// Does `work` with a run like `run` that can be cancelled and that reports to `callback`. Returns its
/// result, and the exception that cancelled it, if any.
///
/// # Panics
/// If the work does.
pub fn supervise<T: Send>(
    py: Python<'_>,
    run: &Run<'_>,
    callback: Option<Py<PyAny>>,
    work: impl FnOnce(&Run<'_>) -> T + Send,
) -> (T, Option<PyErr>) {
    supervise_until(py, run, &Cancel::new(), callback, work)
}

/// As [`supervise()`], with a `cancel` through which others can cancel the work too.
///
/// # Panics
/// If the work does.
pub fn supervise_until<T: Send>(
    py: Python<'_>,
    run: &Run<'_>,
    cancel: &Cancel,
    callback: Option<Py<PyAny>>,
    work: impl FnOnce(&Run<'_>) -> T + Send,
) -> (T, Option<PyErr>) {
    let reports = Reports::default();
    let run = run.with_cancel(cancel);
    // Takes the lock for the callback and the signal handlers.
    let look = |told: bool| {
        Python::attach(|py| {
            py.check_signals()?;
            callback.as_ref().filter(|_| told).map_or(Ok(()), |callback| reports.tell(callback.bind(py)))
        })
    };
    py.detach(|| {
        thread::scope(|scope| {
            let (over, watch) = sync_channel::<()>(0);
            let (run, reports, wants_reports) = (&run, &reports, callback.is_some());
            let worker = scope.spawn(move || {
                // Dropped when the work ends, also by a panic.
                let _over = over;
                if wants_reports { work(&run.with_progress(reports)) } else { work(run) }
            });
            let (mut stop, mut polls) = (None, 0);
            while watch.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
                polls += 1;
                if stop.is_none()
                    && let Err(error) = look(polls % POLLS_PER_REPORT == 0)
                {
                    cancel.cancel();
                    stop = Some(error);
                }
            }
            let result = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            let stop = stop.or_else(|| look(true).err());
            (result, stop)
        })
    })
}

/// As [`supervise()`], for work that has no use once it is interrupted.
///
/// # Errors
/// The exception that cancelled it.
pub fn supervise_whole<T: Send>(
    py: Python<'_>,
    run: &Run<'_>,
    callback: Option<Py<PyAny>>,
    work: impl FnOnce(&Run<'_>) -> T + Send,
) -> PyResult<T> {
    match supervise(py, run, callback, work) {
        (_, Some(stop)) => Err(stop),
        (result, None) => Ok(result),
    }
}
