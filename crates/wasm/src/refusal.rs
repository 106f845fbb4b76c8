//! Why a request has no answer.

use serde::Serialize;

/// One thing that is wrong with an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// What is wrong.
    pub message: String,
    /// Where: facelets of a cube, cells of a board, characters of a state.
    pub at: Vec<usize>,
}

impl Fault {
    /// A fault of the input as a whole.
    pub fn new(message: impl ToString) -> Fault {
        Fault { message: message.to_string(), at: Vec::new() }
    }

    /// A fault at some places.
    pub fn at(message: impl ToString, at: Vec<usize>) -> Fault {
        Fault { message: message.to_string(), at }
    }
}

/// Why there is no answer: everything that is wrong with the input, or what failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// What is wrong with the input.
    Faults(Vec<Fault>),
    /// What failed.
    Error(String),
}

impl Refusal {
    /// What failed.
    pub fn error(error: impl ToString) -> Refusal {
        Refusal::Error(error.to_string())
    }
}
