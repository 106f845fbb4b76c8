//! Shortest solutions to the nearest of several goals.
//!
//! The idea: each goal is a search of its own, for the start as its puzzle sees it. Each bound is searched for all goals
//! before the next, so the first bound with a solution is the length of a shortest one to any goal. Goals whose puzzles
//! are equal share a solver and its tables.
//!
//! **Goals without an anchor.** A search stands for all rotations of a position by the one that has an anchor piece at home
//! ([`rotation`](crate::rotation)). If a goal makes every possible anchor look like another piece, rotations are searched as
//! goals: with moves that are closed under conjugation, moves `w` lead from `s` to `g·r⁻¹` exactly if `r⁻¹·w·r`, which are
//! as many moves, lead from `s·r` to `g`. So the starts are the rotated forms `s·r`, one for each different `g·r⁻¹`.
//!
//! A solution to one goal may pass another one. In a search for one solution this is impossible, since the solution would
//! not be shortest; in a search for all solutions it is left out.

use std::collections::{BTreeSet, HashMap, HashSet};

use search_core::clock::Instant;
use search_core::ida::Wanted;
use search_core::record::{Answer, TableUse, Used};
use search_core::table::Tables;
use search_core::{Op, Report, Run, Solution};

use super::Goal;
use crate::ask::Ask;
use crate::definition::products;
use crate::model::{Pattern, Puzzle, Transformation};
use crate::rotation::Reduction;
use crate::solution::{Rejected, replay, solution};
use crate::solver::{Solver, SolverError, search_all};
use crate::strategy::SolverSetup;

/// Solves patterns for the nearest of several goals.
pub struct GoalSolver {
    puzzle: Puzzle,
    goals: Vec<Goal>,
    solvers: Vec<Solver>,
    /// For each solver, the rotated forms of a start that it searches.
    turns: Vec<Vec<Turn>>,
    /// The number of each goal's solver.
    solver_of: Vec<usize>,
    tables: Vec<TableUse>,
}

/// A rotation of a start.
struct Turn {
    /// The rotation; `None` if the start is searched as it is held.
    rotation: Option<Transformation>,
    /// For each counted move `m` after the rotation `r`, the name of `r·m·r⁻¹`.
    names: HashMap<String, String>,
}

/// A rotated form of a pattern that a solver must solve.
struct Start<'a> {
    solver: &'a Solver,
    turn: &'a Turn,
    pattern: Pattern,
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
        let (mut solvers, mut turns) = (Vec::new(), Vec::new());
        for puzzle in puzzles {
            let (puzzle, turns_of_puzzle) = searched(puzzle);
            solvers.push(Solver::load(puzzle, setup, store, &run)?);
            turns.push(turns_of_puzzle);
        }
        let mut tables: Vec<TableUse> = Vec::new();
        for table in solvers.iter().flat_map(Solver::tables) {
            if !tables.contains(table) {
                tables.push(table.clone());
            }
        }
        Ok(GoalSolver { puzzle: puzzle.clone(), goals, solvers, turns, solver_of, tables })
    }

    /// The tables that are read.
    pub fn tables(&self) -> &[TableUse] {
        &self.tables
    }

    /// The name of the heuristic.
    pub fn heuristic(&self) -> &'static str {
        self.solvers[0].heuristic()
    }

    /// The solvers, each for the goals whose puzzles are its own.
    pub fn solvers(&self) -> &[Solver] {
        &self.solvers
    }

    /// A lower bound on the number of moves to a goal; `None` if no goal can be reached, as far as coordinates and tables
    /// show.
    pub fn value(&self, pattern: &Pattern) -> Option<u8> {
        self.starts(pattern).iter().filter_map(|start| start.solver.value(&start.pattern)).min()
    }

    /// The rotated forms of a pattern for each goal, without repetition.
    fn starts(&self, pattern: &Pattern) -> Vec<Start<'_>> {
        let (mut starts, mut known) = (Vec::new(), HashSet::new());
        for (goal, &number) in self.goals.iter().zip(&self.solver_of) {
            let Some(relabeled) = goal.relabeled(pattern) else { continue };
            for turn in &self.turns[number] {
                let pattern = match &turn.rotation {
                    Some(rotation) => relabeled.apply(rotation),
                    None => relabeled.clone(),
                };
                if known.insert((number, pattern.clone())) {
                    starts.push(Start { solver: &self.solvers[number], turn, pattern });
                }
            }
        }
        starts
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
        starts.retain(|Start { solver, pattern, .. }| {
            let tree = solver.tree(pattern, run);
            let can_be_solved = tree.is_some();
            trees.extend(tree);
            can_be_solved
        });
        let report = search_all(&trees, &ask.config, run);
        let report = report.try_map(|ops| self.readings(&ask.start, &starts, &ops))?;
        let all: Vec<_> = report.ending.solutions().iter().flatten().cloned().collect();
        let Report { ending, iterations } = report.map(|mut readings| readings.swap_remove(0).0);
        let ending = match ask.config.wanted {
            Wanted::All { .. } if starts.len() > 1 => ending.choose(|_| {
                let all = all.into_iter().filter(|(_, passes_goal)| !passes_goal);
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
        starts: &[Start<'_>],
        ops: &[Op],
    ) -> Result<Vec<(Solution, bool)>, Rejected> {
        let numbers: Vec<usize> = ops.iter().map(|op| op.index()).collect();
        let (mut readings, mut moves): (Vec<(Solution, bool)>, _) = (Vec::new(), String::new());
        for Start { solver, turn, pattern: start } in starts {
            let reduction = &solver.system().reduction;
            if numbers.iter().any(|&number| number >= reduction.moves().len()) {
                continue;
            }
            let spelled = reduction.spell(start, &numbers).into_iter();
            let names: Vec<&str> =
                spelled.map(|name| turn.names.get(name).map_or(name, String::as_str)).collect();
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

/// The puzzle that is searched for a goal, and the rotated forms of a start.
fn searched(puzzle: &Puzzle) -> (Puzzle, Vec<Turn>) {
    let as_held = || (puzzle.clone(), vec![Turn { rotation: None, names: HashMap::new() }]);
    if puzzle.rotations().is_empty() || Reduction::of(puzzle).is_ok() {
        return as_held();
    }
    let mut parts = puzzle.clone().into_parts();
    parts.rotations.clear();
    match (Puzzle::new(parts), turns(puzzle)) {
        (Ok(held), Some(turns)) => (held, turns),
        // The solver names the reason why rotations cannot be removed.
        _ => as_held(),
    }
}

/// A rotation for each different rotated form of the solved pattern; `None` if there are too many, or if moves are not
/// closed under conjugation or rules forbid states.
fn turns(puzzle: &Puzzle) -> Option<Vec<Turn>> {
    if !puzzle.illegal().is_empty() {
        return None;
    }
    let named: HashMap<&Transformation, &str> =
        puzzle.moves().iter().map(|step| (&step.transformation, step.name.as_str())).collect();
    let (mut turns, mut known) = (Vec::new(), HashSet::new());
    for rotation in products(puzzle.identity(), puzzle.rotations())? {
        if !known.insert(puzzle.solved().apply(&rotation.inverse())) {
            continue;
        }
        let names = puzzle.moves().iter().map(|step| {
            let conjugate = step.transformation.conjugate(&rotation.inverse());
            Some((step.name.clone(), (*named.get(&conjugate)?).to_owned()))
        });
        turns.push(Turn { names: names.collect::<Option<_>>()?, rotation: Some(rotation) });
    }
    Some(turns)
}
