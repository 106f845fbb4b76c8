//! A long build that resumes where it was stopped.
//!
//! A build in steps saves its state now and then ([`Unfinished::keep`]): the body as it is, and the
//! number of steps done. The next process that builds the same table resumes from it. The state is a
//! table file of its own, published like any other, so a kill at any moment leaves the last complete
//! one. Its header has the number of steps where a table has its depth, and its pattern says that it
//! is unfinished, so it is never taken for the table.
//!
//! A file that is damaged, of another version, or not [trusted](Trust), is removed.

use crate::clock::Instant;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::cast::to_u64;
use crate::memory::Memory;
use crate::pace::Pace;
use crate::progress::Cancel;
use crate::run::Run;
use crate::storage::{DataFile, remove};
use crate::table::error::FileError;
use crate::table::file;
use crate::table::format::{Encoding, Header, Kind, Spec};
use crate::table::trust::Trust;

/// The version of the steps, raised whenever the steps of a build change, so that no build resumes from
/// steps of another kind.
const STEPS: u32 = 2;

/// Where a build saves its state, if anywhere.
#[derive(Debug, Default)]
pub struct Unfinished(Option<UnfinishedFile>);

#[derive(Debug)]
struct UnfinishedFile {
    path: PathBuf,
    partial: PathBuf,
    spec: Spec,
    generator: String,
    trust: Trust,
    pace: Mutex<Pace>,
}

impl UnfinishedFile {
    fn pace(&self) -> MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, spec: &Spec, parts: &[&[u8]], steps: u32, run: &Run<'_>) -> Result<(), FileError> {
        let directory = self.path.parent().expect("a file of a store lies in its directory");
        // For this and, later, for the table.
        let needed = spec.body_len() + self.spec.body_len() + (2 << 20);
        file::require_space(directory, needed)?;
        let header = file::describe_parts(spec, steps, &self.generator, parts, run);
        file::publish_parts(&self.path, &self.partial, &header, parts, &run.with_cancel(&Cancel::new()))
    }

    /// The specification of a saved state of `bytes` bytes other than the table's body; `name` names its meaning.
    fn state(&self, name: &str, bytes: u64) -> Spec {
        let pattern = format!("{}, {name}", self.spec.pattern);
        Spec {
            kind: Kind::Data,
            pattern,
            bits: 8,
            encoding: Encoding::Opaque,
            entries: bytes,
            ..self.spec.clone()
        }
    }

    /// The number of steps done according to the header that `load` returns. If the file is damaged, another one or not
    /// trusted, it is removed and the result is `None`.
    fn steps<T>(
        &self,
        steps: u32,
        load: impl FnOnce(&DataFile) -> Result<(Header, T), FileError>,
        run: &Run<'_>,
    ) -> Result<Option<(T, u32)>, FileError> {
        let file = DataFile::open(&self.path)?;
        if self.trust.covers(&file)? {
            match load(&file) {
                Ok((Header { depth, .. }, loaded)) if depth <= steps => {
                    run.progress().note(&format!("resuming after {depth} steps of an earlier build"));
                    return Ok(Some((loaded, depth)));
                }
                Ok(_) | Err(FileError::Format(_)) => {}
                Err(error) => return Err(error),
            }
        }
        run.progress().note(
            "an earlier build left a file that is damaged, of another version or not trusted: starting anew",
        );
        remove(&self.path)?;
        Ok(None)
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
        (generator, trust): (&str, Trust),
        pause: Duration,
    ) -> Unfinished {
        let spec = Spec {
            pattern: format!("{}; unfinished, steps {STEPS}", spec.pattern),
            complete: false,
            ..spec.clone()
        };
        let pace = Mutex::new(Pace::new(pause));
        let generator = generator.to_owned();
        Unfinished(Some(UnfinishedFile { path, partial, spec, generator, trust, pace }))
    }

    /// The body that an earlier build left, and the number of steps done, of `steps` in all.
    ///
    /// # Errors
    /// [`FileError`]: cancelled, no memory, or the file cannot be read; it is kept then. A damaged file, or
    /// one with more steps, is no error: it is removed.
    pub fn resume(&self, steps: u32, run: &Run<'_>) -> Result<Option<(Memory, u32)>, FileError> {
        let Some(file) = &self.0 else { return Ok(None) };
        if !file.path.exists() {
            return Ok(None);
        }
        let load = |open: &DataFile| file::read(open, &file.spec, run);
        file.steps(steps, load, run)
    }

    /// Fills `parts` with the state that [`keep_parts`](Unfinished::keep_parts) saved under this name. Returns the
    /// number of steps done, of `steps` in all; `None` if there is no such state, and then the contents of
    /// `parts` are unspecified.
    ///
    /// # Errors
    /// As [`resume`](Unfinished::resume).
    pub fn resume_parts(
        &self,
        name: &str,
        parts: &mut [&mut [u8]],
        steps: u32,
        run: &Run<'_>,
    ) -> Result<Option<u32>, FileError> {
        let Some(file) = &self.0 else { return Ok(None) };
        if !file.path.exists() {
            return Ok(None);
        }
        let spec = file.state(name, parts.iter().map(|part| to_u64(part.len())).sum());
        let load = |open: &DataFile| file::load_parts(open, &spec, parts, run).map(|header| (header, ()));
        Ok(file.steps(steps, load, run)?.map(|((), steps)| steps))
    }

    /// Whether it is time to save the state: the work since the last time is worth the writing.
    pub fn is_due(&self, run: &Run<'_>) -> bool {
        self.0.as_ref().is_some_and(|file| {
            if run.is_cancelled() { file.pace().is_worth() } else { file.pace().is_due() }
        })
    }

    /// When it is time to save the state, if the build is not cancelled.
    pub fn due(&self) -> Option<Instant> {
        self.0.as_ref().and_then(|file| file.pace().due())
    }

    /// Saves `body`, after `steps` steps, in place of the last one; also when the build is cancelled. If
    /// that fails, or the disk has no room for it and the table, the build continues without it and notes
    /// why.
    pub fn keep(&self, body: &[u8], steps: u32, run: &Run<'_>) {
        if let Some(file) = &self.0 {
            self.keep_as(&file.spec, &[body], steps, run);
        }
    }

    /// [`keep`](Unfinished::keep) of a state that is not the table's body: several parts, whose meaning has this
    /// name.
    pub fn keep_parts(&self, name: &str, parts: &[&[u8]], steps: u32, run: &Run<'_>) {
        if let Some(file) = &self.0 {
            let spec = file.state(name, parts.iter().map(|part| to_u64(part.len())).sum());
            self.keep_as(&spec, parts, steps, run);
        }
    }

    fn keep_as(&self, spec: &Spec, parts: &[&[u8]], steps: u32, run: &Run<'_>) {
        let Some(file) = &self.0 else { return };
        if let Err(error) = file.pace().save(|| file.keep(spec, parts, steps, run)) {
            run.progress().note(&format!("the state of the build is not saved: {error}"));
        }
    }

    /// Removes the file: the table exists now.
    pub(super) fn remove(&self) -> Result<(), FileError> {
        if let Some(file) = &self.0 {
            remove(&file.path)?;
        }
        Ok(())
    }
}
