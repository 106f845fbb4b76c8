//! Checks that a report on disk is what this program would write, apart from its figures.
//!
//! The Markdown and the page are rendered again from the JSON and compared byte by byte; the JSON's
//! jobs and cells are compared with the jobs and fixtures of this program.

use super::Report;
use crate::cell::{Cell, Status};
use crate::fixture::Fixture;
use crate::job::{Job, Value};
use std::fs;
use std::path::Path;

/// All faults of the report in `dir`.
pub fn drift(dir: &Path, jobs: &[Job], fixtures: &[Fixture]) -> Vec<String> {
    let read = |name: &str| fs::read_to_string(dir.join(name)).map_err(|error| format!("{name}: {error}"));
    let json = match read("report.json") {
        Ok(json) => json,
        Err(problem) => return vec![problem],
    };
    let report: Report = match serde_json::from_str(&json) {
        Ok(report) => report,
        Err(error) => return vec![format!("report.json: {error}")],
    };
    let mut problems = Vec::new();
    for (name, text) in report.files() {
        match read(name) {
            Ok(there) if there == text => {}
            Ok(_) => problems.push(format!("{name} is not what report.json renders to")),
            Err(problem) => problems.push(problem),
        }
    }
    lines(&report, jobs, &mut problems);
    cells(&report, jobs, fixtures, &mut problems);
    problems
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
        if (line.tier, &line.title, line.seed) != (job.tier, &job.title, job.seed) {
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
        return cell.status == Status::NotRun && cell.printed == fixture.map(|fixture| fixture.value);
    };
    let value = Value { key: cell.key.clone(), number: ours, note: String::new() };
    let again = Cell::computed(cell.paper, &cell.job, &value, fixture);
    (again.status, again.printed, again.rule, again.source)
        == (cell.status, cell.printed, cell.rule, cell.source.clone())
}
