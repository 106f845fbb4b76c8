//! Parts of a reduced puzzle: sets of places that moves connect.
//!
//! A part is the smallest thing that moves by itself: places of one orbit between which moves carry pieces. Places that
//! no move changes belong to no part, and neither do parts whose pieces all look alike in every orientation.

use crate::model::{OrbitPattern, OrbitTransformation, Pattern, Puzzle, Transformation};
use crate::rotation::Reduction;

/// A set of places of one orbit that moves connect, with the moves as they act there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// The number of the orbit.
    pub orbit: usize,
    /// The places, in ascending order.
    pub places: Vec<u8>,
    /// Each reduced move on these places, which are numbered from 0.
    pub moves: Vec<OrbitTransformation>,
    /// The solved pattern of these places.
    pub solved: OrbitPattern,
    /// Places and labels that no legal state combines.
    pub illegal: Vec<(usize, u8)>,
}

impl Part {
    /// The pieces that `pattern` has at these places.
    pub fn of_pattern(&self, pattern: &Pattern) -> OrbitPattern {
        let from = &pattern.orbits[self.orbit];
        let pick = |row: &[u8]| self.places.iter().map(|&place| row[usize::from(place)]).collect();
        OrbitPattern {
            pieces: pick(&from.pieces),
            orientation: pick(&from.orientation),
            orientation_mod: pick(&from.orientation_mod),
        }
    }

    /// The transformation that leaves every piece of these places where it is.
    pub fn identity(&self) -> OrbitTransformation {
        OrbitTransformation {
            from: (0..self.places.len())
                .map(|place| u8::try_from(place).expect("at most 256 places"))
                .collect(),
            turn: vec![0; self.places.len()],
            orientations: self.moves[0].orientations,
        }
    }

    /// The solved pattern after a transformation of these places.
    pub fn moved(&self, step: &OrbitTransformation) -> OrbitPattern {
        let solved = Pattern { orbits: vec![self.solved.clone()] };
        let mut moved = solved.apply(&Transformation { orbits: vec![step.clone()] });
        moved.orbits.remove(0)
    }

    /// A transformation of the orbit as it acts at these places, between which it carries pieces.
    ///
    /// # Panics
    /// If it carries a piece here from another place.
    pub fn restricted(&self, step: &OrbitTransformation) -> OrbitTransformation {
        let local = |place: u8| {
            let at = self.places.iter().position(|&known| known == place).expect("a place of the part");
            u8::try_from(at).expect("at most 256 places")
        };
        let places = self.places.iter().map(|&place| usize::from(place));
        OrbitTransformation {
            from: places.clone().map(|place| local(step.from[place])).collect(),
            turn: places.map(|place| step.turn[place]).collect(),
            orientations: step.orientations,
        }
    }

    /// The kinds of pieces, each with its label, its modulus and its number, sorted by label.
    pub fn kinds(&self) -> Vec<(u8, u8, usize)> {
        let mut pairs: Vec<(u8, u8)> =
            self.solved.pieces.iter().copied().zip(self.solved.orientation_mod.iter().copied()).collect();
        pairs.sort_unstable();
        let runs = pairs.chunk_by(|a, b| a == b);
        runs.map(|run| (run[0].0, run[0].1, run.len())).collect()
    }
}

/// The parts of a puzzle, in the order of their orbits and places.
pub fn parts(puzzle: &Puzzle, reduction: &Reduction) -> Vec<Part> {
    let mut parts = Vec::new();
    for orbit in 0..puzzle.orbits().len() {
        let moves: Vec<&OrbitTransformation> =
            reduction.moves().iter().map(|step| &step.transformation.orbits[orbit]).collect();
        let count = puzzle.orbits()[orbit].pieces;
        let group = connected(count, &moves);
        for first in 0..count {
            if group[first] != first {
                continue;
            }
            let places: Vec<u8> = (0..count)
                .filter(|&place| group[place] == first)
                .map(|place| u8::try_from(place).expect("at most 256 places"))
                .collect();
            let part = part(puzzle, orbit, places, &moves);
            let changes = part.moves.iter().any(|step| !step.is_identity());
            let kinds = part.kinds();
            if changes && (kinds.len() > 1 || kinds[0].1 > 1) {
                parts.push(part);
            }
        }
    }
    parts
}

fn part(puzzle: &Puzzle, orbit: usize, places: Vec<u8>, moves: &[&OrbitTransformation]) -> Part {
    let rules = puzzle.illegal().iter().filter(|rule| rule.orbit == orbit);
    let rules = rules.filter_map(|rule| {
        let at = places.iter().position(|&place| usize::from(place) == rule.place)?;
        Some((at, rule.piece))
    });
    let empty = OrbitPattern { pieces: Vec::new(), orientation: Vec::new(), orientation_mod: Vec::new() };
    let mut part = Part { orbit, moves: Vec::new(), illegal: rules.collect(), solved: empty, places };
    part.solved = part.of_pattern(puzzle.solved());
    part.moves = moves.iter().map(|step| part.restricted(step)).collect();
    part
}

/// For each place, the first place that moves connect it with.
fn connected(count: usize, moves: &[&OrbitTransformation]) -> Vec<usize> {
    let mut first: Vec<usize> = (0..count).collect();
    loop {
        let mut changed = false;
        for step in moves {
            for (place, &from) in step.from.iter().enumerate() {
                let least = first[place].min(first[usize::from(from)]);
                for at in [place, usize::from(from)] {
                    if first[at] != least {
                        first[at] = least;
                        changed = true;
                    }
                }
            }
        }
        if !changed {
            return first;
        }
    }
}
