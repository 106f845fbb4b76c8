//! Moves: `R`, `R2`, `R'` and their relatives, resolved to turns of the cube's own faces.
//!
//! The idea: the centres of a 3x3x3 cube stay where they are under face turns. A wide turn is a
//! turn of the opposite face and a rotation of the whole cube; a slice is a turn of both
//! neighbouring faces and a rotation. So only rotations are remembered ([`Orientation`]), and
//! every later move is translated from the place that it names to the face at that place.
//!
//! Accepted: faces `U R F D L B`; wide turns `u`, `Uw`, `2Uw`; slices `M` (as L), `E` (as D),
//! `S` (as F); rotations `x` (as R), `y` (as U), `z` (as F). Amounts: nothing or a number, modulo 4;
//! `'` (or any typographic form of it) and `-` for the inverse, before or after the number, and `i`
//! behind a face. Moves may stand together (`RUR'U'`) or have commas between them. Comments (`//` or `#` to
//! the end of the line, `/* */`), pauses (`.`), arrows (`->`) and counts of moves (`(18f*)`) are ignored.
//! Brackets `( ) [ ]` group; `[A, B]` is a commutator, `[A: B]` a conjugate, `(A)3` (also `(A)*3`) a
//! repetition, `(A)'` the inverse. They may stand in each other, and expand to [`MOST_MOVES`] at most.

pub use super::brackets::MOST_MOVES;
pub(crate) use super::text::lines;
pub use super::token::{Layers, Move};

use super::brackets::expand;
use super::detect::Format;
use super::fault::Fault;
use super::lexer::lex;
use super::orientation::Orientation;
use crate::cube::{Cube, Turn};

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
/// accepted; if there is none, the first bracket at fault.
pub fn parse(text: &str) -> Result<Scramble, Fault> {
    let mut scramble = Scramble { turns: Vec::new(), orientation: Orientation::HOME };
    for name in parse_moves(text)? {
        name.perform(&mut scramble.turns, &mut scramble.orientation);
    }
    Ok(scramble)
}

/// Reads moves as they are written, without resolving them.
///
/// # Errors
/// As [`parse`].
pub fn parse_moves(text: &str) -> Result<Vec<Move>, Fault> {
    let (items, defects) = lex(text);
    if !defects.is_empty() {
        return Err(Fault::of(Format::Moves, defects));
    }
    expand(&items).map_err(|defect| Fault::of(Format::Moves, vec![defect]))
}

/// The moves that make turns of the cube's own faces, for someone who holds it like this.
pub fn held_moves(turns: impl IntoIterator<Item = Turn>, held: Orientation) -> Vec<Move> {
    turns.into_iter().map(|turn| held.to_held(turn).into()).collect()
}

/// Turns as text, separated by spaces.
pub fn format(turns: impl IntoIterator<Item = Turn>) -> String {
    turns.into_iter().map(|turn| turn.to_string()).collect::<Vec<_>>().join(" ")
}

/// Moves as text, separated by spaces.
pub fn format_moves(moves: impl IntoIterator<Item = Move>) -> String {
    moves.into_iter().map(|name| name.to_string()).collect::<Vec<_>>().join(" ")
}
