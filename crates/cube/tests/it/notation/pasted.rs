//! Pasted cubes: lists of timers, nets, names. No text that could be read before changes its meaning.

use super::cubes::{any_cube, rng, turns};
use cube::cube::Cube;
use cube::notation::names::{self, NAMED};
use cube::notation::{Defect, Format, Given, Orientation, facelets, parse, scramble};
use cube::symmetry::Symmetry;
use proptest::prelude::*;

/// A net as programs print it, each symbol followed by `space`; the upper and lower face are indented.
fn net(cube: &Cube, symbols: [char; 6], space: &str) -> String {
    let facelets: Vec<char> = facelets::format_with(cube, symbols).chars().collect();
    let row = |face: usize, row: usize| -> String {
        let at = 9 * face + 3 * row;
        facelets[at..at + 3].iter().map(|symbol| format!("{symbol}{space}")).collect()
    };
    let indent = " ".repeat(3 * (1 + space.len()));
    let alone = |face| [0, 1, 2].map(|r| format!("{indent}{}\n", row(face, r))).concat();
    let middle: String = (0..3).map(|r| [4, 2, 1, 5].map(|face| row(face, r)).concat() + "\n").collect();
    alone(0) + &middle + &alone(3)
}

const LETTERS: [char; 6] = ['U', 'R', 'F', 'D', 'L', 'B'];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_net_is_read_as_it_is_printed(cube in any_cube(), space in 0..3usize, colours: bool, framed: bool) {
        let symbols = if colours { ['W', 'R', 'G', 'Y', 'O', 'B'] } else { LETTERS };
        let mut text = net(&cube, symbols, ["", " ", ", "][space]);
        if framed {
            text = format!("+------+\n{}+------+", text.replace('\n', " |\n"));
        }
        // The first line loses its indentation when arguments are trimmed; in a mail all lines may lose it.
        let bare: Vec<&str> = text.lines().map(str::trim).collect();
        for text in [text.as_str(), text.trim(), bare.join("\n").as_str()] {
            let read = parse(text, None).unwrap();
            prop_assert_eq!((read.cube, &read.given), (cube, &Given::Facelets(symbols)));
            prop_assert_eq!(&read.text, &facelets::format_with(&cube, symbols));
        }
    }

    /// Whatever stands in the other fields, the scramble is read, or the row is refused. It is never read as another cube.
    #[test]
    fn a_row_is_its_scramble_or_refused(
        seed: u64,
        length in 1..25usize,
        separator in 0..2usize,
        place in 0..5usize,
        others in prop::collection::vec(0..9usize, 4),
    ) {
        const OTHERS: [&str; 9] = ["17", "10.25", "", "2026-07-27 14:35:19", "PB", "R", "333", "no comment", "DNF"];
        let expected = scramble::format(turns(seed, length).iter().copied());
        let mut fields: Vec<&str> = others.iter().map(|&other| OTHERS[other]).collect();
        fields.insert(place, &expected);
        // Single moves with tabs between them are moves.
        let is_move = |field: &&str| !field.is_empty() && !field.contains(' ') && scramble::parse(field).is_ok();
        prop_assume!(separator == 0 || !fields.iter().all(is_move));
        let row = fields.join([";", "\t"][separator]);
        if let Ok(read) = parse(&row, None) {
            prop_assert_eq!(read.cube, scramble::parse(&expected).unwrap().cube(), "{}", row);
        }
    }

    #[test]
    fn a_link_is_its_moves(seed: u64, length in 1..25usize, form in 0..3usize) {
        let moves = scramble::format(turns(seed, length).iter().copied());
        let link = match form {
            0 => format!("https://alpha.twizzle.net/edit/?alg={}", moves.replace(' ', "+").replace('\'', "%27")),
            1 => format!("https://alg.cubing.net/?setup={}&title=R+U", moves.replace(' ', "_").replace('\'', "-")),
            _ => format!("https://alg.cubing.net/?title=F&alg={}", moves.replace(' ', "%20").replace('\'', "%27")),
        };
        prop_assert_eq!(parse(&link, None).unwrap().cube, scramble::parse(&moves).unwrap().cube(), "{}", link);
    }

    #[test]
    fn a_line_of_a_list_is_its_scramble(seed: u64, length in 0..25usize, form in 0..12usize) {
        let turns = turns(seed, length + 1);
        let moves = scramble::format(turns.iter().copied());
        let number = seed % 2000;
        let line = match form {
            0 => format!("{number}. 23.45   {moves}   @2024-01-31 12:34:56 "),
            1 => format!("{number}. 23.45   {moves}"),
            2 => format!("{number}. (23.45) {moves}"),
            3 => format!("{number}. 1:23.45+[a [slow] one; # R] {moves} @2024-01-31 12:34:56"),
            4 => format!("{number}. DNF(12.3)[comment] {moves}"),
            5 => format!("{number}. (DNF(12.3)) {moves}"),
            6 => format!("{number}. DNF {moves}"),
            7 => format!("{number}. 23.45=11.20+12.25[U] {moves}"),
            8 => format!("{number}) {moves}"),
            9 => format!("{number}. {moves}"),
            10 => format!("{number}. 9 [{moves}] // no comment of the time"),
            _ => format!("  {number}.\t12.3\t({moves})2'"),
        };
        let read = parse(&line, None).unwrap();
        let cube = Cube::SOLVED.apply_all(turns.iter().copied());
        let expected = if form < 11 { cube } else { cube.compose(&cube).inverse() };
        prop_assert_eq!((read.cube, read.format()), (expected, Format::Moves), "{}", line);
        prop_assert_eq!(parse(&line, Some(Format::Moves)).unwrap().cube, expected);
        prop_assert!(parse(&line, Some(Format::Reid)).is_err());
    }

    /// Brackets without amounts only separate, like spaces, or are refused where one is not closed.
    #[test]
    fn brackets_without_amounts_only_separate(seed: u64, length in 0..60usize) {
        let rng = &mut rng(seed);
        let alphabet: Vec<char> = "URFDLBurMx2'3 ()[]\n1.;w".chars().collect();
        let text: String = (0..length).map(|_| alphabet[super::cubes::below(rng, alphabet.len())]).collect();
        // Directly after a bracket, `x2` may also mean two times, and is refused.
        prop_assume!(!text.contains(")x") && !text.contains("]x"));
        if let Ok(read) = scramble::parse(&text.replace(['(', ')', '[', ']'], " ")) {
            match scramble::parse(&text) {
                Ok(with_brackets) => prop_assert_eq!(with_brackets, read, "{}", text),
                Err(fault) => {
                    let is_bracket = |defect: &Defect| matches!(defect, Defect::Bracket { .. });
                    prop_assert!(fault.defects.iter().all(is_bracket), "{}: {}", text, fault);
                }
            }
        }
    }
}

#[test]
fn faults_in_a_list_keep_their_columns() {
    let message = |text: &str| parse(text, None).unwrap_err().to_string();
    assert!(message("12. 23.45 R Q U").starts_with("read as moves: column 13: \"Q\" is not a move"));
    assert_eq!(message("5. DNF"), "read as moves: nothing to read");
    assert_eq!(message("5. 12.3 @2024-01-31"), "read as moves: nothing to read");
    // Without a space, or on several lines, it is not a list.
    for text in ["12.R U", "12 R U", "1. R\n2. U", "R 1. U"] {
        assert!(message(text).contains("is not a move"), "{text}");
    }
}

#[test]
fn the_scramble_of_a_row_is_found_or_the_row_is_refused() {
    let length = |text: &str| match parse(text, None).unwrap().given {
        Given::Moves(turns) => turns.len(),
        other => panic!("{other:?}"),
    };
    assert_eq!(length("1;10.25;;R U R';2026-07-27 14:35:19;"), 3);
    assert_eq!(length(r#""333";"normal";"27410";"1531747540455";"R U R' F2";"0";"""#), 4);
    assert_eq!(length("7\t12.31\tR U F"), 3);
    let solved = facelets::format(&Cube::SOLVED);
    assert_eq!(parse(&format!("3;{solved};a note"), None).unwrap().given, Given::Facelets(LETTERS));
    let message = |text: &str| parse(text, None).unwrap_err().to_string();
    assert_eq!(
        message(r#""F2L","R U R'""#),
        "several fields of the row can be read as a cube: field 1 (\"F2L\") and field 2 (\"R U R'\")"
    );
    assert_eq!(message("1;10.25;;;2026-07-27"), "a row of 5 fields, none of which is a cube");
    assert!(message("R U F\tQ").contains("column 7: \"Q\" is not a move"));
    let twos = "D;E;D;A;E;B;A;B;C;A;C;A;D;C;D;F;F;F;E;E;B;F;B;C";
    assert!(message(twos).contains("24 facelets, as a 2x2x2 cube has"), "{}", message(twos));
    assert!(cube::notation::is_blank("No.;Time;Comment;Scramble;Date;P.1"));
}

#[test]
fn the_scramble_of_a_link_is_read() {
    let moves = |text: &str| parse(text, None).unwrap().cube;
    let expected = scramble::parse("R U R' D2").unwrap().cube();
    assert_eq!(moves("https://alpha.twizzle.net/edit/?alg=R+U+R%27+D2"), expected);
    assert_eq!(moves("https://alg.cubing.net/?setup=R_U_R-_D2&title=x"), expected);
    assert!(parse("https://alg.cubing.net/?alg=R&setup=U", None).is_err());
}

/// Unknown facelets must not turn into rotations.
#[test]
fn letters_that_look_like_facelets_are_not_moves() {
    let unknown = "UUUUUUUUUxxxxRxxxxFFFFFFxxxxxxxDxxxxxxxxLxxxxBBBBBBxxx";
    let fault = parse(unknown, None).unwrap_err();
    assert_eq!(fault.defects, [Defect::Ambiguous(vec![Format::Facelets, Format::Moves])]);
    assert!(parse(unknown, Some(Format::Facelets)).is_err());
    assert_eq!(parse(unknown, Some(Format::Moves)).unwrap().format(), Format::Moves);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    /// Facelets in another order of the faces are read if the order is given; if only one order makes a legal cube, the
    /// fault names it.
    #[test]
    fn another_order_of_faces_is_named(cube in any_cube(), seed: u64) {
        let facelets: Vec<char> = facelets::format_with(&cube, ['w', 'r', 'g', 'y', 'o', 'b']).chars().collect();
        let (rng, mut letters) = (&mut rng(seed), LETTERS.to_vec());
        let order: String = (0..6).map(|_| letters.remove(super::cubes::below(rng, letters.len()))).collect();
        let faces = facelets::face_order(&order).unwrap();
        let text: String = faces.iter().flat_map(|face| &facelets[9 * face.index()..][..9]).collect();
        let usual = facelets::reordered(&text, faces).unwrap();
        prop_assert_eq!(&usual, &facelets.iter().collect::<String>());
        prop_assert_eq!(parse(&usual, Some(Format::Facelets)).unwrap().cube, cube);
        if let Err(fault) = parse(&text, Some(Format::Facelets)) {
            let named = fault.defects.iter().find_map(|defect| match defect {
                Defect::FaceOrder(order) => Some(order.clone()),
                _ => None,
            });
            prop_assert!(named.is_none_or(|named| named == order));
        }
    }
}

#[test]
fn the_order_of_a_pasted_cube_is_suggested() {
    let text = "rooyywrgwgwygboygbbrryrgorbgrwowogbogwbbobwbryyowgywry";
    let fault = parse(text, None).unwrap_err();
    assert!(
        fault.to_string().contains("valid only in the face order U L F R B D: use --faces ULFRBD"),
        "{fault}"
    );
    for order in ["URFDL", "URFDLBB", "URFDLL", "urfdlb"] {
        assert!(facelets::face_order(order).is_err(), "{order}");
    }
}

#[test]
fn faults_of_a_net_are_those_of_its_facelets() {
    let solved = net(&Cube::SOLVED, LETTERS, " ");
    let damaged = solved.replacen("F F F", "F R F", 1);
    let fault = parse(&damaged, None).unwrap_err();
    assert_eq!(fault.format, Some(Format::Facelets));
    assert!(fault.defects.contains(&Defect::SymbolCount { symbol: 'F', count: 8 }), "{fault}");
    assert_eq!(parse(&solved, Some(Format::Moves)).unwrap().format(), Format::Moves);
    // U above R, as some programs print it, is refused.
    let shifted: String =
        solved.lines().map(|line| line.replacen("      ", "            ", 1) + "\n").collect();
    assert!(parse(&shifted, None).is_err());
}

/// Fifty-three facelets are reported as such, and so are letters that may be moves.
#[test]
fn missing_facelets_are_counted() {
    let all = facelets::format(&Cube::SOLVED);
    let fault = parse(&all[1..], None).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "read as facelets: 53 facelets; a cube has 54; U occurs 8 times instead of 9; \
         if these are moves, use --from moves"
    );
    let fault = parse(&format!("{all}U"), None).unwrap_err();
    assert_eq!(fault.defects[0], Defect::FaceletCount(55));
    let coloured = facelets::format_with(&Cube::SOLVED, ['W', 'R', 'G', 'Y', 'O', 'B']);
    assert_eq!(parse(&coloured[1..], None).unwrap_err().defects[0], Defect::FaceletCount(53));
}

/// For each face, in the order U R F D L B, the facelets that show its centre's colour, and the number of colours
/// on the face.
fn motif(cube: &Cube) -> Vec<(String, usize)> {
    let facelets: Vec<char> = facelets::format(cube).chars().collect();
    let faces = facelets.chunks(9).map(|face| {
        let shown: std::collections::BTreeSet<_> = face.iter().collect();
        (face.iter().map(|&symbol| if symbol == face[4] { 'X' } else { '.' }).collect(), shown.len())
    });
    faces.collect()
}

fn all_faces(motif: &[(String, usize)], face: &str, colours: usize) -> bool {
    motif.iter().all(|shown| *shown == (face.to_owned(), colours))
}

/// The number of facelets of each face that show its centre's colour, if it is the same for all faces.
fn shown_everywhere(motif: &[(String, usize)]) -> Option<usize> {
    let count = |face: &String| face.matches('X').count();
    motif.iter().all(|(face, _)| count(face) == count(&motif[0].0)).then(|| count(&motif[0].0))
}

#[test]
fn named_positions_have_their_known_appearance() {
    let cube = |name: &str| parse(name, None).unwrap().cube;
    let (whole, plus) = ("XXXXXXXXX", ".X.XXX.X.");
    let sides = |motif: &[(String, usize)], side: &str| {
        [0, 3].iter().all(|&i| motif[i].0 == whole) && [1, 2, 4, 5].iter().all(|&i| motif[i].0 == side)
    };
    for named in NAMED {
        let cube = cube(named.name);
        let motif = motif(&cube);
        let fits = match named.name {
            "solved" => cube == Cube::SOLVED,
            "superflip" => all_faces(&motif, "X.X.X.X.X", 5) && Symmetry::of(&cube).len() == 48,
            "checkerboard" => all_faces(&motif, "X.X.X.X.X", 2) && Symmetry::of(&cube).len() == 48,
            "zigzag" => [0, 3].iter().all(|&i| motif[i] == ("X.X.X.X.X".to_owned(), 2)),
            "four spots" => sides(&motif, "....X...."),
            "six spots" => all_faces(&motif, "....X....", 2),
            "superflip four spots" => {
                let flipped =
                    parse("superflip", None).unwrap().cube.compose(&parse("four spots", None).unwrap().cube);
                cube == flipped
            }
            "cube in a cube" => shown_everywhere(&motif) == Some(4) && motif.iter().all(|face| face.1 == 2),
            "cube in a cube in a cube" => {
                shown_everywhere(&motif) == Some(3) && motif.iter().all(|face| face.1 == 3)
            }
            "plummer's cross" => all_faces(&motif, plus, 2),
            "christman's cross" => all_faces(&motif, plus, 2),
            "gift box" => [0, 3].iter().all(|&i| motif[i].0 == plus) && motif[2].0 == ".X..X..X.",
            "kilt" => all_faces(&motif, "....X....", 3),
            "stripes" => sides(&motif, ".X..X..X."),
            "wire" => {
                [0, 3].iter().all(|&i| motif[i].0 == whole) && shown_everywhere(&motif[1..3]) == Some(5)
            }
            "tetris" => all_faces(&motif, "....X....", 3),
            "twister" => shown_everywhere(&motif) == Some(5),
            "anaconda" => shown_everywhere(&motif) == Some(3) && motif[0].0 == ".X.XX....",
            "python" => shown_everywhere(&motif) == Some(3) && motif[0].0 == ".X..X..X.",
            other => panic!("{other} is not described here"),
        };
        assert!(fits, "{}: {motif:?}", named.name);
    }
}

#[test]
fn names_are_found_and_distinct() {
    let all: Vec<&str> = NAMED.iter().flat_map(|named| [&[named.name], named.aliases].concat()).collect();
    for name in &all {
        let named = names::find(name).unwrap();
        assert!(named.name == *name || named.aliases.contains(name), "{name} is also {}", named.name);
        // No name was a readable text before.
        for text in [name.to_string(), name.to_uppercase(), name.replace(' ', "-"), name.replace(' ', "")] {
            assert!(scramble::parse(&text).is_err(), "{text}");
            let read = parse(&text, None).unwrap();
            assert_eq!((read.text.as_str(), read.orientation), (named.moves, Orientation::HOME));
            assert!(parse(&text, Some(Format::Moves)).is_err());
        }
    }
    for text in ["", "superflop", "superflip 2", "superflip, R"] {
        assert_eq!(names::find(text), None, "{text}");
    }
    let cubes: std::collections::HashSet<Cube> =
        NAMED.iter().map(|n| parse(n.name, None).unwrap().cube).collect();
    assert_eq!(cubes.len(), NAMED.len());
}
