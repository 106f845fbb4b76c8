//! A list of instances, each answered by a record, in order.

use crate::failure::exception;
use crate::settings::{Settings, VERSION};
use crate::supervise::supervise;
use puzzle_cli::Failure;
use pyo3::prelude::*;
use search_core::record::{Answer, Method, RunRecord};
use search_core::{Run, Solution};

/// Records as JSON, and the exception that ended the batch early, if any.
pub type Records = (Vec<String>, Option<PyErr>);

/// Answers every instance with `solve`, on all threads, one after the other. If solutions are chosen at random, `seed` is that
/// of the first instance, and each further one has the next. An interruption ends the batch; the record of the instance at hand has the bound that was proved.
///
/// # Errors
/// The first failure of `solve`, as an exception.
pub fn answer<I: Sync>(
    py: Python<'_>,
    settings: &Settings,
    metric: &str,
    instances: &[(String, I)],
    callback: Option<Py<PyAny>>,
    seed: Option<u64>,
    mut solve: impl FnMut(&I, Option<u64>, &Run<'_>) -> Result<Answer<Solution>, Failure> + Send,
) -> PyResult<Records> {
    let (records, stop) = supervise(py, &settings.run, callback, |run| {
        let mut records = Vec::with_capacity(instances.len());
        for (place, (text, instance)) in (0..).zip(instances) {
            if run.cancel().is_interrupted() {
                break;
            }
            let seed = seed.map(|seed| seed.wrapping_add(place));
            let answer = solve(instance, seed, run)?;
            let method = Method {
                metric: metric.to_owned(),
                heuristic: answer.used.heuristic.clone(),
                tables: answer.used.tables.clone(),
                threads: settings.run.threads(),
                seed,
                version: VERSION.to_owned(),
            };
            let seconds = answer.seconds;
            let record = RunRecord::new(text.clone(), answer.into_report(), seconds, method);
            records.push(serde_json::to_string(&record).map_err(Failure::error)?);
        }
        Ok(records)
    });
    Ok((records.map_err(|failure: Failure| exception(&failure))?, stop))
}

/// The first move of a solution.
#[pyfunction]
pub fn first_move(length: u32, moves: String) -> String {
    Solution { length, moves }.first_move().to_owned()
}
