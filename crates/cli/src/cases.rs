//! The cases of algorithm sets: named instances, and a table with a row for each of their solutions.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Format, Output};
use search_core::Ending;
use serde::Serialize;
use std::fmt::Display;

/// Splits a text into the name of a case and the rest: at a tab, or at a colon outside of brackets that is followed by
/// a space.
pub fn split_name(text: &str) -> (Option<&str>, &str) {
    let parted = |at: usize| (Some(text[..at].trim()).filter(|name| !name.is_empty()), text[at + 1..].trim());
    if let Some(at) = text.find('\t') {
        return parted(at);
    }
    let mut open = 0;
    for (at, c) in text.char_indices() {
        match c {
            '[' | '(' | '{' => open += 1,
            ']' | ')' | '}' => open -= 1,
            ':' if open == 0 && text[at + 1..].starts_with(' ') => return parted(at),
            _ => {}
        }
    }
    (None, text)
}

/// A solution with the numbers by which it is ranked.
#[derive(Clone, Debug)]
pub struct Ranked<S> {
    /// Its length.
    pub length: usize,
    /// Its cost.
    pub cost: f64,
    /// The solution.
    pub solution: S,
}

/// The values of a row that every puzzle has: a solution, or the reason why there is none.
#[derive(Debug, Default)]
pub struct CaseRow<'a> {
    /// The name of the case.
    pub case: &'a str,
    /// The rank of the solution, from 1.
    pub rank: Option<usize>,
    /// Its length.
    pub length: Option<usize>,
    /// Its cost.
    pub cost: Option<f64>,
    /// The number of solutions that were found, printed or not.
    pub solutions: Option<usize>,
    /// `optimal`, `incomplete` (some solutions may be missing), `lower_bound`, `no_solution`, or the kind of
    /// an error.
    pub result: &'static str,
    /// The proved lower bound, if no solution was found.
    pub lower_bound: Option<u32>,
    /// The reason why the case is invalid.
    pub error: Option<String>,
}

/// The table of cases, as text, JSON or CSV.
pub struct CaseTable {
    output: Output,
    width: usize,
}

impl CaseTable {
    /// Creates a table with `width` characters for the names of cases.
    ///
    /// # Errors
    /// As [`Output::line`].
    pub fn new(output: Output, width: usize, has_header: bool) -> Result<CaseTable, Failure> {
        let mut table = CaseTable { output, width: width.max(4) };
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

    /// Writes the rows of a case, and returns its exit code. `best` are the best of the `found` solutions of `ending`, and
    /// `row` makes a row of a puzzle of the values that every puzzle has.
    ///
    /// # Errors
    /// As [`Output::table_row`].
    pub fn write<'a, S: Display, R: Serialize>(
        &mut self,
        case: &'a str,
        ending: &Ending<()>,
        (found, best): (usize, &'a [Ranked<S>]),
        row: impl Fn(CaseRow<'a>, Option<&'a S>) -> R,
    ) -> Result<Exit, Failure> {
        let values = CaseRow { case, ..CaseRow::default() };
        match *ending {
            Ending::Exhausted => {
                let text = self.line(case, ["-"; 3], "no solution");
                let values = CaseRow { result: "no_solution", ..values };
                self.output.table_row(&row(values, None), |_| vec![text])?;
                Ok(Exit::Malformed)
            }
            Ending::Bounded { lower_bound, .. } | Ending::Cancelled { lower_bound, .. } => {
                let text = self.line(case, ["-", &format!(">= {lower_bound}"), "-"], "not solved");
                let values = CaseRow { result: "lower_bound", lower_bound: Some(lower_bound), ..values };
                self.output.table_row(&row(values, None), |_| vec![text])?;
                Ok(Exit::Unsolved)
            }
            Ending::Optimal { complete, .. } => {
                for (rank, Ranked { length, cost, solution }) in (1..).zip(best) {
                    let numbers = [rank.to_string(), length.to_string(), cost.to_string()];
                    let numbers = [numbers[0].as_str(), &numbers[1], &numbers[2]];
                    let text = self.line(case, numbers, &solution.to_string());
                    let values = CaseRow {
                        case,
                        rank: Some(rank),
                        length: Some(*length),
                        cost: Some(*cost),
                        solutions: Some(found),
                        result: if complete { "optimal" } else { "incomplete" },
                        ..CaseRow::default()
                    };
                    self.output.table_row(&row(values, Some(solution)), |_| vec![text])?;
                }
                Ok(if complete { Exit::Done } else { Exit::Unsolved })
            }
        }
    }

    /// Writes the reason why a case is invalid, and returns its exit code.
    ///
    /// # Errors
    /// As [`Output::table_row`].
    pub fn refuse<'a, R: Serialize>(
        &mut self,
        case: &'a str,
        failure: &Failure,
        row: impl Fn(CaseRow<'a>) -> R,
    ) -> Result<Exit, Failure> {
        let error = failure.one_line();
        let text = format!("error: {case}: {error}");
        let result = failure.exit.code_and_word().1;
        let values = CaseRow { case, result, error: Some(error), ..CaseRow::default() };
        self.output.table_row(&row(values), |_| vec![text])?;
        Ok(failure.exit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_at_a_tab_or_a_colon() {
        for (text, name, rest) in [
            ("T: R U R'", Some("T"), "R U R'"),
            ("T perm\tR U: R'", Some("T perm"), "R U: R'"),
            ("R U R'", None, "R U R'"),
            ("[R: U] F", None, "[R: U] F"),
            ("x: [R: U] F", Some("x"), "[R: U] F"),
            ("12. 1:02.33 R U", None, "12. 1:02.33 R U"),
            (": R", None, "R"),
            ("ü: R", Some("ü"), "R"),
            ("{\"CORNERS\": {}}", None, "{\"CORNERS\": {}}"),
        ] {
            assert_eq!(split_name(text), (name, rest), "{text}");
        }
    }
}
