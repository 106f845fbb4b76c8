//! The lines that the programs print with `--json` fit `docs/record.schema.json`, whatever the ending of the search.

use super::program::{command, ended, home, texts};
use puzzle_cli::testing::schema_faults;
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;

/// The input lines: a batch with a line that is no instance.
const CUBES: &str = "R U F\nR Q\n";
const BOARDS: &str = "1 2 0 3 4 5 6 7 8\n1 1 2 3\n";
const STATES: &str = "R U F2\nR Q\n";
const PATHS: &str = "0000; 1:0>1 1:1>2\n0000; 1:0>7\n";
const HARD_CUBE: &str = "R2 F B U2 L D";
const HARD_BOARD: &str = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";

/// A search: the program, its arguments, its input, its exit code, and the kinds of the lines that it prints: the result
/// of a record, `error`, or `better`.
type Case = (&'static str, &'static [&'static str], &'static str, i32, &'static [&'static str]);

const CASES: &[Case] = &[
    ("cube-opt", &["solve", "--heuristic", "manhattan-max", "-"], CUBES, 3, &["optimal", "error"]),
    (
        "cube-opt",
        &["solve", "--heuristic", "manhattan-max", "--max-depth", "3", HARD_CUBE],
        "",
        4,
        &["lower_bound"],
    ),
    (
        "cube-opt",
        &["solve", "--heuristic", "manhattan-max", "--quick", "--stream", HARD_CUBE],
        "",
        0,
        &["better", "lower_bound"],
    ),
    (
        "cube-opt",
        &["solve", "--heuristic", "manhattan-max", "--within", "20", HARD_CUBE],
        "",
        0,
        &["lower_bound"],
    ),
    ("cube-opt", &["solve", "--moves", "R2,U2", "F"], "", 3, &["exhausted"]),
    (
        "cube-opt",
        &["improve", "--heuristic", "manhattan-max", "--window", "3", "-"],
        CUBES,
        3,
        &["optimal", "error"],
    ),
    ("tile24", &["solve", "--fsm", "inverse", "-"], BOARDS, 3, &["optimal", "error"]),
    (
        "tile24",
        &["solve", "--fsm", "inverse", "--heuristic", "md", "--max-depth", "9", HARD_BOARD],
        "",
        4,
        &["lower_bound"],
    ),
    (
        "tile24",
        &["solve", "--fsm", "inverse", "--heuristic", "md", "--quick", "--stream", HARD_BOARD],
        "",
        0,
        &["better", "lower_bound"],
    ),
    (
        "tile24",
        &["solve", "--fsm", "inverse", "--heuristic", "md", "--within", "90", HARD_BOARD],
        "",
        0,
        &["lower_bound"],
    ),
    ("tile24", &["improve", "1 2 0 3 4 5 6 7 8; LRLL"], "", 0, &["optimal"]),
    ("hanoi4", &["solve", "--discs", "6"], "", 0, &["optimal"]),
    ("hanoi4", &["solve", "--discs", "6", "--max-depth", "3", "--no-upper"], "", 4, &["lower_bound"]),
    ("hanoi4", &["solve", "--discs", "16", "--quick", "--stream"], "", 0, &["better", "lower_bound"]),
    ("hanoi4", &["solve", "--discs", "16", "--within", "150"], "", 0, &["lower_bound"]),
    ("hanoi4", &["improve", "-"], PATHS, 3, &["optimal", "error"]),
    ("puzzle-opt", &["solve", "2x2x2", "-"], STATES, 3, &["optimal", "error"]),
    ("puzzle-opt", &["solve", "2x2x2", "--max-depth", "1", "R U F2"], "", 4, &["lower_bound"]),
    ("puzzle-opt", &["solve", "2x2x2", "--quick", "--stream", "R U F2 R U"], "", 0, &["better", "optimal"]),
    ("puzzle-opt", &["solve", "2x2x2", "--within", "20", "R U F2 R U"], "", 0, &["optimal"]),
    ("puzzle-opt", &["solve", "2x2x2", "--moves", "R2,U2", "F"], "", 3, &["exhausted"]),
    ("puzzle-opt", &["improve", "2x2x2", "R U U R"], "", 0, &["lower_bound"]),
];

#[test]
fn every_line_of_json_fits_the_published_schema() {
    for (program, args, input, code, kinds) in CASES {
        let home = home();
        let args = [args, &["--json"][..]].concat();
        let mut child = command(home.path(), program, &args);
        let mut child = child.stdin(Stdio::piped()).spawn().expect("a program");
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
        let (exit, out, err) = texts(ended(child, &args));
        assert_eq!(exit, Some(*code), "{program} {args:?}: {out}{err}");
        let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        for line in &lines {
            assert_eq!(schema_faults(line), [""; 0], "{program} {args:?}: {line}");
        }
        let kind = |line: &Value| match (&line["error"], &line["result"]["kind"]) {
            (Value::Null, Value::String(kind)) => kind.clone(),
            (Value::Null, _) => "better".to_owned(),
            _ => "error".to_owned(),
        };
        let mut found: Vec<String> = lines.iter().map(kind).collect();
        found.dedup();
        assert_eq!(found, *kinds, "{program} {args:?}: {out}{err}");
    }
}
