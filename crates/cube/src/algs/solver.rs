//! All solutions of a case, up to free turns of U, and the solutions of other cases that follow from them.
//!
//! **Free turns.** A solution `A` with free turns before and after it solves `c uⁱ` up to a final `uʲ`. The final turn
//! is the goal's ([`Goals::up_to_turn`]); the first one makes up to four cubes to search for, bound after bound
//! ([`bounds`]). A solution that begins or ends with a free turn of U is left out, since it is shorter without this
//! turn; so is one that passes a goal on its way.
//!
//! **Rotations.** Let `y` be a rotation of the whole cube about U, and `c` a state of the last layer. On its pieces `y`
//! has the effect of `u`, so `y c y⁻¹ = u c u⁻¹`. If `c A uʲ` is solved, so is its conjugate `u c u⁻¹ A' uʲ` with `A' =
//! y A y⁻¹`: then `A'`, with free turns, solves `c`. Conversely every solution that begins with `uⁱ` is a rotation of
//! one that begins without. So of the four cubes only `c` itself is searched, and the rotations of its solutions are
//! all solutions. The same applies to any goal that `u`, by renaming the pieces, and `y` leave unchanged.
//!
//! **Mirror images and inverses.** A symmetry that preserves U and the set of moves maps solutions to solutions of the
//! image of the case. If nothing is left open, the inverse of a solution solves the inverse of the case. So one search
//! serves up to four cases ([`CaseSolver::class`], [`CaseSolver::carried`]): the solutions of an image are exactly the
//! images of the solutions.

use super::bounds;
use super::layer::{after_u, is_last_layer, turned};
use super::solution::{Auf, Solution, begins_with_u, effect, ends_with_u, image};
use crate::cube::{Cube, Face};
use crate::mask::{ComparedByGoal, Goals, Mask};
use crate::metric::Metric;
use crate::notation::scramble::{Layers, Move};
use crate::strategy::{Ask, Solver, SolverError};
use crate::symmetry::Symmetry;
use search_core::ida::{Config, Wanted};
use search_core::{Ending, Run};

/// Finds all solutions of cases.
pub struct CaseSolver {
    solver: Solver,
    /// The goals without a final turn.
    goals: Goals,
    /// The goals with a final turn, if it is free.
    full: Goals,
    auf: Auf,
    /// The symmetries that preserve U, the goals and the moves.
    images: Vec<Symmetry>,
    /// Whether the inverse of a solution solves the inverse of its case.
    inverts: bool,
    /// Whether the goals stay the same if the pieces of U are renamed as a turn of U moves them.
    is_kept_by_u: bool,
}

/// The goals with a final turn of U, if it is free.
///
/// # Errors
/// If a turn of U changes orientations that the goals compare away from home.
pub(crate) fn full_goals(goals: &Goals, auf: Auf) -> Result<Goals, ComparedByGoal> {
    if auf.after() { goals.clone().up_to_turn(Face::U) } else { Ok(goals.clone()) }
}

impl CaseSolver {
    /// The solver of cases with `solver`: one for `full_goals`, or one for the solved cube, which does not leave the final
    /// turn open.
    ///
    /// # Errors
    /// As `full_goals`.
    ///
    /// # Panics
    /// If `solver` has other goals.
    pub fn new(goals: Goals, auf: Auf, solver: Solver) -> Result<CaseSolver, ComparedByGoal> {
        let is_whole = goals.only().is_some_and(Mask::is_none);
        let full = full_goals(&goals, auf)?;
        assert!(*solver.goals() == full || is_whole && *solver.goals() == goals, "a solver for these goals");
        let moves = solver.moves().names();
        let is_goal = |mask: Mask| goals.masks().iter().any(|other| mask.is_equivalent(other));
        let keeps = |symmetry: &Symmetry| {
            let is_kept = |mask: &Mask| is_goal(mask.image(*symmetry));
            symmetry.action().face[Face::U.index()] == Face::U
                && goals.masks().iter().all(is_kept)
                && are_kept(&moves, *symmetry)
        };
        let turn = after_u(1).inverse();
        Ok(CaseSolver {
            full,
            auf,
            images: Symmetry::all().filter(keeps).collect(),
            inverts: is_whole && auf.before() == auf.after() && are_faces(&moves),
            is_kept_by_u: goals.masks().iter().all(|mask| is_goal(mask.renamed(&turn))),
            goals,
            solver,
        })
    }

    /// The solver of cubes.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// Whether the solver leaves the final turn open, if it is free.
    fn has_final_turn(&self) -> bool {
        *self.solver.goals() == self.full
    }

    /// Whether `cube`, after a solution and its free turns, is a goal.
    pub fn accepts(&self, cube: &Cube) -> bool {
        self.goals.accepts(cube)
    }

    /// Whether the rotations about U of a solution of `cube` are solutions too.
    pub(crate) fn has_rotations(&self, cube: &Cube) -> bool {
        self.has_final_turn()
            && self.auf == Auf::Both
            && self.is_kept_by_u
            && self.rotations_of_moves().count() == 4
            && is_last_layer(cube)
    }

    /// The rotations about U that keep goals and moves.
    fn rotations_of_moves(&self) -> impl Iterator<Item = Symmetry> + '_ {
        self.images.iter().copied().filter(|symmetry| symmetry.action().proper)
    }

    /// Searches for the shortest solutions of `cube` and those that are at most `config.wanted` longer. Of solutions
    /// that are rotations of each other about U, at least one is found, if all of them are solutions.
    ///
    /// # Errors
    /// [`SolverError`].
    pub fn solve(
        &self,
        cube: &Cube,
        config: &Config,
        run: &Run<'_>,
    ) -> Result<Ending<Solution>, SolverError> {
        let starts = self.starts(cube);
        let length = |moves: &Vec<Move>| moves.len() as u32;
        let values = starts.iter().map(|start| self.solver.value(start, run));
        let least = values.collect::<Result<Vec<u8>, _>>()?.into_iter().min().unwrap_or(0);
        let search = |at: usize, bound: u32| {
            let ask = Ask::new(starts[at]).wanted(Wanted::All { extra: 0 });
            let ask = ask.min_bound(bound).max_bound(Some(bound));
            self.solver.solve(&ask, run).map(|answer| answer.ending)
        };
        let ending = bounds::all(starts.len(), least.into(), config, run, length, search)?;
        Ok(self.tidied(cube, ending))
    }

    /// The cubes to search, without repetition.
    fn starts(&self, cube: &Cube) -> Vec<Cube> {
        let is_final_turn_searched = !self.has_final_turn();
        let is_first_turn_searched = self.auf.before() && !self.has_rotations(cube);
        let mut starts: Vec<Cube> = Vec::new();
        for start in turned(cube, is_first_turn_searched, is_final_turn_searched) {
            if !starts.contains(&start) {
                starts.push(start);
            }
        }
        starts
    }

    /// The solutions with their free turns. Longer solutions that begin or end with a free turn, or pass a goal, are
    /// left out.
    fn tidied(&self, cube: &Cube, ending: Ending<Vec<Move>>) -> Ending<Solution> {
        let shortest = ending.length().unwrap_or(0) as usize;
        let ending = ending.choose(|mut all| {
            all.retain(|moves| moves.len() == shortest || !self.is_loose(cube, moves));
            all
        });
        ending.map(|moves| self.placed(cube, moves).expect("a solution that was found solves the case"))
    }

    /// Whether a solution begins or ends with a free turn, or passes a goal on its way.
    fn is_loose(&self, cube: &Cube, moves: &[Move]) -> bool {
        let (_, held) = effect(moves);
        if self.auf.before() && begins_with_u(moves) || self.auf.after() && ends_with_u(moves, held) {
            return true;
        }
        let before = self.placed(cube, moves.to_vec()).map_or(0, |solution| solution.before);
        let start = cube.compose(&after_u(before));
        (0..moves.len()).any(|made| self.full.accepts(&start.compose(&effect(&moves[..made]).0)))
    }

    /// The solution with these moves, and the fewest quarter turns of U before and then after them; `None`
    /// if they solve `cube` with no free turns.
    fn placed(&self, cube: &Cube, moves: Vec<Move>) -> Option<Solution> {
        let (done, held) = effect(&moves);
        let quarters = |is_free: bool| 0..if is_free { 4 } else { 1 };
        for before in quarters(self.auf.before()) {
            let reached = cube.compose(&after_u(before)).compose(&done);
            let is_solved = |after: &u8| self.goals.accepts(&reached.compose(&after_u(*after)));
            if let Some(after) = quarters(self.auf.after()).find(is_solved) {
                return Some(Solution { before, moves, after, held });
            }
        }
        None
    }

    /// A solution of `cube` and its rotations about U, each once.
    pub fn rotations(&self, cube: &Cube, solution: Solution) -> Vec<Solution> {
        if !self.has_rotations(cube) {
            return vec![solution];
        }
        let mut all: Vec<Solution> = Vec::new();
        for rotation in self.rotations_of_moves() {
            let moves = image(&solution.moves, rotation, false, self.solver.metric());
            if all.iter().all(|known| known.moves != moves) {
                all.push(self.placed(cube, moves).expect("a rotation of a solution is one"));
            }
        }
        all
    }

    /// Whether solutions of one case are mapped to others.
    fn is_carrying(&self) -> bool {
        // Only symmetries of face turns are used.
        self.inverts || self.images.len() > 1
    }

    /// The least of the cubes whose solutions are images of those of `cube`: equal for cases that share one search.
    pub fn class(&self, cube: &Cube) -> Cube {
        let images = self.images_of(cube).map(|(_, _, image)| self.least_turned(&image));
        images.min().expect("the identity is a symmetry")
    }

    /// The images of a case.
    fn images_of(&self, cube: &Cube) -> impl Iterator<Item = (Symmetry, bool, Cube)> + '_ {
        let (cube, inverse) = (*cube, cube.inverse());
        self.images.iter().flat_map(move |&symmetry| {
            let plain = (symmetry, false, symmetry.conjugate(&cube));
            let inverted = self.inverts.then(|| (symmetry, true, symmetry.conjugate(&inverse)));
            std::iter::once(plain).chain(inverted)
        })
    }

    /// The least of the cubes that differ from one by free turns of U.
    fn least_turned(&self, cube: &Cube) -> Cube {
        let is_free_after = self.auf.after() && self.is_kept_by_u;
        turned(cube, self.auf.before(), is_free_after).min().expect("one at least")
    }

    /// The ending of a search for `to`, derived from that of `from`, a case of the same [class](CaseSolver::class);
    /// `None` if the classes differ.
    pub fn carried(&self, from: &Cube, ending: &Ending<Solution>, to: &Cube) -> Option<Ending<Solution>> {
        let target = self.least_turned(to);
        let (symmetry, inverted, _) =
            self.images_of(from).find(|(.., image)| self.least_turned(image) == target)?;
        let carry = |solution: Solution| {
            let moves = match self.is_carrying() {
                true => image(&solution.moves, symmetry, inverted, self.solver.metric()),
                false => solution.moves,
            };
            self.placed(to, moves).expect("the image of a solution is one")
        };
        Some(ending.clone().map(carry))
    }
}

/// Whether all moves are face turns.
fn are_faces(moves: &[Move]) -> bool {
    moves.iter().all(|name| name.layers == Layers::Outer)
}

/// Whether a symmetry maps this set of moves to itself. For sets with slices or wide turns, only the identity is
/// accepted.
fn are_kept(moves: &[Move], symmetry: Symmetry) -> bool {
    if !are_faces(moves) {
        return symmetry == Symmetry::IDENTITY;
    }
    let image = |name: &Move| image(&[*name], symmetry, false, Metric::Htm)[0];
    moves.iter().all(|name| moves.contains(&image(name)))
}
