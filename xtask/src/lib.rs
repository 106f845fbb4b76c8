//! The project's tasks, as `cargo xtask` runs them.
//!
//! | module | contents |
//! | --- | --- |
//! | [`gen_tables`] | `gen-tables`: plan, build and verify every table |
//! | [`repro_paper`], [`listing`] | `repro-paper`: the reproduction of the papers; the list of its jobs |
//! | [`trust`] | `trust`: kills, damaged files and hostile inputs |
//! | [`soak`] | `soak`: an hour of batches, their memory and their answers |
//! | [`datasets`] | `datasets`: random instances with their optimal lengths |
//! | [`figures`], [`book`] | `figures`, `book`: the figures of the book; building it and checking its links |
//! | [`bench`](mod@bench) | `bench`: the benchmarks, timed and compared |
//! | [`sanitize`] | `sanitize`: Miri and ThreadSanitizer |
//! | [`reproducible`] | `reproducible`: two builds, one checksum |
//! | [`web`] | `web`: the page that solves in the browser |
//!
//! The work of the first six is in the crate `repro`; here are their command lines.

pub mod bench;
pub mod book;
pub mod datasets;
pub mod figures;
pub mod gen_tables;
pub mod listing;
pub mod repro_paper;
pub mod reproducible;
pub mod sanitize;
pub mod soak;
pub mod trust;
pub mod web;

use std::path::{Path, PathBuf};

/// The default folder of results: `target/repro`.
pub fn default_out() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/repro")
}
