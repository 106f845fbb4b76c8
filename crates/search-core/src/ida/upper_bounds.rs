//! The use of upper bounds in one search: the part of a request that all puzzles share.

use super::{Config, Incumbent, Order};

/// The accepted distance from the optimum, and the solutions that may be the answer.
///
/// By default a search in the order of the [deepest branches](Order::Deepest) looks for an incumbent, and any shortest
/// solution is its answer. A search in the order of the operators runs as in the papers: without an incumbent, and its
/// answer is the first solution in order.
///
/// ```
/// use search_core::ida::{Config, Order, UpperBounds};
///
/// let papers = UpperBounds::default().apply(Config::default().order(Order::Operators));
/// assert!(papers.incumbent.is_none() && !papers.any_solution);
/// let quick = UpperBounds::default().within(u32::MAX).apply(Config::default());
/// assert!(quick.incumbent.is_some() && quick.any_solution);
/// ```
#[derive(Clone, Debug, Default)]
pub struct UpperBounds {
    within: u32,
    are_used: Option<bool>,
    is_deterministic: Option<bool>,
    incumbent: Option<Incumbent>,
}

impl UpperBounds {
    /// Ends the search as soon as the difference between the best solution and the lower bound is at most `gap`; by
    /// default 0. With `u32::MAX` the first solution ends it.
    #[must_use]
    pub fn within(self, gap: u32) -> UpperBounds {
        UpperBounds { within: gap, ..self }
    }

    /// Sets whether the solver looks for solutions by quicker methods.
    #[must_use]
    pub fn used(self, are_used: impl Into<Option<bool>>) -> UpperBounds {
        UpperBounds { are_used: are_used.into(), ..self }
    }

    /// Sets whether the answer is the first shortest solution in the order of the search, whatever the number of
    /// threads. Then upper bounds do not choose it.
    #[must_use]
    pub fn deterministic(self, is_deterministic: impl Into<Option<bool>>) -> UpperBounds {
        UpperBounds { is_deterministic: is_deterministic.into(), ..self }
    }

    /// Keeps the best solution in `incumbent`, which the caller also holds. It may contain a solution already.
    #[must_use]
    pub fn incumbent(self, incumbent: Incumbent) -> UpperBounds {
        UpperBounds { incumbent: Some(incumbent), ..self }
    }

    /// The greatest difference with which the search ends.
    pub fn gap(&self) -> u32 {
        self.within
    }

    /// Adds these settings to those of a search, whose order is set.
    #[must_use]
    pub fn apply(&self, config: Config) -> Config {
        let is_plain = config.order == Order::Operators;
        let is_deterministic = self.is_deterministic.unwrap_or(is_plain);
        let are_used = self.are_used.unwrap_or(!is_plain || self.within > 0 || self.incumbent.is_some());
        let incumbent = are_used.then(|| self.incumbent.clone().unwrap_or_default());
        config.any_solution(!is_deterministic).incumbent(incumbent).within(self.within)
    }
}
