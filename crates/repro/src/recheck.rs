//! Compares recorded results with this program, by running each recorded job again for a few seconds.
//!
//! A job that ends in this time must yield the recorded figures. A longer one is stopped, and the iterations that its
//! first search completed until then must have generated the recorded numbers of nodes, which depend neither on the
//! machine nor on the number of threads. Measured times and counts that threads race for are not compared.

use crate::engine::checksum;
use crate::job::{BoundCount, Context, Job, Outcome, Stopped};
use crate::results::StoredResult;
use search_core::table::Store;
use search_core::{Cancel, Cancelled, Run};
use std::io;
use std::sync::OnceLock;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The time between checks whether the program is interrupted.
const PAUSE: Duration = Duration::from_millis(50);

/// The comparison of a job with its record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// The number of figures and iterations that were compared.
    pub compared: usize,
    /// The differences, in words.
    pub differences: Vec<String>,
}

/// Whether [`compare`] can compare a job with its record within `limit`: the record is of the same version and tables,
/// all of which exist, and has iterations or took less time.
pub fn is_comparable(
    job: &Job,
    record: &StoredResult,
    store: &Store,
    run: &Run<'_>,
    limit: Duration,
) -> bool {
    let checksum = |name: &str| checksum(store, name);
    let is_fast = record.origin.seconds < limit.as_secs_f64();
    let has_table = |table: &crate::tables::ProgramTable| checksum(&table.recipe.name()).is_some();
    record.is_stale(job, checksum).is_none()
        && job.tables.iter().all(has_table)
        && job.cost.memory <= run.memory()
        && (is_fast || !record.outcome.iterations.is_empty())
}

/// Runs a job for at most `limit`, and compares its result so far with its record.
///
/// # Errors
/// An interruption, or a folder for the job's files that cannot be made.
pub fn compare(
    job: &Job,
    record: &StoredResult,
    store: &Store,
    run: &Run<'_>,
    limit: Duration,
) -> Result<Comparison, Problem> {
    let (first, found) = begin(job, store, run, limit)?;
    let mut comparison = Comparison::default();
    let mut is_equal = |what: &dyn Fn() -> String, equal: bool| {
        comparison.compared += 1;
        if !equal {
            comparison.differences.push(format!("{}: {}", job.id, what()));
        }
    };
    for (bound, now) in first {
        let then = record.outcome.iterations.iter().find(|(of, _)| *of == bound);
        if let Some(&(_, then)) = then {
            is_equal(&|| format!("{then} nodes with bound {bound}, now {now}"), then == now);
        }
    }
    let then = |key| record.outcome.values.iter().find(|value| value.key == key);
    for value in found.iter().flat_map(|outcome| &outcome.values).filter(|value| !value.timed && !value.raced)
    {
        match then(value.key.clone()) {
            Some(then) => is_equal(
                &|| format!("{}: {}, now {}", value.key, then.number, value.number),
                then.number.is_near(value.number),
            ),
            None => is_equal(&|| format!("{} is new", value.key), false),
        }
    }
    Ok(comparison)
}

/// The reason why jobs could not be compared with their records.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The program was interrupted.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A file of the job cannot be written.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The job failed.
    #[error("{0}")]
    Failed(String),
}

/// The first iterations of a job, and its outcome if it ended within `limit`.
fn begin(
    job: &Job,
    store: &Store,
    run: &Run<'_>,
    limit: Duration,
) -> Result<(Vec<BoundCount>, Option<Outcome>), Problem> {
    let folder = tempfile::tempdir()?;
    let (cancel, first) = (Cancel::new(), OnceLock::new());
    let limited = run.with_cancel(&cancel);
    let context = Context {
        store,
        work_dir: folder.path().to_owned(),
        identity: job.identity(),
        run: &limited,
        first: &first,
    };
    let result = thread::scope(|scope| {
        let (_until, over) = mpsc::channel::<()>();
        let (cancel, start) = (&cancel, Instant::now());
        scope.spawn(move || {
            while over.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                if start.elapsed() >= limit || run.is_cancelled() {
                    cancel.cancel();
                }
            }
        });
        (job.run)(&context)
    });
    run.check()?;
    let outcome = match result {
        Ok(outcome) => Some(outcome),
        Err(Stopped::Cancelled(_)) => None,
        Err(Stopped::Failed(reason)) => return Err(Problem::Failed(format!("{}: {reason}", job.id))),
    };
    Ok((first.into_inner().unwrap_or_default(), outcome))
}
