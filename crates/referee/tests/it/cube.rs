//! The referee's cube against facts that anyone can check by hand or in the literature.

use referee::Refusal;
use referee::cube::{Cube, Metric, Move, check, check_axial, check_moves, length, parse_moves};

fn moves(text: &str) -> Vec<Move> {
    parse_moves(text).unwrap()
}

fn after(text: &str) -> Cube {
    Cube::solved().after_all(&moves(text))
}

/// The number of repetitions of `text` that solve the cube again.
fn order(text: &str) -> usize {
    let moves = moves(text);
    let mut cube = Cube::solved().after_all(&moves);
    let mut n = 1;
    while cube != Cube::solved() {
        cube = cube.after_all(&moves);
        n += 1;
    }
    n
}

#[test]
fn the_solved_cube_reads_face_by_face() {
    let text = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
    assert_eq!(Cube::solved().to_string(), text);
    assert_eq!(Cube::parse(text).unwrap(), Cube::solved());
}

/// U clockwise as seen from above: the front row goes to the left face, the right row to the front.
#[test]
fn each_face_turns_clockwise() {
    let rows = |cube: Cube| {
        let text = cube.to_string();
        (0..18).map(|i| text[3 * i..3 * i + 3].to_string()).collect::<Vec<_>>()
    };
    let u = rows(after("U"));
    assert_eq!([&u[3], &u[6], &u[12], &u[15]], ["BBB", "RRR", "FFF", "LLL"]);
    let column = |cube: &Cube, face: usize, c: usize| -> String {
        (0..3).map(|row| cube.facelets()[9 * face + 3 * row + c]).collect()
    };
    // R moves the right column of F to U, that of U to the left column of B, that of B to D, and that of D to F.
    let r = after("R");
    assert_eq!(column(&r, 0, 2), "FFF");
    assert_eq!(column(&r, 5, 0), "UUU");
    assert_eq!(column(&r, 3, 2), "BBB");
    assert_eq!(column(&r, 2, 2), "DDD");
    // F moves the bottom row of U to the left column of R, that of R to the top row of D, and so on.
    let f = after("F");
    assert_eq!(rows(f.clone())[2], "LLL");
    assert_eq!(column(&f, 1, 0), "UUU");
    assert_eq!(rows(f.clone())[9], "RRR");
    assert_eq!(column(&f, 4, 2), "DDD");
}

#[test]
fn a_turn_also_turns_the_stickers_of_its_own_face() {
    let marked = Cube::parse(&format!("123456789{}", "x".repeat(45))).unwrap();
    let turned = marked.after(&Move::parse("U").unwrap()).to_string();
    assert_eq!(&turned[..9], "741852963");
}

#[test]
fn orders_of_well_known_sequences() {
    for face in ["U", "R", "F", "D", "L", "B", "M", "E", "S", "x", "y", "z", "r", "Uw"] {
        assert_eq!(order(face), 4, "{face}");
    }
    assert_eq!(order("R2 U2"), 6);
    assert_eq!(order("R U R' U'"), 6);
    assert_eq!(order("R U"), 105);
    assert_eq!(order("R U'"), 63);
    assert_eq!(order("R U2 D' B D'"), 1260);
    assert_eq!(order("M2 E2 S2"), 2);
    // The T permutation swaps two corners and two edges.
    assert_eq!(order("R U R' U' R' F R2 U' R' U' R U R' F'"), 2);
    // The Sune twists three corners and cycles three edges.
    assert_eq!(order("R U R' U R U2 R'"), 6);
}

#[test]
fn the_superflip_flips_every_edge_and_leaves_the_corners() {
    let cube = after("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2");
    assert_eq!(cube.to_string(), "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB");
    assert_eq!(cube.after_all(&moves("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2")), Cube::solved());
}

#[test]
fn wide_turns_slices_and_rotations_fit_together() {
    for (one, other) in [
        ("r", "L x"),
        ("Rw", "r"),
        ("2Rw'", "r'"),
        ("3Rw", "x"),
        ("3Uw'", "y'"),
        ("r", "R M'"),
        ("l", "L M"),
        ("u", "U E'"),
        ("d", "D E"),
        ("f", "F S"),
        ("b", "B S'"),
        ("x", "R M' L'"),
        ("y", "U E' D'"),
        ("z", "F S B'"),
        ("x y x'", "z"),
        ("x2 y2", "z2"),
        ("x U x'", "F"),
        ("y R y'", "B"),
        ("z U z'", "L"),
    ] {
        assert_eq!(after(one), after(other), "{one} = {other}");
    }
}

#[test]
fn lengths_in_both_metrics() {
    let moves = moves("R U2 F' M x r2");
    assert_eq!(length(&moves, Metric::HalfTurn), 1 + 1 + 1 + 2 + 1);
    assert_eq!(length(&moves, Metric::QuarterTurn), 1 + 2 + 1 + 2 + 2);
    assert_eq!(length(&moves, Metric::SliceTurn), 1 + 1 + 1 + 1 + 1);
}

#[test]
fn check_accepts_solutions_and_describes_faults() {
    let start = after("R U2 F'");
    let judge = |text, metric, n| check(&start, &Cube::solved(), text, metric, n);
    assert_eq!(judge("F U2 R'", Metric::HalfTurn, 3), Ok(()));
    assert_eq!(judge("F U2 R'", Metric::QuarterTurn, 4), Ok(()));
    assert_eq!(judge("F U2 R'", Metric::QuarterTurn, 3), Err(Refusal::Length { claimed: 3, replayed: 4 }));
    assert!(matches!(judge("F U2 R", Metric::HalfTurn, 3), Err(Refusal::Goal { .. })));
    let refused = judge("F Q2 R'", Metric::HalfTurn, 3).unwrap_err();
    assert_eq!(refused.to_string(), "move 2 (Q2): unknown turn");
    let refused = judge("F U2 x", Metric::HalfTurn, 2).unwrap_err();
    assert_eq!(refused.to_string(), "move 3 (x): a solution may turn only faces");
    assert!(Cube::parse("UUU").unwrap_err().to_string().contains("3 stickers instead of 54"));
}

#[test]
fn chosen_moves_are_counted_and_the_cube_may_be_held_in_any_way() {
    let start = after("M U");
    let judge = |goal: &Cube, text, n| {
        check_moves(&start, goal, text, &["M", "M'", "U'", "Rw"].map(str::to_owned), n)
    };
    let solved = Cube::solved();
    assert_eq!(judge(&solved, "U' M'", 2), Ok(()));
    // The effect of M is undone by a wide turn and a face turn, in another orientation of the cube.
    assert_eq!(check_moves(&after("M"), &solved, "r R'", &["r", "R'"].map(str::to_owned), 2), Ok(()));
    for rotation in ["x", "y'", "z2", "x y", "z y2"] {
        assert_eq!(judge(&after(rotation), "U' M'", 2), Ok(()), "{rotation}");
    }
    assert_eq!(judge(&solved, "U' M'", 1), Err(Refusal::Length { claimed: 1, replayed: 2 }));
    assert!(matches!(judge(&solved, "U' M", 2), Err(Refusal::Goal { .. })));
    assert!(matches!(judge(&solved, "U'", 1), Err(Refusal::Goal { .. })));
    let refused = judge(&solved, "U' R", 2).unwrap_err();
    assert_eq!(refused.to_string(), "move 2 (R): this move is not allowed");
}

#[test]
fn opposite_faces_turn_at_once_in_the_axial_metric() {
    for (text, length) in [
        ("", 0),
        ("U", 1),
        ("U D'", 1),
        ("U D' R", 2),
        ("D2 U L R2 F B U", 4),
        ("U R D", 3),
        ("F R L' B2", 3),
    ] {
        assert_eq!(check_axial(text, length), Ok(()), "{text}");
        let refused = Refusal::Length { claimed: length as u64 + 1, replayed: length as u64 };
        assert_eq!(check_axial(text, length + 1), Err(refused), "{text}");
    }
    for (text, length, reason) in [
        ("U D U", 1, "move 3 (U): a face turns twice in one move"),
        ("R R", 1, "move 2 (R): a face turns twice in one move"),
        ("U M", 2, "move 2 (M): a move of the axial metric turns only faces"),
        ("Rw", 1, "move 1 (Rw): a move of the axial metric turns only faces"),
    ] {
        assert_eq!(check_axial(text, length).unwrap_err().to_string(), reason);
    }
}

#[test]
fn nonsense_is_not_a_move() {
    for text in [
        "", "2", "'", "U22", "U''", "RU", "w", "3w", "2R", "X", "Y", "Mw", "m", "22Rw", "rw", "Ü", "2", "22w",
    ] {
        assert!(Move::parse(text).is_err(), "{text}");
    }
}
