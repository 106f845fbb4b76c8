//! The group that moves generate: its order, membership, and uniformly random elements.
//!
//! The idea (Schreier and Sims): a chain of stabilizers. Level `i` has a base point and the orbit of that point under
//! the elements that fix all earlier base points; the order of the group is the product of the sizes of the orbits.
//! An element is **sifted**: at each level the transversal element that moves the base point alike is divided out. It
//! belongs to the group exactly if nothing remains.
//!
//! The chain is built from random elements of the group, so it describes a subset at first, and the product of its
//! orbits is a lower bound on the order. It is complete as soon as the product reaches an upper bound, which comes from
//! `bound`: most puzzles permute and turn pieces freely but for sums of turns and parities. If the product stays
//! below the bound, every Schreier generator is sifted; by Schreier's lemma the chain is complete if nothing remains
//! of any of them. So the order is proved in either case. Cost: each sift is a composition of permutations per level.
//!
//! Source: C. Sims, "Computational methods in the study of permutation groups", 1970; Á. Seress, "Permutation Group
//! Algorithms", 2003, chapter 4.

mod bound;
mod chain;
mod factors;
mod patterns;
mod points;
#[cfg(test)]
mod tests;

pub use factors::Factors;

use crate::model::{Orbit, Transformation};
use bound::Bound;
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use chain::Chain;
use points::Points;
use search_core::{Cancelled, Run};

/// The maximum number of points (places times orientations) of a group.
pub const MOST_POINTS: usize = 20_000;

/// A group whose order is known.
#[derive(Clone, Debug)]
pub struct Group {
    points: Points,
    chain: Chain,
    bound: Bound,
    is_proved: bool,
}

impl Group {
    /// The group that transformations of `orbits` generate; `None` if there are more than [`MOST_POINTS`] points.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn generated<'a>(
        orbits: &[Orbit],
        generators: impl IntoIterator<Item = &'a Transformation>,
        run: &Run<'_>,
    ) -> Result<Option<Group>, Cancelled> {
        let generators: Vec<&Transformation> = generators.into_iter().collect();
        let points = Points::new(orbits);
        if points.count() > MOST_POINTS {
            return Ok(None);
        }
        let bound = Bound::new(orbits, &generators);
        let permutations = generators.iter().map(|generator| points.permutation(generator)).collect();
        let mut chain = Chain::new(points.count(), permutations);
        let is_proved = chain.complete(&bound.order(), run)?;
        Ok(Some(Group { points, chain, bound, is_proved }))
    }

    /// The order. It is a lower bound unless it [is proved](Self::is_proved).
    pub fn order(&self) -> Factors {
        self.chain.order()
    }

    /// Whether the order is proved. The proof is given up for some groups of thousands of points.
    pub fn is_proved(&self) -> bool {
        self.is_proved
    }

    /// Whether the group has all permutations and turns of pieces that the sums of turns and the parities of the
    /// generators allow.
    pub fn is_largest(&self) -> bool {
        self.chain.order() == self.bound.order()
    }

    /// Whether an element belongs to the group; `None` if that is not certain, because the order is not proved.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn contains(&self, element: &Transformation, run: &Run<'_>) -> Result<Option<bool>, Cancelled> {
        let found = self.chain.contains(&self.points.permutation(element), run)?;
        Ok(if found || self.is_proved { Some(found) } else { None })
    }

    /// A uniformly random element.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn random(&self, rng: &mut Uniform, run: &Run<'_>) -> Result<Transformation, Cancelled> {
        Ok(self.points.transformation(&self.chain.random(|bound| rng.below(bound), run)?))
    }

    /// The sets of places that the group permutes transitively: for each the number of the orbit of the definition,
    /// the places, and the number of orientations in which a piece returns to its place.
    pub fn transitive_sets(&self) -> impl Iterator<Item = (usize, &[usize], usize)> {
        self.bound.sets()
    }
}

/// Uniform random numbers; equal seeds give equal sequences on every machine.
#[derive(Debug)]
pub struct Uniform(ChaCha8Rng);

/// By hand: generators of `chacha20` have no `Clone`, so that keys are not copied by mistake.
impl Clone for Uniform {
    fn clone(&self) -> Uniform {
        let mut rng = ChaCha8Rng::from_seed(self.0.get_seed());
        rng.set_stream(self.0.get_stream());
        rng.set_word_pos(self.0.get_word_pos());
        Uniform(rng)
    }
}

impl Uniform {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Uniform {
        Uniform(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A uniform number below `bound`, by rejection.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        let limit = u64::MAX - u64::MAX % bound;
        loop {
            let draw = self.0.next_u64();
            if draw < limit {
                return (draw % bound) as usize;
            }
        }
    }
}
