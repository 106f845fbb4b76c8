//! The reason why a request has no answer.

use serde::Serialize;

/// One fault of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// A description of the fault.
    pub message: String,
    /// Its places: facelets of a cube, cells of a board, characters of a state.
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

/// The reason why there is no answer: the faults of the input, an error, or the memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The faults of the input.
    Faults(Vec<Fault>),
    /// An error.
    Error(String),
    /// The tables need a memory with addresses of this many bits. The host asks the module that has them.
    Addresses(u32),
}

impl Refusal {
    /// A refusal with an error.
    pub fn error(error: impl ToString) -> Refusal {
        Refusal::Error(error.to_string())
    }
}
