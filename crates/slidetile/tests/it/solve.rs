//! Every heuristic with every automaton gives the same optimal lengths, which are the exact ones.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use search_core::ida::{Checkpoints, Kernel, SearchState, UpperBounds, Wanted};
use search_core::table::Store;
use search_core::{Cancel, Domain, Ending, Run};
use slidetile::random::Instances;
use slidetile::{Ask, Board, HeuristicSpec, Metric, Pruning, Puzzle, Solver, SolverSetup, Tiles};

fn board(size: &str) -> Board {
    size.parse().expect("a size")
}

fn solver(puzzle: &Puzzle, heuristic: HeuristicSpec, pruning: Pruning) -> Solver {
    let dir = tempfile::tempdir().expect("a directory");
    let store = Store::new(dir.path(), "test");
    let setup = SolverSetup::from(heuristic).pruning(pruning);
    Solver::load(puzzle.clone(), setup, &store, &Run::new()).expect("a solver")
}

fn length(solver: &Solver, tiles: &Tiles, threads: usize, kernel: impl Into<Option<Kernel>>) -> u32 {
    let (ask, run) = (Ask::new(*tiles).kernel(kernel), Run::new().with_threads(threads));
    match solver.solve(&ask, &run).expect("a solvable board").ending {
        Ending::Optimal { length, solutions, .. } => {
            let end = solutions[0].iter().fold(*tiles, |tiles, &op| solver.puzzle().apply(&tiles, op));
            assert_eq!(end, *solver.puzzle().goal());
            assert_eq!(solutions[0].len(), length as usize);
            length
        }
        other => panic!("{other:?}"),
    }
}

const PRUNINGS: [Pruning; 4] = [Pruning::Off, Pruning::Inverse, Pruning::Learned(8), Pruning::Learned(14)];

/// Solves every state of a board whose number is a multiple of `every`.
fn check_states(size: &str, goal: Tiles, every: usize, heuristics: &[HeuristicSpec]) {
    let puzzle = Puzzle::new(board(size), goal);
    let distances: Vec<(Tiles, u32)> =
        puzzle.distances().into_iter().map(|(tiles, distance)| (tiles, distance.into())).collect();
    for &heuristic in heuristics {
        for pruning in PRUNINGS {
            let solver = solver(&puzzle, heuristic, pruning);
            // Without pruning, a state takes hundreds of times as long, and a distant one hours.
            let (every, farthest) =
                if pruning == Pruning::Off { (997 * every, 31) } else { (every, u32::MAX) };
            let chosen: Vec<_> =
                distances.iter().filter(|(_, distance)| *distance <= farthest).step_by(every).collect();
            let begun = Instant::now();
            // A search with one thread runs on the calling thread.
            Run::new().map(&chosen, |(tiles, distance)| {
                let found = length(&solver, tiles, 1, None);
                assert_eq!(found, *distance, "{size} {heuristic} {pruning:?} {}", tiles.text(board(size)));
            });
            println!("{size} {heuristic} {pruning:?}: {} states, {:.0?}", chosen.len(), begun.elapsed());
        }
    }
}

const CLASSIC: [HeuristicSpec; 3] =
    [HeuristicSpec::Manhattan, HeuristicSpec::Conflicts, HeuristicSpec::Korf96];

#[test]
fn small_boards_are_solved_exactly() {
    for size in ["2x2", "2x3", "3x2"] {
        check_states(
            size,
            Tiles::blank_first(board(size)),
            7,
            &[HeuristicSpec::Korf96, HeuristicSpec::Pairs],
        );
        check_states(size, Tiles::blank_last(board(size)), 7, &CLASSIC);
    }
    check_states("3x3", Tiles::blank_first(board("3x3")), 5003, &CLASSIC);
    check_states(
        "3x3",
        Tiles::blank_last(board("3x3")),
        5003,
        &[HeuristicSpec::Patterns, HeuristicSpec::Pairs],
    );
}

#[test]
#[ignore = "all states of the 8-puzzle by every heuristic and automaton: a quarter of an hour"]
fn every_state_is_solved_exactly() {
    // Pairs and triples last: matching at every node takes them longest.
    let all = [
        HeuristicSpec::Manhattan,
        HeuristicSpec::Conflicts,
        HeuristicSpec::Korf96,
        HeuristicSpec::Patterns,
        HeuristicSpec::Pairs,
        HeuristicSpec::Triples,
    ];
    check_states("3x3", Tiles::blank_first(board("3x3")), 1, &all);
}

#[test]
#[ignore = "all states of 2x4 and one in a hundred of 2x5 by every automaton: minutes"]
fn two_rows_are_solved_exactly() {
    check_states("2x4", Tiles::blank_first(board("2x4")), 1, &HeuristicSpec::ALL[..5]);
    check_states("2x5", Tiles::blank_first(board("2x5")), 101, &CLASSIC);
}

/// Instances a bounded number of random moves away from the goal, so that each takes milliseconds.
fn scrambled(puzzle: &Puzzle, moves: usize, seed: u64) -> impl Iterator<Item = Tiles> {
    // The order of the tiles in a random instance is the source of random numbers.
    Instances::new(puzzle.board(), *puzzle.goal(), seed).map(move |noise| {
        let draws = (0..puzzle.board().cells()).map(|cell| noise.tile(cell));
        draws.cycle().enumerate().take(moves).fold(*puzzle.goal(), |tiles, (step, draw)| {
            let ops: Vec<_> = puzzle.applicable(&tiles).into_iter().collect();
            puzzle.apply(&tiles, ops[(draw + step * step) % ops.len()])
        })
    })
}

/// Where several tiles move as one: the same lengths by both heuristics, with and without pruning.
#[test]
fn both_heuristics_of_several_tiles_find_the_same_lengths() {
    let board = board("3x4");
    let puzzle = Puzzle::blank_first(board).with_metric(Metric::Multi);
    let home = tempfile::tempdir().expect("a directory");
    let store = Store::new(home.path(), "test");
    let load = |spec, pruning| {
        let setup = SolverSetup::default().heuristic(spec).pruning(pruning);
        Solver::load(puzzle.clone(), setup, &store, &Run::new()).expect("a solver")
    };
    let solvers = [
        load(HeuristicSpec::Patterns, Pruning::Inverse),
        load(HeuristicSpec::Lines, Pruning::Inverse),
        load(HeuristicSpec::Patterns, Pruning::Off),
    ];
    for tiles in Instances::new(board, *puzzle.goal(), 11).take(4) {
        let lengths = solvers.each_ref().map(|solver| {
            let answer = solver.solve(&Ask::new(tiles), &Run::new()).expect("a board");
            let best = answer.best().expect("a solution");
            let end = best.iter().try_fold(tiles, |tiles, &op| puzzle.after(&tiles, op));
            assert_eq!(end, Some(*puzzle.goal()));
            answer.ending.length().expect("it is proved")
        });
        assert!(lengths.iter().all(|&length| length == lengths[0]), "{lengths:?}");
    }
}

/// Boards of 24 tiles are answered at once with both bounds.
#[test]
fn bounds_of_several_tiles_on_5x5_meet_the_goal() {
    let board = board("5x5");
    let puzzle = Puzzle::blank_first(board).with_metric(Metric::Multi);
    let home = tempfile::tempdir().expect("a directory");
    let solver =
        Solver::load(puzzle.clone(), SolverSetup::default(), &Store::new(home.path(), "test"), &Run::new());
    let solver = solver.expect("a solver");
    let tiles = Instances::new(board, *puzzle.goal(), 1).next().expect("a board");
    let ask = Ask::new(tiles).upper_bounds(UpperBounds::default().within(u32::MAX));
    let answer = solver.solve(&ask, &Run::new()).expect("a board");
    let (lower, best) = (answer.lower_bound().expect("a bound"), answer.best().expect("a solution"));
    let end = best.iter().try_fold(tiles, |tiles, &op| puzzle.after(&tiles, op));
    assert_eq!(end, Some(*puzzle.goal()));
    assert!(lower >= 20 && lower <= best.len() as u32 && best.len() < 90, "{lower}..{}", best.len());
}

/// Every heuristic, automaton, kernel and number of threads, tables built and loaded: the same
/// lengths on 200 seeded instances.
#[test]
fn all_heuristics_automata_and_kernels_find_the_same_lengths() {
    let all = [
        HeuristicSpec::Manhattan,
        HeuristicSpec::Conflicts,
        HeuristicSpec::Pairs,
        HeuristicSpec::Triples,
        HeuristicSpec::Korf96,
    ];
    let patterns = [HeuristicSpec::Korf96, HeuristicSpec::Patterns];
    for (size, count, moves, heuristics) in [
        ("3x3", 60, 90, &[&all[..], &patterns[1..]].concat()),
        ("3x4", 60, 60, &all.to_vec()),
        ("4x5", 40, 45, &CLASSIC.to_vec()),
        ("5x5", 40, 45, &CLASSIC.to_vec()),
    ] {
        let puzzle = Puzzle::blank_first(board(size));
        let instances: Vec<Tiles> = scrambled(&puzzle, moves, 11).take(count).collect();
        let twin = solver(&puzzle, HeuristicSpec::Conflicts, Pruning::Inverse);
        let lengths: Vec<u32> =
            instances.iter().map(|tiles| length(&twin, tiles, 1, Kernel::DepthFirst)).collect();
        assert!(lengths.iter().any(|&length| length > 20), "{size}: {lengths:?}");
        for &heuristic in heuristics {
            for pruning in [Pruning::Inverse, Pruning::Learned(12)] {
                let solver = solver(&puzzle, heuristic, pruning);
                for (tiles, &expected) in instances.iter().zip(&lengths) {
                    for (threads, kernel) in [
                        (1, Kernel::DepthFirst),
                        (2, Kernel::DepthFirst),
                        (1, Kernel::Interleaved { lanes: 1 }),
                        (2, Kernel::Interleaved { lanes: 5 }),
                    ] {
                        let found = length(&solver, tiles, threads, kernel);
                        assert_eq!(found, expected, "{size} {heuristic} {pruning:?} {threads} {kernel:?}");
                    }
                }
            }
        }
    }
}

/// 3x4 has 239,500,800 states: a sample of all distances up to 16, and of all states.
#[test]
fn three_by_four_is_solved_exactly_on_a_sample() {
    let puzzle = Puzzle::blank_first(board("3x4"));
    let near: Vec<(Tiles, u32)> = puzzle
        .layers(*puzzle.goal())
        .take(17)
        .zip(0..)
        .flat_map(|(layer, depth)| {
            let every = layer.len() / 12 + 1;
            layer.into_iter().step_by(every).map(move |tiles| (tiles, depth))
        })
        .collect();
    let far: Vec<Tiles> = Instances::new(puzzle.board(), *puzzle.goal(), 3).take(4).collect();
    let twin = solver(&puzzle, HeuristicSpec::Conflicts, Pruning::Inverse);
    let far: Vec<(Tiles, u32)> =
        far.into_iter().map(|tiles| (tiles, length(&twin, &tiles, 2, Kernel::DepthFirst))).collect();
    for (heuristic, pruning, instances) in [
        (HeuristicSpec::Manhattan, Pruning::Off, &near),
        (HeuristicSpec::Pairs, Pruning::Learned(10), &near),
        (HeuristicSpec::Triples, Pruning::Inverse, &near),
        (HeuristicSpec::Korf96, Pruning::Learned(14), &near),
        (HeuristicSpec::Conflicts, Pruning::Learned(14), &far),
        (HeuristicSpec::Korf96, Pruning::Inverse, &far),
        (HeuristicSpec::Korf96, Pruning::Learned(8), &far),
        (HeuristicSpec::Korf96, Pruning::Learned(14), &far),
    ] {
        let solver = solver(&puzzle, heuristic, pruning);
        for (tiles, expected) in instances {
            let found = length(&solver, tiles, 2, None);
            assert_eq!(found, *expected, "{heuristic} {pruning:?} {}", tiles.text(puzzle.board()));
        }
    }
}

#[test]
fn all_solutions_are_the_same_by_every_heuristic() {
    let puzzle = Puzzle::blank_first(board("3x3"));
    let solvers = [HeuristicSpec::Conflicts, HeuristicSpec::Patterns]
        .map(|heuristic| solver(&puzzle, heuristic, Pruning::Learned(8)));
    let mut found = 0;
    for tiles in Instances::new(puzzle.board(), *puzzle.goal(), 5).take(10) {
        let [a, b] = solvers.each_ref().map(|solver| {
            let ask = Ask::new(tiles).wanted(Wanted::All { extra: 2 });
            let report = solver.solve(&ask, &Run::new()).expect("a solvable board");
            let mut solutions = report.ending.solutions().to_vec();
            solutions.sort_unstable();
            let bounds: Vec<u32> = report.iterations.iter().map(|iteration| iteration.bound).collect();
            (report.ending.length(), solutions, bounds.last().copied(), bounds.is_sorted_by(|a, b| a < b))
        });
        assert_eq!(a, b, "{}", tiles.text(puzzle.board()));
        assert!(a.3, "each bound once");
        found += a.1.len();
    }
    assert!(found > 10, "more than the first of each");
}

/// Keeps the last checkpoint, and stops the search after some.
#[derive(Debug)]
struct Stopping {
    last: Mutex<Option<SearchState>>,
    left: Mutex<usize>,
    cancel: Cancel,
}

impl Checkpoints for Stopping {
    fn resume(&self) -> Option<SearchState> {
        self.last.lock().expect("no panic").clone()
    }
    /// As often as possible: the number of checkpoints must not depend on the machine's speed.
    fn pause(&self) -> Duration {
        Duration::ZERO
    }
    fn keep(&self, checkpoint: &SearchState) {
        *self.last.lock().expect("no panic") = Some(checkpoint.clone());
        let mut left = self.left.lock().expect("no panic");
        *left = left.saturating_sub(1);
        if *left == 0 {
            self.cancel.cancel();
        }
    }
}

/// Includes trees so small that some branches end while the tree is split into subtrees.
#[test]
fn the_solution_does_not_depend_on_the_number_of_threads() {
    let puzzle = Puzzle::blank_first(board("3x4"));
    let solver = solver(&puzzle, HeuristicSpec::Korf96, Pruning::Learned(12));
    for tiles in Instances::new(puzzle.board(), *puzzle.goal(), 5).take(300) {
        let [one, three, eight] = [1, 3, 8].map(|threads| {
            let run = Run::new().with_threads(threads);
            solver.solve(&Ask::new(tiles), &run).expect("a solvable board").ending
        });
        assert_eq!((&one, &one), (&three, &eight), "{}", tiles.text(puzzle.board()));
    }
}

/// Partitions that are not chosen by trials prove the same lengths.
#[test]
fn fixed_partitions_prove_the_same_lengths() {
    let puzzle = Puzzle::blank_first(board("3x4"));
    let (solver, run) = (solver(&puzzle, HeuristicSpec::Patterns, Pruning::Learned(12)), Run::new());
    for tiles in Instances::new(puzzle.board(), *puzzle.goal(), 2002).take(5) {
        let asks = [Ask::new(tiles), Ask::new(tiles).partitions(1), Ask::new(tiles).partitions(3)];
        let [all, one, three] =
            asks.map(|ask| solver.solve(&ask, &run).expect("a solvable board").ending.length());
        assert_eq!((all, all), (one, three), "{}", tiles.text(puzzle.board()));
    }
}

/// Nine tables of the 24-puzzle: number 40 of the fifty, for which partitions are chosen by trials.
#[test]
fn chosen_partitions_solve_a_24_puzzle() {
    let text = "2 17 4 13 7 12 10 3 0 16 21 24 8 5 18 20 15 19 14 9 22 11 6 1 23";
    let (board, tiles) = Tiles::parse(text, None).expect("an arrangement");
    let puzzle = Puzzle::blank_first(board);
    let (dir, run) = (tempfile::tempdir().expect("a directory"), Run::new().with_memory(230_000_000));
    let store = Store::new(dir.path(), "test");
    let solver = Solver::load(puzzle, HeuristicSpec::Patterns, &store, &run).expect("a solver");
    assert_eq!(solver.tables().len(), 1 + 9);
    // The same partitions are chosen, and the same nodes searched, by one thread and by three.
    let to_79 = Ask::new(tiles).max_bound(79);
    let counts = [1, 3].map(|threads| {
        let report = solver.solve(&to_79, &run.with_threads(threads)).expect("a solvable board");
        assert_eq!(report.ending.lower_bound(), Some(80));
        report.iterations.iter().map(|iteration| (iteration.bound, iteration.expanded)).collect::<Vec<_>>()
    });
    assert_eq!(counts[0], counts[1]);
    let most = counts[0].last().expect("an iteration").1;
    assert!(most > 40_000, "{most} nodes are worth trials");
    // A search that is repeatedly stopped after some checkpoints gives the same result in the end.
    let (mut last, mut stops) = (None, 0);
    let continued = loop {
        let cancel = Cancel::new();
        let (last_now, left) = (Mutex::new(last.take()), Mutex::new(100));
        let kept = Arc::new(Stopping { last: last_now, left, cancel: cancel.clone() });
        let run = run.with_threads(1 + stops % 3).with_cancel(&cancel);
        let report = solver.solve(&to_79.clone().checkpoints(kept.clone()), &run).expect("a solvable board");
        if !cancel.is_interrupted() {
            break report.iterations;
        }
        (stops, last) = (stops + 1, kept.last.lock().expect("no panic").take());
    };
    let continued: Vec<_> = continued.iter().map(|iteration| (iteration.bound, iteration.expanded)).collect();
    assert_eq!(continued, counts[0]);
    assert!(stops > 3, "{stops}");
    assert_eq!(length(&solver, &tiles, 2, None), 82);
}

#[test]
#[ignore = "builds a gibibyte of tables and solves 500 24-puzzles twice: minutes in release"]
fn chosen_partitions_agree_with_the_paper() {
    let puzzle = Puzzle::blank_first(board("5x5"));
    let pruning = Pruning::Learned(14);
    let [paper, patterns] =
        [HeuristicSpec::Korf96, HeuristicSpec::Patterns].map(|heuristic| solver(&puzzle, heuristic, pruning));
    for tiles in scrambled(&puzzle, 60, 13).take(500) {
        let [a, b] = [&paper, &patterns].map(|solver| length(solver, &tiles, 2, None));
        assert_eq!(a, b, "{}", tiles.text(puzzle.board()));
    }
}

#[test]
fn tables_are_built_once_and_loaded_after() {
    let puzzle = Puzzle::blank_first(board("3x3"));
    let dir = tempfile::tempdir().expect("a directory");
    let store = Store::new(dir.path(), "test");
    let load = || {
        let setup = SolverSetup::from(HeuristicSpec::Patterns).pruning(Pruning::Learned(10));
        Solver::load(puzzle.clone(), setup, &store, &Run::new()).expect("a solver")
    };
    let (built, loaded) = (load(), load());
    assert_eq!(built.tables(), loaded.tables());
    assert_eq!(store.list().expect("a directory").len(), built.tables().len());
    for tiles in Instances::new(puzzle.board(), *puzzle.goal(), 4).take(20) {
        assert_eq!(built.value(&tiles), loaded.value(&tiles));
        let [a, b] = [&built, &loaded].map(|solver| length(solver, &tiles, 1, None));
        assert_eq!(a, b);
    }
}

/// A board without pattern databases has a solution before its first bound ends, and near the goal the shortest one.
#[test]
fn a_large_board_has_both_bounds_at_once() {
    let puzzle = Puzzle::blank_first(board("6x6"));
    let solver = solver(&puzzle, HeuristicSpec::Korf96, Pruning::Inverse);
    let tiles = Instances::new(puzzle.board(), *puzzle.goal(), 4).next().expect("a board");
    let ask = Ask::new(tiles).upper_bounds(UpperBounds::default().within(u32::MAX));
    let Ending::Bounded { lower_bound, best: Some(best), .. } =
        solver.solve(&ask, &Run::new().with_threads(1)).expect("a solvable board").ending
    else {
        panic!("no solution")
    };
    let end = best.solution.iter().fold(tiles, |tiles, &op| puzzle.apply(&tiles, op));
    assert_eq!(end, *puzzle.goal());
    assert!(lower_bound <= best.length && best.length <= 2 * lower_bound, "{lower_bound} {best:?}");
    let near = (0..30).fold(*puzzle.goal(), |tiles, step: usize| {
        let ops: Vec<_> = puzzle.applicable(&tiles).into_iter().collect();
        puzzle.apply(&tiles, ops[step * step % 5 % ops.len()])
    });
    let plain = Ask::new(near).upper_bounds(UpperBounds::default().used(false));
    let exact = solver.solve(&plain, &Run::new()).expect("a solvable board").ending.length();
    assert!(exact.is_some());
    assert_eq!(length(&solver, &near, 1, None), exact.unwrap_or(0));
}
