//! Detection of formats, and the data that a position keeps.

use super::cubes::any_cube;
use cube::cube::Cube;
use cube::notation::{Defect, Fault, Format, Given, Position, facelets, parse, reid, scramble};
use proptest::prelude::*;

const REID: &str = "UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR";
const FACELETS: &str = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";

fn detected(text: &str) -> Format {
    match parse(text, None) {
        Ok(position) => position.format(),
        Err(Fault { format, defects }) => format.unwrap_or_else(|| panic!("{text}: {defects:?}")),
    }
}

fn candidates(text: &str) -> Vec<Format> {
    match parse(text, None).map_err(|fault| fault.defects) {
        Err(defects) => match defects.as_slice() {
            [Defect::Ambiguous(candidates)] => candidates.clone(),
            other => panic!("{text}: {other:?}"),
        },
        Ok(position) => panic!("{text}: {position:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn every_cube_is_recognised_in_its_own_format(cube in any_cube(), colours: bool) {
        let symbols = if colours { ['W', 'R', 'G', 'Y', 'O', 'B'] } else { ['U', 'R', 'F', 'D', 'L', 'B'] };
        let read = parse(&facelets::format_with(&cube, symbols), None).unwrap();
        prop_assert_eq!((read.cube, &read.given), (cube, &Given::Facelets(symbols)));
        let read = parse(&reid::format(&cube), None).unwrap();
        prop_assert_eq!((read.cube, &read.given), (cube, &Given::Reid));
    }

    /// Any number of moves with a mark that only moves have.
    #[test]
    fn moves_are_recognised(seed: u64, length in 0..120usize, glued: bool) {
        let turns = super::cubes::turns(seed, length);
        let mut text = scramble::format(turns.iter().copied()) + " x'";
        if glued {
            text = text.replace(' ', "");
        }
        let read = parse(&text, None).unwrap();
        prop_assert_eq!(read.cube, Cube::SOLVED.apply_all(turns.iter().copied()));
        prop_assert_eq!(read.given, Given::Moves(turns));
    }
}

#[test]
fn the_shape_decides() {
    assert_eq!(detected("R U F"), Format::Moves);
    assert_eq!(detected("RUF RUF RUF"), Format::Moves);
    assert_eq!(detected("hello"), Format::Moves);
    assert_eq!(detected(REID), Format::Reid);
    assert_eq!(detected(&REID.to_lowercase()), Format::Reid);
    assert_eq!(detected(FACELETS), Format::Facelets);
    assert_eq!(detected(&FACELETS.to_lowercase()), Format::Facelets);
    let rows: Vec<&str> = (0..18).map(|i| &FACELETS[3 * i..3 * i + 3]).collect();
    assert_eq!(detected(&rows.join(" ")), Format::Facelets);
    // Symbols that are not moves and about 54 of them: damaged facelets.
    assert_eq!(detected(&"WRGYOB".repeat(9)[1..]), Format::Facelets);
    // A scramble with a typing error is still read as a scramble.
    let slip = "R U2 F Q L2 D B2 R' U L2 F R U2 F D L2 D B2 R' U L2 F R U2 F D L2 D B2 R' U L2 F";
    assert_eq!(detected(slip), Format::Moves);
}

/// A letter lost from a list must not turn it into a scramble.
#[test]
fn ambiguous_texts_are_refused_with_both_formats() {
    use Format::{Facelets, Moves, Reid};
    assert_eq!(candidates(&REID[3..]), [Reid, Moves]);
    assert_eq!(candidates(&REID.replacen("UFR", "UF", 1)), [Reid, Moves]);
    let alone: Vec<String> = FACELETS.chars().map(String::from).collect();
    assert_eq!(candidates(&alone.join(" ")), [Facelets, Moves]);
    let message = parse(&alone.join(" "), None).unwrap_err().to_string();
    assert_eq!(message, "this can be read as facelets or moves; choose with --from facelets or --from moves");
    for damaged in [&FACELETS[1..], &FACELETS.to_lowercase()[1..]] {
        let defects = parse(damaged, None).unwrap_err().defects;
        assert_eq!((&defects[0], defects.last()), (&Defect::FaceletCount(53), Some(&Defect::Perhaps(Moves))));
    }
    // With the format given, each candidate is read.
    assert_eq!(parse(&FACELETS[1..], Some(Moves)).unwrap().format(), Moves);
    assert_eq!(parse(&alone.join(" "), Some(Facelets)).unwrap().cube, Cube::SOLVED);
    let fault = parse(&FACELETS[1..], Some(Facelets)).unwrap_err();
    assert_eq!(fault.defects[0], Defect::FaceletCount(53));
}

#[test]
fn empty_texts_are_refused_in_every_format() {
    for text in ["", " \n", "// a comment", "# R U"] {
        assert!(cube::notation::is_blank(text));
        assert_eq!(parse(text, None).unwrap_err().defects, [Defect::Empty]);
        assert_eq!(
            parse(text, Some(Format::Moves)).unwrap_err().to_string(),
            "read as moves: nothing to read"
        );
    }
}

#[test]
fn a_position_remembers_how_it_was_given() {
    let Position { orientation, given, text, .. } = parse("r U # wide", None).unwrap();
    assert_eq!((orientation.to_string().as_str(), text.as_str()), ("x", "r U # wide"));
    assert!(matches!(given, Given::Moves(turns) if scramble::format(turns.iter().copied()) == "L F"));
}
