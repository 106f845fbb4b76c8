//! Insertions: moves that complete a skeleton, a sequence that solves all but a few pieces.
//!
//! The skeleton *p q* is split in two, and *w* is inserted: *p w q*. As with fixed moves at the ends, *w* solves
//! another cube, *q c p* ([`Ends`]). So a search for all solutions of that cube up to the allowed number of moves finds
//! all insertions at this place. This is done at every place.
//!
//! The results are ranked by the length of the whole solution after turns of one face are joined. A longer
//! insertion may cancel more turns, so all of them are compared, not only the shortest of each place. Of strings
//! that differ only in the order of opposite faces, the search lists one; joining sorts these as well, so no length
//! is lost. The search leaves out strings that contain a part without effect: they are shorter without it.
//!
//! The cost is one search per place, each up to the bound.

use super::{joined, length, turns_of};
use crate::cube::{Cube, Turn};
use crate::strategy::{Ask, Ends, Solver, SolverError};
use search_core::ida::Wanted;
use search_core::{Cancelled, Ending, Run};
use std::collections::BTreeMap;

/// A solution made of a skeleton and an insertion.
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

/// The reason why not all places of a skeleton were searched.
#[derive(Debug, thiserror::Error)]
pub enum InsertionError {
    /// The search was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
}

/// The solutions of `cube` by inserting at most `most` moves at one place of `skeleton`: shortest first, each
/// solution once, with the smallest number of inserted moves.
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
