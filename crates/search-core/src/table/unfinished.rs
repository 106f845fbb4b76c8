//! A long build that goes on where it was stopped.
//!
//! A build in steps hands over what it has now and then ([`Unfinished::keep`]): the body as it is
//! and how many steps are in it. The next process that builds the same table takes it up. It lies in
//! a table file of its own, published like any other, so a kill at any moment leaves the last one
//! that was complete. Its header has the steps where a table has its depth, and its pattern says
//! that it is unfinished, so it never passes for the table.
//!
//! A body that is damaged, or of another version, is removed.

use std::cell::Cell;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::memory::Memory;
use crate::progress::Cancel;
use crate::run::Run;
use crate::storage::remove;
use crate::table::error::FileError;
use crate::table::file;
use crate::table::format::Spec;

/// Raised whenever the steps of a build become others, so that none goes on from another's.
const STEPS: u32 = 2;
/// Writing may take this part of the time that it can save.
const SHARE: u32 = 20;
/// When a build is cancelled, work of this part of the pause is kept too.
const WORTH: u32 = 6;

/// Where a build keeps what it has done, if anywhere.
#[derive(Debug, Default)]
pub struct Unfinished(Option<Place>);

#[derive(Debug)]
struct Place {
    path: PathBuf,
    partial: PathBuf,
    spec: Spec,
    generator: String,
    pause: Duration,
    last: Cell<Instant>,
    /// How long the last one took to write.
    cost: Cell<Duration>,
}

impl Place {
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
    /// For a build that keeps nothing.
    pub const NOWHERE: Unfinished = Unfinished(None);

    /// For a build of the table that `spec` describes: in the file `path`, by way of `partial`, with
    /// a pause between two.
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
        Unfinished(Some(Place { path, partial, spec, generator: generator.to_owned(), pause, last, cost }))
    }

    /// The body that an earlier build left, and how many steps are in it.
    ///
    /// # Errors
    /// [`FileError`]: cancelled, or no memory. What is wrong with the file is no error: it is removed.
    pub fn take_up(&self, run: &Run<'_>) -> Result<Option<(Memory, u32)>, FileError> {
        let Some(place) = &self.0 else { return Ok(None) };
        if !place.path.exists() {
            return Ok(None);
        }
        let table = match file::load(&place.path, &place.spec, run) {
            Err(FileError::Format(_) | FileError::Io(_)) => None,
            loaded => Some(loaded?),
        };
        match table {
            Some(table) => {
                run.progress()
                    .note(&format!("going on after {} steps of an earlier build", table.header.depth));
                Ok(Some((table.body, table.header.depth)))
            }
            None => {
                run.progress()
                    .note("what an earlier build left is damaged or of another version: beginning anew");
                remove(&place.path)?;
                Ok(None)
            }
        }
    }

    /// Whether it is time to keep what is done: the work since the last time is worth the writing.
    pub fn is_due(&self, run: &Run<'_>) -> bool {
        self.0.as_ref().is_some_and(|place| {
            place.last.get().elapsed() >= if run.is_cancelled() { place.pause / WORTH } else { place.pause() }
        })
    }

    /// From when on it is time to keep what is done, if the build is not cancelled.
    pub fn due(&self) -> Option<Instant> {
        self.0.as_ref().map(|place| place.last.get() + place.pause())
    }

    /// Keeps `body`, which has `steps` steps in it, in place of the last one; also when the build is
    /// cancelled. Where that fails, or the disk has no room for it and the table, the build goes on
    /// without it, and that is said.
    pub fn keep(&self, body: &[u8], steps: u32, run: &Run<'_>) {
        let Some(place) = &self.0 else { return };
        let begun = Instant::now();
        if let Err(error) = place.keep(body, steps, run) {
            run.progress().note(&format!("what is done cannot be kept: {error}"));
        }
        place.last.set(Instant::now());
        place.cost.set(begun.elapsed());
    }

    /// Removes what was kept: the table is there.
    pub(super) fn remove(&self) -> Result<(), FileError> {
        if let Some(place) = &self.0 {
            remove(&place.path)?;
        }
        Ok(())
    }
}
