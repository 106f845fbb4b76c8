//! The question to one search, and moves that are fixed at the ends of its solutions.
//!
//! Let *c* be a cube and let the turns *p m q* solve it. Then *m* solves *q c p*, the cube made by the turns *q*, the
//! turns that make *c*, and the turns *p*. So the shortest *m* for fixed *p* and *q* is a shortest solution of another
//! cube, found and proved by the same search.

use super::Found;
use crate::cube::{Cube, Turn};
use crate::metric::Metric;
use crate::notation::Orientation;
use crate::notation::scramble::{Move, held_moves};
use crate::solver::up_to_symmetry;
use search_core::clock::Instant;
use search_core::ida::{Checkpoints, Config, Kernel, Order, UpperBounds, Wanted};
use search_core::record::Used;
use search_core::table::TableError;
use search_core::{Ending, Report, Run};
use std::sync::Arc;
use std::time::Duration;

/// The question to one search: a cube, the wanted solutions, the limits.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Ask {
    pub(super) cube: Cube,
    pub(super) held: Orientation,
    pub(super) ends: Ends,
    pub(super) wanted: Wanted,
    pub(super) min_bound: u32,
    pub(super) max_bound: Option<u32>,
    pub(super) full_last_iteration: bool,
    pub(super) is_up_to_symmetry: bool,
    pub(super) order: Option<Order>,
    pub(super) kernel: Option<Kernel>,
    pub(super) time_limit: Option<Duration>,
    pub(super) upper_bounds: UpperBounds,
    pub(super) checkpoints: Option<Arc<dyn Checkpoints>>,
    pub(super) random: Option<u64>,
}

impl Ask {
    /// The search for one shortest solution of `cube`, held with every face at its own place.
    pub fn new(cube: Cube) -> Ask {
        Ask {
            cube,
            held: Orientation::HOME,
            ends: Ends::default(),
            wanted: Wanted::First,
            min_bound: 0,
            max_bound: None,
            full_last_iteration: false,
            is_up_to_symmetry: false,
            order: None,
            kernel: None,
            time_limit: None,
            upper_bounds: UpperBounds::default(),
            checkpoints: None,
            random: None,
        }
    }

    /// Sets the orientation in which the cube is held; the moves of solutions are named for it.
    #[must_use]
    pub fn held(self, held: Orientation) -> Ask {
        Ask { held, ..self }
    }

    /// Fixes turns of the cube's own faces at the beginning and the end of every solution.
    #[must_use]
    pub fn ends(self, ends: Ends) -> Ask {
        Ask { ends, ..self }
    }

    /// Sets the solutions to find.
    #[must_use]
    pub fn wanted(self, wanted: Wanted) -> Ask {
        Ask { wanted, ..self }
    }

    /// Sets the seed with which one of all shortest solutions is chosen; `None` returns the solutions that are wanted. The
    /// search lists all of them, one of those that differ only in the order of turns about an axis, and each is equally
    /// likely.
    #[must_use]
    pub fn random(self, random: Option<u64>) -> Ask {
        Ask { random, ..self }
    }

    /// The solutions that the search finds: those that are wanted, or all of which one is chosen.
    pub fn searched(&self) -> Wanted {
        self.random.map_or(self.wanted, |_| Wanted::All { extra: 0 })
    }

    /// Sets a proved lower bound.
    #[must_use]
    pub fn min_bound(self, min_bound: u32) -> Ask {
        Ask { min_bound, ..self }
    }

    /// Sets the greatest length of a solution; `None` for any length.
    #[must_use]
    pub fn max_bound(self, max_bound: Option<u32>) -> Ask {
        Ask { max_bound, ..self }
    }

    /// Sets whether the last iteration is completed, so that its counts are exact.
    #[must_use]
    pub fn full_last_iteration(self, full_last_iteration: bool) -> Ask {
        Ask { full_last_iteration, ..self }
    }

    /// Sets whether only one of solutions that are equivalent under symmetries of the cube is returned.
    #[must_use]
    pub fn up_to_symmetry(self, is_up_to_symmetry: bool) -> Ask {
        Ask { is_up_to_symmetry, ..self }
    }

    /// Sets the order of the branches; `None` uses that of the papers for the papers' heuristics, and the deepest
    /// branches first for others.
    #[must_use]
    pub fn order(self, order: Option<Order>) -> Ask {
        Ask { order, ..self }
    }

    /// Sets the kernel, for measurements; `None` uses that of the heuristic.
    #[must_use]
    pub fn kernel(self, kernel: Option<Kernel>) -> Ask {
        Ask { kernel, ..self }
    }

    /// Sets the time limit of the search, which excludes loading tables; `None` for no limit.
    #[must_use]
    pub fn time_limit(self, time_limit: Option<Duration>) -> Ask {
        Ask { time_limit, ..self }
    }

    /// Sets how far from the optimum the answer may be, and whether quicker methods look for solutions.
    #[must_use]
    pub fn upper_bounds(self, upper_bounds: UpperBounds) -> Ask {
        Ask { upper_bounds, ..self }
    }

    /// Sets the place where the search saves checkpoints.
    #[must_use]
    pub fn checkpoints(self, checkpoints: Arc<dyn Checkpoints>) -> Ask {
        Ask { checkpoints: Some(checkpoints), ..self }
    }

    /// Whether only shortest solutions are wanted.
    pub(super) fn wants_shortest(&self) -> bool {
        matches!(self.searched(), Wanted::First | Wanted::All { extra: 0 })
    }

    /// `run` with the deadline of a search that begins now.
    pub(super) fn limited<'a>(&self, run: &Run<'a>) -> Run<'a> {
        match self.time_limit.and_then(|time| Instant::now().checked_add(time)) {
            Some(deadline) => run.with_deadline(deadline),
            None => run.clone(),
        }
    }

    /// The cube as it is held.
    pub(super) fn held_cube(&self) -> Cube {
        self.held.held_from_cube(&self.cube)
    }

    /// The configuration of a search for whole solutions; `order` is used if none is requested.
    pub(super) fn config(&self, order: Order) -> Config {
        let config = Config::default()
            .wanted(self.searched())
            .min_bound(self.min_bound)
            .max_bound(self.max_bound)
            .full_last_iteration(self.full_last_iteration)
            .checkpoints(self.checkpoints.clone())
            .kernel(self.kernel)
            .order(self.order.unwrap_or(order));
        self.upper_bounds.apply(config)
    }

    /// Searches for the turns between the fixed ones with `search`, and returns whole solutions. `planned` is returned
    /// as the use of heuristics if the fixed turns alone exceed the limit.
    pub(super) fn between_ends(
        &self,
        (metric, order): (Metric, Order),
        planned: impl FnOnce() -> Used,
        search: impl FnOnce(&Cube, &Config) -> Result<Found<Vec<Turn>>, TableError>,
    ) -> Result<Found<Vec<Move>>, TableError> {
        let fixed = self.ends.length(metric);
        let max_bound = match self.max_bound.map(|bound| bound.checked_sub(fixed)) {
            Some(None) => {
                let ending = Ending::bounded(fixed);
                return Ok((Report { ending, iterations: Vec::new() }, planned()));
            }
            bound => bound.flatten(),
        };
        let cube = self.ends.between(&self.cube);
        let min_bound = self.min_bound.saturating_sub(fixed);
        let (mut report, mut used) =
            search(&cube, &self.config(order).min_bound(min_bound).max_bound(max_bound))?;
        if self.is_up_to_symmetry {
            report.ending = report.ending.choose(|all| up_to_symmetry(metric, &cube, all));
        }
        used.stages.iter_mut().for_each(|stage| stage.from += fixed);
        Ok((self.ends.whole(metric, report).map(|turns| held_moves(turns, self.held)), used))
    }
}

/// Turns that a solution begins with, and turns that it ends with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// The first turns.
    pub before: Vec<Turn>,
    /// The last turns.
    pub after: Vec<Turn>,
}

impl Ends {
    /// Whether no turns are fixed.
    pub fn are_free(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }

    /// The cube whose solutions are those of `cube` without the fixed turns.
    #[must_use]
    pub(crate) fn between(&self, cube: &Cube) -> Cube {
        let after = Cube::SOLVED.apply_all(self.after.iter().copied());
        after.compose(cube).apply_all(self.before.iter().copied())
    }

    /// A solution with the fixed turns.
    #[must_use]
    pub(crate) fn around(&self, turns: &[Turn]) -> Vec<Turn> {
        [&self.before, turns, &self.after].concat()
    }

    /// The length of the fixed turns.
    pub fn length(&self, metric: Metric) -> u32 {
        self.before.iter().chain(&self.after).map(|&turn| metric.length(turn)).sum()
    }

    /// The report of whole solutions, from that of a search for the turns between: all lengths and bounds include the
    /// fixed turns.
    fn whole(&self, metric: Metric, report: Report<Vec<Turn>>) -> Report<Vec<Turn>> {
        let fixed = self.length(metric);
        let Report { ending, mut iterations } = report.map(|turns| self.around(&turns));
        iterations.iter_mut().for_each(|iteration| iteration.bound += fixed);
        Report { ending: ending.longer_by(fixed), iterations }
    }
}
