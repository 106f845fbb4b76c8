//! Selections of moves and rotations.

use super::*;
use crate::formats::kpuzzle;

/// A triangle whose three tips turn: `A` turns one, `r` rotates the whole triangle, and its centre shows how it is held.
fn triangle(centre: bool) -> Definition {
    let centre_orbit = r#", {"orbitName": "CENTRE", "numPieces": 3, "numOrientations": 1}"#;
    let centre_solved = r#", "CENTRE": {"pieces": [0, 1, 2], "orientation": [0, 0, 0]}"#;
    let centre_turn = r#", "CENTRE": {"permutation": [1, 2, 0], "orientationDelta": [0, 0, 0]}"#;
    let (orbit, solved, turn) =
        if centre { (centre_orbit, centre_solved, centre_turn) } else { ("", "", "") };
    let text = format!(
        r#"{{"name": "triangle",
        "orbits": [{{"orbitName": "TIPS", "numPieces": 3, "numOrientations": 4}}{orbit}],
        "defaultPattern": {{"TIPS": {{"pieces": [0, 1, 2], "orientation": [0, 0, 0]}}{solved}}},
        "moves": {{"A": {{"TIPS": {{"permutation": [0, 1, 2], "orientationDelta": [1, 0, 0]}}}},
                  "rv": {{"TIPS": {{"permutation": [1, 2, 0], "orientationDelta": [0, 0, 0]}}{turn}}},
                  "Rv": {{"TIPS": {{"permutation": [1, 2, 0], "orientationDelta": [0, 0, 0]}}{turn}}}}},
        "derivedMoves": {{"B": "[rv': A]"}}}}"#
    );
    kpuzzle::parse(&text).expect("a definition")
}

fn words(text: &str) -> Option<Vec<String>> {
    Some(text.split_whitespace().map(str::to_owned).collect())
}

fn names(selected: &Selected) -> Vec<&str> {
    selected.puzzle.moves().iter().map(|step| step.name.as_str()).collect()
}

#[test]
fn nothing_is_a_rotation_unless_it_is_declared() {
    let selected = triangle(false).select(&Selection::default()).expect("a puzzle");
    assert_eq!(names(&selected), ["A", "A2", "A'", "Rv", "Rv'"]);
    assert!(selected.puzzle.rotations().is_empty());
    let remarks = selected.remarks.join("\n");
    assert!(remarks.contains("move rv is the same as Rv") && remarks.contains("--rotations Rv"), "{remarks}");
}

#[test]
fn conjugates_of_counted_moves_count() {
    let free = Selection { rotations: words("rv"), moves: words("A"), ..Selection::default() };
    let selected = triangle(false).select(&free).expect("a puzzle");
    assert_eq!(selected.puzzle.moves().len(), 9);
    let names = names(&selected);
    assert!(names.contains(&"B") && names.contains(&"B2") && names.contains(&"B'"), "{names:?}");
    let bases: std::collections::HashSet<usize> =
        selected.puzzle.moves().iter().map(|step| step.base).collect();
    assert_eq!(bases.len(), 3);
    assert_eq!(selected.puzzle.rotations().len(), 1);
}

#[test]
fn a_frame_replaces_rotations() {
    let definition = triangle(true);
    let free = Selection { rotations: words("rv"), moves: words("A"), ..Selection::default() };
    let selected = definition.select(&free).expect("a puzzle");
    assert!(selected.puzzle.rotations().is_empty() && selected.puzzle.orbits().len() == 1);
    assert_eq!(selected.puzzle.moves().len(), 9);
    let turned = |text: &str| {
        let algorithm = definition.algorithm(text).expect("an algorithm");
        selected.state(&definition.perform(&definition.solved, &algorithm).expect("legal")).expect("a state")
    };
    assert_eq!(&turned("rv"), selected.puzzle.solved());
    assert_eq!(turned("rv A rv' A"), turned("A rv A rv'").clone());
    assert_eq!(turned("rv A"), turned("[rv: A]"));
    let alone =
        definition.select(&Selection { moves: words("A"), ..Selection::default() }).expect("a puzzle");
    assert_eq!(names(&alone), ["A", "A2", "A'"]);
    let mut torn = definition.solved.clone();
    torn.orbits[1].pieces.swap(0, 1);
    assert!(selected.state(&torn).is_err());
}

#[test]
fn metrics_and_chosen_powers() {
    let definition = triangle(false);
    let chosen = |moves: &str, metric| {
        let rotations = Some(Vec::new());
        let selection = Selection { moves: words(moves), metric, rotations, ..Selection::default() };
        names(&definition.select(&selection).expect("a puzzle")).join(" ")
    };
    assert_eq!(chosen("A B", Metric::Inverses), "A A' B B'");
    assert_eq!(chosen("A B", Metric::Generators), "A B");
    assert_eq!(chosen("A2 B", Metric::Powers), "A2 B B2 B'");
    let wrong = Selection { moves: words("A Q AB"), ..Selection::default() };
    assert_eq!(definition.select(&wrong).expect_err("two faults").0.len(), 2);
}

#[test]
fn moves_that_are_products_of_free_rotations_do_not_count() {
    let cube = crate::builtin::get("2x2x2").expect("a puzzle").expect("a definition");
    let counted = |moves: &str| {
        let selection = Selection { moves: words(moves), rotations: words("x y"), ..Selection::default() };
        cube.select(&selection).expect("a puzzle")
    };
    let both = counted("U z");
    assert_eq!(names(&both), names(&counted("U")));
    assert!(both.remarks[0].ends_with("do not count: z, z2, z'"), "{:?}", both.remarks);
}

#[test]
fn lists_of_names_are_split() {
    assert_eq!(split_names("U, R2  F,(1,0) /"), ["U", "R2", "F", "(1,0)", "/"]);
    assert!(split_names(" , ").is_empty());
}
