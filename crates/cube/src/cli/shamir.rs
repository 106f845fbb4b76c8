//! `--algorithm shamir`: the search that needs no table, told in the terms of a run record.

use crate::Metric;
use crate::cube::Cube;
use crate::shamir::{Length, Search};
use crate::solver::{End, Solved};
use search_core::Run;
use search_core::ida::Config;
use search_core::record::Iteration;

/// The heuristic's name in run records.
pub(super) const NAME: &str = "none (shamir)";

/// Searches one length after the other. An iteration's generated nodes are the products of both
/// streams.
pub(super) fn solve(metric: Metric, cube: &Cube, config: &Config, run: &Run<'_>) -> Solved {
    let mut search = Search::new(cube, metric.turns());
    let mut iterations = Vec::new();
    let mut depth = 0;
    let ending = loop {
        if config.max_bound.is_some_and(|most| depth > most) {
            break End::Bounded { lower_bound: depth };
        }
        if run.is_cancelled() {
            break End::Cancelled { lower_bound: depth };
        }
        if search.is_possible(depth) {
            let Ok((length, solution)) = search.at(depth, run) else {
                break End::Cancelled { lower_bound: depth };
            };
            iterations.push(iteration(&length));
            if let Some(turns) = solution {
                break End::Optimal { length: depth, solutions: vec![turns], complete: true };
            }
        }
        depth += 1;
    };
    Solved { ending, iterations }
}

fn iteration(length: &Length) -> Iteration {
    Iteration {
        bound: length.depth,
        complete: length.complete,
        generated: length.generated_left + length.generated_right,
        seconds: length.seconds,
        ..Iteration::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::scramble;

    fn run(moves: &str, metric: Metric, most: Option<u32>) -> Solved {
        let cube = scramble::parse(moves).unwrap().cube();
        let config = Config { max_bound: most, ..Config::default() };
        solve(metric, &cube, &config, &Run::new().with_threads(2))
    }

    #[test]
    fn lengths_are_searched_until_one_has_a_solution() {
        let solved = run("R U2 F' L", Metric::Htm, None);
        assert!(matches!(solved.ending, End::Optimal { length: 4, .. }));
        assert_eq!(solved.iterations.len(), 5);
        // An odd number of quarter turns: only odd lengths are searched.
        let solved = run("R U2 F' L", Metric::Qtm, None);
        assert!(matches!(solved.ending, End::Optimal { length: 5, .. }));
        assert_eq!(solved.iterations.len(), 3);
    }

    #[test]
    fn bounds_and_cancellation_leave_a_proved_bound() {
        assert_eq!(run("R U2 F' L", Metric::Htm, Some(3)).ending, End::Bounded { lower_bound: 4 });
        let cancelled = Run::new();
        cancelled.cancel().cancel();
        let cube = scramble::parse("R U2 F' L").unwrap().cube();
        let solved = solve(Metric::Htm, &cube, &Config::default(), &cancelled);
        assert_eq!(solved.ending, End::Cancelled { lower_bound: 0 });
    }
}
