//! The work of programs after an interruption, in processor time: that of other processes on the machine
//! does not count.

use super::program::{command, home, interrupt};
use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A tenth of a second on each of two threads, as much again to end, and all of it doubled for slow machines; in
/// hundredths of a second.
const MOST: u64 = 80;
/// Work of some seconds.
const WORK: [(&str, &str); 8] = [
    ("cube-opt", "tables build corners"),
    ("cube-opt", "perft 7 --memory 2GiB"),
    ("tile24", "tables build --size 5x5"),
    ("tile24", "fsm learn --size 5x5 --depth 16"),
    ("tile24", "heuristic --sample 1000000000 --size 4x4"),
    ("hanoi4", "tables build --discs 12 --drop 0"),
    ("hanoi4", "tables build --discs 19"),
    ("hanoi4", "bfs --discs 18"),
];

/// The processor time of a process so far, in hundredths of a second; `None` if it has ended.
fn used(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = status.rsplit(')').next()?.split_whitespace().collect();
    (fields.first() != Some(&"Z")).then_some(())?;
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
}

#[test]
#[ignore = ".ci/run runs it with the released programs"]
fn work_stops_soon_after_an_interruption() {
    let home = home();
    for (number, (name, line)) in WORK.iter().enumerate() {
        for pause in [200, 400] {
            let mut command = command(home.path(), name, &line.split(' ').collect::<Vec<_>>());
            command.args(["--quiet", "--threads", "2", "--tables", &format!("{number}-{pause}")]);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a program");
            sleep(Duration::from_millis(pause));
            let before = used(child.id()).unwrap_or_else(|| panic!("{name} {line} ends too soon"));
            interrupt(&child);
            let (begun, mut after) = (Instant::now(), before);
            while let Some(now) = used(child.id()) {
                after = now;
                assert!(begun.elapsed() < Duration::from_secs(60), "{name} {line} does not stop");
                sleep(Duration::from_millis(1));
            }
            assert_eq!(child.wait().expect("a child").code(), Some(5), "{name} {line}");
            println!("{name} {line}: {:?}, {} ms of work", begun.elapsed(), 10 * (after - before));
            assert!(after - before <= MOST, "{name} {line}: {} ms of work", 10 * (after - before));
        }
    }
}
