//! Programs end soon after their time limit and after Ctrl-C, by the clock on the wall.
//!
//! Each kind of work is started again and again: with `--time-limit` where it has one, and with an interrupt at a random
//! moment. The tables of a search are built before, since its time limit begins when they are loaded.

use super::Outcome;
use super::child::{end_within, program, start};
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use puzzle_cli::Failure;
use search_core::Run;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The longest that a program may take to end after its time limit, and after an interrupt.
const AFTER_LIMIT: Duration = Duration::from_millis(500);
const AFTER_INTERRUPT: Duration = Duration::from_secs(1);
/// The time limit, and the latest interrupt.
const LIMIT: Duration = Duration::from_millis(1500);
/// The time after which a program is considered not to end.
const PATIENCE: Duration = Duration::from_secs(300);

const CUBE: &str = "R U F' L D2 B R2 U' F D L2 B' U R F2 D' B R2";
const BOARD: &str = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";
/// Without near positions or pattern databases that find it at once.
const MEGAMINX: &str = "U R F L BL BR DR DL U2 R2 F2 L2";

/// Work of many seconds.
struct Work {
    /// The program and its arguments; the instance, if any, follows.
    line: &'static str,
    instance: &'static str,
    has_limit: bool,
}

const fn limited(line: &'static str, instance: &'static str) -> Work {
    Work { line, instance, has_limit: true }
}

const fn unlimited(line: &'static str, instance: &'static str) -> Work {
    Work { line, instance, has_limit: false }
}

const ALL: [Work; 20] = [
    limited("cube-opt solve --heuristic manhattan-all", CUBE),
    limited("cube-opt solve --heuristic square-0 --all --extra 3", CUBE),
    limited("cube-opt algs --auf none --extra 3 --heuristic square-0", CUBE),
    limited("cube-opt cheapest", CUBE),
    limited("cube-opt insert --most 20 --heuristic manhattan-all --skeleton R", CUBE),
    limited("cube-opt perft 8 --memory 6GiB", ""),
    unlimited("cube-opt heuristics manhattan-all --samples 1000000000", ""),
    unlimited("cube-opt tables build edges7 --tables", "new"),
    limited("tile24 solve --heuristic md --fsm inverse", BOARD),
    unlimited("tile24 tables build --size 5x5 --tables", "new"),
    unlimited("tile24 fsm learn --size 5x5 --depth 18", ""),
    limited("hanoi4 solve --discs 24", ""),
    unlimited("hanoi4 bfs --discs 20 --tables", "new"),
    unlimited("hanoi4 tables build --discs 22 --tables", "new"),
    limited("puzzle-opt solve megaminx --memory 64MiB", MEGAMINX),
    limited("puzzle-opt algs megaminx --memory 64MiB", MEGAMINX),
    limited("puzzle-opt random 3x3x3 --memory 64MiB --seed 1 --min-length 18", ""),
    unlimited("puzzle-opt count kilominx --memory 4GiB", ""),
    unlimited("puzzle-opt count pancake-12 --memory 4GiB", ""),
    unlimited("puzzle-opt count pancake-12 --memory 4GiB --fresh --work-dir", "layers"),
];

impl Work {
    fn command(&self, programs: &Path, home: &Path, more: &[&str]) -> Command {
        let mut words = self.line.split(' ');
        let mut command = program(programs, words.next().unwrap_or_default());
        command.args(words).args(more).current_dir(home).env("XDG_STATE_HOME", home);
        if !self.instance.is_empty() {
            command.arg(self.instance);
        }
        command.arg("--quiet");
        if !self.line.ends_with("--tables") {
            command.arg("--tables").arg(home.join("tables"));
        }
        command
    }

    /// The exit code, and the time from `begun` to the end.
    fn end(&self, child: std::process::Child, begun: Instant) -> Result<(Option<i32>, Duration), Failure> {
        let output = end_within(child, PATIENCE)?;
        let late = begun.elapsed();
        let output = output
            .ok_or_else(|| Failure::error(format_args!("{} {} does not end", self.line, self.instance)))?;
        Ok((output.status.code(), late))
    }
}

/// Stops each kind of work whose line contains `only`, about `count` times in all.
///
/// # Errors
/// When a program cannot be started, or does not end.
pub fn stop_all(
    (programs, only): (&Path, &str),
    count: usize,
    seed: u64,
    run: &Run<'_>,
) -> Result<Vec<Outcome>, Failure> {
    let chosen: Vec<&Work> =
        ALL.iter().filter(|work| format!("stopped {}", work.line).contains(only)).collect();
    let each = count.div_ceil(chosen.len().max(1));
    let home = tempfile::tempdir().map_err(|error| Failure::error(format_args!("a folder: {error}")))?;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let outcomes = chosen.into_iter().map(|work| work.stop(programs, home.path(), each, &mut random, run));
    outcomes.collect()
}

impl Work {
    fn stop(
        &self,
        programs: &Path,
        home: &Path,
        count: usize,
        random: &mut ChaCha8Rng,
        run: &Run<'_>,
    ) -> Result<Outcome, Failure> {
        let title = format!("stopped {}", self.line);
        let (mut endings, mut broken) = (Vec::new(), Vec::new());
        let mut judge = |what: &str, (code, late): (Option<i32>, Duration), expected: i32, most: Duration| {
            if code != Some(expected) || late > most {
                broken.push(format!("{title} {what}: exit code {code:?} after {} ms", late.as_millis()));
            }
            late
        };
        if self.has_limit {
            // Builds the tables.
            let child = start(&mut self.command(programs, home, &["--time-limit", "10ms"]))?;
            self.end(child, Instant::now())?;
            let mut worst = Duration::ZERO;
            for _ in 0..count {
                let limit = format!("{}ms", LIMIT.as_millis());
                let begun = Instant::now();
                let child = start(&mut self.command(programs, home, &["--time-limit", &limit]))?;
                let (code, taken) = self.end(child, begun)?;
                let late = taken.saturating_sub(LIMIT);
                worst = worst.max(judge("with a time limit", (code, late), 4, AFTER_LIMIT));
                run.check().map_err(Failure::interrupted)?;
            }
            endings.push((count, format!("ends at most {} ms after the time limit", worst.as_millis())));
        }
        let mut worst = Duration::ZERO;
        for _ in 0..count {
            let child = start(&mut self.command(programs, home, &[]))?;
            sleep(LIMIT.mul_f64(0.2 + 0.8 * f64::from(random.next_u32() % 1000) / 1000.0));
            let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
            interrupt.map_err(|error| Failure::error(format_args!("kill: {error}")))?;
            worst =
                worst.max(judge("with an interrupt", self.end(child, Instant::now())?, 5, AFTER_INTERRUPT));
            run.check().map_err(Failure::interrupted)?;
        }
        endings.push((count, format!("ends at most {} ms after an interrupt", worst.as_millis())));
        Ok(Outcome { title, endings, broken })
    }
}
