//! The table: a row for each solution, as text, JSON or CSV.

use super::answer::Answer;
use puzzle_cli::{Exit, Failure, Format, Output};
use search_core::Ending;
use serde::Serialize;

/// The table that rows are written to.
pub(super) struct Table {
    output: Output,
    width: usize,
}

/// A row: a solution, or the reason why there is none.
#[derive(Default, Serialize)]
struct Row<'a> {
    case: &'a str,
    rank: Option<usize>,
    length: Option<usize>,
    cost: Option<f64>,
    /// The free turn before the moves.
    before: Option<String>,
    moves: Option<String>,
    /// The free turn after them.
    after: Option<String>,
    /// The number of solutions that were found, printed or not.
    solutions: Option<usize>,
    /// `optimal`, `incomplete` (some solutions may be missing), `lower_bound`, `no_solution`, or the kind of
    /// an error.
    result: &'static str,
    lower_bound: Option<u32>,
    facelets: Option<&'a str>,
    error: Option<String>,
}

impl Table {
    /// Creates a table with `width` characters for the names of cases.
    pub(super) fn new(output: Output, width: usize, has_header: bool) -> Result<Table, Failure> {
        let mut table = Table { output, width: width.max(4) };
        match (has_header, table.output.format()) {
            (false, _) => table.output.skip_header(),
            (true, Format::Text) => {
                let line = table.line("case", ["rank", "length", "cost"], "moves");
                table.output.line(&line)?;
            }
            _ => {}
        }
        Ok(table)
    }

    fn line(&self, case: &str, [rank, length, cost]: [&str; 3], moves: &str) -> String {
        let width = self.width;
        format!("{case:<width$}  {rank:>4}  {length:>6}  {cost:>6}  {moves}").trim_end().to_owned()
    }

    fn row(&mut self, row: &Row<'_>, text: &str) -> Result<(), Failure> {
        self.output.table_row(row, |_| vec![text.to_owned()])
    }

    /// Writes the rows of a case, and returns its exit code.
    pub(super) fn write(&mut self, answer: &Answer) -> Result<Exit, Failure> {
        let case = answer.name.as_str();
        let row = Row { case, facelets: Some(&answer.facelets), ..Row::default() };
        match answer.ending {
            Ending::Exhausted => {
                let text = self.line(case, ["-"; 3], "no solution");
                self.row(&Row { result: "no_solution", ..row }, &text)?;
                Ok(Exit::Malformed)
            }
            Ending::Bounded { lower_bound, .. } | Ending::Cancelled { lower_bound, .. } => {
                let text = self.line(case, ["-", &format!(">= {lower_bound}"), "-"], "not solved");
                self.row(&Row { result: "lower_bound", lower_bound: Some(lower_bound), ..row }, &text)?;
                Ok(Exit::Unsolved)
            }
            Ending::Optimal { complete, .. } => {
                let result = if complete { "optimal" } else { "incomplete" };
                for (rank, (cost, solution)) in (1..).zip(&answer.best) {
                    let length = solution.moves.len();
                    let numbers = [rank.to_string(), length.to_string(), cost.to_string()];
                    let numbers = [numbers[0].as_str(), &numbers[1], &numbers[2]];
                    let text = self.line(case, numbers, &solution.to_string());
                    let row = Row {
                        case,
                        rank: Some(rank),
                        length: Some(length),
                        cost: Some(cost.as_f64()),
                        before: Some(solution.before_text()),
                        moves: Some(solution.moves_text()),
                        after: Some(solution.after_text()),
                        solutions: Some(answer.found),
                        result,
                        facelets: Some(&answer.facelets),
                        ..Row::default()
                    };
                    self.row(&row, &text)?;
                }
                Ok(if complete { Exit::Done } else { Exit::Unsolved })
            }
        }
    }

    /// Writes the reason why a case is invalid, and returns its exit code.
    pub(super) fn refuse(&mut self, name: &str, failure: Failure) -> Result<Exit, Failure> {
        let error = failure.one_line();
        let text = format!("error: {name}: {error}");
        let result = failure.exit.code_and_word().1;
        self.row(&Row { case: name, result, error: Some(error), ..Row::default() }, &text)?;
        Ok(failure.exit)
    }
}
