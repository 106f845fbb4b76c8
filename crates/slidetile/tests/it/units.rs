//! `tile24 units`: a search that many processes share gives the answer and the counts of one process.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Runs the program with tables in `home`, and the units in its directory `w`.
fn tile24(home: &Path, args: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("tile24")
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

/// Solves by units, and compares with `solve`.
fn check(method: &[&str], board: &str, units: usize) {
    let home = tempfile::tempdir().expect("a directory");
    let run = |args: &[&str]| tile24(home.path(), args);
    let expected = record(&run(&[&["solve", "--json", board][..], method].concat()).1);
    let count = units.to_string();
    let split = ["units", "split", "--locally", "0", "--units", &count, "--json", "w", board];
    let (mut code, out, err) = run(&[&split[..], method].concat());
    let mut last = record(&out);
    while code != 0 {
        assert_eq!((code, &last["result"]["kind"]), (4, &"lower_bound".into()), "{err}");
        // In another order, some of them twice.
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
    assert_eq!(last["tables"], expected["tables"]);
}

#[test]
fn units_give_the_answer_and_the_counts_of_one_process() {
    check(&["--heuristic", "lc", "--fsm", "inverse", "--size", "3x4"], "6 4 3 2 7 8 10 9 0 11 1 5", 7);
    check(&["--heuristic", "pdb", "--size", "3x4"], "6 4 3 2 7 8 10 9 0 11 1 5", 3);
}

#[test]
fn what_is_missing_or_damaged_is_searched_again() {
    let home = tempfile::tempdir().expect("a directory");
    let run = |args: &[&str]| tile24(home.path(), args);
    let board = "6 4 3 2 7 8 10 9 0 11 1 5";
    let method = ["--size", "3x4", "--heuristic", "lc", "--fsm", "inverse"];
    let split = [&["units", "split", "--locally", "0", "--units", "3", "w", board][..], &method].concat();
    let (code, out, err) = run(&split);
    // The first bounds are too small for three units, and searched at once.
    let bound = 36;
    assert_eq!((code, out), (4, format!(">= {bound}\n")), "{err}");
    assert!(err.contains("bound 36 is cut into units 0 to 2"), "{err}");
    let unsolved = format!(">= {bound}\n");
    assert_eq!(run(&["units", "run", "w", "--unit", "1"]).0, 0);
    let (code, out, err) = run(&["units", "merge", "w"]);
    assert_eq!((code, out.as_str()), (4, &unsolved[..]));
    assert!(err.contains("no outcome yet for units 0,2"), "{err}");
    let outcome = home.path().join(format!("w/bound-{bound}-unit-1.outcome"));
    let mut bytes = fs::read(&outcome).expect("an outcome");
    let last = bytes.len() - 9;
    bytes[last] ^= 1;
    fs::write(&outcome, bytes).expect("written");
    assert!(run(&["units", "merge", "w"]).2.contains("no outcome yet for units 0,1,2"));
    // Without a number: all that are missing.
    let (code, out, err) = run(&["units", "run", "w"]);
    assert_eq!((code, out.lines().count()), (0, 3), "{err}");
    assert_eq!(run(&["units", "merge", "w"]).1, format!(">= {}\n", bound + 2));
}

#[test]
fn a_board_that_is_solved_at_once_needs_no_units() {
    let home = tempfile::tempdir().expect("a directory");
    let (code, out, err) = tile24(home.path(), &["units", "split", "w", "1 2 0 3 4 5 6 7 8"]);
    assert_eq!((code, out.as_str()), (0, "2 LL\n"), "{err}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let home = tempfile::tempdir().expect("a directory");
    let run = |args: &[&str]| tile24(home.path(), args);
    fs::create_dir(home.path().join("empty")).expect("created");
    let board = "6 4 3 2 7 8 10 9 0 11 1 5";
    let split = ["units", "split", "--locally", "0", "--size", "3x4", "--heuristic", "lc", "w", board];
    assert_eq!(run(&split).0, 4);
    for (args, code, message) in [
        (&["run", "empty"][..], 2, "holds no units"),
        (&["merge", "none"], 1, "none"),
        (&["run", "w", "--unit", "99"], 2, "there is no unit 99"),
        (&["split", "x", "1 0 2 3 4 5 6 7 8 8"], 3, "tile"),
        (&["split", "--units", "0", "x", board], 2, "--units"),
        (&["split", "w", board], 2, "already holds units"),
    ] {
        let (found, _, err) = run(&[&["units"][..], args].concat());
        assert!(found == code && err.contains(message), "{args:?}: {found} {err}");
    }
    let plan = fs::read_dir(home.path().join("w")).expect("a plan").next().expect("one").expect("a file");
    let text = fs::read_to_string(plan.path()).expect("text");
    fs::write(plan.path(), text.replace("lc", "cl")).expect("written");
    let (code, _, err) = run(&["units", "merge", "w"]);
    assert!(code == 1 && err.contains("damaged"), "{err}");
}
