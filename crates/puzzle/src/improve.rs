//! Shorter solutions from long ones: windows of counted moves are replaced by shortest ones with the same effect.
//!
//! Windows are solved by bidirectional search over whole patterns, without tables. So each counted move must have an
//! inverse that counts, too.

use search_core::improve::{Bidirectional, Improve, Improved};
use search_core::{Domain, Op, OpSet, Run};

use crate::fault::Faults;
use crate::model::{Pattern, Puzzle};

/// About the number of states that the search of one window visits, where the user names no size.
const STATES: f64 = 1e4;
/// The least number of moves in a window where the user names none.
const LEAST_WINDOW: usize = 4;

/// The counted moves of a puzzle, as a domain of whole patterns.
struct Walk<'a>(&'a Puzzle);

impl Domain for Walk<'_> {
    type State = Pattern;

    fn op_count(&self) -> usize {
        self.0.moves().len()
    }

    fn applicable(&self, pattern: &Pattern) -> OpSet {
        let all = OpSet::first(self.op_count());
        match self.0.illegal() {
            [] => all,
            _ => all.into_iter().filter(|&op| self.0.is_legal(&self.apply(pattern, op))).collect(),
        }
    }

    fn apply(&self, pattern: &Pattern, op: Op) -> Pattern {
        pattern.apply(&self.0.moves()[op.index()].transformation)
    }

    fn is_goal(&self, pattern: &Pattern) -> bool {
        pattern == self.0.solved()
    }
}

/// The number of moves in a window of this puzzle where the user names none.
pub fn window(puzzle: &Puzzle) -> usize {
    let branches = puzzle.moves().len().max(2) as f64;
    LEAST_WINDOW.max((2.0 * STATES.ln() / branches.ln()) as usize)
}

/// The numbers of the counted moves in a text, where names are separated by white space or by dots.
///
/// # Errors
/// All words that are no counted moves.
pub fn read_moves(puzzle: &Puzzle, text: &str) -> Result<Vec<Op>, Faults> {
    let words = text.split(|c: char| c.is_whitespace() || c == '.').filter(|word| !word.is_empty());
    let (mut ops, mut faults) = (Vec::new(), Vec::new());
    for (number, word) in (1..).zip(words) {
        match puzzle.moves().iter().position(|step| step.name == word) {
            Some(op) => ops.push(Op::new(op)),
            None => faults.push(format!("word {number}, `{word}`, is not the name of a counted move")),
        }
    }
    Faults::unless_none(faults, || ops)
}

/// The pattern that the moves lead to the solved one.
pub fn start_of(puzzle: &Puzzle, ops: &[Op]) -> Pattern {
    let back = ops.iter().rev().map(|op| puzzle.moves()[op.index()].transformation.inverse());
    back.fold(puzzle.solved().clone(), |pattern, step| pattern.apply(&step))
}

/// Shortens the moves `ops` from `start`. Where moves are free, a rotated form of the goal may be nearer than the one that
/// `ops` end with, so no solution is known to be shortest.
///
/// # Errors
/// A counted move without an inverse that counts.
pub fn shorter(
    puzzle: &Puzzle,
    start: &Pattern,
    ops: &[Op],
    settings: &Improve,
    run: &Run<'_>,
) -> Result<Improved<Op>, Faults> {
    let lacks = puzzle.moves().iter().find(|step| {
        let back = step.transformation.inverse();
        !puzzle.moves().iter().any(|other| other.transformation == back)
    });
    if let Some(step) = lacks {
        return Err(format!("the inverse of the move {} does not count", step.name).into());
    }
    let domain = Walk(puzzle);
    let windows = Bidirectional::new(&domain, |_: &Pattern, _: &Pattern| 0);
    let improved = settings.path(&windows, start, ops, run);
    Ok(Improved { is_cheapest: improved.is_cheapest && puzzle.rotations().is_empty(), ..improved })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;
    use crate::definition::Selection;
    use crate::solution::counted;

    #[test]
    fn solutions_of_built_in_puzzles_become_shorter() {
        for (name, text, most) in
            [("pancake-5", "f3 f2 f2 f4 f5 f5 f4 f2", 2), ("3x3x3", "R U R R2 L R L' U D U' D'", 4)]
        {
            let definition = builtin::get(name).expect("a name").expect("a puzzle");
            let selection = Selection::default();
            let puzzle = definition.select(&selection).expect("a selection").puzzle;
            let ops = read_moves(&puzzle, text).expect("moves");
            let start = start_of(&puzzle, &ops);
            let improved =
                shorter(&puzzle, &start, &ops, &Improve::windows(6), &Run::new()).expect("inverses");
            assert!(improved.is_complete && improved.moves.len() <= most, "{name}: {improved:?}");
            let names: Vec<&str> =
                improved.moves.iter().map(|op| &*puzzle.moves()[op.index()].name).collect();
            assert_eq!(counted(&puzzle, &start, &names), Some(names.len()), "{name}");
            assert!(window(&puzzle) >= LEAST_WINDOW && read_moves(&puzzle, "R Q7 f9x").is_err());
        }
    }
}
