//! Checkpoints of a search in a file of this user.
//!
//! The file is complete or absent: it is written under a temporary name and renamed. It begins with a hash of the rest and
//! names the search, so a damaged file and the file of another search are refused. Other users cannot read it. A file of
//! another user and a symbolic link are refused, because a proof relies on the contents.

use super::search_state::{Checkpoints, SearchState};
use crate::storage::{self, Access, IoError, publish_for};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_64;

/// The first words of a file. The number is raised whenever searches change their course.
const MAGIC: &str = "optimal-puzzles search checkpoint 3";

/// The text of a checkpoint's file; `search` is one line that identifies the search.
///
/// # Panics
/// If the state cannot be JSON, which does not happen.
pub fn checkpoint_text(search: &str, state: &SearchState) -> String {
    let state = serde_json::to_string(state).expect("a state can be written as JSON");
    let body = format!("{search}\n{state}\n");
    format!("{MAGIC} {:016x}\n{body}", xxh3_64(body.as_bytes()))
}

/// The line that identifies the search of a checkpoint's file, and the rest; `None` if its bytes are damaged.
fn parts(bytes: &[u8]) -> Option<(&str, &str)> {
    let (first, body) = std::str::from_utf8(bytes).ok()?.split_once('\n')?;
    let hash = first.strip_prefix(MAGIC)?.strip_prefix(' ')?;
    (hash == format!("{:016x}", xxh3_64(body.as_bytes()))).then(|| body.split_once('\n'))?
}

/// The line that identifies the search of a checkpoint's file; `None` if its bytes are damaged.
pub fn search_of_checkpoint(bytes: &[u8]) -> Option<&str> {
    parts(bytes).map(|(search, _)| search)
}

/// The state in the bytes of a checkpoint's file; `None` if they are damaged or of another search.
pub fn read_checkpoint(search: &str, bytes: &[u8]) -> Option<SearchState> {
    let (found, state) = parts(bytes)?;
    (found == search).then(|| serde_json::from_str(state).ok())?
}

/// Keeps the checkpoint of one search in a file. One process at a time may use it.
///
/// ```
/// use search_core::ida::{Config, FileCheckpoints};
/// use search_core::{Domain, Op, Search};
/// use std::sync::Arc;
/// use std::time::Duration;
///
/// # struct Ring;
/// # impl Domain for Ring {
/// #     type State = u8;
/// #     fn op_count(&self) -> usize { 2 }
/// #     fn apply(&self, place: &u8, op: Op) -> u8 { (place + if op.index() == 0 { 1 } else { 99 }) % 100 }
/// #     fn is_goal(&self, place: &u8) -> bool { *place == 0 }
/// # }
/// # let heuristic = |place: &u8| (*place).min(100 - place);
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("ring.checkpoint");
/// // The line names everything that determines the search: the program's version, the instance, the heuristic.
/// let file = Arc::new(FileCheckpoints::new(&path, "ring 1.0, place 30, distance", Duration::from_secs(30)));
/// let config = Config::default().checkpoints(Some(file.clone()));
/// let report = Search::new(&Ring, &heuristic)?.config(config).solve(&30);
/// assert_eq!(report.ending.length(), Some(30));
/// file.remove()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FileCheckpoints {
    path: PathBuf,
    search: String,
    pause: Duration,
    error: Mutex<Option<IoError>>,
}

impl FileCheckpoints {
    /// The checkpoint at `path`, written every `pause` and when the run is cancelled. `search` identifies the search: a
    /// file of another one is ignored. Line breaks in it become spaces.
    pub fn new(path: &Path, search: &str, pause: Duration) -> FileCheckpoints {
        let search = search.replace(['\n', '\r'], " ");
        FileCheckpoints { path: path.to_owned(), search, pause, error: Mutex::default() }
    }

    /// The last error of writing the file, if there was one. The search continued without that checkpoint.
    pub fn take_error(&self) -> Option<IoError> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Removes the file, once the search is over.
    ///
    /// # Errors
    /// [`IoError`].
    pub fn remove(&self) -> Result<(), IoError> {
        storage::remove(&self.path).map(|_| ())
    }
}

impl Checkpoints for FileCheckpoints {
    fn resume(&self) -> Option<SearchState> {
        let bytes = self.path.exists().then(|| storage::read_own(&self.path).ok())??;
        read_checkpoint(&self.search, &bytes)
    }

    fn pause(&self) -> Duration {
        self.pause
    }

    fn keep(&self, state: &SearchState) {
        let (text, partial) = (checkpoint_text(&self.search, state), self.path.with_extension("partial"));
        let directory = self.path.parent().map_or(Ok(()), storage::create_directory);
        let written = directory.and_then(|()| {
            publish_for(Access::Own, &self.path, &partial, |file| file.write_at(text.as_bytes(), 0))
        });
        if let Err(error) = written {
            *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_and_truncated_files_are_refused() {
        let bytes = checkpoint_text("a search", &SearchState::before(42)).into_bytes();
        assert_eq!(read_checkpoint("a search", &bytes), Some(SearchState::before(42)));
        assert_eq!(read_checkpoint("another", &bytes), None);
        for at in 0..bytes.len() {
            assert_eq!(read_checkpoint("a search", &bytes[..at]), None);
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                assert_eq!(read_checkpoint("a search", &changed), None, "byte {at}, bit {bit}");
            }
        }
    }

    #[test]
    fn a_state_is_read_by_the_same_search_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("search.checkpoint");
        let file = |search: &str| FileCheckpoints::new(&path, search, Duration::ZERO);
        assert_eq!(file("one").resume(), None);
        let state = SearchState::before(42);
        file("one\nline").keep(&state);
        assert_eq!(file("one line").resume(), Some(state));
        assert_eq!(file("another").resume(), None);
        file("one line").remove().unwrap();
        assert!(!path.exists() && file("one line").take_error().is_none());
        std::fs::write(&path, "a file is no directory").unwrap();
        let nowhere = FileCheckpoints::new(&path.join("below"), "one", Duration::ZERO);
        nowhere.keep(&SearchState::before(1));
        assert!(nowhere.take_error().is_some());
    }
}
