//! Transformations as permutations of points: a place with an orientation.

use crate::model::{Orbit, OrbitTransformation, Transformation};

/// A permutation: the image of each point.
pub(super) type Permutation = Vec<u16>;

/// The points of some orbits: `first + orientations * place + orientation`.
#[derive(Clone, Debug)]
pub(super) struct Points {
    /// The first point, the places and the orientations of each orbit.
    orbits: Vec<(usize, usize, usize)>,
    count: usize,
}

impl Points {
    pub(super) fn new(orbits: &[Orbit]) -> Points {
        let mut count = 0;
        let orbits = orbits.iter().map(|orbit| {
            let first = count;
            count += orbit.pieces * orbit.orientations;
            (first, orbit.pieces, orbit.orientations)
        });
        Points { orbits: orbits.collect(), count }
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn permutation(&self, transformation: &Transformation) -> Permutation {
        let mut images = vec![0; self.count];
        for (&(first, _, orientations), part) in self.orbits.iter().zip(&transformation.orbits) {
            for (place, (&from, &turn)) in part.from.iter().zip(&part.turn).enumerate() {
                for orientation in 0..orientations {
                    let turned = (orientation + usize::from(turn)) % orientations;
                    let point = first + usize::from(from) * orientations + orientation;
                    images[point] = (first + place * orientations + turned) as u16;
                }
            }
        }
        images
    }

    pub(super) fn transformation(&self, images: &[u16]) -> Transformation {
        let parts = self.orbits.iter().map(|&(first, places, orientations)| {
            let (mut from, mut turn) = (vec![0; places], vec![0; places]);
            for source in 0..places {
                let image = usize::from(images[first + source * orientations]) - first;
                from[image / orientations] = source as u8;
                turn[image / orientations] = (image % orientations) as u8;
            }
            OrbitTransformation { from, turn, orientations: orientations as u8 }
        });
        Transformation { orbits: parts.collect() }
    }
}
