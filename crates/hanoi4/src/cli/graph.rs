//! `hanoi4 graph`: any graph of 3 to 6 pegs.

use crate::graph::{Distances, GraphLimits, GraphReport, GraphTask, PegGraph, distances, explore};
use crate::model::{BadInput, MAX_DISCS};
use crate::strategy::distance::Distance;
use crate::strategy::{DistanceAsk, DistanceMethod};
use clap::Args;
use puzzle_cli::format::{format_bytes, format_count, format_rate};
use puzzle_cli::{Exit, Failure, Named, Session};
use serde::Serialize;
use std::time::{Duration, Instant};

/// Count states and shortest paths where discs move only along the edges of a graph
#[derive(Args, Clone, Debug)]
pub struct GraphArgs {
    /// The number of discs
    #[arg(long, value_name = "N")]
    discs: u32,
    /// The number of pegs, 3 to 6
    #[arg(long, value_name = "N", default_value_t = 4)]
    pegs: u32,
    /// Pegs between which discs may move: complete, linear, cyclic (one way), star (peg 0 is the centre), or edges
    /// such as 0-1,1-2,2>0 (> is one way)
    #[arg(long, value_name = "GRAPH", default_value = "complete", hide_possible_values = true,
        value_parser = Named::<String>::of(["complete", "linear", "cyclic", "star"]))]
    graph: String,
    /// The peg that all discs start on
    #[arg(long, value_name = "PEG", default_value_t = 0)]
    from: u32,
    /// Print only the distance to all discs on this peg
    #[arg(long, value_name = "PEG", conflicts_with_all = ["distances", "max_depth"])]
    to: Option<u32>,
    /// Count the shortest paths to each state with all discs on one peg; takes eight bytes per state, except
    /// with --method half
    #[arg(long, conflicts_with = "distances")]
    paths: bool,
    /// Print the distances between all states with all discs on one peg, and the radius from each peg
    #[arg(long, conflicts_with_all = ["from", "max_depth"])]
    distances: bool,
    /// Stop at this depth
    #[arg(long, value_name = "N")]
    max_depth: Option<u32>,
    /// Search method with --to [default: on the complete graph half, and half-pruned from 13
    /// discs on; otherwise corners where it applies, else full]
    #[arg(long, value_enum, requires = "to")]
    method: Option<DistanceMethod>,
    /// Number of small discs of the method corners; with more, it needs less memory [default: the fastest that fits]
    #[arg(long, value_name = "N", requires = "to")]
    small: Option<u32>,
    /// Number of discs of the database that prunes; a second database has the others [default: two thirds of the discs]
    #[arg(long, value_name = "N", requires = "to")]
    database: Option<u32>,
}

/// The puzzle, in each answer of `--json`.
#[derive(Serialize)]
struct Puzzle<'a> {
    discs: u32,
    pegs: u32,
    graph: &'a str,
    /// The edges, in the notation of `--graph`.
    edges: String,
}

/// The cost of an answer, in each answer of `--json`.
#[derive(Serialize)]
struct Work {
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    seconds: f64,
    threads: usize,
    version: &'static str,
}

/// The object that `--json` prints for a search from one peg.
#[derive(Serialize)]
struct Searched<'a> {
    #[serde(flatten)]
    puzzle: Puzzle<'a>,
    from: u32,
    complete: bool,
    radius: u32,
    states: u64,
    perfect: Vec<Perfect>,
    layers: Vec<u64>,
    #[serde(flatten)]
    work: Work,
}

/// A perfect state that was reached.
#[derive(Serialize)]
struct Perfect {
    peg: u32,
    length: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    paths: Option<u64>,
}

/// The object that `--json` prints with `--to`.
#[derive(Serialize)]
struct Length<'a> {
    #[serde(flatten)]
    puzzle: Puzzle<'a>,
    from: u32,
    to: u32,
    method: DistanceMethod,
    #[serde(skip_serializing_if = "Option::is_none")]
    small: Option<u32>,
    /// Null where the state cannot be reached.
    length: Option<u32>,
    /// As text, because it may not fit the numbers of JSON readers.
    #[serde(skip_serializing_if = "Option::is_none")]
    paths: Option<String>,
    /// The states visited; of a search by corners, the corners.
    states: u64,
    #[serde(flatten)]
    work: Work,
}

/// The object that `--json` prints with `--distances`.
#[derive(Serialize)]
struct Matrix<'a> {
    #[serde(flatten)]
    puzzle: Puzzle<'a>,
    distances: &'a [Vec<Option<u32>>],
    radii: &'a [u32],
    searches: u32,
    #[serde(flatten)]
    work: Work,
}

/// Runs the subcommand.
///
/// # Errors
/// The failure that ends it.
pub fn run(args: &GraphArgs, session: &Session) -> Result<Exit, Failure> {
    let graph = check(args).map_err(|error| super::malformed(&error))?;
    let (start, run) = (Instant::now(), session.run());
    let puzzle = Puzzle { discs: args.discs, pegs: args.pegs, graph: &args.graph, edges: graph.to_string() };
    let work = |bytes| Work {
        bytes,
        seconds: start.elapsed().as_secs_f64(),
        threads: session.run().threads(),
        version: super::VERSION,
    };
    if args.distances {
        let Distances { lengths, radii, searches } =
            distances(&graph, args.discs, &run).map_err(|error| super::ask_failure(error.into()))?;
        let answer = Matrix { puzzle, distances: &lengths, radii: &radii, searches, work: work(None) };
        session.output().record(&answer, matrix_text)?;
        return Ok(Exit::Done);
    }
    let task = GraphTask { graph: &graph, discs: args.discs, from: args.from, word_discs: None };
    if let Some(to) = args.to {
        let ask = DistanceAsk {
            paths: args.paths,
            method: args.method,
            small: args.small,
            database: args.database,
            ..DistanceAsk::new(task, to)
        };
        let Distance { method, small, length, paths, states, bytes } =
            ask.find(&run).map_err(super::ask_failure)?;
        let work = work(Some(bytes));
        let paths = paths.map(|paths| paths.to_string());
        let answer = Length { puzzle, from: args.from, to, method, small, length, paths, states, work };
        session.output().record(&answer, length_text)?;
        return Ok(Exit::Done);
    }
    let limits = GraphLimits { to: None, max_depth: args.max_depth, paths: args.paths };
    let report = explore(&task, &limits, &run).map_err(|error| super::ask_failure(error.into()))?;
    let work = work(Some(report.bytes));
    session.output().record(&searched(puzzle, args.from, report, work), searched_text)?;
    Ok(Exit::Done)
}

/// The graph, when all numbers are in range.
fn check(args: &GraphArgs) -> Result<PegGraph, BadInput> {
    let mut faults = Vec::new();
    if !(1..=MAX_DISCS).contains(&args.discs) {
        faults.push(format!("the number of discs must be 1 to {MAX_DISCS}, not {}", args.discs));
    }
    for (name, peg) in [("--from", Some(args.from)), ("--to", args.to)] {
        if let Some(peg) = peg.filter(|&peg| peg >= args.pegs) {
            faults.push(format!("{name}: {peg} is not a peg of the graph"));
        }
    }
    match PegGraph::parse(&args.graph, args.pegs) {
        Ok(graph) if faults.is_empty() => Ok(graph),
        Ok(_) => Err(BadInput { faults }),
        Err(error) => Err(BadInput { faults: [faults, error.faults].concat() }),
    }
}

fn searched(puzzle: Puzzle<'_>, from: u32, report: GraphReport, work: Work) -> Searched<'_> {
    let reached = report.perfect.iter().zip(0..).filter_map(|(reached, peg)| {
        reached.map(|reached| Perfect { peg, length: reached.length, paths: reached.paths })
    });
    Searched {
        puzzle,
        from,
        complete: report.exhausted,
        radius: report.depth(),
        states: report.states(),
        perfect: reached.collect(),
        layers: report.layers,
        work,
    }
}

fn searched_text(answer: &Searched<'_>) -> Vec<String> {
    let mut lines = vec!["depth states".to_owned()];
    lines.extend(answer.layers.iter().enumerate().map(|(depth, states)| format!("{depth} {states}")));
    for Perfect { peg, length, paths } in &answer.perfect {
        let paths = paths.map_or(String::new(), |paths| format!(", {}", shortest(&paths.to_string())));
        lines.push(format!("all discs on peg {peg} at depth {length}{paths}"));
    }
    let radius = if answer.complete { "radius" } else { "radius at least" };
    let last = answer.layers.last().copied().unwrap_or_default();
    lines.push(format!("{radius} {}: {} states", answer.radius, format_count(last)));
    lines.push(format!("{} states in total", format_count(answer.states)));
    let Work { bytes, seconds, threads, .. } = &answer.work;
    let rate = format_rate(answer.states, Duration::from_secs_f64(*seconds));
    let bytes = format_bytes(bytes.unwrap_or_default());
    lines.push(format!("{seconds:.2} s, {rate} on {threads} threads, memory {bytes}"));
    lines
}

fn length_text(answer: &Length<'_>) -> Vec<String> {
    let Some(length) = answer.length else { return vec!["cannot be reached".to_owned()] };
    let moves = if length == 1 { "move" } else { "moves" };
    let paths = answer.paths.as_deref().map_or(String::new(), |paths| format!(", {}", shortest(paths)));
    vec![format!("{length} {moves}{paths}")]
}

/// A number of shortest paths, with the noun.
fn shortest(paths: &str) -> String {
    format!("{paths} shortest path{}", if paths == "1" { "" } else { "s" })
}

fn matrix_text(answer: &Matrix<'_>) -> Vec<String> {
    let cell = |length: &Option<u32>| length.map_or("-".to_owned(), |length| length.to_string());
    let mut lines = vec!["from: distance to each peg, radius".to_owned()];
    for (from, (row, radius)) in answer.distances.iter().zip(answer.radii).enumerate() {
        let row: Vec<String> = row.iter().map(cell).collect();
        lines.push(format!("{from}: {}, {radius}", row.join(" ")));
    }
    lines
}
