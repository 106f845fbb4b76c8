//! `hanoi4 radius`: the greatest distance of a state from all discs on peg 0.

use super::corner_args::CornerArgs;
use crate::corners::radius::Radius;
use crate::model::Puzzle;
use clap::{Args, value_parser};
use puzzle_cli::format::{format_bytes, format_count};
use puzzle_cli::{Exit, Failure, Session};
use serde::Serialize;

/// Find the greatest depth of a complete search on 4 pegs, and the states there
///
/// It searches by corners, as bfs does, and counts the states of a few blocks only. With the same --work-dir, bfs can
/// continue from its times of corners.
#[derive(Args, Clone, Debug)]
pub struct RadiusArgs {
    /// The number of discs, 8 to 31
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(8..=31))]
    discs: u32,
    #[command(flatten)]
    corners: CornerArgs,
}

/// The object that `--json` prints.
#[derive(Serialize)]
struct Answer {
    discs: u32,
    radius: u32,
    states: u64,
    orbits: u64,
    small: u32,
    blocks: u64,
    blocks_counted: u64,
    bytes: u64,
    disk_bytes: u64,
    seconds: f64,
    threads: usize,
    version: &'static str,
}

/// Runs the subcommand.
///
/// # Errors
/// The failure that ends it.
pub fn run(args: &RadiusArgs, session: &Session) -> Result<Exit, Failure> {
    let puzzle = Puzzle::new(args.discs, 4).map_err(|error| super::malformed(&error))?;
    let ask = args.corners.ask(&puzzle);
    let file = args.corners.create()?;
    let run = session.run();
    let found = ask.radius(&run).map_err(|error| args.corners.layers.failure(error, None))?;
    let Radius { depth, states, orbits, ref farthest, small, blocks, counted, bytes, disk, seconds } = found;
    let answer = Answer {
        discs: args.discs,
        radius: depth,
        states,
        orbits,
        small,
        blocks,
        blocks_counted: counted,
        bytes,
        disk_bytes: disk,
        seconds,
        threads: run.threads(),
        version: super::VERSION,
    };
    session.output().record(&answer, text)?;
    args.corners.write(file, &puzzle, farthest)?;
    Ok(Exit::Done)
}

fn text(answer: &Answer) -> Vec<String> {
    vec![
        format!(
            "radius {}: {} states, {} orbits",
            answer.radius,
            format_count(answer.states),
            format_count(answer.orbits)
        ),
        format!(
            "{} of {} blocks counted, {:.2} s on {} threads, corner times {}, disk {}",
            format_count(answer.blocks_counted),
            format_count(answer.blocks),
            answer.seconds,
            answer.threads,
            format_bytes(answer.bytes),
            format_bytes(answer.disk_bytes)
        ),
    ]
}
