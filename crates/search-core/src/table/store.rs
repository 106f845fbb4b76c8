//! Directories of tables, each built on first use.
//!
//! Tables are read from all directories, in order, and written to the first that can be written. A table that takes at
//! most a minute to build is built in memory where there is none; it is gone with the process. What another user can
//! have written is [proved](Trust) before it is used.
//!
//! Table NAME is the file `NAME.table`. There may also be `NAME.lock`, an empty file that a process
//! locks while it builds or removes the table; `NAME.partial`, a table that is being written; and
//! `NAME.unfinished`, the state of a long build that was stopped.
//!
//! Of two processes that need the same missing table, the one that gets the lock builds it; the
//! other waits for the lock and then finds the table. The system releases the lock of a process that
//! dies, however it dies; the partial file that it leaves is removed by the next process that holds
//! the lock. Lock files stay: removing one would let two processes lock two different files.

use std::io::ErrorKind::{NotFound, PermissionDenied, ReadOnlyFilesystem};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use crate::record::TableUse;
use crate::run::Run;
use crate::storage::{
    DataFile, IoError, Lock, create_directory, file_bytes, file_names, is_writable, remove,
};
use crate::table::error::{FileError, FormatError, TableError};
use crate::table::file::{self, Table};
use crate::table::format::{Header, Spec};
use crate::table::proof::Proof;
use crate::table::recipe::{Built, Recipe};
use crate::table::tables::{Tables, most_memory, one_by_one};
use crate::table::trust::Trust;
use crate::table::unfinished::Unfinished;

/// The interval at which a waiting process tries the lock.
const POLL: Duration = Duration::from_millis(50);
// The endings of files.
const TABLE: &str = "table";
const PARTIAL: &str = "partial";
const UNFINISHED: &str = "unfinished";
const LOCK: &str = "lock";
/// The working time after which a build saves its state.
const PAUSE: Duration = Duration::from_secs(60);

/// The longest estimated seconds of a build whose table no directory keeps.
const MOST_SECONDS: f64 = 60.0;

/// Directories of tables.
#[derive(Clone, Debug)]
pub struct Store {
    dirs: Vec<PathBuf>,
    generator: String,
    pause: Duration,
    trust: Trust,
}

/// A file of the store that has the name of a table.
#[derive(Debug)]
pub struct Entry {
    /// The table's name.
    pub name: String,
    /// The bytes of the file.
    pub bytes: u64,
    /// The header of the table, or its error.
    pub header: Result<Header, TableError>,
}

impl Entry {
    /// Whether the file begins as tables do.
    pub fn is_table(&self) -> bool {
        let problem = self.header.as_ref().err().map(|error| &error.problem);
        !matches!(problem, Some(FileError::Format(FormatError::NotATable)))
    }
}

impl Store {
    /// The store in the directory `dir`, which is made when the first table is built. `generator`
    /// is the program's name and version, for the headers of new tables.
    pub fn new(dir: impl Into<PathBuf>, generator: impl Into<String>) -> Store {
        Store::over([dir.into()], generator)
    }

    /// The store in several directories, or in none.
    pub fn over(dirs: impl IntoIterator<Item = PathBuf>, generator: impl Into<String>) -> Store {
        let (dirs, generator) = (dirs.into_iter().collect(), generator.into());
        Store { dirs, generator, pause: PAUSE, trust: Trust::default() }
    }

    /// The same store, where builds in steps save their state after each `pause` (a minute otherwise).
    #[must_use]
    pub fn keeping_after(self, pause: Duration) -> Store {
        Store { pause, ..self }
    }

    /// The same store, which reads these tables without a proof of their entries.
    #[must_use]
    pub fn trusting(self, trust: Trust) -> Store {
        Store { trust, ..self }
    }

    /// The directories, in the order in which they are read.
    pub fn dirs(&self) -> &[PathBuf] {
        &self.dirs
    }

    /// The directory that tables are written to: the first that can be written. It is made if it does not exist.
    ///
    /// # Errors
    /// [`IoError`] of a directory that cannot be made for another reason than missing permission.
    pub fn writes_to(&self) -> Result<Option<&Path>, IoError> {
        for dir in &self.dirs {
            match create_directory(dir) {
                Ok(()) if is_writable(dir) => return Ok(Some(dir)),
                Err(IoError { error, path })
                    if !matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem) =>
                {
                    return Err(IoError { path, error });
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// The file of the table `name` in the first directory that has it, or in the first if none has.
    pub fn path(&self, name: &str) -> PathBuf {
        self.file(name, TABLE)
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
        Ok(self.files(TABLE)?.into_iter().map(entry).collect())
    }

    /// The tables whose build was stopped and can be resumed, by name, and the bytes of what it left.
    ///
    /// # Errors
    /// When the directory exists and cannot be read.
    pub fn list_unfinished(&self) -> Result<Vec<(String, u64)>, IoError> {
        self.files(UNFINISHED)
    }

    /// The tables that have a file with this ending, by name, and the bytes of each.
    fn files(&self, ending: &str) -> Result<Vec<(String, u64)>, IoError> {
        let mut files = Vec::new();
        for dir in &self.dirs {
            match file_names(dir) {
                Err(error) if error.error.kind() == NotFound => {}
                names => files.extend(names?),
            }
        }
        let named = |file: &String| Some(file.strip_suffix(ending)?.strip_suffix('.')?.to_owned());
        let sized = |name: String| {
            let bytes = file_bytes(&self.file(&name, ending)).unwrap_or(0);
            (name, bytes)
        };
        let names = files.iter().filter_map(named).filter(|name| is_name(name));
        let mut found: Vec<_> = names.map(sized).collect();
        found.sort();
        found.dedup();
        Ok(found)
    }

    /// Reads the whole table `name` and compares every block with its checksum.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn verify(&self, name: &str, run: &Run<'_>) -> Result<Header, TableError> {
        self.named(name, || file::verify(&self.path(name), run))
    }

    /// Reads the whole table of `recipe`, verifies every block and [proves](Recipe::prove) its contents.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn prove(&self, recipe: &dyn Recipe, run: &Run<'_>) -> Result<(Header, Proof), TableError> {
        let name = recipe.name();
        self.named(&name, || {
            let Table { header, body, .. } = file::load(&self.path(&name), &recipe.spec(), run)?;
            Ok((header, recipe.prove(&body, run)?))
        })
    }

    /// Removes the table `name`, whatever its file holds, and what an unfinished build of it left.
    /// Returns whether either existed.
    ///
    /// # Errors
    /// [`TableError`], with [`FileError::Busy`] when another process is building the table.
    pub fn remove(&self, name: &str) -> Result<bool, TableError> {
        self.named(name, || {
            let (table, unfinished) = (self.path(name), self.unfinished_path(name));
            let table = if table.exists() { table } else { unfinished.with_extension(TABLE) };
            if !table.parent().is_some_and(Path::is_dir) {
                return Ok(false);
            }
            let beside = |ending| beside(&table, ending);
            let _lock = Lock::try_take(&beside(LOCK))?.ok_or(FileError::Busy)?;
            remove(&beside(PARTIAL))?;
            let unfinished = remove(&beside(UNFINISHED))?;
            Ok(remove(&table)? || unfinished)
        })
    }

    /// Loads the table of `recipe`, which is built and published first if it does not exist. The
    /// memory budget of `run` and free disk space are checked before; while another process builds the
    /// same table, this one waits for it.
    ///
    /// A file that is damaged, foreign, forged or of another version is an error and stays: the caller shows
    /// the user the remedy. The entries of a table that is not [trusted](Trust) are proved.
    ///
    /// # Errors
    /// [`TableError`].
    ///
    /// # Panics
    /// If the recipe builds a body of another length than its spec announces.
    pub fn get<R: Recipe + ?Sized>(&self, recipe: &R, run: &Run<'_>) -> Result<Table, TableError> {
        self.check_memory([recipe], run)?;
        self.get_or(recipe, run, |unfinished| recipe.build(unfinished, run))
    }

    /// The tables of several recipes, as [`get`](Store::get) obtains them one by one. The memory budget
    /// is checked for all together, before the first.
    ///
    /// # Errors
    /// [`TableError`].
    ///
    /// # Panics
    /// If a recipe builds a body of another length than its spec announces.
    pub fn get_all<R: Recipe>(&self, recipes: &[R], run: &Run<'_>) -> Result<Vec<Table>, TableError> {
        Tables::tables(self, recipes, run)
    }

    /// Refuses recipes whose tables, loaded or built one by one, take more memory than the budget of
    /// `run`.
    ///
    /// # Errors
    /// [`FileError::OverBudget`] of the table at which most memory is needed.
    pub fn check_memory<'a, R: Recipe + ?Sized + 'a>(
        &self,
        recipes: impl IntoIterator<Item = &'a R>,
        run: &Run<'_>,
    ) -> Result<(), TableError> {
        let (table, others, name) = most_memory(recipes, |name| self.contains(name));
        if others.saturating_add(table) <= run.memory() {
            return Ok(());
        }
        let problem = FileError::OverBudget { table, others, budget: run.memory() };
        Err(problem.of(&name, &self.path(&name)))
    }

    /// The table of `recipe`, whose build is `built`: published, or loaded if it exists already.
    ///
    /// # Errors
    /// [`TableError`].
    ///
    /// # Panics
    /// If the body has another length than the recipe's spec announces.
    pub fn keep<R: Recipe>(&self, recipe: &R, built: Built, run: &Run<'_>) -> Result<Table, TableError> {
        self.get_or(recipe, run, |_| Ok(built))
    }

    /// The table of `recipe`, built by `build` if it does not exist.
    fn get_or<R: Recipe + ?Sized>(
        &self,
        recipe: &R,
        run: &Run<'_>,
        build: impl FnOnce(&Unfinished) -> Result<Built, FileError>,
    ) -> Result<Table, TableError> {
        let (name, spec) = (&recipe.name(), &recipe.spec());
        self.named(name, || {
            let path = self.path(name);
            let load = |path: &Path| {
                let table = self.load(path, recipe, spec, run)?;
                // A build that was killed just after it published the table left this. It only takes space.
                let _ = remove(&beside(path, UNFINISHED));
                Ok(table)
            };
            if path.exists() {
                return load(&path);
            }
            let Some(dir) = self.writes_to()? else { return self.unkept(recipe, build, run) };
            let path = dir.join(format!("{name}.{TABLE}"));
            let _lock = self.lock(&path, name, run)?;
            if path.exists() {
                return load(&path);
            }
            let (kept, partial) = (beside(&path, UNFINISHED), beside(&path, PARTIAL));
            remove(&partial)?;
            // A header is at most a few pages and 8 bytes for each block of 4 MiB.
            file::require_space(dir, recipe.bytes() + recipe.bytes() / 4096 + (1 << 20))?;
            let unfinished =
                Unfinished::at(kept, partial.clone(), spec, (&self.generator, self.trust), self.pause);
            let Built { body, depth } = build(&unfinished)?;
            let header = file::describe(spec, depth, &self.generator, &body, run);
            file::publish(&path, &partial, &header, &body, run)?;
            unfinished.remove()?;
            Ok(Table { path, header, body })
        })
    }

    /// Loads a table, and proves its entries unless it is trusted.
    fn load<R: Recipe + ?Sized>(
        &self,
        path: &Path,
        recipe: &R,
        spec: &Spec,
        run: &Run<'_>,
    ) -> Result<Table, FileError> {
        let file = DataFile::open(path)?;
        let is_trusted = self.trust.covers(&file)?;
        let table = file::load_open(&file, spec, run)?;
        if is_trusted {
            return Ok(table);
        }
        if self.trust == Trust::Own {
            let name = recipe.name();
            run.progress().remark(&format!("another user can have written {name}: its entries are proved"));
        }
        match recipe.prove(&table.body, run)? {
            proof if proof.is_complete() => Ok(table),
            _ => Err(FileError::Unproved),
        }
    }

    /// Builds a table that no directory keeps.
    fn unkept<R: Recipe + ?Sized>(
        &self,
        recipe: &R,
        build: impl FnOnce(&Unfinished) -> Result<Built, FileError>,
        run: &Run<'_>,
    ) -> Result<Table, FileError> {
        if recipe.build_seconds(run.threads()) > MOST_SECONDS {
            return Err(FileError::NoDirectory);
        }
        let name = recipe.name();
        let remark =
            format!("no directory of tables can be written, so {name} is built in memory and not kept");
        run.progress().remark(&remark);
        let Built { body, depth } = build(&Unfinished::NOWHERE)?;
        let header = file::describe(&recipe.spec(), depth, &self.generator, &body, run);
        Ok(Table { path: format!("{name}.{TABLE}").into(), header, body })
    }

    /// The file that an unfinished build of the table `name` left, in the first directory that has it, or in the first
    /// if none has.
    pub fn unfinished_path(&self, name: &str) -> PathBuf {
        self.file(name, UNFINISHED)
    }

    fn file(&self, name: &str, ending: &str) -> PathBuf {
        let file = format!("{name}.{ending}");
        let path = |dir: &PathBuf| dir.join(&file);
        let found = self.dirs.iter().map(path).find(|path| path.exists());
        found.or_else(|| self.dirs.first().map(path)).unwrap_or_else(|| file.clone().into())
    }

    /// Waits until no other process works on the table at `path`, and locks it.
    fn lock(&self, path: &Path, name: &str, run: &Run<'_>) -> Result<Lock, FileError> {
        let mut is_waiting = false;
        loop {
            if let Some(lock) = Lock::try_take(&beside(path, LOCK))? {
                return Ok(lock);
            }
            if !is_waiting {
                run.progress().remark(&format!("waiting for another process that builds {name}"));
            }
            is_waiting = true;
            run.check()?;
            sleep(POLL);
        }
    }

    /// Runs `work` if a table can have this name; its error names the table.
    fn named<T>(&self, name: &str, work: impl FnOnce() -> Result<T, FileError>) -> Result<T, TableError> {
        let result = if is_name(name) { work() } else { Err(FileError::BadName) };
        result.map_err(|error| error.of(name, &self.path(name)))
    }
}

/// The file of a table with another ending.
fn beside(table: &Path, ending: &str) -> PathBuf {
    table.with_extension(ending)
}

/// Whether a table can have this name, so that every table is a file in the store's directory.
fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    (1..=100).contains(&name.len()) && !name.starts_with('.') && name.chars().all(is_plain)
}

impl Tables for Store {
    fn table(&self, recipe: &dyn Recipe, run: &Run<'_>) -> Result<Table, TableError> {
        self.get(recipe, run)
    }

    fn contains(&self, name: &str) -> bool {
        Store::contains(self, name)
    }

    fn used(&self, name: &str) -> TableUse {
        let header = file::open(&self.path(name));
        let checksum = header.map_or(String::new(), |(_, header)| header.checksum());
        TableUse { name: name.to_owned(), checksum }
    }

    fn all(&self, recipes: &[&dyn Recipe], run: &Run<'_>) -> Result<Vec<Table>, TableError> {
        self.check_memory(recipes.iter().copied(), run)?;
        one_by_one(recipes, run, |recipe, run| self.get(recipe, run))
    }
}
