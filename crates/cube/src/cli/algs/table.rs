//! The rows of the table: a solution with its free turns, as text, JSON or CSV.

use super::answer::Answer;
use crate::algs::Solution;
use puzzle_cli::cases::{CaseRow, CaseTable};
use puzzle_cli::{Exit, Failure};
use serde::Serialize;

/// A row: a solution, or the reason why there is none.
#[derive(Serialize)]
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
    solutions: Option<usize>,
    result: &'static str,
    lower_bound: Option<u32>,
    facelets: Option<&'a str>,
    error: Option<String>,
}

impl<'a> Row<'a> {
    fn new(row: CaseRow<'a>, solution: Option<&Solution>, facelets: Option<&'a str>) -> Row<'a> {
        let CaseRow { case, rank, length, cost, solutions, result, lower_bound, error } = row;
        Row {
            case,
            rank,
            length,
            cost,
            before: solution.map(Solution::before_text),
            moves: solution.map(Solution::moves_text),
            after: solution.map(Solution::after_text),
            solutions,
            result,
            lower_bound,
            facelets,
            error,
        }
    }
}

/// Writes the rows of a case, and returns its exit code.
pub(super) fn write(table: &mut CaseTable, answer: &Answer) -> Result<Exit, Failure> {
    let row = |row, solution: Option<&Solution>| Row::new(row, solution, Some(&answer.facelets));
    table.write(&answer.name, &answer.ending, (answer.found, &answer.best), row)
}

/// Writes the reason why a case is invalid, and returns its exit code.
pub(super) fn refuse(table: &mut CaseTable, name: &str, failure: &Failure) -> Result<Exit, Failure> {
    table.refuse(name, failure, |row| Row::new(row, None, None))
}
