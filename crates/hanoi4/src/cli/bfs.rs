//! `hanoi4 bfs`: complete breadth-first search from all discs on peg 0.

use super::layer_args::{LayerArgs, SpaceNeed};
use crate::bitmap::search::{LayerCount, NoPruning, Seeds, Setup};
use crate::bitmap::shape::SMALL;
use crate::layer_search::{LayerReport, SearchOptions, search_layers};
use crate::model::{Puzzle, State, to_u32, to_u64};
use crate::packed::{Instance, max_discs};
use crate::pegs::PegGroup;
use crate::presumed::four_peg_length;
use clap::{Args, ValueEnum};
use puzzle_cli::units::{format_bytes, format_count, format_rate};
use puzzle_cli::{Exit, Failure, Session};
use search_core::frontier::{self, FrontierError, FrontierSearch, Options};
use serde::Serialize;
use std::time::{Duration, Instant};

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
    /// Search every state instead of one per orbit under permutations of pegs 1 to 3
    #[arg(long)]
    no_symmetry: bool,
    /// Search engine [default: bitmap; frontier with 3 pegs or fewer than 5 discs]
    #[arg(long, value_enum)]
    engine: Option<Engine>,
    #[command(flatten)]
    layers: LayerArgs,
}

/// A search engine.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Engine {
    /// Bitmaps of the small discs; needs 4 pegs and at least 5 discs
    Bitmap,
    /// State by state, with delayed duplicate detection; without symmetry
    Frontier,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Answer {
    discs: u32,
    pegs: u32,
    engine: &'static str,
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
    layers: Vec<Row>,
    peak_layer_bytes: u64,
    peak_disk_bytes: u64,
    seconds: f64,
    threads: usize,
    version: &'static str,
}

/// The counts of one layer.
#[derive(Serialize)]
struct Row {
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
    let bitmap = engine(args)? == Engine::Bitmap;
    let (symmetry, report) = match bitmap {
        true => (!args.no_symmetry, by_bitmaps(&puzzle, args, session)?),
        false => (false, by_frontier(&puzzle, args, session)?),
    };
    let answer = answer(&puzzle, bitmap, symmetry, &report, session.run().threads());
    session.output().record(&answer, text)?;
    Ok(Exit::Done)
}

/// The requested engine, or the default one for the size.
fn engine(args: &BfsArgs) -> Result<Engine, Failure> {
    let bitmap = args.pegs == 4 && args.discs >= *SMALL.start();
    match args.engine {
        Some(Engine::Bitmap) if !bitmap => {
            Err(Failure::usage(format!("bitmaps need 4 pegs and at least {} discs", SMALL.start()))
                .with_remedy("omit --engine, or give --engine frontier"))
        }
        Some(engine) => Ok(engine),
        None if bitmap => Ok(Engine::Bitmap),
        None => Ok(Engine::Frontier),
    }
}

fn by_bitmaps(puzzle: &Puzzle, args: &BfsArgs, session: &Session) -> Result<LayerReport, Failure> {
    let (discs, small) = (puzzle.discs(), puzzle.discs().min(*SMALL.end()));
    let group = if args.no_symmetry { PegGroup::trivial() } else { PegGroup::keeping(&[1]) };
    let need = SpaceNeed::of_complete_search(discs, small, to_u64(group.perms().len()));
    let need = args.max_depth.is_none().then_some(need);
    let mut setup = Setup::new(discs, small, group, Seeds::State(State::START));
    setup.budget = args.layers.budget(session, 0, need)?;
    setup.target = Some(State::all_on(3, discs));
    let options = SearchOptions {
        identity: format!("hanoi4 bfs, {discs} discs, symmetry {}, format 1", !args.no_symmetry),
        max_depth: args.max_depth,
        expected_depth: four_peg_length(discs),
        work_dir: args.layers.work_dir.clone(),
        resume: args.layers.resume,
        ..SearchOptions::default()
    };
    let report = search_layers(setup, &NoPruning, &options, &session.run());
    report.map_err(|error| args.layers.failure(error, need))
}

fn by_frontier(puzzle: &Puzzle, args: &BfsArgs, session: &Session) -> Result<LayerReport, Failure> {
    if puzzle.discs() > max_discs(puzzle.pegs()) {
        return Err(Failure::malformed(format!(
            "the frontier engine supports at most {} discs",
            max_discs(puzzle.pegs())
        )));
    }
    let options = Options {
        bucket_bits: (2 * puzzle.discs()).saturating_sub(18).min(8),
        memory: session.run().memory(),
        disk: args.layers.disk.unwrap_or(u64::MAX),
        directory: args.layers.work_dir.clone(),
        identity: format!("hanoi4 bfs, {} discs, {} pegs, frontier 2", puzzle.discs(), puzzle.pegs()),
    };
    layers(puzzle, args, options, session).map_err(|error| args.layers.failure(error.into(), None))
}

fn layers(
    puzzle: &Puzzle,
    args: &BfsArgs,
    options: Options,
    session: &Session,
) -> Result<LayerReport, FrontierError> {
    let (start, goal) = (Instant::now(), State::all_on(puzzle.pegs() - 1, puzzle.discs()));
    let instance = Instance { puzzle: *puzzle, goal };
    let mut search = match args.layers.resume {
        true => FrontierSearch::resume(&instance, options)?,
        false => FrontierSearch::new(&instance, options, [State::START])?,
    };
    let resumed_at = args.layers.resume.then(|| search.depth());
    let row = |count: &frontier::LayerCount| {
        let states = count.states;
        LayerCount { states, stored: states, goal: count.goal.is_some(), ..LayerCount::default() }
    };
    let mut report = LayerReport { resumed_at, ..LayerReport::default() };
    let run = session.run();
    run.progress().begin("layers", 0);
    while args.max_depth.is_none_or(|max| search.depth() < max) {
        let count = search.step(&run)?;
        if count.states == 0 {
            report.exhausted = true;
            break;
        }
        let (memory, disk) = search.bytes();
        (report.peak_bytes, report.peak_disk) = (report.peak_bytes.max(memory), report.peak_disk.max(disk));
        run.progress().update(u64::from(search.depth()));
    }
    run.progress().end();
    // An empty layer ends a complete search; it is not counted.
    report.layers = search.layers().iter().filter(|count| count.states > 0).map(row).collect();
    search.finish()?;
    Ok(LayerReport { seconds: start.elapsed().as_secs_f64(), ..report })
}

fn answer(puzzle: &Puzzle, bitmap: bool, symmetry: bool, report: &LayerReport, threads: usize) -> Answer {
    let orbits = |count: &LayerCount| symmetry.then_some(count.orbits);
    let last = report.layers.last().expect("at least the layer at depth 0");
    let widest = report.layers.iter().enumerate().rev().max_by_key(|(_, layer)| layer.states);
    let (width_at, widest) = widest.expect("at least the layer at depth 0");
    let row = |(depth, layer): (usize, &LayerCount)| Row {
        depth: to_u32(depth),
        states: layer.states,
        orbits: orbits(layer),
    };
    Answer {
        discs: puzzle.discs(),
        pegs: puzzle.pegs(),
        engine: if bitmap { "bitmap" } else { "frontier" },
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
    let counted = answer.orbits.unwrap_or(answer.states);
    lines.push(format!("length {length}"));
    lines.push(format!(
        "{radius} {}: {}",
        answer.radius,
        with_orbits(answer.states_at_radius, answer.orbits_at_radius)
    ));
    lines.push(format!("width {} at depth {}", format_count(answer.width), answer.width_at));
    lines.push(format!("{} in total", with_orbits(answer.states, answer.orbits)));
    lines.push(format!(
        "{} engine, {:.2} s, {} on {} threads, layers {}, disk {}",
        answer.engine,
        answer.seconds,
        format_rate(counted, time),
        answer.threads,
        format_bytes(answer.peak_layer_bytes),
        format_bytes(answer.peak_disk_bytes)
    ));
    lines
}
