//! Face turns to open goals and to unions of goals.

use super::lazy::Means;
use super::upper::{EAGER, wants_a_beam};
use super::whole::MOVE_RULES;
use super::{Ask, Found, Strategy};
use crate::cube::Cube;
use crate::heuristics::HeuristicSpec;
use crate::mask::{Goals, Mask};
use crate::metric::Metric;
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
