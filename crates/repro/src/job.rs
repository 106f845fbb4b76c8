//! A job: a piece of work that computes figures, with a stated cost.

use crate::fixture::Key;
use crate::number::Number;
use crate::paper::{Paper, Tier};
use crate::tables::ProgramTable;
use puzzle_cli::format::{format_bytes, format_duration};
use search_core::record::Iteration;
use search_core::table::{Store, TableError};
use search_core::{Cancelled, Run};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

/// The function of a job.
pub type Work = Box<dyn Fn(&Context<'_>) -> Result<Outcome, Stopped> + Send + Sync>;

/// The function of a job, from any function.
pub fn work(run: impl Fn(&Context<'_>) -> Result<Outcome, Stopped> + Send + Sync + 'static) -> Work {
    Box::new(run)
}

/// A piece of work.
pub struct Job {
    /// Its name: `cube/heuristics`.
    pub id: String,
    /// The paper that it reproduces.
    pub paper: Paper,
    /// The first tier that runs it.
    pub tier: Tier,
    /// A description in one line.
    pub title: String,
    /// Its cost.
    pub cost: Cost,
    /// The tables that it reads.
    pub tables: Vec<ProgramTable>,
    /// The figures that it must yield.
    pub cells: Vec<Key>,
    /// Its random seed, if it has one.
    pub seed: Option<u64>,
    /// The version of its figures. Stored results, unfinished work and records of other versions are out of date.
    pub version: u32,
    /// The work.
    pub run: Work,
}

impl Job {
    /// The name and the version, by which unfinished work of this job is recognised.
    pub fn identity(&self) -> String {
        format!("{} version {}", self.id, self.version)
    }

    /// The command that runs it alone.
    pub fn command(&self, threads: usize) -> String {
        format!("cargo xtask repro-paper --job {} --threads {threads}", self.id)
    }
}

/// The cost of a job, without building its tables, on the reference machine: 2 cores of 2.5 GHz.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Bytes of memory, tables included.
    pub memory: u64,
    /// Bytes of files in the work directory.
    pub disk: u64,
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = format_duration(Duration::from_secs_f64(self.seconds.max(1.0).round()));
        write!(f, "about {time}, {} of memory", format_bytes(self.memory))?;
        if self.disk > 0 {
            write!(f, ", {} of disk", format_bytes(self.disk))?;
        }
        Ok(())
    }
}

/// The resources that a job is given.
#[derive(Clone)]
pub struct Context<'a> {
    /// The tables.
    pub store: &'a Store,
    /// A folder for the job's own files, which is kept when a stopped job is run again.
    pub work_dir: PathBuf,
    /// The [identity](Job::identity) of the job, which its files name.
    pub identity: String,
    /// Progress, cancellation, threads and memory.
    pub run: &'a Run<'a>,
    /// The complete iterations of the job's first search, once it has ended.
    pub first: &'a OnceLock<Vec<BoundCount>>,
}

impl Context<'_> {
    /// Notes the complete iterations of a search, if it is the job's first.
    pub fn note_iterations(&self, iterations: &[Iteration]) {
        let complete = iterations.iter().filter(|iteration| iteration.complete);
        let counts = complete.map(|iteration| (iteration.bound, iteration.generated)).collect();
        // Only the first search is noted.
        let _ = self.first.set(counts);
    }
}

/// The bound of a complete iteration, and the nodes that it generated.
pub type BoundCount = (u32, u64);

/// The result of a job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The promised figures, and others.
    pub values: Vec<Value>,
    /// Points for plots.
    pub curves: Vec<Curve>,
    /// The complete iterations of the first search, by which [`crate::recheck`] compares a long job with its record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub iterations: Vec<BoundCount>,
}

/// One figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// Its name.
    #[serde(flatten)]
    pub key: Key,
    /// Its value.
    pub number: Number,
    /// A remark on how it was computed; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Whether it depends on a measured time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub timed: bool,
    /// Whether it counts nodes of an iteration that ended at its first solution: the number
    /// depends on the thread that finds one first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub raced: bool,
}

/// The remark on figures that depend on the order in which threads finish.
const RACED: &str = "varies a little: the search ends at the first solution that a thread finds";

/// The points of one curve of a plot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// The plot.
    pub plot: String,
    /// The name of the points.
    pub name: String,
    /// `(x, y)`, in the order in which a line joins them.
    pub points: Vec<(f64, f64)>,
    /// Whether they depend on measured times.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub timed: bool,
}

impl Outcome {
    /// Adds a figure.
    pub fn put(&mut self, table: &str, row: impl fmt::Display, column: &str, number: impl Into<Number>) {
        self.note(table, row, column, number, "");
    }

    /// Adds a figure with a remark.
    pub fn note(
        &mut self,
        table: &str,
        row: impl fmt::Display,
        column: &str,
        number: impl Into<Number>,
        note: impl Into<String>,
    ) {
        self.add(Key::new(table, row, column), number, note);
    }

    /// Adds a figure that depends on which thread finds a solution first, with a remark, to
    /// which is added that it varies.
    pub fn raced(
        &mut self,
        table: &str,
        row: impl fmt::Display,
        column: &str,
        number: impl Into<Number>,
        note: impl Into<String>,
    ) {
        let remarks = [note.into(), RACED.to_owned()].into_iter().filter(|remark| !remark.is_empty());
        let note = remarks.collect::<Vec<_>>().join("; ");
        self.add(Key::new(table, row, column), number, note).raced = true;
    }

    /// Adds a time, or a figure that depends on one, with a remark.
    pub fn timed(
        &mut self,
        table: &str,
        row: impl fmt::Display,
        column: &str,
        number: impl Into<Number>,
        note: impl Into<String>,
    ) {
        self.add(Key::new(table, row, column), number, note).timed = true;
    }

    fn add(&mut self, key: Key, number: impl Into<Number>, note: impl Into<String>) -> &mut Value {
        let (number, note) = (number.into(), note.into());
        self.values.push(Value { key, number, note, timed: false, raced: false });
        self.values.last_mut().expect("a figure was added")
    }

    /// Whether a figure depends on a measured time.
    pub fn is_timed(&self) -> bool {
        self.values.iter().any(|value| value.timed)
    }

    /// Adds points to a plot.
    pub fn curve(&mut self, plot: &str, name: impl Into<String>, points: Vec<(f64, f64)>) {
        self.curves.push(Curve { plot: plot.to_owned(), name: name.into(), points, timed: false });
    }

    /// Adds points that depend on measured times to a plot.
    pub fn timed_curve(&mut self, plot: &str, name: impl Into<String>, points: Vec<(f64, f64)>) {
        self.curves.push(Curve { plot: plot.to_owned(), name: name.into(), points, timed: true });
    }
}

/// The reason why a job did not finish.
#[derive(Debug, thiserror::Error)]
pub enum Stopped {
    /// It was cancelled: the whole run ends, and can be resumed.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Its figures are not available; the others are not affected.
    #[error("{0}")]
    Failed(String),
}

impl From<TableError> for Stopped {
    fn from(error: TableError) -> Stopped {
        if matches!(error.problem, search_core::table::FileError::Cancelled(_)) {
            return Stopped::Cancelled(Cancelled);
        }
        Stopped::Failed(error.to_string())
    }
}

impl From<slidetile::SolverError> for Stopped {
    fn from(error: slidetile::SolverError) -> Stopped {
        match error {
            slidetile::SolverError::Table(error) => error.into(),
            error => Stopped::Failed(error.to_string()),
        }
    }
}

impl From<cube::SolverError> for Stopped {
    fn from(error: cube::SolverError) -> Stopped {
        match error {
            cube::SolverError::Table(error) => error.into(),
            cube::SolverError::Cancelled(cancelled) => cancelled.into(),
            error => Stopped::Failed(error.to_string()),
        }
    }
}

impl From<hanoi4::error::SearchError> for Stopped {
    fn from(error: hanoi4::error::SearchError) -> Stopped {
        match error {
            hanoi4::error::SearchError::Cancelled(cancelled) => cancelled.into(),
            error => Stopped::Failed(error.to_string()),
        }
    }
}
