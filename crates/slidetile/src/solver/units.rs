//! The iterations of one instance as units, for processes that share nothing but files or messages.
//!
//! See [`search_core::ida::units`] for the invariant. With pattern databases, the partitions of an
//! iteration follow from the counts of those before it, so they are the ones that a single process chooses.

use std::ops::Range;

use search_core::ida::units::{Cut, Outcome, Tree, UnitError};
use search_core::record::Iteration;
use search_core::{Domain, Heuristic, Op, Run};
use serde::{Deserialize, Serialize};

use super::sums::Sums;
use super::{AnyHeuristic, Solver, Visit};
use crate::puzzle::Puzzle;
use crate::tiles::Tiles;

/// An iteration that is cut into subtrees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CutIteration {
    /// The subtrees.
    pub cut: Cut,
    /// The partitions whose sums are read, if the heuristic reads any.
    partitions: Vec<usize>,
    /// The nodes of the trials that chose them.
    #[serde(default)]
    trials: u64,
}

impl CutIteration {
    /// Those of these iterations that come after the ones before this one.
    fn since<'a>(&self, iterations: &'a [Iteration]) -> &'a [Iteration] {
        let before = iterations.partition_point(|iteration| iteration.bound < self.cut.bound);
        &iterations[before..]
    }
}

/// What a further move multiplies the work by, before it is measured.
const GROWTH: f64 = 2.8;

impl Solver {
    /// The first bound on the number of moves from `tiles`.
    pub fn first_bound(&self, tiles: &Tiles) -> u32 {
        self.puzzle.lengths(tiles).at_least(self.value(tiles).into())
    }

    /// Cuts the iteration with `bound` that comes after `iterations` into at least `enough` subtrees, if it is so
    /// large. `last` is the cut of one of these, if there was one: what it chose is not chosen again without need.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn cut(
        &self,
        tiles: &Tiles,
        iterations: &[Iteration],
        last: Option<&CutIteration>,
        bound: u32,
        enough: usize,
        run: &Run<'_>,
    ) -> CutIteration {
        let (partitions, trials) = match &self.heuristic {
            AnyHeuristic::Additive(tables) => {
                let sums = Sums::new(self, tables, tiles);
                match last.filter(|last| sums.fit(&last.partitions)) {
                    Some(last) => {
                        let since = last.since(iterations);
                        sums.chosen_since(last.partitions.clone(), last.trials, since, run)
                    }
                    None => sums.chosen_after(iterations, run),
                }
            }
            _ => (Vec::new(), 0),
        };
        let cut = self.with(tiles, &partitions, Cutting { solver: self, bound, enough, run });
        CutIteration { cut, partitions, trials }
    }

    /// The work that is expected of each share of an iteration that comes after `iterations`, in no unit.
    ///
    /// # Errors
    /// [`UnitError`] if the iteration was cut with other pattern databases.
    pub fn expected(
        &self,
        tiles: &Tiles,
        iteration: &CutIteration,
        iterations: &[Iteration],
        shares: &[Range<usize>],
        run: &Run<'_>,
    ) -> Result<Vec<f64>, UnitError> {
        let growth = match iterations {
            [.., before, last] if before.expanded > 0 && last.bound > before.bound => {
                let factor = last.expanded as f64 / before.expanded as f64;
                factor.powf(f64::from(last.bound - before.bound).recip()).max(1.0)
            }
            _ => GROWTH,
        };
        let visit = Expecting { solver: self, cut: &iteration.cut, shares, growth, run };
        self.fitting(tiles, iteration, visit)
    }

    /// Searches the subtrees of `range`; after the first solution, no later ones.
    ///
    /// # Errors
    /// [`UnitError`]; also if the iteration was cut with other pattern databases.
    pub fn search_unit(
        &self,
        tiles: &Tiles,
        iteration: &CutIteration,
        range: Range<usize>,
        run: &Run<'_>,
    ) -> Result<Outcome, UnitError> {
        self.fitting(tiles, iteration, Searching { solver: self, cut: &iteration.cut, range, run })?
    }

    /// Does something with the heuristic, whose sums read the partitions of the iteration.
    fn fitting<V: Visit>(
        &self,
        tiles: &Tiles,
        CutIteration { cut, partitions, .. }: &CutIteration,
        visit: V,
    ) -> Result<V::Answer, UnitError> {
        match &self.heuristic {
            AnyHeuristic::Additive(tables) => {
                let sums = Sums::new(self, tables, tiles);
                sums.fit(partitions).then(|| sums.with(partitions, visit))
            }
            _ => partitions.is_empty().then(|| self.with(tiles, &[], visit)),
        }
        .ok_or(UnitError::Other { expected: cut.subtrees, found: 0 })
    }
}

impl Solver {
    /// Whether the operators, which may come from a file, solve `tiles`.
    pub fn solves(&self, tiles: &Tiles, ops: &[Op]) -> bool {
        let step = |now: Tiles, &op: &Op| {
            self.puzzle.applicable(&now).contains(op).then(|| self.puzzle.apply(&now, op))
        };
        ops.iter().try_fold(*tiles, step).is_some_and(|end| self.puzzle.is_goal(&end))
    }

    fn tree<'a, H: Heuristic<Puzzle>>(&'a self, heuristic: &'a H, start: &'a Tiles) -> Tree<'a, Puzzle, H> {
        Tree { domain: &self.puzzle, heuristic, automaton: &self.automaton, start }
    }
}

/// Cuts an iteration.
struct Cutting<'a> {
    solver: &'a Solver,
    bound: u32,
    enough: usize,
    run: &'a Run<'a>,
}

impl Visit for Cutting<'_> {
    type Answer = Cut;

    fn with<H: Heuristic<Puzzle>>(self, heuristic: &H, tiles: &Tiles) -> Cut {
        self.solver.tree(heuristic, tiles).cut(self.bound, self.enough, self.run)
    }
}

/// Estimates units.
struct Expecting<'a> {
    solver: &'a Solver,
    cut: &'a Cut,
    shares: &'a [Range<usize>],
    growth: f64,
    run: &'a Run<'a>,
}

impl Visit for Expecting<'_> {
    type Answer = Vec<f64>;

    fn with<H: Heuristic<Puzzle>>(self, heuristic: &H, tiles: &Tiles) -> Vec<f64> {
        self.solver.tree(heuristic, tiles).expected(self.cut, self.shares, self.growth, self.run)
    }
}

/// Searches a unit.
struct Searching<'a> {
    solver: &'a Solver,
    cut: &'a Cut,
    range: Range<usize>,
    run: &'a Run<'a>,
}

impl Visit for Searching<'_> {
    type Answer = Result<Outcome, UnitError>;

    fn with<H: Heuristic<Puzzle>>(self, heuristic: &H, tiles: &Tiles) -> Result<Outcome, UnitError> {
        self.solver.tree(heuristic, tiles).search(self.cut, self.range, self.run)
    }
}
