//! Rotated forms of a start, for goals without an anchor.
//!
//! A search stands for all rotations of a position by the one that has an anchor piece at home
//! ([`rotation`](crate::rotation)). If a goal makes every possible anchor look like another piece, rotations are searched as
//! goals: with moves that are closed under conjugation, moves `w` lead from `s` to `g·r⁻¹` exactly if `r⁻¹·w·r`, which are
//! as many moves, lead from `s·r` to `g`. So the starts are the rotated forms `s·r`, one for each different `g·r⁻¹`.

use std::collections::{HashMap, HashSet};

use crate::definition::products;
use crate::model::{Puzzle, Transformation};
use crate::rotation::Reduction;

/// A rotation of a start.
pub(super) struct Turn {
    /// The rotation; `None` if the start is searched as it is held.
    pub(super) rotation: Option<Transformation>,
    /// For each counted move `m` after the rotation `r`, the name of `r·m·r⁻¹`.
    pub(super) names: HashMap<String, String>,
}

/// The puzzle that is searched for a goal, and the rotated forms of a start.
pub(super) fn searched(puzzle: &Puzzle) -> (Puzzle, Vec<Turn>) {
    let as_held = || (puzzle.clone(), vec![Turn { rotation: None, names: HashMap::new() }]);
    if puzzle.rotations().is_empty() || Reduction::of(puzzle).is_ok() {
        return as_held();
    }
    let mut parts = puzzle.clone().into_parts();
    parts.rotations.clear();
    match (Puzzle::new(parts), turns(puzzle)) {
        (Ok(held), Some(turns)) => (held, turns),
        // The solver names the reason why rotations cannot be removed.
        _ => as_held(),
    }
}

/// A rotation for each different rotated form of the solved pattern; `None` if there are too many, or if moves are not
/// closed under conjugation or rules forbid states.
fn turns(puzzle: &Puzzle) -> Option<Vec<Turn>> {
    if !puzzle.illegal().is_empty() {
        return None;
    }
    let named: HashMap<&Transformation, &str> =
        puzzle.moves().iter().map(|step| (&step.transformation, step.name.as_str())).collect();
    let (mut turns, mut known) = (Vec::new(), HashSet::new());
    for rotation in products(puzzle.identity(), puzzle.rotations())? {
        if !known.insert(puzzle.solved().apply(&rotation.inverse())) {
            continue;
        }
        let names = puzzle.moves().iter().map(|step| {
            let conjugate = step.transformation.conjugate(&rotation.inverse());
            Some((step.name.clone(), (*named.get(&conjugate)?).to_owned()))
        });
        turns.push(Turn { names: names.collect::<Option<_>>()?, rotation: Some(rotation) });
    }
    Some(turns)
}
