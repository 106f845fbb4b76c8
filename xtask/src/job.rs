//! A job: one piece of work that yields figures, with its cost stated beforehand.

use crate::fixture::Key;
use crate::number::Number;
use crate::paper::{Paper, Tier};
use crate::tables::ProgramTable;
use puzzle_cli::units::{format_bytes, format_duration};
use search_core::table::{Store, TableError};
use search_core::{Cancelled, Run};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// What a job does.
pub type Work = Box<dyn Fn(&Context<'_>) -> Result<Outcome, Stopped> + Send + Sync>;

/// One piece of work.
pub struct Job {
    /// Its name: `cube/heuristics`.
    pub id: String,
    /// The paper that it reproduces.
    pub paper: Paper,
    /// The first tier that runs it.
    pub tier: Tier,
    /// What it does, in a line.
    pub title: String,
    /// What it takes.
    pub cost: Cost,
    /// The tables that it reads.
    pub tables: Vec<ProgramTable>,
    /// The figures that it yields, and may not leave out.
    pub cells: Vec<Key>,
    /// Its random seed, if it has one.
    pub seed: Option<u64>,
    /// The work.
    pub run: Work,
}

/// What a job takes beside its tables, on the reference machine: 2 cores of 2.5 GHz.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Bytes of memory, tables included.
    pub memory: u64,
    /// Bytes of files in the work directory.
    pub disk: u64,
}

impl Cost {
    /// Seconds, of which whole ones are told, and mebibytes of memory.
    pub fn new(seconds: f64, mebibytes: u64) -> Cost {
        Cost { seconds: seconds.round(), memory: mebibytes << 20, disk: 0 }
    }

    /// With gibibytes of disk.
    #[must_use]
    pub fn with_disk(self, gibibytes: u64) -> Cost {
        Cost { disk: gibibytes << 30, ..self }
    }
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

/// What a job works with.
pub struct Context<'a> {
    /// Where tables lie.
    pub store: &'a Store,
    /// Where the job may keep files; what lies there is left for it when it is run again.
    pub work_dir: PathBuf,
    /// How the job runs.
    pub run: &'a Run<'a>,
}

/// What a job found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Figures; those that the job promised, and others.
    pub values: Vec<Value>,
    /// Points for plots.
    pub curves: Vec<Curve>,
}

/// One figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// Its name.
    #[serde(flatten)]
    pub key: Key,
    /// What was computed.
    pub number: Number,
    /// How, if there is something to say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// Points of one plot under one name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// The plot.
    pub plot: String,
    /// What the points are.
    pub name: String,
    /// `(x, y)`, in the order in which a line would join them.
    pub points: Vec<(f64, f64)>,
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
        let key = Key::new(table, row, column);
        self.values.push(Value { key, number: number.into(), note: note.into() });
    }

    /// Adds points to a plot.
    pub fn curve(&mut self, plot: &str, name: impl Into<String>, points: Vec<(f64, f64)>) {
        self.curves.push(Curve { plot: plot.to_owned(), name: name.into(), points });
    }
}

/// Why a job did not finish.
#[derive(Debug, thiserror::Error)]
pub enum Stopped {
    /// It was told to stop: the whole run ends, and can be resumed.
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

impl From<slidetile::solver::SolverError> for Stopped {
    fn from(error: slidetile::solver::SolverError) -> Stopped {
        match error {
            slidetile::solver::SolverError::Table(error) => error.into(),
            error => Stopped::Failed(error.to_string()),
        }
    }
}

impl From<hanoi4::bitmap::search::SearchError> for Stopped {
    fn from(error: hanoi4::bitmap::search::SearchError) -> Stopped {
        match error {
            hanoi4::bitmap::search::SearchError::Cancelled(cancelled) => cancelled.into(),
            error => Stopped::Failed(error.to_string()),
        }
    }
}
