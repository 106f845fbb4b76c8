//! The reproduction of the papers, and the long tests and data sets that involve all three puzzles. `cargo xtask` has
//! its command lines.
//!
//! | module | contents |
//! | --- | --- |
//! | [`paper`], [`fixture`], [`number`] | the papers and their figures as data |
//! | [`job`], [`jobs`], [`engine`], [`results`] | jobs with a stated cost, and the list of them; running them and storing their results |
//! | [`resume`] | the checkpoint of a stopped job's search, its time so far |
//! | [`recheck`] | comparing long jobs with their records by running each for seconds |
//! | [`load`] | the load that other programs put on the machine meanwhile |
//! | [`cell`], [`report`] | the paper's figure beside ours; the report as Markdown, JSON and a page with plots |
//! | [`tables`] | the tables of all puzzles under one type |
//! | [`cube`](mod@cube_jobs), [`tiles`](mod@tiles_jobs), [`hanoi`](mod@hanoi_jobs) | the jobs of each paper |
//! | [`trust`], [`soak`] | kills, damaged files and hostile inputs; an hour of batches, their memory and their answers |
//! | [`datasets`] | random instances with their optimal lengths |
//! | [`figures`] | the figures of the book |

mod catalogue;
pub mod cell;
#[path = "cube/mod.rs"]
pub mod cube_jobs;
pub mod datasets;
pub mod engine;
pub mod figures;
pub mod fixture;
#[path = "hanoi/mod.rs"]
pub mod hanoi_jobs;
pub mod job;
pub mod load;
pub mod number;
pub mod paper;
pub mod recheck;
pub mod report;
pub mod results;
pub mod resume;
pub mod soak;
pub mod tables;
#[path = "tiles/mod.rs"]
pub mod tiles_jobs;
pub mod trust;

pub use catalogue::jobs;

/// The generator's name in the headers of new tables.
pub const GENERATOR: &str = concat!("xtask ", env!("CARGO_PKG_VERSION"));
