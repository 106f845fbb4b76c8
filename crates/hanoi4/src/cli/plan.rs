//! `hanoi4 plan`: estimates the cost of a complete search and of a verification.

use crate::cost::{CornerProof, PROOFS, Proof, REFERENCE, SPACES, Space, slowness};
use clap::Args;
use puzzle_cli::format::{format_bytes, format_count, format_duration, parse_bytes};
use puzzle_cli::{Exit, Failure, Session};
use search_core::Run;
use serde::Serialize;
use std::time::Duration;

/// Estimate the time, memory and disk of `bfs` and `verify`
///
/// First measures the machine for about a second. The times are for a machine that does nothing else, and disks
/// that keep up with the search.
#[derive(Args, Clone, Debug)]
pub struct PlanArgs {
    /// The number of discs, 13 to 31 (complete searches: to 24)
    #[arg(long, value_name = "N")]
    discs: u32,
    /// Disk that the searches may use, such as 20GiB [default: unlimited]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    disk: Option<u64>,
}

/// The object that `--json` prints.
#[derive(Serialize)]
struct Answer {
    discs: u32,
    threads: usize,
    memory: u64,
    disk: Option<u64>,
    slowness: f64,
    complete_search: Vec<Choice>,
    verification: Verification,
}

/// A complete search with one number of small discs.
#[derive(Serialize)]
struct Choice {
    #[serde(flatten)]
    space: Space,
    fits: bool,
}

/// A verification by layers, and the same by corners.
#[derive(Serialize)]
struct Verification {
    #[serde(flatten)]
    proof: Proof,
    fits: bool,
    fits_in_memory: bool,
    by_corners: ByCorners,
}

/// A verification by corners.
#[derive(Serialize)]
struct ByCorners {
    #[serde(flatten)]
    proof: CornerProof,
    fits: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// The failure that ends it.
pub fn run(args: &PlanArgs, session: &Session) -> Result<Exit, Failure> {
    if !PROOFS.contains(&args.discs) {
        let (least, most) = (PROOFS.start(), PROOFS.end());
        let message = format!("the number of discs must be {least} to {most}, not {}", args.discs);
        return Err(Failure::malformed(message).with_remedy("smaller sizes take less than a second"));
    }
    let run = session.run();
    let slowness = slowness(&run).map_err(|error| super::search_failure(error, None))?;
    session.output().record(&estimate(args, slowness, &run), text)?;
    Ok(Exit::Done)
}

/// The estimates for a machine that is as slow as given.
fn estimate(args: &PlanArgs, slowness: f64, run: &Run<'_>) -> Answer {
    let (memory, disk) = (run.memory(), args.disk.unwrap_or(u64::MAX));
    let spaces = match SPACES.contains(&args.discs) {
        true => Space::choices(args.discs, run.threads()),
        false => Vec::new(),
    };
    let choice = |space: Space| Choice {
        fits: space.memory <= memory,
        space: Space { seconds: slowness * space.seconds, ..space },
    };
    let proof = Proof::of(args.discs);
    let needs = proof.database_memory.max(proof.search_memory);
    let in_memory = needs.max(proof.search_memory + proof.layer_bytes) <= memory;
    let by_corners = CornerProof::of(args.discs);
    let by_corners = ByCorners {
        fits: proof.database_memory.max(by_corners.memory) <= memory,
        proof: CornerProof { seconds: slowness * by_corners.seconds, ..by_corners },
    };
    let verification = Verification {
        by_corners,
        fits: needs <= memory && (in_memory || proof.disk <= disk),
        fits_in_memory: in_memory,
        proof: Proof {
            database_seconds: slowness * proof.database_seconds,
            search_seconds: slowness * proof.search_seconds,
            ..proof
        },
    };
    Answer {
        discs: args.discs,
        threads: run.threads(),
        memory,
        disk: args.disk,
        slowness,
        complete_search: spaces.into_iter().map(choice).collect(),
        verification,
    }
}

fn text(answer: &Answer) -> Vec<String> {
    let time = |seconds: f64| format_duration(Duration::from_secs_f64(seconds));
    let Answer { discs, threads, slowness, complete_search, verification, .. } = answer;
    let mut lines = vec![format!(
        "{discs} discs, {threads} threads: this machine takes {slowness:.2} times as long as {REFERENCE}"
    )];
    lines.push(String::new());
    let best = complete_search.iter().filter(|choice| choice.fits);
    let best = best
        .map(|choice| choice.space)
        .min_by(|a, b| a.seconds.total_cmp(&b.seconds))
        .map(|space| space.small);
    match (best, complete_search.last()) {
        (Some(small), _) => {
            lines.push(format!("complete search: {} bfs --discs {discs} --small {small}", super::NAME));
        }
        (None, Some(_)) => lines.push("complete search: more memory is needed".to_owned()),
        (None, None) => lines.push(format!("complete search: the model ends at {} discs", SPACES.end())),
    }
    if !complete_search.is_empty() {
        lines.push("small discs, time, memory, disk with --work-dir".to_owned());
    }
    for &Choice { space, fits } in complete_search {
        let remark = match (fits, answer.disk) {
            (false, _) => ", too much memory",
            (true, Some(disk)) if space.disk > disk => ", too much disk for --work-dir",
            (true, _) => "",
        };
        lines.push(format!(
            "{}, {}, {}, {}{remark}",
            space.small,
            time(space.seconds),
            format_bytes(space.memory),
            format_bytes(space.disk)
        ));
    }
    let Proof { length, states, search_seconds, search_memory, layer_bytes, disk, .. } = verification.proof;
    let fits = verification.fits_in_memory || verification.by_corners.fits;
    let (directory, remark) = match fits {
        true => ("", ""),
        false if verification.fits => (" --method bitmap --work-dir DIR", ""),
        false => ("", ", with more memory"),
    };
    lines.push(String::new());
    lines.push(format!("verification: {} verify --discs {discs}{directory}{remark}", super::NAME));
    lines.push(format!("length {length}"));
    if let Some(discs) = verification.proof.database_discs {
        let Proof { database_seconds, database_memory, .. } = verification.proof;
        let (time, memory) = (time(database_seconds), format_bytes(database_memory));
        lines.push(format!("database of {discs} discs: {time}, {memory}"));
    }
    let (layers, disk) = (format_bytes(layer_bytes), format_bytes(disk));
    lines.push(format!(
        "by layers: {}, {} states, {}, and for layers {layers} of memory or {disk} of disk",
        time(search_seconds),
        format_count(states),
        format_bytes(search_memory)
    ));
    let CornerProof { corners, seconds, memory, disk, is_forecast, .. } = verification.by_corners.proof;
    lines.push(format!(
        "by corners: {}, {} corners entered, {}, and for checkpoints {} of disk{}",
        time(seconds),
        format_count(corners),
        format_bytes(memory),
        format_bytes(disk),
        if is_forecast { " (forecast)" } else { "" }
    ));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(discs: u32, disk: Option<u64>) -> Answer {
        let run = Run::new().with_threads(2).with_memory(1 << 30);
        estimate(&PlanArgs { discs, disk }, 1.0, &run)
    }

    #[test]
    fn a_plan_shows_which_searches_fit_the_memory() {
        let of_18 = text(&plan(18, Some(1 << 20))).join("\n");
        assert!(of_18.contains("bfs --discs 18 --small 11\n"), "{of_18}");
        assert!(of_18.contains("too much disk"), "{of_18}");
        let of_22 = text(&plan(22, None)).join("\n");
        assert!(of_22.contains("complete search: more memory is needed\n"), "{of_22}");
        let of_29 = serde_json::to_value(plan(29, None)).expect("an object");
        assert_eq!(of_29["verification"]["fits"], false);
        assert_eq!(of_29["verification"]["states"], 547_627_072_734u64);
        assert_eq!(of_29["verification"]["by_corners"]["corners"], 27_077_279);
        assert_eq!(of_29["complete_search"], serde_json::json!([]));
        assert!(of_18.contains("verify --discs 18\nlength 225\n") && !of_18.contains("forecast"), "{of_18}");
        let of_31 = text(&plan(31, Some(1 << 40))).join("\n");
        assert!(of_31.contains("with more memory") && of_31.contains("(forecast)"), "{of_31}");
    }

    #[test]
    fn times_are_those_of_the_reference_machine_times_the_slowness() {
        let run = Run::new().with_threads(2).with_memory(1 << 30);
        let args = PlanArgs { discs: 22, disk: None };
        let [fast, slow] = [1.0, 3.0].map(|slowness| estimate(&args, slowness, &run));
        let times = |answer: &Answer| {
            let proof = answer.verification.proof;
            let spaces = answer.complete_search.iter().map(|choice| choice.space.seconds);
            let by_corners = answer.verification.by_corners.proof.seconds;
            spaces.chain([proof.search_seconds, proof.database_seconds, by_corners]).collect::<Vec<f64>>()
        };
        let near = |(fast, slow): (f64, f64)| (slow / fast - 3.0).abs() < 1e-9;
        assert!(times(&fast).into_iter().zip(times(&slow)).all(near));
    }
}
