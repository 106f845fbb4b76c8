//! A list of instances, each answered by a record, in order.

use crate::failure::exception;
use crate::settings::{Limits, Settings, VERSION};
use crate::supervise::supervise;
use puzzle_cli::Failure;
use pyo3::prelude::*;
use search_core::record::{Method, RunRecord, TableUse, Used};
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

/// The result of one search, and the heuristics and tables that it used where they are not those of the batch.
pub struct Searched {
    report: Report<Solution>,
    used: Option<Used>,
}

impl From<Report<Solution>> for Searched {
    fn from(report: Report<Solution>) -> Searched {
        Searched { report, used: None }
    }
}

impl From<(Report<Solution>, Used)> for Searched {
    fn from((report, used): (Report<Solution>, Used)) -> Searched {
        Searched { report, used: Some(used) }
    }
}

impl Batch<'_> {
    /// Answers every instance with `solve`, on all threads, one after the other. An interruption ends the
    /// batch; the record of the instance at hand has the bound that was proved.
    ///
    /// # Errors
    /// The first failure of `solve`, as an exception.
    pub fn answer<I: Sync, S: Into<Searched>>(
        &self,
        py: Python<'_>,
        instances: &[(String, I)],
        callback: Option<Py<PyAny>>,
        solve: impl Fn(&I, &Run<'_>) -> Result<S, Failure> + Sync,
    ) -> PyResult<Records> {
        let (records, stop) = supervise(py, &self.settings.run, callback, |run| {
            let mut records = Vec::with_capacity(instances.len());
            for (text, instance) in instances {
                if run.cancel().is_interrupted() {
                    break;
                }
                let begun = Instant::now();
                let Searched { report, used } = solve(instance, &self.limits.run(run))?.into();
                let seconds = begun.elapsed().as_secs_f64();
                let record = RunRecord::new(text.clone(), report, seconds, self.method(used));
                records.push(serde_json::to_string(&record).map_err(Failure::error)?);
            }
            Ok(records)
        });
        Ok((records.map_err(|failure: Failure| exception(&failure))?, stop))
    }

    fn method(&self, used: Option<Used>) -> Method {
        let used = used.unwrap_or_else(|| Used::one(&*self.heuristic, self.tables));
        Method {
            metric: self.metric.to_owned(),
            heuristic: used.heuristic,
            tables: used.tables,
            threads: self.settings.run.threads(),
            seed: None,
            version: VERSION.to_owned(),
        }
    }
}
