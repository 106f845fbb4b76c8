//! The settings of a solver, and the strategy that they determine.

use super::choice::{self, bytes};
use super::chosen::Chosen;
use super::fiat_shamir::FiatShamir;
use super::lazy::Means;

use super::whole::Whole;
use super::{Ask, Solver, Strategy, open};
use crate::heuristics::{HeuristicSpec, Instructions};
use crate::mask::{Goals, Mask};
use crate::metric::Metric;
use crate::moves::{Group, InvalidCosts, MoveSet, SetSolver, costs_of};
use crate::notation::scramble::Move;
use crate::solver::GoalSolver;
use search_core::ida::Wanted;
use search_core::table::{FileError, TableError, Tables};
use search_core::{Cancelled, Run};
use std::sync::Arc;

/// The reason why a solver that avoids tables is not available.
const NO_OTHERS: &str = "no tables but the avoided ones fit the memory budget";

/// The algorithms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// Iterative-deepening A\* with a heuristic.
    #[default]
    Ida,
    /// The search of Fiat, Moses, Shamir, Shimshoni and Tardos, without tables.
    Shamir,
}

impl Algorithm {
    /// Its name in certificates.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Ida => "ida",
            Algorithm::Shamir => "shamir",
        }
    }
}

/// The reason why a solver is not available or does not answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// A table is not available.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Settings that cannot be combined.
    #[error("{0}")]
    Unsupported(&'static str),
    /// Moves, by their names, that do not solve the cube.
    #[error("the moves {0} do not solve this cube, so it is not known whether they lead to the goal")]
    NotSolved(String),
}

/// The settings of a solver. By default it solves whole cubes in half turns, with the best heuristic for each cube.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SolverSetup {
    metric: Metric,
    moves: Option<MoveSet>,
    /// The cost of each operator of `moves`, for cheapest solutions.
    costs: Option<Vec<u32>>,
    pub(super) goals: Goals,
    pub(super) heuristic: Option<HeuristicSpec>,
    smaller: Vec<HeuristicSpec>,
    avoided: Vec<String>,
    pub(super) algorithm: Algorithm,
    is_at_once: bool,
    is_quick: bool,
    patience: f64,
    pub(super) names_progress: bool,
    pub(super) instructions: Instructions,
}

impl Default for SolverSetup {
    fn default() -> SolverSetup {
        SolverSetup::new()
    }
}

impl SolverSetup {
    /// The solver for whole cubes in half turns.
    pub fn new() -> SolverSetup {
        SolverSetup {
            metric: Metric::default(),
            moves: None,
            costs: None,
            goals: Goals::any(&[Mask::default()]),
            heuristic: None,
            smaller: Vec::new(),
            avoided: Vec::new(),
            algorithm: Algorithm::default(),
            is_at_once: false,
            is_quick: false,
            patience: choice::PATIENCE,
            names_progress: false,
            instructions: Instructions::Best,
        }
    }

    /// Sets the metric: all of its moves are allowed.
    #[must_use]
    pub fn metric(self, metric: Metric) -> SolverSetup {
        SolverSetup { metric, moves: None, costs: None, ..self }
    }

    /// Sets the allowed moves, instead of all moves of a metric. They lead to the solved cube in any orientation; turns of
    /// faces alone also to other goals.
    #[must_use]
    pub fn moves(self, moves: MoveSet) -> SolverSetup {
        SolverSetup { moves: Some(moves), costs: None, ..self }
    }

    /// Sets the allowed moves, each with a cost. The solver finds one cheapest solution, and all lengths and bounds of
    /// requests and answers are costs.
    ///
    /// # Errors
    /// [`InvalidCosts`] if a move costs nothing, or if its cost depends on the moves before.
    pub fn moves_with_costs(
        self,
        moves: MoveSet,
        cost: impl Fn(Move) -> u32,
    ) -> Result<SolverSetup, InvalidCosts> {
        Ok(SolverSetup { costs: Some(costs_of(&moves, cost)?), moves: Some(moves), ..self })
    }

    /// Sets the goals.
    #[must_use]
    pub fn goals(self, goals: Goals) -> SolverSetup {
        SolverSetup { goals, ..self }
    }

    /// Sets the heuristic for goals that are single cubes; `None` uses the best one for each cube.
    #[must_use]
    pub fn heuristic(self, heuristic: impl Into<Option<HeuristicSpec>>) -> SolverSetup {
        SolverSetup { heuristic: heuristic.into(), ..self }
    }

    /// Sets the heuristics to try in order if there is not enough memory for the named one.
    #[must_use]
    pub fn or_smaller(self, smaller: Vec<HeuristicSpec>) -> SolverSetup {
        SolverSetup { smaller, ..self }
    }

    /// Avoids the tables of these names: whole cubes are solved with one heuristic of another family than theirs, unless a
    /// heuristic is named; goals that leave something open and sets of moves with other patterns.
    #[must_use]
    pub fn avoiding(self, tables: impl IntoIterator<Item = String>) -> SolverSetup {
        SolverSetup { avoided: tables.into_iter().collect(), ..self }
    }

    /// Sets the algorithm.
    #[must_use]
    pub fn algorithm(self, algorithm: Algorithm) -> SolverSetup {
        SolverSetup { algorithm, ..self }
    }

    /// Uses one heuristic for all cubes, whose tables are loaded with the solver: no search waits for a table or begins
    /// with a smaller one. (The tables of a set of moves are loaded when they are needed, or by [`Solver::prepare`].)
    #[must_use]
    pub fn at_once(self) -> SolverSetup {
        SolverSetup { is_at_once: true, ..self }
    }

    /// Sets the longest time in seconds for which tables are built without being requested; a minute by default.
    #[must_use]
    pub fn patience(self, seconds: f64) -> SolverSetup {
        SolverSetup { patience: seconds, ..self }
    }

    /// Prepares for first good solutions: for whole cubes, where the two-phase search finds them, one heuristic is chosen
    /// whose tables exist or that needs none, so that no solution waits for tables to be built.
    #[must_use]
    pub fn for_quick_answers(self) -> SolverSetup {
        SolverSetup { is_quick: true, ..self }
    }

    /// Lets the progress of loading begin with the name of the heuristic.
    #[must_use]
    pub fn naming_progress(self) -> SolverSetup {
        SolverSetup { names_progress: true, ..self }
    }

    /// Sets the vector instructions of searches with face turns, for measurements; the best of this machine by default.
    #[must_use]
    pub fn instructions(self, instructions: Instructions) -> SolverSetup {
        SolverSetup { instructions, ..self }
    }

    /// Creates the solver. Tables come from `tables`, which builds missing ones, within the memory of `run`.
    ///
    /// # Errors
    /// [`SolverError::Table`] of the first table that is not available, and [`SolverError::Unsupported`].
    pub fn load(mut self, tables: impl Tables + 'static, run: &Run<'_>) -> Result<Solver, SolverError> {
        let means = Means {
            tables: &tables,
            run,
            names_progress: self.names_progress,
            instructions: self.instructions,
        };
        let mut smaller = std::mem::take(&mut self.smaller).into_iter();
        let (moves, strategy) = loop {
            let (error, next) = match self.strategy(&means) {
                Ok(found) => break found,
                Err(error) if is_of_memory(&error) => (error, smaller.next()),
                Err(error) => return Err(error),
            };
            let bytes = self.heuristic.iter().map(|spec| bytes(&spec.tables(self.metric))).sum::<u64>();
            let megabytes = bytes.div_ceil(1_000_000);
            run.progress().note(&format!("not enough memory for the {megabytes} MB table"));
            self.heuristic = Some(next.ok_or(error)?);
        };
        Ok(Solver { setup: self, moves, tables: Arc::new(tables), strategy })
    }

    /// The moves, and the strategy that searches with them.
    fn strategy(&self, means: &Means<'_>) -> Result<(MoveSet, Box<dyn Strategy>), SolverError> {
        let is_whole = self.goals.only().is_some_and(Mask::is_none);
        let set =
            self.moves.clone().or_else(|| (!self.metric.is_of_faces()).then(|| MoveSet::all(self.metric)));
        self.check_combination(is_whole, set.as_ref())?;
        if let Some(set) = set {
            if let Some(turns) = set.face_turns().filter(|_| !is_whole) {
                let solver = self.open(set.metric(), means)?;
                return Ok((set.clone(), Box::new(open::SomeTurns::new(set, turns, solver))));
            }
            let has_others = || SetSolver::has_tables(Group::new(set.clone()), &self.avoided, means.run);
            if !self.avoided.is_empty() && !has_others() {
                return Err(SolverError::Unsupported(NO_OTHERS));
            }
            return Ok((set.clone(), Box::new(Chosen::new(set, self.costs.clone(), self.avoided.clone()))));
        }
        let metric = self.metric;
        let strategy: Box<dyn Strategy> = match (&self.heuristic, self.algorithm) {
            (_, Algorithm::Shamir) => Box::new(FiatShamir(metric)),
            (Some(spec), _) if is_whole => Box::new(Whole::with_one(spec.clone(), metric, means)?),
            (None, _) if is_whole && !self.avoided.is_empty() => {
                let spec = choice::another(&self.avoided, metric, means.tables, means.run);
                Box::new(Whole::with_one(spec, metric, means)?)
            }
            (None, _) if is_whole && (self.is_at_once || self.is_quick) => {
                let seconds = if self.is_quick { 0.0 } else { choice::PATIENCE };
                let spec = choice::strongest_within(seconds, metric, means.tables, means.run);
                Box::new(Whole::with_one(spec, metric, means)?)
            }
            (None, _) if is_whole => Box::new(Whole::automatic(metric, means)?),
            _ => Box::new(self.open(metric, means)?),
        };
        Ok((MoveSet::all(metric), strategy))
    }

    /// The search for goals that leave something open.
    fn open(&self, metric: Metric, means: &Means<'_>) -> Result<GoalSolver, SolverError> {
        let another =
            |mask: &Mask| choice::another_for_goal(mask, &self.avoided, metric, means.tables, means.run);
        let mut masks = self.goals.alternatives().iter().map(|alternative| &alternative.mask);
        if !self.avoided.is_empty() && masks.any(|mask| another(mask).is_none()) {
            return Err(SolverError::Unsupported(NO_OTHERS));
        }
        let heuristic = |mask: &Mask| match &self.heuristic {
            Some(spec) if mask.is_none() => spec.clone(),
            _ if !self.avoided.is_empty() => another(mask).expect("there is one, as was checked"),
            _ => choice::for_goal(mask, self.patience, metric, means.tables, means.run),
        };
        Ok(open::load(&self.goals, heuristic, metric, means)?)
    }

    /// Rejects settings that cannot be combined.
    fn check_combination(&self, is_whole: bool, set: Option<&MoveSet>) -> Result<(), SolverError> {
        let is_set = set.is_some();
        let needs_whole = self.costs.is_some() || set.is_some_and(|set| set.face_turns().is_none());
        let is_shamir = self.algorithm == Algorithm::Shamir;
        let has_whole = self.goals.masks().iter().any(Mask::is_none);
        let refused = [
            (
                "sets of moves have tables of their own: no heuristic can be named",
                is_set && self.heuristic.is_some(),
            ),
            (
                "only turns of faces without costs lead to a goal that leaves something open",
                needs_whole && !is_whole,
            ),
            ("the Fiat-Shamir search is for face turns", is_set && is_shamir),
            ("the Fiat-Shamir search uses no heuristic", is_shamir && self.heuristic.is_some()),
            ("the Fiat-Shamir search needs a goal that leaves nothing open", is_shamir && !is_whole),
            (
                "a goal that leaves something open has its own heuristic",
                !has_whole && self.heuristic.is_some(),
            ),
        ];
        refuse(&refused)
    }

    /// Rejects requests that this solver does not support.
    pub(super) fn check(&self, ask: &Ask) -> Result<(), SolverError> {
        let is_set = self.moves.is_some() || !self.metric.is_of_faces();
        let is_whole = self.goals.only().is_some_and(Mask::is_none);
        let is_shamir = self.algorithm == Algorithm::Shamir;
        refuse(&[
            ("fixed moves are for face turns", is_set && !ask.ends.are_free()),
            ("last moves can be fixed for the solved cube alone", !is_whole && !ask.ends.after.is_empty()),
            ("symmetries do not preserve fixed moves", ask.is_up_to_symmetry && !ask.ends.are_free()),
            (
                "symmetries do not preserve goals that leave something open",
                ask.is_up_to_symmetry && !is_whole,
            ),
            ("a search by costs finds one solution", self.costs.is_some() && ask.searched() != Wanted::First),
            ("the Fiat-Shamir search finds one solution", is_shamir && ask.searched() != Wanted::First),
        ])
    }
}

/// Returns the error of the first reason that applies.
fn refuse(reasons: &[(&'static str, bool)]) -> Result<(), SolverError> {
    match reasons.iter().find(|(_, is_asked)| *is_asked) {
        Some((reason, _)) => Err(SolverError::Unsupported(reason)),
        None => Ok(()),
    }
}

/// Whether there was not enough memory for a table.
fn is_of_memory(error: &SolverError) -> bool {
    use FileError::{Memory, OverBudget};
    matches!(error, SolverError::Table(TableError { problem: Memory(_) | OverBudget { .. }, .. }))
}
