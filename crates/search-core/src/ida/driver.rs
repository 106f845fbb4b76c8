//! The sequence of bounds.

use super::counts::{Counts, STAGES};
use super::harvest::Harvest;
use super::near::{self, Near};
use super::node::{Node, Task};
use super::pass::Pass;
use super::split::sweep;
use super::stop::Stop;
use super::{Config, Wanted};
use crate::automaton::Automaton;
use crate::domain::{Domain, Op};
use crate::heuristic::Heuristic;
use crate::record::{Ending, Iteration, Report};
use crate::run::Run;
use std::time::Instant;

/// Searches for the shortest solutions of `start`.
///
/// `automaton` restricts the operators; [`Automaton::unrestricted`] does not. Progress is reported
/// for each bound, in subtrees. The result does not depend on the number of threads, except for
/// the counts of an iteration that was cut short.
///
/// # Panics
/// If `automaton` and `domain` differ in their number of operators.
///
/// Source: Korf 1985; splitting among processors as in Korf's letter of May 1997.
pub fn search<D: Domain, H: Heuristic<D>>(
    domain: &D,
    heuristic: &H,
    automaton: &Automaton,
    start: &D::State,
    config: &Config,
    run: &Run<'_>,
) -> Report<Vec<Op>> {
    assert_eq!(automaton.ops(), domain.op_count(), "the automaton is over the domain's operators");
    Driver {
        domain,
        heuristic,
        automaton,
        start,
        config,
        run,
        iterations: Vec::new(),
        solutions: Vec::new(),
        exhaustive: config.wanted != Wanted::First || config.full_last_iteration,
        near: None,
        keep_at: 0,
    }
    .search()
}

struct Driver<'a, D: Domain, H: Heuristic<D>> {
    domain: &'a D,
    heuristic: &'a H,
    automaton: &'a Automaton,
    start: &'a D::State,
    config: &'a Config,
    run: &'a Run<'a>,
    iterations: Vec<Iteration>,
    solutions: Vec<Vec<Op>>,
    /// Every iteration is searched to its end.
    exhaustive: bool,
    /// The near misses of the last iteration.
    near: Option<Near<D, H>>,
    /// Moves left at which the next iteration keeps its own; 0 keeps none.
    keep_at: u32,
}

impl<D: Domain, H: Heuristic<D>> Driver<'_, D, H> {
    fn search(mut self) -> Report<Vec<Op>> {
        let lengths = self.domain.lengths(self.start);
        let value = self.heuristic.value(self.domain, self.start);
        let mut bound = lengths.at_least(u32::from(value).max(self.config.min_bound));
        let ending = loop {
            if self.last_bound().is_some_and(|last| bound > last) {
                break self.ending(bound);
            }
            let Some(excess) = self.iterate(bound) else { break self.ending(bound) };
            let solved = !self.solutions.is_empty();
            if solved && self.last_bound().is_some_and(|last| bound >= last) {
                break self.ending(bound);
            }
            bound = match excess {
                // Nothing was cut: there is no more to search.
                u32::MAX if solved => break self.ending(bound),
                u32::MAX => break Ending::Exhausted,
                // Longer solutions are wanted: no length is skipped.
                _ if solved => lengths.at_least(bound + 1),
                excess => lengths.at_least(bound + excess),
            };
        };
        Report { ending, iterations: self.iterations }
    }

    /// The greatest bound worth searching, as far as it is known.
    fn last_bound(&self) -> Option<u32> {
        let extra = match self.config.wanted {
            Wanted::First => 0,
            Wanted::All { extra } => extra,
        };
        let wanted = self.solutions.first().map(|shortest| (shortest.len() as u32).saturating_add(extra));
        match (wanted, self.config.max_bound) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// How the search ends when all bounds below `bound` have been searched.
    fn ending(&mut self, bound: u32) -> Ending<Vec<Op>> {
        let solutions = std::mem::take(&mut self.solutions);
        match solutions.first() {
            Some(shortest) => Ending::Optimal {
                length: shortest.len() as u32,
                complete: !self.run.is_cancelled() || self.config.wanted == Wanted::First,
                solutions,
            },
            None if self.run.is_cancelled() => Ending::Cancelled { lower_bound: bound },
            None => Ending::Bounded { lower_bound: bound },
        }
    }

    /// Searches with one bound. Returns the least excess over it that was cut (`u32::MAX` when
    /// nothing was), or nothing when the search is over: solved as wanted, or cancelled.
    fn iterate(&mut self, bound: u32) -> Option<u32> {
        let begun = Instant::now();
        let Harvest { counts, mut found, .. } = self.search_near_misses_first(bound);
        let cancelled = self.run.is_cancelled();
        self.record(bound, begun, &counts, !cancelled && (self.exhaustive || found.is_empty()));
        if self.config.wanted == Wanted::First {
            found.truncate(1);
        }
        self.solutions.extend(found.into_iter().map(|found| found.path));
        let over = cancelled || (self.config.wanted == Wanted::First && !self.solutions.is_empty());
        (!over).then_some(counts.least_excess)
    }

    /// Searches below the near misses of the last bound; and everything, when they hold no solution.
    /// Where solutions are to be counted, or the configuration does not ask for it, there never are
    /// any near misses.
    fn search_near_misses_first(&mut self, bound: u32) -> Harvest<H::Carry> {
        let retried = self.near.take().map(|near| near.sweep(&self.pass(0), bound)).unwrap_or_default();
        if !retried.found.is_empty() || self.run.is_cancelled() {
            return retried;
        }
        let keep_at = self.keep_at;
        let (mut harvest, tasks) = self.search_all(bound, keep_at);
        let finished = harvest.found.is_empty() && !self.run.is_cancelled();
        if self.config.near_misses_first && !self.exhaustive && finished {
            let generated = harvest.counts.generated as f64;
            let growth = self.iterations.last().map_or(16.0, |last| generated / last.generated.max(1) as f64);
            self.keep_at = near::keep_at::<H::Carry>(&harvest.counts, bound, growth);
            self.near = Near::new(keep_at, bound, tasks, std::mem::take(&mut harvest.kept));
        }
        harvest.counts.add(&retried.counts);
        harvest
    }

    /// Searches the whole tree. Also returns its subtrees.
    fn search_all(&self, bound: u32, keep_at: u32) -> (Harvest<H::Carry>, Vec<Task<D, H>>) {
        let pass = self.pass(keep_at);
        if bound == 0 {
            return (Harvest::at_start(self.domain.is_goal(self.start)), Vec::new());
        }
        if pass.passes_goal(self.start) {
            return (Harvest::default(), Vec::new());
        }
        let carry = self.heuristic.carry(self.domain, self.start);
        let node = Node { state: self.start.clone(), carry, fsm: self.automaton.start() };
        sweep(&pass, Task { node, path: Vec::new(), remaining: bound })
    }

    fn pass(&self, keep_at: u32) -> Pass<'_, D, H> {
        Pass {
            domain: self.domain,
            heuristic: self.heuristic,
            automaton: self.automaton,
            wanted: self.config.wanted,
            first: self.config.first,
            kernel: self.config.kernel.unwrap_or_else(|| self.heuristic.kernel()),
            keep_at,
            stop: Stop::new(self.exhaustive),
            run: self.run,
        }
    }

    fn record(&mut self, bound: u32, begun: Instant, counts: &Counts, complete: bool) {
        let stages = self.heuristic.stages().min(STAGES);
        let iteration = Iteration {
            bound,
            complete,
            generated: counts.generated,
            expanded: counts.expanded,
            pruned_by_heuristic: counts.pruned_by_heuristic(),
            pruned_by_fsm: counts.pruned_by_fsm,
            stages: if stages > 1 { counts.stages[..stages].to_vec() } else { Vec::new() },
            seconds: begun.elapsed().as_secs_f64(),
        };
        self.run.progress().end();
        self.run.progress().note(&format!(
            "bound {bound}: {} nodes in {:.2} s{}",
            iteration.generated,
            iteration.seconds,
            if complete { "" } else { ", cut short" }
        ));
        self.iterations.push(iteration);
    }
}
