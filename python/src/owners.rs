//! Owners of blocks of a complete search of Hanoi, for the processes of a cluster. Messages travel as bytes, times are
//! saved as files. See `hanoi4::corners::owner` for the invariant.

use crate::failure::exception;
use crate::settings::Settings;
use crate::supervise::supervise_until;
use crate::units::Stop;
use hanoi4::corners::owner::{Owner, OwnerError, Sharing};
use hanoi4::presumed::four_peg_length;
use puzzle_cli::Failure;
use puzzle_cli::format::{format_bytes, whole_mebibytes};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use search_core::Run;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

fn failure(error: OwnerError) -> PyErr {
    let failure = match error {
        OwnerError::Refused(words) => Failure::usage(words),
        error => Failure::error(error),
    };
    exception(&failure)
}

/// How so many workers share a search: the number of small discs, that of blocks, the bytes that each worker needs, and the
/// presumed length. Without `small`, the best number that the memory of a worker allows.
///
/// # Errors
/// `InvalidArgument` for numbers out of range, and where the memory is too small.
#[pyfunction]
pub fn tower_sharing(
    discs: u32,
    small: Option<u32>,
    owners: u32,
    threads: usize,
    memory: &str,
) -> PyResult<(u32, u32, u64, u32)> {
    let memory = Settings::new(None, Some(memory), None)?.run.memory();
    // Refuses what is out of range, before the memory is compared.
    Sharing::new(discs, small.unwrap_or_else(|| discs.min(12)), owners).map_err(failure)?;
    let found = small.map_or_else(|| Sharing::fitting(discs, owners, threads, memory), Ok);
    let bytes = |small| Sharing { discs, small, owners }.bytes(threads);
    match found.map(|small| (small, bytes(small))) {
        Ok((small, need)) if need <= memory => {
            let sharing = Sharing::new(discs, small, owners).map_err(failure)?;
            Ok((small, sharing.blocks(), need, four_peg_length(discs)))
        }
        Ok((_, need)) | Err(need) => {
            let message = format!(
                "{discs} discs need {} of memory on each of {owners} workers, which have {}",
                format_bytes(need),
                format_bytes(memory)
            );
            let remedy = format!("use more workers, or give memory={:?}", whole_mebibytes(need));
            Err(exception(&Failure::usage(message).with_remedy(remedy)))
        }
    }
}

/// The bytes of memory that this process may use.
#[pyfunction]
pub fn safe_memory() -> u64 {
    puzzle_cli::memory::safe_share()
}

/// The owner of a range of blocks.
#[pyclass(frozen)]
pub struct TowerOwner {
    owner: Mutex<Owner>,
    run: Run<'static>,
}

impl TowerOwner {
    /// Does `work` with the owner; one piece of work at a time.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        stop: &Bound<'_, Stop>,
        work: impl FnOnce(&mut Owner, &Run<'_>) -> Result<T, OwnerError> + Send,
    ) -> PyResult<T> {
        let work = |run: &Run<'_>| work(&mut self.owner.lock().unwrap_or_else(PoisonError::into_inner), run);
        match supervise_until(py, &self.run, &stop.get().0, None, work) {
            (_, Some(interruption)) => Err(interruption),
            (result, None) => result.map_err(failure),
        }
    }
}

#[pymethods]
impl TowerOwner {
    /// The owner `number` of `owners`, at the beginning, or from files that owners have saved.
    #[new]
    #[expect(clippy::too_many_arguments, reason = "the arguments of the Python class")]
    fn new(
        py: Python<'_>,
        discs: u32,
        small: u32,
        owners: u32,
        number: u32,
        threads: usize,
        files: Vec<PathBuf>,
        stop: &Bound<'_, Stop>,
    ) -> PyResult<TowerOwner> {
        let sharing = Sharing::new(discs, small, owners).map_err(failure)?;
        let run = Settings::new(Some(threads), None, None)?.run;
        let work = |run: &Run<'_>| match files.is_empty() {
            true => Owner::new(sharing, number, run),
            false => Owner::restore(sharing, number, &files, run),
        };
        match supervise_until(py, &run, &stop.get().0, None, work) {
            (_, Some(interruption)) => Err(interruption),
            (owner, None) => Ok(TowerOwner { owner: Mutex::new(owner.map_err(failure)?), run }),
        }
    }

    /// The time whose corners are processed next, whether there are any, the first block and the one after the last, and the
    /// length where it is known here.
    fn state(&self, py: Python<'_>, stop: &Bound<'_, Stop>) -> PyResult<(u32, bool, u32, u32, Option<u32>)> {
        self.with(py, stop, |owner, _| {
            let blocks = owner.range();
            Ok((owner.now(), owner.is_pending(), blocks.start, blocks.end, owner.length()))
        })
    }

    /// Accepts one message of each other owner.
    fn receive(&self, py: Python<'_>, messages: Vec<PyBackedBytes>, stop: &Bound<'_, Stop>) -> PyResult<()> {
        self.with(py, stop, |owner, run| owner.receive(&messages, run))
    }

    /// Processes the present time. Returns a message for each owner.
    fn send(&self, py: Python<'_>, stop: &Bound<'_, Stop>) -> PyResult<Vec<Py<PyBytes>>> {
        let messages = self.with(py, stop, Owner::send)?;
        Ok(messages.iter().map(|message| PyBytes::new(py, message).unbind()).collect())
    }

    /// Saves the times to a file.
    fn save(&self, py: Python<'_>, path: PathBuf, stop: &Bound<'_, Stop>) -> PyResult<()> {
        self.with(py, stop, |owner, run| owner.save(&path, run))
    }

    /// The states and the orbits of some blocks at each depth.
    fn count(
        &self,
        py: Python<'_>,
        first: u32,
        end: u32,
        stop: &Bound<'_, Stop>,
    ) -> PyResult<(Vec<u64>, Vec<u64>)> {
        let layers = self.with(py, stop, |owner, run| owner.count(first..end, run))?;
        Ok(layers.iter().map(|layer| (layer.states, layer.orbits)).unzip())
    }
}
