//! Work that is killed at random moments and started again ends with the same answer as undisturbed work.
//!
//! A kill is SIGKILL, which no program can notice. The work is started again as its user would: by the same
//! command.

use super::Outcome;
use super::child::{end, end_within, program, start};
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use puzzle_cli::Failure;
use search_core::Run;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::Duration;

/// The time limit of undisturbed work, on a machine that also runs other programs.
const LIMIT: Duration = Duration::from_secs(900);

/// Work of a few seconds; a reproduction takes half a minute.
struct Work {
    title: &'static str,
    arguments: &'static str,
    kind: Kind,
    /// The longest that it runs before it is killed, in milliseconds.
    longest: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A search with a checkpoint.
    Search,
    /// A search with a checkpoint that improves an upper bound, and may print any of the shortest solutions. Started
    /// again, it begins with the upper bound of its checkpoint.
    Bounds,
    /// A search in a work directory.
    WorkDir,
    /// Tables are built; the answer is the list of the tables with their checksums.
    Tables,
    /// A reproduction; the answer is its report.
    Report,
}

const CUBE: &str = "R U R' U' F2 D L B' U2 R D' F L2 B R D";
/// A cube whose search has an upper bound for most of its time.
const BOUNDED_CUBE: &str = "R U R' U' F2 D L B' U2 R D' F L2 B R D L F";
/// A stack whose search has an upper bound for most of its time.
const PANCAKES: &str = "f4 f6 f4 f16 f13 f10 f6 f15 f5 f13 f2 f3 f11 f2";
const BOARD: &str = "14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15";

const ALL: [Work; 15] = [
    work("tile24 solve", "solve --heuristic lc", Kind::Search, 500),
    work("cube-opt solve", "solve --deterministic --heuristic square-0", Kind::Search, 500),
    work("cube-opt solve --all", "solve --heuristic square-0 --all", Kind::Search, 500),
    work("cube-opt solve --auf", "solve --deterministic --heuristic square-0 --auf", Kind::Search, 500),
    work("tile24 solve, bounds", "solve --heuristic lc --order deepest --stream", Kind::Bounds, 2000),
    work("cube-opt solve, bounds", "solve --heuristic square-0 --stream", Kind::Bounds, 3000),
    work("puzzle-opt solve, bounds", "solve pancake-16 --stream", Kind::Bounds, 2000),
    work(
        "hanoi4 bfs, times of corners",
        "bfs --discs 17 --small 8 --checkpoint-every 50ms",
        Kind::WorkDir,
        500,
    ),
    work("hanoi4 bfs, layers", "bfs --discs 16 --method bitmap", Kind::WorkDir, 500),
    work("hanoi4 bfs, frontier", "bfs --discs 11 --method frontier", Kind::WorkDir, 500),
    work("hanoi4 verify", "verify --discs 19", Kind::WorkDir, 500),
    work("tile24 tables build", "tables build --size 4x4", Kind::Tables, 500),
    work("cube-opt tables build, cubies", "tables build corners edges6", Kind::Tables, 500),
    work("cube-opt tables build, cosets", "tables build square-1", Kind::Tables, 1500),
    work("xtask repro-paper", "repro-paper --paper hanoi", Kind::Report, 1500),
];

/// Work of the program that its title begins with.
const fn work(title: &'static str, arguments: &'static str, kind: Kind, longest: u32) -> Work {
    Work { title, arguments, kind, longest }
}

impl Work {
    fn program(&self) -> &'static str {
        self.title.split(' ').next().unwrap_or_default()
    }

    /// The command that begins or continues the work in `home`.
    fn command(&self, programs: &Path, home: &Path) -> Result<Command, Failure> {
        let mut command = program(programs, self.program());
        let tables = home.join("tables");
        if self.kind == Kind::Report {
            let out = home.join("out");
            // It was killed before it had stored its request.
            let is_begun = out.join("run.json").exists();
            command.args(if is_begun { "repro-paper --resume" } else { self.arguments }.split(' '));
            command.arg("--out").arg(out).arg("--tables").arg(tables).arg("--quiet");
            return Ok(command);
        }
        command.args(self.arguments.split(' ')).arg("--tables").arg(tables).args(["--json", "--quiet"]);
        match self.kind {
            Kind::Search | Kind::Bounds => {
                let instance = match (self.program(), self.kind) {
                    ("tile24", _) => BOARD,
                    ("puzzle-opt", _) => PANCAKES,
                    (_, Kind::Bounds) => BOUNDED_CUBE,
                    _ => CUBE,
                };
                command.args(["--checkpoint-every", "20ms", instance]).env("XDG_STATE_HOME", home);
            }
            Kind::WorkDir => {
                command.arg("--work-dir").arg(home.join("work"));
            }
            Kind::Tables | Kind::Report => {}
        }
        Ok(command)
    }

    /// The result of work that ended by itself, without measured times; `None` if it was killed.
    fn answer(&self, output: &Output, programs: &Path, home: &Path) -> Result<Option<Value>, Failure> {
        let Some(code) = output.status.code() else { return Ok(None) };
        if code != 0 {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            return Ok(Some(Value::String(format!("exit code {code}: {text}"))));
        }
        let mut printed = output.stdout.clone();
        if self.kind == Kind::Tables {
            let mut verify = program(programs, self.program());
            verify.args(["tables", "verify", "--json", "--quiet", "--tables"]).arg(home.join("tables"));
            printed = end(start(&mut verify)?)?.map(|output| output.stdout).unwrap_or_default();
        }
        if self.kind == Kind::Report {
            let report = fs::read(home.join("out/report.json"));
            let report = report.ok().and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
            printed.extend(report.map(|report| report.to_string()).unwrap_or_default().bytes());
        }
        let text = String::from_utf8_lossy(&printed).into_owned();
        let mut lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| line.into())).collect();
        if self.kind == Kind::Bounds {
            // The last line is the record; those before it are better and better solutions.
            let bounds = lines.pop().map(|record| record["result"]["length"].clone());
            return Ok(Some(bounds.unwrap_or_default()));
        }
        lines.iter_mut().for_each(forget_time);
        Ok(Some(Value::Array(lines)))
    }
}

/// The upper bound in the checkpoint of a search in `home`, if it has one.
fn kept_upper_bound(home: &Path) -> Option<u64> {
    let mut folders = vec![home.join("optimal-puzzles")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).ok()?.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(path).unwrap_or_default();
            let state = text.lines().last().and_then(|line| serde_json::from_str::<Value>(line).ok());
            // One character for each move.
            if let Some(moves) = state.as_ref().and_then(|state| state["incumbent"].as_str()) {
                return Some(moves.len() as u64);
            }
        }
    }
    None
}

/// The first upper bound that a search printed.
fn first_upper_bound(output: &Output) -> Option<u64> {
    let text = String::from_utf8_lossy(&output.stdout);
    let mut lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.find_map(|line| line["upper_bound"].as_u64())
}

/// Removes what depends on time, threads and place: iterations that were cut short, the totals with
/// them.
fn forget_time(value: &mut Value) {
    match value {
        Value::Array(items) => {
            let is_cut = |item: &Value| item.get("complete") == Some(&Value::Bool(false));
            let says = |item: &Value, field: &str, word: &str| {
                item.get(field).and_then(Value::as_str).is_some_and(|text| text.contains(word))
            };
            // Seconds, and states a second.
            let is_time = |item: &Value| says(item, "plot", "speed") || says(item, "column", "second");
            items.retain(|item| !is_cut(item) && !is_time(item));
            items.iter_mut().for_each(forget_time);
        }
        Value::Object(fields) => {
            if fields.contains_key("iterations") {
                fields.remove("generated");
                fields.remove("expanded");
            }
            let depends = |name: &str| {
                let parts = ["second", "threads", "file", "peak", "provenance", "origin"];
                parts.iter().any(|part| name.contains(part))
            };
            fields.retain(|name, _| !depends(name));
            fields.values_mut().for_each(forget_time);
        }
        _ => {}
    }
}

/// The first place where two answers differ, and its contents.
fn difference(expected: &Option<Value>, answer: &Option<Value>) -> String {
    let (Some(expected), Some(answer)) = (expected, answer) else {
        return format!("{expected:?} and {answer:?}");
    };
    let (mut expected, mut answer, mut path) = (expected, answer, String::new());
    loop {
        let differs = |(_, a, b): &(String, &_, &_)| a != b;
        let step = match (expected, answer) {
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                let pairs = a.iter().zip(b).enumerate();
                pairs.map(|(index, (a, b))| (index.to_string(), a, b)).find(differs)
            }
            (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
                a.iter().map(|(name, a)| (name.clone(), a, &b[name])).find(differs)
            }
            _ => None,
        };
        let Some((name, a, b)) = step else {
            return format!("{path}: {expected} and {answer}");
        };
        (expected, answer) = (a, b);
        path = format!("{path}/{name}");
    }
}

/// Kills each kind of work whose title contains `only`, about `count` times in all, and compares its answer each time
/// that it completes.
///
/// # Errors
/// When a program cannot be started.
pub fn kill_all(
    (programs, only): (&Path, &str),
    count: usize,
    seed: u64,
    run: &Run<'_>,
) -> Result<Vec<Outcome>, Failure> {
    let chosen: Vec<&Work> = ALL.iter().filter(|work| work.title.contains(only)).collect();
    let kills = count.div_ceil(chosen.len().max(1));
    run.progress().begin("kills", (kills * chosen.len()) as u64);
    let mut outcomes = Vec::new();
    for (work, seed) in chosen.into_iter().zip(seed..) {
        let done = kills * outcomes.len();
        outcomes.push(work.kill(
            programs,
            kills,
            seed,
            &|kills| run.progress().update((done + kills) as u64),
            run,
        )?);
        if run.is_cancelled() {
            break;
        }
    }
    run.progress().end();
    Ok(outcomes)
}

impl Work {
    fn kill(
        &self,
        programs: &Path,
        kills: usize,
        seed: u64,
        update: &dyn Fn(usize),
        run: &Run<'_>,
    ) -> Result<Outcome, Failure> {
        let home = || tempfile::tempdir().map_err(|error| Failure::error(format_args!("a folder: {error}")));
        let expected = {
            let home = home()?;
            let output = end_within(start(&mut self.command(programs, home.path())?)?, LIMIT)?;
            let output =
                output.ok_or_else(|| Failure::error(format_args!("{} takes too long", self.title)))?;
            self.answer(&output, programs, home.path())?
        };
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (mut killed, mut ends, mut kept, mut broken) = (0, 0, 0, Vec::new());
        let mut place = home()?;
        while !run.is_cancelled() {
            let mut command = self.command(programs, place.path())?;
            command.args(["--threads", &(1 + random.next_u32() % 3).to_string()]);
            let known = kept_upper_bound(place.path()).filter(|_| self.kind == Kind::Bounds);
            let mut child = start(&mut command)?;
            if killed < kills {
                sleep(Duration::from_millis(u64::from(random.next_u32() % self.longest)));
                // It may have ended by itself.
                let _ = child.kill();
            }
            let Some(output) = end_within(child, LIMIT)? else {
                broken.push(format!("{} does not end: {command:?}", self.title));
                break;
            };
            if let Some((known, first)) = known.zip(first_upper_bound(&output)) {
                kept += usize::from(first <= known);
                if first > known {
                    broken.push(format!("{} knew {known} moves and begins with {first}", self.title));
                }
            }
            match self.answer(&output, programs, place.path())? {
                None => {
                    killed += 1;
                    update(killed);
                }
                answer => {
                    ends += usize::from(answer == expected);
                    if answer != expected {
                        let (what, difference) = (self.title, difference(&expected, &answer));
                        broken.push(format!("{what} ends otherwise after {killed} kills: {difference}"));
                    }
                    if killed == kills {
                        break;
                    }
                    // Finished results are removed, so that the work starts over.
                    place = home()?;
                }
            }
        }
        let mut endings = vec![(killed, "kills".to_owned()), (ends, "identical ends".to_owned())];
        if self.kind == Kind::Bounds {
            endings.push((kept, "upper bounds kept".to_owned()));
        }
        Ok(Outcome { title: self.title.to_owned(), endings, broken })
    }
}
