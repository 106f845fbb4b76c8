//! The answer to a case: its solutions, found or derived from another case, ranked and replayed.

use super::super::referee_check;
use super::super::search_args::failure;
use super::input::Named;
use crate::algs::costs::ranked;
use crate::algs::solution::effect;
use crate::algs::{CaseSolver, Costs, Order, Solution, layer};
use crate::cube::Cube;
use crate::mask::Mask;
use crate::metric::Metric;
use crate::notation::Position;
use crate::notation::facelets;
use crate::notation::scramble::Move;
use puzzle_cli::cases::Ranked;
use puzzle_cli::{Failure, Limits, Session};
use search_core::Ending;
use search_core::ida::{Config, Wanted};
use std::collections::{HashMap, HashSet};

/// The maximum number of moves in solutions that are kept for later cases, if it is not known which cases follow.
const KEPT: usize = 10_000_000;

/// The settings of all cases.
pub(super) struct Settings<'a> {
    pub(super) extra: u32,
    pub(super) limits: Limits,
    pub(super) rotations: bool,
    pub(super) costs: &'a Costs,
    pub(super) order: Order,
    pub(super) top: usize,
}

/// Answers cases one after the other.
pub(super) struct Answers<'a> {
    solver: &'a CaseSolver,
    session: &'a Session,
    settings: Settings<'a>,
    /// Cases that were searched, by their class, with the ending of the search.
    known: HashMap<Cube, (Cube, Ending<Solution>)>,
    /// The total number of moves in those solutions.
    kept: usize,
    /// The number of cases of each class that are still to come, if known.
    to_come: Option<HashMap<Cube, usize>>,
}

/// The answer to a case.
pub(super) struct Answer {
    pub(super) name: String,
    pub(super) facelets: String,
    /// The ending of the search; its solutions are in `best`.
    pub(super) ending: Ending<()>,
    /// The number of solutions that were found.
    pub(super) found: usize,
    /// The best of them.
    pub(super) best: Vec<Ranked<Solution>>,
}

impl<'a> Answers<'a> {
    /// Creates the state before the first case.
    pub(super) fn new(solver: &'a CaseSolver, session: &'a Session, settings: Settings<'a>) -> Answers<'a> {
        Answers { solver, session, settings, known: HashMap::new(), kept: 0, to_come: None }
    }

    /// Declares which cases will be requested.
    pub(super) fn expect<'c>(&mut self, cases: impl Iterator<Item = &'c Cube>) {
        let mut to_come = HashMap::new();
        cases.for_each(|cube| *to_come.entry(self.solver.class(cube)).or_default() += 1);
        self.to_come = Some(to_come);
    }

    /// The number of remaining cases that need a search.
    pub(super) fn searches_left(&self) -> usize {
        let is_to_come = |(class, count): &(&Cube, &usize)| **count > 0 && !self.known.contains_key(*class);
        self.to_come.as_ref().map_or(0, |to_come| to_come.iter().filter(is_to_come).count())
    }

    /// Answers a case; `None` if the work was interrupted. `place` is the text of the progress.
    pub(super) fn answer(&mut self, case: &Named, place: &str) -> Result<Option<Answer>, Failure> {
        let position = &case.position;
        let held = position.orientation.held_from_cube(&position.cube);
        let Some(ending) = self.ending(&held, place)? else { return Ok(None) };
        let solutions = self.up_to_rotations(&held, ending.solutions());
        let found = solutions.len();
        let mut best = ranked(solutions, self.settings.costs, self.settings.order);
        best.truncate(self.settings.top);
        for (_, solution) in &best {
            self.replay(position, &held, solution)?;
        }
        let best = best.into_iter().map(|(cost, solution)| Ranked {
            length: solution.moves.len(),
            cost: cost.as_f64(),
            solution,
        });
        let best = best.collect();
        let facelets = facelets::format(&held);
        Ok(Some(Answer { name: case.name.clone(), facelets, ending: ending.map(|_| ()), found, best }))
    }

    /// Solves a cube.
    fn ending(&mut self, cube: &Cube, place: &str) -> Result<Option<Ending<Solution>>, Failure> {
        let class = self.solver.class(cube);
        let later = self.to_come.as_mut().map(|to_come| {
            let count = to_come.entry(class).or_default();
            *count = count.saturating_sub(1);
            *count
        });
        let known = self.known.get(&class);
        if let Some(ending) = known.and_then(|(from, ending)| self.solver.carried(from, ending, cube)) {
            if later == Some(0) {
                self.known.remove(&class);
            }
            return Ok(Some(ending));
        }
        let progress = self.session.bars().named(place);
        let run = self.settings.limits.run(&self.session.run().with_progress(&progress));
        let config = Config::default()
            .wanted(Wanted::All { extra: self.settings.extra })
            .max_bound(self.settings.limits.max_depth);
        let ending = self.solver.solve(cube, &config, &run).map_err(failure)?;
        if self.session.is_interrupted() {
            return Ok(None);
        }
        let is_whole = !run.is_cancelled();
        let moves: usize = ending.solutions().iter().map(|solution| solution.moves.len()).sum();
        if is_whole && later != Some(0) && (later.is_some() || self.kept + moves <= KEPT) {
            self.kept += moves;
            self.known.insert(class, (*cube, ending.clone()));
        }
        Ok(Some(ending))
    }

    /// All rotations of the solutions, or only the best one of each.
    fn up_to_rotations(&self, cube: &Cube, solutions: &[Solution]) -> Vec<Solution> {
        let mut seen: HashSet<Vec<Move>> = HashSet::new();
        let mut kept = Vec::new();
        for solution in solutions {
            if seen.contains(&solution.moves) {
                continue;
            }
            let rotations = self.solver.rotations(cube, solution.clone());
            seen.extend(rotations.iter().map(|rotation| rotation.moves.clone()));
            if self.settings.rotations {
                kept.extend(rotations);
            } else {
                let best = ranked(rotations, self.settings.costs, self.settings.order).into_iter().next();
                kept.extend(best.map(|(_, solution)| solution));
            }
        }
        kept
    }

    /// Has the referee replay a solution as it is printed, free turns included.
    fn replay(&self, position: &Position, held: &Cube, solution: &Solution) -> Result<(), Failure> {
        let whole = solution.whole();
        let (solver, metric) = (self.solver.solver(), self.solver.solver().metric());
        if solver.goals().only().is_some_and(Mask::is_none) {
            let mut allowed: Vec<String> = solver.moves().names().iter().map(Move::to_string).collect();
            allowed.extend([solution.before_text(), solution.after_text()]);
            let length = solution.moves.len() + solution.free_length(Metric::Htm) as usize;
            return referee_check::check_moves(position, &Cube::SOLVED, &whole, &allowed, length);
        }
        let turned = held.compose(&layer::after_u(solution.before));
        let reached = turned.compose(&effect(&solution.moves).0).compose(&layer::after_u(solution.after));
        let goal = if self.solver.accepts(&reached) { reached } else { Cube::SOLVED };
        let goal = position.orientation.cube_from_held(&goal);
        let length = solution.moves.len() as u32 + solution.free_length(metric);
        referee_check::check(position, &goal, &whole, metric, length)
    }
}
