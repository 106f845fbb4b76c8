//! Shortest solutions to goals that are unions ([`Goals`]).
//!
//! The idea: each alternative is a search of its own, of another cube for the goals of a mask. All of them
//! are searched with one bound, then with the next. So the first bound with a solution is the length of
//! a shortest solution to any alternative. Alternatives with equal masks share a solver and its tables.
//!
//! A solution to one alternative may lead past a goal of another; in a search for one solution it cannot,
//! since it would not be shortest, and in a search for all of them it is left out.
//!
//! A checkpoint has the bounds before, the solutions, how many alternatives are over with this bound, and the part of
//! the one that is searched.

use super::FaceSolver;
use crate::cube::{Cube, Turn};
use crate::mask::{Alternative, Goals, Mask};
use crate::metric::Metric;
use search_core::clock::Instant;
use search_core::ida::{Checkpoint, Config, Earlier, OneBound, Operators, Part, Wanted};
use search_core::record::{Iteration, Stage, TableUse};
use search_core::{Ending, Op, Report, Run};
use std::collections::BTreeSet;
use std::mem::take;
use std::sync::Arc;

/// Solves cubes for a union of goals in one metric.
pub struct GoalSolver {
    goals: Goals,
    solvers: Vec<FaceSolver>,
    /// The number of each alternative's solver.
    solver_of: Vec<usize>,
    tables: Vec<TableUse>,
}

impl GoalSolver {
    /// The solver for `goals`, with the solver that `solver` returns for each mask.
    ///
    /// # Errors
    /// The first error of `solver`.
    pub fn new<E>(goals: Goals, solver: impl Fn(&Mask) -> Result<FaceSolver, E>) -> Result<GoalSolver, E> {
        let (mut masks, mut solvers, mut solver_of) = (Vec::new(), Vec::new(), Vec::new());
        for Alternative { mask, .. } in goals.alternatives() {
            let at = masks.iter().position(|known| known == mask);
            solver_of.push(at.unwrap_or(masks.len()));
            if at.is_none() {
                masks.push(*mask);
                solvers.push(solver(mask)?);
            }
        }
        let mut tables: Vec<TableUse> = Vec::new();
        for table in solvers.iter().flat_map(FaceSolver::tables) {
            if !tables.contains(table) {
                tables.push(table.clone());
            }
        }
        Ok(GoalSolver { goals, solvers, solver_of, tables })
    }

    /// The goals.
    pub fn goals(&self) -> &Goals {
        &self.goals
    }

    /// The metric.
    pub fn metric(&self) -> Metric {
        self.solvers[0].metric()
    }

    /// The heuristics' names.
    pub fn heuristic(&self) -> String {
        let mut names: Vec<String> = Vec::new();
        for name in self.solvers.iter().map(|solver| solver.heuristic().to_string()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let names = names.join(" | ");
        self.goals.face().map_or_else(|| names.clone(), |face| format!("{names} up to {}", face.letter()))
    }

    /// The tables that are read.
    pub fn tables(&self) -> &[TableUse] {
        &self.tables
    }

    /// A lower bound on the length of every solution.
    pub fn value(&self, cube: &Cube) -> u8 {
        self.starts(cube).map(|(solver, start)| solver.value(&start)).min().unwrap_or(0)
    }

    /// The cube that each alternative's solver is to solve.
    fn starts<'a>(&'a self, cube: &Cube) -> impl Iterator<Item = (&'a FaceSolver, Cube)> {
        let cube = *cube;
        let alternatives = self.goals.alternatives().iter().zip(&self.solver_of);
        alternatives.map(move |(alternative, &at)| (&self.solvers[at], alternative.before.compose(&cube)))
    }

    /// Searches for shortest solutions of `cube`: turns that lead from it to a goal. When all are requested,
    /// they are those that follow the move rules, pass no goal on their way and visit no position twice.
    pub fn solve(&self, cube: &Cube, config: &Config, run: &Run<'_>) -> Report<Vec<Turn>> {
        let starts: Vec<(&FaceSolver, Cube)> = self.starts(cube).collect();
        if let [(solver, start)] = &starts[..] {
            return solver.solve(start, config, run);
        }
        let (goals, start) = (&self.goals, *cube);
        let mut search = Search::new(goals, start, starts, config, run);
        let ending = search.all_bounds(self.value(cube).into());
        let ending = match config.wanted {
            Wanted::First => ending,
            Wanted::All { .. } => ending.choose(|all| self.passing_none(cube, all)),
        };
        Report { ending, iterations: search.iterations }
    }

    /// The solutions that reach a goal at their end alone.
    fn passing_none(&self, cube: &Cube, mut solutions: Vec<Vec<Turn>>) -> Vec<Vec<Turn>> {
        solutions.retain(|turns| {
            let mut cube = *cube;
            let before_the_end = &turns[..turns.len().saturating_sub(1)];
            let mut passes = !turns.is_empty() && self.goals.accepts(&cube);
            for &turn in before_the_end {
                cube = cube.apply(turn);
                passes |= self.goals.accepts(&cube);
            }
            !passes
        });
        solutions
    }
}

/// A search at work.
struct Search<'a> {
    goals: &'a Goals,
    cube: Cube,
    starts: Vec<(&'a FaceSolver, Cube)>,
    config: &'a Config,
    run: &'a Run<'a>,
    iterations: Vec<Iteration>,
    /// The solutions by length and then in the order of the turns.
    found: BTreeSet<(u32, Vec<Turn>)>,
    /// What an earlier run did of the next bound: the alternatives that are over, and a part of the one after them.
    taken: Option<(Earlier, Option<Part>)>,
    /// When the last checkpoint was kept, or the search began.
    kept: Instant,
}

impl<'a> Search<'a> {
    fn new(
        goals: &'a Goals,
        cube: Cube,
        starts: Vec<(&'a FaceSolver, Cube)>,
        config: &'a Config,
        run: &'a Run<'a>,
    ) -> Search<'a> {
        let (iterations, found) = (Vec::new(), BTreeSet::new());
        Search { goals, cube, starts, config, run, iterations, found, taken: None, kept: Instant::now() }
    }

    /// Searches bound after bound from `least` on.
    fn all_bounds(&mut self, least: u32) -> Ending<Vec<Turn>> {
        let least = least.max(self.config.min_bound);
        let mut bound = self.resume(least).unwrap_or(least);
        loop {
            if self.last_bound().is_some_and(|last| bound > last) {
                return self.ending(bound);
            }
            let next = self.one_bound(bound);
            let is_over = self.config.wanted == Wanted::First && !self.found.is_empty();
            if self.run.is_cancelled() || is_over {
                return self.ending(bound);
            }
            match next {
                Some(next) => bound = next,
                None if self.found.is_empty() => return Ending::Exhausted,
                None => return self.ending(bound),
            }
        }
    }

    /// Continues where an earlier run of the search stopped, if it left a checkpoint: with which bound.
    fn resume(&mut self, least: u32) -> Option<u32> {
        let checkpoint = self.config.checkpoints.as_ref()?.resume()?;
        if !checkpoint.is_plausible(least) {
            return None;
        }
        let Checkpoint { iterations, solutions, bound, part, earlier, .. } = checkpoint;
        let earlier = earlier.filter(|earlier| earlier.done <= self.starts.len())?;
        self.found = solutions.iter().map(|path| self.solution(&path.to_ops())).collect::<Option<_>>()?;
        self.iterations = iterations;
        let (done, all) = (earlier.done, self.starts.len());
        self.run
            .progress()
            .remark(&format!("resuming with bound {bound}, after {done} of {all} alternatives"));
        self.taken = Some((earlier, (part != Part::default()).then_some(part)));
        Some(bound)
    }

    /// The solution that a checkpoint has as operators, with its length, if it is one.
    fn solution(&self, ops: &[Op]) -> Option<(u32, Vec<Turn>)> {
        let turn = |op: &Op| (op.index() < Turn::COUNT).then(|| Turn::from_index(op.index()));
        let turns: Vec<Turn> = ops.iter().map(turn).collect::<Option<_>>()?;
        let is_one = self.goals.accepts(&self.cube.apply_all(turns.iter().copied()));
        is_one.then(|| (self.length(&turns), turns))
    }

    fn length(&self, turns: &[Turn]) -> u32 {
        let metric = self.starts[0].0.metric();
        turns.iter().map(|&turn| metric.length(turn)).sum()
    }

    /// The greatest bound worth searching, as far as it is known.
    fn last_bound(&self) -> Option<u32> {
        let wanted = match (self.config.wanted, self.shortest()) {
            (Wanted::All { extra }, Some(shortest)) => Some(shortest.saturating_add(extra)),
            (_, shortest) => shortest,
        };
        wanted.into_iter().chain(self.config.max_bound).min()
    }

    fn shortest(&self) -> Option<u32> {
        self.found.first().map(|(length, _)| *length)
    }

    /// Searches all alternatives with one bound. Returns the next bound that can have a solution, if any can.
    fn one_bound(&mut self, bound: u32) -> Option<u32> {
        let (mut earlier, mut part) = self.taken.take().unwrap_or_else(|| {
            let iteration = Iteration { bound, complete: true, ..Iteration::default() };
            (Earlier { iteration, ..Earlier::default() }, None)
        });
        while earlier.done < self.starts.len() {
            let report = self.one_search(bound, &earlier, part.take());
            report.iterations.iter().for_each(|part| add(&mut earlier.iteration, part));
            let after = match report.ending {
                Ending::Bounded { lower_bound } => Some(lower_bound.max(bound + 1)),
                Ending::Optimal { solutions, .. } => {
                    let found = solutions.into_iter().map(|turns| (self.length(&turns), turns));
                    let found: Vec<(u32, Vec<Turn>)> = found.collect();
                    self.found.extend(found);
                    Some(bound + 1)
                }
                Ending::Cancelled { .. } => Some(bound),
                Ending::Exhausted => None,
            };
            earlier.next = [earlier.next, after].into_iter().flatten().min();
            let is_enough = self.config.wanted == Wanted::First && !self.config.full_last_iteration;
            if self.run.is_cancelled() || is_enough && !self.found.is_empty() {
                earlier.iteration.complete = false;
                break;
            }
            earlier.done += 1;
        }
        self.iterations.push(earlier.iteration);
        earlier.next
    }

    /// Searches the alternative after those that are over with one bound; an earlier run has done `part` of it.
    fn one_search(&mut self, bound: u32, earlier: &Earlier, part: Option<Part>) -> Report<Vec<Turn>> {
        let wanted = match self.config.wanted {
            Wanted::First => Wanted::First,
            Wanted::All { .. } => Wanted::All { extra: 0 },
        };
        let (solver, start) = &self.starts[earlier.done];
        let images = solver.images(start);
        let config = self.config.clone().wanted(wanted).min_bound(bound).max_bound(bound);
        let Some(whole) = &self.config.checkpoints else {
            return solver.solve_with(start, &images, &config, self.run);
        };
        let before = self.checkpoint(bound, earlier);
        let is_new = part.is_none();
        if is_new && self.kept.elapsed() >= whole.pause() {
            whole.keep(&before);
            self.kept = Instant::now();
        }
        let one = Arc::new(OneBound::new(whole, before.clone(), part));
        let config = config.checkpoints(Some(one.clone()));
        let report = solver.solve_with(start, &images, &config, self.run);
        if one.has_kept() {
            self.kept = Instant::now();
        } else if is_new && self.run.is_cancelled() && self.kept.elapsed() >= whole.worth() {
            whole.keep(&before);
        }
        report
    }

    /// What has been done before an alternative is searched.
    fn checkpoint(&self, bound: u32, earlier: &Earlier) -> Checkpoint {
        let ops = |turns: &[Turn]| turns.iter().map(|turn| Op::new(turn.index())).collect::<Vec<Op>>();
        Checkpoint {
            iterations: self.iterations.clone(),
            solutions: self.found.iter().map(|(_, turns)| Operators::from(&ops(turns)[..])).collect(),
            bound,
            earlier: Some(earlier.clone()),
            ..Checkpoint::default()
        }
    }

    /// How the search ends when all bounds below `bound` have been searched.
    fn ending(&mut self, bound: u32) -> Ending<Vec<Turn>> {
        let is_cancelled = self.run.is_cancelled();
        match self.shortest() {
            Some(length) => {
                let mut solutions: Vec<Vec<Turn>> =
                    take(&mut self.found).into_iter().map(|(_, turns)| turns).collect();
                let wants_one = self.config.wanted == Wanted::First;
                solutions.truncate(if wants_one { 1 } else { usize::MAX });
                Ending::Optimal { length, solutions, complete: !is_cancelled || wants_one }
            }
            None if is_cancelled => Ending::Cancelled { lower_bound: bound },
            None => Ending::Bounded { lower_bound: bound },
        }
    }
}

/// Adds the counts of one alternative to those of an iteration.
fn add(all: &mut Iteration, part: &Iteration) {
    all.complete &= part.complete;
    all.generated += part.generated;
    all.expanded += part.expanded;
    all.pruned_by_heuristic += part.pruned_by_heuristic;
    all.pruned_by_fsm += part.pruned_by_fsm;
    all.seconds += part.seconds;
    all.stages.resize(all.stages.len().max(part.stages.len()), Stage::default());
    for (all, part) in all.stages.iter_mut().zip(&part.stages) {
        all.looked_up += part.looked_up;
        all.cut += part.cut;
    }
}
