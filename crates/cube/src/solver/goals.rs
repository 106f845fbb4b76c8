//! Shortest solutions to goals that are unions ([`Goals`]).
//!
//! The idea: each alternative is a search of its own, for another cube and the goals of a mask. Each bound is searched
//! in all of them before the next. So the first bound with a solution is the length of a shortest solution to any
//! alternative. Alternatives with equal masks share a solver and its tables.
//!
//! A solution to one alternative may pass a goal of another. In a search for one solution this is impossible, since the
//! solution would not be shortest; in a search for all solutions it is left out. If the last bound is completed in a
//! search for one solution, the result is the least of the alternatives' solutions.
//!
//! The search is that of `search_core::ida`, with a tree for each alternative.

use super::FaceSolver;
use super::symmetric::Images;
use crate::cube::{Cube, Turn};
use crate::mask::{Alternative, Goals, Mask};
use crate::metric::Metric;
use crate::space;
use search_core::ida::{AnyTree, Choice, Config, Incumbent, RootMoves, TreeSearch, Wanted, search_trees};
use search_core::record::TableUse;
use search_core::table::TableError;
use search_core::{Op, Report, Run};
use std::collections::BTreeSet;

/// Solves cubes for a union of goals in one metric.
pub(crate) struct GoalSolver {
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
    pub(crate) fn new<E>(
        goals: Goals,
        solver: impl Fn(&Mask) -> Result<FaceSolver, E>,
    ) -> Result<GoalSolver, E> {
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

    /// The metric.
    pub(crate) fn metric(&self) -> Metric {
        self.solvers[0].metric()
    }

    /// The heuristics' names.
    pub(crate) fn heuristic(&self) -> String {
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
    pub(crate) fn tables(&self) -> &[TableUse] {
        &self.tables
    }

    /// A lower bound on the length of every solution.
    pub(crate) fn value(&self, cube: &Cube) -> u8 {
        self.starts(cube).map(|(solver, start)| solver.value(&start)).min().unwrap_or(0)
    }

    /// Each alternative's solver, with the cube that it must solve.
    fn starts<'a>(&'a self, cube: &Cube) -> impl Iterator<Item = (&'a FaceSolver, Cube)> {
        let cube = *cube;
        let alternatives = self.goals.alternatives().iter().zip(&self.solver_of);
        alternatives.map(move |(alternative, &at)| (&self.solvers[at], alternative.before.compose(&cube)))
    }

    /// Offers a solution to each alternative by a beam search of about `nodes` nodes.
    pub(crate) fn offer_by_beam(&self, cube: &Cube, nodes: u64, incumbent: &Incumbent, run: &Run<'_>) {
        for (solver, start) in self.starts(cube) {
            if let Some(ops) = solver.engine.beam(&start, nodes, incumbent.upper_bound(), run) {
                incumbent.offer(&ops);
            }
        }
    }

    /// Searches for shortest solutions of `cube`: turns that lead from it to a goal. When all are requested,
    /// they are those that follow the move rules, pass no goal on their way and visit no position twice.
    ///
    /// # Errors
    /// [`TableError`] of a table that the search finds to be forged.
    pub(crate) fn solve(
        &self,
        cube: &Cube,
        config: &Config,
        run: &Run<'_>,
    ) -> Result<Report<Vec<Turn>>, TableError> {
        let starts: Vec<(&FaceSolver, Cube)> = self.starts(cube).collect();
        if let [(solver, start)] = &starts[..] {
            return solver.solve(start, config, run);
        }
        let trees = self.goals.alternatives().iter().zip(starts);
        let trees = trees.map(|(alternative, start)| GoalTree::new(alternative, start)).collect();
        let union = Union { metric: self.metric(), trees };
        let report = search_trees(&union, config, run).expect("there is nothing to choose");
        let turns = |ops: Vec<Op>| space::solution(self.metric(), &ops).expect("operators of the domain");
        let Report { ending, iterations } = report.map(turns);
        let ending = match config.wanted {
            Wanted::First => ending,
            Wanted::All { .. } => ending.choose(|all| self.passing_none(cube, union.images(&all))),
        };
        Ok(Report { ending, iterations })
    }

    /// The solutions that reach a goal only at their end.
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

/// The tree of one alternative.
struct GoalTree<'a> {
    mask: &'a Mask,
    solver: &'a FaceSolver,
    start: Cube,
    images: Images,
    root_moves: RootMoves,
}

impl<'a> GoalTree<'a> {
    fn new(alternative: &'a Alternative, (solver, start): (&'a FaceSolver, Cube)) -> GoalTree<'a> {
        let images = solver.images(&start);
        let root_moves = images.root_moves(solver.metric, solver.engine.rules());
        GoalTree { mask: &alternative.mask, solver, start, images, root_moves }
    }

    fn with<T>(&self, act: impl FnOnce(&dyn AnyTree) -> T) -> Option<T> {
        let (mut act, mut done) = (Some(act), None);
        let mut once = |tree: &dyn AnyTree| done = act.take().map(|act| act(tree));
        self.solver.engine.with_tree(&self.start, &self.root_moves, &mut once);
        done
    }
}

/// The trees of all alternatives.
struct Union<'a> {
    metric: Metric,
    trees: Vec<GoalTree<'a>>,
}

impl Union<'_> {
    /// All solutions and their images under symmetries of an alternative, by length and then in the order of the turns.
    fn images(&self, solutions: &[Vec<Turn>]) -> Vec<Vec<Turn>> {
        let metric = self.metric;
        let all = self.trees.iter().flat_map(|GoalTree { mask, start, images, .. }| {
            let solves = |turns: &&Vec<Turn>| mask.accepts(&start.apply_all(turns.iter().copied()));
            images.all(metric, solutions.iter().filter(solves).cloned().collect())
        });
        let length = |turns: &[Turn]| turns.iter().map(|&turn| metric.length(turn)).sum::<u32>();
        let sorted: BTreeSet<_> = all.map(|turns| (length(&turns), turns)).collect();
        sorted.into_iter().map(|(_, turns)| turns).collect()
    }
}

impl TreeSearch for Union<'_> {
    fn least(&self, bound: u32) -> u32 {
        let least = self.trees.iter().filter_map(|tree| tree.with(|tree| tree.least(bound)));
        least.min().unwrap_or(bound)
    }

    fn trees(&self) -> usize {
        self.trees.len()
    }

    fn in_order(&self, ops: &[Op]) -> Vec<Op> {
        space::in_order(self.metric.turns().len(), ops)
    }

    fn with_tree(&self, _: &Choice, tree: usize, act: &mut dyn FnMut(&dyn AnyTree)) -> bool {
        self.trees.get(tree).is_some_and(|tree| tree.with(act).is_some())
    }
}
