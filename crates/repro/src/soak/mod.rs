//! Solvers that run for an hour, fed with mixed batches.
//!
//! | file | contents |
//! | --- | --- |
//! | `batch` | seeded instances, bad ones among them; the answer required for each |
//! | `solver` | a solver that runs, its answers and its memory |
//! | `neighbour` | a second process that builds and removes tables meanwhile |
//!
//! Two solvers, one of cubes and one of boards, run throughout and get one batch after another on their standard input.
//! For each batch two more are started, with other heuristics, whose tables a neighbour constantly builds, verifies and
//! removes. The referee replays every answer of the four here, in addition to the replay in each solver; the lengths of
//! both heuristics must be equal; every bad line must be refused, and no other. The memory of the two long solvers is
//! sampled: it must not grow.

mod batch;
mod neighbour;
mod solver;

use batch::Batch;
use neighbour::Neighbour;
use puzzle_cli::Failure;
use search_core::Run;
use solver::Solver;
use std::path::Path;
use std::time::{Duration, Instant};

/// The number of faults that ends a run.
const ENOUGH: usize = 10;

/// The counts of a run, and its faults.
#[derive(Clone, Debug, Default)]
pub struct SoakReport {
    /// Batches of each solver.
    pub batches: usize,
    /// The number of replayed answers for cubes and for boards.
    pub answers: [usize; 2],
    /// Bad lines that were refused.
    pub refused: usize,
    /// Tables that the neighbour built and removed.
    pub tables: usize,
    /// The greatest resident set of each long solver in each tenth of the time, in bytes.
    pub peaks: Vec<(String, Vec<u64>)>,
    /// The faults found.
    pub broken: Vec<String>,
}

impl std::fmt::Display for SoakReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [cubes, boards] = self.answers;
        writeln!(f, "{} batches: {cubes} answers for cubes and {boards} for boards replayed", self.batches)?;
        write!(f, "{} bad lines refused, {} tables built and removed meanwhile", self.refused, self.tables)?;
        for (name, peaks) in &self.peaks {
            let peaks: Vec<String> = peaks.iter().map(|peak| (peak >> 20).to_string()).collect();
            write!(f, "\n{name}: greatest resident set in MiB, by tenths: {}", peaks.join(" "))?;
        }
        self.broken.iter().try_for_each(|broken| write!(f, "\n  broken: {broken}"))
    }
}

/// Whether a solver takes more memory in the last four tenths than in the four before them, by more than a
/// fiftieth and 4 MiB, which the allocator may keep. Tables are built in the first two.
fn grows(peaks: &[u64]) -> bool {
    let (first, second) = peaks.split_at(peaks.len() / 5 * 3);
    let first = &first[peaks.len() / 5..];
    let most = |part: &[u64]| part.iter().copied().max().unwrap_or(0);
    most(second) > most(first) / 50 * 51 + (4 << 20)
}

/// Feeds solvers until the time is over.
///
/// # Errors
/// When a program cannot be started.
pub fn soak(programs: &Path, time: Duration, seed: u64, run: &Run<'_>) -> Result<SoakReport, Failure> {
    let home = tempfile::tempdir().map_err(|error| Failure::error(format_args!("a folder: {error}")))?;
    let (own, shared) = (home.path().join("own"), home.path().join("shared"));
    let threads = run.threads();
    let start =
        |arguments: &str, tables: &Path| Solver::start(programs, arguments, tables, threads, Some(time));
    let mut long = [start(batch::LONG[0], &own)?, start(batch::LONG[1], &own)?];
    let neighbour = Neighbour::start(programs, &shared, run.cancel())?;
    let mut soaked = SoakReport::default();
    let begun = Instant::now();
    run.progress().begin("soak, seconds", time.as_secs());
    while begun.elapsed() < time && soaked.broken.len() < ENOUGH && !run.is_cancelled() {
        run.progress().update(begun.elapsed().as_secs());
        let batches = Batch::pair(seed, soaked.batches);
        for (kind, batch) in batches.iter().enumerate() {
            let mut short = Solver::start(programs, batch::SHORT[kind], &shared, threads, None)?;
            long[kind].feed(batch.lines());
            short.feed(batch.lines());
            let answers = [long[kind].answers(batch.len()), short.answers(batch.len())];
            let ending = short.end();
            soaked.note(kind, batch, &answers, run);
            if ending != Some(3) && !run.is_cancelled() {
                soaked.broken.push(format!("{} ends with {ending:?}", batch::SHORT[kind]));
            }
        }
        soaked.batches += 1;
    }
    run.progress().end();
    soaked.tables = neighbour.end(&mut soaked.broken);
    for (solver, name) in long.into_iter().zip(["cube-opt", "tile24"]) {
        let (ending, peaks) = solver.end_with_peaks();
        if ending != Some(3) && !run.is_cancelled() {
            soaked.broken.push(format!("{name} ends with {ending:?}"));
        }
        if peaks.iter().all(|&peak| peak == 0) {
            soaked.broken.push(format!("{name}: its memory is not seen"));
        }
        if grows(&peaks) {
            soaked.broken.push(format!("{name} takes more and more memory"));
        }
        soaked.peaks.push((name.to_owned(), peaks));
    }
    Ok(soaked)
}

impl SoakReport {
    /// Judges the answers of two solvers to one batch.
    fn note(&mut self, kind: usize, batch: &Batch, answers: &[Vec<String>; 2], run: &Run<'_>) {
        for (number, case) in batch.cases().iter().enumerate() {
            let lengths = answers.each_ref().map(|answers| match answers.get(number) {
                Some(answer) => case.judge(answer),
                None => Err("no answer".to_owned()),
            });
            match lengths {
                // Both processes are ended by an interruption.
                _ if run.is_cancelled() || self.broken.len() >= ENOUGH => return,
                [Ok(one), Ok(other)] if one == other => match one {
                    Some(_) => self.answers[kind] += 2,
                    None => self.refused += 2,
                },
                both => self.broken.push(format!("{:?}: {both:?}", case.line())),
            }
        }
    }
}
