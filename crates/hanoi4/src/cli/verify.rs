//! `hanoi4 verify`: proves a presumed-optimal length.

use super::room::RoomArgs;
use crate::database::Database;
use crate::run::Plan;
use crate::tables::DatabaseId;
use crate::verify::{MIN_DISCS, Verification, default_database, verify};
use clap::Args;
use puzzle_cli::units::{format_bytes, format_count, format_rate};
use puzzle_cli::{Exit, Failure, Session};
use serde::Serialize;
use std::time::{Duration, Instant};

/// Prove that the presumed-optimal length is optimal
///
/// Breadth-first heuristic search from all discs but the largest on one peg to the nearest state
/// with these discs on two others; half the presumed length is the threshold.
#[derive(Args, Clone, Debug)]
pub struct VerifyArgs {
    /// The number of discs
    #[arg(long, value_name = "N")]
    discs: u32,
    /// The discs of the big database; 0 for no heuristic [default: by the number of discs]
    #[arg(long, value_name = "N")]
    database: Option<u32>,
    #[command(flatten)]
    room: RoomArgs,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Answer {
    discs: u32,
    presumed: u32,
    proved: Option<u32>,
    threshold: u32,
    first_pruned_depth: Option<u32>,
    database_discs: Option<u32>,
    database_seconds: f64,
    unique_states: u64,
    blocks: u64,
    widest_layer: u64,
    peak_layer_bytes: u64,
    peak_disk_bytes: u64,
    seconds: f64,
    threads: usize,
    version: &'static str,
}

/// Runs the subcommand.
///
/// # Errors
/// What ends it.
pub fn run(args: &VerifyArgs, session: &Session) -> Result<Exit, Failure> {
    if !(MIN_DISCS..=31).contains(&args.discs) {
        return Err(Failure::malformed(format!(
            "{} discs cannot be verified, {MIN_DISCS} to 31 can",
            args.discs
        )));
    }
    let (database, database_seconds) = database(args.discs, args.database, session)?;
    let database_discs = database.as_ref().map(Database::discs);
    let plan = Plan {
        identity: format!("hanoi4 verify, {} discs, database {database_discs:?}, format 1", args.discs),
        work_dir: args.room.work_dir.clone(),
        resume: args.room.resume,
        ..Plan::default()
    };
    let mut budget = args.room.budget(session, None)?;
    budget.memory = budget.memory.saturating_sub(database.as_ref().map_or(0, |d| d.values().len() as u64));
    let found = verify(args.discs, database.as_ref(), budget, &plan, session.progress(), session.cancel());
    let found = found.map_err(|error| args.room.failure(error))?;
    let proved = found.length;
    session.output().record(&answer(found, database_discs, database_seconds, session.threads()), text)?;
    Ok(if proved.is_some() { Exit::Done } else { Exit::Unsolved })
}

/// The big database for `discs` discs, loaded or built, and the seconds that took.
pub(super) fn database(
    discs: u32,
    choice: Option<u32>,
    session: &Session,
) -> Result<(Option<Database>, f64), Failure> {
    let start = Instant::now();
    let Some(of) = choice.map_or_else(|| default_database(discs), |of| (of > 0).then_some(of)) else {
        return Ok((None, 0.0));
    };
    let id = DatabaseId::middle(of);
    let rest = (discs - 1).checked_sub(of).filter(|rest| (1..=12).contains(rest));
    if !id.is_possible() || rest.is_none() {
        return Err(Failure::usage(format!("no database of {of} discs for {discs} discs"))
            .with_remedy("it has 8 to 22 discs, and 2 to 13 fewer than the puzzle"));
    }
    let needed = (1u64 << (2 * id.kept())) * 5 / 4;
    if needed > session.memory() {
        return Err(Failure::usage(format!("the database of {of} discs needs {}", format_bytes(needed)))
            .with_remedy("give more --memory, or a smaller --database"));
    }
    let found = id.get(&super::store(session)?, session.memory(), session.progress(), session.cancel());
    let (database, _) = found.map_err(|error| super::table_failure(&error))?;
    Ok((Some(database), start.elapsed().as_secs_f64()))
}

fn answer(found: Verification, database_discs: Option<u32>, database_seconds: f64, threads: usize) -> Answer {
    Answer {
        discs: found.discs,
        presumed: found.presumed,
        proved: found.length,
        threshold: found.threshold,
        first_pruned_depth: found.first_pruned,
        database_discs,
        database_seconds,
        unique_states: found.report.total(|layer| layer.stored),
        blocks: found.report.blocks,
        widest_layer: found.report.layers.iter().map(|layer| layer.stored).max().unwrap_or(0),
        peak_layer_bytes: found.report.peak_bytes,
        peak_disk_bytes: found.report.peak_disk,
        seconds: found.report.seconds,
        threads,
        version: super::VERSION,
    }
}

/// Korf & Felner 2006, Table 2: discs, time, unique states, gigabytes.
const PAPER: [(u32, &str, u64, &str); 6] = [
    (25, "2:37", 443_870_346, "0.1"),
    (26, "14:17", 2_948_283_951, "0.5"),
    (27, "1:08:15", 12_107_649_475, "2.1"),
    (28, "4:01:02", 38_707_832_296, "9.1"),
    (29, "2:05:09:02", 547_627_072_734, "111"),
    (30, "28:16:23:34", 7_106_487_348_969, "1,284"),
];

fn text(answer: &Answer) -> Vec<String> {
    let verdict = match answer.proved {
        Some(length) if length == answer.presumed => format!("{length} proved: no shorter solution exists"),
        Some(length) => format!("{length}, shorter than the presumed {}", answer.presumed),
        None => format!("more than the presumed {}", answer.presumed),
    };
    let time = Duration::from_secs_f64(answer.seconds);
    let mut lines = vec![
        format!("{} discs: {verdict}", answer.discs),
        format!(
            "half-depth search to {}: {} unique states, widest layer {}, layers {}, disk {}",
            answer.threshold,
            format_count(answer.unique_states),
            format_count(answer.widest_layer),
            format_bytes(answer.peak_layer_bytes),
            format_bytes(answer.peak_disk_bytes)
        ),
        format!(
            "{:.1} s, {} on {} threads",
            answer.seconds,
            format_rate(answer.unique_states, time),
            answer.threads
        ),
    ];
    if let Some(discs) = answer.database_discs {
        lines.push(format!("database of {discs} discs ready after {:.1} s", answer.database_seconds));
    }
    if let Some((_, time, states, gigabytes)) = PAPER.iter().find(|row| row.0 == answer.discs) {
        lines.push(format!(
            "Korf & Felner 2006: {time}, {} unique states, {gigabytes} GB, with a database of 22 discs",
            format_count(*states)
        ));
    }
    lines
}
