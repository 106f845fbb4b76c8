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

/// Answers every instance with `solve`, on all threads, one after the other. An interruption ends the
/// batch; the record of the instance at hand has the bound that was proved.
///
/// # Errors
/// The first failure of `solve`, as an exception.
pub fn answer<I: Sync>(
    py: Python<'_>,
    settings: &Settings,
    metric: &str,
    instances: &[(String, I)],
    callback: Option<Py<PyAny>>,
    mut solve: impl FnMut(&I, &Run<'_>) -> Result<Answer<Solution>, Failure> + Send,
) -> PyResult<Records> {
    let (records, stop) = supervise(py, &settings.run, callback, |run| {
        let mut records = Vec::with_capacity(instances.len());
        for (text, instance) in instances {
            if run.cancel().is_interrupted() {
                break;
            }
            let answer = solve(instance, run)?;
            let method = Method {
                metric: metric.to_owned(),
                heuristic: answer.used.heuristic.clone(),
                tables: answer.used.tables.clone(),
                threads: settings.run.threads(),
                seed: None,
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
