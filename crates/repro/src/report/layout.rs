//! The order of the report: its tables and plots, with their headings, from `layout.toml`.

use crate::paper::Paper;
use serde::Deserialize;
use std::sync::LazyLock;

/// A table of the report and the plots above it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// The paper.
    pub paper: Paper,
    /// The table's name in the fixtures.
    pub table: String,
    /// The heading.
    pub title: String,
    /// The sentence between the heading and the table.
    pub intro: String,
    /// The plots.
    #[serde(default, rename = "plot")]
    pub plots: Vec<Plot>,
}

/// A plot of the report.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plot {
    /// Its name in the jobs' curves.
    pub id: String,
    /// The heading.
    pub title: String,
    /// The sentence below the plot.
    pub caption: String,
    /// The labels of the axes.
    pub axes: [String; 2],
    /// Whether each axis is logarithmic.
    pub log: [bool; 2],
    /// Names of the values 1, 2, … of the vertical axis, if it has names.
    #[serde(default)]
    pub rows: Vec<String>,
}

#[derive(Deserialize)]
struct Layout {
    section: Vec<Section>,
}

/// The tables, in order.
pub static SECTIONS: LazyLock<Vec<Section>> = LazyLock::new(|| {
    let layout: Layout = toml::from_str(include_str!("layout.toml")).expect("layout.toml is valid");
    layout.section
});

/// The position of a table in the report; unknown tables come last.
pub fn rank(paper: Paper, table: &str) -> usize {
    SECTIONS
        .iter()
        .position(|section| section.paper == paper && section.table == table)
        .unwrap_or(SECTIONS.len())
}

/// The number that rows of one kind are sorted by, as in "depth 7" or "25 discs". Other rows come first.
pub fn number(row: &str) -> u32 {
    const KINDS: [&str; 7] = ["depth", "cube", "instance", "length", "discs", "lookup", "lookups"];
    let number = match row.split_once(' ') {
        Some((kind, number)) if KINDS.contains(&kind) => number.parse(),
        Some((number, kind)) if KINDS.contains(&kind) => number.parse(),
        _ => return 0,
    };
    number.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn rows_of_one_kind_have_numbers() {
        assert_eq!(["depth 7", "25 discs", "1 lookup", "instance 10"].map(number), [7, 25, 1, 10]);
        assert_eq!(["18 processors", "the paper’s", "corners", "3 and 9 home, 4 not"].map(number), [0; 4]);
    }
}
