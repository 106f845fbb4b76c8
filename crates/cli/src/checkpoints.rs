//! The checkpoint of a search: a file in the user's state directory, which the same command continues from.
//!
//! A proof depends on its checkpoint, so the file belongs to the user who searches: other users cannot read it, files
//! of other users and symbolic links are not read, and it is not kept beside tables, which several people may write.
//!
//! The file is named after a hash of what determines the search: program version, instance, heuristic, tables and
//! options that change its course. It is written when the search has run for a while
//! ([`CheckpointArgs::checkpoint_every`]) and when it is interrupted, and removed when the search ends. It is complete
//! or absent, like a table; a search does not continue from a file that is damaged or belongs to another search.
//!
//! One process at a time holds the file, by a lock beside it. Another process with the same search prints a remark and
//! searches without a checkpoint.

use crate::format;
use crate::sealed;
use crate::session::Session;
use clap::Args;
use search_core::ida::{Checkpoints, SearchState, checkpoint_text, read_checkpoint};
use search_core::record::Method;
use search_core::storage::{self, IoError, Lock};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_64;

/// How a search keeps its checkpoint. Flatten it into the subcommands that search for long.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Checkpoints")]
pub struct CheckpointArgs {
    /// Interval between the checkpoints of a long search, such as 30s or 5m; if the search is stopped, the same
    /// command resumes from the last one
    #[arg(long, hide_short_help = true, value_name = "DURATION", default_value = "30s", value_parser = format::parse_duration)]
    pub checkpoint_every: Duration,
    /// Start over instead of resuming from a checkpoint
    #[arg(long, hide_short_help = true)]
    pub fresh: bool,
}

/// The data that determine a search, and so its counts and its solution.
#[derive(Clone, Debug, Serialize)]
struct Key<'a> {
    version: &'a str,
    instance: &'a str,
    metric: &'a str,
    heuristic: &'a str,
    tables: Vec<(&'a str, &'a str)>,
    options: &'a str,
}

/// The ending of files.
const CHECKPOINT: &str = "checkpoint";

/// The file of one search.
#[derive(Debug)]
pub struct SearchFile {
    /// The file and its lock; `None` if this search keeps no checkpoint.
    held: Mutex<Option<(PathBuf, Lock)>>,
    key: String,
    pause: Duration,
    session: Session,
    /// Whether the remark that the file cannot be written was printed.
    failed: AtomicBool,
}

impl Session {
    /// The file of the search for `instance` by `method`; `options` are those that change its course.
    pub fn search_file(
        &self,
        args: &CheckpointArgs,
        instance: &str,
        method: &Method,
        options: &str,
    ) -> Arc<SearchFile> {
        let Method { metric, heuristic, tables, version, .. } = method;
        let tables = tables.iter().map(|table| (&table.name[..], &table.checksum[..])).collect();
        let key = serde_json::to_string(&Key { version, instance, metric, heuristic, tables, options })
            .expect("strings can be written as JSON");
        let name = format!("search-{:016x}.{CHECKPOINT}", xxh3_64(key.as_bytes()));
        for old in self.tables().iter().map(|directory| directory.join(&name)).filter(|old| old.exists()) {
            let old = old.display();
            self.remark(&format!(
                "{old} is not read: checkpoints lie in the state directory; move it there to use it"
            ));
        }
        let held = Mutex::new(self.state().and_then(|directory| self.hold(directory.join(name))));
        let (session, failed) = (self.clone(), AtomicBool::new(false));
        let file = SearchFile { held, key, pause: args.checkpoint_every, session, failed };
        if args.fresh {
            file.remove();
        }
        Arc::new(file)
    }

    /// Locks a checkpoint. If that is not possible, prints a remark and returns `None`.
    fn hold(&self, path: PathBuf) -> Option<(PathBuf, Lock)> {
        let directory = path.parent()?;
        let lock = storage::create_own_directory(directory)
            .and_then(|()| Lock::try_take(&path.with_extension("lock")));
        let why = match lock {
            Ok(Some(lock)) => return Some((path, lock)),
            Ok(None) => "another process is doing the same search".to_owned(),
            Err(error) => error.to_string(),
        };
        self.remark(&format!("this search keeps no checkpoint: {why}"));
        None
    }
}

impl SearchFile {
    fn held(&self) -> std::sync::MutexGuard<'_, Option<(PathBuf, Lock)>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes the file, unless the search was interrupted and can be continued.
    pub fn end(&self) {
        if !self.session.is_interrupted() {
            self.remove();
        }
        self.release();
    }

    /// Releases the lock, and removes its file if there is no checkpoint.
    fn release(&self) {
        if let Some((path, lock)) = self.held().take()
            && !path.exists()
        {
            lock.remove(&path.with_extension("lock"));
        }
    }

    fn remove(&self) {
        let removed = self.held().as_ref().map(|(path, _)| storage::remove(path));
        if let Some(Err(error)) = removed {
            self.session.remark(&format!("cannot remove a checkpoint that is no longer needed: {error}"));
        }
    }
}

impl Drop for SearchFile {
    fn drop(&mut self) {
        self.release();
    }
}

impl Checkpoints for SearchFile {
    fn resume(&self) -> Option<SearchState> {
        let held = self.held();
        let (path, _) = held.as_ref()?;
        if !path.exists() {
            return None;
        }
        let read = storage::read_own(path).map_err(|error| error.error.to_string()).and_then(|bytes| {
            read_checkpoint(&self.key, &bytes).ok_or_else(|| "it is damaged or of another version".to_owned())
        });
        if let Err(why) = &read {
            let path = path.display();
            self.session
                .remark(&format!("the checkpoint {path} is ignored and the search starts over: {why}"));
        }
        read.ok()
    }

    fn pause(&self) -> Duration {
        self.pause
    }

    fn keep(&self, checkpoint: &SearchState) {
        let held = self.held();
        let Some((path, _)) = held.as_ref() else { return };
        let written: Result<(), IoError> = sealed::write_own(path, &checkpoint_text(&self.key, checkpoint));
        if let Err(error) = written
            && !self.failed.swap(true, Ordering::Relaxed)
        {
            self.session
                .remark(&format!("cannot save a checkpoint, so the search continues without one: {error}"));
        }
    }
}

mod command;
#[cfg(all(test, unix))]
mod fault_tests;

pub use command::CheckpointsCommand;

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> SearchState {
        SearchState::before(42)
    }

    #[test]
    fn only_the_same_search_finds_a_file() {
        let home = tempfile::tempdir().unwrap();
        let session = Session::build(&crate::CommonArgs { quiet: true, ..Default::default() }).unwrap();
        let session = session.with_state(home.path().join("new"));
        let file = |fresh, instance, options| {
            let args = CheckpointArgs { checkpoint_every: Duration::ZERO, fresh };
            session.search_file(&args, instance, &Method::default(), options)
        };
        file(false, "1 0", "all").keep(&checkpoint());
        assert_eq!(file(false, "1 0", "all").resume(), Some(checkpoint()));
        assert_eq!(file(false, "1 0", "one").resume(), None);
        assert_eq!(file(false, "0 1", "all").resume(), None);
        assert_eq!(file(true, "1 0", "all").resume(), None, "begins anew");
        file(false, "1 0", "all").keep(&checkpoint());
        file(false, "1 0", "all").end();
        assert_eq!(std::fs::read_dir(home.path().join("new")).unwrap().count(), 0);
    }

    #[test]
    fn a_file_is_held_by_one_search_at_a_time() {
        let home = tempfile::tempdir().unwrap();
        let session = Session::build(&crate::CommonArgs { quiet: true, ..Default::default() }).unwrap();
        let session = session.with_state(home.path());
        let args = CheckpointArgs { checkpoint_every: Duration::ZERO, fresh: false };
        let file = || session.search_file(&args, "1 0", &Method::default(), "all");
        let first = file();
        first.keep(&checkpoint());
        let second = file();
        second.keep(&SearchState::default());
        assert_eq!((second.resume(), first.resume()), (None, Some(checkpoint())));
        second.end();
        drop(first);
        assert_eq!(file().resume(), Some(checkpoint()));
    }

    #[cfg(unix)]
    #[test]
    fn a_checkpoint_belongs_to_its_user_and_no_link_is_followed() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let home = tempfile::tempdir().unwrap();
        let session = Session::build(&crate::CommonArgs { quiet: true, ..Default::default() }).unwrap();
        let session = session.with_state(home.path().join("state"));
        let args = CheckpointArgs { checkpoint_every: Duration::ZERO, fresh: false };
        let file = || session.search_file(&args, "1 0", &Method::default(), "all");
        let search = file();
        search.keep(&checkpoint());
        let path = search.held().as_ref().unwrap().0.clone();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        let planted = home.path().join("planted");
        std::fs::rename(&path, &planted).unwrap();
        symlink(&planted, &path).unwrap();
        assert_eq!(search.resume(), None);
        drop(search);
        // If the lock's path is a symbolic link, no lock is created at its target.
        let target = home.path().join("target");
        std::fs::remove_file(path.with_extension("lock")).unwrap();
        symlink(&target, path.with_extension("lock")).unwrap();
        assert!(file().held().is_none() && !target.exists());
    }
}
