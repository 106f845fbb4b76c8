//! `cube-opt perft`: the numbers of nodes and of cubes at each depth.

use super::metric::FaceMetric;
use crate::{Metric, perft::Perft};
use clap::Args;
use puzzle_cli::format::format_bytes;
use puzzle_cli::{Exit, Failure, Format, Limits, Session};
use search_core::Run;
use serde::Serialize;
use std::time::Duration;

/// Count the nodes of the search tree and the distinct cubes at each depth
///
/// Nodes are the sequences that the move rules allow (Table 1 of Korf 1997). Cubes are counted by a naive
/// enumeration of all turns, without rules, symmetries or tables.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  cube-opt perft 6                  nodes and cubes within 6 moves
  cube-opt perft 18 --nodes         Table 1 of Korf 1997")]
pub(crate) struct PerftArgs {
    /// The greatest depth
    depth: usize,
    /// The metric
    #[arg(long, value_enum, default_value_t)]
    metric: FaceMetric,
    /// Count nodes only
    #[arg(long)]
    nodes: bool,
    /// Give up after this time: seconds, or such as 90s, 5m or 1h30m
    #[arg(long, value_name = "DURATION", value_parser = puzzle_cli::format::parse_duration, help_heading = "Limits")]
    time_limit: Option<Duration>,
}

/// The counts at one depth.
#[derive(Serialize)]
struct Row {
    metric: Metric,
    depth: usize,
    nodes: u128,
    #[serde(skip_serializing_if = "Option::is_none")]
    cubes: Option<u64>,
}

/// The greatest depth whose node counts fit 128 bits in both metrics.
const MAX_DEPTH: usize = 33;

pub(super) fn run(args: &PerftArgs, session: &Session) -> Result<Exit, Failure> {
    if args.depth > MAX_DEPTH {
        return Err(Failure::usage(format_args!(
            "the depth must be at most {MAX_DEPTH}, not {}",
            args.depth
        )));
    }
    let nodes = args.metric.0.automaton().strings_by_length(args.depth);
    if !args.nodes {
        check_memory(args, session)?;
    }
    let mut output = session.output();
    if output.format() == Format::Text {
        let cubes = if args.nodes { "" } else { "           cubes" };
        output.line(&format!("depth{:>40}{cubes}", "nodes"))?;
    }
    let run = Limits { max_depth: None, time_limit: args.time_limit }.run(&session.run());
    let mut perft = Perft::new(args.metric.0);
    for (at, &nodes) in nodes.iter().enumerate() {
        let cubes = if args.nodes { None } else { count(&mut perft, at, at == args.depth, &run) };
        if cubes.is_none() && !args.nodes {
            return Ok(match session.is_interrupted() {
                true => {
                    session.remark("interrupted; nothing was saved, run the same command again");
                    Exit::Interrupted
                }
                false => Exit::Unsolved,
            });
        }
        output.record(&Row { metric: args.metric.0, depth: at, nodes, cubes }, |row| {
            let cubes = row.cubes.map(|cubes| format!("{cubes:>16}")).unwrap_or_default();
            vec![format!("{:>5}{:>40}{cubes}", row.depth, row.nodes)]
        })?;
    }
    Ok(Exit::Done)
}

/// Counts the cubes at `depth`; `None` when the run is cancelled. The `last` layer is not kept.
fn count(perft: &mut Perft, depth: usize, last: bool, run: &Run<'_>) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let room = run.memory() / 2;
    run.progress().begin(&format!("depth {depth}"), perft.layer().len() as u64);
    let cubes = match last {
        true => perft.count_next(room, run),
        false => perft.advance(room, run),
    };
    run.progress().end();
    cubes.ok()
}

/// Checks the memory budget before work starts.
fn check_memory(args: &PerftArgs, session: &Session) -> Result<(), Failure> {
    let needed = Perft::bytes_needed(args.metric.0, args.depth);
    if needed <= u128::from(session.run().memory()) {
        return Ok(());
    }
    Err(Failure::error(format_args!(
        "counting cubes to depth {} takes {} of memory; the budget is {}",
        args.depth,
        format_bytes(u64::try_from(needed).unwrap_or(u64::MAX)),
        format_bytes(session.run().memory())
    ))
    .with_remedy("raise --memory, choose a lower depth, or count nodes only with --nodes"))
}
