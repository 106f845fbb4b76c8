//! The search below each bound.

use super::bounds::Bounds;
use super::branch_depths::BranchDepths;
use super::checkpoint::{self, Checkpoint, Part};
use super::cut::{Cutting, Outcome};
use super::operators::Operators;
use super::pass::Pass;
use super::split;
use super::stop::Stop;
use super::{Config, Order, Wanted};
use crate::automaton::Automaton;
use crate::clock::Instant;
use crate::domain::{Domain, Op};
use crate::heuristic::Heuristic;
use crate::record::Report;
use crate::run::Run;
use std::time::Duration;

use crate::cast::to_u64;

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
    search_after(domain, heuristic, automaton, start, config, &mut BranchDepths::default(), run)
}

/// The same, where another search with lower bounds came before this one, with another heuristic perhaps: `reach`
/// is how deep it went, and becomes how deep this one goes.
///
/// # Panics
/// If `automaton` and `domain` differ in their number of operators.
pub fn search_after<D: Domain, H: Heuristic<D>>(
    domain: &D,
    heuristic: &H,
    automaton: &Automaton,
    start: &D::State,
    config: &Config,
    reach: &mut BranchDepths,
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
        bounds: Bounds::new(heuristic.value(domain, start).into(), domain.lengths(start)).with_config(config),
        solutions: Vec::new(),
        exhaustive: config.wanted != Wanted::First || config.full_last_iteration,
        reach,
        kept: Instant::now(),
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
    bounds: Bounds,
    solutions: Vec<Vec<Op>>,
    /// Every iteration is searched to its end.
    exhaustive: bool,
    /// How deep the last iteration went into its branches.
    reach: &'a mut BranchDepths,
    /// When the last checkpoint was kept, or the search began.
    kept: Instant,
}

/// An iteration at work.
struct Work<D: Domain, H: Heuristic<D>> {
    cutting: Cutting<D, H>,
    /// The outcome of the first subtrees, which are done.
    outcome: Outcome,
    /// Seconds of earlier runs.
    earlier: f64,
    begun: Instant,
}

impl<D: Domain, H: Heuristic<D>> Work<D, H> {
    /// The part of a checkpoint that describes it.
    fn part(&self) -> Part {
        let seconds = self.earlier + self.begun.elapsed().as_secs_f64();
        Part { cut: self.cutting.cut.clone(), outcome: Outcome { seconds, ..self.outcome.clone() } }
    }
}

impl<'a, D: Domain, H: Heuristic<D>> Driver<'a, D, H> {
    fn search(mut self) -> Report<Vec<Op>> {
        let mut part = self.resume();
        while let Some(bound) = self.bounds.bound() {
            self.iterate(bound, part.take());
            if self.run.is_cancelled() {
                break;
            }
        }
        self.bounds.report(self.solutions, self.run.is_cancelled())
    }

    /// Continues where an earlier run of the search stopped, if it left a checkpoint. Returns what it did of the bound.
    fn resume(&mut self) -> Option<Part> {
        let checkpoint = self.config.checkpoints.as_ref()?.resume()?;
        let solutions: Vec<Vec<Op>> = checkpoint.solutions.iter().map(Operators::to_ops).collect();
        if !checkpoint.is_plausible(self.bounds.lower_bound())
            || !solutions.iter().all(|path| self.is_solution(path))
        {
            return None;
        }
        self.bounds.resume(checkpoint.iterations, checkpoint.bound);
        solutions.iter().for_each(|path| self.bounds.found(path.len() as u32));
        self.solutions = solutions;
        Some(checkpoint.part)
    }

    /// Whether a string of operators leads from the start to a goal.
    fn is_solution(&self, path: &[Op]) -> bool {
        let end = self.pass().follow(self.start, self.automaton.start(), path);
        end.is_some_and(|(state, _)| self.domain.is_goal(&state))
    }

    /// Searches with one bound, of which an earlier run may have done a part.
    fn iterate(&mut self, bound: u32, part: Option<Part>) {
        let mut work = self.begin(bound, part);
        self.search_all(&mut work);
        let Part { cut, outcome } = work.part();
        let (mut counts, mut found) = (cut.above, outcome.solutions);
        counts.add(&outcome.counts);
        if cut.is_solved {
            found.push(Operators::default());
        }
        let cancelled = self.run.is_cancelled();
        let complete = !cancelled && (self.exhaustive || found.is_empty());
        if !cancelled && found.is_empty() && self.orders_branches() {
            *self.reach = BranchDepths::merged([outcome.reach].iter(), counts.generated);
        }
        let iteration = counts.iteration(bound, self.heuristic.stages(), outcome.seconds, complete);
        self.run.progress().end();
        self.run.progress().note(&format!(
            "bound {bound}: {} nodes in {:.2} s{}",
            iteration.generated,
            iteration.seconds,
            if complete { "" } else { ", cut short" }
        ));
        if self.config.wanted == Wanted::First {
            found.truncate(1);
        }
        for path in found.iter().map(Operators::to_ops) {
            self.bounds.found(path.len() as u32);
            self.solutions.push(path);
        }
        if cancelled {
            self.bounds.cancelled(iteration);
        } else {
            let excess = counts.least_excess;
            self.bounds.searched(iteration, (excess != u32::MAX).then(|| bound.saturating_add(excess)));
        }
    }

    /// The iteration with `bound`, with what an earlier run did of it.
    fn begin(&mut self, bound: u32, part: Option<Part>) -> Work<D, H> {
        let begun = Instant::now();
        // A checkpoint from between two bounds has an empty part.
        if let Some(part) = part.filter(|part| *part != Part::default()) {
            if let Some(cutting) = self.subtrees_of(bound, &part) {
                let earlier = part.outcome.seconds;
                return Work { cutting, outcome: part.outcome, earlier, begun };
            }
            self.run.progress().remark("the checkpoint is damaged: the bound begins anew");
        }
        let reach = self.orders_branches().then_some(&*self.reach);
        let cutting = Cutting::new(&self.pass(), self.start, bound, self.enough(), reach);
        Work { cutting, outcome: Outcome { bound, ..Outcome::default() }, earlier: 0.0, begun }
    }

    /// The subtrees of an iteration of which an earlier run has done a part; nothing if that is damaged.
    fn subtrees_of(&self, bound: u32, Part { cut, outcome }: &Part) -> Option<Cutting<D, H>> {
        let done = outcome.items.end;
        let fits =
            (cut.bound, outcome.bound, outcome.items.start) == (bound, bound, 0) && done <= cut.subtrees;
        if !fits || !outcome.solutions.iter().all(|path| self.is_solution(&path.to_ops())) {
            return None;
        }
        let cutting = Cutting::again(&self.pass(), self.start, cut).ok()?;
        let note = format!("resuming with bound {bound}, after {done} of {} subtrees", cut.subtrees);
        self.run.progress().remark(&note);
        Some(cutting)
    }

    /// The number of subtrees at which splitting stops.
    fn enough(&self) -> usize {
        let least = split::enough(self.run.threads());
        if self.config.checkpoints.is_none() {
            return least;
        }
        checkpoint::enough(least, self.bounds.expected_nodes().unwrap_or(self.config.expected_nodes as f64))
    }

    /// Whether branches that the last bound entered most deeply come first.
    fn orders_branches(&self) -> bool {
        self.config.order == Order::Deepest && !self.exhaustive
    }

    /// Searches what is left of the tree, and keeps checkpoints.
    fn search_all(&mut self, work: &mut Work<D, H>) {
        let (pass, run) = (self.pass(), self.run);
        let (bound, all) = (work.cutting.cut.bound, work.cutting.subtrees.len());
        run.progress().begin(&format!("bound {bound}"), to_u64(all));
        let pause = self.pause();
        let begun = |begun| run.progress().update(to_u64(begun));
        while work.outcome.items.end < all {
            let until = pause.and_then(|pause| Instant::now().checked_add(pause));
            let Cutting { subtrees, branches, .. } = &work.cutting;
            let part = (work.outcome.items.end, until);
            let next = Outcome::of(&pass, bound, subtrees, 0, branches, part, &begun);
            let is_over = run.is_cancelled() || !(self.exhaustive || next.solutions.is_empty());
            if is_over {
                // Not all subtrees that were begun are finished.
                if run.is_cancelled() && self.is_worth() {
                    self.keep(bound, work.part());
                }
                work.outcome.extend(next);
                break;
            }
            work.outcome.extend(next);
            if pause.is_some() && work.outcome.items.end < all || self.is_worth() {
                self.keep(bound, work.part());
            }
        }
    }

    /// How long to search between two checkpoints, if there are any.
    fn pause(&self) -> Option<Duration> {
        self.config.checkpoints.as_ref().map(|checkpoints| checkpoints.pause())
    }

    /// Whether a checkpoint is worth keeping before the pause is over.
    fn is_worth(&self) -> bool {
        self.config.checkpoints.as_ref().is_some_and(|checkpoints| self.kept.elapsed() >= checkpoints.worth())
    }

    /// Keeps a checkpoint.
    fn keep(&mut self, bound: u32, part: Part) {
        let Some(checkpoints) = &self.config.checkpoints else { return };
        let before = self.bounds.iterations().iter().filter(|iteration| iteration.bound < bound);
        checkpoints.keep(&Checkpoint {
            iterations: before.cloned().collect(),
            solutions: self.solutions.iter().map(|path| Operators::from(&path[..])).collect(),
            bound,
            part,
            earlier: None,
        });
        self.kept = Instant::now();
    }

    fn pass(&self) -> Pass<'a, D, H> {
        Pass {
            domain: self.domain,
            heuristic: self.heuristic,
            automaton: self.automaton,
            wanted: self.config.wanted,
            root_moves: &self.config.root_moves,
            kernel: self.config.kernel.unwrap_or_else(|| self.heuristic.kernel()),
            stop: Stop::new(self.exhaustive),
            run: self.run,
        }
    }
}
