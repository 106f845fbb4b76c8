//! The loop over the layers or times of a search, shared by all searches of this crate.

use crate::error::SearchError;
use search_core::Run;
use std::ops::ControlFlow::{self, Break, Continue};

/// Calls `step` until it ends the search, and reports the depth that it returns, of about `expected` (0 if unknown), under
/// the name `what`. A step searches one layer; it checks the limits before, saves checkpoints afterwards, and fails
/// when the run is cancelled.
///
/// # Errors
/// The error of `step`.
pub fn each_layer<E>(
    what: &str,
    expected: u32,
    run: &Run<'_>,
    mut step: impl FnMut() -> Result<ControlFlow<E, u32>, SearchError>,
) -> Result<E, SearchError> {
    run.progress().begin(what, expected.into());
    loop {
        match step()? {
            Continue(depth) => run.progress().update(depth.into()),
            Break(end) => {
                run.progress().end();
                return Ok(end);
            }
        }
    }
}
