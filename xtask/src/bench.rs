//! `cargo xtask bench`: runs the project's benchmarks, stores medians and spread as JSON, and compares
//! them with those of another run.

use clap::Args;
use puzzle_benches::{Bench, Fault, Means};
use puzzle_cli::format::format_per_second;
use puzzle_cli::{CommonArgs, Exit, Failure, Output, Session};
use repro::GENERATOR;
use repro::report::provenance::Provenance;
use repro::results::write_whole;
use search_core::table::Store;
use serde::{Deserialize, Serialize};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time the project's parts: fills, searches, random reads, and searches without one technique
///
/// Each benchmark asserts the counts that it times, and first runs once untimed. Its median and spread
/// (the middle half of the samples) are shown and stored. Do not compare times of different machines,
/// or of one machine under different load: compare ratios of one run.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  cargo xtask bench                                all, on one thread and on all cores
  cargo xtask bench cube/search memory             those whose names contain one of these
  cargo xtask bench tiles --out /tmp/new --compare target/repro/bench.json

Exit code 1 if a benchmark's count is not the expected one, 5 if interrupted.")]
pub struct BenchArgs {
    /// Only those whose names contain one of these
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Number of samples per benchmark [default: 1 to 7, depending on its duration]
    #[arg(long, value_name = "N")]
    samples: Option<NonZeroUsize>,
    /// Folder for bench.json [default: target/repro]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Show each median beside that of another run
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// Only list the benchmarks
    #[arg(long, conflicts_with_all = ["samples", "out", "compare"])]
    list: bool,
    #[command(flatten)]
    common: CommonArgs,
}

/// The benchmarks of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timings {
    /// The program and the machine.
    pub provenance: Provenance,
    /// Each benchmark, in the order in which they ran.
    pub benches: Vec<Timing>,
}

/// One benchmark's times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Its name.
    pub name: String,
    /// A description of the timed work.
    pub title: String,
    /// The unit of the count.
    pub unit: String,
    /// The count of a sample.
    pub count: u64,
    /// Seconds of each sample, in their order.
    pub seconds: Vec<f64>,
    /// The median.
    pub median: f64,
    /// The first and the third quartile.
    pub quartiles: [f64; 2],
    /// The benchmark that its rate is compared with, and its share of that one's rate, if both were timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<(String, f64)>,
}

impl Timing {
    /// The times of a benchmark.
    ///
    /// # Panics
    /// If there are none.
    pub fn new(bench: &Bench, times: &[Duration]) -> Timing {
        let seconds: Vec<f64> = times.iter().map(Duration::as_secs_f64).collect();
        Timing {
            name: bench.name.clone(),
            title: bench.title.clone(),
            unit: bench.unit.to_owned(),
            count: bench.count,
            median: quantile(&seconds, 0.5),
            quartiles: [quantile(&seconds, 0.25), quantile(&seconds, 0.75)],
            seconds,
            share: None,
        }
    }

    /// The same times, with the share of the rate of the benchmark beside which `bench` is shown, if that is among
    /// the `timed` ones.
    #[must_use]
    pub fn beside(self, bench: &Bench, timed: &[Timing]) -> Timing {
        let other = timed.iter().find(|timing| bench.beside.as_ref() == Some(&timing.name));
        let share = other.map(|other| (other.name.clone(), self.rate() / other.rate()));
        Timing { share, ..self }
    }

    /// The count per second.
    fn rate(&self) -> f64 {
        self.count as f64 / self.median
    }

    /// The width of the middle half of the samples, as a share of the median.
    pub fn spread(&self) -> f64 {
        (self.quartiles[1] - self.quartiles[0]) / self.median
    }

    /// The speed relative to `other`, and whether the middle halves of both are disjoint.
    pub fn against(&self, other: &Timing) -> (f64, bool) {
        let apart = self.quartiles[1] < other.quartiles[0] || other.quartiles[1] < self.quartiles[0];
        (other.median / self.median, apart)
    }

    fn line(&self, other: Option<&Timing>) -> String {
        let rate = format_per_second(self.rate());
        let time = format!("{:.3} s ±{:.0} %", self.median, 50.0 * self.spread());
        let mut line = format!("{:<44} {time:<18} {rate} {}", self.name, self.unit);
        if let Some((name, share)) = &self.share {
            line += &format!(", {share:.2} of {name}");
        }
        match other.map(|other| self.against(other)) {
            None => line,
            Some((ratio, true)) => format!("{line}; {ratio:.2} times as fast as before"),
            Some((ratio, false)) => format!("{line}; {ratio:.2} times as fast as before, within the spread"),
        }
    }
}

/// The value below which a share of the samples lies, interpolated linearly.
fn quantile(samples: &[f64], share: f64) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = share * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

/// Runs the task.
///
/// # Errors
/// The failure that ends it.
pub fn run(args: &BenchArgs) -> Result<Exit, Failure> {
    let session = Session::build(&args.common)?;
    let benches = chosen(&args.names, session.run().threads())?;
    let mut output = session.output();
    if args.list {
        return benches
            .iter()
            .try_for_each(|bench| output.line(&format!("{:<44} {}", bench.name, bench.title)))
            .map(|()| Exit::Done);
    }
    let before = args.compare.as_deref().map(read).transpose()?;
    let out = args.out.clone().unwrap_or_else(crate::default_out);
    fs::create_dir_all(&out).map_err(|error| Failure::error(format_args!("{}: {error}", out.display())))?;
    let store = session.store(GENERATOR);
    let mut timings = Timings { provenance: Provenance::here(session.run().threads()), benches: Vec::new() };
    let mut all_timed = true;
    for (at, bench) in benches.iter().enumerate() {
        let label = format!("{} ({} of {})", bench.name, at + 1, benches.len());
        let timing = match time(bench, &label, args.samples, &store, &session) {
            Ok(timing) => timing.beside(bench, &timings.benches),
            Err(fault) if session.is_interrupted() => {
                return Err(Failure::interrupted(format_args!("{}: {fault}", bench.name))
                    .with_remedy("earlier timings are kept"));
            }
            // The other benchmarks still run.
            Err(fault) => {
                session.remark(&format!("error: {fault}"));
                all_timed = false;
                continue;
            }
        };
        let other = before.as_ref().and_then(|run| run.benches.iter().find(|t| t.name == timing.name));
        show(&timing, other, &mut output)?;
        timings.benches.push(timing);
        // Written after each benchmark, so that a stopped run keeps its timings.
        let text = serde_json::to_string_pretty(&timings).map_err(Failure::error)?;
        write_whole(&out.join("bench.json"), text.as_bytes()).map_err(Failure::error)?;
    }
    session.remark(&out.join("bench.json").display().to_string());
    if all_timed { Ok(Exit::Done) } else { Err(Failure::error("some benchmarks failed")) }
}

fn chosen(names: &[String], threads: usize) -> Result<Vec<Bench>, Failure> {
    let mut benches = puzzle_benches::all(threads);
    let unknown = names.iter().find(|name| !benches.iter().any(|bench| bench.name.contains(*name)));
    if let Some(unknown) = unknown {
        return Err(Failure::usage(format_args!("no benchmark has '{unknown}' in its name"))
            .with_remedy("cargo xtask bench --list shows all"));
    }
    benches.retain(|bench| names.is_empty() || names.iter().any(|name| bench.name.contains(name)));
    Ok(benches)
}

fn read(path: &Path) -> Result<Timings, Failure> {
    let bytes =
        fs::read(path).map_err(|error| Failure::usage(format_args!("{}: {error}", path.display())))?;
    serde_json::from_slice(&bytes).map_err(|error| {
        Failure::usage(format_args!("{} is not a run of benchmarks: {error}", path.display()))
            .with_remedy("name a bench.json that cargo xtask bench wrote")
    })
}

fn time(
    bench: &Bench,
    label: &str,
    samples: Option<NonZeroUsize>,
    store: &Store,
    session: &Session,
) -> Result<Timing, Fault> {
    let samples = samples.map_or(bench.samples, NonZeroUsize::get);
    let run = session.run();
    let means = Means { store, run: &run };
    run.progress().begin(label, samples as u64);
    let times = bench.run(samples, &means, |done| run.progress().update(done as u64));
    run.progress().end();
    times.map(|times| Timing::new(bench, &times))
}

fn show(timing: &Timing, other: Option<&Timing>, output: &mut Output) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Shown<'a> {
        #[serde(flatten)]
        timing: &'a Timing,
        times_as_fast: Option<f64>,
    }
    let shown = Shown { timing, times_as_fast: other.map(|other| timing.against(other).0) };
    output.record(&shown, |_| vec![timing.line(other)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_the_samples() {
        let samples = [4.0, 1.0, 3.0, 2.0];
        assert_eq!([0.0, 0.25, 0.5, 1.0].map(|share| quantile(&samples, share)), [1.0, 1.75, 2.5, 4.0]);
        assert_eq!(quantile(&[7.0], 0.25), 7.0);
    }

    #[test]
    fn rates_are_compared_where_both_are_known() {
        let benches = puzzle_benches::all(2);
        let search = benches.iter().find(|bench| bench.beside.is_some()).expect("one is compared");
        let alone = benches.iter().find(|bench| search.beside.as_ref() == Some(&bench.name));
        let alone =
            Timing::new(alone.expect("the other exists, and is timed first"), &[Duration::from_secs(1)]);
        let timing = || Timing::new(search, &[Duration::from_secs(2)]);
        assert_eq!(timing().beside(search, &[]).share, None);
        let (name, share) =
            timing().beside(search, std::slice::from_ref(&alone)).share.expect("both are there");
        assert_eq!((&name, share), (&alone.name, search.count as f64 / 2.0 / alone.count as f64));
        assert!(timing().beside(search, &[alone]).line(None).contains(&format!(" of {name}")));
        let place = |name: &String| benches.iter().position(|bench| bench.name == *name);
        assert!(benches.iter().all(|bench| {
            bench
                .beside
                .as_ref()
                .is_none_or(|other| place(other).is_some_and(|at| at < place(&bench.name).unwrap()))
        }));
    }

    #[test]
    fn benchmarks_have_different_names() {
        let mut names: Vec<String> = puzzle_benches::all(2).into_iter().map(|bench| bench.name).collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
