//! `puzzle-opt random`: uniformly random states.

use std::time::Duration;

use clap::Args;
use puzzle_cli::format::{self, format_count};
use puzzle_cli::{Exit, Failure, Limits, Session};
use search_core::Run;
use serde::Serialize;
use serde::ser::Error as _;

use super::group::positions;
use super::puzzle_args::PuzzleArgs;
use crate::ask::Ask;
use crate::formats::kpuzzle;
use crate::group::Uniform;
use crate::model::{Pattern, Puzzle};
use crate::solver::Solver;
use crate::strategy::SolverSetup;

/// Print uniformly random states that can be solved
///
/// Every state that the counted moves lead to is equally likely. States are printed as patterns in JSON, which
/// `solve` reads. The same seed gives the same states, on every machine; without one, the seed is written to
/// standard error.
///
/// With --min-length, states are drawn until a search proves that one needs at least N moves, so all states
/// that need as many are equally likely.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples:\n  puzzle-opt random skewb --count 10 --seed 1 | puzzle-opt solve skewb -\n  puzzle-opt random 2x2x2 --min-length 9"
)]
pub struct RandomArgs {
    #[command(flatten)]
    puzzle: PuzzleArgs,
    /// The number of states
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: usize,
    /// Random seed [default: chosen at random]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Print only states that need at least N moves
    #[arg(long, value_name = "N")]
    min_length: Option<u32>,
    /// Time limit for each state that is printed: seconds, or a number with units, such as 90s, 5m or 1h30m
    #[arg(long, value_name = "DURATION", value_parser = format::parse_duration, requires = "min_length")]
    time_limit: Option<Duration>,
}

#[derive(Serialize)]
struct Record {
    seed: u64,
    number: usize,
    #[serde(serialize_with = "as_json")]
    state: String,
    /// The number of states that were drawn for this one, if not every state is taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    drawn: Option<u64>,
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
    let seed = args.seed.unwrap_or_else(|| session.fresh_seed());
    let mut rng = Uniform::new(seed);
    let far =
        args.min_length.map(|length| Far::new(length, args, selected.puzzle.clone(), session)).transpose()?;
    let mut output = session.output();
    let mut all = 0;
    for number in 1..=args.count {
        let run = Limits { max_depth: None, time_limit: args.time_limit }.run(&session.run());
        let mut drawn = 0;
        let state = loop {
            let state = positions.random(&mut rng, &run);
            drawn += 1;
            let is_taken = match (&state, &far) {
                (Ok(state), Some(far)) => far.is_far(state, &run)?,
                (Ok(_), None) => Some(true),
                (Err(_), _) => None,
            };
            match (state, is_taken) {
                (Ok(state), Some(true)) => break state,
                (Ok(_), Some(false)) => {}
                _ => return Ok(stopped(args, session, number, drawn, seed)),
            }
        };
        all += drawn;
        let pattern = selected.pattern(&definition, &state);
        let state = kpuzzle::write_pattern(&definition.orbits, &pattern);
        let drawn = far.is_some().then_some(drawn);
        output.record(&Record { seed, number, state, drawn }, |record| vec![record.state.clone()])?;
    }
    if let Some(Far { length, .. }) = far {
        let (count, all) = (format_count(args.count as u64), format_count(all));
        session
            .remark(&format!("{count} of {all} drawn states were taken: each needs at least {length} moves"));
    }
    Ok(Exit::Done)
}

/// Reports that no further state is printed, and returns the exit code.
fn stopped(args: &RandomArgs, session: &Session, number: usize, drawn: u64, seed: u64) -> Exit {
    if session.is_interrupted() {
        session.remark(&format!(
            "interrupted before state {number}; --seed {seed} prints the same states again from the first"
        ));
        return Exit::Interrupted;
    }
    let length = args.min_length.unwrap_or(0);
    let drawn = format_count(drawn);
    Failure::new(
        Exit::Unsolved,
        format_args!(
            "time limit before state {number}: of {drawn} drawn states, none is proved to need {length} moves"
        ),
    )
    .with_remedy("give more --time-limit, or a smaller --min-length")
    .report();
    Exit::Unsolved
}

/// Recognizes states that need many moves.
struct Far {
    length: u32,
    solver: Solver,
}

impl Far {
    /// Loads the solver.
    ///
    /// # Errors
    /// Exit code 3 if a table of all positions shows that no state needs as many moves.
    fn new(length: u32, args: &RandomArgs, puzzle: Puzzle, session: &Session) -> Result<Far, Failure> {
        let store = session.store(super::VERSION);
        let solver = Solver::load(puzzle, Vec::new(), &SolverSetup::default(), store, &session.run())
            .map_err(|error| super::solver_failure(&error))?;
        match solver.greatest_length() {
            Some(greatest) if greatest < length => Err(Failure::malformed(format_args!(
                "no state of {} needs {length} moves: the farthest ones need {greatest}",
                args.puzzle.puzzle
            ))),
            _ => Ok(Far { length, solver }),
        }
    }

    /// Whether a state needs at least as many moves; `None` if the search was stopped.
    fn is_far(&self, state: &Pattern, run: &Run<'_>) -> Result<Option<bool>, Failure> {
        let Far { length, solver } = self;
        let Some(value) = solver.value(state) else {
            return Err(Failure::error("a random state is not solvable; this is a bug"));
        };
        if u32::from(value) >= *length {
            return Ok(Some(true));
        }
        let ask = Ask::new(state.clone()).max_bound(length - 1);
        let ending = solver.solve(&ask, run).map_err(|error| super::solver_failure(&error))?.ending;
        let is_far = ending.lower_bound().is_some_and(|bound| bound >= *length);
        Ok(if is_far || !ending.is_cancelled() { Some(is_far) } else { None })
    }
}
