//! The search below each bound.

use super::bounds::Bounds;
use super::checkpoint::{self, Checkpoint, Operators, Part};
use super::harvest::Harvest;
use super::node::{Node, Task};
use super::pass::Pass;
use super::reach::{Branches, Reach};
use super::split::{self, refine, split, sweep};
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
    search_after(domain, heuristic, automaton, start, config, &mut Reach::default(), run)
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
    reach: &mut Reach,
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
    reach: &'a mut Reach,
    /// When the last checkpoint was kept, or the search began.
    kept: Instant,
}

/// An iteration at work.
struct Work<D: Domain, H: Heuristic<D>> {
    bound: u32,
    /// The number of subtrees at which splitting stopped.
    enough: usize,
    tasks: Vec<Task<D, H>>,
    branches: Branches,
    /// The number of subtrees that are done, and what they brought back.
    done: usize,
    harvest: Harvest,
    /// Seconds of earlier runs.
    earlier: f64,
    begun: Instant,
}

impl<D: Domain, H: Heuristic<D>> Work<D, H> {
    fn new(bound: u32, enough: usize) -> Work<D, H> {
        let (tasks, harvest) = (Vec::new(), Harvest::default());
        let (branches, begun) = (Branches::default(), Instant::now());
        Work { bound, enough, tasks, branches, done: 0, harvest, earlier: 0.0, begun }
    }

    /// Adds what some subtrees brought back.
    fn add(&mut self, mut harvest: Harvest) {
        self.branches.note(&std::mem::take(&mut harvest.reached));
        self.harvest.add(harvest);
    }

    fn seconds(&self) -> f64 {
        self.earlier + self.begun.elapsed().as_secs_f64()
    }
}

impl<'a, D: Domain, H: Heuristic<D>> Driver<'a, D, H> {
    fn search(mut self) -> Report<Vec<Op>> {
        let mut part = self.take_up();
        while let Some(bound) = self.bounds.bound() {
            self.iterate(bound, part.take());
            if self.run.is_cancelled() {
                break;
            }
        }
        self.bounds.report(self.solutions, self.run.is_cancelled())
    }

    /// Continues where an earlier run of the search stopped, if it left a checkpoint. Returns what it did of the bound.
    fn take_up(&mut self) -> Option<Part> {
        let checkpoint = self.config.checkpoints.as_ref()?.take_up()?;
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
        self.search_and_note(&mut work);
        let seconds = work.seconds();
        let Harvest { counts, mut found, .. } = work.harvest;
        let cancelled = self.run.is_cancelled();
        let complete = !cancelled && (self.exhaustive || found.is_empty());
        let iteration = counts.iteration(bound, self.heuristic.stages(), seconds, complete);
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
        found.iter().for_each(|found| self.bounds.found(found.path.len() as u32));
        self.solutions.extend(found.into_iter().map(|found| found.path));
        if cancelled {
            self.bounds.cancelled(iteration);
        } else {
            let excess = counts.least_excess;
            self.bounds.searched(iteration, (excess != u32::MAX).then(|| bound.saturating_add(excess)));
        }
    }

    /// The iteration with `bound`, with what an earlier run did of it.
    fn begin(&mut self, bound: u32, part: Option<Part>) -> Work<D, H> {
        if bound == 0 {
            let harvest = Harvest::at_start(self.domain.is_goal(self.start));
            return Work { harvest, ..Work::new(bound, 0) };
        }
        if let Some(part) = part {
            if let Some(work) = self.resume(bound, &part) {
                return work;
            }
            self.run.progress().remark("the checkpoint is damaged: the bound begins anew");
        }
        let mut work = Work::new(bound, self.enough());
        self.split(&mut work, &self.pass());
        work
    }

    /// What an earlier run did of an iteration; nothing if that is damaged.
    fn resume(&mut self, bound: u32, part: &Part) -> Option<Work<D, H>> {
        let pass = self.pass();
        let mut work = Work::new(bound, part.enough);
        if part.enough > checkpoint::MOST_SUBTREES.max(split::enough(Run::MAX_THREADS)) {
            return None;
        }
        self.reach.clone_from(&part.reach);
        self.split(&mut work, &pass);
        let all = work.tasks.len();
        if part.all != all || part.done > all || part.fewest.len() != work.branches.fewest.len() {
            return None;
        }
        work.branches.fewest.clone_from(&part.fewest);
        work.harvest = part.harvest(|path| self.is_solution(path))?;
        (work.done, work.earlier) = (part.done, part.seconds);
        let note = format!("resuming with bound {bound}, after {} of {all} subtrees", work.done);
        self.run.progress().remark(&note);
        Some(work)
    }

    /// The number of subtrees at which splitting stops.
    fn enough(&self) -> usize {
        let least = split::enough(self.run.threads());
        if self.config.checkpoints.is_none() {
            return least;
        }
        checkpoint::enough(least, self.bounds.expected_nodes().unwrap_or(self.config.expected_nodes as f64))
    }

    /// Cuts the tree into subtrees. Counts the levels above them.
    fn split(&self, work: &mut Work<D, H>, pass: &Pass<'_, D, H>) {
        // No wanted solution continues from a goal.
        if !pass.passes_goal(self.start) {
            let carry = self.heuristic.carry(self.domain, self.start);
            let node = Node { state: self.start.clone(), carry, fsm: self.automaton.start() };
            let (root, counts) = (Task::new(node, Vec::new(), work.bound), &mut work.harvest.counts);
            let mut tasks = vec![root];
            if self.orders_branches() {
                tasks = split(pass, tasks, self.reach.enough(), counts);
                let order = self.reach.order(tasks.iter().map(|task| &task.path[..]));
                tasks = order.apply(tasks).expect("an order of these branches");
                let branches: Vec<_> = tasks.iter().map(|task| task.path.clone()).collect();
                if !order.is_plain() {
                    tasks = refine(pass, tasks, counts);
                }
                tasks = split(pass, tasks, work.enough, counts);
                work.branches = Branches::new(&branches, &tasks);
            } else {
                tasks = split(pass, tasks, work.enough, counts);
            }
            work.tasks = tasks;
        }
    }

    /// Whether branches that the last bound entered most deeply come first.
    fn orders_branches(&self) -> bool {
        self.config.order == Order::Deepest && !self.exhaustive
    }

    /// Searches what is left of the tree; notes how deep that went.
    fn search_and_note(&mut self, work: &mut Work<D, H>) {
        self.search_all(work);
        let finished = work.harvest.found.is_empty() && !self.run.is_cancelled();
        if finished && self.orders_branches() {
            *self.reach = std::mem::take(&mut work.branches).reach(work.harvest.counts.generated);
        }
    }

    /// Searches what is left of the tree, and keeps checkpoints.
    fn search_all(&mut self, work: &mut Work<D, H>) {
        let (pass, run) = (self.pass(), self.run);
        let all = work.tasks.len();
        run.progress().begin(&format!("bound {}", work.bound), to_u64(all));
        let pause = self.pause();
        let update = |done| run.progress().update(to_u64(done));
        while work.done < all {
            let until = pause.and_then(|pause| Instant::now().checked_add(pause));
            let (harvest, done) = sweep(&pass, &work.tasks, work.done, until, &update);
            let is_over = run.is_cancelled() || !(self.exhaustive || harvest.found.is_empty());
            if is_over {
                if run.is_cancelled() && self.is_worth() {
                    self.keep(work.bound, self.part(work));
                }
                work.harvest.add(harvest);
                break;
            }
            work.done = done;
            work.add(harvest);
            if pause.is_some() && done < all || self.is_worth() {
                self.keep(work.bound, self.part(work));
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

    /// What a checkpoint says of an iteration.
    fn part(&self, work: &Work<D, H>) -> Part {
        Part {
            enough: work.enough,
            all: work.tasks.len(),
            done: work.done,
            seconds: work.seconds(),
            reach: self.reach.clone(),
            fewest: work.branches.fewest.clone(),
            ..Part::of(&work.harvest)
        }
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
            openings: &self.config.openings,
            kernel: self.config.kernel.unwrap_or_else(|| self.heuristic.kernel()),
            stop: Stop::new(self.exhaustive),
            run: self.run,
        }
    }
}
