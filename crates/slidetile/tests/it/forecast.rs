//! Forecasts of bounds, compared with searches of these bounds.

use search_core::table::Store;
use search_core::{Domain, Run};
use slidetile::random::Instances;
use slidetile::solver::Probe;
use slidetile::{Ask, Board, HeuristicSpec, Puzzle, Solver, Tiles};

/// A solver with its board's default automaton, and tables in a temporary directory.
fn solver(rows: usize, cols: usize, heuristic: HeuristicSpec, run: &Run<'_>) -> Solver {
    let puzzle = Puzzle::blank_first(Board::new(rows, cols).expect("a board"));
    let dir = tempfile::tempdir().expect("a directory");
    Solver::load(puzzle, heuristic, &Store::new(dir.path(), "test"), run).expect("a solver")
}

fn boards(solver: &Solver, count: usize) -> impl Iterator<Item = Tiles> {
    Instances::new(solver.puzzle().board(), *solver.puzzle().goal(), 24).take(count)
}

fn counts(probe: &Probe) -> Vec<(u32, u64)> {
    probe.searched.iter().map(|iteration| (iteration.bound, iteration.expanded)).collect()
}

/// The first bounds are those of the search itself, with any number of threads. If no partitions are chosen, searching
/// the last ones again gives the same counts.
#[test]
fn the_first_bounds_are_those_of_the_search() {
    let run = Run::new().with_threads(2);
    for heuristic in [HeuristicSpec::Manhattan, HeuristicSpec::Korf96, HeuristicSpec::Patterns] {
        let solver = solver(3, 4, heuristic, &run);
        for tiles in boards(&solver, 5) {
            for most in [0, 1_000, 100_000] {
                let probe = solver.probe(&tiles, most, &run).expect("not cancelled");
                let answer = solver.solve(&Ask::new(tiles), &run.with_threads(1));
                let report = answer.expect("a solvable board");
                let solved: Vec<(u32, u64)> =
                    report.iterations.iter().map(|iteration| (iteration.bound, iteration.expanded)).collect();
                let complete = probe.searched.iter().filter(|iteration| iteration.complete).count();
                assert!(complete > 0 || probe.length.is_some(), "{heuristic}: at least one bound");
                assert_eq!(counts(&probe)[..complete], solved[..complete], "{heuristic}");
                assert!(probe.length.is_none_or(|length| report.ending.length() == Some(length)));
                let again: Vec<u64> = probe.again.iter().map(|iteration| iteration.expanded).collect();
                assert!(counts(&probe).iter().map(|count| count.1).collect::<Vec<_>>().ends_with(&again));
            }
        }
    }
}

/// Forecasts two bounds ahead are within a factor of two.
#[test]
fn forecasts_are_within_a_factor_of_two() {
    let run = Run::new().with_threads(2);
    let solver = solver(4, 4, HeuristicSpec::Korf96, &run);
    let mut compared = 0;
    for tiles in boards(&solver, 12) {
        let probe = solver.probe(&tiles, 20_000, &run).expect("not cancelled");
        let step = solver.puzzle().lengths(&tiles).modulus;
        let expected: Vec<_> = probe.bounds().take(2).collect();
        let Some(last) = expected.last() else { continue };
        let next = probe.searched.last().expect("a bound").bound + step;
        assert_eq!((expected[0].bound, last.bound), (next, next + step));
        let ask = Ask::new(tiles).min_bound(last.bound).max_bound(last.bound).full_last_iteration(true);
        let counted = solver.solve(&ask, &run).expect("a solvable board").into_report().expanded() as f64;
        assert!((0.5..2.0).contains(&(last.nodes / counted)), "{} instead of {counted}", last.nodes);
        assert!(last.seconds > 0.0 && probe.growth() >= probe.least_growth);
        compared += 1;
    }
    assert!(compared >= 6, "{compared} boards were not solved at once");
}

#[test]
fn a_cancelled_probe_ends() {
    let run = Run::new().with_threads(1);
    let solver = solver(3, 3, HeuristicSpec::Manhattan, &run);
    run.cancel().cancel();
    assert!(boards(&solver, 1).all(|tiles| solver.probe(&tiles, u64::MAX, &run).is_err()));
}
