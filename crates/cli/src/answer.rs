//! The answer of a solver: the record of a search on standard output, its exit code, and on standard
//! error why the search did not find all solutions that were wanted.

use crate::args::{BoundArgs, Limits};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::instance::Origin;
use crate::output::Output;
use crate::session::Session;
use search_core::ida::{Incumbent, UpperBounds};
use search_core::record::RunRecord;
use search_core::{Ending, Op, Solution};
use serde::Serialize;
use std::time::Instant;

/// A better solution, as `--stream` prints it.
#[derive(Serialize)]
struct Better<'a> {
    instance: &'a str,
    /// The time since the search began.
    seconds: f64,
    lower_bound: u32,
    upper_bound: u32,
    solution: &'a Solution,
}

impl Session {
    /// The use of upper bounds for one instance. With `--stream`, each better solution is printed when it is found;
    /// `checked` returns it as it is printed, replayed by the referee.
    pub fn upper_bounds(
        &self,
        args: &BoundArgs,
        instance: &str,
        checked: impl Fn(&[Op]) -> Option<Solution> + Send + Sync + 'static,
    ) -> UpperBounds {
        let upper_bounds = args.upper_bounds();
        if !args.stream {
            return upper_bounds;
        }
        let (session, args, instance, begun) = (self.clone(), *args, instance.to_owned(), Instant::now());
        upper_bounds.incumbent(Incumbent::watched(move |best, lower_bound| {
            let Some(solution) = checked(&best.solution) else { return };
            session.better(&args, &instance, begun, (lower_bound, &solution));
        }))
    }

    /// With `--stream`, prints the lower bound and a better solution, which the referee has replayed, of a search that
    /// has `begun`.
    pub fn better(
        &self,
        args: &BoundArgs,
        instance: &str,
        begun: Instant,
        (lower_bound, solution): (u32, &Solution),
    ) {
        if args.stream {
            let seconds = begun.elapsed().as_secs_f64();
            let better = Better { instance, seconds, lower_bound, upper_bound: solution.length, solution };
            // If the reader has gone, writing the record fails too, and ends the work.
            let _ = self.output().object(&better);
        }
    }

    /// Writes the record of a search and returns its exit code. If the search did not find all
    /// solutions that were wanted, standard error says why. `origin` is the instance's place in its batch.
    ///
    /// # Errors
    /// As [`Output::run`].
    pub fn answer(
        &self,
        record: &RunRecord,
        origin: Option<Origin>,
        (limits, bounds): (&Limits, &BoundArgs),
        output: &mut Output,
    ) -> Result<Exit, Failure> {
        output.run(record)?;
        Ok(self.ended(record, origin, limits, *bounds))
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
        (limits, bounds): (&Limits, &BoundArgs),
        output: &mut Output,
    ) -> Result<Exit, Failure> {
        output.run_with(record, more)?;
        Ok(self.ended(record, origin, limits, *bounds))
    }

    /// The exit code of a search whose record is written.
    fn ended(&self, record: &RunRecord, origin: Option<Origin>, limits: &Limits, bounds: BoundArgs) -> Exit {
        let missing = match &record.result {
            Ending::Optimal { complete: true, .. } => return Exit::Done,
            Ending::Exhausted => return Exit::Malformed,
            ending if bounds.are_met(ending) && !ending.is_proved() => return Exit::Done,
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
