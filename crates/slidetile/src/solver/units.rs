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
use crate::heuristic::additive::MAX_PATTERNS;
use crate::puzzle::Puzzle;
use crate::tiles::Tiles;

/// An iteration that is cut into subtrees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CutIteration {
    /// The subtrees.
    pub cut: Cut,
    /// The partitions whose sums are read, if the heuristic reads any.
    partitions: Vec<usize>,
}

impl Solver {
    /// The first bound on the number of moves from `tiles`.
    pub fn first_bound(&self, tiles: &Tiles) -> u32 {
        self.puzzle.lengths(tiles).at_least(self.value(tiles).into())
    }

    /// Cuts the iteration with `bound` that comes after `iterations` into at least `enough` subtrees, if it is so large.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn cut(
        &self,
        tiles: &Tiles,
        iterations: &[Iteration],
        bound: u32,
        enough: usize,
        run: &Run<'_>,
    ) -> CutIteration {
        let partitions = match &self.heuristic {
            AnyHeuristic::Additive(tables) => Sums::new(self, tables, tiles).chosen_after(iterations, run).0,
            _ => Vec::new(),
        };
        let cut = self.with(tiles, &partitions, Cutting { solver: self, bound, enough, run });
        CutIteration { cut, partitions }
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
        let CutIteration { cut, partitions } = iteration;
        let fits = match &self.heuristic {
            AnyHeuristic::Additive(tables) => {
                let all = Sums::new(self, tables, tiles).partitions();
                let exist = !partitions.is_empty() && partitions.iter().all(|&partition| partition < all);
                exist && tables.plan().lookups(partitions) <= MAX_PATTERNS
            }
            _ => partitions.is_empty(),
        };
        if !fits {
            return Err(UnitError::Other { expected: cut.subtrees, found: 0 });
        }
        self.with(tiles, partitions, Searching { solver: self, cut, range, run })
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
