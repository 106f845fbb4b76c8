//! The list of jobs that `repro-paper --list` prints.

use puzzle_cli::{Failure, Output};
use repro::job::{Cost, Job};
use repro::paper::{Paper, Tier};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The least number of tables whose names, if they differ only at the end, are abbreviated to one.
const MANY: usize = 4;
/// The maximum number of parts of a table's name.
const MOST_PARTS: usize = 6;

/// A job as a line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    job: &'a str,
    paper: Paper,
    tier: Tier,
    title: &'a str,
    cost: Cost,
    cells: usize,
    tables: Vec<String>,
    version: u32,
}

/// Prints jobs: two lines each, or an object with `--json`.
///
/// # Errors
/// When they cannot be written.
pub fn print<'j>(jobs: impl IntoIterator<Item = &'j Job>, output: &mut Output) -> Result<(), Failure> {
    for job in jobs {
        let &Job { paper, tier, cost, version, .. } = job;
        let tables = job.tables.iter().map(|table| table.recipe.name()).collect();
        let line = Line {
            job: &job.id,
            paper,
            tier,
            title: &job.title,
            cost,
            cells: job.cells.len(),
            tables,
            version,
        };
        output.record(&line, Line::text)?;
    }
    Ok(())
}

impl Line<'_> {
    fn text(&self) -> Vec<String> {
        let Line { job, tier, title, cost, cells, tables, .. } = self;
        let tables = in_short(tables);
        let tables =
            if tables.is_empty() { String::new() } else { format!("; tables {}", tables.join(", ")) };
        vec![format!("{job:<24} {tier:<9} {cost}; {cells} cells{tables}"), format!("{:<24} {title}", "")]
    }
}

/// The names of tables, in order; if many have the same beginning, the beginning and their number.
fn in_short(names: &[String]) -> Vec<String> {
    let mut shown = names.to_vec();
    // Tries shorter and shorter beginnings for the names that are not abbreviated yet.
    for fewer in 1..MOST_PARTS {
        let rest = |name: &&String| shown.contains(name);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let starts = names.iter().filter(rest).filter_map(|name| beginning(name, fewer));
        starts.for_each(|start| *counts.entry(start).or_default() += 1);
        counts.retain(|_, count| *count >= MANY);
        for (shown, name) in shown.iter_mut().zip(names).filter(|(shown, name)| shown == name) {
            if let Some((start, count)) = beginning(name, fewer).and_then(|start| counts.get_key_value(start))
            {
                *shown = format!("{start}-* ({count})");
            }
        }
    }
    let mut seen = BTreeSet::new();
    shown.retain(|name| seen.insert(name.clone()));
    shown
}

/// A name without its last parts: `tiles-5x5-pdb6` for `tiles-5x5-pdb6-7e` and one. At least two parts are left.
fn beginning(name: &str, fewer: usize) -> Option<&str> {
    let (start, _) = name.rmatch_indices('-').nth(fewer - 1)?;
    Some(&name[..start]).filter(|start| start.contains('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_tables_of_one_kind_are_counted() {
        let shown = |names: &[&str]| {
            in_short(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()).join(", ")
        };
        assert_eq!(shown(&[]), "");
        assert_eq!(
            shown(&["cube-corners-htm", "cube-edges6-30f-htm"]),
            "cube-corners-htm, cube-edges6-30f-htm"
        );
        let patterns =
            ["tiles-5x5-pdb6-7e", "tiles-5x5-pdb6-1f80", "tiles-5x5-pdb6-7e000", "tiles-5x5-pdb6-84318"];
        assert_eq!(shown(&patterns[..3]), patterns[..3].join(", "));
        let all = [&patterns[..], &["tiles-5x5-fsm-14"]].concat();
        assert_eq!(shown(&all), "tiles-5x5-pdb6-* (4), tiles-5x5-fsm-14");
        let databases = ["8-4", "9-5", "10-6", "11-7"].map(|discs| format!("hanoi4-middle-{discs}"));
        assert_eq!(in_short(&databases), ["hanoi4-middle-* (4)"]);
    }
}
