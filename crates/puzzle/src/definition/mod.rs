//! Definitions: everything that a file says about a puzzle, before anyone chooses which moves count.
//!
//! A definition has named moves of these roles: those that count by default, with their powers or alone, those that can be written in an
//! algorithm but do not count (a slice that is a product of others), and rotations of the whole puzzle. A
//! [`Selection`] says which of them count and which are free; [`Definition::select`] turns both into a
//! [`Puzzle`](crate::Puzzle) for the search. Nothing is assumed to be a rotation because it looks like one; a remark
//! suggests it.

pub(crate) mod derived;
mod frame;
mod select;
#[cfg(test)]
mod tests;

pub use frame::Frame;
pub(crate) use frame::products;
pub use select::{Metric, Selected, Selection, split_names};

use crate::fault::Faults;
use crate::model::{Illegal, Orbit, Pattern, Transformation};
use crate::notation::{Algorithm, Names, Step};

/// The maximum number of pieces of a definition, and of its orbits.
const MOST_PIECES: usize = 1 << 16;
const MOST_ORBITS: usize = 1 << 12;
/// The maximum number of named moves.
const MOST_NAMED: usize = 1 << 12;
/// The maximum number of pieces that all moves together place.
const MOST_PLACED: usize = 1 << 25;
/// The number of faults after which a file is not read on.
pub(crate) const MOST_FAULTS: usize = 100;

/// The fault of a definition that would take too much memory; small files can describe large ones.
pub(crate) fn fault_of_size(orbits: &[Orbit], moves: usize) -> Option<String> {
    let pieces = orbits.iter().map(|orbit| orbit.pieces).fold(0, usize::saturating_add);
    let [many, most, of] = if orbits.len() > MOST_ORBITS {
        [orbits.len().to_string(), MOST_ORBITS.to_string(), "orbits".to_owned()]
    } else if pieces > MOST_PIECES {
        [pieces.to_string(), MOST_PIECES.to_string(), "pieces".to_owned()]
    } else if moves > MOST_NAMED || moves * pieces > MOST_PLACED {
        let most = MOST_NAMED.min(MOST_PLACED / pieces.max(1));
        [moves.to_string(), most.to_string(), format!("moves of {pieces} pieces")]
    } else {
        return None;
    };
    Some(format!("the puzzle has {many} or more {of}, above the limit of {most}"))
}

/// The role of a named move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It counts unless others are selected.
    Counted,
    /// It counts unless others are selected, but its powers do not.
    Single,
    /// It can be written in an algorithm, and counts if it is selected.
    Derived,
    /// It rotates the whole puzzle.
    Rotation,
}

/// A move with a name. Its powers are implied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// Its effect.
    pub transformation: Transformation,
    /// Its role.
    pub role: Role,
}

/// A puzzle as a file or a generator describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name of the puzzle.
    pub name: String,
    /// The orbits.
    pub orbits: Vec<Orbit>,
    /// The moves, in the order of the file.
    pub moves: Vec<Named>,
    /// The solved pattern.
    pub solved: Pattern,
    /// Pieces that no legal state has at certain places.
    pub illegal: Vec<Illegal>,
    /// Remarks for the user: ignored fields, and parts that may be meant differently.
    pub remarks: Vec<String>,
}

impl Definition {
    /// The puzzle of one orbit whose moves are these named permutations: the piece at place `from[p]` moves to place `p`.
    ///
    /// # Errors
    /// [`Faults`]: no permutations, or some that are none of the same places.
    pub fn from_generators(generators: &[(String, Vec<usize>)]) -> Result<Definition, Faults> {
        let Some(pieces) = generators.first().map(|first| first.1.len()) else {
            return Err("there are no generators".to_owned().into());
        };
        let orbits = vec![Orbit { name: "PIECES".to_owned(), pieces, orientations: 1 }];
        let faults = orbits[0].faults();
        if !faults.is_empty() {
            return Err(Faults(faults));
        }
        let faults = generators.iter().filter_map(|(name, from)| {
            fault_of_permutation(from, pieces).map(|fault| format!("move {name} {fault}"))
        });
        let faults = faults.collect();
        Faults::unless_none(faults, || {
            let named = generators.iter().map(|(name, from)| {
                let mut transformation = Transformation::identity(&orbits);
                transformation.orbits[0].from =
                    from.iter().map(|&place| u8::try_from(place).expect("at most 256 places")).collect();
                Named { name: name.clone(), transformation, role: Role::Counted }
            });
            Definition {
                name: "generators".to_owned(),
                moves: named.collect(),
                solved: Pattern::distinct(&orbits),
                orbits: orbits.clone(),
                illegal: Vec::new(),
                remarks: Vec::new(),
            }
        })
    }

    /// The names of the moves, numbered in order.
    pub fn names(&self) -> Names {
        Names::new(self.moves.iter().map(|named| named.name.as_str()))
    }

    /// Reads an algorithm.
    ///
    /// # Errors
    /// All tokens that cannot be read.
    pub fn algorithm(&self, text: &str) -> Result<Algorithm, Faults> {
        Algorithm::parse(text, &self.names())
    }

    /// The effect of an algorithm of this definition.
    pub fn effect(&self, algorithm: &Algorithm) -> Transformation {
        algorithm.effect(&self.orbits, |name| &self.moves[name].transformation)
    }

    /// The effect of one step.
    pub fn effect_of_step(&self, (name, times): Step) -> Transformation {
        let power = self.moves[name].transformation.power(times.unsigned_abs());
        if times < 0 { power.inverse() } else { power }
    }

    /// Whether `pattern` keeps the rules of the puzzle.
    pub fn is_legal(&self, pattern: &Pattern) -> bool {
        self.illegal.iter().all(|rule| pattern.orbits[rule.orbit].pieces[rule.place] != rule.piece)
    }

    /// The pattern after an algorithm.
    ///
    /// # Errors
    /// The first move that leads to an illegal state.
    pub fn perform(&self, pattern: &Pattern, algorithm: &Algorithm) -> Result<Pattern, Faults> {
        if self.illegal.is_empty() {
            return Ok(pattern.apply(&self.effect(algorithm)));
        }
        let mut state = pattern.clone();
        for (number, step) in (1..).zip(algorithm.steps()) {
            state = state.apply(&self.effect_of_step(step));
            if !self.is_legal(&state) {
                let name = &self.moves[step.0].name;
                return Err(format!("move {number} ({name}) is blocked: its result breaks a rule").into());
            }
        }
        Ok(state)
    }
}

/// The first fault of a permutation of places; later ones would only follow from it.
fn fault_of_permutation(from: &[usize], places: usize) -> Option<String> {
    if from.len() != places {
        return Some(format!("permutes {} of {places} places", from.len()));
    }
    let mut seen = vec![false; places];
    from.iter().find_map(|&place| match seen.get_mut(place) {
        None => Some(format!("names place {place}, but places are 0 to {}", places - 1)),
        Some(seen) => std::mem::replace(seen, true).then(|| format!("names {place} twice")),
    })
}
