//! The report: computed figures beside printed ones, as JSON, as Markdown and as a page.
//!
//! `report.json` contains the whole [`Report`], and the other two are rendered from it alone. So a
//! check can render them again and compare them byte by byte.

pub mod check;
pub mod layout;
pub mod plots;
pub mod provenance;
pub mod recorded;
pub mod render;

use crate::cell::{Cell, Status};
use crate::engine::{RunResult, State, takes};
use crate::fixture::{Fixture, Key, Rule};
use crate::job::{Cost, Curve, Job};
use crate::paper::{Paper, Tier};
use crate::results::{Origin, StoredResult, write_whole};
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
    /// A description.
    pub title: String,
    /// Its stated cost.
    pub cost: Cost,
    /// The commit, day, machine and command of its result, if it has one.
    pub origin: Option<Origin>,
    /// The version of its figures.
    pub version: u32,
    /// Whether the result was recorded earlier.
    pub recorded: bool,
    /// Its seed.
    pub seed: Option<u64>,
    /// The tables that it read.
    pub tables: Vec<TableUse>,
}

impl JobLine {
    /// Whether its result was recorded by another version of the job.
    pub fn is_stale(&self) -> bool {
        self.origin.as_ref().is_some_and(|origin| origin.version != self.version)
    }
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
    /// Those of them that can only be compared, such as the speed of another machine.
    pub beside: usize,
    /// Cells that differ without an explanation.
    pub unexplained: usize,
    /// Cells that were not run, or not measured.
    pub not_run: usize,
    /// Cells that were recorded earlier, each of them also counted above.
    pub recorded: usize,
}

impl Report {
    /// The report of a run of `jobs`.
    pub fn new(
        jobs: &[Job],
        ran: &RunResult,
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
        // Recorded jobs name their own tables.
        let computed = report.jobs.iter().filter(|job| !job.recorded);
        let mut tables: Vec<TableUse> = computed.flat_map(|job| job.tables.clone()).collect();
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
            origin: None,
            version: job.version,
            recorded: matches!(state, State::Recorded(_)),
            seed: job.seed,
            tables: Vec::new(),
        };
        match state {
            State::NotRun(takes) => self.cells.extend(
                job.cells.iter().map(|key| Cell::not_run(job.paper, &job.id, key, printed(key), takes)),
            ),
            State::Done(kept) | State::Recorded(kept) => {
                line.origin = Some(kept.origin.clone());
                line.tables.clone_from(&kept.tables);
                self.cells.extend(cells_of(job, kept, printed));
                let is_shown = |curve: &&Curve| !(curve.timed && kept.origin.was_disturbed());
                kept.outcome.curves.iter().filter(is_shown).for_each(|curve| self.join(job.paper, curve));
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

    /// The job of a cell.
    pub fn job(&self, id: &str) -> Option<&JobLine> {
        self.jobs.iter().find(|line| line.id == id)
    }

    /// The cells of a paper, counted.
    pub fn tally(&self, paper: Paper) -> Tally {
        let mut tally = Tally::default();
        for cell in self.cells.iter().filter(|cell| cell.paper == paper) {
            let is_figure = matches!(cell.status, Status::Match | Status::Differs | Status::Unexplained);
            let is_recorded = || self.job(&cell.job).is_some_and(|line| line.recorded);
            let is_beside = cell.status == Status::Differs && cell.rule == Some(Rule::Beside);
            tally.beside += usize::from(is_beside);
            tally.recorded += usize::from(is_figure && is_recorded());
            match cell.status {
                Status::Match => tally.matched += 1,
                Status::Differs => tally.differs += 1,
                Status::Unexplained => tally.unexplained += 1,
                Status::NotRun | Status::NotMeasured => tally.not_run += 1,
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

/// The cells of a job that has a result. An older result may lack figures that the job now promises.
fn cells_of<'f>(job: &Job, kept: &StoredResult, printed: impl Fn(&Key) -> Option<&'f Fixture>) -> Vec<Cell> {
    let others = kept.origin.others.filter(|_| kept.origin.was_disturbed());
    let mut cells = Vec::new();
    for value in &kept.outcome.values {
        let (key, fixture) = (&value.key, printed(&value.key));
        match others.filter(|_| value.timed) {
            None => cells.push(Cell::computed(job.paper, &job.id, value, fixture)),
            Some(_) if fixture.is_none() => {}
            Some(others) => cells.push(Cell::not_measured(job.paper, &job.id, key, fixture, others)),
        }
    }
    let is_missing = |key: &&Key| !kept.outcome.values.iter().any(|value| value.key == **key);
    let not_run = |key: &Key| Cell::not_run(job.paper, &job.id, key, printed(key), &takes(job));
    cells.extend(job.cells.iter().filter(is_missing).map(not_run));
    cells
}

/// A decimal rounded to digits that survive JSON unchanged.
fn digits(value: f64) -> f64 {
    format!("{value:.11e}").parse().expect("a decimal is read as it was written")
}
