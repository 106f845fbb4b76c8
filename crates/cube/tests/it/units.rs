//! `cube-opt units`: a search that many processes share gives the answer and the counts of one process.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Runs the program with tables in `home`, and the units in its directory `w`.
fn cube_opt(home: &Path, args: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("cube-opt")
        .expect("the program")
        .current_dir(home)
        .env("OPTIMAL_PUZZLES_TABLES", home.join("tables"))
        .args(args)
        .output()
        .expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    (output.status.code().expect("a code"), text(&output.stdout), text(&output.stderr))
}

fn record(out: &str) -> Value {
    serde_json::from_str(out).expect("a record")
}

/// The complete iterations, without their seconds.
fn iterations(record: &Value) -> Vec<Value> {
    let all = record["iterations"].as_array().expect("iterations").iter();
    let complete = all.filter(|iteration| iteration["complete"] == true).cloned();
    complete.map(|mut iteration| (iteration["seconds"] = 0.into(), iteration).1).collect()
}

/// Solves by units, the last first and some of them twice, and compares with `solve`.
fn check(method: &[&str], cube: &str, units: usize) {
    let home = tempfile::tempdir().expect("a directory");
    let run = |args: &[&str]| cube_opt(home.path(), args);
    let expected = record(&run(&[&["solve", "--json", cube][..], method].concat()).1);
    let count = units.to_string();
    let split = ["units", "split", "--locally", "0", "--units", &count, "--json", "w", cube];
    let (mut code, out, err) = run(&[&split[..], method].concat());
    let mut last = record(&out);
    while code != 0 {
        assert_eq!((code, &last["result"]["kind"]), (4, &"lower_bound".into()), "{err}");
        for unit in (0..units).rev().chain([0]) {
            let (code, _, err) = run(&["units", "run", "w", "--unit", &unit.to_string(), "--threads", "1"]);
            // A small bound has fewer units.
            assert!(code == 0 || code == 2 && err.contains("there is no unit"), "{err}");
        }
        let (next, out, err) = run(&["units", "merge", "w", "--json"]);
        let record = record(&out);
        assert!(
            next == 0 || record["result"]["length"].as_u64() > last["result"]["length"].as_u64(),
            "{err}"
        );
        (code, last) = (next, record);
    }
    assert_eq!(last["result"], expected["result"]);
    assert_eq!(iterations(&last), iterations(&expected));
    assert_eq!((&last["tables"], &last["metric"]), (&expected["tables"], &expected["metric"]));
}

#[test]
fn units_give_the_answer_and_the_counts_of_one_process() {
    check(&["--heuristic", "square-1"], "U R2 F B R B2 R U2 L B2 R U D", 16);
    check(&["--heuristic", "corners", "--metric", "qtm"], "U R' F B' L D R' U", 5);
    check(&["--metric", "stm"], "x U R' M B' L E2 R'", 2);
    // A symmetric cube, in one unit.
    check(&["--heuristic", "square-1"], "U R2 F2 U2 F2 R2 U", 1);
    // One that is its own inverse, in many units.
    check(&["--heuristic", "square-1"], "R F' U2 L B' D F2 D' B L' U2 F R'", 16);
}

#[test]
fn what_is_missing_or_does_not_fit_is_refused() {
    let home = tempfile::tempdir().expect("a directory");
    let run = |args: &[&str]| cube_opt(home.path(), args);
    let cube = "U R2 F B R B2 R U2 L B2 R U D";
    let split = ["units", "split", "--locally", "0", "--units", "16", "--heuristic", "square-1", "w", cube];
    assert_eq!(run(&split).0, 4);
    assert_eq!(run(&split).0, 2, "there are units already");
    assert_eq!(run(&["units", "split", "x", "R X"]).0, 3);
    let mut files = fs::read_dir(home.path().join("w")).expect("the directory").flatten();
    let plan =
        files.find(|file| file.file_name().to_string_lossy().ends_with(".plan")).expect("a plan").path();
    let text = fs::read_to_string(&plan).expect("text");
    fs::write(&plan, text.replace("subtrees", "subtree")).expect("written");
    let (code, _, err) = run(&["units", "run", "w", "--unit", "0"]);
    assert!(code == 1 && err.contains("damaged"), "{err}");
    fs::write(&plan, text).expect("written");
    assert_eq!(run(&["units", "run", "w", "--unit", "0"]).0, 0);
    let (code, _, err) = run(&["units", "merge", "w"]);
    assert!(code == 4 && err.contains("units 1,2"), "{err}");
}
