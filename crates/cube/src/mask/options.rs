//! A goal as options describe it: by its name, or by what matters of some pieces.

use super::named::usual_front;
use super::{Alternative, Axis, ComparedByGoal, Goals, Mask, Matters, Named, Pieces};
use crate::cube::{Cube, Face};
use std::str::FromStr;

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

/// Faces in one place of the cube, of which any will do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faces(Vec<Face>);

/// A list of faces that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no face: expected letters of U, R, F, D, L and B, such as D or D,U, or any")]
pub struct UnknownFace(String);

impl FromStr for Faces {
    type Err = UnknownFace;

    fn from_str(text: &str) -> Result<Faces, UnknownFace> {
        if text == "any" {
            // The usual bottom first: its tables may exist.
            return Ok(Faces([Face::D, Face::U, Face::F, Face::R, Face::L, Face::B].to_vec()));
        }
        let face = |word: &str| {
            let found = Face::ALL.into_iter().find(|face| word.trim() == face.letter().to_string());
            found.ok_or_else(|| UnknownFace(word.trim().to_owned()))
        };
        text.split(',').map(face).collect::<Result<_, _>>().map(Faces)
    }
}

/// Goals by their names or a goal by its pieces, up to a final turn or not.
#[derive(Clone, Debug, Default)]
pub struct GoalOptions {
    /// The goals by their names, of which any will do.
    pub named: Vec<Named>,
    /// The faces at the bottom; D if there are none.
    pub bottom: Option<Faces>,
    /// The faces at the front, for goals by their names; F, or U where F is at the bottom or at the top, if there are
    /// none.
    pub front: Option<Faces>,
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
    /// A face at the front of nothing.
    #[error("a face at the front needs a goal by its name")]
    Front,
    /// No face at the front is adjacent to one at the bottom.
    #[error("the face at the front is at the bottom or at the top")]
    Holding,
    /// A final turn of the tops of several ways to hold the cube.
    #[error("a final turn of the top can be left open for one goal with one face at the bottom")]
    Tops,
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
        let goals = match (&self.named[..], self.pieces.mask()?) {
            ([_, ..], Some(_)) => return Err(InvalidGoal::NameAndPieces),
            ([], _) if self.front.is_some() => return Err(InvalidGoal::Front),
            ([], _) if self.bottom.is_some() && !self.auf => return Err(InvalidGoal::Bottom),
            ([_, ..], None) => Goals::of(self.held()?),
            ([], mask) => Goals::any(&[mask.unwrap_or_default().renamed(goal)]),
        };
        let is_open = self.auf || self.named.contains(&Named::Pll);
        if goals.only().is_some_and(Mask::is_complete) {
            return Err(InvalidGoal::Nothing);
        }
        match (is_open, &self.bottoms()[..], &self.named[..]) {
            (false, ..) => Ok(goals),
            (true, [bottom], [] | [_]) => Ok(goals.up_to_turn(bottom.opposite())?),
            (true, ..) => Err(InvalidGoal::Tops),
        }
    }

    fn bottoms(&self) -> Vec<Face> {
        self.bottom.as_ref().map_or_else(|| vec![Face::D], |faces| faces.0.clone())
    }

    /// The alternatives of all names in all ways to hold the cube, each once.
    fn held(&self) -> Result<Vec<Alternative>, InvalidGoal> {
        let mut alternatives: Vec<Alternative> = Vec::new();
        for bottom in self.bottoms() {
            let fronts =
                self.front.as_ref().map_or_else(|| vec![usual_front(bottom)], |faces| faces.0.clone());
            let held = fronts
                .iter()
                .flat_map(|&front| self.named.iter().filter_map(move |named| named.held(bottom, front)));
            for alternative in held.flatten() {
                if !alternatives.iter().any(|known| known.is_equivalent(&alternative)) {
                    alternatives.push(alternative);
                }
            }
        }
        if alternatives.is_empty() { Err(InvalidGoal::Holding) } else { Ok(alternatives) }
    }
}
