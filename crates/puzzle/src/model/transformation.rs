//! Transformations: what a sequence of moves does to all places at once.

use super::Orbit;

/// The part of a transformation that concerns one orbit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OrbitTransformation {
    /// For each place, the place that its piece comes from.
    pub from: Vec<u8>,
    /// For each place, the orientation that is added to the piece that arrives there.
    pub turn: Vec<u8>,
    /// The number of orientations of the orbit's pieces.
    pub orientations: u8,
}

impl OrbitTransformation {
    /// The transformation that leaves every piece of `orbit` in place.
    ///
    /// # Panics
    /// If the orbit has [faults](Orbit::faults).
    pub fn identity(orbit: &Orbit) -> OrbitTransformation {
        OrbitTransformation {
            from: (0..orbit.pieces).map(|place| u8::try_from(place).expect("at most 256 places")).collect(),
            turn: vec![0; orbit.pieces],
            orientations: u8::try_from(orbit.orientations).expect("at most 255 orientations"),
        }
    }

    /// The faults of a transformation of `orbit`.
    pub fn faults(&self, orbit: &Orbit) -> Vec<String> {
        let (name, pieces) = (&orbit.name, orbit.pieces);
        if self.from.len() != pieces || self.turn.len() != pieces {
            return vec![format!(
                "{} places and {} orientations are given for the {pieces} pieces of {name}",
                self.from.len(),
                self.turn.len()
            )];
        }
        let mut faults = Vec::new();
        if usize::from(self.orientations) != orbit.orientations {
            let (given, had) = (self.orientations, orbit.orientations);
            faults.push(format!("{given} orientations are given for {name}, which has {had}"));
        }
        let mut seen = vec![false; pieces];
        for &place in &self.from {
            match seen.get_mut(usize::from(place)) {
                None => faults.push(format!("place {place} of {name} does not exist")),
                Some(true) => faults.push(format!("place {place} of {name} is named twice")),
                Some(new) => *new = true,
            }
        }
        for turn in self.turn.iter().filter(|&&turn| usize::from(turn) >= orbit.orientations) {
            let most = orbit.orientations.saturating_sub(1);
            faults.push(format!("orientation {turn} of {name} is not from 0 to {most}"));
        }
        faults
    }

    /// This transformation, followed by `next`.
    #[must_use]
    pub fn then(&self, next: &OrbitTransformation) -> OrbitTransformation {
        let through = |(&from, &turn): (&u8, &u8)| {
            let from = usize::from(from);
            (self.from[from], add(self.turn[from], turn, self.orientations))
        };
        let (from, turn) = next.from.iter().zip(&next.turn).map(through).unzip();
        OrbitTransformation { from, turn, orientations: self.orientations }
    }

    /// The transformation that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> OrbitTransformation {
        let (mut from, mut turn) = (vec![0; self.from.len()], vec![0; self.from.len()]);
        for (place, (&source, &turned)) in self.from.iter().zip(&self.turn).enumerate() {
            from[usize::from(source)] = u8::try_from(place).expect("at most 256 places");
            turn[usize::from(source)] = (self.orientations - turned) % self.orientations;
        }
        OrbitTransformation { from, turn, orientations: self.orientations }
    }

    /// Whether every piece stays in place, unturned.
    pub fn is_identity(&self) -> bool {
        self.from.iter().enumerate().all(|(place, &from)| place == usize::from(from))
            && self.turn.iter().all(|&turn| turn == 0)
    }

    /// The least positive power that is the identity; `None` if it exceeds 64 bits.
    fn order(&self) -> Option<u64> {
        let mut seen = vec![false; self.from.len()];
        let mut order = 1;
        for start in 0..self.from.len() {
            let (mut at, mut length, mut turned) = (start, 0, 0);
            while !std::mem::replace(&mut seen[at], true) {
                turned = add(turned, self.turn[at], self.orientations);
                (at, length) = (usize::from(self.from[at]), length + 1);
            }
            if length > 0 {
                let modulus = u64::from(self.orientations);
                let turns = modulus / gcd(modulus, u64::from(turned));
                order = lcm(order, length * turns)?;
            }
        }
        Some(order)
    }
}

/// The sum of two orientations.
pub(super) fn add(a: u8, b: u8, modulus: u8) -> u8 {
    u8::try_from((u16::from(a) + u16::from(b)) % u16::from(modulus)).expect("below the modulus")
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn lcm(a: u64, b: u64) -> Option<u64> {
    (a / gcd(a, b)).checked_mul(b)
}

/// A transformation of all pieces of a puzzle: for each orbit, in order, its part.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Transformation {
    /// The part of each orbit.
    pub orbits: Vec<OrbitTransformation>,
}

impl Transformation {
    /// The transformation that leaves every piece in place.
    ///
    /// # Panics
    /// If an orbit has [faults](Orbit::faults).
    pub fn identity(orbits: &[Orbit]) -> Transformation {
        Transformation { orbits: orbits.iter().map(OrbitTransformation::identity).collect() }
    }

    /// This transformation, followed by `next`. Both are of the same orbits.
    #[must_use]
    pub fn then(&self, next: &Transformation) -> Transformation {
        let parts = self.orbits.iter().zip(&next.orbits);
        Transformation { orbits: parts.map(|(part, next)| part.then(next)).collect() }
    }

    /// The transformation that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Transformation {
        Transformation { orbits: self.orbits.iter().map(OrbitTransformation::inverse).collect() }
    }

    /// This transformation, `exponent` times in a row.
    #[must_use]
    pub fn power(&self, exponent: u64) -> Transformation {
        let identity = |part: &OrbitTransformation| {
            let from = (0..part.from.len()).map(|place| u8::try_from(place).expect("at most 256 places"));
            let turn = vec![0; part.from.len()];
            OrbitTransformation { from: from.collect(), turn, orientations: part.orientations }
        };
        let mut result = Transformation { orbits: self.orbits.iter().map(identity).collect() };
        let (mut square, mut left) = (self.clone(), exponent);
        while left > 0 {
            if left % 2 == 1 {
                result = result.then(&square);
            }
            square = square.then(&square);
            left /= 2;
        }
        result
    }

    /// The transformation `by⁻¹ · self · by`: this one, seen from where `by` takes the puzzle.
    #[must_use]
    pub fn conjugate(&self, by: &Transformation) -> Transformation {
        by.inverse().then(self).then(by)
    }

    /// The number of places that have another piece afterwards, or a turned one.
    pub fn changes(&self) -> usize {
        let of_orbit = |part: &OrbitTransformation| {
            let places = part.from.iter().zip(&part.turn).enumerate();
            places.filter(|&(place, (&from, &turn))| place != usize::from(from) || turn != 0).count()
        };
        self.orbits.iter().map(of_orbit).sum()
    }

    /// Whether every piece stays in place, unturned.
    pub fn is_identity(&self) -> bool {
        self.orbits.iter().all(OrbitTransformation::is_identity)
    }

    /// The least positive power that is the identity; `None` if it exceeds 64 bits.
    pub fn order(&self) -> Option<u64> {
        self.orbits.iter().map(OrbitTransformation::order).try_fold(1, |order, part| lcm(order, part?))
    }

    /// The faults of a transformation of `orbits`.
    pub fn faults(&self, orbits: &[Orbit]) -> Vec<String> {
        if self.orbits.len() != orbits.len() {
            return vec![format!("{} orbits are given instead of {}", self.orbits.len(), orbits.len())];
        }
        self.orbits.iter().zip(orbits).flat_map(|(part, orbit)| part.faults(orbit)).collect()
    }
}
