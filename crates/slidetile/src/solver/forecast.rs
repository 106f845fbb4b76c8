//! The expected nodes and times of the bounds of one board, from a search of its first bounds.
//!
//! The idea: with the same partitions, the nodes grow from bound to bound by a factor that falls slowly and
//! smoothly, towards the branching factor of the tree. So the first bounds are searched as the solver does it, up to
//! some million nodes. Then the last of them are searched again with the partitions of the next bound, which gives
//! the factor and its decline.
//!
//! The counts are repeatable. Only the time per node is measured.
//!
//! Limits: a search chooses partitions again as bounds grow. The forecast takes into account neither the nodes that
//! this saves, nor that long bounds read more partitions for each node.
//!
//! Cost: about four times as many nodes as the caller allows for one bound.

use search_core::ida::{Bounds, Choice, Config};
use search_core::queue::Cost;
use search_core::record::Iteration;
use search_core::{Cancelled, Ending, Op, Report, Run};

use super::sums::Sums;
use super::{AnyHeuristic, BoundSearch, Solver};
use crate::fsm;
use crate::strategy::trials::{GROWTH_PER_BOUND, Trials};
use crate::tiles::Tiles;

/// The number of last bounds that are searched again.
const AGAIN: usize = 3;
/// The least assumed ratio of a factor to the one before; smaller ratios are due to chance.
const STEADY: f64 = 0.9;

/// The approximate number of nodes of the greatest bound that is searched to order boards by their costs.
const ORDERING_NODES: u64 = 2_000_000;
/// The number of further bounds that a board is expected to take if nothing is known about boards like it.
const FURTHER: usize = 2;

/// The differences between the lengths of the fifty 24-puzzles of Korf & Felner 2002 and their first bounds with `pdb`,
/// each with the number of boards that have it: `tile24 solve --heuristic pdb --max-depth 1 - <
/// fixtures/sliding-tiles/korf-felner-2002-fifty.csv`.
const LONGER: [(u32, u32); 7] = [(10, 1), (12, 5), (14, 4), (16, 10), (18, 15), (20, 11), (22, 4)];

/// The first bounds of one board.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The length of its shortest solutions, if they were found.
    pub length: Option<u32>,
    /// The bounds searched, from the heuristic's value on. All are complete except one with a solution.
    pub searched: Vec<Iteration>,
    /// The last of them, searched with the partitions of the next bound.
    pub again: Vec<Iteration>,
    /// The difference between successive bounds.
    pub step: u32,
    /// The least factor by which the nodes grow from bound to bound: that of the whole tree.
    pub least_growth: f64,
}

/// The expected cost of a bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// The bound.
    pub bound: u32,
    /// The number of nodes that it expands.
    pub nodes: f64,
    /// The time that it takes.
    pub seconds: f64,
}

impl Probe {
    /// The next bounds, without a last one.
    pub fn bounds(&self) -> impl Iterator<Item = Expected> + '_ {
        let last = self.again.last().filter(|_| self.length.is_none());
        let rate = self.nodes_per_second();
        let first = last.map(|last| (last.bound, last.expanded as f64, self.growth()));
        let next = move |&(bound, nodes, growth): &(u32, f64, f64)| {
            let then = (growth * self.steadiness()).max(self.least_growth);
            Some((bound + self.step, nodes * growth, then))
        };
        let expected = move |(bound, nodes, _)| Expected { bound, nodes, seconds: nodes / rate };
        std::iter::successors(first, next).skip(1).map(expected)
    }

    /// The factor by which the nodes of the next bound exceed those of the last.
    pub fn growth(&self) -> f64 {
        let factor = self.factors().last().unwrap_or(self.least_growth);
        (factor * self.steadiness()).max(self.least_growth)
    }

    /// The number of nodes expanded in a second of the last bound.
    pub fn nodes_per_second(&self) -> f64 {
        self.again.last().map_or(f64::NAN, |last| last.expanded as f64 / last.seconds.max(1e-6))
    }

    /// The factor from each bound to the next.
    fn factors(&self) -> impl Iterator<Item = f64> + '_ {
        self.again.windows(2).map(|pair| pair[1].expanded as f64 / pair[0].expanded.max(1) as f64)
    }

    /// The ratio of a factor to the one before.
    fn steadiness(&self) -> f64 {
        let factors: Vec<f64> = self.factors().collect();
        match factors[..] {
            [.., before, last] => (last / before).clamp(STEADY, 1.0),
            _ => 1.0,
        }
    }
}

impl Solver {
    /// Searches the first bounds from `tiles`, until the next one will probably expand more than `most` nodes.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn probe(&self, tiles: &Tiles, most: u64, run: &Run<'_>) -> Result<Probe, Cancelled> {
        let sums = Sums::of(self, tiles);
        let search = |set: &[usize], bound: u32| -> Result<Report<Vec<Op>>, Cancelled> {
            let config = &Config::at(bound);
            let report = match &sums {
                Some(sums) => sums.search(set, config, run),
                None => self.with(tiles, set, BoundSearch { solver: self, config, run }),
            };
            run.check().map(|()| report)
        };
        let lengths = self.lengths(tiles);
        let mut bounds = Bounds::new(self.lower_bound(tiles), lengths);
        let trials = sums.as_ref().map(Sums::trials);
        let mut choice = trials.as_ref().map_or_else(Choice::default, Trials::untried);
        while let Some(bound) = bounds.bound()
            && expected(bounds.iterations()) <= most as f64
        {
            let Report { ending, iterations } = search(&choice.parts, bound)?;
            let next = match ending {
                Ending::Bounded { lower_bound, .. } => Some(lower_bound),
                _ => None,
            };
            ending.length().into_iter().for_each(|length| bounds.found(length));
            if let Some(trials) = trials.as_ref().filter(|_| next.is_some()) {
                choice = trials.after(choice, &iterations, run);
            }
            iterations.into_iter().for_each(|iteration| bounds.searched(iteration, next));
        }
        let (length, searched) = (bounds.shortest(), bounds.iterations().to_vec());
        let last = searched.len().saturating_sub(if length.is_some() { 0 } else { AGAIN });
        let again =
            searched[last..].iter().map(|iteration| Ok(search(&choice.parts, iteration.bound)?.iterations));
        let again: Vec<_> = again.collect::<Result<_, Cancelled>>()?;
        let branching = fsm::branching_factor(self.puzzle.board(), &self.automaton, run);
        Ok(Probe {
            length,
            searched,
            again: again.concat(),
            step: lengths.modulus,
            least_growth: branching.powi(lengths.modulus as i32),
        })
    }

    /// The cost that a search of `tiles` will probably have, from a search of its first bounds: all bounds up to the
    /// one that solves half of the boards like it, or, where that is not known, two more bounds.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn expected_cost(&self, tiles: &Tiles, run: &Run<'_>) -> Result<Cost, Cancelled> {
        let probe = self.probe(tiles, ORDERING_NODES, run)?;
        let mut cost = Cost::default();
        for iteration in &probe.searched {
            cost.nodes += iteration.expanded as f64;
            cost.seconds += iteration.seconds;
        }
        for (place, next) in probe.bounds().enumerate() {
            cost.nodes += next.nodes;
            cost.seconds += next.seconds;
            if self.share_solved(&probe, next.bound).map_or(place + 1 == FURTHER, |share| share >= 0.5) {
                break;
            }
        }
        Ok(cost)
    }

    /// The share of random 24-puzzles with a solution of at most `bound` moves, among those that the bounds of the probe
    /// do not solve. Known for pattern databases and goals with the blank in a corner.
    pub fn share_solved(&self, probe: &Probe, bound: u32) -> Option<f64> {
        let AnyHeuristic::Additive(tables) = &self.heuristic else { return None };
        let (board, frames) = (self.puzzle.board(), &tables.plan().frames);
        let (first, last) = (probe.searched.first()?.bound, probe.searched.last()?.bound);
        let solved_by = |bound| {
            let boards = LONGER.iter().filter(|(longer, _)| first + longer <= bound);
            boards.map(|(_, boards)| f64::from(*boards)).sum::<f64>()
        };
        let (all, before) = (solved_by(u32::MAX), solved_by(last));
        let is_known = (board.rows(), board.cols(), frames.blank()) == (5, 5, 0) && before < all;
        is_known.then(|| (solved_by(bound) - before) / (all - before))
    }
}

/// The number of nodes that the next bound will probably expand; 0 before the first.
fn expected(searched: &[Iteration]) -> f64 {
    searched.last().map_or(0.0, |last| (last.expanded * GROWTH_PER_BOUND) as f64)
}
