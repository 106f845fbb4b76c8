//! Requests and answers: cubes, tiles, towers.

use crate::asked::facelets;
use crate::host::{Memory, messages};
use serde_json::{Value, json};
use std::thread;

/// The facelets of the solved cube.
pub const SOLVED: &str = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";

fn with(changes: &[(usize, char)]) -> String {
    let mut facelets: Vec<char> = SOLVED.chars().collect();
    changes.iter().for_each(|&(at, symbol)| facelets[at] = symbol);
    facelets.into_iter().collect()
}

#[test]
fn a_cube_is_solved_with_tables_that_are_built_once() {
    let host = Memory::new(false);
    let read = host.ok(json!({ "do": "cube.read", "text": "x R U2 F'" }));
    assert_eq!((&read["format"], &read["turns"]), (&json!("moves"), &json!("R F2 D'")));
    let solve = json!({ "do": "cube.solve", "facelets": read["facelets"], "heuristic": "square-0" });
    let solved = host.ok(solve.clone());
    assert_eq!((&solved["ending"], &solved["length"]), (&json!("optimal"), &json!(3)));
    assert_eq!(solved["solutions"][0]["moves"], "D F2 R'");
    let names: Vec<String> = host.tables.lock().unwrap().keys().cloned().collect();
    assert_eq!(names, ["cube-square0-htm", "cube-square0floor-htm"]);
    // On another thread nothing is in memory, so the tables are read.
    std::thread::spawn(move || {
        host.events.lock().unwrap().clear();
        assert_eq!(host.ok(solve.clone())["length"], 3);
        assert_eq!(host.notes().iter().filter(|note| note.contains("building")).count(), 0);
        let kept = host.ok(json!({ "do": "cube.tables" }));
        assert_eq!((&kept[0]["kept"], &kept[1]["kept"]), (&json!(true), &json!(false)));
        host.tables.lock().unwrap().get_mut("cube-square0floor-htm").unwrap()[100_000] ^= 1;
    })
    .join()
    .unwrap();
    // A damaged table is built again.
    let all =
        json!({ "do": "cube.solve", "facelets": read["facelets"], "heuristic": "square-0", "all": true });
    std::thread::spawn(move || {
        assert_eq!(host.ok(all)["solutions"], json!([{ "length": 3, "moves": "D F2 R'", "next": "D" }]));
        assert!(host.notes().iter().any(|note| note.contains("damaged")), "{:?}", host.notes());
    })
    .join()
    .unwrap();
}

#[test]
fn tables_that_cannot_be_stored_are_used_all_the_same() {
    let host = Memory::new(true);
    let request = json!({ "do": "tiles.solve", "text": "8 7 6 5 4 3 2 1 0", "rows": 3, "cols": 3, "heuristic": "korf96" });
    let solved = host.ok(request);
    assert_eq!((&solved["ending"], solved["length"].as_u64().unwrap()), (&json!("optimal"), 28));
    assert!(host.notes().iter().any(|note| note.contains("not enough space")), "{:?}", host.notes());
}

#[test]
fn a_request_needs_no_heuristic_and_no_size_of_a_square_board() {
    let host = Memory::new(false);
    let facelets = host.ok(json!({ "do": "cube.read", "text": "R U F" }))["facelets"].clone();
    let cube = host.ok(json!({ "do": "cube.solve", "facelets": facelets }));
    assert_eq!((&cube["heuristic"], &cube["length"]), (&json!("square-0"), &json!(3)));
    let text = "8 7 6 5 4 3 2 1 0";
    let board = host.ok(json!({ "do": "tiles.solve", "text": text }));
    assert_eq!((&board["ending"], &board["length"]), (&json!("optimal"), &json!(28)));
    let unsized_board = host.ask(json!({ "do": "tiles.read", "text": "1 2 3 0 4" }));
    assert!(messages(&unsized_board)[0].contains("5 tiles do not fill a square board"), "{unsized_board}");
    let half = host.ask(json!({ "do": "tiles.random", "rows": 3, "seed": 1 }));
    assert_eq!(half["error"], "give both rows and cols, or neither");
}

#[test]
fn threads_change_no_answer() {
    let (one, three) = (Memory::new(false), Memory::on_threads(false, 3));
    let all = |host: &'static Memory| {
        // The second time the tables are read, on another thread.
        let solved = || {
            let text = "R U R' F2 D L' B2 U2 R F'";
            let read = host.ok(json!({ "do": "cube.read", "text": text }));
            let solve = json!({ "do": "cube.solve", "facelets": read["facelets"], "heuristic": "square-0", "all": true, "extra": 1 });
            let cube = host.ok(solve);
            let tiles = host.ok(json!({ "do": "tiles.solve", "text": "8 7 6 5 4 3 2 1 0", "rows": 3, "cols": 3, "heuristic": "korf96" }));
            let towers = host.ok(
                json!({ "do": "towers.solve", "discs": 7, "pegs": 4, "from": "0000000", "to": "3333333" }),
            );
            let nodes = |answer: &Value| -> Vec<Value> {
                answer["iterations"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|bound| bound["generated"].clone())
                    .collect()
            };
            let answers = [&cube, &tiles, &towers].map(|answer| answer["solutions"].clone());
            (answers, nodes(&cube))
        };
        let first = solved();
        assert_eq!(thread::scope(|scope| scope.spawn(solved).join().unwrap()), first);
        first
    };
    assert_eq!(all(one), all(three));
}

#[test]
fn a_smaller_table_is_used_if_memory_is_short() {
    let host = Memory::new(true);
    let facelets = host.ok(json!({ "do": "cube.read", "text": "R U F2" }))["facelets"].clone();
    let ask = |heuristic: &str, memory: u64| {
        host.ask(
            json!({ "do": "cube.solve", "facelets": facelets, "heuristic": heuristic, "memory": memory }),
        )
    };
    // The request is repeated with the tables in memory.
    for _ in 0..2 {
        let solved = &ask("square-5", 40_000_000)["ok"];
        assert_eq!((&solved["length"], &solved["heuristic"]), (&json!(3), &json!("square-0")));
        let remark = "Not enough memory for the 948 MB table: the 30 MB table was used.";
        assert_eq!(solved["remark"], remark);
    }
    assert_eq!(ask("square-0", 40_000_000)["ok"]["remark"], Value::Null);
    let too_large = ask("square-9", 40_000_000);
    let error = "square-9 is not one of the page's tables: square-0, square-2, square-3, square-4, square-5, square-6, square-7, square-8";
    assert_eq!(too_large["error"], error);
    let refused = ask("square-2", 1_000_000);
    assert_eq!(
        refused["error"],
        "the browser does not have enough memory for a table of 30 MB: close other pages and try again"
    );
}

#[test]
fn a_search_resumes_with_the_proved_bound() {
    let host = Memory::new(false);
    let text = "2 1 3 4 5 6 8 7 0";
    let request = |at_least: u32| json!({ "do": "tiles.solve", "text": text, "rows": 3, "cols": 3, "heuristic": "md", "at_least": at_least });
    let whole = host.ok(request(0));
    let length = whole["length"].as_u64().unwrap() as u32;
    let later = host.ok(request(length));
    assert_eq!(later["length"], whole["length"]);
    assert_eq!(later["iterations"].as_array().unwrap().len(), 1);
}

/// Each is shorter than the last one, and the answer is not longer; no answer is shorter than a lower bound.
#[test]
fn better_solutions_are_reported_with_both_bounds() {
    let pyraminx = json!({ "do": "puzzle.solve", "puzzle": "pyraminx", "text": "U L' R B U' R l b'", "memory": 1 << 20 });
    for request in [
        // Long enough for beams.
        json!({ "do": "tiles.solve", "text": "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", "rows": 4, "cols": 4, "heuristic": "korf96" }),
        json!({ "do": "towers.solve", "discs": 9, "pegs": 4, "from": "012301230", "to": "321032103" }),
        json!({ "do": "cube.solve", "facelets": facelets(Memory::new(true), "R U F2 L"), "heuristic": "square-0", "pre": "L'" }),
        pyraminx,
    ] {
        let host = Memory::on_threads(true, 2);
        let answer = host.ok(request.clone());
        let (length, better) = (answer["length"].as_u64().unwrap() as u32, host.better());
        let lengths: Vec<u32> = better.iter().map(|(length, ..)| *length).collect();
        assert!(
            !lengths.is_empty() && lengths.is_sorted_by(|longer, shorter| longer > shorter),
            "{request} {lengths:?}"
        );
        assert!(better.iter().all(|(upper, _, lower)| *lower <= length && *upper >= length), "{better:?}");
    }
}

#[test]
fn invalid_checkpoints_are_ignored() {
    let host = Memory::new(true);
    let text = "2 1 3 4 5 6 8 7 0";
    for state in ["", "{}", "[1, 2]"] {
        let request = json!({ "do": "tiles.solve", "text": text, "rows": 3, "cols": 3, "heuristic": "md", "resume": state });
        assert_eq!(host.ok(request)["ending"], "optimal");
    }
}

#[test]
fn every_fault_of_a_cube_is_shown_at_its_piece() {
    let host = Memory::new(false);
    let read = |facelets: String| host.ask(json!({ "do": "cube.read", "text": facelets }));
    // The corner URF: facelets 8, 9 and 20.
    let twisted = read(with(&[(8, 'F'), (9, 'U'), (20, 'R')]));
    assert!(messages(&twisted)[0].contains("twisted"), "{twisted}");
    assert_eq!(twisted["faults"][0]["at"], json!([8, 9, 20]));
    // The edge UF: facelets 7 and 19.
    let flipped = read(with(&[(7, 'F'), (19, 'U')]));
    assert_eq!(flipped["faults"][0]["at"], json!([7, 19]));
    // The edges UF and UR exchanged.
    let swapped = read(with(&[(19, 'R'), (10, 'F')]));
    assert!(messages(&swapped)[0].contains("swapped"), "{swapped}");
    assert_eq!(swapped["faults"][0]["at"], json!([5, 10, 7, 19]));
    // One sticker too many: a wrong count, and an impossible piece.
    let wrong = read(with(&[(7, 'R')]));
    assert!(messages(&wrong).len() >= 3, "{wrong}");
    let unread = host.ask(json!({ "do": "cube.read", "text": "R U Q F" }));
    assert!(messages(&unread)[0].contains("not a move"), "{unread}");
}

#[test]
fn tiles_are_read_and_explained() {
    let host = Memory::new(false);
    let board = |what: &str, text: &str| host.ask(json!({ "do": what, "text": text, "rows": 3, "cols": 3 }));
    let faults = board("tiles.read", "1 1 2 3 4 5 6 7 9");
    assert_eq!(faults["faults"].as_array().unwrap().len(), 4, "{faults}");
    assert!(faults["faults"].as_array().unwrap().iter().any(|fault| fault["at"] == json!([0, 1])));
    assert!(messages(&board("tiles.read", "0 2 1 3 4 5 6 7 8"))[0].contains("unsolvable"));
    let parts = &board("tiles.explain", "0 2 1 5 4 3 6 7 8")["ok"];
    let reasons = parts["reasons"].as_array().unwrap();
    assert_eq!((parts["manhattan"].as_u64(), reasons.len() >= 2), (Some(6), true), "{parts}");
    assert_eq!(reasons[0]["tiles"], json!([2, 1]));
    let sum: u64 = reasons.iter().map(|reason| reason["moves"].as_u64().unwrap()).sum();
    assert_eq!(parts["value"].as_u64().unwrap(), 6 + sum);
    let random = host.ok(json!({ "do": "tiles.random", "rows": 2, "cols": 3, "seed": 3 }));
    assert_eq!(random["tiles"].as_array().unwrap().len(), 6);
}

#[test]
fn towers_are_solved_and_counted() {
    let host = Memory::new(false);
    let ends = |what: &str, from: &str, to: &str| {
        host.ask(json!({ "do": what, "discs": 8, "pegs": 4, "from": from, "to": to }))
    };
    assert_eq!(ends("towers.read", "00000000", "33333333")["ok"]["presumed"], 33);
    assert_eq!(ends("towers.solve", "00000000", "33333333")["ok"]["length"], 33);
    assert_eq!(messages(&ends("towers.read", "0000000", "3333333x")).len(), 2);
    let counts =
        |discs: u32, pegs: u32| host.ok(json!({ "do": "towers.counts", "discs": discs, "pegs": pegs }));
    let total = |counts: &Value| -> u64 {
        counts["states"].as_array().unwrap().iter().map(|states| states.as_u64().unwrap()).sum()
    };
    assert_eq!((total(&counts(5, 4)), total(&counts(8, 4)), total(&counts(6, 3))), (1024, 65536, 729));
    let state = host.ok(json!({ "do": "towers.random", "discs": 6, "pegs": 3, "seed": 9 }));
    assert!(state.as_str().unwrap().chars().all(|peg| "012".contains(peg)));
    assert!(!messages(&host.ask(json!({ "do": "towers.counts", "discs": 15, "pegs": 4 }))).is_empty());
    assert!(!messages(&host.ask(json!({ "do": "towers.counts", "discs": 3, "pegs": 9 }))).is_empty());
}

#[test]
fn malformed_requests_are_refused() {
    let host = Memory::new(false);
    for request in [
        json!({}),
        json!({ "do": "nothing" }),
        json!({ "do": "tiles.random", "rows": 99, "cols": 1, "seed": 0 }),
    ] {
        assert!(host.ask(request.clone()).get("error").is_some(), "{request}");
    }
    assert_eq!(host.ok(json!({ "do": "version" })), env!("CARGO_PKG_VERSION"));
    let random = host.ok(json!({ "do": "cube.random", "seed": 1 }));
    assert_eq!(host.ok(json!({ "do": "cube.read", "text": random }))["facelets"], random);
}

/// The text of each line of `fixtures/pasted` that stands alone, as the page gets it.
#[test]
fn pasted_texts_are_read_or_refused_as_the_fixtures_say() {
    let host = Memory::new(true);
    let lines = include_str!("../../../../fixtures/pasted/inputs.jsonl").lines();
    let lines = lines.map(|line| serde_json::from_str::<Value>(line).expect("an object"));
    let mut count = 0;
    for line in lines.filter(|line| line["alone"].is_object()) {
        let alone = &line["alone"];
        let text = alone["text"].as_str().unwrap();
        let answer = match line["program"].as_str() {
            Some("cube-opt") => {
                let read = host.ask(json!({ "do": "cube.read", "text": text }));
                let facelets = read["ok"]["facelets"].clone();
                let solve = json!({ "do": "cube.solve", "facelets": facelets, "heuristic": "square-0" });
                if facelets.is_null() { read } else { host.ask(solve) }
            }
            Some("tile24") => {
                let size: Vec<u64> =
                    alone["size"].as_str().unwrap().split('x').map(|side| side.parse().unwrap()).collect();
                host.ask(json!({
                    "do": "tiles.solve", "text": text, "rows": size[0], "cols": size[1], "goal": alone["goal"],
                    "heuristic": "korf96",
                }))
            }
            _ => {
                let (from, to) = text.split_once(" to ").unwrap();
                let (discs, pegs) = (&alone["discs"], &alone["pegs"]);
                host.ask(
                    json!({ "do": "towers.solve", "discs": discs, "pegs": pegs, "from": from, "to": to }),
                )
            }
        };
        match alone["refused"].as_str() {
            Some(refused) => {
                let said = messages(&answer);
                // The page has no options to name.
                let expected =
                    refused.strip_prefix("facelets or moves").map_or(refused, |_| "moves or facelets");
                assert!(said.iter().any(|message| message.contains(expected)), "{line}: {answer}");
            }
            None => assert_eq!(answer["ok"]["length"], alone["lengths"][0], "{line}: {answer}"),
        }
        count += 1;
    }
    assert_eq!(count, 21);
}

#[test]
fn large_boards_have_a_solution_with_both_bounds() {
    let host = Memory::new(true);
    let random = host.ok(json!({ "do": "tiles.random", "rows": 7, "cols": 8, "seed": 3 }));
    let text = random["tiles"].as_array().unwrap().iter().map(Value::to_string).collect::<Vec<_>>().join(" ");
    let board = json!({ "do": "tiles.solve", "text": text, "rows": 7, "cols": 8, "quick": true });
    let found = host.ok(board);
    assert_eq!(found["ending"], "bounded");
    let best = &found["solutions"][0];
    assert!(
        best["length"].as_u64() > found["length"].as_u64() && found["length"].as_u64() > Some(100),
        "{found}"
    );
    let moves = best["moves"].as_str().unwrap();
    assert_eq!((best["length"].as_u64().unwrap() as usize, &best["next"]), (moves.len(), &json!(moves[..1])));
}

#[test]
fn several_tiles_slide_as_one_move() {
    let host = Memory::new(true);
    let ask = |what: &str, text: &str, side: u32| {
        host.ask(json!({ "do": what, "text": text, "rows": side, "cols": side, "goal": "blank-last", "metric": "multi" }))
    };
    let found = &ask("tiles.solve", "1 2 3 0 4 5 7 8 6", 3)["ok"];
    assert_eq!((&found["length"], &found["solutions"][0]["moves"]), (&json!(2), &json!("R2 D")));
    let tiles: Vec<String> = (1..36).chain([0]).map(|tile| tile.to_string()).collect();
    let large = ask("tiles.read", &tiles.join(" "), 6);
    assert!(messages(&large)[0].contains("at most 5 rows and columns"), "{large}");
    assert!(ask("tiles.explain", "1 2 3 0 4 5 7 8 6", 3)["error"].as_str().unwrap().contains("single"));
}
