//! The command line: its messages and exit codes.

use assert_cmd::Command;

fn xtask() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin!("xtask"))
}

fn output(command: &mut Command, code: i32) -> (String, String) {
    let output = command.output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}{err}");
    (out, err)
}

#[test]
fn the_plan_lists_every_table_and_builds_none() {
    let dir = tempfile::tempdir().expect("a directory");
    let plan =
        |set| output(xtask().args(["gen-tables", "--dry-run", "--set", set, "--tables"]).arg(dir.path()), 0);
    let (out, err) = plan("default");
    for part in ["cube-square4-htm", "448.5 MiB", "tiles-5x5-fsm-14", "for cube-opt solve", "to build"] {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert!(err.contains("to build in about"), "{err}");
    let count = |text: &str| text.lines().count();
    assert!(count(&plan("paper").0) > count(&out));
    assert!(plan("all").0.contains("cube-coset-qtm"));
    assert_eq!(std::fs::read_dir(dir.path()).expect("a directory").count(), 0);
}

#[test]
fn damaged_tables_are_found() {
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("cube-square4-htm.table"), "not a table").expect("a file");
    let (out, _) = output(xtask().args(["gen-tables", "--memory", "100KiB", "--tables"]).arg(dir.path()), 6);
    assert!(out.contains("foreign") && out.contains("cube-opt tables remove cube-square4-htm"), "{out}");
}

#[test]
fn the_list_has_jobs_and_costs() {
    let (out, _) = output(xtask().args(["repro-paper", "--list", "--paper", "hanoi"]), 0);
    assert!(out.contains("hanoi/verify-30") && out.contains("full") && !out.contains("cube/"), "{out}");
    // Many tables of one kind are counted, and named in the JSON.
    let (out, _) = output(xtask().args(["repro-paper", "--list", "--paper", "tiles"]), 0);
    assert!(out.contains("tables tiles-5x5-pdb6-* (") && out.contains("), tiles-5x5-fsm-14"), "{out}");
    assert!(!out.contains("tiles-5x5-pdb6-7e"), "{out}");
    let (json, _) = output(xtask().args(["repro-paper", "--list", "--paper", "tiles", "--json"]), 0);
    assert!(
        json.contains("\"tiles-5x5-pdb6-7e\"") && json.lines().count() * 2 == out.lines().count(),
        "{json}"
    );
}

#[test]
fn the_published_report_has_not_drifted() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/repro");
    output(xtask().args(["repro-paper", "--check", dir]), 0);
}

#[test]
fn damaged_records_are_refused_by_file_and_line() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("hanoi.jsonl");
    std::fs::write(&file, "{\"job\": \"hanoi/complete-18\"}\n").expect("a file");
    let report = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/repro");
    let (_, err) = output(xtask().args(["repro-paper", "--check", report, "--recorded"]).arg(dir.path()), 1);
    assert!(err.contains(&format!("{}:1: missing field", file.display())), "{err}");
    assert!(err.contains("--job NAME --record"), "{err}");
}

#[test]
fn unknown_jobs_and_records_of_quick_jobs_are_refused() {
    let fails = |args: &[&str]| output(xtask().arg("repro-paper").args(args), 2).1;
    assert!(fails(&["--job", "hanoi/complete"]).contains("there is no job hanoi/complete"));
    assert!(fails(&["--job", "hanoi/presumed", "--record"]).contains("in the quick tier"));
    assert!(fails(&["--recompute"]).contains("--check"));
}

#[test]
#[ignore = "kills a real run of the quick tier of one paper and resumes it; a minute in release"]
fn a_killed_process_resumes() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["repro-paper", "--paper", "hanoi", "--quiet", "--out"])
        .arg(dir.path())
        .env("OPTIMAL_PUZZLES_TABLES", dir.path().join("tables"))
        .spawn()
        .expect("it starts");
    while !dir.path().join("cells/hanoi-presumed.json").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    child.kill().expect("it is killed");
    child.wait().expect("it is gone");
    let kept = std::fs::read(dir.path().join("cells/hanoi-presumed.json")).expect("a kept job");
    let resume = |code| {
        let mut command = xtask();
        command.args(["repro-paper", "--resume", "--out"]).arg(dir.path());
        output(command.env("OPTIMAL_PUZZLES_TABLES", dir.path().join("tables")), code)
    };
    let (out, _) = resume(0);
    assert!(out.starts_with("hanoi: "), "{out}");
    assert_eq!(std::fs::read(dir.path().join("cells/hanoi-presumed.json")).expect("still kept"), kept);
    let report = std::fs::read(dir.path().join("report.json")).expect("a report");
    resume(0);
    assert_eq!(std::fs::read(dir.path().join("report.json")).expect("a report"), report);
}
