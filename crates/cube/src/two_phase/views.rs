//! The six views of a cube: along three axes, and its inverse along these.

use super::coordinates::Maps;
use crate::cube::{Cube, Turn};
use crate::pdb::coset::SYMMETRIES;
use crate::symmetry::Symmetry;
use std::sync::OnceLock;

/// The rotation that brings an axis to that of H.
pub(super) fn to_axis_of(axis: usize) -> Symmetry {
    Symmetry::from_index(SYMMETRIES * axis)
}

/// One of the six searches: the cube as it is seen along an axis, or its inverse.
pub(super) struct View {
    pub cube: Cube,
    maps: OnceLock<Maps>,
    /// Takes turns of the view to turns of the cube, or of its inverse.
    back: Symmetry,
    pub is_inverse: bool,
}

impl View {
    /// The views of a cube, without those that are images of an earlier one.
    pub(super) fn all(cube: &Cube) -> Vec<View> {
        let mut views: Vec<View> = Vec::new();
        for view in View::with_images(cube) {
            let is_image = |symmetry: Symmetry| {
                let image = symmetry.conjugate(&view.cube);
                views.iter().any(|earlier| earlier.cube == image)
            };
            if !(0..SYMMETRIES).map(Symmetry::from_index).any(is_image) {
                views.push(view);
            }
        }
        views
    }

    fn with_images(cube: &Cube) -> impl Iterator<Item = View> {
        let of = move |is_inverse: bool| {
            (0..3).map(move |axis| {
                let to_axis = to_axis_of(axis);
                let seen = to_axis.conjugate(&if is_inverse { cube.inverse() } else { *cube });
                View { cube: seen, maps: OnceLock::new(), back: to_axis.inverse(), is_inverse }
            })
        };
        of(false).chain(of(true))
    }

    /// The coordinates of `q` and then the cube, from those of `q`.
    pub(super) fn maps(&self) -> &Maps {
        self.maps.get_or_init(|| Maps::before(&self.cube))
    }

    /// The turns that solve the cube, from turns that solve the view.
    pub(super) fn solution(&self, turns: &[Turn]) -> Vec<Turn> {
        let turns: Vec<Turn> = turns.iter().map(|&turn| self.back.turn(turn)).collect();
        if self.is_inverse { turns.iter().rev().map(|turn| turn.inverse()).collect() } else { turns }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::random_cube;
    use chacha20::ChaCha8Rng;
    use chacha20::rand_core::SeedableRng;

    #[test]
    fn symmetric_cubes_have_fewer_views() {
        let cube = random_cube(&mut ChaCha8Rng::seed_from_u64(54));
        let flipped = Cube { edges: Cube::SOLVED.edges.map(|edge| edge | 16), ..Cube::SOLVED };
        let turned = Cube::SOLVED.apply(Turn::from_index(0));
        let views = [cube, flipped, turned].map(|cube| View::all(&cube).len());
        assert_eq!(views, [6, 1, 2]);
    }
}
