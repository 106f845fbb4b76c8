//! `cube-opt heuristics`: what each heuristic costs and what it is worth.

use crate::analysis::sample::Sample;
use crate::analysis::{Distribution, manhattan, tables as exact};
use crate::heuristics::{HeuristicSpec, family};
use crate::metric::Metric;
use crate::solver::Solver;
use clap::Args;
use puzzle_cli::units::{format_bytes, format_count};
use puzzle_cli::{Exit, Failure, Session, tables};
use search_core::pdb::Histogram;
use search_core::record::TableUse;
use search_core::table::{Recipe, Store};
use serde::Serialize;
use std::collections::HashMap;

/// Report each heuristic's size, distribution and expected value
///
/// The expected value over all cubes is exact where one table (or none) gives the values. For the
/// maximum of several it is given as Korf 1997 computes it, as if the parts were independent, and
/// as the mean over seeded random cubes. Missing tables are built.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  cube-opt heuristics                        those of Korf 1997, and the cosets
  cube-opt heuristics edges7 corners+edges7  the larger tables of the paper
  cube-opt heuristics hoey:1 hoey:96         one table of edges, looked up once and 96 times")]
pub struct HeuristicsArgs {
    #[arg(value_name = "NAME", help = names_help())]
    names: Vec<String>,
    /// What one move is
    #[arg(long, value_enum, default_value_t)]
    metric: Metric,
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

/// Expected values that Korf 1997 prints, and what is to be said about them.
const PAPER: [(&str, f64, &str); 4] = [
    ("manhattan-edges", 5.5, "of the sum over four, not rounded up"),
    ("corners", 8.764, ""),
    ("edges6", 7.668, ""),
    ("korf97", 8.878, "the printed figure is that of another class of six edges; see docs/cube.md"),
];

/// What is known about one heuristic.
#[derive(Serialize)]
struct Report {
    heuristic: String,
    metric: Metric,
    tables: Vec<TableUse>,
    /// Entries of its tables.
    entries: u64,
    /// Bytes of its tables.
    bytes: u64,
    /// The greatest value; for a maximum of several parts, a bound on it.
    greatest: Option<u8>,
    /// The exact expected value, where it is known.
    expected: Option<f64>,
    /// Before rounding up (Manhattan distance only).
    #[serde(skip_serializing_if = "Option::is_none")]
    unrounded: Option<f64>,
    /// The expected value of a maximum whose parts are taken to be independent.
    #[serde(skip_serializing_if = "Option::is_none")]
    independent: Option<f64>,
    /// How many patterns or cubes have each value.
    #[serde(skip_serializing_if = "Option::is_none")]
    distribution: Option<Vec<u128>>,
    sampled: Sampled,
    #[serde(skip_serializing_if = "Option::is_none")]
    paper: Option<Paper>,
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
    let store = session.store(super::VERSION)?;
    let names: Vec<&str> = match &args.names[..] {
        [] => family::reported().collect(),
        names => names.iter().map(String::as_str).collect(),
    };
    let heuristics: Result<Vec<HeuristicSpec>, _> = names.into_iter().map(str::parse).collect();
    let heuristics = heuristics.map_err(Failure::usage)?;
    let fits = |spec: &HeuristicSpec| store.check_memory(&spec.tables(args.metric), &session.run());
    heuristics.iter().try_for_each(fits).map_err(|error| tables::failure(super::NAME, &error))?;
    let mut output = session.output();
    for heuristic in heuristics {
        let report = report(&heuristic, args, &store, session)?;
        output.record(&report, lines)?;
    }
    Ok(Exit::Done)
}

fn report(
    heuristic: &HeuristicSpec,
    args: &HeuristicsArgs,
    store: &Store,
    session: &Session,
) -> Result<Report, Failure> {
    let exact = exact_values(heuristic, args.metric, store, session)?;
    let run = session.run();
    let solver = Solver::load(heuristic, args.metric, store, &run)
        .map_err(|error| tables::failure(super::NAME, &error))?;
    let sample = Sample::draw(&solver, args.samples, args.seed, &run)
        .map_err(|_| Failure::interrupted("interrupted").with_remedy("run the same command again"))?;
    let name = heuristic.to_string();
    let paper = PAPER.iter().find(|(of, ..)| *of == name && args.metric == Metric::Htm);
    let ids = heuristic.tables(args.metric);
    Ok(Report {
        metric: args.metric,
        tables: solver.tables().to_vec(),
        entries: ids.iter().map(|id| id.entries()).sum(),
        bytes: ids.iter().map(|id| id.bytes()).sum(),
        sampled: Sampled {
            cubes: sample.cubes(),
            seed: args.seed,
            mean: sample.mean(),
            standard_error: sample.standard_error(),
            distribution: sample.counts,
        },
        paper: paper.map(|&(_, expected, note)| Paper { expected, note }),
        heuristic: name,
        greatest: exact.greatest,
        expected: exact.distribution.as_ref().map(Distribution::expected),
        unrounded: exact.unrounded,
        independent: exact.independent,
        distribution: exact.distribution.map(|distribution| distribution.counts),
    })
}

/// What is known without sampling.
#[derive(Default)]
struct Exact {
    greatest: Option<u8>,
    distribution: Option<Distribution>,
    unrounded: Option<f64>,
    independent: Option<f64>,
}

fn exact_values(
    heuristic: &HeuristicSpec,
    metric: Metric,
    store: &Store,
    session: &Session,
) -> Result<Exact, Failure> {
    if let HeuristicSpec::Manhattan(variant) = heuristic {
        let distribution = manhattan::distribution(metric, *variant);
        return Ok(Exact {
            greatest: Some(distribution.greatest()),
            distribution: Some(distribution),
            unrounded: Some(manhattan::unrounded(metric, *variant)),
            independent: None,
        });
    }
    // Where lookups depend on each other, only samples tell.
    let Some(lookups) = heuristic.specification().lookups() else { return Ok(Exact::default()) };
    let mut of_tables = HashMap::new();
    for id in heuristic.tables(metric) {
        let (table, _) =
            id.get(store, &session.run()).map_err(|error| tables::failure(super::NAME, &error))?;
        of_tables.insert(id.pattern, exact::distribution(id, &table.nibbles(), &session.run()));
    }
    Ok(of_parts(&lookups.iter().map(|pattern| of_tables[pattern].clone()).collect::<Vec<_>>()))
}

/// One part is known exactly; several are taken to be independent.
fn of_parts(parts: &[Histogram]) -> Exact {
    let greatest = parts.iter().filter_map(Histogram::max).max();
    match parts {
        [one] => {
            let counts = one.counts.iter().map(|&count| count.into()).collect();
            Exact { greatest, distribution: Some(Distribution::new(counts)), ..Exact::default() }
        }
        _ => Exact { greatest, independent: Some(Histogram::expected_max(parts)), ..Exact::default() },
    }
}

fn lines(report: &Report) -> Vec<String> {
    let mut lines = vec![format!("{} ({})", report.heuristic, report.metric.name())];
    let mut tell = |what: &str, text: String| lines.push(format!("  {what:<20} {text}"));
    if report.entries > 0 {
        let bytes = format_bytes(report.bytes);
        tell("tables", format!("{} entries, {bytes}", format_count(report.entries)));
    }
    if let Some(greatest) = report.greatest {
        tell("greatest value", greatest.to_string());
    }
    if let Some(expected) = report.expected {
        tell("expected value", format!("{expected:.3} (exact)"));
    }
    if let Some(unrounded) = report.unrounded {
        tell("not rounded up", format!("{unrounded:.3} (exact)"));
    }
    if let Some(independent) = report.independent {
        tell("as if independent", format!("{independent:.3} (as the paper computes it)"));
    }
    let Sampled { cubes, mean, standard_error, .. } = report.sampled;
    tell("sampled", format!("{mean:.3} ± {standard_error:.3} ({} random cubes)", format_count(cubes)));
    if let Some(Paper { expected, note }) = report.paper {
        let note = if note.is_empty() { String::new() } else { format!(" ({note})") };
        tell("Korf 1997 prints", format!("{expected}{note}"));
    }
    match &report.distribution {
        Some(counts) => tell("distribution", spaced(counts)),
        None => tell("in the sample", spaced(&report.sampled.distribution)),
    }
    lines
}

/// How many have the value 0, 1, 2, ….
fn spaced<T: ToString>(counts: &[T]) -> String {
    counts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
