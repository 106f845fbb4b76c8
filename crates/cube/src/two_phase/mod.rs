//! Good solutions of a cube at once, and better ones while time remains: Kociemba's two-phase search.
//!
//! The idea: phase 1 leads into the subgroup H = ⟨U, D, R2, L2, F2, B2⟩, phase 2 solves the cube by the moves of H alone.
//! The shortest phase 1 with the shortest phase 2 has some 23 moves, but a longer phase 1 often has a much shorter phase
//! 2. So the search enumerates *all* phases 1 of each length, shortest first, and continues each only if the whole can be
//! shorter than the best solution so far. Six searches take turns: H has images along three axes, and a solution of the
//! inverse cube, inverted, is a solution.
//!
//! A run of moves of H need not be at the end of a solution. A solution `p h q`, where `h` is a run of moves of H, is
//! found from `q`: if `p h q` solves the cube *c*, then `p h` solves *q c*. So for each `q`, phase 1 enumerates all `p`,
//! and phase 2 finds `h`. What counts is the cost of `p` and `q` together: for one cost, every way to divide it between
//! `p` and `q` has about the same number of nodes, and finds about as many solutions as a run at the end. But lengthening
//! a phase 1 by one move multiplies the nodes by 13. So all divisions come before the next cost.
//!
//! Invariant: every solution that is reported was replayed, and is shorter than all before. No minimality is claimed: phase
//! 2 has a greatest length, beyond which another phase 1 is sooner found than a solution.
//!
//! Why few moves are lost: a phase 1 that ends with a move of H is a shorter phase 1 and a longer phase 2, so its last move
//! is a quarter turn of R, L, F or B.
//!
//! Cost: with the table of cosets, about half of the time goes to the reads of phase 1. A random cube has some six
//! solutions of at most 18 moves. About a third of these, over the three axes together, contain a run of at least six
//! moves of H. Finding all of them takes twelve moves outside H, some ten million nodes.
//!
//! Sources: H. Kociemba, "The Two-Phase-Algorithm" (1992); the three axes and the inverse as in Cube Explorer and in
//! E. Spitznagel's rob-twophase; M. Reid 1995 for the distances to H. Moves before the cube are those of a solution that is
//! found on the inverse in part, as in fewest-moves solving (NISS).
//!
//! | file | contents |
//! | --- | --- |
//! | `coordinates` | the coordinates of both phases, and how turns change them |
//! | `distances` | exact distances of pairs of coordinates, by breadth-first search in memory |
//! | `phase_one` | the distance to H: exact by the table of cosets, or a lower bound by small tables |
//! | `views` | the views of a cube: three axes, of the cube and its inverse |
//! | `subtrees` | the units of work, and their order |
//! | `tails` | the last moves of phase 1, listed by coset |
//! | `shared` | the best solution and the limits, shared by the threads |
//! | `search` | the searches of all views on all threads |
//! | `worker` | the search of a subtree by one thread, with several nodes in flight |
//! | `phase_two` | the search within H |

mod coordinates;
mod distances;
mod phase_one;
mod phase_two;
mod search;
mod shared;
mod subtrees;
mod tails;
#[cfg(test)]
mod tests;
mod views;
mod worker;

use crate::cube::{Cube, Turn};
use crate::metric::Metric;
use crate::tables::Table;
use distances::{Inner, Small};
use phase_one::Exact;
use search_core::{Cancelled, Run};
use std::sync::Arc;
use tails::Tails;

/// The two-phase search, with its tables.
pub struct TwoPhase {
    metric: Metric,
    inner: Inner,
    outer: Outer,
    tails: Tails,
}

/// The distances to H.
enum Outer {
    Exact(Exact),
    Small(Small),
}

/// When a search ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    enough: u32,
    below: Option<u32>,
    nodes: Option<u64>,
}

impl Limits {
    /// No limits: the search ends when it is cancelled, or when no phase 1 is shorter than the best solution.
    pub fn new() -> Limits {
        Limits::default()
    }

    /// Ends the search at a solution of at most this length, such as a proved lower bound.
    #[must_use]
    pub fn enough(self, length: u32) -> Limits {
        Limits { enough: length, ..self }
    }

    /// Searches for solutions shorter than this alone.
    #[must_use]
    pub fn below(self, length: impl Into<Option<u32>>) -> Limits {
        Limits { below: length.into(), ..self }
    }

    /// Ends the search after about this many nodes, but not before there is a solution or a length to be
    /// [below](Limits::below). On one thread, the solutions then depend on nothing else.
    #[must_use]
    pub fn nodes(self, nodes: impl Into<Option<u64>>) -> Limits {
        Limits { nodes: nodes.into(), ..self }
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The shortest solution that was found, if any.
    pub best: Option<Vec<Turn>>,
    /// The number of generated nodes, of both phases.
    pub generated: u64,
}

impl TwoPhase {
    /// Upper limit on the memory of the small tables.
    pub const BYTES: u64 = 28 << 20;

    /// The search in `metric` (half turns or quarter turns), with the table of cosets of this metric if there is one.
    /// Small tables are built in memory: 12 MB, and 7 MB more without the table of cosets.
    ///
    /// # Errors
    /// [`Cancelled`] if the run must stop.
    ///
    /// # Panics
    /// If the metric has moves other than face turns, or the table is not that of the cosets.
    pub fn new(metric: Metric, coset: Option<Arc<Table>>, run: &Run<'_>) -> Result<TwoPhase, Cancelled> {
        assert!(metric.is_of_faces(), "both phases turn faces");
        let inner = Inner::new(metric, run)?;
        let outer = match coset {
            Some(table) => Outer::Exact(Exact::new(metric, table)),
            None => Outer::Small(Small::new(metric, run)?),
        };
        let tails = Tails::new(metric, &inner.outer);
        Ok(TwoPhase { metric, inner, outer, tails })
    }

    /// The metric of the lengths.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Searches for ever shorter solutions of `cube` on all threads, until a limit is reached or the run must stop.
    /// `improved` receives each solution that is shorter than all before; the result has the last of them.
    pub fn solve(
        &self,
        cube: &Cube,
        limits: &Limits,
        improved: &(dyn Fn(&[Turn]) + Sync),
        run: &Run<'_>,
    ) -> Found {
        match &self.outer {
            Outer::Exact(exact) => search::solve(self, exact, cube, limits, improved, run),
            Outer::Small(small) => search::solve(self, small, cube, limits, improved, run),
        }
    }
}

impl std::fmt::Debug for TwoPhase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let is_exact = matches!(self.outer, Outer::Exact(_));
        f.debug_struct("TwoPhase").field("metric", &self.metric).field("is_exact", &is_exact).finish()
    }
}
