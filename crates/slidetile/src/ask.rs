//! The request for one search.

use std::sync::Arc;

use search_core::ida::{Checkpoints, Config, Kernel, Order, UpperBounds, Wanted};

use crate::tiles::Tiles;

/// A request for one search: the board, the wanted solutions and the limits. Only the board is required.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Ask {
    /// The board.
    pub tiles: Tiles,
    /// The order of the branches; `None` is the default of the heuristic.
    pub(crate) order: Option<Order>,
    /// The number of partitions; `None` lets trials choose them.
    pub(crate) partitions: Option<usize>,
    /// The use of upper bounds.
    pub(crate) upper_bounds: UpperBounds,
    /// The other settings, in the form of the search library.
    pub(crate) config: Config,
}

impl Ask {
    /// Creates a request for one shortest solution of `tiles`.
    pub fn new(tiles: Tiles) -> Ask {
        Ask {
            tiles,
            order: None,
            partitions: None,
            upper_bounds: UpperBounds::default(),
            config: Config::default(),
        }
    }

    /// Sets the wanted solutions.
    #[must_use]
    pub fn wanted(mut self, wanted: Wanted) -> Ask {
        self.config.wanted = wanted;
        self
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

    /// Searches the branches in this order. By default, heuristics of the papers search them in the order of the
    /// operators, and pattern databases the deepest branches first.
    #[must_use]
    pub fn order(mut self, order: impl Into<Option<Order>>) -> Ask {
        self.order = order.into();
        self
    }

    /// Reads this number of partitions of pattern databases, those with the greatest values at the start, instead of those
    /// that trials choose.
    #[must_use]
    pub fn partitions(mut self, partitions: usize) -> Ask {
        self.partitions = Some(partitions);
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

    /// Searches with this kernel instead of the heuristic's own.
    #[must_use]
    pub fn kernel(mut self, kernel: impl Into<Option<Kernel>>) -> Ask {
        self.config.kernel = kernel.into();
        self
    }
}
