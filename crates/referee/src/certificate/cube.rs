//! Rubik's cube: the pieces behind the stickers, the referee's space of cubes, and what it can prove about them.
//!
//! A place holds two or three facelets; on a legal cube they show the colours of a piece in some orientation. The
//! places, and their images under each turn, are computed from the referee's model of stickers in space. The laws of
//! the cube (each piece once, twists and flips cancel, corners and edges have the same parity) determine which
//! arrangements can be reached by turns.
//!
//! Pieces and orientations that the goal leaves open are removed from the codes of the pieces, both at the start and
//! at the goal: then a path between the two is a path to some cube that the goal accepts (`open`).

mod open;
mod pieces;
mod turns;

pub(super) use open::Opening;

use super::game::{Derived, Found, Game, searched};
use crate::cube::{Cube, Metric, Move, parse_moves};
use open::Alternative;
use pieces::{Piece, Place, is_odd_arrangement, pieces, places};
use std::collections::HashMap;
use turns::Turns;

/// The start, the goal, what the goal leaves open, and the metric.
pub(super) struct Cubes {
    start: Cube,
    goal: Cube,
    /// The pieces of start and goal.
    pieces: [Vec<Piece>; 2],
    /// The sets of accepted cubes; a cube is accepted if it is in any of them.
    alternatives: Vec<Alternative>,
    /// Whether the goal is a single cube.
    is_one_cube: bool,
    metric: Metric,
    places: Vec<Place>,
    /// The images of the facelets under each turn that was replayed.
    images: HashMap<String, [usize; 54]>,
}

impl Cubes {
    /// Reads both cubes and the pieces that the goal leaves open, or describes their faults.
    pub(super) fn read(start: &str, goal: &str, open: &Opening<'_>, metric: Metric) -> Result<Cubes, String> {
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

impl Game for Cubes {
    fn obstacle(&self) -> Option<String> {
        // Both satisfy the laws, so turns lead from one to the other.
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
                Metric::SliceTurn => return Err(refused("a solution may turn only faces and slices")),
                _ if turn.is_face_turn() => {}
                _ => return Err(refused("a solution may turn only faces")),
            }
            let images = self.images.entry(word.to_owned()).or_insert_with(|| turn.images());
            cube = cube.moved(images);
            length += turn.length(self.metric);
        }
        if self.metric == Metric::SliceTurn {
            // Slices move the centres, so the cube is first rotated back to the orientation of the start.
            let centres = |cube: &Cube| [4, 13, 22, 31, 40, 49].map(|centre| cube.facelets()[centre]);
            cube = cube.held_as(|held| centres(held) == centres(&self.start)).unwrap_or(cube);
        }
        pieces(&cube, &self.places)
            .map_err(|fault| format!("the moves do not end at a legal cube: {fault}"))?;
        if self.alternatives.iter().any(|alternative| alternative.accepts(&cube)) {
            return Ok(length);
        }
        Err(format!("the moves end at {cube} and not at the goal {}", self.goal))
    }

    fn derive(&self, bound: u32, effort: u64) -> Derived {
        // Each layer of slice turns is eighteen times as large as the one before, and all are held in memory.
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

/// Combines the results of two searches, one for each of two goals.
fn nearest(one: Derived, other: Derived) -> Derived {
    // The lengths that each search excludes, and the lengths of the paths.
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
        // A path is shortest if no goal is nearer.
        Found::Path(length, moves) if length <= least.saturating_add(1) => Found::Path(length, moves),
        _ if least == u64::MAX => Found::Disconnected,
        _ => Found::MoreThan(u32::try_from(least).unwrap_or(u32::MAX)),
    };
    Derived { result, how }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::search::{Outcome, Space, search};

    fn after(moves: &str) -> Cube {
        Cube::solved().after_all(&parse_moves(moves).unwrap())
    }

    fn cubes(start: &Cube, ignored: &[&str], turned: &[&str], metric: Metric) -> Cubes {
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let (start, goal) = (start.to_string(), Cube::solved().to_string());
        let (ignored, orientation_ignored) = (&names(ignored)[..], &names(turned)[..]);
        let open = Opening { ignored, orientation_ignored, alternatives: &[], final_turn: None };
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
    fn unreachable_cubes_are_refused_by_name() {
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
        assert_eq!(fault(&[(19, 10)]), "two pieces are swapped");
        assert_eq!(fault(&[(8, 9)]), "there is no piece \"RFU\"");
        assert!(fault(&[(4, 13)]).starts_with("there is no piece"));
    }

    #[test]
    fn ignored_pieces_do_not_count() {
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
        let bad = Opening { ignored, orientation_ignored: &[], alternatives: &[], final_turn: None };
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
