//! One move as it is written: `R`, `2Rw'`, `M2`, `x`.

use super::orientation::Orientation;
use crate::cube::{Face, Turn};
use std::fmt;

/// Which layers a move turns, seen from its face.
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

/// One move as it is written: clockwise as seen from the place `face`.
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
    /// Reads the move at the beginning of some characters, and how many of them name its layers and how
    /// many its amount.
    pub(super) fn read(characters: &[char]) -> Option<(Move, usize, usize)> {
        let (face, layers, named) = turning(characters)?;
        let (quarters, amount) = amount(&characters[named..]);
        Some((Move { face, layers, quarters }, named, amount))
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

/// `R2`, `M'`, `Rw`, `x`. (Of slices and rotations, only those that the letters follow have names.)
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

/// Whether a character inverts what stands before it: `'` in any typographic form, and `-`.
pub(super) fn inverts(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | '‛' | '´' | '`' | '′' | 'ʹ' | 'ʼ' | '＇' | '-' | '−')
}

/// The face and layers that turn, and how many characters name them.
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

/// Quarter turns clockwise, 1 to 3, and how many characters name them.
fn amount(characters: &[char]) -> (u8, usize) {
    let number = |c: char| c.to_digit(10).filter(|n| (1..=3).contains(n)).map(|n| n as u8);
    let at = |i: usize| characters.get(i).copied().unwrap_or(' ');
    match (number(at(0)), number(at(1))) {
        (Some(n), _) if inverts(at(1)) => (4 - n, 2),
        (Some(n), _) => (n, 1),
        (None, Some(n)) if inverts(at(0)) => (4 - n, 2),
        _ if inverts(at(0)) => (3, 1),
        _ => (1, 0),
    }
}
