//! Solutions from words for a chain of stabilizers, for any puzzle whose moves generate a group: a long solution soon, where a beam
//! over pattern databases finds none.
//!
//! | file | contents |
//! | --- | --- |
//! | `generators` | moves as permutations of points, and words |
//! | `table` | short words for the elements of a chain of stabilizers |
//! | `levels` | a beam search through the levels of the chain |
//!
//! A point is a place with an orientation. The base has one point for each home of a piece, in an order in which as many moves as
//! possible fix the homes before: so the first pieces go home by a few moves, as when a person solves one region after another.

mod generators;
mod levels;
mod table;

use search_core::{Cancelled, Op, Run};

use crate::model::Pattern;
use crate::part::Part;
use crate::symmetry::destinations;
use crate::system::System;
use generators::Generators;
use levels::{Levels, Piece};
use table::Table;

/// The maximum number of points.
const MOST_POINTS: usize = 1_000;

/// A home of a piece: the number of its part, and its place there.
type Home = (usize, usize);

/// Words for the elements that the moves of a puzzle generate.
pub(crate) struct Words {
    moves: Generators,
    table: Table,
    homes: Vec<Home>,
    pieces: Vec<Piece>,
}

impl Words {
    /// The words of a puzzle; `None` if moves may be illegal or have no inverse, or there are too many points.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn new(system: &System, run: &Run<'_>) -> Result<Option<Words>, Cancelled> {
        let parts = &system.parts;
        let points: usize = parts.iter().map(|part| part.places.len() * orientations(part)).sum();
        let has_rules = parts.iter().any(|part| !part.illegal.is_empty());
        if has_rules || !(1..=MOST_POINTS).contains(&points) {
            return Ok(None);
        }
        let step = |number: usize| {
            let of_parts: Vec<_> = parts.iter().map(|part| part.moves[number].clone()).collect();
            destinations(&of_parts).into_iter().map(|point| point as u16).collect()
        };
        let Some(moves) = Generators::new((0..system.moves()).map(step).collect()) else { return Ok(None) };
        let homes = ordered(parts);
        let pieces = homes.iter().map(|&home| piece(parts, home)).collect();
        let base = homes
            .iter()
            .map(|&(part, place)| point(parts, part, place, parts[part].solved.orientation[place]));
        let table = Table::new(base.collect(), &moves, run)?;
        Ok(Some(Words { moves, table, homes, pieces }))
    }

    /// A solution of a pattern; `None` if none is found.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn solve(
        &self,
        system: &System,
        pattern: &Pattern,
        run: &Run<'_>,
    ) -> Result<Option<Vec<Op>>, Cancelled> {
        let Some(points) = self.points(system, pattern) else { return Ok(None) };
        let Words { moves, table, pieces, .. } = self;
        let word = Levels { moves, table, pieces }.solve(&points, run)?;
        Ok(word.map(|word| word.into_iter().map(|number| Op::new(usize::from(number))).collect()))
    }

    /// The points of the pieces of all homes. Of pieces that look alike, each is taken for the piece of one of their homes.
    fn points(&self, system: &System, pattern: &Pattern) -> Option<Vec<u16>> {
        let parts = &system.parts;
        let pattern = system.reduction.normalized(pattern)?;
        let now: Vec<_> = parts.iter().map(|part| part.of_pattern(&pattern)).collect();
        let mut free: Vec<Vec<bool>> = parts.iter().map(|part| vec![true; part.places.len()]).collect();
        let of_home = |&(part, home): &Home| {
            let solved = &parts[part].solved;
            let looks = (solved.pieces[home], solved.orientation_mod[home]);
            let is_there = |&at: &usize| {
                free[part][at] && (now[part].pieces[at], now[part].orientation_mod[at]) == looks
            };
            let at = (0..parts[part].places.len()).find(is_there)?;
            free[part][at] = false;
            Some(point(parts, part, at, now[part].orientation[at]))
        };
        self.homes.iter().map(of_home).collect()
    }
}

fn orientations(part: &Part) -> usize {
    usize::from(part.moves[0].orientations)
}

/// The number of a point: those of earlier parts come first.
fn point(parts: &[Part], part: usize, place: usize, turn: u8) -> u16 {
    let first: usize = parts[..part].iter().map(|part| part.places.len() * orientations(part)).sum();
    (first + place * orientations(&parts[part]) + usize::from(turn)) as u16
}

fn piece(parts: &[Part], (part, home): Home) -> Piece {
    let Part { solved, .. } = &parts[part];
    let looks = |at: usize| (solved.pieces[at], solved.orientation_mod[at]);
    let alike = (0..solved.pieces.len()).find(|&at| looks(at) == looks(home)).expect("the home itself");
    let first = point(parts, part, 0, 0);
    Piece {
        look: usize::from(point(parts, part, alike, 0)),
        first,
        turns: parts[part].moves[0].orientations.into(),
        modulus: solved.orientation_mod[home].into(),
    }
}

/// All homes, each one that the fewest moves change of those that fix all homes before.
fn ordered(parts: &[Part]) -> Vec<Home> {
    let all = (0..parts.len()).flat_map(|part| (0..parts[part].places.len()).map(move |place| (part, place)));
    let changed = |&(part, place): &Home| -> Vec<usize> {
        let moves = parts[part].moves.iter().enumerate();
        let changes =
            moves.filter(|(_, step)| usize::from(step.from[place]) != place || step.turn[place] > 0);
        changes.map(|(number, _)| number).collect()
    };
    let mut rest: Vec<(Home, Vec<usize>)> = all.map(|home| (home, changed(&home))).collect();
    let mut fixing = vec![true; parts.first().map_or(0, |part| part.moves.len())];
    let mut homes = Vec::with_capacity(rest.len());
    while !rest.is_empty() {
        let cost = |at: &usize| {
            let moves = &rest[*at].1;
            let lost = moves.iter().filter(|&&number| fixing[number]).count();
            // Near the homes before: many of its moves are lost already.
            (lost, std::cmp::Reverse(moves.len() - lost))
        };
        let at = (0..rest.len()).min_by_key(cost).expect("some are left");
        let (home, moves) = rest.remove(at);
        moves.into_iter().for_each(|number| fixing[number] = false);
        homes.push(home);
    }
    homes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Selection, builtin};

    #[test]
    fn every_random_position_of_a_built_in_group_is_solved() {
        let names =
            ["3x3x3", "pyraminx", "fto", "helicopter", "4x4x4", "topspin-9-4", "m12", "lights-out-3x3"];
        for name in names {
            let definition = builtin::get(name).expect("a name").expect("a definition");
            let puzzle = definition.select(&Selection::default()).expect("moves").puzzle;
            let run = Run::new();
            let system = System::new(&puzzle, &run).expect("a system");
            let words = Words::new(&system, &run).expect("not cancelled").expect("a group");
            let mut random = crate::group::Uniform::new(1);
            for _ in 0..3 {
                let moves = puzzle.moves();
                let walk = (0..100).map(|_| &moves[random.below(moves.len())].transformation);
                let pattern = walk.fold(puzzle.solved().clone(), |pattern, step| pattern.apply(step));
                let found = words.solve(&system, &pattern, &run).expect("not cancelled").expect("a solution");
                let start = system.reduction.normalized(&pattern).expect("it can be solved");
                let steps = system.reduction.moves();
                let end = found.iter().fold(start, |at, op| at.apply(&steps[op.index()].transformation));
                assert_eq!(end, *puzzle.solved(), "{name}");
            }
        }
    }
}
