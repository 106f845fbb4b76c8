//! `--algorithm shamir`: the search that needs no table, told in the terms of a run record.

use crate::Metric;
use crate::cube::{Cube, Turn};
use crate::shamir::{Length, Search};
use search_core::ida::Config;
use search_core::record::Iteration;
use search_core::{Ending, Report, Run};

/// The heuristic's name in run records.
pub(super) const NAME: &str = "none (shamir)";

/// Searches one length after the other. An iteration's generated nodes are the products of both
/// streams.
pub(super) fn solve(metric: Metric, cube: &Cube, config: &Config, run: &Run<'_>) -> Report<Vec<Turn>> {
    let mut search = Search::new(cube, metric.turns());
    let mut iterations = Vec::new();
    let mut depth = 0;
    let ending = loop {
        if config.max_bound.is_some_and(|most| depth > most) {
            break Ending::Bounded { lower_bound: depth };
        }
        if run.is_cancelled() {
            break Ending::Cancelled { lower_bound: depth };
        }
        if search.is_possible(depth) {
            let Ok((length, solution)) = search.at(depth, run) else {
                break Ending::Cancelled { lower_bound: depth };
            };
            iterations.push(iteration(&length));
            if let Some(turns) = solution {
                break Ending::solved(depth, turns);
            }
        }
        depth += 1;
    };
    Report { ending, iterations }
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

    fn run(moves: &str, metric: Metric, most: Option<u32>) -> Report<Vec<Turn>> {
        let cube = scramble::parse(moves).unwrap().cube();
        let config = Config { max_bound: most, ..Config::default() };
        solve(metric, &cube, &config, &Run::new().with_threads(2))
    }

    #[test]
    fn lengths_are_searched_until_one_has_a_solution() {
        let solved = run("R U2 F' L", Metric::Htm, None);
        assert!(matches!(solved.ending, Ending::Optimal { length: 4, .. }));
        assert_eq!(solved.iterations.len(), 5);
        // An odd number of quarter turns: only odd lengths are searched.
        let solved = run("R U2 F' L", Metric::Qtm, None);
        assert!(matches!(solved.ending, Ending::Optimal { length: 5, .. }));
        assert_eq!(solved.iterations.len(), 3);
    }

    #[test]
    fn bounds_and_cancellation_leave_a_proved_bound() {
        assert_eq!(run("R U2 F' L", Metric::Htm, Some(3)).ending, Ending::Bounded { lower_bound: 4 });
        let cancelled = Run::new();
        cancelled.cancel().cancel();
        let cube = scramble::parse("R U2 F' L").unwrap().cube();
        let solved = solve(Metric::Htm, &cube, &Config::default(), &cancelled);
        assert_eq!(solved.ending, Ending::Cancelled { lower_bound: 0 });
    }
}
