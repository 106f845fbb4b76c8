//! The fallback heuristic for symmetric cubes: the search continues with the better of two heuristics.
//!
//! Half-turn cosets are strong except near the start's own coset, as for symmetric cubes: the superflip takes hundreds
//! of times as many nodes with them as with the coset of ⟨U, D, R2, L2, F2, B2⟩, whose table is small. So if a cube has
//! a symmetry and is not solved soon, both heuristics search for a few million nodes, and the one that proves the
//! greater bound continues. Nodes are counted, not time, so the choice is the same on every machine with these tables.
//! The nodes of the other one are not in the record.

use super::Found;
use super::lazy::{Lazy, Means};
use super::whole::{load, used};
use crate::cube::{Cube, Turn};
use crate::heuristics::HeuristicSpec;
use crate::metric::Metric;
use crate::solver::{FaceSolver, Improve, is_symmetric};
use search_core::ida::Config;
use search_core::table::TableError;
use search_core::{Ending, Report};

/// The name of the fallback heuristic.
const NAME: &str = "coset-3i";
/// A trial ends before a bound that is expected to take more nodes than this: some tenths of a second.
const TRIAL: u64 = 1 << 22;

/// The fallback heuristic, loaded when a cube needs it.
pub(super) struct Fallback {
    spec: HeuristicSpec,
    metric: Metric,
    solver: Lazy<FaceSolver>,
}

impl Fallback {
    /// The fallback heuristic, if its table fits the memory of the run.
    pub(super) fn new(metric: Metric, means: &Means<'_>) -> Option<Fallback> {
        let spec: HeuristicSpec = NAME.parse().expect("the name of a heuristic");
        let fits = means.tables.all_fit(&spec.tables(metric), means.run);
        fits.then(|| Fallback { spec, metric, solver: Lazy::new() })
    }

    /// Searches a cube for shortest solutions. Returns `None` if the cube is not symmetric, or if `usual`, the usual
    /// search, takes more than a few million nodes and this heuristic gets no further with as many.
    pub(super) fn search(
        &self,
        cube: &Cube,
        config: &Config,
        improve: Option<&dyn Improve>,
        means: &Means<'_>,
        usual: impl FnOnce(&Config) -> Result<Found<Vec<Turn>>, TableError>,
    ) -> Result<Option<Found<Vec<Turn>>>, TableError> {
        if !is_symmetric(cube) {
            return Ok(None);
        }
        let trial = config.clone().most_nodes(TRIAL).checkpoints(None);
        let (usual, used_usually) = usual(&trial)?;
        let is_open = |lower_bound| config.max_bound.is_none_or(|last| lower_bound <= last);
        if !matches!(usual.ending, Ending::Bounded { lower_bound, .. } if is_open(lower_bound)) {
            return Ok(Some((usual, used_usually)));
        }
        let solver = self.solver.get_or_load(|| load(&self.spec, self.metric, means.run.memory(), means))?;
        let first = solver.solve_improving(cube, &trial, improve, means.run)?;
        if !is_ahead(&first, &usual) {
            return Ok(None);
        }
        let Ending::Bounded { lower_bound, .. } = first.ending else {
            return Ok(Some((first, used(solver))));
        };
        let config = config.clone().min_bound(lower_bound);
        let Report { ending, iterations } = solver.solve_improving(cube, &config, improve, means.run)?;
        let report = Report { ending, iterations: [first.iterations, iterations].concat() };
        Ok(Some((report, used(solver))))
    }
}

/// Whether a trial got further than another one without a solution: a greater bound, or the same bound with fewer
/// nodes.
fn is_ahead<S>(trial: &Report<S>, other: &Report<S>) -> bool {
    let bound = |report: &Report<S>| match report.ending {
        Ending::Bounded { lower_bound, .. } => lower_bound,
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
        let bounded = |lower_bound, nodes| report(Ending::bounded(lower_bound), nodes);
        assert!(is_ahead(&bounded(17, 900), &bounded(16, 100)));
        assert!(!is_ahead(&bounded(16, 100), &bounded(17, 900)));
        assert!(is_ahead(&bounded(16, 100), &bounded(16, 101)));
        assert!(!is_ahead(&bounded(16, 100), &bounded(16, 100)));
        assert!(is_ahead(&report(Ending::solved(9, ()), 900), &bounded(17, 100)));
        assert!(!is_ahead(&report(Ending::cancelled(18), 1), &bounded(17, 100)));
    }
}
