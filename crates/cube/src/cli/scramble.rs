//! `cube-opt scramble`: uniformly random cubes.

use super::cube_writer::CubeWriter;
use super::search_args::SearchArgs;
use crate::notation::Format;
use crate::random::random_cube;
use clap::Args;
use puzzle_cli::{Exit, Failure, Session};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::Serialize;
use std::hash::{BuildHasher, Hasher, RandomState};

/// Print uniformly random cubes
///
/// Each of the 43,252,003,274,489,856,000 cubes is equally likely. A seed gives the same cubes on every machine
/// and in every version. Without --seed, the seed is chosen at random and
/// written to standard error.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  cube-opt scramble --count 10 --seed 1            ten cubes as facelets
  cube-opt scramble --seed 1 | cube-opt solve -    solve one
  cube-opt scramble --format moves                 one cube as a shortest scramble, which can take
                                                   minutes to find")]
pub(crate) struct ScrambleArgs {
    /// The number of cubes
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: u64,
    /// Random seed [default: chosen at random]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// The notation to print
    #[arg(long, value_enum, default_value_t = Format::Facelets)]
    format: Format,
    #[command(flatten)]
    search: SearchArgs,
}

/// One random cube.
#[derive(Serialize)]
struct Record {
    seed: u64,
    number: u64,
    format: &'static str,
    cube: String,
}

pub(super) fn run(args: &ScrambleArgs, session: &Session) -> Result<Exit, Failure> {
    let seed = args.seed.unwrap_or_else(|| {
        let seed = fresh_seed();
        session.remark(&format!("seed {seed}"));
        seed
    });
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let writer = CubeWriter::new(&args.search, session);
    let mut output = session.output();
    for number in 1..=args.count {
        if session.is_interrupted() {
            session.remark(&format!(
                "interrupted after {} of {}; --seed {seed} prints the same cubes again from the first",
                number - 1,
                args.count
            ));
            return Ok(Exit::Interrupted);
        }
        let cube = writer.write(&random_cube(&mut rng), args.format)?;
        output.record(&Record { seed, number, format: args.format.name(), cube }, |record| {
            vec![record.cube.clone()]
        })?;
    }
    Ok(Exit::Done)
}

/// A random seed from the system, by way of the hash keys of the standard library.
fn fresh_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}
