//! Runs the requested jobs, cheapest tier first, and stores each result.
//!
//! Invariant: at any moment the result of a job is either stored completely or not at all, so a run
//! that was killed can be resumed and gives the same report. The time of a job is that of all runs that
//! worked on it. A job that cannot be run (too little memory or disk, a table that is not available) is
//! skipped with a reason; the others still run.

use crate::job::{Context, Job, Stopped};
use crate::paper::{Paper, Tier};
use crate::results::{Origin, ResultStore, StoredResult, has_steps};
use crate::resume::Stopwatch;
use crate::tables::ProgramTable;
use puzzle_cli::format::{format_bytes, format_duration};
use search_core::Run;
use search_core::record::TableUse;
use search_core::storage::available_space;
use search_core::table::Store;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

/// The requested jobs; stored so that a run can be resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Selection {
    /// The papers of the report.
    pub papers: Vec<Paper>,
    /// The last tier that is run.
    pub tier: Tier,
    /// These jobs alone, of any tier; if empty, those of the tier.
    #[serde(default)]
    pub jobs: Vec<String>,
    /// Leaves out jobs of the quick tier, which every report computes again and which are not recorded.
    #[serde(default)]
    pub record: bool,
}

impl Selection {
    /// All jobs of these papers up to a tier.
    pub fn new(papers: &[Paper], tier: Tier) -> Selection {
        Selection { papers: papers.to_vec(), tier, jobs: Vec::new(), record: false }
    }

    /// Whether a job is requested.
    pub fn wants(&self, job: &Job) -> bool {
        if self.record && job.tier == Tier::Quick {
            return false;
        }
        if !self.jobs.is_empty() {
            return self.jobs.contains(&job.id);
        }
        job.tier <= self.tier && self.papers.contains(&job.paper)
    }
}

/// The jobs to run, and the means to run them.
pub struct Request<'a> {
    /// The jobs.
    pub asked: &'a Selection,
    /// The folder of results and work files.
    pub out: &'a Path,
    /// The tables.
    pub store: &'a Store,
    /// The program, the machine and the day.
    pub origin: &'a Origin,
    /// Receives each requested result as soon as it exists.
    pub finished: &'a dyn Fn(&StoredResult) -> io::Result<()>,
    /// Receives remarks about each job.
    pub tell: &'a dyn Fn(&str),
    /// Progress, cancellation, threads and memory.
    pub run: &'a Run<'a>,
}

/// The state of a job after the run.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// It has a result of this program.
    Done(Box<StoredResult>),
    /// It has a result that was recorded earlier, perhaps by another version of the job.
    Recorded(Box<StoredResult>),
    /// It has no result; the text states its cost or why it could not run.
    NotRun(String),
}

/// The result of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    /// Each job's state, in the order of the jobs.
    pub states: Vec<State>,
    /// Whether it was cancelled.
    pub interrupted: bool,
}

/// Runs the jobs that the request selects.
///
/// # Errors
/// When a result cannot be stored, here or where the request wants it.
pub fn run(jobs: &[Job], request: &Request<'_>) -> io::Result<RunResult> {
    let keeper = ResultStore::new(request.out)?;
    let mut states: Vec<State> = jobs.iter().map(|job| at_first(job, request, &keeper)).collect();
    for (_, state) in jobs.iter().zip(&states).filter(|(job, _)| request.asked.wants(job)) {
        if let State::Done(kept) = state {
            (request.finished)(kept)?;
        }
    }
    let mut order: Vec<usize> =
        (0..jobs.len()).filter(|&at| is_due(&jobs[at], &states[at], request)).collect();
    order.sort_by(|&a, &b| {
        let key = |at: usize| (jobs[at].tier, jobs[at].cost.seconds);
        key(a).partial_cmp(&key(b)).expect("costs are numbers")
    });
    for (number, &at) in order.iter().enumerate() {
        let job = &jobs[at];
        (request.tell)(&format!("[{}/{}] {}: {} ({})", number + 1, order.len(), job.id, job.title, job.cost));
        match execute(job, request, &keeper) {
            Ok(kept) => {
                (request.finished)(&kept)?;
                let time = format_duration(Duration::from_secs_f64(kept.origin.seconds));
                (request.tell)(&format!("      done in {time}"));
                states[at] = State::Done(Box::new(kept));
            }
            Err(Problem::Keep(error)) => return Err(error),
            Err(Problem::Stopped(Stopped::Cancelled(_))) => {
                return Ok(RunResult { states, interrupted: true });
            }
            Err(Problem::Stopped(Stopped::Failed(reason))) => {
                (request.tell)(&format!("      not run: {reason}"));
                states[at] = State::NotRun(reason);
            }
        }
    }
    Ok(RunResult { states, interrupted: false })
}

/// The state of a job before the run: its stored result, or what it would cost.
fn at_first(job: &Job, request: &Request<'_>, keeper: &ResultStore) -> State {
    if let Some(kept) = keeper.load(&job.id) {
        match kept.is_stale(job, |name| checksum(request.store, name)) {
            None => return State::Done(Box::new(kept)),
            Some(reason) if request.asked.wants(job) => {
                (request.tell)(&format!("{} runs again: {reason}", job.id));
            }
            Some(reason) => {
                return State::NotRun(format!("{}; its stored result is out of date: {reason}", takes(job)));
            }
        }
    }
    State::NotRun(takes(job))
}

/// The tier and the cost of a job that was not selected.
pub fn takes(job: &Job) -> String {
    format!("--tier {}: {}", job.tier, job.cost)
}

fn is_due(job: &Job, state: &State, request: &Request<'_>) -> bool {
    request.asked.wants(job) && matches!(state, State::NotRun(_))
}

/// The checksum of a table, if it exists.
pub fn checksum(store: &Store, name: &str) -> Option<String> {
    let (_, header) = search_core::table::file::open(&store.path(name)).ok()?;
    Some(header.checksum())
}

enum Problem {
    Stopped(Stopped),
    Keep(io::Error),
}

impl From<Stopped> for Problem {
    fn from(stopped: Stopped) -> Problem {
        Problem::Stopped(stopped)
    }
}

fn execute(job: &Job, request: &Request<'_>, keeper: &ResultStore) -> Result<StoredResult, Problem> {
    has_room(job, request)?;
    let work_dir = work_dir(job, request.out);
    // Otherwise the first search of this run would not be the job's first.
    let from_start = !has_steps(&work_dir);
    let first = OnceLock::new();
    let context =
        Context { store: request.store, work_dir, identity: job.identity(), run: request.run, first: &first };
    let ensure = |table: &ProgramTable| Ok(request.store.get(&*table.recipe, request.run)?.used());
    let tables = job.tables.iter().map(ensure).collect::<Result<Vec<TableUse>, Stopped>>()?;
    let watch = Stopwatch::begin(&context.work_dir, &context.identity);
    let mut outcome = watch.measure(|| (job.run)(&context))?;
    outcome.iterations = first.get().filter(|_| from_start).cloned().unwrap_or_default();
    let seconds = thousandths(watch.spent().seconds);
    if outcome.is_timed() {
        watch.wait();
    }
    let others = watch.spent().others.map(thousandths);
    for key in &job.cells {
        assert!(outcome.values.iter().any(|value| value.key == *key), "{} yields {key}, as promised", job.id);
    }
    let threads = request.run.threads();
    let command = job.command(threads);
    let origin = Origin { version: job.version, command, threads, seconds, others, ..request.origin.clone() };
    let kept = StoredResult::new(job, tables, origin, outcome);
    keeper.store(&kept).map_err(Problem::Keep)?;
    // The work files are no longer needed.
    let _ = std::fs::remove_dir_all(&context.work_dir);
    Ok(kept)
}

/// The folder of a job's own files.
fn work_dir(job: &Job, out: &Path) -> PathBuf {
    out.join("work").join(job.id.replace('/', "-"))
}

/// Discards the kept result of a job and the files of a run that was stopped.
pub fn discard(job: &Job, out: &Path) {
    if let Ok(keeper) = ResultStore::new(out) {
        keeper.discard(&job.id);
    }
    let _ = std::fs::remove_dir_all(work_dir(job, out));
}

/// Rounded, so that it has few digits and survives writing and reading unchanged.
fn thousandths(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

/// Checks the budget before work starts.
fn has_room(job: &Job, request: &Request<'_>) -> Result<(), Stopped> {
    let short = |what: &str, needed: u64, there: u64| {
        Err(Stopped::Failed(format!(
            "it needs {} of {what}, and there are {}",
            format_bytes(needed),
            format_bytes(there)
        )))
    };
    if job.cost.memory > request.run.memory() {
        return short("memory", job.cost.memory, request.run.memory());
    }
    let free = available_space(request.out).unwrap_or(0);
    if job.cost.disk > free {
        return short("disk", job.cost.disk, free);
    }
    Ok(())
}
