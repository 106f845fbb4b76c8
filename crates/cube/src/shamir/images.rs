//! A cube as a permutation, given by 20 images with 24 values each.
//!
//! A cube maps each location to the cubie there and its orientation; as a map of pairs (location, orientation) it is a
//! permutation, and `a.compose(&b)` is the map `a` after the map `b`. The images of the 20 locations with orientation 0
//! determine all others. Corners and edges alternate in this order, so that lists branch early.

use crate::cube::Cube;

/// The number of images.
pub(crate) const IMAGES: usize = 20;

/// The number of values of an image: 8 corners with 3 orientations, or 12 edges with 2.
pub(crate) const VALUES: usize = 24;

/// The images of a cube, in the order that defines "lexicographic" in this module.
pub(crate) type Images = [u8; IMAGES];

/// The images of `cube`.
pub(crate) fn images(cube: &Cube) -> Images {
    std::array::from_fn(|place| match (kind(place), place / 2) {
        (0, at) => corner_value(cube.corners[at]),
        (_, at) => edge_value(cube.edges[if place < 16 { at } else { place - 8 }]),
    })
}

/// Whether the image at `place` is a corner (0) or an edge (1).
pub(crate) fn kind(place: usize) -> usize {
    if place < 16 { place % 2 } else { 1 }
}

fn corner_value(v: u8) -> u8 {
    (v & 15) * 3 + (v >> 4)
}

fn edge_value(v: u8) -> u8 {
    (v & 15) * 2 + (v >> 4)
}

/// A cube as the map of all 24 corner values and all 24 edge values.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Map([[u8; 32]; 2]);

impl Map {
    /// The map of `cube`.
    pub(crate) fn of(cube: &Cube) -> Map {
        let mut map = Map([[0; 32]; 2]);
        for value in 0..VALUES {
            let (corner, edge) = (cube.corners[value / 3], cube.edges[value / 2]);
            map.0[0][value] = (corner & 15) * 3 + ((corner >> 4) + value as u8 % 3) % 3;
            map.0[1][value] = edge_value(edge ^ (value as u8 % 2) << 4);
        }
        map
    }

    /// The images of the values of one kind.
    #[inline(always)]
    pub(crate) fn of_kind(&self, kind: usize) -> &[u8; 32] {
        &self.0[kind]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Turn;

    /// The images of a product are the images of the second factor, mapped by the first.
    #[test]
    fn maps_compose_like_cubes() {
        let (mut a, mut b) = (Cube::SOLVED, Cube::SOLVED);
        for i in 0..200 {
            a = a.apply(Turn::from_index(i * 7 % 18));
            b = b.apply(Turn::from_index(i * i % 17));
            let (map, second) = (Map::of(&a), images(&b));
            let product: Images = std::array::from_fn(|i| map.of_kind(kind(i))[second[i] as usize]);
            assert_eq!(product, images(&a.compose(&b)));
        }
    }
}
