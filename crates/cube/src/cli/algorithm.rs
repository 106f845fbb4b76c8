//! `--algorithm ida|shamir`: one interface to both searches.

use super::rival::Rival;
use super::search_args::SearchArgs;
use super::staged::{Answer, Staged, Used};
use crate::cube::Cube;
use crate::mask::{Goals, Mask};
use crate::metric::Metric;
use crate::shamir;
use crate::solver::GoalSolver;
use clap::ValueEnum;
use puzzle_cli::{Failure, Session};
use search_core::Run;
use search_core::ida::Config;

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
    solver: Kind,
    /// What symmetric cubes may be searched with instead.
    rival: Option<Box<Rival>>,
}

/// What searches.
enum Kind {
    /// IDA*.
    Ida(GoalSolver),
    /// IDA*, with a small table first.
    Staged(Box<Staged>),
    /// The search by Fiat and others.
    Shamir,
}

impl Searcher {
    /// Loads what the algorithm needs for `goals`. Where a search `may_wait` for tables, large ones are loaded when it needs them.
    pub(super) fn load(
        algorithm: Algorithm,
        search: &SearchArgs,
        goals: &Goals,
        may_wait: bool,
        session: &Session,
    ) -> Result<Searcher, Failure> {
        match algorithm {
            Algorithm::Ida => {
                let is_free = may_wait && !search.asks_for_heuristic();
                let is_whole = goals.only().is_some_and(Mask::is_none);
                let rival = if is_free && is_whole { Rival::new(search.metric()?, session)? } else { None }
                    .map(Box::new);
                let staged = if may_wait { Staged::load(search, goals, session)? } else { None };
                if let Some(staged) = staged {
                    let (metric, solver) = (staged.metric(), Kind::Staged(Box::new(staged)));
                    return Ok(Searcher { metric, solver, rival });
                }
                let solver = search.load_goals(goals, session)?;
                Ok(Searcher { metric: solver.metric(), solver: Kind::Ida(solver), rival })
            }
            Algorithm::Shamir if search.asks_for_heuristic() => {
                Err(Failure::usage("--algorithm shamir uses neither a heuristic nor a table")
                    .with_remedy("leave out --heuristic and --table"))
            }
            Algorithm::Shamir if !goals.only().is_some_and(Mask::is_none) => {
                Err(Failure::usage("--algorithm shamir needs a goal that leaves nothing open")
                    .with_remedy("leave out --algorithm, or the options that leave something open"))
            }
            Algorithm::Shamir => Ok(Searcher { metric: search.metric()?, solver: Kind::Shamir, rival: None }),
        }
    }

    /// How the next cube may be searched.
    pub(super) fn planned(&self) -> Used {
        match &self.solver {
            Kind::Ida(solver) => Used::one(solver.heuristic(), solver.tables()),
            Kind::Staged(staged) => staged.planned(),
            Kind::Shamir => Used::one("none (shamir)".to_owned(), &[]),
        }
    }

    /// Searches for shortest solutions, and says with what.
    pub(super) fn solve(
        &self,
        cube: &Cube,
        config: &Config,
        run: &Run<'_>,
        how: (&SearchArgs, &Session),
    ) -> Result<Answer, Failure> {
        if let Some(rival) = &self.rival {
            let usual = |trial: &Config| match &self.solver {
                Kind::Ida(solver) => (solver.solve(cube, trial, run), self.planned()),
                Kind::Staged(staged) => {
                    (staged.first().solve(cube, trial, run), Used::solver(staged.first()))
                }
                Kind::Shamir => unreachable!("that search has no rival"),
            };
            if let Some(answer) = rival.solve(cube, config, run, how, usual)? {
                return Ok(answer);
            }
        }
        let report = match &self.solver {
            Kind::Ida(solver) => solver.solve(cube, config, run),
            Kind::Staged(staged) => return staged.solve(cube, config, run, how),
            Kind::Shamir => {
                shamir::solve(cube, self.metric.turns(), config.max_bound.unwrap_or(u32::MAX), run)
            }
        };
        Ok((report, self.planned()))
    }
}
