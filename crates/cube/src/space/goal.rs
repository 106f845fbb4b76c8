//! The goals that a mask accepts.

use super::{IDENTITY, Side, State};
use crate::lanes::Lanes;
use crate::mask::{Freedom, Kind, Mask};

/// The goals that a mask accepts.
#[derive(Clone, Debug)]
pub(super) struct Goal<V> {
    pub(super) mask: Mask,
    /// The bits of a cube by cubie that must be those of the solved cube, and their values.
    compared: [Side<V>; 2],
    /// Where a comparison does not suffice, the places of each corner and each edge: bit
    /// `orientation << 4 | location`.
    places: Option<[[u64; 16]; 2]>,
}

impl<V: Lanes> Goal<V> {
    pub(super) fn new(mask: Mask) -> Goal<V> {
        let compared = |kind: Kind, of: &Freedom| {
            V::load(std::array::from_fn(|i| if i < kind.count() { of.compared(kind, i) } else { 0 }))
        };
        let compared = Side {
            corners: compared(Kind::Corners, &mask.corners),
            edges: compared(Kind::Edges, &mask.edges),
        };
        let home = V::load(IDENTITY);
        let home = Side { corners: home.and(compared.corners), edges: home.and(compared.edges) };
        let suffices = mask.kinds().iter().all(|(kind, of)| of.is_compared(*kind));
        let places = |(kind, of): (Kind, &Freedom)| {
            std::array::from_fn(|i| if i < kind.count() { of.places(kind, i) } else { u64::MAX })
        };
        Goal { mask, compared: [compared, home], places: (!suffices).then(|| mask.kinds().map(places)) }
    }

    #[inline(always)]
    pub(super) fn accepts(&self, state: &State<V>) -> bool {
        let [compared, home] = &self.compared;
        let Side { corners, edges } = state.by_cubie();
        corners.and(compared.corners) == home.corners
            && edges.and(compared.edges) == home.edges
            && self.places.as_ref().is_none_or(|places| self.accepts_places(places, state))
    }

    /// The rest of the check, after the comparison.
    fn accepts_places(&self, places: &[[u64; 16]; 2], state: &State<V>) -> bool {
        let Side { corners, edges } = state.by_cubie();
        let is_fine = |(places, cubies): (&[u64; 16], V)| {
            places.iter().zip(cubies.store()).all(|(places, v)| places >> v & 1 == 1)
        };
        places.iter().zip([*corners, *edges]).all(is_fine)
            && self.mask.corners.accepts_permutation(&state.by_location().corners.store()[..8])
    }
}
