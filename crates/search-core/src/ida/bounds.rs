//! The bounds of an iterative-deepening search: which one comes next, and how the search ends.
//!
//! The idea: one loop over bounds serves every search, whether a bound is one tree, several trees, or states evaluated
//! in batches. The caller searches the [`bound`](Bounds::bound), reports each solution as [`found`](Bounds::found),
//! then reports the bound as [`searched`](Bounds::searched), until there is no next bound. Then
//! [`ending`](Bounds::ending) states what is proved. A bound is a number of moves or, where moves have weights, their
//! sum.
//!
//! Invariant: every solution that is shorter than [`lower_bound`](Bounds::lower_bound) is known. The caller reports the
//! least sum of cost and heuristic value that was pruned, so no bound that could have a solution is skipped.

use super::{Config, Incumbent, Wanted, growth};
use crate::domain::{Lengths, Op};
use crate::progress::Expected;
use crate::record::{Ending, Iteration, Report};

/// The bounds of one search.
///
/// ```
/// use search_core::ida::Bounds;
/// use search_core::{Ending, Lengths};
/// use search_core::record::Iteration;
///
/// // The least solution has length 7, and lengths are odd.
/// let mut bounds = Bounds::new(4, Lengths::parity(true));
/// while let Some(bound) = bounds.bound() {
///     let is_solved = bound >= 7;
///     if is_solved {
///         bounds.found(7);
///     }
///     let iteration = Iteration { bound, complete: !is_solved, ..Iteration::default() };
///     bounds.searched(iteration, Some(bound + 1));
/// }
/// assert_eq!(bounds.ending(vec!["a solution"], false), Ending::solved(7, "a solution"));
/// assert_eq!(bounds.iterations().len(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Bounds {
    wanted: Wanted,
    max_bound: Option<u32>,
    most_nodes: Option<u64>,
    lengths: Lengths,
    /// The least difference between two bounds.
    rise: u32,
    lower_bound: u32,
    bound: u32,
    shortest: Option<u32>,
    /// The best known solution, and the gap with which it ends the search, if it does.
    incumbent: Option<(Incumbent, Option<u32>)>,
    iterations: Vec<Iteration>,
    /// Nothing was pruned, so nothing is left to search.
    is_exhausted: bool,
}

impl Bounds {
    /// The bounds of a search for one solution that costs at least `least`, without limits.
    pub fn new(least: u32, lengths: Lengths) -> Bounds {
        Bounds {
            wanted: Wanted::First,
            max_bound: None,
            most_nodes: None,
            lengths,
            rise: 1,
            lower_bound: lengths.at_least(least),
            bound: lengths.at_least(least),
            shortest: None,
            incumbent: None,
            iterations: Vec::new(),
            is_exhausted: false,
        }
    }

    /// Applies the wanted solutions, the first bound and the limits of `config`.
    #[must_use]
    pub fn with_config(self, config: &Config) -> Bounds {
        let Config { wanted, max_bound, most_nodes, .. } = *config;
        let least = self.bound.max(config.min_bound);
        Bounds { wanted, max_bound, most_nodes, ..Bounds::new(least, self.lengths) }
    }

    /// Reports lower bounds to the incumbent of `config`, and ends the search when the gap is small enough. Bounds are
    /// numbers of operators, as its length is.
    #[must_use]
    pub(crate) fn with_incumbent(self, config: &Config) -> Bounds {
        let incumbent = config.incumbent.clone().map(|incumbent| (incumbent, config.enough()));
        let bounds = Bounds { incumbent, ..self };
        bounds.report_lower_bound();
        bounds
    }

    fn report_lower_bound(&self) {
        if let Some((incumbent, _)) = &self.incumbent {
            incumbent.raise(self.lower_bound);
        }
    }

    /// The length of an incumbent that ends the search during the current bound.
    pub(crate) fn enough(&self) -> Option<(&Incumbent, u32)> {
        let (incumbent, gap) = self.incumbent.as_ref()?;
        Some((incumbent, self.lower_bound.saturating_add((*gap)?)))
    }

    /// Whether the incumbent ends the search.
    pub(crate) fn is_close(&self) -> bool {
        let length = |(incumbent, _): (&Incumbent, u32)| incumbent.upper_bound();
        self.enough().is_some_and(|enough| length(enough).is_some_and(|length| length <= enough.1))
    }

    /// Sets the least difference between two bounds. A solution may then cost less than the bound under which it was
    /// found, so the caller must complete the bound to find the cheapest solution.
    #[must_use]
    pub fn rising_by(self, rise: u32) -> Bounds {
        Bounds { rise: rise.max(1), ..self }
    }

    /// Resumes an earlier run of the search that stopped after `iterations`; the next bound is `bound`.
    pub(crate) fn resume(&mut self, iterations: Vec<Iteration>, bound: u32) {
        let bound = self.lengths.at_least(bound);
        (self.iterations, self.lower_bound, self.bound) = (iterations, bound, bound);
        self.report_lower_bound();
    }

    /// Raises the lower bound: every solution not yet found costs at least `bound`.
    pub(super) fn raise(&mut self, bound: u32) {
        self.lower_bound = self.lower_bound.max(bound);
        self.bound = self.bound.max(bound);
        self.report_lower_bound();
    }

    /// The bound to search next; `None` when the search is over.
    pub fn bound(&self) -> Option<u32> {
        let is_over = self.is_exhausted || self.is_solved() || self.is_close() || self.is_too_much();
        (!is_over && self.last().is_none_or(|last| self.bound <= last)).then_some(self.bound)
    }

    /// The lower bound: every solution not yet found costs at least this much.
    pub fn lower_bound(&self) -> u32 {
        self.lower_bound
    }

    /// The iterations so far.
    pub fn iterations(&self) -> &[Iteration] {
        &self.iterations
    }

    /// The cost of the cheapest solution so far.
    pub fn shortest(&self) -> Option<u32> {
        self.shortest
    }

    /// Whether all wanted solutions have been found, so that the rest of a bound need not be searched.
    pub(crate) fn is_solved(&self) -> bool {
        self.wanted == Wanted::First && self.shortest.is_some()
    }

    /// Reports a solution.
    pub fn found(&mut self, cost: u32) {
        self.shortest = Some(self.shortest.map_or(cost, |shortest| shortest.min(cost)));
    }

    /// Reports that a bound was searched. `next` is the least pruned sum of cost and heuristic value; `None` if nothing
    /// was pruned.
    pub fn searched(&mut self, iteration: Iteration, next: Option<u32>) {
        self.iterations.push(iteration);
        let Some(next) = next else {
            self.is_exhausted = true;
            return;
        };
        // If longer solutions are also wanted, no length is skipped.
        let next = if self.shortest.is_some() { self.bound.saturating_add(1) } else { next };
        self.lower_bound = self.lengths.at_least(next);
        self.bound = self.lengths.at_least(next.max(self.bound.saturating_add(self.rise)));
        self.report_lower_bound();
    }

    /// Reports a bound whose search was cancelled.
    pub fn cancelled(&mut self, iteration: Iteration) {
        self.iterations.push(iteration);
    }

    /// The number of nodes that the next bound, and all up to the greatest one, will probably generate.
    pub fn expected(&self) -> Expected {
        let all = self.last().and_then(|last| growth::expected_up_to(&self.iterations, self.bound, last));
        Expected { next: self.expected_nodes(), all }
    }

    /// The expected number of nodes generated by the next iteration; `None` before two iterations are complete.
    pub(crate) fn expected_nodes(&self) -> Option<f64> {
        growth::expected_nodes(&self.iterations)
    }

    /// The ending of the search, with all solutions found. `is_cancelled` has no effect if the search is over.
    pub fn ending<S>(&self, mut solutions: Vec<S>, is_cancelled: bool) -> Ending<S> {
        match self.shortest {
            Some(length) => {
                let wants_one = self.wanted == Wanted::First;
                solutions.truncate(if wants_one { 1 } else { usize::MAX });
                Ending::Optimal { length, solutions, complete: !is_cancelled || wants_one }
            }
            None if is_cancelled => Ending::cancelled(self.lower_bound),
            None if self.is_exhausted => Ending::Exhausted,
            None => Ending::bounded(self.lower_bound),
        }
    }

    /// The report of a search for strings of operators. If the search found no solution, it has the incumbent.
    pub(crate) fn report_ops(self, solutions: Vec<Vec<Op>>, is_cancelled: bool) -> Report<Vec<Op>> {
        let best = self.incumbent.as_ref().and_then(|(incumbent, _)| incumbent.best());
        let wants_one = self.wanted == Wanted::First;
        let Report { ending, iterations } = self.report(solutions, is_cancelled);
        Report { ending: ending.knowing(best, wants_one), iterations }
    }

    /// The [`ending`](Bounds::ending) and the iterations.
    pub fn report<S>(self, solutions: Vec<S>, is_cancelled: bool) -> Report<S> {
        Report { ending: self.ending(solutions, is_cancelled), iterations: self.iterations }
    }

    /// The greatest bound that the search may reach, if it has a limit.
    fn last(&self) -> Option<u32> {
        let extra = match self.wanted {
            Wanted::First => 0,
            Wanted::All { extra } => extra,
        };
        let wanted = self.shortest.map(|shortest| shortest.saturating_add(extra));
        wanted.into_iter().chain(self.max_bound).min()
    }

    /// Whether the next iteration is expected to exceed the limit on nodes.
    fn is_too_much(&self) -> bool {
        let most = self.most_nodes.filter(|_| self.shortest.is_none());
        most.zip(self.expected_nodes()).is_some_and(|(most, expected)| expected > most as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Searches for solutions of these lengths. Each bound prunes at the next length, or prunes nothing.
    fn search(lengths: &[u32], mut bounds: Bounds) -> (Ending<u32>, Vec<u32>) {
        let mut solutions = Vec::new();
        while let Some(bound) = bounds.bound() {
            let found: Vec<u32> = lengths.iter().copied().filter(|&length| length == bound).collect();
            found.iter().for_each(|&length| bounds.found(length));
            solutions.extend(found);
            let next = (lengths.iter().any(|&length| length > bound)).then_some(bound + 1);
            bounds.searched(Iteration { bound, ..Iteration::default() }, next);
        }
        let report = bounds.report(solutions, false);
        (report.ending, report.iterations.iter().map(|iteration| iteration.bound).collect())
    }

    fn config(wanted: Wanted) -> Config {
        Config::default().wanted(wanted)
    }

    #[test]
    fn the_first_bound_with_a_solution_is_its_length() {
        let bounds = Bounds::new(3, Lengths::ANY);
        assert_eq!(search(&[5, 6], bounds.clone()), (Ending::solved(5, 5), vec![3, 4, 5]));
        assert_eq!(search(&[], bounds), (Ending::Exhausted, vec![3]));
        let odd = Bounds::new(2, Lengths::parity(true));
        assert_eq!(search(&[7], odd), (Ending::solved(7, 7), vec![3, 5, 7]));
    }

    #[test]
    fn longer_solutions_are_searched_for_up_to_the_limits() {
        let all = |extra| Bounds::new(4, Lengths::ANY).with_config(&config(Wanted::All { extra }));
        let optimal = |solutions: &[u32]| Ending::Optimal {
            length: solutions[0],
            solutions: solutions.to_vec(),
            complete: true,
        };
        assert_eq!(search(&[5, 6, 7, 9], all(0)).0, optimal(&[5]));
        assert_eq!(search(&[5, 6, 7, 9], all(1)), (optimal(&[5, 6]), vec![4, 5, 6]));
        // Nothing is pruned after the last solution.
        assert_eq!(search(&[5, 6, 7, 9], all(9)), (optimal(&[5, 6, 7, 9]), vec![4, 5, 6, 7, 8, 9]));
        let limited = config(Wanted::All { extra: 9 }).max_bound(6);
        assert_eq!(
            search(&[5, 6, 7], Bounds::new(4, Lengths::ANY).with_config(&limited)).0,
            optimal(&[5, 6])
        );
    }

    #[test]
    fn no_bound_exceeds_the_limit_and_none_is_below_the_least() {
        let limited = |min, max| {
            let config = config(Wanted::First).min_bound(min).max_bound(max);
            search(&[9], Bounds::new(4, Lengths::ANY).with_config(&config))
        };
        assert_eq!(limited(0, 5), (Ending::bounded(6), vec![4, 5]));
        assert_eq!(limited(7, 8), (Ending::bounded(9), vec![7, 8]));
        assert_eq!(limited(7, 6), (Ending::bounded(7), vec![]));
    }

    #[test]
    fn larger_steps_between_bounds_prove_only_the_least_pruned_cost() {
        let mut bounds = Bounds::new(10, Lengths::ANY).rising_by(5);
        bounds.searched(Iteration::default(), Some(11));
        assert_eq!((bounds.bound(), bounds.lower_bound()), (Some(15), 11));
        assert_eq!(bounds.ending(Vec::<()>::new(), true), Ending::cancelled(11));
        // The cheapest solution may cost less than the bound.
        bounds.found(14);
        bounds.found(13);
        assert_eq!((bounds.bound(), bounds.ending(vec![1, 2], false)), (None, Ending::solved(13, 1)));
    }

    #[test]
    fn a_search_gives_up_before_a_bound_with_too_many_nodes() {
        let mut bounds = Bounds::new(1, Lengths::ANY).with_config(&Config::default().most_nodes(1000));
        for generated in [4, 40] {
            bounds.searched(Iteration { generated, ..Iteration::default() }, Some(bounds.lower_bound() + 1));
            assert!(bounds.bound().is_some());
        }
        bounds.searched(Iteration { generated: 400, ..Iteration::default() }, Some(4));
        assert_eq!((bounds.bound(), bounds.expected_nodes()), (None, Some(4000.0)));
        assert_eq!(bounds.ending(Vec::<()>::new(), false), Ending::bounded(4));
    }

    #[test]
    fn a_resumed_search_counts_the_iterations_before() {
        let mut bounds = Bounds::new(2, Lengths::ANY);
        bounds.resume(vec![Iteration { bound: 2, ..Iteration::default() }], 4);
        assert_eq!(search(&[5], bounds), (Ending::solved(5, 5), vec![2, 4, 5]));
    }
}
