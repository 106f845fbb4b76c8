//! The answer of a solver: the record of a search on standard output, its exit code, and on standard
//! error why the search did not find all solutions that were wanted.

use crate::args::Limits;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::instance::Origin;
use crate::output::Output;
use crate::session::Session;
use search_core::Ending;
use search_core::record::RunRecord;
use serde::Serialize;

impl Session {
    /// Writes the record of a search and returns its exit code. If the search did not find all
    /// solutions that were wanted, standard error says why. `origin` is the instance's place in its batch.
    ///
    /// # Errors
    /// As [`Output::run`].
    pub fn answer(
        &self,
        record: &RunRecord,
        origin: Option<Origin>,
        limits: &Limits,
        output: &mut Output,
    ) -> Result<Exit, Failure> {
        output.run(record)?;
        Ok(self.ended(record, origin, limits))
    }

    /// Answers like [`answer`](Session::answer). With `--json`, the record's object also has the fields of
    /// `more`.
    ///
    /// # Errors
    /// As [`Output::run`].
    pub fn answer_with(
        &self,
        record: &RunRecord,
        more: &impl Serialize,
        origin: Option<Origin>,
        limits: &Limits,
        output: &mut Output,
    ) -> Result<Exit, Failure> {
        output.run_with(record, more)?;
        Ok(self.ended(record, origin, limits))
    }

    /// The exit code of a search whose record is written.
    fn ended(&self, record: &RunRecord, origin: Option<Origin>, limits: &Limits) -> Exit {
        let missing = match &record.result {
            Ending::Optimal { complete: true, .. } => return Exit::Done,
            Ending::Exhausted => return Exit::Malformed,
            Ending::Optimal { .. } => "not all solutions were found".to_owned(),
            Ending::Bounded { lower_bound, .. } | Ending::Cancelled { lower_bound, .. }
                if *lower_bound > 1 =>
            {
                format!("no solution has fewer than {lower_bound} moves")
            }
            _ => "not solved".to_owned(),
        };
        if self.is_interrupted() {
            let place = origin.map(|origin| format!(" at {origin}")).unwrap_or_default();
            Failure::interrupted(format_args!("interrupted{place}: {missing}")).report();
            return Exit::Interrupted;
        }
        let place = origin.map(|origin| format!("{origin}: ")).unwrap_or_default();
        let why = match (&record.result, limits.max_depth) {
            (Ending::Bounded { .. }, Some(1)) => "not solved within 1 move".to_owned(),
            (Ending::Bounded { .. }, Some(depth)) => format!("not solved within {depth} moves"),
            (Ending::Bounded { .. }, None) => missing,
            _ => format!("stopped at the time limit: {missing}"),
        };
        self.remark(&format!("{place}{why}"));
        Exit::Unsolved
    }
}
