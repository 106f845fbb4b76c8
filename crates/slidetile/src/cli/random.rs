//! `tile24 random`: uniformly random solvable instances.

use clap::Args;
use puzzle_cli::{Exit, Failure, Session};
use serde::Serialize;

use super::instance::PuzzleArgs;
use crate::random::Instances;

/// Print uniformly random solvable instances
///
/// The same seed gives the same instances, on every machine; without one, the seed is written
/// to standard error.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example:\n  tile24 random --size 4x4 --count 10 --seed 1 | tile24 solve -")]
pub struct RandomArgs {
    /// The number of instances
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: usize,
    /// Random seed [default: chosen at random]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    #[command(flatten)]
    puzzle: PuzzleArgs,
}

#[derive(Serialize)]
struct Record {
    seed: u64,
    number: usize,
    tiles: String,
}

pub(super) fn run(args: &RandomArgs, session: &Session) -> Result<Exit, Failure> {
    let board = args.puzzle.board()?;
    let puzzle = args.puzzle.on(board)?;
    let seed = args.seed.unwrap_or_else(|| session.fresh_seed());
    let mut output = session.output();
    for (number, tiles) in (1..).zip(Instances::new(board, *puzzle.goal(), seed).take(args.count)) {
        if session.is_interrupted() {
            session.remark(&format!("interrupted before instance {number}; --seed {seed} prints the same instances again from the first"));
            return Ok(Exit::Interrupted);
        }
        let record = Record { seed, number, tiles: tiles.text(board) };
        output.record(&record, |record| vec![record.tiles.clone()])?;
    }
    Ok(Exit::Done)
}
