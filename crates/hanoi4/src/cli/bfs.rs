//! `hanoi4 bfs`: complete breadth-first search from all discs on peg 0.

use super::corner_args::CornerArgs;
use crate::bitmap::search::LayerCount;
use crate::model::{Puzzle, to_u32};
use crate::strategy::count::Counted;
use crate::strategy::{CountAsk, CountMethod};
use clap::Args;
use puzzle_cli::format::{format_bytes, format_count, format_rate};
use puzzle_cli::{Exit, Failure, Session};
use serde::Serialize;
use std::time::Duration;

/// Count the states at each depth by complete breadth-first search
#[derive(Args, Clone, Debug)]
pub struct BfsArgs {
    /// The number of discs
    #[arg(long, value_name = "N")]
    discs: u32,
    /// The number of pegs, 3 or 4
    #[arg(long, value_name = "N", default_value_t = 4)]
    pegs: u32,
    /// Stop at this depth
    #[arg(long, value_name = "N")]
    max_depth: Option<u32>,
    /// Search method [default: corners; bitmap with --max-depth or fewer than 8 discs; with 3 pegs or fewer than 5
    /// discs full, and frontier with --work-dir]
    #[arg(long, value_enum)]
    method: Option<CountMethod>,
    #[command(flatten)]
    corners: CornerArgs,
}

/// The object that `--json` prints.
#[derive(Serialize)]
struct Answer {
    discs: u32,
    pegs: u32,
    method: &'static str,
    symmetry: bool,
    complete: bool,
    length: Option<u32>,
    radius: u32,
    states_at_radius: u64,
    orbits_at_radius: Option<u64>,
    width: u64,
    width_at: u32,
    states: u64,
    orbits: Option<u64>,
    layers: Vec<LayerRow>,
    peak_layer_bytes: u64,
    peak_disk_bytes: u64,
    seconds: f64,
    #[serde(skip)]
    searched: u64,
    threads: usize,
    version: &'static str,
}

/// The counts of one layer.
#[derive(Serialize)]
struct LayerRow {
    depth: u32,
    states: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    orbits: Option<u64>,
}

/// Runs the subcommand.
///
/// # Errors
/// The failure that ends it.
pub fn run(args: &BfsArgs, session: &Session) -> Result<Exit, Failure> {
    let puzzle = Puzzle::new(args.discs, args.pegs).map_err(|error| super::malformed(&error))?;
    let ask = CountAsk { max_depth: args.max_depth, method: args.method, ..args.corners.ask(&puzzle) };
    let refused = |error| args.corners.layers.failure(error, ask.layer_space());
    let method = ask.method().map_err(refused)?;
    if args.corners.farthest.is_some() && method != CountMethod::Corners {
        return Err(Failure::usage("--farthest needs the method corners")
            .with_remedy("omit --method and --max-depth"));
    }
    let file = args.corners.create()?;
    let found = ask.count(&session.run()).map_err(refused)?;
    session.output().record(&answer(&puzzle, &found, session.run().threads()), text)?;
    args.corners.write(file, &puzzle, &found.farthest)?;
    // The work directory is removed once the answer is printed.
    ask.remove_work_dir(method).map_err(Failure::error)?;
    Ok(Exit::Done)
}

fn answer(puzzle: &Puzzle, found: &Counted, threads: usize) -> Answer {
    let &Counted { method, symmetry, ref report, .. } = found;
    let orbits = |count: &LayerCount| symmetry.then_some(count.orbits);
    let last = report.layers.last().expect("at least the layer at depth 0");
    let widest = report.layers.iter().enumerate().rev().max_by_key(|(_, layer)| layer.states);
    let (width_at, widest) = widest.expect("at least the layer at depth 0");
    let row = |(depth, layer): (usize, &LayerCount)| LayerRow {
        depth: to_u32(depth),
        states: layer.states,
        orbits: orbits(layer),
    };
    Answer {
        discs: puzzle.discs(),
        pegs: puzzle.pegs(),
        method: method.name(),
        symmetry,
        complete: report.exhausted,
        length: report.goal_depth(),
        radius: report.depth(),
        states_at_radius: last.states,
        orbits_at_radius: orbits(last),
        width: widest.states,
        width_at: to_u32(width_at),
        states: report.total(|layer| layer.states),
        orbits: symmetry.then(|| report.total(|layer| layer.orbits)),
        layers: report.layers.iter().enumerate().map(row).collect(),
        peak_layer_bytes: report.peak_bytes,
        peak_disk_bytes: report.peak_disk,
        seconds: report.seconds,
        searched: report.searched,
        threads,
        version: super::VERSION,
    }
}

fn text(answer: &Answer) -> Vec<String> {
    let with_orbits = |states: u64, orbits: Option<u64>| match orbits {
        Some(orbits) => format!("{} states, {} orbits", format_count(states), format_count(orbits)),
        None => format!("{} states", format_count(states)),
    };
    let mut lines = vec![if answer.symmetry { "depth states orbits" } else { "depth states" }.to_string()];
    lines.extend(answer.layers.iter().map(|row| match row.orbits {
        Some(orbits) => format!("{} {} {orbits}", row.depth, row.states),
        None => format!("{} {}", row.depth, row.states),
    }));
    let length = answer.length.map_or("not reached".to_string(), |length| length.to_string());
    let radius = if answer.complete { "radius" } else { "radius at least" };
    let time = Duration::from_secs_f64(answer.seconds);
    lines.push(format!("length {length}"));
    lines.push(format!(
        "{radius} {}: {}",
        answer.radius,
        with_orbits(answer.states_at_radius, answer.orbits_at_radius)
    ));
    lines.push(format!("width {} at depth {}", format_count(answer.width), answer.width_at));
    lines.push(format!("{} in total", with_orbits(answer.states, answer.orbits)));
    lines.push(format!(
        "method {}, {:.2} s, {} on {} threads, {} {}, disk {}",
        answer.method,
        answer.seconds,
        format_rate(answer.searched, time),
        answer.threads,
        if answer.method == CountMethod::Corners.name() { "corner times" } else { "layers" },
        format_bytes(answer.peak_layer_bytes),
        format_bytes(answer.peak_disk_bytes)
    ));
    lines
}
