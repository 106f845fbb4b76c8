//! The options of a search: moves, a goal, moves fixed at the ends. All faults are reported at once.

use crate::refusal::{Fault, Refusal};
use cube::fmc::{self, Niss};
use cube::mask::{Faces, GoalOptions, Goals, Named};
use cube::moves::{InvalidSet, MoveSet};
use cube::notation;
use cube::strategy::Ends;
use cube::{Cube, Mask, Metric};
use serde::Deserialize;

/// The options as a user typed them. Every field is optional.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Typed {
    /// The metric: `htm`, `qtm`, `stm` or `axial`.
    metric: String,
    /// The moves that are allowed: `U R M`.
    moves: String,
    /// Goals by their names, of which any will do: `cross`, `eo,dr`.
    goal: String,
    /// The faces in the place of D, for the goals: `D`, `U,D`, `any`.
    bottom: String,
    /// The faces in the place of F, for goals that depend on it.
    front: String,
    /// Whether to accept the goal up to a final turn of the top.
    auf: bool,
    /// The first moves of every solution; moves in brackets are on the inverse scramble.
    pre: String,
    /// The last moves.
    post: String,
    /// The number of moves of a solution that are written on the inverse scramble.
    niss: usize,
}

/// The parsed options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The moves and the goals.
    pub way: Way,
    /// The fixed moves.
    pub ends: Ends,
    /// The number of moves of a solution that are written on the inverse scramble.
    pub niss: usize,
}

/// The options that determine the tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// All face turns, to any of some goals.
    Faces(Metric, Goals),
    /// A set of moves; turns of faces lead to any of some goals, others to the solved cube.
    Chosen(MoveSet, Goals),
}

/// The faults found so far.
#[derive(Default)]
struct Faults(Vec<Fault>);

impl Faults {
    fn add(&mut self, field: &str, fault: impl ToString) {
        self.0.push(Fault::new(format!("{field}: {}", fault.to_string())));
    }

    /// Returns the value, or records a fault.
    fn take<T, E: ToString>(&mut self, field: &str, read: Result<T, E>) -> Option<T> {
        read.map_err(|fault| self.add(field, fault)).ok()
    }
}

impl Typed {
    /// Parses the options.
    ///
    /// # Errors
    /// All faults of the options.
    pub fn read(&self) -> Result<Asked, Refusal> {
        let mut faults = Faults::default();
        let metric = faults.take("Metric", self.metric());
        let goals = faults.take("Goal", self.goals());
        let ends = self.ends(&mut faults);
        let moves = self.moves.trim();
        let set = if moves.is_empty() { None } else { self.set(metric, &mut faults) };
        let is_open = goals.as_ref().is_some_and(|goals| !goals.only().is_some_and(Mask::is_none));
        let is_chosen = !moves.is_empty() || metric.is_some_and(|metric| !metric.is_of_faces());
        let is_of_faces = metric.is_none_or(Metric::is_of_faces)
            && set.as_ref().is_none_or(|set| set.face_turns().is_some());
        if is_open && !is_of_faces {
            faults.add(
                "Goal",
                "the solved cube is the only goal with slices and wide turns or when two faces at once count as one move",
            );
        }
        if is_chosen && (!ends.are_free() || self.niss > 0) {
            faults.add(
                "First and last moves",
                "not available with chosen moves or when slices or two faces at once count as one move",
            );
        }
        if !is_chosen && is_open && (!ends.after.is_empty() || self.niss > 0) {
            faults.add(
                "Last moves",
                "last moves and moves on the inverse need a goal that leaves nothing open; \
                 fix only first moves",
            );
        }
        let (true, Some(metric), Some(goals)) = (faults.0.is_empty(), metric, goals) else {
            return Err(Refusal::Faults(faults.0));
        };
        let way = match set {
            Some(set) => Way::Chosen(set, goals),
            None if metric.is_of_faces() => Way::Faces(metric, goals),
            None => Way::Chosen(MoveSet::all(metric), goals),
        };
        Ok(Asked { way, ends, niss: self.niss })
    }

    fn metric(&self) -> Result<Metric, String> {
        let names = Metric::ALL.map(Metric::name);
        match self.metric.as_str() {
            "" => Ok(Metric::default()),
            name => {
                let found = Metric::ALL.into_iter().find(|metric| metric.name() == name);
                found.ok_or_else(|| format!("{name} is none of {}", names.join(", ")))
            }
        }
    }

    fn goals(&self) -> Result<Goals, String> {
        let faces = |text: &String| {
            let faces = (!text.is_empty()).then(|| text.parse::<Faces>()).transpose();
            faces.map_err(|error| error.to_string())
        };
        let named = (!self.goal.is_empty()).then(|| Named::list(&self.goal)).transpose();
        let options = GoalOptions {
            named: named.map_err(|error| error.to_string())?.unwrap_or_default(),
            // The page always names a bottom; it concerns open goals alone.
            bottom: faces(&self.bottom)?.filter(|_| self.auf || !self.goal.is_empty()),
            front: faces(&self.front)?.filter(|_| !self.goal.is_empty()),
            auf: self.auf,
            ..GoalOptions::default()
        };
        options.goals(&Cube::SOLVED).map_err(|error| error.to_string())
    }

    fn set(&self, metric: Option<Metric>, faults: &mut Faults) -> Option<MoveSet> {
        // As on the command line, slices determine the metric unless it is given.
        let metric = metric.filter(|_| !self.metric.is_empty());
        match MoveSet::parse(&self.moves, metric) {
            Ok(set) => Some(set),
            Err(InvalidSet::Fault(fault)) => {
                add_all(faults, "Moves", &fault);
                None
            }
            Err(error) => {
                faults.add("Moves", error);
                None
            }
        }
    }

    fn ends(&self, faults: &mut Faults) -> Ends {
        let mut read = |field: &str, text: &str| {
            let read = Niss::parse(text).map_err(|fault| add_all(faults, field, &fault));
            read.unwrap_or_default()
        };
        let (pre, post) = (read("First moves", &self.pre), read("Last moves", &self.post));
        if !post.inverse.is_empty() {
            faults.add(
                "Last moves",
                "moves in ( ) are on the inverse scramble: give them with the first moves",
            );
        } else if !post.normal.is_empty() && !pre.inverse.is_empty() {
            faults.add(
                "Last moves",
                "the first moves in ( ) already fix the last moves: leave out one of the two",
            );
        }
        let after = if post.normal.is_empty() { fmc::undo(&pre.inverse) } else { post.normal };
        Ends { before: pre.normal, after }
    }
}

fn add_all(faults: &mut Faults, field: &str, fault: &notation::Fault) {
    fault.defects.iter().for_each(|defect| faults.add(field, defect));
}
