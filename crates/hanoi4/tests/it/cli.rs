//! The command line: answers, bad input, exit codes.

use crate::hanoi4;
use assert_cmd::Command;

#[test]
fn ten_discs_take_49_moves() {
    let (code, out, _) = hanoi4(&["solve", "--discs", "10"]);
    assert_eq!(code, Some(0));
    assert!(out.starts_with("49 1:0>"), "{out}");
    let (code, out, _) = hanoi4(&["solve", "--discs", "10", "--from", "0000000000", "--to", "0123012301"]);
    assert_eq!((code, out.split_whitespace().count()), (Some(0), 32), "{out}");
}

#[test]
fn towers_of_14_discs_and_more_are_solved_by_a_proof() {
    let (code, out, err) =
        hanoi4(&["solve", "--discs", "16", "--from", &"2".repeat(16), "--to", &"1".repeat(16)]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.starts_with("161 1:2>"), "{out}");
}

#[test]
fn small_and_three_peg_puzzles_are_solved() {
    for (args, length) in [
        (&["solve", "--discs", "1"][..], "1 "),
        (&["solve", "--discs", "4"], "9 "),
        (&["solve", "--discs", "3", "--pegs", "3"], "7 "),
        (&["solve", "--discs", "15", "--pegs", "3"], "32767 "),
        (&["solve", "--discs", "5", "--pegs", "3", "--to", "00001"], "1 "),
        (&["solve", "--discs", "5", "--to", "00000"], "0"),
    ] {
        let (code, out, err) = hanoi4(args);
        assert_eq!(code, Some(0), "{err}");
        assert!(out.starts_with(length), "{args:?}: {out}");
    }
}

#[test]
fn states_are_read_in_the_notation_that_is_named() {
    let other = ["--first-peg", "1", "--disc-order", "smallest-first"];
    for (args, more, expected) in [
        (&["--pegs", "3", "--from", "[[2, 1], [], []]", "--to", "[[2], [1], []]"][..], &[][..], "1 1:0>1\n"),
        (&["--from", "4 2 4 3 1 1", "--to", "1 1 1 1 1 1"], &other, "5 "),
        (&["--from", "2 1 | | |", "--to", "(3, 0)"], &[], "3 1:0>1"),
        (&["--discs", "3", "--to", "[1 2] [] [] [3]"], &other, "5 "),
    ] {
        let (code, out, err) = hanoi4(&[&["solve"], args, more].concat());
        assert!(code == Some(0) && out.starts_with(expected), "{args:?}: {out}{err}");
    }
    let (code, out, err) =
        hanoi4(&["tables", "value", "--discs", "6", "--drop", "0", "[[6, 5, 4, 3, 2, 1], [], [], []]"]);
    assert_eq!((code, out.trim()), (Some(0), "12"), "{err}");
    for (args, code, message) in [
        (&["--pegs", "3", "--from", "[[1, 2], [], []]"][..], 3, "disc 2 is out of order"),
        (&["--from", "[[2, 1], [], []]"], 3, "has 3 pegs, not 4"),
        (&["--from", "1234"], 3, "--first-peg 1"),
        (&["--from", "012", "--to", "01"], 3, "the start has 3 discs, the goal 2"),
        (&["--discs", "4", "--to", "012"], 3, "has 3 discs, not 4"),
        (&["--pegs", "3"], 2, "--discs"),
    ] {
        let (found, out, err) = hanoi4(&[&["solve"], args].concat());
        assert!(found == Some(code) && out.is_empty() && err.contains(message), "{args:?}: {found:?} {err}");
    }
}

#[test]
fn a_time_limit_includes_the_database() {
    let home = tempfile::tempdir().unwrap();
    let args = ["solve", "--discs", "27", "--time-limit", "0.3", "--memory", "16GiB", "--quiet", "--tables"];
    let start = std::time::Instant::now();
    let output = Command::cargo_bin("hanoi4").unwrap().args(args).arg(home.path()).output().unwrap();
    let (code, out) = (output.status.code(), String::from_utf8(output.stdout).unwrap());
    // The presumed-optimal solution and a lower bound are known before.
    assert!(code == Some(4) && out.contains("..705 "), "{}", String::from_utf8_lossy(&output.stderr));
    // Building the database takes minutes.
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

#[test]
fn a_bound_that_is_too_small_gives_the_lower_bound_and_code_4() {
    let (code, out, _) = hanoi4(&["solve", "--discs", "10", "--max-depth", "30"]);
    assert!(code == Some(4) && out.starts_with("36..49 "), "{out}");
    let (code, out, _) = hanoi4(&["solve", "--discs", "10", "--max-depth", "30", "--no-upper"]);
    assert_eq!((code, out.as_str()), (Some(4), ">= 36\n"));
}

#[test]
fn a_quick_solution_is_printed_with_both_bounds() {
    let (code, out, err) = hanoi4(&["solve", "--discs", "29", "--quick", "--json", "--stream"]);
    assert_eq!(code, Some(0), "{err}");
    let lines: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [better, record] = &lines[..] else { panic!("{out}") };
    for line in [better, record] {
        assert_eq!((&line["lower_bound"], &line["upper_bound"]), (&112.into(), &897.into()));
        assert_eq!(line["solution"], better["solution"]);
    }
    assert_eq!(record["result"]["kind"], "lower_bound");
    let (code, out, _) = hanoi4(&["solve", "--discs", "10", "--within", "13"]);
    assert!(code == Some(0) && out.starts_with("36..49 "), "{out}");
    let (code, out, _) = hanoi4(&["solve", "--discs", "10", "--within", "12"]);
    assert!(code == Some(0) && out.starts_with("49 "), "{out}");
}

/// The search is interrupted once its first line is printed, while it builds a database.
#[cfg(unix)]
#[test]
fn an_interrupted_search_keeps_both_bounds() {
    use std::io::{BufRead, BufReader};
    let home = tempfile::tempdir().unwrap();
    let args = ["solve", "--discs", "27", "--memory", "16GiB", "--quiet", "--json", "--stream", "--tables"];
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("hanoi4"));
    let command = command.args(args).arg(home.path()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut line = || serde_json::from_str::<serde_json::Value>(&lines.next().unwrap().unwrap()).unwrap();
    let better = line();
    assert_eq!((&better["lower_bound"], &better["upper_bound"]), (&104.into(), &705.into()));
    let signal = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(signal.unwrap().success());
    let record = line();
    assert_eq!(child.wait().unwrap().code(), Some(5));
    for field in ["lower_bound", "upper_bound", "solution"] {
        assert_eq!(record[field], better[field]);
    }
}

#[test]
fn a_proof_of_days_is_started_only_when_it_is_confirmed() {
    for (discs, time) in [("28", "about 1 min"), ("29", "about 20 min"), ("31", "about 2 d")] {
        let (code, out, err) = hanoi4(&["solve", "--discs", discs]);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
        assert!(err.contains(time) && err.contains("--yes"), "{err}");
    }
}

#[test]
fn a_plan_measures_the_machine_and_shows_which_searches_fit_the_memory() {
    let plan = |args: &[&str]| {
        let (code, out, err) = hanoi4(&[&["plan", "--memory", "1GiB", "--threads", "2"], args].concat());
        assert_eq!(code, Some(0), "{err}");
        out
    };
    let of_18 = plan(&["--discs", "18", "--disk", "1MiB"]);
    assert!(of_18.contains("bfs --discs 18 --small 11\n"), "{of_18}");
    assert!(of_18.contains("too much disk"), "{of_18}");
    assert!(of_18.contains("verify --discs 18\nlength 225\ndatabase of 13 discs"), "{of_18}");
    let (code, _, err) = hanoi4(&["plan", "--discs", "12"]);
    assert!(code == Some(3) && err.contains("13 to 31"), "{code:?} {err}");
}

#[test]
fn all_methods_count_the_same_states() {
    let rows = |args: &[&str]| {
        let (code, out, err) = hanoi4(args);
        assert_eq!(code, Some(0), "{err}");
        out.lines().take_while(|line| !line.starts_with("width")).map(String::from).collect::<Vec<_>>()
    };
    let bitmap = rows(&["bfs", "--discs", "7", "--no-symmetry"]);
    for method in ["frontier", "full"] {
        assert_eq!(bitmap, rows(&["bfs", "--discs", "7", "--method", method]), "{method}");
    }
    assert_eq!(bitmap.last().unwrap(), "radius 25: 6 states");
    let corners = rows(&["bfs", "--discs", "9"]);
    assert_eq!(corners, rows(&["bfs", "--discs", "9", "--method", "bitmap"]));
    assert_eq!(corners, rows(&["bfs", "--discs", "9", "--small", "7"]));
    assert_eq!(
        rows(&["bfs", "--discs", "2", "--pegs", "3"]),
        ["depth states", "0 1", "1 2", "2 2", "3 4", "length 3", "radius 3: 4 states"]
    );
}

#[test]
fn the_method_is_printed_and_bitmaps_for_too_few_discs_are_refused() {
    let (code, out, _) = hanoi4(&["bfs", "--discs", "4"]);
    assert!(code == Some(0) && out.contains("method full"), "{out}");
    let (code, out, _) = hanoi4(&["bfs", "--discs", "5"]);
    assert!(code == Some(0) && out.contains("method bitmap"), "{out}");
    let (code, out, _) = hanoi4(&["bfs", "--discs", "8"]);
    assert!(code == Some(0) && out.contains("method corners"), "{out}");
    let (code, _, err) = hanoi4(&["bfs", "--discs", "4", "--method", "bitmap"]);
    assert!(code == Some(2) && err.contains("at least 5 discs"), "{err}");
    for args in [
        &["--method", "corners", "--max-depth", "3"][..],
        &["--method", "bitmap", "--small", "7"],
        &["--method", "full", "--farthest", "/no/such/file"],
        &["--small", "10"],
    ] {
        let (code, _, err) = hanoi4(&[&["bfs", "--discs", "9"], args].concat());
        assert!(code == Some(2) && !err.is_empty(), "{args:?}: {err}");
    }
}

#[test]
fn the_farthest_states_are_listed() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("far");
    let (code, out, err) = hanoi4(&["bfs", "--discs", "10", "--farthest", file.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{err}");
    let listed = std::fs::read_to_string(file).unwrap();
    let towers = ["1111111111", "2222222222", "3333333333"];
    assert!(towers.iter().all(|tower| listed.lines().any(|line| line == *tower)));
    assert!(out.contains(&format!("radius 49: {} states", listed.lines().count())), "{out}");
    let picture = home.path().join("far.svg");
    let (code, _, err) = hanoi4(&["bfs", "--discs", "10", "--farthest", picture.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{err}");
    let picture = std::fs::read_to_string(picture).unwrap();
    assert!(picture.starts_with("<svg ") && picture.contains(">1111111111 × 3<"));
    let (code, _, err) = hanoi4(&["bfs", "--discs", "10", "--farthest", "/no/such/file"]);
    assert!(code == Some(1) && err.contains("/no/such/file"), "{err}");
}

#[test]
fn the_radius_is_found_and_a_complete_search_continues_from_its_times() {
    let home = tempfile::tempdir().unwrap();
    let [work, file] = ["work", "far"].map(|name| home.path().join(name).to_str().unwrap().to_owned());
    let search = ["--discs", "11", "--small", "8", "--work-dir", &work, "--checkpoint-every", "0s"];
    let (code, out, err) = hanoi4(&[&["radius", "--farthest", &file], &search[..]].concat());
    assert_eq!(code, Some(0), "{err}");
    let listed = std::fs::read_to_string(file).unwrap().lines().count();
    assert!(out.starts_with(&format!("radius 65: {listed} states, ")), "{out}");
    assert!(std::fs::read_dir(&work).unwrap().count() > 0, "the times are kept");
    let (code, continued, err) = hanoi4(&[&["bfs"], &search[..]].concat());
    assert_eq!(code, Some(0), "{err}");
    let (_, anew, _) = hanoi4(&["bfs", "--discs", "11", "--small", "8"]);
    let counts = |out: &str| out.lines().take_while(|line| !line.starts_with("method")).collect::<String>();
    assert_eq!(counts(&continued), counts(&anew));
    let (code, _, err) = hanoi4(&["radius", "--discs", "7"]);
    assert!(code == Some(2) && err.contains("8..=31"), "{err}");
}

#[test]
fn a_shortest_path_between_states_of_13_discs_is_found() {
    let (code, out, err) = hanoi4(&["solve", "--discs", "13", "--from", "0123012301230", "--json"]);
    assert_eq!(code, Some(0), "{err}");
    let record: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(record["result"]["length"], record["iterations"][0]["bound"]);
    let (code, out, _) = hanoi4(&["solve", "--discs", "13", "--from", "0123012301230", "--max-depth", "9"]);
    assert!(code == Some(4) && out.starts_with("33.."), "{out}");
}

#[test]
fn verify_proves_the_presumed_length() {
    let (code, out, err) = hanoi4(&["verify", "--discs", "14", "--json"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("\"proved\":113") && out.contains("\"presumed\":113"), "{out}");
    let record: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(record["result"]["kind"], "optimal");
    assert_eq!(record["iterations"][0]["bound"], 56);
    assert_eq!(record["tables"][0]["name"], "hanoi4-middle-9-5");
    assert_eq!(record["tables"][0]["checksum"].as_str().unwrap().len(), 16);
    let (code, out, _) = hanoi4(&["verify", "--discs", "12", "--database", "0"]);
    assert!(code == Some(0) && out.starts_with("12 discs: 81 proved"), "{out}");
    let (code, out, _) = hanoi4(&["verify", "--discs", "14", "--method", "corners"]);
    assert!(
        code == Some(0) && out.starts_with("14 discs: 113 proved") && out.contains("by corners"),
        "{out}"
    );
    let (code, out, _) =
        hanoi4(&["verify", "--discs", "14", "--small", "5", "--json", "--threshold", "below"]);
    let record: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &record["proved"], &record["method"]), (Some(0), &113.into(), &"corners".into()));
    assert!(record["unique_states"].is_null() && record["corners_entered"].as_u64() > Some(0), "{out}");
    let (code, _, err) = hanoi4(&["verify", "--discs", "14", "--small", "14"]);
    assert!(code == Some(2) && err.contains("give 1 to 8"), "{err}");
}

#[test]
fn databases_are_planned_built_verified_and_removed() {
    // 3 · 2⁶ − 3 states have all discs on two of the three pegs.
    let six = ["--discs", "6", "--drop", "0"];
    let tables = |command: &str| hanoi4(&[&["tables", command], &six[..]].concat());
    let (code, out, err) = tables("plan");
    assert_eq!(code, Some(0), "{err}");
    assert!(out.starts_with("hanoi4-middle-6-6 ") && out.contains("4.0 KiB"), "{out}");
    // An earlier run of this test may have left it.
    hanoi4(&["tables", "remove", "hanoi4-middle-6-6"]);
    let (code, out, err) = tables("build");
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("f937e1a1d87a8c79") && out.contains("6 discs"), "{out}");
    let (code, out, err) = tables("distribution");
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("4,096 entries") && out.contains("\n0 189\n"), "{out}");
    let (code, out, _) = hanoi4(&["pdb", "value", "--discs", "6", "--drop", "0", "000000"]);
    assert_eq!((code, out.trim()), (Some(0), "12"), "half of 25 moves of 7 discs");
    assert_eq!(hanoi4(&["tables", "verify", "hanoi4-middle-6-6"]).0, Some(0));
    assert_eq!(hanoi4(&["pdb", "value", "--discs", "6", "--drop", "2", "00000"]).0, Some(3));
    // The databases of verifications of 13 discs and more.
    let (code, out, _) = hanoi4(&["tables", "plan", "--memory", "1GiB"]);
    assert_eq!((code, out.lines().count()), (Some(0), 15), "{out}");
    assert!(out.contains("hanoi4-middle-22-15") && out.contains("too large for --memory"), "{out}");
    assert_eq!(hanoi4(&["tables", "build"]).0, Some(2));
}

#[test]
fn paths_are_shortened_between_their_ends() {
    for (line, more, expected) in [
        ("0000; 1:0>1 1:1>2 1:2>3", &[][..], "1 1:0>3\n"),
        ("00; 1:0>1 1:1>0", &[], "0\n"),
        ("0000; 0>1 0>2 1>2 0>3 2>1 2>3 1>3", &[], "5 1:0>"),
        ("[[2, 1], [], [], []]\t0>1, 1>2", &[], "1 1:0>2\n"),
        // Two windows of two moves each are shortest: the bounds differ.
        ("000; 0>1 0>2 1>2 0>3 2>1 2>3 1>3", &["--window", "2"], "5..7 1:0>1"),
    ] {
        let (code, out, err) = hanoi4(&[&["improve"], more, &[line]].concat());
        assert!(code == Some(0) && out.starts_with(expected), "{line}: {out}{err}");
    }
    let (_, out, _) = hanoi4(&["improve", "--json", "0000; 1:0>1 1:1>2 1:2>3"]);
    let record: serde_json::Value = serde_json::from_str(&out).expect("a record");
    for (field, value) in [("given", 3), ("window", 64), ("lower_bound", 1), ("upper_bound", 1)] {
        assert_eq!(record[field], value, "{record}");
    }
    assert_eq!((&record["locally_optimal"], &record["result"]["kind"]), (&true.into(), &"optimal".into()));
    for (line, message) in [
        ("1:0>1", "no state is given"),
        ("0000; 1:0>1 2:0>1", "move 2"),
        ("0000; 1:0>5", "there is no peg 5"),
        ("0004; 1:0>1", "invalid state"),
    ] {
        let (code, out, err) = hanoi4(&["improve", line]);
        assert!(code == Some(3) && out.is_empty() && err.contains(message), "{line}: {err}");
    }
    // A long window of many discs is not searched: the answer is marked as incomplete.
    let (_, tower, _) = hanoi4(&["solve", "--discs", "12", "--quick"]);
    let moves = tower.trim().split_once(' ').expect("moves").1;
    let (code, out, err) = hanoi4(&["improve", &format!("{};{moves}", "0".repeat(12))]);
    assert!(code == Some(4) && out.ends_with(&tower[tower.find(' ').expect("moves")..]), "{out}{err}");
}
