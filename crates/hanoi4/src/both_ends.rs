//! Shortest paths by breadth-first search over bitmaps from both ends, the smaller layer next, with all layers kept.
//! When the newest layers meet, the path is traced back through both.
//!
//! Why a path from both ends is shortest: when layer `f` of one side and layer `b` of the other first
//! share a state, no path of fewer than `f + b` moves exists, since its state at distance `f` would have
//! been shared before. Both searches use the permutations of pegs that leave both ends unchanged.

use crate::bitmap::search::{BitmapSearch, NoPruning, Setup};
use crate::bitmap::shape::SMALL;
use crate::error::SearchError;
use crate::layer_loop::each_layer;
use crate::model::{Move, Puzzle, State};
use crate::pegs::{PegGroup, PegPerm};
use search_core::storage::Budget;
use search_core::{Domain, Ending, Run};
use std::ops::ControlFlow::{Break, Continue};

/// An error that stopped a search, with the lower bound proved so far.
#[derive(Debug, thiserror::Error)]
#[error("{error}; every path has at least {lower_bound} moves")]
pub struct Stopped {
    /// The lower bound on the length of every path.
    pub lower_bound: u32,
    /// The error.
    pub error: SearchError,
}

/// Finds a shortest path of at most `max_depth` moves on four pegs. Returns the number of states searched too.
///
/// # Errors
/// [`Stopped`] when the layers do not fit the memory of `run`.
///
/// # Panics
/// If there are fewer discs than a block of [`SMALL`] has.
pub fn shortest_path(
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
        Ok(None) => Ok((Ending::bounded(depth), 0)),
        Err(SearchError::Cancelled(_)) => Ok((Ending::cancelled(depth + 1), 0)),
        Err(error) => Err(error),
    };
    found.map_err(|error| Stopped { lower_bound: depth, error })
}

/// One search from each end.
fn both_ends(
    puzzle: &Puzzle,
    from: State,
    to: State,
    memory: u64,
) -> Result<(BitmapSearch, BitmapSearch), SearchError> {
    let discs = puzzle.discs();
    let keeps = |perm: PegPerm| perm.state(from, discs) == from && perm.state(to, discs) == to;
    let group = PegGroup::filtered(keeps);
    let side = |state| {
        let mut setup = Setup::new(discs, discs.min(*SMALL.end()), group.clone());
        (setup.seeds, setup.keep_layers) = (vec![state], true);
        setup.budget = Budget::new(memory / 2, 0);
        BitmapSearch::new(setup, &NoPruning).map(|(search, _)| search)
    };
    Ok((side(from)?, side(to)?))
}

/// Advances both searches until their newest layers have a state in common. Returns it, and the number
/// of states in all layers; `None` when every path is longer than `max_depth`.
fn meet(
    forward: &mut BitmapSearch,
    backward: &mut BitmapSearch,
    max_depth: u32,
    run: &Run<'_>,
) -> Result<Option<(State, u64)>, SearchError> {
    let (mut width, mut states) = ([1, 1], 2);
    each_layer("moves", 0, run, || {
        if forward.depth() + backward.depth() > max_depth {
            return Ok(Break(None));
        }
        if let Some(state) = forward.meets(backward)? {
            return Ok(Break(Some((state, states))));
        }
        let side = usize::from(width[1] < width[0]);
        let search = if side == 0 { &mut *forward } else { &mut *backward };
        width[side] = search.step(&NoPruning, run)?.stored;
        states += width[side];
        Ok(Continue(forward.depth() + backward.depth()))
    })
}

/// The path through `middle`.
fn join(
    puzzle: &Puzzle,
    forward: &BitmapSearch,
    backward: &BitmapSearch,
    middle: State,
) -> Result<Vec<Move>, SearchError> {
    let mut moves: Vec<Move> = trace(puzzle, forward, middle)?.into_iter().map(Move::reversed).collect();
    moves.reverse();
    moves.extend(trace(puzzle, backward, middle)?);
    Ok(moves)
}

/// The moves from a state of the current layer to the seed.
fn trace(puzzle: &Puzzle, search: &BitmapSearch, from: State) -> Result<Vec<Move>, SearchError> {
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
