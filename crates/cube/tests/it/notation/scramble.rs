//! Moves, compared with the referee's model.

use super::cubes::{below, referee_facelets, rng, turns};
use cube::cube::{Cube, Face, Turn};
use cube::notation::{Defect, Orientation, facelets, scramble};
use proptest::prelude::*;

const MOVES: [&str; 27] = [
    "U", "R", "F", "D", "L", "B", "u", "r", "f", "d", "l", "b", "Uw", "Rw", "Fw", "Dw", "Lw", "Bw", "2Uw",
    "2Rw", "2Fw", "M", "E", "S", "x", "y", "z",
];

/// Checks that the parser's cube and orientation look like the cube that the referee turned.
fn agrees_with_the_referee(moves: &str) {
    let parsed = scramble::parse(moves).unwrap();
    let seen = facelets::parse(&referee_facelets(moves)).unwrap();
    assert_eq!((seen.cube, seen.orientation), (parsed.cube(), parsed.orientation), "{moves}");
}

#[test]
fn moves_and_pairs_agree_with_the_referee() {
    let all: Vec<String> =
        MOVES.iter().flat_map(|m| ["", "2", "'"].map(|amount| format!("{m}{amount}"))).collect();
    all.iter().for_each(|one| agrees_with_the_referee(one));
    for one in MOVES {
        MOVES.iter().for_each(|other| agrees_with_the_referee(&format!("{one} {other}'")));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_moves_mean_what_the_referee_does(seed: u64, length in 0..25usize) {
        let rng = &mut rng(seed);
        let one = |_| format!("{}{}", MOVES[below(rng, MOVES.len())], ["", "2", "'", "2'"][below(rng, 4)]);
        agrees_with_the_referee(&(0..length).map(one).collect::<Vec<_>>().join(" "));
    }

    #[test]
    fn turns_round_trip_with_and_without_spaces(seed: u64, length in 0..30usize) {
        let turns = turns(seed, length);
        let text = scramble::format(turns.iter().copied());
        prop_assert_eq!(&scramble::parse(&text).unwrap().turns, &turns);
        prop_assert_eq!(scramble::parse(&text.replace(' ', "")).unwrap().turns, turns);
    }
}

fn face_turns(text: &str) -> Vec<Turn> {
    let scramble = scramble::parse(text).unwrap();
    assert_eq!(scramble.orientation, Orientation::HOME);
    scramble.turns
}

#[test]
fn amounts_in_all_their_spellings() {
    let r = |quarters| vec![Turn::new(Face::R, quarters)];
    for (text, quarters) in [
        ("R", 1),
        ("R1", 1),
        ("R3'", 1),
        ("R'3", 1),
        ("R3-", 1),
        ("R2", 2),
        ("R2'", 2),
        ("R'2", 2),
        ("R2-", 2),
        ("R2’", 2),
        ("R3", 3),
        ("R'", 3),
        ("R-", 3),
        ("R1'", 3),
        ("R’", 3),
        ("R‘", 3),
        ("R´", 3),
        ("R`", 3),
        ("R′", 3),
        ("Rʼ", 3),
    ] {
        assert_eq!(face_turns(text), r(quarters), "{text}");
    }
}

#[test]
fn brackets_comments_and_lines_are_ignored() {
    let plain = face_turns("R U R' U' F2 D");
    for text in [
        "(R U R' U') [F2 D]",
        "(RUR'U')[F2D]",
        "RUR'U'F2D",
        "R U R' U' // insert\nF2 D # done",
        "R U // first\n\nR' U'\r\nF2\tD\n// U",
        "R U /* first */ R' /* two\nlines */ U' # F\rF2 D",
        "R, U, R', U', F2, D",
        "R U . R' -> U' ... F2 → D",
        "R U Ri Ui F² D (6f*)",
        "R5 U R'9 U⁻¹ F6 D (7q*)",
        "(R U R' U') F2 D (20s)",
        "\u{feff}R U\u{a0}R’ U3 F2′ D1",
    ] {
        assert_eq!(face_turns(text), plain, "{text}");
    }
    assert_eq!(face_turns(""), []);
    assert_eq!(face_turns("() // nothing"), []);
}

#[test]
fn a_rotated_frame_names_other_faces() {
    let scramble = scramble::parse("x U y R r").unwrap();
    // After x the front face is up; after y the face at R is the former back face, U.
    assert_eq!(scramble::format(scramble.turns.iter().copied()), "F U D");
    assert_eq!(scramble.orientation, scramble::parse("x y x").unwrap().orientation);
    assert_eq!(scramble::format(scramble::parse("M").unwrap().turns), "L' R");
}

/// The text, line and column of every refused token.
fn refused(text: &str) -> Vec<(String, usize, usize)> {
    let fault = scramble::parse(text).unwrap_err();
    let place = |defect: &Defect| match defect {
        Defect::Token { text, line, column, .. } => (text.clone(), *line, *column),
        other => panic!("{other}"),
    };
    fault.defects.iter().map(place).collect()
}

#[test]
fn every_unknown_token_is_named_with_its_position() {
    let at = |text: &str, line, column| (text.to_string(), line, column);
    assert_eq!(refused("R U Q2 F"), [at("Q2", 1, 5)]);
    assert_eq!(refused("RUQ2F"), [at("Q2F", 1, 3)]);
    assert_eq!(refused("R04 U F0 D1000"), [at("R04", 1, 1), at("F0", 1, 7), at("D1000", 1, 10)]);
    assert_eq!(refused("R\nU, D // ,\n  F''"), [at("F''", 3, 3), at(",", 2, 2)]);
    assert_eq!(refused("(R U) 2 F"), [at("2", 1, 7)]);
    assert_eq!(refused("(R U) ' F"), [at("'", 1, 7)]);
    assert_eq!(refused("(R, U) [R Q, Q2]"), [at("R,", 1, 2), at("Q", 1, 11), at("Q2", 1, 14)]);
    assert_eq!(refused("é R ü"), [at("é", 1, 1), at("ü", 1, 5)]);
    assert_eq!(refused("2R m X rw"), [at("2R", 1, 1), at("m", 1, 4), at("X", 1, 6), at("rw", 1, 8)]);
    // Two readings, R2 Rw and R 2Rw.
    assert_eq!(refused("R2Rw"), [at("R2Rw", 1, 1)]);
    assert_eq!(scramble::parse("R2 Rw").unwrap().turns.len(), 2);
    assert_eq!(
        scramble::parse("R 2Rw").unwrap().cube(),
        Cube::SOLVED.apply_all([Turn::from_index(3), Turn::from_index(12)])
    );
}

#[test]
fn amounts_count_modulo_four() {
    assert_eq!(face_turns("R4 L8' U12"), []);
    assert_eq!(face_turns("R L2 R3 L2' R5 L8' R7").len(), 6);
    for quarters in 1..=999u32 {
        let plain = vec![Turn::new(Face::R, 1); (quarters % 4) as usize];
        let cube = |turns: Vec<Turn>| Cube::SOLVED.apply_all(turns);
        assert_eq!(cube(face_turns(&format!("R{quarters}"))), cube(plain.clone()));
        let inverse = plain.iter().map(|turn| turn.inverse()).collect();
        assert_eq!(cube(face_turns(&format!("R{quarters}'"))), cube(inverse));
    }
}

#[test]
fn a_semicolon_hides_no_move() {
    assert_eq!(refused("D;E;D"), [("D;E;D".to_owned(), 1, 1)]);
}

#[test]
fn a_count_of_moves_must_be_right() {
    let message = |text| scramble::parse(text).unwrap_err().to_string();
    assert_eq!(
        message("U1 B2 D3 (4f*)"),
        "read as moves: column 10: the count says 4 moves, but there are 3; is the line cut off?"
    );
    assert!(message("R2 U\nF (3q)").contains("line 2, column 3: the count says 3 moves, but there are 4"));
    assert_eq!(scramble::parse("r M2 (9f)").unwrap().turns.len(), 3);
}

#[test]
fn commas_separate_single_moves_and_not_cubes() {
    assert_eq!(face_turns("R,U,F2,").len(), 3);
    assert_eq!(refused("R U, F"), [(",".to_owned(), 1, 4)]);
    assert_eq!(refused("R, (U F)"), [(",".to_owned(), 1, 2)]);
    assert_eq!(face_turns("[R, U] F").len(), 5);
}

#[test]
fn long_lists_of_faults_are_shortened() {
    let message = scramble::parse("a q v w t o p").unwrap_err().to_string();
    assert_eq!(message.matches("is not a move").count(), 6);
    assert_eq!(message.matches("a wide turn").count(), 1, "{message}");
    assert!(message.ends_with("and 1 more that are not moves"), "{message}");
}

#[test]
fn messages_name_accepted_forms() {
    let message = |text| scramble::parse(text).unwrap_err().to_string();
    assert_eq!(
        message("R U Q2 F"),
        "read as moves: column 5: \"Q2\" is not a move; expected a face (U R F D L B), a wide turn (r, Rw, 2Rw), \
         a slice (M E S) or a rotation (x y z), each alone or with 2, 3, ' or -"
    );
    assert!(message("R\nU2Uw").contains("line 2, column 1: \"U2Uw\" is not a move; expected a space"));
}
