//! Tools for fewest-moves challenges: fixed moves at the ends of a solution, and moves on the inverse scramble
//! (NISS).
//!
//! Fixed moves are [`Ends`](crate::strategy::Ends).
//!
//! The inverse cube is solved by the inverse turns. So a solution *a b* of a cube can be found as *a* on the cube
//! and the inverse of *b* on the inverse cube, written `a (b')`.

mod bracketed;
pub mod insert;
mod niss;
pub mod sequence;
mod short;
pub mod words;

pub use bracketed::bracketed;
pub use niss::Niss;
pub use short::ShortSolver;

use crate::cube::Turn;
use crate::metric::Metric;
use crate::notation::scramble::Move;
use crate::notation::{Given, Orientation, Position, scramble};

/// The turns that undo these.
pub fn undo(turns: &[Turn]) -> Vec<Turn> {
    turns.iter().rev().map(|turn| turn.inverse()).collect()
}

/// Joins adjacent turns of one face, also across turns of the opposite face, until no two are adjacent.
pub fn joined(metric: Metric, turns: &[Turn]) -> Vec<Turn> {
    let mut joined = Vec::with_capacity(turns.len());
    turns.iter().for_each(|&turn| join(&mut joined, turn));
    metric.canonical(&joined)
}

/// Appends a turn to turns that are joined.
fn join(turns: &mut Vec<Turn>, turn: Turn) {
    let others = turns.iter().rev().take_while(|other| other.shares_axis(turn)).count();
    let run = turns.len() - others..turns.len();
    let Some(at) = run.into_iter().find(|&at| turns[at].face() == turn.face()) else {
        return turns.push(turn);
    };
    match (turns[at].quarters() + turn.quarters()) % 4 {
        0 => drop(turns.remove(at)),
        quarters => turns[at] = Turn::new(turn.face(), quarters),
    }
}

/// The turns of a solution that consists of face turns.
///
/// # Panics
/// If a move turns more than one layer.
pub fn turns_of(moves: &[Move]) -> Vec<Turn> {
    moves.iter().map(|name| name.turn().expect("face turns alone")).collect()
}

/// The length of some turns.
pub fn length(metric: Metric, turns: &[Turn]) -> u32 {
    turns.iter().map(|&turn| metric.length(turn)).sum()
}

/// The inverse of a position. If it was given as moves, these are inverted and reversed, rotations included.
pub fn inverse(position: &Position) -> Position {
    // The moves lead to the cube by turns of its own faces, and then rotate it. The inverse rotates it back
    // first, so that other faces are at the places that are turned.
    let orientation = position.orientation.inverse();
    let cube = orientation.cube_from_held(&position.cube.inverse());
    let (given, moves) = match &position.given {
        Given::Moves(turns) => {
            let turns: Vec<Turn> = undo(turns).into_iter().map(|turn| orientation.from_held(turn)).collect();
            let moves = scramble::format(turns.iter().copied());
            (Given::Moves(turns), moves)
        }
        _ => (Given::Reid, String::new()),
    };
    let text = match given {
        Given::Moves(_) => format!("{moves} {orientation}").trim().to_owned(),
        _ => crate::notation::reid::format(&cube),
    };
    Position { cube, orientation, given, text }
}

/// Whether the cube is held with every face at its own place.
pub fn is_at_home(position: &Position) -> bool {
    position.orientation == Orientation::HOME
}
