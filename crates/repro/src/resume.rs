//! Files from which a stopped job is resumed, beside its finished steps ([`crate::results::Steps`]): the checkpoint of
//! its search, and the time that it has taken so far.
//!
//! Both are files in the job's own folder, written whole or not at all; the engine removes the folder when the job is
//! done. Those of another version of the job are not used.

use crate::load::Load;
use puzzle_cli::sealed;
use search_core::ida::FileCheckpoints;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The time between writes of both files.
const PAUSE: Duration = Duration::from_secs(30);
/// The first words of a file of the time.
const MAGIC: &str = "optimal-puzzles time of a job 1";

/// The checkpoint of a job's only search, in the folder of the job.
pub fn search_file(work_dir: &Path, identity: &str) -> FileCheckpoints {
    FileCheckpoints::new(&work_dir.join("search.checkpoint"), identity, PAUSE)
}

/// The time of a job, over all runs that have worked on it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    identity: String,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// The share of the machine's processors that other programs used meanwhile, if known.
    pub others: Option<f64>,
}

/// Measures the time of a job, continuing from a stopped run.
#[derive(Debug)]
pub struct Stopwatch {
    begun: Instant,
    load: Load,
    before: Spent,
    work_dir: PathBuf,
}

impl Stopwatch {
    /// Begins, or resumes the time of a run of the same version of the job that was stopped.
    pub fn begin(work_dir: &Path, identity: &str) -> Stopwatch {
        let before: Option<Spent> = sealed::read_json(&file(work_dir), MAGIC).ok().flatten();
        let none = || Spent { identity: identity.to_owned(), ..Spent::default() };
        let before = before.filter(|before| before.identity == identity).unwrap_or_else(none);
        Stopwatch { begun: Instant::now(), load: Load::begin(), before, work_dir: work_dir.to_owned() }
    }

    /// The time of all runs up to now.
    pub fn spent(&self) -> Spent {
        let (now, before) = (self.begun.elapsed().as_secs_f64(), &self.before);
        let seconds = before.seconds + now;
        let others = match (self.load.others(), before.others) {
            (others, _) if before.seconds == 0.0 => others,
            (Some(others), Some(earlier)) => Some((before.seconds * earlier + now * others) / seconds),
            _ => None,
        };
        Spent { identity: before.identity.clone(), seconds, others }
    }

    /// Does the job's work, and writes the time at intervals and when it is stopped. A job that keeps no files starts
    /// over, and so does its time.
    pub fn measure<T, E>(&self, work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let done = thread::scope(|scope| {
            let (_until, over) = mpsc::channel::<()>();
            scope.spawn(move || {
                while over.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                    self.write();
                }
            });
            work()
        });
        if done.is_err() {
            self.write();
        }
        done
    }

    fn write(&self) {
        if self.work_dir.exists() {
            let _ = sealed::write_json(&file(&self.work_dir), MAGIC, &self.spent());
        }
    }

    /// Waits until enough time has passed to measure the load.
    pub fn wait(&self) {
        self.load.wait();
    }
}

fn file(work_dir: &Path) -> PathBuf {
    work_dir.join("time.json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::ida::{Checkpoints, SearchState};

    #[test]
    fn a_checkpoint_of_another_job_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let work_dir = dir.path().join("job");
        let file = search_file(&work_dir, "a");
        assert_eq!(file.resume(), None);
        file.keep(&SearchState::before(42));
        assert_eq!(file.resume().map(|checkpoint| checkpoint.bound), Some(42));
        assert_eq!(search_file(&work_dir, "b").resume(), None);
    }

    #[test]
    fn the_time_of_a_stopped_run_is_added_if_it_left_files() {
        let dir = tempfile::tempdir().unwrap();
        let run = |identity, slept| {
            let watch = Stopwatch::begin(dir.path(), identity);
            let stopped = watch.measure(|| {
                thread::sleep(Duration::from_millis(slept));
                Err::<(), _>("stopped")
            });
            assert_eq!(stopped, Err("stopped"));
            watch.spent().seconds
        };
        let first = run("a", 20);
        assert!(first >= 0.02);
        assert!(run("a", 30) >= first.min(0.02) + 0.03);
        assert!(Stopwatch::begin(dir.path(), "a").spent().seconds >= 0.05);
        assert!(Stopwatch::begin(dir.path(), "b").before.seconds == 0.0, "another version");
        let none = dir.path().join("none");
        let watch = Stopwatch::begin(&none, "a");
        assert!(watch.measure(|| Err::<(), _>(())).is_err());
        assert!(!none.exists(), "a job without files starts over");
    }

    #[test]
    fn loads_are_averaged_over_time() {
        let before = Spent { identity: String::new(), seconds: 1e9, others: Some(0.25) };
        let work_dir = PathBuf::new();
        let watch = Stopwatch { begun: Instant::now(), load: Load::begin(), before, work_dir };
        assert_eq!(watch.spent().others, None, "too little time has passed to tell");
        watch.wait();
        let others = watch.spent().others;
        assert_eq!(others.is_some(), cfg!(target_os = "linux"));
        assert!(others.is_none_or(|share| (share - 0.25).abs() < 1e-6));
    }
}
