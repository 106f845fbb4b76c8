//! A goal as options describe it: by its name, or by what matters of some pieces.

use super::{Axis, ComparedByGoal, Goals, Mask, Matters, Named, Pieces};
use crate::cube::{Cube, Face};

/// The pieces that matter. If only pieces to ignore are named, all others matter; if pieces to solve are named, no
/// others do.
#[derive(Clone, Debug, Default)]
pub struct PieceOptions {
    /// Pieces that are solved.
    pub only: Option<Pieces>,
    /// Pieces whose position is solved.
    pub only_position: Option<Pieces>,
    /// Pieces whose orientation is solved, wherever they are.
    pub only_orientation: Option<Pieces>,
    /// Pieces that do not matter.
    pub ignore: Option<Pieces>,
    /// Pieces whose position does not matter.
    pub ignore_position: Option<Pieces>,
    /// Pieces whose orientation does not matter.
    pub ignore_orientation: Option<Pieces>,
    /// Sets of pieces that may change places among themselves.
    pub interchangeable: Vec<Pieces>,
    /// The axis of the corners' orientation.
    pub corner_axis: Option<Axis>,
    /// The axis of the edges' orientation.
    pub edge_axis: Option<Axis>,
}

/// A goal by its name or by its pieces, up to a final turn or not.
#[derive(Clone, Debug, Default)]
pub struct GoalOptions {
    /// The goal by its name.
    pub named: Option<Named>,
    /// The face at the bottom; D if there is none.
    pub bottom: Option<Face>,
    /// Whether a final turn of the top is left open.
    pub auf: bool,
    /// The pieces that matter, where there is no name.
    pub pieces: PieceOptions,
}

/// Options that describe no goal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidGoal {
    /// Pieces beside a name.
    #[error("a goal by its name already determines what is solved of each piece")]
    NameAndPieces,
    /// A face at the bottom of nothing.
    #[error("a face at the bottom needs a goal by its name or an open final turn")]
    Bottom,
    /// Two sets of interchangeable pieces overlap.
    #[error("two sets of interchangeable pieces have a piece in common")]
    Overlap,
    /// All pieces are ignored.
    #[error("nothing is left to solve")]
    Nothing,
    /// The goal compares the pieces of the top away from home.
    #[error(transparent)]
    Compared(#[from] ComparedByGoal),
}

impl PieceOptions {
    /// The mask; `None` if the options name nothing.
    ///
    /// # Errors
    /// [`InvalidGoal::Overlap`].
    pub fn mask(&self) -> Result<Option<Mask>, InvalidGoal> {
        let PieceOptions { only, only_position, only_orientation, ignore, .. } = *self;
        let PieceOptions { ignore_position, ignore_orientation, interchangeable: sets, .. } = self;
        let (none, alone) = (Pieces::NONE, [only, only_position, only_orientation]);
        let are_named =
            alone.iter().chain([&ignore, ignore_position, ignore_orientation]).any(Option::is_some);
        if !are_named && sets.is_empty() && self.corner_axis.or(self.edge_axis).is_none() {
            return Ok(None);
        }
        if (0..sets.len()).any(|i| sets[..i].iter().any(|other| other.meets(sets[i]))) {
            return Err(InvalidGoal::Overlap);
        }
        let all = if alone.iter().all(Option::is_none) { Pieces::ALL } else { none };
        let matters = |alone: Option<Pieces>, ignored: &Option<Pieces>| {
            let named = all.and(only.unwrap_or(none)).and(alone.unwrap_or(none));
            named.without(ignore.unwrap_or(none)).without(ignored.unwrap_or(none))
        };
        Ok(Some(Mask::of(&Matters {
            position: matters(only_position, ignore_position),
            orientation: matters(only_orientation, ignore_orientation),
            sets: sets.clone(),
            corner_axis: self.corner_axis.unwrap_or(Matters::ALL.corner_axis),
            edge_axis: self.edge_axis.unwrap_or(Matters::ALL.edge_axis),
        })))
    }
}

impl GoalOptions {
    /// The goals of cubes renamed so that `goal` is the solved one.
    ///
    /// # Errors
    /// [`InvalidGoal`].
    pub fn goals(&self, goal: &Cube) -> Result<Goals, InvalidGoal> {
        let bottom = self.bottom.unwrap_or(Face::D);
        let goals = match (self.named, self.pieces.mask()?) {
            (Some(_), Some(_)) => return Err(InvalidGoal::NameAndPieces),
            (None, _) if self.bottom.is_some() && !self.auf => return Err(InvalidGoal::Bottom),
            (Some(named), None) => named.goals(bottom),
            (None, mask) => Goals::any(&[mask.unwrap_or_default().renamed(goal)]),
        };
        if goals.only().is_some_and(Mask::is_complete) {
            return Err(InvalidGoal::Nothing);
        }
        match self.auf && self.named != Some(Named::Pll) {
            true => Ok(goals.up_to_turn(bottom.opposite())?),
            false => Ok(goals),
        }
    }
}
