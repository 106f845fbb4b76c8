//! The greatest resident set of table builds and searches, as Linux counts it, against `--memory`.
//!
//! The system's peak of a process (`VmHWM`) never falls, so it is read repeatedly while the process runs; memory that
//! the process takes in its last milliseconds may be missed.

use super::program::{command, home};
use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The memory that a program may use beyond the budget and a tenth of it: code, stacks, buffers, small tables.
const BESIDE: u64 = 100_000_000;
/// The time between readings.
const LOOK: Duration = Duration::from_millis(2);
/// More time than any command takes, on a busy machine.
const LIMIT: Duration = Duration::from_secs(300);

/// A program, its arguments, and its budget in MiB. Tables that one builds are there for the next.
const COMMANDS: [(&str, &str, u64); 19] = [
    ("cube-opt", "tables build edges6", 25),
    ("cube-opt", "solve --heuristic edges6 RU2F'L", 25),
    ("cube-opt", "perft 5", 40),
    // Also learns the automaton.
    ("tile24", "solve --heuristic korf96 1,2,3,0,4,5,6,7,8,9,10,11,12,13,14,15", 1),
    ("tile24", "tables build --size 4x4 --heuristic pdb", 360),
    ("tile24", "solve --heuristic pdb 1,2,3,0,4,5,6,7,8,9,10,11,12,13,14,15", 357),
    ("tile24", "tables build --size 3x5", 100),
    ("hanoi4", "bfs --discs 15", 300),
    ("hanoi4", "solve --discs 13", 100),
    ("hanoi4", "solve --discs 14 --to 01230123012301", 300),
    ("hanoi4", "bfs --discs 14 --method bitmap", 64),
    ("hanoi4", "bfs --discs 11 --method frontier", 64),
    ("hanoi4", "verify --discs 16", 150),
    ("hanoi4", "graph --graph star --discs 11", 100),
    ("hanoi4", "tables build --discs 12 --drop 0", 64),
    ("hanoi4", "tables build --discs 16", 110),
    ("tile24", "fsm learn --size 4x4 --depth 13", 16),
    ("cube-opt", "solve --heuristic square-0 RUF", 64),
    ("cube-opt", "tables build corners", 64),
];

/// The greatest resident set so far, in bytes; `None` if the process has ended.
fn peak(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

#[test]
#[ignore = ".ci/run runs it with the released programs"]
fn every_command_stays_within_its_memory_budget() {
    let home = home();
    for (name, line, budget) in COMMANDS {
        let memory = format!("{budget}MiB");
        let mut command = command(home.path(), name, &line.split(' ').collect::<Vec<_>>());
        command.args(["--quiet", "--threads", "2", "--memory", &memory]).stdout(Stdio::null());
        let mut process = command.stderr(Stdio::inherit()).spawn().expect("a program");
        let (begun, mut most) = (Instant::now(), 0);
        let status = loop {
            most = most.max(peak(process.id()).unwrap_or(0));
            if let Some(status) = process.try_wait().expect("a child") {
                break status;
            }
            assert!(begun.elapsed() < LIMIT, "{name} {line} does not end");
            sleep(LOOK);
        };
        assert_eq!(status.code(), Some(0), "{name} {line} --memory {memory}");
        let allowed = (budget << 20) / 10 * 11 + BESIDE;
        println!("{name} {line} --memory {memory}: {} MiB", most >> 20);
        assert!(most > 1 << 20, "{name} {line}: the peak is not seen");
        assert!(most <= allowed, "{name} {line} --memory {memory} took {} MiB", most >> 20);
    }
}
