//! A cube and its goal in a certificate: by their stickers, in the referee's model.

use super::referee_check::{seen, symbols};
use crate::cube::{CORNERS, Cube, EDGES, Face};
use crate::mask::{Axis, Freedom, Goals, Kind, Mask};
use crate::notation::Position;
use puzzle_cli::Failure;
use serde::Serialize;

/// The start, the goal and what the goal leaves open.
#[derive(Debug, Default, Serialize)]
#[serde(tag = "kind", rename = "cube")]
pub(super) struct Stickers {
    start: String,
    goal: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignored: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    orientation_ignored: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    alternatives: Vec<Open>,
    #[serde(skip_serializing_if = "Option::is_none")]
    final_turn: Option<char>,
}

/// The freedom of one alternative goal.
#[derive(Debug, Serialize)]
struct Open {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    interchangeable: Vec<Vec<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    orientation_ignored: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    corner_axis: Option<char>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edge_axis: Option<char>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    half_turns: bool,
}

impl Stickers {
    /// The start, the goal and what the goal leaves open, as they look when the cube is held as it was typed.
    /// Pieces are named by the symbols of their stickers. `goals` are of cubes renamed so that `goal` is the
    /// solved one.
    pub(super) fn of(position: &Position, goal: &Cube, goals: &Goals) -> Result<Stickers, Failure> {
        let symbols = symbols(position);
        let shown = |cube| {
            let seen = seen(cube, position.orientation, symbols).map_err(Failure::error)?;
            Ok::<_, Failure>(seen.to_string())
        };
        let names = Names { symbols };
        let masks: Vec<Mask> = goals.masks().iter().map(|mask| mask.renamed(&goal.inverse())).collect();
        let plain = match &masks[..] {
            [mask] => names.plain(mask),
            _ => None,
        };
        let alternatives = match plain {
            Some(_) => Vec::new(),
            None => masks.iter().map(|mask| names.open(mask)).collect(),
        };
        let (ignored, orientation_ignored) = plain.unwrap_or_default();
        let final_turn = goals.face().map(|face| symbols[face.index()]);
        let (start, goal) = (shown(&position.cube)?, shown(goal)?);
        Ok(Stickers { start, goal, ignored, orientation_ignored, alternatives, final_turn })
    }
}

/// The names of pieces: the symbols of their stickers.
struct Names {
    symbols: [char; 6],
}

impl Names {
    fn all(&self, kind: Kind, set: u16) -> Vec<String> {
        let name = |faces: &[Face]| faces.iter().map(|face| self.symbols[face.index()]).collect::<String>();
        let is_in = |i: &usize| set >> i & 1 == 1;
        match kind {
            Kind::Corners => (0..8).filter(is_in).map(|i| name(&CORNERS[i])).collect(),
            Kind::Edges => (0..12).filter(is_in).map(|i| name(&EDGES[i])).collect(),
        }
    }

    /// The ignored pieces and those with ignored orientation, if the mask leaves nothing else open.
    fn plain(&self, mask: &Mask) -> Option<(Vec<String>, Vec<String>)> {
        let (mut ignored, mut turned) = (Vec::new(), Vec::new());
        for (kind, freedom) in mask.kinds() {
            let sets: Vec<u16> = freedom.sets().collect();
            let set = match sets[..] {
                [] => 0,
                [set] if set & !freedom.turned() == 0 => set,
                _ => return None,
            };
            ignored.extend(self.all(kind, set));
            turned.extend(self.all(kind, freedom.turned() & !set));
        }
        Some((ignored, turned))
    }

    /// Everything that a mask leaves open.
    fn open(&self, mask: &Mask) -> Open {
        let all = |list: &dyn Fn(Kind, &Freedom) -> Vec<Vec<String>>| {
            mask.kinds().into_iter().flat_map(|(kind, freedom)| list(kind, freedom)).collect::<Vec<_>>()
        };
        let symbol = |axis: Axis| self.symbols[axis as usize];
        Open {
            // The half turns determine what the corners may do.
            interchangeable: all(&|kind, freedom| {
                let sets = freedom.sets().filter(|_| !freedom.is_of_half_turns());
                sets.map(|set| self.all(kind, set)).collect()
            }),
            orientation_ignored: all(&|kind, freedom| vec![self.all(kind, freedom.turned())]).concat(),
            // When the cube is held differently, its usual axes may be other ones.
            corner_axis: mask.corners.axis().map(symbol),
            edge_axis: mask.edges.axis().map(symbol),
            half_turns: mask.corners.is_of_half_turns(),
        }
    }
}
