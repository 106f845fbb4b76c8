//! Commands that resume, in directories with special names. On Linux alone: macOS has no names that are not text.

use super::program::{self, ended, home, interrupt};
use super::regressions::{started, wait_for, words};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A search of some seconds.
const LONG_BOARD: &str = "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15";

/// A name with every character that a shell interprets, and a byte that is not text.
fn hostile(name: &str) -> OsString {
    let bytes = [b"it's \"$(touch pwned)\" `touch pwned`; touch pwned \xff ".as_slice(), name.as_bytes()];
    OsStr::from_bytes(&bytes.concat()).to_owned()
}

/// Runs the command of a remedy like a user who copies it from the terminal.
fn follow(home: &Path, told: &str) -> Output {
    let command = told.lines().find_map(|line| line.split_once("resume with")).expect("a command").1;
    let command = command.trim_start_matches([':', ' ', '`']).trim_end().trim_end_matches('`');
    let path = [program::folder().into_os_string(), std::env::var_os("PATH").unwrap_or_default()];
    let mut shell = Command::new("bash");
    shell.args(["-c", command]).current_dir(home).env("PATH", path.join(OsStr::new(":")));
    shell.env("OPTIMAL_PUZZLES_TABLES", home.join("tables")).env("XDG_STATE_HOME", home).stdin(Stdio::null());
    shell.stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = ended(shell.spawn().expect("a shell"), &command);
    assert_eq!(output.status.code(), Some(0), "{command}: {output:?}");
    assert!(!home.join("pwned").exists(), "{command} runs another command");
    output
}

/// A command that resumes names the same directory, whatever its name is.
#[test]
#[ignore = ".ci/run runs it with the released programs"]
fn resume_commands_survive_any_name() {
    let home = home();
    let work = hostile("work");
    let bfs = "bfs --discs 16 --method bitmap --quiet --work-dir";
    let mut child = started(home.path(), "hanoi4", &[words(bfs), vec![work.clone()]].concat());
    wait_for(&mut child, || home.path().join(&work).join("checkpoint").exists());
    interrupt(&child);
    let output = ended(child, &bfs);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(5), "{told}");
    follow(home.path(), &told);
    assert!(!home.path().join(&work).exists(), "the run that was resumed is over");

    let tables = hostile("tables");
    let solve = "solve --heuristic lc --checkpoint-every 0s --quiet --tables";
    let args = [words(solve), vec![tables.clone(), LONG_BOARD.into()]].concat();
    let mut child = started(home.path(), "tile24", &args);
    let has_checkpoint = || {
        let mut names = fs::read_dir(home.path().join("optimal-puzzles")).into_iter().flatten().flatten();
        names.any(|entry| entry.path().extension().is_some_and(|extension| extension == "checkpoint"))
    };
    wait_for(&mut child, has_checkpoint);
    interrupt(&child);
    let output = ended(child, &solve);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(5), "{told}");
    assert!(follow(home.path(), &told).stdout.starts_with(b"45 "));
    assert!(!has_checkpoint(), "the search that was resumed is over");
}
