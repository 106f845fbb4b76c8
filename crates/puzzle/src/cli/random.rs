//! `puzzle-opt random`: uniformly random states.

use std::hash::{BuildHasher, Hasher, RandomState};

use clap::Args;
use puzzle_cli::{Exit, Failure, Session};
use serde::Serialize;
use serde::ser::Error as _;

use super::group::positions;
use super::puzzle_args::PuzzleArgs;
use crate::formats::kpuzzle;
use crate::group::Uniform;

/// Print uniformly random states that can be solved
///
/// Every state that the counted moves lead to is equally likely. States are printed as patterns in JSON, which
/// `solve` reads. The same seed gives the same states, on every machine; without one, the seed is written to
/// standard error.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example:\n  puzzle-opt random skewb --count 10 --seed 1 | puzzle-opt solve skewb -")]
pub struct RandomArgs {
    #[command(flatten)]
    puzzle: PuzzleArgs,
    /// The number of states
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: usize,
    /// Random seed [default: chosen at random]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

#[derive(Serialize)]
struct Record {
    seed: u64,
    number: usize,
    #[serde(serialize_with = "as_json")]
    state: String,
}

/// A text that is JSON itself.
fn as_json<S: serde::Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let value: serde_json::Value = serde_json::from_str(text).map_err(S::Error::custom)?;
    value.serialize(serializer)
}

pub(super) fn run(args: &RandomArgs, session: &Session) -> Result<Exit, Failure> {
    let (definition, selected) = args.puzzle.read(session)?;
    let positions = positions(&selected.puzzle, &session.run())?;
    if !positions.group().is_proved() {
        return Err(Failure::malformed("the group of this puzzle is too large for uniformly random states"));
    }
    let seed = args.seed.unwrap_or_else(|| {
        let seed = RandomState::new().build_hasher().finish();
        session.remark(&format!("seed {seed}"));
        seed
    });
    let mut rng = Uniform::new(seed);
    let mut output = session.output();
    for number in 1..=args.count {
        let Ok(state) = positions.random(&mut rng, &session.run()) else {
            session.remark(&format!(
                "interrupted before state {number}; --seed {seed} prints the same states again from the first"
            ));
            return Ok(Exit::Interrupted);
        };
        let pattern = selected.pattern(&definition, &state);
        let state = kpuzzle::write_pattern(&definition.orbits, &pattern);
        output.record(&Record { seed, number, state }, |record| vec![record.state.clone()])?;
    }
    Ok(Exit::Done)
}
