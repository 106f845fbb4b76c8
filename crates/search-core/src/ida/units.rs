//! Units: one iteration as work for many processes, on one machine or many.
//!
//! The idea: every process that splits the tree to the same number of subtrees numbers the same subtrees. So a unit is
//! only a range of these numbers. A process searches it and hands back an [`Outcome`], which is
//! plain data too; whoever has those of all units has the iteration.
//!
//! Invariant: the outcome of a unit depends on nothing but the [`Tree`], the [`Cut`] and the range: not on the
//! process, its threads or the other units. (Only of a unit that holds a solution the counts do, as those of the last
//! iteration do.) Outcomes can be added in any order and more than once.
//!
//! Why no shortest solution is lost: an iteration without a solution is over only when the ranges cover all
//! subtrees. A solution counts only when all units before its own are there, so it is the one that a
//! single process finds, and the counts of complete iterations are those of a single process.
//!
//! Cost: each unit splits the tree anew, which expands as many nodes as there are subtrees, about.

use super::Wanted;
use super::checkpoint::{MOST_SUBTREES, Operators};
use super::counts::Counts;
use super::harvest::{Found, Harvest};
use super::node::{Node, Task};
use super::pass::Pass;
use super::split::{split, sweep};
use super::stop::Stop;
use crate::automaton::Automaton;
use crate::cast::to_u64;
use crate::clock::Instant;
use crate::domain::{Domain, Op, OpSet};
use crate::heuristic::Heuristic;
use crate::progress::Cancelled;
use crate::record::Iteration;
use crate::run::Run;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The subtrees of a share whose heuristic value is computed, which takes long where it is a sum of many tables.
const VALUED: usize = 8;

/// What is searched: the same for all units of an iteration.
#[derive(Debug)]
pub struct Tree<'a, D: Domain, H: Heuristic<D>> {
    /// The domain.
    pub domain: &'a D,
    /// The heuristic.
    pub heuristic: &'a H,
    /// The operator strings that are allowed.
    pub automaton: &'a Automaton,
    /// The state to solve, which is no goal.
    pub start: &'a D::State,
}

/// An iteration that is cut into subtrees.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cut {
    /// The bound.
    pub bound: u32,
    /// The number of subtrees.
    pub subtrees: usize,
    /// The number of subtrees at which splitting stopped.
    enough: usize,
    /// Counts of the levels above the subtrees.
    above: Counts,
    /// The heuristic's number of stages.
    stages: usize,
}

impl Cut {
    /// The subtrees, shared out to `units` units or fewer, in the order of the search.
    ///
    /// # Panics
    /// If `units` is 0.
    pub fn shares(&self, units: usize) -> Vec<Range<usize>> {
        let units = units.min(self.subtrees).max(1);
        (0..units).map(|unit| self.subtrees * unit / units..self.subtrees * (unit + 1) / units).collect()
    }
}

/// What the search of consecutive subtrees brought back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The bound.
    bound: u32,
    /// The subtrees.
    subtrees: Range<usize>,
    counts: Counts,
    /// The first solution.
    solution: Option<Operators>,
    seconds: f64,
}

impl Outcome {
    /// Whether it holds a solution.
    pub fn is_solved(&self) -> bool {
        self.solution.is_some()
    }
}

/// A unit cannot be searched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// The tree has another number of subtrees: another instance, heuristic, table or automaton.
    #[error("the tree has {found} subtrees instead of {expected}: it is not the one that was cut")]
    Other {
        /// What the cut says.
        expected: usize,
        /// What this process finds.
        found: usize,
    },
    /// The unit's subtrees are not among those of the cut.
    #[error("there are only {0} subtrees")]
    Range(usize),
    /// The search was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl<D: Domain, H: Heuristic<D>> Tree<'_, D, H> {
    /// Cuts the iteration with `bound` into at least `enough` subtrees, if it is so large.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn cut(&self, bound: u32, enough: usize, run: &Run<'_>) -> Cut {
        let enough = enough.min(MOST_SUBTREES);
        let (tasks, above) = self.split(bound, enough, &self.pass(run));
        Cut { bound, subtrees: tasks.len(), enough, above, stages: self.heuristic.stages() }
    }

    /// Searches the subtrees of `range` on all threads; after the first solution, no later ones.
    ///
    /// # Errors
    /// [`UnitError`].
    pub fn search(&self, cut: &Cut, range: Range<usize>, run: &Run<'_>) -> Result<Outcome, UnitError> {
        let (pass, begun) = (self.pass(run), Instant::now());
        let (tasks, above) = self.split(cut.bound, cut.enough.min(MOST_SUBTREES), &pass);
        if tasks.len() != cut.subtrees || above != cut.above {
            return Err(UnitError::Other { expected: cut.subtrees, found: tasks.len() });
        }
        let unit = tasks.get(range.clone()).ok_or(UnitError::Range(tasks.len()))?;
        run.progress().begin(&format!("bound {}", cut.bound), to_u64(unit.len()));
        let (harvest, _) = sweep(&pass, unit, 0, None, &|done| run.progress().update(to_u64(done)));
        run.check()?;
        run.progress().end();
        let Harvest { counts, found, .. } = harvest;
        Ok(Outcome {
            bound: cut.bound,
            subtrees: range,
            counts,
            solution: found.first().map(|Found { path, .. }| Operators::from(&path[..])),
            seconds: begun.elapsed().as_secs_f64(),
        })
    }

    /// The work that is expected of each share, in no unit: a subtree is taken to grow by `growth` for each move by
    /// which its heuristic value is below the moves left. Some subtrees stand for all of a share. It decides
    /// which units are begun first, and nothing else.
    pub fn expected(&self, cut: &Cut, shares: &[Range<usize>], growth: f64, run: &Run<'_>) -> Vec<f64> {
        let (tasks, _) = self.split(cut.bound, cut.enough.min(MOST_SUBTREES), &self.pass(run));
        let slack = |task: &Task<D, H>| {
            let value = self.heuristic.value(self.domain, &task.node.state);
            f64::from(task.remaining) - f64::from(value)
        };
        let sum = |tasks: &[Task<D, H>]| {
            let every = tasks.len().div_ceil(VALUED).max(1);
            let some = tasks.iter().step_by(every).map(|task| growth.powf(slack(task)));
            let (count, sum) = some.fold((0.0, 0.0), |(count, sum), work| (count + 1.0, sum + work));
            if tasks.is_empty() { 0.0 } else { sum / count * tasks.len() as f64 }
        };
        shares.iter().map(|share| tasks.get(share.clone()).map_or(0.0, sum)).collect()
    }

    fn split(&self, bound: u32, enough: usize, pass: &Pass<'_, D, H>) -> (Vec<Task<D, H>>, Counts) {
        assert!(bound > 0, "a bound of at least 1");
        let carry = self.heuristic.carry(self.domain, self.start);
        let node = Node { state: self.start.clone(), carry, fsm: self.automaton.start() };
        let mut counts = Counts::default();
        let tasks = split(pass, Task { node, path: Vec::new(), remaining: bound }, enough, &mut counts);
        (tasks, counts)
    }

    fn pass<'p>(&'p self, run: &'p Run<'p>) -> Pass<'p, D, H> {
        Pass {
            domain: self.domain,
            heuristic: self.heuristic,
            automaton: self.automaton,
            wanted: Wanted::First,
            first: OpSet::ALL,
            kernel: self.heuristic.kernel(),
            keep_at: 0,
            stop: Stop::new(false),
            run,
        }
    }
}

/// The outcomes of an iteration, as far as they are there.
#[derive(Clone, Debug)]
pub struct Gathered {
    cut: Cut,
    /// In the order of their subtrees, none of which is in two.
    outcomes: Vec<Outcome>,
}

/// How an iteration ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// With a solution, as the outcome says: whoever got that from elsewhere must check that each operator applies.
    Solved(Vec<Op>),
    /// Without one: every solution is longer than the bound by at least this; `None` when there is none.
    Longer(Option<u32>),
}

impl Gathered {
    /// Nothing yet.
    pub fn new(cut: Cut) -> Gathered {
        Gathered { cut, outcomes: Vec::new() }
    }

    /// Adds the outcome of a unit. Returns whether it belongs to the iteration: one of another bound or of
    /// subtrees that are partly there already does not.
    pub fn add(&mut self, outcome: Outcome) -> bool {
        let Range { start, end } = outcome.subtrees;
        if outcome.bound != self.cut.bound || start >= end || end > self.cut.subtrees {
            return false;
        }
        let at = self.outcomes.partition_point(|other| other.subtrees.start < start);
        let next = self.outcomes.get(at);
        if next.is_some_and(|next| next.subtrees == outcome.subtrees) {
            return true;
        }
        let before = at.checked_sub(1).map_or(0, |before| self.outcomes[before].subtrees.end);
        let is_free = before <= start && next.is_none_or(|next| end <= next.subtrees.start);
        if is_free {
            self.outcomes.insert(at, outcome);
        }
        is_free
    }

    /// How the iteration ended, once that is known: with a solution before which nothing is missing, or when all
    /// subtrees are there.
    pub fn step(&self) -> Option<Step> {
        let mut reached = 0;
        for outcome in &self.outcomes {
            if outcome.subtrees.start != reached {
                return None;
            }
            if let Some(solution) = &outcome.solution {
                return Some(Step::Solved(solution.to_ops()));
            }
            reached = outcome.subtrees.end;
        }
        let excess = self.counts().least_excess;
        (reached == self.cut.subtrees).then_some(Step::Longer((excess != u32::MAX).then_some(excess)))
    }

    /// The record of the iteration, as far as it is there. Seconds are the sum over the units.
    pub fn iteration(&self) -> Iteration {
        let seconds = self.outcomes.iter().map(|outcome| outcome.seconds).sum();
        let complete = matches!(self.step(), Some(Step::Longer(_)));
        self.counts().iteration(self.cut.bound, self.cut.stages, seconds, complete)
    }

    fn counts(&self) -> Counts {
        let mut counts = self.cut.above;
        self.outcomes.iter().for_each(|outcome| counts.add(&outcome.counts));
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ida::testing::{NOTHING, Nothing, Strings, digits, no_repetition, ops};
    use crate::ida::{Config, search};
    use crate::record::Ending;

    static START: Vec<Op> = Vec::new();

    fn tree<'a>(domain: &'a Strings, rules: &'a Automaton) -> Tree<'a, Strings, Nothing> {
        Tree { domain, heuristic: &NOTHING, automaton: rules, start: &START }
    }

    fn outcomes(tree: &Tree<'_, Strings, Nothing>, cut: &Cut, units: usize, run: &Run<'_>) -> Vec<Outcome> {
        let shares = cut.shares(units);
        assert_eq!(shares.iter().map(ExactSizeIterator::len).sum::<usize>(), cut.subtrees);
        shares.into_iter().map(|share| tree.search(cut, share, run).unwrap()).collect()
    }

    /// Bound after bound: whatever the number of subtrees, units and threads and the order in which outcomes arrive,
    /// some of them twice, the iterations and the solution are those of one search.
    #[test]
    fn units_are_the_whole_search() {
        let rules = no_repetition();
        for goals in [&["0102010"][..], &["2121212", "0120120", "1010101"]] {
            let domain = Strings(goals.iter().map(|goal| ops(goal)).collect());
            let (tree, config) = (tree(&domain, &rules), Config { min_bound: 3, ..Config::default() });
            let whole = search(&domain, &NOTHING, &rules, &START, &config, &Run::new());
            let Ending::Optimal { solutions, .. } = &whole.ending else { panic!("solved") };
            for (enough, units, threads) in [(1, 1, 1), (5, 2, 3), (20, 7, 2), (1000, 1000, 1)] {
                let run = Run::new().with_threads(threads);
                let (mut bound, mut iterations) = (3, whole.iterations.iter());
                let solution = loop {
                    let cut = tree.cut(bound, enough, &run);
                    let mut all = outcomes(&tree, &cut, units, &run);
                    let middle = all.len() / 2;
                    all.rotate_left(middle);
                    all.push(all[0].clone());
                    let mut gathered = Gathered::new(cut);
                    assert!(all.into_iter().all(|outcome| gathered.add(outcome)));
                    let expected = iterations.next().unwrap();
                    match gathered.step().unwrap() {
                        Step::Solved(path) => break path,
                        Step::Longer(excess) => bound += excess.unwrap(),
                    }
                    let seconds = expected.seconds;
                    assert_eq!(Iteration { seconds, ..gathered.iteration() }, *expected);
                };
                assert_eq!(digits(&solution), digits(&solutions[0]));
            }
        }
    }

    #[test]
    fn an_iteration_is_over_only_when_nothing_is_missing() {
        let (rules, run) = (no_repetition(), Run::new());
        let domain = Strings(["21212121"].map(ops).to_vec());
        let tree = tree(&domain, &rules);
        let cut = tree.cut(8, 20, &run);
        let all = outcomes(&tree, &cut, 6, &run);
        for missing in 0..6 {
            let mut gathered = Gathered::new(cut.clone());
            let there = all.iter().enumerate().filter(|&(unit, _)| unit != missing);
            assert!(there.map(|(_, outcome)| outcome.clone()).all(|outcome| gathered.add(outcome)));
            // The last unit holds the solution.
            assert_eq!(gathered.step(), None, "without unit {missing}");
            assert!(!gathered.iteration().complete);
            assert!(gathered.add(all[missing].clone()));
            assert_eq!(gathered.step(), Some(Step::Solved(ops("21212121"))));
        }
    }

    #[test]
    fn without_a_heuristic_equal_shares_are_expected_to_take_as_long() {
        let (rules, run) = (no_repetition(), Run::new());
        let domain = Strings(Vec::new());
        let tree = tree(&domain, &rules);
        let cut = tree.cut(8, 20, &run);
        assert_eq!(cut.subtrees, 24);
        let expected = tree.expected(&cut, &[0..6, 6..12, 12..24, 20..30], 2.0, &run);
        // Four moves are left below each subtree.
        assert_eq!(expected, [6.0, 6.0, 12.0, 0.0].map(|subtrees| subtrees * 16.0));
    }

    #[test]
    fn what_belongs_to_another_search_is_refused() {
        let (rules, run) = (no_repetition(), Run::new());
        let domain = Strings(Vec::new());
        let tree = tree(&domain, &rules);
        let (cut, next) = (tree.cut(7, 20, &run), tree.cut(8, 20, &run));
        let mut gathered = Gathered::new(cut.clone());
        assert!(!gathered.add(tree.search(&next, 0..1, &run).unwrap()), "another bound");
        assert!(gathered.add(tree.search(&cut, 2..5, &run).unwrap()));
        for overlapping in [0..3, 4..6, 3..4, 0..24] {
            assert!(!gathered.add(tree.search(&cut, overlapping, &run).unwrap()));
        }
        assert!(gathered.add(tree.search(&cut, 5..24, &run).unwrap()));
        let beyond = tree.search(&cut, 20..25, &run);
        assert_eq!(beyond.unwrap_err(), UnitError::Range(24));
        let free = Automaton::unrestricted(3);
        let other = Tree { automaton: &free, ..tree };
        assert_eq!(other.search(&cut, 0..1, &run).unwrap_err(), UnitError::Other { expected: 24, found: 27 });
    }
}
