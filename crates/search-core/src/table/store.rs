//! A directory of tables, each built when it is first wanted.
//!
//! A table NAME lies in `NAME.table`. Beside it may lie `NAME.lock`, an empty file that whoever
//! builds or removes the table holds locked, and `NAME.partial`, a table that is being written,
//! and `NAME.unfinished`, what a long build had done when it was stopped.
//!
//! Of two processes that want the same missing table, the one that gets the lock builds it; the
//! other waits for the lock and then finds the table. The system drops the lock of a process that
//! dies, however it dies; the partial file that it leaves is removed by the next one that holds the
//! lock. Lock files stay: to remove one would let two processes lock two different files.

use std::io::ErrorKind::NotFound;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use crate::memory::Memory;
use crate::pdb::Filled;
use crate::run::Run;
use crate::storage::{IoError, Lock, create_directory, file_bytes, file_names, remove};
use crate::table::error::{FileError, TableError};
use crate::table::file::{self, Table};
use crate::table::format::{Header, Spec};
use crate::table::unfinished::Unfinished;

/// How often a waiting process tries the lock.
const POLL: Duration = Duration::from_millis(50);
const EXTENSION: &str = "table";
const UNFINISHED: &str = "unfinished";
/// How long a build goes on before it keeps what it has done.
const PAUSE: Duration = Duration::from_secs(60);

/// A table that was just built, not yet on disk.
#[derive(Debug)]
pub struct Built {
    /// The entries, as the table's [`Spec`] describes them.
    pub body: Memory,
    /// The greatest distance that was reached.
    pub depth: u32,
}

impl<const BITS: u32> From<Filled<BITS>> for Built {
    fn from(filled: Filled<BITS>) -> Built {
        let depth = filled.histogram.max().map_or(0, u32::from);
        Built { body: filled.table.into_bytes(), depth }
    }
}

/// A directory of tables.
#[derive(Clone, Debug)]
pub struct Store {
    dir: PathBuf,
    generator: String,
    pause: Duration,
}

/// A file of the store that has the name of a table.
#[derive(Debug)]
pub struct Entry {
    /// The table's name.
    pub name: String,
    /// The bytes of the file.
    pub bytes: u64,
    /// What the table is, or what is wrong with it.
    pub header: Result<Header, TableError>,
}

impl Store {
    /// The store in the directory `dir`, which is made when the first table is built. `generator`
    /// is the program's name and version, for the headers of new tables.
    pub fn new(dir: impl Into<PathBuf>, generator: impl Into<String>) -> Store {
        Store { dir: dir.into(), generator: generator.into(), pause: PAUSE }
    }

    /// The same store, where builds in steps keep what they have done after each `pause` (a minute
    /// otherwise).
    #[must_use]
    pub fn keeping_after(self, pause: Duration) -> Store {
        Store { pause, ..self }
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The file of the table `name`, whether it exists or not.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.join(format!("{name}.{EXTENSION}"))
    }

    /// Whether there is a file for the table `name`.
    pub fn contains(&self, name: &str) -> bool {
        is_name(name) && self.path(name).exists()
    }

    /// All tables, by name. Only their headers are read.
    ///
    /// # Errors
    /// When the directory exists and cannot be read.
    pub fn list(&self) -> Result<Vec<Entry>, IoError> {
        let entry = |(name, bytes): (String, u64)| {
            let path = self.path(&name);
            let header = file::open(&path).map(|(_, header)| header).map_err(|error| error.of(&name, &path));
            Entry { name, bytes, header }
        };
        Ok(self.files(EXTENSION)?.into_iter().map(entry).collect())
    }

    /// The tables whose building was stopped and goes on where it was, by name, and the bytes that are
    /// kept for each.
    ///
    /// # Errors
    /// When the directory exists and cannot be read.
    pub fn list_unfinished(&self) -> Result<Vec<(String, u64)>, IoError> {
        self.files(UNFINISHED)
    }

    /// The tables that have a file with this ending, by name, and the bytes of each.
    fn files(&self, ending: &str) -> Result<Vec<(String, u64)>, IoError> {
        let files = match file_names(&self.dir) {
            Err(error) if error.error.kind() == NotFound => return Ok(Vec::new()),
            files => files?,
        };
        let named = |file: &String| Some(file.strip_suffix(ending)?.strip_suffix('.')?.to_owned());
        let sized = |name: String| {
            let bytes = file_bytes(&self.dir.join(format!("{name}.{ending}"))).unwrap_or(0);
            (name, bytes)
        };
        let names = files.iter().filter_map(named).filter(|name| is_name(name));
        let mut found: Vec<_> = names.map(sized).collect();
        found.sort();
        Ok(found)
    }

    /// Loads the table `name`, which has to be the one that `spec` describes.
    ///
    /// # Errors
    /// [`TableError`]; a missing table is an [`Io`](FileError::Io) error "not found".
    pub fn load(&self, name: &str, spec: &Spec, run: &Run<'_>) -> Result<Table, TableError> {
        self.named(name, || file::load(&self.path(name), spec, run))
    }

    /// Reads the whole table `name` and compares every block with its checksum.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn verify(&self, name: &str, run: &Run<'_>) -> Result<Header, TableError> {
        self.named(name, || file::verify(&self.path(name), run))
    }

    /// Removes the table `name`, whatever its file holds, and what an unfinished build of it left.
    /// Whether there was either.
    ///
    /// # Errors
    /// [`TableError`]: `Busy` when another process is building it.
    pub fn remove(&self, name: &str) -> Result<bool, TableError> {
        self.named(name, || {
            if !self.dir.exists() {
                return Ok(false);
            }
            let _lock = Lock::try_take(&self.lock_path(name))?.ok_or(FileError::Busy)?;
            remove(&self.partial(name))?;
            let unfinished = remove(&self.unfinished_path(name))?;
            Ok(remove(&self.path(name))? || unfinished)
        })
    }

    /// Loads the table `name`; if there is none, builds it, publishes it and returns it. Free disk
    /// space is checked before `build` is called. While another process builds the same table this
    /// one waits for it.
    ///
    /// A file that is there but damaged, foreign or of another version is an error and stays: the
    /// caller tells the user what helps.
    ///
    /// # Errors
    /// [`TableError`].
    ///
    /// # Panics
    /// If the body that `build` returns has not the length that `spec` announces.
    pub fn get_or_build(
        &self,
        name: &str,
        spec: &Spec,
        run: &Run<'_>,
        build: impl FnOnce() -> Result<Built, FileError>,
    ) -> Result<Table, TableError> {
        self.get_or_build_in_steps(name, spec, run, |_| build())
    }

    /// The same for a `build` that keeps what it has done, and takes up what an earlier one kept.
    ///
    /// # Errors
    /// [`TableError`].
    ///
    /// # Panics
    /// If the body that `build` returns has not the length that `spec` announces.
    pub fn get_or_build_in_steps(
        &self,
        name: &str,
        spec: &Spec,
        run: &Run<'_>,
        build: impl FnOnce(&Unfinished) -> Result<Built, FileError>,
    ) -> Result<Table, TableError> {
        self.named(name, || {
            let path = self.path(name);
            if path.exists() {
                return file::load(&path, spec, run);
            }
            create_directory(&self.dir)?;
            let _lock = self.lock(name, run)?;
            if path.exists() {
                return file::load(&path, spec, run);
            }
            remove(&self.partial(name))?;
            // A header is at most a few pages and 8 bytes for each block of 4 MiB.
            file::require_space(&self.dir, spec.body_len() + spec.body_len() / 4096 + (1 << 20))?;
            let unfinished = Unfinished::at(
                self.unfinished_path(name),
                self.partial(name),
                spec,
                &self.generator,
                self.pause,
            );
            let built = build(&unfinished)?;
            let table = self.publish(name, spec, built, run)?;
            unfinished.remove()?;
            Ok(table)
        })
    }

    fn publish(&self, name: &str, spec: &Spec, built: Built, run: &Run<'_>) -> Result<Table, FileError> {
        let Built { body, depth } = built;
        let header = file::describe(spec, depth, &self.generator, &body, run);
        file::publish(&self.path(name), &self.partial(name), &header, &body, run)?;
        Ok(Table { header, body })
    }

    fn partial(&self, name: &str) -> PathBuf {
        self.dir.join(format!("{name}.partial"))
    }

    /// The file of what an unfinished build left.
    pub fn unfinished_path(&self, name: &str) -> PathBuf {
        self.dir.join(format!("{name}.{UNFINISHED}"))
    }

    fn lock_path(&self, name: &str) -> PathBuf {
        self.dir.join(format!("{name}.lock"))
    }

    /// Waits until no other process works on the table `name`, and locks it.
    fn lock(&self, name: &str, run: &Run<'_>) -> Result<Lock, FileError> {
        let mut waiting = false;
        let result = loop {
            match Lock::try_take(&self.lock_path(name)) {
                Ok(Some(lock)) => break Ok(lock),
                Err(error) => break Err(error.into()),
                Ok(None) if !waiting => {
                    waiting = true;
                    run.progress().begin(&format!("waiting for another process that builds {name}"), 0);
                }
                Ok(None) => sleep(POLL),
            }
            if let Err(cancelled) = run.check() {
                break Err(cancelled.into());
            }
        };
        if waiting {
            run.progress().end();
        }
        result
    }

    /// Runs `work` if `name` can be a table's, and says which table failed if it fails.
    fn named<T>(&self, name: &str, work: impl FnOnce() -> Result<T, FileError>) -> Result<T, TableError> {
        let result = if is_name(name) { work() } else { Err(FileError::BadName) };
        result.map_err(|error| error.of(name, &self.path(name)))
    }
}

/// Whether a table can have this name: so that every name is a file in the store's directory.
fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    (1..=100).contains(&name.len()) && !name.starts_with('.') && name.chars().all(is_plain)
}
