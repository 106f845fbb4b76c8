//! Towers: which search answers an instance. A shortest path between two states is searched for, but
//! a tower of many discs that moves to another peg is solved by proving the presumed length.

use crate::database::Database;
use crate::error::SearchError;
use crate::layer_search::SearchOptions;
use crate::model::{Move, Puzzle, State, to_u64};
use crate::three_pegs;
use crate::verify::{Threshold, verify};
use search_core::storage::Budget;
use search_core::{Ending, Report, Run};

/// The number of discs from which on a tower is solved by proving the presumed length.
pub const BY_PROOF: u32 = 14;
/// The greatest length of a path that is written out.
pub const MOST_MOVES: u64 = 1 << 24;

/// The length of a shortest path with more than [`MOST_MOVES`] moves, which only three pegs have.
pub fn too_long(puzzle: &Puzzle, from: State, to: State) -> Option<u64> {
    let length = || three_pegs::length(puzzle.discs(), from, to);
    (puzzle.pegs() == 3).then(length).filter(|&length| length > MOST_MOVES)
}

/// The two pegs, if all discs are to move from one peg to another and a proof is the way to do it.
pub fn by_proof(puzzle: &Puzzle, from: State, to: State) -> Option<(u32, u32)> {
    let peg = |state: State| (0..puzzle.pegs()).find(|&peg| state == State::all_on(peg, puzzle.discs()));
    let proved = puzzle.pegs() == 4 && puzzle.discs() >= BY_PROOF;
    peg(from).zip(peg(to)).filter(|(from, to)| proved && from != to)
}

/// Solves the tower between two pegs by proving the presumed length, within the memory that `database`
/// leaves of the run's. Cancelled, it has proved nothing.
///
/// # Errors
/// [`SearchError`], except that of a cancellation.
pub fn prove(
    puzzle: &Puzzle,
    (from, to): (u32, u32),
    database: Option<&Database>,
    max_depth: Option<u32>,
    run: &Run<'_>,
) -> Result<Report<Vec<Move>>, SearchError> {
    let taken = database.map_or(0, |database| to_u64(database.values().len()));
    let budget = Budget::new(run.memory().saturating_sub(taken), 0);
    match verify(puzzle.discs(), Threshold::Full, database, budget, &SearchOptions::default(), run) {
        Ok(found) => {
            let report = found.tower_report(from, to);
            Ok(Report { ending: report.ending.within(max_depth.unwrap_or(u32::MAX)), ..report })
        }
        Err(SearchError::Cancelled(_)) => {
            Ok(Report { ending: Ending::Cancelled { lower_bound: 1 }, iterations: Vec::new() })
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tall_towers_are_proved() {
        let tall = Puzzle::new(BY_PROOF, 4).unwrap();
        let peg = |peg| State::all_on(peg, BY_PROOF);
        assert_eq!(by_proof(&tall, peg(1), peg(2)), Some((1, 2)));
        assert_eq!(by_proof(&tall, peg(1), peg(1)), None);
        assert_eq!(by_proof(&tall, peg(1), peg(2).with(0, 0)), None);
        assert_eq!(by_proof(&Puzzle::new(BY_PROOF - 1, 4).unwrap(), State::START, peg(2)), None);
    }

    #[test]
    fn three_pegs_can_be_too_long() {
        let puzzle = Puzzle::new(25, 3).unwrap();
        assert_eq!(too_long(&puzzle, State::START, State::all_on(2, 25)), Some((1 << 25) - 1));
        assert_eq!(too_long(&puzzle, State::START, State::START), None);
    }
}
