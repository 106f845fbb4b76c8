//! Puzzles: orbits, counted moves, free rotations, the solved pattern, and rules that no legal state breaks.

use super::{Orbit, Pattern, Transformation};
use crate::fault::Faults;

/// The maximum number of counted moves of a puzzle that is searched.
pub const MOST_MOVES: usize = search_core::domain::MOST_OPS;

/// A counted move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Its name in the notation of the puzzle.
    pub name: String,
    /// Its effect.
    pub transformation: Transformation,
    /// The number of the base move that it is a power of. Moves of one base have the same number.
    pub base: usize,
    /// The power of that base, from 1.
    pub power: u32,
}

/// A rotation of the whole puzzle, which costs no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rotation {
    /// Its name in the notation of the puzzle.
    pub name: String,
    /// Its effect.
    pub transformation: Transformation,
}

/// A rule: no legal state has this piece at this place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// The number of the orbit.
    pub orbit: usize,
    /// The place in that orbit.
    pub place: usize,
    /// The label of the piece.
    pub piece: u8,
}

/// The parts of a puzzle before they are checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleParts {
    /// The name of the puzzle.
    pub name: String,
    /// The orbits.
    pub orbits: Vec<Orbit>,
    /// The counted moves, in the order of search.
    pub moves: Vec<Move>,
    /// The moves that cost nothing. Positions that differ by free moves are the same position.
    pub free: Vec<Move>,
    /// Generators of the free rotations of the whole puzzle. Positions that differ by a product of them are the
    /// same position.
    pub rotations: Vec<Rotation>,
    /// The solved pattern.
    pub solved: Pattern,
    /// The rules. A move that leads to an illegal state cannot be made.
    pub illegal: Vec<Illegal>,
}

/// A puzzle whose parts are consistent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle(PuzzleParts);

impl Puzzle {
    /// Checks the parts.
    ///
    /// # Errors
    /// All faults.
    pub fn new(parts: PuzzleParts) -> Result<Puzzle, Faults> {
        let faults = parts.faults();
        Faults::unless_none(faults, || Puzzle(parts))
    }

    /// The name of the puzzle.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The orbits.
    pub fn orbits(&self) -> &[Orbit] {
        &self.0.orbits
    }

    /// The counted moves, in the order of search.
    pub fn moves(&self) -> &[Move] {
        &self.0.moves
    }

    /// The moves that cost nothing.
    pub fn free(&self) -> &[Move] {
        &self.0.free
    }

    /// The same puzzle with its free moves as the last of its counted ones.
    pub(crate) fn with_free_moves_counted(&self) -> Puzzle {
        let mut parts = self.0.clone();
        parts.moves.append(&mut parts.free);
        Puzzle(parts)
    }

    /// Generators of the free rotations.
    pub fn rotations(&self) -> &[Rotation] {
        &self.0.rotations
    }

    /// The solved pattern.
    pub fn solved(&self) -> &Pattern {
        &self.0.solved
    }

    /// The rules that no legal state breaks.
    pub fn illegal(&self) -> &[Illegal] {
        &self.0.illegal
    }

    /// The parts, to be changed and checked again.
    pub fn into_parts(self) -> PuzzleParts {
        self.0
    }

    /// The transformation that changes nothing.
    pub fn identity(&self) -> Transformation {
        Transformation::identity(&self.0.orbits)
    }

    /// Whether `pattern` keeps every rule.
    pub fn is_legal(&self, pattern: &Pattern) -> bool {
        self.0.illegal.iter().all(|rule| pattern.orbits[rule.orbit].pieces[rule.place] != rule.piece)
    }
}

impl PuzzleParts {
    /// All faults. If orbits have faults, only these.
    fn faults(&self) -> Vec<String> {
        let mut faults: Vec<String> = self.orbits.iter().flat_map(Orbit::faults).collect();
        if self.orbits.is_empty() {
            faults.push("the puzzle has no orbits".to_owned());
        }
        for (number, orbit) in self.orbits.iter().enumerate() {
            if self.orbits[..number].iter().any(|other| other.name == orbit.name) {
                faults.push(format!("two orbits have the name {}", orbit.name));
            }
        }
        if !faults.is_empty() {
            return faults;
        }
        if self.moves.is_empty() {
            faults.push("the puzzle has no moves".to_owned());
        }
        let moves = self.moves.iter().map(|step| ("move", &step.name, &step.transformation));
        let rotations = self.rotations.iter().map(|turn| ("rotation", &turn.name, &turn.transformation));
        let free = self.free.iter().map(|step| ("free move", &step.name, &step.transformation));
        let named: Vec<_> = moves.chain(free).chain(rotations).collect();
        if !self.free.is_empty() && !self.rotations.is_empty() {
            faults.push("moves are free only on a puzzle that is held still: choose no rotations".to_owned());
        }
        for (number, (kind, name, transformation)) in named.iter().enumerate() {
            if named[..number].iter().any(|(_, other, _)| other == name) {
                faults.push(format!("two moves have the name {name}"));
            }
            let of = |fault| format!("{kind} {name}: {fault}");
            faults.extend(transformation.faults(&self.orbits).into_iter().map(of));
        }
        let solved = self.solved.faults(&self.orbits);
        let solved_is_sound = solved.is_empty();
        faults.extend(solved.into_iter().map(|fault| format!("solved pattern: {fault}")));
        for rule in &self.illegal {
            faults.extend(self.fault_of_rule(rule, solved_is_sound));
        }
        faults
    }

    fn fault_of_rule(&self, rule: &Illegal, solved_is_sound: bool) -> Option<String> {
        let Illegal { orbit, place, piece } = *rule;
        let Some(of) = self.orbits.get(orbit) else {
            return Some(format!("a rule names orbit {orbit} of {}", self.orbits.len()));
        };
        if place >= of.pieces {
            return Some(format!("a rule names place {place} of the {} places of {}", of.pieces, of.name));
        }
        let solved = &self.solved.orbits;
        (solved_is_sound && solved[orbit].pieces[place] == piece).then(|| {
            format!("the solved pattern has the illegal piece {piece} at place {place} of {}", of.name)
        })
    }
}
