//! The default heuristic for symmetric cubes: whichever of two gets further.
//!
//! The half-turn cosets serve all cubes but those near the start's own coset, and those are symmetric cubes: the superflip takes
//! hundreds of times as many nodes with them as with the coset of ⟨U, D, R2, L2, F2, B2⟩, whose table is small. So
//! where a cube has a symmetry and is not solved soon, both search as far as a few million nodes take them, and the one
//! that proves the greater bound goes on. Nodes are counted and no time is measured, so the choice is the same on
//! every machine with these tables. The nodes of the other one are not in the record.

use super::search_args::SearchArgs;
use super::staged::{Answer, Used};
use crate::cube::Cube;
use crate::heuristics::HeuristicSpec;
use crate::metric::Metric;
use crate::solver::{Solver, is_symmetric};
use puzzle_cli::{Failure, Session};
use search_core::ida::{Config, Wanted};
use search_core::{Ending, Report, Run};
use std::cell::OnceCell;

/// The heuristic that symmetric cubes may be searched with instead.
const RIVAL: &str = "coset-3i";
/// A trial ends before a bound that will probably take more nodes than these: some tenths of a second.
const TRIAL: u64 = 1 << 22;

/// The other heuristic, loaded when a cube needs it.
pub(super) struct Rival {
    spec: HeuristicSpec,
    metric: Metric,
    loaded: OnceCell<Solver>,
}

impl Rival {
    /// The other heuristic, if the memory of the session holds its table.
    pub(super) fn new(metric: Metric, session: &Session) -> Result<Option<Rival>, Failure> {
        let spec: HeuristicSpec = RIVAL.parse().map_err(Failure::usage)?;
        let store = session.store(super::VERSION)?;
        let fits = store.check_memory(&spec.tables(metric), &session.run()).is_ok();
        Ok(fits.then(|| Rival { spec, metric, loaded: OnceCell::new() }))
    }

    /// Searches a cube, if it is symmetric and is solved by `usual`, the default search, with a few million nodes, or that
    /// does not get as far with them.
    pub(super) fn solve(
        &self,
        cube: &Cube,
        config: &Config,
        run: &Run<'_>,
        (search, session): (&SearchArgs, &Session),
        usual: impl FnOnce(&Config) -> Answer,
    ) -> Result<Option<Answer>, Failure> {
        if !matches!(config.wanted, Wanted::First | Wanted::All { extra: 0 }) || !is_symmetric(cube) {
            return Ok(None);
        }
        let trial = config.clone().most_nodes(TRIAL).checkpoints(None);
        let (usual, used) = usual(&trial);
        let is_open = |lower_bound| config.max_bound.is_none_or(|last| lower_bound <= last);
        if !matches!(usual.ending, Ending::Bounded { lower_bound } if is_open(lower_bound)) {
            return Ok(Some((usual, used)));
        }
        let solver = match self.loaded.get() {
            Some(solver) => solver,
            None => {
                let memory = session.run().memory();
                let solver = search.load_heuristic(&self.spec, self.metric, memory, session)?;
                self.loaded.get_or_init(|| solver)
            }
        };
        let first = solver.solve(cube, &trial, run);
        if !is_ahead(&first, &usual) {
            return Ok(None);
        }
        let Ending::Bounded { lower_bound } = first.ending else {
            return Ok(Some((first, Used::solver(solver))));
        };
        let config = config.clone().min_bound(lower_bound);
        let Report { ending, iterations } = solver.solve(cube, &config, run);
        let report = Report { ending, iterations: [first.iterations, iterations].concat() };
        Ok(Some((report, Used::solver(solver))))
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
    fn the_greater_bound_is_ahead_and_then_the_fewer_nodes() {
        let bounded = |lower_bound, nodes| report(Ending::Bounded { lower_bound }, nodes);
        assert!(is_ahead(&bounded(17, 900), &bounded(16, 100)));
        assert!(!is_ahead(&bounded(16, 100), &bounded(17, 900)));
        assert!(is_ahead(&bounded(16, 100), &bounded(16, 101)));
        assert!(!is_ahead(&bounded(16, 100), &bounded(16, 100)));
        assert!(is_ahead(&report(Ending::solved(9, ()), 900), &bounded(17, 100)));
        assert!(!is_ahead(&report(Ending::Cancelled { lower_bound: 18 }, 1), &bounded(17, 100)));
    }
}
