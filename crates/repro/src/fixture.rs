//! The papers' figures as data: `fixtures/papers/*.csv`.
//!
//! Each row is a figure: the jobs that compute it, its document and the place in it, a table with row and column (the
//! figure's name here), the printed value, and the rule by which ours agrees with it. Where ours is known to
//! differ, `why` gives the reason and `ours` pins the computed value, so that a change of the
//! difference is noticed too. The program never writes these files.

use crate::number::Number;
use crate::paper::Paper;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The rule by which a figure of ours agrees with the paper's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Rule {
    /// It is equal.
    Equal,
    /// It differs by at most this: the paper rounds.
    Within(f64),
    /// It differs by at most this share: the paper says "about", or samples differ.
    Share(f64),
    /// It is at least as great: the paper says "over".
    AtLeast,
    /// It never agrees, because it depends on the machine or on chance; it is shown for comparison.
    Beside,
}

impl Rule {
    /// Whether `ours` agrees with `paper`.
    pub fn agrees(self, paper: Number, ours: Number) -> bool {
        let off = (ours.real() - paper.real()).abs();
        match self {
            Rule::Equal => match (paper, ours) {
                (Number::Count(paper), Number::Count(ours)) => paper == ours,
                _ => off <= 1e-9 * paper.real().abs(),
            },
            // A little more, because decimals are not exact.
            Rule::Within(most) => off <= most * (1.0 + 1e-9),
            Rule::Share(most) => off <= most * paper.real().abs() * (1.0 + 1e-9),
            Rule::AtLeast => ours.real() >= paper.real(),
            Rule::Beside => false,
        }
    }
}

impl FromStr for Rule {
    type Err = String;

    fn from_str(text: &str) -> Result<Rule, String> {
        let wrong = || format!("{text:?} is not a rule: write =, >=, beside, ±0.5 or ±5%");
        let number = |digits: &str| digits.parse().ok().filter(|n: &f64| *n >= 0.0).ok_or_else(wrong);
        match text {
            "=" => Ok(Rule::Equal),
            ">=" => Ok(Rule::AtLeast),
            "beside" => Ok(Rule::Beside),
            _ => {
                let most = text.strip_prefix('±').ok_or_else(wrong)?;
                match most.strip_suffix('%') {
                    Some(percent) => Ok(Rule::Share(number(percent)? / 100.0)),
                    None => Ok(Rule::Within(number(most)?)),
                }
            }
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::Equal => f.write_str("="),
            Rule::AtLeast => f.write_str(">="),
            Rule::Beside => f.write_str("beside"),
            Rule::Within(most) => write!(f, "±{most}"),
            Rule::Share(most) => write!(f, "±{}%", Number::Real((most * 1e5).round() / 1e3).pretty()),
        }
    }
}

impl TryFrom<String> for Rule {
    type Error = String;
    fn try_from(text: String) -> Result<Rule, String> {
        text.parse()
    }
}

impl From<Rule> for String {
    fn from(rule: Rule) -> String {
        rule.to_string()
    }
}

/// The name of a figure: a table of the report, a row and a column in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key {
    /// The table.
    pub table: String,
    /// The row.
    pub row: String,
    /// The column.
    pub column: String,
}

impl Key {
    /// The name from its parts.
    pub fn new(table: &str, row: impl fmt::Display, column: &str) -> Key {
        Key { table: table.to_owned(), row: row.to_string(), column: column.to_owned() }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} / {} / {}", self.table, self.row, self.column)
    }
}

/// One figure of a paper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fixture {
    /// The paper.
    pub paper: Paper,
    /// The document, and the place in it.
    pub source: String,
    /// Its name.
    #[serde(flatten)]
    pub key: Key,
    /// The printed value.
    pub value: Number,
    /// The rule by which ours agrees.
    pub rule: Rule,
    /// The computed value, where it is known to differ.
    pub ours: Option<Number>,
    /// Why ours differs, or may differ.
    pub why: String,
    /// The names of the jobs that compute it, without the paper's.
    pub jobs: Vec<String>,
}

/// The figures of one paper, for jobs that start from them.
#[derive(Clone, Copy)]
pub struct Figures<'a> {
    fixtures: &'a [Fixture],
    paper: Paper,
}

impl<'a> Figures<'a> {
    /// The figures of `paper` among those of all papers.
    pub fn new(fixtures: &'a [Fixture], paper: Paper) -> Figures<'a> {
        Figures { fixtures, paper }
    }

    /// The rows of a table that have a figure in a column.
    pub fn rows(&self, table: &str, column: &str) -> Vec<String> {
        let keys = self.fixtures.iter().filter(|f| f.paper == self.paper).map(|f| &f.key);
        keys.filter(|key| key.table == table && key.column == column).map(|key| key.row.clone()).collect()
    }

    /// The printed figure of a name.
    pub fn printed(&self, table: &str, row: &str, column: &str) -> Option<f64> {
        let key = Key::new(table, row, column);
        let found = self.fixtures.iter().find(|f| f.paper == self.paper && f.key == key);
        found.map(|fixture| fixture.value.real())
    }
}

/// A row of the files.
#[derive(Deserialize)]
struct FixtureRow {
    #[serde(default)]
    jobs: String,
    source: String,
    table: String,
    row: String,
    column: String,
    value: Number,
    rule: Rule,
    ours: Option<Number>,
    why: String,
}

/// A fixture cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {problem}")]
pub struct BadFixture {
    file: &'static str,
    problem: String,
}

/// The files of the repository, compiled in.
const FILES: [(Paper, &str, &str); 4] = [
    (Paper::Cube, "korf-1997.csv", include_str!("../../../fixtures/papers/korf-1997.csv")),
    (Paper::Tiles, "korf-taylor-1996.csv", include_str!("../../../fixtures/papers/korf-taylor-1996.csv")),
    (Paper::Hanoi, "korf-felner-2006.csv", include_str!("../../../fixtures/papers/korf-felner-2006.csv")),
    (Paper::Hanoi, "oeis.csv", include_str!("../../../fixtures/papers/oeis.csv")),
];

/// All figures of all papers, in the order of the files.
///
/// # Errors
/// [`BadFixture`] names the file and the line.
pub fn all() -> Result<Vec<Fixture>, BadFixture> {
    let mut fixtures = Vec::new();
    for (paper, file, text) in FILES {
        fixtures.extend(parse(paper, text).map_err(|problem| BadFixture { file, problem })?);
    }
    Ok(fixtures)
}

/// The figures of one file.
///
/// # Errors
/// A description of the fault: a row that does not parse, a name that occurs twice, a difference
/// without a reason.
pub fn parse(paper: Paper, text: &str) -> Result<Vec<Fixture>, String> {
    let mut fixtures: Vec<Fixture> = Vec::new();
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    for row in reader.deserialize() {
        let FixtureRow { jobs, source, table, row, column, value, rule, ours, why } =
            row.map_err(|error| error.to_string())?;
        let key = Key { table, row, column };
        if fixtures.iter().any(|other| other.key == key) {
            return Err(format!("{key} occurs twice"));
        }
        if (ours.is_some() || rule == Rule::Beside) && why.is_empty() {
            return Err(format!("{key} is expected to differ, but no reason is given"));
        }
        let jobs = jobs.split_whitespace().map(str::to_owned).collect();
        fixtures.push(Fixture { paper, source, key, value, rule, ours, why, jobs });
    }
    Ok(fixtures)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "source,table,row,column,value,rule,ours,why\n";

    #[test]
    fn rules_are_parsed_and_applied() {
        let agrees = |rule: &str, paper: &str, ours: &str| {
            rule.parse::<Rule>().unwrap().agrees(paper.parse().unwrap(), ours.parse().unwrap())
        };
        assert!(agrees("=", "18446744073709551617", "18446744073709551617"));
        assert!(!agrees("=", "18446744073709551617", "18446744073709551616"));
        assert!(agrees("±0.0005", "8.764", "8.7637") && !agrees("±0.0005", "8.878", "8.898"));
        assert!(agrees("±5%", "64", "62") && !agrees("±5%", "64", "60"));
        assert!(agrees(">=", "619000", "619001") && !agrees(">=", "619000", "5"));
        assert!(!agrees("beside", "1", "1"));
        for text in ["=", ">=", "beside", "±0.0005", "±5%", "±0.1%"] {
            assert_eq!(text.parse::<Rule>().unwrap().to_string(), text);
        }
        assert!("±".parse::<Rule>().is_err() && "near".parse::<Rule>().is_err());
    }

    #[test]
    fn faulty_files_are_refused() {
        let parsed = |rows: &str| parse(Paper::Cube, &format!("{HEAD}{rows}"));
        assert_eq!(parsed("s,t,1,nodes,18,=,,\n").unwrap().len(), 1);
        for (rows, problem) in [
            ("s,t,1,nodes,x,=,,\n", "is no number"),
            ("s,t,1,nodes,18,near,,\n", "is not a rule"),
            ("s,t,1,nodes,18,=,,\ns,t,1,nodes,19,=,,\n", "occurs twice"),
            ("s,t,1,nodes,18,±1,20,\n", "no reason is given"),
            ("s,t,1,nodes,18,beside,,\n", "no reason is given"),
            ("s,t,1\n", "record"),
        ] {
            let told = parsed(rows).unwrap_err();
            assert!(told.contains(problem), "{told}");
        }
    }
}
