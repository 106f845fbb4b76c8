//! Checks that a report on disk is the one that this program would write, apart from its figures.
//!
//! The Markdown and the page are rendered again from the JSON and compared byte by byte; the JSON's
//! jobs and cells are compared with the jobs and fixtures of this program, and with the recorded
//! results. Figures that were computed for the report can be computed again and compared, too.

use super::Report;
use super::recorded::Records;
use crate::cell::{Cell, Status};
use crate::engine::{RunResult, State};
use crate::fixture::Fixture;
use crate::job::{Job, Value};
use std::fs;
use std::path::Path;

/// All faults of the report in `dir`.
pub fn drift(dir: &Path, jobs: &[Job], fixtures: &[Fixture], records: &Records) -> Vec<String> {
    let report = match read(dir) {
        Ok(report) => report,
        Err(problem) => return vec![problem],
    };
    let mut problems = Vec::new();
    for (name, text) in report.files() {
        match text_of(dir, name) {
            Ok(there) if there == text => {}
            Ok(_) => problems.push(format!("{name} is not what report.json renders to")),
            Err(problem) => problems.push(problem),
        }
    }
    lines(&report, jobs, &mut problems);
    cells(&report, jobs, fixtures, &mut problems);
    problems.extend(records.drift(&report, jobs, fixtures));
    problems
}

/// The figures of the report in `dir` that differ when computed again. Measured times and counts that threads race for
/// are not compared.
pub fn recomputed(dir: &Path, jobs: &[Job], ran: &RunResult) -> Vec<String> {
    let report = match read(dir) {
        Ok(report) => report,
        Err(problem) => return vec![problem],
    };
    let mut problems = Vec::new();
    for (job, state) in jobs.iter().zip(&ran.states) {
        let State::Done(kept) = state else { continue };
        let is_published = report.job(&job.id).is_some_and(|line| line.origin.is_some() && !line.recorded);
        for value in kept.outcome.values.iter().filter(|value| is_published && !value.timed && !value.raced) {
            let cell = report.cells.iter().find(|cell| cell.job == job.id && cell.key == value.key);
            let now = value.number;
            match cell.and_then(|cell| cell.ours) {
                None => problems.push(format!("{} of job {} is new: {now}", value.key, job.id)),
                Some(then) if now.is_near(then) => {}
                Some(then) => problems.push(format!("{} of job {}: {then}, now {now}", value.key, job.id)),
            }
        }
    }
    problems
}

fn text_of(dir: &Path, name: &str) -> Result<String, String> {
    fs::read_to_string(dir.join(name)).map_err(|error| format!("{name}: {error}"))
}

fn read(dir: &Path) -> Result<Report, String> {
    serde_json::from_str(&text_of(dir, "report.json")?).map_err(|error| format!("report.json: {error}"))
}

fn lines(report: &Report, jobs: &[Job], problems: &mut Vec<String>) {
    let known: Vec<&str> = report.jobs.iter().map(|line| &line.id[..]).collect();
    let now: Vec<&str> = jobs.iter().map(|job| &job.id[..]).collect();
    for id in now.iter().filter(|id| !known.contains(id)) {
        problems.push(format!("job {id} is missing"));
    }
    for id in known.iter().filter(|id| !now.contains(id)) {
        problems.push(format!("job {id} no longer exists"));
    }
    for job in jobs {
        let Some(line) = report.jobs.iter().find(|line| line.id == job.id) else { continue };
        // Stated costs are estimates and may change without running the job again.
        if (line.tier, &line.title, line.seed, line.version) != (job.tier, &job.title, job.seed, job.version)
        {
            problems.push(format!("the description of job {} has changed", job.id));
        }
    }
}

fn cells(report: &Report, jobs: &[Job], fixtures: &[Fixture], problems: &mut Vec<String>) {
    for job in jobs {
        for key in &job.cells {
            let cell = report.cells.iter().find(|cell| cell.job == job.id && cell.key == *key);
            let fixture = fixtures.iter().find(|f| f.paper == job.paper && f.key == *key);
            match cell {
                None => problems.push(format!("job {} has no cell {key}", job.id)),
                Some(cell) if !stands(cell, fixture) => {
                    problems.push(format!("the cell {key} of job {} contradicts its fixture", job.id));
                }
                Some(_) => {}
            }
        }
    }
}

/// Whether a cell follows from its figure and its fixture.
fn stands(cell: &Cell, fixture: Option<&Fixture>) -> bool {
    let Some(ours) = cell.ours else {
        let is_empty = matches!(cell.status, Status::NotRun | Status::NotMeasured);
        return is_empty && cell.printed == fixture.map(|fixture| fixture.value);
    };
    let value =
        Value { key: cell.key.clone(), number: ours, note: String::new(), timed: false, raced: false };
    let again = Cell::computed(cell.paper, &cell.job, &value, fixture);
    (again.status, again.printed, again.rule, again.source)
        == (cell.status, cell.printed, cell.rule, cell.source.clone())
}
