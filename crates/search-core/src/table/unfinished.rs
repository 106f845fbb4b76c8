//! A long build that resumes where it was stopped.
//!
//! A build in steps saves its state now and then ([`Unfinished::keep`]): the body as it is, and the
//! number of steps done. The next process that builds the same table resumes from it. The state is a
//! table file of its own, published like any other, so a kill at any moment leaves the last complete
//! one. Its header has the number of steps where a table has its depth, and its pattern says that it
//! is unfinished, so it is never taken for the table.
//!
//! A file that is damaged, or of another version, is removed.

use std::cell::Cell;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::memory::Memory;
use crate::progress::Cancel;
use crate::run::Run;
use crate::storage::remove;
use crate::table::error::FileError;
use crate::table::file::{self, Table};
use crate::table::format::Spec;

/// The version of the steps, raised whenever the steps of a build change, so that no build resumes from
/// steps of another kind.
const STEPS: u32 = 2;
/// The pause is at least this many times as long as writing takes.
const SHARE: u32 = 20;
/// A cancelled build saves its state if it has worked for this fraction of the pause.
const WORTH: u32 = 6;

/// Where a build saves its state, if anywhere.
#[derive(Debug, Default)]
pub struct Unfinished(Option<UnfinishedFile>);

#[derive(Debug)]
struct UnfinishedFile {
    path: PathBuf,
    partial: PathBuf,
    spec: Spec,
    generator: String,
    pause: Duration,
    last: Cell<Instant>,
    /// How long writing took last time.
    cost: Cell<Duration>,
}

impl UnfinishedFile {
    fn pause(&self) -> Duration {
        self.pause.max(SHARE * self.cost.get())
    }

    fn keep(&self, body: &[u8], steps: u32, run: &Run<'_>) -> Result<(), FileError> {
        let directory = self.path.parent().expect("a file of a store lies in its directory");
        // For this and, later, for the table.
        let needed = 2 * (self.spec.body_len() + (1 << 20));
        file::require_space(directory, needed)?;
        let header = file::describe(&self.spec, steps, &self.generator, body, run);
        file::publish(&self.path, &self.partial, &header, body, &run.with_cancel(&Cancel::new()))
    }
}

impl Unfinished {
    /// For a build that saves nothing.
    pub const NOWHERE: Unfinished = Unfinished(None);

    /// For a build of the table that `spec` describes: in the file `path`, by way of `partial`, after
    /// each `pause`.
    pub(super) fn at(
        path: PathBuf,
        partial: PathBuf,
        spec: &Spec,
        generator: &str,
        pause: Duration,
    ) -> Unfinished {
        let spec = Spec {
            pattern: format!("{}; unfinished, steps {STEPS}", spec.pattern),
            complete: false,
            ..spec.clone()
        };
        let (last, cost) = (Cell::new(Instant::now()), Cell::default());
        Unfinished(Some(UnfinishedFile {
            path,
            partial,
            spec,
            generator: generator.to_owned(),
            pause,
            last,
            cost,
        }))
    }

    /// The body that an earlier build left, and the number of steps done, of `steps` in all.
    ///
    /// # Errors
    /// [`FileError`]: cancelled, no memory, or the file cannot be read; it is kept then. A damaged file, or
    /// one with more steps, is no error: it is removed.
    pub fn take_up(&self, steps: u32, run: &Run<'_>) -> Result<Option<(Memory, u32)>, FileError> {
        let Some(file) = &self.0 else { return Ok(None) };
        if !file.path.exists() {
            return Ok(None);
        }
        match file::load(&file.path, &file.spec, run) {
            Ok(Table { header, body, .. }) if header.depth <= steps => {
                run.progress().note(&format!("resuming after {} steps of an earlier build", header.depth));
                return Ok(Some((body, header.depth)));
            }
            Ok(_) | Err(FileError::Format(_)) => {}
            Err(error) => return Err(error),
        }
        run.progress().note("an earlier build left a damaged file or one of another version: starting anew");
        remove(&file.path)?;
        Ok(None)
    }

    /// Whether it is time to save the state: the work since the last time is worth the writing.
    pub fn is_due(&self, run: &Run<'_>) -> bool {
        self.0.as_ref().is_some_and(|file| {
            file.last.get().elapsed() >= if run.is_cancelled() { file.pause / WORTH } else { file.pause() }
        })
    }

    /// When it is time to save the state, if the build is not cancelled.
    pub fn due(&self) -> Option<Instant> {
        self.0.as_ref().map(|file| file.last.get() + file.pause())
    }

    /// Saves `body`, after `steps` steps, in place of the last one; also when the build is cancelled. If
    /// that fails, or the disk has no room for it and the table, the build continues without it and notes
    /// why.
    pub fn keep(&self, body: &[u8], steps: u32, run: &Run<'_>) {
        let Some(file) = &self.0 else { return };
        let begun = Instant::now();
        if let Err(error) = file.keep(body, steps, run) {
            run.progress().note(&format!("the state of the build is not saved: {error}"));
        }
        file.last.set(Instant::now());
        file.cost.set(begun.elapsed());
    }

    /// Removes the file: the table exists now.
    pub(super) fn remove(&self) -> Result<(), FileError> {
        if let Some(file) = &self.0 {
            remove(&file.path)?;
        }
        Ok(())
    }
}
