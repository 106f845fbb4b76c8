//! The fallback heuristic for symmetric cubes: whichever of two heuristics gets further.
//!
//! The half-turn cosets serve all cubes but those near the start's own coset, and those are symmetric cubes: the superflip
//! takes hundreds of times as many nodes with them as with the coset of ⟨U, D, R2, L2, F2, B2⟩, whose table is small. So
//! where a cube has a symmetry and is not solved soon, both search as far as a few million nodes take them, and the one
//! that proves the greater bound continues. Nodes are counted and no time is measured, so the choice is the same on
//! every machine with these tables. The nodes of the other one are not in the record.

use super::Found;
use super::lazy::{Lazy, Means};
use super::whole::{load, used};
use crate::cube::{Cube, Turn};
use crate::heuristics::HeuristicSpec;
use crate::metric::Metric;
use crate::solver::{FaceSolver, is_symmetric};
use search_core::ida::Config;
use search_core::table::TableError;
use search_core::{Ending, Report};

/// The name of the fallback heuristic.
const NAME: &str = "coset-3i";
/// A trial ends before a bound that will probably take more nodes than these: some tenths of a second.
const TRIAL: u64 = 1 << 22;

/// The fallback heuristic, loaded when a cube needs it.
pub(super) struct Fallback {
    spec: HeuristicSpec,
    metric: Metric,
    solver: Lazy<FaceSolver>,
}

impl Fallback {
    /// The fallback heuristic, if the memory of the run holds its table.
    pub(super) fn new(metric: Metric, means: &Means<'_>) -> Option<Fallback> {
        let spec: HeuristicSpec = NAME.parse().expect("the name of a heuristic");
        let fits = means.tables.all_fit(&spec.tables(metric), means.run);
        fits.then(|| Fallback { spec, metric, solver: Lazy::new() })
    }

    /// Searches a symmetric cube for shortest solutions, unless it takes the usual search more than a few million nodes and
    /// this heuristic does not get further with them: then nothing is returned. `usual` is the usual search.
    pub(super) fn search(
        &self,
        cube: &Cube,
        config: &Config,
        means: &Means<'_>,
        usual: impl FnOnce(&Config) -> Result<Found<Vec<Turn>>, TableError>,
    ) -> Result<Option<Found<Vec<Turn>>>, TableError> {
        if !is_symmetric(cube) {
            return Ok(None);
        }
        let trial = config.clone().most_nodes(TRIAL).checkpoints(None);
        let (usual, used_usually) = usual(&trial)?;
        let is_open = |lower_bound| config.max_bound.is_none_or(|last| lower_bound <= last);
        if !matches!(usual.ending, Ending::Bounded { lower_bound } if is_open(lower_bound)) {
            return Ok(Some((usual, used_usually)));
        }
        let solver = self.solver.get_or_load(|| load(&self.spec, self.metric, means.run.memory(), means))?;
        let first = solver.solve(cube, &trial, means.run)?;
        if !is_ahead(&first, &usual) {
            return Ok(None);
        }
        let Ending::Bounded { lower_bound } = first.ending else {
            return Ok(Some((first, used(solver))));
        };
        let config = config.clone().min_bound(lower_bound);
        let Report { ending, iterations } = solver.solve(cube, &config, means.run)?;
        let report = Report { ending, iterations: [first.iterations, iterations].concat() };
        Ok(Some((report, used(solver))))
    }
}

/// Whether a trial got further than another that has not found a solution: by its bound, or with fewer nodes.
fn is_ahead<S>(trial: &Report<S>, other: &Report<S>) -> bool {
    let bound = |report: &Report<S>| match report.ending {
        Ending::Bounded { lower_bound } => lower_bound,
        Ending::Cancelled { .. } => 0,
        Ending::Optimal { .. } | Ending::Exhausted => u32::MAX,
    };
    (bound(trial), other.generated()) > (bound(other), trial.generated())
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::record::Iteration;

    fn report(ending: Ending<()>, generated: u64) -> Report<()> {
        Report { ending, iterations: vec![Iteration { generated, ..Iteration::default() }] }
    }

    #[test]
    fn the_greater_bound_leads_and_fewer_nodes_break_ties() {
        let bounded = |lower_bound, nodes| report(Ending::Bounded { lower_bound }, nodes);
        assert!(is_ahead(&bounded(17, 900), &bounded(16, 100)));
        assert!(!is_ahead(&bounded(16, 100), &bounded(17, 900)));
        assert!(is_ahead(&bounded(16, 100), &bounded(16, 101)));
        assert!(!is_ahead(&bounded(16, 100), &bounded(16, 100)));
        assert!(is_ahead(&report(Ending::solved(9, ()), 900), &bounded(17, 100)));
        assert!(!is_ahead(&report(Ending::Cancelled { lower_bound: 18 }, 1), &bounded(17, 100)));
    }
}
