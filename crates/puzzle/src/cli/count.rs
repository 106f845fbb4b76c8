//! `puzzle-opt count`: the number of positions at each depth.

use clap::Args;
use puzzle_cli::format::{format_bytes, format_count, parse_bytes};
use puzzle_cli::{Exit, Failure, Session};
use search_core::storage::{StorageError, WorkDirError};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;

use super::puzzle_args::PuzzleArgs;
use super::system_failure;
use crate::count::{CountError, CountPlan, Counts, Work, by_frontier};
use crate::system::System;

/// Count the positions at each depth
///
/// One line per depth: the depth and the number of positions at that depth, counted from the solved one. Positions
/// that differ by a free rotation are one.
#[derive(Args, Clone, Debug)]
pub struct CountArgs {
    #[command(flatten)]
    puzzle: PuzzleArgs,
    /// Count up to this depth only
    #[arg(long, value_name = "N")]
    max_depth: Option<usize>,
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
    deepest: &'a [String],
    seconds: f64,
}

pub(super) fn run(args: &CountArgs, session: &Session) -> Result<Exit, Failure> {
    let begun = Instant::now();
    let (_, selected) = args.puzzle.read(session)?;
    let puzzle = &selected.puzzle;
    let run = session.run();
    let system = System::new(puzzle, &run).map_err(|error| system_failure("puzzle for a count", &error))?;
    let work = args.work.work();
    let counted = match &work {
        Some(work) => {
            session.remark(&bound("counting by layers in the work directory", &system));
            by_frontier(&system, args.max_depth, work, &run)
        }
        None => {
            let plan = CountPlan::new(puzzle, &system, args.max_depth.is_none(), &run);
            let plan = plan.map_err(Failure::interrupted)?;
            match plan.size() {
                Some((entries, bytes)) => {
                    let (entries, bytes) = (format_count(entries), format_bytes(bytes));
                    session.remark(&format!(
                        "counting by tables of {entries} entries, {bytes} of memory at most"
                    ));
                }
                None => session.remark(&bound("counting by layers", &system)),
            }
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
    let words = counts.deepest.iter().map(|word| system.reduction.spell(puzzle.solved(), word).join(" "));
    let words: Vec<String> = words.collect();
    let record = Record {
        puzzle: puzzle.name(),
        layers: &counts.layers,
        positions: counts.layers.iter().sum(),
        complete: counts.complete,
        deepest: &words,
        seconds: begun.elapsed().as_secs_f64(),
    };
    session.output().record(&record, text)?;
    // The work directory is removed once the counts are printed.
    work.map_or(Ok(()), |work| work.remove()).map_err(Failure::error)?;
    Ok(exit)
}

/// A remark on the work that begins, with an upper limit of the number of positions.
fn bound(what: &str, system: &System) -> String {
    format!("{what}; there are at most {:.2e} positions", system.most_positions())
}

fn text(record: &Record<'_>) -> Vec<String> {
    let layer = |(depth, count): (usize, &u64)| format!("{depth} {count}");
    let mut lines: Vec<String> = record.layers.iter().enumerate().map(layer).collect();
    let all = if record.complete { "positions" } else { "positions so far" };
    lines.push(format!("{} {all}", record.positions));
    lines.extend(record.deepest.iter().map(|word| format!("deepest: {word}")));
    lines
}
