//! The request for one search.

use std::sync::Arc;

use search_core::ida::{Checkpoints, Config, Order, UpperBounds, Wanted};

use crate::model::Pattern;

/// A request for one search: the pattern to solve, the wanted solutions and the limits. Only the pattern is required.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Ask {
    /// The pattern to solve.
    pub start: Pattern,
    /// The other settings, as the search library takes them.
    pub(crate) config: Config,
    /// The use of upper bounds.
    pub(crate) upper_bounds: UpperBounds,
    /// The seed of the choice among all shortest solutions, if one is chosen at random.
    pub(crate) random: Option<u64>,
}

impl Ask {
    /// Asks for one shortest solution of `start`.
    pub fn new(start: Pattern) -> Ask {
        Ask { start, config: Config::default(), upper_bounds: UpperBounds::default(), random: None }
    }

    /// Asks for these solutions.
    #[must_use]
    pub fn wanted(mut self, wanted: Wanted) -> Ask {
        self.config.wanted = wanted;
        self
    }

    /// Chooses one of all shortest solutions with this seed; `None` returns the solutions that are wanted. The search lists
    /// all of them, of strings of moves with one effect one, and each is equally likely.
    #[must_use]
    pub fn random(self, random: Option<u64>) -> Ask {
        Ask { random, ..self }
    }

    /// The solutions that the search finds: those that are wanted, or all of which one is chosen.
    pub fn searched(&self) -> Wanted {
        self.random.map_or(self.config.wanted, |_| Wanted::All { extra: 0 })
    }

    /// Begins with this bound if the heuristic's value is less. The caller guarantees that no solution is shorter.
    #[must_use]
    pub fn min_bound(mut self, bound: u32) -> Ask {
        self.config.min_bound = bound;
        self
    }

    /// Gives up after this bound.
    #[must_use]
    pub fn max_bound(mut self, bound: impl Into<Option<u32>>) -> Ask {
        self.config.max_bound = bound.into();
        self
    }

    /// Searches the last iteration to its end, so that its counts are exact.
    #[must_use]
    pub fn full_last_iteration(mut self, full: bool) -> Ask {
        self.config.full_last_iteration = full;
        self
    }

    /// Searches the branches in this order.
    #[must_use]
    pub fn order(mut self, order: Order) -> Ask {
        self.config.order = order;
        self
    }

    /// Sets how far from the optimum the answer may be, and how the solver looks for upper bounds.
    #[must_use]
    pub fn upper_bounds(mut self, upper_bounds: UpperBounds) -> Ask {
        self.upper_bounds = upper_bounds;
        self
    }

    /// Resumes from these checkpoints, and saves new ones.
    #[must_use]
    pub fn checkpoints(mut self, checkpoints: Arc<dyn Checkpoints>) -> Ask {
        self.config.checkpoints = Some(checkpoints);
        self
    }
}
