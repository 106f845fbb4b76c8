//! Goals that are unions of the goals of several masks.
//!
//! **Up to a final turn.** Let `A` be what a mask accepts and `u` a quarter turn of a face. A cube `c` is a goal up to
//! turns of the face if `c uʲ` is in `A` for some `j`, that is, if `uʲ c` is in `uʲ A u⁻ʲ`. That set is what another
//! mask accepts: the one that names each piece by its location after `uʲ`. So for each `j` the cube `uʲ c` is solved
//! for an ordinary goal, with all its heuristics; if nothing else is open, for the solved cube. A turn that preserves
//! `A` needs no search of its own.
//!
//! The turn must not change orientations that the mask compares away from home; otherwise no mask accepts `uʲ A u⁻ʲ`.
//! Turns around the axis preserve those of corners, turns around the other axes those of edges.

use super::{Axis, Kind, Mask};
use crate::cube::{Cube, Face, Turn};
use crate::symmetry::Symmetry;
use std::fmt;

/// One of the goals of a union: a cube `c` is a goal if the mask accepts `before · c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Alternative {
    /// The cube that is composed before the cube to solve.
    pub before: Cube,
    /// The mask that must accept the product.
    pub mask: Mask,
}

/// A union of one or more goals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goals {
    alternatives: Vec<Alternative>,
    /// The masks, without the final turn.
    masks: Vec<Mask>,
    face: Option<Face>,
}

/// A final turn would change what the goal compares away from home.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a final turn of {} cannot be left open: it changes {compared}, which the goal compares away from home", .face.letter())]
pub struct ComparedByGoal {
    face: Face,
    compared: &'static str,
}

impl Goals {
    /// The goals of any of `masks`.
    ///
    /// # Panics
    /// If there is none.
    pub fn any(masks: &[Mask]) -> Goals {
        Goals::of(masks.iter().map(|&mask| Alternative::from(mask)).collect())
    }

    /// The goals of any of these alternatives.
    ///
    /// # Panics
    /// If there is none.
    pub(super) fn of(alternatives: Vec<Alternative>) -> Goals {
        assert!(!alternatives.is_empty(), "a goal has at least one alternative");
        let mut masks: Vec<Mask> = Vec::new();
        for Alternative { mask, .. } in &alternatives {
            if !masks.contains(mask) {
                masks.push(*mask);
            }
        }
        Goals { alternatives, masks, face: None }
    }

    /// The same goals up to a final turn of `face`.
    ///
    /// # Errors
    /// If the turn changes orientations that are compared away from home.
    pub fn up_to_turn(self, face: Face) -> Result<Goals, ComparedByGoal> {
        let mut alternatives = Vec::new();
        for &Alternative { before, mask } in &self.alternatives {
            for (kind, freedom) in mask.kinds() {
                let is_around = freedom.axis().map(|axis| axis == Axis::of(face));
                let is_kept = is_around.is_none_or(|is_around| is_around == (kind == Kind::Corners));
                if freedom.is_of_half_turns() {
                    return Err(ComparedByGoal { face, compared: "the permutation of corners" });
                }
                if !is_kept {
                    let compared = ["the orientation of corners", "the orientation of edges"][kind as usize];
                    return Err(ComparedByGoal { face, compared });
                }
            }
            for quarters in 0..4 {
                let turn = (quarters > 0).then(|| Turn::new(face, quarters));
                let is_kept_by = |turn| mask.kinds().iter().all(|(kind, of)| of.is_kept_by(*kind, turn));
                // If a smaller turn preserves the goals, greater ones repeat earlier ones.
                if (1..=quarters).any(|smaller| is_kept_by(Turn::new(face, smaller))) {
                    break;
                }
                let made = Cube::SOLVED.apply_all(turn);
                let mask = mask.renamed(&made.inverse());
                alternatives.push(Alternative { before: made.compose(&before), mask });
            }
        }
        Ok(Goals { alternatives, face: Some(face), ..self })
    }

    /// The alternatives.
    pub(crate) fn alternatives(&self) -> &[Alternative] {
        &self.alternatives
    }

    /// The mask, if there is only one and no final turn.
    pub fn only(&self) -> Option<&Mask> {
        match &self.alternatives[..] {
            [Alternative { before, mask }] if before.is_solved() => Some(mask),
            _ => None,
        }
    }

    /// Whether what the masks accept, up to the final turn, is only a part of the goals: then the other alternatives are
    /// cosets of it.
    pub fn has_cosets(&self) -> bool {
        self.face.is_none() && self.alternatives.iter().any(|alternative| !alternative.before.is_solved())
    }

    /// The masks, without the final turn.
    pub fn masks(&self) -> &[Mask] {
        &self.masks
    }

    /// The face of the final turn, if it is left open.
    pub(crate) fn face(&self) -> Option<Face> {
        self.face
    }

    /// Whether `cube` is a goal.
    pub fn accepts(&self, cube: &Cube) -> bool {
        self.alternatives.iter().any(|alternative| alternative.accepts(cube))
    }
}

impl From<Mask> for Alternative {
    fn from(mask: Mask) -> Alternative {
        Alternative { before: Cube::SOLVED, mask }
    }
}

impl Alternative {
    /// The image under a symmetry: if this alternative accepts a cube, the image accepts the cube's conjugate.
    #[must_use]
    pub(super) fn image(&self, symmetry: Symmetry) -> Alternative {
        Alternative { before: symmetry.conjugate(&self.before), mask: self.mask.image(symmetry) }
    }

    /// Whether both accept the same cubes. What their masks accept must be groups, unless both are masks alone.
    pub(super) fn is_equivalent(&self, other: &Alternative) -> bool {
        self.mask.is_equivalent(&other.mask) && self.accepts(&other.before.inverse())
    }

    /// Whether this alternative accepts `cube`.
    pub(crate) fn accepts(&self, cube: &Cube) -> bool {
        self.mask.accepts(&self.before.compose(cube))
    }
}

impl fmt::Display for Goals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let masks: Vec<String> = self.masks.iter().map(Mask::to_string).collect();
        f.write_str(&masks.join(" | "))?;
        if self.has_cosets() {
            write!(f, " in {} cosets", self.alternatives.len())?;
        }
        self.face.map_or(Ok(()), |face| write!(f, " up to {}", face.letter()))
    }
}
