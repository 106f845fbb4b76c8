//! A cube and its goal in a certificate: by their stickers, in the referee's model.

use super::referee_check::{seen, symbols};
use crate::cube::{CORNERS, Cube, EDGES, Face};
use crate::mask::{Axis, Freedom, Goals, Kind, Mask};
use crate::notation::Position;
use puzzle_cli::{Exit, Failure};
use referee::certificate;
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

/// The goals of a certificate, of cubes renamed so that `goal` is the solved one. `start` is the cube as the certificate
/// shows it.
///
/// # Errors
/// Its faults, or exit code 4 for a goal that no options of this program describe.
pub(super) fn goals(puzzle: &certificate::Puzzle, start: &Position, goal: &Cube) -> Result<Goals, Failure> {
    let certificate::Puzzle::Cube {
        start: shown,
        ignored,
        orientation_ignored,
        alternatives,
        final_turn,
        ..
    } = puzzle
    else {
        return Err(Failure::malformed("it is no certificate of a cube"));
    };
    let names = Names { symbols: symbols(start) };
    let masks: Vec<Mask> = if alternatives.is_empty() {
        let (corners, edges) = ignored.iter().cloned().partition(|name| name.chars().count() == 3);
        let orientation_ignored = [&ignored[..], orientation_ignored].concat();
        let open = certificate::Open {
            interchangeable: vec![corners, edges],
            orientation_ignored,
            ..certificate::Open::default()
        };
        vec![names.mask(&open, shown)?]
    } else {
        alternatives.iter().map(|open| names.mask(open, shown)).collect::<Result<_, _>>()?
    };
    let renamed = |mask: &Mask| {
        let renamed = mask.renamed(goal);
        // Half turns name no pieces.
        let corners =
            if mask.corners.is_of_half_turns() { Freedom::half_turn_corners() } else { renamed.corners };
        Mask { corners, ..renamed }
    };
    let masks: Vec<Mask> = masks.iter().map(renamed).collect();
    let half_turns = Mask::half_turns();
    if masks.iter().any(|mask| mask.corners.is_of_half_turns() && mask.edges != half_turns.edges) {
        return Err(unsupported("half turns follow a goal other than the solved cube"));
    }
    let goals = Goals::any(&masks);
    match final_turn {
        Some(symbol) => goals.up_to_turn(names.face(*symbol)?).map_err(unsupported),
        None => Ok(goals),
    }
}

/// The failure for a goal that this program cannot search for.
fn unsupported(reason: impl std::fmt::Display) -> Failure {
    Failure::new(Exit::Unsolved, format_args!("no search for this goal: {reason}"))
        .with_remedy("`referee check --effort` proves as much as it can without tables")
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

    /// The face whose centre shows a symbol.
    fn face(&self, symbol: char) -> Result<Face, Failure> {
        let face = Face::ALL.into_iter().find(|face| self.symbols[face.index()] == symbol);
        face.ok_or_else(|| Failure::malformed(format_args!("{symbol:?} is no colour of a centre")))
    }

    /// The piece with this name: its kind and its bit. Its symbols are in any order.
    fn piece(&self, name: &str) -> Result<(Kind, u16), Failure> {
        let sorted = |text: &str| {
            let mut symbols: Vec<char> = text.chars().collect();
            symbols.sort_unstable();
            symbols
        };
        let kinds = [Kind::Corners, Kind::Edges].into_iter();
        let mut all = kinds.flat_map(|kind| (0..kind.count()).map(move |piece| (kind, 1 << piece)));
        all.find(|&(kind, piece)| self.all(kind, piece).iter().any(|own| sorted(own) == sorted(name)))
            .ok_or_else(|| Failure::malformed(format_args!("{name:?} is no piece")))
    }

    /// The corners and the edges of a list of names.
    fn sets(&self, list: &[String]) -> Result<[u16; 2], Failure> {
        list.iter().try_fold([0, 0], |mut sets, name| {
            let (kind, piece) = self.piece(name)?;
            sets[kind as usize] |= piece;
            Ok(sets)
        })
    }

    /// The mask of what an alternative leaves open. `shown` is a cube as it is held.
    fn mask(&self, open: &certificate::Open, shown: &str) -> Result<Mask, Failure> {
        let mut classes = [Vec::new(), Vec::new()];
        for list in &open.interchangeable {
            for (classes, set) in classes.iter_mut().zip(self.sets(list)?) {
                if classes.iter().any(|other| other & set != 0) {
                    return Err(Failure::malformed("sets of pieces that may change places overlap"));
                }
                classes.extend((set != 0).then_some(set));
            }
        }
        let turned = self.sets(&open.orientation_ignored)?;
        // Without an axis, that through the first face or the third, as the cube is held.
        let centre = |face: usize| shown.chars().nth(9 * face + 4).unwrap_or(' ');
        let axis =
            |given: Option<char>, face| Ok::<_, Failure>(Axis::of(self.face(given.unwrap_or(centre(face)))?));
        let axes = [axis(open.corner_axis, 0)?, axis(open.edge_axis, 2)?];
        let freedom = |kind: Kind| {
            let at = kind as usize;
            Freedom::new(kind, &classes[at], turned[at], axes[at])
        };
        let mask = Mask { corners: freedom(Kind::Corners), edges: freedom(Kind::Edges) };
        match open.half_turns {
            false => Ok(mask),
            true if mask.corners.is_none() => Ok(Mask { corners: Freedom::half_turn_corners(), ..mask }),
            true => Err(unsupported("half turns follow a goal that leaves corners open")),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::{Named, Pieces};
    use crate::notation;

    /// The goals that are read from a certificate of these goals.
    fn read_back(position: &Position, goal: &Cube, goals: &Goals) -> Result<Goals, Failure> {
        let stickers = Stickers::of(position, goal, goals).expect("a goal");
        let json = serde_json::to_string(&stickers).expect("JSON");
        let puzzle: certificate::Puzzle = serde_json::from_str(&json).expect("a puzzle of a certificate");
        let certificate::Puzzle::Cube { start, .. } = &puzzle else { panic!("{json}") };
        let shown = notation::parse(start, None).expect("facelets");
        super::goals(&puzzle, &shown, goal)
    }

    #[test]
    fn goals_are_read_as_they_are_written() {
        let pieces = |text| Pieces::parse(text).expect("pieces");
        let named = Named::ALL.iter().flat_map(|named| [Face::D, Face::R].map(|face| named.goals(face)));
        // Certificates have masks alone: goals with cosets are refused.
        let mut all: Vec<Goals> = named.filter(|goals| !goals.has_cosets()).collect();
        let mask = |ignored, turned| Mask::new(pieces(ignored), pieces(turned));
        all.extend(
            [mask("D,FR", "UF"), mask("", ""), mask("edges", "URF,UFL")].map(|mask| Goals::any(&[mask])),
        );
        all.push(Goals::any(&[mask("U", ""), mask("", "corners")]));
        all.push(Goals::any(&[mask("U", "")]).up_to_turn(Face::U).expect("a final turn"));
        let colours = "wwwwwwrrrwbbggggggrrrooowwwbbbyyyyyyooooooooogggrrrbbb";
        for text in ["R U F", "x y R2 D'", "y R", "U R F2 L B'"]
            .into_iter()
            .chain(notation::parse(colours, None).is_ok().then_some(colours))
        {
            let position = notation::parse(text, None).expect("a cube");
            for goal in [Cube::SOLVED, notation::parse("F2 R U", None).expect("a cube").cube] {
                for goals in &all {
                    let read = read_back(&position, &goal, goals).expect("a goal");
                    assert_eq!(&read, goals, "{text}: {goals}");
                }
            }
        }
    }
}
