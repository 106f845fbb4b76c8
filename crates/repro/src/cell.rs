//! A cell of the report: the paper's figure beside ours.

use crate::fixture::{Fixture, Key, Rule};
use crate::job::Value;
use crate::number::Number;
use crate::paper::Paper;
use serde::{Deserialize, Serialize};

/// The comparison of our figure with the paper's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Ours agrees with the paper's.
    Match,
    /// It differs, and the cell explains why.
    Differs,
    /// It differs without an explanation: the run fails.
    Unexplained,
    /// It was not computed; the cell states what that would cost.
    NotRun,
    /// It depends on a time that was measured while other programs ran, so it is not shown.
    NotMeasured,
    /// The paper has no such figure.
    Ours,
}

/// A cell of the report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The paper.
    pub paper: Paper,
    /// The figure's name.
    #[serde(flatten)]
    pub key: Key,
    /// The job that yields it.
    pub job: String,
    /// The place in the paper; empty if the paper has no such figure.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// The paper's figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed: Option<Number>,
    /// The rule by which ours agrees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<Rule>,
    /// Our figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ours: Option<Number>,
    /// The comparison of ours with the paper's.
    pub status: Status,
    /// The reason for the difference, the cost of computing it, or a remark.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

impl Cell {
    /// The cell of a figure that was computed.
    pub fn computed(paper: Paper, job: &str, value: &Value, fixture: Option<&Fixture>) -> Cell {
        let mut cell = Cell::bare(paper, job, &value.key, fixture);
        cell.ours = Some(value.number);
        cell.note = value.note.clone();
        if let Some(fixture) = fixture {
            cell.status = judge(fixture, value.number);
            let also = match cell.status {
                Status::Differs => beside(fixture, value.number) + &fixture.why,
                Status::Unexplained => match fixture.ours {
                    Some(pinned) => format!("neither the paper’s figure nor the known {pinned}"),
                    None => "the fixtures have no reason for it".to_owned(),
                },
                _ => String::new(),
            };
            cell.note =
                [&cell.note[..], &also].into_iter().filter(|n| !n.is_empty()).collect::<Vec<_>>().join("; ");
        }
        cell
    }

    /// The cell of a figure that was not computed; `takes` states what that would cost.
    pub fn not_run(paper: Paper, job: &str, key: &Key, fixture: Option<&Fixture>, takes: &str) -> Cell {
        Cell { status: Status::NotRun, note: takes.to_owned(), ..Cell::bare(paper, job, key, fixture) }
    }

    /// The cell of a time that was measured while other programs used the share `others` of the
    /// machine.
    pub fn not_measured(paper: Paper, job: &str, key: &Key, fixture: Option<&Fixture>, others: f64) -> Cell {
        let note = format!("the machine was busy: other programs used {:.0}% of it", 100.0 * others);
        Cell { status: Status::NotMeasured, note, ..Cell::bare(paper, job, key, fixture) }
    }

    fn bare(paper: Paper, job: &str, key: &Key, fixture: Option<&Fixture>) -> Cell {
        Cell {
            paper,
            key: key.clone(),
            job: job.to_owned(),
            source: fixture.map_or_else(String::new, |fixture| fixture.source.clone()),
            printed: fixture.map(|fixture| fixture.value),
            rule: fixture.map(|fixture| fixture.rule),
            ours: None,
            status: Status::Ours,
            note: String::new(),
        }
    }
}

fn judge(fixture: &Fixture, ours: Number) -> Status {
    if fixture.rule.agrees(fixture.value, ours) {
        return Status::Match;
    }
    // A pinned value of ours must agree by the same rule as the paper's.
    let explained = match fixture.ours {
        Some(pinned) => fixture.rule.agrees(pinned, ours),
        None => !fixture.why.is_empty(),
    };
    if explained { Status::Differs } else { Status::Unexplained }
}

/// The ratio to the paper's figure, as in "12 times the paper's: ", for figures shown for comparison.
fn beside(fixture: &Fixture, ours: Number) -> String {
    let (paper, ours) = (fixture.value.real(), ours.real());
    if fixture.rule != Rule::Beside || paper <= 0.0 || ours <= 0.0 {
        return String::new();
    }
    let times = |ratio: f64| {
        Number::Real(if ratio >= 10.0 { ratio.round() } else { (ratio * 10.0).round() / 10.0 }).pretty()
    };
    match ours / paper {
        ratio if ratio >= 1.25 => format!("{} times the paper’s: ", times(ratio)),
        ratio if ratio <= 0.8 => format!("1/{} of the paper’s: ", times(1.0 / ratio)),
        _ => "near the paper’s: ".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::parse;

    fn status(row: &str, ours: f64) -> Status {
        let text = format!("source,table,row,column,value,rule,ours,why\n{row}\n");
        judge(&parse(Paper::Cube, &text).unwrap()[0], Number::Real(ours))
    }

    #[test]
    fn a_difference_is_explained_only_as_the_fixture_says() {
        assert_eq!(status("s,t,r,c,8.764,±0.0005,,", 8.7641), Status::Match);
        assert_eq!(status("s,t,r,c,8.764,±0.0005,,", 8.7), Status::Unexplained);
        assert_eq!(status("s,t,r,c,8.878,±0.0005,8.898,another class", 8.8978), Status::Differs);
        assert_eq!(status("s,t,r,c,8.878,±0.0005,8.898,another class", 8.9), Status::Unexplained);
        assert_eq!(status("s,t,r,c,700000,beside,,another machine", 2e7), Status::Differs);
        assert_eq!(status("s,t,r,c,71.5,±2%,,other instances", 90.0), Status::Differs);
    }
}
