//! `hanoi4 verify`: proves a presumed-optimal length.

use super::Ends;
use super::layer_args::LayerArgs;
use crate::model::{Puzzle, State};
use crate::strategy::proof::{Loaded, heuristic};
use crate::strategy::{ProofAsk, ProofMethod};
use crate::verify::{Threshold, Verification};
use clap::{Args, value_parser};
use puzzle_cli::format::{format_bytes, format_count, format_rate};
use puzzle_cli::{CertificateArgs, Exit, Failure, Format, RecordArgs, Session, Subject};
use search_core::record::{RunRecord, Used};
use serde::Serialize;
use std::time::Duration;

/// Prove that the presumed-optimal length is optimal
///
/// Runs a breadth-first heuristic search from the state with all discs but the largest on one peg to the
/// nearest state with these discs on two other pegs.
#[derive(Args, Clone, Debug)]
pub struct VerifyArgs {
    /// The number of discs
    #[arg(long, value_name = "N")]
    discs: u32,
    /// The number of discs of the database; 0 for no heuristic [default: 5 fewer than the puzzle, at most
    /// 22; 0 below 13 discs]
    #[arg(long, value_name = "N")]
    database: Option<u32>,
    /// The depth to search to
    #[arg(long, value_enum, default_value_t)]
    threshold: Threshold,
    /// The search [default: that of the work directory's checkpoint; bitmap if its layers fit the memory; else corners]
    #[arg(long, value_enum, value_name = "METHOD")]
    method: Option<ProofMethod>,
    /// The number of small discs of a search by corners [default: the most that the database allows]
    #[arg(long, value_name = "K", value_parser = value_parser!(u32).range(1..=14))]
    small: Option<u32>,
    #[command(flatten)]
    layers: LayerArgs,
    #[command(flatten)]
    records: RecordArgs,
    #[command(flatten)]
    certificates: CertificateArgs,
}

/// The object that `--json` prints.
#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    record: RunRecord,
    discs: u32,
    presumed: u32,
    proved: Option<u32>,
    threshold: u32,
    first_pruned_depth: Option<u32>,
    database_discs: Option<u32>,
    database_seconds: f64,
    method: &'static str,
    unique_states: Option<u64>,
    #[serde(skip)]
    searched: u64,
    pruned_states: Option<u64>,
    blocks: u64,
    live_blocks: Option<u64>,
    corners_entered: Option<u64>,
    widest_layer: Option<u64>,
    peak_layer_bytes: u64,
    peak_disk_bytes: u64,
}

/// Runs the subcommand.
///
/// # Errors
/// The failure that ends it.
pub fn run(args: &VerifyArgs, session: &Session) -> Result<Exit, Failure> {
    let ask = ProofAsk::new(args.discs).map_err(super::ask_failure)?;
    let ask = ask.threshold(args.threshold).database(args.database).work(args.layers.work());
    let ask = ask.search(args.method, args.small);
    let certificates = args.certificates.open()?;
    let method = ask.method(&session.run()).map_err(super::ask_failure)?;
    let ask = ask.search(Some(method), args.small);
    let space = match method {
        ProofMethod::Bitmap => Some(ask.space().map_err(super::ask_failure)?),
        ProofMethod::Corners => None,
    };
    let refused = |error| args.layers.failure(error, space);
    let loaded = ask.load(&session.store(super::VERSION), &session.run()).map_err(refused)?;
    let found = ask.prove(loaded.as_ref(), &session.run()).map_err(refused)?;
    let answer = answer(&found, loaded.as_ref(), session)?;
    let mut output = session.with_records(&args.records).output();
    match output.format() {
        Format::Csv => output.run(&answer.record)?,
        _ => output.record(&answer, text)?,
    }
    certificates.write(&answer.record, &tower_subject(args.discs))?;
    ask.remove_work_dir(method).map_err(Failure::error)?;
    Ok(if found.ending.length().is_some() { Exit::Done } else { Exit::Unsolved })
}

/// The part of a tower's certificate that is not in the record.
fn tower_subject(discs: u32) -> Subject<Ends> {
    let puzzle = Puzzle::new(discs, 4).expect("a number of discs in range");
    super::subject(&puzzle, State::all_on(0, discs), State::all_on(3, discs), "half_depth")
}

fn answer(found: &Verification, loaded: Option<&Loaded>, session: &Session) -> Result<Answer, Failure> {
    let puzzle = Puzzle::new(found.discs, 4).expect("a number of discs in range");
    let (from, to) = (State::all_on(0, found.discs), State::all_on(3, found.discs));
    let report = found.tower_report(0, 3);
    let report = report.try_map(|moves| super::checked(&puzzle, from, to, &moves))?;
    let instance = format!("{} {}", puzzle.format(from), puzzle.format(to));
    let search = &found.search;
    let (layers, corners) = (search.layers(), search.corners());
    let tables: Vec<_> = loaded.iter().map(|loaded| loaded.table.clone()).collect();
    let method = super::method(Used::one(heuristic(loaded), &tables), session);
    Ok(Answer {
        record: RunRecord::new(instance, report, search.seconds(), method),
        discs: found.discs,
        presumed: found.presumed,
        proved: found.ending.length(),
        threshold: found.threshold,
        first_pruned_depth: search.first_pruned(),
        database_discs: loaded.map(|loaded| loaded.id.discs),
        database_seconds: loaded.map_or(0.0, |loaded| loaded.seconds),
        method: if layers.is_some() { ProofMethod::Bitmap } else { ProofMethod::Corners }.name(),
        unique_states: layers.map(|report| report.total(|layer| layer.orbits)),
        searched: search.searched(),
        pruned_states: layers.map(|report| report.total(|layer| layer.pruned)),
        blocks: search.blocks(),
        live_blocks: corners.map(|corners| corners.live),
        corners_entered: corners.map(|corners| corners.entered),
        widest_layer: layers.and_then(|report| report.layers.iter().map(|layer| layer.orbits).max()),
        peak_layer_bytes: search.peak_bytes(),
        peak_disk_bytes: search.peak_disk(),
    })
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
    let time = Duration::from_secs_f64(answer.record.seconds);
    let searched = match answer.corners_entered {
        Some(entered) => format!(
            "half-depth search by corners to depth {}: {} corners entered in {} blocks, at most {} of them at a time, {}, \
             disk {}",
            answer.threshold,
            format_count(entered),
            format_count(answer.blocks),
            format_count(answer.live_blocks.unwrap_or(0)),
            format_bytes(answer.peak_layer_bytes),
            format_bytes(answer.peak_disk_bytes)
        ),
        None => format!(
            "half-depth search to depth {}: {} unique states ({} more pruned), widest layer {}, layers {}, disk {}",
            answer.threshold,
            format_count(answer.unique_states.unwrap_or(0)),
            format_count(answer.pruned_states.unwrap_or(0)),
            format_count(answer.widest_layer.unwrap_or(0)),
            format_bytes(answer.peak_layer_bytes),
            format_bytes(answer.peak_disk_bytes)
        ),
    };
    let mut lines = vec![
        format!("{} discs: {verdict}", answer.discs),
        searched,
        format!(
            "{:.1} s, {} on {} threads",
            answer.record.seconds,
            format_rate(answer.searched, time),
            answer.record.threads
        ),
    ];
    if let Some(discs) = answer.database_discs {
        lines.push(format!("database of {discs} discs ready after {:.1} s", answer.database_seconds));
    }
    if let Some((_, time, states, gigabytes)) = PAPER.iter().find(|row| row.0 == answer.discs) {
        let of = if answer.discs == 30 { 21 } else { 22 };
        lines.push(format!(
            "Korf & Felner 2006: {time}, {} unique states, {gigabytes} GB, with a database of {of} discs",
            format_count(*states)
        ));
    }
    lines
}
