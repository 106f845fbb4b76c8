//! Rows of bytes: arrays of `uint8`, as Python's `bytes` and `bytearray`.

use crate::settings::Settings;
use crate::supervise::supervise_whole;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use search_core::Cancelled;
use std::ops::Range;

/// Rows between two checks for cancellation, and of one piece of work for a thread.
const ROWS: usize = 1 << 12;

/// The values of `each` for rows 0 to `count`, on all threads.
///
/// # Errors
/// The exception that interrupted it, or the one of the first row that `each` refuses.
pub fn values(
    py: Python<'_>,
    settings: &Settings,
    count: usize,
    each: impl Fn(Range<usize>, &mut Vec<u8>) -> PyResult<()> + Sync + Send,
) -> PyResult<Py<PyByteArray>> {
    let starts: Vec<usize> = (0..count).step_by(ROWS).collect();
    let parts = supervise_whole(py, &settings.run, None, |run| {
        run.map(&starts, |&start| {
            let mut part = Vec::with_capacity(ROWS);
            match run.check() {
                Ok(()) => each(start..(start + ROWS).min(count), &mut part).map(|()| Ok(part)),
                Err(Cancelled) => Ok(Err(Cancelled)),
            }
        })
    })?;
    let parts: Vec<Vec<u8>> =
        parts.into_iter().filter_map(|part| part.map(Result::ok).transpose()).collect::<PyResult<_>>()?;
    Ok(PyByteArray::new(py, &parts.concat()).unbind())
}

/// Rows that `make` writes, as one array.
pub fn rows<T>(
    py: Python<'_>,
    items: impl IntoIterator<Item = T>,
    mut make: impl FnMut(T, &mut Vec<u8>),
) -> Py<PyByteArray> {
    let mut bytes = Vec::new();
    for item in items {
        make(item, &mut bytes);
    }
    PyByteArray::new(py, &bytes).unbind()
}
