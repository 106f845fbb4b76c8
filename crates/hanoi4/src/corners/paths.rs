//! Shortest paths between any two states by the times of corners.
//!
//! The idea: a search from `to` over all corners yields their distances. The distance of `from` is
//! the minimum, over the corners of its block, of the distance within the block to the corner plus
//! the corner's distance; in the block of `to`, it can also be the distance within the block. The path
//! leads to a corner where this sum is minimal, and of several to the one nearest to `to`. Had that
//! corner been reached within its block, the corner that it was reached from would be nearer still.
//! So the next move is a large disc's, to the block where the same corner is one nearer, and so on.
//!
//! Cost: 6 · 2ᵏ bytes for each of 4^(n − k) blocks, a few times less when `to` leaves pegs
//! interchangeable: 0.8 GB for 18 discs. The size is known before the search starts.

use super::databases::{first_fitting, memory_needed, sizes};
use super::geometry::Geometry;
use super::search::{CornerSearch, DONE};
use crate::error::SearchError;
use crate::layer_loop::each_layer;
use crate::model::{Move, Puzzle, State, to_u32, to_u64};
use crate::pegs::{PegGroup, PegPerm};
use crate::reference::{self, Distances};
use search_core::storage::StorageError;
use search_core::{Domain, Ending, Run, Silent};
use std::ops::ControlFlow::{Break, Continue};

/// The greatest length of a path that can be found.
pub const MAX_LENGTH: u32 = DONE - 1;

/// The permutations that map `to` to itself.
fn group(discs: u32, to: State) -> PegGroup {
    PegGroup::filtered(|perm: PegPerm| perm.state(to, discs) == to)
}

/// The best number of small discs for a search to `to` within `memory` bytes.
///
/// # Errors
/// The least memory that suffices, in bytes.
pub fn fitting(discs: u32, to: State, memory: u64) -> Result<u32, u64> {
    let fold = to_u64(group(discs, to).perms().len());
    // Includes two arrays of distances of the small discs' states.
    let need =
        |small| memory_needed::<u8>(&Geometry::complete(small), discs, small, fold) + (4 << (2 * small));
    first_fitting(sizes(discs).map(|small| (small, need(small))), memory)
}

/// A search over corners for the distances to one goal.
struct GoalSearch {
    search: CornerSearch<u8>,
    geometry: Geometry,
    puzzle: Puzzle,
    small: u32,
    /// The puzzle of the small discs alone.
    block: Puzzle,
    to: State,
    /// The distances of the small discs' states from the goal's, within a block.
    home: Distances,
}

/// Finds a shortest path of at most `max_depth` moves. Returns the number of corners searched too.
///
/// # Errors
/// [`SearchError`] when the search does not fit the memory of `run`.
pub fn shortest_path(
    puzzle: &Puzzle,
    (from, to): (State, State),
    max_depth: u32,
    run: &Run<'_>,
) -> Result<(Ending<Vec<Move>>, u64), SearchError> {
    let memory = run.memory();
    let small = fitting(puzzle.discs(), to, memory).map_err(|_| StorageError::Memory(memory))?;
    run.install(|| {
        let mut search = GoalSearch::new(puzzle, small, to, run)?;
        let ending = search.search_to(from, max_depth.min(MAX_LENGTH), run)?;
        let ending = match ending.length().map(|length| (length, search.path(from, length, run))) {
            Some((length, Ok(moves))) => Ending::solved(length, moves),
            Some((length, Err(_))) => Ending::cancelled(length),
            None => ending.map(|_| Vec::new()),
        };
        Ok((ending, search.search.corners()))
    })
}

impl GoalSearch {
    fn new(puzzle: &Puzzle, small: u32, to: State, run: &Run<'_>) -> Result<GoalSearch, SearchError> {
        let geometry = Geometry::complete(small);
        let group = group(puzzle.discs(), to);
        let mut search = CornerSearch::new(geometry.clone(), (puzzle.discs(), small), group, run)?;
        let block = Puzzle::new(small, 4).expect("some of the discs");
        let home = reference::cancellable_distances(&block, [to.smallest(small)], run)?;
        search.start(to.above(small), |corner| home[geometry.state(small, corner).index()].into());
        Ok(GoalSearch { search, geometry, puzzle: *puzzle, small, block, to, home })
    }

    /// Searches until the distance of `from` is known, or proved to exceed `max_depth`.
    fn search_to(&mut self, from: State, max_depth: u32, run: &Run<'_>) -> Result<Ending<u32>, SearchError> {
        let near = reference::cancellable_distances(&self.block, [from.smallest(self.small)], run);
        let Ok(near) = near else { return Ok(Ending::cancelled(1)) };
        let found = each_layer("moves", 0, run, || {
            let (length, _) = self.nearest(from.above(self.small), &near);
            let length = self.at_home(from).map_or(length, |home| home.min(length));
            let time = self.search.now();
            if length <= time {
                return Ok(Break(Ending::solved(length, length)));
            }
            if time == max_depth {
                return Ok(Break(Ending::bounded(max_depth + 1)));
            }
            self.search.step(run)?;
            Ok(Continue(time))
        });
        match found {
            Err(SearchError::Cancelled(_)) => Ok(Ending::cancelled(self.search.now() + 1)),
            found => found,
        }
    }

    /// The distance from `at` to the goal within the block, if both are in the same block.
    fn at_home(&self, at: State) -> Option<u32> {
        let home = u32::from(self.home[at.smallest(self.small).index()]);
        (at.above(self.small) == self.to.above(self.small)).then_some(home)
    }

    /// The minimal distance to the goal through a corner, and the corner; of several, the nearest to the
    /// goal.
    fn nearest(&self, large: State, near: &Distances) -> (u32, usize) {
        let far = |corner: usize| u32::from(near[self.geometry.state(self.small, corner).index()]);
        let time = |corner: usize| self.search.time(large, corner);
        let sums = (0..self.search.rows().corners()).map(|corner| (far(corner), time(corner), corner));
        let best =
            sums.map(|(far, time, corner)| (far.saturating_add(time), time, corner)).min().expect("corners");
        (best.0, best.2)
    }

    /// The path of `length` moves from `at` to the goal.
    fn path(&self, mut at: State, length: u32, run: &Run<'_>) -> Result<Vec<Move>, SearchError> {
        let run = run.with_progress(&Silent);
        let distances = |from| reference::cancellable_distances(&self.block, [from], &run);
        let (mut moves, mut near) = (Vec::new(), distances(at.smallest(self.small))?);
        while to_u32(moves.len()) < length {
            let left = length - to_u32(moves.len());
            if self.at_home(at) == Some(left) {
                self.walk(&mut at, &self.home, &mut moves);
                break;
            }
            let (_, corner) = self.nearest(at.above(self.small), &near);
            near = distances(self.geometry.state(self.small, corner))?;
            self.walk(&mut at, &near, &mut moves);
            let left = length - to_u32(moves.len());
            self.cross(&mut at, corner, left, &mut moves);
        }
        Ok(moves)
    }

    /// Moves a large disc from a corner to the block where the corner is one nearer.
    fn cross(&self, at: &mut State, corner: usize, left: u32, moves: &mut Vec<Move>) {
        let nearer = self.puzzle.applicable(at).into_iter().find(|&op| {
            let (step, after) = (self.puzzle.move_of(*at, op), self.puzzle.apply(at, op));
            let is_large = step.disc >= self.small;
            is_large && self.search.time(after.above(self.small), corner) == left - 1
        });
        let op = nearer.expect("the nearest of the nearest corners was entered");
        moves.push(self.puzzle.move_of(*at, op));
        *at = self.puzzle.apply(at, op);
    }

    /// Moves the small discs along a shortest path to the state that has distance 0.
    fn walk(&self, at: &mut State, far: &Distances, moves: &mut Vec<Move>) {
        for step in reference::path(&self.block, far, at.smallest(self.small)) {
            *at = at.with(step.disc, step.to);
            moves.push(step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{random_state, replayed};
    use search_core::testing::Random;

    #[test]
    fn paths_have_the_reference_lengths_for_every_split() {
        let mut random = Random::new(11);
        for discs in [4, 6, 7] {
            let puzzle = Puzzle::new(discs, 4).unwrap();
            for round in 0..24 {
                // Includes towers, whose pegs are interchangeable.
                let to = if round % 4 == 0 {
                    State::all_on(round / 4 % 4, discs)
                } else {
                    random_state(&mut random, discs)
                };
                let distances = reference::distances(&puzzle, [to]);
                let from = random_state(&mut random, discs);
                for small in 1..=discs.min(5) {
                    let mut search = GoalSearch::new(&puzzle, small, to, &Run::new()).unwrap();
                    let ending = search.search_to(from, MAX_LENGTH, &Run::new()).unwrap();
                    let length = u32::from(distances[from.index()]);
                    assert_eq!(ending, Ending::solved(length, length));
                    let moves = search.path(from, length, &Run::new()).unwrap();
                    assert_eq!(replayed(&puzzle, from, &moves), to);
                }
            }
        }
    }
}
