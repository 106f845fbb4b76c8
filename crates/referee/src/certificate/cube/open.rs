//! The pieces that a goal of the cube leaves open, as codes of pieces: cubes with equal codes are equally near.
//!
//! The code of a piece contains its set, if pieces of a set may change places, and its orientation, if that matters.
//! Turns act on codes: the new place of a piece and the change of its orientation depend on the turn and the old
//! place alone. So a search among codes ends at the codes of the accepted cubes.
//!
//! - Pieces of one set may be of two kinds: those whose orientation is ignored, and the others. The goal accepts every
//!   arrangement of the kinds on the places of the set; each is a separate end of the search.
//! - If half turns may follow, the ends are all codes that half turns make of these.
//! - If a final turn of a face is left open, the ends are these after each turn of the face.
//!
//! The orientation of a piece away from home is relative to an axis: a corner's facelet on the axis comes first; an
//! edge's facelets are ordered by the three axes, with this one in the middle. At home all axes give the same
//! orientation.

use super::pieces::{Piece, Place, named, pieces};
use super::turns::{Turn, Turns, packed, turn};
use crate::certificate::Open;
use crate::cube::{Cube, Metric};
use std::collections::BTreeSet;

/// The maximum number of goals of one alternative; no mixture of kinds has more.
const MOST_ENDS: usize = 1 << 19;
/// The maximum number of alternatives.
const MOST_ALTERNATIVES: usize = 16;

/// The letters of the faces, in the order of the facelets.
const FACES: [&str; 6] = ["U", "R", "F", "D", "L", "B"];

/// The pieces that the goal leaves open, as a certificate lists them.
pub(in crate::certificate) struct Opening<'a> {
    pub ignored: &'a [String],
    pub orientation_ignored: &'a [String],
    pub alternatives: &'a [Open],
    pub final_turn: Option<char>,
}

/// One set of accepted cubes.
pub(super) struct Alternative {
    places: Vec<Place>,
    codes: Codes,
    pub(super) space: Turns,
}

/// The code of each piece.
struct Codes {
    /// For each piece, the least piece of its set and kind.
    first: Vec<usize>,
    /// Whether its orientation is ignored.
    turned: Vec<bool>,
    /// Its orientation in the goal; the code has the difference.
    offset: Vec<usize>,
}

impl Codes {
    fn of(&self, piece: &Piece) -> u8 {
        let first = self.first[piece.home];
        let (first, sides) = if first < 8 { (first * 3, 3) } else { ((first - 8) * 2, 2) };
        let difference = (piece.turned + sides - self.offset[piece.home]) % sides;
        (if self.turned[piece.home] { first } else { first + difference }) as u8
    }

    fn all(&self, pieces: &[Piece]) -> Vec<u8> {
        pieces.iter().map(|piece| self.of(piece)).collect()
    }
}

impl Opening<'_> {
    /// Whether the goal is a whole cube.
    pub(super) fn is_empty(&self) -> bool {
        self.ignored.is_empty()
            && self.orientation_ignored.is_empty()
            && self.alternatives.is_empty()
            && self.final_turn.is_none()
    }

    /// Reads the sets of accepted cubes, or describes their faults.
    pub(super) fn read(
        &self,
        start: &Cube,
        goal: &Cube,
        places: &[Place],
        metric: Metric,
    ) -> Result<Vec<Alternative>, String> {
        if self.ignored.len().max(self.orientation_ignored.len()) > places.len() {
            return Err("more pieces are ignored than there are".to_owned());
        }
        let is_plain = self.ignored.is_empty() && self.orientation_ignored.is_empty();
        if !is_plain && !self.alternatives.is_empty() {
            return Err("ignored pieces cannot be combined with alternatives".to_owned());
        }
        if self.alternatives.len() > MOST_ALTERNATIVES {
            return Err(format!("there are more than {MOST_ALTERNATIVES} alternatives"));
        }
        let face = match self.final_turn {
            Some(symbol) => Some(face_of(symbol, start)?),
            None => None,
        };
        let one = |open: &Open| Alternative::read(open, face, start, goal, places, metric);
        if self.alternatives.is_empty() {
            Ok(vec![one(&self.plain())?])
        } else {
            self.alternatives.iter().map(one).collect()
        }
    }

    /// The goal that the lists of ignored pieces describe.
    fn plain(&self) -> Open {
        let (corners, edges) = self.ignored.iter().cloned().partition(|name| name.chars().count() == 3);
        let orientation_ignored = self.ignored.iter().chain(self.orientation_ignored).cloned().collect();
        Open { interchangeable: vec![corners, edges], orientation_ignored, ..Open::default() }
    }
}

/// The face whose centre shows a symbol.
fn face_of(symbol: char, cube: &Cube) -> Result<usize, String> {
    let face = (0..6).find(|face| cube.facelets()[9 * face + 4] == symbol);
    face.ok_or_else(|| format!("{symbol:?} is not the colour of a centre"))
}

/// The axis of a facelet: 0, 1, 2 for the one through the first, second and third face.
fn axis_of(facelet: usize) -> usize {
    facelet / 9 % 3
}

/// The places, with their facelets in an order that defines orientations relative to two axes.
fn told_along(places: &[Place], corner_axis: usize, edge_axis: usize) -> Vec<Place> {
    let others = [[2, 0, 1], [0, 1, 2], [0, 2, 1]][edge_axis];
    let along = |place: &Place| {
        let mut place = place.clone();
        match place.iter().position(|&facelet| axis_of(facelet) == corner_axis) {
            Some(first) if place.len() == 3 => place.rotate_left(first),
            _ => place.sort_by_key(|&facelet| others.iter().position(|&axis| axis == axis_of(facelet))),
        }
        place
    };
    places.iter().map(along).collect()
}

impl Alternative {
    fn read(
        open: &Open,
        face: Option<usize>,
        start: &Cube,
        goal: &Cube,
        places: &[Place],
        metric: Metric,
    ) -> Result<Alternative, String> {
        let axis = |symbol: Option<char>, usual: usize| match symbol {
            Some(symbol) => face_of(symbol, start).map(|face| face % 3),
            None => Ok(usual),
        };
        let places = told_along(places, axis(open.corner_axis, 0)?, axis(open.edge_axis, 2)?);
        let sets = sets(open, start, &places)?;
        let (first, last) = (pieces(start, &places)?, pieces(goal, &places)?);
        let mut turned = vec![false; places.len()];
        for name in &open.orientation_ignored {
            turned[piece(name, start, &places)?] = true;
        }
        let mut offset = vec![0; places.len()];
        last.iter().for_each(|piece| offset[piece.home] = piece.turned);
        let same = |a: usize, b: usize| {
            a == b || turned[a] == turned[b] && sets.iter().any(|set| set.contains(&a) && set.contains(&b))
        };
        let first_of = |piece| (0..=piece).find(|&other| same(other, piece)).unwrap_or(piece);
        let codes = Codes { first: (0..places.len()).map(first_of).collect(), turned, offset };
        let ends = mixtures(&codes, &sets, &last)?.iter().map(|codes| packed(codes)).collect();
        let with = |text: String| turn(text, &places, |piece| codes.of(piece));
        let ends = match open.half_turns {
            true => closure(ends, &FACES.map(|face| with(format!("{face}2"))))?,
            false => ends,
        };
        let ends = match face {
            Some(face) => closure(ends, &[with(FACES[face].to_owned())])?,
            None => ends,
        };
        let turns = texts(metric).into_iter().map(with).collect();
        let start = packed(&codes.all(&first));
        let space = Turns { start, goals: ends.into_iter().collect(), turns };
        Ok(Alternative { places, codes, space })
    }

    /// The codes of a cube as a number; `None` if they are not those of a cube.
    pub(super) fn state(&self, cube: &Cube) -> Option<u128> {
        Some(packed(&self.codes.all(&pieces(cube, &self.places).ok()?)))
    }

    /// Whether a cube is accepted.
    pub(super) fn accepts(&self, cube: &Cube) -> bool {
        self.state(cube).is_some_and(|state| self.space.goals.binary_search(&state).is_ok())
    }
}

/// The turns of a metric. A slice is followed by the rotation that brings the centres home, so that the same turns
/// apply in every orientation of the cube.
fn texts(metric: Metric) -> Vec<String> {
    let amounts: &[&str] = match metric {
        Metric::HalfTurn | Metric::SliceTurn => &["", "2", "'"],
        Metric::QuarterTurn => &["", "'"],
    };
    let faces = FACES.iter().flat_map(|face| amounts.iter().map(move |amount| format!("{face}{amount}")));
    let slices = ["M x", "M2 x2", "M' x'", "E y", "E2 y2", "E' y'", "S z'", "S2 z2", "S' z"];
    let slices = if metric == Metric::SliceTurn { &slices[..] } else { &[] };
    faces.chain(slices.iter().map(|&text| text.to_owned())).collect()
}

/// The piece with this name.
fn piece(name: &str, start: &Cube, places: &[Place]) -> Result<usize, String> {
    named(name, start, places).ok_or_else(|| format!("{name:?} is not a piece of the start"))
}

/// The sets of pieces that may change places.
fn sets(open: &Open, start: &Cube, places: &[Place]) -> Result<Vec<Vec<usize>>, String> {
    let mut seen = BTreeSet::new();
    let mut sets = Vec::new();
    for names in &open.interchangeable {
        let mut set = Vec::new();
        for name in names {
            let piece = piece(name, start, places)?;
            if !seen.insert(piece) {
                return Err(format!("the piece {name} is in two sets, or in one twice"));
            }
            set.push(piece);
        }
        if set.iter().any(|&piece| (piece < 8) != (set[0] < 8)) {
            return Err("corners and edges are in one set".to_owned());
        }
        sets.push(set);
    }
    Ok(sets)
}

/// The codes of the goal, with every arrangement of the kinds of pieces on the places of each set.
fn mixtures(codes: &Codes, sets: &[Vec<usize>], goal: &[Piece]) -> Result<Vec<Vec<u8>>, String> {
    let mut all = BTreeSet::from([codes.all(goal)]);
    for set in sets {
        let places: Vec<usize> = (0..goal.len()).filter(|&at| set.contains(&goal[at].home)).collect();
        let mut mixed = BTreeSet::new();
        for before in &all {
            // Every choice of places for the pieces of each kind; swaps within the set reach them all.
            let mut open = vec![before.clone()];
            while let Some(arrangement) = open.pop() {
                for (&a, &b) in places.iter().flat_map(|a| places.iter().map(move |b| (a, b))) {
                    let mut next = arrangement.clone();
                    next.swap(a, b);
                    if arrangement[a] != arrangement[b] && !mixed.contains(&next) {
                        mixed.insert(next.clone());
                        open.push(next);
                    }
                }
                mixed.insert(arrangement);
                if mixed.len() > MOST_ENDS {
                    return Err("the goal leaves too many arrangements open".to_owned());
                }
            }
        }
        all = mixed;
    }
    Ok(all.into_iter().collect())
}

/// All states that sequences of turns make of some states.
fn closure(ends: BTreeSet<u128>, turns: &[Turn]) -> Result<BTreeSet<u128>, String> {
    let mut open: Vec<u128> = ends.iter().copied().collect();
    let mut all = ends;
    while let Some(state) = open.pop() {
        open.extend(turns.iter().map(|turn| turn.applied(state)).filter(|next| all.insert(*next)));
        if all.len() > MOST_ENDS {
            return Err("the goal leaves too many arrangements open".to_owned());
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::super::{Cubes, places};
    use super::*;
    use crate::certificate::game::{Found, Game};
    use crate::cube::parse_moves;

    fn after(moves: &str) -> Cube {
        Cube::solved().after_all(&parse_moves(moves).unwrap())
    }

    fn names(list: &str) -> Vec<String> {
        list.split_whitespace().map(str::to_owned).collect()
    }

    fn cubes(start: &str, alternatives: &[Open], final_turn: Option<char>) -> Cubes {
        let open = Opening { ignored: &[], orientation_ignored: &[], alternatives, final_turn };
        let (start, goal) = (after(start).to_string(), Cube::solved().to_string());
        Cubes::read(&start, &goal, &open, Metric::HalfTurn).unwrap()
    }

    fn distance(start: &str, alternatives: &[Open], final_turn: Option<char>) -> u64 {
        match cubes(start, alternatives, final_turn).derive(20, 200_000).result {
            Found::Path(length, _) => length,
            other => panic!("{other:?}"),
        }
    }

    const EDGES: &str = "UR UF UL UB DR DF DL DB FR FL BL BR";
    const CORNERS: &str = "URF UFL ULB UBR DFR DLF DBL DRB";

    /// All edges oriented along an axis, the corners ignored.
    fn oriented_edges(axis: char) -> Open {
        Open {
            interchangeable: vec![names(EDGES), names(CORNERS)],
            orientation_ignored: names(CORNERS),
            edge_axis: Some(axis),
            ..Open::default()
        }
    }

    #[test]
    fn edges_are_flipped_by_quarter_turns_around_their_axis() {
        for (axis, face) in ["U", "R", "F", "D", "L", "B"].iter().enumerate() {
            for (at, symbol) in "URF".chars().enumerate() {
                let expected = u64::from(axis % 3 == at);
                assert_eq!(distance(face, &[oriented_edges(symbol)], None), expected, "{face} {symbol}");
                assert_eq!(distance(&format!("{face}2"), &[oriented_edges(symbol)], None), 0);
            }
        }
    }

    #[test]
    fn corners_are_twisted_by_quarter_turns_around_other_axes() {
        for (axis, face) in ["U", "R", "F", "D", "L", "B"].iter().enumerate() {
            for (at, symbol) in "URF".chars().enumerate() {
                let open = Open {
                    interchangeable: vec![names(EDGES), names(CORNERS)],
                    orientation_ignored: names(EDGES),
                    corner_axis: Some(symbol),
                    ..Open::default()
                };
                assert_eq!(distance(face, &[open], None), u64::from(axis % 3 != at), "{face} {symbol}");
            }
        }
    }

    #[test]
    fn a_final_turn_and_alternatives_are_accepted() {
        assert_eq!(distance("R U'", &[], Some('U')), 2);
        assert_eq!(distance("U' R", &[], Some('U')), 1);
        assert_eq!(distance("U2", &[], Some('U')), 0);
        let mut game = cubes("U' R", &[], Some('U'));
        assert!(game.replay("R'").is_ok() && game.replay("R' U2").is_ok() && game.replay("R").is_err());
        // Only a corner matters, either of two.
        let only = |corner: &str| {
            let others: Vec<String> =
                CORNERS.split(' ').filter(|name| *name != corner).map(str::to_owned).collect();
            let orientation_ignored = [&names(EDGES)[..], &others].concat();
            Open { interchangeable: vec![names(EDGES), others], orientation_ignored, ..Open::default() }
        };
        let both = [only("URF"), only("DBL")];
        assert_eq!((distance("R", &both[..1], None), distance("R", &both, None)), (1, 0));
        assert_eq!(distance("R L", &both, None), 1);
    }

    #[test]
    fn half_turns_may_follow() {
        let slices = ["UR DR DL UL", "UF DF DB UB", "FR FL BL BR"].map(names).to_vec();
        let open = [Open { interchangeable: slices, half_turns: true, ..Open::default() }];
        let game = cubes("", &open, None);
        assert_eq!(game.alternatives[0].space.goals.len(), 96);
        assert_eq!(distance("U2 R2 F2 D2 L2 B2", &open, None), 0);
        assert_eq!(distance("R2 F2 U", &open, None), 1);
        assert_eq!(distance("R2 F2 U D", &open, None), 2);
    }

    /// A set of pieces of two kinds: one that must be oriented, two that need not.
    #[test]
    fn kinds_mix_on_the_places_of_a_set() {
        let open = Open {
            interchangeable: vec![names("UF UR UB"), names("URF UFL ULB UBR")],
            orientation_ignored: names("UF UR URF UFL ULB UBR"),
            ..Open::default()
        };
        let game = cubes("", &[open], None);
        assert_eq!(game.alternatives[0].space.goals.len(), 3);
    }

    #[test]
    fn contradictory_goals_are_refused() {
        let solved = Cube::solved();
        let refused =
            |open: &Opening<'_>| open.read(&solved, &solved, &places(), Metric::HalfTurn).err().unwrap();
        fn with(alternatives: &[Open]) -> Opening<'_> {
            Opening { ignored: &[], orientation_ignored: &[], alternatives, final_turn: None }
        }
        let set = |sets: &[&str]| {
            [Open { interchangeable: sets.iter().map(|set| names(set)).collect(), ..Open::default() }]
        };
        let cases = [
            (&["UF UR", "UR UB"][..], "two sets"),
            (&["UF URF"], "corners and edges"),
            (&["UD"], "not a piece"),
        ];
        for (sets, why) in cases {
            assert!(refused(&with(&set(sets))).contains(why), "{why}");
        }
        assert!(refused(&Opening { final_turn: Some('x'), ..with(&[]) }).contains("not the colour"));
        let axis = [Open { edge_axis: Some('x'), ..Open::default() }];
        assert!(refused(&with(&axis)).contains("not the colour"));
        assert!(refused(&with(&vec![Open::default(); 17])).contains("16"));
    }
}
