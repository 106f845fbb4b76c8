//! `hanoi4 solve`: a shortest solution between any two states.

use super::verify::{database_for, load_or_build};
use crate::cost::Proof;
use crate::database::Database;
use crate::error::SearchError;
use crate::model::{Move, Puzzle, State};
use crate::solve::{fits, shortest_path};
use crate::towers;
use clap::Args;
use puzzle_cli::format::{format_bytes, format_count, format_duration, whole_mebibytes};
use puzzle_cli::{CertificateArgs, Exit, Failure, Limits, RecordArgs, Session};
use search_core::Report;
use search_core::record::RunRecord;
use search_core::storage::StorageError;
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
    /// Confirm the proof of a tower of 28 discs or more, which takes minutes to days (--time-limit confirms it,
    /// too)
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    records: RecordArgs,
    #[command(flatten)]
    certificates: CertificateArgs,
}

/// Runs the subcommand.
///
/// # Errors
/// The failure that ends it.
pub fn run(args: &SolveArgs, session: &Session) -> Result<Exit, Failure> {
    let (start, limits) = (Instant::now(), &args.limits);
    let puzzle = Puzzle::new(args.discs, args.pegs).map_err(|error| super::malformed(&error))?;
    let (from, to) = ends(&puzzle, args)?;
    if let Some(length) = towers::too_long(&puzzle, from, to) {
        let message = format!("a shortest path has {} moves, too many to print", format_count(length));
        return Err(Failure::usage(message).with_remedy("use at most 24 discs on three pegs"));
    }
    let certificates = args.certificates.open()?;
    let (mut method, mut search) = (super::method(None, session), "layers");
    let report = match towers::by_proof(&puzzle, from, to) {
        Some(pegs) => {
            if !args.yes && limits.time_limit.is_none() {
                check_cost(puzzle.discs())?;
            }
            let big = load_or_build(database_for(puzzle.discs(), None)?, session)?;
            (method, search) = (super::method(big.as_ref(), session), "half_depth");
            by_proof(&puzzle, pegs, big.map(|big| big.database), limits, session)?
        }
        None => between(&puzzle, from, to, limits, session)?,
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

/// Solves a tower by proving the presumed length.
fn by_proof(
    puzzle: &Puzzle,
    pegs: (u32, u32),
    database: Option<Database>,
    limits: &Limits,
    session: &Session,
) -> Result<Report<Vec<Move>>, Failure> {
    let limited = limits.run(&session.run());
    towers::prove(puzzle, pegs, database.as_ref(), limits.max_depth, &limited).map_err(|error| match error {
        SearchError::Storage(StorageError::Memory(_)) => {
            let disk = format!("`{} verify --discs {} --work-dir DIR`", super::NAME, puzzle.discs());
            Failure::error(error).with_remedy(format!("give more --memory, or use the disk: {disk}"))
        }
        error => super::search_failure(error, None),
    })
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
