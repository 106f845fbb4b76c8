//! A solution of a case, and the turns of U before and after it that are free.

use crate::cube::{Cube, Face, Turn};
use crate::metric::Metric;
use crate::notation::Orientation;
use crate::notation::scramble::{Layers, Move, format_moves};
use crate::symmetry::Symmetry;

/// The turns of U that are free: not counted, and not part of the moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Auf {
    /// Before a solution and after it.
    #[default]
    Both,
    /// Before it.
    Before,
    /// After it.
    After,
    /// None.
    None,
}

impl Auf {
    /// Whether a turn of U before a solution is free.
    pub(crate) const fn before(self) -> bool {
        matches!(self, Auf::Both | Auf::Before)
    }

    /// Whether a turn of U after a solution is free.
    pub(crate) const fn after(self) -> bool {
        matches!(self, Auf::Both | Auf::After)
    }
}

/// A solution: a free turn of U, the moves, a free turn of the same layer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Solution {
    /// Quarter turns of U before the moves.
    pub before: u8,
    /// The moves.
    pub moves: Vec<Move>,
    /// Quarter turns after the moves of the layer that was U before them.
    pub after: u8,
    /// The orientation of the cube after the moves: slices and wide turns move the centres.
    pub held: Orientation,
}

impl Solution {
    /// The free turn before the moves, as text; empty if there is none.
    pub(crate) fn before_text(&self) -> String {
        free_turn(self.before, Orientation::HOME)
    }

    /// The moves as text.
    pub(crate) fn moves_text(&self) -> String {
        format_moves(self.moves.iter().copied())
    }

    /// The free turn after the moves, as text; empty if there is none.
    pub(crate) fn after_text(&self) -> String {
        free_turn(self.after, self.held)
    }

    /// The whole solution as text, including the free turns.
    pub fn whole(&self) -> String {
        let parts = [self.before_text(), self.moves_text(), self.after_text()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// The length of the free turns in moves.
    pub fn free_length(&self, metric: Metric) -> u32 {
        let turns = [self.before, self.after].into_iter().filter(|quarters| *quarters > 0);
        turns.map(|quarters| metric.length(Turn::new(Face::U, quarters))).sum()
    }
}

/// The moves, with free turns in brackets: `(U) R U2 R' (U')`.
impl std::fmt::Display for Solution {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let free = |text: String| if text.is_empty() { text } else { format!("({text})") };
        let parts = [free(self.before_text()), self.moves_text(), free(self.after_text())];
        f.write_str(&parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" "))
    }
}

fn free_turn(quarters: u8, held: Orientation) -> String {
    match quarters {
        0 => String::new(),
        quarters => held.to_held(Turn::new(Face::U, quarters)).to_string(),
    }
}

/// The effect of some moves on the cube by its own faces, and its orientation after them.
pub(crate) fn effect(moves: &[Move]) -> (Cube, Orientation) {
    let (mut turns, mut held) = (Vec::new(), Orientation::HOME);
    moves.iter().for_each(|name| name.perform(&mut turns, &mut held));
    (Cube::SOLVED.apply_all(turns), held)
}

/// Turns of faces as moves.
pub(crate) fn as_moves(turns: &[Turn]) -> Vec<Move> {
    let name = |turn: &Turn| Move { face: turn.face(), layers: Layers::Outer, quarters: turn.quarters() };
    turns.iter().map(name).collect()
}

/// Converts moves that turn faces to [`Turn`]s.
///
/// # Panics
/// If a move is a slice, a wide turn or a rotation.
pub(crate) fn as_turns(moves: &[Move]) -> Vec<Turn> {
    let turn = |name: &Move| {
        assert!(name.layers == Layers::Outer, "{name} is no turn of a face");
        Turn::new(name.face, name.quarters)
    };
    moves.iter().map(turn).collect()
}

/// The image under a symmetry of the moves, or of those that undo them, in the order of the move rules.
///
/// # Panics
/// As [`as_turns`].
pub(crate) fn image(moves: &[Move], symmetry: Symmetry, inverted: bool, metric: Metric) -> Vec<Move> {
    let mut turns: Vec<Turn> = as_turns(moves).into_iter().map(|turn| symmetry.turn(turn)).collect();
    if inverted {
        turns.reverse();
        turns.iter_mut().for_each(|turn| *turn = turn.inverse());
    }
    as_moves(&metric.canonical(&turns))
}

/// Whether the moves, as written, begin with turns about one axis that include a turn of U.
pub(crate) fn begins_with_u(moves: &[Move]) -> bool {
    meets_u(moves.iter(), Face::U)
}

/// Whether the moves end with turns about one axis that include a turn of the layer that was U at the start.
pub(crate) fn ends_with_u(moves: &[Move], held: Orientation) -> bool {
    meets_u(moves.iter().rev(), held.place_of(Face::U))
}

fn meets_u<'a>(moves: impl Iterator<Item = &'a Move>, up: Face) -> bool {
    let is_about = |name: &&Move| name.face == up || name.face == up.opposite();
    moves.take_while(is_about).any(|name| name.layers == Layers::Outer && name.face == up)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::scramble;

    fn moves(text: &str) -> Vec<Move> {
        scramble::parse_moves(text).unwrap()
    }

    #[test]
    fn free_turns_are_found_at_the_ends() {
        for (text, begins, ends) in [
            ("U R", true, false),
            ("D U' R", true, false),
            ("D R", false, false),
            ("R U", false, true),
            ("R U2 D", false, true),
            ("R U F", false, false),
            ("E U R", true, false),
            // After Rw the layer that was U is at the back.
            ("Rw U", false, false),
            ("Rw B", false, true),
            ("", false, false),
        ] {
            let moves = moves(text);
            assert_eq!(
                (begins_with_u(&moves), ends_with_u(&moves, effect(&moves).1)),
                (begins, ends),
                "{text}"
            );
        }
    }

    #[test]
    fn solutions_are_formatted() {
        let of = |before, text: &str, after| {
            let moves = moves(text);
            let (_, held) = effect(&moves);
            Solution { before, moves, after, held }
        };
        assert_eq!(of(3, "R U R'", 0).to_string(), "(U') R U R'");
        assert_eq!(of(0, "Rw U R", 2).to_string(), "Rw U R (B2)");
        assert_eq!(
            (of(0, "", 1).to_string(), of(1, "R", 2).whole()),
            ("(U)".to_owned(), "U R U2".to_owned())
        );
        assert_eq!(of(2, "R", 1).free_length(Metric::Qtm), 3);
    }

    #[test]
    fn images_of_moves_act_on_images_of_cubes() {
        let moves = moves("R U D2 F' L");
        let cube = effect(&moves).0;
        for symmetry in Symmetry::all() {
            let plain = image(&moves, symmetry, false, Metric::Htm);
            assert_eq!(effect(&plain).0, symmetry.conjugate(&cube));
            let inverted = image(&moves, symmetry, true, Metric::Qtm);
            assert_eq!(effect(&inverted).0, symmetry.conjugate(&cube).inverse());
        }
    }
}
