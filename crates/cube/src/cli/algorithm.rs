//! `--algorithm ida|shamir`: one interface to both searches.

use super::search_args::SearchArgs;
use crate::cube::{Cube, Turn};
use crate::mask::{Goals, Mask};
use crate::metric::Metric;
use crate::shamir;
use crate::solver::GoalSolver;
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
    /// practical up to about 16 moves
    Shamir,
}

impl Algorithm {
    /// Its name in certificates.
    pub(super) fn name(self) -> &'static str {
        match self {
            Algorithm::Ida => "ida",
            Algorithm::Shamir => "shamir",
        }
    }

    /// What prunes duplicate strings of turns, for certificates.
    pub(super) fn automaton(self) -> &'static str {
        match self {
            Algorithm::Ida => "move rules: no face twice in a row, opposite faces in one order",
            Algorithm::Shamir => "none",
        }
    }
}

/// A search that is ready to begin.
pub(super) struct Searcher {
    pub(super) metric: Metric,
    /// For the search by IDA*; none for that by Fiat and others.
    solver: Option<GoalSolver>,
}

impl Searcher {
    /// Loads what the algorithm needs for `goals`.
    pub(super) fn load(
        algorithm: Algorithm,
        search: &SearchArgs,
        goals: &Goals,
        session: &Session,
    ) -> Result<Searcher, Failure> {
        match algorithm {
            Algorithm::Ida => {
                let solver = search.load_goals(goals, session)?;
                Ok(Searcher { metric: solver.metric(), solver: Some(solver) })
            }
            Algorithm::Shamir if search.asks_for_heuristic() => {
                Err(Failure::usage("--algorithm shamir uses neither a heuristic nor a table"))
            }
            Algorithm::Shamir if !goals.only().is_some_and(Mask::is_none) => {
                Err(Failure::usage("--algorithm shamir needs a goal that leaves nothing open")
                    .with_remedy("leave out --algorithm, or the options that leave something open"))
            }
            Algorithm::Shamir => Ok(Searcher { metric: search.metric()?, solver: None }),
        }
    }

    /// The heuristic's name for run records.
    pub(super) fn heuristic(&self) -> String {
        self.solver.as_ref().map_or("none (shamir)".to_owned(), GoalSolver::heuristic)
    }

    pub(super) fn tables(&self) -> &[TableUse] {
        self.solver.as_ref().map_or(&[], GoalSolver::tables)
    }

    /// Searches for shortest solutions.
    pub(super) fn solve(&self, cube: &Cube, config: &Config, run: &Run<'_>) -> Report<Vec<Turn>> {
        match &self.solver {
            Some(solver) => solver.solve(cube, config, run),
            None => shamir::solve(cube, self.metric.turns(), config.max_bound.unwrap_or(u32::MAX), run),
        }
    }
}
