//! `hanoi4 solve`: a shortest solution between any two states.

use super::room::whole_mebibytes;
use super::verify::{choice, database};
use crate::bitmap::search::SearchError;
use crate::bitmap::store::{Budget, StoreError};
use crate::model::{Move, Puzzle, State, format_moves};
use crate::presumed::Presumed;
use crate::run::Plan;
use crate::solve::{Unsolved, fits, shortest_path};
use crate::three;
use crate::verify::verify;
use clap::Args;
use puzzle_cli::units::{format_bytes, format_count};
use puzzle_cli::{Exit, Failure, LimitArgs, Limits, Session};
use referee::hanoi::{Towers, check};
use search_core::record::{Iteration, Outcome, RunRecord, TableUse};
use std::time::Instant;

/// Find a shortest solution
#[derive(Args, Clone, Debug)]
pub struct SolveArgs {
    /// The number of discs
    #[arg(long, value_name = "N")]
    discs: u32,
    /// The number of pegs, 3 or 4
    #[arg(long, value_name = "N", default_value_t = 4)]
    pegs: u32,
    /// Where the discs are: one peg digit a disc, the largest first [default: all on peg 0]
    #[arg(long, value_name = "STATE")]
    from: Option<String>,
    /// Where they go [default: all on the last peg]
    #[arg(long, value_name = "STATE")]
    to: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,
}

/// The longest path that is printed.
const MOST_MOVES: u64 = 1 << 24;

/// From this many discs on, towers are moved by the proof of the presumed length.
const BY_PROOF: u32 = 14;

/// Runs the subcommand.
///
/// # Errors
/// What ends it.
pub fn run(args: &SolveArgs, session: &Session) -> Result<Exit, Failure> {
    let (start, limits) = (Instant::now(), Limits::build(&args.limits));
    let puzzle = Puzzle::new(args.discs, args.pegs).map_err(|error| super::malformed(&error))?;
    let (from, to) = ends(&puzzle, args)?;
    if puzzle.pegs() == 3 && three::length(puzzle.discs(), from, to) > MOST_MOVES {
        let length = format_count(three::length(puzzle.discs(), from, to));
        let message = format!("a shortest path has {length} moves, more than are printed");
        return Err(Failure::usage(message).with_remedy("take at most 24 discs on three pegs"));
    }
    let found = match towers(&puzzle, from, to) {
        Some((a, b)) if puzzle.pegs() == 4 && puzzle.discs() >= BY_PROOF => {
            by_proof(&puzzle, a, b, &limits, session)?
        }
        _ => between(&puzzle, from, to, &limits, session)?,
    };
    let (result, run) = match found {
        Ok((moves, run)) if limits.max_depth().is_none_or(|max| moves.len() as u32 <= max) => {
            (solved(&puzzle, from, to, &moves)?, run)
        }
        Ok((moves, run)) => (Outcome::LowerBound { length: moves.len() as u32 }, run),
        Err(lower_bound) => (Outcome::LowerBound { length: lower_bound }, Run::default()),
    };
    let exit = if matches!(result, Outcome::Optimal { .. }) { Exit::Done } else { Exit::Unsolved };
    let record = RunRecord {
        instance: format!("{} {}", puzzle.format(from), puzzle.format(to)),
        result,
        metric: "moves".into(),
        heuristic: run.heuristic.into(),
        tables: run.tables,
        generated: run.iterations.iter().map(|iteration| iteration.generated).sum(),
        expanded: run.iterations.iter().map(|iteration| iteration.expanded).sum(),
        iterations: run.iterations,
        seconds: start.elapsed().as_secs_f64(),
        threads: session.run().threads(),
        seed: None,
        version: super::VERSION.into(),
    };
    session.output().record(&record, text)?;
    Ok(exit)
}

fn ends(puzzle: &Puzzle, args: &SolveArgs) -> Result<(State, State), Failure> {
    let read = |text: &Option<String>, peg| match text {
        Some(text) => puzzle.parse(text),
        None => Ok(State::all_on(peg, puzzle.discs())),
    };
    match (read(&args.from, 0), read(&args.to, puzzle.pegs() - 1)) {
        (Ok(from), Ok(to)) => Ok((from, to)),
        (from, to) => {
            let faults = [from.err(), to.err()].into_iter().flatten().flat_map(|error| error.faults);
            Err(Failure::malformed("this is no state").with_faults(faults))
        }
    }
}

/// The two pegs, if all discs go from one to another.
fn towers(puzzle: &Puzzle, from: State, to: State) -> Option<(u32, u32)> {
    let peg = |state: State| (0..puzzle.pegs()).find(|&peg| state == State::all_on(peg, puzzle.discs()));
    peg(from).zip(peg(to)).filter(|(a, b)| a != b)
}

fn tower_moves(puzzle: &Puzzle, from: u32, to: u32) -> Vec<Move> {
    let mut moves = Vec::new();
    Presumed::new(puzzle.discs(), puzzle.pegs())
        .solve(puzzle.discs(), from, to, &mut |step| moves.push(step));
    moves
}

/// How a solution was found.
struct Run {
    heuristic: &'static str,
    tables: Vec<TableUse>,
    iterations: Vec<Iteration>,
}

impl Default for Run {
    fn default() -> Run {
        Run { heuristic: "none", tables: Vec::new(), iterations: Vec::new() }
    }
}

/// A solution and how it was found; or a lower bound.
type Found = Result<(Vec<Move>, Run), u32>;

fn by_proof(
    puzzle: &Puzzle,
    from: u32,
    to: u32,
    limits: &Limits,
    session: &Session,
) -> Result<Found, Failure> {
    let big = database(choice(puzzle.discs(), None)?, session)?;
    let taken = big.database.as_ref().map_or(0, |database| database.values().len() as u64);
    let budget = Budget::new(session.run().memory().saturating_sub(taken), 0);
    let limited = limits.run(&session.run());
    let plan = Plan::default();
    match verify(puzzle.discs(), big.database.as_ref(), budget, &plan, &limited) {
        Ok(found) if found.length == Some(found.presumed) => {
            let result = Outcome::LowerBound { length: found.presumed };
            let record = super::verify::record(String::new(), result, &found, &big, session);
            let run =
                Run { heuristic: "two splittings", tables: record.tables, iterations: record.iterations };
            Ok(Ok((tower_moves(puzzle, from, to), run)))
        }
        // Never seen: it would refute the conjecture. The path itself is then to be found.
        Ok(found) => Ok(Err(found.length.unwrap_or(found.presumed + 1))),
        Err(SearchError::Cancelled(_)) if !session.is_interrupted() => Ok(Err(1)),
        Err(error) => Err(super::search_failure(error, None)),
    }
}

fn between(
    puzzle: &Puzzle,
    from: State,
    to: State,
    limits: &Limits,
    session: &Session,
) -> Result<Found, Failure> {
    let start = Instant::now();
    if let Err(need) = fits(puzzle, to, session.run().memory()) {
        let message =
            format!("between any two states, {} discs take about {}", puzzle.discs(), format_bytes(need));
        let failure = Failure::usage(message);
        return Err(failure.with_remedy(format!("give --memory {}", whole_mebibytes(need))));
    }
    let limited = limits.run(&session.run());
    let max_depth = limits.max_depth().unwrap_or(u32::MAX);
    match shortest_path(puzzle, from, to, max_depth, &limited) {
        Ok(path) => {
            let iteration = Iteration {
                bound: path.moves.len() as u32,
                complete: true,
                generated: path.states,
                expanded: path.states,
                seconds: start.elapsed().as_secs_f64(),
                ..Iteration::default()
            };
            Ok(Ok((path.moves, Run { iterations: vec![iteration], ..Run::default() })))
        }
        Err(Unsolved { lower_bound, reason: None }) => Ok(Err(lower_bound)),
        Err(Unsolved { lower_bound, reason: Some(SearchError::Cancelled(_)) })
            if !session.is_interrupted() =>
        {
            Ok(Err(lower_bound))
        }
        Err(Unsolved { lower_bound, reason: Some(SearchError::Store(error @ StoreError::Memory(_))) }) => {
            Err(Failure::error(format!("{error}; every path has at least {lower_bound} moves")))
        }
        Err(Unsolved { reason: Some(error), .. }) => Err(super::search_failure(error, None)),
    }
}

/// The outcome, once the referee has replayed the moves.
fn solved(puzzle: &Puzzle, from: State, to: State, moves: &[Move]) -> Result<Outcome, Failure> {
    let solution = format_moves(moves);
    let towers = |state| Towers::parse(puzzle.pegs() as usize, &puzzle.format(state));
    let replayed = towers(from).and_then(|from| check(&from, &towers(to)?, &solution, moves.len() as u64));
    replayed.map_err(|refusal| Failure::error(format!("the referee refuses the solution: {refusal}")))?;
    Ok(Outcome::Optimal { length: moves.len() as u32, solutions: vec![solution] })
}

fn text(record: &RunRecord) -> Vec<String> {
    match &record.result {
        Outcome::Optimal { length, solutions } => {
            solutions.iter().map(|solution| format!("{length} {solution}").trim_end().to_string()).collect()
        }
        Outcome::LowerBound { length } => vec![format!(">= {length}")],
        Outcome::Exhausted => vec!["no solution".into()],
    }
}
