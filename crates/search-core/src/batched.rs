//! IDA\* with a heuristic that is computed for many states at once, such as a neural network's.
//!
//! The idea: take nodes from the top of the stack until they have about a batch of children in all; generate the
//! children, get all their values in one call, and push those within the bound. Apart from batching the order is depth
//! first, so the stack contains at most a batch of children per depth.
//!
//! Invariant, and why no optimal path is lost: as for [`ida`](crate::ida). Every child within the bound is pushed, and
//! the next bound is the least sum of moves and value that exceeded it; so if no value exceeds the distance, the first
//! bound with a solution is its length. If a value exceeds the distance, the solution may not be shortest, and this is
//! not detected. A call that returns too few values or too many ends the search with an error: no child is left out.
//!
//! Source: Korf 1985 for the bounds; batches of nodes as in Agostinelli et al. 2019, "Solving the Rubik's
//! cube with deep reinforcement learning and search", there for weighted A\*.
//!
//! ```
//! use search_core::batched::{Batches, search};
//! use search_core::{Automaton, Domain, Op, Run};
//!
//! /// Places on a line; a move goes one place to the left or to the right.
//! struct Line;
//!
//! impl Domain for Line {
//!     type State = i32;
//!     fn op_count(&self) -> usize { 2 }
//!     fn apply(&self, place: &i32, op: Op) -> i32 { place + [1, -1][op.index()] }
//!     fn is_goal(&self, place: &i32) -> bool { *place == 0 }
//! }
//!
//! let values = |places: &[i32]| Ok::<_, ()>(places.iter().map(|place| place.unsigned_abs()).collect());
//! let batches = Batches { size: 100, max_bound: None };
//! let (report, error) = search(&Line, &Automaton::unrestricted(2), &-7, batches, values, &Run::new());
//! assert_eq!((report.ending.length(), error), (Some(7), None));
//! ```

use crate::automaton::{Automaton, StateId};
use crate::clock::Instant;
use crate::domain::{Domain, Op};
use crate::ida::Bounds;
use crate::record::{Ending, Iteration, Report};
use crate::run::Run;

/// The value of a state that cannot be solved: it is pruned at every bound.
pub const DEAD_END: u32 = u32::MAX;

/// A node waiting to be expanded.
struct Node<S> {
    state: S,
    follows: StateId,
    path: Vec<Op>,
}

/// The settings of a batched search.
#[derive(Clone, Copy, Debug)]
pub struct Batches {
    /// The approximate number of states evaluated at once.
    pub size: usize,
    /// Give up after this bound.
    pub max_bound: Option<u32>,
}

/// The reason why the values of a heuristic cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValuesError<E> {
    /// The heuristic failed.
    #[error(transparent)]
    Failed(E),
    /// The heuristic did not return one value for each state.
    #[error("the heuristic returned {found} values for {expected} states")]
    Count {
        /// The number of states.
        expected: usize,
        /// The number of values.
        found: usize,
    },
}

/// Searches from `start` for one shortest solution. `values` returns a value for each state of a slice.
///
/// If `values` fails or returns a wrong number of values, the search ends as if cancelled, and the error is returned
/// with the bound proved so far.
pub fn search<D: Domain, E>(
    domain: &D,
    automaton: &Automaton,
    start: &D::State,
    batches: Batches,
    mut values: impl FnMut(&[D::State]) -> Result<Vec<u32>, E>,
    run: &Run<'_>,
) -> (Report<Vec<Op>>, Option<ValuesError<E>>) {
    let mut values = |states: &[D::State]| match values(states) {
        Ok(values) if values.len() == states.len() => Ok(values),
        Ok(values) => Err(ValuesError::Count { expected: states.len(), found: values.len() }),
        Err(error) => Err(ValuesError::Failed(error)),
    };
    let at_once = |ending| Report { ending, iterations: Vec::new() };
    let least = match values(std::slice::from_ref(start)) {
        Ok(values) => values[0],
        Err(error) => return (at_once(Ending::cancelled(0)), Some(error)),
    };
    if domain.is_goal(start) {
        return (at_once(Ending::solved(0, Vec::new())), None);
    }
    if least == DEAD_END {
        return (at_once(Ending::Exhausted), None);
    }
    let limits = crate::ida::Config::default().max_bound(batches.max_bound);
    let mut bounds = Bounds::new(least, domain.lengths(start)).with_config(&limits);
    while let Some(bound) = bounds.bound() {
        let iteration = Iteration { bound, ..Iteration::default() };
        let mut pass = Pass { domain, automaton, size: batches.size.max(1), iteration, next: DEAD_END };
        let begun = Instant::now();
        let ended = pass.search(start, &mut values, run);
        let (mut iteration, next) = (pass.iteration, pass.next);
        iteration.seconds = begun.elapsed().as_secs_f64();
        iteration.complete = matches!(ended, Ok(None));
        match ended {
            Ok(None) => bounds.searched(iteration, (next != DEAD_END).then_some(next)),
            Ok(Some(path)) => {
                bounds.found(u32::try_from(path.len()).expect("fewer than 2^32 moves"));
                bounds.searched(iteration, None);
                return (bounds.report(vec![path], false), None);
            }
            Err(error) => {
                bounds.cancelled(iteration);
                return (bounds.report(Vec::new(), true), error);
            }
        }
    }
    (bounds.report(Vec::new(), false), None)
}

/// The search below one bound.
struct Pass<'a, D> {
    domain: &'a D,
    automaton: &'a Automaton,
    size: usize,
    iteration: Iteration,
    /// The least sum beyond the bound.
    next: u32,
}

impl<D: Domain> Pass<'_, D> {
    /// Returns a solution within the bound, if there is one. The error is that of `values`, or `None` if the run was
    /// cancelled. `values` returns one value for each state.
    fn search<E>(
        &mut self,
        start: &D::State,
        values: &mut impl FnMut(&[D::State]) -> Result<Vec<u32>, E>,
        run: &Run<'_>,
    ) -> Result<Option<Vec<Op>>, Option<E>> {
        let root = Node { state: start.clone(), follows: self.automaton.start(), path: Vec::new() };
        let mut stack = vec![root];
        while !stack.is_empty() {
            run.check().map_err(|_| None)?;
            let mut children: Vec<Node<D::State>> = Vec::new();
            while let Some(node) = stack.pop_if(|_| children.len() < self.size) {
                if let Some(path) = self.expand(&node, &mut children) {
                    return Ok(Some(path));
                }
            }
            let states: Vec<D::State> = children.iter().map(|child| child.state.clone()).collect();
            if states.is_empty() {
                continue;
            }
            let values = values(&states).map_err(Some)?;
            for (child, value) in children.into_iter().zip(values) {
                let sum = value.saturating_add(u32::try_from(child.path.len()).unwrap_or(DEAD_END));
                if sum <= self.iteration.bound {
                    stack.push(child);
                } else {
                    self.iteration.pruned_by_heuristic += 1;
                    self.next = self.next.min(sum);
                }
            }
        }
        Ok(None)
    }

    /// Adds the children of a node, last operator first, or returns the path to a goal among them.
    fn expand(&mut self, node: &Node<D::State>, children: &mut Vec<Node<D::State>>) -> Option<Vec<Op>> {
        let applicable = self.domain.applicable(&node.state);
        let allowed = applicable.and(self.automaton.allowed(node.follows));
        self.iteration.expanded += 1;
        self.iteration.pruned_by_fsm += (applicable.len() - allowed.len()) as u64;
        let depth = u32::try_from(node.path.len()).unwrap_or(DEAD_END);
        for op in allowed {
            let Some(follows) = self.automaton.next(node.follows, op) else { continue };
            let state = self.domain.apply(&node.state, op);
            let path: Vec<Op> = node.path.iter().copied().chain([op]).collect();
            self.iteration.generated += 1;
            if depth < self.iteration.bound && self.domain.is_goal(&state) {
                return Some(path);
            }
            children.push(Node { state, follows, path });
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ida;
    use crate::testing::{Pancakes, gaps};
    use std::convert::Infallible;

    fn solve(start: &[u8; 6], batches: Batches) -> Report<Vec<Op>> {
        let values =
            |states: &[[u8; 6]]| Ok::<_, Infallible>(states.iter().map(|state| gaps(state).into()).collect());
        search(&Pancakes, &Automaton::unrestricted(5), start, batches, values, &Run::new()).0
    }

    #[test]
    fn every_batch_size_finds_the_shortest_length() {
        let (mut stack, run) = ([0, 1, 2, 3, 4, 5], Run::new().with_threads(1));
        for step in 0..60 {
            stack = Pancakes.apply(&stack, Op::new([4, 1, 3, 0, 2, 4, 2][step % 7]));
            let automaton = Automaton::unrestricted(5);
            let expected = ida::search(&Pancakes, &gaps, &automaton, &stack, &ida::Config::default(), &run);
            for size in [1, 3, 1000] {
                let report = solve(&stack, Batches { size, max_bound: None });
                assert_eq!(report.ending.length(), expected.ending.length(), "{stack:?}");
                let end = report.ending.solutions()[0].iter().fold(stack, |at, op| Pancakes.apply(&at, *op));
                assert!(Pancakes.is_goal(&end));
                // Complete iterations count the same nodes.
                for (ours, theirs) in report.iterations.iter().zip(&expected.iterations) {
                    assert!(
                        !ours.complete || (ours.bound, ours.generated) == (theirs.bound, theirs.generated)
                    );
                }
            }
        }
    }

    #[test]
    fn limits_and_failures_return_the_proved_bound() {
        let start = [4, 0, 3, 1, 5, 2];
        let length = solve(&start, Batches { size: 8, max_bound: None }).ending.length().expect("solved");
        let bounded = solve(&start, Batches { size: 8, max_bound: Some(length - 1) }).ending;
        assert_eq!(bounded, Ending::bounded(length));
        let mut calls = 0;
        let fails = |states: &[[u8; 6]]| {
            calls += 1;
            if calls > 3 {
                Err("no more")
            } else {
                Ok(states.iter().map(|state| gaps(state).into()).collect())
            }
        };
        let batches = Batches { size: 2, max_bound: None };
        let (report, error) =
            search(&Pancakes, &Automaton::unrestricted(5), &start, batches, fails, &Run::new());
        assert_eq!(error, Some(ValuesError::Failed("no more")));
        assert!(report.ending.is_cancelled());
    }

    /// A heuristic that omits the last value or adds one: losing a child must be an error.
    #[test]
    fn a_wrong_number_of_values_is_an_error() {
        let (start, run) = ([4, 0, 3, 1, 5, 2], Run::new());
        for (from, more) in [(0, 1), (1, 1), (2, 0), (3, 0), (3, 1)] {
            let mut calls = 0;
            let values = |states: &[[u8; 6]]| {
                let mut values: Vec<u32> = states.iter().map(|state| gaps(state).into()).collect();
                if calls >= from {
                    values.resize(if more == 1 { states.len() + 1 } else { states.len() - 1 }, 0);
                }
                calls += 1;
                Ok::<_, Infallible>(values)
            };
            let batches = Batches { size: 2, max_bound: None };
            let (report, error) =
                search(&Pancakes, &Automaton::unrestricted(5), &start, batches, values, &run);
            assert!(matches!(error, Some(ValuesError::Count { expected, found }) if expected != found));
            assert!(report.ending.is_cancelled());
        }
    }

    #[test]
    fn dead_ends_exhaust_the_search() {
        let values = |states: &[[u8; 6]]| Ok::<_, Infallible>(vec![DEAD_END; states.len()]);
        let batches = Batches { size: 4, max_bound: None };
        let start = [1, 0, 2, 3, 4, 5];
        let report = search(&Pancakes, &Automaton::unrestricted(5), &start, batches, values, &Run::new()).0;
        assert_eq!(report.ending, Ending::Exhausted);
    }
}
