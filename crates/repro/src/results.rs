//! Results of jobs on disk, so that a killed run can be resumed and tiers build on each other.
//!
//! Each job has one file, written to a temporary file, synced and renamed: it is complete or absent.
//! It records what the figures depend on: the version of the job, the tables, the seed, the promised figures. If
//! any of these has changed, the job runs again and the reason is reported.

use crate::fixture::Key;
use crate::job::{Job, Outcome};
use search_core::record::TableUse;
use search_core::storage::publish;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// The file of the finished steps of a job.
const STEPS: &str = "steps.jsonl";
/// The version of these files.
const FORMAT: u32 = 3;
/// The share of the processors above which other programs change a measured time.
const DISTURBED: f64 = 0.05;

/// A finished job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredResult {
    format: u32,
    /// The job.
    pub job: String,
    /// The tables that it read.
    pub tables: Vec<TableUse>,
    /// The seed.
    pub seed: Option<u64>,
    /// The commit, day, machine and command that computed it.
    pub origin: Origin,
    /// The figures that it computed.
    pub outcome: Outcome,
}

/// The commit, day, machine and command that computed a result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The commit: 40 hexadecimal digits, or `unknown`.
    pub commit: String,
    /// Whether files differed from the commit.
    pub dirty: bool,
    /// The [version](Job::version) of the job.
    pub version: u32,
    /// The day, as in `2026-11-24`, in universal time.
    pub date: String,
    /// Processor, cores, memory and operating system.
    pub machine: String,
    /// The command that computes this result again.
    pub command: String,
    /// The number of threads.
    pub threads: usize,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// The share of the machine's processors that other programs used meanwhile, if known.
    pub others: Option<f64>,
}

impl Origin {
    /// Whether other programs slowed it down, so that its times and speeds are not shown.
    pub fn was_disturbed(&self) -> bool {
        self.others.is_some_and(|share| share > DISTURBED)
    }
}

impl StoredResult {
    /// A job that has just finished.
    pub fn new(job: &Job, tables: Vec<TableUse>, origin: Origin, outcome: Outcome) -> StoredResult {
        let (job, seed) = (job.id.clone(), job.seed);
        StoredResult { format: FORMAT, job, tables, seed, origin, outcome }
    }

    /// Whether this program reads the format of the result.
    pub fn has_known_format(&self) -> bool {
        self.format == FORMAT
    }

    /// The reason why this result cannot replace a run of `job`; `None` if it can. `checksum` returns the checksum of
    /// an existing table.
    pub fn is_stale(&self, job: &Job, checksum: impl Fn(&str) -> Option<String>) -> Option<String> {
        let changed = |used: &&TableUse| checksum(&used.name).is_some_and(|now| now != used.checksum);
        if !self.has_known_format() || self.job != job.id {
            return Some("its result has another format".to_owned());
        }
        if self.origin.version != job.version {
            return Some(format!("it had version {}, now {}", self.origin.version, job.version));
        }
        if let Some(table) = self.tables.iter().find(changed) {
            return Some(format!("table {} has changed", table.name));
        }
        if self.seed != job.seed {
            return Some("the seed has changed".to_owned());
        }
        let has = |key: &Key| self.outcome.values.iter().any(|value| value.key == *key);
        (!job.cells.iter().all(has)).then(|| "figures have been added to it".to_owned())
    }
}

/// The folder of finished jobs.
#[derive(Clone, Debug)]
pub struct ResultStore {
    dir: PathBuf,
}

impl ResultStore {
    /// The folder `cells` in `out`, created if necessary.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn new(out: &Path) -> io::Result<ResultStore> {
        let dir = out.join("cells");
        fs::create_dir_all(&dir)?;
        Ok(ResultStore { dir })
    }

    fn path(&self, id: &str) -> PathBuf {
        self.dir.join(format!("{}.json", id.replace('/', "-")))
    }

    /// The result of a job; `None` also for a file that cannot be read.
    pub fn load(&self, id: &str) -> Option<StoredResult> {
        serde_json::from_slice(&fs::read(self.path(id)).ok()?).ok()
    }

    /// Removes the result of a job, if there is one.
    pub fn discard(&self, id: &str) {
        let _ = fs::remove_file(self.path(id));
    }

    /// Stores the result of a job.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn store(&self, kept: &StoredResult) -> io::Result<()> {
        let text = serde_json::to_string_pretty(kept).map_err(io::Error::other)?;
        write_whole(&self.path(&kept.job), text.as_bytes())
    }
}

/// The finished steps of a long job, one per line, in the job's own folder: a killed job resumes after
/// the last of them.
///
/// The first line is the [identity](Job::identity) of the job. Steps of another version are discarded, and so is a
/// last line that a kill left incomplete.
#[derive(Debug)]
pub struct Steps<T> {
    file: File,
    /// The finished steps, in the order in which they were added.
    pub done: Vec<T>,
}

impl<T: Serialize + DeserializeOwned> Steps<T> {
    /// The steps in `dir`, which is created if necessary.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn open(dir: &Path, identity: &str) -> io::Result<Steps<T>> {
        fs::create_dir_all(dir)?;
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(dir.join(STEPS))?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let mut lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let first = lines.next().unwrap_or_default();
        let mut steps = Steps { file, done: Vec::new() };
        if first.trim_end() != identity {
            steps.truncate(0)?;
            steps.append(identity)?;
            return Ok(steps);
        }
        let mut whole = first.len();
        for line in lines {
            let Ok(step) = serde_json::from_str(line) else { break };
            steps.done.push(step);
            whole += line.len();
        }
        steps.truncate(whole as u64)?;
        Ok(steps)
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(io::SeekFrom::End(0)).map(|_| ())
    }

    fn append(&mut self, line: &str) -> io::Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes())?;
        self.file.sync_data()
    }

    /// Adds a finished step and syncs it to disk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, step: T) -> io::Result<()> {
        let line = serde_json::to_string(&step).map_err(io::Error::other)?;
        self.append(&line)?;
        self.done.push(step);
        Ok(())
    }
}

/// Whether a stopped job has left steps in its folder.
pub fn has_steps(dir: &Path) -> bool {
    dir.join(STEPS).exists()
}

/// Writes a file atomically: after a failure or a kill its previous version remains.
///
/// # Errors
/// When it cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    publish(path, &path.with_extension("partial"), |file| file.write_at(bytes, 0))
        .map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_survive_a_truncated_line_but_not_another_version() -> io::Result<()> {
        let dir = tempfile::tempdir()?;
        let mut steps = Steps::open(dir.path(), "a")?;
        steps.add(1)?;
        steps.add(2)?;
        drop(steps);
        let path = dir.path().join("steps.jsonl");
        let whole = fs::read(&path)?;
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length])?;
            let mut steps = Steps::<u32>::open(dir.path(), "a")?;
            let lines = whole[..length].iter().filter(|&&byte| byte == b'\n').count();
            let kept = lines.saturating_sub(1);
            assert_eq!(steps.done, &[1, 2][..kept], "{length} bytes");
            steps.add(7)?;
            assert_eq!(Steps::<u32>::open(dir.path(), "a")?.done.last(), Some(&7), "{length} bytes");
        }
        assert!(Steps::<u32>::open(dir.path(), "b")?.done.is_empty());
        Ok(())
    }
}
