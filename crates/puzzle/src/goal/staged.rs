//! One goal, searched in stages.

use search_core::record::Answer;
use search_core::table::Tables;
use search_core::{Ending, Report, Run, Solution};

use super::Goal;
use crate::ask::Ask;
use crate::model::Puzzle;
use crate::rotation::Reduction;
use crate::solution::{Rejected, replay, solution};
use crate::solver::SolverError;
use crate::stages::StagedSolver;
use crate::strategy::SolverSetup;

/// Solves patterns for one goal, and loads pattern databases only for searches that need them ([`stages`](crate::stages)).
pub struct StagedGoal {
    puzzle: Puzzle,
    goal: Goal,
    solver: StagedSolver,
}

/// The reason why a search in stages has no answer.
#[derive(Debug, thiserror::Error)]
pub enum StagedError {
    /// The pattern databases are not available.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// A solution does not solve the pattern: a bug of the solver.
    #[error(transparent)]
    Rejected(#[from] Rejected),
}

impl StagedGoal {
    /// The solver of `puzzle` for `goal`; `None` if several rotated forms of a start must be searched, which a
    /// [`GoalSolver`](super::GoalSolver) does.
    ///
    /// # Errors
    /// [`SolverError`]: the puzzle cannot be searched, or the work was cancelled.
    pub fn new(
        puzzle: &Puzzle,
        goal: &Goal,
        setup: &SolverSetup,
        run: &Run<'_>,
    ) -> Result<Option<StagedGoal>, SolverError> {
        let puzzle_of_goal = goal.puzzle();
        if !puzzle_of_goal.rotations().is_empty() && Reduction::of(puzzle_of_goal).is_err() {
            return Ok(None);
        }
        let solver = StagedSolver::new(goal.puzzle().clone(), setup, run)?;
        Ok(Some(StagedGoal { puzzle: puzzle.clone(), goal: goal.clone(), solver }))
    }

    /// The names of the heuristics that a search may use.
    pub fn heuristics(&self) -> &'static str {
        self.solver.heuristics()
    }

    /// Searches for shortest solutions, which are replayed, as [`GoalSolver::solve`](super::GoalSolver::solve) does.
    ///
    /// # Errors
    /// [`StagedError`].
    pub fn solve(
        &self,
        ask: &Ask,
        store: &dyn Tables,
        run: &Run<'_>,
    ) -> Result<Answer<Solution>, StagedError> {
        let Some(start) = self.goal.relabeled(&ask.start) else {
            let nothing = Report { ending: Ending::Exhausted, iterations: Vec::new() };
            return Ok(Answer::new(nothing, self.solver.first_used(), 0.0));
        };
        let relabeled = Ask { start, ..ask.clone() };
        let answer = self.solver.solve(&relabeled, store, run)?;
        Ok(answer.try_map(|ops| {
            let numbers: Vec<usize> = ops.iter().map(|op| op.index()).collect();
            let names = self.solver.system().reduction.spell(&relabeled.start, &numbers);
            let moves = names.join(" ");
            let replayed = replay(&self.puzzle, &ask.start, &names, |pattern| self.goal.accepts(pattern));
            match replayed {
                Some(replayed) if replayed.counted == ops.len() => Ok(solution(ops.len(), moves)),
                _ => Err(Rejected { moves, length: ops.len() }),
            }
        })?)
    }
}
