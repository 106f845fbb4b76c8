//! Solutions as text, replayed before they are printed.
//!
//! The replay shares nothing with the search: it applies the named transformations of the puzzle one by one to the whole
//! pattern, and compares the result with all rotations of the solved one.

use search_core::{Op, Solution};

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
    Ok(Solution { length: u32::try_from(ops.len()).expect("fewer than 2^32 moves"), moves })
}

/// The number of counted moves among `names`, if they solve `start` through legal patterns up to a rotation.
pub fn counted(puzzle: &Puzzle, start: &Pattern, names: &[&str]) -> Option<usize> {
    let (mut pattern, mut count) = (start.clone(), 0);
    for name in names {
        let step = puzzle.moves().iter().find(|step| step.name == *name);
        let rotation = |name: &str| puzzle.rotations().iter().find(|rotation| rotation.name == name);
        let transformation = match step {
            Some(step) => {
                count += 1;
                step.transformation.clone()
            }
            None => match rotation(name) {
                Some(rotation) => rotation.transformation.clone(),
                None => rotation(&undone(name))?.transformation.inverse(),
            },
        };
        pattern = pattern.apply(&transformation);
        if !puzzle.is_legal(&pattern) {
            return None;
        }
    }
    let mut rotated = vec![puzzle.solved().clone()];
    let mut at = 0;
    while at < rotated.len() {
        for rotation in puzzle.rotations() {
            let next = rotated[at].apply(&rotation.transformation);
            if !rotated.contains(&next) {
                rotated.push(next);
            }
        }
        at += 1;
    }
    rotated.contains(&pattern).then_some(count)
}
