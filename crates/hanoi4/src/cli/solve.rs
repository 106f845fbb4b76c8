//! `hanoi4 solve`: a shortest solution between any two states.

use super::verify::{database_for, load_or_build};
use crate::bitmap::search::SearchError;
use crate::cost::Proof;
use crate::database::Database;
use crate::layer_search::SearchOptions;
use crate::model::{Move, Puzzle, State, to_u64};
use crate::solve::{fits, shortest_path};
use crate::three_pegs;
use crate::verify::{Threshold, verify};
use clap::Args;
use puzzle_cli::units::{format_bytes, format_count, format_duration, whole_mebibytes};
use puzzle_cli::{CertificateArgs, Exit, Failure, Limits, RecordArgs, Session};
use search_core::record::RunRecord;
use search_core::storage::{Budget, StorageError};
use search_core::{Ending, Report};
use std::time::{Duration, Instant};

/// Find a shortest solution
#[derive(Args, Clone, Debug)]
pub struct SolveArgs {
    /// The number of discs
    #[arg(long, value_name = "N")]
    discs: u32,
    /// The number of pegs, 3 or 4
    #[arg(long, value_name = "N", default_value_t = 4)]
    pegs: u32,
    /// Start state: one peg digit per disc, the largest disc first [default: all on peg 0]
    #[arg(long, value_name = "STATE")]
    from: Option<String>,
    /// Goal state [default: all on the last peg]
    #[arg(long, value_name = "STATE")]
    to: Option<String>,
    /// Start the proof of a tower of 28 discs or more, which takes minutes to days
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    records: RecordArgs,
    #[command(flatten)]
    certificates: CertificateArgs,
}

/// The greatest length of a path that is printed.
const MOST_MOVES: u64 = 1 << 24;

/// The number of discs from which on a tower is solved by proving the presumed length.
const BY_PROOF: u32 = 14;

/// Runs the subcommand.
///
/// # Errors
/// The failure that ends it.
pub fn run(args: &SolveArgs, session: &Session) -> Result<Exit, Failure> {
    let (start, limits) = (Instant::now(), &args.limits);
    let puzzle = Puzzle::new(args.discs, args.pegs).map_err(|error| super::malformed(&error))?;
    let (from, to) = ends(&puzzle, args)?;
    if puzzle.pegs() == 3 && three_pegs::length(puzzle.discs(), from, to) > MOST_MOVES {
        let length = format_count(three_pegs::length(puzzle.discs(), from, to));
        let message = format!("a shortest path has {length} moves, too many to print");
        return Err(Failure::usage(message).with_remedy("use at most 24 discs on three pegs"));
    }
    let certificates = args.certificates.open()?;
    let (mut method, mut search) = (super::method(None, session), "layers");
    let report = match towers(&puzzle, from, to) {
        Some((a, b)) if puzzle.pegs() == 4 && puzzle.discs() >= BY_PROOF => {
            if !args.yes && limits.time_limit.is_none() {
                check_cost(puzzle.discs())?;
            }
            let big = load_or_build(database_for(puzzle.discs(), None)?, session)?;
            (method, search) = (super::method(big.as_ref(), session), "half_depth");
            by_proof(&puzzle, a, b, big.map(|big| big.database), limits, session)?
        }
        _ => between(&puzzle, from, to, limits, session)?,
    };
    let report = report.try_map(|moves| super::checked(&puzzle, from, to, &moves))?;
    let instance = format!("{} {}", puzzle.format(from), puzzle.format(to));
    let record = RunRecord::new(instance, report, start.elapsed().as_secs_f64(), method);
    let exit = session.answer(&record, None, limits, &mut session.with_records(&args.records).output())?;
    certificates.write(&record, &super::subject(&puzzle, from, to, search))?;
    Ok(exit)
}

/// The number of discs from which on a proof is started only if that is confirmed.
const COSTLY: u32 = 28;

/// Refuses a long proof, and states its cost.
fn check_cost(discs: u32) -> Result<(), Failure> {
    if discs < COSTLY {
        return Ok(());
    }
    let Proof { search_seconds, layers, .. } = Proof::of(discs);
    let message = format!(
        "the proof of {discs} discs needs about {} and {} for layers, after building a database of 22 discs",
        format_duration(Duration::from_secs_f64(search_seconds)),
        format_bytes(layers)
    );
    let disk = format!("`{} verify --discs {discs} --work-dir DIR` keeps layers on disk", super::NAME);
    Err(Failure::usage(message).with_remedy(format!("give --yes or --time-limit to start; {disk}")))
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
            Err(Failure::malformed("invalid state").with_faults(faults))
        }
    }
}

/// The two pegs, if all discs are to move from one peg to another.
fn towers(puzzle: &Puzzle, from: State, to: State) -> Option<(u32, u32)> {
    let peg = |state: State| (0..puzzle.pegs()).find(|&peg| state == State::all_on(peg, puzzle.discs()));
    peg(from).zip(peg(to)).filter(|(a, b)| a != b)
}

/// Solves a tower by proving the presumed length.
fn by_proof(
    puzzle: &Puzzle,
    from: u32,
    to: u32,
    database: Option<Database>,
    limits: &Limits,
    session: &Session,
) -> Result<Report<Vec<Move>>, Failure> {
    let taken = database.as_ref().map_or(0, |database| to_u64(database.values().len()));
    let budget = Budget::new(session.run().memory().saturating_sub(taken), 0);
    let limited = limits.run(&session.run());
    let options = SearchOptions::default();
    match verify(puzzle.discs(), Threshold::Full, database.as_ref(), budget, &options, &limited) {
        Ok(found) => {
            let report = found.tower_report(from, to);
            let longest = limits.max_depth.unwrap_or(u32::MAX);
            Ok(Report { ending: report.ending.within(longest), ..report })
        }
        Err(SearchError::Cancelled(_)) => {
            Ok(Report { ending: Ending::Cancelled { lower_bound: 1 }, iterations: Vec::new() })
        }
        Err(error @ SearchError::Storage(StorageError::Memory(_))) => {
            let disk = format!("`{} verify --discs {} --work-dir DIR`", super::NAME, puzzle.discs());
            Err(Failure::error(error).with_remedy(format!("give more --memory, or use the disk: {disk}")))
        }
        Err(error) => Err(super::search_failure(error, None)),
    }
}

fn between(
    puzzle: &Puzzle,
    from: State,
    to: State,
    limits: &Limits,
    session: &Session,
) -> Result<Report<Vec<Move>>, Failure> {
    if let Err(need) = fits(puzzle, to, session.run().memory()) {
        let message = format!(
            "a search between two states of {} discs needs about {} of memory",
            puzzle.discs(),
            format_bytes(need)
        );
        let failure = Failure::usage(message);
        return Err(failure.with_remedy(format!("give --memory {}", whole_mebibytes(need))));
    }
    let max_depth = limits.max_depth.unwrap_or(u32::MAX);
    shortest_path(puzzle, from, to, max_depth, &limits.run(&session.run())).map_err(Failure::error)
}
