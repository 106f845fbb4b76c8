//! An upper bound on the order of a group of puzzle moves, and the invariants that it comes from.
//!
//! A **transitive set** is a set of `n` places that the group permutes transitively. If a piece can return to its
//! place in `k` orientations, the group acts on the set as a subgroup of the wreath product of order `k^n n!`. There
//! are two homomorphisms from that product: the sum of the turns, modulo `k`, and the parity of the permutation, modulo
//! 2. Together they map the product of all sets onto an abelian group `A`, since each can be chosen freely. The image
//! of the group is the subgroup of `A` that the images of the generators span, so the order of the group is at most
//! the product of all `k^n n!`, divided by the index of that subgroup.
//!
//! The index is the determinant of the lattice that the generators' vectors and the moduli span: row reduction with
//! the Euclidean algorithm, all entries reduced by the moduli.

use super::Factors;
use crate::model::{Orbit, Transformation};

/// The transitive sets of places and the lattice of the generators.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub(super) sets: Vec<TransitiveSet>,
    /// For each set, the modulus of sums of turns and that of parities.
    moduli: Vec<i64>,
    /// The invariants of the generators.
    vectors: Vec<Vec<i64>>,
}

#[derive(Clone, Debug)]
pub(super) struct TransitiveSet {
    pub(super) orbit: usize,
    pub(super) places: Vec<usize>,
    /// The number of orientations of the orbit.
    pub(super) orientations: usize,
    /// For each place, the orientation to which a piece with orientation 0 on the first place is carried.
    pub(super) zero: Vec<usize>,
    /// The number of orientations in which a piece returns to its place.
    pub(super) returns: usize,
}

impl Bound {
    pub(super) fn new(orbits: &[Orbit], generators: &[&Transformation]) -> Bound {
        let mut sets = Vec::new();
        for number in 0..orbits.len() {
            transitive_sets(number, &orbits[number], generators, &mut sets);
        }
        let moduli: Vec<i64> = sets.iter().flat_map(|set| [set.returns as i64, set.parities()]).collect();
        let vectors = generators.iter().map(|generator| {
            sets.iter()
                .flat_map(|set| set.invariants(generator).expect("it is a generator"))
                .collect::<Vec<i64>>()
        });
        let vectors = vectors.collect();
        Bound { sets, moduli, vectors }
    }

    pub(super) fn order(&self) -> Factors {
        let mut order = Factors::one();
        for set in &self.sets {
            for number in 1..=set.places.len() {
                order.multiply(number);
                order.multiply(set.returns);
            }
        }
        order.divide_by(&self.index(&[]));
        order
    }

    /// The index of the subgroup that the invariants of the generators and of `more` span.
    pub(super) fn index(&self, more: &[Vec<i64>]) -> Factors {
        let mut index = Factors::one();
        for entry in diagonal(&self.moduli, [&self.vectors[..], more].concat()) {
            index.multiply(usize::try_from(entry).expect("a positive index"));
        }
        index
    }

    /// The vector with 1 for the sum of turns or, with `parity`, for the parity of a set.
    pub(super) fn invariant(&self, set: usize, parity: bool) -> Vec<i64> {
        let mut vector = vec![0; self.moduli.len()];
        vector[2 * set + usize::from(parity)] = 1;
        vector
    }

    /// The invariants of an element of the product of all sets; `None` if it is none.
    pub(super) fn invariants(&self, element: &Transformation) -> Option<Vec<i64>> {
        let all: Option<Vec<[i64; 2]>> = self.sets.iter().map(|set| set.invariants(element)).collect();
        all.map(|all| all.concat())
    }

    pub(super) fn sets(&self) -> impl Iterator<Item = (usize, &[usize], usize)> {
        self.sets.iter().map(|set| (set.orbit, &set.places[..], set.returns))
    }
}

impl TransitiveSet {
    /// The number of parities of permutations.
    fn parities(&self) -> i64 {
        if self.places.len() > 1 { 2 } else { 1 }
    }

    /// The sum of turns in units of the least one, and the parity; `None` if pieces leave the set, or turn otherwise
    /// than the group turns them.
    fn invariants(&self, transformation: &Transformation) -> Option<[i64; 2]> {
        let part = &transformation.orbits[self.orbit];
        let is_closed = self
            .places
            .iter()
            .all(|&place| self.places.binary_search(&usize::from(part.from[place])).is_ok());
        if !is_closed {
            return None;
        }
        let at = |place: usize| self.places.binary_search(&place).expect("the set is closed");
        let unit = self.orientations / self.returns;
        let (mut sum, mut seen, mut odd) = (0, vec![false; self.places.len()], false);
        for (number, &place) in self.places.iter().enumerate() {
            let from = at(usize::from(part.from[place]));
            let turned =
                self.zero[from] + usize::from(part.turn[place]) + self.orientations - self.zero[number];
            if !turned.is_multiple_of(unit) {
                return None;
            }
            sum += (turned / unit) % self.returns;
            let (mut along, mut length) = (number, 0);
            while !std::mem::replace(&mut seen[along], true) {
                along = at(usize::from(part.from[self.places[along]]));
                length += 1;
            }
            odd ^= length > 0 && length % 2 == 0;
        }
        Some([(sum % self.returns) as i64, i64::from(odd)])
    }
}

/// Adds the transitive sets of an orbit.
fn transitive_sets(orbit: usize, of: &Orbit, generators: &[&Transformation], sets: &mut Vec<TransitiveSet>) {
    let Orbit { pieces, orientations, .. } = *of;
    let mut seen = vec![false; pieces * orientations];
    let mut placed = vec![false; pieces];
    for start in 0..pieces {
        if placed[start] {
            continue;
        }
        let mut reached = vec![(start, 0)];
        seen[start * orientations] = true;
        let mut at = 0;
        while at < reached.len() {
            let (place, orientation) = reached[at];
            for generator in generators {
                // Backwards, which reaches the same points.
                let part = &generator.orbits[orbit];
                let from = usize::from(part.from[place]);
                let turned = (orientation + orientations - usize::from(part.turn[place])) % orientations;
                if !std::mem::replace(&mut seen[from * orientations + turned], true) {
                    reached.push((from, turned));
                }
            }
            at += 1;
        }
        let mut places: Vec<usize> = reached.iter().map(|&(place, _)| place).collect();
        places.sort_unstable();
        places.dedup();
        let zero = places
            .iter()
            .map(|&place| reached.iter().find(|&&(other, _)| other == place).expect("it is reached").1);
        let zero = zero.collect();
        places.iter().for_each(|&place| placed[place] = true);
        let returns = reached.len() / places.len();
        sets.push(TransitiveSet { orbit, places, orientations, zero, returns });
    }
}

/// The diagonal of the triangular basis of the lattice that the vectors and the moduli span.
fn diagonal(moduli: &[i64], mut vectors: Vec<Vec<i64>>) -> Vec<i64> {
    let mut diagonal = Vec::with_capacity(moduli.len());
    for column in 0..moduli.len() {
        let mut pivot = vec![0; moduli.len()];
        pivot[column] = moduli[column];
        for vector in &mut vectors {
            while vector[column] != 0 {
                let quotient = pivot[column] / vector[column];
                for at in column..moduli.len() {
                    pivot[at] -= quotient * vector[at];
                    if at > column {
                        pivot[at] = pivot[at].rem_euclid(moduli[at]);
                    }
                }
                std::mem::swap(&mut pivot, vector);
            }
        }
        diagonal.push(pivot[column].abs());
        // A multiple of the pivot is zero in this column, but need not be in the others.
        let times = moduli[column] / pivot[column].abs();
        let rest = pivot.iter().zip(moduli).map(|(&entry, &modulus)| (entry * times).rem_euclid(modulus));
        let rest: Vec<i64> = rest.collect();
        if rest.iter().any(|&entry| entry != 0) {
            vectors.push(rest);
        }
    }
    diagonal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_of_subgroups() {
        let index = |moduli: &[i64], vectors: &[&[i64]]| -> i64 {
            diagonal(moduli, vectors.iter().map(|vector| vector.to_vec()).collect()).iter().product()
        };
        assert_eq!(index(&[2, 2], &[&[1, 1]]), 2);
        assert_eq!(index(&[2, 2], &[&[1, 1], &[0, 1]]), 1);
        assert_eq!(index(&[3, 2], &[&[1, 1]]), 1);
        assert_eq!(index(&[4, 2], &[&[2, 1]]), 4);
        assert_eq!(index(&[4, 4], &[&[1, 1], &[2, 0]]), 2);
        assert_eq!(index(&[6, 4, 5], &[]), 120);
    }
}
