//! Towers of Hanoi on any graph of 3 to 6 pegs, where discs move only along edges.
//!
//! | file | contents |
//! | --- | --- |
//! | `peg_graph` | peg graphs and their notation |
//! | `shape` | the layout of the states in words of bits, and the moves |
//! | `search` | breadth-first search over bitmaps of all states |
//! | `paths` | the number of shortest paths |
//! | [`legs`] | the distance between perfect states by the times of corners; four pegs |
//! | `half` | half-depth search of complete graphs, by sorted layers |
//! | `bounds` | lower bounds for half-depth search |

mod bounds;
mod half;
pub mod legs;
mod paths;
mod peg_graph;
mod search;
mod shape;

pub use half::{HalfReport, half_depth_pruned, half_depth_sorted, pruning_database};
pub use peg_graph::{PEGS, PegGraph};

use crate::error::SearchError;
use crate::layer_loop::each_layer;
use paths::PathCounts;
use search::GraphSearch;
use search_core::Run;
use shape::Word;
use std::ops::ControlFlow::{Break, Continue};

/// A search from all discs on one peg.
#[derive(Clone, Copy, Debug)]
pub struct GraphTask<'a> {
    /// The pegs and the moves.
    pub graph: &'a PegGraph,
    /// The number of discs.
    pub discs: u32,
    /// The peg that all discs start on.
    pub from: u32,
    /// The number of discs that select the word of a block; by default, blocks of 2 to 4 KiB. It
    /// changes the layout in memory, not the answer.
    pub word_discs: Option<u32>,
}

/// The end of a search, and its counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct GraphLimits {
    /// Stop when all discs are on this peg.
    pub to: Option<u32>,
    /// Stop at this depth.
    pub max_depth: Option<u32>,
    /// Count the shortest paths to the perfect states. Takes eight bytes per state.
    pub paths: bool,
}

/// The distance and the paths to a perfect state (all discs on one peg).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The distance from the start.
    pub length: u32,
    /// The number of shortest paths, if they were counted.
    pub paths: Option<u64>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphReport {
    /// The number of states at each depth.
    pub layers: Vec<u64>,
    /// Whether all reachable states were reached.
    pub exhausted: bool,
    /// For each peg, the distance and paths to the state with all discs on it, if it was reached.
    pub perfect: Vec<Option<Reached>>,
    /// The bytes that the search took.
    pub bytes: u64,
}

impl GraphReport {
    /// The greatest depth reached: the radius, if the search is exhausted.
    pub fn depth(&self) -> u32 {
        crate::model::to_u32(self.layers.len() - 1)
    }

    /// The number of states reached.
    pub fn states(&self) -> u64 {
        self.layers.iter().sum()
    }
}

/// Searches from all discs on a peg.
///
/// # Errors
/// [`SearchError`] when the search does not fit the run's memory or is cancelled, or when a number of
/// paths is too large.
///
/// # Panics
/// If a peg of the task or the limits is not one of the graph's.
pub fn explore(
    task: &GraphTask<'_>,
    limits: &GraphLimits,
    run: &Run<'_>,
) -> Result<GraphReport, SearchError> {
    assert!(task.from < task.graph.pegs() && limits.to.is_none_or(|to| to < task.graph.pegs()), "a peg");
    match task.graph.pegs() {
        3 | 5 => explore_in::<u128>(task, limits, run),
        _ => explore_in::<u64>(task, limits, run),
    }
}

/// [`explore`], with words of type `W`.
fn explore_in<W: Word>(
    task: &GraphTask<'_>,
    limits: &GraphLimits,
    run: &Run<'_>,
) -> Result<GraphReport, SearchError> {
    let pegs = task.graph.pegs();
    let extra = if limits.paths { paths::bytes_needed(pegs, task.discs) } else { 0 };
    let bytes = search::bytes_needed::<W>(task) + extra;
    let mut search = GraphSearch::<W>::new(task, extra, run)?;
    let start = search.shape.perfect(task.from as usize);
    let counts = if limits.paths { Some(PathCounts::new(&search, start)?) } else { None };
    let mut report = GraphReport {
        layers: vec![1],
        exhausted: false,
        perfect: vec![None; pegs as usize],
        bytes: bytes as u64,
    };
    each_layer("layers", 0, run, || {
        for (peg, reached) in report.perfect.iter_mut().enumerate() {
            let place = search.shape.perfect(peg);
            if search.is_next(place) {
                let length = crate::model::to_u32(report.layers.len() - 1);
                let paths = counts.as_ref().map(|counts| counts.at(&search.shape, place));
                *reached = Some(Reached { length, paths });
            }
        }
        let is_there = limits.to.is_some_and(|to| report.perfect[to as usize].is_some());
        if is_there || limits.max_depth == Some(report.depth()) {
            return Ok(Break(()));
        }
        let states = search.step(run)?;
        if states == 0 {
            report.exhausted = true;
            return Ok(Break(()));
        }
        if let Some(counts) = &counts {
            counts.step(&search, run)?;
        }
        report.layers.push(states);
        Ok(Continue(report.depth()))
    })?;
    Ok(report)
}

/// The distances between perfect states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distances {
    /// `lengths[a][b]`: the distance from all discs on peg `a` to all discs on peg `b`, if it can be
    /// reached.
    pub lengths: Vec<Vec<Option<u32>>>,
    /// The greatest distance of a state from all discs on each peg.
    pub radii: Vec<u32>,
    /// The number of searches.
    pub searches: u32,
}

/// The distances between all perfect states, by one search for each orbit of pegs under the
/// automorphisms of the graph.
///
/// # Errors
/// As [`explore`].
pub fn distances(graph: &PegGraph, discs: u32, run: &Run<'_>) -> Result<Distances, SearchError> {
    let pegs = graph.pegs() as usize;
    let automorphisms = graph.automorphisms();
    let mut found = Distances { lengths: vec![Vec::new(); pegs], radii: vec![0; pegs], searches: 0 };
    for peg in 0..pegs {
        if !found.lengths[peg].is_empty() {
            continue;
        }
        let task = GraphTask { graph, discs, from: peg as u32, word_discs: None };
        let report = explore(&task, &GraphLimits::default(), run)?;
        found.searches += 1;
        for images in &automorphisms {
            let mut row = vec![None; pegs];
            for (to, reached) in report.perfect.iter().enumerate() {
                row[images[to] as usize] = reached.map(|reached| reached.length);
            }
            found.lengths[images[peg] as usize] = row;
            found.radii[images[peg] as usize] = report.depth();
        }
    }
    Ok(found)
}

#[cfg(test)]
mod sequences;
#[cfg(test)]
mod tests;
