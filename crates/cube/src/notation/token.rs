//! A single written move: `R`, `2Rw'`, `M2`, `x`.

use super::orientation::Orientation;
use crate::cube::{Face, Turn};
use std::fmt;

/// The layers that a move turns, as seen from its face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Layers {
    /// The face's own layer: `R`.
    Outer,
    /// The layer between the face and the opposite one: `M`, `E`, `S`, which follow L, D and F.
    Middle,
    /// Both of these: `Rw`.
    Wide,
    /// The whole cube: `x`, `y`, `z`, which follow R, U and F.
    All,
}

/// A written move: clockwise as seen from the place `face`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The place of the face.
    pub face: Face,
    /// The layers that turn.
    pub layers: Layers,
    /// Quarter turns clockwise: 1, 2 or 3.
    pub quarters: u8,
}

impl Move {
    /// Reads the move that some characters begin with, and the numbers of characters that name its layers and its
    /// amount. A multiple of four quarter turns (`R4`) is read as no move.
    pub(super) fn read(characters: &[char]) -> Option<(Option<Move>, usize, usize)> {
        let (face, layers, named) = turning(characters)?;
        let (quarters, amount) = amount(&characters[named..]);
        if layers == Layers::Outer && amount == 0 && old_inverse(&characters[named..]) {
            return Some((Some(Move { face, layers, quarters: 3 }), named, 1));
        }
        Some(((quarters > 0).then_some(Move { face, layers, quarters }), named, amount))
    }

    /// The number of quarter turns, for a face turn.
    pub(super) fn quarters_of_a_face(self) -> Option<u8> {
        (self.layers == Layers::Outer).then_some(self.quarters)
    }

    /// The turn of the face at this place; `None` if other layers turn too.
    pub fn turn(self) -> Option<Turn> {
        (self.layers == Layers::Outer).then(|| Turn::new(self.face, self.quarters))
    }

    /// The move that undoes this one.
    pub(crate) fn inverse(self) -> Move {
        Move { quarters: 4 - self.quarters, ..self }
    }

    /// Makes the move: appends the turns of the cube's own faces, and rotates the cube.
    pub(crate) fn perform(self, turns: &mut Vec<Turn>, held: &mut Orientation) {
        let Move { face, layers, quarters } = self;
        let mut turn = |place, n| turns.push(held.from_held(Turn::new(place, n)));
        match layers {
            Layers::Outer => turn(face, quarters),
            Layers::Wide => turn(face.opposite(), quarters),
            Layers::Middle => {
                turn(face, 4 - quarters);
                turn(face.opposite(), quarters);
            }
            Layers::All => {}
        }
        if !matches!(layers, Layers::Outer) {
            *held = held.rotated(face, quarters);
        }
    }
}

impl From<Turn> for Move {
    fn from(turn: Turn) -> Move {
        Move { face: turn.face(), layers: Layers::Outer, quarters: turn.quarters() }
    }
}

/// `R2`, `M'`, `Rw`, `x`. (A slice or rotation has a name only if it follows the face of its letter.)
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = ["", "2", "'"][usize::from(self.quarters) - 1];
        let letter = self.face.letter();
        match (self.layers, self.face) {
            (Layers::Outer, _) => write!(f, "{letter}{suffix}"),
            (Layers::Wide, _) => write!(f, "{letter}w{suffix}"),
            (Layers::Middle, Face::L | Face::R) => write!(f, "M{suffix}"),
            (Layers::Middle, Face::D | Face::U) => write!(f, "E{suffix}"),
            (Layers::Middle, Face::F | Face::B) => write!(f, "S{suffix}"),
            (Layers::All, Face::L | Face::R) => write!(f, "x{suffix}"),
            (Layers::All, Face::D | Face::U) => write!(f, "y{suffix}"),
            (Layers::All, Face::F | Face::B) => write!(f, "z{suffix}"),
        }
    }
}

/// Whether a character inverts the move before it: `'` in any typographic form, or `-`.
pub(super) fn inverts(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | '‛' | '´' | '`' | '′' | 'ʹ' | 'ʼ' | '＇' | '-' | '−')
}

/// The face and layers that turn, and the number of characters that name them.
fn turning(characters: &[char]) -> Option<(Face, Layers, usize)> {
    let face = Face::from_letter;
    match *characters {
        ['2', letter, 'w', ..] => Some((face(letter)?, Layers::Wide, 3)),
        ['M', ..] => Some((Face::L, Layers::Middle, 1)),
        ['E', ..] => Some((Face::D, Layers::Middle, 1)),
        ['S', ..] => Some((Face::F, Layers::Middle, 1)),
        ['x', ..] => Some((Face::R, Layers::All, 1)),
        ['y', ..] => Some((Face::U, Layers::All, 1)),
        ['z', ..] => Some((Face::F, Layers::All, 1)),
        [letter, 'w', ..] => Some((face(letter)?, Layers::Wide, 2)),
        [letter, ..] if letter.is_ascii_lowercase() => {
            Some((face(letter.to_ascii_uppercase())?, Layers::Wide, 1))
        }
        [letter, ..] => Some((face(letter)?, Layers::Outer, 1)),
        [] => None,
    }
}

/// The number of quarter turns clockwise, 0 to 3, and the number of characters that name it: up to three
/// digits, an inverting mark before or after them, or the mark alone.
fn amount(characters: &[char]) -> (u8, usize) {
    let marked = |at: usize| characters.get(at).copied().is_some_and(inverts);
    let before = usize::from(marked(0) && !is_arrow(characters));
    let digits: String = characters[before..].iter().take_while(|c| c.is_ascii_digit()).collect();
    let number: Option<u16> = digits.parse().ok().filter(|_| digits.len() <= 3 && !digits.starts_with('0'));
    let Some(number) = number else { return if before == 1 { (3, 1) } else { (1, 0) } };
    let end = before + digits.len();
    let after = usize::from(before == 0 && marked(end) && !is_arrow(&characters[end..]));
    let quarters = (number % 4) as u8;
    (if before + after == 1 { (4 - quarters) % 4 } else { quarters }, end + after)
}

/// Whether an arrow (`->`) begins here; its first character is not an inverting mark.
fn is_arrow(characters: &[char]) -> bool {
    matches!(characters, ['-', '>', ..])
}

/// Whether an `i` here stands for the inverse (`Ri`, an older notation).
fn old_inverse(characters: &[char]) -> bool {
    matches!(characters, ['i', rest @ ..] if !rest.first().is_some_and(|c| c.is_lowercase()))
}
