//! Requests for cubes: chosen moves, goals, fixed moves, insertions.

use crate::answers::SOLVED;
use crate::host::{Memory, messages};
use optimal_puzzles_wasm::host::Event;
use referee::cube as judge;
use serde_json::{Value, json};

/// The facelets of the cube that `text` leads to.
pub fn facelets(host: &'static Memory, text: &str) -> Value {
    host.ok(json!({ "do": "cube.read", "text": text }))["facelets"].clone()
}

/// A request to solve the cube that `text` leads to, with more fields.
fn solve(host: &'static Memory, text: &str, more: Value) -> Value {
    let mut request =
        json!({ "do": "cube.solve", "facelets": facelets(host, text), "heuristic": "square-0" });
    let (fields, more) = (request.as_object_mut().unwrap(), more.as_object().unwrap().clone());
    fields.extend(more);
    host.ask(request)
}

/// The least number of moves of `names` after which `is_goal` holds, by trying all strings.
fn least(start: &judge::Cube, names: &[&str], is_goal: &dyn Fn(&judge::Cube) -> bool) -> u64 {
    let moves = judge::parse_moves(&names.join(" ")).unwrap();
    let mut layer = vec![start.clone()];
    for depth in 0.. {
        if layer.iter().any(is_goal) {
            return depth;
        }
        layer = layer.iter().flat_map(|cube| moves.iter().map(|turn| cube.after(turn))).collect();
    }
    unreachable!("the layers do not end")
}

fn after(moves: &str) -> judge::Cube {
    judge::Cube::solved().after_all(&judge::parse_moves(moves).unwrap())
}

#[test]
fn cubes_are_solved_with_chosen_moves_or_refused() {
    let host = Memory::new(false);
    let names = ["U", "U2", "U'", "R", "R2", "R'"];
    let solved = &solve(host, "R U R2 U'", json!({ "moves": "U R" }))["ok"];
    let is_solved = |cube: &judge::Cube| *cube == judge::Cube::solved();
    assert_eq!(solved["length"], least(&after("R U R2 U'"), &names, &is_solved));
    let moves = solved["solutions"][0]["moves"].as_str().unwrap();
    assert!(moves.split(' ').all(|name| names.contains(&name)), "{moves}");
    assert!(is_solved(&after(&format!("R U R2 U' {moves}"))));
    assert_eq!(solved["heuristic"], "distances with the moves U R");
    // Slices count as one move by default.
    let slices = &solve(host, "M2 E2", json!({ "moves": "M E S", "all": true }))["ok"];
    assert_eq!((&slices["length"], slices["solutions"].as_array().unwrap().len()), (&json!(2), 2));
    let tables = host.tables.lock().unwrap().len();
    let none = &solve(host, "R U F", json!({ "moves": "U R D" }))["ok"];
    assert_eq!((&none["ending"], &none["length"]), (&json!("exhausted"), &Value::Null));
    assert!(none["remark"].as_str().unwrap().starts_with("The moves U R D do not solve this cube"), "{none}");
    assert_eq!(host.tables.lock().unwrap().len(), tables, "no table is built for an exhausted search");
}

#[test]
fn open_goals_are_solved() {
    let host = Memory::new(false);
    let names = [
        "U", "U2", "U'", "R", "R2", "R'", "F", "F2", "F'", "D", "D2", "D'", "L", "L2", "L'", "B", "B2", "B'",
    ];
    // The edges of D: their stickers on D, and those in the lowest row of each side.
    let has_cross = |cube: &judge::Cube| {
        let (now, solved) = (cube.facelets(), judge::Cube::solved());
        [28, 30, 32, 34, 16, 25, 43, 52].iter().all(|&at| now[at] == solved.facelets()[at])
    };
    for text in ["R U F2 L", "F D' R2", "U"] {
        let solved = &solve(host, text, json!({ "goal": "cross" }))["ok"];
        assert_eq!(solved["length"], least(&after(text), &names, &has_cross), "{text}");
        let moves = solved["solutions"][0]["moves"].as_str().unwrap();
        assert!(has_cross(&after(&format!("{text} {moves}"))), "{moves}");
    }
    // As the command line answers.
    let line = &solve(host, "R F U D", json!({ "goal": "eoline" }))["ok"];
    assert_eq!(line["solutions"][0]["moves"], "U' D' F'");
    let turned = &solve(host, "U R U R'", json!({ "auf": true }))["ok"];
    assert_eq!(turned["solutions"][0]["moves"], "R U' R'");
    let top = &solve(host, "D", json!({ "goal": "cross", "bottom": "U" }))["ok"];
    assert_eq!(top["length"], 0);
    let any = &solve(host, "D R", json!({ "goal": "eo,cross", "bottom": "any", "front": "any" }))["ok"];
    assert_eq!(any["length"], 0);
}

/// Half turns alone, to the floppy reduction along any axis; distances by trying all strings.
#[test]
fn chosen_face_turns_lead_to_open_goals() {
    let host = Memory::new(false);
    let names = ["U2", "D2", "R2", "L2", "F2", "B2"];
    let subgroup = |names: [&str; 4]| {
        let mut known = vec![judge::Cube::solved()];
        let moves = judge::parse_moves(&names.join(" ")).unwrap();
        let mut next = 0;
        while let Some(cube) = known.get(next).cloned() {
            for turn in &moves {
                let reached = cube.after(turn);
                if !known.contains(&reached) {
                    known.push(reached);
                }
            }
            next += 1;
        }
        assert_eq!(known.len(), 192);
        known
    };
    let axes = [["R2", "L2", "F2", "B2"], ["U2", "D2", "F2", "B2"], ["U2", "D2", "R2", "L2"]].map(subgroup);
    let is_reduced = |cube: &judge::Cube| axes.iter().any(|axis| axis.contains(cube));
    for text in ["U2 R2 F2 D2 L2 U2", "R2 F2 U2 B2"] {
        let more = json!({ "moves": "U2 D2 R2 L2 F2 B2", "goal": "fr", "bottom": "any" });
        let solved = &solve(host, text, more)["ok"];
        assert_eq!(solved["length"], least(&after(text), &names, &is_reduced), "{text}");
        let moves = solved["solutions"][0]["moves"].as_str().unwrap();
        assert!(moves.split(' ').all(|name| names.contains(&name)), "{moves}");
        assert!(is_reduced(&after(&format!("{text} {moves}"))), "{moves}");
    }
    let refused = solve(host, "R U", json!({ "moves": "U2 D2 R2 L2 F2 B2", "goal": "fr" }));
    assert!(refused["error"].as_str().unwrap().contains("do not solve this cube"), "{refused}");
}

#[test]
fn fixed_moves_are_at_the_ends_and_count() {
    let host = Memory::new(false);
    let text = "F' L' D2 U' R'";
    for more in [json!({ "pre": "R U", "post": "F" }), json!({ "pre": "R U (F')" })] {
        host.events.lock().unwrap().clear();
        let solved = &solve(host, text, more)["ok"];
        assert_eq!((&solved["length"], &solved["solutions"][0]["moves"]), (&json!(5), &json!("R U D2 L F")));
        let bounds = solved["iterations"].as_array().unwrap().iter().map(|one| one["bound"].clone());
        let events = host.events.lock().unwrap();
        let begun = events.iter().filter_map(|event| match event {
            Event::Bound { bound, .. } => Some(json!(bound)),
            _ => None,
        });
        assert_eq!(begun.collect::<Vec<_>>(), bounds.collect::<Vec<_>>(), "reports are of whole solutions");
    }
    let sided = &solve(host, "R U F2 L'", json!({ "niss": 2 }))["ok"]["solutions"][0];
    assert_eq!((&sided["moves"], &sided["shown"]), (&json!("L F2 U' R'"), &json!("L F2 (R U)")));
    // Bounds proved for whole solutions are not searched again.
    let later = &solve(host, text, json!({ "pre": "R U", "post": "F", "at_least": 5 }))["ok"];
    assert_eq!(later["iterations"].as_array().unwrap().len(), 1);
    let joined = &solve(host, "R2", json!({ "pre": "R" }))["ok"];
    assert_eq!(
        (&joined["length"], &joined["remark"]),
        (&json!(2), &json!("With turns of one face joined these are 1: R2"))
    );
}

#[test]
fn invalid_requests_name_each_field() {
    let host = Memory::new(false);
    let faults = |more: Value| {
        let answer = solve(host, "R U", more);
        messages(&answer).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let all =
        faults(json!({ "metric": "otm", "goal": "nothing", "moves": "U Q", "pre": "R (U", "post": "X2" }));
    for field in ["Metric: ", "Goal: ", "Moves: ", "First moves: ", "Last moves: "] {
        assert_eq!(all.iter().filter(|fault| fault.starts_with(field)).count(), 1, "{field} {all:?}");
    }
    for (more, part) in [
        (json!({ "goal": "cross", "moves": "M U" }), "the only goal"),
        (json!({ "goal": "cross", "metric": "axial" }), "the only goal"),
        (json!({ "goal": "cross", "moves": "U R", "pre": "R" }), "not available with chosen moves"),
        (json!({ "metric": "stm", "pre": "R" }), "not available with chosen moves"),
        (json!({ "goal": "cross", "post": "R" }), "fix only first moves"),
        (json!({ "goal": "cross", "niss": 1 }), "fix only first moves"),
        (json!({ "pre": "(R)", "post": "U" }), "leave out one of the two"),
        (json!({ "post": "(R)" }), "give them with the first moves"),
        (json!({ "moves": "U'" }), "one direction of a turn"),
        (json!({ "goal": "eo", "bottom": "X" }), "no face"),
        (json!({ "goal": "htr", "auf": true }), "cannot be left open"),
    ] {
        let faults = faults(more.clone());
        assert!(faults.len() == 1 && faults[0].contains(part), "{more}: {faults:?}");
    }
}

#[test]
fn insertions_complete_a_skeleton() {
    let host = Memory::on_threads(true, 2);
    // Five corners are left by the skeleton.
    let solution = "R2 U' F R U' L' U R' U' L U D L2 B' D' F' U F D F' U' F U2 R F'";
    let facelets = facelets(host, &format!("({solution})'"));
    let request = |skeleton: &str| {
        host.ask(json!({ "do": "cube.insert", "facelets": facelets, "skeleton": skeleton, "count": 5 }))
    };
    let found = &request("R2 U' F D (F R' U2 B L2)")["ok"];
    assert_eq!((&found["corners"], &found["edges"]), (&json!(5), &json!(0)));
    let (solved, steps) = (found["solved"].as_array().unwrap(), found["steps"].as_array().unwrap());
    assert_eq!((solved.len(), steps.len()), (5, 5));
    for one in solved {
        let moves = one["moves"].as_str().unwrap();
        let solved = host.ok(json!({ "do": "cube.read", "text": format!("({solution})' {moves}") }));
        assert_eq!(solved["facelets"], SOLVED, "{one}");
        assert_eq!(one["length"].as_u64().unwrap() as usize, moves.split(' ').count());
    }
    assert_eq!((&steps[0]["corners"], &steps[0]["edges"]), (&json!(3), &json!(0)));
    assert!(messages(&request(""))[0].contains("pieces unsolved"));
    assert!(messages(&request("R Q"))[0].contains("not a move"));
    let sides = host.ok(json!({ "do": "cube.sides", "text": "R (U F') D2" }));
    assert_eq!(sides, json!({ "scramble": "R D2", "inverse": "U F'" }));
    assert!(!messages(&host.ask(json!({ "do": "cube.sides", "text": "R (U" }))).is_empty());
}

/// The skeleton has moves on both sides, and leaves two corners and two edges.
#[test]
fn one_insertion_solves_corners_and_edges() {
    let host = Memory::on_threads(true, 2);
    // These moves are missing: they swap two corners and two edges.
    let missing = "U R U2 B2 D L D' B2 U R'";
    let solution = format!("R2 U' F {missing} D L2 B' U2 R F'");
    let facelets = facelets(host, &format!("({solution})'"));
    let skeleton = "R2 U' F D (F R' U2 B L2)";
    let found =
        host.ok(json!({ "do": "cube.insert", "facelets": facelets, "skeleton": skeleton, "count": 3 }));
    assert_eq!((&found["corners"], &found["edges"]), (&json!(2), &json!(2)));
    let best = &found["solved"][0];
    assert!(best["length"].as_u64().unwrap() <= solution.split(' ').count() as u64, "{best}");
    let solved = host.ok(
        json!({ "do": "cube.read", "text": format!("({solution})' {}", best["moves"].as_str().unwrap()) }),
    );
    assert_eq!(solved["facelets"], SOLVED, "{best}");
}
