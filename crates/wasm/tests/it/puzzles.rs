//! Requests and answers: any permutation puzzle.

use crate::host::{Memory, messages};
use serde_json::{Value, json};

/// The puzzle of the first two generators of the symmetric group of four points.
const GENERATORS: &str = "a := (1,2,3,4); b := (1,2);";

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().map(|text| text.as_str().expect("a text")).collect()
}

#[test]
fn every_built_in_puzzle_is_read_by_its_example() {
    let host = Memory::new(true);
    let builtins = host.ok(json!({ "do": "puzzle.builtins" }));
    let examples: Vec<&Value> = builtins.as_array().unwrap().iter().map(|entry| &entry["example"]).collect();
    assert!(examples.len() >= 18, "{builtins}");
    for example in examples {
        let about = host.ok(json!({ "do": "puzzle.read", "puzzle": example, "text": "" }));
        assert_eq!((&about["name"], &about["faults"]), (example, &json!([])));
    }
    let cube = host.ok(json!({ "do": "puzzle.read", "puzzle": "2x2x2", "text": "R U'" }));
    assert_eq!(texts(&cube["rotations"]), ["x", "y", "z"]);
    assert_eq!(cube["moves"].as_array().unwrap().len(), 18);
    assert_eq!(cube["orbits"], json!([{ "name": "CORNERS", "pieces": 8, "orientations": 3 }]));
}

#[test]
fn a_scramble_is_solved_with_tables_that_are_kept() {
    let host = Memory::new(false);
    let solve = json!({
        "do": "puzzle.solve", "puzzle": "2x2x2", "text": "R U R' F2", "all": true, "extra": 1,
    });
    let solved = host.ok(solve.clone());
    assert_eq!((&solved["ending"], &solved["length"]), (&json!("optimal"), &json!(4)));
    assert_eq!(solved["solutions"][0]["moves"], "F2 R U' R'");
    assert_eq!(solved["heuristic"], "all positions");
    let kept: Vec<String> = host.tables.lock().unwrap().keys().cloned().collect();
    assert_eq!(solved["tables"][0]["name"], json!(kept[0]));
    // Another state of the same puzzle is solved by the solver in memory.
    host.events.lock().unwrap().clear();
    let all = json!({ "do": "puzzle.solve", "puzzle": "2x2x2", "text": "R U", "all": true });
    assert_eq!(host.ok(all)["length"], 2);
    // On another thread nothing is in memory, so the table is read.
    std::thread::spawn(move || host.ok(solve)).join().unwrap();
    assert!(!host.notes().iter().any(|note| note.contains("building")), "{:?}", host.notes());
}

#[test]
fn threads_change_no_solution_of_a_puzzle() {
    let solve = json!({
        "do": "puzzle.solve", "puzzle": "pyraminx", "text": "U L' R B U' R l b'", "memory": 1 << 20,
    });
    let answers: Vec<Value> =
        [1, 3].map(|threads| Memory::on_threads(true, threads).ok(solve.clone())).into();
    assert_eq!(answers[0]["length"], answers[1]["length"]);
    assert_eq!(answers[0]["heuristic"], answers[1]["heuristic"]);
    let complete = |answer: &Value| -> Vec<Value> {
        let iterations = answer["iterations"].as_array().unwrap();
        iterations[..iterations.len() - 1].iter().map(|one| one["generated"].clone()).collect()
    };
    assert_eq!(complete(&answers[0]), complete(&answers[1]));
}

#[test]
fn a_search_of_a_puzzle_begins_with_the_proved_bound() {
    let host = Memory::new(true);
    let solve = json!({ "do": "puzzle.solve", "puzzle": "topspin-16-4", "text": "F R F R2 F R' F R3 F R5 F R2 F R7 F", "memory": 1 << 16 });
    let whole = host.ok(solve.clone());
    let bounds = |answer: &Value| answer["iterations"].as_array().unwrap().len();
    let mut later = solve;
    later["at_least"] = whole["length"].clone();
    let later = host.ok(later);
    assert_eq!((&later["length"], bounds(&later)), (&whole["length"], 1));
    assert!(bounds(&whole) > 1, "{whole}");
}

#[test]
fn the_nearest_of_several_goals_is_reached_and_faults_name_the_goal() {
    let host = Memory::new(true);
    let length = |puzzle: &str, text: &str, goal: Value| {
        let solve = json!({ "do": "puzzle.solve", "puzzle": puzzle, "text": text, "goal": goal });
        host.ok(solve)["length"].clone()
    };
    assert_eq!(length("pancake-6", "f3 f5 f2", json!({ "states": "f6\nf4 f6" })), 4);
    let edges = json!({ "ignored": "EDGES" });
    assert_eq!(length("pyraminx-without-tips", "R U' L B", edges), 4);
    let open = json!({ "unoriented": "CORNERS:0-3", "alike": "CORNERS:4,5 CORNERS:6,7" });
    assert!(length("2x2x2", "R U F2 R'", open).as_u64().unwrap() <= 4);
    for (goal, part) in [
        (json!({ "states": "R Q" }), "Q"),
        (json!({ "ignored": "EDGES" }), "orbits are CORNERS"),
        (json!({ "alike": "CORNERS:x" }), "names no places"),
    ] {
        let solve = json!({ "do": "puzzle.solve", "puzzle": "2x2x2", "text": "R", "goal": goal });
        let answer = host.ask(solve);
        let faults = messages(&answer);
        assert!(faults[0].starts_with("Goal: ") && faults[0].contains(part), "{answer}");
    }
}

#[test]
fn definitions_and_choices_of_moves_are_read() {
    let host = Memory::new(true);
    let request = |what: &str, more: Value| {
        let mut request = json!({ "do": what, "definition": GENERATORS, "text": "a b" });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };
    let about = host.ok(request("puzzle.read", json!({})));
    assert_eq!(texts(&about["moves"]), ["a", "a2", "a'", "b"]);
    let about = host.ok(request("puzzle.read", json!({ "metric": "generators" })));
    assert_eq!(texts(&about["moves"]), ["a", "b"]);
    assert_eq!(host.ok(request("puzzle.solve", json!({})))["length"], 2);
    assert_eq!(host.ok(request("puzzle.solve", json!({ "metric": "generators" })))["length"], 4);
    let group = host.ok(request("puzzle.group", json!({})));
    assert_eq!((&group["order"], &group["positions"]), (&json!("24"), &json!("24")));
    let part = host.ok(request("puzzle.solve", json!({ "moves": "a" })));
    assert_eq!(part["ending"], "exhausted");
    assert!(part["remark"].as_str().unwrap().starts_with("No solution"), "{part}");
    let listed = host.ok(request("puzzle.solve", json!({ "text": "2 1 3 4" })));
    assert_eq!(listed["solutions"][0]["moves"], "b");
}

#[test]
fn random_states_are_solved_and_uniform_where_the_group_is_known() {
    let host = Memory::new(true);
    for (puzzle, uniform) in [("skewb", true), ("pancake-6", true), ("square-1", true)] {
        let draw = |seed: u64| host.ok(json!({ "do": "puzzle.random", "puzzle": puzzle, "seed": seed }));
        let drawn = draw(1);
        assert_eq!(drawn["uniform"], uniform);
        assert_eq!((&draw(1), draw(2) == drawn), (&drawn, false), "{puzzle}");
        let read = host.ok(json!({ "do": "puzzle.read", "puzzle": puzzle, "text": drawn["text"] }));
        assert_eq!(read["faults"], json!([]), "{puzzle}");
        if puzzle != "square-1" {
            let solve = json!({ "do": "puzzle.solve", "puzzle": puzzle, "text": drawn["text"] });
            assert_eq!(host.ok(solve)["ending"], "optimal", "{puzzle}");
        }
    }
}

#[test]
fn positions_are_counted_to_the_end_or_to_a_depth() {
    let host = Memory::new(true);
    let count = |more: Value| {
        let mut request = json!({ "do": "puzzle.count" });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        host.ok(request)
    };
    let pancakes = count(json!({ "puzzle": "pancake-5" }));
    assert_eq!(texts(&pancakes["layers"]), ["1", "4", "12", "35", "48", "20"]);
    assert_eq!((&pancakes["positions"], &pancakes["complete"]), (&json!("120"), &json!(true)));
    assert!(!texts(&pancakes["deepest"]).is_empty());
    let cube = count(json!({ "puzzle": "3x3x3", "max_depth": 3 }));
    assert_eq!(texts(&cube["layers"]), ["1", "18", "243", "3240"]);
    assert_eq!((&cube["complete"], &cube["remark"]), (&json!(false), &Value::Null));
    let short = count(json!({ "puzzle": "3x3x3", "memory": 100_000 }));
    assert_eq!(texts(&short["layers"])[..3], ["1", "18", "243"]);
    assert!(short["remark"].as_str().unwrap().contains("maximum depth"), "{short}");
}

#[test]
fn faults_of_a_puzzle_name_the_field() {
    let host = Memory::new(true);
    for (request, field, part) in [
        (json!({ "puzzle": "4x5" }), "Puzzle: ", "no built-in puzzle"),
        (json!({ "puzzle": "pancake-99" }), "Puzzle: ", "2 to 60"),
        (json!({ "definition": "nothing" }), "Puzzle: ", "not a definition"),
        (json!({ "puzzle": "skewb", "moves": "Q" }), "Choice of moves: ", "Q"),
        (json!({ "puzzle": "skewb", "metric": "qtm" }), "Metric: ", "powers, inverses, generators"),
    ] {
        for what in ["puzzle.read", "puzzle.solve", "puzzle.count", "puzzle.group", "puzzle.random"] {
            let mut request = request.clone();
            request["do"] = json!(what);
            request["text"] = json!("");
            request["seed"] = json!(1);
            let answer = host.ask(request);
            let faults = messages(&answer);
            assert!(faults[0].starts_with(field) && faults[0].contains(part), "{answer}");
        }
    }
    let read = json!({ "do": "puzzle.read", "puzzle": "skewb", "text": "R Q" });
    let faults = host.ok(read.clone())["faults"].clone();
    assert!(faults[0]["message"].as_str().unwrap().starts_with("State: "), "{faults}");
    let mut solve = read;
    solve["do"] = json!("puzzle.solve");
    assert_eq!(host.ask(solve)["faults"], faults);
}

#[test]
fn states_are_written_as_patterns() {
    let host = Memory::new(true);
    let request = |texts: Value| json!({ "do": "puzzle.patterns", "definition": GENERATORS, "texts": texts });
    let patterns = host.ok(request(json!(["", "b", "2 1 3 4"])));
    let pieces = |text: &str| serde_json::from_str::<Value>(text).expect("JSON")["POINTS"]["pieces"].clone();
    let all: Vec<Value> = texts(&patterns).into_iter().map(pieces).collect();
    assert_eq!(all, [json!([0, 1, 2, 3]), json!([1, 0, 2, 3]), json!([1, 0, 2, 3])]);
    assert!(messages(&host.ask(request(json!(["b", "c"]))))[0].starts_with("State: "));
}
