//! A search as one expression: a domain, a heuristic and optional settings.

use crate::automaton::Automaton;
use crate::domain::{Domain, InvalidOpCount, Op, op_count};
use crate::heuristic::Heuristic;
use crate::ida::{self, Config, Wanted};
use crate::record::Report;
use crate::run::Run;
use std::borrow::Cow;

/// An IDA\* search: the domain and the heuristic are required, everything else is optional.
///
/// Without further settings it finds one shortest solution on all cores, without an automaton and without limits.
///
/// ```
/// use search_core::ida::Wanted;
/// use search_core::{Domain, Op, Search};
///
/// /// A ring of 100 places; a move goes one place forward or back.
/// struct Ring;
///
/// impl Domain for Ring {
///     type State = u8;
///     fn op_count(&self) -> usize { 2 }
///     fn apply(&self, place: &u8, op: Op) -> u8 { (place + if op.index() == 0 { 1 } else { 99 }) % 100 }
///     fn is_goal(&self, place: &u8) -> bool { *place == 0 }
/// }
///
/// let heuristic = |place: &u8| (*place).min(100 - place);
/// let report = Search::new(&Ring, &heuristic)?.solve(&30);
/// assert_eq!(report.ending.length(), Some(30));
///
/// let both_ways = Search::new(&Ring, &heuristic)?.threads(1).wanted(Wanted::All { extra: 0 }).solve(&50);
/// assert_eq!(both_ways.ending.solutions().len(), 2);
/// # Ok::<(), search_core::InvalidOpCount>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is searched before `solve`"]
pub struct Search<'a, D, H> {
    domain: &'a D,
    heuristic: &'a H,
    automaton: Cow<'a, Automaton>,
    config: Config,
    run: Run<'a>,
}

impl<'a, D: Domain, H: Heuristic<D>> Search<'a, D, H> {
    /// Creates a search in `domain` by `heuristic`, which must never exceed the distance to a goal.
    ///
    /// # Errors
    /// [`InvalidOpCount`] if the domain has no operator, or more than 64.
    pub fn new(domain: &'a D, heuristic: &'a H) -> Result<Search<'a, D, H>, InvalidOpCount> {
        let automaton = Cow::Owned(Automaton::unrestricted(op_count(domain)?));
        Ok(Search { domain, heuristic, automaton, config: Config::default(), run: Run::new() })
    }

    /// Excludes the strings that `automaton` forbids.
    pub fn automaton(self, automaton: &'a Automaton) -> Self {
        Search { automaton: Cow::Borrowed(automaton), ..self }
    }

    /// Searches on this many threads.
    pub fn threads(self, count: usize) -> Self {
        Search { run: self.run.with_threads(count), ..self }
    }

    /// Takes progress, cancellation, threads and memory from `run`.
    pub fn run(self, run: &Run<'a>) -> Self {
        Search { run: run.clone(), ..self }
    }

    /// Searches for these solutions.
    pub fn wanted(self, wanted: Wanted) -> Self {
        Search { config: self.config.wanted(wanted), ..self }
    }

    /// Gives up after this bound.
    pub fn max_bound(self, bound: u32) -> Self {
        Search { config: self.config.max_bound(bound), ..self }
    }

    /// Replaces the whole configuration of the search: the solutions, limits, the order of branches, checkpoints.
    pub fn config(self, config: Config) -> Self {
        Search { config, ..self }
    }

    /// Searches from `start`.
    ///
    /// # Panics
    /// If the automaton has another number of operators than the domain.
    pub fn solve(&self, start: &D::State) -> Report<Vec<Op>> {
        let Search { domain, heuristic, automaton, config, run } = self;
        ida::search(*domain, *heuristic, automaton, start, config, run)
    }
}
