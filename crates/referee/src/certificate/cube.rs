//! Rubik's cube: the pieces behind the stickers, the referee's space of cubes, and what it can prove of them.
//!
//! A place holds two or three facelets; on a legal cube they show the colours of a piece, turned by some
//! amount. Which places there are, and where a turn takes each, is computed from the referee's model of stickers
//! in space. The laws of the cube (each piece once, twists and flips cancel, corners and edges have the same
//! parity) say which arrangements turns can reach.
//!
//! Pieces and orientations that the goal leaves open are left out of the pieces' codes, at the start and at the goal alike: then a path
//! between the two is a path to some cube that the goal accepts (`open`).

mod open;

pub(super) use open::NodeMoves;

use super::game::{Derived, Found, Game, is_odd, searched};
use super::search::{End, Space};
use crate::cube::{Cube, Metric, Move, Vector, facelet_at, parse_moves};
use open::Alternative;
use std::collections::HashMap;

/// Facelets at one place; of a corner clockwise from the one on U or D.
type Place = Vec<usize>;

/// The places: 8 corners, then 12 edges.
fn places() -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for code in 0..27 {
        let centre: Vector = [code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1];
        let sides: Vec<usize> = match centre.iter().product::<i32>() {
            1 => vec![1, 2, 0],
            -1 => vec![1, 0, 2],
            _ => [1, 2, 0].into_iter().filter(|&axis| centre[axis] != 0).collect(),
        };
        let facelet = |&axis: &usize| {
            let mut point = centre;
            point[axis] *= 2;
            facelet_at(point)
        };
        if sides.len() >= 2 {
            places.push(sides.iter().map(facelet).collect());
        }
    }
    places.sort_by_key(|place| std::cmp::Reverse(place.len()));
    places
}

/// The facelet at the centre of the face of a facelet.
fn centre_of(facelet: usize) -> usize {
    facelet / 9 * 9 + 4
}

/// The piece at a place, and how far it is turned there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    /// The place where it belongs.
    home: usize,
    turned: usize,
}

/// A start, a goal, what it leaves open, and how turns count.
pub(super) struct Cubes {
    start: Cube,
    goal: Cube,
    /// The pieces of both.
    pieces: [Vec<Piece>; 2],
    /// The cubes that are accepted are those of any of these.
    alternatives: Vec<Alternative>,
    /// Whether the goal is one cube alone.
    is_one_cube: bool,
    metric: Metric,
    places: Vec<Place>,
    /// Where each turn that was replayed takes the facelets.
    images: HashMap<String, [usize; 54]>,
}

impl Cubes {
    /// Reads both cubes and the pieces that the goal leaves open, or names their faults.
    pub(super) fn read(
        start: &str,
        goal: &str,
        open: &NodeMoves<'_>,
        metric: Metric,
    ) -> Result<Cubes, String> {
        let places = places();
        let read = |name: &str, text| {
            let cube = Cube::parse(text).map_err(|refusal| format!("the {name} is {refusal}"))?;
            let pieces =
                pieces(&cube, &places).map_err(|fault| format!("the {name} is not a cube: {fault}"))?;
            Ok::<_, String>((cube, pieces))
        };
        let ((start, first), (goal, last)) = (read("start", start)?, read("goal", goal)?);
        if (0..6).any(|face| start.facelets()[9 * face + 4] != goal.facelets()[9 * face + 4]) {
            return Err("start and goal have different centres".to_owned());
        }
        let is_one_cube = open.is_empty();
        let alternatives = open.read(&start, &goal, &places, metric)?;
        let images = HashMap::new();
        Ok(Cubes { start, goal, pieces: [first, last], alternatives, is_one_cube, metric, places, images })
    }
}

/// The piece that shows these colours, in any order.
fn named(name: &str, on: &Cube, places: &[Place]) -> Option<usize> {
    let sorted = |mut symbols: Vec<char>| {
        symbols.sort_unstable();
        symbols
    };
    let wanted = sorted(name.chars().take(4).collect());
    let colours = |place: &Place| place.iter().map(|&facelet| on.facelets()[centre_of(facelet)]).collect();
    places.iter().position(|place| sorted(colours(place)) == wanted)
}

/// The piece at each place of a cube that turns can reach, or the law that it breaks.
fn pieces(cube: &Cube, places: &[Place]) -> Result<Vec<Piece>, String> {
    let symbols = cube.facelets();
    if (0..6).any(|face| (0..face).any(|other| symbols[9 * face + 4] == symbols[9 * other + 4])) {
        return Err("two centres have the same colour".to_owned());
    }
    let colour = |facelet: usize| symbols[centre_of(facelet)];
    let piece = |place: &Place| {
        let sides = place.len();
        let fits = |home: &Place, turned: usize| {
            home.len() == sides && (0..sides).all(|i| symbols[place[i]] == colour(home[(i + turned) % sides]))
        };
        let found = (0..places.len()).find_map(|home| {
            (0..sides).find(|&turned| fits(&places[home], turned)).map(|turned| Piece { home, turned })
        });
        let shown = || place.iter().map(|&facelet| symbols[facelet]).collect::<String>();
        found.ok_or_else(|| format!("there is no piece {:?}", shown()))
    };
    let pieces: Vec<Piece> = places.iter().map(piece).collect::<Result<_, _>>()?;
    if let Some(lacking) = (0..places.len()).find(|&home| pieces.iter().all(|piece| piece.home != home)) {
        let name: String = places[lacking].iter().map(|&facelet| colour(facelet)).collect();
        return Err(format!("the piece {name} is missing"));
    }
    let (corners, edges) = pieces.split_at(8);
    let turned = |some: &[Piece]| some.iter().map(|piece| piece.turned).sum::<usize>();
    if turned(corners) % 3 != 0 {
        return Err("a corner is twisted".to_owned());
    }
    if turned(edges) % 2 != 0 {
        return Err("an edge is flipped".to_owned());
    }
    if is_odd_arrangement(corners) != is_odd_arrangement(edges) {
        return Err("two pieces are exchanged".to_owned());
    }
    Ok(pieces)
}

/// Whether the pieces, all corners or all edges, are an odd permutation from home.
fn is_odd_arrangement(pieces: &[Piece]) -> bool {
    let first = pieces.iter().map(|piece| piece.home).min().unwrap_or(0);
    is_odd(&pieces.iter().map(|piece| piece.home - first).collect::<Vec<_>>())
}

impl Game for Cubes {
    fn obstacle(&self) -> Option<String> {
        // Both obey the laws, so turns lead from one to the other.
        None
    }

    fn parity(&self) -> Option<u32> {
        // A quarter turn is an odd permutation of the corners.
        let odd = |pieces: &[Piece]| is_odd_arrangement(&pieces[..8]);
        let has_one = self.metric == Metric::QuarterTurn && self.is_one_cube;
        has_one.then(|| u32::from(odd(&self.pieces[0]) != odd(&self.pieces[1])))
    }

    fn is_described_by(&self, text: &str) -> Option<bool> {
        let moved = parse_moves(text).ok().map(|moves| Cube::solved().after_all(&moves));
        let readings = [moved, Cube::parse(text).ok()];
        let mut readings = readings.into_iter().flatten().peekable();
        readings.peek()?;
        Some(readings.any(|cube| cube == self.start))
    }

    fn replay(&mut self, solution: &str) -> Result<u64, String> {
        let (mut cube, mut length) = (self.start.clone(), 0);
        for (i, word) in solution.split_whitespace().enumerate() {
            let refused = |reason: &str| format!("move {} ({word}): {reason}", i + 1);
            let turn = Move::parse(word).map_err(|reason| refused(&reason))?;
            match self.metric {
                Metric::SliceTurn if turn.is_slice() || turn.is_face_turn() => {}
                Metric::SliceTurn => return Err(refused("a solution turns faces and slices only")),
                _ if turn.is_face_turn() => {}
                _ => return Err(refused("a solution turns faces only")),
            }
            let images = self.images.entry(word.to_owned()).or_insert_with(|| turn.images());
            cube = cube.moved(images);
            length += turn.length(self.metric);
        }
        if self.metric == Metric::SliceTurn {
            // Slices carry the centres along; the cube is held as at the start before it is compared.
            let centres = |cube: &Cube| [4, 13, 22, 31, 40, 49].map(|centre| cube.facelets()[centre]);
            cube = cube.held_as(|held| centres(held) == centres(&self.start)).unwrap_or(cube);
        }
        pieces(&cube, &self.places).map_err(|fault| format!("the moves end nowhere: {fault}"))?;
        if self.alternatives.iter().any(|alternative| alternative.accepts(&cube)) {
            return Ok(length);
        }
        Err(format!("the moves end at {cube} and not at the goal {}", self.goal))
    }

    fn derive(&self, bound: u32, effort: u64) -> Derived {
        // A layer of slice turns is eighteen times as large as the one before, all held in memory.
        let effort = if self.metric == Metric::SliceTurn { effort / 2 } else { effort };
        let each = |space: &Turns| {
            let written = |from: u128, to: u128| {
                let turn = space.turns.iter().find(|turn| turn.applied(from) == to);
                turn.map_or_else(String::new, |turn| turn.text.clone())
            };
            searched(space, bound, effort, " ", written)
        };
        let all = self.alternatives.iter().map(|alternative| each(&alternative.space));
        all.reduce(nearest).expect("a goal has an alternative")
    }
}

/// The joint result of two searches, one for each of two goals.
fn nearest(one: Derived, other: Derived) -> Derived {
    // The lengths that each excludes, and the lengths of the paths.
    let excluded = |found: &Found| match found {
        Found::Path(length, _) => length.saturating_sub(1),
        Found::MoreThan(moves) => u64::from(*moves),
        Found::Disconnected => u64::MAX,
    };
    let length = |found: &Found| if let Found::Path(length, _) = found { *length } else { u64::MAX };
    let least = excluded(&one.result).min(excluded(&other.result));
    let how = format!("{}; {}", one.how, other.how);
    let nearer = if length(&one.result) <= length(&other.result) { one.result } else { other.result };
    let result = match nearer {
        // A path is a shortest one if no goal is nearer.
        Found::Path(length, moves) if length <= least.saturating_add(1) => Found::Path(length, moves),
        _ if least == u64::MAX => Found::Disconnected,
        _ => Found::MoreThan(u32::try_from(least).unwrap_or(u32::MAX)),
    };
    Derived { result, how }
}

/// A turn of a face or a slice: for each place, the place that its piece comes from, as a number of bits, and the codes after
/// the turn.
struct Turn {
    text: String,
    from: [u32; 20],
    after: Vec<[u8; 32]>,
}

impl Turn {
    fn applied(&self, cube: u128) -> u128 {
        let mut next = 0;
        for (place, (from, after)) in self.from.iter().zip(&self.after).enumerate() {
            next |= u128::from(after[(cube >> from & 31) as usize]) << (5 * place);
        }
        next
    }
}

/// Cubes as numbers, five bits per place; one start and the goals.
struct Turns {
    start: u128,
    goals: Vec<u128>,
    turns: Vec<Turn>,
}

/// The codes of all places as a number.
fn packed(codes: &[u8]) -> u128 {
    codes.iter().rev().fold(0, |packed, &code| packed << 5 | u128::from(code))
}

/// A turn that leaves the centres at home, from the model of stickers, where `code` is that of a piece.
fn turn(text: String, places: &[Place], code: impl Fn(&Piece) -> u8) -> Turn {
    let moves = parse_moves(&text).expect("a face turn, or a slice and a rotation");
    let image = |facelet| moves.iter().fold(facelet, |facelet, turn| turn.images()[facelet]);
    let images: [usize; 54] = std::array::from_fn(image);
    let mut turn = Turn { text, from: [0; 20], after: vec![[0; 32]; 20] };
    for (from, place) in places.iter().enumerate() {
        let image = images[place[0]];
        let lands = |(to, at): (usize, &Place)| Some((to, at.iter().position(|&facelet| facelet == image)?));
        let (to, slot) = places.iter().enumerate().find_map(lands).expect("a turn takes places to places");
        let sides = place.len();
        turn.from[to] = 5 * from as u32;
        for home in (0..20).filter(|&home| places[home].len() == sides) {
            for turned in 0..sides {
                let before = code(&Piece { home, turned });
                turn.after[to][usize::from(before)] =
                    code(&Piece { home, turned: (turned + sides - slot) % sides });
            }
        }
    }
    turn
}

impl Space for Turns {
    type State = u128;

    fn ends(&self, end: End) -> Vec<u128> {
        match end {
            End::Start => vec![self.start],
            End::Goal => self.goals.clone(),
        }
    }

    fn neighbours(&self, state: u128, mut visit: impl FnMut(u128)) {
        self.turns.iter().for_each(|turn| visit(turn.applied(state)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::search::{Outcome, search};

    fn after(moves: &str) -> Cube {
        Cube::solved().after_all(&parse_moves(moves).unwrap())
    }

    fn cubes(start: &Cube, ignored: &[&str], turned: &[&str], metric: Metric) -> Cubes {
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let (start, goal) = (start.to_string(), Cube::solved().to_string());
        let (ignored, orientation_ignored) = (&names(ignored)[..], &names(turned)[..]);
        let open = NodeMoves { ignored, orientation_ignored, alternatives: &[], final_turn: None };
        Cubes::read(&start, &goal, &open, metric).unwrap()
    }

    fn distance(cubes: &Cubes) -> u64 {
        match cubes.derive(20, 200_000).result {
            super::super::game::Found::Path(length, _) => length,
            other => panic!("{other:?}"),
        }
    }

    /// The numbers of cubes at each distance are known.
    #[test]
    fn layers_have_the_known_sizes() {
        let known = [
            (Metric::HalfTurn, [1, 18, 243, 3240, 43239]),
            (Metric::QuarterTurn, [1, 12, 114, 1068, 10011]),
            (Metric::SliceTurn, [1, 27, 501, 9175, 164_900]),
        ];
        for (metric, sizes) in known {
            let game = cubes(&Cube::solved(), &[], &[], metric);
            let space = &game.alternatives[0].space;
            let (mut before, mut layer) = (Vec::new(), vec![space.start]);
            for size in sizes {
                assert_eq!(layer.len(), size);
                let mut next = Vec::new();
                layer.iter().for_each(|&cube| space.neighbours(cube, |child| next.push(child)));
                next.sort_unstable();
                next.dedup();
                next.retain(|cube| layer.binary_search(cube).is_err() && before.binary_search(cube).is_err());
                before = std::mem::replace(&mut layer, next);
            }
        }
    }

    #[test]
    fn turns_of_the_space_are_those_of_the_stickers() {
        let scrambled = after("R U2 F' L D B2 M' x");
        let mut game = cubes(&after("F2 L U' B D2 R"), &[], &[], Metric::HalfTurn);
        let mut cube = game.start.clone();
        let alternative = &game.alternatives[0];
        for turn in alternative.space.turns.iter().cycle().take(90) {
            let next = cube.after(&Move::parse(&turn.text).unwrap());
            let (before, after) = (alternative.state(&cube).unwrap(), alternative.state(&next).unwrap());
            assert_eq!(turn.applied(before), after, "{}", turn.text);
            cube = next;
        }
        assert!(pieces(&scrambled, &game.places).is_ok(), "a cube that is held differently");
        assert_eq!(game.replay("R' D2 B' U L' F2"), Ok(6));
    }

    #[test]
    fn what_turns_cannot_reach_is_named() {
        let places = places();
        let fault = |change: &[(usize, usize)]| {
            let mut symbols = *Cube::solved().facelets();
            change.iter().for_each(|&(a, b)| symbols.swap(a, b));
            let text: String = symbols.iter().collect();
            pieces(&Cube::parse(&text).unwrap(), &places).unwrap_err()
        };
        // UF's stickers are 7 and 19, UR's 5 and 10; the corner URF shows 8, 9, 20.
        assert_eq!(fault(&[(7, 19)]), "an edge is flipped");
        assert_eq!(fault(&[(8, 9), (9, 20)]), "a corner is twisted");
        assert_eq!(fault(&[(19, 10)]), "two pieces are exchanged");
        assert_eq!(fault(&[(8, 9)]), "there is no piece \"RFU\"");
        assert!(fault(&[(4, 13)]).starts_with("there is no piece"));
    }

    #[test]
    fn what_the_goal_ignores_is_ignored() {
        let all = ["URF", "UFL", "ULB", "UBR", "UF", "UR", "UB", "UL"];
        let sune = after("R U R' U R U2 R'");
        assert_eq!(distance(&cubes(&sune, &all, &[], Metric::HalfTurn)), 0);
        assert_eq!(distance(&cubes(&sune, &[], &all, Metric::HalfTurn)), 7);
        assert_eq!(distance(&cubes(&after("R U F"), &all, &[], Metric::HalfTurn)), 3);
        assert_eq!(distance(&cubes(&after("U R"), &all, &[], Metric::QuarterTurn)), 1);
        let mut game = cubes(&after("U R"), &all, &[], Metric::HalfTurn);
        assert_eq!(game.replay("R'"), Ok(1));
        assert!(game.replay("U'").is_err() && game.replay("M").is_err() && game.replay("Q").is_err());
        assert!(game.parity().is_none());
        assert_eq!(cubes(&after("U R"), &[], &[], Metric::QuarterTurn).parity(), Some(0));
        let (ignored, sune) = (&["UD".to_owned()][..], sune.to_string());
        let bad = NodeMoves { ignored, orientation_ignored: &[], alternatives: &[], final_turn: None };
        assert!(Cubes::read(&sune, &sune, &bad, Metric::HalfTurn).is_err());
    }

    #[test]
    fn known_short_distances() {
        // Six half turns make the checkerboard from the solved cube; no fewer do.
        let game = cubes(&after("R2 L2 U2 D2 F2 B2"), &[], &[], Metric::HalfTurn);
        assert_eq!(distance(&game), 6);
        let game = cubes(&after("R U R' U'"), &[], &[], Metric::QuarterTurn);
        assert_eq!(distance(&game), 4);
        let space = &game.alternatives[0].space;
        assert_eq!(search(space, 3, 1000).outcome, Outcome::MoreThan(3));
    }
}
