//! `hanoi4 bfs`: complete breadth-first search from all discs on peg 0.

use super::layer_args::{LayerArgs, SpaceNeed};
use crate::bitmap::search::{LayerCount, NoPruning, Setup};
use crate::bitmap::shape::SMALL;
use crate::corners::complete::{self, Complete, CompleteSearch, FEWEST_DISCS};
use crate::error::SearchError;
use crate::layer_search::{LayerReport, SearchOptions, check_depth, remove_work_dir, search_layers};
use crate::model::{Puzzle, State, to_u32, to_u64};
use crate::packed::max_discs;
use crate::pegs::PegGroup;
use crate::picture;
use crate::presumed::four_peg_length;
use clap::{Args, ValueEnum, value_parser};
use puzzle_cli::format::{format_bytes, format_count, format_rate, parse_duration, whole_mebibytes};
use puzzle_cli::{Exit, Failure, Session};
use search_core::Run;
use search_core::frontier::{FrontierSearch, Options};
use search_core::storage::DataFile;
use serde::Serialize;
use std::path::PathBuf;
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
    /// Search engine [default: corners; bitmap with --max-depth or fewer than 8 discs; frontier with 3
    /// pegs or fewer than 5 discs]
    #[arg(long, value_enum)]
    engine: Option<Engine>,
    /// The number of small discs of the corners engine, 7 to 12 [default: the fastest that the memory
    /// allows]
    #[arg(long, value_name = "K", value_parser = value_parser!(u32).range(7..=12))]
    small: Option<u32>,
    /// Write the states at the greatest depth to this file, one per line, largest disc first; with the
    /// ending .svg draw them, one for each orbit (corners engine)
    #[arg(long, value_name = "FILE")]
    farthest: Option<PathBuf>,
    /// How often the corners engine saves a checkpoint in the work directory [default: 10 s plus 20
    /// times the duration of a checkpoint]
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    checkpoint_every: Option<Duration>,
    #[command(flatten)]
    layers: LayerArgs,
}

/// A search engine.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Engine {
    /// Stores the depths of corners (states with all small discs on two pegs) and no layers; complete
    /// searches with 4 pegs and at least 8 discs only
    Corners,
    /// Layers of bitmaps of the small discs; needs 4 pegs and at least 5 discs
    Bitmap,
    /// State by state, with delayed duplicate detection; without symmetry
    Frontier,
}

impl Engine {
    /// Its name, as in the arguments.
    fn name(self) -> &'static str {
        match self {
            Engine::Corners => "corners",
            Engine::Bitmap => "bitmap",
            Engine::Frontier => "frontier",
        }
    }
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
    #[serde(skip)]
    searched: u64,
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
    let threads = session.run().threads();
    let print = |engine, symmetry, report: &LayerReport| {
        session.output().record(&answer(&puzzle, engine, symmetry, report, threads), text)
    };
    let engine = engine(args)?;
    // The work directory is removed once the answer is printed.
    let removed = match engine {
        Engine::Corners => {
            // Created now, so that a name that cannot be used is told before the search.
            let farthest = args.farthest.as_ref().map(|path| DataFile::create(path)).transpose();
            let farthest = farthest.map_err(Failure::error)?;
            let found = by_corners(args, session)?;
            print(engine, !args.no_symmetry, &found.report)?;
            if let Some((path, file)) = args.farthest.as_ref().zip(farthest) {
                let is_drawn = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
                let text = match is_drawn {
                    true => picture::svg(args.discs, &found.farthest),
                    false => found.farthest.iter().map(|&state| puzzle.format(state) + "\n").collect(),
                };
                let written = file.write_at(text.as_bytes(), 0).and_then(|()| file.sync());
                written.map_err(Failure::error)?;
            }
            args.layers.work_dir.as_ref().map_or(Ok(()), |path| complete::remove_work_dir(path))
        }
        Engine::Bitmap => {
            let (report, options) = by_bitmaps(&puzzle, args, session)?;
            print(engine, !args.no_symmetry, &report)?;
            remove_work_dir(&options)
        }
        Engine::Frontier => {
            let searched = by_frontier(&puzzle, args, &session.run());
            let (report, search) = searched.map_err(|error| args.layers.failure(error, None))?;
            print(engine, false, &report)?;
            search.finish().map_err(SearchError::from)
        }
    };
    removed.map_err(Failure::error)?;
    Ok(Exit::Done)
}

/// The requested engine, or the default one for the size.
fn engine(args: &BfsArgs) -> Result<Engine, Failure> {
    let (bitmap, most) = (args.pegs == 4 && args.discs >= *SMALL.start(), max_discs(args.pegs));
    let corners = args.pegs == 4 && args.discs >= FEWEST_DISCS && args.max_depth.is_none();
    let default = match (corners, bitmap) {
        (true, _) => Engine::Corners,
        (false, true) => Engine::Bitmap,
        (false, false) => Engine::Frontier,
    };
    let remedy = "omit --engine, or give --engine frontier";
    match args.engine.unwrap_or(default) {
        Engine::Corners if !corners => {
            let message =
                format!("the corners engine needs 4 pegs, at least {FEWEST_DISCS} discs and no --max-depth");
            Err(Failure::usage(message).with_remedy("omit --engine"))
        }
        Engine::Bitmap if !bitmap => {
            let message = format!("bitmaps need 4 pegs and at least {} discs", SMALL.start());
            Err(Failure::usage(message).with_remedy(remedy))
        }
        Engine::Frontier if args.discs > most => {
            Err(Failure::malformed(format!("the frontier engine supports at most {most} discs")))
        }
        Engine::Bitmap | Engine::Frontier if args.farthest.is_some() || args.small.is_some() => {
            Err(Failure::usage("--farthest and --small need the corners engine").with_remedy("omit --engine"))
        }
        engine => Ok(engine),
    }
}

fn by_corners(args: &BfsArgs, session: &Session) -> Result<Complete, Failure> {
    let run = session.run();
    let (threads, memory) = (run.threads(), run.memory());
    let fits = complete::fitting(args.discs, args.no_symmetry, threads, memory);
    let (small, need) = match args.small {
        Some(small) if small > args.discs => {
            return Err(Failure::usage(format!(
                "--small must be at most the number of discs, {}, not {small}",
                args.discs
            )));
        }
        Some(small) => (small, complete::bytes(args.discs, small, args.no_symmetry, threads)),
        None => fits.unwrap_or_else(|least| (*complete::SMALL.end(), least)),
    };
    let short = |what: &str, flag: &str, bytes: u64| {
        let message = format!("this search needs about {} of {what}", format_bytes(bytes));
        Failure::usage(message).with_remedy(format!("give {flag} {}", whole_mebibytes(bytes)))
    };
    if need > memory {
        return Err(short("memory", "--memory", need));
    }
    // Two files of times, while the second is written.
    let files = 2 * complete::file_bytes(args.discs, small, args.no_symmetry);
    if args.layers.disk.is_some_and(|disk| disk < files) {
        return Err(short("disk", "--disk", files));
    }
    let search = CompleteSearch {
        discs: args.discs,
        without_symmetry: args.no_symmetry,
        small: args.small,
        work_dir: args.layers.work_dir.clone(),
        program: super::VERSION.into(),
        fresh: args.layers.fresh,
        checkpoint_every: args.checkpoint_every,
    };
    search.run(&run).map_err(|error| args.layers.failure(error, None))
}

fn by_bitmaps(
    puzzle: &Puzzle,
    args: &BfsArgs,
    session: &Session,
) -> Result<(LayerReport, SearchOptions), Failure> {
    let (discs, small) = (puzzle.discs(), puzzle.discs().min(*SMALL.end()));
    let group = if args.no_symmetry { PegGroup::trivial() } else { PegGroup::fixing(0) };
    let need = SpaceNeed::of_complete_search(discs, small, to_u64(group.perms().len()));
    let need = args.max_depth.is_none().then_some(need);
    let mut setup = Setup::new(discs, small, group);
    setup.budget = args.layers.budget(session, 0, need)?;
    setup.target = Some(State::all_on(3, discs));
    let options = SearchOptions {
        identity: format!("hanoi4 bfs, {discs} discs, symmetry {}, format 2", !args.no_symmetry),
        max_depth: args.max_depth,
        expected_depth: four_peg_length(discs),
        work_dir: args.layers.work_dir.clone(),
        fresh: args.layers.fresh,
        keep_work_dir: true,
        ..SearchOptions::default()
    };
    let report = search_layers(setup, &NoPruning, &options, &session.run());
    Ok((report.map_err(|error| args.layers.failure(error, need))?, options))
}

fn by_frontier<'a>(
    puzzle: &'a Puzzle,
    args: &BfsArgs,
    run: &Run<'_>,
) -> Result<(LayerReport, FrontierSearch<'a, Puzzle>), SearchError> {
    let start = Instant::now();
    let options = Options {
        bucket_bits: (2 * puzzle.discs()).saturating_sub(18).min(8),
        memory: run.memory(),
        disk: args.layers.disk.unwrap_or(u64::MAX),
        directory: args.layers.work_dir.clone(),
        identity: format!("hanoi4 bfs, {} discs, {} pegs, frontier 2", puzzle.discs(), puzzle.pegs()),
        fresh: args.layers.fresh,
    };
    let mut search = FrontierSearch::new(puzzle, options, [State::START])?;
    let begun = search.layers().len();
    check_depth(args.max_depth, search.depth())?;
    let mut report = LayerReport::default();
    run.progress().begin("layers", 0);
    while !report.exhausted && args.max_depth.is_none_or(|max| search.depth() < max) {
        report.exhausted = search.step(run)?.states == 0;
        let (memory, disk) = search.bytes();
        (report.peak_bytes, report.peak_disk) = (report.peak_bytes.max(memory), report.peak_disk.max(disk));
        run.progress().update(u64::from(search.depth()));
    }
    run.progress().end();
    // An empty layer ends a complete search; it is not counted.
    report.searched = search.layers()[begun..].iter().map(|count| count.states).sum();
    let counts = search.layers().iter().filter(|count| count.states > 0);
    report.layers = counts
        .map(|count| LayerCount {
            states: count.states,
            stored: count.states,
            goal: count.goal.is_some(),
            ..LayerCount::default()
        })
        .collect();
    Ok((LayerReport { seconds: start.elapsed().as_secs_f64(), ..report }, search))
}

fn answer(puzzle: &Puzzle, engine: Engine, symmetry: bool, report: &LayerReport, threads: usize) -> Answer {
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
        engine: engine.name(),
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
        "{} engine, {:.2} s, {} on {} threads, {} {}, disk {}",
        answer.engine,
        answer.seconds,
        format_rate(answer.searched, time),
        answer.threads,
        if answer.engine == Engine::Corners.name() { "corner times" } else { "layers" },
        format_bytes(answer.peak_layer_bytes),
        format_bytes(answer.peak_disk_bytes)
    ));
    lines
}
