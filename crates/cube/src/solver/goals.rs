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
use search_core::ida::{Bounds, Checkpoint, Config, Earlier, OneBound, Operators, Part, Wanted};
use search_core::record::{Iteration, Stage, TableUse};
use search_core::table::TableError;
use search_core::{Ending, Lengths, Op, Report, Run};
use std::collections::BTreeSet;
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
    ///
    /// # Errors
    /// [`TableError`] of a table that the search finds to be forged.
    pub fn solve(
        &self,
        cube: &Cube,
        config: &Config,
        run: &Run<'_>,
    ) -> Result<Report<Vec<Turn>>, TableError> {
        let starts: Vec<(&FaceSolver, Cube)> = self.starts(cube).collect();
        if let [(solver, start)] = &starts[..] {
            return solver.solve(start, config, run);
        }
        let bounds = Bounds::new(self.value(cube).into(), Lengths::ANY).with_config(config);
        let (goals, kept) = (&self.goals, Instant::now());
        let search =
            GoalSearch { goals, cube: *cube, starts, config, run, bounds, found: BTreeSet::new(), kept };
        let report = search.all_bounds()?;
        let ending = match config.wanted {
            Wanted::First => report.ending,
            Wanted::All { .. } => report.ending.choose(|all| self.passing_none(cube, all)),
        };
        Ok(Report { ending, ..report })
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

/// The search of all alternatives.
struct GoalSearch<'a> {
    goals: &'a Goals,
    cube: Cube,
    starts: Vec<(&'a FaceSolver, Cube)>,
    config: &'a Config,
    run: &'a Run<'a>,
    bounds: Bounds,
    /// The solutions by length and then in the order of the turns.
    found: BTreeSet<(u32, Vec<Turn>)>,
    /// When the last checkpoint was kept, or the search began.
    kept: Instant,
}

impl GoalSearch<'_> {
    /// Searches bound after bound.
    fn all_bounds(mut self) -> Result<Report<Vec<Turn>>, TableError> {
        let mut resumed = self.resume();
        let mut is_cancelled = false;
        while let Some(bound) = self.bounds.bound().filter(|_| !is_cancelled) {
            let (earlier, part) = resumed.take().unwrap_or_else(|| {
                let iteration = Iteration { bound, complete: true, ..Iteration::default() };
                (Earlier { iteration, ..Earlier::default() }, None)
            });
            let Earlier { iteration, next, .. } = self.one_bound(bound, earlier, part)?;
            is_cancelled = self.run.is_cancelled();
            match is_cancelled {
                true => self.bounds.cancelled(iteration),
                false => self.bounds.searched(iteration, next),
            }
        }
        let solutions = self.found.into_iter().map(|(_, turns)| turns).collect();
        Ok(self.bounds.report(solutions, is_cancelled))
    }

    /// Resumes where an earlier run of the search stopped, if it left a checkpoint. Returns what that run did of the next
    /// bound: the alternatives that are complete, and a part of the one after them.
    fn resume(&mut self) -> Option<(Earlier, Option<Part>)> {
        let checkpoint = self.config.checkpoints.as_ref()?.resume()?;
        if !checkpoint.is_plausible(self.bounds.lower_bound()) {
            return None;
        }
        let Checkpoint { iterations, solutions, bound, part, earlier, .. } = checkpoint;
        let earlier = earlier.filter(|earlier| earlier.done <= self.starts.len())?;
        self.found = solutions.iter().map(|path| self.solution(&path.to_ops())).collect::<Option<_>>()?;
        self.found.iter().for_each(|(length, _)| self.bounds.found(*length));
        self.bounds.resume(iterations, bound);
        let (done, all) = (earlier.done, self.starts.len());
        self.run
            .progress()
            .remark(&format!("resuming with bound {bound}, after {done} of {all} alternatives"));
        Some((earlier, (part != Part::default()).then_some(part)))
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

    /// Searches all alternatives with one bound, but for those that are done `earlier`, and `part` of the next one.
    fn one_bound(
        &mut self,
        bound: u32,
        mut earlier: Earlier,
        mut part: Option<Part>,
    ) -> Result<Earlier, TableError> {
        while earlier.done < self.starts.len() {
            let report = self.one_search(bound, &earlier, part.take())?;
            report.iterations.iter().for_each(|part| add(&mut earlier.iteration, part));
            let after = next_bound(&report.ending, bound);
            for turns in report.ending.solutions() {
                let length = self.length(turns);
                self.bounds.found(length);
                self.found.insert((length, turns.clone()));
            }
            earlier.next = [earlier.next, after].into_iter().flatten().min();
            let is_enough = self.bounds.is_solved() && !self.config.full_last_iteration;
            if self.run.is_cancelled() || is_enough {
                earlier.iteration.complete = false;
                break;
            }
            earlier.done += 1;
        }
        Ok(earlier)
    }

    /// Searches the alternative after those that are over with one bound; an earlier run has done `part` of it.
    fn one_search(
        &mut self,
        bound: u32,
        earlier: &Earlier,
        part: Option<Part>,
    ) -> Result<Report<Vec<Turn>>, TableError> {
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
        let report = solver.solve_with(start, &images, &config, self.run)?;
        if one.has_kept() {
            self.kept = Instant::now();
        } else if is_new && self.run.is_cancelled() && self.kept.elapsed() >= whole.worth() {
            whole.keep(&before);
        }
        Ok(report)
    }

    /// What has been done before an alternative is searched.
    fn checkpoint(&self, bound: u32, earlier: &Earlier) -> Checkpoint {
        let ops = |turns: &[Turn]| turns.iter().map(|turn| Op::new(turn.index())).collect::<Vec<Op>>();
        Checkpoint {
            iterations: self.bounds.iterations().to_vec(),
            solutions: self.found.iter().map(|(_, turns)| Operators::from(&ops(turns)[..])).collect(),
            bound,
            earlier: Some(earlier.clone()),
            ..Checkpoint::default()
        }
    }
}

/// The least bound that can have a solution, after a search with one bound; `None` if none can.
pub(crate) fn next_bound<S>(ending: &Ending<S>, bound: u32) -> Option<u32> {
    match ending {
        Ending::Bounded { lower_bound } => Some((*lower_bound).max(bound + 1)),
        Ending::Optimal { .. } => Some(bound + 1),
        Ending::Cancelled { .. } => Some(bound),
        Ending::Exhausted => None,
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
