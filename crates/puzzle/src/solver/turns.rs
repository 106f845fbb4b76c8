//! A first solution of a puzzle with rules, of few moves that rules never block.
//!
//! The idea: on square-1, rules block turns of the layers, but no twist. Where turns are free, a beam over small pattern databases of
//! [shapes](crate::shapes) finds a solution of nearly as few twists as possible in a second. With its turns counted, it is a
//! solution of the puzzle as it is, and far shorter than one that a beam finds in all moves: turns between two twists amount to
//! one of each layer.

use crate::model::{Move, Puzzle};
use crate::near::may_be_blocked;
use crate::system::System;

/// The puzzle in which the moves that rules may block are free, with all powers of their bases; `None` if rules block none, or all, or
/// if some moves are free already.
pub(super) fn with_blocked_moves_free(puzzle: &Puzzle, system: &System) -> Option<Puzzle> {
    if puzzle.illegal().is_empty() || !puzzle.free().is_empty() || !puzzle.rotations().is_empty() {
        return None;
    }
    let mut parts = puzzle.clone().into_parts();
    let blocked: Vec<usize> = (parts.moves.iter().enumerate())
        .filter(|(number, _)| may_be_blocked(system, *number))
        .map(|(_, step)| step.base)
        .collect();
    let (free, counted): (Vec<Move>, Vec<Move>) =
        parts.moves.into_iter().partition(|step| blocked.contains(&step.base));
    if free.is_empty() || counted.is_empty() {
        return None;
    }
    (parts.moves, parts.free) = (counted, free);
    Puzzle::new(parts).ok()
}
