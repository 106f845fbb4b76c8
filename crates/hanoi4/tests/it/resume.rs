//! Searches that are killed, run out of space, or are given another search's work directory.

use assert_cmd::cargo::cargo_bin;
use search_core::testing::Random;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

fn hanoi4(args: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin("hanoi4"));
    command.args(args).args(["--quiet", "--threads", "2"]);
    command
}

fn counts(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().take_while(|line| !line.starts_with("length")).collect::<Vec<_>>().join("\n")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_killed_search_resumes_to_the_same_counts() {
    killed_and_resumed(&["bfs", "--discs", "11", "--method", "bitmap"], counts);
}

#[test]
fn a_killed_search_by_times_of_corners_resumes_to_the_same_counts() {
    killed_and_resumed(&["bfs", "--discs", "14", "--small", "7", "--checkpoint-every", "20ms"], counts);
}

#[test]
fn a_killed_frontier_search_resumes_to_the_same_counts() {
    killed_and_resumed(&["bfs", "--discs", "9", "--method", "frontier"], counts);
}

#[test]
fn a_killed_proof_by_corners_resumes_to_the_same_counts() {
    // Few small discs, so that it takes some seconds.
    let args = [
        "verify",
        "--discs",
        "16",
        "--database",
        "0",
        "--small",
        "5",
        "--checkpoint-every",
        "20ms",
        "--json",
    ];
    killed_and_resumed(&args, |output| {
        let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let fields = ["proved", "method", "blocks", "live_blocks", "corners_entered"];
        fields.map(|field| record[field].to_string()).join(" ")
    });
}

fn killed_and_resumed(args: &[&str], counts: impl Fn(&Output) -> String) {
    let home = tempfile::tempdir().unwrap();
    let plain = counts(&hanoi4(args).output().unwrap());
    let mut random = Random::new(20061);
    for round in 0..6 {
        let dir = home.path().join(format!("run-{round}"));
        let args = [args, &["--work-dir", dir.to_str().unwrap()]].concat();
        let done = loop {
            let mut child = hanoi4(&args).stdout(std::process::Stdio::piped()).spawn().unwrap();
            std::thread::sleep(Duration::from_millis(20 + random.bits() % 250));
            // SIGKILL.
            child.kill().unwrap();
            let output = child.wait_with_output().unwrap();
            if output.status.success() {
                break output;
            }
        };
        assert_eq!(counts(&done), plain);
        assert!(!dir.exists(), "the work directory is cleaned up");
    }
}

#[test]
fn a_full_disk_stops_the_run_and_it_resumes() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("run");
    let plain = counts(&hanoi4(&["bfs", "--discs", "10", "--max-depth", "48"]).output().unwrap());
    let args = ["bfs", "--discs", "10", "--max-depth", "48", "--work-dir", dir.to_str().unwrap()];
    let full = hanoi4(&args).args(["--disk", "30000"]).output().unwrap();
    assert_eq!(full.status.code(), Some(5), "{}", stderr(&full));
    assert!(stderr(&full).contains("resume with `hanoi4 bfs") && stderr(&full).contains("--disk 1MiB"));
    assert_eq!(counts(&hanoi4(&args).args(["--disk", "1MiB"]).output().unwrap()), plain);
}

#[test]
fn a_frontier_search_on_a_full_disk_resumes_to_the_same_counts() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("run");
    let args = ["bfs", "--discs", "8", "--method", "frontier", "--work-dir", dir.to_str().unwrap()];
    let plain = counts(&hanoi4(&args).output().unwrap());
    let full = hanoi4(&args).args(["--memory", "8MiB", "--disk", "20000"]).output().unwrap();
    assert_eq!(full.status.code(), Some(5), "{}", stderr(&full));
    assert!(stderr(&full).contains("--disk 1MiB"), "{}", stderr(&full));
    assert_eq!(counts(&hanoi4(&args).output().unwrap()), plain);
}

#[test]
fn a_killed_build_leaves_no_table_and_is_repeated() {
    let home = tempfile::tempdir().unwrap();
    let tables = ["--tables", home.path().to_str().unwrap()];
    let args = ["tables", "distribution", "--discs", "15", "--drop", "4"];
    let plain =
        hanoi4(&args).args(["--tables", home.path().join("plain").to_str().unwrap()]).output().unwrap();
    let mut child = hanoi4(&args).args(tables).stdout(std::process::Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(100));
    child.kill().unwrap();
    let killed = !child.wait().unwrap().success();
    let table = home.path().join("hanoi4-middle-15-11.table");
    assert_eq!(table.exists(), !killed, "complete or absent");
    let again = hanoi4(&args).args(tables).output().unwrap();
    assert!(again.status.success() && again.stdout == plain.stdout, "{}", stderr(&again));
}

#[test]
fn budgets_that_are_too_small_are_reported_before_the_search() {
    let small = hanoi4(&["bfs", "--discs", "20", "--memory", "64MiB"]).output().unwrap();
    assert_eq!(small.status.code(), Some(2));
    assert!(stderr(&small).contains("give --memory"), "{}", stderr(&small));
    let layers = ["bfs", "--discs", "18", "--method", "bitmap"];
    let memory = hanoi4(&layers).args(["--memory", "64MiB"]).output().unwrap();
    assert_eq!(memory.status.code(), Some(2));
    assert!(stderr(&memory).contains("--work-dir"), "{}", stderr(&memory));
    for args in [
        &["verify", "--discs", "25", "--memory", "256MiB"][..],
        &["solve", "--discs", "18", "--to", "012301230123012301", "--memory", "64MiB"],
    ] {
        let refused = hanoi4(args).output().unwrap();
        assert_eq!(refused.status.code(), Some(2), "{args:?}: {}", stderr(&refused));
        assert!(stderr(&refused).contains("--memory"), "{}", stderr(&refused));
    }
    let home = tempfile::tempdir().unwrap();
    let mut build = hanoi4(&["tables", "build", "--discs", "20", "--memory", "1GiB"]);
    let table = build.arg("--tables").arg(home.path().join("tables")).output().unwrap();
    assert_eq!(table.status.code(), Some(1));
    assert!(stderr(&table).contains("give --memory"), "{}", stderr(&table));
    let dir = home.path().join("run");
    let disk = hanoi4(&["bfs", "--discs", "18", "--disk", "1MiB", "--work-dir", dir.to_str().unwrap()]);
    let disk = { disk }.output().unwrap();
    assert_eq!(disk.status.code(), Some(2));
    assert!(!dir.exists());
}

/// Leaves a search in `dir` that stopped because the disk budget was exceeded.
fn stopped(dir: &Path) {
    let args =
        ["bfs", "--discs", "10", "--max-depth", "48", "--disk", "30000", "--work-dir", dir.to_str().unwrap()];
    assert_eq!(hanoi4(&args).output().unwrap().status.code(), Some(5));
}

fn resume(dir: &Path, discs: &str) -> Output {
    hanoi4(&["bfs", "--discs", discs, "--max-depth", "48", "--work-dir", dir.to_str().unwrap()])
        .output()
        .unwrap()
}

#[test]
fn foreign_and_damaged_work_directories_are_refused_and_kept() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("letter"), "dear").unwrap();
    let foreign =
        hanoi4(&["bfs", "--discs", "9", "--work-dir", home.path().to_str().unwrap()]).output().unwrap();
    assert_eq!(foreign.status.code(), Some(2), "{}", stderr(&foreign));
    assert_eq!(fs::read_to_string(home.path().join("letter")).unwrap(), "dear");

    let dir = home.path().join("run");
    stopped(&dir);
    for more in [&[][..], &["--fresh"], &["--method", "frontier", "--fresh"]] {
        let args = [&["bfs", "--discs", "11", "--work-dir", dir.to_str().unwrap()], more].concat();
        let other = hanoi4(&args).output().unwrap();
        assert!(!other.status.success() && stderr(&other).contains("another run"), "{}", stderr(&other));
    }
    let names: Vec<_> = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    for path in names.iter().filter(|path| !path.ends_with("work.lock")) {
        let good = fs::read(path).unwrap();
        let mut bad = good.clone();
        bad[good.len() / 2] ^= 1;
        for bytes in [&bad[..], &good[..good.len() / 3]] {
            fs::write(path, bytes).unwrap();
            let refused = resume(&dir, "10");
            assert!(!refused.status.success(), "{} was damaged", path.display());
            assert!(stderr(&refused).contains("damaged"), "{}", stderr(&refused));
            assert!(path.exists());
            fs::write(path, &good).unwrap();
        }
    }
    assert!(resume(&dir, "10").status.success(), "nothing was lost");
}

#[test]
fn a_stopped_search_starts_over_when_asked() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("run");
    let searched = |more: &[&str]| {
        stopped(&dir);
        let args = ["bfs", "--discs", "10", "--max-depth", "48", "--work-dir", dir.to_str().unwrap()];
        let output = hanoi4(&args).args(more).output().unwrap();
        assert!(output.status.success() && !dir.exists(), "{}", stderr(&output));
        output
    };
    assert_eq!(counts(&searched(&[])), counts(&searched(&["--fresh"])));
}

/// The work directory of a search is removed once its answer is printed, and not by a search with a smaller depth
/// limit.
#[cfg(target_os = "linux")]
#[test]
fn the_work_directory_is_kept_until_the_answer_is_printed() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("run");
    for method in ["corners", "bitmap", "frontier"] {
        let args = ["bfs", "--discs", "8", "--method", method, "--work-dir", dir.to_str().unwrap()];
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let lost = hanoi4(&args).stdout(full).output().unwrap();
        assert_eq!(lost.status.code(), Some(1), "{}", stderr(&lost));
        assert!(dir.exists(), "{method}");
        fs::remove_dir_all(&dir).unwrap();
    }
    stopped(&dir);
    let args = ["bfs", "--discs", "10", "--max-depth", "1", "--work-dir", dir.to_str().unwrap()];
    let refused = hanoi4(&args).output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("beyond --max-depth"), "{}", stderr(&refused));
    assert!(resume(&dir, "10").status.success(), "nothing was lost");
}

/// A work directory is that of one search: its method, number of discs, small discs, threshold and database.
#[test]
fn a_proof_by_corners_resumes_only_its_own_checkpoint() {
    let home = tempfile::tempdir().unwrap();
    let (dir, tables) = (home.path().join("run"), home.path().join("tables"));
    let verify = |args: &[&str]| {
        let mut command = hanoi4(&["verify", "--work-dir", dir.to_str().unwrap()]);
        command.args(args).args(["--checkpoint-every", "0s", "--tables"]).arg(&tables).output().unwrap()
    };
    let args = ["--discs", "15", "--method", "corners", "--small", "6"];
    let full = verify(&[&args[..], &["--disk", "40000"]].concat());
    assert_eq!(full.status.code(), Some(5), "{}", stderr(&full));
    assert!(stderr(&full).contains("resume with `hanoi4 verify"), "{}", stderr(&full));
    for other in [
        &["--discs", "15", "--method", "bitmap"][..],
        &["--discs", "14", "--method", "corners", "--small", "6"],
        &["--discs", "15", "--method", "corners", "--small", "7"],
        &["--discs", "15", "--method", "corners", "--small", "6", "--threshold", "below"],
        &["--discs", "15", "--method", "corners", "--small", "6", "--database", "9"],
    ] {
        let refused = verify(&[other, &["--fresh"]].concat());
        assert_eq!(refused.status.code(), Some(2), "{other:?}: {}", stderr(&refused));
        assert!(stderr(&refused).contains("another run: hanoi4 verify, 15 discs"), "{}", stderr(&refused));
    }
    let times = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path());
    let times = times.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with("times-"));
    let [times] = &times.collect::<Vec<_>>()[..] else { panic!("one file of times") };
    let good = fs::read(times).unwrap();
    fs::write(times, &good[1..]).unwrap();
    let damaged = verify(&args);
    assert_eq!(damaged.status.code(), Some(1), "{}", stderr(&damaged));
    assert!(
        stderr(&damaged).contains("damaged") && stderr(&damaged).contains("to start over"),
        "{}",
        stderr(&damaged)
    );
    fs::write(times, &good).unwrap();
    // Without a method, it is that of the checkpoint.
    let done = verify(&["--discs", "15", "--small", "6"]);
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(
        text.starts_with("15 discs: 129 proved") && text.contains("by corners"),
        "{text}{}",
        stderr(&done)
    );
    assert!(!dir.exists(), "the work directory is cleaned up");
}
