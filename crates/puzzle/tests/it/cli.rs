//! The command line: built-in puzzles, files, groups, random states, conversions, bad input, exit codes.

use assert_cmd::Command;
use referee::certificate::{Certificate, Effort};
use std::fs;
use std::path::Path;

/// Runs the program in `dir`, with its tables there.
fn run_in(dir: &Path, args: &[&str], input: &str) -> (i32, String, String) {
    let output = Command::cargo_bin("puzzle-opt")
        .expect("the program")
        .current_dir(dir)
        .env("OPTIMAL_PUZZLES_TABLES", dir)
        .args(args)
        .write_stdin(input)
        .output()
        .expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    (output.status.code().expect("a code"), text(&output.stdout), text(&output.stderr))
}

fn run(args: &[&str], input: &str) -> (i32, String, String) {
    run_in(tempfile::tempdir().expect("a directory").path(), args, input)
}

#[test]
fn built_in_puzzles_are_listed() {
    let (code, out, err) = run(&["list"], "");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.lines().any(|line| line.starts_with("skewb ")), "{out}");
    let (_, json, _) = run(&["--json", "list"], "");
    let first: serde_json::Value =
        serde_json::from_str(json.lines().next().expect("a line")).expect("an object");
    assert_eq!(first["example"], "3x3x3");
}

#[test]
fn groups_are_described() {
    let (code, out, _) = run(&["group", "2x2x2"], "");
    let expected = "moves      18\norder      88179840\n           2^7 · 3^9 · 5 · 7\nrotations  24\npositions  3674160\n\
                    orbit      CORNERS: 8 places, 3 orientations\n";
    assert_eq!((code, out.as_str()), (0, expected));
    let (_, json, _) = run(&["--json", "group", "3x3x3", "--moves", "U R"], "");
    let record: serde_json::Value = serde_json::from_str(&json).expect("an object");
    assert_eq!(record["order"], "73483200");
    let (code, out, err) = run(&["group", "square-1"], "");
    assert!(code == 0 && out.contains("\nshapes     7356\npositions  11958666854400\n"), "{out}{err}");
    let (code, _, err) = run(&["group", "square-1", "--metric", "generators"], "");
    assert!(code == 3 && err.contains("rules that do not form shapes"), "{err}");
}

#[test]
fn random_states_repeat_with_their_seed_and_are_solved() {
    let random = |seed: &str| run(&["random", "pyraminx-without-tips", "--count", "3", "--seed", seed], "").1;
    assert_eq!(random("7"), random("7"));
    assert_ne!(random("7"), random("8"));
    let (code, solutions, err) = run(&["solve", "pyraminx-without-tips", "-"], &random("7"));
    assert_eq!((code, solutions.lines().count()), (0, 3), "{err}");
    let record: serde_json::Value =
        serde_json::from_str(&run(&["--json", "random", "m12", "--seed", "1"], "").1).expect("an object");
    assert_eq!(record["state"]["POINTS"]["pieces"].as_array().map(Vec::len), Some(12));
}

#[test]
fn definitions_are_converted_and_read_again() {
    let dir = tempfile::tempdir().expect("a directory");
    for (form, file) in [("tws", "a.tws"), ("kpuzzle", "a.json"), ("gap", "a.g")] {
        let (code, text, err) = run_in(dir.path(), &["convert", "skewb", "--to", form], "");
        assert_eq!(code, 0, "{err}");
        fs::write(dir.path().join(file), text).expect("written");
        let (code, out, err) = run_in(dir.path(), &["group", file], "");
        assert!(code == 0 && out.contains("order      3149280\n"), "{file}: {out}{err}");
    }
    let (code, _, err) = run(&["convert", "square-1", "--to", "kpuzzle"], "");
    assert!(code == 3 && err.contains("cannot express illegal states"), "{err}");
}

#[test]
fn scrambles_lead_to_shortest_solutions() {
    for (puzzle, scramble, answer) in [
        ("2x2x2", "R U x'", "2 "),
        ("2x2x2", "[R, U] (F)2", "5 "),
        ("2x2x2", "x y z2", "0\n"),
        ("pancake-5", "f3 f5", "2 f5 f3\n"),
        ("lights-out-3x3", "a1 b2 a1", "1 b2\n"),
        ("topspin-8-4", "F R F", "2 "),
    ] {
        let (code, out, err) = run(&["solve", puzzle, scramble], "");
        assert!(code == 0 && out.starts_with(answer), "{puzzle} {scramble}: {out}{err}");
    }
}

#[test]
fn bad_input_is_refused_with_its_name() {
    let dir = tempfile::tempdir().expect("a directory");
    let cyclic = r#"{"orbits": [{"orbitName": "A", "numPieces": 2, "numOrientations": 1}],
        "moves": {"S": {"A": {"permutation": [1, 0], "orientationDelta": [0, 0]}}}, "derivedMoves": {"X": "Y", "Y": "X"}}"#;
    fs::write(dir.path().join("cyclic.json"), cyclic).expect("written");
    fs::write(dir.path().join("notes.txt"), "hello").expect("written");
    fs::write(dir.path().join("bytes"), [0xff, 0xfe]).expect("written");
    let faulty = r#"{"orbits": [{"orbitName": "A", "numPieces": 3, "numOrientations": 2}], "moves": {
        "X": {"A": {"permutation": [0, 0, 2], "orientationDelta": [0, 0, 0]}},
        "Y": {"C": {"permutation": [1, 0], "orientationDelta": [0, 0]}},
        "Z": {"A": {"permutation": [1, 0, 5], "orientationDelta": [0, 0]}}},
        "defaultPattern": {"A": {"pieces": [0, 1, 2], "orientation": [0, 0, 3]}}}"#;
    fs::write(dir.path().join("faulty.json"), faulty).expect("written");
    let (code, _, err) = run_in(dir.path(), &["solve", "faulty.json", "X"], "");
    let faults = ["orientation 3 at place 2", "place 0 of A is named twice", "names the orbit C", "move Z: "];
    assert!(code == 3 && faults.iter().all(|fault| err.contains(fault)), "{err}");
    let twisted = r#"{"CORNERS": {"pieces": [0,1,2,3,4,5,6,7], "orientation": [1,0,0,0,0,0,0,0]}}"#;
    for (args, code, message) in [
        (&["solve", "2x2x2", "R Q"][..], 3, "column 3: \"Q\" is not a move"),
        (&["solve", "2x2x2", "(R)1000000000"], 3, "not from 1 to 100000"),
        (&["solve", "no-such-puzzle", "R"], 3, "puzzle-opt list"),
        (&["solve", "9x9x9", "R"], 3, "cubes have 2 to 7 layers"),
        (&["solve", "cyclic.json", "S"], 3, "defined by each other: X, Y"),
        (&["solve", "notes.txt", "S"], 3, "not a definition"),
        (&["solve", "bytes", "S"], 3, "no text in UTF-8"),
        (&["solve", "2x2x2", "R", "--moves", "U Q"], 3, "\"Q\" is not a move"),
        (&["group"], 2, "PUZZLE"),
        (&["solve", "2x2x2", twisted], 3, "no solution"),
        (&["solve", "2x2x2", "R", "--goal", twisted], 3, "no solution"),
        (&["count", "2x2x2", "--goal", "R", "--goal", twisted], 3, "no moves lead from goal 1 to goal 2"),
        (&["count", "3x3x3", "--work-dir", "layers"], 2, "omit --work-dir"),
    ] {
        let (exit, out, err) = run_in(dir.path(), args, "");
        assert!(
            exit == code && (err.contains(message) || out.contains(message)),
            "{args:?}: {exit} {out}{err}"
        );
    }
}

#[test]
fn shortest_solutions_are_printed_and_proved() {
    let (code, out, err) = run(&["solve", "2x2x2", "R U R' F2", "", "R"], "");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((code, lines.len()), (0, 3), "{err}");
    assert!(lines[0].starts_with("4 ") && lines[1] == "0" && lines[2].starts_with("1 "), "{out}");
    let (code, out, _) = run(&["solve", "2x2x2", "--max-depth", "2", "R U R' F2"], "");
    // The table of all positions knows the length at once.
    assert_eq!((code, out.as_str()), (4, ">= 4\n"));
    let (code, out, _) = run(&["solve", "pyraminx", "--all", "U L u R'", "--json"], "");
    let record: serde_json::Value = serde_json::from_str(&out).expect("an object");
    assert_eq!((code, &record["result"]["length"]), (0, &serde_json::json!(4)));
    // Corner twists alone: not in the group.
    let twisted = r#"{"CORNERS":{"pieces":[0,1,2,3,4,5,6,7],"orientation":[1,0,0,0,0,0,0,0]}}"#;
    let (code, _, err) = run(&["solve", "2x2x2", twisted], "");
    assert_eq!(code, 3, "{err}");
    assert_eq!(run(&["solve", "2x2x2", "R U Q"], "").0, 3);
}

#[test]
fn positions_are_counted() {
    let (code, out, err) = run(&["count", "2x2x2"], "");
    assert!(
        code == 0 && out.starts_with("0 1\n1 9\n2 54\n3 321\n") && out.contains("11 2644\n"),
        "{out}{err}"
    );
    let (code, out, _) = run(&["count", "3x3x3", "--max-depth", "4", "--json"], "");
    let record: serde_json::Value = serde_json::from_str(&out).expect("an object");
    assert_eq!((code, &record["layers"]), (0, &serde_json::json!([1, 18, 243, 3240, 43239])));
    assert_eq!(record["complete"], false);
    let (code, out, err) = run(&["count", "3x3x3", "--memory", "1MiB"], "");
    assert!(code == 4 && out.contains("positions so far") && err.contains("memory budget"), "{out}{err}");
    let (code, out, err) = run(&["count", "3x3x3", "--ignore", "CORNERS", "--alike", "EDGES"], "");
    assert!(code == 0 && out.contains("2048 positions"), "{out}{err}");
    assert!(err.contains("2,048 positions; counting by tables"), "{err}");
    let several = ["count", "pancake-6", "--goal", "f3", "--goal", "f4", "--max-depth", "1"];
    let (code, out, err) = run(&several, "");
    // Both are neighbours of the solved stack.
    assert_eq!((code, out.as_str()), (0, "0 2\n1 9\n11 positions so far\n"), "{err}");
    let (code, _, err) = run(&["count", "3x3x3", "--goal", "R", "--goal", "U", "--ignore", "EDGES:0-3"], "");
    assert!(code == 3 && err.contains("goal 2 does not leave open"), "{err}");
    let (code, out, err) = run(&["count", "kilominx", "--max-depth", "9", "--time-limit", "300ms"], "");
    assert!(code == 4 && out.starts_with("0 1\n") && err.contains("time limit reached"), "{out}{err}");
}

#[test]
fn twists_count_where_turns_are_free() {
    let twists = |command: &[&str]| run(&[command, &["square-1", "--free", "U D"][..]].concat(), "");
    let (code, out, err) = twists(&["count", "--max-depth", "2"]);
    assert_eq!((code, out.as_str()), (0, "0 1\n1 64\n2 1153\n1218 positions so far\n"), "{err}");
    let (code, out, err) = run(&["solve", "square-1", "(1,0)/(3,0)/(0,-3)", "--free", "U D"], "");
    assert!(code == 0 && out.starts_with("2 "), "{out}{err}");
    // The solution is read again.
    let solution = out.trim_start_matches("2 ").trim();
    let undone = format!("(1,0)/(3,0)/(0,-3) {solution}");
    assert_eq!(run(&["solve", "square-1", &undone], "").1, "0\n");
    for (args, code, message) in [
        (&["solve", "3x3x3", "--free", "U R", "F"][..], 3, "must not change the same places"),
        (&["solve", "3x3x3", "--free", "U D", "F"], 3, "up to 192 counted moves"),
        (&["solve", "3x3x3", "--free", "Q", "F"], 3, "\"Q\" is not a move"),
        (&["count", "2x2x2", "--free", "U"], 3, "choose no rotations"),
    ] {
        let (exit, out, err) = run(args, "");
        assert!(exit == code && err.contains(message), "{args:?}: {exit} {out}{err}");
    }
}

#[test]
fn tables_are_planned_built_listed_and_removed() {
    let directory = tempfile::tempdir().expect("a directory");
    let tables = |args: &[&str]| run_in(directory.path(), &[&["tables"], args].concat(), "");
    let (code, planned, err) = tables(&["plan", "2x2x2"]);
    assert!(code == 0 && planned.contains("puzzle-"), "{planned}{err}");
    assert_eq!(tables(&["build", "2x2x2"]).0, 0);
    let (_, listed, _) = tables(&["list"]);
    let name = listed.split_whitespace().next().expect("a table").to_owned();
    assert!(planned.contains(&name), "{listed}");
    assert_eq!(tables(&["verify"]).0, 0);
    assert_eq!(tables(&["remove", &name]).0, 0);
}

#[test]
fn tables_are_proved_from_their_entries() {
    let home = tempfile::tempdir().expect("a directory");
    let run = |args: &[&str]| run_in(home.path(), args, "");
    let file = home.path().join("three.gap");
    fs::write(&file, "A := (1,2,3,4,5);\nB := (1,2);\n").expect("written");
    let file = file.to_str().expect("text");
    for puzzle in ["2x2x2", file] {
        assert_eq!(run(&["tables", "build", puzzle]).0, 0, "{puzzle}");
    }
    let (code, out, err) = run(&["tables", "verify", "--contents"]);
    assert_eq!((code, out.lines().count()), (0, 2), "{out}{err}");
    assert_eq!(out.matches("entries proved by their neighbours").count(), 1, "{out}{err}");
    let (code, out, err) = run(&["tables", "verify", "--contents", "--puzzle", file]);
    assert_eq!((code, out.matches("entries proved").count()), (0, 1), "{out}{err}");
    // Moves without inverses among them.
    assert_eq!(run(&["tables", "build", "2x2x2", "--metric", "generators"]).0, 0);
    let (code, out, err) =
        run(&["tables", "verify", "--contents", "--puzzle", "2x2x2", "--metric", "generators"]);
    assert_eq!((code, out.matches("proved by building the table again").count()), (0, 1), "{out}{err}");
}

#[test]
fn units_give_the_answer_of_one_process() {
    let home = tempfile::tempdir().expect("a directory");
    let run = |args: &[&str]| run_in(home.path(), args, "");
    let file = home.path().join("cube.json");
    let (_, text, _) = run(&["convert", "3x3x3", "--to", "kpuzzle"]);
    fs::write(&file, text).expect("written");
    let file = file.to_str().expect("text");
    let method = ["--memory", "8MiB"];
    let scramble = "R U F' L2 D B";
    fs::write(home.path().join("goal"), "R2 U").expect("written");
    let cases: [(&str, &str, &str, &[&str]); 3] = [
        ("v", file, scramble, &[]),
        ("w", file, scramble, &["--goal", "@goal", "--goal", "F2", "--ignore", "EDGES:0-3"]),
        ("t", "square-1", "/ (3,0) / (0,3) / (1,0) /", &["--free", "U D"]),
    ];
    for (dir, puzzle, scramble, goal) in cases {
        let (code, expected, err) = run(&[&["solve", puzzle, scramble][..], &method, goal].concat());
        assert_eq!(code, 0, "{err}");
        let split = ["units", "split", "--locally", "0", "--units", "3", dir, puzzle, scramble];
        let (mut code, mut out, mut err) = run(&[&split[..], &method, goal].concat());
        if dir == "w" {
            // The plan holds the definition and the goals.
            fs::remove_file(file).expect("removed");
            fs::remove_file(home.path().join("goal")).expect("removed");
        }
        while code == 4 {
            for unit in ["2", "1", "0", "0"] {
                let (code, _, err) = run(&["units", "run", dir, "--unit", unit]);
                // Small bounds have fewer units.
                assert!(code == 0 || code == 2 && err.contains("there is no unit"), "{err}");
            }
            (code, out, err) = run(&["units", "merge", dir]);
        }
        assert_eq!((code, out.split(' ').next()), (0, expected.split(' ').next()), "{err}");
    }
    let (code, _, err) = run(&["units", "split", "x", "skewb", "Q"]);
    assert_eq!(code, 3, "{err}");
}

#[test]
fn certificates_hold_the_definition_and_a_referee_proves_them() {
    let home = tempfile::tempdir().expect("a directory");
    let run = |args: &[&str]| run_in(home.path(), args, "");
    let file = home.path().join("stack.gap");
    fs::write(&file, "A := (1,2);\nB := (1,3);\nC := (1,4)(2,3);\n").expect("written");
    let cases: [(&[&str], i32); 10] = [
        (&["pancake-6", "f3 f5 f2", "--goal", "f6", "--goal", "f4 f6"], 0),
        (&["2x2x2", "R U F2", "x R U2 F' R"], 0),
        (&["2x2x2", "R U F2 R'", "--ignore", "CORNERS:4-7"], 0),
        (&["pancake-6", "f3 f5 f2", "--goal", "f6 f4"], 0),
        (&["skewb", "R U L", "--ignore-orientation", "CORNERS2", "--alike", "CENTERS:0-2"], 0),
        (&["pyraminx", "--all", "R U' b"], 0),
        (&["lights-out-3x3", "--max-depth", "1", "a1 b2 c3"], 4),
        (&["square-1", "/"], 0),
        (&["3x3x3", "--moves", "U R", "R U R2 U'", "--memory", "8MiB"], 0),
        (&[file.to_str().expect("text"), "A B C A"], 0),
    ];
    let mut count = 0;
    for (args, code) in cases {
        let args = [&["solve", "--certificate", "answers.jsonl"], args].concat();
        let (exit, out, err) = run(&args);
        assert_eq!(exit, code, "{args:?}: {err}");
        count += out.lines().count();
    }
    let text = fs::read_to_string(home.path().join("answers.jsonl")).expect("certificates");
    assert_eq!(text.lines().count(), count);
    for line in text.lines() {
        let certificate = Certificate::parse(line).expect("a certificate");
        let report = certificate.check(Effort::default());
        assert!(report.stands() && report.proved, "{line}\n{report:?}");
        let mut longer: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let length = longer["result"]["length"].as_u64().expect("a length");
        longer["result"] = serde_json::json!({"kind": "lower_bound", "length": length + 20});
        let report = Certificate::parse(&longer.to_string()).expect("a certificate").check(Effort::default());
        assert!(!report.stands() || !report.proved, "{longer}");
    }
}

#[test]
fn certificates_with_free_moves_are_replayed() {
    let home = tempfile::tempdir().expect("a directory");
    let cases: [(&[&str], u64); 2] = [
        (&["square-1", "--free", "U D", "(1,0)/(3,0)/(0,-3)"], 2),
        (&["3x3x3", "--moves", "R", "--free", "U", "R U R U2"], 2),
    ];
    for (args, _) in cases {
        let args = [&["solve", "--certificate", "answers.jsonl"], args].concat();
        let (exit, _, err) = run_in(home.path(), &args, "");
        assert_eq!(exit, 0, "{args:?}: {err}");
    }
    let text = fs::read_to_string(home.path().join("answers.jsonl")).expect("certificates");
    for (line, (_, length)) in text.lines().zip(cases) {
        let check = |line: &str| Certificate::parse(line).expect("a certificate").check(Effort::default());
        let report = check(line);
        assert!(report.stands() && !report.proved, "{line}\n{report:?}");
        let mut changed: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(changed["result"]["length"], length);
        // The free moves are not counted, so the solution is not longer than it is.
        changed["result"]["length"] = serde_json::json!(length + 1);
        assert!(!check(&changed.to_string()).stands(), "{changed}");
    }
}

#[test]
fn goals_are_states_with_open_places() {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("goal.txt"), "f3").expect("written");
    for (args, answer) in [
        (&["pancake-5", "f3 f5", "--goal", "f3 f5"][..], "0\n"),
        (&["pancake-5", "f3 f5", "--goal", "@goal.txt"], "1 f5\n"),
        (&["pancake-5", "f3 f5", "--goal", "1 2 3 4 5", "--goal", "5 4 3 2 1"], "2 f5 f3\n"),
        (&["pancake-5", "f5", "--ignore", "PANCAKES"], "0\n"),
        (&["3x3x3", "R U R' U'", "--ignore", "EDGES", "--ignore", "CORNERS"], "0\n"),
        (&["2x2x2", "R U R' U'", "--ignore-orientation", "CORNERS"], "4 "),
        (&["2x2x2", "U", "--alike", "CORNERS:0-3", "--ignore-orientation", "CORNERS"], "0\n"),
    ] {
        let (code, out, err) = run_in(dir.path(), &[&["solve"], args].concat(), "");
        assert!(code == 0 && out.starts_with(answer), "{args:?}: {out}{err}");
    }
    for (args, message) in [
        (&["pancake-5", "f3", "--goal", "f9"][..], "invalid goal"),
        (&["pancake-5", "f3", "--goal", "@missing.txt"], "missing.txt"),
        (&["pancake-5", "f3", "--ignore", "EDGES"], "no moves carry pieces of an orbit EDGES"),
    ] {
        let (code, _, err) = run_in(dir.path(), &[&["solve"], args].concat(), "");
        assert!(code == 3 && err.contains(message), "{args:?}: {code} {err}");
    }
    let (code, out, _) =
        run(&["solve", "pancake-5", "f5", "--json", "--goal", "f3", "--alike", "PANCAKES:0-1"], "");
    let record: serde_json::Value = serde_json::from_str(&out).expect("an object");
    assert_eq!(
        (code, &record["goal"], &record["alike"]),
        (0, &serde_json::json!(["f3"]), &serde_json::json!(["PANCAKES:0,1"]))
    );
    assert_eq!(run(&["solve", "pancake-5", "f5", "--ignore", ":"], "").0, 2);
}

#[test]
fn random_states_need_as_many_moves_as_asked() {
    let args = ["random", "pancake-6", "--min-length", "6", "--count", "5", "--seed", "1", "--json"];
    let (code, out, err) = run(&args, "");
    assert!(code == 0 && err.contains("drawn states were taken"), "{err}");
    let states: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!(states.len(), 5);
    for record in states {
        assert!(record["drawn"].as_u64() >= Some(1));
        let (code, solved, err) = run(&["solve", "pancake-6", &record["state"].to_string()], "");
        let length: u32 = solved.split(' ').next().and_then(|word| word.parse().ok()).expect("a length");
        assert!(code == 0 && length >= 6, "{solved}{err}");
    }
    let (code, _, err) = run(&["random", "pancake-6", "--min-length", "8"], "");
    assert!(code == 3 && err.contains("the farthest ones need 7"), "{err}");
    let (code, out, err) = run(
        &[
            "random",
            "3x3x3",
            "--memory",
            "16MiB",
            "--min-length",
            "15",
            "--seed",
            "1",
            "--time-limit",
            "10ms",
        ],
        "",
    );
    assert!(code == 4 && out.is_empty() && err.contains("time limit before state 1"), "{code} {out}{err}");
    assert_eq!(run(&["random", "pancake-6", "--time-limit", "1s"], "").0, 2);
}

#[test]
fn short_solutions_of_cases_are_ranked() {
    let (code, out, err) = run(&["algs", "2x2x2", "U2 R2 U2", "T: R U R' U'", "Q"], "");
    let lines: Vec<&str> = out.lines().collect();
    assert!(code == 3 && lines[0].starts_with("case ") && lines[0].ends_with("moves"), "{out}{err}");
    assert!(lines[1].ends_with("R2 U2 R2") && lines[2].ends_with("U2 R2 U2"), "{out}");
    assert!(lines.iter().any(|line| line.starts_with("T ") && line.ends_with("U R U' R'")), "{out}");
    assert!(lines.last().is_some_and(|line| line.starts_with("error: argument 3: ")), "{out}");
    let (code, out, _) = run(&["algs", "2x2x2", "U2 R2 U2", "--csv", "--top", "2"], "");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((code, lines.len()), (0, 3), "{out}");
    assert_eq!(lines[0], "case,rank,length,cost,moves,solutions,result,lower_bound,error");
    assert!(lines[1].starts_with("argument 1,1,3,6.0,R2 U2 R2,2,optimal,"), "{out}");
    let (code, out, _) = run(&["algs", "2x2x2", "R", "--extra", "1", "--no-header"], "");
    assert_eq!((code, out.lines().count()), (0, 1), "{out}");
    let (code, out, _) = run(&["algs", "pancake-5", "f2 f3 f4 f5", "--max-depth", "1", "--json"], "");
    let record: serde_json::Value = serde_json::from_str(&out).expect("an object");
    assert_eq!((code, &record["result"]), (4, &serde_json::json!("lower_bound")), "{out}");
}

#[test]
fn rows_of_santa_2023_are_read_and_solved() {
    let dir = tempfile::tempdir().expect("a directory");
    let types = "puzzle_type,allowed_moves\nring,\"{'r0': [1, 2, 3, 4, 0], 's0': [1, 0, 2, 3, 4]}\"\n";
    fs::write(dir.path().join("puzzle_info.csv"), types).expect("written");
    let puzzles = "id,puzzle_type,solution_state,initial_state,num_wildcards\n\
        0,ring,A;A;B;C;D,B;C;D;A;A,0\n1,ring,N0;N1;N2;N3;N4,N1;N0;N2;N3;N4,0\n2,ring,A;A;B;C;D,B;C;D;A;A,1\n";
    fs::write(dir.path().join("puzzles.csv"), puzzles).expect("written");
    for (args, code, message) in [
        (&["puzzles.csv:0", "B;C;D;A;A"][..], 0, "2 -r0 -r0\n"),
        (&["puzzles.csv:1", "N1;N0;N2;N3;N4"], 0, "1 s0\n"),
        (&["puzzle_info.csv", "r0.r0.-s0"], 0, "3 s0 -r0 -r0\n"),
        (&["puzzle_info.csv:ring", "r0 r0 r0"], 0, "2 r0 r0\n"),
        (&["puzzles.csv:2", "B;C;D;A;A"], 3, "num_wildcards 1"),
        (&["puzzles.csv", "B;C;D;A;A"], 3, "name one of them after a colon"),
        (&["puzzle_info.csv:cube", "r0"], 3, "none of them is cube"),
    ] {
        let (exit, out, err) = run_in(dir.path(), &[&["solve"], args].concat(), "");
        assert!(
            exit == code && (out.contains(message) || err.contains(message)),
            "{args:?}: {exit} {out}{err}"
        );
    }
}

#[test]
fn quick_solutions_are_checked_and_have_a_proved_gap() {
    let home = tempfile::tempdir().expect("a directory");
    let run = |args: &[&str]| run_in(home.path(), args, "");
    let bounds = |out: &str| -> (u32, u32) {
        let first = out.split(' ').next().expect("a number");
        let (lower, upper) = first.trim().split_once("..").unwrap_or((first.trim(), first.trim()));
        (lower.parse().expect("a bound"), upper.parse().expect("a bound"))
    };
    let stack = "f3 f12 f7 f15 f4 f9 f16 f5 f11 f2 f13 f6 f14 f8 f10 f16 f3";
    let cases: [(&str, &str); 4] = [
        ("pancake-16", stack),
        ("skewb", "R U B L' U R' B' L U' B R"),
        ("pyraminx", "R U' L B' R' L U"),
        ("square-1", "U2' D2 / U3' D6 / U3' / U3' D3' / U6 D /"),
    ];
    for (puzzle, scramble) in cases {
        let (code, out, err) = run(&["solve", puzzle, scramble]);
        assert_eq!(code, 0, "{err}");
        let (length, _) = bounds(&out);
        let (code, out, err) = run(&["solve", "--quick", puzzle, scramble]);
        let (lower, upper) = bounds(&out);
        assert!(code == 0 && lower <= length && length <= upper, "{out}{err}");
        let (code, out, err) = run(&["solve", "--within", "1", puzzle, scramble]);
        let (lower, upper) = bounds(&out);
        assert!(code == 0 && lower <= length && length <= upper && upper - lower <= 1, "{out}{err}");
        let (code, out, err) = run(&["solve", "--stream", "--within", "1", puzzle, scramble]);
        assert!(
            code == 0 && out.lines().all(|line| line.starts_with('{') || line.contains(' ')),
            "{out}{err}"
        );
    }
    // A random position: a beam in twists, whose turns are counted.
    let (_, state, err) = run(&["random", "square-1", "--seed", "1"]);
    let (code, out, _) = run(&["solve", "--quick", "square-1", state.trim()]);
    assert!(code == 0 && bounds(&out).1 <= 40, "{out}{err}");
    // A goal that leaves something open, and several goals.
    let open = ["--goal", "R", "--goal", "U L", "--ignore", "CENTERS:0-1"];
    let (code, out, err) = run(&[&["solve", "--quick", "skewb", "R U B L' U R'"][..], &open].concat());
    assert_eq!(code, 0, "{out}{err}");
}
