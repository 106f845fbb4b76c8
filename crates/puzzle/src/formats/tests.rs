//! Written definitions are read again as the same; hostile files are refused at once.

use super::*;
use crate::builtin;
use crate::definition::{Named, Role};
use std::time::Instant;

/// The moves in alphabetical order, as the forms keep them.
fn sorted(definition: &Definition, keeps: impl Fn(Role) -> bool) -> Vec<Named> {
    let mut moves: Vec<Named> = definition.moves.iter().filter(|named| keeps(named.role)).cloned().collect();
    moves.sort_by(|a, b| a.name.cmp(&b.name));
    moves
}

#[test]
fn built_in_puzzles_are_read_as_they_are_written() {
    for entry in builtin::ENTRIES {
        let definition = builtin::get(entry.example).expect("a built-in puzzle").expect("in range");
        let has_rules = !definition.illegal.is_empty();
        // KPuzzle has no roles, so all moves are read as counted.
        let kpuzzle = write(&definition, Form::KPuzzle);
        assert_eq!(kpuzzle.is_err(), has_rules, "{}", entry.example);
        if let Ok((text, _)) = kpuzzle {
            let again = read(&text).expect("a definition");
            assert_eq!(
                (&again.name, &again.orbits, &again.solved),
                (&definition.name, &definition.orbits, &definition.solved)
            );
            let effects = |definition: &Definition| -> Vec<_> {
                let moves = sorted(definition, |_| true);
                moves.into_iter().map(|named| (named.name, named.transformation)).collect()
            };
            assert_eq!(effects(&again), effects(&definition), "{}", entry.example);
        }
        let (text, remarks) = write(&definition, Form::Tws).expect("written");
        let mut again = read(&text).expect("a definition");
        if entry.example == "topspin-20-4" {
            // The name of its rotation would be that of a move in twsearch.
            assert!(remarks[0].ends_with("name R otherwise: the move is named Rv"), "{remarks:?}");
            again
                .moves
                .iter_mut()
                .filter(|named| named.name == "Rv")
                .for_each(|named| named.name = "R".into());
        }
        assert_eq!(
            (&again.orbits, &again.solved, &again.illegal),
            (&definition.orbits, &definition.solved, &definition.illegal)
        );
        let kept = sorted(&definition, |role| role != Role::Derived);
        assert_eq!(sorted(&again, |_| true), kept, "{}", entry.example);
    }
}

#[test]
fn moves_that_twsearch_would_read_as_rotations_are_renamed() {
    let file = r#"{"name": "two", "orbits": [{"orbitName": "A", "numPieces": 3, "numOrientations": 1}],
        "moves": {"x": {"A": {"permutation": [1, 2, 0], "orientationDelta": [0, 0, 0]}},
                  "Uv": {"A": {"permutation": [1, 0, 2], "orientationDelta": [0, 0, 0]}}}}"#;
    let definition = read(file).expect("a definition");
    let (text, remarks) = write(&definition, Form::Tws).expect("written");
    let again = read(&text).expect("a definition");
    let moves: Vec<(&str, Role)> =
        again.moves.iter().map(|named| (named.name.as_str(), named.role)).collect();
    assert_eq!(moves, [("Uv_", Role::Counted), ("x_", Role::Counted)]);
    assert_eq!(remarks.len(), 2, "{remarks:?}");
}

#[test]
fn files_that_describe_too_much_are_refused_at_once() {
    let start = Instant::now();
    let sets: String = (0..100_000).map(|n| format!("Set S{n} 256 1\n")).collect();
    let moves: String = (0..100_000).map(|n| format!("Move m{n}\nEnd\n")).collect();
    let orbits: Vec<String> = (0..50_000)
        .map(|n| format!(r#"{{"orbitName": "{n}", "numPieces": 256, "numOrientations": 1}}"#))
        .collect();
    let few: Vec<String> = (0..256)
        .map(|n| format!(r#"{{"orbitName": "{n}", "numPieces": 256, "numOrientations": 1}}"#))
        .collect();
    let many: Vec<String> = (0..4_000).map(|n| format!(r#""m{n}": {{}}"#)).collect();
    let kpuzzle = |orbits: &[String], moves: &[String]| {
        format!(r#"{{"orbits": [{}], "moves": {{{}}}}}"#, orbits.join(","), moves.join(","))
    };
    for (text, message) in [
        (format!("Name a\n{sets}Solved\nEnd\n"), "65792 or more pieces, above the limit of 65536"),
        (
            format!("Name a\nSet P 3 1\nSolved\nEnd\n{moves}"),
            "4097 or more moves of 3 pieces, above the limit of 4096",
        ),
        (kpuzzle(&orbits, &[]), "65792 or more pieces"),
        (kpuzzle(&few, &many), "4000 or more moves of 65536 pieces, above the limit of 512"),
        ("Name a\nx\n".repeat(200_000), "is not understood"),
        ("x".repeat(MOST_BYTES + 1), "above the limit"),
        (format!("a := {}", "(1,2)".repeat(500_000)), "a has more than 256 cycles"),
        (format!("a := (1{})", ",1".repeat(500_000)), "a has more than 256 cycles, or points in a cycle"),
        (format!("[(){}]", ",()".repeat(500_000)), "more than 4096 generators"),
        ("a:=();".repeat(500_000), "more than 4096 generators"),
        (format!("Name a\nSet P 3 1\nSolved\n{}", "x\n".repeat(500_000)), "is no Set of the file"),
        (format!("Name a\nSet P 3 1\nSolved\nEnd\n{}", "Illegal P 1 1\n".repeat(100_000)), "65536 rules"),
        (format!("Name a\nSet P 3 1\nMoveSequence a{}", " b".repeat(100_000)), "more than 65536 words"),
    ] {
        let faults = read(&text).expect_err("too much");
        assert!(faults.to_string().contains(message), "{message}: {}", &faults.0[0]);
    }
    let definition = builtin::get("3x3x3").expect("a built-in puzzle").expect("in range");
    for text in [
        "U1".repeat(500_000),
        "1".repeat(1_000_000),
        "Q ".repeat(500_000),
        format!("U{}", "1".repeat(1_000_000)),
    ] {
        assert!(definition.algorithm(&text).is_err());
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
