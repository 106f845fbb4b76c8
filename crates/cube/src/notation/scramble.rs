//! Moves: `R`, `R2`, `R'` and their variants, resolved to turns of the cube's own faces.
//!
//! The idea: face turns do not move the centres of a 3x3x3 cube. A wide turn is a turn of the opposite face
//! and a rotation of the whole cube; a slice turn is a turn of both neighbouring faces and a rotation. So it is
//! enough to keep track of rotations ([`Orientation`]) and to translate every later move from the place that it
//! names to the face at that place.
//!
//! Accepted: faces `U R F D L B`; wide turns `u`, `Uw`, `2Uw`; slices `M` (as L), `E` (as D),
//! `S` (as F); rotations `x` (as R), `y` (as U), `z` (as F). Amounts: nothing or a number, modulo 4;
//! `'` (in any typographic form) and `-` for the inverse, before or after the number, and `i` after a face.
//! Moves may be written without spaces (`RUR'U'`) or with commas between them. Comments (`//` or `#` to the end
//! of the line, `/* */`), pauses (`.`), arrows (`->`) and numbers of moves (`(18f*)`) are ignored. Brackets
//! `( ) [ ]` group; `[A, B]` is a commutator, `[A: B]` a conjugate, `(A)3` (also `(A)*3`) a repetition, `(A)'`
//! the inverse. They may be nested, and expand to at most [`MOST_MOVES`].

pub use super::brackets::MOST_MOVES;
pub(crate) use super::text::lines;
pub use super::token::Layers;
pub use super::token::Move;

use super::brackets::expand;
use super::fault::Fault;
use super::format::Format;
use super::lexer::lex;
use super::orientation::Orientation;
use crate::cube::{Cube, Turn};

/// A sequence of moves, resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scramble {
    /// Turns of the cube's own faces.
    pub turns: Vec<Turn>,
    /// The orientation of the cube after the moves; before them it is [`HOME`](Orientation::HOME).
    pub orientation: Orientation,
}

impl Scramble {
    /// The cube after these turns of the solved cube.
    pub fn cube(&self) -> Cube {
        Cube::SOLVED.apply_all(self.turns.iter().copied())
    }
}

/// Reads moves; an empty text is a scramble too.
///
/// # Errors
/// A [`Fault`] that names every token that is not a move, with its position and what would be accepted; if
/// there are none, the first bracket that cannot be read.
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

/// Converts turns of the cube's own faces to moves for a cube held in this orientation.
pub fn held_moves(turns: impl IntoIterator<Item = Turn>, held: Orientation) -> Vec<Move> {
    turns.into_iter().map(|turn| held.to_held(turn).into()).collect()
}

/// The text of some turns, separated by spaces.
pub fn format(turns: impl IntoIterator<Item = Turn>) -> String {
    turns.into_iter().map(|turn| turn.to_string()).collect::<Vec<_>>().join(" ")
}

/// The text of some moves, separated by spaces.
pub fn format_moves(moves: impl IntoIterator<Item = Move>) -> String {
    moves.into_iter().map(|name| name.to_string()).collect::<Vec<_>>().join(" ")
}
