//! The memory that reading hostile definitions of the greatest size takes.

#![cfg(target_os = "linux")]

use assert_cmd::cargo::cargo_bin;
use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// The maximum size of a definition.
const MOST_BYTES: usize = 10 << 20;
/// The greatest resident set that is allowed, in KiB.
const MOST: u64 = 100 << 10;

/// The greatest resident set of a process so far, in KiB; `None` if it has ended.
fn peak(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix(" kB")?.parse().ok()
}

#[test]
fn hostile_definitions_of_the_greatest_size_take_little_memory() {
    let home = tempfile::tempdir().expect("a directory");
    let begun = "Name a\nSet P 200 1\nSolved\nEnd\n";
    let filled =
        |before: &str, unit: &str| before.to_owned() + &unit.repeat((MOST_BYTES - before.len()) / unit.len());
    let texts = [
        filled("", "x\n"),
        filled("Name a\n", "\n"),
        filled(begun, "a\n"),
        filled(begun, "Illegal P 1 1 2 3 4 5 6 7 8 9\n"),
        filled(begun, "ParallelMoves\nEnd\n"),
        filled(begun, "MoveAlias a b\n"),
        filled(&format!("{begun}MoveSequence a"), " b"),
        filled(&format!("{begun}Move a\n"), "x\n"),
        filled(&format!("{begun}Move a\nP\n"), "1 "),
        filled("a := ", "(1)"),
        filled("a := ", "()"),
        filled("a := (1", ",1"),
        filled("[()", ",()"),
        filled("", "a:=();"),
        filled("", "a:=;"),
        filled("", ";"),
    ];
    let (count, mut seen) = (texts.len(), 0);
    for text in texts {
        let file = home.path().join("definition.tws");
        fs::write(&file, &text).expect("written");
        let mut process = Command::new(cargo_bin("puzzle-opt"))
            .args(["convert", "--to", "gap", "--quiet"])
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut most = 0;
        let status = loop {
            most = most.max(peak(process.id()).unwrap_or(0));
            if let Some(status) = process.try_wait().expect("a child") {
                break status;
            }
            sleep(Duration::from_millis(1));
        };
        let start: String = text.chars().take(60).collect();
        assert_eq!(status.code(), Some(3), "{start:?}");
        assert!(most <= MOST, "{start:?} took {most} KiB");
        seen += usize::from(most > 0);
    }
    assert!(2 * seen > count, "only {seen} of {count} processes were seen");
}
