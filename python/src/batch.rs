//! A list of instances, each answered by a record, in order.

use crate::failure::exception;
use crate::settings::{Limits, Settings, VERSION};
use crate::supervise::supervise;
use puzzle_cli::Failure;
use pyo3::prelude::*;
use search_core::record::{Method, RunRecord, TableUse};
use search_core::{Report, Run, Solution};
use std::time::Instant;

/// Records as JSON, and the exception that ended the batch early, if any.
pub type Records = (Vec<String>, Option<PyErr>);

/// How a batch is searched.
pub struct Batch<'a> {
    /// The threads.
    pub settings: &'a Settings,
    /// When to give up on an instance.
    pub limits: Limits,
    /// The metric's name.
    pub metric: &'a str,
    /// The heuristic's name.
    pub heuristic: String,
    /// The tables that it reads.
    pub tables: &'a [TableUse],
}

impl Batch<'_> {
    /// Answers every instance with `solve`, on all threads, one after the other. An interruption ends the
    /// batch; the record of the instance at hand has the bound that was proved.
    ///
    /// # Errors
    /// The first failure of `solve`, as an exception.
    pub fn answer<I: Sync>(
        &self,
        py: Python<'_>,
        instances: &[(String, I)],
        callback: Option<Py<PyAny>>,
        solve: impl Fn(&I, &Run<'_>) -> Result<Report<Solution>, Failure> + Sync,
    ) -> PyResult<Records> {
        let (records, stop) = supervise(py, &self.settings.run, callback, |run| {
            let mut records = Vec::with_capacity(instances.len());
            for (text, instance) in instances {
                if run.cancel().is_interrupted() {
                    break;
                }
                let begun = Instant::now();
                let report = solve(instance, &self.limits.run(run))?;
                let seconds = begun.elapsed().as_secs_f64();
                let record = RunRecord::new(text.clone(), report, seconds, self.method());
                records.push(serde_json::to_string(&record).map_err(Failure::error)?);
            }
            Ok(records)
        });
        Ok((records.map_err(|failure: Failure| exception(&failure))?, stop))
    }

    fn method(&self) -> Method {
        Method {
            metric: self.metric.to_owned(),
            heuristic: self.heuristic.clone(),
            tables: self.tables.to_vec(),
            threads: self.settings.run.threads(),
            seed: None,
            version: VERSION.to_owned(),
        }
    }
}
