//! Finished jobs on disk, so that a killed run resumes and tiers build on each other.
//!
//! One file a job, written beside its place, synced and renamed: it is complete or absent. It names
//! what its figures depend on: the sources, the tables, the seed, the figures promised. When any of
//! these has changed the job is run again, and the reason is told.

use crate::fixture::Key;
use crate::job::{Job, Outcome};
use search_core::record::TableUse;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The version of these files.
const FORMAT: u32 = 1;

/// A finished job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    format: u32,
    /// The job.
    pub job: String,
    /// The digest of the sources that computed it.
    pub sources: String,
    /// The tables that it read.
    pub tables: Vec<TableUse>,
    /// The seed.
    pub seed: Option<u64>,
    /// The threads that ran it.
    pub threads: usize,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// What it found.
    pub outcome: Outcome,
}

impl Kept {
    /// A job that has just finished.
    pub fn new(
        job: &Job,
        sources: &str,
        tables: Vec<TableUse>,
        threads: usize,
        seconds: f64,
        outcome: Outcome,
    ) -> Kept {
        let (job, seed) = (job.id.clone(), job.seed);
        Kept { format: FORMAT, job, sources: sources.to_owned(), tables, seed, threads, seconds, outcome }
    }

    /// Why it can not stand for a run of `job` now, if it cannot. `checksum` is that of a table
    /// that is there.
    pub fn is_stale(
        &self,
        job: &Job,
        sources: &str,
        checksum: impl Fn(&str) -> Option<String>,
    ) -> Option<String> {
        let changed = |used: &&TableUse| checksum(&used.name).is_some_and(|now| now != used.checksum);
        if self.format != FORMAT || self.job != job.id {
            return Some("it was kept in another form".to_owned());
        }
        if self.sources != sources {
            return Some("the program has changed".to_owned());
        }
        if let Some(table) = self.tables.iter().find(changed) {
            return Some(format!("table {} has changed", table.name));
        }
        if self.seed != job.seed {
            return Some("the seed has changed".to_owned());
        }
        let has = |key: &Key| self.outcome.values.iter().any(|value| value.key == *key);
        (!job.cells.iter().all(has)).then(|| "it lacks figures that are wanted now".to_owned())
    }
}

/// The folder of finished jobs.
#[derive(Clone, Debug)]
pub struct Keeper {
    dir: PathBuf,
}

impl Keeper {
    /// The folder `cells` in `out`, made if it is not there.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new(out: &Path) -> io::Result<Keeper> {
        let dir = out.join("cells");
        fs::create_dir_all(&dir)?;
        Ok(Keeper { dir })
    }

    fn path(&self, id: &str) -> PathBuf {
        self.dir.join(format!("{}.json", id.replace('/', "-")))
    }

    /// What is kept of a job; a file that cannot be read counts as none.
    pub fn load(&self, id: &str) -> Option<Kept> {
        serde_json::from_slice(&fs::read(self.path(id)).ok()?).ok()
    }

    /// Keeps a finished job.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn store(&self, kept: &Kept) -> io::Result<()> {
        let text = serde_json::to_string_pretty(kept).map_err(io::Error::other)?;
        write_whole(&self.path(&kept.job), text.as_bytes())
    }
}

/// Writes a file so that it is there with all its bytes, or as it was before.
///
/// # Errors
/// When that fails.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let partial = path.with_extension("partial");
    let mut file = File::create(&partial)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(partial, path)
}
