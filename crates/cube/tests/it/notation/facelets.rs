//! Facelets: round trips in all orientations and symbols, and every fault.

use super::cubes::{any_cube, referee_facelets, rng, shuffle};
use cube::cube::{Cube, Turn};
use cube::notation::fault::{Impossible, Kind};
use cube::notation::{Defect, Orientation, facelets, scramble};
use proptest::prelude::*;

const SOLVED: &str = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";

/// The facelets of a cube that is held in some orientation, by the referee: the rotation alone moves its
/// facelets.
fn held(cube: &Cube, orientation: Orientation) -> String {
    let home = referee::cube::Cube::parse(&facelets::format(cube)).unwrap();
    let rotations = referee::cube::parse_moves(&orientation.to_string()).unwrap();
    home.after_all(&rotations).to_string()
}

/// Text with each symbol replaced: `to[i]` for `from[i]`.
fn recoloured(text: &str, from: &[char], to: &[char]) -> String {
    text.chars().map(|c| to[from.iter().position(|&f| f == c).unwrap()]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..Default::default() })]

    #[test]
    fn every_cube_round_trips_in_all_24_orientations(cube in any_cube()) {
        for orientation in Orientation::all() {
            let read = facelets::parse(&held(&cube, orientation)).unwrap();
            prop_assert_eq!((read.cube, read.orientation), (cube, orientation));
        }
    }

    /// Six arbitrary symbols do not name faces, so the cube is read as it is held.
    #[test]
    fn any_six_symbols_are_accepted(cube in any_cube(), seed: u64, spaced: bool) {
        let rng = &mut rng(seed);
        let mut symbols: Vec<char> = "ABCDEFGHWYabcxyz0123456789.*+ü🟥🟦🟩🟧🟨⬜".chars().collect();
        shuffle(rng, &mut symbols);
        let symbols: [char; 6] = symbols[..6].try_into().unwrap();
        let mut text = facelets::format_with(&cube, symbols);
        if spaced {
            text = text.chars().map(|c| format!("{c}, ")).collect();
        }
        let read = facelets::parse(&text).unwrap();
        prop_assert_eq!((read.cube, read.orientation, read.centres), (cube, Orientation::HOME, symbols));
    }

    #[test]
    fn the_facelets_are_those_of_the_referee(seed: u64, length in 0..20usize) {
        let moves = scramble::format(super::cubes::turns(seed, length));
        let cube = scramble::parse(&moves).unwrap().cube();
        prop_assert_eq!(facelets::format(&cube), referee_facelets(&moves));
    }

    /// A turn of the place U is the same turn, whatever the symbols.
    #[test]
    fn colours_of_a_rotated_cube_are_read_as_held(cube in any_cube(), turn in 0..18usize) {
        let letters: Vec<char> = "URFDLB".chars().collect();
        let colours: Vec<char> = "WRGYOB".chars().collect();
        for orientation in Orientation::all() {
            let read = |cube: &Cube| {
                facelets::parse(&recoloured(&held(cube, orientation), &letters, &colours)).unwrap().cube
            };
            let turned = cube.apply(orientation.from_held(Turn::from_index(turn)));
            prop_assert_eq!(read(&turned), read(&cube).apply(Turn::from_index(turn)));
        }
    }
}

#[test]
fn spaces_commas_lines_and_comments_are_ignored() {
    let rows: Vec<String> = (0..18).map(|i| SOLVED[3 * i..3 * i + 3].to_string()).collect();
    for text in [rows.join(" "), rows.join(",\n"), format!("{} # the solved cube", rows.join("\t"))] {
        assert_eq!(facelets::parse(&text).unwrap().cube, Cube::SOLVED);
    }
    let squares = "⬜️".repeat(9)
        + &"🟥".repeat(9)
        + &"🟩".repeat(9)
        + &"🟨".repeat(9)
        + &"🟧".repeat(9)
        + &"🟦".repeat(9);
    assert_eq!(facelets::parse(&squares).unwrap().cube, Cube::SOLVED);
}

/// The solved cube with some facelets replaced.
fn with(changes: &[(usize, char)]) -> String {
    let mut facelets: Vec<char> = SOLVED.chars().collect();
    changes.iter().for_each(|&(i, symbol)| facelets[i] = symbol);
    facelets.into_iter().collect()
}

/// The solved cube with the symbols of two facelets swapped, for each given pair.
fn swapped(pairs: &[(usize, usize)]) -> String {
    let mut facelets: Vec<char> = SOLVED.chars().collect();
    pairs.iter().for_each(|&(i, j)| facelets.swap(i, j));
    facelets.into_iter().collect()
}

fn defects(text: &str) -> Vec<Defect> {
    facelets::parse(text).unwrap_err().defects
}

fn missing(kind: Kind, piece: &str) -> Defect {
    Defect::Missing { kind, piece: piece.into() }
}

// Facelets of the corner URF: U9 = 8, R1 = 9, F3 = 20; of UFL: U7 = 6, F1 = 18, L3 = 38; of the
// edge UF: U8 = 7, F2 = 19; of UR: U6 = 5, R2 = 10.

#[test]
fn wrong_counts() {
    assert_eq!(
        defects(&SOLVED[1..]),
        [Defect::FaceletCount(53), Defect::SymbolCount { symbol: 'U', count: 8 }]
    );
    assert_eq!(
        defects(&with(&[(0, 'X')]))[..2],
        [
            Defect::SymbolKinds(vec!['X', 'U', 'R', 'F', 'D', 'L', 'B']),
            Defect::SymbolCount { symbol: 'X', count: 1 }
        ]
    );
    assert!(defects(&with(&[(0, 'R')])).contains(&Defect::SymbolCount { symbol: 'R', count: 10 }));
    assert_eq!(
        facelets::parse(&"U".repeat(50)).unwrap_err().to_string(),
        "read as facelets: 50 facelets; a cube has 54; 1 different symbols instead of 6: U; U occurs 50 times instead of 9"
    );
}

#[test]
fn repeated_centres() {
    let text = with(&[(4, 'R'), (22, 'R'), (9, 'U'), (10, 'F')]);
    let faces = ["U", "R", "F"].map(String::from).to_vec();
    assert_eq!(defects(&text), [Defect::SameCentre { symbol: 'R', faces }]);
    let message = facelets::parse(&text).unwrap_err().to_string();
    assert_eq!(message, "read as facelets: the centres of the faces U, R and F are all R");
}

#[test]
fn impossible_pieces_by_location() {
    let piece = |kind, location: &str, stickers: &str, why| Defect::Piece {
        kind,
        location: location.into(),
        stickers: stickers.into(),
        why,
    };
    // U9 and F2 swapped: the corner URF shows F twice, the edge UF shows U twice.
    assert_eq!(
        defects(&swapped(&[(8, 19)])),
        [
            piece(Kind::Corner, "URF", "FRF", Impossible::Equal('F')),
            missing(Kind::Corner, "URF"),
            piece(Kind::Edge, "UF", "UU", Impossible::Equal('U')),
            missing(Kind::Edge, "UF"),
        ]
    );
    // R1 and B3 swapped: the corner URF has opposite stickers.
    assert_eq!(
        defects(&swapped(&[(9, 47)]))[..1],
        [piece(Kind::Corner, "URF", "UBF", Impossible::Opposite('B', 'F'))]
    );
    assert_eq!(
        defects(&with(&[(19, 'D')]))[2..],
        [piece(Kind::Edge, "UF", "UD", Impossible::Opposite('U', 'D')), missing(Kind::Edge, "UF")]
    );
    // R1 and F3 swapped: the mirror image.
    let mirrored = defects(&swapped(&[(9, 20)]));
    assert_eq!(
        mirrored,
        [piece(Kind::Corner, "URF", "UFR", Impossible::Mirrored("URF".into())), missing(Kind::Corner, "URF")]
    );
    assert!(defects(&with(&[(7, '?')])).contains(&piece(Kind::Edge, "UF", "?F", Impossible::Strange('?'))));
}

#[test]
fn duplicate_and_missing_pieces_by_name() {
    // D2 is the D sticker of the edge DF; with U in its place, there are two edges UF.
    assert_eq!(
        defects(&with(&[(28, 'U')])),
        [
            Defect::SymbolCount { symbol: 'U', count: 10 },
            Defect::SymbolCount { symbol: 'D', count: 8 },
            Defect::Duplicate {
                kind: Kind::Edge,
                piece: "UF".into(),
                locations: vec!["UF".into(), "DF".into()]
            },
            missing(Kind::Edge, "DF"),
        ]
    );
    let colours =
        recoloured(&with(&[(28, 'U')]), &['U', 'R', 'F', 'D', 'L', 'B'], &['W', 'R', 'G', 'Y', 'O', 'B']);
    let message = facelets::parse(&colours).unwrap_err().to_string();
    assert!(message.ends_with("the edge WG occurs at UF and DF; the edge YG is missing"), "{message}");
}

#[test]
fn twist_flip_and_parity() {
    // Clockwise: the stickers of URF move from U to R to F to U.
    assert_eq!(defects(&with(&[(8, 'F'), (9, 'U'), (20, 'R')])), [Defect::Twist { clockwise: true }]);
    assert_eq!(defects(&with(&[(8, 'R'), (9, 'F'), (20, 'U')])), [Defect::Twist { clockwise: false }]);
    assert_eq!(defects(&swapped(&[(7, 19)])), [Defect::Flip]);
    // The edges UF and UR swapped.
    assert_eq!(defects(&swapped(&[(19, 10)])), [Defect::Parity]);
    // All three at once.
    assert_eq!(
        defects(&with(&[(8, 'F'), (9, 'U'), (20, 'R'), (7, 'R'), (19, 'U'), (10, 'F')])),
        [Defect::Twist { clockwise: true }, Defect::Flip, Defect::Parity]
    );
    let message = facelets::parse(&with(&[(8, 'F'), (9, 'U'), (20, 'R')])).unwrap_err().to_string();
    assert!(message.contains("a corner is twisted clockwise"), "{message}");
}

/// A cube with one twisted corner still shows it after any scramble.
#[test]
fn a_twist_survives_any_scramble() {
    let moves = referee::cube::parse_moves("R U2 F' L D B2 R' U L2 F").unwrap();
    let twisted = referee::cube::Cube::parse(&with(&[(8, 'F'), (9, 'U'), (20, 'R')])).unwrap();
    assert_eq!(defects(&twisted.after_all(&moves).to_string()), [Defect::Twist { clockwise: true }]);
}
