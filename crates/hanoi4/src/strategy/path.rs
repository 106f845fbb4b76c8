//! Choosing the search for a shortest path between two states.
//!
//! | puzzle | search |
//! | --- | --- |
//! | 3 pegs | recursion (`three_pegs`) |
//! | 4 pegs, fewer than 5 discs | the distances of all states ([`reference`](mod@reference)) |
//! | 4 pegs, a tower of [`BY_PROOF`] discs or more that moves to another peg | the presumed length is proved ([`proof`](super::proof)) |
//! | 4 pegs, at most [`BOTH_ENDS_DISCS`] discs | from both ends ([`both_ends`]) |
//! | 4 pegs, more discs | the times of corners ([`corners::paths`](crate::corners::paths)) |

use super::AskError;
use super::proof::{Loaded, ProofAsk, heuristic};
use crate::bitmap::shape::SMALL;
use crate::both_ends::{self, Stopped};
use crate::corners::paths;
use crate::cost::Proof;
use crate::error::SearchError;
use crate::improve::{self, Groups};
use crate::model::{Move, Puzzle, State, to_u32};
use crate::recursion;
use crate::reference;
use crate::three_pegs;
use search_core::clock::Instant;
use search_core::record::{Answer, Best, Iteration, Used};
use search_core::table::{FileError, Store, TableError};
use search_core::{Ending, Report, Run};

/// The least number of discs for which a tower is solved by proving the presumed length.
pub const BY_PROOF: u32 = 14;
/// The greatest number of discs for which searches run from both ends.
pub const BOTH_ENDS_DISCS: u32 = 12;
/// The greatest length of a path that is written out.
pub const MOST_MOVES: u64 = 1 << 24;
/// The least number of discs for which a proof takes minutes to days.
const LONG_PROOF: u32 = 28;

/// The question for a shortest path from one state to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ask {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// The start.
    pub from: State,
    /// The goal.
    pub to: State,
    /// The maximum length to search.
    pub max_depth: Option<u32>,
    /// The greatest difference between the best path and the lower bound with which the answer is accepted.
    pub within: u32,
    /// Whether a path that is not proved shortest may be part of the answer.
    pub upper: bool,
}

/// Both bounds before the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Every path has at least this many moves.
    pub lower_bound: u32,
    /// A path that is not proved shortest.
    pub best: Option<Best<Vec<Move>>>,
}

/// The search that finds a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathMethod {
    /// By recursion on three pegs.
    Recursion,
    /// By the distances of all states.
    Distances,
    /// From both ends.
    BothEnds,
    /// By the times of corners.
    Corners,
    /// By proving the presumed length between these two pegs.
    Proof(u32, u32),
}

impl Ask {
    /// The question for a path of any length.
    pub fn new(puzzle: Puzzle, from: State, to: State) -> Ask {
        Ask { puzzle, from, to, max_depth: None, within: 0, upper: true }
    }

    /// Gives up beyond a length.
    #[must_use]
    pub fn max_depth(self, max_depth: Option<u32>) -> Ask {
        Ask { max_depth, ..self }
    }

    /// Accepts a path that is proved to have at most `gap` moves too many; with `u32::MAX` any path.
    #[must_use]
    pub fn within(self, gap: u32) -> Ask {
        Ask { within: gap, ..self }
    }

    /// Sets whether the answer of a search that ends early has a path that is not proved shortest.
    #[must_use]
    pub fn upper(self, upper: bool) -> Ask {
        Ask { upper, ..self }
    }

    /// Both bounds without the search, within milliseconds for most states: the presumed-optimal solution of a tower, an
    /// improved recursive path in other cases, and the sum of the distances of groups of discs. On three pegs there is no
    /// need for a path.
    pub fn known(&self, run: &Run<'_>) -> Known {
        let &Ask { puzzle, from, to, upper, .. } = self;
        let discs = puzzle.discs();
        let groups = Groups::new(discs, to, run).ok();
        let least = |groups: &Groups| groups.distance(from);
        let lower_bound = groups.as_ref().map_or_else(|| improve::least_moved(discs, from, to), least);
        let is_wanted = upper && puzzle.pegs() == 4;
        let moves = if is_wanted { recursion::path(discs, from, to, MOST_MOVES) } else { None };
        let better = |moves| match self.towers() {
            Some(_) => moves,
            None => improve::upper_bound(&puzzle, from, moves, run),
        };
        let best = moves.map(better).map(|moves| Best { length: to_u32(moves.len()), solution: moves });
        Known { lower_bound, best }
    }

    /// Whether the path that is known before the search is close enough to the lower bound.
    fn is_answered_by(&self, known: &Known) -> bool {
        let length = known.best.as_ref().map(|best| best.length);
        self.within > 0
            && length.is_some_and(|length| length <= known.lower_bound.saturating_add(self.within))
    }

    /// The pegs, if both states are towers.
    fn towers(&self) -> Option<(u32, u32)> {
        let discs = self.puzzle.discs();
        let peg = |state: State| (0..self.puzzle.pegs()).find(|&peg| state == State::all_on(peg, discs));
        peg(self.from).zip(peg(self.to))
    }

    /// The search that answers the question.
    pub fn method(&self) -> PathMethod {
        let discs = self.puzzle.discs();
        match self.towers() {
            _ if self.puzzle.pegs() == 3 => PathMethod::Recursion,
            Some((from, to)) if discs >= BY_PROOF && from != to => PathMethod::Proof(from, to),
            _ if discs < *SMALL.start() => PathMethod::Distances,
            _ if discs <= BOTH_ENDS_DISCS => PathMethod::BothEnds,
            _ => PathMethod::Corners,
        }
    }

    /// The cost of the answer, if it is a proof of minutes to days.
    pub fn long_proof(&self, known: &Known) -> Option<Proof> {
        let is_long = matches!(self.method(), PathMethod::Proof(..)) && self.puzzle.discs() >= LONG_PROOF;
        (is_long && !self.is_answered_by(known)).then(|| Proof::of(self.puzzle.discs()))
    }

    /// Checks that the question can be answered within `memory` bytes.
    ///
    /// # Errors
    /// [`AskError::TooLong`], [`AskError::Memory`], [`AskError::Layers`].
    pub fn check(&self, known: &Known, memory: u64) -> Result<(), AskError> {
        if self.is_answered_by(known) {
            return Ok(());
        }
        match self.method() {
            PathMethod::Recursion => match three_pegs::length(self.puzzle.discs(), self.from, self.to) {
                length if length > MOST_MOVES => Err(AskError::TooLong(length)),
                _ => Ok(()),
            },
            PathMethod::Corners => {
                paths::fitting(self.puzzle.discs(), self.to, memory).map(|_| ()).map_err(AskError::Memory)
            }
            PathMethod::Distances | PathMethod::BothEnds | PathMethod::Proof(..) => Ok(()),
        }
    }
}

/// A solver of paths. It keeps the last database that it loaded.
#[derive(Debug, Default)]
pub struct Solver {
    store: Option<Store>,
    loaded: Option<Loaded>,
}

impl Solver {
    /// A solver without a store of tables: it proves without a heuristic.
    pub fn new() -> Solver {
        Solver::default()
    }

    /// A solver whose databases are in `store`.
    pub fn with_store(store: Store) -> Solver {
        Solver { store: Some(store), loaded: None }
    }

    /// The proof that answers `ask`, if it is a proof.
    fn proof(&self, ask: &Ask) -> Result<Option<ProofAsk>, AskError> {
        let PathMethod::Proof(..) = ask.method() else { return Ok(None) };
        let proof = ProofAsk::new(ask.puzzle.discs())?;
        Ok(Some(if self.store.is_some() { proof } else { proof.database(Some(0)) }))
    }

    /// Loads or builds the database that answers `ask`, if it needs one.
    fn load(&mut self, ask: &Ask, known: &Known, run: &Run<'_>) -> Result<(), AskError> {
        ask.check(known, run.memory())?;
        if let (Some(proof), Some(store)) = (self.proof(ask)?, &self.store)
            && self.loaded.as_ref().map(|loaded| loaded.id) != proof.database_id()?
        {
            self.loaded = proof.load(store, run)?;
        }
        Ok(())
    }

    /// Finds a shortest path, and builds a database first if the search needs one that does not exist. The answer
    /// has one iteration, which counts each state searched once.
    ///
    /// # Errors
    /// [`AskError`]. A cancelled search is an answer.
    pub fn solve(&mut self, ask: &Ask, run: &Run<'_>) -> Result<Answer<Vec<Move>>, AskError> {
        self.solve_knowing(ask, &ask.known(run), run)
    }

    /// Finds a shortest path like [`solve`](Solver::solve), with the bounds that the question has before the search.
    ///
    /// # Errors
    /// [`AskError`]. A cancelled search is an answer.
    pub fn solve_knowing(
        &mut self,
        ask: &Ask,
        known: &Known,
        run: &Run<'_>,
    ) -> Result<Answer<Vec<Move>>, AskError> {
        let start = Instant::now();
        let answer = |report: Report<Vec<Move>>, used: Used| {
            let ending = match report.ending {
                ending if ending.is_proved() => ending,
                ending => raised(ending, known.lower_bound).knowing(known.best.clone(), true),
            };
            Answer::new(Report { ending, ..report }, used, start.elapsed().as_secs_f64())
        };
        if ask.is_answered_by(known) || ask.max_depth.is_some_and(|most| most < known.lower_bound) {
            let report = Report { ending: Ending::bounded(known.lower_bound), iterations: Vec::new() };
            return Ok(answer(report, Used::one("none", &[])));
        }
        match self.load(ask, known, run) {
            Err(AskError::Table(TableError { problem: FileError::Cancelled(_), .. })) => {
                return Ok(answer(unproved(), Used::one(heuristic(None), &[])));
            }
            loaded => loaded?,
        }
        let (report, used) = match (ask.method(), self.proof(ask)?) {
            (PathMethod::Proof(from, to), Some(proof)) => {
                let loaded = self.loaded.as_ref().filter(|_| self.store.is_some());
                let tables: Vec<_> = loaded.iter().map(|loaded| loaded.table.clone()).collect();
                (proved(ask, &proof, (from, to), loaded, run)?, Used::one(heuristic(loaded), &tables))
            }
            (method, _) => (searched(ask, method, run)?, Used::one("none", &[])),
        };
        Ok(answer(report, used))
    }
}

/// The answer for a tower between two pegs, by proving the presumed length. If cancelled, nothing is proved.
fn proved(
    ask: &Ask,
    proof: &ProofAsk,
    (from, to): (u32, u32),
    loaded: Option<&Loaded>,
    run: &Run<'_>,
) -> Result<Report<Vec<Move>>, AskError> {
    match proof.prove(loaded, run) {
        Ok(found) => {
            let report = found.tower_report(from, to);
            Ok(Report { ending: report.ending.within(ask.max_depth.unwrap_or(u32::MAX)), ..report })
        }
        Err(AskError::Search(SearchError::Cancelled(_))) => Ok(unproved()),
        Err(error) => Err(error),
    }
}

/// The ending of a search that proved less than is known.
fn raised(ending: Ending<Vec<Move>>, least: u32) -> Ending<Vec<Move>> {
    match ending {
        Ending::Bounded { lower_bound, best } => {
            Ending::Bounded { lower_bound: lower_bound.max(least), best }
        }
        Ending::Cancelled { lower_bound, best } => {
            Ending::Cancelled { lower_bound: lower_bound.max(least), best }
        }
        ending => ending,
    }
}

/// The report of a proof that was cancelled.
fn unproved() -> Report<Vec<Move>> {
    Report { ending: Ending::cancelled(0), iterations: Vec::new() }
}

/// The path that a search without a database finds.
fn searched(ask: &Ask, method: PathMethod, run: &Run<'_>) -> Result<Report<Vec<Move>>, AskError> {
    let start = Instant::now();
    let &Ask { puzzle, from, to, max_depth, .. } = ask;
    let max_depth = max_depth.unwrap_or(u32::MAX);
    let known =
        |moves: Vec<Move>, states| (Ending::solved(to_u32(moves.len()), moves).within(max_depth), states);
    let (ending, states) = match method {
        PathMethod::Recursion => known(three_pegs::path(puzzle.discs(), from, to), 0),
        PathMethod::Distances => {
            let distances = reference::distances(&puzzle, [to]);
            known(reference::path(&puzzle, &distances, from), puzzle.states())
        }
        PathMethod::BothEnds => both_ends::shortest_path(&puzzle, from, to, max_depth, run)?,
        PathMethod::Corners | PathMethod::Proof(..) => {
            paths::shortest_path(&puzzle, (from, to), max_depth, run)
                .map_err(|error| Stopped { lower_bound: u32::from(from != to), error })?
        }
    };
    let iteration = |bound| Iteration {
        bound,
        complete: true,
        generated: states,
        expanded: states,
        seconds: start.elapsed().as_secs_f64(),
        ..Iteration::default()
    };
    Ok(Report { iterations: ending.length().map(iteration).into_iter().collect(), ending })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tall_towers_are_proved() {
        let method = |discs, from, to| Ask::new(Puzzle::new(discs, 4).unwrap(), from, to).method();
        let peg = |peg| State::all_on(peg, BY_PROOF);
        assert_eq!(method(BY_PROOF, peg(1), peg(2)), PathMethod::Proof(1, 2));
        assert_eq!(method(BY_PROOF, peg(1), peg(1)), PathMethod::Corners);
        assert_eq!(method(BY_PROOF, peg(1), peg(2).with(0, 0)), PathMethod::Corners);
        assert_eq!(method(BY_PROOF - 1, State::START, peg(2)), PathMethod::Corners);
        assert_eq!(method(12, State::START, peg(2).smallest(12)), PathMethod::BothEnds);
        assert_eq!(method(4, State::START, State::START), PathMethod::Distances);
    }

    #[test]
    fn paths_of_too_many_moves_are_refused() {
        let puzzle = Puzzle::new(25, 3).unwrap();
        let check = |to| {
            let ask = Ask::new(puzzle, State::START, to);
            ask.check(&ask.known(&Run::new()), u64::MAX)
        };
        assert!(
            matches!(check(State::all_on(2, 25)), Err(AskError::TooLong(length)) if length == (1 << 25) - 1)
        );
        assert!(check(State::START).is_ok());
    }
}
