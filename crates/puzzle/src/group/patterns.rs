//! Patterns that a group reaches from the solved one, with pieces that look alike and orientations that do not count.
//!
//! With distinct pieces a pattern is one group element. Otherwise many elements of the product of wreath products (see
//! [`bound`](super::bound)) lead to one pattern: those that differ by an element that fixes the solved pattern. If the
//! group is the largest with its invariants, a pattern is reached exactly if some element that leads to it has the
//! invariants of a group element. Elements that fix the solved pattern can change the parity of a set with two pieces
//! that look alike, and the sum of turns of a set with orientations that do not count; so these are free, and
//! everything else follows from one element that leads to the pattern. The number of patterns is the order of the
//! group divided by that of the part that fixes the solved pattern; its index in all elements that fix the solved
//! pattern is the quotient of the indices without and with the free invariants.

use super::bound::TransitiveSet;
use super::{Factors, Group};
use crate::model::{OrbitTransformation, Pattern, Transformation};
use search_core::{Cancelled, Run};
use std::collections::BTreeMap;

impl Group {
    /// The number of patterns that the group leads to from `solved`; `None` if only a search can decide it.
    pub fn patterns(&self, solved: &Pattern) -> Option<Factors> {
        if !self.is_proved {
            return None;
        }
        let mut count = self.order();
        if self.is_distinct(solved) {
            return Some(count);
        }
        if !self.is_largest() {
            return None;
        }
        let free = self.free(solved)?;
        count.multiply_by(&self.bound.index(&[]));
        count.divide_by(&self.bound.index(&free));
        for set in &self.bound.sets {
            let mut alike: BTreeMap<u8, usize> = BTreeMap::new();
            for &place in &set.places {
                let orbit = &solved.orbits[set.orbit];
                *alike.entry(orbit.pieces[place]).or_insert(0) += 1;
                if orbit.orientation_mod[place] == 1 {
                    count.divide(set.returns);
                }
            }
            alike.values().flat_map(|&many| 2..=many).for_each(|number| count.divide(number));
        }
        Some(count)
    }

    /// Whether the group leads from `solved` to `pattern`; `None` if only a search can decide it.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn reaches(
        &self,
        solved: &Pattern,
        pattern: &Pattern,
        run: &Run<'_>,
    ) -> Result<Option<bool>, Cancelled> {
        match self.element(solved, pattern) {
            None => Ok(Some(false)),
            Some(element) if self.is_distinct(solved) => self.contains(&element, run),
            Some(element) => Ok(self.allows(solved, &element)),
        }
    }

    /// Whether the group leads from `solved`, with pieces that look alike, to where `element` leads; `None` if only a
    /// search can decide it.
    fn allows(&self, solved: &Pattern, element: &Transformation) -> Option<bool> {
        let free = self.free(solved)?;
        let Some(invariants) = self.bound.invariants(element) else { return Some(false) };
        let with = [&free[..], &[invariants]].concat();
        let has_invariants = self.bound.index(&with) == self.bound.index(&free);
        if has_invariants && !self.is_largest() { None } else { Some(has_invariants) }
    }

    /// Whether different elements lead to different patterns.
    fn is_distinct(&self, solved: &Pattern) -> bool {
        self.bound.sets.iter().all(|set| {
            let orbit = &solved.orbits[set.orbit];
            let mut labels: Vec<u8> = set.places.iter().map(|&place| orbit.pieces[place]).collect();
            labels.sort_unstable();
            labels.windows(2).all(|two| two[0] != two[1])
                && (set.returns == 1
                    || set
                        .places
                        .iter()
                        .all(|&place| usize::from(orbit.orientation_mod[place]) == set.orientations))
        })
    }

    /// The invariants that elements which fix the solved pattern change freely; `None` if only a part of the
    /// orientations of a piece counts, or pieces that look alike have other orientations or moduli.
    fn free(&self, solved: &Pattern) -> Option<Vec<Vec<i64>>> {
        let mut free = Vec::new();
        for (number, set) in self.bound.sets.iter().enumerate() {
            let orbit = &solved.orbits[set.orbit];
            let mut seen: BTreeMap<u8, (u8, usize)> = BTreeMap::new();
            let (mut parity, mut sum) = (false, false);
            for (&place, &zero) in set.places.iter().zip(&set.zero) {
                let modulus = usize::from(orbit.orientation_mod[place]);
                if modulus != 1 && modulus != set.orientations {
                    return None;
                }
                sum |= modulus == 1 && set.returns > 1;
                let turned = (usize::from(orbit.orientation[place]) + set.orientations - zero) % modulus;
                match seen.insert(orbit.pieces[place], (modulus as u8, turned)) {
                    None => {}
                    Some(other) if other == (modulus as u8, turned) => parity = true,
                    Some(_) => return None,
                }
            }
            let both = [(parity, true), (sum, false)].into_iter().filter(|(is_free, _)| *is_free);
            free.extend(both.map(|(_, parity)| self.bound.invariant(number, parity)));
        }
        Some(free)
    }

    /// An element of the product of all sets that leads from `solved` to `pattern`; `None` if there is none.
    fn element(&self, solved: &Pattern, pattern: &Pattern) -> Option<Transformation> {
        let parts = solved.orbits.iter().enumerate().map(|(orbit, part)| {
            let orientations = self.bound.sets.iter().find(|set| set.orbit == orbit)?.orientations;
            let places = part.pieces.len();
            Some(OrbitTransformation {
                from: vec![0; places],
                turn: vec![0; places],
                orientations: orientations as u8,
            })
        });
        let mut element = Transformation { orbits: parts.collect::<Option<_>>()? };
        for set in &self.bound.sets {
            self.matched(set, solved, pattern, &mut element.orbits[set.orbit])?;
        }
        Some(element)
    }

    /// Writes which piece of the set is where, each in an orientation that the group allows.
    fn matched(
        &self,
        set: &TransitiveSet,
        solved: &Pattern,
        pattern: &Pattern,
        part: &mut OrbitTransformation,
    ) -> Option<()> {
        let (home, here) = (&solved.orbits[set.orbit], &pattern.orbits[set.orbit]);
        let unit = set.orientations / set.returns;
        let mut taken = vec![false; set.places.len()];
        for (number, &place) in set.places.iter().enumerate() {
            let modulus = usize::from(here.orientation_mod[place]);
            let fits = |&source: &usize| {
                let from = set.places[source];
                !taken[source]
                    && home.pieces[from] == here.pieces[place]
                    && usize::from(home.orientation_mod[from]) == modulus
                    && self.turn(set, (source, number), (home, here), unit).is_some()
            };
            let source = (0..set.places.len()).find(fits)?;
            taken[source] = true;
            part.from[place] = set.places[source] as u8;
            part.turn[place] = self.turn(set, (source, number), (home, here), unit)? as u8;
        }
        Some(())
    }

    /// A turn that carries a piece of the solved pattern to its orientation in another, among those of the group.
    fn turn(
        &self,
        set: &TransitiveSet,
        (source, target): (usize, usize),
        (home, here): (&crate::model::OrbitPattern, &crate::model::OrbitPattern),
        unit: usize,
    ) -> Option<usize> {
        let (from, to) = (set.places[source], set.places[target]);
        let modulus = usize::from(here.orientation_mod[to]);
        (0..set.orientations).find(|turn| {
            (usize::from(home.orientation[from]) + turn) % modulus == usize::from(here.orientation[to])
                && (set.zero[source] + turn + set.orientations - set.zero[target]).is_multiple_of(unit)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::Uniform;
    use crate::model::Orbit;
    use proptest::prelude::*;
    use std::collections::HashSet;

    /// All patterns that generators lead to.
    fn reached(solved: &Pattern, generators: &[Transformation]) -> HashSet<Pattern> {
        let mut known = HashSet::from([solved.clone()]);
        let mut waiting = vec![solved.clone()];
        while let Some(pattern) = waiting.pop() {
            for generator in generators {
                let next = pattern.apply(generator);
                if known.insert(next.clone()) {
                    waiting.push(next);
                }
            }
        }
        known
    }

    prop_compose! {
        /// One or two moves of two orbits, and labels and moduli of the solved pattern.
        fn puzzle()(
            shuffles in prop::collection::vec((Just(vec![0_u8, 1, 2, 3]).prop_shuffle(), Just(vec![0_u8, 1, 2]).prop_shuffle()), 1..3),
            turns in prop::collection::vec(prop::collection::vec(0..2_u8, 7), 2),
            labels in prop::collection::vec(0..3_u8, 7),
            ignored in any::<[bool; 2]>(),
        ) -> (Vec<Orbit>, Vec<Transformation>, Pattern) {
            let orbit = |name: &str, pieces| Orbit { name: name.into(), pieces, orientations: 2 };
            let orbits = vec![orbit("A", 4), orbit("B", 3)];
            let moves = shuffles.into_iter().zip(turns).map(|((a, b), turn)| {
                let part = |from: Vec<u8>, turn: &[u8]| OrbitTransformation { from, turn: turn.to_vec(), orientations: 2 };
                Transformation { orbits: vec![part(a, &turn[..4]), part(b, &turn[4..])] }
            });
            let mut solved = Pattern::distinct(&orbits);
            solved.orbits[0].pieces.copy_from_slice(&labels[..4]);
            solved.orbits[1].pieces.copy_from_slice(&labels[4..]);
            for (orbit, ignored) in solved.orbits.iter_mut().zip(ignored) {
                if ignored {
                    orbit.orientation_mod.fill(1);
                }
            }
            let moves = moves.collect();
            (orbits, moves, solved)
        }
    }

    proptest! {
        #[test]
        fn patterns_are_counted_and_recognised_as_a_search_finds_them((orbits, moves, solved) in puzzle(), seed: u64) {
            let group = Group::generated(&orbits, &moves, &Run::new()).expect("not cancelled").expect("few points");
            let known = reached(&solved, &moves);
            if let Some(count) = group.patterns(&solved) {
                prop_assert_eq!(count.decimal(), known.len().to_string());
            }
            for pattern in &known {
                prop_assert_ne!(group.reaches(&solved, pattern, &Run::new()), Ok(Some(false)));
            }
            // Other patterns of the same pieces: places exchanged and pieces turned at random.
            let mut rng = Uniform::new(seed);
            for _ in 0..20 {
                let mut other = solved.clone();
                for part in &mut other.orbits {
                    let (a, b) = (rng.below(part.pieces.len()), rng.below(part.pieces.len()));
                    part.pieces.swap(a, b);
                    part.orientation_mod.swap(a, b);
                    let at = rng.below(part.pieces.len());
                    part.orientation[at] = rng.below(usize::from(part.orientation_mod[at])) as u8;
                }
                if let Ok(Some(answer)) = group.reaches(&solved, &other, &Run::new()) {
                    prop_assert_eq!(answer, known.contains(&other));
                }
            }
        }
    }
}
