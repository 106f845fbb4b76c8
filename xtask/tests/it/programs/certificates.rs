//! Certificates that the solvers write, checked by the referee: as they are, and changed.

use super::program::{home, run};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The reports of `referee check` on lines, and its exit code.
fn check(home: &Path, lines: &[String], effort: &str) -> (Vec<Value>, Option<i32>) {
    fs::write(home.join("checked.jsonl"), lines.join("\n")).expect("a file");
    let output = run(home, "referee", &["check", "--json", "--effort", effort, "checked.jsonl"]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    (text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect(), output.status.code())
}

/// The certificates in a file, one per line.
fn lines(home: &Path) -> Vec<String> {
    let text = fs::read_to_string(home.join("written.jsonl")).expect("certificates");
    assert!(text.ends_with('\n'));
    text.lines().map(str::to_owned).collect()
}

/// The commands of the solvers, with the exit code and the number of certificates that they write.
const ASKED: &[(&str, &[&str], i32, usize)] = &[
    (
        "cube-opt",
        &["solve", "--heuristic", "manhattan-max", "R U R' U'", "x R2 M U", "Q", "(R U) // two"],
        3,
        3,
    ),
    (
        "cube-opt",
        &["solve", "--heuristic", "manhattan-max", "--metric", "qtm", "--all", "--extra", "2", "R2 U"],
        0,
        1,
    ),
    ("cube-opt", &["solve", "--heuristic", "manhattan-max", "--all", "--unique", "R2 L2 U2"], 0, 1),
    ("cube-opt", &["solve", "--heuristic", "manhattan-max", "--full-last-iteration", "R U F2 D"], 0, 1),
    ("cube-opt", &["solve", "--heuristic", "manhattan-max", "--max-depth", "4", "R2 F B U2 L D"], 4, 1),
    ("cube-opt", &["solve", "--heuristic", "manhattan-max", "--quick", "R U R' U' F2 D"], 0, 1),
    ("cube-opt", &["solve", "--algorithm", "shamir", "--goal", "R U2", "R2 F B U2 L D"], 0, 1),
    ("cube-opt", &["solve", "--only", "DF,DR", "--goal", "F", "y R U F2 L"], 0, 1),
    ("cube-opt", &["solve", "--ignore", "U", "--ignore-orientation", "DF,DFR", "R U F2 L"], 0, 1),
    (
        "tile24",
        &["solve", "--heuristic", "korf96", "1 2 0 3 4 5 6 7 8", "8 7 6 5 4 3 2 1 0", "0 2 1 3"],
        3,
        2,
    ),
    (
        "tile24",
        &["solve", "--size", "3x2", "--goal", "blank-last", "--notation", "tile", "1 2 0 3 5 4"],
        0,
        1,
    ),
    (
        "tile24",
        &["solve", "--heuristic", "md", "--fsm", "off", "--notation", "positions", "4 1 2 0 5 3 6 7 8"],
        0,
        1,
    ),
    ("tile24", &["solve", "--heuristic", "md", "--max-depth", "20", "8 7 6 5 4 3 2 1 0"], 4, 1),
    ("tile24", &["solve", "--heuristic", "md", "--within", "8", "8 7 6 5 4 3 2 1 0"], 0, 1),
    ("puzzle-opt", &["solve", "2x2x2", "R U F2", "x R U2 F' R", "Q"], 3, 2),
    ("puzzle-opt", &["solve", "pyraminx", "--all", "R U' b"], 0, 1),
    ("puzzle-opt", &["solve", "square-1", "/ (3,0) /"], 0, 1),
    ("puzzle-opt", &["solve", "lights-out-3x3", "--max-depth", "2", "a1 b2 c3"], 4, 1),
    ("puzzle-opt", &["solve", "pancake-12", "--quick", "f2 f5 f7 f3 f9 f11"], 0, 1),
    ("hanoi4", &["solve", "--discs", "3"], 0, 1),
    ("hanoi4", &["solve", "--discs", "10"], 0, 1),
    ("hanoi4", &["solve", "--discs", "9", "--from", "012301230", "--to", "332211001"], 0, 1),
    ("hanoi4", &["solve", "--discs", "9", "--max-depth", "20"], 4, 1),
    ("hanoi4", &["solve", "--discs", "9", "--quick"], 0, 1),
    ("hanoi4", &["solve", "--discs", "12", "--pegs", "3"], 0, 1),
    ("hanoi4", &["verify", "--discs", "11"], 0, 1),
];

/// The certificates that all these commands write.
fn written(home: &Path) -> Vec<String> {
    let mut count = 0;
    for (program, args, code, more) in ASKED {
        let output = run(home, program, &[args, &["--certificate", "written.jsonl"][..]].concat());
        assert_eq!(output.status.code(), Some(*code), "{program} {args:?}: {output:?}");
        count += more;
        assert_eq!(lines(home).len(), count, "{program} {args:?}");
    }
    lines(home)
}

/// The programs whose certificates have a solution that is not proved shortest.
fn unproved(written: &[String]) -> BTreeSet<String> {
    let values = written.iter().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let bounded = values.filter(|value| value["best"].is_object());
    bounded
        .map(|value| value["program"].as_str().and_then(|text| text.split(' ').next()).unwrap_or("").into())
        .collect()
}

/// A solution without its last move.
fn cut(puzzle: &Value, moves: &Value) -> Value {
    let moves = moves.as_str().expect("text");
    let is_by_letters = puzzle["notation"] == "blank";
    let is_last = |c: char| !c.is_whitespace() && !is_by_letters;
    let cut = moves.trim_end_matches(is_last);
    if is_by_letters { &moves[..moves.len() - 1] } else { cut }.into()
}

#[test]
#[ignore = ".ci/run runs it with the released programs"]
fn certificates_of_the_solvers_are_proved_by_the_referee() {
    let home = home();
    let written = written(home.path());
    assert_eq!(
        unproved(&written).into_iter().collect::<Vec<_>>(),
        ["cube-opt", "hanoi4", "puzzle-opt", "tile24"]
    );
    let (reports, code) = check(home.path(), &written, "5000000");
    for (line, report) in written.iter().zip(&reports) {
        assert!(report["stands"] == true && report["proved"] == true, "{line}\n{report}");
    }
    assert_eq!((reports.len(), code), (written.len(), Some(0)));
    // With less effort, less is proved and nothing is refuted.
    let (reports, code) = check(home.path(), &written, "3");
    let proved = reports.iter().filter(|report| report["proved"] == true).count();
    assert!(code == Some(0) && proved < reports.len(), "{proved} of {}", reports.len());
}

#[test]
#[ignore = ".ci/run runs it with the released programs"]
fn changed_certificates_are_refuted() {
    let home = home();
    let mut changed = Vec::new();
    for line in written(home.path()) {
        let value: Value = serde_json::from_str(&line).expect("JSON");
        let mut change = |change: &dyn Fn(&mut Value)| {
            let mut other = value.clone();
            change(&mut other);
            assert_ne!(other, value);
            changed.push(other.to_string());
        };
        let length = value["result"]["length"].as_u64().expect("a length");
        // A lower bound that is too great is refuted by a solution, if one can be found.
        change(&|v| v["result"]["length"] = 2_000.into());
        change(&|v| match &mut v["puzzle"]["start"] {
            Value::String(text) => *text = text.replace(['0', 'R'], "1"),
            colours => colours[0] = 255.into(),
        });
        change(&|v| v["metric"] = if v["metric"] == "moves" { "htm" } else { "moves" }.into());
        if value["result"]["kind"] == "optimal" {
            change(&|v| v["result"]["length"] = (length + 1).into());
            change(&|v| v["result"]["length"] = (length - 1).into());
            change(&|v| {
                v["result"]["solutions"][0] = cut(&v["puzzle"], &v["result"]["solutions"][0]);
            });
        }
        if let Some(best) = value["best"]["length"].as_u64() {
            change(&|v| v["result"]["length"] = (best + 1).into());
            change(&|v| v["best"]["length"] = (best + 1).into());
            change(&|v| v["best"]["length"] = (best - 1).into());
            change(&|v| v["best"]["solution"] = cut(&v["puzzle"], &v["best"]["solution"]));
        }
        if value["exhausted"].as_array().is_some_and(|bounds| !bounds.is_empty()) {
            change(&|v| {
                let bound = v["exhausted"][0].clone();
                v["exhausted"].as_array_mut().expect("bounds").push(bound);
            });
        }
    }
    let (reports, code) = check(home.path(), &changed, "5000000");
    assert!(changed.len() > 100 && reports.len() == changed.len() && code == Some(4));
    for (line, report) in changed.iter().zip(&reports) {
        assert!(report["stands"] == false, "{line}\n{report}");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_refused_before_the_search() {
    let home = home();
    fs::write(home.path().join("thesis.txt"), "chapter one\n").expect("a file");
    let hard: [(&str, &[&str]); 4] = [
        ("cube-opt", &["solve", "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"]),
        ("tile24", &["solve", "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"]),
        ("hanoi4", &["solve", "--discs", "16"]),
        ("hanoi4", &["verify", "--discs", "16"]),
    ];
    for (program, args) in hard {
        for file in ["thesis.txt", "no/such/folder", "."] {
            let output = run(home.path(), program, &[args, &["--certificate", file][..]].concat());
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.code() == Some(1) && output.stdout.is_empty(), "{output:?}");
            assert!(told.contains(&format!("certificate {file}: ")) && told.contains("remedy: "), "{told}");
        }
    }
    assert!(!home.path().join("tables").exists(), "no table is built");
    assert_eq!(fs::read_to_string(home.path().join("thesis.txt")).expect("a file"), "chapter one\n");
}
