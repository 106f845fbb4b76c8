//! Proofs that a presumed-optimal length is optimal, by half-depth heuristic search.
//!
//! The idea (Bode & Hinz 1999; Korf & Felner 2006, "Prior Work" and "Heuristic Search of Towers of
//! Hanoi"): in a shortest solution of the standard instance, the largest disc moves once, while the
//! others are on the two auxiliary pegs: a **middle state**. The moves after it mirror those before,
//! with two pegs exchanged. So the shortest solution has `2 k + 1` moves, where `k` is the distance
//! from the state with all `n − 1` smaller discs on one peg to the nearest middle state.
//!
//! If the presumed length is `p`, breadth-first search with the threshold `(p − 1) / 2` finds the
//! nearest middle state if it is that near, and at its true depth. If no layer before the last
//! contains a middle state, no solution is shorter; one in the last layer proves that `p` is reached.
//! Since a solution of `p` moves is known, a threshold of one less suffices ([`Threshold::Below`]).
//!
//! Two searches find the middle state: [`verify`] layer by layer, [`verify_by_corners`] by the times of corners, which
//! stores far less.

use crate::bitmap::search::{NoPruning, Pruner, Setup};
use crate::bitmap::shape::SMALL;
use crate::corners::bound::CornerBound;
use crate::corners::half::{CheckpointOptions, Half, Nearest};
use crate::error::SearchError;
use crate::goals::{Goals, MIDDLE_PAIRS};
use crate::layer_search::{LayerReport, SearchOptions, search_layers};
use crate::model::Move;
use crate::pdb::Database;
use crate::presumed::{Presumed, four_peg_length};
use crate::splittings::{SplitBound, TwoSplittings};
use search_core::clock::Instant;
use search_core::record::Iteration;
use search_core::storage::Budget;
use search_core::{Ending, Run};

/// The smallest number of discs that can be verified: one disc less fills a block.
pub const MIN_DISCS: u32 = *SMALL.start() + 1;

/// The depth of the search of a verification. One move less than half of the presumed length suffices for the proof
/// (Korf & Felner 2006, "Heuristic Search of Towers of Hanoi") and visits fewer states, but an error that hid middle
/// states would not be noticed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Threshold {
    /// To half of the presumed length, where the goal must be found
    #[default]
    Full,
    /// One move less: faster; proves that nothing shorter exists
    Below,
}

/// The result of a verification.
#[derive(Clone, Debug, PartialEq)]
pub struct Verification {
    /// The number of discs.
    pub discs: u32,
    /// The presumed-optimal length.
    pub presumed: u32,
    /// The depth to which middle states were searched.
    pub threshold: u32,
    /// The proved length, without moves; or the bound if every solution is longer than presumed.
    pub ending: Ending<()>,
    /// The search.
    pub search: HalfSearch,
}

/// The counts of a half-depth search.
#[derive(Clone, Debug, PartialEq)]
pub enum HalfSearch {
    /// A search by layers.
    Layers {
        /// The layers.
        report: LayerReport,
        /// The shallowest depth at which the heuristic could prune, if there is one.
        first_pruned: Option<u32>,
    },
    /// A search by corners.
    Corners {
        /// The corners and blocks.
        nearest: Nearest,
        /// Wall-clock seconds since the start or the resumption.
        seconds: f64,
    },
}

impl HalfSearch {
    /// The layers of a search by layers.
    pub fn layers(&self) -> Option<&LayerReport> {
        match self {
            HalfSearch::Layers { report, .. } => Some(report),
            HalfSearch::Corners { .. } => None,
        }
    }

    /// The counts of a search by corners.
    pub fn corners(&self) -> Option<&Nearest> {
        match self {
            HalfSearch::Layers { .. } => None,
            HalfSearch::Corners { nearest, .. } => Some(nearest),
        }
    }

    /// The shallowest depth at which the heuristic of a search by layers could prune.
    pub fn first_pruned(&self) -> Option<u32> {
        match self {
            HalfSearch::Layers { first_pruned, .. } => *first_pruned,
            HalfSearch::Corners { .. } => None,
        }
    }

    /// Wall-clock seconds since the start or the resumption.
    pub fn seconds(&self) -> f64 {
        match self {
            HalfSearch::Layers { report, .. } => report.seconds,
            HalfSearch::Corners { seconds, .. } => *seconds,
        }
    }

    /// The orbits of states, or the corners, that were counted in these seconds.
    pub fn searched(&self) -> u64 {
        match self {
            HalfSearch::Layers { report, .. } => report.searched,
            HalfSearch::Corners { nearest, .. } => nearest.searched,
        }
    }

    /// The number of blocks that were reached.
    pub fn blocks(&self) -> u64 {
        match self {
            HalfSearch::Layers { report, .. } => report.blocks,
            HalfSearch::Corners { nearest, .. } => nearest.blocks,
        }
    }

    /// The greatest number of bytes of layers, or of times and blocks.
    pub fn peak_bytes(&self) -> u64 {
        match self {
            HalfSearch::Layers { report, .. } => report.peak_bytes,
            HalfSearch::Corners { nearest, .. } => nearest.bytes,
        }
    }

    /// The greatest number of bytes of files at a time.
    pub fn peak_disk(&self) -> u64 {
        match self {
            HalfSearch::Layers { report, .. } => report.peak_disk,
            HalfSearch::Corners { nearest, .. } => nearest.disk,
        }
    }

    /// The states or corners that were generated, expanded, and pruned by the heuristic.
    fn counts(&self) -> (u64, u64, u64) {
        match self {
            HalfSearch::Layers { report, .. } => {
                let stored = report.total(|layer| layer.stored);
                let pruned = report.total(|layer| layer.pruned);
                let last = report.layers.last().map_or(0, |layer| layer.stored);
                (stored + pruned, stored - last, pruned)
            }
            HalfSearch::Corners { nearest, .. } => (nearest.entered, nearest.entered, 0),
        }
    }
}

impl Verification {
    /// The report of moving the tower from peg `from` to peg `to`: once its length is proved, the
    /// presumed-optimal solution is a shortest one.
    pub fn tower_report(&self, from: u32, to: u32) -> search_core::Report<Vec<Move>> {
        let moves = || Presumed::new(self.discs, 4).moves(self.discs, from, to);
        let ending = match self.ending {
            // This would refute the conjecture. The moves are then unknown.
            Ending::Optimal { length, .. } if length < self.presumed => Ending::bounded(length),
            ref ending => ending.clone().map(|()| moves()),
        };
        let (generated, expanded, pruned_by_heuristic) = self.search.counts();
        let iteration = Iteration {
            bound: self.threshold,
            complete: true,
            generated,
            expanded,
            pruned_by_heuristic,
            seconds: self.search.seconds(),
            ..Iteration::default()
        };
        search_core::Report { ending, iterations: vec![iteration] }
    }
}

/// Runs the half-depth search for `discs` discs to a threshold, with a database's splittings or without a
/// heuristic.
///
/// # Errors
/// [`SearchError`].
///
/// # Panics
/// If there are fewer than [`MIN_DISCS`] discs, or the database's discs and the rest do not fit
/// [`TwoSplittings::new`].
pub fn verify(
    discs: u32,
    threshold: Threshold,
    database: Option<&Database>,
    budget: Budget,
    options: &SearchOptions,
    run: &Run<'_>,
) -> Result<Verification, SearchError> {
    let Question { presumed, moving, threshold, unreached } = Question::new(discs, threshold);
    let splittings = match database {
        Some(big) => {
            let rest = Database::cancellable_complete(moving - big.discs(), Goals::Middle, run)?;
            Some(TwoSplittings::new(moving, threshold, big, rest, run)?)
        }
        None => None,
    };
    let small = splittings.as_ref().map_or(moving.min(*SMALL.end()), TwoSplittings::small);
    let mut setup = Setup::new(moving, small, Goals::Middle.group());
    (setup.goals, setup.budget) = (MIDDLE_PAIRS.to_vec(), budget);
    let pruner: &dyn Pruner = splittings.as_ref().map_or(&NoPruning, |splittings| splittings);
    let mut options = options.clone();
    (options.until_goal, options.max_depth, options.expected_depth) = (true, Some(threshold), threshold);
    let report = search_layers(setup, pruner, &options, run)?;
    Ok(Verification {
        discs,
        presumed,
        threshold,
        ending: match report.goal_depth() {
            Some(half) => Ending::solved(2 * half + 1, ()),
            None => unreached,
        },
        search: HalfSearch::Layers {
            report,
            first_pruned: splittings.map(|splittings| splittings.first_depth()),
        },
    })
}

/// The same proof by the times of corners, with `small` small discs. With a directory for checkpoints, it resumes from
/// the one in it.
///
/// # Errors
/// [`SearchError`].
///
/// # Panics
/// As [`verify`], and if `small` is not [possible](can_be_small).
pub fn verify_by_corners(
    discs: u32,
    threshold: Threshold,
    database: Option<&Database>,
    small: u32,
    checkpoints: Option<&CheckpointOptions>,
    run: &Run<'_>,
) -> Result<Verification, SearchError> {
    let start = Instant::now();
    let Question { presumed, moving, threshold, unreached } = Question::new(discs, threshold);
    let bound = match database {
        Some(big) => {
            let rest = Database::cancellable_complete(moving - big.discs(), Goals::Middle, run)?;
            Some(SplitBound::new(big, rest))
        }
        None => None,
    };
    let nearest = Half {
        discs: moving,
        small,
        threshold,
        bound: bound.as_ref().map(|bound| bound as &dyn CornerBound),
    }
    .search(checkpoints, run)?;
    Ok(Verification {
        discs,
        presumed,
        threshold,
        ending: nearest.depth.map_or(unreached, |half| Ending::solved(2 * half + 1, ())),
        search: HalfSearch::Corners { nearest, seconds: start.elapsed().as_secs_f64() },
    })
}

/// A proof's length, the discs that move before the largest, the depth to search to, and the ending if no middle state is
/// found there.
struct Question {
    presumed: u32,
    moving: u32,
    threshold: u32,
    unreached: Ending<()>,
}

impl Question {
    fn new(discs: u32, threshold: Threshold) -> Question {
        assert!(discs >= MIN_DISCS, "at least {MIN_DISCS} discs");
        let presumed = four_peg_length(discs);
        let (moving, half) = (discs - 1, (presumed - 1) / 2);
        let (threshold, unreached) = match threshold {
            Threshold::Full => (half, Ending::bounded(presumed + 1)),
            // The presumed-optimal solution is one of this length.
            Threshold::Below => (half - 1, Ending::solved(presumed, ())),
        };
        Question { presumed, moving, threshold, unreached }
    }
}

/// Whether a proof of `discs` discs by corners can have `small` small discs, where its database has `kept` of `of` discs;
/// 0 of 0 for none.
pub fn can_be_small(discs: u32, (kept, of): (u32, u32), small: u32) -> bool {
    let large = (discs - 1).saturating_sub(small);
    let rest = if of == 0 { 0 } else { discs - 1 - of };
    (1..=14).contains(&small) && large >= kept.max(rest).max(1)
}

/// The greatest number of small discs of such a proof.
pub fn most_small(discs: u32, database: (u32, u32)) -> u32 {
    (1..=14).rev().find(|&small| can_be_small(discs, database, small)).unwrap_or(1)
}

/// The default number of discs of the big database to verify `discs` discs; `None` where a search
/// without a heuristic is faster.
pub fn default_database(discs: u32) -> Option<u32> {
    match discs {
        ..=12 => None,
        _ => Some((discs - 5).min(22)),
    }
}
