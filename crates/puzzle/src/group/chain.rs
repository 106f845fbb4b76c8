//! A chain of stabilizers.

use super::Factors;
use super::points::Permutation;
use crate::group::Uniform;
use search_core::{Cancelled, Run};

/// The number of random elements in a row that leave nothing before Schreier generators are sifted.
const QUIET: usize = 20;
/// The maximum number of elementary steps of the proof by Schreier generators.
const MOST_STEPS: u64 = 1_000_000_000;
/// The mark of a point outside of an orbit.
const OUTSIDE: u32 = u32::MAX;

/// A strong generator and its inverse.
#[derive(Clone, Debug)]
struct Generator {
    forth: Permutation,
    back: Permutation,
}

/// A level of the chain.
#[derive(Clone, Debug)]
struct Level {
    base: u16,
    orbit: Vec<u16>,
    /// For each point of the orbit, the strong generator that leads to it; [`OUTSIDE`] for other points.
    by: Vec<u32>,
    /// The strong generators of this level and of those below.
    generators: Vec<u32>,
}

#[derive(Clone, Debug)]
pub(super) struct Chain {
    degree: usize,
    strong: Vec<Generator>,
    levels: Vec<Level>,
    /// The elements that random ones are products of.
    pool: Vec<Permutation>,
    rng: Uniform,
}

fn then(first: &[u16], next: &[u16]) -> Permutation {
    first.iter().map(|&point| next[usize::from(point)]).collect()
}

fn inverse(of: &[u16]) -> Permutation {
    let mut back = vec![0; of.len()];
    for (point, &image) in of.iter().enumerate() {
        back[usize::from(image)] = point as u16;
    }
    back
}

impl Chain {
    /// A chain that contains these generators, but perhaps not all of their products.
    pub(super) fn new(degree: usize, generators: Vec<Permutation>) -> Chain {
        let mut chain = Chain {
            degree,
            strong: Vec::new(),
            levels: Vec::new(),
            pool: generators.clone(),
            rng: Uniform::new(0),
        };
        for generator in generators {
            // Every generator belongs to the first level, also one that fixes its base point.
            let first = generator.iter().enumerate().find(|&(point, &image)| point != usize::from(image));
            let Some((moved, _)) = first else { continue };
            if chain.levels.is_empty() {
                chain.push_level(moved as u16);
            }
            chain.add(generator, 0);
        }
        chain
    }

    /// Extends the chain to the whole group. Returns whether that is proved.
    pub(super) fn complete(&mut self, bound: &Factors, run: &Run<'_>) -> Result<bool, Cancelled> {
        if self.levels.is_empty() {
            return Ok(true);
        }
        self.prepare_pool();
        let mut quiet = 0;
        while quiet < QUIET {
            let element = self.random_product();
            quiet = if self.absorb(element, 0, run)? { 0 } else { quiet + 1 };
            if quiet > 0 && self.order() == *bound {
                return Ok(true);
            }
        }
        if self.order() == *bound { Ok(true) } else { self.prove(run) }
    }

    /// The product of the sizes of the orbits.
    pub(super) fn order(&self) -> Factors {
        let mut order = Factors::one();
        self.levels.iter().for_each(|level| order.multiply(level.orbit.len()));
        order
    }

    pub(super) fn contains(&self, element: &[u16], run: &Run<'_>) -> Result<bool, Cancelled> {
        Ok(self.sift(element.to_vec(), 0, run)?.is_none())
    }

    /// A product of a random transversal element of each level, which is uniform.
    pub(super) fn random(
        &self,
        mut below: impl FnMut(usize) -> usize,
        run: &Run<'_>,
    ) -> Result<Permutation, Cancelled> {
        let mut product: Permutation = (0..self.degree as u16).collect();
        for level in self.levels.iter().rev() {
            run.check()?;
            let point = level.orbit[below(level.orbit.len())];
            product = then(&product, &self.transversal(level, point));
        }
        Ok(product)
    }

    /// The element of a level's transversal that moves the base point to `point`.
    fn transversal(&self, level: &Level, point: u16) -> Permutation {
        let mut back: Permutation = (0..self.degree as u16).collect();
        let mut at = point;
        while at != level.base {
            let generator = &self.strong[level.by[usize::from(at)] as usize];
            at = generator.back[usize::from(at)];
            back = then(&back, &generator.back);
        }
        inverse(&back)
    }

    /// The rest of an element after sifting, and the level that it cannot pass; `None` if nothing remains.
    fn sift(
        &self,
        mut element: Permutation,
        from: usize,
        run: &Run<'_>,
    ) -> Result<Option<(Permutation, usize)>, Cancelled> {
        for (number, level) in self.levels.iter().enumerate().skip(from) {
            // A level is the longest step: at most 256 compositions.
            run.check()?;
            let mut at = element[usize::from(level.base)];
            if level.by[usize::from(at)] == OUTSIDE && at != level.base {
                return Ok(Some((element, number)));
            }
            while at != level.base {
                let generator = &self.strong[level.by[usize::from(at)] as usize];
                at = generator.back[usize::from(at)];
                for image in &mut element {
                    *image = generator.back[usize::from(*image)];
                }
            }
        }
        let is_identity = element.iter().enumerate().all(|(point, &image)| point == usize::from(image));
        Ok((!is_identity).then_some((element, self.levels.len())))
    }

    /// Adds what remains of an element after the levels from `from` on. Returns whether something did.
    fn absorb(&mut self, element: Permutation, from: usize, run: &Run<'_>) -> Result<bool, Cancelled> {
        let Some((rest, level)) = self.sift(element, from, run)? else { return Ok(false) };
        if level == self.levels.len() {
            let moved = rest.iter().enumerate().find(|&(point, &image)| point != usize::from(image));
            let (moved, _) = moved.expect("it is not the identity");
            self.push_level(moved as u16);
        }
        self.add(rest, level);
        Ok(true)
    }

    fn push_level(&mut self, base: u16) {
        let by = vec![OUTSIDE; self.degree];
        self.levels.push(Level { base, orbit: vec![base], by, generators: Vec::new() });
    }

    /// Adds a strong generator, which fixes the base points before `level`, to all levels down to that one.
    fn add(&mut self, generator: Permutation, level: usize) {
        let number = self.strong.len() as u32;
        self.strong.push(Generator { back: inverse(&generator), forth: generator });
        for level in &mut self.levels[..=level] {
            level.generators.push(number);
            // Known points by the new generator, new points by all.
            let known = level.orbit.len();
            let mut at = 0;
            while at < level.orbit.len() {
                let point = usize::from(level.orbit[at]);
                let last = std::slice::from_ref(&number);
                for &by in if at < known { last } else { &level.generators[..] } {
                    let image = self.strong[by as usize].forth[point];
                    if level.by[usize::from(image)] == OUTSIDE && image != level.base {
                        level.by[usize::from(image)] = by;
                        level.orbit.push(image);
                    }
                }
                at += 1;
            }
        }
    }

    /// Fills the pool with at least ten elements and mixes it.
    fn prepare_pool(&mut self) {
        let given = self.pool.len();
        while self.pool.len() < 10 {
            self.pool.push(self.pool[self.pool.len() % given].clone());
        }
        for _ in 0..10 * self.pool.len() {
            self.random_product();
        }
    }

    /// Replaces an element of the pool by its product with another (product replacement), and returns it.
    fn random_product(&mut self) -> Permutation {
        let (a, offset) = (self.rng.below(self.pool.len()), self.rng.below(self.pool.len() - 1));
        let b = (a + 1 + offset) % self.pool.len();
        let other = if self.rng.below(2) == 0 { self.pool[b].clone() } else { inverse(&self.pool[b]) };
        self.pool[a] = match self.rng.below(2) {
            0 => then(&self.pool[a], &other),
            _ => then(&other, &self.pool[a]),
        };
        self.pool[a].clone()
    }

    /// Sifts every Schreier generator, and adds what remains until nothing does. Returns whether that came to an end.
    fn prove(&mut self, run: &Run<'_>) -> Result<bool, Cancelled> {
        let mut steps = 0;
        let mut number = self.levels.len();
        'levels: while number > 0 {
            number -= 1;
            let level = self.levels[number].clone();
            for &point in &level.orbit {
                let to = self.transversal(&level, point);
                for &by in &level.generators {
                    steps += (self.degree * (self.levels.len() - number)) as u64;
                    if steps > MOST_STEPS {
                        return Ok(false);
                    }
                    let moved = then(&to, &self.strong[by as usize].forth);
                    if self.absorb(moved, number, run)? {
                        // Deeper levels have changed.
                        number = self.levels.len();
                        continue 'levels;
                    }
                }
            }
        }
        Ok(true)
    }
}
