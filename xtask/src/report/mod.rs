//! The report: computed figures beside printed ones, as JSON, as Markdown and as a page.
//!
//! `report.json` contains the whole [`Report`], and the other two are rendered from it alone. So a
//! check can render them again and compare them byte by byte.

pub mod check;
pub mod layout;
pub mod plots;
pub mod provenance;
pub mod render;

use crate::cell::{Cell, Status};
use crate::engine::{Ran, State};
use crate::fixture::{Fixture, Key};
use crate::job::{Cost, Curve, Job};
use crate::keep::write_whole;
use crate::paper::{Paper, Tier};
use provenance::Provenance;
use search_core::record::TableUse;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// A report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The requested tier.
    pub tier: Tier,
    /// The requested papers.
    pub papers: Vec<Paper>,
    /// The program and the machine that computed it.
    pub provenance: Provenance,
    /// Every job of the papers.
    pub jobs: Vec<JobLine>,
    /// Every cell of the papers.
    pub cells: Vec<Cell>,
    /// The points of the plots.
    pub curves: Vec<PaperCurve>,
}

/// A job in the report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobLine {
    /// Its name.
    pub id: String,
    /// The paper.
    pub paper: Paper,
    /// The first tier that runs it.
    pub tier: Tier,
    /// What it does.
    pub title: String,
    /// Its stated cost.
    pub cost: Cost,
    /// Its time in seconds, if it ran.
    pub seconds: Option<f64>,
    /// Its threads, if it ran.
    pub threads: Option<usize>,
    /// Its seed.
    pub seed: Option<u64>,
    /// The tables that it read.
    pub tables: Vec<TableUse>,
}

/// A curve and the paper that it belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PaperCurve {
    /// The paper.
    pub paper: Paper,
    /// The curve.
    #[serde(flatten)]
    pub curve: Curve,
}

/// The number of cells of each status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Cells that agree.
    pub matched: usize,
    /// Cells that differ, explained.
    pub differs: usize,
    /// Cells that differ without an explanation.
    pub unexplained: usize,
    /// Cells that were not run.
    pub not_run: usize,
}

impl Report {
    /// The report of a run of `jobs`.
    pub fn new(
        jobs: &[Job],
        ran: &Ran,
        fixtures: &[Fixture],
        (papers, tier): (&[Paper], Tier),
        mut provenance: Provenance,
    ) -> Report {
        let printed: BTreeMap<(Paper, &Key), &Fixture> =
            fixtures.iter().map(|fixture| ((fixture.paper, &fixture.key), fixture)).collect();
        let mut report = Report {
            tier,
            papers: papers.to_vec(),
            provenance: Provenance::default(),
            jobs: Vec::new(),
            cells: Vec::new(),
            curves: Vec::new(),
        };
        for (job, state) in jobs.iter().zip(&ran.states).filter(|(job, _)| papers.contains(&job.paper)) {
            report.add(job, state, |key| printed.get(&(job.paper, key)).copied());
        }
        let order: BTreeMap<&Key, usize> = fixtures.iter().map(|fixture| &fixture.key).zip(0..).collect();
        let rank = |cell: &Cell| {
            let printed = *order.get(&cell.key).unwrap_or(&usize::MAX);
            (cell.paper, layout::rank(cell.paper, &cell.key.table), layout::number(&cell.key.row), printed)
        };
        report.cells.sort_by_key(rank);
        let mut tables: Vec<TableUse> = report.jobs.iter().flat_map(|job| job.tables.clone()).collect();
        tables.sort_by(|a, b| a.name.cmp(&b.name));
        tables.dedup();
        provenance.tables = tables;
        report.provenance = provenance;
        report
    }

    fn add<'f>(&mut self, job: &Job, state: &State, printed: impl Fn(&Key) -> Option<&'f Fixture>) {
        let mut line = JobLine {
            id: job.id.clone(),
            paper: job.paper,
            tier: job.tier,
            title: job.title.clone(),
            cost: job.cost,
            seconds: None,
            threads: None,
            seed: job.seed,
            tables: Vec::new(),
        };
        match state {
            State::NotRun(takes) => self.cells.extend(
                job.cells.iter().map(|key| Cell::not_run(job.paper, &job.id, key, printed(key), takes)),
            ),
            State::Done(kept) => {
                (line.seconds, line.threads) = (Some(digits(kept.seconds)), Some(kept.threads));
                line.tables.clone_from(&kept.tables);
                let cells = kept.outcome.values.iter();
                self.cells.extend(
                    cells.map(|value| Cell::computed(job.paper, &job.id, value, printed(&value.key))),
                );
                kept.outcome.curves.iter().for_each(|curve| self.join(job.paper, curve));
            }
        }
        self.jobs.push(line);
    }

    /// Adds points to a plot. Points under one name form one curve, whichever job computed them.
    fn join(&mut self, paper: Paper, curve: &Curve) {
        let points = curve.points.iter().map(|&(x, y)| (digits(x), digits(y))).collect();
        let curve = Curve { points, ..curve.clone() };
        let same = |of: &&mut PaperCurve| {
            of.paper == paper && (&of.curve.plot, &of.curve.name) == (&curve.plot, &curve.name)
        };
        match self.curves.iter_mut().find(same) {
            None => self.curves.push(PaperCurve { paper, curve }),
            Some(of) => {
                of.curve.points.extend_from_slice(&curve.points);
                of.curve.points.sort_by(|a, b| a.0.total_cmp(&b.0));
            }
        }
    }

    /// The cells of a paper, counted.
    pub fn tally(&self, paper: Paper) -> Tally {
        let mut tally = Tally::default();
        for cell in self.cells.iter().filter(|cell| cell.paper == paper) {
            match cell.status {
                Status::Match => tally.matched += 1,
                Status::Differs => tally.differs += 1,
                Status::Unexplained => tally.unexplained += 1,
                Status::NotRun => tally.not_run += 1,
                Status::Ours => {}
            }
        }
        tally
    }

    /// The report as JSON.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report can be written as JSON") + "\n"
    }

    /// Writes `report.json`, `report.md` and `index.html` to `dir`, which is created if necessary.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&self, dir: &Path) -> io::Result<()> {
        std::fs::create_dir_all(dir)?;
        for (name, text) in self.files() {
            write_whole(&dir.join(name), text.as_bytes())?;
        }
        Ok(())
    }

    /// The three files: names and contents.
    pub fn files(&self) -> [(&'static str, String); 3] {
        [
            ("report.json", self.json()),
            ("report.md", render::markdown(self)),
            ("index.html", render::page(self)),
        ]
    }
}

/// A decimal rounded to digits that survive JSON unchanged.
fn digits(value: f64) -> f64 {
    format!("{value:.11e}").parse().expect("a decimal is read as it was written")
}
