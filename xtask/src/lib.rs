//! The project's tasks, as `cargo xtask` runs them.
//!
//! | module | holds |
//! | --- | --- |
//! | [`gen_tables`] | `gen-tables`: plan, build and verify every table |
//! | [`bench`](mod@bench) | `bench`: the benchmarks, timed and compared |
//! | [`repro_paper`] | `repro-paper`: the command line of the reproduction |
//! | [`paper`], [`fixture`], [`number`] | the papers, their figures as data |
//! | [`job`], [`engine`], [`keep`] | jobs with a stated cost, run and kept one by one |
//! | [`cell`], [`report`] | the paper's figure beside ours; Markdown, JSON, a page with plots |
//! | [`tables`] | the tables of all puzzles under one type |
//! | [`cube`](mod@cube_jobs), [`tiles`](mod@tiles_jobs), [`hanoi`](mod@hanoi_jobs) | what is run for each paper |

pub mod bench;
pub mod cell;
#[path = "cube/mod.rs"]
pub mod cube_jobs;
pub mod engine;
pub mod fixture;
pub mod gen_tables;
#[path = "hanoi/mod.rs"]
pub mod hanoi_jobs;
pub mod job;
pub mod keep;
pub mod number;
pub mod paper;
pub mod report;
pub mod repro_paper;
pub mod tables;
#[path = "tiles/mod.rs"]
pub mod tiles_jobs;

use fixture::{Fixture, Key};
use job::Job;
use paper::Paper;
use std::path::{Path, PathBuf};

/// Where results are kept when no other place is named: `target/repro`.
pub fn default_out() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/repro")
}

/// Every job of every paper.
pub fn jobs(fixtures: &[Fixture]) -> Vec<Job> {
    let figures = |paper| Figures { fixtures, paper };
    let mut jobs = cube_jobs::jobs(&figures(Paper::Cube));
    jobs.extend(tiles_jobs::jobs(&figures(Paper::Tiles)));
    jobs.extend(hanoi_jobs::jobs(&figures(Paper::Hanoi)));
    jobs
}

/// The figures of one paper, for jobs to choose from.
#[derive(Clone, Copy)]
pub struct Figures<'a> {
    fixtures: &'a [Fixture],
    paper: Paper,
}

impl Figures<'_> {
    /// The names of the figures of a table that satisfy `wanted`, given row and column.
    pub fn of(&self, table: &str, wanted: impl Fn(&str, &str) -> bool) -> Vec<Key> {
        let keys = self.fixtures.iter().filter(|f| f.paper == self.paper).map(|f| &f.key);
        keys.filter(|key| key.table == table && wanted(&key.row, &key.column)).cloned().collect()
    }

    /// The names of all figures of a table.
    pub fn table(&self, table: &str) -> Vec<Key> {
        self.of(table, |_, _| true)
    }

    /// The printed figure of a name.
    pub fn printed(&self, table: &str, row: &str, column: &str) -> Option<f64> {
        let key = Key::new(table, row, column);
        let found = self.fixtures.iter().find(|f| f.paper == self.paper && f.key == key);
        found.map(|fixture| fixture.value.real())
    }
}
