//! The reason why the referee refuses a solution.

use std::fmt;

/// The reason why a solution, or the text of a state, is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The text of a state is not a state of the puzzle.
    State {
        /// Its fault.
        reason: String,
    },
    /// A move cannot be read, or cannot be made in its place.
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// The text of the move.
        text: String,
        /// The reason.
        reason: String,
    },
    /// The moves are legal but their number is not the one claimed.
    Length {
        /// The length that was claimed.
        claimed: u64,
        /// The length of the replayed moves.
        replayed: u64,
    },
    /// The moves are legal but do not end at the goal.
    Goal {
        /// The goal.
        expected: String,
        /// The state in which the moves end.
        reached: String,
    },
}

impl Refusal {
    /// A refusal of the text of a state.
    pub(crate) fn state(reason: impl Into<String>) -> Refusal {
        Refusal::State { reason: reason.into() }
    }

    /// A refusal of move `number` (from 1).
    pub(crate) fn of_move(number: usize, text: impl fmt::Display, reason: impl Into<String>) -> Refusal {
        Refusal::Move { number, text: text.to_string(), reason: reason.into() }
    }

    /// The verdict on a replay without illegal moves: the end first, then the length.
    pub(crate) fn verdict<S: PartialEq + fmt::Display>(
        reached: &S,
        goal: &S,
        replayed: u64,
        claimed: u64,
    ) -> Result<(), Refusal> {
        if reached != goal {
            return Err(Refusal::Goal { expected: goal.to_string(), reached: reached.to_string() });
        }
        if replayed != claimed {
            return Err(Refusal::Length { claimed, replayed });
        }
        Ok(())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::State { reason } => write!(f, "not a state: {reason}"),
            Refusal::Move { number, text, reason } => write!(f, "move {number} ({text}): {reason}"),
            Refusal::Length { claimed, replayed } => {
                write!(f, "the solution is {replayed} moves long, not {claimed} as claimed")
            }
            Refusal::Goal { expected, reached } => {
                write!(f, "the moves end at {reached} and not at the goal {expected}")
            }
        }
    }
}

impl std::error::Error for Refusal {}
