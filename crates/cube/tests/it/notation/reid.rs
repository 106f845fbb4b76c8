//! Reid's 20 cubies: round trips, the meaning of an entry, and every fault.

use super::cubes::any_cube;
use cube::cube::Cube;
use cube::notation::fault::{Impossible, Kind};
use cube::notation::{Defect, reid, scramble};
use proptest::prelude::*;

const SOLVED: &str = "UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR";

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn every_cube_round_trips(cube in any_cube()) {
        let text = reid::format(&cube);
        prop_assert_eq!(reid::parse(&text).unwrap(), cube);
        prop_assert_eq!(reid::parse(&text.to_lowercase().replace(' ', ", ")).unwrap(), cube);
    }
}

fn after(moves: &str) -> String {
    reid::format(&scramble::parse(moves).unwrap().cube())
}

/// U moves the edge UR to UF with U up, and the corner URB to UFR with its R sticker in front. F moves the edge FL to
/// UF with its L sticker up.
#[test]
fn entries_name_what_is_at_each_location() {
    assert_eq!(reid::format(&Cube::SOLVED), SOLVED);
    assert_eq!(after("U"), "UR UB UL UF DF DR DB DL FR FL BR BL URB UBL ULF UFR DRF DFL DLB DBR");
    assert_eq!(after("F"), "LF UR UB UL RF DR DB DL FU FD BR BL LFU URB UBL LDF RUF RFD DLB DBR");
    assert_eq!(
        after("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"),
        "FU RU BU LU FD RD BD LD RF LF RB LB UFR URB UBL ULF DRF DFL DLB DBR"
    );
}

fn defects(text: &str) -> Vec<Defect> {
    reid::parse(text).unwrap_err().defects
}

#[test]
fn every_fault_is_named() {
    let replaced = |from: &str, to: &str| defects(&SOLVED.replacen(from, to, 1));
    assert_eq!(defects("UF UR"), [Defect::CubieCount(2)]);
    assert_eq!(
        replaced("UR ", "UFR "),
        [Defect::CubieLength { number: 2, text: "UFR".into(), location: "UR", needed: 2 }]
    );
    let missing = |kind, piece: &str| Defect::Missing { kind, piece: piece.into() };
    let edge = |stickers: &str, why| Defect::Piece {
        kind: Kind::Edge,
        location: "UF".into(),
        stickers: stickers.into(),
        why,
    };
    for (text, why) in [
        ("UU", Impossible::Equal('U')),
        ("UD", Impossible::Opposite('U', 'D')),
        ("UX", Impossible::Strange('X')),
    ] {
        assert_eq!(replaced("UF", text), [edge(text, why), missing(Kind::Edge, "UF")]);
    }
    let corner = &replaced("UFR", "URF")[0];
    assert_eq!(corner.to_string(), "the corner at URF shows UFR: it is the mirror image of the corner URF");
    assert_eq!(
        replaced("UF", "UR")[0],
        Defect::Duplicate { kind: Kind::Edge, piece: "UR".into(), locations: vec!["UR".into(), "UF".into()] }
    );
    assert_eq!(replaced("UF", "FU"), [Defect::Flip]);
    assert_eq!(replaced("UF UR", "UR UF"), [Defect::Parity]);
    // The U sticker of UFR in front instead of up: turned counterclockwise.
    assert_eq!(replaced("UFR", "RUF"), [Defect::Twist { clockwise: false }]);
    assert_eq!(replaced("UFR", "FRU"), [Defect::Twist { clockwise: true }]);
}
