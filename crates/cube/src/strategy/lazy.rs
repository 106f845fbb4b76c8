//! Tables that are loaded when a search needs them, and the progress of loading.

use crate::heuristics::Instructions;
use search_core::table::{TableError, Tables};
use search_core::{Prefixed, Run};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The source of tables for a working solver.
pub(super) struct Means<'a> {
    pub(super) tables: &'a dyn Tables,
    pub(super) run: &'a Run<'a>,
    /// Whether progress reports of loading begin with a name.
    pub(super) names_progress: bool,
    pub(super) instructions: Instructions,
}

impl Means<'_> {
    /// The same with less memory.
    pub(super) fn load<T>(
        &self,
        name: &str,
        memory: u64,
        load: impl FnOnce(&dyn Tables, &Run<'_>) -> Result<T, TableError>,
    ) -> Result<T, TableError> {
        let run = self.run.with_memory(memory);
        match self.names_progress {
            true => load(self.tables, &run.with_progress(&Prefixed::new(name, run.progress()))),
            false => load(self.tables, &run),
        }
    }
}

/// A value that is loaded once, when it is first needed. Other threads wait meanwhile.
pub(super) struct Lazy<T> {
    value: OnceLock<T>,
    loading: Mutex<()>,
}

impl<T> Lazy<T> {
    /// A value that is not loaded yet.
    pub(super) fn new() -> Lazy<T> {
        Lazy { value: OnceLock::new(), loading: Mutex::new(()) }
    }

    /// The value, if it is loaded.
    pub(super) fn get(&self) -> Option<&T> {
        self.value.get()
    }

    /// The value, loaded if necessary.
    pub(super) fn get_or_load<E>(&self, load: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let _alone = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let value = load()?;
        Ok(self.value.get_or_init(|| value))
    }
}
