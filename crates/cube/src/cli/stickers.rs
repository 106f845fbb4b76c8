//! A cube and its goal as a certificate shows them: by their stickers, in the referee's model.

use super::referee_check::{seen, symbols};
use crate::cube::{CORNERS, Cube, EDGES, Face};
use crate::mask::Mask;
use crate::notation::Position;
use puzzle_cli::Failure;
use serde::Serialize;

/// The start, the goal and what the goal ignores.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename = "cube")]
pub(super) struct Stickers {
    start: String,
    goal: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignored: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    orientation_ignored: Vec<String>,
}

impl Stickers {
    /// Start and goal as they look when the cube is held as it was typed, and the pieces that the goal
    /// ignores, each by the symbols of its stickers.
    pub(super) fn of(position: &Position, goal: &Cube, ignored: &Mask) -> Result<Stickers, Failure> {
        let symbols = symbols(position);
        let shown = |cube| {
            let seen = seen(cube, position.orientation, symbols).map_err(Failure::error)?;
            Ok::<_, Failure>(seen.to_string())
        };
        let name = |faces: &[Face]| faces.iter().map(|face| symbols[face.index()]).collect::<String>();
        let names = |corners: u16, edges: u16| {
            let corners = CORNERS.iter().enumerate().filter(|(i, _)| corners >> i & 1 == 1);
            let edges = EDGES.iter().enumerate().filter(|(i, _)| edges >> i & 1 == 1);
            corners.map(|(_, faces)| name(faces)).chain(edges.map(|(_, faces)| name(faces))).collect()
        };
        Ok(Stickers {
            start: shown(&position.cube)?,
            goal: shown(goal)?,
            ignored: names(ignored.corners.ignored, ignored.edges.ignored),
            orientation_ignored: names(ignored.corners.turned, ignored.edges.turned),
        })
    }
}
