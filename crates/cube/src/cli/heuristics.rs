//! `cube-opt heuristics`: the size and the values of each heuristic.

use super::metric::FaceMetric;
use super::search_args::failure;
use crate::analysis::sample::Sample;
use crate::analysis::{Distribution, manhattan, tables as exact};
use crate::heuristics::{HeuristicSpec, family};
use crate::metric::Metric;
use crate::strategy::SolverSetup;
use clap::Args;
use puzzle_cli::format::{format_bytes, format_count};
use puzzle_cli::{Exit, Failure, Session, tables};
use search_core::Run;
use search_core::pdb::Histogram;
use search_core::record::TableUse;
use search_core::table::{Recipe, Store, TableError};
use serde::Serialize;
use std::collections::HashMap;

/// Report each heuristic's size, distribution and expected value
///
/// The expected value over all cubes is exact if the values come from at most one table. For the maximum of
/// several tables, two estimates are given: that of Korf 1997, as if the parts were independent, and the mean
/// over seeded random cubes. Missing tables are built.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  cube-opt heuristics                        those of Korf 1997, and the cosets
  cube-opt heuristics edges7 corners+edges7  the larger tables of the paper
  cube-opt heuristics hoey:1 hoey:96         one table of edges, looked up once and 96 times")]
pub(crate) struct HeuristicsArgs {
    #[arg(value_name = "NAME", help = names_help())]
    names: Vec<String>,
    /// The metric
    #[arg(long, value_enum, default_value_t)]
    metric: FaceMetric,
    /// Random cubes to draw for each heuristic
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    samples: u64,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

fn names_help() -> String {
    format!("The heuristics [default: {}]", family::reported().collect::<Vec<_>>().join(" "))
}

/// The expected values in Korf 1997, with remarks.
const PAPER: [(&str, f64, &str); 4] = [
    ("manhattan-edges", 5.5, "of the sum over four, not rounded up"),
    ("corners", 8.764, ""),
    ("edges6", 7.668, ""),
    ("korf97", 8.878, "the printed figure is that of another class of six edges; see docs/cube.md"),
];

/// The facts about one heuristic.
#[derive(Serialize)]
struct Facts {
    heuristic: String,
    metric: Metric,
    tables: Vec<TableUse>,
    /// The number of entries of its tables.
    entries: u64,
    /// The size of its tables in bytes.
    bytes: u64,
    #[serde(flatten)]
    exact: Exact,
    sampled: Sampled,
    #[serde(skip_serializing_if = "Option::is_none")]
    paper: Option<Paper>,
}

/// The facts that need no sampling.
#[derive(Serialize, Default)]
struct Exact {
    /// The greatest value; for a maximum of several parts, an upper bound on it.
    greatest: Option<u8>,
    /// The exact expected value, where it is known.
    expected: Option<f64>,
    /// The exact expected value before rounding up (Manhattan distance only).
    #[serde(skip_serializing_if = "Option::is_none")]
    unrounded: Option<f64>,
    /// The expected value of a maximum if its parts were independent.
    #[serde(skip_serializing_if = "Option::is_none")]
    independent: Option<f64>,
    /// The number of patterns or cubes with each value.
    #[serde(skip_serializing_if = "Option::is_none")]
    distribution: Option<Vec<u128>>,
}

impl From<Distribution> for Exact {
    fn from(distribution: Distribution) -> Exact {
        Exact {
            greatest: Some(distribution.greatest()),
            expected: Some(distribution.expected()),
            distribution: Some(distribution.counts),
            ..Exact::default()
        }
    }
}

#[derive(Serialize)]
struct Sampled {
    cubes: u64,
    seed: u64,
    mean: f64,
    standard_error: f64,
    distribution: Vec<u64>,
}

#[derive(Serialize)]
struct Paper {
    expected: f64,
    #[serde(skip_serializing_if = "str::is_empty")]
    note: &'static str,
}

pub(super) fn run(args: &HeuristicsArgs, session: &Session) -> Result<Exit, Failure> {
    let store = session.store(super::VERSION);
    let names: Vec<&str> = match &args.names[..] {
        [] => family::reported().collect(),
        names => names.iter().map(String::as_str).collect(),
    };
    let heuristics: Result<Vec<HeuristicSpec>, _> = names.into_iter().map(str::parse).collect();
    let heuristics = heuristics.map_err(Failure::usage)?;
    let fits = |spec: &HeuristicSpec| store.check_memory(&spec.tables(args.metric.0), &session.run());
    heuristics.iter().try_for_each(fits).map_err(|error| tables::failure(super::NAME, &error))?;
    let mut output = session.output();
    for heuristic in heuristics {
        output.record(&facts(&heuristic, args, &store, session)?, lines)?;
    }
    Ok(Exit::Done)
}

fn facts(
    heuristic: &HeuristicSpec,
    args: &HeuristicsArgs,
    store: &Store,
    session: &Session,
) -> Result<Facts, Failure> {
    let table_failure = |error| tables::failure(super::NAME, &error);
    let (metric, run) = (args.metric.0, session.run());
    let exact = exact_values(heuristic, metric, store, &run).map_err(table_failure)?;
    let setup = SolverSetup::new().metric(metric).heuristic(heuristic.clone());
    let solver = setup.load(store.clone(), &run).map_err(failure)?;
    let sample = Sample::draw(&solver, args.samples, args.seed, &run).map_err(failure)?;
    let name = heuristic.to_string();
    let paper = PAPER.iter().find(|(of, ..)| *of == name && metric == Metric::Htm);
    let ids = heuristic.tables(metric);
    Ok(Facts {
        heuristic: name,
        metric,
        tables: solver.planned().tables,
        entries: ids.iter().map(|id| id.entries()).sum(),
        bytes: ids.iter().map(|id| id.bytes()).sum(),
        exact,
        sampled: Sampled {
            cubes: sample.cubes(),
            seed: args.seed,
            mean: sample.mean(),
            standard_error: sample.standard_error(),
            distribution: sample.counts,
        },
        paper: paper.map(|&(_, expected, note)| Paper { expected, note }),
    })
}

fn exact_values(
    heuristic: &HeuristicSpec,
    metric: Metric,
    store: &Store,
    run: &Run<'_>,
) -> Result<Exact, TableError> {
    if let HeuristicSpec::Manhattan(variant) = heuristic {
        let unrounded = Some(manhattan::unrounded(metric, *variant));
        return Ok(Exact { unrounded, ..manhattan::distribution(metric, *variant).into() });
    }
    // Dependent lookups of one table have no exact distribution.
    let Some(lookups) = heuristic.specification().lookups() else { return Ok(Exact::default()) };
    let mut of_tables = HashMap::new();
    for id in heuristic.tables(metric) {
        let (table, _) = id.get(store, run)?;
        of_tables.insert(id.pattern, exact::distribution(id, &table.nibbles(), run));
    }
    let parts: Vec<Histogram> = lookups.iter().map(|pattern| of_tables[pattern].clone()).collect();
    // One part has an exact distribution; several are combined as if independent.
    Ok(match &parts[..] {
        [one] => Distribution::new(one.counts.iter().map(|&count| count.into()).collect()).into(),
        _ => Exact {
            greatest: parts.iter().filter_map(Histogram::max).max(),
            independent: Some(Histogram::expected_max(&parts)),
            ..Exact::default()
        },
    })
}

fn lines(facts: &Facts) -> Vec<String> {
    let mut lines = vec![format!("{} ({})", facts.heuristic, facts.metric.name())];
    let mut add = |what: &str, text: String| lines.push(format!("  {what:<20} {text}"));
    if facts.entries > 0 {
        let bytes = format_bytes(facts.bytes);
        add("tables", format!("{} entries, {bytes}", format_count(facts.entries)));
    }
    if let Some(greatest) = facts.exact.greatest {
        add("greatest value", greatest.to_string());
    }
    if let Some(expected) = facts.exact.expected {
        add("expected value", format!("{expected:.3} (exact)"));
    }
    if let Some(unrounded) = facts.exact.unrounded {
        add("not rounded up", format!("{unrounded:.3} (exact)"));
    }
    if let Some(independent) = facts.exact.independent {
        add("as if independent", format!("{independent:.3} (as the paper computes it)"));
    }
    let Sampled { cubes, mean, standard_error, .. } = facts.sampled;
    add("sampled", format!("{mean:.3} ± {standard_error:.3} ({} random cubes)", format_count(cubes)));
    if let Some(Paper { expected, note }) = facts.paper {
        let note = if note.is_empty() { String::new() } else { format!(" ({note})") };
        add("Korf 1997 prints", format!("{expected}{note}"));
    }
    match &facts.exact.distribution {
        Some(counts) => add("distribution", spaced(counts)),
        None => add("in the sample", spaced(&facts.sampled.distribution)),
    }
    lines
}

/// The counts of the values 0, 1, 2, …, separated by spaces.
fn spaced<T: ToString>(counts: &[T]) -> String {
    counts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
