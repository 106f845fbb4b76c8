//! Counts in a work directory that are killed, run out of space, or do not fit.

use assert_cmd::cargo::cargo_bin;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn count(args: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin("puzzle-opt"));
    command.arg("count").args(args).args(["--quiet", "--threads", "2"]);
    command
}

/// The lines with depths and numbers of positions.
fn layers(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    text.lines().filter(|line| !line.starts_with("deepest")).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_killed_count_resumes_to_the_same_counts() {
    let home = tempfile::tempdir().expect("a directory");
    let plain = layers(&count(&["pyraminx-without-tips"]).output().expect("it runs"));
    for round in 0..3 {
        let dir = home.path().join(format!("run-{round}"));
        let args = ["pyraminx-without-tips", "--work-dir", dir.to_str().expect("text")];
        let mut wait = 20 + 40 * round;
        let done = loop {
            let mut child = count(&args).stdout(Stdio::piped()).spawn().expect("it starts");
            std::thread::sleep(Duration::from_millis(wait));
            // SIGKILL.
            child.kill().expect("it can be killed");
            let output = child.wait_with_output().expect("it ends");
            if output.status.success() {
                break output;
            }
            wait += wait / 2;
        };
        assert_eq!(layers(&done), plain);
        assert!(!dir.exists(), "the work directory is removed");
    }
}

#[test]
fn a_count_on_a_full_disk_resumes_to_the_same_counts() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path().join("run");
    let args = ["pyraminx-without-tips", "--work-dir", dir.to_str().expect("text")];
    let plain = layers(&count(&args[..1]).output().expect("it runs"));
    let full = count(&args).args(["--disk", "40000"]).output().expect("it runs");
    assert_eq!(full.status.code(), Some(5), "{}", String::from_utf8_lossy(&full.stderr));
    assert!(String::from_utf8_lossy(&full.stderr).contains("to resume"));
    let few = layers(&count(&args).args(["--max-depth", "4"]).output().expect("it runs"));
    assert_eq!(few.lines().take(5).collect::<Vec<_>>(), plain.lines().take(5).collect::<Vec<_>>());
}

#[test]
fn a_position_that_is_too_wide_for_layers_on_disk_is_refused() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path().join("run");
    let refused = count(&["3x3x3", "--work-dir", dir.to_str().expect("text")]).output().expect("it runs");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("omit --work-dir"));
}
