//! The stored lists: all distinct permutations at each small depth.
//!
//! Each layer is sorted by images, so a permutation is found by binary search, and the word that leads to it is found
//! backward: some generator leads to it from the previous layer.

use super::images::{Images, images};
use crate::cube::{Cube, Turn};

/// The cubes at depth 0, 1, 2, ... from the solved one, by breadth-first search.
#[derive(Clone, Debug)]
pub(crate) struct Layers {
    generators: Vec<Turn>,
    layers: Vec<Vec<Cube>>,
}

impl Layers {
    /// The solved cube alone.
    pub(crate) fn new(generators: Vec<Turn>) -> Layers {
        Layers { generators, layers: vec![vec![Cube::SOLVED]] }
    }

    /// Adds layers until there is one at `depth`.
    pub(crate) fn extend_to(&mut self, depth: usize) {
        while self.layers.len() <= depth {
            let last = self.layers.last().expect("there is a layer at depth 0");
            let next = last.iter().flat_map(|cube| self.generators.iter().map(|&turn| cube.apply(turn)));
            let mut next: Vec<Cube> = next.filter(|cube| !self.contains(cube)).collect();
            next.sort_unstable_by_key(images);
            next.dedup();
            self.layers.push(next);
        }
    }

    /// The cubes at exactly `depth`, sorted by images.
    ///
    /// # Panics
    /// If there is no such layer yet.
    pub(crate) fn at(&self, depth: usize) -> &[Cube] {
        &self.layers[depth]
    }

    /// A shortest word that leads to `cube`, a cube of the layer at `depth`.
    ///
    /// # Panics
    /// If it is not a cube of that layer.
    pub(crate) fn word(&self, cube: &Cube, depth: usize) -> Vec<Turn> {
        let mut word = Vec::with_capacity(depth);
        let mut cube = *cube;
        for layer in self.layers[..depth].iter().rev() {
            let leads_back = |turn: &&Turn| finds(layer, &images(&cube.apply(turn.inverse())));
            let turn = self.generators.iter().find(leads_back).expect("every cube has one before it");
            word.push(*turn);
            cube = cube.apply(turn.inverse());
        }
        word.reverse();
        word
    }

    fn contains(&self, cube: &Cube) -> bool {
        let images = images(cube);
        self.layers.iter().rev().any(|layer| finds(layer, &images))
    }
}

fn finds(layer: &[Cube], wanted: &Images) -> bool {
    layer.binary_search_by_key(wanted, images).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Metric;

    #[test]
    fn layers_have_the_known_sizes_and_words_lead_to_their_cubes() {
        for (metric, sizes) in
            [(Metric::Htm, &[1, 18, 243, 3240][..]), (Metric::Qtm, &[1, 12, 114, 1068, 10011][..])]
        {
            let mut layers = Layers::new(metric.turns().to_vec());
            layers.extend_to(sizes.len() - 1);
            for (depth, &size) in sizes.iter().enumerate() {
                assert_eq!(layers.at(depth).len(), size);
                for cube in layers.at(depth).iter().step_by(17) {
                    let word = layers.word(cube, depth);
                    assert_eq!((word.len(), Cube::SOLVED.apply_all(word)), (depth, *cube));
                }
            }
        }
    }
}
