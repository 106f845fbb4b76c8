//! Insertions: moves put into a skeleton, which solves all but a few pieces, so that it solves the cube.
//!
//! The skeleton *p q* is cut in two, and *w* inserted: *p w q*. As for fixed moves at the ends, *w* solves
//! another cube, *q c p* ([`Ends`]). So a search for all solutions of that cube with at most as many moves
//! as allowed finds all insertions at this place. This is done at every place.
//!
//! What counts is the length of the whole with turns of one face joined where they meet. A longer
//! insertion may cancel more turns, so all are compared, not only the shortest of each place. The search
//! lists one of the strings of turns that differ in the order of opposite faces only; joining
//! sorts these as well, so that none of their lengths is lost. It leaves out strings with a part that does
//! nothing: without it, fewer moves do the same.
//!
//! The cost is that of as many searches as there are places, up to the bound.

use super::{joined, length, turns_of};
use crate::cube::{Cube, Turn};
use crate::strategy::{Ask, Ends, Solver, SolverError};
use search_core::ida::Wanted;
use search_core::{Cancelled, Ending, Run};
use std::collections::BTreeMap;

/// A solution that a skeleton and an insertion make.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Insertion {
    /// The length of the solution.
    pub length: u32,
    /// The inserted turns.
    pub turns: Vec<Turn>,
    /// The number of turns of the skeleton before them.
    pub after: usize,
    /// The solution, with turns of one face joined.
    pub solution: Vec<Turn>,
}

/// Why not all places of a skeleton were searched.
#[derive(Debug, thiserror::Error)]
pub enum InsertionError {
    /// The search was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The solver gave no answer.
    #[error(transparent)]
    Solver(#[from] SolverError),
}

/// The solutions of `cube` by an insertion of at most `most` moves at one place of `skeleton`: the shortest
/// first, each solution once, with the fewest moves inserted.
///
/// # Errors
/// [`InsertionError`] before all places are searched.
pub fn insertions(
    solver: &Solver,
    cube: &Cube,
    skeleton: &[Turn],
    most: u32,
    run: &Run<'_>,
) -> Result<Vec<Insertion>, InsertionError> {
    let (metric, wanted) = (solver.metric(), Wanted::All { extra: most });
    let mut best: BTreeMap<Vec<Turn>, Insertion> = BTreeMap::new();
    for after in 0..=skeleton.len() {
        let (p, q) = skeleton.split_at(after);
        let ends = Ends { before: p.to_vec(), after: q.to_vec() };
        let most = most + ends.length(metric);
        let ask = Ask::new(*cube).ends(ends).wanted(wanted).max_bound(Some(most));
        let found = match solver.solve(&ask, run)?.ending {
            Ending::Optimal { complete: true, solutions, .. } => solutions,
            Ending::Bounded { .. } | Ending::Exhausted => Vec::new(),
            Ending::Optimal { .. } | Ending::Cancelled { .. } => {
                return Err(InsertionError::Cancelled(Cancelled));
            }
        };
        for moves in found {
            let whole = turns_of(&moves);
            let (turns, solution) = (whole[after..whole.len() - q.len()].to_vec(), joined(metric, &whole));
            let insertion = Insertion { length: length(metric, &solution), turns, after, solution };
            best.entry(insertion.solution.clone())
                .and_modify(|known| {
                    if of_fewer_turns(&insertion, known) {
                        known.clone_from(&insertion);
                    }
                })
                .or_insert(insertion);
        }
    }
    let mut all: Vec<Insertion> = best.into_values().collect();
    all.sort_by_key(|insertion| {
        (insertion.length, insertion.turns.len(), insertion.after, insertion.turns.clone())
    });
    Ok(all)
}

/// Whether an insertion is preferred to another that makes the same solution.
fn of_fewer_turns(one: &Insertion, other: &Insertion) -> bool {
    (one.turns.len(), one.after) < (other.turns.len(), other.after)
}
