//! Shortest solutions to the nearest of several goals.
//!
//! The idea: each goal is a search of its own, for the start as its puzzle sees it. Each bound is searched for all goals
//! before the next, so the first bound with a solution is the length of a shortest one to any goal. Goals whose puzzles
//! are equal share a solver and its tables.
//!
//! A solution to one goal may pass another one. In a search for one solution this is impossible, since the solution would
//! not be shortest; in a search for all solutions it is left out.

use std::collections::BTreeSet;

use search_core::clock::Instant;
use search_core::ida::Wanted;
use search_core::record::{Answer, TableUse, Used};
use search_core::table::Tables;
use search_core::{Op, Report, Run, Solution};

use super::Goal;
use crate::ask::Ask;
use crate::model::{Pattern, Puzzle};
use crate::solution::{Rejected, replay, solution};
use crate::solver::{Solver, SolverError, search_all};
use crate::strategy::SolverSetup;

/// Solves patterns for the nearest of several goals.
pub struct GoalSolver {
    puzzle: Puzzle,
    goals: Vec<Goal>,
    solvers: Vec<Solver>,
    /// The number of each goal's solver.
    solver_of: Vec<usize>,
    tables: Vec<TableUse>,
}

impl GoalSolver {
    /// The solver of `puzzle` for `goals`, with the tables that are best within the memory of `run`.
    ///
    /// # Errors
    /// [`SolverError`].
    ///
    /// # Panics
    /// If there are no goals.
    pub fn load(
        puzzle: &Puzzle,
        goals: Vec<Goal>,
        setup: &SolverSetup,
        store: &dyn Tables,
        run: &Run<'_>,
    ) -> Result<GoalSolver, SolverError> {
        let (mut puzzles, mut solver_of): (Vec<&Puzzle>, Vec<usize>) = (Vec::new(), Vec::new());
        for goal in &goals {
            let at = puzzles.iter().position(|known| *known == goal.puzzle());
            solver_of.push(at.unwrap_or(puzzles.len()));
            if at.is_none() {
                puzzles.push(goal.puzzle());
            }
        }
        assert!(!puzzles.is_empty(), "at least one goal");
        let run = run.with_memory(run.memory() / puzzles.len() as u64);
        let solvers = puzzles.into_iter().map(|puzzle| Solver::load(puzzle.clone(), setup, store, &run));
        let solvers = solvers.collect::<Result<Vec<_>, _>>()?;
        let mut tables: Vec<TableUse> = Vec::new();
        for table in solvers.iter().flat_map(Solver::tables) {
            if !tables.contains(table) {
                tables.push(table.clone());
            }
        }
        Ok(GoalSolver { puzzle: puzzle.clone(), goals, solvers, solver_of, tables })
    }

    /// The tables that are read.
    pub fn tables(&self) -> &[TableUse] {
        &self.tables
    }

    /// The name of the heuristic.
    pub fn heuristic(&self) -> &'static str {
        self.solvers[0].heuristic()
    }

    /// Each goal's solver, with the pattern that it must solve, without repetition.
    fn starts(&self, pattern: &Pattern) -> Vec<(&Solver, Pattern)> {
        let mut starts: Vec<(usize, Pattern)> = Vec::new();
        for (goal, &solver) in self.goals.iter().zip(&self.solver_of) {
            let start = goal.relabeled(pattern).map(|start| (solver, start));
            starts.extend(start.filter(|start| !starts.contains(start)));
        }
        starts.into_iter().map(|(solver, start)| (&self.solvers[solver], start)).collect()
    }

    /// Searches for shortest solutions, which are replayed. Ends with [`Ending::Exhausted`](search_core::Ending::Exhausted),
    /// without a search, if no goal can be reached, as far as coordinates, tables or the order of the group show. When all
    /// solutions are wanted, they are those that pass no goal on their way; of strings of moves with one effect, one.
    ///
    /// # Errors
    /// [`Rejected`]: a bug of the solver.
    pub fn solve(&self, ask: &Ask, run: &Run<'_>) -> Result<Answer<Solution>, Rejected> {
        let begun = Instant::now();
        let mut starts = self.starts(&ask.start);
        let mut trees = Vec::new();
        starts.retain(|(solver, start)| {
            let tree = solver.tree(start, run);
            let can_be_solved = tree.is_some();
            trees.extend(tree);
            can_be_solved
        });
        let Report { ending, iterations } = search_all(&trees, &ask.config, run);
        let readings = ending.solutions().iter().map(|ops| self.readings(&ask.start, &starts, ops));
        let readings = readings.collect::<Result<Vec<_>, _>>()?;
        let mut first = readings.iter().map(|all| all[0].0.clone());
        let ending = ending.map(|_| first.next().expect("a reading of each solution"));
        let ending = match ask.config.wanted {
            Wanted::All { .. } if starts.len() > 1 => ending.choose(|_| {
                let all = readings.into_iter().flatten().filter(|(_, passes_goal)| !passes_goal);
                let sorted: BTreeSet<_> =
                    all.map(|(solution, _)| (solution.length, solution.moves)).collect();
                sorted.into_iter().map(|(length, moves)| Solution { length, moves }).collect()
            }),
            _ => ending,
        };
        let used = Used::one(self.heuristic(), &self.tables);
        Ok(Answer::new(Report { ending, iterations }, used, begun.elapsed().as_secs_f64()))
    }

    /// The different solutions that these moves of a solver stand for, at least one, and whether each passes a goal
    /// before its end.
    fn readings(
        &self,
        pattern: &Pattern,
        starts: &[(&Solver, Pattern)],
        ops: &[Op],
    ) -> Result<Vec<(Solution, bool)>, Rejected> {
        let numbers: Vec<usize> = ops.iter().map(|op| op.index()).collect();
        let (mut readings, mut moves): (Vec<(Solution, bool)>, _) = (Vec::new(), String::new());
        for (solver, start) in starts {
            let reduction = &solver.system().reduction;
            if numbers.iter().any(|&number| number >= reduction.moves().len()) {
                continue;
            }
            let names = reduction.spell(start, &numbers);
            moves = names.join(" ");
            let replayed = replay(&self.puzzle, pattern, &names, |pattern| {
                self.goals.iter().any(|goal| goal.accepts(pattern))
            });
            if let Some(replayed) = replayed.filter(|replayed| replayed.counted == ops.len())
                && readings.iter().all(|(known, _)| known.moves != moves)
            {
                readings.push((solution(ops.len(), moves.clone()), replayed.passes_goal));
            }
        }
        if readings.is_empty() { Err(Rejected { moves, length: ops.len() }) } else { Ok(readings) }
    }
}
