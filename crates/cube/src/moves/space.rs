//! The cube under a set of moves as a search domain: where one facelet of each piece is.
//!
//! A state is 26 bytes: the place of one facelet of each corner, edge and centre. A move is a table of
//! 54 bytes, so every set, slices and centres included, is the same loop. It needs no vector instructions
//! and is several times slower than [`CubeSpace`](crate::space::CubeSpace), which has all face turns.

use super::group::{Group, all_facelets};
use super::permutation::{FACELETS, Permutation};
use crate::cube::{Cube, odd};
use crate::notation::facelets::of_corners;
use crate::space::CubeDomain;
use search_core::{Domain, Lengths, Op};

/// The number of pieces that are followed.
const PIECES: usize = 26;
/// The number of them that precede the corners.
const BEFORE_CORNERS: usize = 18;

/// Where the first facelet of each piece is, in the order of [`all_facelets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Places([u8; PIECES]);

impl Places {
    /// The places after an element of the group.
    pub(crate) fn of(element: &Permutation) -> Places {
        let facelets = all_facelets();
        Places(std::array::from_fn(|i| element.image(facelets[i])))
    }

    /// The place of the piece at this number.
    #[inline(always)]
    pub(crate) fn at(&self, piece: usize) -> u8 {
        self.0[piece]
    }
}

/// The domain.
#[derive(Clone, Debug)]
pub(crate) struct MoveSpace {
    /// Where each operator carries the facelets; padded to a power of two.
    images: Vec<[u8; 64]>,
    group: Group,
    solved: Vec<Places>,
    /// Whether every operator is an odd permutation of the corners.
    is_alternating: bool,
}

impl MoveSpace {
    /// The domain of a group.
    pub(crate) fn new(group: &Group) -> MoveSpace {
        let operators = group.set().operators().iter();
        let images = operators.clone().map(|operator| {
            let image = |facelet: usize| operator.effect.image((facelet % FACELETS) as u8);
            std::array::from_fn(image)
        });
        MoveSpace {
            group: group.clone(),
            images: images.collect(),
            solved: group.solved().iter().map(Places::of).collect(),
            is_alternating: operators.clone().all(|operator| has_odd_corners(&Places::of(&operator.effect))),
        }
    }

    /// Where an operator carries a facelet.
    #[inline(always)]
    pub(crate) fn image(&self, op: Op, facelet: u8) -> u8 {
        self.images[op.index()][usize::from(facelet & 63)]
    }
}

/// Whether the corners are an odd permutation. Rotations of the whole cube are even ones.
fn has_odd_corners(places: &Places) -> bool {
    let corners = of_corners();
    let location = |&facelet: &u8| {
        let at = corners.iter().position(|facelets| facelets.contains(&usize::from(facelet)));
        at.expect("corners go to corners") as u8
    };
    odd(&places.0[BEFORE_CORNERS..].iter().map(location).collect::<Vec<_>>())
}

impl CubeDomain for MoveSpace {
    fn state_of(&self, cube: &Cube) -> Places {
        Places::of(&self.group.element(cube).expect("a cube that the moves solve"))
    }

    fn move_count(&self) -> usize {
        self.images.len()
    }
}

impl Domain for MoveSpace {
    type State = Places;

    fn op_count(&self) -> usize {
        self.images.len()
    }

    #[inline(always)]
    fn apply(&self, state: &Places, op: Op) -> Places {
        let images = &self.images[op.index()];
        Places(state.0.map(|facelet| images[usize::from(facelet & 63)]))
    }

    #[inline(always)]
    fn is_goal(&self, state: &Places) -> bool {
        self.solved.contains(state)
    }

    fn lengths(&self, state: &Places) -> Lengths {
        if self.is_alternating { Lengths::parity(has_odd_corners(state)) } else { Lengths::ANY }
    }
}
