//! The free part of a position and the way the puzzle is held, where counted moves may rotate the whole puzzle.
//!
//! The idea: a definition that fixes no piece counts a position once for each way to hold it. Let `R` be a group of
//! elements that map moves to moves when they conjugate them, such as the 24 rotations of a 2x2x2 cube of six faces. An
//! anchor ([`crate::rotation`]) writes each product of moves as `p·r`, with the anchor of `p` at home and `r` in `R`,
//! and each move as `h·ρ`. Then
//!
//! `p·r·m = p·(r·m·r⁻¹)·r = p·h·ρ·r`, where `r·m·r⁻¹ = h·ρ` is a counted move.
//!
//! As `m` runs through the moves, so does `r·m·r⁻¹`, whatever `r` is. So the neighbours of `(p, r)` are the pairs
//! `(p·h, ρ·r)` for all moves `h·ρ`: the two components are moved independently of each other. The pairs are the
//! positions of a puzzle that has the pieces as the `h` move them, and one more orbit, in which a single piece shows
//! `r`. It has the same number of positions at each depth, by the same words up to a renaming of moves, and it is a
//! better puzzle to count: what commutes with everything else divides it ([`super::independent`]), and all `r` of one
//! `p` fit one word ([`super::ways`]).
//!
//! Renaming: the word `c₁ c₂ …` of the pairs leads to the position `m₁ m₂ …` with `mᵢ = rᵢ⁻¹·cᵢ·rᵢ`, where `rᵢ` is the
//! product `ρᵢ₋₁ … ρ₁`.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use search_core::Run;

use super::NoTable;
use crate::model::{
    Move, Orbit, OrbitPattern, OrbitTransformation, Puzzle, PuzzleParts, Rotation, Transformation,
};
use crate::rotation::Reduction;
use crate::symmetry::with_relabelings;
use crate::system::{System, SystemError};

/// The maximum number of ways to hold the puzzle: the bits of a set of them.
pub(super) const MOST_WAYS: usize = 32;

/// The maximum number of parts of a puzzle whose rotations are looked for.
const MOST_PARTS: usize = 6;
/// The maximum number of permutations of moves that are tried.
const MOST_TRIED: usize = 1 << 13;
/// The maximum number of relabelings of points that are tried for each permutation of moves.
const MOST_RELABELINGS: usize = 64;

/// A puzzle of pairs.
#[derive(Debug)]
pub(super) struct Held {
    /// The puzzle of pairs. Its last orbit shows how the puzzle is held.
    pub puzzle: Puzzle,
    /// For each way to hold the puzzle and each move, the move as it is written when the puzzle is held so.
    renamed: Vec<Vec<usize>>,
    /// For each move and way, the way after it.
    next: Vec<Vec<usize>>,
}

impl Held {
    /// The pairs of a puzzle without free rotations, whose positions are the elements of a group, if a rotation is
    /// found.
    pub(super) fn of(puzzle: &Puzzle, system: &System, run: &Run<'_>) -> Result<Held, NoTable> {
        let is_small = system.parts.len() <= MOST_PARTS;
        if !system.is_group || !puzzle.rotations().is_empty() || !is_small {
            return Err(NoTable::Unsuited);
        }
        let moves: Vec<Move> = system.numbered_moves();
        let numbers = Numbers::of(&moves);
        let rotations = rotations(system, &moves, &numbers, run)?;
        let named = rotations.into_iter().enumerate();
        let rotations = named
            .map(|(number, transformation)| Rotation { name: format!("rotation {number}"), transformation });
        let parts = PuzzleParts {
            name: puzzle.name().to_owned(),
            orbits: puzzle.orbits().to_vec(),
            moves: moves.clone(),
            free: Vec::new(),
            rotations: rotations.collect(),
            solved: puzzle.solved().clone(),
            illegal: Vec::new(),
        };
        let rotated = Puzzle::new(parts.clone()).map_err(SystemError::from)?;
        let reduction = Reduction::of(&rotated).map_err(SystemError::from)?;
        let ways = reduction.rotations();
        if !(2..=MOST_WAYS).contains(&ways) {
            return Err(NoTable::Unsuited);
        }
        let renamed = (0..ways).map(|way| numbers.conjugated(&moves, reduction.rotation(way)));
        let renamed = renamed.collect::<Option<_>>().ok_or(NoTable::Unsuited)?;
        let factors: Vec<(Transformation, Vec<usize>)> = moves
            .iter()
            .map(|step| reduction.factors(&step.transformation))
            .collect::<Option<_>>()
            .ok_or(NoTable::Unsuited)?;
        let next = factors.iter().map(|(_, next)| next.clone()).collect();
        Ok(Held { puzzle: pairs(parts, factors, ways)?, renamed, next })
    }

    /// The word of the positions for a word of the pairs.
    pub(super) fn word(&self, word: &[usize]) -> Vec<usize> {
        let mut way = 0;
        let mut words = Vec::with_capacity(word.len());
        for &number in word {
            words.push(self.renamed[way][number]);
            way = self.next[number][way];
        }
        words
    }
}

/// The numbers of moves by their effects.
struct Numbers(HashMap<Transformation, usize>);

impl Numbers {
    fn of(moves: &[Move]) -> Numbers {
        let numbered = moves.iter().enumerate();
        Numbers(numbered.map(|(number, step)| (step.transformation.clone(), number)).collect())
    }

    /// The number of the conjugate of each move; `None` if one is no move.
    fn conjugated(&self, moves: &[Move], by: &Transformation) -> Option<Vec<usize>> {
        moves.iter().map(|step| self.0.get(&step.transformation.conjugate(by)).copied()).collect()
    }
}

/// Generators of a group of elements that map moves to moves, no two of them in the same way.
///
/// Several elements map moves alike: they differ by one that commutes with all moves, such as the one that turns all tips of
/// a pyraminx. The one that is most like a move is chosen, so that moves have factors that change few pieces. It need not be
/// a product of moves: then some pairs are not reached.
fn rotations(
    system: &System,
    moves: &[Move],
    numbers: &Numbers,
    run: &Run<'_>,
) -> Result<Vec<Transformation>, NoTable> {
    let symmetries = with_relabelings(&system.parts, MOST_TRIED, MOST_RELABELINGS, run)?;
    let mut candidates: Vec<(usize, Vec<usize>, Transformation)> = symmetries
        .into_iter()
        .filter_map(|symmetry| {
            let by = system.lifted(&symmetry.element(&system.parts)?)?;
            let left = |step: &Move| step.transformation.then(&by.inverse()).changes();
            Some((moves.iter().map(left).min()?, numbers.conjugated(moves, &by)?, by))
        })
        .collect();
    if candidates.is_empty() {
        return Err(NoTable::Unsuited);
    }
    candidates.sort_by_key(|candidate| candidate.0);
    let mut generators: Vec<Transformation> = Vec::new();
    let mut known: HashMap<Vec<usize>, Transformation> =
        HashMap::from([((0..moves.len()).collect(), moves[0].transformation.power(0))]);
    for (_, renamed, by) in candidates {
        run.check()?;
        if !known.contains_key(&renamed) {
            let more: Vec<Transformation> = generators.iter().cloned().chain([by]).collect();
            if let Some(all) = products(&more, moves, numbers) {
                (generators, known) = (more, all);
            }
        }
    }
    if generators.is_empty() { Err(NoTable::Unsuited) } else { Ok(generators) }
}

/// All products of `generators` by the way in which they map moves; `None` if two of them map moves alike, or there are
/// too many.
fn products(
    generators: &[Transformation],
    moves: &[Move],
    numbers: &Numbers,
) -> Option<HashMap<Vec<usize>, Transformation>> {
    let identity = generators[0].power(0);
    let mut found = HashMap::from([((0..moves.len()).collect(), identity.clone())]);
    let mut waiting = vec![identity];
    while let Some(element) = waiting.pop() {
        for generator in generators {
            let product = element.then(generator);
            match found.entry(numbers.conjugated(moves, &product)?) {
                Entry::Occupied(known) if *known.get() != product => return None,
                Entry::Occupied(_) => {}
                Entry::Vacant(vacant) => {
                    vacant.insert(product.clone());
                    waiting.push(product);
                }
            }
        }
        if found.len() > MOST_WAYS {
            return None;
        }
    }
    Some(found)
}

/// The puzzle of pairs: the moves' first factors, and one more orbit for the second ones.
fn pairs(
    parts: PuzzleParts,
    factors: Vec<(Transformation, Vec<usize>)>,
    ways: usize,
) -> Result<Puzzle, NoTable> {
    let orbit = Orbit { name: "how the puzzle is held".to_owned(), pieces: ways, orientations: 1 };
    let shown = OrbitPattern {
        pieces: (0..ways).map(|place| u8::from(place > 0)).collect(),
        orientation: vec![0; ways],
        orientation_mod: vec![1; ways],
    };
    let PuzzleParts { name, mut orbits, moves, mut solved, .. } = parts;
    let with_way = |(step, (mut first, next)): (Move, (Transformation, Vec<usize>))| {
        let mut turned = OrbitTransformation::identity(&orbit);
        for (way, &to) in next.iter().enumerate() {
            turned.from[to] = u8::try_from(way).expect("at most 32 ways");
        }
        first.orbits.push(turned);
        Move { transformation: first, ..step }
    };
    let moves = moves.into_iter().zip(factors).map(with_way).collect();
    orbits.push(orbit);
    solved.orbits.push(shown);
    let parts = PuzzleParts {
        name,
        orbits,
        moves,
        free: Vec::new(),
        rotations: Vec::new(),
        solved,
        illegal: Vec::new(),
    };
    Ok(Puzzle::new(parts).map_err(SystemError::from)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Selection, builtin};

    #[test]
    fn the_ways_to_hold_a_puzzle_are_found() {
        let run = Run::new();
        for (name, ways) in [("2x2x2", Some(24)), ("pancake-5", None)] {
            let definition = builtin::get(name).expect("a name").expect("a definition");
            let fixed = Selection { rotations: Some(Vec::new()), ..Selection::default() };
            let puzzle = definition.select(&fixed).expect("moves").puzzle;
            let system = System::new(&puzzle, &run).expect("a system");
            assert_eq!(Held::of(&puzzle, &system, &run).ok().map(|held| held.renamed.len()), ways, "{name}");
        }
    }
}
