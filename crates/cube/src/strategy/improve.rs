//! Shorter solutions from long ones, by face turns: by optimal windows, and by solving anew.
//!
//! Windows are solved by the proving search: the turns between two positions of a solution solve the first, seen from the
//! second. A window whose turns are shortest already is the common case; to prove it, all shorter lengths are searched.
//! With the table `square-4` this takes about a millisecond for the default size of a window, and several times as long for
//! each turn more.
//!
//! A long random walk has hardly any short detours: of the strings of 15 turns most are shortest. So windows shorten the
//! solutions of people and robots, whose steps follow each other without regard to what comes next, but never a random
//! walk to anything near the optimum. Solving anew does: the [two-phase search](crate::two_phase) for a number of nodes, with
//! the table of cosets if it exists, followed by windows of its solution.

use super::{Ask, Solver, SolverError};
use crate::cube::{Cube, Turn};
use crate::mask::Mask;
use crate::notation::scramble::Move;
use crate::two_phase::Limits;
use search_core::ida::{UpperBounds, Wanted};
use search_core::improve::{Improve, Improved, Shorten, Unsolved, Window};
use search_core::{Cancelled, Ending, Run};

/// The number of turns in a window where the user names none.
pub const WINDOW: usize = 14;

/// The number of nodes of a search for another solution: about a tenth of a second.
const NODES: u64 = 7 << 19;

/// A shortened solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shorter {
    /// The turns.
    pub turns: Vec<Turn>,
    /// A proved lower bound on the length of every solution.
    pub lower_bound: u32,
    /// Whether no window of the turns can be shortened.
    pub is_complete: bool,
}

/// Shortens `turns`, which solve `cube`, with the tables of `solver`. With `is_anew`, another solution is looked for too.
///
/// # Errors
/// [`SolverError::Unsupported`] unless the solver is for whole cubes and all face turns; [`SolverError::Table`] of a table
/// that the search needs.
pub fn shorter(
    solver: &Solver,
    cube: &Cube,
    turns: &[Turn],
    settings: &Improve,
    is_anew: bool,
    run: &Run<'_>,
) -> Result<Shorter, SolverError> {
    let is_whole = solver.goals().only().is_some_and(Mask::is_none);
    if !is_whole
        || !solver.metric().is_of_faces()
        || solver.moves().names().len() != solver.metric().turns().len()
    {
        return Err(SolverError::Unsupported("solutions are shortened for whole cubes and all face turns"));
    }
    let windows = Windows(solver);
    let mut best = settings.path(&windows, cube, turns, run);
    let value = u32::from(solver.value(cube, run)?);
    let lower_bound = if best.is_cheapest { best.cost } else { value };
    if is_anew
        && !best.is_cheapest
        && let Some(two_phase) = solver.strategy.two_phase(&solver.means(run))
    {
        let limits = Limits::new().enough(lower_bound).nodes(NODES);
        if let Some(anew) = two_phase.solve(cube, &limits, &|_| {}, run).best {
            let anew = settings.path(&windows, cube, &anew, run);
            best = if anew.cost < best.cost { anew } else { best };
        }
    }
    let Improved { moves: turns, cost, is_complete, .. } = best;
    Ok(Shorter { turns, lower_bound: lower_bound.min(cost), is_complete })
}

/// Windows of face turns, solved by the proving search.
struct Windows<'a>(&'a Solver);

impl Shorten for Windows<'_> {
    type State = Cube;
    type Move = Turn;

    fn apply(&self, cube: &Cube, turn: &Turn) -> Cube {
        cube.apply(*turn)
    }

    fn cost(&self, turn: &Turn) -> u32 {
        self.0.metric().length(*turn)
    }

    fn cheapest(
        &self,
        window: &Window<'_, Cube, Turn>,
        run: &Run<'_>,
    ) -> Result<Option<Vec<Turn>>, Unsolved> {
        let wanted = if window.choice.is_some() { Wanted::All { extra: 0 } } else { Wanted::First };
        let ask = Ask::new(window.to.inverse().compose(window.from))
            .wanted(wanted)
            .max_bound(Some(window.most))
            .upper_bounds(UpperBounds::default().used(false).deterministic(true));
        // The tables were loaded with the solver, so nothing but a cancellation can end the search without an answer.
        let answer = self.0.solve(&ask, run).map_err(|_| Cancelled)?;
        match answer.ending {
            Ending::Cancelled { .. } => Err(Cancelled.into()),
            Ending::Optimal { solutions, .. } => {
                let at = window.choice.unwrap_or(0) % solutions.len() as u64;
                let turn = |name: &Move| name.turn().expect("all moves turn faces");
                Ok(Some(solutions[at as usize].iter().map(turn).collect()))
            }
            Ending::Bounded { .. } | Ending::Exhausted => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristics::HeuristicSpec;
    use crate::metric::Metric;
    use crate::notation::scramble;
    use crate::strategy::SolverSetup;
    use crate::tests::common;

    #[test]
    fn solutions_are_shortened_in_both_metrics() {
        let run = Run::new().with_threads(1);
        let heuristic: HeuristicSpec = "corners".parse().expect("a heuristic");
        for metric in Metric::FACES {
            let setup = SolverSetup::new().metric(metric).heuristic(heuristic.clone()).at_once();
            let solver = setup.load(common::store().clone(), &run).expect("a solver");
            // U2 R2 F2 takes nine turns, the rest cancels: a window of six turns sees that.
            let text = "U U R R2 R F2 L R L' R' D U D' U' F B F' B' U";
            let turns = scramble::parse(text).expect("moves").turns;
            let cube = Cube::SOLVED.apply_all(turns.iter().rev().map(|turn| turn.inverse()));
            let improve =
                |window| super::shorter(&solver, &cube, &turns, &Improve::windows(window), false, &run);
            let shorter = improve(6).expect("an answer");
            assert!(cube.apply_all(shorter.turns.iter().copied()).is_solved());
            let exact = solver.solve(&Ask::new(cube), &run).expect("an answer").ending.length();
            assert_eq!(
                exact,
                Some(shorter.turns.iter().map(|&turn| metric.length(turn)).sum()),
                "{metric:?}"
            );
            assert!(shorter.is_complete && Some(shorter.lower_bound) == exact);
            let tied = super::shorter(&solver, &cube, &turns, &Improve::windows(3).ties(3, 1), false, &run);
            let tied = tied.expect("an answer");
            assert!(cube.apply_all(tied.turns).is_solved() && tied.lower_bound <= exact.expect("solved"));
        }
    }
}
