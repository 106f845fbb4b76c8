//! Walks along operators, and numbers packed into tables.
//!
//! Each byte of an input chooses the next operator. At every step a heuristic that is updated from
//! move to move must have the value that it has when it is computed from the state alone; a walk that
//! began at the goal must not be shorter than the value; and the referee, which has its own model of
//! the puzzle, must be in the same state.

mod cubes;
mod pack;
mod tiles;
mod towers;

use crate::input::Input;

/// Checks a walk; the first byte selects the puzzle.
///
/// # Panics
/// When a promise is broken.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    match input.below(5) {
        0 => cubes::check(&mut input),
        1 => tiles::check(&mut input),
        2 => tiles::patterns(&mut input),
        3 => towers::check(&mut input),
        _ => pack::check(&mut input),
    }
}
