//! Patterns: a piece and an orientation at each place.

use super::transformation::add;
use super::{Orbit, Transformation};

/// The part of a pattern that concerns one orbit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OrbitPattern {
    /// For each place, the label of its piece. Pieces with equal labels look alike.
    pub pieces: Vec<u8>,
    /// For each place, the orientation of its piece, below the modulus of that piece.
    pub orientation: Vec<u8>,
    /// For each place, the modulus within which the orientation of its piece counts: a divisor of the number of
    /// orientations; 1 if it is ignored. The modulus belongs to the piece and moves with it.
    pub orientation_mod: Vec<u8>,
}

impl OrbitPattern {
    /// The pattern of distinct pieces, each in its own place, unturned.
    ///
    /// # Panics
    /// If the orbit has [faults](Orbit::faults).
    pub fn distinct(orbit: &Orbit) -> OrbitPattern {
        let modulus = u8::try_from(orbit.orientations).expect("at most 255 orientations");
        OrbitPattern {
            pieces: (0..orbit.pieces).map(|place| u8::try_from(place).expect("at most 256 places")).collect(),
            orientation: vec![0; orbit.pieces],
            orientation_mod: vec![modulus; orbit.pieces],
        }
    }

    /// The faults of a pattern of `orbit`.
    pub fn faults(&self, orbit: &Orbit) -> Vec<String> {
        let (name, pieces) = (&orbit.name, orbit.pieces);
        let lengths = [self.pieces.len(), self.orientation.len(), self.orientation_mod.len()];
        if lengths != [pieces; 3] {
            let [labels, orientations, moduli] = lengths;
            return vec![format!(
                "{labels} labels, {orientations} orientations and {moduli} moduli are given for the {pieces} pieces of {name}"
            )];
        }
        let mut faults = Vec::new();
        for (place, (&orientation, &modulus)) in
            self.orientation.iter().zip(&self.orientation_mod).enumerate()
        {
            if modulus == 0 || !orbit.orientations.is_multiple_of(usize::from(modulus)) {
                let all = orbit.orientations;
                faults.push(format!("modulus {modulus} at place {place} of {name} does not divide {all}"));
            } else if orientation >= modulus {
                let most = modulus - 1;
                faults.push(format!(
                    "orientation {orientation} at place {place} of {name} is not from 0 to {most}"
                ));
            }
        }
        faults
    }

    /// Whether all pieces differ and all orientations count, so that a pattern is a group element.
    pub fn is_distinct(&self, orbit: &Orbit) -> bool {
        let mut seen = [false; 256];
        self.pieces.iter().all(|&label| !std::mem::replace(&mut seen[usize::from(label)], true))
            && self.orientation_mod.iter().all(|&modulus| usize::from(modulus) == orbit.orientations)
    }
}

/// A state of a puzzle: for each orbit, in order, its pieces.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pattern {
    /// The part of each orbit.
    pub orbits: Vec<OrbitPattern>,
}

impl Pattern {
    /// The pattern of distinct pieces, each in its own place, unturned.
    ///
    /// # Panics
    /// If an orbit has [faults](Orbit::faults).
    pub fn distinct(orbits: &[Orbit]) -> Pattern {
        Pattern { orbits: orbits.iter().map(OrbitPattern::distinct).collect() }
    }

    /// The pattern after `transformation`, which is of the same orbits.
    #[must_use]
    pub fn apply(&self, transformation: &Transformation) -> Pattern {
        let parts = self.orbits.iter().zip(&transformation.orbits);
        let moved = parts.map(|(pattern, part)| {
            let pick = |row: &[u8]| part.from.iter().map(|&from| row[usize::from(from)]).collect::<Vec<u8>>();
            let orientation_mod = pick(&pattern.orientation_mod);
            let turned = pick(&pattern.orientation).into_iter().zip(&part.turn).zip(&orientation_mod);
            let orientation = turned.map(|((old, &turn), &modulus)| add(old, turn % modulus, modulus));
            OrbitPattern {
                pieces: pick(&pattern.pieces),
                orientation: orientation.collect(),
                orientation_mod,
            }
        });
        Pattern { orbits: moved.collect() }
    }

    /// Whether all pieces differ and all orientations count, so that patterns are group elements.
    pub fn is_distinct(&self, orbits: &[Orbit]) -> bool {
        self.orbits.iter().zip(orbits).all(|(pattern, orbit)| pattern.is_distinct(orbit))
    }

    /// The faults of a pattern of `orbits`.
    pub fn faults(&self, orbits: &[Orbit]) -> Vec<String> {
        if self.orbits.len() != orbits.len() {
            return vec![format!("{} orbits are given instead of {}", self.orbits.len(), orbits.len())];
        }
        self.orbits.iter().zip(orbits).flat_map(|(pattern, orbit)| pattern.faults(orbit)).collect()
    }
}
