//! Solutions as text, replayed before they are printed.
//!
//! The replay shares nothing with the search: it applies the named transformations of the puzzle one by one to the whole
//! pattern, and compares all rotations of the result with the goal.

use search_core::{Op, Solution};

use crate::definition::products;
use crate::model::{Pattern, Puzzle};
use crate::rotation::{Reduction, undone};

/// The replay rejects a solution that a search found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the moves `{moves}` do not solve the pattern in {length} counted moves")]
pub struct Rejected {
    /// The solution.
    pub moves: String,
    /// The number of counted moves that it should have.
    pub length: usize,
}

/// The solution of `start` in the notation of the puzzle, after it was replayed.
///
/// # Errors
/// [`Rejected`]: a bug of the solver.
///
/// # Panics
/// If rotations do not bring the anchor of `start` home.
pub fn checked(
    puzzle: &Puzzle,
    reduction: &Reduction,
    start: &Pattern,
    ops: &[Op],
) -> Result<Solution, Rejected> {
    let numbers: Vec<usize> = ops.iter().map(|op| op.index()).collect();
    let names = reduction.spell(start, &numbers);
    let moves = names.join(" ");
    if counted(puzzle, start, &names) != Some(ops.len()) {
        return Err(Rejected { moves, length: ops.len() });
    }
    Ok(solution(ops.len(), moves))
}

/// A solution of this many counted moves.
pub(crate) fn solution(length: usize, moves: String) -> Solution {
    Solution { length: u32::try_from(length).expect("fewer than 2^32 moves"), moves }
}

/// The number of counted moves among `names`, if they solve `start` through legal patterns up to a rotation.
pub fn counted(puzzle: &Puzzle, start: &Pattern, names: &[&str]) -> Option<usize> {
    replay(puzzle, start, names, |pattern| pattern == puzzle.solved()).map(|replayed| replayed.counted)
}

/// The result of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// The number of counted moves.
    pub counted: usize,
    /// Whether a goal is reached before the last counted move.
    pub passes_goal: bool,
}

/// Replays moves; `None` if they do not lead from `start` through legal patterns to a goal, up to a rotation.
pub fn replay(
    puzzle: &Puzzle,
    start: &Pattern,
    names: &[&str],
    is_goal: impl Fn(&Pattern) -> bool,
) -> Option<Replayed> {
    let turns = products(puzzle.identity(), puzzle.rotations())?;
    let is_goal = |pattern: &Pattern| turns.iter().any(|turn| is_goal(&pattern.apply(turn)));
    let mut replayed = Replayed { counted: 0, passes_goal: false };
    let mut pattern = start.clone();
    for name in names {
        let step = puzzle.moves().iter().find(|step| step.name == *name);
        let free =
            |name: &str| puzzle.free().iter().find(|step| step.name == name).map(|step| &step.transformation);
        let rotation = |name: &str| {
            let rotations = puzzle.rotations();
            rotations.iter().find(|rotation| rotation.name == name).map(|rotation| &rotation.transformation)
        };
        let transformation = match step {
            Some(step) => {
                replayed.passes_goal |= is_goal(&pattern);
                replayed.counted += 1;
                step.transformation.clone()
            }
            None => match free(name).or_else(|| rotation(name)) {
                Some(free) => free.clone(),
                None => rotation(&undone(name))?.inverse(),
            },
        };
        pattern = pattern.apply(&transformation);
        if !puzzle.is_legal(&pattern) {
            return None;
        }
    }
    is_goal(&pattern).then_some(replayed)
}
