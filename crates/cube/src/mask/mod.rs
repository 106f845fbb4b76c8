//! Goals that leave something open: the positions or the orientations of some pieces.
//!
//! For each cubie, a mask defines whether its position matters (exactly, or up to exchanges within a set) and whether
//! its orientation matters. The goal is the set of all legal cubes that the mask [accepts](Mask::accepts): those that
//! differ from the solved cube only in what is left open.
//!
//! | file | contents |
//! | --- | --- |
//! | `pieces` | sets of pieces, and their names |
//! | `freedom` | what is left open of the corners or of the edges: classes, orientations, axes |
//! | `goals` | goals that are unions: up to a final turn, one of several masks |
//! | `options` | a goal as options describe it |
//! | `named` | the goals that have names: the cross, edge orientation, the first two layers, … |
//!
//! Techniques that need the solved cube as the only goal are not used: symmetries of the position, and the inverse
//! cube, which has another goal.

mod freedom;
mod goals;
mod named;
mod options;
mod pieces;

pub use freedom::Axis;
pub use freedom::Freedom;
pub use freedom::Kind;
pub(crate) use freedom::members;
pub(crate) use goals::Alternative;
pub use goals::ComparedByGoal;
pub use goals::Goals;
pub use named::{Named, UnknownGoal};
pub use options::{Faces, GoalOptions, InvalidGoal, PieceOptions, UnknownFace};
pub use pieces::Pieces;
pub use pieces::UnknownPiece;

use crate::cube::{Cube, EDGES, Face};
use crate::symmetry::Symmetry;
use std::fmt;

/// A goal that leaves positions or orientations of some pieces open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mask {
    /// The freedom of the corners.
    pub corners: Freedom,
    /// The freedom of the edges.
    pub edges: Freedom,
}

/// The requirements from which a mask is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matters {
    /// The pieces that must be at home.
    pub position: Pieces,
    /// The pieces that must be oriented, at home or not.
    pub orientation: Pieces,
    /// Sets of pieces that may change places among themselves, but with no others; disjoint.
    pub sets: Vec<Pieces>,
    /// The axis of the corners' orientation.
    pub corner_axis: Axis,
    /// The axis of the edges' orientation: quarter turns around it flip edges.
    pub edge_axis: Axis,
}

impl Matters {
    /// Everything matters, along the usual axes; a starting point for goals that relax some of it.
    pub const ALL: Matters = Matters {
        position: Pieces::ALL,
        orientation: Pieces::ALL,
        sets: Vec::new(),
        corner_axis: Kind::Corners.own_axis(),
        edge_axis: Kind::Edges.own_axis(),
    };

    /// Nothing matters.
    pub const NOTHING: Matters = Matters {
        position: Pieces::NONE,
        orientation: Pieces::NONE,
        sets: Vec::new(),
        corner_axis: Kind::Corners.own_axis(),
        edge_axis: Kind::Edges.own_axis(),
    };
}

impl Mask {
    /// The goal that ignores `ignored`, and the orientation of `turned`.
    pub fn new(ignored: Pieces, turned: Pieces) -> Mask {
        let (position, orientation) = (ignored.others(), ignored.and(turned).others());
        Mask::of(&Matters { position, orientation, ..Matters::ALL })
    }

    /// Creates the goal from its requirements. A piece in a set may have any home of the set, even if it is also among
    /// the pieces whose position matters.
    ///
    /// # Panics
    /// If two sets have a piece in common.
    pub fn of(matters: &Matters) -> Mask {
        let in_sets = matters.sets.iter().fold(Pieces::NONE, |all, set| all.and(*set));
        let free = matters.position.others().without(in_sets);
        let turned = matters.orientation.others();
        let sets = || matters.sets.iter().chain([&free]);
        let some = |set: &u16| *set != 0;
        let corners: Vec<u16> = sets().map(|set| set.corners).filter(some).collect();
        let edges: Vec<u16> = sets().map(|set| set.edges).filter(some).collect();
        Mask {
            corners: Freedom::new(Kind::Corners, &corners, turned.corners, matters.corner_axis),
            edges: Freedom::new(Kind::Edges, &edges, turned.edges, matters.edge_axis),
        }
    }

    /// The group of half turns, ⟨U2, D2, R2, L2, F2, B2⟩: corners in a permutation that half turns can make, edges in
    /// their slices, all oriented.
    ///
    /// Why these are all of its cubes: half turns preserve these properties. Conversely, they are known to make all 96
    /// of these permutations of the corners with all even permutations of the edges within the slices, 663,552 cubes;
    /// and all 96 permutations of the corners are even, so that of the edges is too.
    pub(crate) fn half_turns() -> Mask {
        let in_slice = |axis: Axis| Pieces { corners: 0, edges: slice(axis) };
        let sets = Axis::ALL.map(in_slice).to_vec();
        let edges = Mask::of(&Matters { sets, ..Matters::ALL }).edges;
        Mask { corners: Freedom::half_turn_corners(), edges }
    }

    /// Whether the goal is the solved cube alone.
    pub fn is_none(&self) -> bool {
        *self == Mask::default()
    }

    /// Whether every cube is a goal.
    pub fn is_complete(&self) -> bool {
        self.corners.is_complete(Kind::Corners) && self.edges.is_complete(Kind::Edges)
    }

    /// Whether `cube` is a goal.
    pub fn accepts(&self, cube: &Cube) -> bool {
        self.corners.accepts(Kind::Corners, &cube.corners) && self.edges.accepts(Kind::Edges, &cube.edges)
    }

    /// Whether both allow the same locations and orientations of each piece. Different masks may do so: within one
    /// layer, edges have the same orientation along two axes.
    pub(crate) fn is_equivalent(&self, other: &Mask) -> bool {
        self.kinds().into_iter().zip(other.kinds()).all(|((kind, one), (_, other))| {
            let is_alike = |cubie| one.places(kind, cubie) == other.places(kind, cubie);
            one.is_of_half_turns() == other.is_of_half_turns() && (0..kind.count()).all(is_alike)
        })
    }

    /// Whether the goal contains cubes of both parities (odd and even numbers of quarter turns).
    pub(crate) fn has_both_parities(&self) -> bool {
        self.corners.has_odd() && self.edges.has_odd()
    }

    /// Both freedoms with their kinds.
    pub(crate) fn kinds(&self) -> [(Kind, &Freedom); 2] {
        [(Kind::Corners, &self.corners), (Kind::Edges, &self.edges)]
    }

    /// The mask of the same pieces after renaming each piece by its location in `goal`, so that `goal` becomes the
    /// solved cube. The half-turn group names no pieces, so it stays the same.
    #[must_use]
    pub fn renamed(&self, goal: &Cube) -> Mask {
        let location = |at: &[u8], cubie: usize| {
            at.iter().position(|v| usize::from(v & 15) == cubie).expect("each cubie is somewhere")
        };
        Mask {
            corners: self.corners.renamed(Kind::Corners, |cubie| location(&goal.corners, cubie)),
            edges: self.edges.renamed(Kind::Edges, |cubie| location(&goal.edges, cubie)),
        }
    }

    /// The image under a symmetry: if it accepts a cube, the image accepts the cube's conjugate.
    #[must_use]
    pub(crate) fn image(&self, symmetry: Symmetry) -> Mask {
        let action = symmetry.action();
        let axis = |axis: Axis| Axis::of(action.face[axis as usize]);
        let corners = self.corners.renamed(Kind::Corners, |cubie| action.corner[cubie].into());
        let edges = self.edges.renamed(Kind::Edges, |cubie| action.edge[cubie].into());
        // In the half-turn group, corners are oriented relative to all axes or none.
        let corners = if corners.is_of_half_turns() { self.corners } else { corners.along(axis) };
        Mask { corners, edges: edges.along(axis) }
    }

    /// Whether every accepted cube is in the subgroup of the turns around `axis` and the half turns.
    pub(crate) fn is_within_domino(&self, axis: Axis) -> bool {
        let oriented = |kind: Kind, freedom: &Freedom, axis: Axis| {
            (0..kind.count()).all(|cubie| {
                let all = (0..kind.orientations()).flat_map(|own| (0..kind.count()).map(move |at| (own, at)));
                let mut allowed = all.filter(|&(own, at)| freedom.allows(kind, cubie, at, own));
                allowed.all(|(own, at)| kind.orientation(axis, cubie, at, own) == 0)
            })
        };
        let keeps_slice = |class: u16| class & slice(axis) == 0 || class & !slice(axis) == 0;
        let other = Axis::ALL.into_iter().find(|other| *other != axis).expect("there are three axes");
        oriented(Kind::Corners, &self.corners, axis)
            && oriented(Kind::Edges, &self.edges, other)
            && (0..Kind::Edges.count()).all(|cubie| keeps_slice(self.edges.class(cubie)))
    }
}

/// The edges of the middle slice across an axis: those on no face of it.
pub(crate) fn slice(axis: Axis) -> u16 {
    let is_in = |faces: &[Face; 2]| faces.iter().all(|&face| Axis::of(face) != axis);
    let edges = EDGES.iter().enumerate().filter(|(_, faces)| is_in(faces));
    edges.fold(0, |set, (i, _)| set | 1 << i)
}

impl fmt::Display for Mask {
    /// `ignore URF,UFL,UF,UR; any orientation of DR; any order of FR,FL,BL,BR`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces = |kind: Kind, set: u16| match kind {
            Kind::Corners => Pieces { corners: set, edges: 0 },
            Kind::Edges => Pieces { corners: 0, edges: set },
        };
        let (mut ignored, mut turned, mut orders, mut notes) =
            (Pieces::NONE, Pieces::NONE, Vec::new(), Vec::new());
        for (kind, freedom) in self.kinds() {
            let sets: Vec<u16> = freedom.sets().collect();
            let all_turned = freedom.turned();
            match sets[..] {
                [set] if set & !all_turned == 0 => {
                    ignored = ignored.and(pieces(kind, set));
                    turned = turned.and(pieces(kind, all_turned & !set));
                }
                _ => {
                    turned = turned.and(pieces(kind, all_turned));
                    orders.extend(sets.into_iter().map(|set| pieces(kind, set)));
                }
            }
            let kinds = ["corners", "edges"][kind as usize];
            if freedom.is_of_half_turns() {
                notes.push("corners permuted as half turns do".to_owned());
            } else if let Some(axis) = freedom.axis().filter(|axis| *axis != kind.own_axis()) {
                notes.push(format!("{kinds} oriented along {}", axis.name()));
            }
        }
        let parts = [("ignore ", ignored), ("any orientation of ", turned)].into_iter();
        let parts = parts.chain(orders.into_iter().map(|set| ("any order of ", set)));
        let parts = parts.filter(|(_, pieces)| *pieces != Pieces::NONE);
        let parts: Vec<String> = parts.map(|(what, pieces)| format!("{what}{pieces}")).chain(notes).collect();
        f.write_str(&parts.join("; "))
    }
}

#[cfg(test)]
mod tests;
