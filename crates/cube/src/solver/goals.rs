//! Shortest solutions to goals that are unions ([`Goals`]).
//!
//! The idea: each alternative is a search of its own, of another cube for the goals of a mask. All of them
//! are searched with one bound, then with the next. So the first bound with a solution is the length of
//! a shortest solution to any alternative. Alternatives with equal masks share a solver and its tables.
//!
//! A solution to one alternative may lead past a goal of another; in a search for one solution it cannot,
//! since it would not be shortest, and in a search for all of them it is left out.

use super::Solver;
use crate::cube::{Cube, Turn};
use crate::heuristics::HeuristicSpec;
use crate::mask::{Alternative, Goals, Mask};
use crate::metric::Metric;
use search_core::ida::{Config, Wanted};
use search_core::record::{Iteration, Stage, TableUse};
use search_core::table::{Store, TableError};
use search_core::{Ending, Report, Run};
use std::collections::BTreeSet;

/// Solves cubes for a union of goals in one metric.
pub struct GoalSolver {
    goals: Goals,
    solvers: Vec<Solver>,
    /// The number of each alternative's solver.
    solver_of: Vec<usize>,
    tables: Vec<TableUse>,
}

impl GoalSolver {
    /// The solver for `goals`. `heuristic` chooses the heuristic of each mask. Tables come from `store`, which
    /// builds those that it lacks.
    ///
    /// # Errors
    /// [`TableError`] of the first table that is not available.
    pub fn load(
        goals: Goals,
        heuristic: impl Fn(&Mask) -> HeuristicSpec,
        metric: Metric,
        store: &Store,
        run: &Run<'_>,
    ) -> Result<GoalSolver, TableError> {
        GoalSolver::new(goals, |mask| Solver::load(&heuristic(mask), metric, store, run))
    }

    /// The solver for `goals`, with the solver that `solver` returns for each mask.
    ///
    /// # Errors
    /// The first error of `solver`.
    pub fn new<E>(goals: Goals, solver: impl Fn(&Mask) -> Result<Solver, E>) -> Result<GoalSolver, E> {
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
        for table in solvers.iter().flat_map(Solver::tables) {
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
    fn starts<'a>(&'a self, cube: &Cube) -> impl Iterator<Item = (&'a Solver, Cube)> {
        let cube = *cube;
        let alternatives = self.goals.alternatives().iter().zip(&self.solver_of);
        alternatives.map(move |(alternative, &at)| (&self.solvers[at], alternative.before.compose(&cube)))
    }

    /// Searches for shortest solutions of `cube`: turns that lead from it to a goal. When all are requested,
    /// they are those that follow the move rules and pass no goal on their way. A search for several
    /// alternatives keeps no checkpoint.
    pub fn solve(&self, cube: &Cube, config: &Config, run: &Run<'_>) -> Report<Vec<Turn>> {
        let starts: Vec<(&Solver, Cube)> = self.starts(cube).collect();
        if let [(solver, start)] = &starts[..] {
            return solver.solve(start, config, run);
        }
        let mut search = Search { starts, config, run, iterations: Vec::new(), found: BTreeSet::new() };
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
    starts: Vec<(&'a Solver, Cube)>,
    config: &'a Config,
    run: &'a Run<'a>,
    iterations: Vec<Iteration>,
    /// The solutions by length and then in the order of the turns.
    found: BTreeSet<(u32, Vec<Turn>)>,
}

impl Search<'_> {
    /// Searches bound after bound from `least` on.
    fn all_bounds(&mut self, least: u32) -> Ending<Vec<Turn>> {
        let mut bound = least.max(self.config.min_bound);
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
        let (mut next, mut iteration) = (None, Iteration { bound, complete: true, ..Iteration::default() });
        let wanted = match self.config.wanted {
            Wanted::First => Wanted::First,
            Wanted::All { .. } => Wanted::All { extra: 0 },
        };
        let config = Config { wanted, checkpoints: None, ..self.config.clone() };
        let config = Config { min_bound: bound, max_bound: Some(bound), ..config };
        let metric = self.starts[0].0.metric();
        for (solver, start) in &self.starts {
            // Of the alternative's own solutions, longer ones than the shortest may be wanted.
            let images = solver.images(start);
            let images = if self.config.wanted == Wanted::First { images } else { images.forwards() };
            let report = solver.solve_with(start, &images, &config, self.run);
            report.iterations.iter().for_each(|part| add(&mut iteration, part));
            let after = match report.ending {
                Ending::Bounded { lower_bound } => Some(lower_bound.max(bound + 1)),
                Ending::Optimal { solutions, .. } => {
                    let length = |turns: &[Turn]| turns.iter().map(|&turn| metric.length(turn)).sum();
                    self.found.extend(solutions.into_iter().map(|turns| (length(&turns), turns)));
                    Some(bound + 1)
                }
                Ending::Cancelled { .. } => Some(bound),
                Ending::Exhausted => None,
            };
            next = [next, after].into_iter().flatten().min();
            let is_enough = self.config.wanted == Wanted::First && !self.config.full_last_iteration;
            if self.run.is_cancelled() || is_enough && !self.found.is_empty() {
                iteration.complete = false;
                break;
            }
        }
        self.iterations.push(iteration);
        next
    }

    /// How the search ends when all bounds below `bound` have been searched.
    fn ending(&mut self, bound: u32) -> Ending<Vec<Turn>> {
        let is_cancelled = self.run.is_cancelled();
        match self.shortest() {
            Some(length) => {
                let mut solutions: Vec<Vec<Turn>> =
                    std::mem::take(&mut self.found).into_iter().map(|(_, turns)| turns).collect();
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
