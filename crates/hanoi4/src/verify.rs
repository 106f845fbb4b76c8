//! Proofs that a presumed-optimal length is optimal, by half-depth heuristic search.
//!
//! The idea (Bode & Hinz 1999; Korf & Felner 2006, "Prior Work" and "Heuristic Search of Towers of
//! Hanoi"): the largest disc moves once in a shortest solution of the standard instance, and then the
//! others stand on two auxiliary pegs: a **middle state**. What follows is what came before, undone,
//! with two pegs exchanged. So the shortest solution has `2 k + 1` moves, where `k` is the distance
//! from all `n − 1` smaller discs on one peg to the nearest middle state.
//!
//! If the presumed length is `p`, breadth-first search with the threshold `(p − 1) / 2` finds the
//! nearest middle state if it is that near, and finds it at its true depth. A middle state in no
//! layer before the last proves that nothing is shorter; one in the last proves that `p` is reached.

use crate::bitmap::search::{LayerCount, NoPruning, Pruner, SearchError, Seeds, Setup};
use crate::bitmap::shape::SMALL;
use crate::database::{Database, Goals, MIDDLE_PAIRS};
use crate::layer_search::{LayerReport, SearchOptions, search_layers};
use crate::model::{Move, State};
use crate::presumed::Presumed;
use crate::splittings::TwoSplittings;
use search_core::record::Iteration;
use search_core::storage::Budget;
use search_core::{Ending, Run};

/// The fewest discs that can be verified: one less fills a block.
pub const MIN_DISCS: u32 = *SMALL.start() + 1;

/// What a verification proved.
#[derive(Clone, Debug, PartialEq)]
pub struct Verification {
    /// All discs.
    pub discs: u32,
    /// The presumed-optimal length.
    pub presumed: u32,
    /// Half of it.
    pub threshold: u32,
    /// The proved length, if a middle state was found within the threshold; the moves are not
    /// found. Otherwise every solution is longer than presumed.
    pub ending: Ending<()>,
    /// The shallowest depth at which a value could prune.
    pub first_pruned: Option<u32>,
    /// The search.
    pub report: LayerReport,
}

impl Verification {
    /// The report of moving the whole tower from peg `from` to peg `to`: once its length is proved,
    /// the presumed-optimal solution is a shortest one.
    pub fn tower_report(&self, from: u32, to: u32) -> search_core::Report<Vec<Move>> {
        let moves = || Presumed::new(self.discs, 4).moves(self.discs, from, to);
        let ending = match self.ending {
            // Never seen: it would refute the conjecture. The moves are then not known.
            Ending::Optimal { length, .. } if length < self.presumed => {
                Ending::Bounded { lower_bound: length }
            }
            ref ending => ending.clone().map(|()| moves()),
        };
        let pruned = self.report.total(|layer| layer.pruned);
        let stored = self.report.total(|layer| layer.stored);
        let iteration = Iteration {
            bound: self.threshold,
            complete: true,
            generated: stored + pruned,
            expanded: stored - self.report.layers.last().map_or(0, |layer| layer.stored),
            pruned_by_heuristic: pruned,
            seconds: self.report.seconds,
            ..Iteration::default()
        };
        search_core::Report { ending, iterations: vec![iteration] }
    }
}

/// The half-depth search for `discs` discs: with a database's splittings, or without a heuristic.
///
/// # Errors
/// [`SearchError`].
///
/// # Panics
/// If there are fewer than [`MIN_DISCS`] discs, or the database's discs and the rest do not fit
/// [`TwoSplittings::new`].
pub fn verify(
    discs: u32,
    database: Option<&Database>,
    budget: Budget,
    options: &SearchOptions,
    run: &Run<'_>,
) -> Result<Verification, SearchError> {
    assert!(discs >= MIN_DISCS, "at least {MIN_DISCS} discs");
    let presumed = u32::try_from(Presumed::new(discs, 4).length(discs)).expect("at most 31 discs");
    let (moving, threshold) = (discs - 1, (presumed - 1) / 2);
    let splittings = database.map(|big| {
        TwoSplittings::new(moving, threshold, big, Database::complete(moving - big.discs(), Goals::Middle))
    });
    let small = splittings.as_ref().map_or(moving.min(*SMALL.end()), TwoSplittings::small);
    let mut setup = Setup::new(moving, small, Goals::Middle.group(), Seeds::State(State::START));
    (setup.goals, setup.budget) = (MIDDLE_PAIRS.to_vec(), budget);
    let pruner: &dyn Pruner = splittings.as_ref().map_or(&NoPruning, |splittings| splittings);
    let options = SearchOptions {
        until_goal: true,
        max_depth: Some(threshold),
        expected_depth: threshold,
        ..options.clone()
    };
    let report = search_layers(setup, pruner, &options, run)?;
    let found = report.layers.iter().position(|layer: &LayerCount| layer.goal);
    Ok(Verification {
        discs,
        presumed,
        threshold,
        ending: match found {
            Some(half) => Ending::solved(2 * half as u32 + 1, ()),
            None => Ending::Bounded { lower_bound: presumed + 1 },
        },
        first_pruned: splittings.map(|splittings| splittings.first_depth()),
        report,
    })
}

/// How many discs the big database has by default, to verify `discs` discs; `None` where none pays.
pub fn default_database(discs: u32) -> Option<u32> {
    match discs {
        ..=12 => None,
        _ => Some((discs - 5).min(22)),
    }
}
