//! Searches that are killed at random moments and started again give the answer, and the counts of their
//! complete iterations, of a search that was never disturbed.
//!
//! A kill is SIGKILL, which no program can notice. The same command continues the search.

use crate::program;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// A search of some seconds.
struct Search {
    program: &'static str,
    arguments: &'static [&'static str],
}

/// One by a heuristic without tables, one that begins with near misses, one for all solutions.
const SEARCHES: [Search; 3] = [
    Search {
        program: "tile24",
        arguments: &["solve", "--heuristic", "lc", "14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15"],
    },
    Search {
        program: "cube-opt",
        arguments: &["solve", "--heuristic", "square-0", "R U R' U' F2 D L B' U2 R D' F L2 B R D"],
    },
    Search {
        program: "cube-opt",
        arguments: &["solve", "--heuristic", "square-0", "--all", "R U R' U' F2 D L B' U2 R D' F L2 B R D"],
    },
];

impl Search {
    fn command(&self, tables: &Path, more: &[&str]) -> Command {
        let mut command = Command::new(program::path(self.program));
        command.args(self.arguments).args(["--checkpoint-every", "20ms", "--json", "--quiet"]).args(more);
        command.arg("--tables").arg(tables).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The record of a search that ran to its end, without what depends on time.
    fn finished(output: &std::process::Output) -> Option<Value> {
        output.status.code()?;
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut record: Value = serde_json::from_slice(&output.stdout).expect("a record");
        let complete = record["iterations"].as_array_mut().expect("iterations");
        complete.retain(|iteration| iteration["complete"] == Value::Bool(true));
        complete.iter_mut().for_each(|iteration| iteration["seconds"] = Value::Null);
        for total in ["seconds", "generated", "expanded", "threads"] {
            record[total] = Value::Null;
        }
        Some(record)
    }

    /// Kills the search so many times, and compares each time that it comes to its end. Returns how often it
    /// did, and how often it was continued.
    fn kill(&self, kills: usize, seed: u64) -> (usize, usize) {
        let home = tempfile::tempdir().expect("a directory");
        let undisturbed = self.command(home.path(), &["--fresh"]).output().expect("the program starts");
        let expected = Search::finished(&undisturbed).expect("not killed");
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (mut killed, mut ends, mut continued) = (0, 0, 0);
        while killed < kills {
            let threads = (1 + random.next_u32() % 3).to_string();
            let mut child = self.command(home.path(), &["--threads", &threads]).spawn().expect("a process");
            sleep(Duration::from_millis(u64::from(random.next_u32() % 500)));
            child.kill().expect("a process that is ours");
            let output = child.wait_with_output().expect("a process that is ours");
            match Search::finished(&output) {
                Some(record) => {
                    assert_eq!(record, expected, "{:?} on {threads} threads", self.arguments);
                    ends += 1;
                }
                None => {
                    killed += 1;
                    continued += usize::from(has_checkpoint(home.path()));
                }
            }
        }
        let last = self.command(home.path(), &[]).output().expect("the program starts");
        assert_eq!(Search::finished(&last), Some(expected), "{:?}", self.arguments);
        assert!(!has_checkpoint(home.path()), "a finished search leaves no checkpoint");
        (ends + 1, continued)
    }
}

fn has_checkpoint(tables: &Path) -> bool {
    let mut names = tables.read_dir().expect("a directory").map(|entry| entry.expect("a file").file_name());
    names.any(|name| name.to_string_lossy().ends_with(".checkpoint"))
}

#[test]
fn a_killed_search_continues() {
    for (search, seed) in SEARCHES.iter().zip(1..) {
        let (_, continued) = search.kill(8, seed);
        assert!(continued > 0, "{:?} kept no checkpoint", search.arguments);
    }
}

#[test]
#[ignore = "kills 500 searches: minutes"]
fn five_hundred_killed_searches_continue() {
    for (search, seed) in SEARCHES.iter().zip(100..) {
        let (ends, continued) = search.kill(167, seed);
        println!("{} {:?}: 167 kills, {continued} continued, {ends} ends", search.program, search.arguments);
    }
}
