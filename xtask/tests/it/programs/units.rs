//! `units`: a search that many processes share by files gives the answer and the counts of one process.

use super::program::{self, home, texts};
use serde_json::Value;
use std::fs;
use std::path::Path;

const CUBE: &str = "U R2 F B R B2 R U2 L B2 R U D";
const BOARD: &str = "6 4 3 2 7 8 10 9 0 11 1 5";

/// Runs a program with the units in the directory `w` of its home.
fn run(home: &Path, program: &str, args: &[&str]) -> (i32, String, String) {
    let (code, out, err) = texts(program::run(home, program, args));
    (code.expect("an exit code"), out, err)
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

/// Solves by units, the last first and some of them twice, and compares with `solve`: the length, and the solution if the
/// branches are searched in the order of the operators.
fn check(program: &str, method: &str, instance: &str, units: usize, is_in_order: bool) {
    let home = home();
    let run = |args: &[&str]| run(home.path(), program, args);
    let method: Vec<&str> = method.split(' ').collect();
    let expected = record(&run(&[&["solve", "--json", instance][..], &method].concat()).1);
    let count = units.to_string();
    let split = ["units", "split", "--locally", "0", "--units", &count, "--json", "w", instance];
    let (mut code, out, err) = run(&[&split[..], &method].concat());
    let mut last = record(&out);
    while code != 0 {
        assert_eq!((code, &last["result"]["kind"]), (4, &"lower_bound".into()), "{err}");
        for unit in (0..units).rev().chain([0]) {
            let (code, _, err) = run(&["units", "run", "w", "--unit", &unit.to_string(), "--threads", "1"]);
            // Small bounds have fewer units.
            assert!(code == 0 || code == 2 && err.contains("there is no unit"), "{err}");
        }
        let (next, out, err) = run(&["units", "merge", "w", "--json"]);
        let record = record(&out);
        let length = |record: &Value| record["result"]["length"].as_u64();
        assert!(next == 0 || length(&record) > length(&last), "{err}");
        (code, last) = (next, record);
    }
    let compared =
        |record: &Value| if is_in_order { &record["result"] } else { &record["upper_bound"] }.clone();
    assert_eq!(compared(&last), compared(&expected));
    assert_eq!(last["lower_bound"], expected["lower_bound"]);
    assert_eq!(iterations(&last), iterations(&expected));
    assert_eq!((&last["tables"], &last["metric"]), (&expected["tables"], &expected["metric"]));
}

#[test]
#[ignore = ".ci/run runs it with the released programs"]
fn units_give_the_answer_and_the_counts_of_one_process() {
    for (program, method, instance, units, is_in_order) in [
        ("cube-opt", "--heuristic square-1", CUBE, 16, false),
        ("cube-opt", "--heuristic corners --metric qtm", "U R' F B' L D R' U", 5, true),
        ("cube-opt", "--metric stm", "x U R' M B' L E2 R'", 2, false),
        // A symmetric cube, in one unit.
        ("cube-opt", "--heuristic square-1", "U R2 F2 U2 F2 R2 U", 1, false),
        // A cube that is its own inverse, in many units.
        ("cube-opt", "--heuristic square-1", "R F' U2 L B' D F2 D' B L' U2 F R'", 16, false),
        ("tile24", "--heuristic lc --fsm inverse --size 3x4", BOARD, 7, true),
        ("tile24", "--heuristic lc --fsm inverse --order deepest --size 3x4", BOARD, 3, false),
        ("tile24", "--heuristic pdb --size 3x4", BOARD, 3, false),
    ] {
        check(program, method, instance, units, is_in_order);
    }
}

#[test]
fn missing_and_damaged_outcomes_are_searched_again() {
    let home = home();
    let run = |args: &[&str]| run(home.path(), "tile24", args);
    let method = ["--size", "3x4", "--heuristic", "lc", "--fsm", "inverse"];
    let split = [&["units", "split", "--locally", "0", "--units", "3", "w", BOARD][..], &method].concat();
    let (code, out, err) = run(&split);
    // The first bounds are too small for three units, so they are searched at once.
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
    // Without a unit number, all missing units are searched.
    let (code, out, err) = run(&["units", "run", "w"]);
    assert_eq!((code, out.lines().count()), (0, 3), "{err}");
    assert_eq!(run(&["units", "merge", "w"]).1, format!(">= {}\n", bound + 2));
}

#[test]
fn a_board_that_is_solved_at_once_needs_no_units() {
    let (code, out, err) = run(home().path(), "tile24", &["units", "split", "w", "1 2 0 3 4 5 6 7 8"]);
    assert_eq!((code, out.as_str()), (0, "2 LL\n"), "{err}");
}

#[test]
#[ignore = ".ci/run runs it with the released programs"]
fn units_that_do_not_fit_are_refused() {
    for (program, method, instance, bad, fault) in [
        ("cube-opt", "--heuristic square-1", CUBE, "R X", "is not a move"),
        ("tile24", "--size 3x4 --heuristic lc", BOARD, "1 0 2 3 4 5 6 7 8 8", "tile"),
    ] {
        let home = home();
        let run = |args: &[&str]| run(home.path(), program, args);
        fs::create_dir(home.path().join("empty")).expect("created");
        let split = ["units", "split", "--locally", "0", "--units", "16", "w", instance];
        let split = [&split[..], &method.split(' ').collect::<Vec<_>>()].concat();
        assert_eq!(run(&split).0, 4);
        for (args, code, message) in [
            (&["run", "empty"][..], 2, "holds no units"),
            (&["merge", "none"], 1, "none"),
            (&["run", "w", "--unit", "99"], 2, "there is no unit 99"),
            (&["split", "x", bad], 3, fault),
            (&["split", "--units", "0", "x", instance], 2, "--units"),
            (&["split", "w", instance], 2, "already holds units"),
        ] {
            let (found, _, err) = run(&[&["units"][..], args].concat());
            assert!(found == code && err.contains(message), "{program} {args:?}: {found} {err}");
        }
        // Only the plan is there so far.
        let plan = fs::read_dir(home.path().join("w")).expect("a plan").next().expect("one").expect("a file");
        let text = fs::read_to_string(plan.path()).expect("text");
        for other in [text.replace("subtrees", "subtree"), text.replace("heuristic", "herusitic")] {
            assert_ne!(other, text);
            fs::write(plan.path(), other).expect("written");
            for command in [&["merge", "w"][..], &["run", "w", "--unit", "0"]] {
                let (code, _, err) = run(&[&["units"][..], command].concat());
                assert!(code == 1 && err.contains("damaged"), "{program} {command:?}: {err}");
            }
        }
        fs::write(plan.path(), text).expect("written");
        assert_eq!(run(&["units", "run", "w", "--unit", "0"]).0, 0);
        let (code, _, err) = run(&["units", "merge", "w"]);
        assert!(code == 4 && err.contains("units 1,2"), "{err}");
    }
}
