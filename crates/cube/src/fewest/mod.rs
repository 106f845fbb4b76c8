//! What solvers of fewest-moves challenges do: moves that are fixed at the ends of a solution, and moves on
//! the inverse scramble (NISS).
//!
//! Let *c* be a cube and let the turns *p m q* solve it. Then *m* solves *q c p*, the cube that the turns
//! *q*, what leads to *c*, and the turns *p* lead to. So the shortest *m* for fixed *p* and *q* is a shortest solution of
//! another cube, found and proved by the same search.
//!
//! The inverse cube is solved by the inverse turns. So a solution *a b* of a cube can be found by *a* on
//! the cube and the inverse of *b* on the inverse cube: this is written `a (b')`.

pub mod insert;
mod niss;

pub use niss::Niss;

use crate::cube::{Cube, Turn};
use crate::metric::Metric;
use crate::notation::{Given, Orientation, Position, scramble};
use search_core::{Ending, Report};

/// Turns that a solution begins with, and turns that it ends with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// The first turns.
    pub before: Vec<Turn>,
    /// The last turns.
    pub after: Vec<Turn>,
}

impl Ends {
    /// Whether no turns are fixed.
    pub fn are_free(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }

    /// The cube whose solutions are those of `cube` without the fixed turns.
    #[must_use]
    pub fn between(&self, cube: &Cube) -> Cube {
        let after = Cube::SOLVED.apply_all(self.after.iter().copied());
        after.compose(cube).apply_all(self.before.iter().copied())
    }

    /// A solution with the fixed turns.
    #[must_use]
    pub fn around(&self, turns: &[Turn]) -> Vec<Turn> {
        [&self.before, turns, &self.after].concat()
    }

    /// The length of the fixed turns.
    pub fn length(&self, metric: Metric) -> u32 {
        self.before.iter().chain(&self.after).map(|&turn| metric.length(turn)).sum()
    }

    /// What a search for the turns between says of whole solutions: all lengths and bounds include the
    /// fixed turns.
    pub fn whole(&self, metric: Metric, report: Report<Vec<Turn>>) -> Report<Vec<Turn>> {
        let fixed = self.length(metric);
        let Report { ending, mut iterations } = report.map(|turns| self.around(&turns));
        iterations.iter_mut().for_each(|iteration| iteration.bound += fixed);
        let ending = match ending {
            Ending::Optimal { length, solutions, complete } => {
                Ending::Optimal { length: length + fixed, solutions, complete }
            }
            Ending::Bounded { lower_bound } => Ending::Bounded { lower_bound: lower_bound + fixed },
            Ending::Cancelled { lower_bound } => Ending::Cancelled { lower_bound: lower_bound + fixed },
            Ending::Exhausted => Ending::Exhausted,
        };
        Report { ending, iterations }
    }
}

/// The turns that undo these.
pub fn undo(turns: &[Turn]) -> Vec<Turn> {
    turns.iter().rev().map(|turn| turn.inverse()).collect()
}

/// The same turns with those of one face joined where they meet, also across turns of the opposite face,
/// until none meet.
pub fn joined(metric: Metric, turns: &[Turn]) -> Vec<Turn> {
    let mut turns = turns.to_vec();
    loop {
        let canonical = metric.canonical(&turns);
        let done = length(metric, &canonical) == length(metric, &turns);
        turns = canonical;
        if done {
            return turns;
        }
    }
}

/// The length of some turns.
pub fn length(metric: Metric, turns: &[Turn]) -> u32 {
    turns.iter().map(|&turn| metric.length(turn)).sum()
}

/// The position that the inverse of what leads to `position` leads to: of moves, the inverse moves in
/// reverse order, rotations included.
pub fn inverse(position: &Position) -> Position {
    // The moves lead to the cube by turns of its own faces, and then rotate it. The inverse rotates it back
    // first, so that other faces are at the places that are turned.
    let orientation = position.orientation.inverse();
    let cube = orientation.cube_from_held(&position.cube.inverse());
    let (given, moves) = match &position.given {
        Given::Moves(turns) => {
            let turns: Vec<Turn> = undo(turns).into_iter().map(|turn| orientation.from_held(turn)).collect();
            let moves = scramble::format(turns.iter().copied());
            (Given::Moves(turns), moves)
        }
        _ => (Given::Reid, String::new()),
    };
    let text = match given {
        Given::Moves(_) => format!("{moves} {orientation}").trim().to_owned(),
        _ => crate::notation::reid::format(&cube),
    };
    Position { cube, orientation, given, text }
}

/// Whether the cube is held with every face at its own place.
pub fn is_at_home(position: &Position) -> bool {
    position.orientation == Orientation::HOME
}
