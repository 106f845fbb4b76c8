//! `hanoi4 solve`: a shortest solution between any two states.

use super::ends_args::EndsArgs;
use crate::cost::{CornerProof, Proof};
use crate::error::SearchError;
use crate::model::Puzzle;
use crate::strategy::path::PathMethod;
use crate::strategy::{Ask, AskError, Solver};
use clap::Args;
use puzzle_cli::format::{format_bytes, format_duration};
use puzzle_cli::{BoundArgs, CertificateArgs, Exit, Failure, Limits, PrintArgs, RecordArgs, Session};
use search_core::record::RunRecord;
use search_core::storage::StorageError;
use std::time::{Duration, Instant};

/// Find a shortest solution
#[derive(Args, Clone, Debug)]
pub struct SolveArgs {
    #[command(flatten)]
    ends: EndsArgs,
    /// Confirm the proof of a tower of 28 discs or more, which takes minutes to days (--time-limit confirms it,
    /// too)
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    bounds: BoundArgs,
    #[command(flatten)]
    print: PrintArgs,
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
    let (puzzle, from, to) = args.ends.read()?;
    let ask = Ask::new(puzzle, from, to).max_depth(limits.max_depth);
    let ask = ask.within(args.bounds.gap()).upper(!args.bounds.no_upper);
    let refused = |error| failure(&puzzle, error);
    let limited = limits.run(&session.run());
    let known = ask.known(&limited);
    ask.check(&known, limited.memory()).map_err(refused)?;
    if !args.yes && limits.time_limit.is_none() {
        ask.long_proof(&known).map_or(Ok(()), |cost| Err(unconfirmed(puzzle.discs(), &cost)))?;
    }
    let certificates = args.certificates.open()?;
    let mut solver = match ask.method() {
        PathMethod::Proof(..) => Solver::with_store(session.store(super::VERSION)),
        _ => Solver::new(),
    };
    let instance = format!("{} {}", puzzle.format(from), puzzle.format(to));
    if let Some(best) = known.best.as_ref().filter(|_| args.bounds.stream) {
        let checked = super::checked(&puzzle, from, to, &best.solution)?;
        session.better(&args.bounds, &instance, start, (known.lower_bound, &checked));
    }
    let answer = solver.solve_knowing(&ask, &known, &limited).map_err(refused)?;
    let method = super::method(answer.used.clone(), session);
    let report = answer.into_report().try_map(|moves| super::checked(&puzzle, from, to, &moves))?;
    let record = RunRecord::new(instance, report, start.elapsed().as_secs_f64(), method);
    let exit = session.answer(
        &record,
        None,
        (limits, &args.bounds),
        &mut session.with_records(&args.records).with_print(args.print).output(),
    )?;
    let search = if matches!(ask.method(), PathMethod::Proof(..)) { "half_depth" } else { "layers" };
    certificates.write(&record, &super::subject(&puzzle, from, to, search))?;
    Ok(exit)
}

/// The failure for a long proof that was not confirmed, with its cost.
fn unconfirmed(discs: u32, cost: &Proof) -> Failure {
    let by_corners = CornerProof::of(discs);
    let time = |seconds: f64| format_duration(Duration::from_secs_f64(seconds));
    let message = format!(
        "the proof of {discs} discs needs about {} and {} for layers, or {} and {} by corners, after building a database of \
         22 discs",
        time(cost.search_seconds),
        format_bytes(cost.layer_bytes),
        time(by_corners.seconds),
        format_bytes(by_corners.memory)
    );
    let disk = format!("`{} verify --discs {discs} --work-dir DIR` can be resumed", super::NAME);
    Failure::usage(message).with_remedy(format!("give --yes or --time-limit to start; {disk}"))
}

/// The failure for a path that was not found.
fn failure(puzzle: &Puzzle, error: AskError) -> Failure {
    let disk = format!("`{} verify --discs {} --method bitmap --work-dir DIR`", super::NAME, puzzle.discs());
    let on_disk = || format!("give more --memory, or use the disk: {disk}");
    match error {
        error @ AskError::Layers(_) => super::ask_failure(error).with_remedy(on_disk()),
        AskError::Search(error @ SearchError::Storage(StorageError::Memory(_))) => {
            Failure::error(error).with_remedy(on_disk())
        }
        error => super::ask_failure(error),
    }
}
