//! Moves: `R`, `R2`, `R'` and their relatives, resolved to turns of the cube's own faces.
//!
//! The idea: the centres of a 3x3x3 cube stay where they are under face turns. A wide turn is a
//! turn of the opposite face and a rotation of the whole cube; a slice is a turn of both
//! neighbouring faces and a rotation. So only rotations are remembered ([`Orientation`]), and
//! every later move is translated from the place that it names to the face at that place.
//!
//! Accepted: faces `U R F D L B`; wide turns `u`, `Uw`, `2Uw`; slices `M` (as L), `E` (as D),
//! `S` (as F); rotations `x` (as R), `y` (as U), `z` (as F). Amounts: nothing or `1`, `2`, `3`;
//! `'` (or any typographic form of it) and `-` for the inverse, before or after the number. Moves
//! may stand together (`RUR'U'`). Brackets `( ) [ ]` and comments (`//`, `#`, `;` to the end of
//! the line) are ignored.

use super::detect::Format;
use super::fault::{Defect, Fault};
use super::orientation::Orientation;
use super::text::{is_space, without_comment};
use crate::cube::{Cube, Face, Turn};
use std::fmt;

const MOVES: &str = "a face (U R F D L B), a wide turn (r, Rw, 2Rw), a slice (M E S) or a rotation (x y z), \
                     each alone or with 2, 3, ' or -";
const SPACE: &str = "a space on one side of the 2, which can belong to the move before it or after it";

/// Moves, resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scramble {
    /// Turns of the cube's own faces.
    pub turns: Vec<Turn>,
    /// How the cube is held after the moves, having been held at home before.
    pub orientation: Orientation,
}

impl Scramble {
    /// The cube that the turns make of a solved one.
    pub fn cube(&self) -> Cube {
        Cube::SOLVED.apply_all(self.turns.iter().copied())
    }
}

/// Reads moves; an empty list is a scramble too.
///
/// # Errors
/// A [`Fault`] that names every token that is not a move, with its position and what would be
/// accepted.
pub fn parse(text: &str) -> Result<Scramble, Fault> {
    let mut scramble = Scramble { turns: Vec::new(), orientation: Orientation::HOME };
    parse_moves(text)?.into_iter().for_each(|turn| turn.perform(&mut scramble));
    Ok(scramble)
}

/// Reads moves as they are written, without resolving them.
///
/// # Errors
/// As [`parse`].
pub fn parse_moves(text: &str) -> Result<Vec<Move>, Fault> {
    let mut moves = Vec::new();
    let mut defects = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let characters: Vec<char> = without_comment(line).chars().collect();
        let tokens = Tokens { line: &characters, at: 0, glued_to: None };
        for item in tokens {
            match item {
                Ok(token) => moves.push(token),
                Err(Unknown { from, to, expected }) => defects.push(Defect::Token {
                    text: characters[from..to].iter().collect(),
                    line: number + 1,
                    column: from + 1,
                    expected,
                }),
            }
        }
    }
    if defects.is_empty() { Ok(moves) } else { Err(Fault::of(Format::Moves, defects)) }
}

/// Turns as text, separated by spaces.
pub fn format(turns: impl IntoIterator<Item = Turn>) -> String {
    turns.into_iter().map(|turn| turn.to_string()).collect::<Vec<_>>().join(" ")
}

/// Moves as text, separated by spaces.
pub fn format_moves(moves: impl IntoIterator<Item = Move>) -> String {
    moves.into_iter().map(|name| name.to_string()).collect::<Vec<_>>().join(" ")
}

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
    /// Adds what the move does to a scramble.
    fn perform(self, scramble: &mut Scramble) {
        let Move { face, layers, quarters } = self;
        let mut turn = |place, n| scramble.turns.push(scramble.orientation.from_held(Turn::new(place, n)));
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
            scramble.orientation = scramble.orientation.rotated(face, quarters);
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

/// Characters `from..to` of a line, which are not a move.
struct Unknown {
    from: usize,
    to: usize,
    expected: &'static str,
}

/// The moves of one line, in order.
struct Tokens<'a> {
    line: &'a [char],
    at: usize,
    /// The start of the move that ended at `at`.
    glued_to: Option<usize>,
}

impl Iterator for Tokens<'_> {
    type Item = Result<Move, Unknown>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.line.get(self.at).copied().is_some_and(separates) {
            self.at += 1;
            self.glued_to = None;
        }
        self.line.get(self.at)?;
        Some(self.token())
    }
}

impl Tokens<'_> {
    fn token(&mut self) -> Result<Move, Unknown> {
        let from = self.at;
        let Some((face, layers, used)) = turning(&self.line[from..]) else {
            return Err(self.unknown(MOVES));
        };
        let (quarters, amount) = amount(&self.line[from + used..]);
        self.at = from + used + amount;
        self.glued_to = Some(from);
        if amount > 0 && self.line[self.at - 1] == '2' && matches!(self.line.get(self.at + 1), Some('w')) {
            return Err(self.unknown(SPACE));
        }
        Ok(Move { face, layers, quarters })
    }

    /// Skips the rest of the word. An amount that cannot be read belongs to the move before it.
    fn unknown(&mut self, expected: &'static str) -> Unknown {
        let amount_like = expected == SPACE || !self.line[self.at].is_alphabetic();
        let from = self.glued_to.filter(|_| amount_like).unwrap_or(self.at);
        let rest = self.line[self.at..].iter().position(|&c| separates(c));
        self.at = rest.map_or(self.line.len(), |rest| self.at + rest);
        self.glued_to = None;
        Unknown { from, to: self.at, expected }
    }
}

fn separates(c: char) -> bool {
    is_space(c) || matches!(c, '(' | ')' | '[' | ']')
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
    let inverts =
        |c: char| matches!(c, '\'' | '’' | '‘' | '‛' | '´' | '`' | '′' | 'ʹ' | 'ʼ' | '＇' | '-' | '−');
    let at = |i: usize| characters.get(i).copied().unwrap_or(' ');
    match (number(at(0)), number(at(1))) {
        (Some(n), _) if inverts(at(1)) => (4 - n, 2),
        (Some(n), _) => (n, 1),
        (None, Some(n)) if inverts(at(0)) => (4 - n, 2),
        _ if inverts(at(0)) => (3, 1),
        _ => (1, 0),
    }
}
