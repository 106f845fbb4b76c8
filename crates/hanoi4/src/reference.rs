//! The reference implementation: breadth-first search over an array of distances.
//!
//! Two bytes per state, indexed by the state's code, and a list of states per layer. Tests compare
//! the fast searches with it for every size that fits.

use crate::error::SearchError;
use crate::layer_loop::each_layer;
use crate::model::{Move, Puzzle, State};
use search_core::{Domain, Op, Run};
use std::ops::ControlFlow::{Break, Continue};

/// The distance of every state from the nearest of some seeds, indexed by the state's code. Codes that are not states
/// of the puzzle, and unreachable states, have the value [`UNREACHED`].
pub type Distances = Vec<u16>;

/// The distance of a state that was not reached.
pub const UNREACHED: u16 = u16::MAX;

/// The distances from the nearest of `seeds`, in 2 · 4ⁿ bytes.
pub fn distances(puzzle: &Puzzle, seeds: impl IntoIterator<Item = State>) -> Distances {
    cancellable_distances(puzzle, seeds, &Run::new()).expect("nothing cancels it")
}

/// Like [`distances`], but can be cancelled.
///
/// # Errors
/// [`SearchError::Cancelled`].
pub fn cancellable_distances(
    puzzle: &Puzzle,
    seeds: impl IntoIterator<Item = State>,
    run: &Run<'_>,
) -> Result<Distances, SearchError> {
    /// The number of states between cancellation checks: some milliseconds of work.
    const STRIDE: usize = 1 << 14;
    let mut distances = vec![UNREACHED; 1 << (2 * puzzle.discs())];
    let mut layer = Vec::new();
    for seed in seeds {
        if std::mem::replace(&mut distances[seed.index()], 0) != 0 {
            layer.push(seed);
        }
    }
    let mut depth = 0u16;
    each_layer("layers", 0, run, || {
        if layer.is_empty() {
            return Ok(Break(()));
        }
        depth += 1;
        let mut next = Vec::new();
        for states in layer.chunks(STRIDE) {
            run.check()?;
            for state in states {
                for op in puzzle.applicable(state) {
                    let child = puzzle.apply(state, op);
                    if distances[child.index()] == UNREACHED {
                        distances[child.index()] = depth;
                        next.push(child);
                    }
                }
            }
        }
        layer = next;
        Ok(Continue(depth.into()))
    })?;
    Ok(distances)
}

/// The moves of a shortest path from `from` to the nearest seed of `distances`.
///
/// # Panics
/// If no seed can be reached.
pub fn path(puzzle: &Puzzle, distances: &[u16], from: State) -> Vec<Move> {
    let (mut state, mut moves) = (from, Vec::new());
    while distances[state.index()] > 0 {
        let nearer = |op: &Op| distances[puzzle.apply(&state, *op).index()] < distances[state.index()];
        let op = puzzle.applicable(&state).into_iter().find(nearer).expect("a neighbour is nearer");
        moves.push(puzzle.move_of(state, op));
        state = puzzle.apply(&state, op);
    }
    moves
}

/// The number of states at each distance.
pub fn histogram(distances: &[u16]) -> Vec<u64> {
    let mut counts = Vec::new();
    for &distance in distances.iter().filter(|&&distance| distance != UNREACHED) {
        if counts.len() <= usize::from(distance) {
            counts.resize(usize::from(distance) + 1, 0);
        }
        counts[usize::from(distance)] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presumed::Presumed;

    #[test]
    fn lengths_and_radii_of_small_sizes() {
        for pegs in 3..=4 {
            for discs in 1..=7 {
                let puzzle = Puzzle::new(discs, pegs).unwrap();
                let from_start = distances(&puzzle, [State::START]);
                let length = from_start[State::all_on(pegs - 1, discs).index()];
                assert_eq!(u128::from(length), Presumed::new(discs, pegs).length(discs));
                let counts = histogram(&from_start);
                assert_eq!(counts.len() - 1, usize::from(length), "radius equals length");
                assert_eq!(counts.iter().sum::<u64>(), puzzle.states());
            }
        }
    }
}
