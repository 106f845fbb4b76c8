//! The project's tasks, as `cargo xtask` runs them.
//!
//! | module | contents |
//! | --- | --- |
//! | [`gen_tables`] | `gen-tables`: plan, build and verify every table |
//! | [`bench`](mod@bench) | `bench`: the benchmarks, timed and compared |
//! | [`repro_paper`] | `repro-paper`: the command line of the reproduction |
//! | [`trust`] | `trust`: kills, damaged files and hostile inputs |
//! | [`figures`], [`book`] | `figures`, `book`: the figures of the book; building it and checking its links |
//! | [`datasets`] | `datasets`: random instances with their optimal lengths |
//! | [`soak`] | `soak`: an hour of batches, their memory and their answers |
//! | [`sanitize`] | `sanitize`: Miri and ThreadSanitizer |
//! | [`reproducible`] | `reproducible`: two builds, one checksum |
//! | [`web`] | `web`: the page that solves in the browser |
//! | [`paper`], [`fixture`], [`number`] | the papers and their figures as data |
//! | [`job`], [`engine`], [`keep`] | jobs with a stated cost; running them and storing their results |
//! | [`resume`] | what a stopped job continues from: the checkpoint of its search, its time so far |
//! | [`listing`] | the list of jobs, with their tiers, costs and tables |
//! | [`load`] | what other programs use of the machine meanwhile |
//! | [`cell`], [`report`] | the paper's figure beside ours; the report as Markdown, JSON and a page with plots |
//! | [`tables`] | the tables of all puzzles under one type |
//! | [`cube`](mod@cube_jobs), [`tiles`](mod@tiles_jobs), [`hanoi`](mod@hanoi_jobs) | the jobs of each paper |

pub mod bench;
pub mod book;
pub mod cell;
#[path = "cube/mod.rs"]
pub mod cube_jobs;
pub mod datasets;
pub mod engine;
pub mod figures;
pub mod fixture;
pub mod gen_tables;
#[path = "hanoi/mod.rs"]
pub mod hanoi_jobs;
pub mod job;
pub mod keep;
pub mod listing;
pub mod load;
pub mod number;
pub mod paper;
pub mod report;
pub mod repro_paper;
pub mod reproducible;
pub mod resume;
pub mod sanitize;
pub mod soak;
pub mod tables;
#[path = "tiles/mod.rs"]
pub mod tiles_jobs;
pub mod trust;
pub mod web;

use fixture::{Figures, Fixture};
use job::Job;
use paper::Paper;
use std::path::{Path, PathBuf};

/// The default folder of results: `target/repro`.
pub fn default_out() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/repro")
}

/// Every job of every paper.
pub fn jobs(fixtures: &[Fixture]) -> Vec<Job> {
    let figures = |paper| Figures::new(fixtures, paper);
    let mut jobs = cube_jobs::jobs(&figures(Paper::Cube));
    jobs.extend(tiles_jobs::jobs(&figures(Paper::Tiles)));
    jobs.extend(hanoi_jobs::jobs(&figures(Paper::Hanoi)));
    jobs
}
