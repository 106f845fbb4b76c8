//! Cases as they are typed: a cube with an optional name.

use super::super::notation::{self, FromArgs};
use crate::algs::Case;
use crate::notation::facelets::{self, LETTERS};
use crate::notation::{Given, Orientation, Position};
use puzzle_cli::cases::split_name;
use puzzle_cli::{Failure, Instance};

/// A case with its name.
pub(super) struct Named {
    /// The name.
    pub(super) name: String,
    /// The cube.
    pub(super) position: Position,
}

/// The case of a set.
pub(super) fn of_case(case: &Case) -> Named {
    let position = Position {
        cube: case.cube,
        orientation: Orientation::HOME,
        given: Given::Facelets(LETTERS),
        text: facelets::format(&case.cube),
    };
    Named { name: case.name.clone(), position }
}

/// Reads a case; `None` for a comment. A case without a name is named by its line or argument.
///
/// # Errors
/// The name, and the reason why the rest is not a cube.
pub(super) fn read(instance: &Instance, from: FromArgs) -> Result<Option<Named>, (String, Failure)> {
    let (name, text) = split_name(&instance.text);
    let name = name.map_or_else(|| instance.origin.to_string(), str::to_owned);
    match notation::read_instance(text, from) {
        Ok(position) => Ok(position.map(|position| Named { name, position })),
        Err(failure) => Err((name, failure)),
    }
}
