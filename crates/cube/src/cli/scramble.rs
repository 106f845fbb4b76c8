//! `cube-opt scramble`: uniformly random cubes.

use super::cube_writer::CubeWriter;
use super::search_args::{SearchArgs, failure};
use super::{VERSION, notation, referee_check};
use crate::cube::Cube;
use crate::fmc::ShortSolver;
use crate::notation::{Format, Orientation};
use crate::random::random_cube;
use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use clap::Args;
use puzzle_cli::{Exit, Failure, Session};
use serde::Serialize;

/// Print uniformly random cubes
///
/// Each of the 43,252,003,274,489,856,000 cubes is equally likely. A seed gives the same cubes on every machine
/// and in every version. Without --seed, the seed is chosen at random and written to standard error.
///
/// A cube is printed as moves that lead to it from the solved cube: about 23, at most 30. The first time, this builds
/// tables of 150 MB, which takes some seconds.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  cube-opt scramble --count 10 --seed 1              ten scrambles
  cube-opt scramble --seed 1 | cube-opt solve -      solve one
  cube-opt scramble --count 1000 --format facelets   many cubes, without tables
  cube-opt scramble --shortest                       a shortest scramble")]
pub(crate) struct ScrambleArgs {
    /// The number of cubes
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: u64,
    /// Random seed [default: chosen at random]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// The notation to print
    #[arg(long, value_enum, default_value_t = Format::Moves)]
    format: Format,
    /// Print shortest scrambles; finding one can take minutes
    #[arg(long)]
    shortest: bool,
    #[command(flatten)]
    search: SearchArgs,
}

impl ScrambleArgs {
    /// Refuses options that have no effect together.
    fn check(&self) -> Result<(), Failure> {
        if self.shortest && self.format != Format::Moves {
            return Err(Failure::usage("--shortest is for cubes that are printed as moves")
                .with_remedy("leave out --shortest or --format"));
        }
        if !self.shortest && (self.search.metric().is_some() || self.search.asks_for_heuristic()) {
            return Err(Failure::usage("--metric and --heuristic choose how a shortest scramble is found")
                .with_remedy("add --shortest"));
        }
        Ok(())
    }
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
    args.check()?;
    let seed = args.seed.unwrap_or_else(|| session.fresh_seed());
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let writer = CubeWriter::new(&args.search, session);
    let mut short = None;
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
        let cube = random_cube(&mut rng);
        let cube = match args.format {
            Format::Moves if !args.shortest => short_scramble(&cube, &mut short, session)?,
            format => writer.write(&cube, format)?,
        };
        output.record(&Record { seed, number, format: args.format.name(), cube }, |record| {
            vec![record.cube.clone()]
        })?;
    }
    Ok(Exit::Done)
}

/// Moves from the solved cube to this one, replayed by the referee.
fn short_scramble(
    cube: &Cube,
    solver: &mut Option<ShortSolver>,
    session: &Session,
) -> Result<String, Failure> {
    if solver.is_none() {
        let loaded = ShortSolver::load(session.store(VERSION), &session.run()).map_err(failure)?;
        *solver = Some(loaded);
    }
    let solver = solver.as_ref().expect("loaded above");
    // The moves that solve the inverse lead from the solved cube to this one.
    let turns = solver.solve(&cube.inverse(), &session.run()).map_err(failure)?;
    let turns = turns.ok_or_else(|| Failure::interrupted("interrupted before the scramble was found"))?;
    let moves = notation::moves(&turns, Orientation::HOME);
    referee_check::check_scramble(cube, &moves, turns.len())?;
    Ok(moves)
}
