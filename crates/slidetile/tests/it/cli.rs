//! The command line: answers, bad input, exit codes.

use assert_cmd::Command;
use referee::certificate::{Certificate, Effort, Metric};
use std::fs;
use std::path::Path;

/// Runs the program with tables in a temporary directory.
fn run(args: &[&str], input: &str) -> (i32, String, String) {
    run_in(tempfile::tempdir().expect("a directory").path(), args, input)
}

/// Runs the program with tables in `dir`.
fn run_in(dir: &Path, args: &[&str], input: &str) -> (i32, String, String) {
    let output = Command::cargo_bin("tile24")
        .expect("the program")
        .env("OPTIMAL_PUZZLES_TABLES", dir)
        .args(args)
        .write_stdin(input)
        .output()
        .expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    (output.status.code().expect("a code"), text(&output.stdout), text(&output.stderr))
}

#[test]
fn solutions_in_three_notations() {
    for (notation, expected) in [("blank", "2 LL\n"), ("tile", "2 2 1\n"), ("positions", "2 1 0\n")] {
        let (code, out, _) = run(&["solve", "--notation", notation, "1 2 0 3 4 5 6 7 8"], "");
        assert_eq!((code, out.as_str()), (0, expected));
    }
    assert_eq!(run(&["solve", "0,1,2,3,4,5,6,7,8"], "").1, "0\n");
    assert_eq!(run(&["solve", "--goal", "blank-last", "1 2 3 4 5 6 7 0 8"], "").1, "1 R\n");
    assert_eq!(run(&["solve", "--size", "2x3", "1 2 5 3 4 0"], "").0, 0);
}

#[test]
fn boards_larger_than_6x6_are_answered_or_refused() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("claims");
    for size in ["7x7", "2x9"] {
        let board = run(&["random", "--size", size, "--seed", "3"], "").1;
        let path = file.to_str().expect("a path");
        let (code, out, err) =
            run(&["solve", "--quick", "--size", size, "--certificate", path, board.trim()], "");
        assert!(code == 0 && out.contains(' '), "{size}: {out}{err}");
        let claim = fs::read_to_string(&file).expect("a certificate");
        let claim = Certificate::parse(claim.lines().last().expect("a line")).expect("a certificate");
        assert!(claim.check(Effort { states: 1000 }).stands(), "{size}");
        for (method, part) in [(["--heuristic", "korf96"], "such as lc"), (["--fsm", "12"], "--fsm inverse")]
        {
            let (code, _, err) = run(&[&["solve", "--size", size, board.trim()][..], &method].concat(), "");
            assert!(code == 2 && err.contains(part), "{err}");
        }
    }
    assert_eq!(run(&["fsm", "learn", "--size", "7x7", "--depth", "4"], "").0, 2);
    assert_eq!(run(&["random", "--size", "11x11"], "").0, 2);
}

#[test]
fn several_tiles_move_as_one() {
    for (notation, expected) in [("blank", "1 L2\n"), ("tile", "1 1\n"), ("positions", "1 0\n")] {
        let args = ["solve", "--metric", "multi", "--notation", notation, "1 2 0 3 4 5 6 7 8"];
        let (code, out, _) = run(&args, "");
        assert_eq!((code, out.as_str()), (0, expected));
    }
    let (code, out, _) = run(&["solve", "--metric", "multi", "--json", "8 6 7 2 5 4 3 0 1"], "");
    let record: serde_json::Value = serde_json::from_str(&out).expect("a record");
    assert_eq!((code, &record["metric"], &record["heuristic"]), (0, &"multi".into(), &"pdb".into()));
    for (args, part) in [
        (&["--metric", "multi", "--heuristic", "md"][..], "--heuristic pdb"),
        (&["--metric", "multi", "--fsm", "8"], "--fsm inverse"),
        (&["--heuristic", "lines"], "--metric multi"),
    ] {
        let (code, _, err) = run(&[&["solve", "1 2 0 3 4 5 6 7 8"][..], args].concat(), "");
        assert!(code == 2 && err.contains(part), "{err}");
    }
    let large = run(&["random", "--size", "6x6", "--metric", "multi"], "");
    assert!(large.0 == 2 && large.2.contains("at most 5 rows and columns"), "{}", large.2);
    for command in [&["heuristic", "1 0 2 3"][..], &["improve", "1 0 2 3; L"]] {
        assert_eq!(run(&[command, &["--metric", "multi"]].concat(), "").0, 2);
    }
}

#[test]
fn a_certificate_names_the_metric_and_the_referee_counts_in_it() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("claims");
    let path = file.to_str().expect("a path");
    let boards = ["8 6 7 2 5 4 3 0 1", "1 2 0 3 4 5 6 7 8"];
    let solve = [&["solve", "--metric", "multi", "--certificate", path][..], &boards].concat();
    let (code, out, err) = run_in(dir.path(), &solve, "");
    assert_eq!((code, out.lines().nth(1)), (0, Some("1 L2")), "{err}");
    let text = fs::read_to_string(&file).expect("certificates");
    let effort = Effort { states: 1_000_000 };
    for line in text.lines() {
        let claim = Certificate::parse(line).expect("a certificate");
        assert_eq!(claim.metric, Metric::Multi);
        let report = claim.check(effort);
        assert!(report.proved && report.stands(), "{report:?}");
    }
    // The same moves are more than claimed where each tile counts.
    let wrong = text.replace("\"metric\":\"multi\"", "\"metric\":\"moves\"");
    let wrong = Certificate::parse(wrong.lines().last().expect("a line")).expect("a certificate");
    assert!(!wrong.check(effort).stands());
    let (code, _, err) = run_in(dir.path(), &["recheck", path], "");
    assert_eq!(code, 0, "{err}");
}

#[test]
fn boards_are_begun_in_the_order_of_their_forecasts_while_the_budget_lasts() {
    let input = "8 6 7 2 5 4 3 0 1\n1 2 0 3 4 5 6 7\n1 2 0 3 4 5 6 7 8\n";
    let solve = |more: &[&str]| {
        let args = [&["solve", "--heuristic", "md", "--fsm", "inverse"][..], more, &["-"]].concat();
        run(&args, input)
    };
    let (code, out, err) = solve(&["--easiest-first"]);
    let lines: Vec<&str> = out.lines().collect();
    assert!(code == 3 && lines.len() == 3 && lines[0].starts_with("error: line 2: "), "{out}{err}");
    assert!(lines[1] == "2 LL" && lines[2].starts_with("27 "), "{out}");
    let (code, out, err) = solve(&["--budget", "1h", "--csv"]);
    assert!(
        code == 3 && out.matches("instance,result").count() == 1 && out.lines().count() == 4,
        "{out}{err}"
    );
    let (code, out, err) = solve(&["--budget", "0s"]);
    assert!(code == 3 && out.lines().count() == 1, "{out}");
    let left: Vec<&str> = err.lines().filter(|line| line.contains("not begun, forecast")).collect();
    assert!(left.len() == 2 && left[0].contains("line 3: ") && left[1].contains("line 1: "), "{err}");
    let (code, out, _) = run(&["solve", "--heuristic", "md", "--budget", "0s", "1 2 0 3 4 5 6 7 8"], "");
    assert_eq!((code, out.as_str()), (4, ""));
    // Where several tiles slide as one move, too.
    let solve = |more: &[&str]| {
        let args = [&["solve", "--metric", "multi"][..], more, &["-"]].concat();
        let (code, out, err) = run(&args, "8 6 7 2 5 4 3 0 1\n1 2 0 3 4 5 6 7 8\n");
        let lengths: Vec<String> =
            out.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect();
        assert!(code == 0 && lengths.len() == 2 && lengths.contains(&"1".to_owned()), "{out}{err}");
        lengths
    };
    let (mut given, easiest) = (solve(&[]), solve(&["--easiest-first"]));
    given.reverse();
    assert_eq!(easiest, given);
}

#[test]
fn the_hardest_eight_puzzles_take_31_moves() {
    let (code, out, _) = run(&["solve", "--json", "8 6 7 2 5 4 3 0 1"], "");
    assert_eq!(code, 0);
    let record: serde_json::Value = serde_json::from_str(&out).expect("a record");
    assert_eq!(record["result"]["kind"], "optimal");
    assert!(record["iterations"].as_array().is_some_and(|iterations| !iterations.is_empty()));
    assert_eq!(record["heuristic"], "pdb");
}

#[test]
fn a_damaged_table_is_refused_before_the_search() {
    let dir = tempfile::tempdir().expect("a directory");
    let solve = || {
        let args = ["solve", "--heuristic", "pdb", "--fsm", "inverse", "8 6 7 2 5 4 3 0 1"];
        run_in(dir.path(), &args, "")
    };
    assert!(solve().1.starts_with("27 "), "{}", solve().1);
    let table = fs::read_dir(dir.path()).expect("tables").map(|file| file.expect("a file").path());
    let path = table.filter(|path| path.extension().is_some_and(|it| it == "table")).min().expect("a table");
    let mut bytes = fs::read(&path).expect("a table");
    *bytes.last_mut().expect("a body") ^= 4;
    fs::write(&path, &bytes).expect("written");
    let (code, out, err) = solve();
    assert_eq!((code, out.as_str()), (6, ""), "{err}");
    assert!(err.contains("tables remove"), "{err}");
}

#[test]
fn a_batch_answers_every_line_and_returns_the_worst_code() {
    let (code, out, _) = run(&["solve", "-"], "1 2 0 3 4 5 6 7 8\n1 1 2 3\n1 2 0 3 4 5 6 7 8\n");
    assert_eq!(code, 3);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((lines[0], lines[2]), ("2 LL", "2 LL"));
    assert!(lines[1].starts_with("error: line 2"));
}

#[test]
fn a_board_on_several_lines_is_one_board() {
    let solve = |input: &str| {
        let (code, out, _) = run(&["solve", "-"], input);
        (code, out)
    };
    assert_eq!(solve("0 1 2\n3 4 5\n6 7 8\n"), (0, "0\n".to_owned()));
    assert_eq!(
        solve("# 8-puzzle\n3\n1 0 2\n3 4 5\n6 7 8\n1 0 2 3 4 5 6 7 8\n"),
        (0, "1 L\n1 L\n".to_owned())
    );
    // The first row of a 4x4 board could be a 2x2 board, so it is rejected, and the other lines as too few rows.
    let (code, out) = solve("0 1 2 3\n4 5 6 7\n8 9 10 11\n12 13 14 15\n");
    assert_eq!((code, out.lines().count()), (3, 2), "{out}");
    assert!(out.contains("a 2x2 board or the first row of a 4x4 board (choose with --size"), "{out}");
    let (code, out, _) = run(
        &["solve", "--heuristic", "md", "--size", "4x4", "-"],
        "0 1 2 3\n4 5 6 7\n8 9 10 11\n12 13 14 15\n",
    );
    assert_eq!((code, out.as_str()), (0, "0\n"));
    let (code, _, err) = run(&["solve", "1", "2", "0"], "");
    assert!(code == 3 && err.contains("\"1 2 0\""), "{err}");
}

#[test]
fn the_goal_is_stated_once_if_boards_seem_meant_for_the_other_one() {
    let remarks = |args: &[&str], input: &str| {
        let (code, _, err) = run(args, input);
        assert_eq!(code, 0, "{err}");
        err.lines().filter(|line| line.contains("the goal has the blank first")).count()
    };
    let board = "1 2 3 4 5 6 7 0 8";
    assert_eq!(remarks(&["solve", "--heuristic", "md", "-"], &format!("{board}\n{board}\n")), 1);
    assert_eq!(remarks(&["solve", "--heuristic", "md", "--goal", "blank-first", board], ""), 0);
    assert_eq!(remarks(&["solve", "--heuristic", "md", "1 2 0 3 4 5 6 7 8"], ""), 0);
}

#[test]
fn boards_are_read_from_a_column() {
    let input = "id,board,length\n1,1 2 0 3 4 5 6 7 8,2\n2,\"0,1,2,3,4,5,6,7,8\",0\n";
    let (code, out, err) = run(&["solve", "--heuristic", "md", "--column", "board"], input);
    assert_eq!((code, out.as_str()), (0, "2 LL\n0\n"), "{err}");
    let (code, _, err) = run(&["solve", "--column", "cube"], input);
    assert!(code == 2 && err.contains("the columns of the first row are id, board, length"), "{err}");
}

#[test]
fn fixtures_are_read_as_they_are() {
    for (file, count) in
        [("korf-1985-hundred", 100), ("korf-felner-2002-fifty", 50), ("korf-taylor-1996-table-1", 10)]
    {
        let path = format!("{}/../../fixtures/sliding-tiles/{file}.csv", env!("CARGO_MANIFEST_DIR"));
        let input = std::fs::read_to_string(path).expect("a fixture");
        let args = ["solve", "--heuristic", "md", "--fsm", "inverse", "--max-depth", "1", "-"];
        let (code, out, _) = run(&args, &input);
        assert_eq!((code, out.lines().count()), (4, count), "{file}");
        assert!(out.lines().all(|line| line.starts_with(">= ")), "{file}: {out}");
    }
}

#[test]
fn csv_has_a_row_for_each_instance() {
    let input = "1 2 0 3 4 5 6 7 8\n\"1,1,2,3\"\n";
    let (code, out, _) = run(&["solve", "--csv", "--threads", "1", "-"], input);
    let rows: Vec<&str> = out.lines().collect();
    assert_eq!((code, rows.len()), (3, 3));
    assert!(
        rows[0]
            .starts_with("instance,result,length,moves,lower_bound,upper_bound,metric,heuristic,generated,")
    );
    assert!(rows[1].starts_with("1 2 0 3 4 5 6 7 8,optimal,2,LL,2,2,moves,pdb,"), "{out}");
    assert!(rows[2].starts_with("\"1,1,2,3\",malformed,,") && rows[2].contains("tile 1 occurs"), "{out}");
    assert_eq!(run(&["solve", "--csv", "--json", "-"], "").0, 2);
}

/// A quick solution, one within a gap and one that a limit ended: each has both bounds, and is found again.
#[test]
fn an_answer_that_is_not_proved_has_both_bounds() {
    let board = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";
    let solve = |more: &[&str]| {
        let args =
            [&["solve", "--heuristic", "korf96", "--fsm", "inverse", "--json"], more, &[board]].concat();
        let (code, out, err) = run(&args, "");
        let records = out.lines().map(|line| serde_json::from_str(line).expect("a record"));
        (code, records.collect::<Vec<serde_json::Value>>(), err)
    };
    let bounds = |record: &serde_json::Value| {
        let bound = |name: &str| record[name].as_u64().expect("a bound");
        assert_eq!(record["solution"].as_str().map(|moves| moves.len() as u64), Some(bound("upper_bound")));
        assert!(bound("lower_bound") <= 57 && bound("upper_bound") >= 57, "{record}");
        (bound("lower_bound"), bound("upper_bound"))
    };
    let (code, records, err) = solve(&["--quick", "--stream"]);
    assert_eq!((code, records.len()), (0, 2), "{err}");
    assert_eq!(bounds(&records[0]), bounds(&records[1]));
    assert_eq!(records[1]["result"]["kind"], "lower_bound");
    let (code, records, err) = solve(&["--within", "8"]);
    let (lower, upper) = bounds(&records[0]);
    assert!(code == 0 && upper - lower <= 8, "{err}");
    let (code, records, err) = solve(&["--within", "1", "--max-depth", "47"]);
    assert!(code == 4 && bounds(&records[0]).0 == 49, "{err}");
    let (code, records, _) = solve(&["--no-upper", "--max-depth", "47"]);
    assert!(code == 4 && records[0].get("upper_bound").is_none() && records[0].get("solution").is_none());
    assert_eq!(run(&["solve", "--no-upper", "--quick", board], "").0, 2);
}

#[test]
fn bounds_are_proved_when_there_is_no_solution_within_them() {
    let (code, out, _) = run(&["solve", "--max-depth", "10", "8 6 7 2 5 4 3 0 1"], "");
    assert_eq!(code, 4);
    let bound: u32 = out.trim().strip_prefix(">= ").and_then(|n| n.parse().ok()).expect("a bound");
    assert!(bound > 10);
}

#[test]
fn tables_are_planned_and_built() {
    let dir = tempfile::tempdir().expect("a directory");
    let of = |line: &str| {
        let args: Vec<&str> = ["tables"].into_iter().chain(line.split(' ')).collect();
        let (code, out, err) = run_in(dir.path(), &args, "");
        assert_eq!(code, 0, "{err}");
        out
    };
    let each = of("plan --size 4x4 --each");
    assert_eq!(each.lines().count(), 3, "{each}");
    assert!(each.contains("additive pattern database of 8 tiles of 4x4"), "{each}");
    let built = of("build --size 2x2");
    assert!(built.starts_with("tiles-2x2-fsm-12 ") && built.contains("built in "), "{built}");
    assert!(of("plan --size 2x2 --each").contains("exists"));
    assert!(of("build --size 2x2").contains("already existed, read in"));
}

#[test]
fn catalogues_are_compared() {
    let plan = |line: &str| {
        let (code, out, err) =
            run(&["tables", "plan"].into_iter().chain(line.split(' ')).collect::<Vec<_>>(), "");
        assert_eq!(code, 0, "{err}");
        out
    };
    let rows = plan("--quick --threads 2 --memory 2GiB --json");
    let rows: Vec<serde_json::Value> =
        rows.lines().map(|line| serde_json::from_str(line).expect("a row")).collect();
    let tables: Vec<u64> = rows.iter().filter_map(|row| row["tables"].as_u64()).collect();
    assert_eq!(tables, [10, 22, 46, 93]);
    assert!(
        rows.iter()
            .all(|row| row["there"] == 0 && row["measured"] == false && row["median_seconds"].is_null())
    );
    assert!(rows.iter().all(|row| row["peak_bytes"].as_u64() <= row["memory"].as_u64()));
    let lines = plan("--quick --threads 2 --memory 1GiB");
    assert!(lines.lines().last().is_some_and(|line| line.starts_with("pdb --memory 1GiB ")), "{lines}");
    assert!(lines.contains("46 tables, 106 partitions, peak ") && lines.contains(" to build\n"), "{lines}");
    assert_eq!(plan("--quick --size 6x6"), "", "there are none");
    // With the calibration, boards whose nodes were counted have a time.
    let measured = plan("--size 3x4 --memory 1GiB");
    assert!(measured.contains("half of random boards take less than 0.0"), "{measured}");
    assert!(!plan("--size 2x4 --memory 1GiB").contains("half"));
}

#[test]
fn a_board_is_estimated() {
    let board = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";
    let (code, out, err) = run(&["tables", "plan", "--heuristic", "md", "--for", board], "");
    assert_eq!(code, 0, "{err}");
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("at least 41 moves by md; bounds to 5"), "{out}");
    let (code, out, _) = run(&["tables", "plan", "--heuristic", "md", "--json", "--for", "-"], board);
    assert_eq!(code, 0);
    let record: serde_json::Value = serde_json::from_str(&out).expect("a record");
    assert_eq!((&record["instance"], &record["first_bound"]), (&board.into(), &41.into()));
    let bounds = |name: &str| record[name].as_array().expect("bounds").len();
    assert!(bounds("searched") > 3 && (record["solved"] == 57 || bounds("expected") > 0), "{out}");
    let (code, _, err) = run(&["tables", "plan", "--for", "1 1 2 3"], "");
    assert!(code == 3 && err.contains("tile 1 occurs"), "{err}");
    assert_eq!(run(&["tables", "plan", "--quick", "--for", board], "").0, 2);
}

#[test]
fn random_instances_repeat_and_can_be_solved() {
    let draw = || run(&["random", "--size", "3x3", "--count", "3", "--seed", "5"], "").1;
    let instances = draw();
    assert_eq!(instances, draw());
    assert_eq!(run(&["solve", "-"], &instances).0, 0);
}

#[test]
fn learned_automata_and_reasons_of_values_are_printed() {
    let (code, out, _) = run(&["fsm", "learn", "--size", "5x5", "--depth", "6"], "");
    assert_eq!(code, 0);
    assert!(out.contains("strings 8, states before merging 21") && out.contains("2.3463"), "{out}");
    let (_, out, _) = run(&["heuristic", "0 3 2 1 4 5 6 7 8 9 10 11 12 14 13 15"], "");
    assert!(out.contains("+4  linear conflict in row 1: tiles 3, 2, 1"), "{out}");
}
