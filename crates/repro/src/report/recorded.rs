//! Recorded results of jobs that take too long to be computed for every report, kept in the repository.
//!
//! In `fixtures/recorded`, each paper's file has a line for each recorded job, sorted by name: its result as
//! it is kept ([`StoredResult`]), with commit, version of the job, day, machine, command, threads, seconds and
//! tables. [`Recorder::add`] replaces the job's line in a file that is written whole, so a kill
//! loses nothing that was recorded. In a report a record stands in for a job that was not run
//! ([`Records::stand_in`]). A record of another version of its job is shown and marked
//! ([`super::JobLine::is_stale`]).

use super::{Report, cells_of, layout};
use crate::cell::Status;
use crate::engine::{RunResult, Selection, State};
use crate::fixture::{Fixture, Key};
use crate::job::Job;
use crate::paper::{Paper, Tier};
use crate::results::{StoredResult, write_whole};
use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of the repository.
pub fn default_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/recorded")
}

/// A fault of a line of a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {problem}")]
pub struct Fault {
    file: String,
    line: usize,
    problem: String,
}

/// A recorded job and its place.
#[derive(Clone, Debug)]
struct Record {
    file: String,
    line: usize,
    kept: StoredResult,
}

impl Record {
    fn fault(&self, problem: impl fmt::Display) -> Fault {
        Fault { file: self.file.clone(), line: self.line, problem: problem.to_string() }
    }
}

/// Recorded jobs, read and found to be of the right form.
#[derive(Clone, Debug, Default)]
pub struct Records {
    records: Vec<Record>,
}

impl Records {
    /// Reads the files in `dir`; a file that does not exist has no records.
    ///
    /// # Errors
    /// Every faulty line.
    pub fn read(dir: &Path) -> Result<Records, Vec<Fault>> {
        let (mut records, mut faults) = (Records::default(), Vec::new());
        for paper in Paper::ALL {
            let path = file(dir, paper);
            let name = path.display().to_string();
            let text = match fs::read_to_string(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => {
                    faults.push(Fault { file: name, line: 1, problem: error.to_string() });
                    continue;
                }
                Ok(text) => text,
            };
            for (line, text) in (1..).zip(text.lines()) {
                let fault = |problem| Fault { file: name.clone(), line, problem };
                match parsed(text, paper) {
                    Err(problem) => faults.push(fault(problem)),
                    Ok(kept) if records.of(&kept.job).is_some() => {
                        faults.push(fault(format!("{} is recorded twice", kept.job)));
                    }
                    Ok(kept) => records.records.push(Record { file: name.clone(), line, kept }),
                }
            }
        }
        if faults.is_empty() { Ok(records) } else { Err(faults) }
    }

    /// The result of a job.
    pub fn of(&self, job: &str) -> Option<&StoredResult> {
        self.records.iter().map(|record| &record.kept).find(|kept| kept.job == job)
    }

    /// Lets records stand in for jobs that were not asked for, or could not be run.
    pub fn stand_in(&self, jobs: &[Job], asked: &Selection, ran: &mut RunResult) {
        for (job, state) in jobs.iter().zip(&mut ran.states) {
            let is_computed = asked.wants(job) && matches!(state, State::Done(_));
            if let Some(kept) = self.of(&job.id).filter(|_| !is_computed) {
                *state = State::Recorded(Box::new(kept.clone()));
            }
        }
    }

    /// The faults of the records that only the jobs and figures of this program reveal: an unknown job or table,
    /// or a figure that differs from the paper's for no known reason.
    pub fn faults(&self, jobs: &[Job], fixtures: &[Fixture]) -> Vec<Fault> {
        let mut faults = Vec::new();
        for record in &self.records {
            let Some(job) = jobs.iter().find(|job| job.id == record.kept.job) else {
                faults.push(record.fault(format_args!("there is no job {}", record.kept.job)));
                continue;
            };
            if job.tier == Tier::Quick {
                faults.push(record.fault(format_args!("{} is computed for every report", job.id)));
            }
            let printed = |key: &Key| fixtures.iter().find(|f| f.paper == job.paper && f.key == *key);
            for cell in cells_of(job, &record.kept, printed) {
                if layout::rank(job.paper, &cell.key.table) == layout::SECTIONS.len() {
                    faults.push(record.fault(format_args!("the report has no table for {}", cell.key)));
                }
                if cell.status == Status::Unexplained {
                    faults.push(record.fault(format_args!("{}: {}", cell.key, cell.note)));
                }
            }
        }
        faults
    }

    /// The differences between a published report and the records.
    pub fn drift(&self, report: &Report, jobs: &[Job], fixtures: &[Fixture]) -> Vec<String> {
        let mut problems = Vec::new();
        for line in report.jobs.iter().filter(|line| line.recorded && self.of(&line.id).is_none()) {
            problems.push(format!("job {} is published as recorded, but has no record", line.id));
        }
        for kept in self.records.iter().map(|record| &record.kept) {
            let job = jobs.iter().find(|job| job.id == kept.job);
            let (Some(job), Some(line)) = (job, report.job(&kept.job)) else { continue };
            // A report of a higher tier has computed it itself.
            if !line.recorded && line.origin.is_some() {
                continue;
            }
            let printed = |key: &Key| fixtures.iter().find(|f| f.paper == job.paper && f.key == *key);
            let cells = cells_of(job, kept, printed);
            let published: Vec<_> = report.cells.iter().filter(|cell| cell.job == job.id).collect();
            let is_there = cells.iter().all(|cell| published.contains(&cell));
            let same = line.origin.as_ref() == Some(&kept.origin);
            if !(same && is_there && cells.len() == published.len()) {
                problems.push(format!("the report does not show the record of job {}", job.id));
            }
        }
        problems
    }
}

/// Writes records to a folder.
#[derive(Clone, Debug)]
pub struct Recorder {
    dir: PathBuf,
}

impl Recorder {
    /// Records to `dir`, which is created if necessary.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn new(dir: &Path) -> io::Result<Recorder> {
        fs::create_dir_all(dir)?;
        Ok(Recorder { dir: dir.to_owned() })
    }

    /// Records the result of a job in place of an older one. Other lines stay as they are.
    ///
    /// # Errors
    /// When the file cannot be read or written, or has a faulty line.
    pub fn add(&self, paper: Paper, kept: &StoredResult) -> io::Result<()> {
        let path = file(&self.dir, paper);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text?,
        };
        let new = serde_json::to_string(kept).map_err(io::Error::other)?;
        parsed(&new, paper).map_err(io::Error::other)?;
        let mut lines = vec![(kept.job.clone(), &new[..])];
        for (number, line) in (1..).zip(text.lines()) {
            let other = parsed(line, paper).map_err(|problem| {
                io::Error::other(Fault { file: path.display().to_string(), line: number, problem })
            })?;
            if other.job != kept.job {
                lines.push((other.job, line));
            }
        }
        lines.sort();
        let text: String = lines.iter().map(|(_, line)| format!("{line}\n")).collect();
        write_whole(&path, text.as_bytes())
    }
}

fn file(dir: &Path, paper: Paper) -> PathBuf {
    dir.join(format!("{paper}.jsonl"))
}

/// A line, read and checked for form and provenance.
fn parsed(line: &str, paper: Paper) -> Result<StoredResult, String> {
    let kept: StoredResult = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let origin = &kept.origin;
    let hex = |text: &str, digits| text.len() == digits && text.bytes().all(|b| b.is_ascii_hexdigit());
    let (mut seen, values) = (BTreeSet::new(), &kept.outcome.values);
    let needed = [
        (kept.has_known_format(), "another format".to_owned()),
        (kept.job.starts_with(&format!("{paper}/")), format!("{} belongs to another paper", kept.job)),
        (hex(&origin.commit, 40), format!("{:?} is not a commit", origin.commit)),
        (!origin.dirty, "computed with uncommitted changes".to_owned()),
        (is_date(&origin.date), format!("{:?} is not a date", origin.date)),
        (!origin.machine.is_empty(), "no machine".to_owned()),
        (origin.command.contains(&format!(" --job {} ", kept.job)), "the command does not run it".to_owned()),
        (origin.threads > 0, "no threads".to_owned()),
        (origin.seconds >= 0.0, "a negative time".to_owned()),
        (origin.version > 0, "no version of the job".to_owned()),
        (kept.tables.iter().all(|table| hex(&table.checksum, 16)), "a table without checksum".to_owned()),
        (!values.is_empty(), "no figures".to_owned()),
        (values.iter().all(|value| seen.insert(&value.key)), "a figure occurs twice".to_owned()),
    ];
    match needed.into_iter().find(|(holds, _)| !holds) {
        Some((_, problem)) => Err(problem),
        None => Ok(kept),
    }
}

/// Whether a text is a date as in `2026-11-24`.
fn is_date(text: &str) -> bool {
    let digits = |part: &str, length| part.len() == length && part.bytes().all(|b| b.is_ascii_digit());
    let parts: Vec<&str> = text.split('-').collect();
    matches!(parts[..], [year, month, day] if digits(year, 4) && digits(month, 2) && digits(day, 2))
}
