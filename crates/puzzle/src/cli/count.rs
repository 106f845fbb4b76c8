//! `puzzle-opt count`: the number of positions at each depth.

use clap::Args;
use puzzle_cli::format::{format_bytes, format_count, format_duration, parse_bytes};
use puzzle_cli::{Exit, Failure, Session};
use search_core::Run;
use search_core::storage::{StorageError, WorkDirError};
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::goal_args::GoalArgs;
use super::puzzle_args::PuzzleArgs;
use super::system_failure;
use crate::count::{CountError, CountPlan, Counts, Work, by_frontier, bytes_of_position};
use crate::definition::Positions;
use crate::model::Puzzle;
use crate::system::System;

/// The seconds from which on the time of a count is announced, and up to which as a time.
const SHORT: f64 = 10.0;
const CENTURY: f64 = 100.0 * 365.0 * 86_400.0;

/// Count the positions at each depth
///
/// One line per depth: the depth and the number of positions at that depth, counted from a single goal. Positions
/// that differ by a free rotation are one, and so are those that differ only in what the goal leaves open. The last
/// lines are some of the deepest positions, one of each class under symmetries of the moves.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:\n  \
    puzzle-opt count skewb\n  \
    puzzle-opt count 3x3x3 --ignore EDGES\n  \
    puzzle-opt count 3x3x3 --ignore CORNERS --alike EDGES\n  \
    puzzle-opt count 3x3x3 --metric inverses --max-depth 6")]
pub struct CountArgs {
    #[command(flatten)]
    puzzle: PuzzleArgs,
    /// Count up to this depth only
    #[arg(long, value_name = "N")]
    max_depth: Option<usize>,
    #[command(flatten)]
    goal: GoalArgs,
    #[command(flatten)]
    work: WorkArgs,
}

/// Where a count keeps its layers.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Layers on disk")]
struct WorkArgs {
    /// Directory for layers and checkpoints, new or empty; a count that was stopped resumes from the checkpoint in it
    #[arg(long, value_name = "DIR")]
    work_dir: Option<PathBuf>,
    /// Disk budget for the files in the work directory, such as 20GiB [default: unlimited]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, requires = "work_dir")]
    disk: Option<u64>,
    /// Start over, even if a stopped count left a checkpoint in the work directory
    #[arg(long, requires = "work_dir")]
    fresh: bool,
}

impl WorkArgs {
    fn work(&self) -> Option<Work> {
        let WorkArgs { work_dir, disk, fresh } = self;
        work_dir.clone().map(|directory| Work { directory, disk: *disk, fresh: *fresh })
    }
}

/// The failure of a count that stopped.
fn failure(error: CountError, work: Option<&Work>) -> Failure {
    let stopped = match error {
        CountError::OneWay | CountError::TooWide(_) => {
            return Failure::usage(error).with_remedy("omit --work-dir");
        }
        CountError::Storage(StorageError::WorkDir(
            error @ (WorkDirError::Foreign(_) | WorkDirError::Other { .. }),
        )) => return Failure::usage(error),
        CountError::Storage(error) if error.is_full() => Failure::interrupted(error),
        error @ CountError::Cancelled(_) => Failure::interrupted(error),
        error => return Failure::error(error),
    };
    match work {
        Some(_) => {
            stopped.with_remedy("the checkpoint is saved; repeat the command without --fresh to resume")
        }
        None => stopped,
    }
}

/// The counts, as `--json` prints them.
#[derive(Serialize)]
struct Record<'a> {
    puzzle: &'a str,
    layers: &'a [u64],
    positions: u64,
    complete: bool,
    deepest: &'a [DeepestRecord],
    seconds: f64,
}

/// One of the deepest positions.
#[derive(Serialize)]
struct DeepestRecord {
    moves: String,
    /// The number of positions of its class under symmetries.
    alike: usize,
}

pub(super) fn run(args: &CountArgs, session: &Session) -> Result<Exit, Failure> {
    let begun = Instant::now();
    let (definition, selected) = args.puzzle.read(session)?;
    let goals = args.goal.read(&definition, &selected, None)?;
    let [goal] = &goals[..] else {
        return Err(
            Failure::usage("a count has a single goal").with_remedy("count for each --goal by itself")
        );
    };
    let puzzle = if args.goal.is_default() { &selected.puzzle } else { goal.puzzle() };
    let run = session.run();
    let system = System::new(puzzle, &run).map_err(|error| system_failure("puzzle for a count", &error))?;
    let work = args.work.work();
    let counted = match &work {
        Some(work) => {
            let positions = Known::new(puzzle, &system, &run)?;
            session.remark(&format!("{positions}; counting by layers in the work directory"));
            by_frontier(&system, args.max_depth, work, &run)
        }
        None => {
            let plan = CountPlan::new(puzzle, &system, args.max_depth.is_none(), &run);
            let plan = plan.map_err(Failure::interrupted)?;
            let positions = Known::new(puzzle, &system, &run)?;
            session.remark(&announcement(&plan, &positions, &system, args.max_depth.is_none(), &run));
            plan.count(&system, args.max_depth, &run)
        }
    };
    let (counts, exit) = match counted {
        Ok(counts) => (counts, Exit::Done),
        Err(CountError::Budget(layers)) => {
            Failure::new(Exit::Unsolved, format_args!("memory budget exceeded at depth {}", layers.len()))
                .with_remedy("give more --memory, or --max-depth")
                .report();
            (Counts { layers, complete: false, deepest: Vec::new() }, Exit::Unsolved)
        }
        Err(error) => return Err(failure(error, work.as_ref())),
    };
    let deepest: Vec<DeepestRecord> = counts
        .deepest
        .iter()
        .map(|of| DeepestRecord {
            moves: system.reduction.spell(puzzle.solved(), &of.word).join(" "),
            alike: of.alike,
        })
        .collect();
    let record = Record {
        puzzle: puzzle.name(),
        layers: &counts.layers,
        positions: counts.layers.iter().sum(),
        complete: counts.complete,
        deepest: &deepest,
        seconds: begun.elapsed().as_secs_f64(),
    };
    session.output().record(&record, text)?;
    // The work directory is removed once the counts are printed.
    work.map_or(Ok(()), |work| work.remove()).map_err(Failure::error)?;
    Ok(exit)
}

/// The number of positions, or an upper limit.
struct Known {
    positions: f64,
    is_exact: bool,
}

impl Known {
    fn new(puzzle: &Puzzle, system: &System, run: &Run<'_>) -> Result<Known, Failure> {
        let positions = Positions::new(puzzle, run).map_err(Failure::interrupted)?;
        let positions = positions.filter(|positions| positions.group().is_proved());
        let count =
            positions.map(|positions| positions.count(run)).transpose().map_err(Failure::interrupted)?;
        let count = count.flatten().and_then(|count| count.decimal().parse().ok());
        Ok(match count {
            Some(positions) => Known { positions, is_exact: true },
            None => Known { positions: system.most_positions(), is_exact: false },
        })
    }
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Known { positions, is_exact } = *self;
        let at_most = if is_exact { "" } else { "at most " };
        match positions < 1e15 {
            // Numbers below 2^53 are exact.
            true => write!(f, "{at_most}{} positions", format_count(positions as u64)),
            false => write!(f, "{at_most}{positions:.2e} positions"),
        }
    }
}

/// The number of positions, the memory and the time of a count that begins.
fn announcement(
    plan: &CountPlan,
    positions: &Known,
    system: &System,
    are_all_wanted: bool,
    run: &Run<'_>,
) -> String {
    let how = match plan.size() {
        Some((entries, bytes)) => format!(
            "counting by tables of {} entries, {} of memory at most",
            format_count(entries),
            format_bytes(bytes)
        ),
        None => {
            let kept = if system.inverses.is_some() { "the last two layers" } else { "all layers" };
            let bytes = bytes_of_position(system);
            format!("counting by layers, {bytes} bytes for each position of {kept}")
        }
    };
    let known = positions.is_exact.then_some(positions.positions);
    let seconds = plan.seconds(system, known, run).filter(|_| are_all_wanted);
    match seconds {
        Some(seconds) if seconds > CENTURY => format!("{positions}; {how}; more than a century"),
        Some(seconds) if seconds >= SHORT => {
            format!("{positions}; {how}; about {}", format_duration(Duration::from_secs_f64(seconds)))
        }
        _ => format!("{positions}; {how}"),
    }
}

fn text(record: &Record<'_>) -> Vec<String> {
    let layer = |(depth, count): (usize, &u64)| format!("{depth} {count}");
    let mut lines: Vec<String> = record.layers.iter().enumerate().map(layer).collect();
    let all = if record.complete { "positions" } else { "positions so far" };
    lines.push(format!("{} {all}", record.positions));
    lines.extend(record.deepest.iter().map(|DeepestRecord { moves, alike }| match alike {
        1 => format!("deepest: {moves}"),
        _ => format!("deepest: {moves} ({alike} alike)"),
    }));
    lines
}
