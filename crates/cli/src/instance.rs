//! An instance as it was given, and where it came from.

use serde::Serialize;
use std::fmt;

/// One instance as it was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Instance {
    /// The text, without surrounding white space.
    #[serde(rename = "instance")]
    pub text: String,
    /// Where it came from.
    #[serde(flatten)]
    pub origin: Origin,
}

/// Where an instance came from, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// An argument; its place among the instances on the command line.
    Argument(usize),
    /// A line of standard input; empty lines count.
    Line(usize),
}

impl Origin {
    /// The seed of the choices for this instance, where `seed` is that of the first one.
    pub fn seed(self, seed: u64) -> u64 {
        let (Origin::Argument(place) | Origin::Line(place)) = self;
        seed.wrapping_add(place as u64 - 1)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Argument(n) => write!(f, "argument {n}"),
            Origin::Line(n) => write!(f, "line {n}"),
        }
    }
}
