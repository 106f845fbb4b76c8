//! Face turns, all or some of them, to open goals and to unions of goals.
//!
//! With chosen turns, every goal by its name or its pieces contains the solved cube. So a cube that the turns solve reaches a
//! goal by them, and the search ends. Whether another cube reaches one is a question that no count of a group answers, so it
//! is refused.

use super::lazy::Means;
use super::upper::{EAGER, wants_a_beam};
use super::whole::MOVE_RULES;
use super::{Ask, Found, SolverError, Strategy};
use crate::cube::{Cube, Turn};
use crate::heuristics::HeuristicSpec;
use crate::mask::{Goals, Mask};
use crate::metric::Metric;
use crate::moves::{Group, MoveSet};
use crate::notation::scramble::Move;
use crate::solver::GoalSolver;
use search_core::ida::{Config, Order};
use search_core::record::Used;
use search_core::table::TableError;

/// Creates the search for `goals` and loads all of its tables; `heuristic` chooses the heuristic of each mask.
pub(super) fn load(
    goals: &Goals,
    heuristic: impl Fn(&Mask) -> HeuristicSpec,
    metric: Metric,
    means: &Means<'_>,
) -> Result<GoalSolver, TableError> {
    let load = |mask: &Mask| super::whole::load(&heuristic(mask), metric, means.run.memory(), means);
    GoalSolver::new(goals.clone(), load)
}

impl Strategy for GoalSolver {
    fn planned(&self) -> Used {
        Used::one(self.heuristic(), self.tables())
    }

    fn pruning(&self) -> &'static str {
        MOVE_RULES
    }

    fn search(&self, ask: &Ask, means: &Means<'_>) -> Result<Found<Vec<Move>>, TableError> {
        let run = ask.limited(means.run);
        let search = |cube: &Cube, config: &Config| {
            if let Some(incumbent) = wants_a_beam(config) {
                self.offer_by_beam(cube, EAGER, incumbent, &run);
            }
            Ok((self.solve(cube, config, &run)?, self.planned()))
        };
        ask.between_ends((self.metric(), Order::Deepest), || self.planned(), search)
    }

    fn value(&self, cube: &Cube, _: &Means<'_>) -> Result<u8, TableError> {
        Ok(self.value(cube))
    }
}

/// The search with some face turns alone.
pub(super) struct SomeTurns {
    group: Group,
    /// For the cube held with every face at its own place.
    turns: Vec<Turn>,
    solver: GoalSolver,
}

impl SomeTurns {
    /// The search with the moves of `set`, which are `turns`, to the goals of `solver`.
    pub(super) fn new(set: MoveSet, turns: Vec<Turn>, solver: GoalSolver) -> SomeTurns {
        SomeTurns { group: Group::new(set), turns, solver }
    }
}

impl Strategy for SomeTurns {
    fn check(&self, ask: &Ask) -> Result<(), SolverError> {
        match self.group.element(&ask.held_cube()) {
            Some(_) => Ok(()),
            None => Err(SolverError::NotSolved(self.group.set().to_string())),
        }
    }

    fn planned(&self) -> Used {
        let heuristic = format!("{} with the moves {}", self.solver.heuristic(), self.group.set());
        Used::one(heuristic, self.solver.tables())
    }

    fn pruning(&self) -> &'static str {
        MOVE_RULES
    }

    fn search(&self, ask: &Ask, means: &Means<'_>) -> Result<Found<Vec<Move>>, TableError> {
        let run = ask.limited(means.run);
        let own: Vec<Turn> = self.turns.iter().map(|&turn| ask.held.from_held(turn)).collect();
        let search = |cube: &Cube, config: &Config| {
            Ok((self.solver.solve_with(&own, cube, config, &run)?, self.planned()))
        };
        ask.between_ends((self.solver.metric(), Order::Deepest), || self.planned(), search)
    }

    fn value(&self, cube: &Cube, _: &Means<'_>) -> Result<u8, TableError> {
        Ok(self.solver.value(cube))
    }
}
