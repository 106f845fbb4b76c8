//! Cases as they are typed: a cube with an optional name.

use super::super::notation::{self, FromArgs};
use crate::algs::Case;
use crate::notation::facelets::{self, LETTERS};
use crate::notation::{Given, Orientation, Position};
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
    let (name, text) = split(&instance.text);
    let name = name.map_or_else(|| instance.origin.to_string(), str::to_owned);
    match notation::read_instance(text, from) {
        Ok(position) => Ok(position.map(|position| Named { name, position })),
        Err(failure) => Err((name, failure)),
    }
}

/// Splits a text into the name and the rest: at a tab, or at a colon outside of brackets that is followed by a
/// space.
fn split(text: &str) -> (Option<&str>, &str) {
    let parted = |at: usize| (Some(text[..at].trim()).filter(|name| !name.is_empty()), text[at + 1..].trim());
    if let Some(at) = text.find('\t') {
        return parted(at);
    }
    let mut open = 0;
    for (at, c) in text.char_indices() {
        match c {
            '[' | '(' => open += 1,
            ']' | ')' => open -= 1,
            ':' if open == 0 && text[at + 1..].starts_with(' ') => return parted(at),
            _ => {}
        }
    }
    (None, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_at_a_tab_or_a_colon() {
        for (text, name, rest) in [
            ("T: R U R'", Some("T"), "R U R'"),
            ("T perm\tR U: R'", Some("T perm"), "R U: R'"),
            ("R U R'", None, "R U R'"),
            ("[R: U] F", None, "[R: U] F"),
            ("x: [R: U] F", Some("x"), "[R: U] F"),
            ("12. 1:02.33 R U", None, "12. 1:02.33 R U"),
            (": R", None, "R"),
            ("ü: R", Some("ü"), "R"),
        ] {
            assert_eq!(split(text), (name, rest), "{text}");
        }
    }
}
