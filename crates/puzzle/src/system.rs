//! A puzzle as coordinates: what searches and counts are built from.
//!
//! For each part the coordinates are chosen that determine it: all of it as one, if that is small; else the places of
//! its pieces and their orientations apart; else a few pieces at a time.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use search_core::domain::{Lengths, MOST_OPS};
use search_core::{Cancelled, Run};

use crate::coordinate::{Coordinate, MOST_STATES, Projection};
use crate::fault::Faults;
use crate::group::{Group, Uniform};
use crate::model::{Move, Orbit, OrbitPattern, OrbitTransformation, Pattern, Puzzle, Transformation};
use crate::part::{Part, parts};
use crate::rotation::{ReducedMove, Reduction};
use crate::symmetry::{Symmetry, symmetries};

/// The maximum number of states of a coordinate of a few pieces, so that its table stays in the second cache.
pub(crate) const MOST_OF_A_FEW: f64 = 16_000.0;
/// The number of moves to a random element.
const RANDOM_MOVES: usize = 100;
/// The maximum number of states of one coordinate for a whole part, by the upper limit that is known before.
const MOST_OF_ALL: f64 = 8_000.0;

/// The reason why a puzzle is not available as coordinates.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SystemError {
    /// The puzzle cannot be searched.
    #[error(transparent)]
    Faults(#[from] Faults),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl From<String> for SystemError {
    fn from(fault: String) -> SystemError {
        Faults::from(fault).into()
    }
}

/// A puzzle without its rotations, as coordinates.
#[derive(Debug)]
pub struct System {
    /// The reduction of the puzzle.
    pub reduction: Reduction,
    /// The parts.
    pub parts: Vec<Part>,
    /// The coordinates that determine a position.
    pub coordinates: Vec<Coordinate>,
    /// For each reduced move, the one that undoes it, if all have one.
    pub inverses: Option<Vec<usize>>,
    /// The reduced moves that are free, those of one base together. They are the last ones.
    pub free: Vec<Vec<usize>>,
    /// Whether all pieces differ and all orientations count, and every move is always legal, so that positions are
    /// the elements of a group.
    pub is_group: bool,
    static_places: Vec<(usize, usize)>,
    solved: Pattern,
    orbits: Vec<Orbit>,
    group: OnceLock<Option<Group>>,
    symmetries: OnceLock<Vec<Symmetry>>,
}

impl System {
    /// The coordinates of a puzzle.
    ///
    /// # Errors
    /// [`Faults`]: the rotations cannot be removed, too many moves, or a part too large for coordinates; [`Cancelled`].
    pub fn new(puzzle: &Puzzle, run: &Run<'_>) -> Result<System, SystemError> {
        let free = free_moves(puzzle);
        let whole = puzzle.with_free_moves_counted();
        let puzzle = &whole;
        let reduction = Reduction::of(puzzle)?;
        let moves = reduction.moves().len();
        if !(1..=MOST_OPS).contains(&moves) {
            return Err(format!(
                "the puzzle has {moves} moves, not counting rotations; a search has 1 to {MOST_OPS}"
            )
            .into());
        }
        let parts = parts(puzzle, &reduction);
        let mut coordinates = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            coordinates.extend(of_part(number, part, run)?.ok_or_else(|| {
                Faults::from(format!(
                    "orbit {} has too many identical pieces for a search",
                    puzzle.orbits()[part.orbit].name
                ))
            })?);
        }
        let steps: HashMap<&Transformation, usize> = reduction
            .moves()
            .iter()
            .enumerate()
            .map(|(number, step)| (&step.transformation, number))
            .collect();
        let inverse = |step: &ReducedMove| steps.get(&step.transformation.inverse()).copied();
        let inverses: Option<Vec<usize>> = reduction.moves().iter().map(inverse).collect();
        if inverses.is_none() && !puzzle.illegal().is_empty() {
            return Err("rules of illegal states are supported where every move has an inverse"
                .to_owned()
                .into());
        }
        let solved = puzzle.solved();
        Ok(System {
            free,
            inverses,
            is_group: solved.is_distinct(puzzle.orbits()) && puzzle.illegal().is_empty(),
            static_places: static_places(puzzle, &parts),
            solved: solved.clone(),
            orbits: puzzle.orbits().to_vec(),
            group: OnceLock::new(),
            symmetries: OnceLock::new(),
            coordinates,
            parts,
            reduction,
        })
    }

    /// The symmetries of the parts, which are searched once.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn symmetries(&self, run: &Run<'_>) -> Result<&[Symmetry], Cancelled> {
        if self.symmetries.get().is_none() {
            let found = symmetries(&self.parts, run)?;
            self.symmetries.get_or_init(|| found);
        }
        Ok(self.symmetries.get().map_or(&[], Vec::as_slice))
    }

    /// The number of reduced moves.
    pub fn moves(&self) -> usize {
        self.reduction.moves().len()
    }

    /// The reduced moves, named by their numbers.
    pub(crate) fn numbered_moves(&self) -> Vec<Move> {
        let named = self.reduction.moves().iter().enumerate().map(|(number, step)| Move {
            name: number.to_string(),
            transformation: step.transformation.clone(),
            base: number,
            power: 1,
        });
        named.collect()
    }

    /// The transformation that has these effects on the parts and leaves all other places as they are; `None` if it would
    /// have another number of orientations.
    pub(crate) fn lifted(&self, on_parts: &[OrbitTransformation]) -> Option<Transformation> {
        let mut lifted = Transformation::identity(&self.orbits);
        for (part, step) in self.parts.iter().zip(on_parts) {
            let orbit = &mut lifted.orbits[part.orbit];
            if orbit.orientations != step.orientations {
                return None;
            }
            for (at, &place) in part.places.iter().enumerate() {
                orbit.from[usize::from(place)] = part.places[usize::from(step.from[at])];
                orbit.turn[usize::from(place)] = step.turn[at];
            }
        }
        Some(lifted)
    }

    /// The product of the numbers of states of all coordinates: an upper limit of the number of positions.
    pub fn most_positions(&self) -> f64 {
        self.coordinates.iter().map(|coordinate| coordinate.states() as f64).product()
    }

    /// The states of `coordinates` in a pattern, which may be rotated; `None` if moves cannot lead to it.
    pub fn states(&self, pattern: &Pattern, coordinates: &[Coordinate]) -> Option<Vec<u16>> {
        let pattern = self.reduction.normalized(pattern)?;
        let differs = |&(orbit, place): &(usize, usize)| {
            let (now, solved) = (&pattern.orbits[orbit], &self.solved.orbits[orbit]);
            now.pieces[place] != solved.pieces[place]
                || now.orientation[place] != solved.orientation[place]
                || now.orientation_mod[place] != solved.orientation_mod[place]
        };
        if self.static_places.iter().any(differs) {
            return None;
        }
        let state = |coordinate: &Coordinate| {
            let part = &self.parts[coordinate.projection.part];
            coordinate.state(part, &part.of_pattern(&pattern))
        };
        coordinates.iter().map(state).collect()
    }

    /// Moves of which all others are powers.
    pub fn generators(&self) -> Vec<usize> {
        let (mut generators, mut known) = (Vec::new(), HashSet::new());
        for (number, step) in self.reduction.moves().iter().enumerate() {
            if known.contains(&step.transformation) {
                continue;
            }
            generators.push(number);
            let mut power = step.transformation.clone();
            while known.insert(power.clone()) {
                power = power.then(&step.transformation);
            }
        }
        generators
    }

    /// For each move, the moves that never need to follow it: a single move, or none, does what both do.
    pub fn joined(&self) -> Vec<Vec<bool>> {
        let steps: Vec<&Transformation> =
            self.reduction.moves().iter().map(|step| &step.transformation).collect();
        let known: HashSet<&Transformation> = steps.iter().copied().collect();
        let joins = |a: &Transformation, b: &Transformation| {
            let both = a.then(b);
            both.is_identity() || known.contains(&both)
        };
        steps.iter().map(|a| steps.iter().map(|b| joins(a, b)).collect()).collect()
    }

    /// For each move, the moves that change none of the places that it changes.
    pub fn apart(&self) -> Vec<Vec<bool>> {
        let places = |number: usize| -> Vec<(usize, usize)> {
            let of_part = |(at, part): (usize, &Part)| {
                let step = &part.moves[number];
                let moved = |&place: &usize| usize::from(step.from[place]) != place || step.turn[place] > 0;
                (0..step.from.len()).filter(moved).map(|place| (at, place)).collect::<Vec<_>>()
            };
            self.parts.iter().enumerate().flat_map(of_part).collect()
        };
        let all: Vec<_> = (0..self.moves()).map(places).collect();
        let are_apart = |a: &[(usize, usize)], b: &[(usize, usize)]| a.iter().all(|place| !b.contains(place));
        all.iter().map(|a| all.iter().map(|b| are_apart(a, b)).collect()).collect()
    }

    /// The lengths that solutions of a pattern can have: of one parity where every move changes some sign and all
    /// pieces differ.
    pub fn lengths(&self, pattern: &Pattern) -> Lengths {
        let Some(element) = self.is_group.then(|| self.element(pattern)).flatten() else {
            return Lengths::ANY;
        };
        let moves: Vec<u64> = (0..self.moves())
            .map(|number| {
                let of = |part: &Part| signs(&part.moves[number]);
                packed(self.parts.iter().map(of))
            })
            .collect();
        let Some(functional) = odd_functional(&moves) else { return Lengths::ANY };
        let of = |part: &Part| signs(&part.restricted(&element.orbits[part.orbit]));
        let word = packed(self.parts.iter().map(of));
        Lengths::parity((word & functional).count_ones() % 2 == 1)
    }

    /// Whether moves solve `pattern`, by the order of the group; `None` where rules forbid states, the order is not certain,
    /// or pieces look alike in a group that does not have all permutations and turns of its invariants.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn is_solvable(&self, pattern: &Pattern, run: &Run<'_>) -> Result<Option<bool>, Cancelled> {
        if self.parts.iter().any(|part| !part.illegal.is_empty()) {
            return Ok(None);
        }
        let Some(pattern) = self.reduction.normalized(pattern) else { return Ok(Some(false)) };
        if self.group.get().is_none() {
            let moves = self.reduction.moves().iter().map(|step| &step.transformation);
            let group = Group::generated(&self.orbits, moves, run)?;
            self.group.get_or_init(|| group);
        }
        match self.group.get().and_then(Option::as_ref) {
            Some(group) => group.reaches(&self.solved, &pattern, run),
            None => Ok(None),
        }
    }

    /// Elements that long random products of moves lead to, the same at each call, by their effects on the parts.
    pub fn random_elements(&self, count: usize) -> Vec<Vec<OrbitTransformation>> {
        let mut random = Uniform::new(0);
        let walk = |_| {
            let mut element: Vec<OrbitTransformation> = self.parts.iter().map(Part::identity).collect();
            for _ in 0..RANDOM_MOVES {
                let number = random.below(self.moves());
                for (of_part, part) in element.iter_mut().zip(&self.parts) {
                    *of_part = of_part.then(&part.moves[number]);
                }
            }
            element
        };
        (0..count).map(walk).collect()
    }

    /// The transformation from the solved pattern to the rotated form of `pattern` that is searched, where all pieces
    /// are distinct; `None` if rotations and single parts show that moves do not lead to it.
    pub fn element(&self, pattern: &Pattern) -> Option<Transformation> {
        self.states(pattern, &self.coordinates)?;
        let pattern = self.reduction.normalized(pattern)?;
        let parts = self.orbits.iter().zip(&pattern.orbits).zip(&self.solved.orbits);
        let of_orbit = |((orbit, now), solved): ((&Orbit, &OrbitPattern), &OrbitPattern)| {
            let mut element = OrbitTransformation::identity(orbit);
            for place in 0..orbit.pieces {
                let from = solved.pieces.iter().position(|&label| label == now.pieces[place])?;
                let orientations = u16::from(element.orientations);
                let turn =
                    u16::from(now.orientation[place]) + orientations - u16::from(solved.orientation[from]);
                element.from[place] = u8::try_from(from).ok()?;
                element.turn[place] = u8::try_from(turn % orientations).ok()?;
            }
            Some(element)
        };
        Some(Transformation { orbits: parts.map(of_orbit).collect::<Option<_>>()? })
    }
}

/// The numbers of the free moves of a puzzle after the counted ones, those of one base together.
fn free_moves(puzzle: &Puzzle) -> Vec<Vec<usize>> {
    let of_bases = puzzle.free().chunk_by(|a, b| a.base == b.base);
    let mut next = puzzle.moves().len();
    let numbered = of_bases.map(|of_base| {
        let first = next;
        next += of_base.len();
        (first..next).collect()
    });
    numbered.collect()
}

/// Whether a transformation is an odd permutation, and whether it turns by an odd sum where orientations are even.
fn signs(step: &OrbitTransformation) -> [bool; 2] {
    let mut seen = vec![false; step.from.len()];
    let mut is_odd = false;
    for start in 0..seen.len() {
        let (mut at, mut length) = (start, 0);
        while !std::mem::replace(&mut seen[at], true) {
            (at, length) = (usize::from(step.from[at]), length + 1);
        }
        is_odd ^= length > 0 && length % 2 == 0;
    }
    let sum: u32 = step.turn.iter().map(|&turn| u32::from(turn)).sum();
    [is_odd, step.orientations.is_multiple_of(2) && sum % 2 == 1]
}

/// The signs of up to 32 parts as bits; those of further parts are left out.
fn packed(signs: impl Iterator<Item = [bool; 2]>) -> u64 {
    let bits = signs.take(32).flatten().enumerate();
    bits.fold(0, |word, (at, sign)| word | u64::from(sign) << at)
}

/// A set of signs such that every move changes an odd number of them.
fn odd_functional(moves: &[u64]) -> Option<u64> {
    // Gaussian elimination: rows are moves with the right side 1, columns are signs.
    let mut rows: Vec<(u64, bool)> = Vec::new();
    for &word in moves {
        let (mut word, mut right) = (word, true);
        for &(row, of_row) in &rows {
            if word >> row.trailing_zeros() & 1 == 1 {
                (word, right) = (word ^ row, right ^ of_row);
            }
        }
        match (word, right) {
            (0, true) => return None,
            (0, false) => {}
            _ => {
                for (row, of_row) in &mut rows {
                    if *row >> word.trailing_zeros() & 1 == 1 {
                        (*row, *of_row) = (*row ^ word, *of_row ^ right);
                    }
                }
                rows.push((word, right));
            }
        }
    }
    let leading = rows.iter().filter(|(_, right)| *right).map(|(row, _)| 1 << row.trailing_zeros());
    Some(leading.fold(0, |all, bit: u64| all | bit))
}

/// The places that belong to no part.
fn static_places(puzzle: &Puzzle, parts: &[Part]) -> Vec<(usize, usize)> {
    let moving: HashSet<(usize, usize)> = parts
        .iter()
        .flat_map(|part| part.places.iter().map(|&place| (part.orbit, usize::from(place))))
        .collect();
    let all = puzzle.orbits().iter().enumerate();
    let all = all.flat_map(|(orbit, of)| (0..of.pieces).map(move |place| (orbit, place)));
    all.filter(|place| !moving.contains(place)).collect()
}

/// Coordinates that determine a part, and decide its rules; `None` if some kind of identical pieces is too large.
fn of_part(number: usize, part: &Part, run: &Run<'_>) -> Result<Option<Vec<Coordinate>>, Cancelled> {
    let kinds = part.kinds();
    let all_kinds: Vec<usize> = (0..kinds.len()).collect();
    let is_oriented = kinds.iter().any(|kind| kind.1 > 1);
    let small = |projection: Projection, most: f64| {
        let fits = projection.most_states(part) <= most;
        if fits { Coordinate::new(part, projection, MOST_STATES, run) } else { Ok(None) }
    };
    let mut coordinates = Vec::new();
    if !part.illegal.is_empty() {
        let projection = Projection::ruled(number, part);
        let Some(ruled) = Coordinate::new(part, projection, MOST_STATES, run)? else { return Ok(None) };
        coordinates.push(ruled);
    } else if let Some(all) = small(Projection::all(number, part), MOST_OF_ALL)? {
        return Ok(Some(vec![all]));
    }
    // Half of the arrangements are out of reach where moves are even.
    let places = small(Projection::places(number, part), 2.0 * MOST_STATES as f64)?;
    let is_placed = places.is_some();
    coordinates.extend(places);
    if is_placed && !is_oriented {
        return Ok(Some(coordinates));
    }
    let orientations = match is_placed {
        true => small(Projection::orientations(number, part), f64::INFINITY)?,
        false => None,
    };
    match orientations {
        Some(orientations) => coordinates.push(orientations),
        None => match few_at_a_time(number, part, &all_kinds, MOST_OF_A_FEW, run)? {
            Some(few) => coordinates.extend(few),
            None => return Ok(None),
        },
    }
    Ok(Some(coordinates))
}

/// Coordinates of a few of the chosen kinds at a time, with their orientations, that cover all of them: as many as have at
/// most `most` states. Where a single kind has too many states, as many identical pieces have, it is the only one of its coordinate. `None` if it is too large
/// even so.
pub(crate) fn few_at_a_time(
    number: usize,
    part: &Part,
    kinds: &[usize],
    most: f64,
    run: &Run<'_>,
) -> Result<Option<Vec<Coordinate>>, Cancelled> {
    let mut coordinates = Vec::new();
    let mut first = 0;
    while first < kinds.len() {
        let chosen = |end: usize| Projection::subset(number, part, &kinds[first..end], true);
        let mut end = first + 1;
        while end < kinds.len() && chosen(end + 1).most_states(part) <= most {
            end += 1;
        }
        if chosen(end).most_states(part) > 16.0 * MOST_STATES as f64 && part.illegal.is_empty() {
            return Ok(None);
        }
        match Coordinate::new(part, chosen(end), MOST_STATES, run)? {
            Some(coordinate) => coordinates.push(coordinate),
            None => return Ok(None),
        }
        first = end;
    }
    Ok(Some(coordinates))
}
