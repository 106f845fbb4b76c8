//! Michael Reid's notation of 20 cubies: for each of 20 locations in his order, the cubie that is there, with
//! its letters in the order of the location's letters.
//!
//! The solved cube is the list of locations itself; `FU` in the first place is the edge UF, flipped at home.
//! Cubies are separated by white space, commas or comments; case is ignored.

use super::facelets::LETTERS;
use super::fault::{Defect, Fault};
use super::format::Format;
use super::pieces::Seen;
use super::text;
use crate::cube::{CORNERS, Cube, EDGES, Face, find};

/// The locations in Reid's order.
const LOCATIONS: [&str; 20] = [
    "UF", "UR", "UB", "UL", "DF", "DR", "DB", "DL", "FR", "FL", "BR", "BL", "UFR", "URB", "UBL", "ULF",
    "DRF", "DFL", "DLB", "DBR",
];

/// Reads 20 cubies.
///
/// # Errors
/// A [`Fault`] with everything that is wrong: the count, words of the wrong length, impossible,
/// duplicate and missing pieces, twist, flip, parity.
pub fn parse(text: &str) -> Result<Cube, Fault> {
    let words: Vec<String> = text::words(text).iter().map(|word| word.to_ascii_uppercase()).collect();
    let fault = |defects| Fault::of(Format::Reid, defects);
    if words.len() != LOCATIONS.len() {
        return Err(fault(vec![Defect::CubieCount(words.len())]));
    }
    let wrong: Vec<Defect> = (0..LOCATIONS.len()).filter_map(|i| wrong_length(i, &words[i])).collect();
    if !wrong.is_empty() {
        return Err(fault(wrong));
    }
    let mut seen = Seen::on(&Cube::SOLVED, LETTERS);
    for (location, word) in LOCATIONS.iter().zip(&words) {
        let stickers: Vec<char> = word.chars().collect();
        for (slot, symbol) in stickers.iter().enumerate() {
            *sticker(&mut seen, location, slot) = *symbol;
        }
    }
    seen.cube().map_err(fault)
}

/// The 20 cubies of a cube, separated by spaces.
pub fn format(cube: &Cube) -> String {
    let mut seen = Seen::on(cube, LETTERS);
    let word = |location: &&str| {
        (0..location.len()).map(|slot| *sticker(&mut seen, location, slot)).collect::<String>()
    };
    LOCATIONS.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn wrong_length(i: usize, word: &str) -> Option<Defect> {
    let (location, needed) = (LOCATIONS[i], LOCATIONS[i].len());
    let wrong = word.chars().count() != needed;
    wrong.then(|| Defect::CubieLength { number: i + 1, text: word.to_string(), location, needed })
}

/// The sticker at the `slot`-th letter of one of Reid's locations.
fn sticker<'a>(seen: &'a mut Seen, location: &str, slot: usize) -> &'a mut char {
    let faces: Vec<Face> = location.chars().filter_map(Face::from_letter).collect();
    match faces[..] {
        [a, b] => {
            let (at, first) = find(&EDGES, [a, b]);
            &mut seen.edges[at][(first + slot) % 2]
        }
        [a, b, c] => {
            let (at, _) = find(&CORNERS, [a, b, c]);
            let own = CORNERS[at].iter().position(|&face| face == faces[slot]);
            &mut seen.corners[at][own.expect("a face of the location")]
        }
        _ => unreachable!("locations have two or three letters"),
    }
}
