//! Shortest paths between any two states.
//!
//! Three pegs: by recursion ([`three_pegs`]). Four pegs, by the number of discs:
//! - Fewer than five: an array of distances from the goal, descended from the start.
//! - Up to [`BOTH_ENDS_DISCS`]: breadth-first search over bitmaps from both ends, the smaller layer
//!   next, with all layers kept. When the newest layers meet, the path is traced back through both.
//! - More: the distances of all corners from the goal ([`corners::paths`](crate::corners::paths)), in
//!   memory whose size is known before the search starts.
//!
//! Why a path from both ends is shortest: when layer `f` of one side and layer `b` of the other first
//! share a state, no path of fewer than `f + b` moves exists, since its state at distance `f` would have
//! been shared before. Both searches use the permutations of pegs that leave both ends unchanged.

use crate::bitmap::search::{NoPruning, Search, Setup};
use crate::bitmap::shape::SMALL;
use crate::corners::paths;
use crate::error::SearchError;
use crate::model::{Move, Puzzle, State, to_u32};
use crate::pegs::{PegGroup, PegPerm};
use crate::reference;
use crate::three_pegs;
use search_core::clock::Instant;
use search_core::record::Iteration;
use search_core::storage::Budget;
use search_core::{Domain, Ending, Report, Run};

/// The greatest number of discs for which four-peg searches run from both ends.
pub const BOTH_ENDS_DISCS: u32 = 12;

/// Checks that a search for a shortest path to `to` fits `memory` bytes.
///
/// # Errors
/// The least memory that suffices, in bytes.
pub fn fits(puzzle: &Puzzle, to: State, memory: u64) -> Result<(), u64> {
    match puzzle.pegs() == 4 && puzzle.discs() > BOTH_ENDS_DISCS {
        true => paths::fitting(puzzle.discs(), to, memory).map(|_| ()),
        false => Ok(()),
    }
}

/// An error that stopped a search, with the lower bound proved so far.
#[derive(Debug, thiserror::Error)]
#[error("{error}; every path has at least {lower_bound} moves")]
pub struct Stopped {
    /// The lower bound on the length of every path.
    pub lower_bound: u32,
    /// The error.
    pub error: SearchError,
}

/// Finds a shortest path of at most `max_depth` moves from one state to another. The report has one
/// iteration, which counts each state searched once.
///
/// # Errors
/// [`Stopped`] when the search does not fit the memory.
pub fn shortest_path(
    puzzle: &Puzzle,
    from: State,
    to: State,
    max_depth: u32,
    run: &Run<'_>,
) -> Result<Report<Vec<Move>>, Stopped> {
    let start = Instant::now();
    let (ending, states) = if puzzle.pegs() == 3 || puzzle.discs() < *SMALL.start() {
        let (moves, states) = match puzzle.pegs() {
            3 => (three_pegs::path(puzzle.discs(), from, to), 0),
            _ => (reference::path(puzzle, &reference::distances(puzzle, [to]), from), puzzle.states()),
        };
        (Ending::solved(to_u32(moves.len()), moves).within(max_depth), states)
    } else if puzzle.discs() > BOTH_ENDS_DISCS {
        paths::shortest_path(puzzle, (from, to), max_depth, run)
            .map_err(|error| Stopped { lower_bound: u32::from(from != to), error })?
    } else {
        from_both_ends(puzzle, from, to, max_depth, run)?
    };
    let iteration = |bound| Iteration {
        bound,
        complete: true,
        generated: states,
        expanded: states,
        seconds: start.elapsed().as_secs_f64(),
        ..Iteration::default()
    };
    Ok(Report { iterations: ending.length().map(iteration).into_iter().collect(), ending })
}

/// The path through a state where searches from both ends meet, and the number of states in their
/// layers.
fn from_both_ends(
    puzzle: &Puzzle,
    from: State,
    to: State,
    max_depth: u32,
    run: &Run<'_>,
) -> Result<(Ending<Vec<Move>>, u64), Stopped> {
    let ends = both_ends(puzzle, from, to, run.memory());
    let (mut forward, mut backward) = ends.map_err(|error| Stopped { lower_bound: 0, error })?;
    let met = meet(&mut forward, &mut backward, max_depth, run);
    let depth = forward.depth() + backward.depth();
    let found = match met {
        Ok(Some((middle, states))) => {
            join(puzzle, &forward, &backward, middle).map(|moves| (Ending::solved(depth, moves), states))
        }
        Ok(None) => Ok((Ending::Bounded { lower_bound: depth }, 0)),
        Err(SearchError::Cancelled(_)) => Ok((Ending::Cancelled { lower_bound: depth + 1 }, 0)),
        Err(error) => Err(error),
    };
    found.map_err(|error| Stopped { lower_bound: depth, error })
}

/// One search from each end.
fn both_ends(puzzle: &Puzzle, from: State, to: State, memory: u64) -> Result<(Search, Search), SearchError> {
    let discs = puzzle.discs();
    let keeps = |perm: PegPerm| perm.state(from, discs) == from && perm.state(to, discs) == to;
    let group = PegGroup::filtered(keeps);
    let side = |state| {
        let mut setup = Setup::new(discs, discs.min(*SMALL.end()), group.clone());
        (setup.seeds, setup.keep_layers) = (vec![state], true);
        setup.budget = Budget::new(memory / 2, 0);
        Search::new(setup, &NoPruning).map(|(search, _)| search)
    };
    Ok((side(from)?, side(to)?))
}

/// Advances both searches until their newest layers have a state in common. Returns it, and the number
/// of states in all layers; `None` when every path is longer than `max_depth`.
fn meet(
    forward: &mut Search,
    backward: &mut Search,
    max_depth: u32,
    run: &Run<'_>,
) -> Result<Option<(State, u64)>, SearchError> {
    let (mut width, mut states) = ([1, 1], 2);
    run.progress().begin("moves", 0);
    let met = loop {
        if forward.depth() + backward.depth() > max_depth {
            break None;
        }
        if let Some(state) = forward.meets(backward)? {
            break Some((state, states));
        }
        let side = usize::from(width[1] < width[0]);
        let search = if side == 0 { &mut *forward } else { &mut *backward };
        width[side] = search.step(&NoPruning, run)?.stored;
        states += width[side];
        run.progress().update(u64::from(forward.depth() + backward.depth()));
    };
    run.progress().end();
    Ok(met)
}

/// The path through `middle`.
fn join(
    puzzle: &Puzzle,
    forward: &Search,
    backward: &Search,
    middle: State,
) -> Result<Vec<Move>, SearchError> {
    let mut moves: Vec<Move> = trace(puzzle, forward, middle)?.into_iter().map(Move::reversed).collect();
    moves.reverse();
    moves.extend(trace(puzzle, backward, middle)?);
    Ok(moves)
}

/// The moves from a state of the current layer to the seed.
fn trace(puzzle: &Puzzle, search: &Search, from: State) -> Result<Vec<Move>, SearchError> {
    let (mut state, mut moves) = (from, Vec::new());
    for depth in (0..search.depth()).rev() {
        let mut ops = puzzle.applicable(&state).into_iter();
        let op = loop {
            let op = ops.next().expect("every state of a layer has a neighbour in the previous layer");
            if search.holds(puzzle.apply(&state, op), depth)? {
                break op;
            }
        };
        moves.push(puzzle.move_of(state, op));
        state = puzzle.apply(&state, op);
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_engines_find_paths_of_the_same_length() {
        let run = Run::new().with_memory(1 << 30);
        let mut seed = 7u64;
        for discs in [5, 6, 8, 9] {
            let puzzle = Puzzle::new(discs, 4).unwrap();
            for _ in 0..12 {
                let mut random = || {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    State::from_code(seed >> (64 - 2 * discs))
                };
                let (from, to) = (random(), random());
                let length = reference::distances(&puzzle, [to])[from.index()];
                let fast = shortest_path(&puzzle, from, to, 1000, &run).unwrap();
                let fast = &fast.ending.solutions()[0];
                assert_eq!(fast.len(), usize::from(length));
                let mut state = from;
                for step in fast {
                    let op = puzzle.op(step.from, step.to);
                    assert!(puzzle.applicable(&state).contains(op));
                    assert_eq!(puzzle.move_of(state, op), *step);
                    state = puzzle.apply(&state, op);
                }
                assert_eq!(state, to);
            }
        }
    }
}
