//! Face turns to the solved cube: with one heuristic, or with a small table first and the large one when it pays, or with
//! the [fallback heuristic](super::fallback) for symmetric cubes.

use super::choice::{bytes, first_stage, strongest};
use super::fallback::Fallback;
use super::lazy::{Lazy, Means};
use super::stages::{Stages, in_two_stages};
use super::upper::{EAGER, Upper};
use super::{Ask, Found, Strategy};
use crate::cube::{Cube, Turn};
use crate::heuristics::HeuristicSpec;
use crate::heuristics::engine::SharedSearch;
use crate::metric::Metric;
use crate::notation::Orientation;
use crate::notation::scramble::{Move, held_moves};
use crate::solver::{FaceSolver, Improve};
use crate::space;
use crate::two_phase::TwoPhase;
use search_core::ida::{Config, Look, Order};

use search_core::record::{HeuristicStage, TableUse, Used};
use search_core::table::{Recipe, TableError};
use search_core::{Op, Run};

/// The search changes to the large tables before a bound that will probably take more nodes than they have units of this
/// many bytes: about as many as two cores search in the seconds that loading takes.
const BYTES_PER_NODE: u64 = 64;

/// The move rules, for certificates.
pub(super) const MOVE_RULES: &str = "move rules: no face twice in a row, opposite faces in one order";

/// The search for the solved cube.
pub(super) struct Whole {
    metric: Metric,
    /// The heuristic that searches alone, or after the first stage.
    spec: HeuristicSpec,
    solver: Lazy<FaceSolver>,
    first: Option<FirstStage>,
    fallback: Option<Fallback>,
    upper: Upper,
}

/// The heuristic with small tables.
struct FirstStage {
    solver: FaceSolver,
    most_nodes: u64,
    /// The tables of the second stage, as their headers describe them.
    large: Vec<TableUse>,
}

/// The heuristic and the tables of one solver.
pub(super) fn used(solver: &FaceSolver) -> Used {
    Used::one(solver.heuristic().to_string(), solver.tables())
}

/// Loads a heuristic within this much memory.
pub(super) fn load(
    spec: &HeuristicSpec,
    metric: Metric,
    memory: u64,
    means: &Means<'_>,
) -> Result<FaceSolver, TableError> {
    means.load(&spec.to_string(), memory, |tables, run| {
        FaceSolver::load(spec, metric, means.instructions, tables, run)
    })
}

impl Whole {
    /// The search with one heuristic, loaded now.
    pub(super) fn with_one(
        spec: HeuristicSpec,
        metric: Metric,
        means: &Means<'_>,
    ) -> Result<Whole, TableError> {
        let upper = Upper::new(metric);
        let whole = Whole { metric, spec, solver: Lazy::new(), first: None, fallback: None, upper };
        whole.solver(means)?;
        Ok(whole)
    }

    /// The search with the heuristic that suits each cube: the strongest one, after a small table if its own are large,
    /// or the fallback heuristic.
    pub(super) fn automatic(metric: Metric, means: &Means<'_>) -> Result<Whole, TableError> {
        let spec = strongest(metric, means.tables, means.run);
        let fallback = Fallback::new(metric, means);
        let Some(small) = first_stage(&spec, metric, means.tables, means.run) else {
            return Ok(Whole { fallback, ..Whole::with_one(spec, metric, means)? });
        };
        let ids = spec.tables(metric);
        let first = FirstStage {
            solver: load(&small, metric, means.run.memory(), means)?,
            most_nodes: bytes(&ids) / BYTES_PER_NODE,
            large: ids.iter().map(|id| means.tables.used(&id.name())).collect(),
        };
        let upper = Upper::new(metric);
        Ok(Whole { metric, spec, solver: Lazy::new(), first: Some(first), fallback, upper })
    }

    /// The solver with the strongest heuristic.
    fn solver(&self, means: &Means<'_>) -> Result<&FaceSolver, TableError> {
        self.solver.get_or_load(|| {
            let small = self.first.iter().flat_map(|first| first.solver.heuristic().tables(self.metric));
            let memory = means.run.memory().saturating_sub(small.map(|id| id.bytes()).sum());
            load(&self.spec, self.metric, memory, means)
        })
    }

    fn search(
        &self,
        ask: &Ask,
        cube: &Cube,
        config: &Config,
        means: &Means<'_>,
    ) -> Result<Found<Vec<Turn>>, TableError> {
        let improve = self.upper.beside(cube, &self.spec, means);
        if let (Some(incumbent), false) = (&config.incumbent, self.improves())
            && config.within > 0
        {
            let look = Look { nodes: EAGER, is_first: true, is_eager: true };
            improve.improve(look, incumbent, &ask.limited(means.run));
        }
        let improve = (config.incumbent.is_some() && self.improves()).then_some(&improve as &dyn Improve);
        let solve = |solver: &FaceSolver, config: &Config, run: &Run<'_>| {
            Ok((solver.solve_improving(cube, config, improve, run)?, used(solver)))
        };
        if ask.time_limit.is_some() {
            return solve(self.solver(means)?, config, &ask.limited(means.run));
        }
        if let Some(fallback) = &self.fallback
            && ask.wants_shortest()
        {
            let usual = |trial: &Config| {
                let first = self.first.as_ref().map(|first| Ok(&first.solver));
                solve(first.unwrap_or_else(|| self.solver(means))?, trial, means.run)
            };
            if let Some(found) = fallback.search(cube, config, improve, means, usual)? {
                return Ok(found);
            }
        }
        match (&self.first, self.solver.get()) {
            (Some(first), None) => self.in_stages(first, (cube, config), improve, means),
            _ => solve(self.solver(means)?, config, means.run),
        }
    }

    /// Whether upper bounds are improved during the search. A heuristic of the papers has a search of its own.
    fn improves(&self) -> bool {
        self.spec.specification().order() != Order::Operators
    }

    /// Searches with the small table first. Once the large tables are loaded, they serve all cubes.
    fn in_stages(
        &self,
        first: &FirstStage,
        cube: (&Cube, &Config),
        improve: Option<&dyn Improve>,
        means: &Means<'_>,
    ) -> Result<Found<Vec<Turn>>, TableError> {
        let next = || self.solver(means);
        let Stages { report, handed_over } =
            in_two_stages(&first.solver, first.most_nodes, next, cube, improve, means.run)?;
        let begun = report.iterations.first().map(|iteration| iteration.bound);
        let used = match (handed_over, begun) {
            (None, _) => used(&first.solver),
            (Some(from), Some(begun)) if begun < from => {
                let stage = |spec: &HeuristicSpec, from| HeuristicStage { heuristic: spec.to_string(), from };
                let stages = vec![stage(first.solver.heuristic(), begun), stage(&self.spec, from)];
                self.both(first, stages)
            }
            _ => Used::one(self.spec.to_string(), &first.large),
        };
        Ok((report, used))
    }

    /// The first heuristic, then the second.
    fn both(&self, first: &FirstStage, stages: Vec<HeuristicStage>) -> Used {
        let heuristic = format!("{}, then {}", first.solver.heuristic(), self.spec);
        Used { heuristic, tables: [first.solver.tables(), &first.large].concat(), stages }
    }
}

impl Strategy for Whole {
    fn planned(&self) -> Used {
        match (&self.first, self.solver.get()) {
            (_, Some(solver)) => used(solver),
            (Some(first), None) => self.both(first, Vec::new()),
            (None, None) => Used::one(self.spec.to_string(), &[]),
        }
    }

    fn pruning(&self) -> &'static str {
        MOVE_RULES
    }

    fn search(&self, ask: &Ask, means: &Means<'_>) -> Result<Found<Vec<Move>>, TableError> {
        let search = |cube: &Cube, config: &Config| Whole::search(self, ask, cube, config, means);
        let order = self.spec.specification().order();
        ask.between_ends((self.metric, order), || self.planned(), search)
    }

    fn value(&self, cube: &Cube, means: &Means<'_>) -> Result<u8, TableError> {
        Ok(self.solver(means)?.value(cube))
    }

    fn two_phase(&self, means: &Means<'_>) -> Option<&TwoPhase> {
        self.upper.load(&self.spec, means, means.run)
    }

    fn shared<'s>(&'s self, ask: &Ask, means: &Means<'_>) -> Result<Option<SharedSearch<'s>>, TableError> {
        Ok(Some(self.solver(means)?.shared(&ask.cube, ask.order)))
    }

    fn solution(&self, held: Orientation, ops: &[Op]) -> Option<Vec<Move>> {
        Some(held_moves(space::solution(self.metric, ops)?, held))
    }
}
