//! The states of the last layer: cubes that are solved except for the corners and edges of U.
//!
//! There are 4! · 3³ · 4! · 2³ / 2 = 62,208 of them. In [`CORNERS`](crate::cube::CORNERS) and
//! [`EDGES`](crate::cube::EDGES) the four locations of U come first.

use crate::cube::{Cube, Face, Turn};

/// The properties of the last layer that define a case. Two states belong to the same case if these properties are
/// equal, up to turns of U before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    /// The permutation of the corners.
    pub corners: bool,
    /// The twists of the corners.
    pub twists: bool,
    /// The permutation of the edges.
    pub edges: bool,
    /// The flips of the edges.
    pub flips: bool,
}

impl Seen {
    /// All properties.
    pub(crate) const ALL: Seen = Seen { corners: true, twists: true, edges: true, flips: true };
    /// Twists and flips.
    pub(crate) const ORIENTATION: Seen = Seen { corners: false, twists: true, edges: false, flips: true };
    /// Twists only.
    pub(crate) const TWISTS: Seen = Seen { flips: false, ..Seen::ORIENTATION };
    /// Corners and their twists.
    pub(crate) const CORNERS: Seen = Seen { corners: true, ..Seen::TWISTS };

    /// The compared properties of the four corners and the four edges of U.
    pub(crate) fn of(self, cube: &Cube) -> [u8; 8] {
        let part = |value: u8, piece: bool, turned: bool| {
            (if piece { value & 15 } else { 0 }) | (if turned { value & 0xf0 } else { 0 })
        };
        std::array::from_fn(|i| match i {
            0..4 => part(cube.corners()[i], self.corners, self.twists),
            _ => part(cube.edges()[i - 4], self.edges, self.flips),
        })
    }

    /// The least value of the compared properties, over all turns of U before and after: equal for equivalent states.
    pub(crate) fn key(self, cube: &Cube) -> [u8; 8] {
        turned(cube, true, true).map(|cube| self.of(&cube)).min().expect("there are sixteen")
    }
}

/// The cube after `quarters` quarter turns of U.
pub(crate) fn after_u(quarters: u8) -> Cube {
    match quarters % 4 {
        0 => Cube::SOLVED,
        quarters => *Cube::of_turn(Turn::new(Face::U, quarters)),
    }
}

/// The cubes `uʲ c uⁱ`: with turns of U before a solution (`i`), after it (`j`), or both.
pub(crate) fn turned(cube: &Cube, before: bool, after: bool) -> impl Iterator<Item = Cube> {
    let cube = *cube;
    let quarters = |is_free: bool| 0..if is_free { 4 } else { 1 };
    quarters(before)
        .flat_map(move |i| quarters(after).map(move |j| after_u(j).compose(&cube).compose(&after_u(i))))
}

/// Whether all but the last layer is solved.
pub(crate) fn is_last_layer(cube: &Cube) -> bool {
    cube.corners()[4..] == Cube::SOLVED.corners()[4..] && cube.edges()[4..] == Cube::SOLVED.edges()[4..]
}

/// All states of the last layer.
pub(crate) fn all() -> impl Iterator<Item = Cube> {
    let orders = orders();
    let corners: Vec<[u8; 4]> = orders.iter().flat_map(|&order| oriented(order, 3)).collect();
    let edges: Vec<[u8; 4]> = orders.iter().flat_map(|&order| oriented(order, 2)).collect();
    corners.into_iter().flat_map(move |corners| {
        // If the parities differ, the cube is not legal.
        edges.clone().into_iter().filter_map(move |edges| {
            let (mut all_corners, mut all_edges) = (*Cube::SOLVED.corners(), *Cube::SOLVED.edges());
            all_corners[..4].copy_from_slice(&corners);
            all_edges[..4].copy_from_slice(&edges);
            Cube::from_cubies(all_corners, all_edges).ok()
        })
    })
}

/// The 24 orders of four pieces.
fn orders() -> Vec<[u8; 4]> {
    let digits = (0..256u16).map(|n| [n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6].map(|digit| digit as u8));
    digits.filter(|order| (0..4).all(|piece| order.contains(&piece))).collect()
}

/// The pieces in this order, with all orientations that a legal cube can have.
fn oriented(order: [u8; 4], orientations: u8) -> impl Iterator<Item = [u8; 4]> {
    let first = (0..orientations.pow(3))
        .map(move |n| [n % orientations, n / orientations % orientations, n / orientations / orientations]);
    first.map(move |turns| {
        let last = (3 * orientations - turns.iter().sum::<u8>()) % orientations;
        std::array::from_fn(|i| order[i] | turns.get(i).unwrap_or(&last) << 4)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_state_occurs_once() {
        let states: Vec<Cube> = all().collect();
        assert_eq!(states.len(), 62_208);
        assert!(states.iter().all(is_last_layer));
        assert_eq!(states.iter().collect::<HashSet<_>>().len(), 62_208);
        assert!(!is_last_layer(&Cube::SOLVED.apply(Turn::new(Face::R, 1))));
    }

    #[test]
    fn states_that_differ_by_turns_of_u_are_equivalent() {
        let state = all().nth(54_321).unwrap();
        for other in turned(&state, true, true) {
            assert!(is_last_layer(&other));
            for seen in [Seen::ALL, Seen::ORIENTATION, Seen::TWISTS, Seen::CORNERS] {
                assert_eq!(seen.key(&other), seen.key(&state));
            }
        }
        assert_eq!(turned(&state, true, false).count(), 4);
        assert_eq!(turned(&state, false, false).collect::<Vec<_>>(), [state]);
    }
}
