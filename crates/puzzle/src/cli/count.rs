//! `puzzle-opt count`: the number of positions at each depth.

use clap::Args;
use puzzle_cli::format::{format_bytes, format_count, format_duration, parse_bytes, parse_duration};
use puzzle_cli::{Exit, Failure, Limits, Session, resume};
use search_core::storage::{StorageError, WorkDirError};
use search_core::{Cancelled, Run};
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::goal_args::GoalArgs;
use super::puzzle_args::{FreeArgs, PuzzleArgs};
use super::{malformed, system_failure};
use crate::count::{CountAsk, CountError, CountPlan, Counts, Work, by_frontier, bytes_of_position};
use crate::model::Puzzle;
use crate::positions::Positions;
use crate::system::System;

/// The seconds from which on the time of a count is announced, and up to which as a time.
const SHORT: f64 = 10.0;
const CENTURY: f64 = 100.0 * 365.0 * 86_400.0;
/// How to resume a count that was stopped.
const RESUME: &str = "repeat the command without --fresh to resume";

/// Count the positions at each depth
///
/// One line per depth: the depth and the number of positions at that depth, counted from the nearest goal. Positions
/// that differ by a free rotation are one, and so are those that differ only in what the goal leaves open. The last
/// lines are some of the positions that are farthest from a single goal, one of each class under symmetries of the
/// moves.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:\n  \
    puzzle-opt count skewb\n  \
    puzzle-opt count 3x3x3 --ignore EDGES\n  \
    puzzle-opt count 3x3x3 --ignore CORNERS --alike EDGES\n  \
    puzzle-opt count 3x3x3 --metric inverses --max-depth 6\n  \
    puzzle-opt count square-1 --free \"U D\" --max-depth 3")]
pub struct CountArgs {
    #[command(flatten)]
    puzzle: PuzzleArgs,
    #[command(flatten)]
    free: FreeArgs,
    /// Count up to this depth only
    #[arg(long, value_name = "N")]
    max_depth: Option<usize>,
    /// Print the depths that are counted by then: seconds, or a number with units, such as 90s, 5m or 1h30m
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    time_limit: Option<Duration>,
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
        CountError::OneWay | CountError::TooWide(_) | CountError::Faults(_) if work.is_some() => {
            return Failure::usage(error).with_remedy("omit --work-dir");
        }
        CountError::Faults(faults) => return malformed("puzzle for a count", &faults),
        CountError::Storage(StorageError::WorkDir(
            error @ (WorkDirError::Foreign(_) | WorkDirError::Other { .. }),
        )) => return Failure::usage(error),
        CountError::Storage(error) if error.is_full() => Failure::interrupted(error),
        error @ (CountError::Cancelled(_) | CountError::Stopped(_)) => Failure::interrupted(error),
        error => return Failure::error(error),
    };
    match work {
        Some(work) => stopped.with_remedy(resume::remedy(&work.directory, RESUME)),
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
    let (definition, selected) = args.puzzle.read_with(&args.free, session)?;
    let goals = args.goal.read(&definition, &selected, None)?;
    let puzzle = if args.goal.is_default() { &selected.puzzle } else { goals[0].puzzle() };
    let system =
        System::new(puzzle, &session.run()).map_err(|error| system_failure("puzzle for a count", &error))?;
    let ask = CountAsk::default().max_depth(args.max_depth).goals(&system, &goals);
    let ask = ask.map_err(|faults| malformed("goals of a count", &faults))?;
    let work = args.work.work();
    let run = Limits { max_depth: None, time_limit: args.time_limit }.run(&session.run());
    let (counts, exit) = match counted(puzzle, &system, &ask, work.as_ref(), session, &run) {
        Ok(counts) => (counts, Exit::Done),
        Err(error) => (part(error, work.as_ref(), session)?, Exit::Unsolved),
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
    let over = work.filter(|_| exit == Exit::Done);
    over.map_or(Ok(()), |work| work.remove()).map_err(Failure::error)?;
    Ok(exit)
}

/// Announces the count and counts.
fn counted(
    puzzle: &Puzzle,
    system: &System,
    ask: &CountAsk,
    work: Option<&Work>,
    session: &Session,
    run: &Run<'_>,
) -> Result<Counts, CountError> {
    let positions = || Known::new(puzzle, system, run);
    match work {
        Some(work) => {
            session.remark(&format!("{}; counting by layers in the work directory", positions()?));
            by_frontier(system, ask, work, run)
        }
        None => {
            let plan = CountPlan::new(puzzle, system, ask, run)?;
            session.remark(&announcement(&plan, &positions()?, system, ask.depth.is_none(), run));
            plan.count(system, ask, run)
        }
    }
}

/// The counts that are known when the memory or the time is over, after a message.
///
/// # Errors
/// The failure for other reasons to stop.
fn part(error: CountError, work: Option<&Work>, session: &Session) -> Result<Counts, Failure> {
    let (layers, what, remedy) = match error {
        CountError::Budget(layers) => {
            (layers, "memory budget exceeded", "give more --memory, or --max-depth".to_owned())
        }
        CountError::Stopped(layers) if !session.is_interrupted() => {
            let remedy = match work {
                Some(work) => resume::remedy(&work.directory, RESUME),
                None => "give more --time-limit, or --max-depth".to_owned(),
            };
            (layers, "time limit reached", remedy)
        }
        CountError::Cancelled(_) if !session.is_interrupted() => {
            let remedy = "give more --time-limit, or --max-depth to count by layers";
            (Vec::new(), "time limit reached", remedy.to_owned())
        }
        error => return Err(failure(error, work)),
    };
    Failure::new(Exit::Unsolved, format_args!("{what} at depth {}", layers.len()))
        .with_remedy(remedy)
        .report();
    Ok(Counts { layers, complete: false, deepest: Vec::new() })
}

/// The number of positions, or an upper limit.
struct Known {
    positions: f64,
    is_exact: bool,
}

impl Known {
    fn new(puzzle: &Puzzle, system: &System, run: &Run<'_>) -> Result<Known, Cancelled> {
        let positions = if system.free.is_empty() { Positions::new(puzzle, run)? } else { None };
        let positions = positions.filter(|positions| positions.group().is_proved());
        let count = positions.map(|positions| positions.count(run)).transpose()?;
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
