//! How a solver answers: the record of a search on standard output, its exit code, and a word on
//! standard error where it did not find all that was wanted.

use crate::batch::Origin;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Format, Output};
use crate::resume;
use crate::session::{Limits, Session};
use clap::CommandFactory;
use search_core::Ending;
use search_core::record::RunRecord;
use serde::Serialize;

impl Output {
    /// Writes the record of a search. As text: a line for each solution, its length and its moves;
    /// `>= N` where only a lower bound is proved.
    ///
    /// # Errors
    /// As [`line`](Output::line) and [`object`](Output::object).
    pub fn run(&mut self, record: &RunRecord) -> Result<(), Failure> {
        if self.format() == Format::Csv {
            return self.row(&Row::solved(record));
        }
        self.record(record, |record| match &record.result {
            Ending::Optimal { solutions, .. } => solutions.iter().map(ToString::to_string).collect(),
            Ending::Bounded { lower_bound } | Ending::Cancelled { lower_bound } => {
                vec![format!(">= {lower_bound}")]
            }
            Ending::Exhausted => vec!["no solution".to_owned()],
        })
    }
}

impl Session {
    /// Writes the record of a search and returns its exit code. Where the search did not find all
    /// that was wanted, standard error says why; after an interruption it has the command that
    /// resumes a batch of `A`'s instances. `origin` is the instance's place in its batch.
    ///
    /// # Errors
    /// As [`Output::run`].
    pub fn answer<A: CommandFactory>(
        &self,
        record: &RunRecord,
        origin: Option<Origin>,
        limits: &Limits,
        output: &mut Output,
    ) -> Result<Exit, Failure> {
        output.run(record)?;
        let missing = match &record.result {
            Ending::Optimal { complete: true, .. } => return Ok(Exit::Done),
            Ending::Exhausted => return Ok(Exit::Malformed),
            Ending::Optimal { .. } => "not all solutions were found",
            _ => "not solved",
        };
        if self.is_interrupted() {
            let place = origin.map(|origin| format!(" at {origin}")).unwrap_or_default();
            let command = resume::command::<A>(origin.unwrap_or(Origin::Argument(1)));
            Failure::interrupted(format_args!("interrupted{place}: {missing}"))
                .with_remedy(format_args!("resume with: {command}"))
                .tell();
            return Ok(Exit::Interrupted);
        }
        let place = origin.map(|origin| format!("{origin}: ")).unwrap_or_default();
        let limit = match (&record.result, limits.max_depth()) {
            (Ending::Bounded { .. }, Some(depth)) => format!(" within {depth} moves"),
            (Ending::Bounded { .. }, None) => String::new(),
            _ => " in the time given".to_owned(),
        };
        self.remark(&format!("{place}{missing}{limit}"));
        Ok(Exit::Unsolved)
    }
}

/// A record as a CSV row: its flat fields, and the first solution.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Row<'a> {
    instance: &'a str,
    result: &'static str,
    length: Option<u32>,
    moves: Option<&'a str>,
    lower_bound: Option<u32>,
    metric: &'a str,
    heuristic: &'a str,
    generated: Option<u64>,
    expanded: Option<u64>,
    seconds: Option<f64>,
    threads: Option<usize>,
    error: Option<String>,
}

impl<'a> Row<'a> {
    fn solved(record: &'a RunRecord) -> Row<'a> {
        let RunRecord { instance, result, metric, heuristic, .. } = record;
        let (kind, lower_bound) = match *result {
            Ending::Optimal { .. } => ("optimal", None),
            Ending::Bounded { lower_bound } | Ending::Cancelled { lower_bound } => {
                ("lower_bound", Some(lower_bound))
            }
            Ending::Exhausted => ("exhausted", None),
        };
        Row {
            instance,
            result: kind,
            length: result.length(),
            moves: result.solutions().first().map(|solution| &*solution.moves),
            lower_bound,
            metric,
            heuristic,
            generated: Some(record.generated),
            expanded: Some(record.expanded),
            seconds: Some(record.seconds),
            threads: Some(record.threads),
            error: None,
        }
    }

    /// The row of an instance that has no answer.
    pub(crate) fn failed(instance: &'a str, failure: &Failure) -> Row<'a> {
        let error = Some(failure.one_line());
        Row { instance, result: failure.exit().word(), error, ..Row::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Instance;
    use crate::output::tests::Shared;
    use search_core::record::{Iteration, Method};
    use search_core::{Report, Solution};

    fn record(instance: &str, ending: Ending<Solution>) -> RunRecord {
        let iteration = Iteration { generated: 20, expanded: 3, ..Iteration::default() };
        let report = Report { ending, iterations: vec![iteration.clone(), iteration] };
        let method =
            Method { metric: "moves".into(), heuristic: "md".into(), threads: 2, ..Method::default() };
        RunRecord::new(instance.into(), report, 0.5, method)
    }

    fn written(format: Format) -> String {
        let shared = Shared::default();
        let mut output = Output::to(Box::new(shared.clone()), format);
        let solution = Solution { length: 2, moves: "LL".into() };
        output.run(&record("1,2,0,3", Ending::solved(2, solution))).unwrap();
        output.run(&record("8 7", Ending::Bounded { lower_bound: 9 })).unwrap();
        let bad = Instance { text: "7".into(), origin: Origin::Line(3) };
        output.error_record(&bad, &Failure::malformed("no board")).unwrap();
        shared.text()
    }

    #[test]
    fn text_has_a_line_for_each_solution_or_bound() {
        assert_eq!(written(Format::Text), "2 LL\n>= 9\nerror: line 3: no board\n");
    }

    #[test]
    fn csv_has_a_header_and_a_row_for_each_instance() {
        let expected = "\
instance,result,length,moves,lower_bound,metric,heuristic,generated,expanded,seconds,threads,error
\"1,2,0,3\",optimal,2,LL,,moves,md,40,6,0.5,2,
8 7,lower_bound,,,9,moves,md,40,6,0.5,2,
7,malformed,,,,,,,,,,no board
";
        assert_eq!(written(Format::Csv), expected);
    }
}
