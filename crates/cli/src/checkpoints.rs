//! The checkpoint of a search: a file in the directory of tables, which the same command continues from.
//!
//! The file is named after a hash of what determines the search: program version, instance, heuristic,
//! tables and options that change its course. It is written when the search has run for a while
//! ([`CheckpointArgs::checkpoint_every`]) and when it is interrupted, and removed when the search ends.
//! It is complete or absent, like a table; a damaged one, or one of another search, is not continued from.
//!
//! Two processes with the same search share the file. Each writes complete checkpoints of its own, and
//! whichever is continued from leads to the same answer.

use crate::format;
use crate::sealed;
use crate::session::Session;
use clap::Args;
use search_core::ida::{Checkpoint, Checkpoints};
use search_core::record::Method;
use search_core::storage::{self, IoError};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_64;

/// The first words of a file. The number is raised whenever searches change their course.
const MAGIC: &str = "optimal-puzzles search checkpoint 2";

/// How a search keeps its checkpoint. Flatten it into the subcommands that search for long.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Checkpoints")]
pub struct CheckpointArgs {
    /// How often a long search saves a checkpoint, such as 30s or 5m; if the search is stopped, the same
    /// command continues from the last one
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = format::parse_duration)]
    pub checkpoint_every: Duration,
    /// Start over, even if a stopped search left a checkpoint
    #[arg(long)]
    pub fresh: bool,
}

/// What determines a search, and so its counts and its solution.
#[derive(Clone, Debug, Serialize)]
struct Key<'a> {
    version: &'a str,
    instance: &'a str,
    metric: &'a str,
    heuristic: &'a str,
    tables: Vec<(&'a str, &'a str)>,
    options: &'a str,
}

/// The file of one search.
#[derive(Debug)]
pub struct SearchFile {
    path: PathBuf,
    key: String,
    pause: Duration,
    session: Session,
    /// Whether the user was told that the file cannot be written.
    failed: AtomicBool,
}

impl Session {
    /// The file in `directory` of the search for `instance` by `method`; `options` are those that change its
    /// course.
    pub fn search_file(
        &self,
        args: &CheckpointArgs,
        directory: &Path,
        instance: &str,
        method: &Method,
        options: &str,
    ) -> Arc<SearchFile> {
        let Method { metric, heuristic, tables, version, .. } = method;
        let tables = tables.iter().map(|table| (&table.name[..], &table.checksum[..])).collect();
        let key = serde_json::to_string(&Key { version, instance, metric, heuristic, tables, options })
            .expect("strings can be written as JSON");
        let path = directory.join(format!("search-{:016x}.checkpoint", xxh3_64(key.as_bytes())));
        let (session, failed) = (self.clone(), AtomicBool::new(false));
        let file = SearchFile { path, key, pause: args.checkpoint_every, session, failed };
        if args.fresh {
            file.remove();
        }
        Arc::new(file)
    }
}

impl SearchFile {
    /// Removes the file, unless the search was interrupted: it is continued then.
    pub fn end(&self) {
        if !self.session.is_interrupted() {
            self.remove();
        }
    }

    fn remove(&self) {
        if let Err(error) = storage::remove(&self.path) {
            self.session.remark(&format!("cannot remove a checkpoint that is no longer needed: {error}"));
        }
    }

    fn read(&self) -> Result<Checkpoint, String> {
        let bytes = storage::read(&self.path).map_err(|error| error.to_string())?;
        parse(&bytes, &self.key).ok_or_else(|| "it is damaged or of another version".to_owned())
    }

    fn write(&self, checkpoint: &Checkpoint) -> Result<(), IoError> {
        let text = text(&self.key, checkpoint);
        if let Some(directory) = self.path.parent() {
            storage::create_directory(directory)?;
        }
        sealed::write(&self.path, &text)
    }
}

impl Checkpoints for SearchFile {
    fn resume(&self) -> Option<Checkpoint> {
        if !self.path.exists() {
            return None;
        }
        let read = self.read();
        if let Err(why) = &read {
            let path = self.path.display();
            self.session
                .remark(&format!("the checkpoint {path} is ignored and the search starts over: {why}"));
        }
        read.ok()
    }

    fn pause(&self) -> Duration {
        self.pause
    }

    fn keep(&self, checkpoint: &Checkpoint) {
        if let Err(error) = self.write(checkpoint)
            && !self.failed.swap(true, Ordering::Relaxed)
        {
            self.session
                .remark(&format!("cannot save a checkpoint, so the search continues without one: {error}"));
        }
    }
}

/// The text of a checkpoint's file: a line with the hash of all that follows, the search, the checkpoint.
pub fn text(key: &str, checkpoint: &Checkpoint) -> String {
    let checkpoint = serde_json::to_string(checkpoint).expect("a checkpoint can be written as JSON");
    let body = format!("{key}\n{checkpoint}\n");
    sealed::seal(MAGIC, &body)
}

/// The checkpoint in a file's bytes; nothing if they are damaged or of another search than `key`.
pub fn parse(bytes: &[u8], key: &str) -> Option<Checkpoint> {
    let (found, checkpoint) = sealed::unseal(MAGIC, bytes)?.split_once('\n')?;
    (found == key).then(|| serde_json::from_str(checkpoint).ok())?
}

#[cfg(all(test, unix))]
mod fault_tests;

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        Checkpoint { bound: 42, ..Checkpoint::default() }
    }

    #[test]
    fn no_changed_byte_and_no_shorter_file_is_accepted() {
        let bytes = text("a search", &checkpoint()).into_bytes();
        assert_eq!(parse(&bytes, "a search"), Some(checkpoint()));
        assert_eq!(parse(&bytes, "another"), None);
        for at in 0..bytes.len() {
            assert_eq!(parse(&bytes[..at], "a search"), None);
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                assert_eq!(parse(&changed, "a search"), None, "byte {at}, bit {bit}");
            }
        }
    }

    #[test]
    fn a_file_is_found_by_the_same_search_alone() {
        let home = tempfile::tempdir().unwrap();
        let session = Session::build(&crate::CommonArgs { quiet: true, ..Default::default() }).unwrap();
        let file = |fresh, instance, options| {
            let args = CheckpointArgs { checkpoint_every: Duration::ZERO, fresh };
            session.search_file(&args, &home.path().join("new"), instance, &Method::default(), options)
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
}
