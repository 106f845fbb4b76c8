//! `--algorithm ida|shamir`: one face for both searches.

use super::search_args::SearchArgs;
use crate::cube::{Cube, Turn};
use crate::mask::Mask;
use crate::metric::Metric;
use crate::shamir;
use crate::solver::Solver;
use clap::ValueEnum;
use puzzle_cli::{Failure, Session};
use search_core::ida::Config;
use search_core::record::TableUse;
use search_core::{Report, Run};

/// The algorithms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Algorithm {
    /// Iterative-deepening A* with a heuristic
    #[default]
    Ida,
    /// Fiat, Moses, Shamir, Shimshoni and Tardos: from both ends, in sorted order, without tables;
    /// practical to about 16 moves
    Shamir,
}

/// A search that is ready to begin.
pub(super) enum Searcher {
    Ida(Box<Solver>),
    Shamir(Metric),
}

impl Searcher {
    /// Loads what the algorithm needs for the goal of `mask`.
    pub(super) fn load(
        algorithm: Algorithm,
        search: &SearchArgs,
        mask: Mask,
        session: &Session,
    ) -> Result<Searcher, Failure> {
        match algorithm {
            Algorithm::Ida if !mask.is_none() => {
                Ok(Searcher::Ida(Box::new(search.load_masked(mask, session)?)))
            }
            Algorithm::Ida => Ok(Searcher::Ida(Box::new(search.load(session)?))),
            Algorithm::Shamir if search.asks_for_heuristic() => {
                Err(Failure::usage("--algorithm shamir uses neither a heuristic nor a table"))
            }
            Algorithm::Shamir if !mask.is_none() => {
                Err(Failure::usage("--algorithm shamir searches for the solved cube alone")
                    .with_remedy("leave out --algorithm, or what leaves out pieces"))
            }
            Algorithm::Shamir => Ok(Searcher::Shamir(search.metric())),
        }
    }

    pub(super) fn metric(&self) -> Metric {
        match self {
            Searcher::Ida(solver) => solver.metric(),
            Searcher::Shamir(metric) => *metric,
        }
    }

    /// The heuristic's name for run records.
    pub(super) fn heuristic(&self) -> String {
        match self {
            Searcher::Ida(solver) => solver.heuristic().to_string(),
            Searcher::Shamir(_) => "none (shamir)".to_owned(),
        }
    }

    pub(super) fn tables(&self) -> &[TableUse] {
        match self {
            Searcher::Ida(solver) => solver.tables(),
            Searcher::Shamir(_) => &[],
        }
    }

    /// Searches for shortest solutions.
    pub(super) fn solve(&self, cube: &Cube, config: &Config, run: &Run<'_>) -> Report<Vec<Turn>> {
        match self {
            Searcher::Ida(solver) => solver.solve(cube, config, run),
            Searcher::Shamir(metric) => {
                shamir::solve(cube, metric.turns(), config.max_bound.unwrap_or(u32::MAX), run)
            }
        }
    }
}
