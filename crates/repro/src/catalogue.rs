//! All jobs: their costs, tables and titles from `jobs.csv`, their figures from the fixtures, and their work from the
//! paper's module, by the job's name.

use crate::fixture::{Figures, Fixture};
use crate::job::{Cost, Job, Work};
use crate::paper::{Paper, Tier};
use crate::tables::ProgramTable;
use crate::{cube_jobs, hanoi_jobs, tiles_jobs};
use clap::ValueEnum;
use serde::Deserialize;

/// A row of the file.
#[derive(Deserialize)]
struct JobRow {
    job: String,
    work: String,
    version: u32,
    tier: Tier,
    seconds: f64,
    mebibytes: u64,
    disk_gibibytes: Option<u64>,
    seed: Option<u64>,
    tables: String,
    title: String,
}

/// Every job of every paper, in the order of the report.
///
/// # Panics
/// If a row has no work of this name.
pub fn jobs(fixtures: &[Fixture]) -> Vec<Job> {
    let text = include_str!("jobs.csv");
    let mut rows = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    rows.deserialize().map(|row| job(row.expect("jobs.csv is valid"), fixtures)).collect()
}

fn job(row: JobRow, fixtures: &[Fixture]) -> Job {
    let (paper, name) = row.job.split_once('/').expect("a paper and a name");
    let paper = Paper::from_str(paper, false).expect("a paper");
    let (work, number) = row.work.split_once(' ').unwrap_or((&row.work, "0"));
    let number = number.parse().expect("a number");
    let (tables, run) = of_paper(paper, &row.tables, (work, number), &Figures::new(fixtures, paper));
    let promised = fixtures.iter().filter(|of| of.paper == paper && of.jobs.iter().any(|job| job == name));
    let mut cells: Vec<_> = promised.map(|fixture| fixture.key.clone()).collect();
    if paper == Paper::Hanoi {
        cells.extend(hanoi_jobs::graphs::new_terms(work, fixtures));
    }
    let disk = row.disk_gibibytes.unwrap_or(0) << 30;
    Job {
        paper,
        tier: row.tier,
        title: row.title,
        cost: Cost { seconds: row.seconds, memory: row.mebibytes << 20, disk },
        tables,
        cells,
        seed: row.seed,
        version: row.version,
        run: run.unwrap_or_else(|| panic!("{} has no work {}", row.job, row.work)),
        id: row.job,
    }
}

/// The tables that a job names, and its work.
fn of_paper(
    paper: Paper,
    tables: &str,
    (work, number): (&str, usize),
    figures: &Figures<'_>,
) -> (Vec<ProgramTable>, Option<Work>) {
    match paper {
        Paper::Cube => (cube_jobs::tables(tables), cube_jobs::work(work, number, figures)),
        Paper::Tiles => (tiles_jobs::tables(tables), tiles_jobs::work(work, number, figures)),
        Paper::Hanoi => (hanoi_jobs::tables(tables), hanoi_jobs::work(work, number, figures)),
    }
}
