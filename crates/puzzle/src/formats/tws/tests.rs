//! Rows, faults and states of twsearch.

use super::*;

const SMALL: &str = "# two corners\nName small\nSet C 3 3\nSet E 2 2\n\nSolved\nE\n1 1\n? ?\nEnd\n\
    Move R\nC\n2 3 1\n1 2 0\nEnd\nMove S\nE\n2 1\nEnd\nMove Rv\nC\n2 3 1\nEnd\nIllegal C 1 2 3\n";

#[test]
fn rows_are_read_as_twsearch_means_them() {
    let definition = parse(SMALL).expect("a definition");
    let roles: Vec<Role> = definition.moves.iter().map(|named| named.role).collect();
    assert_eq!(roles, [Role::Counted, Role::Counted, Role::Rotation]);
    let turn = &definition.moves[0].transformation.orbits[0];
    // The piece that comes from the second place is turned twice.
    assert_eq!((&turn.from[..], &turn.turn[..]), (&[1, 2, 0][..], &[2, 0, 1][..]));
    let edges = &definition.solved.orbits[1];
    assert_eq!((&edges.pieces[..], &edges.orientation_mod[..]), (&[0, 0][..], &[1, 1][..]));
    assert_eq!(definition.solved.orbits[0].pieces, [0, 1, 2]);
    let rules: Vec<(usize, u8)> = definition.illegal.iter().map(|rule| (rule.place, rule.piece)).collect();
    assert_eq!(rules, [(0, 1), (0, 2)]);
    assert_eq!(parse(&SMALL.replace('\n', "\r\n")), Ok(definition.clone()));
    assert_eq!(parse(&SMALL.replace('\n', "\r")), Ok(definition.clone()));
    let (written, remarks) = write(&definition).expect("words");
    assert_eq!((parse(&written), remarks.len()), (Ok(definition), 0));
}

#[test]
fn rows_from_0_turn_places() {
    let by_place = SMALL.replace("Move R\nC\n2 3 1\n1 2 0", "MoveTransformation R\nC\n1 2 0\n2 0 1");
    assert_eq!(parse(&by_place), parse(SMALL));
    let sequences = format!("{SMALL}MoveSequence Q R S' T\nMoveAlias T R\n");
    let definition = parse(&sequences).expect("a definition");
    let effect = |text: &str| definition.effect(&definition.algorithm(text).expect("an algorithm"));
    assert_eq!((effect("T"), effect("Q")), (effect("R"), effect("R S' R")));
}

#[test]
fn every_fault_names_its_line() {
    let text = SMALL
        .replace("Set E 2 2", "Set E 2 2\nSet F 0 2")
        .replace("2 3 1\n1 2 0", "2 3 3\n1 2 0")
        .replace("E\n2 1", "E\n2 1 3")
        .replace("Illegal C 1 2 3", "Illegal C 4 2\nTurn");
    let faults = parse(&text).expect_err("faults").0;
    for (fault, part) in faults.iter().zip([
        "line 5: orbit F has 0 pieces",
        "line 12: place 2 of C is named twice",
        "line 19: 3 numbers instead of 2",
        "line 25: place 4 is not from 1 to 3",
        "line 26: \"Turn\" is not understood",
    ]) {
        assert!(fault.contains(part), "{faults:?}");
    }
    assert_eq!(faults.len(), 5, "{faults:?}");
    assert!(parse("Name x\nSet C 2 1\nSolved\nC\n1 2").expect_err("cut off").to_string().contains("no End"));
    assert!(parse("").expect_err("empty").0.len() == 2);
}

#[test]
fn blocks_of_ksolve_are_ignored_or_refused_by_name() {
    let definition = parse(&format!("{SMALL}ParallelMoves\nR S\nEnd\n")).expect("a definition");
    assert_eq!(definition.remarks, ["line 25: ParallelMoves only helps a search and is ignored"]);
    let faults = parse(&format!("{SMALL}MoveLimits\nR 2\nEnd\n")).expect_err("a restriction").0;
    assert_eq!(faults, ["line 25: MoveLimits restricts the search, which is not supported"]);
}

#[test]
fn states_are_patterns_or_moves() {
    let definition = parse(&SMALL.replace("Illegal C 1 2 3\n", "")).expect("a definition");
    let by_moves = parse_state("ScrambleAlg a\nR\nS R\nEnd\n", &definition);
    let algorithm = definition.algorithm("R S R").expect("an algorithm");
    assert_eq!(by_moves, definition.perform(&definition.solved, &algorithm));
    let by_pieces = parse_state("Scramble b\nC\n2 3 1\n2 0 1\nEnd", &definition).expect("a state");
    assert_eq!(by_pieces.orbits[0], definition.solved.apply(&definition.moves[0].transformation).orbits[0]);
    assert_eq!(parse_state("ScrambleState b\nC\n1 2 0\n2 0 1\nEnd", &definition), Ok(by_pieces));
    assert!(parse_state("Scramble b\nEnd\nScramble c\nEnd", &definition).is_err());
    assert!(is_state("# x\n Scramble a") && !is_state("R U"));
}
