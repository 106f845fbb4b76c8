//! The CSV form of search records.

use crate::failure::Failure;
use search_core::Ending;
use search_core::record::RunRecord;
use serde::Serialize;

/// A record as a CSV row: its flat fields, and the best solution. A length is a proved one.
#[derive(Debug, Default, Serialize)]
pub(super) struct Row<'a> {
    instance: &'a str,
    result: &'static str,
    length: Option<u32>,
    moves: Option<&'a str>,
    lower_bound: Option<u32>,
    upper_bound: Option<u32>,
    metric: &'a str,
    heuristic: &'a str,
    generated: Option<u64>,
    expanded: Option<u64>,
    seconds: Option<f64>,
    threads: Option<usize>,
    error: Option<String>,
}

impl<'a> Row<'a> {
    /// The row of a record.
    pub(super) fn solved(record: &'a RunRecord) -> Row<'a> {
        let RunRecord { instance, result, metric, heuristic, .. } = record;
        let kind = match result {
            Ending::Optimal { .. } => "optimal",
            Ending::Bounded { .. } | Ending::Cancelled { .. } => "lower_bound",
            Ending::Exhausted => "exhausted",
        };
        Row {
            instance,
            result: kind,
            length: result.length(),
            moves: result.best().map(|solution| &*solution.moves),
            lower_bound: result.lower_bound(),
            upper_bound: result.upper_bound(),
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
    pub(super) fn failed(instance: &'a str, failure: &Failure) -> Row<'a> {
        let error = Some(failure.one_line());
        Row { instance, result: failure.exit.code_and_word().1, error, ..Row::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Print;
    use crate::bars::Bars;
    use crate::instance::{Instance, Origin};
    use crate::output::tests::Shared;
    use crate::output::{Format, Output};
    use search_core::record::{Best, Iteration, Method};
    use search_core::{Report, Solution};

    fn record(instance: &str, ending: Ending<Solution>) -> RunRecord {
        let iteration = Iteration { generated: 20, expanded: 3, ..Iteration::default() };
        let report = Report { ending, iterations: vec![iteration.clone(), iteration] };
        let method =
            Method { metric: "moves".into(), heuristic: "md".into(), threads: 2, ..Method::default() };
        RunRecord::new(instance.into(), report, 0.5, method)
    }

    fn written(format: Format, print: Print) -> String {
        let shared = Shared::default();
        let mut output = Output::new(Box::new(shared.clone()), format, &Bars::hidden()).printing(print);
        let solution = Solution { length: 2, moves: "LL".into() };
        output.run(&record("1,2,0,3", Ending::solved(2, solution))).unwrap();
        output.run(&record("8 7", Ending::bounded(9))).unwrap();
        let solution = Solution { length: 12, moves: "LURD".into() };
        let known = Some(Best { length: 12, solution });
        output.run(&record("8 6", Ending::cancelled(9).knowing(known, true))).unwrap();
        let bad = Instance { text: "7".into(), origin: Origin::Line(3) };
        output.error_record(&bad, &Failure::malformed("no board")).unwrap();
        shared.text()
    }

    #[test]
    fn text_has_a_line_for_each_solution_or_bound() {
        let written = |print| written(Format::Text, print);
        assert_eq!(written(Print::Solution), "2 LL\n>= 9\n9..12 LURD\nerror: line 3: no board\n");
        assert_eq!(written(Print::Length), "2\n>= 9\n9..12\nerror: line 3: no board\n");
        assert_eq!(written(Print::Next), "2 L\n>= 9\n9..12 LURD\nerror: line 3: no board\n");
    }

    /// Of several solutions, each first move or length is printed once.
    #[test]
    fn parts_of_solutions_are_printed_once() {
        for (print, expected) in [
            (Print::Solution, "2 R U\n2 R U'\n2 L U\n3 R D L\n"),
            (Print::Length, "2\n3\n"),
            (Print::Next, "2 R\n2 L\n3 R\n"),
        ] {
            let shared = Shared::default();
            let output = Output::new(Box::new(shared.clone()), Format::Text, &Bars::hidden());
            let solution = |(length, moves): (u32, &str)| Solution { length, moves: moves.to_owned() };
            let solutions = [(2, "R U"), (2, "R U'"), (2, "L U"), (3, "R D L")].map(solution).to_vec();
            let ending = Ending::Optimal { length: 2, solutions, complete: true };
            output.printing(print).run(&record("x", ending)).unwrap();
            assert_eq!(shared.text(), expected);
        }
    }

    #[test]
    fn csv_has_a_header_and_a_row_for_each_instance() {
        let expected = "\
instance,result,length,moves,lower_bound,upper_bound,metric,heuristic,generated,expanded,seconds,threads,error
\"1,2,0,3\",optimal,2,LL,2,2,moves,md,40,6,0.5,2,
8 7,lower_bound,,,9,,moves,md,40,6,0.5,2,
8 6,lower_bound,,LURD,9,12,moves,md,40,6,0.5,2,
7,malformed,,,,,,,,,,,no board
";
        assert_eq!(written(Format::Csv, Print::default()), expected);
    }
}
