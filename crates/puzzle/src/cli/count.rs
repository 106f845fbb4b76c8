//! `puzzle-opt count`: the number of positions at each depth.

use clap::Args;
use puzzle_cli::format::{format_bytes, format_count};
use puzzle_cli::{Exit, Failure, Session};
use serde::Serialize;
use std::time::Instant;

use super::puzzle_args::PuzzleArgs;
use super::system_failure;
use crate::count::{CountError, CountPlan, Counts};
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
    let plan = CountPlan::new(puzzle, &system, args.max_depth.is_none(), &run);
    let plan = plan.map_err(Failure::interrupted)?;
    match plan.size() {
        Some((entries, bytes)) => {
            let (entries, bytes) = (format_count(entries), format_bytes(bytes));
            session.remark(&format!("counting by tables of {entries} entries, {bytes} of memory at most"));
        }
        None => {
            let most = system.most_positions();
            session.remark(&format!("counting by sorted layers; there are at most {most:.2e} positions"));
        }
    }
    let counted = plan.count(&system, args.max_depth, &run);
    let (counts, exit) = match counted {
        Ok(counts) => (counts, Exit::Done),
        Err(CountError::Budget(layers)) => {
            Failure::new(Exit::Unsolved, format_args!("memory budget exceeded at depth {}", layers.len()))
                .with_remedy("give more --memory, or --max-depth")
                .report();
            (Counts { layers, complete: false, deepest: Vec::new() }, Exit::Unsolved)
        }
        Err(error @ CountError::Cancelled(_)) => return Err(Failure::interrupted(error)),
        Err(error) => return Err(Failure::error(error)),
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
    Ok(exit)
}

fn text(record: &Record<'_>) -> Vec<String> {
    let layer = |(depth, count): (usize, &u64)| format!("{depth} {count}");
    let mut lines: Vec<String> = record.layers.iter().enumerate().map(layer).collect();
    let all = if record.complete { "positions" } else { "positions so far" };
    lines.push(format!("{} {all}", record.positions));
    lines.extend(record.deepest.iter().map(|word| format!("deepest: {word}")));
    lines
}
