//! A small table first: a search that changes to another heuristic when that pays.
//!
//! The idea: a table of gigabytes takes seconds to a minute to load, and most easy cubes are solved sooner with a small
//! one. So the search begins with the small table. Before a bound that will probably take more than a given number of
//! nodes it asks for the large one, and continues from this bound.
//!
//! Why the answer is shortest: the bounds before have been searched to their end, so no solution is shorter, whichever
//! heuristic proves that. The nodes of complete iterations do not depend on the number of threads, so neither does
//! the bound at which the search changes.
//!
//! Cost: no bound is searched twice.

use crate::cube::{Cube, Turn};
use crate::solver::{FaceSolver, Improve};
use search_core::ida::{Config, Wanted};
use search_core::table::TableError;
use search_core::{Ending, Report, Run};

/// The result of a search in two stages.
#[derive(Clone, Debug)]
pub(crate) struct Stages {
    /// The iterations of both.
    pub report: Report<Vec<Turn>>,
    /// The first bound of the second stage, if there was one.
    pub handed_over: Option<u32>,
}

/// Searches with `first` up to the first bound that will probably take more than `most_nodes` nodes, and from there on
/// with the solver that `next` returns. Only the second search keeps checkpoints. Longer solutions than the shortest are
/// searched with the second alone.
///
/// # Errors
/// The errors of both solvers, and that of `next` unless the run was cancelled: then the answer is the bound that the first stage has proved.
///
/// # Panics
/// If the solvers have different metrics.
pub(crate) fn in_two_stages<'s, E: From<TableError>>(
    first: &FaceSolver,
    most_nodes: u64,
    next: impl FnOnce() -> Result<&'s FaceSolver, E>,
    (cube, config): (&Cube, &Config),
    improve: Option<&dyn Improve>,
    run: &Run<'_>,
) -> Result<Stages, E> {
    let mut report = Report { ending: Ending::bounded(config.min_bound), iterations: Vec::new() };
    if matches!(config.wanted, Wanted::First | Wanted::All { extra: 0 }) {
        let small = config.clone().most_nodes(most_nodes).checkpoints(None);
        report = first.solve_improving(cube, &small, improve, run)?;
    }
    let Ending::Bounded { lower_bound, ref best } = report.ending else {
        return Ok(Stages { report, handed_over: None });
    };
    if config.max_bound.is_some_and(|last| lower_bound > last) {
        return Ok(Stages { report, handed_over: None });
    }
    let next = match next() {
        Ok(next) => next,
        Err(_) if run.is_cancelled() => {
            let ending = Ending::Cancelled { lower_bound, best: best.clone() };
            let report = Report { ending, ..report };
            return Ok(Stages { report, handed_over: None });
        }
        Err(error) => return Err(error),
    };
    assert_eq!(first.metric(), next.metric(), "both stages count moves alike");
    let config = config.clone().min_bound(lower_bound.max(config.min_bound));
    let Report { ending, iterations } = next.solve_improving(cube, &config, improve, run)?;
    let report = Report { ending, iterations: [report.iterations, iterations].concat() };
    Ok(Stages { report, handed_over: Some(lower_bound) })
}
