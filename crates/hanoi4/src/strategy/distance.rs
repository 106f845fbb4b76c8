//! Choosing the search for the distance between all discs on one peg and all on another, on any peg graph.
//!
//! On the complete graph, one disc less is searched to half the depth, with more than `FEW` discs within the bounds of
//! databases. Other graphs of four pegs are searched by the times of corners, one leg of the largest disc after the
//! other. Otherwise a bit for every state is used.

use super::AskError;
use crate::graph::legs::{self, Ends};
use crate::graph::{
    GraphLimits, GraphTask, HalfReport, explore, half_depth_pruned, half_depth_sorted, pruning_database,
};
use search_core::Run;
use serde::Serialize;

/// The least number of discs of a search that databases prune: one disc less is divided between two.
const MIN_PRUNED: u32 = 3;

/// The greatest number of discs that are searched without databases by default.
const FEW: u32 = 12;

/// The question for the distance from all discs on one peg to all on another.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DistanceAsk<'a> {
    /// The graph, the discs and the start.
    pub task: GraphTask<'a>,
    /// The peg to which all discs move.
    pub to: u32,
    /// Whether to count the shortest paths, too.
    pub paths: bool,
    /// The search to use; `None` chooses the best.
    pub method: Option<DistanceMethod>,
    /// The number of small discs of the search by corners.
    pub small: Option<u32>,
    /// The number of discs of the database that prunes.
    pub database: Option<u32>,
}

/// A search for a distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum DistanceMethod {
    /// Search one disc less to half the depth, by sorted layers; complete graph only
    Half,
    /// The same, without states that databases show to be too far for the presumed length
    HalfPruned,
    /// Search one disc less by the times of corners, one leg of the largest disc after the other; 4 pegs only
    Corners,
    /// Search with all discs, with a bit for every state
    Full,
}

/// A distance, and the search that found it.
#[derive(Clone, Copy, Debug)]
pub struct Distance {
    /// The search used.
    pub method: DistanceMethod,
    /// The number of small discs of a search by corners.
    pub small: Option<u32>,
    /// The distance; `None` where the goal cannot be reached.
    pub length: Option<u32>,
    /// The number of shortest paths, if it was asked for.
    pub paths: Option<u128>,
    /// The states visited; of a search by corners, the corners.
    pub states: u64,
    /// The bytes of the search.
    pub bytes: u64,
}

impl<'a> DistanceAsk<'a> {
    /// The question for the distance alone.
    pub fn new(task: GraphTask<'a>, to: u32) -> DistanceAsk<'a> {
        DistanceAsk { task, to, paths: false, method: None, small: None, database: None }
    }

    fn ends(&self) -> Ends<'a> {
        let GraphTask { graph, discs, from, .. } = self.task;
        Ends { graph, discs, from, to: self.to }
    }

    /// The search that answers the question.
    ///
    /// # Errors
    /// [`AskError::Unsuitable`] where the chosen one does not apply, or an option does not fit it.
    pub fn method(&self) -> Result<DistanceMethod, AskError> {
        let discs = self.task.discs;
        let can_halve = self.task.graph.is_complete() && self.task.from != self.to;
        let can_prune = can_halve && discs >= MIN_PRUNED;
        let has_corners = self.ends().are_suitable() && !self.paths;
        let default = match () {
            () if can_prune && (self.database.is_some() || discs > FEW) => DistanceMethod::HalfPruned,
            () if can_halve => DistanceMethod::Half,
            () if has_corners => DistanceMethod::Corners,
            () => DistanceMethod::Full,
        };
        let method = self.method.unwrap_or(default);
        let unsuitable = |message: String| Err(AskError::Unsuitable(message));
        if self.small.is_some() && method != DistanceMethod::Corners {
            return unsuitable("only the method corners has a number of small discs (--small)".to_owned());
        }
        if self.database.is_some() && method != DistanceMethod::HalfPruned {
            return unsuitable("only the method half-pruned has a database (--database)".to_owned());
        }
        match method {
            DistanceMethod::HalfPruned if !can_prune => unsuitable(format!(
                "the method half-pruned needs the complete graph, two different pegs and at least {MIN_PRUNED} discs"
            )),
            DistanceMethod::Half if !can_halve => {
                unsuitable("the method half needs the complete graph and two different pegs".to_owned())
            }
            DistanceMethod::Corners if !has_corners => unsuitable(format!(
                "the method corners needs 4 pegs and {} to {} discs, and does not count paths (--paths)",
                legs::DISCS.start(),
                legs::DISCS.end()
            )),
            method => Ok(method),
        }
    }

    /// Finds the distance.
    ///
    /// # Errors
    /// [`AskError`].
    ///
    /// # Panics
    /// If a peg is not one of the graph's.
    pub fn find(&self, run: &Run<'_>) -> Result<Distance, AskError> {
        let method = self.method()?;
        let DistanceAsk { task, to, paths, .. } = self;
        let half = |found: HalfReport| Distance {
            method,
            small: None,
            length: Some(found.length),
            paths: found.paths.filter(|_| *paths),
            states: found.states,
            bytes: found.bytes,
        };
        let found = match method {
            DistanceMethod::Half => half_depth_sorted(task, run).map(half),
            DistanceMethod::HalfPruned => half_depth_pruned(task, self.big()?, *paths, run).map(half),
            DistanceMethod::Corners => return self.by_corners(run),
            DistanceMethod::Full => {
                let limits = GraphLimits { to: Some(*to), paths: *paths, ..GraphLimits::default() };
                explore(task, &limits, run).map(|report| {
                    let reached = report.perfect[*to as usize];
                    Distance {
                        method,
                        small: None,
                        length: reached.map(|reached| reached.length),
                        paths: reached.and_then(|reached| reached.paths).map(u128::from),
                        states: report.states(),
                        bytes: report.bytes,
                    }
                })
            }
        };
        Ok(found?)
    }

    /// The number of discs of the big database.
    fn big(&self) -> Result<u32, AskError> {
        let discs = self.task.discs;
        match self.database.unwrap_or(pruning_database(discs)) {
            big if (1..discs - 1).contains(&big) => Ok(big),
            big => Err(AskError::Unsuitable(format!(
                "the database must have 1 to {} discs with {discs} discs, not {big}",
                discs - 2
            ))),
        }
    }

    fn by_corners(&self, run: &Run<'_>) -> Result<Distance, AskError> {
        let ends = self.ends();
        let most = (ends.discs - 1).min(*legs::SMALL.end());
        let (small, need) = match self.small {
            Some(small) if !(1..=most).contains(&small) => {
                return Err(AskError::Unsuitable(format!(
                    "the number of small discs must be 1 to {most} with {} discs, not {small}",
                    ends.discs
                )));
            }
            Some(small) => (small, legs::bytes(&ends, small)),
            None => legs::fitting(&ends, run.memory()).unwrap_or_else(|least| (most, least)),
        };
        if need > run.memory() {
            return Err(AskError::Memory(need));
        }
        let (length, states) = legs::length(&ends, small, run)?;
        Ok(Distance {
            method: DistanceMethod::Corners,
            small: Some(small),
            length,
            paths: None,
            states,
            bytes: need,
        })
    }
}
